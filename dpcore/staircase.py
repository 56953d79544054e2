"""The staircase mechanism [GV16]: pure ε-DP noise of less variance, or less mean error, than Laplace noise.

The release of one number f(x) is f(x) + X, where neighbouring data sets move f by at most Δ (`sensitivity`); the
neighbouring relation is the one under which Δ was computed. The density of X falls by a factor e^θ at |X| = γΔ,
(1 + γ)Δ, (2 + γ)Δ, …: it is a e^{−kθ} on [kΔ, (k + γ)Δ), a e^{−(k+1)θ} on [(k + γ)Δ, (k + 1)Δ). θ (`theta`) is the
pure ε that the noise keeps, in nats; γ (`gamma`) is dimensionless. With b = e^{−θ} and D = γ + b(1 − γ),
a = (1 − b)/(2ΔD); |X|/Δ is a geometric number of whole steps plus an independent remainder in [0, 1).

γ = 0 and γ = 1 are the same noise. Apart from 0, γ is at least 1e-300: the limit γ → 0 at a fixed θ is the noise of
γ = 0, yet at θ = 1e6 no double separates the two, and the best γ lies between them. Arguments broadcast; the result
has their common shape. Bad input raises `ValueError`: `name must be in RANGE, got VALUE`.

References
----------
[GV16] Geng & Viswanath 2016, The Optimal Noise-Adding Mechanism in Differential Privacy, IEEE Trans. Inf. Theory 62(2).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from dpcore._normal import TINY, ULP
from dpcore.checks import EPSILON_RANGE, PURE_DELTA_RANGE, SIGNIFICANCE_RANGE, Array, number, option, refuse, shape

THETA_RANGE = "[1e-12, 2e6]"
SENSITIVITY_RANGE = "[1e-300, 1e300]"
_LEAST_GAMMA = 1e-300
_LEAST_THETA = 1e-12
_NO_DELTA = 1e-100  # a smaller δ adds less than a rounding to any θ ≥ 1e-12
_MOST_STEPS = 50
_SMALL_STEP = 1e-9  # Newton's method is quadratic: the step after such a one is below rounding


def variance_gamma(theta: ArrayLike) -> Array:
    """γ* of the least variance: (D − b)/(1 − b) with D³ = b(1 + b)/2 and b = e^{−θ} ([GV16] and derived here).

    The derivative of `variance` in γ vanishes where D = γ + b(1 − γ) is that cube root.

    Parameters
    ----------
    theta : θ in [1e-12, 2e6], in nats.

    Returns
    -------
    γ* in [1e-300, 1/2], falling from 1/2 at θ = 0 like e^{−θ/3}/∛2: right to a relative (8 + θ) ULP, and 1e-300 where
    it would be less (θ > 2071).
    """
    theta = number("theta", theta, THETA_RANGE)
    log_mean = np.log1p(np.expm1(-theta) / 2)  # log (1 + b)/2
    log_ratio = (2 * theta + log_mean) / 3  # log D/b
    gamma = np.exp((log_mean - theta) / 3) * np.expm1(-log_ratio) / np.expm1(-theta)
    return np.clip(gamma, _LEAST_GAMMA, 0.5)


def mean_error_gamma(theta: ArrayLike) -> Array:
    """γ* of the least mean absolute error: 1/(1 + e^{θ/2}), which makes D = √b ([GV16] and derived here).

    Parameters
    ----------
    theta : θ in [1e-12, 2e6], in nats.

    Returns
    -------
    γ* in [1e-300, 1/2], to a few roundings; 1e-300 where it would be less (θ > 1381).
    """
    return np.maximum(expit(-number("theta", theta, THETA_RANGE) / 2), _LEAST_GAMMA)


def theta_from_epsilon(epsilon: ArrayLike, delta: ArrayLike = 0.0, objective: str = "variance") -> Array:
    """The largest θ, hence the least noise, of (ε, δ)-DP with the γ that `objective` makes best at that θ (own).

    It is ε at δ = 0, and otherwise the root of (1 − Q)(1 − e^{ε−θ}) = δ, where Q = b/(2D) is the chance that the loss
    is not θ: Q = ½ e^{−θ/2} for the best mean error, Q³ = b²/(4(1 + b)) for the best variance. See `delta_from_theta`.

    Parameters
    ----------
    epsilon : in [0, 1e6], and at least 1e-12 where δ < 1e-12.
    delta : in [0, 1).
    objective : `"variance"` or `"mean_error"`: use the θ with `variance_gamma(θ)` or `mean_error_gamma(θ)`.

    Returns
    -------
    θ ≥ ε in nats: never above the true value, and below it by a rounding of θ and 20 roundings of θ − ε at most.
    """
    option("objective", objective, ("variance", "mean_error"))
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    delta = number("delta", delta, PURE_DELTA_RANGE)
    refuse("epsilon", epsilon, (epsilon < _LEAST_THETA) & (delta < _LEAST_THETA), "[1e-12, 1e6] where delta < 1e-12")
    epsilon, delta = np.broadcast_arrays(epsilon, delta)
    solved = np.where(delta < _NO_DELTA, 0.25, delta)
    above = solved > 0.5
    side = np.where(above, -1.0, 1.0)
    target = np.where(above, 1 - solved, solved)
    rise = -np.log1p(-solved)  # θ − ε, which it never exceeds: Q = 0
    share = 1 - _lossless(epsilon + rise, objective)[0]
    rise = np.where(above, rise, -np.log1p(-np.where(above, 0, solved) / share))
    for _ in range(_MOST_STEPS):
        lossless, log_slope = _lossless(epsilon + rise, objective)
        left, gone = np.exp(-rise), -np.expm1(-rise)
        mass = np.where(above, lossless + (1 - lossless) * left, (1 - lossless) * gone)
        slope = (1 - lossless) * left - lossless * log_slope * gone
        step = side * mass * np.log(mass / target) / slope
        rise = rise - step
        if np.all(abs(step) < _SMALL_STEP * rise):
            break
    rise = np.where(delta < _NO_DELTA, 0, rise * (1 - 16 * ULP))
    theta = epsilon + rise
    return np.where(theta - epsilon > rise, np.nextafter(theta, 0), theta)[()]


def _lossless(theta: Array, objective: str) -> tuple[Array, Array]:
    """Q = Pr(loss < θ) between data sets Δ apart, at the best γ, and d log Q/dθ."""
    if objective == "mean_error":
        return np.exp(-theta / 2) / 2, np.full_like(theta, -0.5)
    log_mean = np.log1p(np.expm1(-theta) / 2)
    return np.exp(-(2 * theta + log_mean) / 3) / 2, (expit(-theta) - 2) / 3


def delta_from_theta(epsilon: ArrayLike, theta: ArrayLike, gamma: ArrayLike) -> Array:
    """δ(ε) = P(1 − e^{ε−θ}) for ε < θ, with P = ½ + aΔ min(γ, 1 − γ): the least δ of (ε, δ)-DP (own).

    The noise moved by d ≤ Δ has a privacy loss of θ, 0 or −θ, since at most one step of the density lies between |x|
    and |x − d|. The loss is θ where there is one in (|x|, |x − d|]. That set grows with d, so d = Δ is the worst; it is
    then the half-line x ≤ 0 and the x > 0 below min(γ, 1 − γ)Δ, and P is its probability.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].

    Returns
    -------
    δ in [0, 1]: exactly 0 for ε ≥ θ; otherwise never below the true value, above it by a relative 4e-15 at most.
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    theta, gamma = _noise(theta, gamma)
    margin, _ = _half_and_rest(theta, gamma)
    delta = (0.5 + margin) * -np.expm1(np.minimum(epsilon - theta, 0))
    return np.minimum(np.where(epsilon < theta, delta * (1 + 12 * ULP), 0), 1)[()]


