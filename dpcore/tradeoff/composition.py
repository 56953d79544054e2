"""Curves of several releases together: exact for Gaussians, by privacy loss distributions for all others.

The numerical part is Google's dp-accounting. Its error has one direction here: losses are rounded up by the
connect-the-dots method (Doroshenko et al. 2022, arXiv:2207.04380) and truncated mass counts as a broken promise, so
every composed curve lies below the true one and every δ, ε and power read from it above. To this comes 1e-14 and one
rounding per release, for what its Fourier transforms may be off. That stays as f(0) < 1, so no finite μ can be proved
from such a curve, unless all its parts keep pure promises: these add up, and the sum is part of the curve.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore._normal import ULP
from dpcore.checks import Array, number, refuse, whole
from dpcore.tradeoff.conversions import smallest_epsilon
from dpcore.tradeoff.curve import Curve, SmallestMu, profile_curve
from dpcore.tradeoff.forms import MU_RANGE
from dpcore.tradeoff.functions import function_curve
from dpcore.tradeoff.mechanisms import gaussian_curve

if TYPE_CHECKING:
    from dp_accounting.pld.pld_pmf import PLDPmf

COUNT_RANGE = "[1, 1e6]"
SAMPLING_RANGE = "(0, 1]"
NOISE_RANGE = "[0.2, 1e4]"
_TRUNCATED = 1e-15
_MOST_LOSS = 300.0  # nats, the mean over all releases
_MOST_LINES = 6000
_ROUNDING = 1e-14  # of dp-accounting's sums; its n-fold convolution, an n-th power, adds up to 0.2 n ULP (measured)
Profile = Callable[..., Any]  # δ at an array of ε, as dp-accounting returns it


def composed_mu(mu: ArrayLike) -> Array:
    """√Σμᵢ² over the last axis, rounded up: the exact μ of Gaussians released together ([DRS22]).

    Parameters
    ----------
    mu : in [0, 1e6].
    """
    mu = np.atleast_1d(number("mu", mu, MU_RANGE))
    return np.sqrt(np.sum(mu**2, axis=-1)) * (1 + (4 + mu.shape[-1]) * ULP)


def group_curve(curve: Curve, size: float, name: str | None = None) -> Curve:
    """1 − (1 − f)∘…∘(1 − f), `size` times: the promise to a group of so many people ([DRS22]); kμ for G_μ.

    Parameters
    ----------
    size : people in the group, a whole number in [1, 1000].
    """
    people = int(whole("size", size, "[1, 1000]"))
    words = name or f"{curve.name}, groups of {people}"
    if people == 1:
        return curve.named(words)
    if curve.mu is not None:
        return gaussian_curve(curve.mu * people * (1 + ULP), words)

    def power(alpha: Array) -> Array:
        for _ in range(people):
            alpha = curve.power(alpha)
        return alpha

    def beta(alpha: Array) -> Array:
        for _ in range(people - 1):
            alpha = curve.power(alpha)
        return np.minimum(curve.beta(alpha), 1 - alpha)

    return function_curve(beta, words, power)


def composed_curve(curves: Sequence[Curve], counts: Sequence[int] | None = None, name: str | None = None) -> Curve:
    """f₁ ⊗ f₂ ⊗ …: the curve of independent releases to the same attacker ([DRS22]).

    Gaussians alone compose exactly. Otherwise every curve becomes a privacy loss distribution on a grid, in both
    directions if it is not its own inverse, and the error has the direction that the module states.

    Parameters
    ----------
    curves : at least one.
    counts : how often each is released, whole numbers in [1, 1e6]; once each if left out.
    """
    times = [int(whole("counts", count, COUNT_RANGE)) for count in (counts or [1] * len(curves))]
    if not curves or len(times) != len(curves):
        raise ValueError(f"counts must be as many as curves, at least one, got {len(times)} for {len(curves)}")
    words = name or " ⊗ ".join(
        f"{curve.name}, {n} ×" if n > 1 else curve.name for curve, n in zip(curves, times, strict=True)
    )
    gaussians = [curve.mu for curve in curves if curve.mu is not None]
    if len(gaussians) == len(curves):
        mu = composed_mu([mu * math.sqrt(n) for mu, n in zip(gaussians, times, strict=True)])
        return gaussian_curve(float(mu), words)
    if len(curves) == 1 and times == [1]:
        return curves[0].named(words)
    curves = [_tabled(curve) for curve in curves]
    inverses = [curve.inverse() for curve in curves]
    symmetric = all(inverse is curve for inverse, curve in zip(inverses, curves, strict=True))
    for curve, inverse, n in zip(curves, inverses, times, strict=True):
        _require_compact("counts", n, _mean_loss(curve.delta, inverse.delta))
    longest = max(_reach(each.delta) for each in (*curves, *inverses))
    rough = max(longest / 500, 1e-3)
    coarse = max(_reach(_product(*both, times, rough)) for both in ((curves, inverses), (inverses, curves)))
    interval = _aligned(_interval(sum(times), coarse, longest), curves)
    forward = _product(curves, inverses, times, interval)
    backward = forward if symmetric else _product(inverses, curves, times, interval)
    epsilon = _lattice(coarse, interval)
    delta, inverse_delta = forward(epsilon), backward(epsilon)
    pure = sum(n * float(smallest_epsilon(curve, 0.0)) for curve, n in zip(curves, times, strict=True)) * (1 + 4 * ULP)
    if pure > 1e6:
        return _numerical(profile_curve(epsilon, delta, words, inverse_delta))
    kept = epsilon < pure  # from there on the promise is pure, which rounding would hide
    parts = (np.append(epsilon[kept], pure), np.append(delta[kept], 0.0), words, np.append(inverse_delta[kept], 0.0))
    return profile_curve(*parts)


def subsampled_gaussian_curve(
    sigma: float, sampling_rate: float, steps: int = 1, l2_sensitivity: float = 1.0, name: str | None = None
) -> Curve:
    """Gaussian noise on Poisson-sampled records, composed: DP-SGD, for add-or-remove-one neighbours.

    The curve is the largest that lies below both directions (add and remove), so it is symmetric.

    Parameters
    ----------
    sigma : noise in query units, from 0.2 to 10⁴ times the sensitivity (the noise multiplier).
    sampling_rate : the chance of each record to take part in a step, in (0, 1].
    steps : a whole number in [1, 1e6].
    l2_sensitivity : Δ₂ > 0, in query units.
    """
    sensitivity = float(number("l2_sensitivity", l2_sensitivity, "[1e-300, 1e300]"))
    noise = float(
        number("sigma / l2_sensitivity", float(number("sigma", sigma, "(0, inf)")) / sensitivity, NOISE_RANGE)
    )
    rate = float(number("sampling_rate", sampling_rate, SAMPLING_RANGE))
    n_steps = int(whole("steps", steps, COUNT_RANGE))
    words = name or f"subsampled Gaussian σ = {sigma:.4g}, rate {rate:.4g}, {n_steps} steps"
    if rate == 1:
        return gaussian_curve(math.sqrt(n_steps) / noise * (1 + 4 * ULP), words)
    from dp_accounting.pld import privacy_loss_distribution  # a second to import, so only where it is needed

    def losses(interval: float, n: int) -> Callable[[Array], Array]:
        one = privacy_loss_distribution.from_gaussian_mechanism(
            noise, sampling_prob=rate, value_discretization_interval=interval
        )
        return _safe(one.self_compose(n).get_delta_for_epsilon, n)

    step = losses(0.02, 1)
    _require_compact("steps", n_steps, _mean_loss(step, step))
    reach = _reach(losses(0.02, n_steps))
    interval = _interval(n_steps, reach, 0.0)
    delta, epsilon = losses(interval, n_steps), _lattice(reach, interval)
    return _numerical(profile_curve(epsilon, delta(epsilon), words))


def _numerical(curve: Curve) -> Curve:
    """Say of a curve found numerically why no finite μ follows from it."""
    reason = (
        "no finite μ can be proved: the error of the numerical composition leaves f(0) = 1 − "
        f"{curve.power(np.zeros(1))[0]:.4g}, while every G_μ starts at 1"
    )
    return replace(curve, find_mu=lambda: SmallestMu(math.inf, 0.0, reason))


def _tabled(curve: Curve) -> Curve:
    """A curve whose profile costs a search at every ε, as the promises at a thousand ε; others as they are."""
    if curve.lines is not None or curve.epsilon is not None:
        return curve
    inverse = curve.inverse()
    reach = max(_reach(curve.delta), _reach(inverse.delta))
    epsilon = reach * np.linspace(0, 1, 1000) ** 1.5
    return profile_curve(epsilon, curve.delta(epsilon), curve.name, inverse.delta(epsilon))


def _product(
    curves: Sequence[Curve], inverses: Sequence[Curve], times: Sequence[int], interval: float
) -> Callable[[Array], Array]:
    """The privacy profile of the composition in one direction."""
    parts = [
        _losses(curve, inverse, interval).self_compose(n, _TRUNCATED)
        for curve, inverse, n in zip(curves, inverses, times, strict=True)
    ]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.compose(part, _TRUNCATED)
    return _safe(whole.get_delta_for_epsilon, sum(times))


def _losses(curve: Curve, inverse: Curve, interval: float) -> "PLDPmf":
    """The privacy losses of a curve, rounded up onto multiples of the interval."""
    from dp_accounting.pld import pld_pmf

    grid = np.arange(-math.ceil(_reach(inverse.delta) / interval) - 1, math.ceil(_reach(curve.delta) / interval) + 2)
    epsilon = grid * interval
    gain, loss = np.maximum(epsilon, 0), np.maximum(-epsilon, 0)
    delta = np.where(epsilon >= 0, curve.delta(gain), np.exp(-loss) * inverse.delta(loss) - np.expm1(-loss))
    losses = pld_pmf.create_pmf_pessimistic_connect_dots(interval, grid, np.minimum.accumulate(np.minimum(delta, 1)))
    return losses.to_dense_pmf()  # a sparse one does not compose with a dense one


def _mean_loss(delta: Callable[[Array], Array], inverse_delta: Callable[[Array], Array]) -> float:
    """The mean privacy loss, ∫₀^∞ δ(ε) + e^{−ε} δ'(ε) dε (Sason & Verdú 2016), apart from broken promises."""
    epsilon = np.concatenate([[0.0], np.geomspace(1e-4, max(_reach(delta), 1e-3), 400)])
    return float(
        np.trapezoid(delta(epsilon) - delta(epsilon[-1:]) + np.exp(-epsilon) * inverse_delta(epsilon), epsilon)
    )


