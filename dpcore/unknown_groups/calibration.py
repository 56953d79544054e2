"""The scale and the threshold that a guarantee requires, and what stands for such a release beside other releases."""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from dpcore import discrete_gaussian, gaussian, geometric, laplace, truncated_geometric
from dpcore.checks import (
    EPSILON_RANGE,
    Array,
    integer,
    interval_bounds,
    leave_out,
    number,
    option,
    or_default,
    refuse,
    scalar,
)
from dpcore.composition import (
    NOISE_RANGE,
    PURE_RANGE,
    Release,
    geometric_release,
    guarantee_release,
    laplace_release,
    profile_release,
)
from dpcore.families import FAMILIES
from dpcore.roots import Rows, bisect, safe_root, whole_mean
from dpcore.rounding import round_down, round_up
from dpcore.unknown_groups.selection import GROUPS_RANGE, KEPT_RANGE, SPLIT_DELTA_RANGE, best_split
from dpcore.unknown_groups.thresholds import (
    CONTRIBUTIONS_RANGE,
    NOISES,
    RULES,
    THRESHOLD_RANGE,
    Noise,
    ThresholdRelease,
    broken_delta,
    checked_total,
    delta_from_threshold,
    euclidean_norm,
    noise_of,
    probability_alone,
    whole_limit,
    worst_delta,
)

_SHARES = 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0  # of the way to the σ without a limit in all, in ln σ
Calibration = tuple[Array, Array, Array]
"""The scale, the threshold and N."""


@dataclass(frozen=True)
class Setting:
    """What a release is to satisfy: arrays of one axis."""

    epsilon: Array
    delta: Array
    shift: Array
    groups: Array
    total: Array
    probability: Array

    @property
    def moved(self) -> Array:
        """By how much a person changes all counts together at most."""
        return np.minimum(self.groups * self.shift, self.total)

    def at(self, rows: Rows) -> "Setting":
        """Return some of the settings."""
        return Setting(*(getattr(self, field.name)[rows] for field in fields(self)))


def threshold(
    epsilon: ArrayLike,
    delta: ArrayLike,
    groups_per_person: ArrayLike = 1,
    noise: str = "gaussian",
    contributions: ArrayLike = 1,
    rule: str = "at_least",
    probability: ArrayLike | None = None,
    total: ArrayLike | None = None,
) -> ThresholdRelease:
    """Return the noise and the least threshold with which a release is (ε, δ)-DP (`delta_from_threshold`).

    Gaussian and discrete Gaussian noise have the least σ of k counts that move by c, and Laplace and geometric noise
    the scale kc/ε. No release of such a scale has a τ below c + the quantile (1 − δ)^{1/k} of the noise (m = k), which
    rises with σ; where this τ suffices for all other m, no larger σ is better for any group. It did, but for rounding,
    in 9000 random settings of Gaussian noise. Truncated geometric noise has the ε₀ and δ₀ of `best_split`, and a
    threshold beyond all draws.

    With a limit N in all, Laplace and geometric noise have the scale N/ε, and truncated geometric noise too, with the
    least end that satisfies δ, where that is less. Gaussian noise has the least σ of the worst split of N, or, since m
    = 1 may leave next to no δ to a threshold, one of five up to the σ without N, where τ is less.

    Parameters
    ----------
    epsilon : in [0, 1e6], such that the threshold is at most 1e15; above 0 for Laplace and geometric noise, at most 1e3
        for truncated geometric noise.
    delta : in [1e-290, 1).
    groups_per_person, noise, contributions, rule : as in `delta_from_threshold`.
    probability : p in (0, 1], for `best_split`, of truncated geometric noise alone; 0.95 by default.
    total : as in `delta_from_threshold`.

    Returns
    -------
    The release, whose k and c are at most N; threshold and scale are rounded up. For noise on whole numbers the
    threshold is a whole number.

    Examples
    --------
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> print(f"{release.scale:.5f} {release.threshold:.5f}")
    7.31736 37.37335
    >>> threshold(1, 1e-6, noise="truncated_geometric").threshold
    15.0
    """
    family = noise_of(noise)
    option("rule", rule, RULES)
    leave_out(f"noise {noise}", probability=None if family.has_bound else probability)
    arrays = np.broadcast_arrays(
        number("epsilon", epsilon, EPSILON_RANGE),
        number("delta", delta, SPLIT_DELTA_RANGE),
        integer("contributions", contributions, CONTRIBUTIONS_RANGE),
        integer("groups_per_person", groups_per_person, GROUPS_RANGE),
        checked_total(family, total),
        number("probability", or_default(probability, 0.95), KEPT_RANGE),
    )
    epsilon, delta, shift, groups, most_in_all, probability = (array.ravel() for array in arrays)
    shift, groups = np.minimum(shift, most_in_all), np.minimum(groups, most_in_all)
    setting = Setting(epsilon, delta, shift, groups, most_in_all, probability)
    scale, limit, bound = _CALIBRATIONS[noise](family, setting)
    most = interval_bounds(THRESHOLD_RANGE)[1]
    refuse("epsilon", epsilon, limit > most, f"those with a threshold of at most {most:g} at this delta")
    if family.is_whole and rule == "above":
        limit = limit - 1
    shape = arrays[0].shape
    scale, limit, bound = scale.reshape(shape), limit.reshape(shape), bound.reshape(shape)
    groups, shift, most_in_all = groups.reshape(shape), shift.reshape(shape), most_in_all.reshape(shape)
    return ThresholdRelease(noise, scale, limit, bound, groups, shift, rule, most_in_all)


