"""The list of curves: the list as text for the link, and the curve of each entry.

The text of an entry is `kind:number,number*releases@colour=name`; semicolons separate the entries, and `!` marks the
chosen one. The list has only entries that can be used. An entry whose kind begins with `here_` has no numbers: it
follows the page's ε and δ, and `item_at` returns what it is there.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from urllib.parse import quote, unquote

from pages.framework.parameters import kinds, number_format
from pages.framework.parameters.list_parameter import (
    Listing,
    length_problems,
    linkable,
    numbered_labels,
    single_line,
    wrong_count_note,
)
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.uploaded_files import kept
from pages.tradeoff.curve_kinds import (
    DEFAULT_POINTS,
    FOLLOWING_CURVES,
    INVENTED_POINTS,
    KINDS,
    LABELS,
    POINT_KINDS,
    RELEASES,
    Points,
    Recipe,
    SessionPoints,
    computing_cost,
    curve_of,
    is_session_name,
    points_of,
    quantities,
)

MAX_CURVES = 8
MAX_LIST_COST = 3000  # see `computing_cost`: at most some 1.5 s of a processor
SMALL_COST = 250  # of a curve, which is never too much
COLOURS = ("blue", "orange", "green", "purple", "ochre", "grey", "rose", "teal")
MAX_NAME_LENGTH = 40
DEFAULTS = "here_approx:@green=;!here_gaussian:@blue=;here_laplace:@orange="
_FORM = "entries kind:number,number*releases@colour=name"


@dataclass(frozen=True)
class CurveItem:
    """An entry of the list, with its numbers as texts; `points` are those of a curve of points."""

    kind: str
    numbers: tuple[str, ...]
    releases: str = "1"
    colour: str = COLOURS[0]
    name: str = ""
    chosen: bool = False
    points: Points | None = None

    def link_text(self) -> str:
        """Return the entry as text."""
        releases = "" if self.releases == "1" else f"*{self.releases}"
        mark = "!" if self.chosen else ""
        return f"{mark}{self.kind}:{','.join(self.numbers)}{releases}@{self.colour}={quote(self.name, safe='')}"

    @property
    def fields(self) -> tuple[tuple[kinds.Quantity, str], ...]:
        """The quantities with their texts; none for points."""
        return tuple(zip(quantities(self.kind), self.numbers, strict=False))

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers; none for points."""
        return tuple(quantity.read(entry) for quantity, entry in self.fields)

    @property
    def follows_page(self) -> bool:
        """Whether the curve follows the page's ε and δ."""
        return self.kind in FOLLOWING_CURVES

    @cached_property
    def recipe(self) -> Recipe:
        """All that the curve depends on."""
        return Recipe(self.kind, self.values, self.points, int(RELEASES.read(self.releases)))


def curves_parameter(session_points: SessionPoints) -> Listing[CurveItem]:
    """Return the list of curves as a parameter of the page, whose entries may name points of the session."""
    read_item = partial(_read_item, session_points)
    return Listing(
        *("curves", "curves", DEFAULTS, _FORM, "curves", MAX_CURVES, read_item, with_entries),
        *(curve_problem, list_problem, "Curve"),
        described_data=_data_in,
        entry_texts=lambda items: [_entry_text(item) for item in items],
    )


def has_own_points(item: CurveItem) -> bool:
    """Return whether an entry has the user's own points, in the session or in the link."""
    return item.kind in POINT_KINDS and item.numbers[0] not in INVENTED_POINTS


def _data_in(items: Sequence[CurveItem]) -> str:
    """Return in words which of the user's own data the text of a list has; empty for none."""
    linked = any(has_own_points(item) and not is_session_name(item.numbers[0]) for item in items)
    return "the points of a curve" if linked else ""


_ITEM = re.compile(r"(!?)([a-z_]+):([^*@=]*)(?:\*([^@=]*))?(?:@([a-z]*))?(?:=(.*))?")


def _read_item(session_points: SessionPoints, part: str, place: int) -> tuple[CurveItem | None, list[str]]:
    """Return an entry of the list, None if it can't be read, and the sentences on its problems.

    A curve has the numbers of the link or is left out: other numbers under its name would be another guarantee.
    """
    match = _ITEM.fullmatch(part)
    if match is None or match[2] not in LABELS:
        return None, [f"its kind must be one of {', '.join(LABELS)}; {excerpt(part)} was given."]
    mark, kind, numbers, releases, colour, name = (group or "" for group in match.groups())
    has_points = kind in POINT_KINDS
    entries = [numbers] if has_points else [number.strip() for number in numbers.split(",") if numbers.strip()]
    n_numbers = len(quantities(kind))
    if not has_points and len(entries) != n_numbers:
        return None, [wrong_count_note(kind, n_numbers, len(entries))]
    shade = colour if colour in COLOURS else COLOURS[(place - 1) % MAX_CURVES]
    label = single_line(unquote(name), MAX_NAME_LENGTH)
    item = CurveItem(kind, tuple(entries), releases.strip() or "1", shade, label, mark == "!")
    try:
        item = replace(item, points=points_of(numbers, session_points)) if has_points else item
        problem = number_problem(item)
    except ValueError as error:
        problem = str(error)
    if problem:
        return None, [problem]
    problems = length_problems(unquote(name), MAX_NAME_LENGTH)
    if colour not in ("", shade):
        replacement = f"{excerpt(colour)} was given. {shade} is used instead."
        problems.append(f"the colour must be one of {', '.join(COLOURS)}; {replacement}")
    return item, problems


