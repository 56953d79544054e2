"""The Gaussian bounds side by side: the σ that each requires, where its theorem holds, and its true guarantee.

Rows are records, frames are curves: tidy, one row a bound and setting. ε is in nats, σ in query units.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import root_scalar

from dpcore import gaussian
from dpcore.calibrations import ANALYTIC, CLASSICAL, GAUSSIAN, PDP, PROVED, Calibration, verdicts
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, SENSITIVITY_RANGE, SIGNIFICANCE_RANGE, number, scalar
from dpcore.mechanism import Mechanism, calibrated_by_each

__all__ = [
    "BOUNDS",
    "BoundRow",
    "against",
    "classical_limit",
    "pdp_share",
    "profiles",
    "rows",
    "table",
]

BOUNDS = GAUSSIAN
_CURVE_COLUMNS = ("bound", "epsilon", "delta", "sigma", "ratio", "true_delta", "status")


def against(epsilon: ArrayLike, delta: ArrayLike, l2_sensitivity: float = 1.0) -> pd.DataFrame:
    """Return every bound at every (ε, δ), for curves.

    Parameters
    ----------
    epsilon : 0, or in [1e-12, 1e6]; broadcast against `delta`.
    delta : in [1e-300, 1).
    l2_sensitivity : Δ₂ > 0, in query units.

    Returns
    -------
    Columns `bound` (key), `epsilon`, `delta`, `sigma`, `ratio` (σ over the analytic σ), `true_delta` (the δ of
    (ε, δ)-DP that σ really gives at ε) and `status`, that of `Calibration.verdict`. Rows where a bound is undefined
    (ε = 0) or silent (lower bound, large δ) are left out.

    Examples
    --------
    >>> frame = against([1, 10], 1e-5)
    >>> frame[frame["bound"] == "classical"]["status"].tolist()
    ['within target', 'fails']
    """
    l2_sensitivity = scalar("l2_sensitivity", l2_sensitivity, "(0, inf)")
    both = np.broadcast_arrays(number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE))
    epsilon, delta = (part.ravel() for part in both)
    bound_verdicts = verdicts(BOUNDS, epsilon, delta, l2_sensitivity)
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in _CURVE_COLUMNS}
    for bound, verdict in zip(BOUNDS, bound_verdicts, strict=True):
        has_scale = ~np.isnan(verdict.scale)
        key = np.full(epsilon.shape, bound.key, dtype=object)
        ratio = verdict.scale / bound_verdicts[0].scale
        columns = (key, epsilon, delta, verdict.scale, ratio, verdict.true_delta, verdict.status)
        for name, part in zip(_CURVE_COLUMNS, columns, strict=True):
            parts[name].append(part[has_scale])
    return pd.DataFrame({name: np.concatenate(part) for name, part in parts.items()})


@dataclass(frozen=True)
class BoundRow:
    """A row of the table of bounds: the mechanism of one bound at one setting, with what the table derives from it.

    Numbers are NaN where the bound has no answer.

    Attributes
    ----------
    calibration : the bound, one of `BOUNDS`.
    mechanism : the noise that it requires, and whether that satisfies the guarantee.
    accuracy : the half-width at the significance level.
    true_epsilon : the least ε of (ε, δ)-DP at δ.
    mu : Δ₂/σ.
    """

    calibration: Calibration
    mechanism: Mechanism
    accuracy: float
    true_epsilon: float
    mu: float


def rows(epsilon: float, delta: float, l2_sensitivity: float = 1.0, significance: float = 0.05) -> tuple[BoundRow, ...]:
    """Return one setting's bounds in full, a row for each of `BOUNDS`.

    A proved calibration's true δ and ε are never given above the target, which its theorem guarantees.

    Parameters
    ----------
    epsilon : 0, or in [1e-12, 1e6].
    delta : in [1e-300, 1).
    l2_sensitivity : Δ₂ in [1e-100, 1e100], in query units.
    significance : α of the accuracy, in [1e-300, 1).

    Examples
    --------
    >>> for row in rows(10, 1e-5)[:2]:
    ...     bound = row.mechanism
    ...     print(f"{bound.name}: σ = {bound.scale:.4f}, {bound.status}, true δ = {bound.true_delta:.3g}")
    Analytic Gaussian: σ = 0.4999, proved, true δ = 1e-05
    Classical Gaussian: σ = 0.4845, fails, true δ = 2.27e-05
    """
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, DELTA_RANGE)
    l2_sensitivity = scalar("l2_sensitivity", l2_sensitivity, SENSITIVITY_RANGE)
    significance = scalar("significance", significance, SIGNIFICANCE_RANGE)
    mechanisms = calibrated_by_each(BOUNDS, epsilon, delta, l2_sensitivity)
    sigma = np.array([mechanism.scale for mechanism in mechanisms])
    true_epsilon = gaussian.epsilon_from_sigma(delta, np.where(np.isnan(sigma), 1.0, sigma), l2_sensitivity)
    proved = np.array([mechanism.status == PROVED for mechanism in mechanisms])
    true_epsilon = np.where(proved, np.minimum(true_epsilon, epsilon), true_epsilon)
    columns = np.where(np.isnan(sigma), np.nan, true_epsilon).tolist(), (l2_sensitivity / sigma).tolist()
    return tuple(
        BoundRow(bound, mechanism, mechanism.half_width(significance), true, mu)
        for bound, mechanism, true, mu in zip(BOUNDS, mechanisms, *columns, strict=True)
    )


def table(epsilon: float, delta: float, l2_sensitivity: float = 1.0, significance: float = 0.05) -> pd.DataFrame:
    """Return `rows` as a frame, for notebooks, with the key of each bound in the column `bound`.

    Examples
    --------
    >>> table(10, 1e-5)[["bound", "status"]].head(2).to_dict("list")
    {'bound': ['analytic', 'classical'], 'status': ['proved', 'fails']}
    """
    return pd.DataFrame(
        [
            {
                "bound": row.calibration.key,
                "sigma": row.mechanism.scale,
                "variance": row.mechanism.variance,
                "accuracy": row.accuracy,
                "true_delta": row.mechanism.true_delta,
                "true_epsilon": row.true_epsilon,
                "mu": row.mu,
                "status": row.mechanism.status,
            }
            for row in rows(epsilon, delta, l2_sensitivity, significance)
        ]
    )


def profiles(epsilon: ArrayLike, sigma: dict[str, float], l2_sensitivity: float = 1.0) -> pd.DataFrame:
    """Return the privacy profile δ(ε) of each named σ, as columns `bound`, `epsilon`, `true_delta`.

    Examples
    --------
    >>> frame = profiles([0.5, 1], {"mine": 4})
    >>> [f"{delta:.2g}" for delta in frame["true_delta"]]
    ['0.0027', '2.9e-06']
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE).ravel()
    scales = np.array([[scalar("sigma", value, "(0, inf)")] for value in sigma.values()])
    rows = gaussian.delta_from_sigma(epsilon, scales, scalar("l2_sensitivity", l2_sensitivity, "(0, inf)"))
    names = np.repeat(list(sigma), epsilon.size)
    return pd.DataFrame({"bound": names, "epsilon": np.tile(epsilon, len(sigma)), "true_delta": rows.ravel()})