def threshold_of_noise(
    scale: float,
    delta: float,
    groups_per_person: int = 1,
    noise: str = "gaussian",
    contributions: int = 1,
    total: int | None = None,
) -> ThresholdRelease:
    """Return the least τ at which 1 − F^k ≤ δ with noise that is given, F = Pr(c + noise < τ): k groups of one person.

    It is the threshold of noise whose scale follows from other releases: beside these it costs δ
    (`dominating_releases`). The rule is "at_least". With a limit N in all, k and c are at most N, and each of the k
    groups is taken to have c, as in `delta_from_threshold`: an upper bound.

    Parameters
    ----------
    scale : σ, b or s of the noise.
    delta : that any of the k groups appears, in [1e-290, 0.1].
    groups_per_person, contributions, total : as in `delta_from_threshold`.
    noise : "gaussian", "discrete_gaussian", "laplace" or "geometric".

    Returns
    -------
    The release, whose k and c are at most N; its threshold is rounded up, and whole where the noise is.

    Examples
    --------
    >>> release = threshold_of_noise(7.318, 1e-7, groups_per_person=3)
    >>> print(f"{release.threshold:.4f}")
    40.5167
    """
    option("noise", noise, tuple(key for key, own in NOISES.items() if not own.has_bound))
    k, c = (
        integer("groups_per_person", groups_per_person, GROUPS_RANGE),
        integer("contributions", contributions, CONTRIBUTIONS_RANGE),
    )
    width, own = number("scale", scale, "(0, inf)"), number("delta", delta, "[1e-290, 0.1]")
    most_in_all = checked_total(noise_of(noise), total)
    k, c = np.minimum(k, most_in_all), np.minimum(c, most_in_all)
    beyond = FAMILIES[noise].functions.half_width(2 * _rare(own, k), width)
    limit = c + beyond + 1 if noise_of(noise).is_whole else (c + beyond) * (1 + 1e-11)
    return ThresholdRelease(noise, width, limit, np.asarray(np.inf), k, c, "at_least", most_in_all)


def _rare(delta: Array, groups: Array) -> Array:
    """Return how often one group of a person may appear in which nobody else is, 1 − (1 − δ)^{1/k}; less than ½."""
    return np.minimum(round_down(-np.expm1(np.log1p(-delta) / groups), 16), 0.49)


def _gaussian_calibration(family: Noise, setting: Setting) -> Calibration:
    sigma = _least_sigma(family, setting)
    limit = _threshold_at(family, sigma, setting)
    rows = np.flatnonzero(setting.moved < setting.groups * setting.shift)
    part = setting.at(rows)
    ratio = _least_sigma(family, replace(part, total=np.full(rows.shape, np.inf))) / sigma[rows]
    for share in _SHARES if rows.size else ():
        tried = sigma[rows] * ratio**share
        lower = _threshold_at(family, tried, part)
        chosen = rows[lower < limit[rows]]
        sigma[chosen], limit[chosen] = tried[lower < limit[rows]], lower[lower < limit[rows]]
    return sigma, limit, np.full(sigma.shape, np.inf)


def _least_sigma(family: Noise, setting: Setting) -> Array:
    """Return the least σ of the counts beside those of others, m = 0."""
    moved = euclidean_norm(setting.shift, setting.groups, setting.total)
    return _raise_sigma(family, gaussian.analytic_sigma(setting.epsilon, setting.delta, moved), setting)


def _threshold_at(family: Noise, sigma: Array, setting: Setting) -> Array:
    beyond = -ndtri(_rare(setting.delta, setting.groups)) * sigma
    return _least_real_threshold(family, sigma, beyond, setting)


