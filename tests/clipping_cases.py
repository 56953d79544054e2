"""Values and distributions that are clipped in tests."""

import numpy as np

from dpcore import discrete_gaussian, gaussian, geometric, laplace, truncated_laplace

NUMBERS = np.arange(1, 1001)
SKEWED = np.round(np.random.default_rng(4).lognormal(3, 1, 400))


def noise_samples(noise, rng, error, n, epsilon=0.8, delta=0.01):
    """Draw n samples of the noise behind an error of clipping."""
    scale = float(error.noise_scale)
    if noise == "truncated_laplace":
        bound = truncated_laplace.bound_from_epsilon(epsilon, delta, error.sensitivity)
        return truncated_laplace.sample(rng, bound, scale, n)
    family = {
        "laplace": laplace,
        "geometric": geometric,
        "gaussian": gaussian,
        "discrete_gaussian": discrete_gaussian,
    }[noise]
    return family.sample(rng, scale, size=n)


def delta_of(noise: str, delta: float) -> float | None:
    """Return δ for noise that has one, and None for noise of ε-DP."""
    return None if noise in ("laplace", "geometric") else delta
