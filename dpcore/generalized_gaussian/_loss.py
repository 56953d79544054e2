"""The point at which the loss of one statistic is ε, the mass beyond it, and the shift s = Δ/b that a guarantee allows.

Let b = 1 and let neighbours lie s = Δ/b apart. The loss at noise x is |x + s|^p − |x|^p, never falling with x (p ≥ 1),
and is ε at x = u with |u + s|^p = ε + |u|^p. So u alone gives t = (ε + |u|^p)^{1/p} and s = t − u without any root, and

    δ of (ε, δ)-DP:   Pr(X > u) − e^ε Pr(X > t),        ∂δ/∂s = f(u),
    δ of (ε, δ)-pDP:  Pr(X > u) + Pr(X > t),            ∂δ/∂s = f(u)(1 + e^{−ε} r)/(1 − r),  r = ±(|u|/t)^{p−1},

with f the density and r having the sign of u. All masses are in units of f(u) = e^{−w}/(2Γ(1 + 1/p)), w = |u|^p: then
e^ε Pr(X > t) is the Mills ratio M(t), and an error of δ in these units is that of s.

All are functions of the one number u, by which Newton's method finds the shift.
"""

from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array
from dpcore.generalized_gaussian._tails import (
    Mask,
    Places,
    central_mass,
    half_norm,
    mills_ratio,
    rough_constant,
    rough_point,
    rough_ratio,
)
from dpcore.normal import legendre_rule
from dpcore.roots import Step, root_by_steps, step_within
from dpcore.rounding import TINY, ULP

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


_MOST_STEPS = 200  # never reached: bisection, the worst that steps fall back to, has v to the last bit before
_ROUGH_STEPS = 3  # of the elementary start: more of them save no step of the exact method
_NOISE = 16 * ULP  # what δ in units of f(u) may be wrong by, in units of s: without it any u near the centre would do


def shift(epsilon: Array, delta: Array, p: Array, *, dp: bool) -> Array:
    """Return s of (ε, δ)-DP, or of (ε, δ)-pDP; the arguments are of one axis.

    With v = |u|, v is bracketed and a method of fourth order runs on log δ for u ≥ 0 and on log(1 − δ) for u < 0, where
    these are nearly linear in v. What δ lacks at the end is added to s itself, again in fourth order: so s is right to
    a few roundings even where u is not.

    The rows that are done leave the loop, since many take a step less than others: 20,000 of them take half the time
    that `roots.root_by_steps` takes for all.
    """
    norm = half_norm(p)
    right = _is_right(epsilon, delta, p, norm, dp=dp)
    upper = delta > 0.5
    share = np.where(upper, 1 - delta, delta) * 2 * norm
    v, high = _start(epsilon, delta, p, norm, right, dp=dp)
    low, side = np.zeros_like(v), np.where(right, 1.0, -1.0)
    shifts, left = np.empty_like(v), np.arange(v.size)
    for _ in range(_MOST_STEPS):
        at = crossing(side * v, epsilon, p)
        mass, rest = dp_mass(at, norm) if dp else pdp_mass(at, norm)
        if dp:
            mass = mass + np.where(right, _NOISE * at.s, 0)
        half = np.exp(at.power / 2)
        target = share * half * half  # where s is near 0 it is as right as this, and e^{log δ} loses two digits
        lack = np.where(upper, rest - target, target - mass)
        too_far = right == (lack > 0)
        low, high = np.where(too_far, low, v), np.where(too_far, v, high)
        slope = slope_of(at, dp=dp)
        step, factor, error = _step(at, np.where(right, mass, rest), slope, side * lack, dp=dp)
        per_delta = 1.0 if dp else np.where(right, at.fall, 1 + at.ratio) / slope
        change = lack * per_delta
        # with DP the doubt is in `_NOISE`; with pDP δ per s may be anything, so that its roundings count by their slope
        doubt = 0.0 if dp else 32 * ULP * np.minimum(mass, rest) * per_delta
        shifts[left] = at.s + change * factor - doubt
        # done where what the fourth order leaves is below a tenth of a rounding of s, or v has no doubles in between
        going = ~(abs(change) * error < 1e-17 * at.s) & (high - low > 2 * ULP * high)
        if not going.any():
            break
        v = step_within(low, v + step, high)
        if not going.all():
            left, epsilon, delta, p, norm = left[going], epsilon[going], delta[going], p[going], norm[going]
            right, upper, side, share = right[going], upper[going], side[going], share[going]
            v, low, high = v[going], low[going], high[going]
    return shifts


