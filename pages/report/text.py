"""The sentences of the page of a report."""

from pages.framework.export.report_item import Item
from pages.framework.export.report_items import RebuiltItem
from pages.framework.parameters import number_format
from pages.framework.rendering.workers.limits import REQUEST_LIMITS
from pages.report.results import LINK_SECONDS, MAX_BYTES, ReportResult

EMPTY = (
    "This report has no items yet.",
    "On any page, open the menu of a chart or table, or “Share” for the answer, and choose to add it to the report.",
)
SESSION_DATA = "Made from data of this session."
LINKED = "Whoever opens the link of this page sees the same report."
NOT_MADE = "This item is not computed yet."
TOO_LARGE = (
    f"This item is not computed, because the report would have more than {MAX_BYTES // 1_000_000} MB of charts and "
    "numbers. Remove other items first."
)
TOO_MUCH = {
    "time": (
        f"This item is not computed, because it would take this server more than {REQUEST_LIMITS.seconds:g} s of "
        "processor time."
    ),
    "memory": (
        f"This item is not computed, because it would take more than {REQUEST_LIMITS.memory / 1e6:g} MB of this "
        "server’s memory."
    ),
}
WAITING = "The files can be saved when all items are computed."
STOPPED = (
    f"A link alone can use {LINK_SECONDS:g} seconds of computation. Press the button to compute the remaining items."
)


def answer_text(result: ReportResult) -> tuple[str, ...]:
    """Return how many items there are, and what the link of the report contains."""
    if not result.items:
        return EMPTY
    number, pages = len(result.items), len({item.page for item in result.items})
    from_pages = "one page" if pages == 1 else f"{pages} pages"
    count_sentence = (
        f"{number_format.escape_markdown(result.name)}: {number} item{'' if number == 1 else 's'} from {from_pages}."
    )
    return count_sentence, session_items_text(result) or LINKED


def session_items_text(result: ReportResult) -> str:
    """Return which items are made from data of this session; an empty text if there are none."""
    numbers = [str(number) for number, item in enumerate(result.items, 1) if item.session_token]
    if not numbers:
        return ""
    listed = f"Item {numbers[0]} is" if len(numbers) == 1 else f"Items {', '.join(numbers)} are"
    return f"{listed} made from data of this session, which no link contains: save the report as a file."


def missing_item_text(result: ReportResult, item: Item) -> str:
    """Return why an item is missing."""
    if result.rebuilt is not None and item.unnoted in result.rebuilt.refusals:
        return TOO_MUCH[result.rebuilt.refusals[item.unnoted]]
    return TOO_LARGE if result.rebuilt is not None and result.rebuilt.is_full else NOT_MADE


def progress_text(result: ReportResult) -> str:
    """Return how many of the items are rebuilt."""
    done = sum(rebuilt is not None for rebuilt in result.rebuilt_items)
    return f"{done} of {len(result.items)} items are computed."


def continue_label(result: ReportResult) -> str:
    """Return the label of the button that rebuilds the missing items."""
    number = len(result.missing)
    return "Compute the remaining item" if number == 1 else f"Compute the remaining {number} items"


def parameters_text(rebuilt: RebuiltItem) -> str:
    """Return the parameters of an item as a line of Markdown."""
    return "; ".join(
        f"{number_format.escape_markdown(name)}: {number_format.escape_markdown(entry or 'none')}"
        for name, entry in rebuilt.parameters
    )