def epsilon_from_theta(delta: ArrayLike, theta: ArrayLike, gamma: ArrayLike) -> Array:
    """ε = θ + log(1 − δ/P): the least ε of (ε, δ)-DP, the inverse of `delta_from_theta` in ε (own).

    Parameters
    ----------
    delta : in [0, 1).
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].

    Returns
    -------
    ε in [0, θ], in nats; 0 where δ ≥ δ(0) = P(1 − e^{−θ}). Never below the true value, and above it by no more than
    moving δ, 1 − δ and θ by a few roundings would move it (near ε = 0 that is an absolute, not a relative, error).
    """
    delta = number("delta", delta, PURE_DELTA_RANGE)
    theta, gamma = _noise(theta, gamma)
    margin, lossless = _half_and_rest(theta, gamma)
    share = 0.5 + margin
    above = delta > 0.5
    room = np.where(above, (1 - delta) - lossless * (1 - 8 * ULP), (0.5 - delta) + margin)  # P − δ, with all its digits
    free = (delta >= -share * np.expm1(-theta) * (1 + 8 * ULP)) | (room <= 0)
    small = delta < 0.25
    fall = np.where(small, np.log1p(-np.where(small, delta, 0) / share), np.log(np.where(free, 1, room) / share))
    doubt = ULP * (2 * theta + np.where(small, 8 * delta, 8))
    return np.where(free, 0, np.clip(theta + fall + doubt, 0, theta))[()]


