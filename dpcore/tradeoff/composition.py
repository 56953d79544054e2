"""Curves of several releases together: in closed form for Gaussians, ρ-zCDP and equal guarantees, else by losses.

The numerical part (`losses`, for DP-SGD `dpcore.composition.profiles`) errs in one direction: every composed curve lies
below the true one and every δ, ε and power read from it above. Its error stays as f(0) < 1, so no finite μ can be
proved from such a curve, unless all its parts have pure guarantees: these add up, and the sum is part of the curve.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from dpcore import gaussian
from dpcore.checks import Array, DomainError, number, scalar, scalar_integer
from dpcore.composition._normalize import gaussian_mu, joined
from dpcore.composition.profiles import certified_profile, profile_places
from dpcore.composition.releases import Release, broken_up, failure_up, sampled_release
from dpcore.rounding import round_down, round_up, total_up
from dpcore.tradeoff.conversions import smallest_mu
from dpcore.tradeoff.curve import Curve, Lines, SmallestMu
from dpcore.tradeoff.forms import MU_RANGE
from dpcore.tradeoff.functions import function_curve
from dpcore.tradeoff.losses import Releases, losses, profiles, repeated_guarantee, tabled
from dpcore.tradeoff.mechanisms import RHO_RANGE, gaussian_curve, zcdp_curve
from dpcore.tradeoff.pure_mechanisms import mu_from_epsilon, profile_curve

COUNT_RANGE = "[1, 1e6]"
Item = TypeVar("Item")


def composed_mu(mu: ArrayLike) -> Array:
    """√Σμᵢ² over the last axis, rounded up: the exact μ of Gaussians released together ([DRS22]).

    Parameters
    ----------
    mu : in [0, 1e6].

    Examples
    --------
    >>> f"{composed_mu([0.3, 0.4]):.4f}"
    '0.5000'
    """
    mu = np.atleast_1d(number("mu", mu, MU_RANGE))
    return round_up(np.sqrt(np.sum(mu**2, axis=-1)), 4 + mu.shape[-1])


def group_curve(curve: Curve, size: float, name: str | None = None) -> Curve:
    """1 − (1 − f)∘…∘(1 − f), `size` times: the guarantee to a group of so many people ([DRS22]); kμ for G_μ.

    Parameters
    ----------
    size : people in the group, a whole number in [1, 1000].

    Examples
    --------
    >>> f"{group_curve(gaussian_curve(0.5), 3).mu:.4f}"
    '1.5000'
    """
    people = scalar_integer("size", size, "[1, 1000]")
    words = name or f"{curve.name}, groups of {people}"
    if people == 1:
        return curve.named(words)
    if curve.mu is not None:
        return gaussian_curve(scalar("μ of the group", round_up(curve.mu * people), MU_RANGE), words)

    def power(alpha: Array) -> Array:
        for _ in range(people):
            alpha = curve.power(alpha)
        return alpha

    def beta(alpha: Array) -> Array:
        for _ in range(people - 1):
            alpha = curve.power(alpha)
        return np.minimum(curve.beta(alpha), 1 - alpha)

    pure = None if curve.pure_epsilon is None else total_up([curve.pure_epsilon], [people])
    return replace(function_curve(beta, words, power), pure_epsilon=pure if pure is None or pure <= 1e6 else None)


def composed_curve(curves: Sequence[Curve], n_releases: Sequence[int] | None = None, name: str | None = None) -> Curve:
    """f₁ ⊗ f₂ ⊗ …: the curve of independent releases to the same attacker ([DRS22]).

    Exact for Gaussians, whose μ² add, and for equal (ε, δ)-DP guarantees; the ρ of zCDP curves add. All others
    are summed on a grid of losses, which is exact too where all losses are multiples of a unit.

    Parameters
    ----------
    curves : at least one.
    n_releases : how often each is released, whole numbers in [1, 1e6]; once each if left out.

    Raises
    ------
    ValueError
        also if the mean loss of one of them is above 1e6: no ε that a curve may have goes with it; and if the μ or ρ
        that Gaussians or zCDP curves add up to is out of the range of such curves.

    Examples
    --------
    >>> hundred = composed_curve([gaussian_curve(0.1)], [100])
    >>> f"{hundred.mu:.4f}"
    '1.0000'
    """
    curves = _as_list("curves", curves, "curves")
    times = _times(curves, n_releases)
    words = name or " ⊗ ".join(
        f"{curve.name}, {n} ×" if n > 1 else curve.name for curve, n in zip(curves, times, strict=True)
    )
    if times == [1]:
        return curves[0].named(words)
    known = _gaussian_or_zcdp(curves, times, words)
    if known is not None:
        return known
    guarantees = [guarantee for curve in curves if (guarantee := _guarantee_of_lines(curve.lines)) is not None]
    if len(guarantees) == len(curves) and len({epsilon for epsilon, _ in guarantees if epsilon > 0}) <= 1:
        return _repeated_guarantee_curve(guarantees, times, words)
    return _curve_of_summed_losses(curves, times, words)


def _times(curves: Sequence[Curve], n_releases: Sequence[int] | None) -> list[int]:
    listed = _as_list(
        "n_releases", [1] * len(curves) if n_releases is None else n_releases, f"whole numbers of {COUNT_RANGE}"
    )
    times = [scalar_integer("n_releases", count, COUNT_RANGE) for count in listed]
    if not curves or len(times) != len(curves):
        raise ValueError(f"n_releases must be as many as curves, at least one, got {len(times)} for {len(curves)}")
    return times


def _as_list(name: str, value: Iterable[Item], of: str) -> list[Item]:
    try:
        return list(value)
    except TypeError:
        raise ValueError(f"{name} must be a list of {of}, got {value!r}") from None


def _gaussian_or_zcdp(curves: Sequence[Curve], times: Sequence[int], name: str) -> Curve | None:
    mu = [curve.mu for curve in curves if curve.mu is not None]
    if len(mu) == len(curves):
        return gaussian_curve(scalar("μ of all releases", _root_up(mu, times), MU_RANGE), name)
    rho = [curve.rho for curve in curves if curve.rho is not None]
    if len(rho) < len(curves):
        return None
    return zcdp_curve(scalar("ρ of all releases", total_up(rho, times), RHO_RANGE), name)


def _root_up(mu: Sequence[float], times: Sequence[int]) -> float:
    """√Σnμ², rounded up from the exact one, so that a μ of 1e6 is not lifted out of its range."""
    largest = max(mu)
    square = sum((Fraction(value) ** 2 * n for value, n in zip(mu, times, strict=True)), Fraction(0))
    total = largest * math.sqrt(square / Fraction(largest) ** 2) if largest > 0 else 0.0
    while Fraction(total) ** 2 < square:
        total = math.nextafter(total, math.inf)
    return total


def _guarantee_of_lines(lines: Lines | None) -> tuple[float, float] | None:
    """Return the ε and δ of a curve that is f_{ε,δ}."""
    if lines is None or lines.epsilon.size > 2:
        return None
    if lines.epsilon[0] != -lines.epsilon[-1] or lines.delta[0] != lines.mirrored[-1]:
        return None
    return float(lines.epsilon[0]), float(lines.delta[0])


def _repeated_guarantee_curve(guarantees: Sequence[tuple[float, float]], times: Sequence[int], name: str) -> Curve:
    """Return the curve of the composition of guarantees that differ in δ only, or have ε = 0."""
    failure = failure_up([delta for _, delta in guarantees], times)
    epsilon = max(epsilon_of_line for epsilon_of_line, _ in guarantees)
    count = sum(n for (epsilon_of_line, _), n in zip(guarantees, times, strict=True) if epsilon_of_line > 0)
    _require_compact("n_releases", count, epsilon * math.tanh(epsilon / 2))
    total, delta = repeated_guarantee(epsilon, count)
    curve = profile_curve(total, broken_up(delta, failure), name)
    return curve if failure > 0 else _with_mu_of_parts(curve, [float(mu_from_epsilon(epsilon))], [count])


def _curve_of_summed_losses(curves: Sequence[Curve], times: Sequence[int], name: str) -> Curve:
    lines = [tabled(curve, sum(times)) for curve in curves]
    symmetric = all(_is_own_inverse(curve) for curve in curves)
    epsilon, delta, inverse_delta = profiles(*_releases(lines, times, symmetric))
    most = round_up(sum(n * float(curve.delta(np.zeros(1))[0]) for curve, n in zip(curves, times, strict=True)), 4)
    delta, inverse_delta = np.minimum(delta, most), np.minimum(inverse_delta, most)  # advantages at most add up
    pure = [curve.pure_epsilon for curve in curves if curve.pure_epsilon is not None]
    if len(pure) < len(curves):
        return _without_mu(profile_curve(epsilon, delta, name, inverse_delta))
    far, far_delta = repeated_guarantee(max(pure), sum(times))  # keeps the digits of the far tail
    total = total_up(pure, times)
    if total <= 1e6:
        far, far_delta = np.append(far, total), np.append(far_delta, 0.0)
    delta, inverse_delta = np.append(delta, far_delta), np.append(inverse_delta, far_delta)
    curve = profile_curve(np.append(epsilon, far), delta, name, inverse_delta)
    return _with_mu_of_parts(curve, [smallest_mu(part).mu for part in curves], times) if total <= 1e6 else curve


def _with_mu_of_parts(curve: Curve, mu: Sequence[float], times: Sequence[int]) -> Curve:
    """Return a composed curve whose μ is at most that of the Gaussians below its parts, whose squares add ([DRS22])."""

    def find_mu() -> SmallestMu:
        together = math.hypot(*(curve_mu * math.sqrt(n) for curve_mu, n in zip(mu, times, strict=True)))
        together = round_up(together, 8 + 2 * len(mu))
        own = curve.find_mu()
        if own.mu <= together:
            return own
        return SmallestMu(together, float(ndtr(-together / 2)), "each release is above a Gaussian, and their μ² add up")

    return replace(curve, find_mu=find_mu)


def _is_own_inverse(curve: Curve) -> bool:
    lines, inverse = curve.lines, curve.inverse()
    if lines is None or inverse.lines is None:
        return inverse is curve
    return np.array_equal(lines.epsilon, inverse.lines.epsilon) and np.array_equal(lines.delta, inverse.lines.delta)


def _releases(lines: Sequence[Lines], times: Sequence[int], symmetric: bool) -> tuple[Releases, Releases]:
    """Return the losses in both directions; refuses so many releases that no ε of a curve is left to guarantee."""
    forward = [(losses(line, sum(times)), n) for line, n in zip(lines, times, strict=True)]
    for part, n in forward:
        _require_compact("n_releases", n, float(np.sum(part.loss * part.mass)))
    if symmetric:
        return forward, forward
    return forward, [(losses(line.mirror(), sum(times)), n) for line, n in zip(lines, times, strict=True)]


def _require_compact(name: str, count: int, mean_loss: float) -> None:
    """Refuse so many releases that their losses reach beyond 10⁶."""
    most = max(math.floor(1e6 / max(mean_loss, 1e-300)), 1)
    if count > most:
        raise DomainError(name, f"[1, {most}] for so large a loss each", count)


def _without_mu(curve: Curve) -> Curve:
    """Say of a curve found numerically why no finite μ follows from it."""
    reason = (
        "no finite μ can be proved: the error of the numerical composition leaves f(0) = 1 − "
        f"{curve.power(np.zeros(1))[0]:.4g}, while every G_μ starts at 1"
    )
    return replace(curve, find_mu=lambda: SmallestMu(math.inf, 0.0, reason))


_LINES, _EXCESS = 2400, 5e-4  # of DP-SGD; the excess is that of δ
_ROUGH_LINES, _ROUGH_CELLS = 240, 2**14
_FEW_CELLS, _MANY_CELLS = 2**17, 2**19  # for a tenth of a second, and for less than one
SAMPLING_RANGE = "(0, 1]"


NOISE_RANGE = "[0.2, 1e4]"


_UNSEEN = 1e-16  # a δ(0) of DP-SGD that is not worth a profile


def subsampled_gaussian_curve(
    sigma: float, sampling_rate: float, steps: int = 1, l2_sensitivity: float = 1.0, name: str | None = None
) -> Curve:
    """Gaussian noise on Poisson-sampled records, composed: DP-SGD, for add-or-remove-one neighbours.

    The curve lies below both directions (add and remove), so it is symmetric: that of δ(ε) at some two thousand ε, each
    rounded up by the sum of the losses on a grid (`dpcore.composition.certified_profile`). Any δ read from it is above
    the truth, mostly by less than 1 % where it is above 1e-12; by more near ε = 0 where rare large losses stand beside
    many small ones, as with 10⁵ steps at a rate of 1e-5. Below 1e-16 of δ(0) it has no content.

    Parameters
    ----------
    sigma : noise in query units, from 0.2 to 10⁴ times the sensitivity (the noise multiplier).
    sampling_rate : the chance of each record to take part in a step, in (0, 1].
    steps : a whole number in [1, 1e6].
    l2_sensitivity : Δ₂ > 0, in query units.

    Examples
    --------
    >>> curve = subsampled_gaussian_curve(1, 0.01, 1000)
    >>> f"{curve.power(np.array(0.05)):.3f}"
    '0.111'
    """
    sensitivity = scalar("l2_sensitivity", l2_sensitivity, "[1e-300, 1e300]")
    noise = round_down(scalar("sigma / l2_sensitivity", scalar("sigma", sigma, "(0, inf)") / sensitivity, NOISE_RANGE))
    rate = scalar("sampling_rate", sampling_rate, SAMPLING_RANGE)
    n_steps = scalar_integer("steps", steps, COUNT_RANGE)
    words = name or f"subsampled Gaussian σ = {sigma:.4g}, rate {rate:.4g}, {n_steps} steps"
    if rate == 1:
        return gaussian_curve(round_up(math.sqrt(n_steps) / noise, 4), words)
    most = min(round_up(n_steps * rate * float(gaussian.delta_from_sigma(0.0, noise)), 8), 1.0)
    if most <= _UNSEEN:
        return _without_mu(profile_curve(0.0, most, words))
    cells = _MANY_CELLS if n_steps > 10_000 else _FEW_CELLS
    return _profiled([sampled_release(noise, rate, n_steps)], cells, most, words)  # advantages at most add up


def releases_curve(releases: Sequence[Release], is_rough: bool = False, name: str | None = None) -> Curve:
    """Return the curve of a list of releases together, below those of both directions, so that it is symmetric.

    That of δ(ε) at some two thousand ε, each rounded up, as in `subsampled_gaussian_curve` but on a coarser grid: at
    most some tenths of a second of processor time. Exact for Gaussian noise alone.

    Parameters
    ----------
    releases : from 1 to 400, of any kind of `dpcore.composition` but ρ-zCDP.
    is_rough : whether a curve some percent lower will do, which takes a fifth of the time.

    Raises
    ------
    ValueError
        also if the loss of nearly every output is above 1e6: no ε that a curve may have goes with it.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release
    >>> curve = releases_curve([gaussian_release(2, count=4), laplace_release(0.5)])
    >>> f"{curve.power(np.array(0.05)):.3f}"
    '0.293'
    """
    listed = joined(releases)
    words = name or f"{len(listed)} release{'' if len(listed) == 1 else 's'} together"
    mu = gaussian_mu(listed)
    if mu is not None:
        return gaussian_curve(scalar("μ of all releases", mu, MU_RANGE), words)
    return _profiled(listed, _ROUGH_CELLS if is_rough else _FEW_CELLS, 1.0, words)


def _profiled(releases: Sequence[Release], cells: int, most: float, name: str) -> Curve:
    """Return the curve of the certified profile, whose δ are at most `most`."""
    epsilon = profile_places(releases, _ROUGH_LINES if cells == _ROUGH_CELLS else _LINES)
    if epsilon[0] > 1e6:
        count = sum(release.count for release in releases)
        _require_compact("steps", count, float(epsilon[0]) / count)
    epsilon = np.unique(np.minimum(epsilon, 1e6))
    delta = certified_profile(releases, epsilon, _EXCESS, cells).value
    return _without_mu(profile_curve(epsilon, np.minimum(delta, most), name))
