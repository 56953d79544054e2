"""Tails of the density e^{−x^p}, x ≥ 0, in forms that are accurate to the last digits.

Everything rests on the Mills ratio M(x) = ∫_x^∞ e^{x^p − t^p} dt = Γ(1 + 1/p) e^w Q(1/p, w) with w = x^p, which neither
under- nor overflows, and on the mass from the centre, I(x) = ∫_0^x e^{−t^p} dt = Γ(1 + 1/p) P(1/p, w). Both take x and
w = x^p: w may underflow where x still matters.
"""

import math

import numpy as np
from numpy.polynomial.chebyshev import chebpts1
from numpy.typing import NDArray
from scipy.special import gamma, gammaincc, gammaln, zeta

from dpcore.checks import Array
from dpcore.normal import legendre_rule

Mask = NDArray[np.bool_]
Places = NDArray[np.intp]

_CENTRAL, _FAR = 1.1, 12.0  # in w: the series takes 18 terms up to the one, the fraction 12 from the other on
_STEEP = 4.0  # in p: from there on Γ(1 + 1/p) − x cancels for x near 1
_MIDDLE, _HALF = math.log(_CENTRAL * _FAR) / 2, math.log(_FAR / _CENTRAL) / 2  # of ln w between the two
_DEGREES = 18, 14  # in ln w and in 1/p: the table is then right to a few roundings
_LOG_GAMMA = np.append(-np.euler_gamma, [(-1) ** n * zeta(n) / n for n in range(2, 18)])  # of ln Γ(1 + a)/a


def half_norm(p: Array) -> Array:
    """Return Γ(1 + 1/p) = ∫_0^∞ e^{−x^p} dx."""
    return gamma(1 + 1 / p)


def tail_probability(x: Array, p: Array | float) -> Array:
    """Return Pr(X > x) = Γ(1/p, x^p)/(2Γ(1/p)) for x ≥ 0 and b = 1; near 0 a straight line, since x^p may underflow."""
    with np.errstate(over="ignore", under="ignore"):
        exponent = np.minimum(x**p, 1e300)
        line = 0.5 - np.minimum(x, 1) / (2 * gamma(1 + 1 / p))
        return np.where(exponent < 1e-17, line, gammaincc(1 / p, exponent) / 2)


def mills_ratio(x: Array, power: Array, p: Array, norm: Array) -> Array:
    """Return M(x) to about ten roundings; 0 where x^p overflows. Arguments have one axis; `norm` is `half_norm`."""
    near, far = power < _CENTRAL, power >= _FAR
    if far.size and far.all():
        return x / p / _fraction(power, 1 / p)
    ratio = np.empty_like(x)
    where = np.flatnonzero(near)
    if where.size:
        ratio[where] = _central_ratio(x[where], power[where], p[where], norm[where])
    where = np.flatnonzero(far)
    if where.size:
        ratio[where] = x[where] / p[where] / _fraction(power[where], 1 / p[where])
    where = np.flatnonzero(~(near | far))
    if where.size:
        ratio[where] = x[where] * _middle_ratio(power[where], 1 / p[where])
    return ratio


def _middle_table() -> Array:
    """Return Chebyshev coefficients in ln w (rows) and a (columns) of (p w/x) M(x) = w ∫_0^∞ e^{az − w(e^z − 1)} dz."""
    node, weight = legendre_rule(40)
    place, place_a = chebpts1(_DEGREES[0]), chebpts1(_DEGREES[1])
    power = np.exp(_MIDDLE + _HALF * place)
    reach = np.log1p(40 / power)  # beyond it the integrand is below e^{−40}
    z = node * reach[:, None]
    values = np.exp((1 + place_a)[:, None, None] / 2 * z - power[:, None] * np.expm1(z)) @ weight * (power * reach)
    inverses = np.linalg.inv(_chebyshev(place, _DEGREES[0])), np.linalg.inv(_chebyshev(place_a, _DEGREES[1]))
    return np.asarray((values @ inverses[0]).T @ inverses[1])


def _chebyshev(x: Array, n: int) -> Array:
    """Return T_0(x) to T_{n−1}(x), a row each."""
    rows, double = np.empty((n, x.size)), 2 * x
    rows[0], rows[1] = 1, x
    for k in range(2, n):
        np.multiply(double, rows[k - 1], out=rows[k])
        rows[k] -= rows[k - 2]
    return rows


def _middle_ratio(power: Array, a: Array) -> Array:
    """Return M(x)/x from its table. SciPy's gammaincc takes longer and is wrong by up to 70 roundings here."""
    columns = _TABLE @ _chebyshev(2 * a - 1, _DEGREES[1])
    columns *= _chebyshev((np.log(power) - _MIDDLE) / _HALF, _DEGREES[0])
    return np.sum(columns, axis=0) * a / power


