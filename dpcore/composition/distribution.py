"""Certified δ and ε of a list of releases by the distribution of their losses, at any δ down to 1e-300.

`cells` rounds the losses of one release up, `transforms` sums them with their rounding bounded, `tilts` chooses the
grid. Rounding up multiplies the moments M(s) by 1 + v s(s + 1), v = h²/12 for losses that spread evenly over the cells
and in general as ln M(c) says before and after it. In the contour integral of δ the factor s(s + 1) cancels, so to
first order δ rises by p(ε) Σ n v and ε by this over e^ε Q(L > ε), with p the density of the sum: this estimates the
excess.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian as gaussian_mechanism
from dpcore._normal import TINY, ULP
from dpcore.checks import DELTA_RANGE, Array, number, one
from dpcore.composition.cells import pair_numbers
from dpcore.composition.releases import DIRECTIONS, Release
from dpcore.composition.tilts import Tilt, delta_tilt, epsilon_tilt, finer_tilt, widened
from dpcore.composition.transforms import Places, TiltedSum, atoms, tilted_sum

MOST_RELEASES = 20
EXCESS_RANGE = "[1e-6, 1]"
TOTAL_RANGE = "[0, 1e13]"
MOST_PLACES = 2.0**52
Answer = tuple[float, float, float]  # the bound, its excess, the width of a cell


@dataclass(frozen=True)
class Certified:
    """A proved bound, and how far it may lie above the truth.

    Attributes
    ----------
    bound : ε or δ, never below the truth.
    excess : an estimate of bound − truth, to first order in the squared width of a cell; 0 where nothing was rounded.
    interval : the width of a cell in nats; 0 for Gaussians alone, which need none.
    """

    bound: Array
    excess: Array
    interval: Array


def certified_epsilon(releases: Sequence[Release], delta: ArrayLike, excess: float = 2e-3) -> Certified:
    """The least ε at which the releases together keep (ε, δ)-DP, in both directions, rounded up by a known amount.

    Exact for Gaussians alone, whose μ² add up ([DRS22]), and but for rounding for promises whose ε have a common
    divisor; else by connected dots (see the module). ∞ only where the promises' own δ leave nothing of δ.

    Parameters
    ----------
    releases : from 1 to 20, none of kind "zcdp".
    delta : in [1e-300, 1).
    excess : wanted, in [1e-6, 1], relative to ε (or to a tenth of the spread of the loss, if larger). The cells, of
        which there are at most 2²⁰, may not suffice for it: the result says what was reached.

    Returns
    -------
    Arrays of the shape of delta.

    Examples
    --------
    >>> from dpcore.composition import sampled_release
    >>> found = certified_epsilon([sampled_release(4, 0.01, 10_000)], 1e-5)
    >>> bool(0.9468668 <= found.bound <= 0.9468668 * 1.002)
    True
    """
    releases = _checked(releases)
    excess = one("excess", excess, EXCESS_RANGE)
    return _each(number("delta", delta, DELTA_RANGE), lambda each: _epsilon(releases, each, excess))


def certified_delta(releases: Sequence[Release], epsilon: ArrayLike, excess: float = 1e-2) -> Certified:
    """The least δ at which the releases together keep (ε, δ)-DP, in both directions, rounded up by a known amount.

    As `certified_epsilon`, but `excess` is relative to δ; where δ is below 1e-300 it is only an upper bound.

    Parameters
    ----------
    releases : from 1 to 20, none of kind "zcdp".
    epsilon : in [0, 1e13] nats.
    excess : wanted, in [1e-6, 1].

    Examples
    --------
    >>> from dpcore.composition import promise_release
    >>> found = certified_delta([promise_release(0.1, count=100)], 4.77456758811)
    >>> f"{found.bound:.6g}"
    '1e-06'
    """
    releases = _checked(releases)
    excess = one("excess", excess, EXCESS_RANGE)
    return _each(number("epsilon", epsilon, TOTAL_RANGE), lambda each: _delta(releases, each, excess))


def certified_profile(releases: Sequence[Release], epsilon: ArrayLike, excess: float = 1e-2) -> Certified:
    """δ at many ε at once, as `certified_delta` at each, by a few tilts that serve many ε each.

    Parameters
    ----------
    releases : from 1 to 20, none of kind "zcdp".
    epsilon : in [0, 1e13] nats.
    excess : wanted at the largest ε that a tilt serves, in [1e-6, 1], relative to δ.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> found = certified_profile([gaussian_release(2), laplace_release(0.5)], [0.0, 1.0, 2.0])
    >>> bool(np.all(np.diff(found.bound) < 0))
    True
    """
    releases, epsilon = _checked(releases), number("epsilon", epsilon, TOTAL_RANGE)
    excess = one("excess", excess, EXCESS_RANGE)
    if _mu(releases) is not None or _pure(releases) < math.inf:
        return certified_delta(releases, epsilon, excess)
    found, risen, interval = np.zeros((3, epsilon.size))
    for direction in _directions(releases):
        each = _profile_in(releases, direction, epsilon.ravel(), excess)
        worse = each[0] > found
        found, risen, interval = np.where(worse, each, [found, risen, interval])
    return Certified(*(part.reshape(epsilon.shape)[()] for part in (found, risen, interval)))


def _profile_in(releases: Sequence[Release], direction: str, epsilon: Array, excess: float) -> Array:
    """Bounds, excesses and widths of cells, from the largest ε down, as far as each tilt keeps their digits.

    On a circle twice as wide as it need be for the largest ε, those less than half of it below have room too.
    """
    answers, pending = np.zeros((3, epsilon.size)), np.ones(epsilon.size, dtype=np.bool_)
    while np.any(pending):
        last = float(np.max(epsilon[pending]))
        total = _delta_sum(releases, direction, last, excess, wider=2)[2]
        tilt = total.tilt
        found, risen = _read(total, epsilon)
        gain = total.gain[(_below(epsilon, tilt.interval)[1] - total.offset) % tilt.n_cells]
        kept = (gain >= 1e-4 * gain[epsilon == last][0]) & (epsilon >= last - tilt.window / 2)
        highest = float(found[epsilon == last][0])
        if highest >= 1 - excess:  # no δ of a smaller ε lies beyond these
            risen, kept = np.where(kept, risen, 1 - highest), kept | True
        served = pending & (kept | (epsilon == last) | (found < 1e-290))
        answers[:, served] = found[served], risen[served], np.full(np.sum(served), tilt.interval)
        pending &= ~served
    return answers


def _each(values: Array, answer: Callable[[float], Answer]) -> Certified:
    answers = np.array([answer(float(each)) for each in values.ravel()]).reshape((*values.shape, 3))
    return Certified(answers[..., 0][()], answers[..., 1][()], answers[..., 2][()])


def _checked(releases: Sequence[Release]) -> list[Release]:
    listed = list(releases)
    if not 1 <= len(listed) <= MOST_RELEASES:
        raise ValueError(f"releases must be from 1 to {MOST_RELEASES}, got {len(listed)}")
    for release in listed:
        if release.kind == "zcdp":
            pair_numbers(release)
    counts: dict[tuple[str, tuple[float, ...]], int] = {}
    for release in listed:
        key = release.kind, release.numbers
        counts[key] = counts.get(key, 0) + release.count
    return [Release(kind, numbers, count) for (kind, numbers), count in counts.items()]


def _directions(releases: Sequence[Release]) -> tuple[str, ...]:
    alike = all(release.kind != "sampled" or release.numbers[1] == 1 for release in releases)
    return DIRECTIONS[:1] if alike else DIRECTIONS


def _mu(releases: Sequence[Release]) -> float | None:
    """μ of Gaussians alone, rounded up."""
    noises = []
    for release in releases:
        if release.kind not in ("gaussian", "sampled") or pair_numbers(release)[1] < 1:
            return None
        noises.append(math.sqrt(release.count) / release.numbers[0])
    return math.hypot(*noises) * (1 + (8 + len(noises)) * ULP)


def _epsilon(releases: Sequence[Release], delta: float, excess: float) -> Answer:
    mu = _mu(releases)
    if mu is not None:
        return float(gaussian_mechanism.epsilon_from_sigma(delta, 1.0, mu)), 0.0, 0.0
    left = (delta - _broken(releases)) * (1 - 4 * ULP)
    if left <= 0:
        return math.inf, 0.0, 0.0
    pure = _pure(releases)
    if pure == 0:
        return 0.0, 0.0, 0.0
    found = max(_epsilon_in(releases, direction, delta, math.log(left), excess) for direction in _directions(releases))
    return found if found[0] < pure else (pure, 0.0, found[2])


def _epsilon_in(releases: Sequence[Release], direction: str, delta: float, log_left: float, excess: float) -> Answer:
    tilt = epsilon_tilt(releases, direction, log_left, excess)

    def answer(total: TiltedSum) -> tuple[float, float]:
        place, epsilon = _crossing(total, delta, log_left)
        if epsilon <= 0:
            return 0.0, 0.0
        beside = total.delta(np.array([place, place + 1]))
        return epsilon, total.rise * float(total.density(np.array(place))) / max(float(beside[0] - beside[1]), TINY)

    found, risen, total = _refined(
        releases, direction, tilt, answer, lambda found: excess * max(found, tilt.spread / 10)
    )
    return found, risen, total.tilt.interval


def _refined(
    releases: Sequence[Release],
    direction: str,
    tilt: Tilt,
    answer: Callable[[TiltedSum], tuple[float, float]],
    wanted: Callable[[float], float],
) -> tuple[float, float, TiltedSum]:
    """The least answer and the sum it was read from, on finer and finer grids until one will do or no finer one may be.

    Next to the largest loss of all a finer grid can be the worse one, as its circle is narrower.
    """
    total = tilted_sum(atoms(releases, direction, tilt), tilt)
    found, risen = answer(total)
    best = found, risen, total
    while (finer := finer_tilt(total.tilt, wanted(found) / max(risen, TINY))) is not None:
        total = tilted_sum(atoms(releases, direction, finer), finer)
        found, risen = answer(total)
        best = (found, risen, total) if found < best[0] else best
    return best


def _crossing(total: TiltedSum, delta: float, log_left: float) -> tuple[int, float]:
    """The last place at which δ is above the wanted one, and the ε after it that reaches it, as δ is linear in e^ε."""
    width, n_cells = total.tilt.interval, total.tilt.n_cells
    last = math.ceil(total.highest(log_left) / width) + n_cells // 16
    place = np.arange(last - n_cells + 1, last + 1)
    values = np.append(1.0, total.delta(place))  # no δ is above 1, as for the place before
    index = int(np.flatnonzero(values > delta)[-1])
    share = (delta - values[index + 1]) / (values[index] - values[index + 1])
    end = float(place[index]) * width
    return int(place[index]) - 1, end + math.log1p(share * math.expm1(-width)) + 8 * ULP * (abs(end) + width)


def _delta(releases: Sequence[Release], epsilon: float, excess: float) -> Answer:
    mu = _mu(releases)
    if mu is not None and epsilon <= 1e6:
        return float(gaussian_mechanism.delta_from_sigma(epsilon, 1.0, mu)), 0.0, 0.0
    if epsilon >= _pure(releases):
        return _broken(releases), 0.0, 0.0
    return max(_delta_in(releases, direction, epsilon, excess) for direction in _directions(releases))


def _delta_in(releases: Sequence[Release], direction: str, epsilon: float, excess: float) -> Answer:
    found, risen, total = _delta_sum(releases, direction, epsilon, excess)
    return found, risen, total.tilt.interval


def _delta_sum(
    releases: Sequence[Release], direction: str, epsilon: float, excess: float, wider: int = 1
) -> tuple[float, float, TiltedSum]:
    """δ, its excess and the sum, on a circle so many times as wide as it need be for this ε alone."""

    def answer(total: TiltedSum) -> tuple[float, float]:
        found, risen = _read(total, np.array(epsilon))
        return float(found), float(risen)

    tilt = widened(delta_tilt(releases, direction, epsilon, excess), wider)
    return _refined(releases, direction, tilt, answer, lambda found: excess * found)


def _read(total: TiltedSum, epsilon: Array) -> tuple[Array, Array]:
    """δ at any ε, linear in e^ε between the places, and by how much it is too large."""
    width = total.tilt.interval
    below, place = _below(epsilon, width)
    over = np.clip(below - place * width, 0, width)
    share = np.exp(over - width) * np.expm1(-over) / math.expm1(-width)
    found = (total.delta(place) * (1 - share) + total.delta(place + 1) * share) * (1 + 8 * ULP)
    return np.minimum(found, 1), np.minimum(total.rise * total.density(place) / width, 1)


def _below(epsilon: Array, width: float) -> tuple[Array, Places]:
    """An ε certainly no larger, so that δ is no less, and the place at or below it, of those doubles tell apart."""
    below = np.minimum(epsilon * (1 - 4 * ULP), MOST_PLACES * width)
    return below, np.floor(below / width).astype(np.int64)


def _pure(releases: Sequence[Release]) -> float:
    """The ε that pure promises add up to, rounded up; ∞ if a Gaussian is among the releases."""
    if any(release.kind in ("gaussian", "sampled") for release in releases):
        return math.inf
    return math.fsum(release.count * release.numbers[0] for release in releases) * (1 + 4 * ULP)


def _broken(releases: Sequence[Release]) -> float:
    """The probability that a promise is broken by its own δ, rounded up."""
    kept = [release.count * math.log1p(-release.numbers[1]) for release in releases if release.kind == "promise"]
    return -math.expm1(math.fsum(kept)) * (1 + 8 * ULP)
