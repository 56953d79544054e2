"""Noise on a statistic that has bounds: its parameters, sentences, scales, and what its pictures and programs share."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from dpcore import checks
from dpcore.checks import BOUND_RANGE, Array
from dpcore.generalized_gaussian import BOUNDED_EPSILON_RANGE
from dpcore.generalized_gaussian import bounded_comparison as comparison
from dpcore.generalized_gaussian.bounded_comparison import MECHANISMS, bounded_sensitivity
from dpcore.generalized_gaussian.optimal_shape import MOST_P
from pages.framework.chart.theme import ghost, line
from pages.framework.export.exhibit import Colours
from pages.framework.layout.panels import number
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, format_up
from pages.framework.parameters.parameter import Correction, Values
from pages.framework.rendering.uploaded_files import kept
from pages.shared import shared_parameters
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, OPACUS, OPENDP
from pages.shared.shared_parameters import more_text

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
        f"c₀ must be below c₁; {format_input_down(low)} and {format_input_up(high)} were"
        f" given. {LOW.default} and {HIGH.default} are used instead."
    )
    return [Correction(LOW.key, LOW.default, sentence), Correction(HIGH.key, HIGH.default, "")]


def sensitivity_corrections(values: Values) -> list[Correction]:
    """Return a correction where b does not fit a double: for so large a σ it is up to 1.416 times σ."""
    wider = values | {"l2_sensitivity": values["l2_sensitivity"] * 1.416}
    is_representable = shared_parameters.read_setting(shared_parameters.SharedSetting, wider).is_representable
    return [] if is_representable else [shared_parameters.default_sensitivity(values)]


UNPROVED_TEXT = (
    "Its ε is a maximum over all true values between the bounds, and no formula gives the place of that maximum: b is "
    "solved numerically and rounded up."
)


def no_answer_text(setting: BoundedSetting) -> tuple[str, str]:
    """Return the sentences for an ε that is too small for noise of pure DP."""
    return (
        f"At ε = {format_input_up(setting.epsilon)} pure DP within bounds has no answer.",
        "The release may hardly depend on the data, so b would be infinite, or nearly so: choose an ε of at least "
        f"{format_nearest(LEAST_BOUNDED)}.",
    )


def sensitivity_text(setting: BoundedSetting) -> str:
    """Return which Δ is used, and the reason where it differs from the entered one."""
    sensitivity, width = format_input_down(setting.l2_sensitivity), format_input_down(setting.width)
    if setting.l2_sensitivity > setting.width:
        return (
            f"The sensitivity Δ₂ = {sensitivity} is more than c₁ − c₀ = {width}: between the bounds the statistic "
            f"cannot change by more than that, so Δ = {width} here."
        )
    if setting.l2_sensitivity < setting.bounded_sensitivity:
        return (
            f"The sensitivity Δ₂ = {sensitivity} is less than 1e-9 of c₁ − c₀ = {width}: Δ ="
            f" {used_sensitivity_text(setting)} is used here, which adds more noise than required."
        )
    return f"Δ = {sensitivity}, the sensitivity Δ₂: for one statistic it is the same in every norm."


def used_sensitivity_text(setting: BoundedSetting) -> str:
    """Return Δ within the bounds: as entered, or rounded up where it was increased."""
    is_increased = setting.l2_sensitivity < setting.bounded_sensitivity
    return (format_up if is_increased else format_input_down)(setting.bounded_sensitivity)


_N_VALUES = 101


@dataclass(frozen=True)
class BoundedNoise:
    """What is computed of noise within bounds, each part once; none of it depends on the true value."""

    epsilon: float
    delta: float
    p: float
    low: float
    high: float
    sensitivity: float

    @cached_property
    def scale(self) -> dict[str, float]:
        """The b of each mechanism, by its key."""
        frame = comparison.scales(self.epsilon, self.delta, self.p, self.low, self.high, self.sensitivity)
        scales = {mechanism.key: float(frame[mechanism.key].to_numpy()[0]) for mechanism in comparison.MECHANISMS}
        return {key: b for key, b in scales.items() if np.isfinite(b)}  # Lemma 10 holds for whole p only

    @property
    def _used_sensitivity(self) -> float:
        return float(bounded_sensitivity(self.sensitivity, self.low, self.high))

    @cached_property
    def pure_epsilon(self) -> dict[str, float]:
        """The pure ε of each mechanism, by its key."""
        width = self.high - self.low
        epsilons = comparison.satisfied_epsilon(self.scale, self.p, width, self._used_sensitivity)
        clipped = comparison.CLIPPED.key
        return {key: bound if key == clipped else min(bound, self.epsilon) for key, bound in epsilons.items()}

    @cached_property
    def clipping_width(self) -> float:
        """The width up to which clipped noise satisfies the pure ε of the page."""
        scale = self.scale[comparison.CLIPPED.key]
        return comparison.clipping_width(self.epsilon, scale, self.p, self._used_sensitivity)

    @cached_property
    def errors_over_values(self) -> pd.DataFrame:
        """The errors over the true value."""
        values = np.linspace(self.low, self.high, _N_VALUES)
        return comparison.errors(values, self.scale, self.p, self.low, self.high)


def bounded_noise(setting: BoundedSetting) -> BoundedNoise:
    """Return what is known of noise within the bounds of a setting, which all sessions share and none changes."""
    bounds = setting.bound_low, setting.bound_high
    return kept(BoundedNoise, setting.epsilon, setting.delta, setting.p, *bounds, setting.l2_sensitivity)


BOUNDED_NAMES = {mechanism.key: mechanism.name for mechanism in MECHANISMS}
BOUNDED_LOOKS = {  # one colour for each noise, one dash for each way to compute its scale
    "truncated": ("purple", "solid"),
    "published": ("purple", "dash"),
    "bit": ("rose", "solid"),
    "clipped": ("grey", "dot"),
    "exponential": ("teal", "dashdot"),
    "lemma": ("teal", "longdash"),
}


def pinned_lines(pinned: pd.DataFrame | None, x: str, columns: Iterable[str], colours: Colours) -> list[dict[str, Any]]:
    """Return the grey curves of a pinned setting, if there is one."""
    if pinned is None:
        return []
    at = pinned[x].to_numpy()
    return [precise_line(at, pinned[key].to_numpy(), "pinned", "", "") | ghost(colours) for key in columns]


def precise_line(x: Array, y: Array, name: str, shade: str, dash: str, **more: Any) -> dict[str, Any]:
    """Return a line whose x keep all digits where the bounds are close for their size."""
    trace = line(x, y, name, shade, dash, **more)
    return trace | {"x": x} if np.ptp(x) < 1e-4 * np.max(np.abs(x)) else trace


NO_BOUNDS = {
    OPENDP: "It has geometric noise within bounds for whole numbers, make_geometric(…, bounds=…), and no noise within "
    "bounds for real numbers. It has no exponential mechanism over an interval.",
    DP_ACCOUNTING: "It has no noise within bounds.",
    DIFFPRIVLIB: "Its LaplaceBoundedDomain and LaplaceTruncated are the truncated noise and BIT at p = 1; neither says "
    "its scale, and there is no other p. Its exponential mechanism takes a list of candidates, no interval.",
    OPACUS: "It has no noise within bounds.",
}


def bounds_assignment(setting: BoundedSetting) -> str:
    """Return the line of a program that assigns ε, p, the bounds and the sensitivity."""
    values = setting.epsilon, setting.p, setting.bound_low, setting.bound_high, setting.bounded_sensitivity
    return f"epsilon, p, low, high, sensitivity = {', '.join(map(number, values))}"
