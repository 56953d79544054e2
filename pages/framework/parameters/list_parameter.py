"""The kind of parameter that holds a list that the user edits, such as curves or the queries of a budget."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, count
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pages.framework.parameters import number_parser
from pages.framework.parameters.number_format import plural
from pages.framework.parameters.parameter import Parameter, PartlyUsableError, Reading, excerpt


class Entry(Protocol):
    """An entry of a list that the user edits, a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def name(self) -> str:
        """Return the name that the user has given to it; an empty text without one."""
        ...

    @property
    def chosen(self) -> bool:
        """Whether it is the entry that the page describes."""
        ...

    @property
    def fields(self) -> tuple[tuple[Any, str], ...]:
        """Return its quantities, each with its text."""
        ...

    def link_text(self) -> str:
        """Return the text of the entry, with `!` before that of a chosen one."""
        ...


E = TypeVar("E", bound=Entry)


@dataclass(frozen=True)
class Listing(Parameter, Generic[E]):
    """A list that the user edits, its entries separated by semicolons; one of them is chosen.

    `read_entry` returns the entry for a text and a position, None if the text cannot be used, and the sentences on what
    is wrong with it. `with_numbers` returns an entry with other texts for some of its numbers. `refusal` says why an
    entry cannot be used, and `refusal_in_list` why it cannot stand in a list with others (those before it that could be
    read); both return None if it can. `entry_name` is what a single entry is called. `described_data` names the user's
    own data that the entries contain. `entry_texts` describe entries in words; without them a list is its text.
    """

    key: str
    symbol: str
    default: str
    form: str
    plural: str
    max_entries: int
    read_entry: Callable[[str, int], tuple[E | None, list[str]]]
    with_numbers: Callable[[E, Mapping[str, str]], E]
    refusal: Callable[[E], str | None]
    refusal_in_list: Callable[[Sequence[E], E], str | None] = lambda _, __: None
    entry_name: str = "Entry"
    described_data: Callable[[Sequence[E]], str] | None = None
    entry_texts: Callable[[Sequence[E]], list[str]] | None = None

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return f"{self.form}, 1 to {self.max_entries} separated by semicolons"

    def read(self, entry: str) -> tuple[E, ...]:
        """Return the entries that a text lists; raise PartlyUsableError if some of them cannot be used."""
        return _entries(self, entry)

    def data_in(self, entry: str) -> str:
        """Return the name of the user's own data that a text contains; an empty text for none."""
        try:
            return "" if self.described_data is None else self.described_data(self.read(entry))
        except PartlyUsableError:
            return ""

    def in_words(self, entry: str) -> str:
        """Return the entries that a usable text lists, each in words."""
        return entry if self.entry_texts is None else "; ".join(self.entry_texts(self.read(entry)))

    def numbered_sentence(self, place: int, sentence: str) -> str:
        """Return a sentence on an entry with its position, counted from 1; an empty sentence stays empty."""
        return sentence and f"{self.entry_name} {place}: {sentence}"


@lru_cache(256)  # every move reads the same texts
def _entries(listing: Listing[E], entry: str) -> tuple[E, ...]:
    """Return what `Listing.read` does."""
    items, readable, problems = [], [], []
    parts, most = [part.strip() for part in entry.split(";") if part.strip()], listing.max_entries
    for place, part in enumerate(parts[:most], 1):
        item, item_problems = listing.read_entry(part, place)
        if item is not None:
            conflict = listing.refusal_in_list(readable, item)
            readable.append(item)
            if conflict is not None:
                item, item_problems = None, [*item_problems, conflict]
        if item is not None:
            items.append(item)
        else:
            item_problems[-1] = f"{item_problems[-1].rstrip('.')}. It is left out."
        problems += [listing.numbered_sentence(place, problem) for problem in item_problems]
    if len(parts) > most:
        problems.append(f"The link lists {len(parts):,} {listing.plural}; only the first {most} are read.")
    if not items:
        problems = problems or [f"{listing.symbol} must be {listing.allowed}; nothing was given."]
        problems[-1] += f" The default {listing.plural} are used instead."
        raise PartlyUsableError(listing.default, problems)
    items = with_chosen(items, next((place for place, item in enumerate(items) if item.chosen), 0))
    if problems:
        raise PartlyUsableError(list_text(items), problems)
    return tuple(items)


