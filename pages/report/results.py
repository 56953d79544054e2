"""A report at one link, and those of its items that are rebuilt."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from time import thread_time
from urllib.parse import quote, urlencode

from pages.framework.export.exhibit import SEPARATOR, Item, ItemData
from pages.framework.export.report_items import RebuiltItem, rebuild, rebuild_from
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.render_jobs import render_part
from pages.framework.rendering.workers.jobs import REQUEST_LIMITS, LimitExceededError
from pages.report.parameters import APPENDIX
from pages.shared.site_map import REPORT

MAX_BYTES = 50_000_000  # of the pictures and numbers of all items; while they are rebuilt it is a few times that
LINK_SECONDS = 2.0  # of processor time that a link alone can use
UNTITLED = "Report"


@dataclass(frozen=True, eq=False)
class RebuiltItems:
    """The items of a report that are rebuilt, without their notes.

    `refusals` has the limit that each other item exceeds, as in COSTS. `is_full` says whether any further
    item would exceed the size of a report, and `is_kept` whether the browser keeps the own data of the items.
    """

    items: Mapping[Item, RebuiltItem] = field(default_factory=dict)
    refusals: Mapping[Item, str] = field(default_factory=dict)
    is_full: bool = False
    is_kept: bool = False


@dataclass(frozen=True)
class ReportResult:
    """A report: its title, its notes, its items, and those that are rebuilt; all are where `rebuilt` is None.

    `appendix` says whether its files have the formulas and proofs.
    """

    title: str
    notes: str
    items: tuple[Item, ...]
    rebuilt: RebuiltItems | None = None
    appendix: str = APPENDIX.default

    @property
    def name(self) -> str:
        """The title, or a word in its place."""
        return self.title or UNTITLED

    @property
    def link(self) -> str:
        """The address of the report with the items that a link can hold; an empty text if there are none."""
        items = SEPARATOR.join(item.text() for item in self.items if not item.session_token)
        if not items:
            return ""
        parameters = {"title": self.title, "notes": self.notes, "items": items}
        if self.appendix != APPENDIX.default:
            parameters[APPENDIX.key] = self.appendix
        return f"/{REPORT.path}?{urlencode(parameters, quote_via=quote)}"

    @cached_property
    def rebuilt_items(self) -> tuple[RebuiltItem | None, ...]:
        """The items in their order, None for one that is not rebuilt yet."""
        if self.rebuilt is None:
            return tuple(rebuild(item.unnoted) for item in self.items)
        return tuple(self.rebuilt.items.get(item.unnoted) for item in self.items)

    @property
    def missing(self) -> tuple[Item, ...]:
        """The items that are not rebuilt yet and may be, without repetition."""
        pairs = zip(self.items, self.rebuilt_items, strict=True)
        missing = dict.fromkeys(item.unnoted for item, rebuilt in pairs if rebuilt is None)
        return tuple(item for item in missing if self.rebuilt is None or item not in self.rebuilt.refusals)


def compute_result(values: Values, rebuilt: RebuiltItems | None = None) -> ReportResult:
    """Return the report at the values of its parameters."""
    return ReportResult(values["title"], values["notes"], values["items"], rebuilt, values["appendix"])


def rebuild_missing(
    missing: Mapping[Item, ItemData | None],
    seconds: float,
    size: int,
    add: Callable[[Item, RebuiltItem | str], None],
    report_progress: Callable[[float], None],
    session: str,
) -> bool:
    """Rebuild items one after the other within a processor time, and return whether the next one would be too large.

    `missing` has with each item the data of the session from which it is made, if any. `size` is that of the items
    that are rebuilt already; `add` receives each item, or the limit in COSTS that it exceeds, and `report_progress` the
    finished share. The workers schedule the items by `session`.
    """
    for index, (item, data) in enumerate(missing.items()):
        report_progress(index / len(missing))
        if seconds < 0:
            return False
        try:
            make = partial(_rebuild_with_proofs, item, data)
            rebuilt, processor_time = render_part(make, item.page.script, session)
        except LimitExceededError as error:
            seconds -= REQUEST_LIMITS.seconds
            add(item, error.limit)
            continue
        seconds -= processor_time
        size += rebuilt.size + len(rebuilt.proofs)
        if size > MAX_BYTES:
            return True
        add(item, rebuilt)
    report_progress(1.0)
    return False


def _rebuild_with_proofs(item: Item, data: ItemData | None, _: object) -> tuple[RebuiltItem, float]:
    """Return an item with its proofs, and the processor time that they required."""
    start = thread_time()
    rebuilt = rebuild(item) if data is None else rebuild_from(item, data)
    _ = rebuilt.proofs
    return rebuilt, thread_time() - start


def file_name(position: int, item: Item) -> str:
    """Return the name of an item's file without its ending, of letters that every file system accepts."""
    path = "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in item.page.path or "Start")
    return f"{position + 1:02}_{path}_{item.name}"