def slope_of(at: Crossing, *, dp: bool) -> Array:
    """Return −d mass/dv in units of f(v), of δ for u ≥ 0 and of 1 − δ for u < 0."""
    if dp:
        return np.where(at.right, at.fall, 1 + at.ratio)
    return np.where(at.right, 1 + np.exp(-at.epsilon) * at.ratio, at.fall - at.ratio * np.expm1(-at.epsilon))


def _step(at: Crossing, mass: Array, slope: Array, lack: Array, *, dp: bool) -> tuple[Array, Array, Array]:
    """Return the step of v that adds `lack` to `mass`, its effect on s as a multiple of the first order, and an error.

    With μ = mass/slope, d ln F/dv = −1/μ of the true mass F, so a fall of ln F by c takes the step
    μ c [1 + μ′ c/2 + (μ′² + μ μ″) c²/6 + …]. The error is what the next terms may make of the multiple.
    """
    first, again, steepness, excess = _bends(at, slope, dp=dp)
    share = steepness - excess
    turn_slope = (at.p - 1) * steepness / at.v - share * again + share * share
    mu = mass / slope
    turn = mu * excess - 1
    turn_again = mu * (turn * excess + mu * turn_slope)
    z = lack / mass + TINY
    fall = -np.log1p(z)
    linear, square = fall * turn / 2, fall * fall * (turn * turn + turn_again) / 6
    longer = np.clip(1 + linear + square, 0.5, 2)  # beyond, the series says nothing and the bracket decides
    step = _leap(at, mu * fall, longer, dp)
    rate = step / np.where(at.right, -at.fall, 1 + at.ratio)
    linear_s = first * rate / 2
    square_s = linear_s * again * step / 3
    size = np.maximum(np.maximum(abs(linear), abs(linear_s)), np.sqrt(np.maximum(abs(square), abs(square_s))))
    size = np.maximum(size, abs(step) * steepness / 8)
    good = size < 0.3  # where the next terms of the series, of the order of size³, are below 3 %
    factor = np.where(good, -fall / z * longer * (1 + linear_s + square_s), 1)
    return step, factor, np.where(good, 8 * size * size * size, 1)


def _is_right(epsilon: Array, delta: Array, p: Array, norm: Array, *, dp: bool) -> Mask:
    """Return whether u ≥ 0: whether δ is at most that of u = 0.

    M lies between the values of `rough_ratio` with c = 1/2 and with `rough_constant` (Gautschi), which settles most.
    """
    point = epsilon ** (1 / p)
    most = rough_ratio(point, epsilon, p, rough_constant(p)) * (1 + 1e-9)
    least = rough_ratio(point, epsilon, p, 0.5) * (1 - 1e-9)
    shrink = -1.0 if dp else np.exp(-epsilon)
    bounds = norm + shrink * most, norm + shrink * least
    mass = 2 * norm * delta
    right = mass < np.minimum(*bounds)
    # for tiny ε the bounds, next to each other, are themselves uncertain
    doubt = np.flatnonzero((mass >= np.minimum(*bounds)) & (mass <= np.maximum(*bounds)) | (epsilon < 1e-9))
    if doubt.size:
        right[doubt] = mass[doubt] < _middle_mass(point[doubt], epsilon[doubt], p[doubt], norm[doubt], dp=dp)
    return right & (p > 1) if dp else right


