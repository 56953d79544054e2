"""Exact confidence limits of a probability from a number of successes."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, betaincc, betainccinv, betaincinv, betaln, xlog1py, xlogy

from dpcore.audit.attacks import checked_successes
from dpcore.checks import Array, number
from dpcore.rounding import BELOW_ONE, round_down, round_up

CONFIDENCE_RANGE = "[0.5, 1)"


_TAIL_DOUBT = 1e-9  # SciPy's beta tails were off by a relative 3e-11 at most for up to 1e9 trials


def clopper_pearson_upper(successes: ArrayLike, trials: ArrayLike, confidence: ArrayLike) -> Array:
    """Return the p with Pr(Bin(n, p) ≤ k) = 1 − confidence, 1 at k = n:
    an upper confidence bound on a probability [CP34].

    It is the `confidence` quantile of Beta(k + 1, n − k), because Pr(Bin(n, p) ≤ k) = Pr(Beta(k + 1, n − k) > p).

    Parameters
    ----------
    successes : k, a whole number in [0, n].
    trials : n, a whole number in [1, 1e9].
    confidence : one-sided, in [0.5, 1).

    Returns
    -------
    p in (0, 1]: never below the true value; its failure probability is not below (1 − confidence)(1 − 3e-9), but for
    the last bits of p.

    Examples
    --------
    >>> f"{clopper_pearson_upper(3, 100, 0.95):.4f}"
    '0.0757'
    """
    successes, trials = checked_successes("successes", successes, "trials", trials)
    return upper_limit(successes, trials, 1 - number("confidence", confidence, CONFIDENCE_RANGE))


def clopper_pearson_lower(successes: ArrayLike, trials: ArrayLike, confidence: ArrayLike) -> Array:
    """Return the p with Pr(Bin(n, p) ≥ k) = 1 − confidence, 0 at k = 0:
    the 1 − confidence quantile of Beta(k, n − k + 1).

    Domain and reference as in `clopper_pearson_upper`; rounded down.

    Examples
    --------
    >>> f"{clopper_pearson_lower(3, 100, 0.95):.4f}"
    '0.0082'
    """
    successes, trials = checked_successes("successes", successes, "trials", trials)
    significance = (1 - number("confidence", confidence, CONFIDENCE_RANGE)) * (1 - _TAIL_DOUBT)
    a, b = np.maximum(successes, 1), trials - np.maximum(successes, 1) + 1
    p = betaincinv(a, b, significance)
    for _ in range(2):
        p = p - (betainc(a, b, p) - significance) / _density(p, a, b)
    return np.where(successes == 0, 0.0, round_down(p, 4))[()]


def upper_limit(successes: Array, trials: Array, significance: ArrayLike) -> Array:
    """Return the Clopper–Pearson upper bound; two Newton steps, as SciPy's inverse is off by up to a relative 2e-8."""
    significance = np.asarray(significance) * (1 - _TAIL_DOUBT)
    a = np.minimum(successes, trials - 1) + 1
    b = trials - a + 1
    p = betainccinv(a, b, significance)
    for _ in range(2):
        p = np.minimum(p + (betaincc(a, b, p) - significance) / _density(p, a, b), 1)
    return np.where(successes == trials, 1.0, np.minimum(round_up(p, 4), 1))[()]


def _density(p: Array, a: Array, b: Array) -> Array:
    """Return the density of Beta(a, b), or infinity at p = 1, from which Newton's method then does not move."""
    return np.where(p < 1, np.exp(xlogy(a - 1, p) + xlog1py(b - 1, -np.minimum(p, BELOW_ONE)) - betaln(a, b)), np.inf)
