"""The tail of weighted sums of noise that is not normal.

It is that of the characteristic function, summed at equal steps (Gil-Pelaez): the tail of the sum wrapped around a
circle, which is so wide that next to nothing wraps. Of Laplace noise the function is Π 1/(1 + (aⱼs)²). Of noise in
whole numbers the tail is exact where the weights are multiples of the least one; else it is that of the noise with what
makes it smooth, and a margin for it. All numbers are sought at once.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian, geometric, laplace
from dpcore.checks import Array
from dpcore.linear_queries.errors import Options, noise_weights
from dpcore.linear_queries.workloads import Workload, known_workload
from dpcore.roots import Rows, safe_root

_FORGOTTEN = 1e-13  # mass of a whole sum beyond the circle, and its characteristic function beyond the terms
_ROUNDING = 1e-10  # of a tail: both of these, and rounding
_MOST_POINTS = 2_000_000
_WRAPPED = 1e-12
_FEW_TERMS, _MOST_TERMS = 128, 200_000
_FIRST_KINDS = 24  # of weights, whose logarithms are added up one by one in bounds
_LAPLACE_SHARES = 0.5, 0.7, 0.8, 0.9, 0.95  # of the s up to which a Laplace variable has moments
_CLOSE, _FIRST_STEP = 1e-12, 0.1  # relative, of a half-width
_WHOLE, _MOST_MULTIPLE, _MOST_STEPS = 1e-9, 16, 4096  # of weights that are multiples of the least one; terms of them
_SHIFTS = np.array([0, 2 / 3**0.5, 2, 2.5, 3, 4, 5])  # x/v, and the most of Pr(V ≤ −x)
_BELOW = np.array([0.5, 1 / 6, 1 / 18, 2 / 9 / 2.5**2, *np.exp(-(np.array([3.0, 4, 5]) ** 2) / 2)])
_CUT, _MOST_CUT = 1e-6, 0.5  # of α: what is left out, and what cannot be
_FEW_SHARES = 0.4, 0.6, 0.75, 0.85, 0.92  # of `_SHARES`
_WIDE = 3.0  # the scale from which on smooth noise is not far from noise in whole numbers
_GRAIN, _OF_A_GRAIN = 1e-12, 0.01  # of weights, and how much of it rounding has added
_MOST_CONTAINING = 8
_SHARED = 64, 128, 256, 384, 512, 1000  # periods of series whose beginnings have the same noise
_IN_TIME = "each", "running_totals", "window", "cumulated_distribution"
_WITHOUT_END = "per_period", "binary_tree", "square_root", "banded"
_AT_ONCE = 500_000  # numbers in one array
_SHARES = np.linspace(0.005, 0.995, 199)  # of the s up to which geometric noise has moments; any s is safe


class Tallies(NamedTuple):
    """The different weights in each row, the largest first, and how often each occurs; 0 where there are no more."""

    values: Array
    counts: Array


def tallies(rows: Sequence[Array]) -> Tallies:
    """Return the tallies of rows of positive weights.

    Examples
    --------
    >>> values, counts = tallies([np.array([1.0, 2.0, 1.0]), np.ones(1)])
    >>> values.tolist(), counts.tolist()
    ([[2.0, 1.0], [1.0, 0.0]], [[1.0, 2.0], [1.0, 0.0]])
    """
    return _tallies(_falling(rows))


def _falling(rows: Sequence[Array]) -> Array:
    """Return rows of weights as a matrix, the largest first, with zeros behind."""
    matrix = np.zeros((len(rows), max(row.size for row in rows)))
    for place, row in enumerate(rows):
        matrix[place, : row.size] = row
    return -np.sort(-matrix, axis=1)


def _tallies(falling: Array) -> Tallies:
    changes = falling[:, 1:] != falling[:, :-1]
    if changes.sum() == np.count_nonzero(falling[:, 1:]) + np.count_nonzero(falling[:, -1] == 0):  # no weight twice
        return Tallies(falling, (falling > 0).astype(np.float64))
    kind = np.zeros(falling.shape, np.int64)
    np.cumsum(changes, axis=1, out=kind[:, 1:])
    shape = len(falling), int(kind.max()) + 1
    values, every = np.zeros(shape), np.arange(shape[0])[:, np.newaxis]
    values[every, kind] = falling
    counts = np.bincount((every * shape[1] + kind)[falling > 0], minlength=shape[0] * shape[1]).reshape(shape)
    n_kinds = int((values > 0).sum(axis=1).max())
    return Tallies(values[:, :n_kinds], counts[:, :n_kinds].astype(np.float64))


def wider(numbers: Workload, strategy: str, options: Options) -> Workload:
    """Return a longer series that begins with these numbers, each with the same noise, so that shorter ones share it.

    Where there is none, return the series itself: where the noise of a number depends on n.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> from dpcore.linear_queries.errors import Options
    >>> wider(workload("running_totals", 70), "square_root", Options(2, 8, "once", "")).n
    128
    """
    is_tree = strategy == "tree" and options.branching == 2 and options.publication == "as_it_goes"
    longer = [n for n in _SHARED if n >= numbers.n]
    if numbers.name not in _IN_TIME or not (is_tree or strategy in _WITHOUT_END) or not longer:
        return numbers
    return known_workload(numbers.name, longer[0], numbers.window if numbers.window > 1 else None)


@lru_cache(16)
def weights_of(numbers: Workload, strategy: str, options: Options) -> tuple[Array, Rows]:
    """Return the weights of the noise in the published numbers, each kind once, and the kind of each number.

    They are rounded up to 1e-12, but for what rounding has added; in each row the largest stands first.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> rows, place = weights_of(workload("running_totals", 3), "binary_tree", (2, 1, "once", ""))
    >>> rows.tolist(), place.tolist()
    ([[1.0, 0.0], [1.0, 1.0]], [0, 0, 1])
    """
    if (shared := wider(numbers, strategy, options)).n > numbers.n:
        rows, place = weights_of(shared, strategy, options)
        place = place[: numbers.first.size]
        return _cut(rows[: place.max() + 1]), place
    weights = noise_weights(numbers, strategy, options)
    falling = -np.sort(-np.ceil(abs(weights) / _GRAIN - _OF_A_GRAIN) * _GRAIN, axis=1)
    falling = np.ascontiguousarray(_cut(falling))
    kinds: dict[bytes, int] = {}
    place = np.array([kinds.setdefault(row.tobytes(), len(kinds)) for row in falling])
    first = np.zeros(len(kinds), np.int64)
    first[place[::-1]] = np.arange(place.size)[::-1]
    return falling[first], place


@lru_cache(32)
def all_tallies(numbers: Workload, strategy: str, options: Options) -> tuple[Tallies, Rows]:
    """Return the tallies of `weights_of`, and the kind of each number."""
    if (shared := wider(numbers, strategy, options)).n > numbers.n:
        rows, place = all_tallies(shared, strategy, options)
        place = place[: numbers.first.size]
        return Tallies(*map(_cut, (rows.values[: place.max() + 1], rows.counts[: place.max() + 1]))), place
    falling, place = weights_of(numbers, strategy, options)
    return _tallies(falling), place


def _cut(rows: Array) -> Array:
    """Return rows that begin with positive numbers without the columns of zeros behind them."""
    return rows[:, : int((rows > 0).sum(axis=1).max())]


@lru_cache(32)
def largest_tallies(numbers: Workload, strategy: str, options: Options) -> Tallies:
    """Return the tallies of the numbers of which no other one of a few contains the noise, as `_not_contained`.

    Examples
    --------
    >>> from dpcore.linear_queries import workload
    >>> largest = largest_tallies(workload("running_totals", 3), "per_period", (2, 1, "once", ""))
    >>> largest.values.tolist(), largest.counts.tolist()
    ([[1.0]], [[3.0]])
    """
    return _tallies(_not_contained(weights_of(numbers, strategy, options)[0]))


def _not_contained(falling: Array) -> Array:
    """Return the rows of falling weights but those that are nowhere above one of a few others.

    Examples
    --------
    >>> _not_contained(np.array([[1, 0], [1, 1], [1.5, 0.5]])).tolist()
    [[1.0, 1.0], [1.5, 0.5]]
    """
    left, kept = falling, []
    while len(left) and len(kept) < _MOST_CONTAINING:
        largest = left[left.sum(axis=1).argmax()]
        kept.append(largest)
        left = left[(left > largest).any(axis=1)]
    return np.array([*kept, *left])


class Waves(NamedTuple):
    """The characteristic functions of sums at equal steps, as far as their tails need them.

    Attributes
    ----------
    cut : what the terms that are left out add to the tail of each row at most, with what wraps around the circle.
    part, place : in which of `heights` a row is, and where.
    heights : rows × terms k = 1, 2, …: the functions at the steps over k, or as much in whole steps.
    """

    cut: Array
    part: Rows
    place: Rows
    heights: tuple[Array, ...]

    def tails(self, rows: Rows, share: Array) -> Array:
        """Return 1 − x − 2/π Σ heights sin(kπx) + cut of each of the rows, at the share x of half its circle."""
        found = 1 - share + self.cut[rows]
        for part, heights in enumerate(self.heights):
            own = np.flatnonzero(self.part[rows] == part)
            if own.size:
                angles = np.multiply.outer(np.pi * share[own], np.arange(1, heights.shape[1] + 1))
                found[own] -= 2 / np.pi * np.einsum("ij,ij->i", np.sin(angles), heights[self.place[rows[own]]])
        return found


def _waves(cut: Array, groups: list[tuple[Rows, Array]]) -> Waves:
    """Return the waves of groups of rows, each with its heights."""
    part, place = np.zeros((2, cut.size), np.int64)
    for number, (rows, _) in enumerate(groups):
        part[rows], place[rows] = number, np.arange(rows.size)
    return Waves(cut, part, place, tuple(heights for _, heights in groups))


class LaplaceSums(NamedTuple):
    """The waves of sums of more than two Laplace variables, and half the circle of each row."""

    far: Array
    waves: Waves


def laplace_half_widths(rows: Tallies, alpha: float, sums: LaplaceSums | None = None) -> Array:
    """Return the t of each row of weights with Pr(|Σ aⱼXⱼ| > t) = α of Laplace variables of scale 1, rounded up.

    The `laplace_sums` of the rows are computed unless they are given.

    Examples
    --------
    >>> laplace_half_widths(tallies([np.ones(1), np.ones(2)]), 0.05).round(4).tolist()
    [2.9957, 4.113]
    """
    far, waves = sums or laplace_sums(rows)
    largest, n = rows.values[:, 0], rows.counts.sum(axis=1)
    found = largest * float(laplace.half_width(alpha, 1.0))
    several = np.flatnonzero(n > 1)
    if not several.size:
        return found
    second = np.where(rows.counts > 1, rows.values, 0).max(axis=1)
    if rows.values.shape[1] > 1:
        second = np.maximum(second, rows.values[:, 1])
    ratio, is_pair = (second / largest)[several], n[several] <= 2

    def log_excess(places: Rows, tried: Array) -> Array:
        tails, pair = np.empty(places.size), is_pair[places]
        tails[pair] = _tails_of_pairs(ratio[places[pair]], tried[pair])
        others = several[places[~pair]]
        tails[~pair] = waves.tails(others, np.minimum(tried[~pair] / far[others], 1))
        return np.log(np.maximum(tails, _WRAPPED) / alpha)

    variances = 2 * (rows.counts * rows.values**2).sum(axis=1)[several] / largest[several] ** 2
    guess = np.minimum(gaussian.half_width(alpha, np.sqrt(variances)), far[several] / 2)
    roots = safe_root(log_excess, guess, np.zeros(several.size), _CLOSE, _FIRST_STEP) * (1 + _CLOSE)
    found[several] = largest[several] * roots
    return found


def _tails_of_pairs(b: Array, t: Array) -> Array:
    """Return Pr(|X + bY| > t) = (e^{−t} − b² e^{−t/b})/(1 − b²), and e^{−t}(1 + t/2) where b is 1."""
    x = t * (1 - b) / b
    share = -np.expm1(-x) / np.maximum(x, 1e-300)
    return np.exp(-t) * (1 + np.where(x > 0, share, 1) * t * b / (1 + b))


@np.errstate(over="ignore")
def laplace_sums(rows: Tallies) -> LaplaceSums:
    """Return the waves of Π 1/(1 + (aⱼs)²) of the rows, each divided by its largest weight."""
    counts, values = rows.counts, rows.values / rows.values[:, :1]
    first, rest = values[:, :_FIRST_KINDS], slice(_FIRST_KINDS, None)
    ceiling = first[:, -1:] if values.shape[1] > _FIRST_KINDS else np.zeros((len(values), 1))
    square, size = (counts[:, rest] * values[:, rest] ** 2).sum(axis=1), counts[:, :_FIRST_KINDS]
    far = np.full(len(values), np.inf)
    for s in _LAPLACE_SHARES:  # −ln(1 − y)/y rises and ln(1 + y)/y falls: so the bounds of the rest
        y = (ceiling[:, 0] * s) ** 2
        bound = square * s * s * _over(np.log1p(-y), -y) - (size * np.log1p(-((first * s) ** 2))).sum(axis=1)
        far = np.minimum(far, (bound + np.log(2 / _WRAPPED)) / s)
    longest = _longest(values, counts)
    if longest.size:  # the same steps for all
        far = np.full(far.size, far.max(initial=0))
    cut, groups, n_terms = np.full(len(values), 2 * _WRAPPED), [], 16
    left = np.flatnonzero(counts.sum(axis=1) > 2)
    while left.size:
        end = np.pi / far[left] * n_terms
        y = (ceiling[left, 0] * end) ** 2
        vanished = (size[left] * np.log1p((first[left] * end[:, np.newaxis]) ** 2)).sum(axis=1)
        vanished += square[left] * end**2 * _over(np.log1p(y), y)
        is_last = n_terms * 2 > _MOST_TERMS
        ends = is_last | (vanished >= -np.log(_WRAPPED))
        group, left = left[ends], left[~ends]
        if group.size:
            steps = np.pi / far[group] * np.arange(1, n_terms + 1)[:, np.newaxis]
            if longest.size:
                n_weights = counts[group].sum(axis=1).astype(np.int64)
                parts = 1 + np.multiply.outer(longest[: n_weights.max()], steps[:, 0]) ** 2
                functions = 1 / np.cumprod(parts, axis=0)[n_weights - 1]
            else:
                functions = _laplace_functions(values[group], counts[group], steps.T)
            cut[group] += functions[:, -1]
            groups.append((group, functions / np.arange(1, n_terms + 1)))
        n_terms = n_terms + 16 if n_terms < _FEW_TERMS else 2 * n_terms
    return LaplaceSums(far, _waves(cut, groups))


def _over(logarithm: Array, y: Array) -> Array:
    """Return ln(1 + y)/y, and 1 where y is 0."""
    return np.where(y != 0, logarithm / np.where(y != 0, y, 1), 1)


def _longest(values: Array, counts: Array) -> Array:
    """Return the weights of the row with the most of them if all others have the first of these, else none."""
    row = counts.sum(axis=1).argmax()
    is_there, is_full = counts > 0, counts == counts[row]
    is_last = is_there & ~np.pad(is_there[:, 1:], ((0, 0), (0, 1)))
    is_part = is_full | (is_last & (counts < counts[row]))
    if (((values == values[row]) & is_part) | ~is_there).all():
        return np.repeat(values[row], counts[row].astype(np.int64))
    return np.zeros(0)


def _laplace_functions(values: Array, counts: Array, steps: Array) -> Array:
    """Return Π 1/(1 + (aⱼs)²)^cⱼ of each row at its steps s."""
    found, squares = np.ones(steps.shape), steps**2
    n_at_once = max(1, _AT_ONCE // steps.shape[1])
    for row, square in enumerate(squares):
        for is_often in (False, True):
            places = np.flatnonzero(counts[row] > 1 if is_often else counts[row] == 1)
            for first in range(0, places.size, n_at_once):
                kinds = places[first : first + n_at_once]
                parts = np.multiply.outer(values[row, kinds] ** 2, square)
                if is_often:
                    found[row] *= np.exp(counts[row, kinds] @ np.log1p(parts))
                else:
                    parts += 1
                    found[row] *= np.multiply.reduce(parts, axis=0)
    return 1 / found


def whole_half_widths(rows: Tallies, alpha: float, noise: str, scale: ArrayLike) -> Array:
    """Return the least t of each row with Pr(|Σ aⱼZⱼ| > t) ≤ α, or an upper bound of it; a scale for all or for each.

    Examples
    --------
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
    """Return the least whole t with Pr(|Σ mⱼZⱼ| > t) + 1e-10 ≤ α, which is at most far, of whole multiples m.

    The tail is 1 − (2t + 1)/N − 2/N Σ φ(θₖ) sin((t + ½)θₖ)/sin(θₖ/2) with θₖ = 2πk/N on a circle of N = 2 far + 3. Of
    equal summands φ falls up to π, so that the terms that are left out are at most Σ φ(θₖ)/k.
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
            shares = np.arange(1, n_terms + 1) / size[part, np.newaxis]
            angles = 2 * np.pi * np.minimum(shares, 0.5)
            heights = _functions(_chosen(rows, part), angles, scale[part], noise) / np.sin(angles / 2)
            heights[shares > 0.5] = 0
            groups.append((part, heights * (np.pi / size[part])[:, np.newaxis]))
        n_terms *= 2
    waves = _waves(np.full(far.size, _ROUNDING), groups)
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
    row, kind = np.nonzero(rows.counts)
    return _Weights(row, rows.values[row, kind], rows.counts[row, kind], np.flatnonzero(np.diff(row, prepend=-1)))


def _functions(rows: Tallies, steps: Array, scale: Array, noise: str, is_smooth: bool = False) -> Array:
    """Return Π φ(aⱼs)^cⱼ of each row at its steps s, times as many sin(aⱼs/2)/(aⱼs/2) where it is smooth."""
    weights = _weights(rows)
    angles = weights.value[:, np.newaxis] * steps[weights.row]
    turned = angles
    if angles.max(initial=0) > np.pi:
        turned = abs((angles + np.pi) % (2 * np.pi) - np.pi)
    values = _characteristic(turned, scale[weights.row, np.newaxis], noise)
    if is_smooth:
        values *= np.sinc(angles / (2 * np.pi))
    often = np.flatnonzero(weights.often > 1)
    values[often] **= weights.often[often, np.newaxis]
    return np.multiply.reduceat(values, weights.first, axis=0) if weights.row.size else values


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
    family = geometric if noise == "geometric" else discrete_gaussian
    spread = np.sqrt(squares * family.variance(scale) + v**2)
    guesses = gaussian.half_width(alpha * (1 - _BELOW[:, np.newaxis]), spread)
    best = (guesses + _SHIFTS[:, np.newaxis] * v).argmin(axis=0)
    every = np.arange(found.size)
    guess, shift, level = guesses[best, every], _SHIFTS[best] * v, alpha * (1 - _BELOW[best])
    waves, far = _smooth_waves(rows, alpha, noise, scale)
    known = np.flatnonzero(waves.cut < _MOST_CUT * alpha)

    def log_excess(places: Rows, tried: Array) -> Array:
        own = known[places]
        tails = waves.tails(own, np.minimum(tried / far[own], 1))
        return np.log(np.maximum(tails, _FORGOTTEN) / level[own])

    guess = np.minimum(guess, far / 2)[known]
    roots = safe_root(log_excess, guess, np.zeros(known.size), _CLOSE, _FIRST_STEP) * (1 + _CLOSE)
    found[known] = roots + shift[known]
    narrow = np.flatnonzero((scale < _WIDE) | np.isinf(found))
    bound = chernoff_half_widths(_chosen(rows, narrow), alpha, noise, scale[narrow])
    found[narrow] = np.minimum(found[narrow], bound)
    return found


def _smooth_waves(rows: Tallies, alpha: float, noise: str, scale: Array) -> tuple[Waves, Array]:
    """Return the waves of Σ aⱼ(Zⱼ + Uⱼ), and half the circle of each row.

    For θ = aⱼs beyond π a factor is at most c π/θ: sin(θ/2) φ(θ) is at most c π/2, and c itself bounds it where φ is
    less. So the terms left out are at most 2/π Π bⱼ (ln⁺(far/(a₁K)) + 2), with the bounds bⱼ at the last term K.
    """
    weights = _weights(rows)
    far = _bound_of_smooth(weights, _CUT * alpha, noise, scale)
    highest = 0.61 / scale if noise == "discrete_gaussian" else np.sinh(np.minimum(0.5 / scale, 5)) / 2
    ceiling = 2 / np.pi * np.minimum(highest, 1)
    cut, groups, left, n_terms = np.full(far.size, _CUT * alpha + _FORGOTTEN), [], np.arange(far.size), 8
    while left.size:
        angles = weights.value * (np.pi * n_terms / far)[weights.row]
        falling = _characteristic(np.minimum(angles, np.pi), scale[weights.row], noise)
        least = ceiling[weights.row]
        bounds = np.where(angles > np.pi, least * np.pi / np.maximum(angles, 1), np.maximum(falling, least))
        beyond = np.log(np.maximum(far / rows.values[:, 0] / n_terms, 1)) + 2
        rest = (2 / np.pi * np.exp(weights.sums(np.log(bounds))) * beyond)[left]
        ends = (rest <= _CUT * alpha) | (n_terms * 2 > _MOST_STEPS)
        group = left[ends]
        if group.size:
            cut[group] += rest[ends]
            steps = np.pi / far[group, np.newaxis] * np.arange(1, n_terms + 1)
            heights = _functions(_chosen(rows, group), steps, scale[group], noise, is_smooth=True)
            groups.append((group, heights / np.arange(1, n_terms + 1)))
        left, n_terms = left[~ends], n_terms + 4 if n_terms < 32 else 2 * n_terms
    return _waves(cut, groups), far


def _bound_of_smooth(weights: _Weights, alpha: float, noise: str, scale: Array) -> Array:
    """Return what Σ aⱼ(Zⱼ + Uⱼ) is within but with a chance of α, by Chernoff's bound at a few s."""
    spare = np.add.reduceat(weights.often * weights.value, weights.first) / 2
    if noise == "discrete_gaussian":
        return scale * np.sqrt(2 * np.log(2 / alpha) * weights.sums(weights.value**2)) + spare
    rates = 1 / (scale * weights.value[weights.first])  # each row begins with its largest weight
    odds = (1 / scale)[weights.row]
    log_none, found = 2 * np.log(-np.expm1(-odds)), np.full(scale.size, np.inf)
    for share in _FEW_SHARES:
        step = share * rates[weights.row] * weights.value
        logs = log_none - np.log(-np.expm1(step - odds)) - np.log(-np.expm1(-step - odds))
        found = np.minimum(found, (weights.sums(logs) + np.log(2 / alpha)) / (share * rates))
    return found + spare


