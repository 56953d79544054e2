"""One mechanism: noise of one family and scale, the guarantee that it satisfies, and what it does to a number.

A record of `dpcore.calibrations` is a formula; a `Mechanism` is what that formula gives at one setting. Whether its
guarantee holds is decided by `dpcore.calibrations` alone. ε is in nats, δ a probability; scales and sensitivities are
in query units.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian, geometric, laplace, staircase, truncated_geometric, truncated_laplace
from dpcore import generalized_gaussian as generalized
from dpcore.accuracy import ACCURACY_RANGE, RULES, each_significance, epsilon_for
from dpcore.calibrations import (
    FLOOR,
    GEOMETRIC,
    PROVED,
    PURE_DP,
    STAIRCASE_MEAN,
    UNDEFINED,
    Calibration,
)
from dpcore.checks import (
    CELLS_RANGE,
    DELTA_RANGE,
    EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SENSITIVITY_RANGE,
    SHAPE_RANGE,
    SIGNIFICANCE_RANGE,
    Array,
    interval_bounds,
    number,
    option,
    scalar,
    scalar_integer,
)
from dpcore.generalized_gaussian.optimal_shape import size

__all__ = [
    "LOWER_BOUND",
    "NOT_PROVED",
    "NO_ANSWER",
    "NO_SAFE_SAMPLER",
    "SAFELY_SAMPLED",
    "Mechanism",
    "calibrated",
    "calibrated_shapes",
    "of_half_width",
    "of_scale",
    "proved",
]

_FAMILIES: dict[str, ModuleType] = {
    "laplace": laplace,
    "geometric": geometric,
    "staircase": staircase,
    "gaussian": gaussian,
    "discrete_gaussian": discrete_gaussian,
    "generalized_gaussian": generalized,
    "truncated_laplace": truncated_laplace,
    "truncated_geometric": truncated_geometric,
}
_SYMBOLS = {"laplace": "b", "generalized_gaussian": "b", "gaussian": "σ", "discrete_gaussian": "σ"}
_SYMBOLS |= {"truncated_laplace": "A", "truncated_geometric": "N"}
_SIZES = {"variance": "variance", "mean_absolute_error": "mean_error", "half_width": "accuracy"}  # rounded up
_WHOLE = ("geometric", "discrete_gaussian", "truncated_geometric")
_MOST_STEPS = 1e50  # the greatest half-width for which the exact geometric ε is solved; no count is beyond it
_TRUNCATED = ("truncated_laplace", "truncated_geometric")
SAFELY_SAMPLED = ("laplace", "geometric", "gaussian", "discrete_gaussian", "truncated_geometric")
NO_ANSWER, LOWER_BOUND, NOT_PROVED, NO_SAFE_SAMPLER = "no answer", "lower bound", "not proved", "no safe sampler"


@dataclass(frozen=True)
class Mechanism:
    """Noise that is calibrated to a privacy guarantee.

    Where a formula has no answer, `scale` is NaN, and so is everything that the methods return.

    Attributes
    ----------
    key : that of its `Calibration`, "discrete_gaussian" or "generalized_gaussian"; links and colours go by it.
    name : for every page.
    family : the module of `dpcore` whose functions describe the noise.
    parameters : the arguments with which they describe it.
    scale : in query units, of what `symbol` is: σ, b or s, or the bound A or N of truncated noise.
    guarantee : "(ε, δ)-DP", "(ε, δ)-pDP" or "ε-DP".
    epsilon : the ε of the guarantee.
    delta : its δ; 0 for ε-DP.
    theorem : the theorem that proves the guarantee, with its source.
    status : whether the guarantee holds, a word of `dpcore.calibrations`.
    true_delta : the least δ of (ε, δ)-DP that is known of the noise at this ε; 0 for ε-DP.
    """

    key: str
    name: str
    family: str
    parameters: tuple[float, ...]
    scale: float
    guarantee: str
    epsilon: float
    delta: float
    theorem: str
    status: str
    true_delta: float

    @property
    def symbol(self) -> str:
        """The symbol of the scale."""
        return _SYMBOLS.get(self.family, "s")

    @property
    def whole(self) -> bool:
        """Whether the noise is a whole number."""
        return self.family in _WHOLE

    @property
    def hard_limit(self) -> float:
        """The largest |noise| that is possible: A or N of truncated noise, else infinite."""
        return self.scale if self.family in _TRUNCATED else np.inf

    @property
    def obstacle(self) -> str:
        """Why no release should use this mechanism; empty where it can be used.

        It is `NO_ANSWER`, `LOWER_BOUND`, `NOT_PROVED` or `NO_SAFE_SAMPLER`. A sampler is safe if it is exact or made
        for floating point; OpenDP and Google's libraries have one for each family of `SAFELY_SAMPLED`: truncated
        geometric noise is geometric noise, drawn anew while it is beyond ±N. Ordinary samplers leave last digits of a
        floating-point number that can give the true value away (Mironov 2012).
        """
        if np.isnan(self.scale):
            return NO_ANSWER
        if self.status == FLOOR:
            return LOWER_BOUND
        if self.status != PROVED:
            return NOT_PROVED
        return "" if self.family in SAFELY_SAMPLED else NO_SAFE_SAMPLER

    @property
    def releasable(self) -> bool:
        """Whether a release can use this mechanism: its guarantee is proved, and it can be sampled safely."""
        return not self.obstacle

    @overload
    def half_width(self, significance: float, n_cells: float = 1) -> float: ...

    @overload
    def half_width(self, significance: ArrayLike, n_cells: ArrayLike = 1) -> float | Array: ...

    def half_width(self, significance: ArrayLike, n_cells: ArrayLike = 1) -> float | Array:
        """Return the least a with Pr(|noise| > a) ≤ α or, for several cells, with Pr(any |noise| > a) ≤ α.

        Parameters
        ----------
        significance : α in [1e-300, 1).
        n_cells : m, a whole number in [1, 1e15]: of so many cells, each with noise of its own, all are within ±a.

        Examples
        --------
        >>> from dpcore.calibrations import LAPLACE
        >>> laplace = calibrated(LAPLACE, 1, 0)
        >>> print(f"±{laplace.half_width(0.05):.3f}, ±{laplace.half_width(0.05, n_cells=12):.3f}")
        ±2.996, ±5.457
        """
        if np.ndim(significance) == np.ndim(n_cells) == 0:
            level = scalar("significance", significance, SIGNIFICANCE_RANGE)
            return _half_width(self, level, scalar_integer("n_cells", n_cells, CELLS_RANGE))
        return self._of_noise("half_width", each_significance(significance, n_cells))

    def tail(self, t: ArrayLike) -> Array:
        """Return Pr(|noise| > t), t ≥ 0."""
        return self._of_noise("tail", t)

    def upper(self, t: ArrayLike) -> Array:
        """Return Pr(noise > t), t in [−1e300, 1e300]."""
        t = number("t", t, "[-1e300, 1e300]")
        return np.where(t < 0, 1 - self._at_least(abs(t)), self.tail(abs(t)) / 2)[()]

    def at_least(self, t: ArrayLike) -> Array:
        """Return Pr(noise ≥ t), t in [−1e300, 1e300]: more than `upper` where the noise takes the value t."""
        t = number("t", t, "[-1e300, 1e300]")
        return np.where(t > 0, self._at_least(abs(t)), 1 - self.tail(abs(t)) / 2)[()]

    def _at_least(self, t: Array) -> Array:
        """Pr(noise ≥ t) for t > 0, to which the whole number below t belongs too if the noise is whole."""
        return self.tail(np.maximum(np.ceil(t) - 1, 0) if self.whole else t) / 2

    @property
    def variance(self) -> float:
        """E noise², in squared query units; infinite where a double can't hold that of Gaussian noise."""
        if self.family == "gaussian":
            with np.errstate(over="ignore"):
                return float(np.square(np.float64(self.scale)))
        return float(self._of_noise("variance"))

    @property
    def deviation(self) -> float:
        """The standard deviation √E noise², in query units."""
        if self.family == "generalized_gaussian" and not np.isnan(self.scale):
            return float(size("deviation", *self.parameters))  # finite where the variance is beyond a double
        return float(np.sqrt(self.variance))

    @property
    def mean_absolute_error(self) -> float:
        """E|noise|, in query units."""
        return float(self._of_noise("mean_absolute_error"))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Array:
        """Return draws, for pictures and trials: a release needs a sampler that floating point can't betray."""
        return _FAMILIES[self.family].sample(rng, *self.parameters, size=size)

    def _of_noise(self, function: str, *first: ArrayLike) -> Array:
        """What a function of the family's module says of this noise."""
        if np.isnan(self.scale):
            return np.full(np.shape(first[0]) if first else (), np.nan)[()]
        if self.family == "generalized_gaussian" and function in _SIZES:
            return size(_SIZES[function], *self.parameters, *first)
        return getattr(_FAMILIES[self.family], function)(*first, *self.parameters)


