"""The point at which the privacy loss of one statistic is ε, and the mass beyond it, as functions of one number.

Let b = 1 and let neighbours lie s = Δ/b apart. The loss at noise x is |x + s|^p − |x|^p, never falling with x (p ≥ 1),
and is ε at x = u with |u + s|^p = ε + |u|^p. So u alone gives t = (ε + |u|^p)^{1/p} and s = t − u without any root, and

    δ of (ε, δ)-DP:   Pr(X > u) − e^ε Pr(X > t),        ∂δ/∂s = f(u),
    δ of (ε, δ)-pDP:  Pr(X > u) + Pr(X > t),            ∂δ/∂s = f(u)(1 + e^{−ε} r)/(1 − r),  r = ±(|u|/t)^{p−1},

with f the density and r having the sign of u. All masses are in units of f(u) = e^{−w}/(2Γ(1 + 1/p)), w = |u|^p: then
e^ε Pr(X > t) is the Mills ratio M(t), and an error of δ in these units is that of s.
"""

from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array
from dpcore.generalized_gaussian._tails import Mask, Places, central_mass, mills_ratio
from dpcore.normal import legendre_rule
from dpcore.rounding import TINY

_NARROW = 0.3  # of the exponent between v and t and of ε: five nodes then integrate e^{−x^p} to the last bit
_NODES, _WEIGHTS = legendre_rule(5)
_NODES = _NODES[:, None]


@dataclass(frozen=True)
class Crossing:
    """The point u = ±v where the loss is ε.

    ln(t/v) = `growth`, t − v = `rise`, s = t − u; `ratio` is (v/t)^{p−1}, `fall` is 1 − ratio.
    """

    epsilon: Array
    p: Array
    right: Mask  # whether u ≥ 0
    v: Array
    power: Array
    growth: Array
    rise: Array
    t: Array
    s: Array
    ratio: Array
    fall: Array


def crossing(u: Array, epsilon: Array, p: Array) -> Crossing:
    """Return all that depends on u, the differences t − v and 1 − (v/t)^{p−1} without cancellation."""
    right, v = u >= 0, abs(u)
    power = v**p
    growth = np.minimum(np.log1p(epsilon / np.maximum(power, TINY)) / p, 1e300)
    rise = v * np.expm1(growth)
    steep = growth > 1  # t is then far from v, and the root's own rounding is the smaller
    if steep.any():
        rise = np.where(steep, (epsilon + power) ** (1 / p) - v, rise)
    t = v + rise
    slower = (1 - p) * growth
    return Crossing(
        epsilon, p, right, v, power, growth, rise, t, np.where(right, rise, t + v), np.exp(slower), -np.expm1(slower)
    )


def dp_mass(at: Crossing, norm: Array) -> tuple[Array, Array]:
    """Return δ and 1 − δ of (ε, δ)-DP, in units of f(u), each right to a few roundings of its sum with s (same units).

    `norm` is Γ(1 + 1/p). For t near u ≥ 0, δ is e^ε J − (e^ε − 1) M(v) with the J of `_window`. The complement is good
    only for u < 0.
    """
    narrow = at.right & _is_narrow(at)
    # Masses from the centre by their series, up to t^p = 1. For u ≥ 0 they are subtracted: only where v is the smaller.
    small = ~narrow & (at.power + at.epsilon < 1) & (~at.right | (at.v < 0.4))
    near, far = _ratios(at, norm, ~small, ~(small | narrow))
    scale = np.exp(at.power)
    whole = 2 * norm * scale
    mass = np.where(at.right, near - far, near + far)
    place = np.flatnonzero(narrow)
    if place.size:
        epsilon = at.epsilon[place]
        mass[place] = np.exp(epsilon) * _window(at, place) - np.expm1(epsilon) * near[place]
    other = whole - mass
    delta, rest = np.where(at.right, mass, other), np.where(at.right, other, mass)
    place = np.flatnonzero(small)
    if place.size:
        inner, outer = _central_masses(at, place)
        growth = np.exp(at.epsilon[place]) * outer - norm[place] * np.expm1(at.epsilon[place])
        part = np.where(at.right[place], growth - inner, growth + inner) * scale[place]
        delta[place], rest[place] = part, whole[place] - part
    return delta, rest


def pdp_mass(at: Crossing, norm: Array) -> tuple[Array, Array]:
    """Return Pr(|loss| > ε) and its complement in units of f(u), as `dp_mass`, but both are good: 2 M(v) − J and J."""
    narrow = _is_narrow(at)
    # As in `dp_mass`, but here it is for u < 0 that they are subtracted, and that the window is as good as they are.
    small = (at.right | ~narrow) & (at.power + at.epsilon < 1) & (at.v < 0.4)
    near, far = _ratios(at, norm, ~small, ~(small | narrow))
    scale = np.exp(at.power)
    inner = near - far * np.exp(-at.epsilon)
    place = np.flatnonzero(narrow)
    if place.size:
        inner[place] = _window(at, place)
    whole = 2 * norm * scale
    mass = np.where(at.right, 2 * near - inner, inner)
    other = whole - mass
    delta, rest = np.where(at.right, mass, other), np.where(at.right, other, mass)
    place = np.flatnonzero(small)
    if place.size:
        masses = _central_masses(at, place)
        inner = np.where(at.right[place], masses[1] + masses[0], masses[1] - masses[0]) * scale[place]
        delta[place], rest[place] = whole[place] - inner, inner
    return delta, rest


def _is_narrow(at: Crossing) -> Mask:
    return (at.p * at.growth < _NARROW) & (at.epsilon < _NARROW)


def _ratios(at: Crossing, norm: Array, first: Mask, second: Mask) -> tuple[Array, Array]:
    """Return the Mills ratios M(v) where `first` is true and M(t) where `second` is true, else 0."""
    near, far = np.zeros_like(at.v), np.zeros_like(at.v)
    i, j = np.flatnonzero(first), np.flatnonzero(second)
    if i.size:
        x, power = np.concatenate((at.v[i], at.t[j])), np.concatenate((at.power[i], at.power[j] + at.epsilon[j]))
        both = np.concatenate((i, j))
        ratio = mills_ratio(x, power, at.p[both], norm[both])
        near[i], far[j] = ratio[: i.size], ratio[i.size :]
    return near, far


def _central_masses(at: Crossing, place: Places) -> Array:
    """Return the central masses I(v) and I(t) of these places, one row each."""
    x = np.concatenate((at.v[place], at.t[place]))
    power = np.concatenate((at.power[place], at.power[place] + at.epsilon[place]))
    return central_mass(x, power, np.tile(at.p[place], 2)).reshape(2, -1)


def _window(at: Crossing, place: Places) -> Array:
    """Return J = ∫_v^t e^{w − x^p} dx = M(v) − e^{−ε} M(t), where t is near v."""
    rise = at.rise[place]
    x = np.log1p(rise / at.v[place] * _NODES)
    x *= at.p[place]
    np.expm1(x, out=x)
    x *= -at.power[place]
    np.exp(x, out=x)
    return rise * (_WEIGHTS @ x)