def _middle_mass(point: Array, epsilon: Array, p: Array, norm: Array, *, dp: bool) -> Array:
    """Return δ of u = 0 in units of f(0); with DP more by its possible error, since δ of u ≥ 0 is right to less."""
    far = mills_ratio(point, epsilon, p, norm)
    if not dp:
        return norm + np.exp(-epsilon) * far
    small = np.minimum(epsilon, 1)
    inner = np.exp(small) * central_mass(np.minimum(point, 1), small, p) - norm * np.expm1(small)
    return np.where(epsilon < 1, inner, norm - far) + _NOISE * np.minimum(point, 1)


def _start(epsilon: Array, delta: Array, p: Array, norm: Array, right: Mask, *, dp: bool) -> tuple[Array, Array]:
    """Return a v near the solution, by the same method with an elementary Mills ratio, and a bound above it.

    For u ≥ 0, δ ≤ Pr(X > u) with DP and δ ≤ 2 Pr(X > u) with pDP; for u < 0, 1 − δ ≤ 2 Pr(X > v) and Pr(X > v).
    """
    tails = np.where(right, 2 * delta, 1 - delta) if dp else np.where(right, delta, 2 * (1 - delta))
    centre = np.where(right, 1 - 2 * delta, delta) if dp else np.where(right, 1 - delta, 2 * delta - 1)
    v = rough_point(np.minimum(np.log(tails), 0), np.maximum(centre, 0), p)
    # Where the mass lies between v and t, it is less than t − v in units of f(v), and that is at most ε v^{1−p}/p.
    share = np.where(right, delta, 1 - delta)
    bound = (epsilon / (2 * p * norm * share)) ** (1 / (p - 1))
    v = np.where(right == dp, np.maximum(np.fmin(v, bound), 1e-300), v)
    most = 1.05 * v  # `rough_point` is right to less than that on the low side
    low, high = np.zeros_like(v), most
    target = np.log(share * 2 * norm)
    sign, c = np.where(right == dp, -1.0, 1.0), rough_constant(p)
    if not dp:
        sign = sign * np.exp(-epsilon)

    def method(v: Array) -> Step[None]:
        at = crossing(np.where(right, v, -v), epsilon, p)
        near, far = rough_ratio(v, at.power, p, c), rough_ratio(at.t, at.power + epsilon, p, c)
        # rough ratios may cross where v is next to t: the mass is at least a small part of the window's
        mass = np.maximum(near + sign * far, 1e-3 * np.minimum(at.rise, near))
        lack = np.exp(target + at.power) - mass
        slope = slope_of(at, dp=dp)
        mu, fall = mass / slope, -np.log1p(lack / mass)
        turn = mu * _bends(at, slope, dp=dp)[3] - 1
        leap = _leap(at, mu * fall, np.clip(1 + fall * turn / 2, 0.5, 2), dp)
        return v + leap, np.zeros(v.shape, np.bool_), lack < 0, None

    return root_by_steps(method, v, low, high, _ROUGH_STEPS).x, most


def _bends(at: Crossing, slope: Array, *, dp: bool) -> tuple[Array, Array, Array, Array]:
    """Return d ratio/dv, d ln ratio′/dv, d(−ln f)/dv and d(−ln(f slope))/dv."""
    bend = (at.p - 1) * at.epsilon / ((at.power + at.epsilon) * at.v)  # of ln ratio
    first = at.ratio * bend
    again = bend - (1 + at.p * at.power / (at.power + at.epsilon)) / at.v
    steepness = at.p * at.power / at.v
    return first, again, steepness, steepness - _coefficient(at, dp) * first / slope


def _coefficient(at: Crossing, dp: bool) -> Array:
    """Return a in slope = 1 + a ratio, which depends on the side and on the kind of guarantee."""
    return np.where(at.right, -1.0, 1.0) if dp else np.where(at.right, 1.0, -1.0) * np.exp(-at.epsilon)


def _leap(at: Crossing, step: Array, longer: Array, dp: bool) -> Array:
    """Return the step, longer by its series, or as if F were a power of v, which it nearly is left of the solution."""
    far = (at.right == dp) & (step < -0.3 * at.v) & (at.power < 1)
    return np.where(far, at.v * np.expm1(step / at.v), step * longer)
