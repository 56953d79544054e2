"""The ways to choose noise: for each its formula, what it promises, the theorem behind it, and whether that holds.

Everything that is shown of a promise comes from here: `Calibration.verdict` alone decides whether a promise is proved,
kept without a proof, or broken. ε is in nats, δ a probability, scales and sensitivities in query units.
Arguments broadcast. Scales are rounded up (`LOWER` down), the ε and δ of a scale too.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530. [DR14] Dwork & Roth 2014. [GA20] Gaussian Mechanism Accuracy, 2020.
[GE20] Geometric Mechanism Accuracy, 2020. [GV16] Geng & Viswanath 2016. [Liu19] F. Liu, IEEE TKDE 31(4), 2019.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import discrete_gaussian, gaussian, geometric, laplace, staircase, truncated_geometric, truncated_laplace
from dpcore import generalized_gaussian as generalized
from dpcore.checks import (
    EPSILON_RANGE,
    POSITIVE_EPSILON_RANGE,
    PURE_DELTA_RANGE,
    SENSITIVITY_RANGE,
    Array,
    inside,
    interval_bounds,
    number,
)
from dpcore.roots import bisect, positive_mean

__all__ = [
    "ANALYTIC",
    "CALIBRATIONS",
    "CLASSICAL",
    "CLASSICAL_TIGHT",
    "DISCRETE_GAUSSIAN",
    "DP",
    "EXACT_PDP",
    "FAILS",
    "FLOOR",
    "GAUSSIAN",
    "GENERALIZED_ADP",
    "GENERALIZED_DISJOINT",
    "GENERALIZED_EXACT_PDP",
    "GENERALIZED_GAUSSIAN",
    "GEOMETRIC",
    "GEOMETRIC_PUBLISHED",
    "LAPLACE",
    "LOWER",
    "PDP",
    "PROBABILISTIC_DP",
    "PROVED",
    "PURE",
    "PURE_DP",
    "SILENT",
    "STAIRCASE",
    "STAIRCASE_MEAN",
    "TRUNCATED_GEOMETRIC",
    "TRUNCATED_LAPLACE",
    "UNDEFINED",
    "WITHIN",
    "Calibration",
    "Verdict",
    "verdicts",
]

PROVED, WITHIN, FAILS, FLOOR, SILENT, UNDEFINED = "proved", "within target", "fails", "floor", "silent", "undefined"
DP, PROBABILISTIC_DP, PURE_DP = "(ε, δ)-DP", "(ε, δ)-pDP", "ε-DP"
_EVERY_POSITIVE = "(0, 1e6]"


@dataclass(frozen=True)
class Verdict:
    """Whether a calibration's guarantee holds along (ε, δ): arrays of the arguments' common shape.

    A `dpcore.mechanism.Mechanism` has the verdict of one setting.

    Attributes
    ----------
    status : `PROVED`; `WITHIN` or `FAILS` outside the theorem, by the true δ; `FLOOR` or, where δ is too large for it,
        `SILENT` for a lower bound; `UNDEFINED` where the formula has no answer.
    true_delta : the δ of (ε, δ)-DP that the formula's scale really gives at ε.
    scale : what the formula asks for. Both are NaN where the status is `SILENT` or `UNDEFINED`.
    """

    status: NDArray[np.str_]
    true_delta: Array
    scale: Array


@dataclass(frozen=True)
class Calibration:
    """A way to choose the scale of noise from (ε, δ).

    Attributes
    ----------
    key : unique within its family; links and colours go by it.
    name : for every page.
    family : "gaussian", "laplace", "geometric", "staircase", "generalized_gaussian", "truncated_laplace",
        "truncated_geometric" or "discrete_gaussian".
    promise : "(ε, δ)-DP", "(ε, δ)-pDP" or "ε-DP".
    theorem : the theorem with its number and source, as printed.
    domain : the ε at which the formula has an answer, an interval that `dpcore.checks` reads.
    proved : the ε at which the theorem holds, likewise.
    norm : of the sensitivity: "l1", "l2" or "lp".
    scale : function of (epsilon, delta, sensitivity): σ, b of Laplace noise, s = Δ₁/ε of geometric and staircase noise,
        or the bound A or N of truncated noise, whose b or s is Δ/ε. Where the promise is ε-DP it takes any δ and does
        not use it.
    epsilon : function of (delta, scale, sensitivity): the ε at which the formula asks for this scale.
    delta : function of (epsilon, scale, sensitivity): the δ at which it does.
    true_delta : function of (epsilon, scale, sensitivity): the least δ of (ε, δ)-DP of this noise.
    whole : whether it is for whole-numbered queries only.
    floor : whether it is a bound from below, which no release may use.

    Those of generalized Gaussian noise take the shape p before the sensitivity. A formula that is not solved for ε or δ
    refuses by `ValueError`.
    """

    key: str
    name: str
    family: str
    promise: str
    theorem: str
    domain: str
    proved: str
    norm: str
    scale: Callable[..., Array]
    epsilon: Callable[..., Array]
    delta: Callable[..., Array]
    true_delta: Callable[..., Array]
    whole: bool = False
    floor: bool = False

    @property
    def least_epsilon(self) -> float:
        """The least ε at which the formula has an answer."""
        return interval_bounds(self.domain)[0]

    def verdict(self, epsilon: ArrayLike, delta: ArrayLike, *noise: ArrayLike) -> Verdict:
        """Whether the scale that the formula asks for at (ε, δ) keeps (ε, δ)-DP, and how that is known.

        A proved calibration's true δ is never given above the target, which its theorem guarantees; the target of ε-DP
        is 0, whatever `delta`.

        Parameters
        ----------
        epsilon : in [0, inf]; outside `domain` the answer is `UNDEFINED`.
        delta : in [1e-300, 1), or [0, 1) where the promise is ε-DP.
        *noise : the sensitivity, 1 if it is left out; for generalized Gaussian noise p before it.

        Examples
        --------
        >>> found = CLASSICAL.verdict([0.5, 2, 10], 1e-5)
        >>> found.status.tolist()
        ['proved', 'within target', 'fails']
        >>> [f"{delta:.2g}" for delta in found.true_delta]
        ['1.6e-08', '1.3e-07', '2.3e-05']
        """
        return verdicts((self,), epsilon, delta, *noise)[0]


def verdicts(
    calibrations: Sequence[Calibration], epsilon: ArrayLike, delta: ArrayLike, *noise: ArrayLike
) -> list[Verdict]:
    """The `Calibration.verdict` of each of several calibrations that have their true δ by one function, in one call.

    Examples
    --------
    >>> [str(found.status) for found in verdicts((ANALYTIC, CLASSICAL), 2, 1e-5)]
    ['proved', 'within target']
    """
    epsilon = number("epsilon", epsilon, "[0, inf]")
    delta = number("delta", delta, PURE_DELTA_RANGE)
    answers = [inside(epsilon, calibration.domain) for calibration in calibrations]
    asked_at = [np.where(answer, epsilon, 1.0) for answer in answers]
    scales = np.array(
        [calibration.scale(at, delta, *noise) for calibration, at in zip(calibrations, asked_at, strict=True)]
    )
    at = np.array([np.broadcast_to(calibration, scales.shape[1:]) for calibration in asked_at])
    true = calibrations[0].true_delta(at, np.where(scales > 0, scales, 1.0), *noise)
    rows = zip(calibrations, answers, scales, true, strict=True)
    return [_verdict(calibration, epsilon, delta, answer, scale, gives) for calibration, answer, scale, gives in rows]


def _verdict(
    calibration: Calibration, epsilon: Array, delta: Array, answers: NDArray[np.bool_], scale: Array, true: Array
) -> Verdict:
    says, proved = scale > 0, inside(epsilon, calibration.proved)
    target = 0.0 if calibration.promise == PURE_DP else delta
    if calibration.floor:
        word = np.where(says, FLOOR, SILENT)
    else:
        word = np.where(proved, PROVED, np.where(true <= target, WITHIN, FAILS))
        true = np.where(proved, np.minimum(true, target), true)
    known = answers & says
    return Verdict(
        np.where(answers, word, UNDEFINED), np.where(known, true, np.nan)[()], np.where(known, scale, np.nan)[()]
    )


def _unsolved(*_: ArrayLike) -> Array:
    raise ValueError("calibration must be in those whose formula is solved for this quantity, got another")


def _laplace_scale(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return laplace.scale_from_epsilon(epsilon, _no_delta(delta), sensitivity)


def _laplace_epsilon(delta: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return laplace.epsilon_from_scale(_no_delta(delta), scale, sensitivity)


def _geometric_scale(epsilon: ArrayLike, delta: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return geometric.scale_from_epsilon(epsilon, _no_delta(delta), sensitivity)


def _geometric_epsilon(delta: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    return geometric.epsilon_from_scale(_no_delta(delta), scale, sensitivity)


def _no_delta(delta: ArrayLike) -> Array:
    """δ = 0 in the shape of the δ that pure ε-DP does not use."""
    return np.zeros_like(number("delta", delta, PURE_DELTA_RANGE))


def _staircase_delta(
    gamma_of: Callable[[ArrayLike], Array], epsilon: ArrayLike, scale: ArrayLike, sensitivity: ArrayLike = 1.0
) -> Array:
    """The true δ of staircase noise of s = Δ/θ."""
    theta = number("sensitivity", sensitivity, SENSITIVITY_RANGE) / number("scale", scale, laplace.SCALE_RANGE)
    theta = np.maximum(theta, 1e-12)  # a scale that was rounded up may have a θ just below those of `staircase`
    return staircase.delta_from_theta(epsilon, theta, gamma_of(theta))


def _generalized_delta(epsilon: ArrayLike, scale: ArrayLike, p: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """The true δ; an upper bound of it where Δ/b is outside the range for which the profile is computed."""
    ratio = number("sensitivity", sensitivity, "(0, inf)") / number("scale", scale, "(0, inf)")
    delta = generalized.delta_from_scale(epsilon, 1 / np.clip(ratio, 2e-12, 9e5), p)
    return np.where(ratio > 9e5, 1.0, delta)[()]


def _bound_epsilon(delta: ArrayLike, bound: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """The least ε at which truncated Laplace noise of (ε, δ)-DP has at most this bound; ∞ where none up to 1e6 has."""
    delta, bound = number("delta", delta, PURE_DELTA_RANGE), number("bound", bound, "(0, inf)")
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    low, high, *_ = np.broadcast_arrays(0.0, 1e6, delta, bound, sensitivity)

    def is_enough(epsilon: Array) -> NDArray[np.bool_]:
        return truncated_laplace.bound_from_epsilon(epsilon, delta, sensitivity) <= bound

    found = bisect(is_enough, low, high, 120, positive_mean)[1]
    return np.where(is_enough(low), 0.0, np.where(is_enough(high), found, np.inf))[()]


def _bound_delta(family: ModuleType, epsilon: ArrayLike, bound: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """The δ of truncated noise that is calibrated at ε."""
    return family.delta_from_bound(epsilon, bound, family.scale_from_epsilon(epsilon, sensitivity), sensitivity)


ANALYTIC = Calibration(
    key="analytic",
    name="Analytic Gaussian",
    family="gaussian",
    promise=DP,
    theorem="Balle & Wang 2018, Theorem 8",
    domain=EPSILON_RANGE,
    proved=EPSILON_RANGE,
    norm="l2",
    scale=gaussian.analytic_sigma,
    epsilon=gaussian.epsilon_from_sigma,
    delta=gaussian.delta_from_sigma,
    true_delta=gaussian.delta_from_sigma,
)
CLASSICAL = Calibration(
    key="classical",
    name="Classical Gaussian",
    family="gaussian",
    promise=DP,
    theorem="Dwork & Roth 2014, Theorem A.1; Liu 2019, Eq. 18",
    domain=POSITIVE_EPSILON_RANGE,
    proved="(0, 1)",
    norm="l2",
    scale=gaussian.classical_sigma,
    epsilon=gaussian.classical_epsilon,
    delta=gaussian.classical_delta,
    true_delta=gaussian.delta_from_sigma,
)
CLASSICAL_TIGHT = replace(
    CLASSICAL,
    key="classical_tight",
    name="Classical Gaussian, tight constant",
    theorem="Gaussian Mechanism Accuracy 2020, from Dwork & Roth 2014, p. 264",
    scale=gaussian.classical_tight_sigma,
    epsilon=gaussian.classical_tight_epsilon,
    delta=_unsolved,
)
PDP = Calibration(
    key="pdp",
    name="pDP Gaussian",
    family="gaussian",
    promise=PROBABILISTIC_DP,
    theorem="Liu 2019, Proposition 11, Eq. 17",
    domain=POSITIVE_EPSILON_RANGE,
    proved=_EVERY_POSITIVE,
    norm="l2",
    scale=gaussian.pdp_sigma,
    epsilon=gaussian.pdp_epsilon,
    delta=gaussian.pdp_delta,
    true_delta=gaussian.delta_from_sigma,
)
EXACT_PDP = replace(
    PDP,
    key="exact_pdp",
    name="Exact pDP Gaussian",
    theorem="definition of pDP, solved for σ",
    scale=gaussian.exact_pdp_sigma,
    epsilon=_unsolved,
    delta=gaussian.pdp_delta_from_sigma,
)
LOWER = replace(
    ANALYTIC,
    key="lower",
    name="Lower bound",
    theorem="Balle & Wang 2018, Theorem 4, with its condition on δ corrected",
    domain=POSITIVE_EPSILON_RANGE,
    proved=_EVERY_POSITIVE,
    scale=gaussian.lower_bound_sigma,
    epsilon=_unsolved,
    delta=_unsolved,
    floor=True,
)
DISCRETE_GAUSSIAN = replace(  # its σ is not in proportion to the sensitivity, so it stands in no tuple of this module
    ANALYTIC,
    key="discrete_gaussian",
    name="Discrete Gaussian",
    family="discrete_gaussian",
    theorem="exact profile of Canonne, Kamath & Steinke 2020, solved for σ",
    scale=discrete_gaussian.sigma_from_delta,
    epsilon=discrete_gaussian.epsilon_from_sigma,
    delta=discrete_gaussian.delta_from_sigma,
    true_delta=discrete_gaussian.delta_from_sigma,
    whole=True,
)
GAUSSIAN = (ANALYTIC, CLASSICAL, CLASSICAL_TIGHT, PDP, EXACT_PDP, LOWER)

LAPLACE = Calibration(
    key="laplace",
    name="Laplace",
    family="laplace",
    promise=PURE_DP,
    theorem="Dwork & Roth 2014, Theorem 3.6",
    domain=POSITIVE_EPSILON_RANGE,
    proved=_EVERY_POSITIVE,
    norm="l1",
    scale=_laplace_scale,
    epsilon=_laplace_epsilon,
    delta=_unsolved,
    true_delta=laplace.delta_from_scale,
)
STAIRCASE = replace(
    LAPLACE,
    key="staircase",
    name="Staircase, least variance",
    family="staircase",
    theorem="Geng & Viswanath 2016",
    true_delta=partial(_staircase_delta, staircase.variance_gamma),
)
STAIRCASE_MEAN = replace(
    STAIRCASE,
    key="staircase_mean",
    name="Staircase, least mean error",
    true_delta=partial(_staircase_delta, staircase.mean_error_gamma),
)
GEOMETRIC = replace(
    LAPLACE,
    key="geometric",
    name="Geometric, exact",
    family="geometric",
    theorem="Ghosh, Roughgarden & Sundararajan 2012",
    scale=_geometric_scale,
    epsilon=_geometric_epsilon,
    true_delta=geometric.delta_from_scale,
    whole=True,
)
GEOMETRIC_PUBLISHED = replace(
    GEOMETRIC,
    key="geometric_published",
    name="Geometric, as published",
    theorem="Geometric Mechanism Accuracy 2020, Theorem 1 and §0.1",
)
PURE = (LAPLACE, STAIRCASE, STAIRCASE_MEAN, GEOMETRIC, GEOMETRIC_PUBLISHED)

GENERALIZED_ADP = Calibration(
    key="adp",
    name="(ε, δ)-DP",
    family="generalized_gaussian",
    promise=DP,
    theorem="definition of (ε, δ)-DP, solved for b",
    domain=EPSILON_RANGE,
    proved=EPSILON_RANGE,
    norm="lp",
    scale=generalized.adp_scale,
    epsilon=generalized.epsilon_from_scale,
    delta=generalized.delta_from_scale,
    true_delta=_generalized_delta,
)
GENERALIZED_EXACT_PDP = replace(
    GENERALIZED_ADP,
    key="exact_pdp",
    name="Exact pDP",
    promise=PROBABILISTIC_DP,
    theorem="definition of pDP, solved for b",
    domain=POSITIVE_EPSILON_RANGE,
    proved=_EVERY_POSITIVE,
    scale=generalized.exact_pdp_scale,
    epsilon=_unsolved,
    delta=generalized.pdp_delta_from_scale,
)
GENERALIZED_DISJOINT = replace(
    GENERALIZED_EXACT_PDP,
    key="disjoint",
    name="Corollary 9",
    theorem="Liu 2019, Corollary 9",
    scale=generalized.pdp_scale_disjoint,
    delta=_unsolved,
)
GENERALIZED_GAUSSIAN = (GENERALIZED_ADP, GENERALIZED_EXACT_PDP, GENERALIZED_DISJOINT)

TRUNCATED_LAPLACE = Calibration(
    key="truncated_laplace",
    name="Truncated Laplace",
    family="truncated_laplace",
    promise=DP,
    theorem="Geng, Ding, Guo & Kumar 2020, Theorem 1",
    domain=EPSILON_RANGE,
    proved=EPSILON_RANGE,
    norm="l1",
    scale=truncated_laplace.bound_from_epsilon,
    epsilon=_bound_epsilon,
    delta=partial(_bound_delta, truncated_laplace),
    true_delta=partial(_bound_delta, truncated_laplace),
)
TRUNCATED_GEOMETRIC = replace(  # its N is not in proportion to the sensitivity, so it stands in no tuple of this module
    TRUNCATED_LAPLACE,
    key="truncated_geometric",
    name="Truncated geometric",
    family="truncated_geometric",
    theorem="definition of (ε, δ)-DP, a sum over whole numbers",
    scale=truncated_geometric.bound_from_epsilon,
    epsilon=_unsolved,
    delta=partial(_bound_delta, truncated_geometric),
    true_delta=partial(_bound_delta, truncated_geometric),
    whole=True,
)

CALIBRATIONS = (*GAUSSIAN, *PURE, *GENERALIZED_GAUSSIAN, TRUNCATED_LAPLACE)
