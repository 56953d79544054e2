"""The tail of weighted sums of noise in whole numbers.

Where the weights are multiples of the least one it is exact, by the characteristic function as that of Laplace noise;
else it is that of the noise with what makes it smooth, and a margin for it.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian, geometric
from dpcore.checks import Array
from dpcore.linear_queries.tallies import Tallies
from dpcore.linear_queries.weighted_sums import (
    CLOSE,
    FIRST_STEP,
    Waves,
    turns,
    waves_of,
)
from dpcore.roots import Rows, safe_root

_FORGOTTEN = 1e-13  # mass of a whole sum beyond the circle, and its characteristic function beyond the terms
_ROUNDING = 1e-10  # of a tail: both of these, and rounding
_MOST_POINTS = 2_000_000
_AT_ONCE = 500_000  # numbers in one array
_NEAR = 32_000  # numbers that stay near the processor
_WHOLE, _MOST_MULTIPLE, _MOST_STEPS = 1e-9, 16, 4096  # of weights that are multiples of the least one; terms of them
_N_TERMS = np.array([8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096])  # of smooth noise
_SHIFTS = np.array([0, 2 / 3**0.5, 2, 2.5, 3, 4, 5])  # x/v, and the most of Pr(V ≤ −x)
_BELOW = np.array([0.5, 1 / 6, 1 / 18, 2 / 9 / 2.5**2, *np.exp(-(np.array([3.0, 4, 5]) ** 2) / 2)])
_CUT, _MOST_CUT = 1e-6, 0.5  # of α: what is left out, and what cannot be
_FEW_SHARES = np.linspace(0.05, 0.95, 19)  # as `_SHARES`
_FAR_BELOW = 0.75  # as much of what is expected of smooth noise is less than it
_WIDE = 3.0  # the scale from which on smooth noise is not far from noise in whole numbers
_SHARES = np.linspace(0.005, 0.995, 199)  # of the s up to which geometric noise has moments; any s is safe


def whole_half_widths(rows: Tallies, alpha: float, noise: str, scale: ArrayLike) -> Array:
    """Return the least t of each row with Pr(|Σ aⱼZⱼ| > t) ≤ α, or an upper bound of it; a scale for all or for each.

    Examples
    --------
    >>> from dpcore.linear_queries.tallies import tallies
    >>> whole_half_widths(tallies([np.ones(1), np.ones(2)]), 0.05, "geometric", 3.0).tolist()
    [9.0, 12.0]
    """
    family = geometric if noise == "geometric" else discrete_gaussian
    largest, n = rows.values[:, 0], rows.counts.sum(axis=1)
    scales = np.broadcast_to(np.asarray(scale, dtype=np.float64), n.shape)
    found, is_alone, several = np.zeros(n.size), n <= 1, np.flatnonzero(n > 1)
    if is_alone.any():
        found[is_alone] = largest[is_alone] * family.half_width(alpha, scales[is_alone])
    steps, off = _whole_steps(_chosen(rows, several))
    has_steps = np.flatnonzero(steps.values[:, 0] > 0)
    far = np.ceil(chernoff_half_widths(_chosen(steps, has_steps), _FORGOTTEN, noise, scales[several[has_steps]]))
    most = np.where(steps.values[has_steps, 0] > 1, _MOST_STEPS, _MOST_POINTS)
    is_near = 2 * far <= most
    near = has_steps[is_near]
    unit = largest[several[near]] / steps.values[near, 0]
    t = _steps(_chosen(steps, near), scales[several[near]], far[is_near], alpha, noise)
    found[several[near]] = unit * (t + np.where(t > 0, off[near] * far[is_near] * n[several[near]], 0))
    others = np.delete(several, near)
    found[others] = _smooth_half_widths(_chosen(rows, others), alpha, noise, scales[others])
    return found


def _chosen(rows: Tallies, places: Rows) -> Tallies:
    n_kinds = int((rows.counts[places] > 0).sum(axis=1).max(initial=1))
    return Tallies(rows.values[places, :n_kinds], rows.counts[places, :n_kinds])


def _whole_steps(rows: Tallies) -> tuple[Tallies, Array]:
    """Return the weights as multiples of the least of each row, or 0 where they are no whole ones or too large.

    Beside them stands by how much rounding has moved them off whole ones at most.
    """
    least = np.where(rows.counts > 0, rows.values, np.inf).min(axis=1, initial=np.inf)
    multiples = rows.values / least[:, np.newaxis]
    whole = multiples.round()
    off = abs(multiples - whole).max(axis=1, initial=0)
    is_whole = (off <= _WHOLE) & (whole[:, :1].max(axis=1, initial=0) <= _MOST_MULTIPLE)
    return Tallies(np.where(is_whole[:, np.newaxis], whole, 0), rows.counts), off


def _steps(rows: Tallies, scale: Array, far: Array, alpha: float, noise: str) -> Array:
    """Return the least whole t with Pr(|Σ mⱼZⱼ| > t) + 1e-10 ≤ α, which is at most far, of whole multiples m."""
    size, waves = 2 * far + 3, _step_waves(rows, scale, far, noise)
    low, high, wanted = np.full(far.size, -1.0), far.copy(), np.sqrt(-np.log(alpha))
    above, below, n_tries = np.zeros(far.size), np.full(far.size, np.sqrt(-np.log(_FORGOTTEN))), 0  # nearly straight
    while (open_rows := np.flatnonzero(high - low > 1)).size:
        n_tries += 1
        slope = (high - low)[open_rows] / np.maximum((below - above)[open_rows], _FORGOTTEN)
        middle = np.floor((low + high)[open_rows] / 2)
        tried = middle if n_tries % 4 == 0 else np.ceil(low[open_rows] + (wanted - above[open_rows]) * slope)
        tried = np.clip(tried, low[open_rows] + 1, high[open_rows] - 1)
        tails = waves.tails(open_rows, (2 * tried + 1) / size[open_rows])
        depths, is_enough = np.sqrt(-np.log(np.clip(tails, _FORGOTTEN, 1))), tails <= alpha
        enough, short = open_rows[is_enough], open_rows[~is_enough]
        high[enough], below[enough] = tried[is_enough], depths[is_enough]
        low[short], above[short] = tried[~is_enough], depths[~is_enough]
    return high


def _step_waves(rows: Tallies, scale: Array, far: Array, noise: str) -> Waves:
    """Return the waves of Σ mⱼZⱼ of whole multiples m, on a circle of N = 2 far + 3.

    The tail is 1 − (2t + 1)/N − 2/N Σ φ(θₖ) sin((t + ½)θₖ)/sin(θₖ/2) with θₖ = 2πk/N. Of equal summands φ falls up to
    π, so that the terms that are left out are at most Σ φ(θₖ)/k.
    """
    size, is_equal, groups = 2 * far + 3, rows.values[:, 0] <= 1, []
    left, n_terms = np.arange(far.size), 16
    while left.size:
        end = np.minimum(2 * np.pi * n_terms / size[left], np.pi)
        with np.errstate(divide="ignore"):
            logs = np.log(_characteristic(end, scale[left], noise))
        is_whole = 2 * n_terms >= size[left] - 1
        ends = is_whole | (is_equal[left] & (-rows.counts[left].sum(axis=1) * logs >= -np.log(_FORGOTTEN)))
        group, left = left[ends], left[~ends]
        step = max(1, _AT_ONCE // n_terms)
        for part in (group[first : first + step] for first in range(0, group.size, step)):
            heights = _functions(_chosen(rows, part), 2 * np.pi / size[part], n_terms, scale[part], noise)
            is_there = np.arange(1, n_terms + 1) <= size[part, np.newaxis] / 2
            heights *= is_there * (np.pi / size[part])[:, np.newaxis]
            groups.append((part, heights / np.where(is_there, turns(np.pi / size[part], n_terms).imag, 1)))
        n_terms *= 2
    return waves_of(np.full(far.size, _ROUNDING), groups)


def equal_sum_tails(n: float, t: float, noise: str, scale: Array) -> Array | None:
    """Return Pr(|Z₁ + … + Zₙ| > t) + 1e-10 at each scale; None where `whole_half_widths` has no circle for it.

    Examples
    --------
    >>> print(f"{equal_sum_tails(2, 12, 'geometric', np.array([3.0]))[0]:.4f}")
    0.0471
    """
    rows = Tallies(np.ones((scale.size, 1)), np.full((scale.size, 1), n))
    far = np.ceil(chernoff_half_widths(rows, _FORGOTTEN, noise, scale))
    if (2 * far > _MOST_POINTS).any():
        return None
    waves = _step_waves(rows, scale, far, noise)
    return waves.tails(np.arange(scale.size), np.minimum((2 * t + 1) / (2 * far + 3), 1))


class _Weights(NamedTuple):
    """The weights of several rows one after the other: which row each is in, how often it occurs, and where rows begin.

    All rows have one at least.
    """

    row: Rows
    value: Array
    often: Array
    first: Rows

    def sums(self, terms: Array) -> Array:
        """Return the sum over each row, with the counts."""
        return np.add.reduceat(self.often * terms, self.first)


def _weights(rows: Tallies) -> _Weights:
    """Return the weights of rows."""
    row, kind = np.nonzero(rows.counts)
    return _Weights(row, rows.values[row, kind], rows.counts[row, kind], np.flatnonzero(np.diff(row, prepend=-1)))


def _products(rows: Tallies, n_steps: int, factors: Callable[[_Weights, slice], Array]) -> Array:
    """Return Π fⱼ^cⱼ of each row, of the factors f, weights × steps, of the weights in a slice of the rows."""
    found = np.empty((len(rows.values), n_steps))
    n_rows = max(1, _NEAR // (rows.values.shape[1] * n_steps))
    for first in range(0, len(found), n_rows):
        part = slice(first, first + n_rows)
        weights = _weights(Tallies(rows.values[part], rows.counts[part]))
        values = factors(weights, part)
        often = np.flatnonzero(weights.often > 1)
        values[often] **= weights.often[often, np.newaxis]
        found[part] = np.multiply.reduceat(values, weights.first, axis=0)
    return found


def _functions(rows: Tallies, step: Array, n_steps: int, scale: Array, noise: str, is_smooth: bool = False) -> Array:
    """Return Π φ(aⱼs)^cⱼ of each row at s = 1, …, n steps, times as many sin(aⱼs/2)/(aⱼs/2) where it is smooth."""
    steps = np.arange(1, n_steps + 1)

    def factors(weights: _Weights, part: slice) -> Array:
        half = weights.value / 2 * step[part][weights.row]
        sines = turns(half, n_steps).imag if is_smooth or noise == "geometric" else 0
        if noise == "geometric":  # of period 2π, as sin²(θ/2) is
            with np.errstate(over="ignore"):
                values = 1 / (1 + (sines / np.sinh(0.5 / scale[part])[weights.row, np.newaxis]) ** 2)
        else:
            turned = np.multiply.outer(2 * half, steps)
            if turned.max(initial=0) > np.pi:
                turned = abs((turned + np.pi) % (2 * np.pi) - np.pi)
            values = _characteristic(turned, scale[part][weights.row, np.newaxis], noise)
        return values * sines / np.multiply.outer(half, steps) if is_smooth else values

    return _products(rows, n_steps, factors)


def _smooth_half_widths(rows: Tallies, alpha: float, noise: str, scale: Array) -> Array:
    """Return an upper bound of the t with Pr(|Σ aⱼZⱼ| > t) = α, close to it where the scale is large.

    With Uⱼ uniform on [−½, ½] and V = Σ aⱼUⱼ, Pr(Σ aⱼZⱼ > t) Pr(V > −x) ≤ Pr(Σ aⱼ(Zⱼ + Uⱼ) > t − x). V has the standard
    deviation v = ‖a‖/√12; Pr(V ≤ −x) is at most ½, Gauss's 2v²/(9x²) and Hoeffding's exp(−x²/(2v²)). The sum on the
    right has a density, whose characteristic function soon vanishes. Where it does not, or if less, Chernoff's bound.
    """
    found = np.full(scale.size, np.inf)
    if not found.size:
        return found
    squares = (rows.counts * rows.values**2).sum(axis=1)
    v = np.sqrt(squares / 12)
    spread = _spread(rows, noise, scale)
    guesses = gaussian.half_width(alpha * (1 - _BELOW[:, np.newaxis]), spread)
    best = (guesses + _SHIFTS[:, np.newaxis] * v).argmin(axis=0)
    every = np.arange(found.size)
    guess, shift, level = guesses[best, every], _SHIFTS[best] * v, alpha * (1 - _BELOW[best])
    narrow = np.flatnonzero(scale < _WIDE)
    found[narrow] = chernoff_half_widths(_chosen(rows, narrow), alpha, noise, scale[narrow])
    most_added = (rows.counts * rows.values).sum(axis=1) / 2  # |V|
    sought = np.flatnonzero(found > _FAR_BELOW * (np.minimum(guess, most_added) + shift))  # else it is less anyway
    waves, far = _smooth_waves(_chosen(rows, sought), alpha, noise, scale[sought])
    is_known = waves.cut < _MOST_CUT * alpha
    places, known = np.flatnonzero(is_known), sought[is_known]

    def log_excess(some: Rows, tried: Array) -> Array:
        tails = waves.tails(places[some], np.minimum(tried / far[places[some]], 1))
        return np.log(np.maximum(tails, _FORGOTTEN) / level[known[some]])

    start = np.minimum(guess[known], far[places] / 2)
    roots = safe_root(log_excess, start, np.zeros(known.size), CLOSE, FIRST_STEP) * (1 + CLOSE)
    found[known] = np.minimum(found[known], roots + shift[known])
    others = np.flatnonzero(np.isinf(found))
    found[others] = chernoff_half_widths(_chosen(rows, others), alpha, noise, scale[others])
    return found


def _smooth_waves(rows: Tallies, alpha: float, noise: str, scale: Array) -> tuple[Waves, Array]:
    """Return the waves of Σ aⱼ(Zⱼ + Uⱼ), and half the circle of each row.

    For θ = aⱼs beyond π a factor is at most c π/θ: sin(θ/2) φ(θ) is at most c π/2, and c itself bounds it where φ is
    less. So the terms left out are at most 2/π Π bⱼ (ln⁺(far/(a₁K)) + 2), with the bounds bⱼ at the last term K.
    """
    far = _bound_of_smooth(rows, _CUT * alpha, noise, scale)
    highest = 0.61 / scale if noise == "discrete_gaussian" else np.sinh(np.minimum(0.5 / scale, 5)) / 2
    ceiling = 2 / np.pi * np.minimum(highest, 1)
    needed = far / np.pi * np.sqrt(-2 * np.log(_CUT * alpha)) / _spread(rows, noise, scale)  # if it were normal
    size = np.minimum(np.searchsorted(_N_TERMS, needed), _N_TERMS.size - 1)
    cut, left = np.full(far.size, _CUT * alpha + _FORGOTTEN), np.arange(far.size)
    while left.size:
        weights, n_terms = _weights(_chosen(rows, left)), _N_TERMS[size[left]]
        angles = weights.value * (np.pi * n_terms / far[left])[weights.row]
        falling = _characteristic(np.minimum(angles, np.pi), scale[left][weights.row], noise)
        least = ceiling[left][weights.row]
        bounds = np.where(angles > np.pi, least * np.pi / np.maximum(angles, 1), np.maximum(falling, least))
        beyond = np.log(np.maximum(far[left] / rows.values[left, 0] / n_terms, 1)) + 2
        rest = 2 / np.pi * np.exp(weights.sums(np.log(bounds))) * beyond
        ends = (rest <= _CUT * alpha) | (n_terms == _N_TERMS[-1])
        cut[left[ends]] += rest[ends]
        left = left[~ends]
        size[left] += 1
    groups = []
    for place in np.unique(size):
        group, terms = (
            np.flatnonzero((size == place) & (cut < _MOST_CUT * alpha)),
            np.arange(1, int(_N_TERMS[place]) + 1),
        )
        heights = _functions(_chosen(rows, group), np.pi / far[group], terms.size, scale[group], noise, is_smooth=True)
        groups.append((group, heights / terms))
    return waves_of(cut, groups), far


def _spread(rows: Tallies, noise: str, scale: Array) -> Array:
    """Return the standard deviation of Σ aⱼ(Zⱼ + Uⱼ)."""
    family = geometric if noise == "geometric" else discrete_gaussian
    return np.sqrt((rows.counts * rows.values**2).sum(axis=1) * (family.variance(scale) + 1 / 12))


def _bound_of_smooth(rows: Tallies, alpha: float, noise: str, scale: Array) -> Array:
    """Return what Σ aⱼ(Zⱼ + Uⱼ) is within but with a chance of α, by Chernoff's bound at one s.

    It is the best s of a sum of Laplace noise with this ‖a‖₂ all of whose weights are the largest.
    """
    largest, spare = rows.values[:, 0], (rows.counts * rows.values).sum(axis=1) / 2
    squares, needed = (rows.counts * rows.values**2).sum(axis=1), np.log(2 / alpha)
    if noise == "discrete_gaussian":
        return scale * np.sqrt(2 * needed * squares) + spare
    n_largest = (squares / largest**2)[:, np.newaxis]
    share = _FEW_SHARES[((needed - n_largest * np.log1p(-(_FEW_SHARES**2))) / _FEW_SHARES).argmin(axis=1)]
    weights = _weights(rows)
    step = (share / (scale * largest))[weights.row] * weights.value
    odds = (1 / scale)[weights.row]
    logs = 2 * np.log(-np.expm1(-odds)) - np.log(-np.expm1(step - odds)) - np.log(-np.expm1(-step - odds))
    return (weights.sums(logs) + needed) * scale * largest / share + spare


def _characteristic(angle: Array, scale: Array, noise: str) -> Array:
    """Return E cos(θZ) for θ in [0, π]: 1/(1 + sin²(θ/2)/sinh²(1/(2s))), or of discrete Gaussian noise ϑ₃(θ/2)/ϑ₃(0).

    From σ = 1 on the latter is Σ e^{−σ²(θ + 2πj)²/2}/Σ e^{−σ²(2πj)²/2}, below it is the sum of the probabilities.
    """
    with np.errstate(over="ignore", under="ignore"):
        if noise == "geometric":
            return 1 / (1 + (np.sin(angle / 2) / np.sinh(0.5 / scale)) ** 2)
        if (scale >= _WIDE).all():  # the others are below 1e-19
            return np.exp(-((scale * angle) ** 2) / 2)
        if (scale < 1).all():
            return _narrow_characteristic(angle, scale)
        waves = sum(np.exp(-((scale * (angle + 2 * np.pi * j)) ** 2) / 2) for j in (-1, 0, 1))
        smooth = waves / (1 + 2 * np.exp(-((scale * 2 * np.pi) ** 2) / 2))
        return smooth if (scale >= 1).all() else np.where(scale < 1, _narrow_characteristic(angle, scale), smooth)


def _narrow_characteristic(angle: Array, scale: Array) -> Array:
    """Return Σ e^{−y²/(2σ²)} cos(yθ)/Σ e^{−y²/(2σ²)}, with each cosine from the two before it; for scales below 1."""
    cosine, most = np.cos(angle), min(math.ceil(9 * float(scale.max())), 9)  # beyond it a term is below 1e-17
    before, now, total, mass = np.ones_like(cosine), cosine, np.ones_like(cosine), np.ones_like(scale)
    for y in range(1, most + 1):
        chance = 2 * np.exp(-((y / scale) ** 2) / 2)
        total, mass = total + chance * now, mass + chance
        before, now = now, 2 * cosine * now - before
    return total / mass


def chernoff_half_widths(rows: Tallies, alpha: float, noise: str, scale: ArrayLike) -> Array:
    """Return min (Σ ln E e^{s aⱼ Z} + ln(2/α))/s; discrete Gaussian noise has moments below N(0, σ²)'s ([CKS20]).

    Examples
    --------
    >>> from dpcore.linear_queries.tallies import tallies
    >>> print(f"{chernoff_half_widths(tallies([np.ones(2)]), 0.05, 'geometric', 3.0)[0]:.1f}")
    21.3
    """
    values, counts = rows
    scales = np.broadcast_to(np.asarray(scale, dtype=np.float64), len(values))
    if noise == "discrete_gaussian":
        return scales * np.sqrt(2 * np.log(2 / alpha) * (counts * values**2).sum(axis=1))
    if not len(values):
        return np.zeros(0)
    largest, weights = values[:, 0], _weights(rows)
    odds = (1 / scales)[weights.row]
    log_none, needed = 2 * np.log(-np.expm1(-odds)), np.log(2 / alpha)

    def bound(place: Rows) -> Array:
        step = (_SHARES[place] / (scales * largest))[weights.row] * weights.value
        logs = log_none - np.log(-np.expm1(step - odds)) - np.log(-np.expm1(-step - odds))
        return (weights.sums(logs) + needed) / _SHARES[place]

    return _least_of(bound, len(values)) * scales * largest


def _least_of(bound: Callable[[Rows], Array], n_rows: int) -> Array:
    """Return the least bound of each row over the shares, along which it falls and then rises."""
    low, high = np.zeros(n_rows, np.int64), np.full(n_rows, _SHARES.size - 1)
    while (low < high).any():
        middle = (low + high) // 2
        rises = bound(np.minimum(middle + 1, high)) >= bound(middle)
        low, high = np.where(rises, low, np.minimum(middle + 1, high)), np.where(rises, middle, high)
    return bound(low)