def _characteristic(angle: Array, scale: Array, noise: str) -> Array:
    """Return E cos(θZ) for θ in [0, π]: 1/(1 + sin²(θ/2)/sinh²(1/(2s))), or of discrete Gaussian noise ϑ₃(θ/2)/ϑ₃(0).

    From σ = 1 on the latter is Σ e^{−σ²(θ + 2πj)²/2}/Σ e^{−σ²(2πj)²/2}, below it is the sum of the probabilities.
    """
    with np.errstate(over="ignore", under="ignore"):
        if noise == "geometric":
            return 1 / (1 + (np.sin(angle / 2) / np.sinh(0.5 / scale)) ** 2)
        if (scale >= _WIDE).all():  # the others are below 1e-19
            return np.exp(-((scale * angle) ** 2) / 2)
        waves = sum(np.exp(-((scale * (angle + 2 * np.pi * j)) ** 2) / 2) for j in (-1, 0, 1))
        smooth = waves / (1 + 2 * np.exp(-((scale * 2 * np.pi) ** 2) / 2))
        if (scale >= 1).all():
            return smooth
        chance = [np.exp(-((y / scale) ** 2) / 2) for y in range(1, 10)]
        narrow = 1 + 2 * sum(one * np.cos(y * angle) for y, one in enumerate(chance, start=1))
        return np.where(scale < 1, narrow / (1 + 2 * sum(chance)), smooth)


def chernoff_half_widths(rows: Tallies, alpha: float, noise: str, scale: ArrayLike) -> Array:
    """Return min (Σ ln E e^{s aⱼ Z} + ln(2/α))/s; discrete Gaussian noise has moments below N(0, σ²)'s ([CKS20]).

    Examples
    --------
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
