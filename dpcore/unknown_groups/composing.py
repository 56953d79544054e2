"""A threshold release beside other releases: what stands for it in `dpcore.composition`."""

import math

import numpy as np

from dpcore import truncated_geometric
from dpcore.checks import Array, interval_bounds, scalar
from dpcore.composition import (
    NOISE_RANGE,
    PURE_RANGE,
    Release,
    geometric_release,
    guarantee_release,
    laplace_release,
    profile_release,
    truncated_geometric_release,
)
from dpcore.roots import bisect
from dpcore.rounding import round_up
from dpcore.unknown_groups.thresholds import (
    ThresholdRelease,
    delta_from_threshold,
    noise_of,
    probability_alone,
    whole_limit,
)

_ANY_LOSS = 1e6
_PROFILE_NOISES = ("gaussian", "discrete_gaussian")  # whose loss has no bound
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
    if release.noise in _PROFILE_NOISES:
        scalar("scale", release.scale, NOISE_RANGE)
        return [_joint_profile(release)]
    family, scale = noise_of(release.noise), scalar("scale", release.scale, "(0, inf]")
    k, c, bound = float(release.groups_per_person), float(release.contributions), np.asarray(release.bound)
    parts = [_noise(release.noise, scale, bound, k, c)]
    limit = np.asarray(release.threshold)
    if whole_limit(family, release.rule, limit) > bound:
        return parts
    alone = float(probability_alone(family, release.rule, np.asarray(c), np.asarray(scale), limit, bound))
    shown = -math.expm1(round_up(k * math.log1p(-alone), 4)) if alone < 1 else 1.0
    return [*parts, guarantee_release(0.0, round_up(shown, 8))]


def _joint_profile(release: ThresholdRelease) -> Release:
    """Return the profile up to the ε from which on its δ is the least."""
    groups = release.groups_per_person
    settings = release.scale, release.threshold, groups, release.noise, release.contributions, release.rule

    def delta_at(epsilon: Array) -> Array:
        return delta_from_threshold(epsilon, *settings)

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
    return truncated_geometric_release(loss, broken, count)
