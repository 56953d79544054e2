"""Curves by the certified profile of the losses: of DP-SGD, and of a list of releases."""

import math
from collections.abc import Sequence

import numpy as np

from dpcore import gaussian as gaussian_mechanism
from dpcore.checks import scalar, scalar_integer
from dpcore.composition._normalize import gaussian_mu, joined
from dpcore.composition.profiles import certified_profile, profile_places
from dpcore.composition.releases import Release, sampled_release
from dpcore.rounding import round_down, round_up
from dpcore.tradeoff.composition import COUNT_RANGE, require_compact, without_mu
from dpcore.tradeoff.curve import Curve
from dpcore.tradeoff.forms import MU_RANGE
from dpcore.tradeoff.mechanisms import gaussian_curve
from dpcore.tradeoff.profile_curves import profile_curve

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
    most = min(round_up(n_steps * rate * float(gaussian_mechanism.delta_from_sigma(0.0, noise)), 8), 1.0)
    if most <= _UNSEEN:
        return without_mu(profile_curve(0.0, most, words))
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
        require_compact("steps", count, float(epsilon[0]) / count)
    epsilon = np.unique(np.minimum(epsilon, 1e6))
    delta = certified_profile(releases, epsilon, _EXCESS, cells).value
    return without_mu(profile_curve(epsilon, np.minimum(delta, most), name))
