"""Releases to compose: each kind of mechanism with its numbers, and how often it runs.

L is the privacy loss ln dP/dQ of one run under P. There are two directions: in `"remove"` P has the person and Q does
not, in `"add"` it is the other way about; a guarantee holds if it holds in both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import PURE_DELTA_RANGE, interval_bounds, number, refuse, scalar, scalar_integer
from dpcore.composition._failures import failure_up

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
PURE_KINDS = ("laplace", "geometric", "exponential", "guarantee", "truncated_laplace", "profile")
"""The kinds of release that need no δ but their own; the first of their numbers is their ε."""


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


def truncated_geometric_release(epsilon: float, delta: float, count: int = 1) -> Release:
    """Truncated geometric noise on one whole number, ε in [0, 1e3] nats, δ in [0, 1): the release of a guarantee.

    At Δ = 1 its loss is ε, −ε or, with probability δ = Pr(noise = N), ∞: those of the worst mechanism of (ε, δ)-DP, so
    that the release of that guarantee is exact. At Δ > 1 it is an upper bound. Noise on several cells, each of which
    moves by Δ, is that many releases.

    Examples
    --------
    >>> truncated_geometric_release(0.5, 1e-9, 3).kind
    'guarantee'
    """
    return guarantee_release(epsilon, delta, count)


def own_delta(release: Release) -> float:
    """Return the probability that one run says all, which no ε makes up for.

    Examples
    --------
    >>> own_delta(truncated_laplace_release(0.5, 1e-9)), own_delta(laplace_release(0.5))
    (1e-09, 0.0)
    """
    return min(release.numbers[1::2]) if release.kind in ("guarantee", "truncated_laplace", "profile") else 0.0


def failure_of(releases: Sequence[Release], n_runs: float = 1) -> float:
    """Return the probability that at least one guarantee of the list fails with its δ, 1 − Π(1 − δᵢ), rounded up.

    Examples
    --------
    >>> failure_of([guarantee_release(0.5, 1e-9), laplace_release(0.5, 3)])
    1e-09
    """
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
