"""The profiles as formulas of intervals: definitions, in which nothing is rearranged for the sake of doubles.

Each takes exact intervals, those of doubles, and gives an interval that holds the value at the working precision.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor, isqrt

from flint import arb, ctx

_FAR = 2000  # from here on, Pr(X > u) of unit scale is at most e^{−u}, below every double


def upper_tail(t: arb) -> arb:
    """Φ(−t)."""
    return (t / arb(2).sqrt()).erfc() / 2


def gaussian(epsilon: arb, mu: arb) -> arb:
    """Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ): [BW18] Theorem 8."""
    return upper_tail(epsilon / mu - mu / 2) - epsilon.exp() * upper_tail(epsilon / mu + mu / 2)


def gaussian_pdp(epsilon: arb, mu: arb) -> arb:
    """Pr(|L| > ε) for the privacy loss L ~ N(μ²/2, μ²)."""
    return upper_tail(epsilon / mu - mu / 2) + upper_tail(epsilon / mu + mu / 2)


def laplace(epsilon: arb, scale: arb, sensitivity: arb) -> arb:
    """Pr(X ≤ x) − e^ε Pr(X ≤ x − Δ) at x = (Δ − εb)/2, where the loss is ε; 0 where it is nowhere more."""
    gap = sensitivity - epsilon * scale  # of the right sign: the product of two doubles is exact
    return -(-gap / scale / 2).expm1() if gap > 0 else arb(0)


def geometric(epsilon: arb, scale: arb, steps: arb, exact_arguments: tuple[Fraction, ...] = ()) -> arb:
    """Pr(k ≤ m) − e^ε Pr(k ≤ m − Δ) at the last m whose loss (Δ − 2m)/s exceeds ε, found in whole numbers.

    `exact_arguments` are ε, s and Δ where they are no doubles.
    """
    e, s, moved = exact_arguments or (Fraction(float(number)) for number in (epsilon, scale, steps))
    beyond = (moved - e * s) / 2
    if beyond <= 0:
        return arb(0)
    m, normalizer = ceil(beyond) - 1, 1 + (-1 / scale).exp()
    return (normalizer - (-(m + 1) / scale).exp() - (epsilon - (steps - m) / scale).exp()) / normalizer


def staircase(epsilon: arb, theta: arb, gamma: arb) -> arb:
    """P(1 − e^{ε−θ}), P the probability of the x ≤ 0 and those below min(γ, 1 − γ)Δ, where the loss is θ."""
    rest = (-theta).exp()
    height = (1 - rest) / (2 * (gamma + rest * (1 - gamma)))
    return -(arb(1) / 2 + height * gamma.min(1 - gamma)) * (epsilon - theta).min(arb(0)).expm1()


def shaped_density(x: arb, p: arb) -> arb:
    """Density at x of generalized Gaussian noise with b = 1."""
    return (-(abs(x) ** p)).exp() / (2 * (1 + 1 / p).gamma())


def shaped_tail(x: arb, p: arb) -> arb:
    """Pr(X > x) for b = 1; about 0 it is off ½ by at most x times the greatest density."""
    if x.contains(0):
        return arb(1) / 2 - x * shaped_density(arb(0), p)
    beyond = (abs(x) ** p).gamma_upper(1 / p, regularized=1) / 2
    return beyond if x > 0 else 1 - beyond


def shaped(epsilon: arb, s: arb, p: arb, side: int = -1) -> arb:
    """Pr(X > u) − e^ε Pr(X > u + s), the loss of u being ε, for s = Δ/b; or with side 1 Pr(X > u) + Pr(X > u + s)."""
    u = crossing(epsilon, s, p)
    if u > _FAR:
        return arb(0).union(2 * arb(-_FAR).exp())
    return shaped_tail(u, p) + (1 if side > 0 else -epsilon.exp()) * shaped_tail(u + s, p)


def crossing(epsilon: arb, s: arb, p: arb) -> arb:
    """Return the u ≥ −s/2 with |u + s|^p − |u|^p = ε;
    some number beyond `_FAR` if it is one, NaN if that is not certain.
    """

    def loss(h: arb) -> arb:
        return (h + s / 2) ** p - abs(h - s / 2) ** p - epsilon

    most = arb(_FAR + 1) + s
    last = loss(most)
    if last > 0:
        return root(loss, arb(0), most) - s / 2
    return most if last <= 0 else arb("nan")


def root(formula: Callable[[arb], arb], low: arb, high: arb) -> arb:
    """Return an interval about the root in [low, high] of an increasing formula, whose certain signs move both ends."""
    ends = []
    for side, start, other in ((-1, low, high), (1, high, low)):
        end, beyond = start.mid(), other.mid()
        for _ in range(ctx.prec + 32):
            middle = ((end + beyond) / 2).mid()
            if side * formula(middle) > 0:
                end = middle
            else:
                beyond = middle
        ends.append(end)
    return ends[0].union(ends[1])


def discrete_gaussian(epsilon: arb, sigma: arb, steps: arb, exact_arguments: tuple[Fraction, ...] = ()) -> arb:
    """Pr(Y ≥ m) − e^ε Pr(Y ≥ m + c) at the first m whose loss (2mc + c²)/(2σ²) exceeds ε: [CKS20], for one cell.

    `exact_arguments` are ε and σ where they are no doubles.
    """
    e, s = exact_arguments or (Fraction(float(number)) for number in (epsilon, sigma))
    c = int(float(steps))
    return discrete_gap(epsilon, sigma, c, floor(e * s**2 / c - Fraction(c, 2)) + 1)


def discrete_gap(epsilon: arb, sigma: arb, c: int, m: int) -> arb:
    """Pr(Y ≥ m) − e^ε Pr(Y ≥ m + c)."""
    whole = discrete_weight(sigma)

    def weight(first: int) -> arb:
        return _weight_from(first, sigma) if first > 0 else whole - _weight_from(1 - first, sigma)

    return (weight(m) - epsilon.exp() * weight(m + c)) / whole


def discrete_weight(sigma: arb) -> arb:
    """Σ e^{−y²/(2σ²)} over all whole y."""
    return 1 + 2 * _weight_from(1, sigma)


def discrete_tail(first: int, sigma: arb) -> arb:
    """Pr(|Y| ≥ first), first > 0."""
    return 2 * _weight_from(first, sigma) / discrete_weight(sigma)


def _weight_from(first: int, sigma: arb) -> arb:
    """Σ e^{−y²/(2σ²)} over y ≥ first > 0: a sum, and beyond it at most the geometric series of its last ratio."""
    rate = 1 / (sigma * sigma)
    last = isqrt(first**2 + int(1.4 * ctx.prec * float(sigma) ** 2)) + 2
    weight, ratio = (-rate * first * first / 2).exp(), (-rate * (2 * first + 1) / 2).exp()
    total, fall = arb(0), (-rate).exp()
    for _ in range(first, last):
        total += weight
        weight *= ratio
        ratio *= fall
    return total + arb(0).union(weight / (1 - ratio))
