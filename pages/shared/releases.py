"""The list of releases: the kinds of release, the list as text for the link, and the release of each line.

A line is written `kind:number,number*count=name`, and lines are separated by semicolons; `!` stands before the chosen
one. The list has only lines that can be used.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import quote, unquote

from dpcore import composition
from dpcore.checks import PURE_DELTA_RANGE, interval_bounds
from dpcore.composition import COUNT_RANGE, NOISE_RANGE, PURE_RANGE, RATE_RANGE, RHO_RANGE, Release
from pages.framework.parameters import kinds, number_format
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.list_parameter import (
    Listing,
    length_problems,
    linkable,
    numbered_labels,
    single_line,
    wrong_count_note,
)
from pages.framework.parameters.parameter import excerpt

SIGMA_RANGE, STEPS_RANGE = "[0.1, 300]", "[1, 1e3]"
"""Of noise on whole numbers in a list: a page has to compose 20 such lines within its limit of processor time."""
_NOISE = Quantity(
    "noise", "noise multiplier", "σ ÷ Δ₂ · noise multiplier", NOISE_RANGE, "4", help="σ over the ℓ₂ sensitivity."
)
_LAPLACE = Quantity(
    "epsilon",
    "ε",
    "ε of one release · privacy loss (ℓ₁ sensitivity ÷ scale)",
    "(0, 1e3]",
    "0.1",
    help="In nats, of Laplace or geometric noise.",
)
_EPSILON = Quantity("epsilon", "ε", "ε of one release · privacy loss", PURE_RANGE, "0.1")
_DELTA = Quantity("delta", "δ", "δ of one release · excess probability", PURE_DELTA_RANGE, "1e-8")
_RHO = Quantity("rho", "ρ", "ρ of one release · zCDP parameter", RHO_RANGE, "0.01")
_RATE = Quantity(
    "rate",
    "sampling rate",
    "q · sampling rate",
    RATE_RANGE,
    "0.01",
    help="The chance of each record to take part in a step, independently of the others: Poisson sampling.",
)
_SIGMA = Quantity("sigma", "σ", "σ of the noise on whole numbers", SIGMA_RANGE, "10")
STEPS = Quantity(
    "steps",
    "Δ",
    "Δ · by how much one person moves a number",
    STEPS_RANGE,
    "1",
    help="A whole number. Noise on several numbers that one person moves is as many releases.",
    whole=True,
)
COUNT = Quantity("count", "count", "Number of releases", COUNT_RANGE, "1", whole=True)
MAX_COUNT = int(interval_bounds(COUNT_RANGE)[1])  # of a line over all runs, and of the steps of a training


@dataclass(frozen=True)
class Kind:
    """A kind of release: its name, a short name with places for its numbers, its numbers, and what makes it."""

    label: str
    short: str
    quantities: tuple[Quantity, ...]
    release_of: Callable[..., Release]


KINDS = {
    "gaussian": Kind("Gaussian noise", "Gaussian σ/Δ = {0}", (_NOISE,), composition.gaussian_release),
    "laplace": Kind("Laplace noise", "Laplace ε = {0}", (_LAPLACE,), composition.laplace_release),
    "geometric": Kind("Geometric noise", "Geometric ε = {0}", (_LAPLACE, STEPS), composition.geometric_release),
    "discrete": Kind(
        "Discrete Gaussian noise", "Discrete Gaussian σ = {0}", (_SIGMA, STEPS), composition.discrete_gaussian_release
    ),
    "pure": Kind("Pure ε-DP, any mechanism", "{0}-DP", (_EPSILON,), composition.guarantee_release),
    "approx": Kind("(ε, δ)-DP, any mechanism", "({0}, {1})-DP", (_EPSILON, _DELTA), composition.guarantee_release),
    "exponential": Kind("Exponential mechanism", "Exponential ε = {0}", (_EPSILON,), composition.exponential_release),
    "zcdp": Kind("zCDP, any mechanism", "{0}-zCDP", (_RHO,), composition.zcdp_release),
    "sampled": Kind("DP-SGD steps", "DP-SGD σ/Δ = {0}, q = {1}", (_NOISE, _RATE), composition.sampled_release),
}
LABELS = {key: kind.label for key, kind in KINDS.items()}


MAX_LINES = 20
NAME_LENGTH = 40
Releases = tuple[Release, ...]
DEFAULTS = "!laplace:0.2*5=Weekly counts;gaussian:4*5=Monthly averages;pure:0.5*3=Survey answers"
_LINE = re.compile(r"(!?)([a-z]+):([^*=]*)(?:\*([^=]*))?(?:=(.*))?")


@dataclass(frozen=True)
class Item:
    """A line of the list: a kind of release with its numbers as texts, how often it runs, and its name."""

    kind: str
    numbers: tuple[str, ...]
    count: str = "1"
    name: str = ""
    chosen: bool = False

    def link_text(self) -> str:
        """Return the line as text."""
        count = "" if self.count == "1" else f"*{self.count}"
        return f"{'!' if self.chosen else ''}{self.kind}:{','.join(self.numbers)}{count}={quote(self.name, safe='')}"

    @property
    def fields(self) -> tuple[tuple[Quantity, str], ...]:
        """Return its quantities, each with its text."""
        return *zip(KINDS[self.kind].quantities, self.numbers, strict=True), (COUNT, self.count)

    @cached_property
    def release(self) -> Release:
        """Return the release of the line with its count."""
        *numbers, count = (quantity.read(entry) for quantity, entry in self.fields)
        return KINDS[self.kind].release_of(*numbers, count=int(count))


def _parse_line(part: str, _: int) -> tuple[Item | None, list[str]]:
    """Return a line of the list, None if it can't be read, and what is wrong with it.

    A release counts as it was sent or not at all: other numbers under its name would be another guarantee.
    """
    match = _LINE.fullmatch(part)
    if match is None or match[2] not in KINDS:
        return None, [f"its kind must be one of {', '.join(KINDS)}; {excerpt(part)} was given."]
    mark, kind, numbers_text, count, name = (group or "" for group in match.groups())
    numbers = [number.strip() for number in numbers_text.split(",") if number.strip()]
    n_numbers = len(KINDS[kind].quantities)
    if len(numbers) != n_numbers:
        return None, [wrong_count_note(kind, n_numbers, len(numbers))]
    item = Item(kind, tuple(numbers), count.strip() or "1", single_line(unquote(name), NAME_LENGTH), mark == "!")
    problem = kinds.first_problem(item.fields)
    return (item, length_problems(unquote(name), NAME_LENGTH)) if problem is None else (None, [problem])


def _with_entries(item: Item, entries: Mapping[str, str]) -> Item:
    numbers = tuple(linkable(entries.get(quantity.key, used)) for quantity, used in item.fields)
    return replace(item, numbers=numbers[:-1], count=numbers[-1])


RELEASES = Listing(
    "releases",
    "releases",
    DEFAULTS,
    "lines kind:number,number*count=name",
    "lines",
    MAX_LINES,
    _parse_line,
    _with_entries,
    lambda item: kinds.first_problem(item.fields),
    entry_name="Line",
    entry_texts=lambda items: [_line_text(item) for item in items],
)


def repeated(releases: Releases, runs: float) -> Releases:
    """Return a list of releases repeated over a number of runs."""
    return tuple(release.times(release.count * int(runs)) for release in releases)


def own_guarantees(releases: Releases) -> list[tuple[float, float, int]] | None:
    """Return the ε and δ that each release has by itself, and its count; None where one has an ε at a δ > 0 only.

    >>> own_guarantees((Release("laplace", (0.5,), 3), Release("guarantee", (1.0, 1e-9))))
    [(0.5, 0.0, 3), (1.0, 1e-09, 1)]
    """
    if not all(release.has_epsilon for release in releases):
        return None
    return [
        (release.numbers[0], release.numbers[1] if release.kind == "guarantee" else 0.0, release.count)
        for release in releases
    ]


def default_numbers(kind: str) -> tuple[str, ...]:
    """Return the numbers with which a new line of a kind begins."""
    return tuple(quantity.default for quantity in KINDS[kind].quantities)


def labels(items: Sequence[Item]) -> list[str]:
    """Return a short name for every line, no two alike.

    >>> labels((Item("pure", ("1/2",)), Item("pure", ("0.5",), "3"), Item("sampled", ("1", "0.01"), name="Training")))
    ['0.5-DP', '0.5-DP (2)', 'Training']
    """
    return numbered_labels(item.name or _kind_text(item) for item in items)


def _kind_text(item: Item) -> str:
    return KINDS[item.kind].short.format(*_number_texts(item))


def _line_text(item: Item) -> str:
    """Return a line in words."""
    name, count = f"{item.name}: " if item.name else "", "" if item.count == "1" else f", {item.count} ×"
    return f"{name}{_kind_text(item)}{count}"


def _number_texts(item: Item) -> list[str]:
    """Return the numbers of a line, rounded to claim no more than it satisfies: noise down, all others up."""
    return [
        (number_format.format_input_down if quantity.key in ("noise", "sigma") else number_format.format_input_up)(
            quantity.read(entry)
        )
        for quantity, entry in zip(KINDS[item.kind].quantities, item.numbers, strict=True)
    ]


def description(item: Item) -> str:
    """Return what a line is, in words, with its count.

    >>> description(Item("gaussian", ("4",), "5"))
    '5 × Gaussian noise, noise multiplier 4'
    """
    words = ", ".join(
        f"{quantity.symbol} {number}"
        for quantity, number in zip(KINDS[item.kind].quantities, _number_texts(item), strict=True)
    )
    return f"{number_format.format_nearest(COUNT.read(item.count), 7)} × {LABELS[item.kind]}, {words}"
