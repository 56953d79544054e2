"""A threshold release beside other releases: what stands for it in `dpcore.composition`."""

import math

import numpy as np

from dpcore import truncated_geometric
from dpcore.checks import Array, scalar
from dpcore.composition import (
    Release,
    discrete_gaussian_release,
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
    truncated_geometric_release,
)
from dpcore.rounding import round_down, round_up
from dpcore.unknown_groups.thresholds import ThresholdRelease, noise_of, probability_alone, whole_limit

_ANY_LOSS = 1e6


def dominating_releases(release: ThresholdRelease) -> list[Release]:
    """Return the noise on k counts, and a guarantee (0, 1 − F^k) for the threshold: together never less private.

    Of a person who is alone in m groups, 1 − F^m (1 − δ_j(ε − m ln F)) and δ_j(ε + m ln F) are both at most
    1 − F^k (1 − δ_k(ε)) at every real ε (own: δ_j(ε − x) ≤ 1 − e^{−x}(1 − δ_j(ε)), and δ_j grows with j), which is the
    profile of the list. So the list may stand for the release in every function of `dpcore.composition`, in adaptive
    composition too. It adds the two δ's of a release, which `delta_from_threshold` does not: its δ is at most twice the
    true one of one release, at every ε ≥ 0. Truncated geometric noise below its threshold hides by itself whether
    anybody is in a group, so that its list has no second part and is exact for c = 1.

    Exact without a list: n equal releases that are fixed in advance are one of nk groups, in `delta_from_threshold`.

    Parameters
    ----------
    release : one release, whose numbers are no arrays, within the ranges of the functions of `dpcore.composition`.

    Examples
    --------
    >>> from dpcore.composition import certified_delta
    >>> from dpcore.unknown_groups import threshold
    >>> release = threshold(epsilon=1, delta=1e-6, groups_per_person=3)
    >>> [part.kind for part in dominating_releases(release)]
    ['gaussian', 'guarantee']
    >>> print(f"{certified_delta(dominating_releases(release), 1.0).value:.3g}")
    2.01e-06
    """
    family, scale = noise_of(release.noise), scalar("scale", release.scale, "(0, inf]")
    k, c, bound = float(release.groups_per_person), float(release.contributions), np.asarray(release.bound)
    parts = [_noise(release.noise, scale, bound, k, c)]
    limit = np.asarray(release.threshold)
    if whole_limit(family, release.rule, limit) > bound:
        return parts
    alone = float(probability_alone(family, release.rule, np.asarray(c), np.asarray(scale), limit, bound))
    shown = -math.expm1(round_up(k * math.log1p(-alone), 4)) if alone < 1 else 1.0
    return [*parts, guarantee_release(0.0, round_up(shown, 8))]


def _noise(noise: str, scale: float, bound: Array, k: float, c: float) -> Release:
    """Return the noise on k counts that move by c each."""
    if noise == "gaussian":
        return gaussian_release(round_down(scale / (c * math.sqrt(k)), 4))
    count, loss = int(k), round_up(c / scale, 1)
    if noise == "discrete_gaussian":
        return discrete_gaussian_release(scale, c, count)
    if noise == "laplace":
        return laplace_release(loss, count)
    if noise == "geometric":
        return geometric_release(loss, c, count)
    broken = float(truncated_geometric.delta_from_bound(_ANY_LOSS, bound, scale, c))
    return truncated_geometric_release(loss, broken, count)
