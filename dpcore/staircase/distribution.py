"""Staircase noise itself: density, tails, half-widths, moments and draws, under the names of every family.

Units, rounding and references are those of `dpcore.staircase`.
"""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import SIGNIFICANCE_RANGE, Array, generator, number, refuse, shape
from dpcore.rounding import BELOW_ONE, TINY, round_sum_up, round_up
from dpcore.staircase.calibration import constants, noise

SENSITIVITY_RANGE = "[1e-300, 1e300]"  # of pure noise: wider than that of a query


def checked_sensitivity(sensitivity: ArrayLike, theta: Array, most: float) -> Array:
    """Δ, refused where the noise, of size Δ/θ for small θ, would overflow."""
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    outside = sensitivity > most * np.minimum(theta, 1)
    refuse("sensitivity", sensitivity, outside, f"[1e-300, {most:.0e} min(theta, 1)]".replace("+", ""))
    return sensitivity


def whole_steps(t: Array, sensitivity: Array, shrink: float = 1.0) -> tuple[Array, Array]:
    """Return the whole number of steps of Δ in t, and the rest as a share of a step."""
    with np.errstate(over="ignore"):
        ratio = np.minimum(t / sensitivity, 1e300) * shrink
    step = np.floor(ratio)
    return step, ratio - step


def survival(step: Array, rest: Array, theta: Array, gamma: Array) -> Array:
    """Pr(|X|/Δ > step + rest), every term of which is positive."""
    least, gap, height = constants(theta, gamma)
    half = np.exp(-theta / 2)
    edge = half / height * half  # b/D, which b alone would underflow
    inner = edge + gap * np.maximum(gamma - rest, 0) / height
    outer = least + gap * (1 - rest) * edge
    return np.minimum(np.exp(-step * theta) * np.where(rest < gamma, inner, outer), 1)


def pdf(x: ArrayLike, theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the density of the noise at x: a e^{−kθ} or a e^{−(k+1)θ} with k = ⌊|x|/Δ⌋ ([GV16]).

    Here a is (1 − b)/(2ΔD).

    Parameters
    ----------
    x : in [-1e300, 1e300], in query units.
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].
    sensitivity : Δ in [1e-300, 1e300], in query units.

    Returns
    -------
    A density per query unit, to a relative 1e-12; 0 where it is below 1e-320, 1e308 where it would be above.

    Examples
    --------
    >>> print(f"{pdf(0.2, theta=1, gamma=0.4):.6f}")
    0.509177
    """
    x = abs(number("x", x, "[-1e300, 1e300]"))
    theta, gamma = noise(theta, gamma)
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    step, rest = whole_steps(x, sensitivity)
    _, gap, height = constants(theta, gamma)
    exponent = np.log(gap / (2 * height)) - np.log(sensitivity) - (step + (rest >= gamma)) * theta
    return np.exp(np.minimum(exponent, np.log(1e308)))[()]


def cdf(x: ArrayLike, theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(X ≤ x) = Pr(|X| > −x)/2 for x < 0, else 1 − Pr(|X| > x)/2; arguments as in `pdf`, not rounded to a side.

    Examples
    --------
    >>> print(f"{cdf(0.2, theta=1, gamma=0.4):.6f}")
    0.601835
    """
    x = number("x", x, "[-1e300, 1e300]")
    theta, gamma = noise(theta, gamma)
    step, rest = whole_steps(abs(x), number("sensitivity", sensitivity, SENSITIVITY_RANGE))
    half = survival(step, rest, theta, gamma) / 2
    return np.where(x < 0, half, 1 - half)[()]


