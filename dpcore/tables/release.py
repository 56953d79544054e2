"""A release of a table: what post-processing makes of it, what it does to bias, and what of the table releases keep.

What is computed from a release alone, and from numbers that are public, costs no privacy. The true total n is such a
number only if n is public: where neighbours differ by one person more or less, n differs too, and clipping at n or
scaling to it uses what the noise was to hide.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gamma, gammaincc

from dpcore.checks import SHAPE_RANGE, Array, generator, number, scalar, scalar_integer

Draw = Callable[[np.random.Generator, tuple[int, ...]], Array]
Post = Callable[[Array], Array]
Progress = Callable[[float], object]
REPEATS_RANGE = "[1, 100000]"
COUNT_RANGE = "[0, 1e15]"
_CHUNK = 2**18  # numbers of one array held at a time, unless one release is longer


def post_process(
    noisy: ArrayLike, clip: ArrayLike | None = None, total: ArrayLike | None = None, rounded: bool = False
) -> Array:
    """Clip to [0, n], scale to a sum and round, as far as chosen, in this order; [Liu19] §4 clips and scales.

    Parameters
    ----------
    noisy : noisy counts, the cells along the last axis and releases along the others.
    clip : n in [0, 1e15], a number or one for each release: counts below 0 become 0, those above n become n.
    total : what the counts are made to sum to, in [0, 1e15], likewise; only with `clip`, since counts of either sign
        have no shares. A release of which clipping leaves nothing gets the same count in each cell.
    rounded : to the nearest whole number, halves to the even one; the counts then sum to about `total`.

    Returns
    -------
    Counts in the shape of `noisy`.

    Examples
    --------
    >>> post_process([-2.0, 6.0, 9.0], clip=8, total=7).tolist()
    [0.0, 3.0, 4.0]
    """
    counts = number("noisy", noisy, "(-inf, inf)")
    scalar_integer("number of axes of noisy", counts.ndim, "[1, 32]")
    if total is not None and clip is None:
        raise ValueError(f"clip must be given where a total is, got None beside {total!r}")
    if clip is not None:
        counts = np.clip(counts, 0, number("clip", clip, COUNT_RANGE)[..., None])
    if total is not None:
        counts = _scaled(counts, number("total", total, COUNT_RANGE)[..., None])
    return np.rint(counts) + 0.0 if rounded else counts  # + 0.0 makes a zero of −0.0


def _scaled(counts: Array, total: Array) -> Array:
    whole = counts.sum(axis=-1, keepdims=True)
    nothing = whole == 0
    if nothing.any():
        counts = np.where(nothing, 1.0, counts)
        whole = np.where(nothing, counts.shape[-1], whole)
    return counts / whole * total


def clipping_lift(count: ArrayLike, scale: ArrayLike, p: ArrayLike) -> Array:
    """E max(0, count + X) − count: by how much clipping at 0 lifts a cell on average, X generalized Gaussian (own).

    It is (b Γ(2/p)/Γ(1/p) Q(2/p, w) − count Q(1/p, w))/2 with w = (count/b)^p and Q = Γ(a, ·)/Γ(a). For Laplace noise,
    p = 1, that is (b/2) e^{−count/b}; for Gaussian noise, p = 2 and b = √2 σ, it is σ φ(z) − count Φ(−z), z = count/σ.

    Parameters
    ----------
    count : true count in [0, 1e15].
    p : shape in [1, 100]; scale : b in [1e-100, 1e15], in counts.

    Returns
    -------
    The lift in counts, at least 0: right to 1e-14 of b.

    Examples
    --------
    >>> print(f"{clipping_lift(0, scale=2, p=1):.3f} {clipping_lift(3, scale=2 * 2**0.5, p=2):.3f}")
    1.000 0.059
    """
    count, p = number("count", count, COUNT_RANGE), number("p", p, SHAPE_RANGE)
    scale = number("scale", scale, "[1e-100, 1e15]")
    with np.errstate(over="ignore", under="ignore"):
        ratio = count / scale
        above = scale * (gamma(2 / p) / gamma(1 / p)) * _beyond(2, p, ratio)
        return np.maximum((above - count * _beyond(1, p, ratio)) / 2, 0.0)[()]


def _beyond(n: int, p: Array, ratio: Array) -> Array:
    """Q(n/p, x^p), by its first term 1 − x^n/Γ(1 + n/p) where x^p would underflow."""
    power = ratio**p
    return np.where(power < 1e-300, 1 - np.minimum(ratio, 1) ** n / gamma(1 + n / p), gammaincc(n / p, power))


def simulated_clipping_lift(rng: np.random.Generator, count: ArrayLike, draw: Draw, n_draws: int = 100_000) -> Array:
    """Return `clipping_lift` for noise of any kind: the mean of max(−count − X, 0) over draws X.

    Parameters
    ----------
    count : true counts in [0, 1e15], any shape.
    draw : of a random source and a shape, noise of that shape, in counts.
    rng : the source of randomness; every count meets the same draws.
    n_draws : in [1, 10,000,000]; the standard error is at most the noise's standard deviation over √n_draws.

    Examples
    --------
    >>> lift = simulated_clipping_lift(np.random.default_rng(1), [0, 3], lambda rng, size: rng.laplace(0, 2, size))
    >>> lift.round(2).tolist()
    [1.0, 0.22]
    """
    generator("rng", rng)
    count = number("count", count, COUNT_RANGE)
    n_draws = scalar_integer("n_draws", n_draws, "[1, 10000000]")
    falls = np.sort(-draw(rng, (n_draws,)))[::-1]
    sums = np.concatenate([[0.0], np.cumsum(falls)])
    deeper = n_draws - np.searchsorted(falls[::-1], count, side="right")  # how many draws take the count below 0
    return np.maximum((sums[deeper] - deeper * count) / n_draws, 0.0)[()]


@dataclass(frozen=True)
class ReleaseStatistics:
    """The shares of releases that preserve order, sign and significance of each cell; see `simulate_releases`."""

    order: Array
    sign: Array
    significance: Array
    n_repeats: int


def simulate_releases(
    rng: np.random.Generator,
    counts: ArrayLike,
    draw: Draw,
    threshold: float,
    n_repeats: int = 500,
    post: Post | None = None,
    progress: Progress | None = None,
) -> ReleaseStatistics:
    """Return the shares of releases that preserve the order, sign and significance of each cell, by simulation.

    A release keeps a cell's order when every cell of a larger count is released as a larger number than it, and every
    cell of a smaller count as a smaller one: its place in a ranking is right, and nothing on the wrong side of it.
    (Cells of the same count may come in any order.) It keeps the sign when the cell is released above 0 exactly if its
    count is above 0, and the significance when it is released at `threshold` or above exactly if its count is above 0.
    With a threshold that an empty cell reaches with probability α at most, it keeps the last in a share 1 − α at least.

    Parameters
    ----------
    counts : true counts in [0, 1e15], at least one, along one axis.
    draw : of a random source and a shape (releases, cells), noise of that shape, in counts.
    rng : the source of randomness.
    threshold : in [0, 1e200], in counts.
    n_repeats : number of releases, in [1, 100,000].
    post : what is made of noisy counts of shape (releases, cells) before they are looked at, as `post_process`.
    progress : called with the finished share now and then.

    Returns
    -------
    Shares in the order of `counts`, of standard error 1/√(4·n_repeats) at most; their means are those of the table.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> releases = simulate_releases(rng, [0, 2, 30], lambda rng, size: rng.laplace(0, 1, size), threshold=2.3)
    >>> releases.order.round(1).tolist(), releases.sign.round(1).tolist(), releases.significance.round(1).tolist()
    ([0.9, 0.9, 1.0], [0.5, 0.9, 1.0], [0.9, 0.4, 1.0])
    """
    counts = table_counts(counts)
    generator("rng", rng)
    threshold = scalar("threshold", threshold, "[0, 1e200]")
    n_repeats = scalar_integer("n_repeats", n_repeats, REPEATS_RANGE)
    filled = counts > 0
    order, sign, significance = np.zeros((3, counts.size))
    for start, n_rows in chunks(n_repeats, counts.size, _CHUNK):
        released = counts + draw(rng, (n_rows, counts.size))
        released = released if post is None else post(released)
        order += _n_in_order(counts, released)
        sign += np.sum((released > 0) == filled, axis=0)
        significance += np.sum((released >= threshold) == filled, axis=0)
        if progress is not None:
            progress((start + n_rows) / n_repeats)
    return ReleaseStatistics(order / n_repeats, sign / n_repeats, significance / n_repeats, n_repeats)


def table_counts(counts: ArrayLike) -> Array:
    """Return the counts of a table along one axis, checked."""
    counts = number("counts", counts, COUNT_RANGE)
    scalar_integer("number of axes of counts", counts.ndim, "[1, 1]")
    scalar_integer("number of cells", counts.size, "[1, 10000000]")
    return counts


def chunks(n_repeats: int, n_cells: int, most: int) -> list[tuple[int, int]]:
    """Return the first release of each chunk and how many it has: at most `most` numbers, but one release at least."""
    rows = max(1, most // n_cells)
    return [(start, min(rows, n_repeats - start)) for start in range(0, n_repeats, rows)]


def _n_in_order(counts: Array, released: Array) -> Array:
    """Return the number of releases (rows) in which a cell lies above all smaller counts and below all larger ones."""
    ascending = np.argsort(counts, kind="stable")
    ranked, values = counts[ascending], released[:, ascending]
    smaller, not_larger = np.searchsorted(ranked, ranked, "left"), np.searchsorted(ranked, ranked, "right")
    end = np.full((len(values), 1), np.inf)
    highest_before = np.hstack([-end, np.maximum.accumulate(values, axis=1)])[:, smaller]
    lowest_after = np.hstack([np.minimum.accumulate(values[:, ::-1], axis=1)[:, ::-1], end])[:, not_larger]
    n_kept = np.empty(counts.size)
    n_kept[ascending] = np.sum((values > highest_before) & (values < lowest_after), axis=0)
    return n_kept
