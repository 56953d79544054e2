"""The binomial distribution with the functions of `scipy.special` alone: importing `scipy.stats` takes half a second.

For the inner loops of dpcore, which keep the domain themselves: nothing is checked.
"""

import numpy as np
from scipy.special import betainc

from dpcore.checks import Array


def masses(n: int, p: float) -> Array:
    """Return Pr(Bin(n, p) = k) of k = 0, …, n, for p in [0, 1].

    Neighbours have the ratio (n − k)p/((k + 1)(1 − p)). The products start at the mode, where the mass is greatest, and
    are divided by their sum, so that a mass is right to a relative 2⁻⁵² times its distance from the mode. Below 1e-308
    of the greatest a mass may be 0.

    Examples
    --------
    >>> masses(4, 0.5).tolist()
    [0.0625, 0.25, 0.375, 0.25, 0.0625]
    """
    mode = min(int((n + 1) * p), n)
    above, below = np.arange(mode, n), np.arange(mode, 0, -1)
    odds = p / (1 - p) if p < 1 else np.inf
    up = np.cumprod((n - above) / (above + 1) * odds)
    down = np.cumprod(below / (n - below + 1) / odds) if p > 0 else np.empty(0)
    relative = np.concatenate([down[::-1], [1.0], up])
    return relative / relative.sum()


def least_with_tail(n: int, p: float, tail: float) -> int:
    """Return the least k with Pr(Bin(n, p) > k) ≤ tail, for p in [0, 1] and a tail in (0, 1); at most n.

    Pr(Bin(n, p) > k) is the regularised incomplete beta function I_p(k + 1, n − k).

    Examples
    --------
    >>> least_with_tail(100, 0.5, 0.025)
    60
    """
    low, high = -1, n  # the tail is larger at `low`, and not at `high`
    while high - low > 1:
        k = (low + high) // 2
        if betainc(k + 1.0, n - k, p) <= tail:
            high = k
        else:
            low = k
    return high
