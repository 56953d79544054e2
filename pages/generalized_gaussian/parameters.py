"""The parameters of this page: views, the shape and its guarantee, statistics, bounds, a pinned setting."""

from dataclasses import dataclass, replace

from dpcore import checks
from dpcore.calibrations import GENERALIZED_GAUSSIAN, Calibration
from dpcore.checks import BOUND_RANGE
from dpcore.generalized_gaussian import SEVERAL_EPSILON_RANGE
from pages.framework.layout.page import picture_choice
from pages.framework.parameters.kinds import Choice, NumberList, Pin, Quantity
from pages.framework.parameters.number_format import exact_text, format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.generalized_gaussian import grids
from pages.generalized_gaussian.grids import DRAWS_RANGE, SimulatedPoint
from pages.shared import shared_parameters
from pages.shared.bounded_noise import (
    HIGH,
    LOW,
    SHAPE_RANGE,
    BoundedSetting,
    P,
    bound_corrections,
    sensitivity_corrections,
)
from pages.shared.shared_parameters import DELTAS, DRAWN, MEASURE, SEED

AGAINST = Choice(
    "against",
    "what the noise is drawn against",
    {"p": "Shape p", "epsilon": "Privacy loss ε", "delta": "Excess δ"},
    "p",
)
SHOW = picture_choice("show", {"shapes": "Densities", "size": "How much noise", "bounded": "Within bounds"})
BEST_VIEW = Choice(
    "best_view",
    "view of the best p",
    {
        "map": "Map over ε and δ",
        "curves": "Best p over ε",
        "saving": "What it saves",
        "floor": "Any noise, over ε",
        "floor_delta": "Any noise, over δ",
        "floor_map": "Any noise, map",
    },
    "map",
)
BOUNDED_VIEW = Choice(
    "bounded_view", "view within bounds", {"errors": "Error over s", "release": "What is released"}, "errors"
)
GUARANTEE = Choice("guarantee", "guarantee", {rule.key: rule.name for rule in GENERALIZED_GAUSSIAN}, "adp")
MATCH = Choice(
    "match",
    "what the densities share",
    {"scale": "Same scale b", "variance": "Same variance", "guarantee": "Same guarantee"},
    "guarantee",
)
SHAPES = NumberList(
    *("shapes", "p of the curves", Quantity("shapes", "p", "", SHAPE_RANGE, "")),
    *("1, 1.5, 2, 3", 8),
    older_default="1, 1.5, 2, 3, 4",
)
SHAPES_HELP = (
    "At most eight, from 1 to 64; the p of the page is always drawn too. With three or fewer curves there is room for "
    "truncated Laplace noise and the noise of least variance."
)
SIZE = Choice(
    "size",
    "size",
    {"deviation": "Std deviation", "scale": "Scale b", "mean_error": "Mean error", "accuracy": "Half-width ±"},
    "deviation",
)
STATISTICS = Choice(
    "statistics", "statistics", {"one": "One", "three": "The paper’s three", "own": "Own sensitivities"}, "one"
)
SENSITIVITIES = NumberList(
    "sensitivities",
    "Δ of the statistics",
    Quantity("sensitivities", "Δ", "", checks.SENSITIVITY_RANGE, ""),
    "1, 0.1, 0.05",
    8,
    may_repeat=True,
)
SENSITIVITIES_HELP = "One for each statistic, at most eight, in place of the one Δ₂."
MONTE_CARLO = Choice("monte_carlo", "Monte Carlo", {"off": "Off", "on": "Run it"}, "off")
DRAWS = Quantity(
    "draws",
    "draws",
    "Number of draws",
    DRAWS_RANGE,
    "3e4",
    help="The paper’s Monte Carlo finds b from this many draws of the noise; its error bars are two standard errors.",
    whole=True,
    caption="Monte Carlo draws",
)
VALUE = Quantity(
    "true_value",
    "s",
    "True value s of the statistic, between the bounds",
    BOUND_RANGE,
    "2",
    help="Errors depend on it: near a bound noise can only push inwards. It has no effect on privacy.",
    ends="← nearer c₀ · s · nearer c₁ →",
    caption="s · true value",
)
ERROR = Choice("bounded_error", "error", {"rmse": "Root mean squared error", "bias": "Bias"}, "rmse")
_PINNED_PARAMETERS: tuple[Parameter, ...] = (P, GUARANTEE, MEASURE, STATISTICS, SENSITIVITIES, LOW, HIGH, VALUE)
_OTHER_PARAMETERS: tuple[Parameter, ...] = (
    *(MATCH, SHAPES, SIZE, MONTE_CARLO, DRAWS, DELTAS, SEED, DRAWN, ERROR),
    *(SHOW, AGAINST, BEST_VIEW, BOUNDED_VIEW),
)
PAPERS_SENSITIVITIES = (1.0, 0.1, 0.05)
LEAST_SEVERAL = checks.interval_bounds(SEVERAL_EPSILON_RANGE)[0]