def tail(t: ArrayLike, theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(|X| > t) = b^k [b/D + (1 − b)(γ − r)/D] for r < γ, b^{k+1} [1 + (1 − b)(1 − r)/D] else; t/Δ = k + r (own).

    Parameters
    ----------
    t : half-width in [0, 1e300], in query units.
    theta, gamma, sensitivity : as in `pdf`.

    Returns
    -------
    A probability in (0, 1]: never below the true value, above it by a relative 3e-15 (1 + kθ), and by what moving t by
    two roundings does, at most; one too small for a double is given as 1e-323.

    Examples
    --------
    >>> print(f"{tail(3, theta=1, gamma=0.4):.6f}")
    0.049787
    """
    t = number("t", t, "[0, 1e300]")
    theta, gamma = noise(theta, gamma)
    step, rest = whole_steps(t, number("sensitivity", sensitivity, SENSITIVITY_RANGE), BELOW_ONE)
    probability = survival(step, rest, theta, gamma)
    return np.minimum(round_up(probability, 10 + np.minimum(step * theta, 800)) + 2 * TINY, 1)[()]


def half_width(significance: ArrayLike, theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Return the accuracy: the least t with Pr(|X| > t) ≤ α, which inverts `tail` (own).

    With k = ⌊−log α/θ⌋ and ρ = α e^{kθ}: t/Δ = k + (1 − ρ)D/(1 − b) up to k + γ, and k + γ + (1 − ρD/b)/(1 − b) beyond.
    It falls as θ rises when γ is `variance_gamma(θ)` or `mean_error_gamma(θ)`, until that γ stays at 1e-300: D and γ
    fall, D/b and ρ rise.

    Parameters
    ----------
    significance : α in [1e-300, 1), dimensionless.
    theta, gamma : as in `pdf`.
    sensitivity : Δ in [1e-300, 1e300 min(θ, 1)], in query units.

    Returns
    -------
    t in query units, rounded up: above the true value by a relative 6e-15, by what moving α by a relative
    2e-15 (1 − log α) does, and by 1e-323, at most.

    Examples
    --------
    >>> print(f"{half_width(0.05, theta=1, gamma=0.4):.4f}")
    2.9958
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    theta, gamma = noise(theta, gamma)
    sensitivity = checked_sensitivity(sensitivity, theta, 1e300)
    _, gap, height = constants(theta, gamma)
    half = np.expm1(np.minimum(theta, 1418) / 2)
    depth = -np.log(significance)
    step = np.floor(depth / theta)
    past = round_sum_up(depth - step * theta, depth, 3)
    share = np.where(step > 0, np.exp(-past), significance)
    remaining = np.where(step > 0, -np.expm1(-past), 1 - significance)
    with np.errstate(over="ignore"):
        lost = share * (gamma * half * (half + 2))  # γ(e^θ − 1) = D/b − 1
        padded = round_up(remaining, 8)
        outer = (gamma + (padded - np.minimum(lost, padded)) / gap) * sensitivity
    ratio = height / gap
    inner = (
        remaining * np.maximum(ratio, 1) * sensitivity * np.minimum(ratio, 1)
    )  # in this order nothing underflows early
    rest = np.where(lost < padded, outer, inner)
    return (round_up(step * sensitivity + rest, 8) + TINY)[()]


def variance(theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """E X² = Δ² [b(1 + b)/(1 − b)² + (γ² + b/(1 − b) + ⅓) b/D + γ³(1 − b)/(3D)] ([GV16] and derived here).

    At `variance_gamma(θ)` it is Δ² (b + D²)/(1 − b)² with D³ = b(1 + b)/2: near 2Δ²/θ² (Laplace) for small θ, near
    Δ² e^{−2θ/3}/∛4 for large θ.

    Parameters
    ----------
    theta, gamma : as in `pdf`.
    sensitivity : Δ in [1e-300, 1e150 min(θ, 1)], in query units.

    Returns
    -------
    Query units squared, to a relative 4e-15; 5e-324 where it would be less.

    Examples
    --------
    >>> print(f"{variance(theta=5, gamma=0.16):.4f}")  # Laplace noise of the same ε: 0.08
    0.0299
    """
    theta, gamma = noise(theta, gamma)
    sensitivity = checked_sensitivity(sensitivity, theta, 1e150)
    rest, gap, height = constants(theta, gamma)
    whole = sensitivity * np.exp(-theta / 2) / gap
    quarter = np.exp(-theta / 4)  # b/D = (q²/√D)² may be far below the least double where Δ² b/D is not
    mixed = (sensitivity * quarter) * (quarter / np.sqrt(height))
    inner = (gamma * sensitivity) ** 2 * (gamma * gap / height) / 3
    total = whole**2 * (1 + rest) + mixed**2 * (gamma**2 + rest / gap + 1 / 3) + inner
    return np.maximum(total, TINY)[()]


def mean_absolute_error(theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """E|X| = Δ [b/(1 − b) + b/(2D) + γ²(1 − b)/(2D)] ([GV16] and derived here).

    At `mean_error_gamma(θ)` it is Δ e^{θ/2}/(e^θ − 1): near Δ/θ (Laplace) for small θ.

    Parameters
    ----------
    theta, gamma : as in `pdf`.
    sensitivity : Δ in [1e-300, 1e300 min(θ, 1)], in query units.

    Returns
    -------
    Query units, to a relative 4e-15; 5e-324 where it would be less.

    Examples
    --------
    >>> print(f"{mean_absolute_error(theta=5, gamma=0.08):.4f}")  # Laplace noise of the same ε: 0.2
    0.0827
    """
    theta, gamma = noise(theta, gamma)
    sensitivity = checked_sensitivity(sensitivity, theta, 1e300)
    rest, gap, height = constants(theta, gamma)
    half = np.exp(-theta / 2)
    mixed = (sensitivity * half) * (half / height) / 2
    inner = (gamma * sensitivity) * (gamma * gap / height) / 2
    return np.maximum(sensitivity * (rest / gap) + mixed + inner, TINY)[()]


def sample(
    rng: np.random.Generator,
    theta: ArrayLike,
    gamma: ArrayLike,
    sensitivity: ArrayLike = 1.0,
    size: int | tuple[int, ...] | None = None,
) -> Array:
    """Independent draws of the noise: ±(K + U)Δ, K = ⌊E/θ⌋ of a standard exponential E, U below γ with chance γ/D.

    For simulation only: the last bits of floating-point noise can give the data away.

    Parameters
    ----------
    rng : the source of randomness.
    theta, gamma : as in `pdf`.
    sensitivity : Δ in [1e-300, 1e300 min(θ, 1)], in query units.
    size : shape of the result, to which the arguments must broadcast; by default their common shape.

    Returns
    -------
    Finite numbers, in query units.

    Examples
    --------
    >>> sample(np.random.default_rng(seed=1), theta=1, gamma=0.4, size=(3, 5)).shape
    (3, 5)
    """
    generator("rng", rng)
    theta, gamma = noise(theta, gamma)
    theta, gamma, sensitivity = np.broadcast_arrays(theta, gamma, checked_sensitivity(sensitivity, theta, 1e300))
    draws = shape("size", size, theta.shape)
    height = constants(theta, gamma)[2]
    step = np.floor(rng.standard_exponential(draws) / theta)
    place = rng.random(draws)
    near = rng.random(draws) * height < gamma
    sign = np.where(rng.random(draws) < 0.5, -1.0, 1.0)
    return (sign * sensitivity * (step + np.where(near, gamma * place, gamma + (1 - gamma) * place)))[()]
