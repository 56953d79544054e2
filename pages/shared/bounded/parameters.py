"""The parameters of noise on a statistic that has bounds, and their corrections."""

from dataclasses import dataclass

from dpcore import checks
from dpcore.checks import BOUND_RANGE
from dpcore.generalized_gaussian import BOUNDED_EPSILON_RANGE
from dpcore.generalized_gaussian.bounded_comparison import bounded_sensitivity
from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import format_input_down, format_input_up
from pages.framework.parameters.parameter import Correction, Values
from pages.shared import shared_parameters
from pages.shared.glossary_links import more_text

SHAPE_RANGE = f"[1, {MOST_P:.0f}]"  # beyond it, where the best p is not searched, noise is nearly uniform
P = Quantity(
    "p",
    "p",
    "Shape p of the noise",
    SHAPE_RANGE,
    "3",
    help="The density is ∝ exp(−(|x|/b)^p): p = 1 is Laplace noise, p = 2 Gaussian noise, a large p nearly uniform "
    "noise." + more_text("shape", "shape p"),
    ends="← longer tails · p · shorter tails →",
    scale=("1", "1.1", "1.25", "1.5", "1.75", "2", "2.5", "3", "4", "5", "6", "8", "12", "16", "24", "32", "48", "64"),
    caption="p · shape",
)
_PUBLIC = "Known before anybody looks at the data. It is public."
LOW = Quantity(
    "bound_low",
    "c₀",
    "Lower bound c₀ of the statistic, in query units",
    BOUND_RANGE,
    "0",
    help=_PUBLIC,
    caption="c₀ · lower bound",
)
HIGH = Quantity(
    "bound_high",
    "c₁",
    "Upper bound c₁ of the statistic, in query units",
    BOUND_RANGE,
    "10",
    help=_PUBLIC,
    caption="c₁ · upper bound",
)
LEAST_BOUNDED = checks.interval_bounds(BOUNDED_EPSILON_RANGE)[0]
LEAST_WIDTH = checks.interval_bounds(checks.SENSITIVITY_RANGE)[0]  # the least change of a statistic


@dataclass(frozen=True)
class BoundedSetting(shared_parameters.SharedSetting):
    """The shape of the noise and the bounds of the statistic."""

    p: float
    bound_low: float
    bound_high: float

    @property
    def has_bounded_answer(self) -> bool:
        """Whether noise within bounds has a scale at this ε."""
        return self.epsilon >= LEAST_BOUNDED

    @property
    def width(self) -> float:
        """c₁ − c₀."""
        return self.bound_high - self.bound_low

    @property
    def bounded_sensitivity(self) -> float:
        """The largest change of the statistic between neighbours, given its bounds."""
        return float(bounded_sensitivity(self.l2_sensitivity, self.bound_low, self.bound_high))


def bound_corrections(values: Values) -> list[Correction]:
    """Return corrections of bounds that are not in their order or too close to each other."""
    low, high = values[LOW.key], values[HIGH.key]
    if high - low >= LEAST_WIDTH:
        return []
    sentence = (
        f"c₀ (bound_low) must be below c₁ (bound_high); {format_input_down(low)} and {format_input_up(high)} were"
        f" given. {LOW.default} and {HIGH.default} are used instead."
    )
    return [Correction(LOW.key, LOW.default, sentence), Correction(HIGH.key, HIGH.default, "")]


def sensitivity_corrections(values: Values) -> list[Correction]:
    """Return a correction where b does not fit a double: for so large a σ it is up to 1.416 times σ."""
    wider = values | {"l2_sensitivity": values["l2_sensitivity"] * 1.416}
    return (
        []
        if shared_parameters.read_setting(shared_parameters.SharedSetting, wider).is_representable
        else [shared_parameters.default_sensitivity(values)]
    )