@dataclass(frozen=True)
class GeneralizedGaussianSetting(BoundedSetting):
    """The values of the parameters of the page."""

    guarantee: str
    match: str
    shapes: tuple[float, ...]
    size: str
    statistics: str
    sensitivities: tuple[float, ...]
    monte_carlo: str
    draws: float
    measure: str
    deltas: tuple[float, ...]
    seed: float
    drawn: float
    true_value: float
    bounded_error: str
    show: str
    against: str
    best_view: str
    bounded_view: str

    @property
    def all_shapes(self) -> tuple[float, ...]:
        """The shapes of the list, and the chosen one."""
        return self.shapes if self.p in self.shapes else (*self.shapes, self.p)

    @property
    def calibration(self) -> Calibration:
        """The calibration of the noise of one statistic."""
        return next(parameter for parameter in GENERALIZED_GAUSSIAN if parameter.key == self.guarantee)

    @property
    def has_answer(self) -> bool:
        """Whether the guarantee has a scale at this ε."""
        return self.epsilon >= self.calibration.least_epsilon

    @property
    def calibrations(self) -> tuple[Calibration, ...]:
        """The calibrations that have a scale at this ε."""
        return tuple(parameter for parameter in GENERALIZED_GAUSSIAN if self.epsilon >= parameter.least_epsilon)

    @property
    def statistic_sensitivities(self) -> tuple[float, ...]:
        """The sensitivities of several statistics; empty for one statistic."""
        return {"one": (), "three": PAPERS_SENSITIVITIES, "own": self.sensitivities}[self.statistics]

    @property
    def curve_setting(self) -> "GeneralizedGaussianSetting":
        """The setting of the scale curves: several statistics are solved from ε = 1e-6 on."""
        return replace(self, epsilon=max(self.epsilon, LEAST_SEVERAL)) if self.statistic_sensitivities else self

    @property
    def simulated_points(self) -> list[SimulatedPoint]:
        """The points at which the Monte Carlo of several statistics has enough draws; empty where it is off."""
        if not self.statistic_sensitivities or self.monte_carlo == "off":
            return []
        return grids.simulated_points(self.curve_setting.epsilon, self.delta, self.p, self.draws)

    @property
    def best_level(self) -> float | None:
        """The significance level of the best p, on which only the error at the level depends; None for the others."""
        return self.significance if self.measure == "accuracy" else None


def correct(values: Values) -> list[Correction]:
    """Return corrections of bounds, a value between them or draws that are not usable with the other values."""
    corrections = bound_corrections(values)
    used = values | {correction.key: float(correction.used) for correction in corrections}
    low, high, value = (used[parameter.key] for parameter in (LOW, HIGH, VALUE))
    value_within = min(max(value, low), high)
    if value_within != value:
        used_text = format_input_up(value_within)
        sentence = f"s must be from c₀ to c₁; {format_input_up(value)} was given. {used_text} is used instead."
        corrections.append(Correction(VALUE.key, exact_text(value_within), sentence))
    return [
        *corrections,
        *sensitivity_corrections(values),
        *_correct_draws(shared_parameters.read_setting(GeneralizedGaussianSetting, values)),
    ]


def _correct_draws(setting: GeneralizedGaussianSetting) -> list[Correction]:
    n_points, n_statistics = len(setting.simulated_points), len(setting.statistic_sensitivities)
    if not n_points or setting.draws <= (most := grids.most_draws(n_points, n_statistics)):
        return []
    statistics = "one statistic" if n_statistics == 1 else f"{n_statistics} statistics"
    sentence = (
        f"draws of {format_input_up(setting.draws)} for {statistics} at {n_points} points"
        f" take too long for a page. {format_input_up(most)} is used instead."
    )
    return [Correction(DRAWS.key, exact_text(most), sentence)]


def correct_pinned(values: Values) -> list[Correction]:
    """Return corrections of a pinned setting; parameters that it does not have are at their defaults."""
    return correct({parameter.key: parameter.read(parameter.default) for parameter in _OTHER_PARAMETERS} | values)


EXPONENTIAL_KEYS = "over", "bounded_scale"  # of a section that has moved
PINNED = Pin(_PINNED_PARAMETERS, correct_pinned, retired_keys=EXPONENTIAL_KEYS)
PARAMETERS: tuple[Parameter, ...] = (*_PINNED_PARAMETERS, *_OTHER_PARAMETERS, PINNED)