def _raise_sigma(family: Noise, sigma: Array, setting: Setting) -> Array:
    """Raise σ by roundings until δ beside others, m = 0, which is rounded up too, is at most the wanted one."""
    others, ulps = (np.full(sigma.shape, np.inf), setting.shift, setting.groups, setting.total), 8.0
    while np.any(over := family.joint_delta(setting.epsilon, sigma, *others) > setting.delta):
        sigma, ulps = np.where(over, round_up(sigma, ulps), sigma), 2 * ulps
    return sigma


def _laplace_calibration(family: Noise, setting: Setting) -> Calibration:
    scale = laplace.scale_from_epsilon(setting.epsilon, 0.0, setting.moved)
    beyond = -np.log(2 * _rare(setting.delta, setting.groups)) * scale
    return scale, _least_real_threshold(family, scale, beyond, setting), np.full(scale.shape, np.inf)


def _least_real_threshold(family: Noise, scale: Array, beyond: Array, setting: Setting) -> Array:
    """Return a tried τ, near c + `beyond`, at which δ over m ≥ 1 is at most the wanted one."""

    def log_excess(rows: Rows, tried: Array) -> Array:
        with np.errstate(divide="ignore"):  # of no δ at all
            return np.log(_delta_of_alone(family, scale[rows], tried, setting.at(rows)) / setting.delta[rows])

    return safe_root(log_excess, setting.shift + beyond, setting.shift)


def _delta_of_alone(family: Noise, scale: Array, tried: Array, setting: Setting) -> Array:
    bound = np.full(scale.shape, np.inf)
    limits = setting.groups, setting.shift
    release = ThresholdRelease(family.key, scale, tried, bound, *limits, "at_least", setting.total)
    return worst_delta(setting.epsilon, release, least_alone=1)


def _discrete_gaussian_calibration(family: Noise, setting: Setting) -> Calibration:
    moved = np.sqrt(setting.groups * setting.shift**2)
    sigma = discrete_gaussian.sigma_from_delta(setting.epsilon, setting.delta, moved, setting.groups)
    beyond = discrete_gaussian.half_width(2 * _rare(setting.delta, setting.groups), sigma)
    return sigma, _least_whole_threshold(family, sigma, beyond, setting), np.full(sigma.shape, np.inf)


def _geometric_calibration(family: Noise, setting: Setting) -> Calibration:
    scale = geometric.scale_from_epsilon(setting.epsilon, 0.0, setting.moved)
    beyond = geometric.half_width(2 * _rare(setting.delta, setting.groups), scale)
    return scale, _least_whole_threshold(family, scale, beyond, setting), np.full(scale.shape, np.inf)


def _least_whole_threshold(family: Noise, scale: Array, beyond: Array, setting: Setting) -> Array:
    """Return the least whole τ > c + `beyond` at which δ over m ≥ 1 is at most the wanted one."""

    def is_enough(tried: Array) -> NDArray[np.bool_]:
        return _delta_of_alone(family, scale, tried, setting) <= setting.delta

    low = setting.shift + beyond
    high, step = low + 1, np.ones_like(low)
    while np.any(short := ~is_enough(high)):
        low, high = np.where(short, high, low), np.where(short, high + step, high)
        step = np.where(short, 2 * step, step)
    n_halvings = math.ceil(math.log2(np.max(high - low, initial=1))) or 1
    return bisect(is_enough, low, high, n_halvings, whole_mean)[1]


_MOST_MOVED = interval_bounds(truncated_geometric.SENSITIVITY_RANGE)[1]


def _truncated_geometric_calibration(_family: Noise, setting: Setting) -> Calibration:
    split = best_split(setting.epsilon, setting.delta, setting.groups, setting.probability)
    scale = truncated_geometric.scale_from_epsilon(split.epsilon, setting.shift)
    bound = truncated_geometric.bound_from_epsilon(split.epsilon, split.delta, setting.shift)
    is_capped = (setting.moved < setting.groups * setting.shift) & (setting.moved <= _MOST_MOVED)
    moved = np.where(is_capped, setting.moved, setting.shift)
    of_all = truncated_geometric.scale_from_epsilon(setting.epsilon, moved)

    def is_enough(tried: Array) -> NDArray[np.bool_]:
        return broken_delta(of_all, tried, setting.shift, moved) <= setting.delta

    n_halvings = math.ceil(math.log2(np.max(bound, initial=1))) + 1
    least = bisect(is_enough, setting.shift, bound, n_halvings, whole_mean)[1]
    is_less = is_capped & (least < bound)
    bound = np.where(is_less, least, bound)
    return np.where(is_less, of_all, scale), bound + 1, bound