def _half_and_rest(theta: Array, gamma: Array) -> tuple[Array, Array]:
    """P − ½ and 1 − P, the chances of a loss of θ beyond one half and of a smaller loss."""
    rest, gap, height = _constants(theta, gamma)
    return gap * np.minimum(gamma, 1 - gamma) / (2 * height), (np.maximum(2 * gamma - 1, 0) * gap + rest) / (2 * height)


def pdf(x: ArrayLike, theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """The density of the noise at x: a e^{−kθ} or a e^{−(k+1)θ}, with a = (1 − b)/(2ΔD) and k = ⌊|x|/Δ⌋ ([GV16]).

    Parameters
    ----------
    x : in [-1e300, 1e300], in query units.
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].
    sensitivity : Δ in [1e-300, 1e300], in query units.

    Returns
    -------
    A density per query unit, to a relative 1e-12; 0 where it is below 1e-320, 1e308 where it would be above.
    """
    x = abs(number("x", x, "[-1e300, 1e300]"))
    theta, gamma = _noise(theta, gamma)
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    step, rest = _steps(x, sensitivity)
    _, gap, height = _constants(theta, gamma)
    exponent = np.log(gap / (2 * height)) - np.log(sensitivity) - (step + (rest >= gamma)) * theta
    return np.exp(np.minimum(exponent, np.log(1e308)))[()]


def cdf(x: ArrayLike, theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(X ≤ x) = Pr(|X| > −x)/2 for x < 0, else 1 − Pr(|X| > x)/2; arguments as in `pdf`, not rounded to a side."""
    x = number("x", x, "[-1e300, 1e300]")
    theta, gamma = _noise(theta, gamma)
    step, rest = _steps(abs(x), number("sensitivity", sensitivity, SENSITIVITY_RANGE))
    half = _survival(step, rest, theta, gamma) / 2
    return np.where(x < 0, half, 1 - half)[()]


def tail(t: ArrayLike, theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """Pr(|X| > t) = b^k [b/D + (1 − b)(γ − r)/D] for r < γ, b^{k+1} [1 + (1 − b)(1 − r)/D] else; t/Δ = k + r (own).

    Parameters
    ----------
    t : half-width in [0, 1e300], in query units.
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].
    sensitivity : Δ in [1e-300, 1e300], in query units.

    Returns
    -------
    A probability in (0, 1]: never below the true value, above it by a relative 3e-15 (1 + kθ), and by what moving t by
    two roundings does, at most; one too small for a double is given as 1e-323.
    """
    t = number("t", t, "[0, 1e300]")
    theta, gamma = _noise(theta, gamma)
    step, rest = _steps(t, number("sensitivity", sensitivity, SENSITIVITY_RANGE), 1 - ULP)
    probability = _survival(step, rest, theta, gamma)
    return np.minimum(probability * (1 + (10 + np.minimum(step * theta, 800)) * ULP) + 2 * TINY, 1)[()]


def half_width(significance: ArrayLike, theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """The accuracy: the least t with Pr(|X| > t) ≤ α, which inverts `tail` (own).

    With k = ⌊−log α/θ⌋ and ρ = α e^{kθ}: t/Δ = k + (1 − ρ)D/(1 − b) up to k + γ, and k + γ + (1 − ρD/b)/(1 − b) beyond.
    It falls as θ rises when γ is `variance_gamma(θ)` or `mean_error_gamma(θ)`, until that γ stays at 1e-300: D and γ
    fall, D/b and ρ rise.

    Parameters
    ----------
    significance : α in [1e-300, 1), dimensionless.
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].
    sensitivity : Δ in [1e-300, 1e300 min(θ, 1)], in query units.

    Returns
    -------
    t in query units, rounded up: above the true value by a relative 6e-15, by what moving α by a relative
    2e-15 (1 − log α) does, and by 1e-323, at most.
    """
    significance = number("significance", significance, SIGNIFICANCE_RANGE)
    theta, gamma = _noise(theta, gamma)
    sensitivity = _sensitivity(sensitivity, theta, 1e300)
    _, gap, height = _constants(theta, gamma)
    half = np.expm1(np.minimum(theta, 1418) / 2)
    depth = -np.log(significance)
    step = np.floor(depth / theta)
    past = depth - step * theta + 3 * ULP * depth
    share = np.where(step > 0, np.exp(-past), significance)
    missed = np.where(step > 0, -np.expm1(-past), 1 - significance)
    with np.errstate(over="ignore"):
        lost = share * (gamma * half * (half + 2))  # γ(e^θ − 1) = D/b − 1
        padded = missed * (1 + 8 * ULP)
        outer = (gamma + (padded - np.minimum(lost, padded)) / gap) * sensitivity
    ratio = height / gap
    inner = missed * np.maximum(ratio, 1) * sensitivity * np.minimum(ratio, 1)  # in this order nothing underflows early
    rest = np.where(lost < padded, outer, inner)
    return ((step * sensitivity + rest) * (1 + 8 * ULP) + TINY)[()]


def variance(theta: ArrayLike, gamma: ArrayLike, sensitivity: ArrayLike = 1.0) -> Array:
    """E X² = Δ² [b(1 + b)/(1 − b)² + (γ² + b/(1 − b) + ⅓) b/D + γ³(1 − b)/(3D)] ([GV16] and derived here).

    At `variance_gamma(θ)` it is Δ² (b + D²)/(1 − b)² with D³ = b(1 + b)/2: near 2Δ²/θ² (Laplace) for small θ, near
    Δ² e^{−2θ/3}/∛4 for large θ.

    Parameters
    ----------
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].
    sensitivity : Δ in [1e-300, 1e150 min(θ, 1)], in query units.

    Returns
    -------
    Query units squared, to a relative 4e-15; 5e-324 where it would be less.
    """
    theta, gamma = _noise(theta, gamma)
    sensitivity = _sensitivity(sensitivity, theta, 1e150)
    rest, gap, height = _constants(theta, gamma)
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
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].
    sensitivity : Δ in [1e-300, 1e300 min(θ, 1)], in query units.

    Returns
    -------
    Query units, to a relative 4e-15; 5e-324 where it would be less.
    """
    theta, gamma = _noise(theta, gamma)
    sensitivity = _sensitivity(sensitivity, theta, 1e300)
    rest, gap, height = _constants(theta, gamma)
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
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ, 0 or in [1e-300, 1].
    sensitivity : Δ in [1e-300, 1e300 min(θ, 1)], in query units.
    size : shape of the result, to which the arguments must broadcast; by default their common shape.

    Returns
    -------
    Finite numbers, in query units.
    """
    theta, gamma = _noise(theta, gamma)
    theta, gamma, sensitivity = np.broadcast_arrays(theta, gamma, _sensitivity(sensitivity, theta, 1e300))
    draws = shape("size", size, theta.shape)
    height = _constants(theta, gamma)[2]
    step = np.floor(rng.standard_exponential(draws) / theta)
    place = rng.random(draws)
    near = rng.random(draws) * height < gamma
    sign = np.where(rng.random(draws) < 0.5, -1.0, 1.0)
    return (sign * sensitivity * (step + np.where(near, gamma * place, gamma + (1 - gamma) * place)))[()]


def _noise(theta: ArrayLike, gamma: ArrayLike) -> tuple[Array, Array]:
    """θ, and γ with 0 given as 1, which is the same noise."""
    theta, gamma = number("theta", theta, THETA_RANGE), number("gamma", gamma, "[0, 1]")
    refuse("gamma", gamma, (gamma > 0) & (gamma < _LEAST_GAMMA), "[1e-300, 1], or 0")
    return theta, np.where(gamma > 0, gamma, 1)


def _sensitivity(sensitivity: ArrayLike, theta: Array, most: float) -> Array:
    """Δ, refused where the noise, of size Δ/θ for small θ, would overflow."""
    sensitivity = number("sensitivity", sensitivity, SENSITIVITY_RANGE)
    outside = sensitivity > most * np.minimum(theta, 1)
    refuse("sensitivity", sensitivity, outside, f"[1e-300, {most:.0e} min(theta, 1)]".replace("+", ""))
    return sensitivity


def _constants(theta: Array, gamma: Array) -> tuple[Array, Array, Array]:
    """b = e^{−θ}, 1 − b and D = γ + b(1 − γ)."""
    rest, gap = np.exp(-theta), -np.expm1(-theta)
    return rest, gap, rest + gamma * gap


def _steps(t: Array, sensitivity: Array, shrink: float = 1.0) -> tuple[Array, Array]:
    """The whole number of steps of Δ in t, and the rest as a share of a step."""
    with np.errstate(over="ignore"):
        ratio = np.minimum(t / sensitivity, 1e300) * shrink
    step = np.floor(ratio)
    return step, ratio - step


def _survival(step: Array, rest: Array, theta: Array, gamma: Array) -> Array:
    """Pr(|X|/Δ > step + rest), every term of which is positive."""
    least, gap, height = _constants(theta, gamma)
    half = np.exp(-theta / 2)
    edge = half / height * half  # b/D, which b alone would underflow
    inner = edge + gap * np.maximum(gamma - rest, 0) / height
    outer = least + gap * (1 - rest) * edge
    return np.minimum(np.exp(-step * theta) * np.where(rest < gamma, inner, outer), 1)
