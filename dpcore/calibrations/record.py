"""The record of a calibration, and the verdict on what it guarantees."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import PURE_DELTA_RANGE, Array, PlainRecord, inside, interval_bounds, number

PROVED, WITHIN, FAILS, FLOOR, SILENT, UNDEFINED = "proved", "within target", "fails", "floor", "silent", "undefined"


DP, PROBABILISTIC_DP, PURE_DP = "(ε, δ)-DP", "(ε, δ)-pDP", "ε-DP"


EVERY_POSITIVE = "(0, 1e6]"


@dataclass(frozen=True)
class Verdict(PlainRecord):
    """Whether a calibration's guarantee holds along (ε, δ): arrays of the arguments' common shape.

    A `dpcore.mechanism.Mechanism` has the verdict of one setting.

    Attributes
    ----------
    status : `PROVED`; `WITHIN` or `FAILS` outside the theorem, by the true δ; `FLOOR` or, where δ is too large for it,
        `SILENT` for a lower bound; `UNDEFINED` where the formula has no answer.
    true_delta : the δ of (ε, δ)-DP that the formula's scale really gives at ε.
    scale : the scale that the formula requires. Both are NaN where the status is `SILENT` or `UNDEFINED`.
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
    guarantee : "(ε, δ)-DP", "(ε, δ)-pDP" or "ε-DP".
    theorem : the theorem with its number and source, as printed.
    domain : the ε at which the formula has an answer, an interval that `dpcore.checks` reads.
    proved : the ε at which the theorem holds, likewise.
    norm : of the sensitivity: "l1", "l2" or "lp".
    scale : function of (epsilon, delta, sensitivity): σ, b of Laplace noise, s = Δ₁/ε of geometric and staircase noise,
        or the bound A or N of truncated noise, whose b or s is Δ/ε. Where the guarantee is ε-DP it takes any δ and does
        not use it.
    epsilon : function of (delta, scale, sensitivity): the ε at which the formula requires this scale.
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
    guarantee: str
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
        """Return whether the scale of the formula at (ε, δ) satisfies (ε, δ)-DP, and how that is known.

        A proved calibration's true δ is never given above the target, which its theorem guarantees; the target of ε-DP
        is 0, whatever `delta`.

        Parameters
        ----------
        epsilon : in [0, inf]; outside `domain` the answer is `UNDEFINED`.
        delta : in [1e-300, 1), or [0, 1) where the guarantee is ε-DP.
        *noise : the sensitivity, 1 if it is left out; for generalized Gaussian noise p before it.

        Examples
        --------
        >>> from dpcore.calibrations import CLASSICAL
        >>> verdict = CLASSICAL.verdict([0.5, 2, 10], 1e-5)
        >>> verdict.status.tolist()
        ['proved', 'within target', 'fails']
        >>> [f"{delta:.2g}" for delta in verdict.true_delta]
        ['1.6e-08', '1.3e-07', '2.3e-05']
        """
        return verdicts((self,), epsilon, delta, *noise)[0]


def verdicts(
    calibrations: Sequence[Calibration], epsilon: ArrayLike, delta: ArrayLike, *noise: ArrayLike
) -> list[Verdict]:
    """Return the `Calibration.verdict` of several calibrations that have their true δ by one function, in one call.

    Examples
    --------
    >>> from dpcore.calibrations import ANALYTIC, CLASSICAL
    >>> [str(verdict.status) for verdict in verdicts((ANALYTIC, CLASSICAL), 2, 1e-5)]
    ['proved', 'within target']
    """
    epsilon = number("epsilon", epsilon, "[0, inf]")
    delta = number("delta", delta, PURE_DELTA_RANGE)
    in_domain = [inside(epsilon, calibration.domain) for calibration in calibrations]
    known = [np.where(has_answer, epsilon, 1.0) for has_answer in in_domain]  # ε, or any where there is no answer
    scales = np.array([rule.scale(own, delta, *noise) for rule, own in zip(calibrations, known, strict=True)])
    epsilons = np.array([np.broadcast_to(own, scales.shape[1:]) for own in known])
    true_deltas = calibrations[0].true_delta(epsilons, np.where(scales > 0, scales, 1.0), *noise)
    rows = zip(calibrations, in_domain, scales, true_deltas, strict=True)
    return [_verdict(rule, epsilon, delta, has_answer, scale, true) for rule, has_answer, scale, true in rows]


def _verdict(
    calibration: Calibration, epsilon: Array, delta: Array, answers: NDArray[np.bool_], scale: Array, true: Array
) -> Verdict:
    says, proved = scale > 0, inside(epsilon, calibration.proved)
    target = 0.0 if calibration.guarantee == PURE_DP else delta
    if calibration.floor:
        word = np.where(says, FLOOR, SILENT)
    else:
        word = np.where(proved, PROVED, np.where(true <= target, WITHIN, FAILS))
        true = np.where(proved, np.minimum(true, target), true)
    known = answers & says
    return Verdict(
        np.where(answers, word, UNDEFINED), np.where(known, true, np.nan)[()], np.where(known, scale, np.nan)[()]
    )


def unsolved(*_: ArrayLike) -> Array:
    """Refuse: the formula of this calibration is not solved for this quantity."""
    raise ValueError("calibration must be in those whose formula is solved for this quantity, got another")
