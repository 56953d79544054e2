"""What the page of a report says."""

from pages.framework.export.report_item import Item
from pages.framework.export.report_items import RebuiltItem
from pages.framework.parameters import number_format
from pages.framework.rendering.workers.limits import OF_A_LINK
from pages.report.results import AT_ONCE, MOST_BYTES, ReportResult

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
    f"This item is not made: with it the report would have more than {MOST_BYTES // 1_000_000} MB of pictures and "
    "numbers. Remove others first."
)
TOO_MUCH = {
    "time": f"This item is not made: it would take this server more than {OF_A_LINK.seconds:g} s of processor time.",
    "memory": f"This item is not made: it would take more than {OF_A_LINK.memory / 1e6:g} MB of this server’s memory.",
}
WAITING = "The files come when every item is made."
STOPPED = f"The rest is made when you ask for it: a link alone may ask for {AT_ONCE:g} seconds of computation."


def answer(result: ReportResult) -> tuple[str, ...]:
    """How many items there are, and where they live."""
    if not result.items:
        return EMPTY
    number, pages = len(result.items), len({each.page for each in result.items})
    from_pages = "one page" if pages == 1 else f"{pages} pages"
    counted = (
        f"{number_format.escape_markdown(result.name)}: {number} item{'' if number == 1 else 's'} from {from_pages}."
    )
    return counted, REBUILT


def not_made(result: ReportResult, item: Item) -> str:
    """Why an item is not there."""
    if result.pieces is not None and item.unnoted in result.pieces.refused:
        return TOO_MUCH[result.pieces.refused[item.unnoted]]
    return TOO_LARGE if result.pieces is not None and result.pieces.full else NOT_MADE


def making(result: ReportResult) -> str:
    """How far the making of the items is."""
    done = sum(each is not None for each in result.made)
    return f"{done} of {len(result.items)} items are made."


def more(result: ReportResult) -> str:
    """What the button says that makes the rest."""
    number = len(result.missing)
    return "Make the other item" if number == 1 else f"Make the other {number} items"


def settings(made: RebuiltItem) -> str:
    """The parameters of an item as a line of Markdown."""
    return "; ".join(
        f"{number_format.escape_markdown(name)}: {number_format.escape_markdown(entry or 'none')}"
        for name, entry in made.parameters
    )
