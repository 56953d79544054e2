"""A report at one link, and what of its items is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import thread_time
from urllib.parse import quote, urlencode

from pages.shared.contents import REPORT
from pages.shared.items import APART, Item
from pages.shared.parameters import Values
from pages.shared.rebuilt import Rebuilt, rebuilt

MOST_BYTES = 50_000_000  # of the pictures and numbers of all items; while they are made it is a few times that
AT_ONCE = 2.0  # seconds of processor time for which a link alone can ask
UNTITLED = "Report"


@dataclass(frozen=True, eq=False)
class Pieces:
    """The items that are made, and whether the rest would be too much."""

    made: Mapping[Item, Rebuilt] = field(default_factory=dict)
    full: bool = False


@dataclass(frozen=True)
class Found:
    """A report: its title, its notes, its items, and those that are made; all are where `pieces` is None."""

    title: str
    notes: str
    items: tuple[Item, ...]
    pieces: Pieces | None = None

    @property
    def name(self) -> str:
        """Its title, or what goes without one."""
        return self.title or UNTITLED

    @property
    def link(self) -> str:
        """Its address, with what it is made of and nothing else."""
        listed = APART.join(each.written() for each in self.items)
        parameters = {"title": self.title, "notes": self.notes, "items": listed}
        return f"/{REPORT.path}?{urlencode(parameters, quote_via=quote)}"

    @cached_property
    def made(self) -> tuple[Rebuilt | None, ...]:
        """What each item shows, None where it is not made yet."""
        if self.pieces is None:
            return tuple(rebuilt(each.unnoted) for each in self.items)
        return tuple(self.pieces.made.get(each.unnoted) for each in self.items)

    @property
    def missing(self) -> tuple[Item, ...]:
        """The items that are not made yet, each once."""
        made = zip(self.items, self.made, strict=True)
        return tuple(dict.fromkeys(item.unnoted for item, each in made if each is None))


def found(values: Values, pieces: Pieces | None = None) -> Found:
    """What the parameters of a report ask for, as far as it is made."""
    return Found(values["title"], values["notes"], values["items"], pieces)


def make(
    missing: Sequence[Item],
    seconds: float,
    size: int,
    add: Callable[[Item, Rebuilt], None],
    go: Callable[[float], None],
) -> bool:
    """Make items one after the other until the time of the processor is over; whether the rest would be too large.

    `size` is that of the items that are made already; `add` takes each item, and `go` the share that is done.
    """
    start = thread_time()
    for place, item in enumerate(missing):
        go(place / len(missing))
        if thread_time() - start > seconds:
            return False
        made = rebuilt(item)
        size += made.size + len(made.proofs)  # which are made here too
        if size > MOST_BYTES:
            return True
        add(item, made)
    go(1.0)
    return False
