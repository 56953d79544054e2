"""Experiment 5.1 of [BW18]: what exact calibration saves of the classical Gaussian mechanism's variance.

References
----------
[BW18] Balle & Wang 2018, arXiv:1805.06530.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.optimize import root_scalar

from dpcore import gaussian
from dpcore.calibrations import CLASSICAL
from dpcore.checks import DELTA_RANGE, POSITIVE_EPSILON_RANGE, Array, number, scalar
from dpcore.comparison import classical_limit


def variance_ratio(epsilon: ArrayLike, delta: ArrayLike) -> Array:
    """(classical σ/analytic σ)²: how many times the variance that (ε, δ)-DP asks of Gaussian noise ([BW18] §5.1).

    Parameters
    ----------
    epsilon : in [1e-12, 1e6]. The classical σ is proved for ε < 1 only. A ratio below 1, which large ε has, is no
        saving: there the classical σ is too small for its guarantee.
    delta : in [1e-300, 1).

    Returns
    -------
    The ratio, which does not depend on the sensitivity. The share of the variance removed is 1 − 1/ratio.

    Examples
    --------
    >>> variance_ratio([0.01, 1, 10], 1e-5).round(3).tolist()
    [3.949, 1.687, 0.939]
    """
    epsilon = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE)
    return (gaussian.classical_sigma(epsilon, delta) / gaussian.analytic_sigma(epsilon, delta)) ** 2


def variance_ratios(epsilon: ArrayLike, delta: ArrayLike) -> pd.DataFrame:
    """Experiment 5.1, a row for every pair of an ε and a δ.

    Parameters
    ----------
    epsilon : in [1e-12, 1e6], any number of them.
    delta : in [1e-300, 1), likewise.

    Returns
    -------
    Columns `epsilon`, `delta`, `classical_sigma` and `analytic_sigma` of Δ₂ = 1, `ratio` as `variance_ratio`, `removed`
    = 1 − 1/ratio, `status` of the classical σ, by `Calibration.verdict`: "proved" for ε < 1, "within target" or
    "fails" beyond; and `fails_from`, the ε from which it fails at this δ, rounded down.

    Examples
    --------
    >>> frame = variance_ratios([0.5, 1, 10], 1e-5)
    >>> frame["status"].tolist(), frame["removed"].round(2).tolist(), frame["fails_from"].round(2).tolist()
    (['proved', 'within target', 'fails'], [0.47, 0.41, -0.06], [8.42, 8.42, 8.42])
    """
    epsilons = number("epsilon", epsilon, POSITIVE_EPSILON_RANGE).ravel()
    deltas = number("delta", delta, DELTA_RANGE).ravel()
    epsilon, delta = np.tile(epsilons, deltas.size), np.repeat(deltas, epsilons.size)
    ratio = variance_ratio(epsilon, delta)
    columns = {
        "epsilon": epsilon,
        "delta": delta,
        "classical_sigma": gaussian.classical_sigma(epsilon, delta),
        "analytic_sigma": gaussian.analytic_sigma(epsilon, delta),
        "ratio": ratio,
        "removed": 1 - 1 / ratio,
        "status": CLASSICAL.verdict(epsilon, delta).status,
        "fails_from": np.repeat([classical_limit(float(column_delta)) for column_delta in deltas], epsilons.size),
    }
    return pd.DataFrame(columns)


def least_delta_removing(share: float = 1 / 3, epsilon: float = 1.0) -> float:
    """Return the least δ at which exact calibration removes this share of the classical variance.

    The share is 1 − 1/`variance_ratio`.

    [BW18] §5.1 says that even for ε close to 1 the variance falls by at least a constant factor, more at larger δ. With
    a third that holds at ε = 1 from δ ≈ 1.26e-7 on, and not below.

    Parameters
    ----------
    share : in (0, 0.9], of the variance.
    epsilon : in [1e-12, 1].

    Returns
    -------
    δ in [1e-300, 1), rounded up, so that at it and above it at least this share is removed; 1e-300, the least that
    is allowed, where the share is removed even there.

    Examples
    --------
    >>> f"{least_delta_removing():.3g}"
    '1.26e-07'
    """
    share, epsilon = scalar("share", share, "(0, 0.9]"), scalar("epsilon", epsilon, "[1e-12, 1]")

    def excess(log_delta: float) -> float:
        return float(np.log1p(-share) + np.log(variance_ratio(epsilon, np.exp(log_delta))))

    least = float(np.log(1e-300)) + 1e-12  # since e^{ln 1e-300} may round below the domain
    if excess(least) >= 0:
        return 1e-300
    return float(np.exp(root_scalar(excess, bracket=(least, np.log(0.99)), xtol=1e-12).root) * (1 + 1e-11))
