"""The least scale at which a training that hardly ever takes a record in meets a target: by halving, without estimates.

Its losses are rare and large. The contour integral does not converge then, and an estimate by few cells is far off, so
that each scale is judged by a certified bound: T times the δ of a single step at ε/T, which is exact for one step, and
else the profile at losses that are evenly spaced in their logarithm.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dpcore.checks import Array
from dpcore.composition import Release, certified_profile
from dpcore.composition._single_step import step_delta
from dpcore.rounding import round_up

_MOST_TAKEN_IN, _MOST_OF_MANY = 0.005, 0.1  # times that a record is taken in on average, of few steps and of many
_MANY_STEPS = 1000  # of which other bounds take long
_NEAR = 4e-3  # relative, how far the scale is rounded up
_EXCESS, _CELLS = 0.02, 2**15


def is_sparse(releases: Sequence[Release]) -> bool:
    """Return whether the releases are one training that hardly ever takes a record in."""
    sampled = [release for release in releases if release.kind == "sampled"]
    is_long = sum(release.count for release in sampled) > _MANY_STEPS
    taken_in = sum(release.count * release.numbers[1] for release in sampled)
    return len(sampled) == len(releases) and taken_in <= (_MOST_OF_MANY if is_long else _MOST_TAKEN_IN)


def sparse_scale(
    releases_at: Callable[[float], Sequence[Release]], epsilon: Array, target_delta: Array, ends: tuple[float, float]
) -> float | None:
    """Return about the least x between `ends` at which δ is at most that of the target at one of the ε;
    None if there is none.

    `releases_at` is as in `least_scale`. The returned x was checked.
    """

    def meets_by_steps(x: float) -> bool:
        n_steps = sum(release.count for release in releases_at(x))
        steps = [
            round_up(release.count * step_delta(epsilon / n_steps, *release.numbers), 4) for release in releases_at(x)
        ]
        return bool(np.any(round_up(np.sum(steps, axis=0), 4) <= target_delta))

    def meets_by_profile(x: float) -> bool:
        return bool(np.any(certified_profile(releases_at(x), epsilon, _EXCESS, _CELLS).value <= target_delta))

    low, high = ends
    by_steps = _halved(meets_by_steps, low, high) if meets_by_steps(high) else None
    if by_steps is None and not meets_by_profile(high):
        return None
    return _halved(meets_by_profile, low, high if by_steps is None else by_steps)


def _halved(meets: Callable[[float], bool], low: float, high: float) -> float:
    """Return an x that meets the target as `high` does, at most `_NEAR` above one that does not, or `low`."""
    if high == low or meets(low):
        return low
    while high - low > _NEAR:
        middle = (low + high) / 2
        low, high = (low, middle) if meets(middle) else (middle, high)
    return high
