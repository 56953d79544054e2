"""The list of curves: the list as text for the link, and the curve of each entry.

An entry is written `kind:number,number*releases@colour=name`, entries apart by semicolons; `!` stands before the one
that the page speaks of. Only what can be used is in the list. An entry of a kind that begins with `here_` has no
numbers: it follows the page's ε and δ, and `at` is what it is there.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from urllib.parse import quote, unquote

import numpy as np

from dpcore import tradeoff
from dpcore.tradeoff import Curve
from pages.framework.parameters import kinds, number_format
from pages.framework.parameters.list_parameter import Listing, linkable, shortened, too_long, wrong_count_note
from pages.tradeoff.curve_kinds import (
    DEFAULT_POINTS,
    FOLLOWING,
    INVENTED_POINTS,
    KINDS,
    LABELS,
    OF_POINTS,
    RELEASES,
    quantities,
)
from pages.tradeoff.points import Held, Points, is_in_session, points_of

MOST_CURVES = 8
MOST_WORK = 3000  # of a list, see `work`: at most some 1.5 s of a processor
LITTLE_WORK = 250  # of a curve, which is never too much
COLOURS = ("blue", "orange", "green", "purple", "ochre", "grey", "rose", "teal")
NAME_LENGTH = 40
DEFAULTS = "here_approx:@green=;!here_gaussian:@blue=;here_laplace:@orange="
_FORM = "entries kind:number,number*releases@colour=name"


@dataclass(frozen=True)
class Recipe:
    """What a curve depends on, without its looks."""

    kind: str
    numbers: tuple[float, ...]
    points: Points | None
    releases: int


@dataclass(frozen=True)
class Item:
    """An entry of the list: what it is, as texts, and how it is shown; `points` has those of the kind of that name."""

    kind: str
    numbers: tuple[str, ...]
    releases: str = "1"
    colour: str = COLOURS[0]
    name: str = ""
    chosen: bool = False
    points: Points | None = None

    def written(self) -> str:
        """The entry as text."""
        releases = "" if self.releases == "1" else f"*{self.releases}"
        mark = "!" if self.chosen else ""
        return f"{mark}{self.kind}:{','.join(self.numbers)}{releases}@{self.colour}={quote(self.name, safe='')}"

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The numbers; none for points."""
        asked = quantities(self.kind)
        return tuple(quantity.read(entry) for quantity, entry in zip(asked, self.numbers, strict=False))

    @property
    def follows(self) -> bool:
        """Whether the curve follows the page's ε and δ."""
        return self.kind in FOLLOWING

    @cached_property
    def recipe(self) -> Recipe:
        """What the curve depends on."""
        return Recipe(self.kind, self.values, self.points, int(RELEASES.read(self.releases)))


def listing(held: Held) -> Listing[Item]:
    """The list of curves as a parameter of the page, which may name the points of these files."""
    read_one = partial(_read_one, held)
    return Listing(
        *("curves", "curves", DEFAULTS, _FORM, "curves", MOST_CURVES, read_one, changed, refused, together, "Curve"),
        holding=_data_in,
    )


def is_own_points(item: Item) -> bool:
    """Whether an entry has points of the user's own, in the session or in the link."""
    return item.kind in OF_POINTS and item.numbers[0] not in INVENTED_POINTS


def _data_in(items: Sequence[Item]) -> str:
    """What data of the user's own the text of a list holds, in words; empty for none."""
    linked = any(is_own_points(item) and not is_in_session(item.numbers[0]) for item in items)
    return "the points of a curve" if linked else ""


_ITEM = re.compile(r"(!?)([a-z_]+):([^*@=]*)(?:\*([^@=]*))?(?:@([a-z]*))?(?:=(.*))?")


def _read_one(held: Held, part: str, place: int) -> tuple[Item | None, list[str]]:
    """An entry of the list, None if it can't be read, and what is wrong with it.

    A curve is shown as it was sent or not at all: other numbers under its name would be another promise.
    """
    found = _ITEM.fullmatch(part)
    if found is None or found[2] not in LABELS:
        return None, [f"its kind must be one of {', '.join(LABELS)}; {kinds.shown(part)} was given."]
    mark, kind, listed, releases, colour, name = (group or "" for group in found.groups())
    entries = [listed] if kind in OF_POINTS else [number.strip() for number in listed.split(",") if listed.strip()]
    asked = len(quantities(kind))
    if kind not in OF_POINTS and len(entries) != asked:
        return None, [wrong_count_note(kind, asked, len(entries))]
    shade = colour if colour in COLOURS else COLOURS[(place - 1) % MOST_CURVES]
    item = Item(
        kind, tuple(entries), releases.strip() or "1", shade, shortened(unquote(name), NAME_LENGTH), mark == "!"
    )
    try:
        item = replace(item, points=points_of(listed, held)) if kind in OF_POINTS else item
        wrong = unreadable(item)
    except ValueError as error:
        wrong = str(error)
    if wrong:
        return None, [wrong]
    said = too_long(unquote(name), NAME_LENGTH)
    if colour not in ("", shade):
        given = f"{kinds.shown(colour)} was given. {shade} is used instead."
        said.append(f"the colour must be one of {', '.join(COLOURS)}; {given}")
    return item, said


def default_numbers(kind: str) -> tuple[str, ...]:
    """The numbers with which a new curve of a kind begins."""
    return (DEFAULT_POINTS,) if kind in OF_POINTS else tuple(quantity.default for quantity in quantities(kind))