def number_key(listing: Listing[Any], place: int, quantity: Any) -> str:
    """Return the key by which a chart sets a number of the entry at a position, from 0: it is no key of the link."""
    return f"{listing.key}.{place}.{quantity.key}"


def number_readings(
    parameters: Sequence[Parameter], readings: Mapping[str, Reading], keys: Iterable[str]
) -> dict[str, tuple[Any, Reading]]:
    """Return the quantity and the reading of each number of an entry that a chart marks, by its key."""
    listings = {parameter.key: parameter for parameter in parameters if isinstance(parameter, Listing)}
    numbers = {}
    for key in keys:
        listing, _, rest = key.partition(".")
        if listing not in listings:
            continue
        place, _, name = rest.partition(".")
        fields = {quantity.key: (quantity, text) for quantity, text in readings[listing].value[int(place)].fields}
        quantity, text = fields[name]
        label = listings[listing].numbered_sentence(int(place) + 1, quantity.label)
        numbers[key] = replace(quantity, key=key, label=label), Reading(text, text, quantity.read(text))
    return numbers


def with_number(parameters: Sequence[Parameter], texts: Mapping[str, str], key: str, entry: str) -> dict[str, str]:
    """Return the new text of the list in which a chart sets a number, by the key of the list; nothing if refused."""
    listing_key, _, rest = key.partition(".")
    place, _, name = rest.partition(".")
    listing = next((item for item in parameters if isinstance(item, Listing) and item.key == listing_key), None)
    if listing is None or not place.isdecimal():
        return {}
    items = list(listing.read(texts.get(listing_key, listing.default)))
    quantities = {quantity.key: quantity for quantity, _ in items[int(place)].fields} if int(place) < len(items) else {}
    try:
        quantities[name].read(entry)
    except (KeyError, ValueError):
        return {}
    items[int(place)] = listing.with_numbers(items[int(place)], {name: entry})
    return {} if listing.refusal(items[int(place)]) else {listing_key: list_text(items)}


def list_text(items: Sequence[Entry]) -> str:
    """Return the text of a list of entries."""
    return ";".join(item.link_text() for item in items)


def with_chosen(items: Sequence[E], chosen_place: int) -> list[E]:
    """Return a list of entries in which the one at a position is chosen."""
    return [replace(item, chosen=position == chosen_place) for position, item in enumerate(items)]


def chosen_position(items: Sequence[Entry]) -> int:
    """Return the position of the chosen entry."""
    return next(place for place, item in enumerate(items) if item.chosen)


def single_line(name: str, max_length: int) -> str:
    """Return a name on one line, cut to the length that a name may have."""
    return " ".join(name.split())[:max_length]


def length_problems(name: str, max_length: int) -> list[str]:
    """Return the sentence on a name in a link that is longer than a name may be; none for a shorter one.

    >>> length_problems("People", 10), length_problems("a  b", 3)
    ([], [])
    >>> length_problems("Weekly counts", 6)
    ['a name has at most 6 characters; Weekly counts was given. Weekly is used instead.']
    """
    line, used = " ".join(name.split()), single_line(name, max_length)
    note = f"a name has at most {max_length} characters; {excerpt(line)} was given. {used} is used instead."
    return [] if line == used else [note]


def numbered_labels(labels: Iterable[str]) -> list[str]:
    """Return labels of which no two are equal: a repeated one gets the first number that is free.

    >>> numbered_labels(["a", "b", "a", "a"])
    ['a', 'b', 'a (2)', 'a (3)']
    """
    unique: list[str] = []
    for label in labels:
        candidates = chain([label], (f"{label} ({number})" for number in count(2)))
        unique.append(next(candidate for candidate in candidates if candidate not in unique))
    return unique


def wrong_count_note(kind: str, n_expected: int, n_entered: int) -> str:
    """Return the sentence on an entry that has too few or too many numbers for its kind."""
    numbers = plural(n_expected or "no", "number")
    return f"{kind} needs {numbers}; {plural(n_entered, 'was', 'were')} given."


def linkable(entry: str) -> str:
    """Return the text of a number for a list in the link: that of its value if it contains a separator of the list.

    >>> linkable("1/3"), linkable("2·10^-6"), linkable("1,000"), linkable("2*√3"), linkable("no, number")
    ('1/3', '2·10^-6', '1000', '3.4641016151377544', 'no, number')
    """
    if not re.search("[,;*@=!~_]", entry):
        return entry
    try:
        return repr(number_parser.parse_number(entry)).removesuffix(".0")
    except ValueError:
        return entry
