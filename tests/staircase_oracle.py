"""Staircase noise by its definition, with mpmath, and random cases of it."""

import mpmath
import numpy as np
from mpmath import mpf

from dpcore.staircase import (
    mean_error_gamma,
    variance_gamma,
)
from tests.oracle import Numbers

GAMMAS = {"variance": variance_gamma, "mean_error": mean_error_gamma}
EDGE_THETA = (1e-12, 1e-3, 1.0, 36.0, 690.0, 709.5, 745.2, 1381.0, 1400.0, 2072.0, 1e6, 2e6)
EDGE_GAMMA = (0.0, 1e-300, 1e-12, 0.25, 0.5, 0.75, 1.0)


def height(theta: mpf, gamma: mpf) -> mpf:
    """a of the density."""
    b = mpmath.exp(-theta)
    return (1 - b) / (2 * (gamma + b * (1 - gamma)))


def moment(order: int, theta: mpf, gamma: mpf) -> mpf:
    """E|X|^order, with Σ b^k, Σ k b^k and Σ k² b^k in closed form."""
    b = mpmath.exp(-theta)
    s0, s1, s2 = 1 / (1 - b), b / (1 - b) ** 2, b * (1 + b) / (1 - b) ** 3
    if order == 1:
        near, far = 2 * s1 * gamma + s0 * gamma**2, 2 * s1 * (1 - gamma) + s0 * (1 - gamma**2)
    else:
        near = 3 * s2 * gamma + 3 * s1 * gamma**2 + s0 * gamma**3
        far = 3 * s2 * (1 - gamma) + 3 * s1 * (1 - gamma**2) + s0 * (1 - gamma**3)
    return 2 * height(theta, gamma) * (near + b * far) / (order + 1)


def exact(*numbers: float) -> list[mpf]:
    return [mpf(float(number)) for number in numbers]


def random_noise(n: int, seed: int) -> tuple[Numbers, Numbers]:
    """n pairs (θ, γ): the everyday θ and all of them, the best γ and every γ, and the edges."""
    rng = np.random.default_rng(seed)
    theta = np.where(rng.random(n) < 0.4, 10 ** rng.uniform(-2, 2.5, n), 10 ** rng.uniform(-12, 6.3, n))
    kind = rng.integers(0, 5, n)
    choices = [10 ** rng.uniform(-300, 0, n), rng.random(n), variance_gamma(theta), mean_error_gamma(theta)]
    gamma = np.select([kind == i for i in range(4)], choices, rng.choice(EDGE_GAMMA, n))
    edges = np.array(np.meshgrid(EDGE_THETA, EDGE_GAMMA)).reshape(2, -1)
    return np.append(theta, edges[0]), np.append(gamma, edges[1])
