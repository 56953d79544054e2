"""The tail of weighted sums of noise that is not normal.

Of noise in whole numbers it is exact by convolution of equal weights, else Chernoff's bound. Of Laplace noise it is
that of the characteristic function Π 1/(1 + (aⱼs)²), summed at equal steps (Gil-Pelaez): the tail of the sum wrapped
around a circle, which is so wide that 1e-12 of it wraps.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from dpcore import discrete_gaussian, gaussian, geometric, laplace
from dpcore.checks import Array
from dpcore.linear_queries.errors import Options, factors
from dpcore.linear_queries.workloads import Workload
from dpcore.roots import Rows, safe_root

_FORGOTTEN = 1e-13  # mass beyond the circle on which the sum is convolved
_ROUNDING = 1e-10  # of a tail: the mass of up to 2000 summands beyond the circle, and rounding of the transform
_MOST_POINTS = 2_000_000
_WRAPPED = 1e-12
_MOST_TERMS = 200_000
_CLOSE, _FIRST_STEP = 1e-12, 0.1  # relative, of a half-width
_GRAIN, _OF_A_GRAIN = 1e-12, 0.01  # of weights, and how much of it rounding has added
_MOST_CONTAINING = 8
Weights = tuple[Array, ...]


@lru_cache(32)
def weights_of(numbers: Workload, strategy: str, options: Options) -> tuple[Weights, Rows]:
    """Return the weights of the noise in the published numbers, each kind once, and the kind of each number.

    They are rounded up to 1e-12, but for what rounding has added.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> options = Options(2, 1, "once", "")
    >>> rows, place = weights_of(workload("running_totals", 3), "binary_tree", options)
    >>> [row.tolist() for row in rows], place.tolist()
    ([[1.0], [1.0, 1.0]], [0, 0, 1])
    """
    _, weights = factors(numbers, strategy, *options)
    rounded = np.ceil(abs(weights) / _GRAIN - _OF_A_GRAIN) * _GRAIN
    kinds: dict[bytes, int] = {}
    place = [kinds.setdefault(row.tobytes(), len(kinds)) for row in np.sort(rounded, axis=1)]
    rows = map(np.frombuffer, kinds)
    return tuple(row[row > 0] for row in rows), np.array(place)


@lru_cache(32)
def largest_weights(numbers: Workload, strategy: str, options: Options) -> Weights:
    """Return the weights of the numbers of which no other one of a few contains the noise, as `_not_contained`.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> options = Options(2, 1, "once", "")
    >>> largest_weights(workload("running_totals", 3), "per_period", options)
    (array([1., 1., 1.]),)
    """
    return _not_contained(weights_of(numbers, strategy, options)[0])


def _not_contained(rows: Weights) -> Weights:
    """Return the rows of weights but those that are nowhere above one of a few others.

    Examples
    --------
    >>> [row.tolist() for row in _not_contained((np.ones(1), np.ones(2), np.array([0.5, 1.5])))]
    [[1.0, 1.0], [0.5, 1.5]]
    """
    width = max(row.size for row in rows)
    left, kept = np.array([np.pad(row, (width - row.size, 0)) for row in rows]), []
    while len(left) and len(kept) < _MOST_CONTAINING:
        largest = left[left.sum(axis=1).argmax()]
        kept.append(largest)
        left = left[(left > largest).any(axis=1)]
    return tuple(row[row > 0] for row in [*kept, *left])


def laplace_half_widths(rows: Sequence[Array], alpha: float) -> Array:
    """Return the t of each row of weights with Pr(|Σ aⱼXⱼ| > t) = α of Laplace variables of scale 1, rounded up.

    Examples
    --------
    >>> laplace_half_widths([np.ones(1), np.ones(2)], 0.05).round(4).tolist()
    [2.9957, 4.113]
    """
    largest = np.array([row.max() for row in rows])
    found = largest * float(laplace.half_width(alpha, 1.0))
    alike = defaultdict(list)
    for place, row in enumerate(rows):
        if row.size > 1:
            values, counts = np.unique((row / largest[place]).round(15), return_counts=True)
            far = 2 * (-np.log(_WRAPPED) + np.log(2) - counts @ np.log1p(-(values**2) / 4))  # Chernoff's, at s = 1/2
            n_terms = 256
            while counts @ np.log1p((values * np.pi / far * n_terms) ** 2) < -np.log(_WRAPPED):
                n_terms *= 4
                if n_terms > _MOST_TERMS:
                    break
            alike[n_terms].append((place, values, counts, far))
    for n_terms, group in alike.items():
        step = max(1, _MOST_POINTS // n_terms)
        for first in range(0, len(group), step):
            part = group[first : first + step]
            places = [place for place, *_ in part]
            found[places] = largest[places] * _laplace_roots(part, n_terms, alpha)
    return found


def _laplace_roots(group: list[tuple[int, Array, Array, float]], n_terms: int, alpha: float) -> Array:
    """Return the half-widths of sums whose characteristic functions have the same number of terms."""
    terms = np.arange(1, n_terms + 1)
    far = np.array([width for *_, width in group])
    log_values = np.array(
        [
            -(counts @ np.log1p(np.multiply.outer(values, np.pi / width * terms) ** 2))
            for _, values, counts, width in group
        ]
    )
    heights, cut = np.exp(log_values) / terms, np.exp(log_values[:, -1]) + 2 * _WRAPPED

    def log_excess(rows: Rows, tried: Array) -> Array:
        share = np.minimum(tried / far[rows], 1)
        waves = np.einsum("ij,ij->i", np.sin(np.multiply.outer(np.pi * share, terms)), heights[rows])
        return np.log(np.maximum(1 - share - 2 / np.pi * waves + cut[rows], _WRAPPED) / alpha)

    squares = np.array([counts @ values**2 for _, values, counts, _ in group])
    guess = np.minimum(gaussian.half_width(alpha, np.sqrt(2 * squares)), far / 2)
    return safe_root(log_excess, guess, np.zeros(far.size), _CLOSE, _FIRST_STEP) * (1 + _CLOSE)


def whole_half_width(weights: Array, alpha: float, noise: str, scale: float) -> float:
    """Return the least t with Pr(|Σ aⱼZⱼ| > t) ≤ α of positive weights, or an upper bound of it.

    Examples
    --------
    >>> whole_half_width(np.ones(2), 0.05, "geometric", 3.0), geometric.half_width(0.05, 3.0).item()
    (12.0, 9.0)
    """
    family = geometric if noise == "geometric" else discrete_gaussian
    if weights.size == 1:
        return float(weights[0] * family.half_width(alpha, scale))
    if np.ptp(weights) > 0 or 2 * (far := chernoff_half_width(weights, _FORGOTTEN, noise, scale)) > _MOST_POINTS:
        return chernoff_half_width(weights, alpha, noise, scale)
    n_points = 2 ** int(np.ceil(np.log2(2 * far / weights[0] + 3)))
    place = np.minimum(np.arange(n_points), n_points - np.arange(n_points))
    sums = np.fft.irfft(np.fft.rfft(family.pmf(place, scale)) ** weights.size, n_points)
    mass = np.bincount(place, weights=sums)
    beyond = np.append(np.cumsum(mass[::-1])[-2::-1], 0.0)
    return float(weights[0] * np.flatnonzero(beyond + _ROUNDING <= alpha)[0])


def chernoff_half_width(weights: Array, alpha: float, noise: str, scale: float) -> float:
    """Return min (Σ ln E e^{s aⱼ Z} + ln(2/α))/s; discrete Gaussian noise has moments below N(0, σ²)'s ([CKS20]).

    Examples
    --------
    >>> print(f"{chernoff_half_width(np.ones(2), 0.05, 'geometric', 3.0):.1f}")
    21.3
    """
    if noise == "discrete_gaussian":
        return float(scale * np.sqrt(2 * np.log(2 / alpha) * (weights @ weights)))
    share = np.linspace(0.005, 0.995, 199)  # any s is safe
    values, counts = np.unique(weights, return_counts=True)
    step = np.multiply.outer(share / (scale * values[-1]), values)
    log_odds = 2 * np.log(-np.expm1(-1 / scale)) - np.log(-np.expm1(step - 1 / scale))
    moments = (log_odds - np.log(-np.expm1(-step - 1 / scale))) @ counts
    return float(((moments + np.log(2 / alpha)) / share).min() * scale * values[-1])
