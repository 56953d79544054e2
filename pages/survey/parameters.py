"""The parameters of this page alone: the people, the options, a share, the method, and the error that is wanted."""

from dpcore import local
from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.glossary_links import more_text
from pages.shared.shared_parameters import EPSILON, MECHANISMS, SEED

LEAST_EPSILON, LARGEST_EPSILON = 1e-3, 50
N_PEOPLE = Quantity(
    "n_people",
    "n",
    "How many people answer, n",
    "[10, 1e9]",
    "50000",
    help="Each of them sends one answer, which the own device changes at random.",
    ends="← fewer · n · more →",
    scale=steps(1, 9, ("1", "2", "5")),
    whole=True,
    caption="n · people",
)
N_OPTIONS = Quantity(
    "n_options",
    "d",
    "How many options the question has, d",
    "[2, 1e6]",
    "20",
    help="2 is a yes-or-no question. Each person has one of the options.",
    ends="← fewer · d · more →",
    scale=("2", "3", "4", "5", "6", "8", "10", "15", *steps(1, 6, ("2", "5", "10"))),
    whole=True,
    caption="d · options",
)
SHARE = Quantity(
    "option_share",
    "f",
    "Share f of the people who have one option",
    "[0, 1]",
    "0.05",
    help="The share that you expect of an option you care about: 0.05 is 5 % of the people.",
    ends="← rarer · f · more frequent →",
    scale=("0", "0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "1"),
    caption="f · one share",
)
NAMES = {
    "randomized_response": "randomised response",
    "optimized_unary": "optimized unary encoding",
    "symmetric_unary": "symmetric unary encoding",
    "subset_selection": "subset selection",
    "hadamard": "Hadamard response",
}
METHOD = Choice(
    "method",
    "method",
    {"best": "The best of them"} | {key: NAMES[key][0].upper() + NAMES[key][1:] for key in local.METHODS},
    "best",
)
WANTED = Quantity(
    "wanted_error",
    "wanted ±",
    "Error ± that you can accept, as a share of all",
    "[1e-6, 1]",
    "0.01",
    help="0.01 is one percentage point. The page says how many people it takes.",
    ends="← smaller · ± · larger →",
    scale=("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1"),
    caption="± that you accept",
)
METHOD_HELP = "How a device changes an answer." + more_text("randomised_response", "randomised response")
PARAMETERS: tuple[Parameter, ...] = (
    *(N_PEOPLE, N_OPTIONS, SHARE, METHOD, WANTED, MECHANISMS, SEED),
    *CONDITION_PARAMETERS,
)


def correct(values: Values) -> list[Correction]:
    """Return the correction of an ε at which no survey is drawn."""
    epsilon = values[EPSILON.key]
    if LEAST_EPSILON <= epsilon <= LARGEST_EPSILON:
        return []
    allowed = f"from {exact_text(LEAST_EPSILON)} to {exact_text(LARGEST_EPSILON)}"
    problem = (
        f"{EPSILON.symbol} ({EPSILON.key}) must be {allowed} for a survey; {format_input_up(epsilon)} was given. "
        f"{EPSILON.default} is used instead."
    )
    return [Correction(EPSILON.key, EPSILON.default, problem)]
