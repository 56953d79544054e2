"""Releases to compose: each kind of mechanism with its numbers, and how often it runs.

L is the privacy loss ln dP/dQ of one run under P. There are two directions: in `"remove"` P has the person and Q does
not, in `"add"` it is the other way about; a promise holds if it holds in both.
"""

from dataclasses import dataclass, replace

from dpcore.checks import PURE_DELTA_RANGE, scalar, scalar_integer

COUNT_RANGE = "[1, 1e6]"
NOISE_RANGE = "[1e-3, 1e6]"
RATE_RANGE = "(0, 1]"
PURE_RANGE = "[0, 1e3]"
RHO_RANGE = "[0, 1e6]"
DIRECTIONS = ("remove", "add")


@dataclass(frozen=True)
class Release:
    """One mechanism, run `count` times with independent noise; made by the functions of this module.

    Attributes
    ----------
    kind : `"gaussian"` (noise multiplier z = σ/Δ₂), `"laplace"` (ε = Δ₁/b), `"promise"` (ε, δ: any mechanism that keeps
        (ε, δ)-DP, randomised response among them), `"exponential"` (ε of an exponential mechanism), `"zcdp"` (ρ) or
        `"sampled"` (noise multiplier z and rate q: Gaussian noise on a Poisson sample, DP-SGD, add or remove one).
    numbers : the numbers of the kind, in the order above.
    count : how often it runs.
    """

    kind: str
    numbers: tuple[float, ...]
    count: int = 1

    def times(self, count: int) -> "Release":
        """The same mechanism, run so often."""
        return replace(self, count=scalar_integer("count", count, COUNT_RANGE))


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


def promise_release(epsilon: float, delta: float = 0.0, count: int = 1) -> Release:
    """Any mechanism that keeps (ε, δ)-DP, ε in [0, 1e3] nats, δ in [0, 1); with δ = 0 randomised response is one.

    Examples
    --------
    >>> promise_release(0.5, 1e-9).numbers
    (0.5, 1e-09)
    """
    return Release("promise", (scalar("epsilon", epsilon, PURE_RANGE), scalar("delta", delta, PURE_DELTA_RANGE))).times(
        count
    )


def exponential_release(epsilon: float, count: int = 1) -> Release:
    """An exponential mechanism that keeps ε-DP, ε in [0, 1e3] nats: its losses have a range of ε.

    Examples
    --------
    >>> exponential_release(0.1).kind
    'exponential'
    """
    return Release("exponential", (scalar("epsilon", epsilon, PURE_RANGE),)).times(count)


def zcdp_release(rho: float, count: int = 1) -> Release:
    """Any mechanism that keeps ρ-zCDP, ρ in [0, 1e6].

    Examples
    --------
    >>> zcdp_release(0.5, 2).count
    2
    """
    return Release("zcdp", (scalar("rho", rho, RHO_RANGE),)).times(count)


def sampled_release(noise_multiplier: float, sampling_rate: float, count: int = 1) -> Release:
    """A step of DP-SGD: Gaussian noise on a Poisson sample; add or remove one.

    `noise_multiplier` is in [1e-3, 1e6], `sampling_rate` in (0, 1]; `count` is the number of steps.

    Examples
    --------
    >>> sampled_release(1.1, 0.01, 1000).numbers
    (1.1, 0.01)
    """
    noise = scalar("noise_multiplier", noise_multiplier, NOISE_RANGE)
    rate = scalar("sampling_rate", sampling_rate, RATE_RANGE)
    return Release("sampled", (noise, rate)).times(count)
