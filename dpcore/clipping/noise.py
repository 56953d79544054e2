"""The noise of a clipped sum: its scale for a guarantee, its deviation, and its mean and quantiles about a bias."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from dpcore import discrete_gaussian, gaussian, geometric, laplace, truncated_laplace
from dpcore.checks import DELTA_RANGE, Array, leave_out, or_default, scalar
from dpcore.families import FAMILIES
from dpcore.roots import bisect, multisect
from dpcore.rounding import round_down, round_up

_MOST_SUMMED = 1e4  # the σ up to which the mean of discrete Gaussian noise about a bias is summed
HALVINGS = 60
_FEW = 16  # half-widths, up to which one call for many points takes less time than many calls for one
_MOST_SPREAD = 1e4  # the ratio of a normal error to the scale of Laplace noise up to which exponents keep their digits


@dataclass(frozen=True)
class Noise:
    """Noise of one family at arrays of scales: its deviation, Pr(noise > t) for t ≥ 0, and E|bias + noise|."""

    scale: Array
    deviation: Array
    upper: Callable[[Array], Array]
    mean_about: Callable[[Array], Array]

    def times(self, factor: Array) -> "Noise":
        """Return the noise times a positive factor, as continuous noise is where a person moves so much more."""
        return Noise(
            self.scale * factor,
            self.deviation * factor,
            lambda t: self.upper(t / factor),
            lambda bias: factor * self.mean_about(bias / factor),
        )


class NoiseTail(NamedTuple):
    """The deviation of a symmetric error and Pr(error > t) for t ≥ 0."""

    deviation: Array
    upper: Callable[[Array], Array]


def with_normal_error(key: str, noise: Noise, spread: Array) -> NoiseTail:
    """Return the tail of noise plus an independent normal error of a deviation; of the noise alone where that is 0.

    With Laplace noise of scale b, Pr(noise + error > t) = Φ(−t/s) + ½ e^{s²/(2b²)} (e^{−t/b} Φ(t/s − s/b) −
    e^{t/b} Φ(−t/s − s/b)). Geometric and truncated Laplace noise are taken as Laplace noise, discrete Gaussian noise
    as Gaussian.
    """
    deviation, has_spread = np.hypot(noise.deviation, spread), spread > 0
    s = np.where(has_spread, spread, 1.0)
    ratio = np.minimum(s / noise.scale, _MOST_SPREAD)

    def upper(t: Array) -> Array:
        if "gaussian" in key:
            joint = ndtr(-t / np.where(has_spread, deviation, 1.0))
        else:
            z = t / s
            near, far = (np.exp(ratio * (ratio / 2 + sign * z) + log_ndtr(-sign * z - ratio)) for sign in (-1, 1))
            joint = ndtr(-z) + (near - far) / 2
        return np.where(has_spread, joint, noise.upper(t))

    return NoiseTail(deviation, upper)


def half_width_about(noise: Noise | NoiseTail, bias: Array, alpha: float, halvings: int = HALVINGS) -> Array:
    """Return the least a with Pr(noise > a − |B|) + Pr(noise > a + |B|) ≤ α: the noise is symmetric.

    After fewer halvings of the bracket of a the result, its upper end, is larger by so much. A few widths are sought on
    grids of 31 points, each of which stands for five halvings.
    """
    size = abs(bias)

    def enough(width: Array) -> NDArray[np.bool_]:
        inner = width - size
        above = noise.upper(abs(inner))
        if np.any(inner < 0):
            above = np.where(inner >= 0, above, 1 - noise.upper(np.nextafter(abs(inner), 0)))
        return above + noise.upper(width + size) <= alpha

    high = noise.deviation.copy()
    while not np.all(noise.upper(high) <= alpha / 2):
        high = high * 2
    low = (
        size if alpha < 0.5 else np.zeros_like(size)
    )  # below |B| the noise of one sign is too much: half of it or more
    if high.size <= _FEW and size.size <= _FEW:
        return multisect(enough, low, size + high, 32, halvings // 5)[1]
    return bisect(enough, low, size + high, halvings)[1]


def noise_delta(noise: str, delta: float | None) -> float:
    """Return the δ of a noise, checked, 1e-6 if it is left out; of noise of ε-DP, which must leave it out, 0."""
    if FAMILIES[noise].pure:
        leave_out(f"noise {noise}", delta=delta)
        return 0.0
    return scalar("delta", or_default(delta, 1e-6), DELTA_RANGE)


def noise_of(noise: str, epsilon: Array, delta: float, step: Array, n_moved: Array | float = 1.0) -> Noise:
    """Return the noise of one of `NOISES` for (ε, δ) where one person moves so many numbers by a step each.

    Truncated Laplace noise has an equal part of ε and of δ for each moved number (basic composition).
    """
    return _NOISES[noise](epsilon, delta, step, np.broadcast_to(np.asarray(n_moved, np.float64), np.shape(step)))


def _laplace(epsilon: Array, _: float, step: Array, n_moved: Array) -> Noise:
    b = np.asarray(laplace.scale_from_epsilon(epsilon, 0.0, step * n_moved))
    return Noise(b, np.sqrt(2) * b, lambda t: np.exp(-t / b) / 2, lambda bias: abs(bias) + b * np.exp(-abs(bias) / b))


def _gaussian(epsilon: Array, delta: float, step: Array, n_moved: Array) -> Noise:
    l2_sensitivity = np.where(n_moved == 1, step, round_up(step * np.sqrt(n_moved), 2))
    sigma = np.asarray(gaussian.analytic_sigma(epsilon, delta, l2_sensitivity))
    return Noise(sigma, sigma, lambda t: ndtr(-t / sigma), lambda bias: _normal_mean(bias, sigma))


def _normal_mean(bias: Array, sigma: Array) -> Array:
    """E|bias + noise| of Gaussian noise."""
    z = abs(bias) / sigma
    return sigma * (np.sqrt(2 / np.pi) * np.exp(-z * z / 2) + z * (1 - 2 * ndtr(-z)))


def _geometric(epsilon: Array, _: float, step: Array, n_moved: Array) -> Noise:
    scale = np.asarray(geometric.scale_from_epsilon(epsilon, 0.0, step * n_moved))
    ratio = np.exp(-1 / scale)

    def mean_about(bias: Array) -> Array:
        """|B| + 2 Σ_{j > |B|} (j − |B|) Pr(j)."""
        size = abs(bias)
        after = np.floor(size) + 1
        beyond = -np.expm1(-1 / scale)
        summed = (after - size) / beyond + ratio / beyond**2
        return size + 2 * beyond / (1 + ratio) * np.exp(-after / scale) * summed

    deviation = np.sqrt(np.asarray(geometric.variance(scale)))
    return Noise(scale, deviation, lambda t: np.asarray(geometric.tail(t, scale)) / 2, mean_about)


def _discrete_gaussian(epsilon: Array, delta: float, step: Array, n_moved: Array) -> Noise:
    moves = np.stack(np.broadcast_arrays(epsilon, step, n_moved)).reshape(3, -1)
    (each_epsilon, each_step, each_moved), places = np.unique(moves, axis=1, return_inverse=True)
    distinct = discrete_gaussian.sigma_from_delta(each_epsilon, delta, each_step * np.sqrt(each_moved), each_moved)
    sigma = np.asarray(distinct)[places].reshape(np.broadcast_shapes(np.shape(epsilon), np.shape(step)))

    def mean_about(bias: Array) -> Array:
        means = [_summed_mean(float(b), float(s)) for b, s in np.broadcast(bias, sigma)]
        return np.array(means).reshape(np.broadcast_shapes(bias.shape, sigma.shape))

    deviation = np.sqrt(np.asarray(discrete_gaussian.variance(sigma)))
    return Noise(sigma, deviation, lambda t: np.asarray(discrete_gaussian.tail(t, sigma)) / 2, mean_about)


def _summed_mean(bias: float, sigma: float) -> float:
    """Return E|bias + noise|; above σ = 1e4 that of the continuous Gaussian, which is right to 1e-9 there."""
    if sigma > _MOST_SUMMED:
        return float(_normal_mean(np.asarray(bias), np.asarray(sigma)))
    size = abs(bias)
    k = np.arange(np.floor(size) + 1, np.floor(size) + 2 + np.ceil(12 * sigma))
    return size + 2 * float(np.sum((k - size) * discrete_gaussian.pmf(k, sigma)))


def _truncated(epsilon: Array, delta: float, step: Array, n_moved: Array) -> Noise:
    own, own_delta = round_down(epsilon / n_moved), round_down(np.minimum(delta / n_moved, 0.5))
    bound = np.asarray(truncated_laplace.bound_from_epsilon(own, own_delta, step))
    b = np.asarray(truncated_laplace.scale_from_epsilon(own, step))

    def mean_about(bias: Array) -> Array:
        """|B| + 2 ∫ (x − |B|) p(x) dx over |B| < x < A."""
        size = np.minimum(abs(bias), bound)
        end = np.exp(-bound / b)
        inner = b * np.exp(-size / b) - (bound - size + b) * end
        return abs(bias) + np.maximum(inner, 0) / (1 - end)

    deviation = np.sqrt(np.asarray(truncated_laplace.variance(bound, b)))
    return Noise(b, deviation, lambda t: np.asarray(truncated_laplace.tail(t, bound, b)) / 2, mean_about)


_NOISES: dict[str, Callable[[Array, float, Array, Array], Noise]] = {
    "laplace": _laplace,
    "geometric": _geometric,
    "gaussian": _gaussian,
    "discrete_gaussian": _discrete_gaussian,
    "truncated_laplace": _truncated,
}
NOISES = tuple(_NOISES)
"""The families of noise of a clipped sum."""
WHOLE_NOISES = tuple(key for key in NOISES if FAMILIES[key].whole)
CONTINUOUS_NOISES = tuple(key for key in NOISES if not FAMILIES[key].whole)
