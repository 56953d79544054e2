"""The parameters of this page alone: the question, its options, and the students that are simulated."""

from dataclasses import dataclass

from pages.framework.parameters.kinds import FreeText, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, PartError, Values, excerpt
from pages.live_class.rooms import MAX_OPTION, MAX_OPTIONS, MAX_PHONES, MAX_QUESTION, MIN_OPTIONS
from pages.shared.shared_parameters import EPSILON, SEED

LEAST_EPSILON, LARGEST_EPSILON = 0.1, 10


@dataclass(frozen=True)
class Options:
    """The kind of parameter that holds the options of a question, separated by commas."""

    key: str
    symbol: str
    default: str

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return f"{MIN_OPTIONS} to {MAX_OPTIONS} different options of at most {MAX_OPTION} characters, between commas"

    def read(self, entry: str) -> tuple[str, ...]:
        """Return the options; raise ValueError if a question cannot have them.

        >>> Options("options", "options", "Yes, No").read("Yes, No , Perhaps")
        ('Yes', 'No', 'Perhaps')
        """
        options = tuple(option.strip() for option in entry.split(","))
        if not MIN_OPTIONS <= len(options) <= MAX_OPTIONS:
            raise ValueError(entry)
        for place, option in enumerate(options, 1):
            if not 0 < len(option) <= MAX_OPTION or not option.isprintable() or option in options[: place - 1]:
                given = excerpt(option) or "nothing"
                raise PartError(
                    f"option {place} must have 1 to {MAX_OPTION} printable characters and differ from those before; "
                    f"{given} was given."
                )
        return options


QUESTION = FreeText("ask_question", "question", "Have you ever cheated in an exam?", MAX_QUESTION)
OPTIONS = Options("ask_options", "options", "Yes, No")
N_SIMULATED = Quantity(
    "simulated_students",
    "students",
    "How many simulated students answer",
    f"[1, {MAX_PHONES}]",
    "60",
    help="The page simulates a class as long as no room is open.",
    ends="← fewer · more →",
    scale=tuple(step for step in steps(0, 3, ("1", "2", "3", "4", "6", "8")) if float(step) <= MAX_PHONES),
    whole=True,
    caption="simulated students",
)
SIMULATED_SHARE = Quantity(
    "simulated_share",
    "simulated share",
    "How probable the first option is for a simulated student",
    "[0, 1]",
    "0.3",
    help="The other options are equally probable. What a class thinks, nobody knows before.",
    ends="← rarer · more frequent →",
    scale=("0", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"),
    caption="share of the first option",
)
PARAMETERS: tuple[Parameter, ...] = (QUESTION, OPTIONS, N_SIMULATED, SIMULATED_SHARE, SEED)


def correct(values: Values) -> list[Correction]:
    """Return the correction of an ε at which no class is asked."""
    epsilon = values[EPSILON.key]
    if LEAST_EPSILON <= epsilon <= LARGEST_EPSILON:
        return []
    allowed = f"from {exact_text(LEAST_EPSILON)} to {exact_text(LARGEST_EPSILON)}"
    problem = (
        f"{EPSILON.symbol} ({EPSILON.key}) must be {allowed} for a class; {format_input_up(epsilon)} was given. "
        f"{EPSILON.default} is used instead."
    )
    return [Correction(EPSILON.key, EPSILON.default, problem)]
