"""Releases to compose: each kind of mechanism with its numbers, and how often it runs.

L is the privacy loss ln dP/dQ of one run under P. There are two directions: in `"remove"` P has the person and Q does
not, in `"add"` it is the other way about; a guarantee holds if it holds in both.

Guarantees fail with 1 − Π(1 − δᵢ)^{nᵢ} together. A δ that is exactly that leaves 0, which is enough for pure
guarantees: so the number is rounded up once, from the exact one. A double δ is below the result only where it is below
the exact number.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal, Inexact
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import PURE_DELTA_RANGE, Array, interval_bounds, number, refuse, scalar, scalar_integer
from dpcore.rounding import round_down, round_up, total_up

COUNT_RANGE = "[1, 1e6]"
NOISE_RANGE = "[1e-3, 1e6]"
RATE_RANGE = "(0, 1]"
PURE_RANGE = "[0, 1e3]"
RHO_RANGE = "[0, 1e6]"
STEPS_RANGE = "[1, 1e15]"
SIGMA_RANGE = "[0.01, 1e3]"
MOVED_RANGE = "[1, 1e4]"
MOST_POINTS = 2000
DIRECTIONS = ("remove", "add")
SMOOTH, SPREAD, LATTICE, HULL, EXTREMES, UNKNOWN = "smooth", "spread", "lattice", "hull", "extremes", "unknown"
"""What the privacy losses of a release are: a density without ends; a density between two masses, the least and the
largest loss; multiples of one number; ± those of the corners of a profile; the least and the largest loss alone, as of
randomised response, which an exponential mechanism is bounded by; of no known distribution."""
LISTED = LATTICE, HULL
"""The losses that are listed one by one."""


@dataclass(frozen=True)
class ReleaseKind:
    """A kind of release: what is known of it without its numbers.

    Attributes
    ----------
    key : by which a release calls it.
    losses : what its privacy losses are, such as `SPREAD`.
    has_epsilon : whether the first of its numbers is an ε, with which it needs no δ but its own.
    scale_range : of the first of its numbers where that is a noise multiplier or a σ: no loss is the largest, and a
        smaller number costs more. Else empty.
    """

    key: str
    losses: str
    has_epsilon: bool = False
    scale_range: str = ""


RELEASE_KINDS = {
    kind.key: kind
    for kind in (
        ReleaseKind("gaussian", SMOOTH, scale_range=NOISE_RANGE),
        ReleaseKind("laplace", SPREAD, has_epsilon=True),
        ReleaseKind("geometric", LATTICE, has_epsilon=True),
        ReleaseKind("discrete_gaussian", LATTICE, scale_range=SIGMA_RANGE),
        ReleaseKind("guarantee", EXTREMES, has_epsilon=True),
        ReleaseKind("truncated_laplace", SPREAD, has_epsilon=True),
        ReleaseKind("exponential", EXTREMES, has_epsilon=True),
        ReleaseKind("profile", HULL, has_epsilon=True),
        ReleaseKind("zcdp", UNKNOWN),
        ReleaseKind("sampled", SMOOTH, scale_range=NOISE_RANGE),
    )
}
"""The record of each kind of release, by its key."""


@dataclass(frozen=True)
class Release:
    """One mechanism, run `count` times with independent noise; made by the functions of this module.

    Attributes
    ----------
    kind : `"gaussian"` (noise multiplier z = σ/Δ₂), `"laplace"` (ε = Δ₁/b), `"geometric"` (ε = Δ₁/b and Δ₁ > 1, a whole
        number), `"discrete_gaussian"` (σ and Δ, a whole number), `"guarantee"` (ε, δ: any mechanism that satisfies
        (ε, δ)-DP, randomised response among them), `"truncated_laplace"` (ε, δ), `"exponential"` (ε of an exponential
        mechanism), `"profile"` (ε and δ of each of its guarantees, the largest ε first), `"zcdp"` (ρ) or
        `"sampled"` (noise multiplier z and rate q: Gaussian noise on a Poisson sample, DP-SGD, add or remove one).
    numbers : the numbers of the kind, in the order above.
    count : how often it runs.
    """

    kind: str
    numbers: tuple[float, ...]
    count: int = 1

    @property
    def losses(self) -> str:
        """What its privacy losses are, such as `SPREAD`."""
        return RELEASE_KINDS[self.kind].losses

    @property
    def has_epsilon(self) -> bool:
        """Whether the first of its numbers is an ε, with which it needs no δ but its own."""
        return RELEASE_KINDS[self.kind].has_epsilon

    @property
    def scale_range(self) -> str:
        """The range of the first of its numbers where that is a noise multiplier or a σ; else empty."""
        return RELEASE_KINDS[self.kind].scale_range

    @property
    def is_gaussian(self) -> bool:
        """Whether it is Gaussian noise on all records."""
        return self.kind == "gaussian" or (self.kind == "sampled" and self.numbers[1] == 1)

    def times(self, count: int) -> "Release":
        """Return the same mechanism, run so often."""
        return Release(self.kind, self.numbers, scalar_integer("count", count, COUNT_RANGE))


def gaussian_release(noise_multiplier: float, count: int = 1) -> Release:
    """Gaussian noise of σ = noise_multiplier · Δ₂, in [1e-3, 1e6] for the multiplier.

    Examples
    --------
    >>> gaussian_release(4, 5).numbers
    (4.0,)
    """
    return Release("gaussian", (scalar("noise_multiplier", noise_multiplier, NOISE_RANGE),)).times(count)


def laplace_release(epsilon: float, count: int = 1) -> Release:
    """Laplace noise of scale Δ₁/ε on one number, ε in (0, 1e3] nats.

    Examples
    --------
    >>> laplace_release(0.5).times(7).count
    7
    """
    return Release("laplace", (scalar("epsilon", epsilon, "(0, 1e3]"),)).times(count)


def geometric_release(epsilon: float, sensitivity: float = 1.0, count: int = 1) -> Release:
    """Geometric noise of scale b = Δ₁/ε on one whole number, ε in (0, 1e3] nats, Δ₁ a whole number in [1, 1e15].

    At Δ₁ = 1 its losses are ±ε, those of randomised response, so that it is the release of an ε-DP guarantee. So it is,
    as an upper bound, for Δ₁ > 1e4, where it would have too many different losses. In between its losses are the
    multiples ε(1 − 2m/Δ₁), m = 0 … Δ₁. Noise on several numbers, each of which moves by Δ₁, is that many releases.

    Examples
    --------
    >>> geometric_release(0.5).kind, geometric_release(0.5, 3)
    ('guarantee', Release(kind='geometric', numbers=(0.5, 3.0), count=1))
    """
    loss, steps = scalar("epsilon", epsilon, "(0, 1e3]"), scalar_integer("sensitivity", sensitivity, STEPS_RANGE)
    if not 1 < steps <= interval_bounds(MOVED_RANGE)[1]:
        return guarantee_release(loss, count=count)
    return Release("geometric", (loss, float(steps))).times(count)


def discrete_gaussian_release(sigma: float, sensitivity: float = 1.0, count: int = 1) -> Release:
    """Discrete Gaussian noise on one whole number that moves by Δ steps: σ in [0.01, 1e3], Δ a whole number up to 1e4.

    Noise on several numbers, each of which moves by Δ, is that many releases.

    Examples
    --------
    >>> discrete_gaussian_release(2.5, count=3).numbers
    (2.5, 1.0)
    """
    noise, steps = scalar("sigma", sigma, SIGMA_RANGE), scalar_integer("sensitivity", sensitivity, MOVED_RANGE)
    return Release("discrete_gaussian", (noise, float(steps))).times(count)


def guarantee_release(epsilon: float, delta: float = 0.0, count: int = 1) -> Release:
    """Any mechanism that satisfies (ε, δ)-DP, ε in [0, 1e3] nats, δ in [0, 1); with δ = 0 randomised response is one.

    It is truncated geometric noise on one whole number, too: at Δ = 1 its loss is ε, −ε or, with probability
    δ = Pr(noise = N), ∞, those of the worst of these mechanisms, so that the release is exact. At Δ > 1 it is an upper
    bound. Noise on several cells, each of which moves by Δ, is that many releases.

    Examples
    --------
    >>> guarantee_release(0.5, 1e-9).numbers
    (0.5, 1e-09)
    """
    return Release(
        "guarantee", (scalar("epsilon", epsilon, PURE_RANGE), scalar("delta", delta, PURE_DELTA_RANGE))
    ).times(count)


def profile_release(epsilon: ArrayLike, delta: ArrayLike, count: int = 1) -> Release:
    """Return any mechanism that satisfies all of several guarantees (εᵢ, δᵢ) at once: points of its privacy profile.

    Its worst profile is the lower convex hull of the points as a function of e^ε, with those at −ε that follow from
    them, δ(−ε) = 1 − e^{−ε}(1 − δ(ε)). That is convex, so some pair of distributions has it ([ZDW22] Prop. 10), whose
    losses are the points' ±ε, and ∞ with the least δ: as a function of e^ε every profile is convex, and lies below.

    Parameters
    ----------
    epsilon : from 1 to 2000 increasing numbers in [0, 1e3], in nats.
    delta : of each, in [0, 1).

    References
    ----------
    [ZDW22] Zhu, Dong & Wang, AISTATS 2022, arXiv:2106.08567.

    Examples
    --------
    >>> profile_release([1, 2], [1e-3, 1e-9]).numbers
    (2.0, 1e-09, 1.0, 0.001)
    """
    at, most = np.broadcast_arrays(number("epsilon", epsilon, PURE_RANGE), number("delta", delta, PURE_DELTA_RANGE))
    at, most = at.ravel(), most.ravel()
    if not 1 <= at.size <= MOST_POINTS:
        raise ValueError(f"epsilon must be from 1 to {MOST_POINTS} numbers, got {at.size}")
    refuse("epsilon", at[1:], np.diff(at) <= 0, "increasing numbers")
    return Release("profile", tuple(np.stack([at, most], axis=1)[::-1].ravel().tolist())).times(count)


def truncated_laplace_release(epsilon: float, delta: float, count: int = 1) -> Release:
    """Truncated Laplace noise of (ε, δ)-DP on one number, ε in (0, 1e3] nats, δ in [1e-300, 0.5).

    Its loss is ∞ with probability δ, ε with ½ − δ, −ε with e^{−ε} times that, and in between that of Laplace noise with
    1 + 2δ/(e^ε − 1) times its density. Noise on several numbers, each of which moves by Δ, is that many releases.

    Examples
    --------
    >>> truncated_laplace_release(0.5, 1e-9, 3).numbers
    (0.5, 1e-09)
    """
    loss, broken = scalar("epsilon", epsilon, "(0, 1e3]"), scalar("delta", delta, "[1e-300, 0.5)")
    return Release("truncated_laplace", (loss, broken)).times(count)


def own_delta(release: Release) -> float:
    """Return the probability that one run says all, which no ε makes up for."""
    return min(release.numbers[1::2]) if release.kind in ("guarantee", "truncated_laplace", "profile") else 0.0


def failure_of(releases: Sequence[Release], n_runs: float = 1) -> float:
    """Return the probability that at least one guarantee of the list fails with its δ, 1 − Π(1 − δᵢ), rounded up."""
    return failure_up(
        [own_delta(release) for release in releases], [release.count * int(n_runs) for release in releases]
    )


def exponential_release(epsilon: float, count: int = 1) -> Release:
    """Return an exponential mechanism that satisfies ε-DP, ε in [0, 1e3] nats: its losses have a range of ε.

    Examples
    --------
    >>> exponential_release(0.1).kind
    'exponential'
    """
    return Release("exponential", (scalar("epsilon", epsilon, PURE_RANGE),)).times(count)


def zcdp_release(rho: float, count: int = 1) -> Release:
    """Any mechanism that satisfies ρ-zCDP, ρ in [0, 1e6].

    Examples
    --------
    >>> zcdp_release(0.5, 2).count
    2
    """
    return Release("zcdp", (scalar("rho", rho, RHO_RANGE),)).times(count)


def sampled_release(noise_multiplier: float, sampling_rate: float, count: int = 1) -> Release:
    """Return a step of DP-SGD: Gaussian noise on a Poisson sample; add or remove one.

    `noise_multiplier` is in [1e-3, 1e6], `sampling_rate` in (0, 1]; `count` is the number of steps.

    Examples
    --------
    >>> sampled_release(1.1, 0.01, 1000).numbers
    (1.1, 0.01)
    """
    noise = scalar("noise_multiplier", noise_multiplier, NOISE_RANGE)
    rate = scalar("sampling_rate", sampling_rate, RATE_RANGE)
    return Release("sampled", (noise, rate)).times(count)


_DIGITS, _DOUBT = 160, Decimal("1e-150")  # of a product of up to 1e6 factors of each line, and what it may be off
_ADDED = 1e-20  # below it the sum Σ nᵢδᵢ exceeds the probability by less than half of itself times this


def failure_up(delta: Sequence[float], counts: Sequence[int]) -> float:
    """Return 1 − Π(1 − δᵢ)^{nᵢ}, δᵢ in [0, 1], rounded up from the exact number.

    It is the least double that is not below it, unless that is within 1e-130 of another double; below 1e-20 it is that
    of Σ nᵢδᵢ.
    """
    return _failure(tuple(map(float, delta)), tuple(map(int, counts)))


@lru_cache(4096)
def _failure(delta: tuple[float, ...], counts: tuple[int, ...]) -> float:
    lines = [(value, count) for value, count in zip(delta, counts, strict=True) if value > 0]
    added = total_up(delta, counts)
    if added < _ADDED or [count for _, count in lines] == [1]:
        return added
    context = Context(prec=_DIGITS, rounding=ROUND_FLOOR, traps=[])
    intact = Decimal(1)
    for value, count in lines:
        holds = context.subtract(Decimal(1), Decimal(value))
        intact = context.multiply(intact, context.power(holds, count))
    exact = context.subtract(Decimal(1), intact)
    if context.flags[Inexact]:
        exact = context.add(exact, _DOUBT)
    failure = float(exact)
    return min(failure if Decimal(failure) >= exact else math.nextafter(failure, math.inf), added, 1.0)


_of_rows = np.vectorize(failure_up, signature="(n),(n)->()", otypes=[np.float64])


def failures(delta: Array, counts: Array) -> Array:
    """Return `failure_up` of lines on the last axis."""
    shape = np.broadcast_shapes(delta.shape, counts.shape)
    return _of_rows(delta, counts) if np.any(delta > 0) else np.zeros(shape[:-1])


def broken_up(pure: Array, failure: Array | float) -> Array:
    """1 − (1 − δ')(1 − b), rounded up: δ of releases that fail with probability b and have `pure` = δ' otherwise.

    It is b where δ' is 0. It may be 1 where the exact value, always below 1, lies within a few roundings of 1.
    """
    together = np.minimum(round_up(failure + (1 - failure) * pure, 4), 1)
    return np.where(np.greater(failure, 0) & (pure > 0), together, np.maximum(failure, pure))


def slack_down(delta_total: Array, failure: Array | float) -> Array:
    """δ' of 1 − δ = (1 − δ')(1 − b), rounded down: what b leaves of δ; negative where b exceeds δ, 0 where it is δ."""
    rest = np.maximum(1 - failure, 1e-16)  # 1 − b is 0 only where b exceeds every δ
    return np.where(np.greater(failure, 0), round_down((delta_total - failure) / rest, 4), delta_total)