def _require_compact(name: str, n_releases: int, mean_loss: float) -> None:
    """Refuse so many releases that their losses would fill the memory; their promise is void long before."""
    most = max(int(_MOST_LOSS / max(mean_loss, 1e-300)), 1)
    refuse(
        name, np.asarray(float(n_releases)), np.asarray(n_releases > most), f"[1, {most:.3g}] for so large a loss each"
    )


def _reach(delta: Callable[[Array], Array]) -> float:
    """An ε beyond which a profile hardly falls any more."""
    epsilon = np.geomspace(1e-4, 1e6, 400)
    values = delta(epsilon)
    return float(epsilon[int(np.argmax(values <= values[-1] + _TRUNCATED))])


def _interval(n_releases: int, reach: float, longest: float) -> float:
    """A grid of losses fine enough for so many releases, and coarse enough for memory.

    Measured at these: δ of 4,000 Gaussians comes out 8e-5 of itself too large at ε = 0 and 2e-3 at ε = 4. Where the
    losses reach so far that the grid must be coarser, the promise is near void.
    """
    return max(min(math.sqrt(1e-3 / n_releases), 1e-3), 5e-5, reach / 500_000, longest / 50_000)


def _aligned(interval: float, curves: Sequence[Curve]) -> float:
    """An interval no larger that divides the least loss of curves of few corners, which then need no rounding."""
    few = [curve.lines.epsilon for curve in curves if curve.lines is not None and curve.lines.epsilon.size <= 100]
    least = min((float(np.min(abs(losses[losses != 0]), initial=np.inf)) for losses in few), default=np.inf)
    return least / math.ceil(least / interval) if interval <= least < np.inf else interval


def _lattice(reach: float, interval: float) -> Array:
    """The ε at which a profile is read: all multiples of the interval, where it has its corners, or every so many."""
    multiples = math.ceil(reach / interval) + 1
    return np.arange(0, multiples, math.ceil(multiples / _MOST_LINES)) * np.float64(interval)


def _safe(profile: Profile, n_releases: int) -> Callable[[Array], Array]:
    """The profile, rounded up; beyond ε = 700, where e^ε overflows, δ(700) stands for the smaller δ(ε)."""
    doubt = _ROUNDING + n_releases * ULP
    return lambda epsilon: np.minimum(np.maximum(profile(np.minimum(epsilon, 700)), 0) + doubt, 1)