def _central_ratio(x: Array, power: Array, p: Array, norm: Array) -> Array:
    """Return x e^w [Γ(1 + 1/p)/x − 1 + Σ_{n≥1} −(−w)ⁿ/((1 + pn) n!)], for large p with the difference by its logarithm.

    SciPy's gammaincc does the same in a series fifty times slower.
    """
    total, term = np.zeros_like(power), np.empty_like(power)
    for n in range(int(10 + 8 * power.max()), 0, -1):
        np.multiply(p, n, out=term)
        term += 1
        np.divide(1 / n, term, out=term)
        total /= -n
        total += term
        total *= power
    gap = norm - x
    steep = np.flatnonzero((p > _STEEP) & (x > 0.5))
    if steep.size:
        a = 1 / p[steep]
        shape = np.where(a > 0.125, gammaln(1 + a) / a, np.polynomial.polynomial.polyval(a, _LOG_GAMMA))
        gap[steep] = x[steep] * np.expm1((shape - np.log(power[steep])) * a)
    total *= x
    total += gap
    total *= np.exp(power)
    return total


def _fraction(power: Array, a: Array) -> Array:
    """Return w + 1 − a − 1(1 − a)/(w + 3 − a − 2(2 − a)/(w + 5 − a − …)), which is w^a e^{−w}/Γ(a, w) (Legendre)."""
    n_terms = 4 + math.ceil(96 / power.min())  # enough for the last bit of a double where w ≥ 12
    base = power - a
    value = base + (2 * n_terms + 1)
    term = np.empty_like(value)
    for n in range(n_terms, 0, -1):
        np.subtract(n, a, out=term)
        term *= n
        term /= value
        np.add(base, 2 * n - 1, out=value)
        value -= term
    return value


_TABLE = _middle_table()


def central_mass(x: Array, power: Array, p: Array) -> Array:
    """Return I(x) for x^p ≤ 1: x e^{−w} Σ wⁿ/((1 + 1/p)(2 + 1/p)…(n + 1/p)), all of whose terms are positive."""
    a = 1 / p
    total, term = np.ones_like(power), np.empty_like(power)
    for n in range(int(10 + 10 * power.max()), 0, -1):
        np.add(a, n, out=term)
        total *= power
        total /= term
        total += 1
    return x * np.exp(-power) * total


def upper_point(log_tail: Array, central: Array, p: Array, norm: Array) -> Array:
    """Return the x with Q(1/p, x^p) = e^{log_tail}, where 1 − e^{log_tail} = central, to a few roundings of either.

    From `rough_point`, steps of fourth order: of the inverse of log Q in its Taylor series, or of that of I for
    central < 0.3, where log Q says nothing about x. The arguments are of one axis.
    """
    x = rough_point(log_tail, central, p)
    for _ in range(2):
        x = x + point_step(x, log_tail, central, p, norm)
    return x


def point_step(x: Array, log_tail: Array, central: Array, p: Array, norm: Array) -> Array:
    """Return the step from x to `upper_point`, as far as its series go."""
    near = central < 0.3
    if near.all():
        return _central_step(x, central, p, norm)
    if not near.any():
        return _tail_step(x, log_tail, p, norm)
    step = np.empty_like(x)
    i, j = np.flatnonzero(near), np.flatnonzero(~near)
    step[i] = _central_step(x[i], central[i], p[i], norm[i])
    step[j] = _tail_step(x[j], log_tail[j], p[j], norm[j])
    return step


def _central_step(x: Array, central: Array, p: Array, norm: Array) -> Array:
    power = x**p
    gap = (norm * central - central_mass(x, power, p)) * np.exp(power)
    return gap * (1 + gap * p * power / np.maximum(x, 1e-300) / 2)


def _tail_step(x: Array, log_tail: Array, p: Array, norm: Array) -> Array:
    power = x**p
    ratio = mills_ratio(x, power, p, norm)
    gap = np.log(ratio / norm) - power - log_tail
    slope = p * power / x
    first = slope * ratio - 1
    second = slope * (first + (p - 1) / x * ratio)
    return ratio * gap * (1 + gap / 2 * (first + gap / 3 * (first * first + ratio * second)))


def rough_ratio(x: Array, power: Array, p: Array, c: Array | float) -> Array:
    """Return about M(x): c[(x^p + 1/c)^{1/p} − x], which is right at 0 and for x → ∞ with the c of `rough_constant`."""
    return c * x * np.expm1(np.log1p(1 / (c * np.maximum(power, 1e-300))) / p)


def rough_constant(p: Array) -> Array:
    """Return Γ(1 + 1/p)^{p/(p−1)}."""
    return np.exp(np.where(p > 1, gammaln(1 + 1 / p) * p / np.maximum(p - 1, 1e-300), -0.42278433509846714))


def rough_point(log_tail: Array, central: Array, p: Array) -> Array:
    """Return the x of `upper_point`, at most 20 % of the Mills ratio too large; to 1 % for central < 0.3.

    M is replaced by `rough_ratio`.
    """
    size = gammaln(1 + 1 / p)
    least, c = np.exp(size) * central, rough_constant(p)
    near = least * (1 + least**p / (p + 1))
    x = (-log_tail) ** (1 / p)
    with np.errstate(all="ignore"):
        for _ in range(3):
            w = x**p
            ratio = rough_ratio(x, w, p, c)
            x = np.maximum(x + ratio * (np.log(ratio) - size - w - log_tail), least)
    return np.where(central < 0.3, near, x)