@lru_cache(2048)  # the discrete Gaussian's takes milliseconds, and pictures, tables and words all need it
def _half_width(mechanism: Mechanism, significance: float, n_cells: int) -> float:
    return float(mechanism._of_noise("half_width", each_significance(significance, n_cells)))


def calibrated(calibration: Calibration, epsilon: float, delta: float, *noise: float) -> Mechanism:
    """Return the mechanism of a calibration at (ε, δ).

    Parameters
    ----------
    calibration : one of `dpcore.calibrations`.
    epsilon : in [0, 1e6].
    delta : in [0, 1); not used where the guarantee is ε-DP.
    *noise : the sensitivity in [1e-100, 1e100], 1 if it is left out, a whole number in [1, 1e15] for geometric noise;
        for generalized Gaussian noise its shape p in [1, 100] before it.

    Returns
    -------
    Its scale is NaN where the formula has no answer, and where the noise is outside what a double can hold; the status
    is then `UNDEFINED`, or `SILENT` for a lower bound.

    Examples
    --------
    >>> from dpcore.calibrations import CLASSICAL
    >>> mechanism = calibrated(CLASSICAL, 10, 1e-5)
    >>> print(f"σ = {mechanism.scale:.4f}, ±{mechanism.half_width(0.05):.3f}: {mechanism.status}")
    σ = 0.4845, ±0.950: fails
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, PURE_DELTA_RANGE)
    p, sensitivity = _shape_and_sensitivity(calibration, noise)
    none = _mechanism(calibration, epsilon, delta, (*p, sensitivity), np.nan, UNDEFINED, np.nan)
    if epsilon < calibration.least_epsilon:
        return none
    if calibration.family == "truncated_geometric" and not _has_bound(epsilon, delta, sensitivity):
        return none
    verdict = calibration.verdict(epsilon, delta, *p, *_unproportional(calibration, sensitivity))
    try:
        scale = float(calibration.scale(epsilon, delta, *p, sensitivity)) if verdict.scale > 0 else np.nan
        mechanism = _mechanism(
            calibration, epsilon, delta, (*p, sensitivity), scale, str(verdict.status), float(verdict.true_delta)
        )
        mechanism.tail(0.0)  # refuses a scale beyond what the functions of the family take
    except ValueError:
        return none
    return mechanism


def calibrated_shapes(
    calibration: Calibration, epsilon: float, delta: float, shapes: Sequence[float], sensitivity: float = 1.0
) -> tuple[Mechanism, ...]:
    """Return the mechanisms of generalized Gaussian noise of several shapes, solved in one call.

    Parameters
    ----------
    calibration : one of `dpcore.calibrations.GENERALIZED_GAUSSIAN`.
    epsilon : in [0, 1e6], and not below `calibration.least_epsilon`.
    delta : in [1e-300, 1).
    shapes : p, each in [1, 100].
    sensitivity : in [1e-100, 1e100], in query units.

    Examples
    --------
    >>> from dpcore.calibrations import GENERALIZED_ADP
    >>> for mechanism in calibrated_shapes(GENERALIZED_ADP, 1, 1e-6, [1, 2]):
    ...     print(f"b = {mechanism.scale:.4f}, deviation {mechanism.deviation:.4f}, ±{mechanism.half_width(0.05):.3f}")
    b = 1.0000, deviation 1.4142, ±2.996
    b = 5.9746, deviation 4.2247, ±8.280
    """
    epsilon, delta = scalar("epsilon", epsilon, calibration.domain), scalar("delta", delta, PURE_DELTA_RANGE)
    p, sensitivity = number("p", shapes, SHAPE_RANGE), scalar("sensitivity", sensitivity, SENSITIVITY_RANGE)
    verdict = calibration.verdict(epsilon, delta, p)
    rows = zip(p, calibration.scale(epsilon, delta, p, sensitivity), verdict.status, verdict.true_delta, strict=True)
    return tuple(
        _mechanism(calibration, epsilon, delta, (float(p), sensitivity), float(b), str(word), float(true))
        for p, b, word, true in rows
    )


def proved(
    calibration: Calibration, epsilon: float, delta: float, scale: float, parameters: tuple[float, ...]
) -> Mechanism:
    """Return a mechanism whose scale was solved for elsewhere, and whose guarantee the calibration's theorem proves.

    Parameters
    ----------
    calibration : of `dpcore.calibrations`; the mechanism has its name, and its family for a key.
    epsilon, delta : of the guarantee, ε in nats.
    scale : in query units.
    parameters : the arguments with which the functions of the family describe the noise.

    Examples
    --------
    >>> from dpcore.calibrations import DISCRETE_GAUSSIAN
    >>> mechanism = proved(DISCRETE_GAUSSIAN, 1.0, 1e-6, 4.2308, (4.2308,))
    >>> mechanism.key, mechanism.half_width(0.05)
    ('discrete_gaussian', 8.0)
    """
    return Mechanism(
        key=calibration.family,
        name=calibration.name,
        family=calibration.family,
        parameters=parameters,
        scale=scale,
        guarantee=calibration.promise,
        epsilon=epsilon,
        delta=delta,
        theorem=calibration.theorem,
        status=PROVED,
        true_delta=delta,
    )


def of_scale(calibration: Calibration, delta: float, scale: float, *noise: float) -> Mechanism:
    """Return the mechanism of a scale, with the ε at which a calibration asks for this scale at δ.

    Parameters
    ----------
    calibration : one of `dpcore.calibrations` whose formula is solved for ε.
    delta : in [0, 1); not used where the guarantee is ε-DP.
    scale : σ, b or s, in query units, in the domain of the calibration's formula.
    *noise : as in `calibrated`.

    Returns
    -------
    Its status and true δ are those of `Calibration.verdict` at that ε: "undefined" and NaN above 1e6, and as at
    `least_epsilon` below that.

    Examples
    --------
    >>> from dpcore.calibrations import ANALYTIC
    >>> mechanism = of_scale(ANALYTIC, 1e-6, 1.4142)
    >>> print(f"ε = {mechanism.epsilon:.3f}, {mechanism.status}")
    ε = 3.308, proved
    """
    delta, scale = scalar("delta", delta, PURE_DELTA_RANGE), scalar("scale", scale, "(0, inf)")
    p, sensitivity = _shape_and_sensitivity(calibration, noise)
    epsilon = float(calibration.epsilon(delta, scale, *p, sensitivity))
    verdict = calibration.verdict(max(epsilon, calibration.least_epsilon), delta, *p)
    return _mechanism(
        calibration, epsilon, delta, (*p, sensitivity), scale, str(verdict.status), float(verdict.true_delta)
    )


def of_half_width(
    calibration: Calibration, half_width: float, significance: float, delta: float, sensitivity: float = 1.0
) -> Mechanism:
    """Return the mechanism of the least ε at which a share 1 − α of releases stays within a wanted half-width.

    Parameters
    ----------
    calibration : one of `dpcore.accuracy.RULES`.
    half_width : a in [1e-100, 1e100], in query units.
    significance : α in [1e-300, 1).
    delta : in [0, 1); not used where the guarantee is ε-DP.
    sensitivity : in [1e-100, 1e100], a whole number in [1, 1e15] for geometric noise.

    Returns
    -------
    Its half-width is at most the wanted one, but for `GEOMETRIC_PUBLISHED`, whose formula falls short of some. Its ε is
    NaN where a double can't hold it; above 1e6 there is no mechanism and the scale is NaN; below `least_epsilon` the
    mechanism is that of `least_epsilon`.

    Examples
    --------
    >>> from dpcore.calibrations import CLASSICAL
    >>> mechanism = of_half_width(CLASSICAL, 0.5, 0.05, 1e-6)
    >>> print(f"ε = {mechanism.epsilon:.2f}, ±{mechanism.half_width(0.05):.3f}: {mechanism.status}")
    ε = 20.77, ±0.500: fails
    """
    option("calibration", calibration.key, tuple(rule.key for rule in RULES))
    half_width = scalar("half_width", half_width, ACCURACY_RANGE)
    significance = scalar("significance", significance, SIGNIFICANCE_RANGE)
    delta = scalar("delta", delta, PURE_DELTA_RANGE)
    _, sensitivity = _shape_and_sensitivity(calibration, (sensitivity,))
    aim = min(half_width, _MOST_STEPS) if calibration is GEOMETRIC else half_width
    try:
        epsilon = float(epsilon_for(calibration, aim, significance, sensitivity, delta))
    except ValueError:
        epsilon = np.nan
    if not epsilon <= interval_bounds(EPSILON_RANGE)[1]:
        return _mechanism(calibration, epsilon, delta, (sensitivity,), np.nan, UNDEFINED, np.nan)
    return replace(
        calibrated(calibration, max(epsilon, calibration.least_epsilon), delta, sensitivity), epsilon=epsilon
    )


def _has_bound(epsilon: float, delta: float, sensitivity: float) -> bool:
    """Whether truncated geometric noise of (ε, δ)-DP has a bound of whole numbers that are summed."""
    most = interval_bounds(truncated_geometric.TRUNCATION_RANGE)[1]
    delta = scalar("delta", delta, DELTA_RANGE)
    return sensitivity < most and float(truncated_laplace.bound_from_epsilon(epsilon, delta, sensitivity)) < most - 1


def _unproportional(calibration: Calibration, sensitivity: float) -> tuple[float, ...]:
    """The sensitivity where the true δ depends on it beside the scale over it, else nothing."""
    return (sensitivity,) if calibration.family == "truncated_geometric" else ()


def _shape_and_sensitivity(calibration: Calibration, noise: tuple[float, ...]) -> tuple[tuple[float, ...], float]:
    """The shape p, where the family has one, and the sensitivity."""
    n_shapes = int(calibration.norm == "lp")
    (sensitivity,) = noise[n_shapes:] or (1.0,)
    if calibration.whole:
        sensitivity = scalar_integer("sensitivity", sensitivity, geometric.SENSITIVITY_RANGE)
    return tuple(scalar("p", p, SHAPE_RANGE) for p in noise[:n_shapes]), scalar(
        "sensitivity", sensitivity, SENSITIVITY_RANGE
    )


def _mechanism(
    calibration: Calibration,
    epsilon: float,
    delta: float,
    noise: tuple[float, ...],
    scale: float,
    status: str,
    true_delta: float,
) -> Mechanism:
    parameters: tuple[float, ...] = (scale,)
    if calibration.family == "staircase":
        gamma_of = staircase.mean_error_gamma if calibration.key == STAIRCASE_MEAN.key else staircase.variance_gamma
        parameters = (epsilon, float(gamma_of(max(epsilon, calibration.least_epsilon))), noise[-1])
    elif calibration.family == "generalized_gaussian":
        parameters = (scale, noise[0])
    elif calibration.family in _TRUNCATED and not np.isnan(scale):
        parameters = (scale, float(_FAMILIES[calibration.family].scale_from_epsilon(epsilon, noise[-1])))
    return Mechanism(
        key=calibration.key,
        name=calibration.name,
        family=calibration.family,
        parameters=parameters,
        scale=scale,
        guarantee=calibration.promise,
        epsilon=epsilon,
        delta=0.0 if calibration.promise == PURE_DP else delta,
        theorem=calibration.theorem,
        status=status,
        true_delta=true_delta,
    )
