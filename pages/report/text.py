"""The sentences of the page of a report."""

from pages.framework.export.report_item import Item
from pages.framework.export.report_items import RebuiltItem
from pages.framework.parameters import number_format
from pages.framework.rendering.workers.limits import REQUEST_LIMITS
from pages.report.results import LINK_SECONDS, MAX_BYTES, ReportResult

EMPTY = (
    "Nothing is in this report yet.",
    "Open the menu ⋯ below a picture or table of any page, or Share for the page’s answer, and choose to add it.",
)
REBUILT = (
    "Its list is in the link of this page: whoever opens the link has the same report. The files give each item with "
    "its parameters, how it is computed and from which source, its link, the version and the date."
)
NOT_MADE = "This item is not made yet."
TOO_LARGE = (
    f"This item is not made: with it the report would have more than {MAX_BYTES // 1_000_000} MB of pictures and "
    "numbers. Remove others first."
)
TOO_MUCH = {
    "time": (
        f"This item is not made: it would take this server more than {REQUEST_LIMITS.seconds:g} s of processor time."
    ),
    "memory": (
        f"This item is not made: it would take more than {REQUEST_LIMITS.memory / 1e6:g} MB of this server’s memory."
    ),
}
WAITING = "The files come when every item is made."
STOPPED = f"The rest is made when you ask for it: a link alone may ask for {LINK_SECONDS:g} seconds of computation."


def answer_text(result: ReportResult) -> tuple[str, ...]:
    """Return how many items there are, and where their list is stored."""
    if not result.items:
        return EMPTY
    number, pages = len(result.items), len({item.page for item in result.items})
    from_pages = "one page" if pages == 1 else f"{pages} pages"
    count_sentence = (
        f"{number_format.escape_markdown(result.name)}: {number} item{'' if number == 1 else 's'} from {from_pages}."
    )
    return count_sentence, REBUILT


def missing_item_text(result: ReportResult, item: Item) -> str:
    """Return why an item is missing."""
    if result.rebuilt is not None and item.unnoted in result.rebuilt.refusals:
        return TOO_MUCH[result.rebuilt.refusals[item.unnoted]]
    return TOO_LARGE if result.rebuilt is not None and result.rebuilt.is_full else NOT_MADE


def progress_text(result: ReportResult) -> str:
    """Return how many of the items are rebuilt."""
    done = sum(rebuilt is not None for rebuilt in result.rebuilt_items)
    return f"{done} of {len(result.items)} items are made."


def continue_label(result: ReportResult) -> str:
    """Return the label of the button that rebuilds the missing items."""
    number = len(result.missing)
    return "Make the other item" if number == 1 else f"Make the other {number} items"


def parameters_text(rebuilt: RebuiltItem) -> str:
    """Return the parameters of an item as a line of Markdown."""
    return "; ".join(
        f"{number_format.escape_markdown(name)}: {number_format.escape_markdown(entry or 'none')}"
        for name, entry in rebuilt.parameters
    )
