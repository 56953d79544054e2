"""Random texts of a kind of parameter: numbers within a range and at its ends, and texts that are none."""

import math
import random
from collections.abc import Callable, Iterable

from dpcore.checks import ends
from pages.shared.parameters import Choice, Parameter, Quantity, Several

Draw = Callable[[random.Random], str]

NO_NUMBERS = (
    "",
    " ",
    "abc",
    "nan",
    "inf",
    "-inf",
    "None",
    "0x10",
    "1_0",
    "٣",
    "½",
    "\u202e1",
    "<b>1</b>",
    "${x}$",
    "é" * 99,
)
NASTY = ("0", "-0", "−0", "5e-324", "1e-320", "1e308", "-1e308", "1.8e308", "1,5", "9" * 5000, *NO_NUMBERS)
TWENTY_DIGITS = ("0e99999999999999999999", "1e99999999999999999999", "1e-99999999999999999999")


def number(
    low: float, high: float, *, whole: bool = False, nasty: float = 0.08, usual: tuple[float, float] = (-3, 3)
) -> Draw:
    """Numbers of a range: a third anywhere in it, a third at its ends, a third in `usual` powers of 10, some nasty."""
    limits = [low, high, math.nextafter(low, math.inf), math.nextafter(high, -math.inf)]
    beyond = [math.nextafter(low, -math.inf), math.nextafter(high, math.inf), 2 * high, -low]

    def draw(rng: random.Random) -> str:
        kind = rng.random()
        if kind < nasty:
            return rng.choice((*NASTY, *TWENTY_DIGITS, *map(repr, beyond)))
        if kind < 0.35:
            value = rng.choice(limits)
        elif kind < 0.65:
            value = min(max(10 ** rng.uniform(*usual), low), high)
        else:
            value = _anywhere(rng, low, high)
        value = min(max(round(value), low), high) if whole else value
        return rng.choice((repr(value), f"{value:.2g}", f"{value:.17g}"))

    return draw


def _anywhere(rng: random.Random, low: float, high: float) -> float:
    if low <= 0:
        sign = rng.choice((-1, 1)) if low < 0 else 1
        return sign * high * 10 ** -rng.choice((rng.uniform(0, 15), rng.uniform(0, 300)))
    if high == 1 and rng.random() < 0.3:
        return 1 - 10 ** rng.uniform(-16, -1)
    return 10 ** rng.uniform(math.log10(low), math.log10(high))


def one_of(*options: str) -> Draw:
    return lambda rng: rng.choice(options) if rng.random() < 0.95 else rng.choice(NO_NUMBERS)


def many(draw: Draw, most: int, apart: str = ",") -> Draw:
    """A list of up to one more than there may be, and now and then of very many."""

    def draw_list(rng: random.Random) -> str:
        n = rng.randint(1, most) if rng.random() < 0.9 else rng.choice((0, most + 1, 500))
        return apart.join(draw(rng) for _ in range(n))

    return draw_list


def joined(*draws: Draw, by: str = ",") -> Draw:
    return lambda rng: by.join(draw(rng) for draw in draws)


def by_kind(parameters: Iterable[Parameter]) -> dict[str, Draw]:
    """What is drawn for the choices and numbers of a page."""
    draws: dict[str, Draw] = {}
    for each in parameters:
        if isinstance(each, Choice):
            draws[each.key] = one_of(*each.options)
        elif isinstance(each, Quantity):
            draws[each.key] = number(*ends(each.limits), whole=each.whole)
        elif isinstance(each, Several):
            draws[each.key] = many(number(*ends(each.quantity.limits), whole=each.quantity.whole), each.most)
    return draws