def default_numbers(kind: str) -> tuple[str, ...]:
    """Return the numbers of a new curve of a kind."""
    return (DEFAULT_POINTS,) if kind in POINT_KINDS else tuple(quantity.default for quantity in quantities(kind))


def with_kind(item: CurveItem, kind: str, numbers: tuple[str, ...], session_points: SessionPoints) -> CurveItem:
    """Return an entry with another kind and its numbers."""
    points = points_of(numbers[0], session_points) if kind in POINT_KINDS else None
    return replace(item, kind=kind, numbers=numbers, points=points)


def with_entries(item: CurveItem, entries: Mapping[str, str]) -> CurveItem:
    """Return an entry with other texts for some of its numbers, by the keys of their quantities."""
    numbers = tuple(linkable(entries.get(quantity.key, number)) for quantity, number in item.fields)
    releases = linkable(entries.get(RELEASES.key, item.releases))
    return replace(item, numbers=numbers or item.numbers, releases=releases)


def number_problem(item: CurveItem) -> str | None:
    """Return the sentence on a text of an entry that is no number or out of its range; None if there is none."""
    if item.follows_page and item.releases != "1":
        return "a curve that follows the page’s ε and δ is released once"
    fields = [*item.fields, (RELEASES, item.releases)]
    return next((problem for quantity, entry in fields if (problem := kinds.problem(quantity, entry))), None)


def curve_problem(item: CurveItem) -> str | None:
    """Return why no curve has these numbers, or None if one has."""
    problem = number_problem(item)
    if problem is not None or item.follows_page:
        return problem
    try:
        kept(curve_of, item.recipe)
    except ValueError as error:
        return number_format.refusal_text(error, {"n_releases": RELEASES.symbol})
    return None


def list_problem(other_items: Sequence[CurveItem], item: CurveItem) -> str | None:
    """Return why a list with the other curves can't have this one, or None: there is none, or it takes too long."""
    problem = number_problem(item)
    if problem is not None:
        return problem
    cost = computing_cost(item.recipe)
    if cost > SMALL_COST and cost + sum(computing_cost(other.recipe) for other in other_items) > MAX_LIST_COST:
        return "this list would take too long to compute: some two of its curves may be composed a million times"
    return curve_problem(item)


def item_at(item: CurveItem, epsilon: float, delta: float) -> CurveItem:
    """Return an entry at this ε and δ: one that follows them is of another kind there, with its numbers and a name.

    >>> item_at(CurveItem("here_laplace", ()), 1 / 3, 1e-6).recipe, item_at(CurveItem("here_approx", ()), 1, 1e-6).name
    (Recipe(kind='laplace', numbers=(0.3333333333333333,), points=None, releases=1), '(1, 1e-6)-DP')
    """
    if not item.follows_page:
        return item
    following = FOLLOWING_CURVES[item.kind]
    numbers = tuple(number_format.exact_text(number) for number in following.numbers(epsilon, delta))
    name = item.name or following.name.format(
        number_format.format_input_up(epsilon), number_format.format_input_up(delta)
    )
    return replace(item, kind=following.kind, numbers=numbers, name=name)


def labels(items: Sequence[CurveItem]) -> list[str]:
    """Return a short name for every curve, no two alike.

    >>> labels((CurveItem("gdp", ("1",)), CurveItem("gdp", ("1.0",)), CurveItem("laplace", ("1/3",), "20")))
    ['μ = 1', 'μ = 1 (2)', 'Laplace θ = 0.3333334, 20 ×']
    """
    return numbered_labels(item.name or _kind_label(item) for item in items)


def safe_numbers(item: CurveItem) -> list[str]:
    """Return the numbers of an entry rounded to the safe side: a sensitivity down, all others up."""
    return [
        (number_format.format_input_down if quantity.key == "sensitivity" else number_format.format_input_up)(value)
        for quantity, value in zip(quantities(item.kind), item.values, strict=True)
    ]


def _entry_text(item: CurveItem) -> str:
    """Return an entry in words: its name, and its kind with its numbers; points are not listed."""
    kind = LABELS[item.kind] if item.follows_page else _kind_label(item)
    return f"{item.name}: {kind}" if item.name else kind


def _kind_label(item: CurveItem) -> str:
    values = safe_numbers(item)
    label = KINDS[item.kind].short.format(*values)
    if item.kind in ("gg", "sigma") and values[-1] != "1":
        label += f", Δ = {values[-1]}"
    return label if item.releases == "1" else f"{label}, {number_format.format_nearest(RELEASES.read(item.releases))} ×"
