"""The scale for several statistics as [Liu19] finds it: by simulated noise. Not a guarantee."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import SHAPE_RANGE, Array, generator, scalar, scalar_integer
from dpcore.generalized_gaussian.convolution import EPSILON_RANGE, checked_sensitivities, excess
from dpcore.generalized_gaussian.distribution import sample

MOST_DRAWS = 10_000_000  # of one statistic's noise: 80 MB, of which sampling holds three


@dataclass(frozen=True)
class MonteCarloScale:
    """A simulated scale and its standard error, both in query units."""

    scale: float
    standard_error: float


def pdp_scale_monte_carlo(
    rng: np.random.Generator, epsilon: float, delta: float, p: float, sensitivities: ArrayLike, n: int
) -> MonteCarloScale:
    """Return the b of `pdp_scale` as [Liu19] finds it: from n simulated draws of the noise. Not a guarantee.

    With X = b z one set of draws of z serves every b: b is where a share δ of the draws violates the guarantee, found
    by bisection. The standard error is that of the share, √(δ(1 − δ)/n), over its slope in b.

    Parameters
    ----------
    epsilon : in [1e-6, 1e6].
    delta : in [10/n, 1 − 10/n].
    p : shape, in [1, 100].
    sensitivities : as in `pdp_scale`.
    rng : a NumPy random generator.
    n : number of draws of the noise of all r statistics, in [1000, 1e7/r].

    Examples
    --------
    >>> estimate = pdp_scale_monte_carlo(np.random.default_rng(1), 1, 0.05, 3, [1.0, 0.1, 0.05], 10_000)
    >>> f"{estimate.scale:.1f}, {estimate.standard_error:.2f}"
    '4.8, 0.05'
    """
    epsilon, p = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("p", p, SHAPE_RANGE)
    sensitivities = checked_sensitivities(sensitivities)
    n = scalar_integer("n", n, f"[1000, {MOST_DRAWS // sensitivities.size}]")
    delta = scalar("delta", delta, f"[{10 / n:.6g}, {1 - 10 / n:.6g}]")
    generator("rng", rng)
    share = sensitivities / sensitivities[0]
    z = abs(sample(rng, 1.0, p, (share.size, n)))
    error = np.sqrt(delta * (1 - delta) / n)
    middle, low, high = (
        _simulated_scale(epsilon, min(max(target, 1 / n), 1 - 1 / n), p, share, z)
        for target in (delta, delta + error, delta - error)
    )
    return MonteCarloScale(float(middle * sensitivities[0]), float((high - low) / 2 * sensitivities[0]))


def _simulated_scale(epsilon: float, delta: float, p: float, share: Array, z: Array) -> float:
    """Return b by bisection over log b, without the draws that certainly violate or satisfy the guarantee."""
    low, high = np.log(1e-8), np.log(1e300) / 2
    n, n_breaking = z.shape[1], 0
    for _ in range(60):
        middle = (low + high) / 2
        with np.errstate(all="ignore"):
            s = share * np.exp(-middle)
            total = sum(excess(row, float(shift), p) + shift**p for row, shift in zip(z, s, strict=True))
        breaking = total > epsilon
        n_here = n_breaking + np.count_nonzero(breaking)
        if n_here / n > delta:
            low, z = middle, z[:, ~(total <= epsilon)]
        else:
            high, z, n_breaking = middle, z[:, ~breaking], n_here
    return float(np.exp(high))