def of_kind(item: Item, kind: str, numbers: tuple[str, ...], held: Held) -> Item:
    """An entry turned into one of another kind."""
    return replace(item, kind=kind, numbers=numbers, points=points_of(numbers[0], held) if kind in OF_POINTS else None)


def changed(item: Item, entries: Mapping[str, str]) -> Item:
    """An entry with other texts for some of its numbers, by the keys of their quantities."""
    asked = quantities(item.kind)
    numbers = tuple(linkable(entries.get(each.key, used)) for each, used in zip(asked, item.numbers, strict=False))
    releases = linkable(entries.get(RELEASES.key, item.releases))
    return replace(item, numbers=numbers or item.numbers, releases=releases)


def unreadable(item: Item) -> str | None:
    """Which number of an entry is none or out of its range, in a sentence; None if all can be read."""
    if item.follows and item.releases != "1":
        return "a curve that follows the page's ε and δ is released once"
    fields = [*zip(quantities(item.kind), item.numbers, strict=False), (RELEASES, item.releases)]
    return next((wrong for quantity, entry in fields if (wrong := kinds.problem(quantity, entry))), None)


def refused(item: Item) -> str | None:
    """Why no curve can be made of these numbers, or None if one can."""
    wrong = unreadable(item)
    if wrong is not None or item.follows:
        return wrong
    try:
        curve_of(item.recipe)
    except ValueError as error:
        return number_format.humanize_error(str(error)).replace("counts", RELEASES.symbol)
    return None


def together(others: Sequence[Item], item: Item) -> str | None:
    """Why a curve can't stand beside the others, or None: none can be made of it, or the list would take too long."""
    wrong = unreadable(item)
    if wrong is not None:
        return wrong
    own = work(item.recipe)
    if own > LITTLE_WORK and own + sum(work(each.recipe) for each in others) > MOST_WORK:
        return "this list would take too long to compute: some two of its curves may be composed a million times"
    return refused(item)


def work(recipe: Recipe) -> float:
    """How much is to be computed, in some 0.3 to 0.5 ms of a processor: each numerical composition takes 200 + √n.

    The grid of a composition has that many cells, √n thousand, for n releases; to compose what was found on such a grid
    takes about twice as long.
    """
    steps = recipe.numbers[2] if recipe.kind == "sgm" else 1
    once = 200 + math.sqrt(steps) if steps > 1 else 0
    if recipe.releases == 1 or KINDS[recipe.kind].closed:
        return once
    return once + (2 if once else 1) * (200 + math.sqrt(recipe.releases))


@lru_cache(64)
def curve_of(recipe: Recipe) -> Curve:
    """The curve; ValueError where dpcore makes none."""
    if recipe.points is None:
        curve = KINDS[recipe.kind].make(*recipe.numbers)
    else:  # neighbours can be exchanged, and the two errors with them
        alpha, beta = recipe.points.alpha, recipe.points.beta
        curve = tradeoff.points_curve(np.append(alpha, beta), np.append(beta, alpha), hull=True)
    return curve if recipe.releases == 1 else tradeoff.composed_curve([curve], [recipe.releases])


def at(item: Item, epsilon: float, delta: float) -> Item:
    """What an entry is at this ε and δ: one of another kind, with its numbers and a name, if it follows them.

    >>> at(Item("here_laplace", ()), 1 / 3, 1e-6).recipe, at(Item("here_approx", ()), 1, 1e-6).name
    (Recipe(kind='laplace', numbers=(0.3333333333333333,), points=None, releases=1), '(1, 1e-6)-DP')
    """
    if not item.follows:
        return item
    following = FOLLOWING[item.kind]
    numbers = tuple(number_format.exact_text(number) for number in following.numbers(epsilon, delta))
    name = item.name or following.name.format(
        number_format.format_input_up(epsilon), number_format.format_input_up(delta)
    )
    return replace(item, kind=following.kind, numbers=numbers, name=name)


def labels(items: Sequence[Item]) -> list[str]:
    """A short name for every curve, no two alike.

    >>> labels((Item("gdp", ("1",)), Item("gdp", ("1.0",)), Item("laplace", ("1/3",), "20")))
    ['μ = 1', 'μ = 1 (2)', 'Laplace θ = 0.3333334, 20 ×']
    """
    names: list[str] = []
    for item in items:
        name = item.name or _label(item)
        number, taken = 2, name
        while taken in names:
            taken = f"{name} ({number})"
            number += 1
        names.append(taken)
    return names


def shown_numbers(item: Item) -> list[str]:
    """The numbers of an entry as texts that promise no more than it does: a sensitivity down, all others up."""
    return [
        (number_format.format_input_down if quantity.key == "sensitivity" else number_format.format_input_up)(value)
        for quantity, value in zip(quantities(item.kind), item.values, strict=True)
    ]


def _label(item: Item) -> str:
    values = shown_numbers(item)
    words = {
        "gdp": "μ = {0}",
        "approx": "({0}, {1})-DP",
        "pure": "{0}-DP",
        "laplace": "Laplace θ = {0}",
        "geometric": "Geometric θ = {0}, Δ = {1}",
        "gg": "GG p = {0}, b = {1}",
        "sigma": "Gaussian σ = {0}",
        "zcdp": "{0}-zCDP",
        "sgm": "DP-SGD σ = {0}, rate {1}, {2} ×",
        "points": "Points",
        "claim": "Points",
    }[item.kind].format(*values)
    if item.kind in ("gg", "sigma") and values[-1] != "1":
        words += f", Δ = {values[-1]}"
    return words if item.releases == "1" else f"{words}, {number_format.format_nearest(RELEASES.read(item.releases))} ×"