_CALIBRATIONS: dict[str, Callable[[Noise, Setting], Calibration]] = {
    "gaussian": _gaussian_calibration,
    "discrete_gaussian": _discrete_gaussian_calibration,
    "laplace": _laplace_calibration,
    "geometric": _geometric_calibration,
    "truncated_geometric": _truncated_geometric_calibration,
}

_ANY_LOSS = 1e6
_POINTS = 50, 500
_MOST_PAIRS = 2e5  # of points and numbers of groups, for the time
_HALVINGS = 52


def dominating_releases(release: ThresholdRelease) -> list[Release]:
    """Return what may stand for a threshold release in `dpcore.composition`, beside others and adaptively too.

    Gaussian and discrete Gaussian noise: one release with the profile of `delta_from_threshold`, at 500 ε (50 to 500
    for k > 400) from 0 to where δ is 1 − F^k from then on (`profile_release`). No m of it is worst at every ε. But as a
    function of e^ε the maximum of profiles is convex, so a pair of distributions has it (own): the maximum of both
    directions at all real ε, which is the same in both. It is exact at those ε, and between them the chord. In a
    composition it is the least that this profile allows, and above the δ of any data, whose m are the same at every ε:
    n releases that are fixed in advance are one of nk groups, which `delta_from_threshold` has.

    Laplace and geometric noise: the noise on k counts, and a guarantee (0, 1 − F^k) for the threshold. Of a person who
    is alone in m groups, 1 − F^m (1 − δ_j(ε − m ln F)) and δ_j(ε + m ln F) are both at most 1 − F^k (1 − δ_k(ε)) at
    every real ε (own: δ_j(ε − x) ≤ 1 − e^{−x}(1 − δ_j(ε)), and δ_j grows with j), which is the profile of the list. It
    is exact from kc/s on, where the noise has no δ; below, its two δ's are added and are at most twice the true one.
    Truncated geometric noise below its threshold hides by itself whether anybody is in a group, so that its list has no
    second part and is exact for c = 1.

    Parameters
    ----------
    release : one release, whose numbers are no arrays, within the ranges of the functions of `dpcore.composition`.

    Examples
    --------
    >>> from dpcore.composition import certified_delta
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> [part.kind for part in dominating_releases(release)]
    ['profile']
    >>> print(f"{certified_delta(dominating_releases(release), 1.0).value:.3g}")
    1e-06
    """
    if FAMILIES[release.noise].has_endless_losses:
        scalar("scale", release.scale, NOISE_RANGE)
        return [_joint_profile(release)]
    family, scale = noise_of(release.noise), scalar("scale", release.scale, "(0, inf]")
    k, c, bound = float(release.groups_per_person), float(release.contributions), np.asarray(release.bound)
    parts = [_noise(release.noise, scale, bound, k, c)]
    limit = np.asarray(release.threshold)
    if whole_limit(family, release.rule, limit) > bound:
        return parts
    alone = float(probability_alone(family, release.rule, np.asarray(c), np.asarray(scale), limit, bound))
    chance = -math.expm1(round_up(k * math.log1p(-alone), 4)) if alone < 1 else 1.0
    return [*parts, guarantee_release(0.0, round_up(chance, 8))]


def _joint_profile(release: ThresholdRelease) -> Release:
    """Return the profile up to the ε from which on its δ is the least."""
    groups = release.groups_per_person
    settings = release.scale, release.threshold, groups, release.noise, release.contributions, release.rule

    def delta_at(epsilon: Array) -> Array:
        return delta_from_threshold(epsilon, *settings, total=release.total)

    most = np.array(interval_bounds(PURE_RANGE)[1])
    least = delta_at(most)
    end = bisect(lambda epsilon: delta_at(epsilon) <= least, np.zeros(()), most, _HALVINGS)[1]
    count = np.clip(_MOST_PAIRS / float(groups), *_POINTS)
    epsilon = np.linspace(0.0, float(end), int(count))
    return profile_release(epsilon, delta_at(epsilon))


def _noise(noise: str, scale: float, bound: Array, k: float, c: float) -> Release:
    """Return the noise on k counts that move by c each."""
    count, loss = int(k), round_up(c / scale, 1)
    if noise == "laplace":
        return laplace_release(loss, count)
    if noise == "geometric":
        return geometric_release(loss, c, count)
    broken = float(truncated_geometric.delta_from_bound(_ANY_LOSS, bound, scale, c))
    return guarantee_release(loss, broken, count)
