"""The profiles as formulas of intervals: definitions, in which nothing is rearranged for the sake of doubles.

Each takes exact intervals, those of doubles, and gives an interval that holds the value at the working precision.

An `Enclosure` is what a formula gives: `proved` says whether it proves a guarantee, and `sentence` says so in words.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import ceil, floor, isqrt
from threading import Lock

from flint import arb, ctx, fmpq

from dpcore.checks import PROBABILITY_RANGE, scalar, scalar_integer

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
    """Return the u ≥ −s/2 with |u + s|^p − |u|^p = ε; some number beyond `_FAR` if so, NaN if that is uncertain."""

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


Number = float | Decimal
LEAST_BITS = 128
MOST_BITS = 1 << 14
_WANTED_BITS = 64  # more than a double has, so that at most one double lies between the ends
_NOTHING = 2.0**-1074  # the least positive double
_SHOWN_DIGITS = range(3, 17)
_ONE_AT_A_TIME = Lock()  # the working precision is one for all threads


@dataclass(frozen=True)
class Enclosure:
    """A probability, or of `sums_change` a length, that certainly lies in [`low`, `high`], by intervals of `bits` bits.

    The ends are at most two steps of a double apart, unless `bits` is the limit, 16384, and it did not suffice.
    """

    low: float
    high: float
    bits: int
    is_probability: bool = field(default=True, repr=False)

    @property
    def range(self) -> str:
        """The range of what is guaranteed of it."""
        return PROBABILITY_RANGE if self.is_probability else "[0, inf)"


def exact(name: str, value: Number, interval: str) -> Fraction:
    """Return one number of an interval as it is given: a double is the double that it is, a `Decimal` the decimal.

    Examples
    --------
    >>> exact("epsilon", Decimal("0.1"), "[0, 1]"), exact("epsilon", 0.5, "[0, 1]")
    (Fraction(1, 10), Fraction(1, 2))
    """
    if not isinstance(value, Decimal):
        return Fraction(scalar(name, value, interval))
    scalar(name, float(value), interval)
    return Fraction(value)


def ball(value: Fraction | float) -> arb:
    """Return the interval about a number at the working precision; a double is its own."""
    exact_value = Fraction(value)
    return arb(fmpq(exact_value.numerator, exact_value.denominator))


def enclosed(formula: Callable[..., arb], *arguments: Fraction | float, most_bits: int = MOST_BITS) -> Enclosure:
    """Return the enclosure of a probability by a formula of intervals, with ever more bits until it is tight."""
    bits = LEAST_BITS
    while True:
        with _ONE_AT_A_TIME, ctx.workprec(bits):
            value = formula(*(ball(argument) for argument in arguments))
            low, high = _outward(value)
            if value.rel_accuracy_bits() >= _WANTED_BITS or high <= _NOTHING or bits >= most_bits:
                return Enclosure(low, high, bits)
        bits *= 2


def _outward(value: arb) -> tuple[float, float]:
    """Return doubles that enclose the part of an interval in [0, 1], and 0 and 1 where nothing is known."""
    lower, upper = value.lower(), value.upper()
    low = float(lower) if lower > 0 else 0.0
    high = float(upper) if upper < 1 else 1.0
    if arb(low) > lower > 0:
        low = math.nextafter(low, 0)
    if arb(high) < upper < 1:
        high = math.nextafter(high, 1)
    return low, high


def proved(enclosure: Enclosure, delta: Number) -> bool:
    """Return whether an enclosure proves that the probability is at most δ: `high` ≤ δ.

    Where it does not, the guarantee is refuted if `low` > δ, and else not decided.

    Parameters
    ----------
    delta : in [0, 1]; of a length the one that is stated, in [0, ∞).

    Examples
    --------
    >>> proved(Enclosure(9.98e-7, 9.99e-7, bits=128), delta=1e-6)
    True
    """
    return enclosure.high <= exact("delta", delta, enclosure.range)


def sentence(subject: str, enclosure: Enclosure, delta: Number, digits: int = 3) -> str:
    """Return what an enclosure says of a guarantee, in words; its ends are rounded outwards.

    Parameters
    ----------
    subject : whose δ it is, as "δ(1) of σ = 4.225".
    delta : the guaranteed δ, in [0, 1], or the stated length.
    digits : significant digits at least, in 3 … 16; more are shown where these would not show the verdict, and where
        16 don't, the shortest ones that name the doubles.

    Examples
    --------
    >>> print(sentence("δ(1) of σ = 4.225", Enclosure(9.981e-7, 9.982e-7, bits=128), delta=1e-6))
    δ(1) of σ = 4.225 lies in [9.98e-7, 9.99e-7], at most 1e-6: proved.
    """
    exact("delta", delta, enclosure.range)
    guaranteed = delta if isinstance(delta, Decimal) else Decimal(repr(float(delta)))
    low, high = Decimal(repr(float(enclosure.low))), Decimal(repr(float(enclosure.high)))
    verdict = _verdict(Decimal(enclosure.low), Decimal(enclosure.high), Decimal(delta))
    for precision in range(scalar_integer("digits", digits, "[3, 16]"), _SHOWN_DIGITS.stop):
        below = Context(precision, ROUND_FLOOR).create_decimal(Decimal(enclosure.low))
        above = Context(precision, ROUND_CEILING).create_decimal(Decimal(enclosure.high))
        if _verdict(below, above, guaranteed) == verdict:
            low, high = below, above
            break
    verdict_word, relation = verdict, "above" if verdict == "refuted" else "at most"
    limit = f" at {enclosure.bits} bits" if verdict == "not decided" else ""
    return f"{subject} lies in [{_text(low)}, {_text(high)}], {relation} {_text(guaranteed)}: {verdict_word}{limit}."


def _verdict(low: Decimal, high: Decimal, delta: Decimal) -> str:
    if high <= delta:
        return "proved"
    return "refuted" if low > delta else "not decided"


def _text(value: Decimal) -> str:
    value = value.normalize()
    return format(value, "f" if value == 0 or value.adjusted() >= -3 else "e")
