"""The error of a quotient of two numbers with noise: a mean or a share whose number of records is not public.

The sum S of (value − middle) ÷ half the width of the range, and the number n of records, get noise Z₁ and Z₂ of one
family and one scale. The quotient estimates u = S/n in [−1, 1], the mean in such units, and is off by more than t, or
its denominator is negative, with a probability of at most Pr(Z₁ − (u + t) Z₂ > tn) + Pr(−Z₁ + (u − t) Z₂ > tn): one of
the two holds wherever |Z₁ − u Z₂| > t (n + Z₂). Both are tails of Z₁ + v Z₂, which grow with |v| as the noise is
symmetric and unimodal. So u = ±1 is the worst mean, and for t up to ½ the bound is attained there, but for the chance
that the denominator is negative.
"""

import math

from dpcore.families import FAMILIES
from dpcore.rounding import round_down, round_up

_SAFE = 1 + 1e-12  # of a tail, for the roundings in it and in its argument
_HALVINGS = 60
_MOST_ERROR = 1e12  # in half the width of the range


def pair_tail(family: str, size: float, weight: float) -> float:
    """Return Pr(Z₁ + weight · Z₂ > size) of independent noise of scale 1, rounded up.

    That of Gaussian noise is Φ(−x/√(1 + v²)), and of Laplace noise (L² e^{−x/L} − s² e^{−x/s})/(2(L² − s²)) with the
    larger and the smaller of the weights 1 and v, written so that L = s is no exception. Of other families it is the
    bound Pr(|Z| > x/(1 + v)): one of the two is then above that.

    Parameters
    ----------
    family : a key of `dpcore.families.FAMILIES`, of symmetric noise on the real numbers.
    size : x ≥ 0, in scales.
    weight : v > 0.

    Examples
    --------
    >>> print(f"{pair_tail('gaussian', 3, 1):.6f} {pair_tail('laplace', 3, 1):.6f} {pair_tail('laplace', 3, 2):.6f}")
    0.016947 0.062234 0.140456
    """
    if family == "gaussian":
        tail = math.erfc(size / math.sqrt(2 * (1 + weight * weight))) / 2
    elif family == "laplace":
        small, large = sorted((1.0, weight))
        apart = size * (large - small) / (large * small)
        slope = -math.expm1(-apart) / apart if apart else 1.0
        tail = math.exp(-size / large) / 2 * (1 + small * size * slope / (large * (large + small)))
    else:
        tail = float(FAMILIES[family].functions.tail(size / (1 + weight), 1.0))
    return tail * _SAFE


def _missed(family: str, size: float, error: float) -> float:
    """Return an upper bound of how often a quotient is off by more than t, whatever the mean is: x is tn in scales."""
    return pair_tail(family, size, 1 + error) + pair_tail(family, size, max(error, 1 - error))


def _least_size(family: str, error: float, significance: float) -> float:
    low, high = 0.0, 1.0
    while _missed(family, high, error) > significance:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _missed(family, middle, error) <= significance else (middle, high)
    return high


def quotient_scale(family: str, error: float, n_records: float, significance: float) -> float:
    """Return the largest scale of the noise of both numbers with which a quotient has an error.

    Parameters
    ----------
    family : as in `pair_tail`.
    error : t > 0, in half the width of the range of a value.
    n_records : n, or a lower bound of it.
    significance : α in (0, 1): a share 1 − α of releases is within ±t, wherever in its range the mean is.

    Examples
    --------
    >>> print(f"{quotient_scale('gaussian', 0.08, 500, 0.05):.4f} {quotient_scale('laplace', 0.08, 500, 0.05):.4f}")
    14.3982 9.7065
    """
    return round_down(error * n_records / _least_size(family, error, significance), 2)


def quotient_error(family: str, scale: float, n_records: float, significance: float) -> float:
    """Return the error t of a quotient with noise of a scale: the inverse of `quotient_scale`, rounded up.

    It is infinite where the noisy number of records is 0 or less too often for any error.

    Examples
    --------
    >>> print(f"{quotient_error('gaussian', 14.3982, 500, 0.05):.5f} {quotient_error('gaussian', 400, 500, 0.05)}")
    0.08000 inf
    """
    ratio = n_records / scale

    def holds_often_enough(error: float) -> bool:
        return _missed(family, error * ratio, error) <= significance

    high = 1 / ratio
    while not holds_often_enough(high):
        high *= 2
        if high > _MOST_ERROR:
            return math.inf
    low = 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if holds_often_enough(middle) else (middle, high)
    return float(round_up(high))
