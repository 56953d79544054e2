"""An enclosure of a probability, whether it proves a guarantee, and the sentence that says so."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from threading import Lock

from flint import arb, ctx, fmpq

from dpcore.checks import PROBABILITY_RANGE, scalar, scalar_integer

Number = float | Decimal
LEAST_BITS = 128
MOST_BITS = 1 << 14
_WANTED_BITS = 64  # more than a double has, so that at most one double lies between the ends
_NOTHING = 2.0**-1074  # the least positive double
_SHOWN_DIGITS = range(3, 17)
_ONE_AT_A_TIME = Lock()  # the working precision is one for all threads


@dataclass(frozen=True)
class Enclosure:
    """A probability that certainly lies in [`low`, `high`], by intervals of `bits` bits.

    The ends are at most two steps of a double apart, unless `bits` is the limit, 16384, and it did not suffice.
    """

    low: float
    high: float
    bits: int


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
    """Return the enclosure of a probability that is given by a formula of intervals,
    with ever more bits until it is tight.
    """
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
    delta : in [0, 1].

    Examples
    --------
    >>> proved(Enclosure(9.98e-7, 9.99e-7, bits=128), delta=1e-6)
    True
    """
    return enclosure.high <= exact("delta", delta, PROBABILITY_RANGE)


def sentence(subject: str, enclosure: Enclosure, delta: Number, digits: int = 3) -> str:
    """Return what an enclosure says of a guarantee, in words;
    its ends are rounded outwards, so that the sentence is true.

    Parameters
    ----------
    subject : whose δ it is, as "δ(1) of σ = 4.225".
    delta : the guaranteed δ, in [0, 1].
    digits : significant digits at least, in 3 … 16; more are shown where these would not show the verdict, and where
        16 don't, the shortest ones that name the doubles.

    Examples
    --------
    >>> print(sentence("δ(1) of σ = 4.225", Enclosure(9.981e-7, 9.982e-7, bits=128), delta=1e-6))
    δ(1) of σ = 4.225 lies in [9.98e-7, 9.99e-7], at most 1e-6: proved.
    """
    exact("delta", delta, PROBABILITY_RANGE)
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
