"""A release of counts with noise above a threshold, its exact δ, and the noises that it can have."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian, geometric, laplace, truncated_geometric
from dpcore.checks import EPSILON_RANGE, Array, PlainRecord, integer, leave_out, number, option
from dpcore.composition import certified_delta, geometric_release, laplace_release, optimal_delta
from dpcore.families import FAMILIES
from dpcore.rounding import ULP, quotient_excess, round_down, round_sum_down, round_up
from dpcore.unknown_groups.selection import GROUPS_RANGE

_MOST_EPSILON, _MOST_LOSS = 1e6, 1e3
_TIGHT = 1e-6  # the excess that is asked of a certified δ
Profile = Callable[[Array, Array, Array, Array, Array], Array]
CappedProfile = Callable[[Array, Array, Array, Array, Array, Array], Array]


@dataclass(frozen=True)
class Noise:
    """Noise of one family.

    Attributes
    ----------
    key : of its record in `dpcore.families`.
    profile : δ_j(ε) of (ε, scale, N, c, j) where j ≥ 1 counts move by c at once, arrays of one axis; rounded up.
    capped : the same of (ε, scale, N, c, j, t) where they move by t < jc in all; None where none is known.
    """

    key: str
    profile: Profile
    capped: CappedProfile | None

    @property
    def is_whole(self) -> bool:
        """Whether its draws are whole numbers."""
        return FAMILIES[self.key].whole

    @property
    def has_bound(self) -> bool:
        """Whether it is truncated at ±N."""
        return FAMILIES[self.key].truncated

    def tail(self, t: Array, scale: Array, bound: Array) -> Array:
        """Pr(|noise| > t), rounded up."""
        return FAMILIES[self.key].functions.tail(t, *((bound, scale) if self.has_bound else (scale,)))

    def exceedance(self, limit: Array, scale: Array, bound: Array) -> Array:
        """Pr(noise ≥ limit), rounded up; the limit is whole where the draws are."""
        half = self.tail(np.where(limit > 0, limit - self.is_whole, -limit), scale, bound) / 2
        return np.where(limit > 0, half, np.minimum((1 - half) * (1 + 64 * ULP), 1))

    def sure_exceedance(self, limit: Array, scale: Array, bound: Array) -> Array:
        """Pr(noise ≥ limit), rounded down; the limit is whole where the draws are."""
        half = self.tail(np.where(limit > 0, limit - self.is_whole, -limit), scale, bound) / 2
        z = np.minimum(abs(limit) / scale, 1e3)
        return np.where(limit > 0, half * (1 - (128 + 16 * z * (1 + z)) * ULP), np.maximum(1 - half - 2 * ULP, 0))

    def joint_delta(
        self, epsilon: Array, scale: Array, bound: Array, shift: Array, cells: Array, total: Array
    ) -> Array:
        """δ_j(ε) of j ≥ 0 counts that move by `total` in all at most, rounded up; arrays of one axis, ε ≥ 0."""
        delta, some = np.zeros(epsilon.shape), cells > 0
        arguments = np.minimum(epsilon, _MOST_EPSILON), scale, bound, shift, cells
        is_capped = some & (total < shift * cells)
        whole = some & ~is_capped
        delta[whole] = self.profile(*(argument[whole] for argument in arguments))
        if self.capped is not None and np.any(is_capped):
            delta[is_capped] = self.capped(*(argument[is_capped] for argument in (*arguments, total)))
        return delta


def euclidean_norm(shift: Array, cells: Array, total: Array) -> Array:
    """Return the most by which j counts move in the Euclidean norm, each by c and all by `total`, rounded up.

    The squares are the most where as many as possible move by c, and one by the rest.
    """
    full = np.floor(np.minimum(total, shift * cells) / shift)
    rest = np.minimum(total, shift * cells) - full * shift
    even = round_up(np.sqrt(cells), 1) * shift * (1 + ULP)
    return np.where(total < shift * cells, round_up(np.sqrt(full * shift**2 + rest**2), 4), even)


def _gaussian_profile(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array) -> Array:
    return gaussian.delta_from_sigma(epsilon, scale, euclidean_norm(shift, cells, shift * cells))


def _gaussian_capped(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array, total: Array) -> Array:
    return gaussian.delta_from_sigma(epsilon, scale, euclidean_norm(shift, cells, total))


def _discrete_gaussian_profile(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array) -> Array:
    return discrete_gaussian.delta_from_sigma(epsilon, scale, np.sqrt(cells * shift**2), cells)


def _laplace_profile(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array) -> Array:
    def composed(loss: float, _shift: float, count: int, at: Array) -> Array:
        return certified_delta([laplace_release(loss, count)], at, _TIGHT).value

    delta_of_one = laplace.delta_from_scale(epsilon, scale, shift)
    return _below_pure(epsilon, scale, shift, cells, delta_of_one, composed)


def _laplace_capped(epsilon: Array, scale: Array, bound: Array, shift: Array, cells: Array, total: Array) -> Array:
    """δ of one count that moves by all of it, which is never less (own), or that without a limit in all.

    A vector is reached in steps of one coordinate, x₁, x₂, …, whose trade-off functions follow each other as those of
    one coordinate that moves by x₁ + x₂ + …: log-concave noise has its best tests above a limit.
    """
    return _least_of(
        laplace.delta_from_scale(epsilon, scale, total), _laplace_profile, epsilon, scale, bound, shift, cells
    )


def _geometric_capped(epsilon: Array, scale: Array, bound: Array, shift: Array, cells: Array, total: Array) -> Array:
    """δ of one count that moves by all of it, as of Laplace noise, or that without a limit in all."""
    return _least_of(
        geometric.delta_from_scale(epsilon, scale, total), _geometric_profile, epsilon, scale, bound, shift, cells
    )


def _least_of(delta: Array, profile: Profile, *arguments: Array) -> Array:
    """Return the lesser δ; where the first is 0, the profile is not computed."""
    some = delta > 0
    delta[some] = np.minimum(delta[some], profile(*(argument[some] for argument in arguments)))
    return delta


def _geometric_profile(epsilon: Array, scale: Array, _bound: Array, shift: Array, cells: Array) -> Array:
    def composed(loss: float, shift: float, count: int, at: Array) -> Array:
        if shift == 1:
            return optimal_delta(at, loss, count)
        return certified_delta([geometric_release(loss, shift, count)], at, _TIGHT).value

    delta_of_one = geometric.delta_from_scale(epsilon, scale, shift)
    return _below_pure(epsilon, scale, shift, cells, delta_of_one, composed)


def _below_pure(
    epsilon: Array,
    scale: Array,
    shift: Array,
    cells: Array,
    delta_of_one: Array,
    composed: Callable[[float, float, int, Array], Array],
) -> Array:
    """δ of j counts that lose c/s each at most: 0 from jc/s on, `one` of j = 1, else `composed` once for each j."""
    delta = np.where(cells == 1, delta_of_one, 0.0)
    left = (cells > 1) & (quotient_excess(epsilon, scale, shift * cells) > 0)
    loss = round_up(shift / scale, 1)
    for key in set(zip(loss[left].tolist(), shift[left].tolist(), cells[left].tolist(), strict=True)):
        rows = np.flatnonzero(left & (loss == key[0]) & (shift == key[1]) & (cells == key[2]))
        delta[rows] = composed(key[0], key[1], int(key[2]), epsilon[rows]) if key[0] <= _MOST_LOSS else 1.0
    return delta


def _truncated_geometric_profile(epsilon: Array, scale: Array, bound: Array, shift: Array, cells: Array) -> Array:
    finite = np.isfinite(scale)
    left = finite & (quotient_excess(epsilon, np.where(finite, scale, 1.0), shift * cells) > 0)
    loss = np.where(left, round_up(shift / scale, 1), 0.0)  # where ε covers all losses, only the δ of each are left
    broken = truncated_geometric.delta_from_bound(_MOST_EPSILON, bound, scale, shift)
    many = optimal_delta(epsilon, np.minimum(loss, _MOST_LOSS), cells, np.minimum(broken, 1 - ULP))
    several = np.where(loss > _MOST_LOSS, 1.0, many)
    return np.where(cells == 1, truncated_geometric.delta_from_bound(epsilon, bound, scale, shift), several)


def _truncated_geometric_capped(
    epsilon: Array, scale: Array, bound: Array, shift: Array, cells: Array, total: Array
) -> Array:
    """δ of all losses together where ε covers them, else that without a limit in all."""
    delta = _truncated_geometric_profile(epsilon, scale, bound, shift, cells)
    finite = np.isfinite(scale)
    is_covered = ~finite | (quotient_excess(epsilon, np.where(finite, scale, 1.0), total) <= 0)
    return np.where(is_covered, np.minimum(broken_delta(scale, bound, shift, total), delta), delta)


def broken_delta(scale: Array, bound: Array, shift: Array, total: Array) -> Array:
    """Return the most of 1 − Π(1 − δ₀(x_i)), Σ x_i = `total`, x_i ≤ c, δ₀ that a draw tells of x; rounded up.

    −ln(1 − δ₀(x)) is convex in x and 0 at 0, so that as many as possible move by c, and one by the rest.
    """

    def log_kept(moved: Array) -> Array:
        beyond = truncated_geometric.delta_from_bound(_MOST_EPSILON, bound, scale, np.maximum(moved, 1.0))
        with np.errstate(divide="ignore"):
            return np.where(moved > 0, np.log1p(-beyond), 0.0)

    full = np.floor(total / shift)
    lost = full * log_kept(shift) + log_kept(total - full * shift)
    return np.minimum(round_up(-np.expm1(lost), 8), 1.0)


NOISES = {
    noise.key: noise
    for noise in (
        Noise("gaussian", _gaussian_profile, _gaussian_capped),
        Noise("laplace", _laplace_profile, _laplace_capped),
        Noise("discrete_gaussian", _discrete_gaussian_profile, None),
        Noise("geometric", _geometric_profile, _geometric_capped),
        Noise("truncated_geometric", _truncated_geometric_profile, _truncated_geometric_capped),
    )
}

CONTRIBUTIONS_RANGE = "[1, 1e6]"
THRESHOLD_RANGE = "[-1e15, 1e15]"
TOTAL_RANGE = "[1, inf]"
RULES = ("at_least", "above")
_MOST_LOST = 1e8  # of −m ln F, beyond every ε
_MOST_PAIRS = 2**18  # of settings and numbers m that are computed at once


@dataclass(frozen=True)
class ThresholdRelease(PlainRecord):
    """Counts of people in groups with noise, of which those that reach a threshold are released, with their names.

    Attributes
    ----------
    noise : "gaussian", "discrete_gaussian", "laplace", "geometric" or "truncated_geometric".
    scale : σ, b or s of the noise.
    threshold : τ.
    bound : N of truncated geometric noise, which lies in −N … N; ∞ of the others.
    groups_per_person : k, in how many groups a person is at most.
    contributions : c, by how much a person changes the count of each of these groups at most.
    rule : "at_least" where a count with noise appears from τ on, "above" where it has to be greater.
    total : N, by how much a person changes the counts of all groups together at most; ∞ where that is not limited.
    """

    noise: str
    scale: Array
    threshold: Array
    bound: Array
    groups_per_person: Array
    contributions: Array
    rule: str
    total: Array = field(default_factory=lambda: np.asarray(np.inf))


def delta_from_threshold(
    epsilon: ArrayLike,
    scale: ArrayLike,
    threshold: ArrayLike,
    groups_per_person: ArrayLike = 1,
    noise: str = "gaussian",
    contributions: ArrayLike = 1,
    rule: str = "at_least",
    bound: ArrayLike | None = None,
    total: ArrayLike | None = None,
) -> Array:
    """Return the exact δ of counts with noise above a threshold ([WKZK24]; both directions own).

    It is max over m of max(1 − F^m (1 − δ_j(ε − m ln F)), δ_j(ε + m ln F)), j = k − m.

    F = Pr(c + noise < τ), or ≤ τ with the rule "above": that a group in which the person is alone does not appear. m of
    the k groups are such, and in the j others, which have more people, the count moves by c; δ_j is the profile of the
    noise on j counts that all move by c. The first entry is that of the data with the person against those without, the
    second of the reverse. The δ of the noise and that of the threshold are not added.

    With a limit N in all it is an upper bound (own): each of the m groups is taken to have c, and the j others N − m,
    split as is worst for their noise (see Notes). Where m = k decides, that raises τ by c − 1 at most. Noise
    that ends below τ hides by itself whether anybody is in a group, so that m is 0.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scale : σ, b or s, in the range of the noise.
    threshold : τ in [−1e15, 1e15].
    groups_per_person : k, a whole number in [1, 1e4].
    noise : "gaussian", "discrete_gaussian", "laplace", "geometric" or "truncated_geometric".
    contributions : c, a whole number in [1, 1e6]: how much a person adds to the count of a group at most.
    rule : "at_least" (a group appears if count + noise ≥ τ) or "above" (if count + noise > τ). For noise on whole
        numbers "above" τ is "at_least" τ + 1; for the others the two are the same.
    bound : where truncated geometric noise ends; left out of the others.
    total : N, a whole number or ∞: the most that a person adds to all groups together. Without a
        limit by default; left out of discrete Gaussian noise.

    Returns
    -------
    δ in [0, 1], of neighbours that differ in one person who is added or removed; rounded up. Exact but for rounding;
    for Laplace noise with kc/s > ε (geometric noise with c > 1 too) above the true value by a relative 1e-6, and only
    an upper bound for truncated geometric noise with c > 1, k > 1 and kc/s > ε.

    Notes
    -----
    The worst split of t among counts that move by c at most: of Gaussian noise ⌊t/c⌋ of c and the rest, which have the
    largest norm. Of Laplace and geometric noise no split is worse than one count that moves by t, whose δ is 0 from t/s
    on, as that of all splits; below, it is an upper bound, as is the δ without N. Of truncated geometric noise, from
    t/s on, ⌊t/c⌋ of c and the rest; below, N is not used.

    Examples
    --------
    >>> print(f"{delta_from_threshold(1, scale=7.318, threshold=37.38, groups_per_person=3):.4e}")
    9.9820e-07
    >>> delta_from_threshold(1, 1, 14, noise="geometric", rule="above").round(8).item()
    6.1e-07
    """
    family = noise_of(noise)
    option("rule", rule, RULES)
    arrays = np.broadcast_arrays(
        number("epsilon", epsilon, EPSILON_RANGE),
        number("scale", scale, "(0, inf]" if family.has_bound else "(0, inf)"),
        number("threshold", threshold, THRESHOLD_RANGE),
        _bound(noise, family, bound),
        integer("contributions", contributions, CONTRIBUTIONS_RANGE),
        integer("groups_per_person", groups_per_person, GROUPS_RANGE),
        checked_total(family, total),
    )
    loss, b, limit, end, c, k, most = (array.ravel() for array in arrays)
    return worst_delta(loss, ThresholdRelease(noise, b, limit, end, k, c, rule, most)).reshape(arrays[0].shape)[()]


def noise_of(noise: str) -> Noise:
    """Return the noise of a name."""
    option("noise", noise, tuple(NOISES))
    return NOISES[noise]


def checked_total(family: Noise, total: ArrayLike | None) -> Array:
    """Return the limit in all, ∞ where there is none."""
    if total is None:
        return np.asarray(np.inf)
    limit = number("total", total, TOTAL_RANGE)
    is_finite = np.isfinite(limit)
    leave_out(f"noise {family.key}", total=total if family.capped is None and np.any(is_finite) else None)
    return np.where(is_finite, integer("total", np.where(is_finite, limit, 1.0), TOTAL_RANGE), np.inf)


def _bound(noise: str, family: Noise, bound: ArrayLike | None) -> Array:
    if not family.has_bound:
        leave_out(f"noise {noise}", bound=bound)
        return np.asarray(np.inf)
    return integer("bound", np.nan if bound is None else bound, truncated_geometric.TRUNCATION_RANGE)


def whole_limit(family: Noise, rule: str, threshold: Array) -> Array:
    """Return the least count with noise that is released: τ itself of real noise, a whole number of the other."""
    if not family.is_whole:
        return threshold
    return np.ceil(threshold) if rule == "at_least" else np.floor(threshold) + 1


def probability_alone(family: Noise, rule: str, shift: Array, scale: Array, threshold: Array, bound: Array) -> Array:
    """Return 1 − F, how often a group appears in which a person is alone, rounded up."""
    limit = whole_limit(family, rule, threshold) - shift
    limit = limit if family.is_whole else np.nextafter(limit, -np.inf)
    return family.exceedance(limit, scale, bound)


def worst_delta(epsilon: Array, release: ThresholdRelease, least_alone: int = 0) -> Array:
    """Return the greatest δ over m from `least_alone` to k, of arrays of one axis."""
    family, groups, scale, bound = NOISES[release.noise], release.groups_per_person, release.scale, release.bound
    total, limits = np.broadcast_to(release.total, epsilon.shape), (scale, release.threshold, bound)
    shift, groups = np.minimum(release.contributions, total), np.minimum(groups, total)
    with np.errstate(divide="ignore", under="ignore"):
        alone = round_up(-np.log1p(-probability_alone(family, release.rule, shift, *limits)), 4)
    alone = np.minimum(alone, _MOST_LOST)
    is_beyond = whole_limit(family, release.rule, release.threshold) > bound
    hides = is_beyond & (total < shift * groups)  # then the noise is all there is
    numbers = (np.where(hides, 0, groups) + 1 - least_alone).astype(np.int64)
    worst, start = np.zeros(epsilon.shape), 0
    while start < numbers.size:
        end = max(start + 1, int(np.searchsorted(np.cumsum(numbers[start:]), _MOST_PAIRS)) + start)
        first = np.cumsum(numbers[start:end]) - numbers[start:end]
        rows = np.repeat(np.arange(start, end), numbers[start:end])
        m = np.arange(float(rows.size)) - np.repeat(first, numbers[start:end]) + least_alone
        lost = alone[rows] * m
        noise = scale[rows], bound[rows], shift[rows], groups[rows] - m, total[rows] - m
        both = _both_directions(lambda e, noise=noise: family.joint_delta(e, *noise), epsilon[rows], lost)
        worst[start:end] = np.maximum.reduceat(both, first)
        start = end
    return worst


def _both_directions(joint_delta: Callable[[Array], Array], epsilon: Array, lost: Array) -> Array:
    """Return the greater δ of the two directions, where −m ln F is `lost`, rounded up; both rise with it.

    Below 0, δ(ε) = 1 − e^ε (1 − δ(−ε)) for noise that is symmetric.
    """
    some = lost > 0
    remove = _with_chance(lost, joint_delta(np.where(some, round_down(epsilon + lost, 2), epsilon)))
    gap = np.where(some, round_sum_down(epsilon - lost, epsilon + lost, 4), epsilon)
    least = np.where(gap < 0, np.maximum(round_sum_down(-gap, epsilon + lost, 16), 0), gap)
    add = joint_delta(least)
    return np.maximum(remove, np.where(gap < 0, _with_chance(-np.minimum(gap, 0), add), add))


def _with_chance(lost: Array, delta: Array) -> Array:
    """1 − e^{−lost} (1 − δ), rounded up."""
    with np.errstate(under="ignore"):
        chance = np.minimum(round_up(-np.expm1(-lost), 4), 1)
    return np.where(lost > 0, np.minimum(round_up(chance + (1 - chance) * delta, 4), 1), delta)
