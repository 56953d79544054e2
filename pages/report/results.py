"""A report at one link, and what of its items is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from time import thread_time
from urllib.parse import quote, urlencode

from pages.framework.export.report_item import SEPARATOR, Item
from pages.framework.export.report_items import RebuiltItem, rebuild
from pages.framework.parameters.kinds import Values
from pages.framework.rendering.render_jobs import render_part
from pages.framework.rendering.workers.limits import OF_A_LINK
from pages.framework.rendering.workers.pool import TooMuchError
from pages.shared.site_map import REPORT

MOST_BYTES = 50_000_000  # of the pictures and numbers of all items; while they are made it is a few times that
AT_ONCE = 2.0  # seconds of processor time for which a link alone can ask
UNTITLED = "Report"


@dataclass(frozen=True, eq=False)
class Pieces:
    """The items that are made, what of each other is too much, its "time" or "memory", and whether the rest is."""

    made: Mapping[Item, RebuiltItem] = field(default_factory=dict)
    refused: Mapping[Item, str] = field(default_factory=dict)
    full: bool = False


@dataclass(frozen=True)
class ReportResult:
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
        listed = SEPARATOR.join(each.text() for each in self.items)
        parameters = {"title": self.title, "notes": self.notes, "items": listed}
        return f"/{REPORT.path}?{urlencode(parameters, quote_via=quote)}"

    @cached_property
    def made(self) -> tuple[RebuiltItem | None, ...]:
        """What each item shows, None where it is not made yet."""
        if self.pieces is None:
            return tuple(rebuild(each.unnoted) for each in self.items)
        return tuple(self.pieces.made.get(each.unnoted) for each in self.items)

    @property
    def missing(self) -> tuple[Item, ...]:
        """The items that are not made yet, each once."""
        made = zip(self.items, self.made, strict=True)
        not_made = dict.fromkeys(item.unnoted for item, each in made if each is None)
        return tuple(item for item in not_made if self.pieces is None or item not in self.pieces.refused)


def compute_result(values: Values, pieces: Pieces | None = None) -> ReportResult:
    """What the parameters of a report ask for, as far as it is made."""
    return ReportResult(values["title"], values["notes"], values["items"], pieces)


def make(
    missing: Sequence[Item],
    seconds: float,
    size: int,
    add: Callable[[Item, RebuiltItem | str], None],
    go: Callable[[float], None],
    session: str,
) -> bool:
    """Make items one after the other until the time of the processor is over; whether the rest would be too large.

    `size` is that of the items that are made already; `add` takes each item, or what of it is too much, and `go` the
    share that is done. The workers' turns are those of a session.
    """
    for place, item in enumerate(missing):
        go(place / len(missing))
        if seconds < 0:
            return False
        try:
            made, taken = render_part(partial(_made, item), item.page.script, session)
        except TooMuchError as error:
            seconds -= OF_A_LINK.seconds
            add(item, str(error))
            continue
        seconds -= taken
        size += made.size + len(made.proofs)
        if size > MOST_BYTES:
            return True
        add(item, made)
    go(1.0)
    return False


def _made(item: Item, _: object) -> tuple[RebuiltItem, float]:
    """An item with its proofs, and the processor time that it took."""
    start = thread_time()
    made = rebuild(item)
    _ = made.proofs
    return made, thread_time() - start