def classical_limit(delta: float) -> float:
    """Return the ε from which the classical σ violates its guarantee: where it equals the analytic σ, rounded down.

    The proof covers ε < 1 only; between 1 and this ε the guarantee holds unproved.

    Examples
    --------
    >>> f"{classical_limit(1e-5):.2f}"
    '8.42'
    """
    delta = scalar("delta", delta, DELTA_RANGE)

    def excess(log_epsilon: float) -> float:
        epsilon = min(np.exp(log_epsilon), 1e6)  # e^{ln 1e6} may round beyond the domain
        return float(np.log(CLASSICAL.scale(epsilon, delta) / ANALYTIC.scale(epsilon, delta)))

    root = root_scalar(excess, bracket=(0.0, np.log(1e6)), xtol=1e-12).root
    return float(np.exp(root) * (1 - 1e-11))


def pdp_share(epsilon: ArrayLike, delta: ArrayLike) -> pd.DataFrame:
    """Return the pDP σ over the classical σ ([Liu19] Fig. 3), as columns `epsilon`, `delta`, `ratio`.

    Examples
    --------
    >>> f"{pdp_share(0.5, 1e-5)['ratio'][0]:.3f}"
    '0.923'
    """
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    ratio = PDP.scale(epsilon, delta) / CLASSICAL.scale(epsilon, delta)
    return pd.DataFrame({"epsilon": epsilon.ravel(), "delta": delta.ravel(), "ratio": ratio.ravel()})
