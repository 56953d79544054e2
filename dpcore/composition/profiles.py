"""Certified δ at many ε at once: in each direction one tilted sum serves all ε but those whose δ is far smaller."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number, scalar, scalar_integer
from dpcore.composition._release_list import directions, gaussian_mu, joined, pure_total
from dpcore.composition._single_step import single_step, step_delta
from dpcore.composition._tilt_intervals import LEAST, SEEN, Stretch, places, stretch
from dpcore.composition.bounds import EpsilonBound
from dpcore.composition.distribution import EXCESS_RANGE, TOTAL_RANGE, certified_bound, certified_delta
from dpcore.composition.releases import Release, failure_of
from dpcore.composition.tilts import finer_tilt
from dpcore.composition.transforms import TiltedSum, atoms, tilted_sum

MOST_CELLS_RANGE = "[1024, 1e6]"
_PARTS = 1, 4, 4, 4  # by which the cells of each tilt are fewer
_FALL = SEEN, -LEAST, -LEAST, -LEAST  # ln of what δ may fall by


def certified_profile(
    releases: Sequence[Release], epsilon: ArrayLike, excess: float = 1e-2, most_cells: int = 2**18
) -> EpsilonBound:
    """δ at many ε at once: bounds as those of `certified_delta`, by up to four sums in each direction for all ε.

    Within a second or so of processor time, whatever the releases: the cells may be wider than those of
    `certified_delta`, and the smallest δ are only bounds. The result says what was reached.

    Parameters
    ----------
    releases : from 1 to 20, none of kind "zcdp".
    epsilon : in [0, 1e13] nats.
    excess : wanted, in [1e-6, 1], relative to δ, where δ is not below 1e-16 of the largest.
    most_cells : in [1024, 1e6], for each direction; a list of many releases has fewer. Time and memory grow with it.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> certified = certified_profile([gaussian_release(2), laplace_release(0.5)], [0.0, 1.0, 2.0])
    >>> bool(np.all(np.diff(certified.value) < 0))
    True
    """
    releases, epsilon = joined(releases), number("epsilon", epsilon, TOTAL_RANGE)
    excess = scalar("excess", excess, EXCESS_RANGE)
    cells = 2 ** math.floor(math.log2(scalar_integer("most_cells", most_cells, MOST_CELLS_RANGE)))
    pure = pure_total(releases)
    if gaussian_mu(releases) is not None or pure == 0 or not epsilon.size:
        return certified_delta(releases, epsilon, excess)
    step = single_step(releases)
    if step is not None:
        nothing = np.zeros(epsilon.shape)[()]
        return certified_bound(step_delta(epsilon, *step)[()], nothing)
    distinct, back = np.unique(epsilon.ravel(), return_inverse=True)
    largest = np.zeros((2, distinct.size))
    largest[0] = failure_of(releases)
    inside = distinct < pure
    if inside.any():
        for direction in directions(releases):
            answer = _profile_in(releases, direction, distinct[inside], excess, cells, largest[0, inside])
            largest[:, inside] = np.where(answer[0] > largest[0, inside], answer, largest[:, inside])
    return certified_bound(*(part[back].reshape(epsilon.shape)[()] for part in largest))


def profile_places(releases: Sequence[Release], count: int) -> Array:
    """Return at most this many increasing ε at which the profile is of interest: none where δ is 1 or nearly 0.

    The first one is 0 or where δ is 1 but for 1e-16, the last where it is 1e-16 of δ(0) or less.

    Examples
    --------
    >>> from dpcore.composition.releases import sampled_release
    >>> epsilon = profile_places([sampled_release(1, 0.01, 1000)], 1000)
    >>> print(f"{epsilon[0]:.0f} {epsilon[-1]:.0f}")
    0 6
    """
    by_direction = [places(releases, direction, count) for direction in directions(releases)]
    farthest = max(by_direction, key=lambda places_in_one: float(places_in_one[-1]))
    return farthest[farthest >= max(float(places_in_one[0]) for places_in_one in by_direction)]


def _profile_in(
    releases: Sequence[Release], direction: str, epsilon: Array, excess: float, cells: int, enough: Array
) -> Array:
    """Return bounds and their errors at increasing ε, from the smallest up, until the bounds are small enough."""
    bound, risen = np.ones((2, epsilon.size))
    start = 0
    room = min(8 / (len(releases) + 2), 1)
    for parts, fall in zip(_PARTS, _FALL, strict=True):
        most = 2 ** math.floor(math.log2(cells * room / parts)), cells // parts
        ends = float(epsilon[start]), float(epsilon[-1])
        part = stretch(releases, direction, ends, fall, excess, most)
        rest = epsilon[start:]
        total = _refined(releases, direction, part, rest, excess)
        delta, above = total.between(rest)
        truth = np.maximum(delta - above - total.unsure(rest), total.broken)
        served = max(int(np.searchsorted(rest, part.high, side="right")), 1)
        truth[served:] = total.broken  # a bound is enough there, whatever the value on the circle
        truth[rest < part.sure] = 1
        least = np.minimum.accumulate(np.minimum(np.minimum(delta, total.beyond(rest)), bound[start:]))
        bound[start:], risen[start:] = least, np.maximum(least - truth, 0)
        start += served
        if np.all(bound[start:] <= enough[start:]):
            break
    return np.array([bound, risen])


def _refined(releases: Sequence[Release], direction: str, part: Stretch, epsilon: Array, excess: float) -> TiltedSum:
    """Return the sum on a grid as fine as is wanted, or may be."""
    tilt, visible_epsilon = part.tilt, epsilon[(epsilon >= part.sure) & (epsilon <= part.high)]
    total = tilted_sum(atoms(releases, direction, tilt), tilt)
    delta, risen = total.between(visible_epsilon)
    allowed_excess = excess * delta
    counts = delta > max(1e-16 * np.max(delta, initial=0), 1e-300)
    ratio = float(np.min(allowed_excess[counts] / np.maximum(allowed_excess, risen)[counts], initial=1))
    finer = finer_tilt(tilt, ratio)
    return total if finer is None else tilted_sum(atoms(releases, direction, finer), finer)
