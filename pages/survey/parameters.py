"""The parameters of the page, and the corrections of those that do not go together."""

from dataclasses import dataclass
from decimal import Decimal

from dpcore import local
from dpcore.checks import interval_bounds
from pages.framework.parameters import kinds, number_parser
from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.framework.parameters.number_format import capitalized, exact_text, format_input_up, rounded_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared.conditions import CONDITION_PARAMETERS, CURATOR
from pages.shared.shared_parameters import EPSILON, MECHANISMS, SEED, SIGNIFICANCE, more_text, outside_limits

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
    caption="d · options (yes/no: 2)",
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
    {"best": "The best of them"} | {key: capitalized(NAMES[key]) for key in local.METHODS},
    "best",
)


@dataclass(frozen=True)
class Points(Quantity):
    """A share in percentage points; older links have it under another key as a share of 1."""

    former_key: str = ""

    def read(self, entry: str) -> float:
        """Return the points of a text, which may have a percent sign."""
        return super().read(entry.strip().removesuffix("%"))

    def from_former(self, entry: str) -> str:
        """Return the text in points of a text that is a share of 1.

        >>> [WANTED.from_former(entry) for entry in ("0.01", "1e-6", "5 %", "1/200", "x")]
        ['1', '0.0001', '5', '100*(1/200)', '100*(x)']
        """
        typed = entry.strip()
        if typed.endswith("%"):
            return typed.removesuffix("%").strip()
        if not number_parser.is_plain(typed):
            return f"100*({typed})"
        return f"{(Decimal(typed.replace('−', '-')) * 100).normalize():f}"


WANTED = Points(
    "wanted_points",
    "wanted ±",
    "Error ± that you can accept, in percentage points",
    "[1e-4, 100]",
    "1",
    help="1 is one percentage point: 5 % may be published as 4 % or 6 %. The page says which ε or how many people it "
    "takes.",
    ends="← smaller · ± · larger →",
    scale=("0.1", "0.2", "0.5", "1", "2", "5", "10"),
    caption="± · acceptable error (points)",
    former_key="wanted_error",
)
_KNOWN = {"epsilon": "The error", "people": "People", "accuracy": "Which ε"}
KNOWN = Choice("known", "what you want to know", _KNOWN, "epsilon")
METHOD_HELP = "How a device changes an answer." + more_text("randomised_response", "randomised response")
PARAMETERS: tuple[Parameter, ...] = (
    *(N_PEOPLE, N_OPTIONS, SHARE, METHOD, KNOWN, WANTED, MECHANISMS, SEED),
    *CONDITION_PARAMETERS,
)
OFFICE = "office"  # an option of who adds the noise


def correct(values: Values) -> list[Correction]:
    """Return the corrections of an ε at which no survey is drawn, and of an error that no ε or no people reach."""
    if values[KNOWN.key] == "accuracy":
        return _too_accurate(values, LARGEST_EPSILON, values[N_PEOPLE.key], "with so few people")
    outside = outside_limits(values, EPSILON, LEAST_EPSILON, LARGEST_EPSILON, "for a survey")
    if values[KNOWN.key] != "people":
        return outside
    epsilon, most = float(outside[0].used) if outside else values[EPSILON.key], interval_bounds(N_PEOPLE.limits)[1]
    return [*outside, *_too_accurate(values, epsilon, most, f"at this ε, with at most {exact_text(most)} people")]


def _too_accurate(values: Values, epsilon: float, n_people: float, why: str) -> list[Correction]:
    """Return the correction of a wanted error that is too small; at worst the error follows from ε and the people."""
    known = epsilon, values[N_OPTIONS.key], n_people
    alpha = values[SIGNIFICANCE.key]
    if values[CURATOR.key] == OFFICE:
        least = local.curator_half_width(*known, alpha)
    else:
        least = local.half_width(*known, values[METHOD.key], values[SHARE.key], alpha)
    used = rounded_up(100 * float(least))
    if used <= values[WANTED.key]:
        return []
    must = f"{WANTED.symbol} must be at least {exact_text(used)} percentage points {why}"
    given = f"{format_input_up(values[WANTED.key])} was given"
    if not kinds.is_inside(used, WANTED.limits):
        return [Correction(KNOWN.key, "epsilon", f"{must}; {given}. The error follows from ε instead.")]
    return [Correction(WANTED.key, exact_text(used), f"{must}; {given}. {exact_text(used)} is used instead.")]
