"""The sentences of a report, and texts of a page as self-contained HTML: TeX as MathML, links within the app."""

import re
from collections.abc import Sequence
from html import escape
from urllib.parse import urlsplit

from latex2mathml.converter import convert
from latex2mathml.exceptions import ExtraLeftOrMissingRightError
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pages.framework.export.exhibit import Item
from pages.framework.export.report_items import RebuiltItem, is_lost
from pages.framework.layout.markup import unbroken
from pages.framework.parameters import number_format
from pages.framework.rendering.workers.jobs import COSTS
from pages.report.results import LINK_SECONDS, MAX_BYTES, ReportResult

_TEX = re.compile(r"(?<!\\)\$\$(.+?)(?<!\\)\$\$|(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
_FORMULA_MARK = re.compile("\ue000(\\d+)\ue001")  # private characters, which no text of a page has
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")
LONG_TABLE, MAX_ROWS = 24, 100  # rows: a longer table has small type, and is cut
_ANCHOR = re.compile(r"<a\s[^>]*>(.*?)</a>", re.DOTALL)


def html(text: str, address: str = "") -> str:
    r"""Return Markdown with TeX as HTML.

    A link to a page of the app leads to `address`, that of the app; any other link becomes text.

    >>> html("See [here](https://example.org/x)", "https://app")
    '<p>See here (https://example.org/x)</p>\n'
    """
    formulas: list[str] = []

    def mark(formula: re.Match[str]) -> str:
        formulas.append(mathml(formula[1] or formula[2], is_block=bool(formula[1])))
        return f"\ue000{len(formulas) - 1}\ue001"

    tokens = _MARKDOWN.parse(_TEX.sub(mark, text.replace("\ue000", "").replace("\ue001", "")))
    for token in tokens:
        token.children = token.children and _with_app_links(token.children, address)
    rendered = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return _FORMULA_MARK.sub(lambda place: formulas[int(place[1])], unbroken(rendered))


def _with_app_links(tokens: Sequence[Token], address: str) -> list[Token]:
    """Return the parts of a line, in which only links within the app are links."""
    linked: list[Token] = []
    targets: list[str] = []  # of the links that are open, empty for those within the app
    for token in tokens:
        if token.type == "link_open":
            target = str(token.attrs["href"])
            app = address if target.startswith(("./", "/")) and not target.startswith("//") else ""
            targets.append("" if app else target)
            if app:
                token.attrs["href"] = f"{app}/{target.removeprefix('.').removeprefix('/')}"
                linked.append(token)
        elif token.type != "link_close" or not (target := targets.pop()):
            linked.append(token)
        elif urlsplit(target).scheme:
            linked.append(Token("text", "", 0, content=f" ({target})"))
    return linked


def mathml(tex: str, is_block: bool = False) -> str:
    """Return a formula as MathML, or as plain text where it can't be converted."""
    try:
        return convert(tex, display="block" if is_block else "inline")
    except (ExtraLeftOrMissingRightError, ValueError, IndexError, KeyError):
        return f"<code>{escape(tex)}</code>"


def shortened(table: str) -> tuple[str, int]:
    """Return the HTML of a table without links and with at most `MAX_ROWS` rows, and the number of rows that it had."""
    head, start, body = _ANCHOR.sub(r"\1", table).partition("<tbody>")
    rows = body.split("</tr>")
    n_rows = len(rows) - 1
    return head + start + "</tr>".join((*rows[: min(n_rows, MAX_ROWS)], rows[-1])), n_rows


def lines(text: str) -> str:
    """Return untrusted text as paragraphs, without any markup of its own."""
    return "".join(f"<p>{escape(line.strip())}</p>" for line in text.split("\n") if line.strip())


EMPTY = (
    "This report has no items yet.",
    "On any page, press “Add to report” beside the answer, or at a chart or table.",
)
SESSION_DATA = "Made from data of this session."
SAME_SETTING = "Answer and parameters: as item"
LINKED = "Whoever opens the link of this page sees the same report."
NOT_MADE = "This item is not computed yet."
TOO_LARGE = (
    f"This item is not computed, because the report would have more than {MAX_BYTES // 1_000_000} MB of charts and "
    "numbers. Remove other items first."
)
TOO_MUCH = {limit: f"This item is not computed, because it would take {cost}." for limit, cost in COSTS.items()}
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
    items = number_format.plural(number, "item")
    count_sentence = f"{number_format.escape_markdown(result.name)}: {items} from {from_pages}."
    return count_sentence, _unsaved_items_text(result) or LINKED


def panels_text(result: ReportResult) -> str:
    """Return how two charts become panels of one picture, where the report has two; an empty text elsewhere."""
    exhibits = (rebuilt.exhibit for rebuilt in result.rebuilt_items if rebuilt is not None)
    n_charts = sum(exhibit is not None and not isinstance(exhibit.picture, str) for exhibit in exhibits)
    return "Two charts in one picture: **Save… › Further panels**." if n_charts > 1 else ""


def session_items_text(result: ReportResult) -> str:
    """Return which items no link opens, for a saved file; an empty text if there are none."""
    items = numbered([bool(item.session_token) for item in result.items], "is", "are")
    return f"{items} made from data of the author, which no link contains." if items else ""


def unprotected_text(result: ReportResult) -> str:
    """Return which items show what no noise protects; an empty text if there are none."""
    are_meant = [rebuilt is not None and bool(rebuilt.confidential) for rebuilt in result.rebuilt_items]
    items = numbered(are_meant, "is", "are")
    sentence = "computed from own data without noise: whoever gets the report can read these numbers."
    return f"This report shows what no noise protects. {items} {sentence}" if items else ""


def _unsaved_items_text(result: ReportResult) -> str:
    """Return which items are lost, or would be with this tab or a reload; an empty text if there are none."""
    are_lost = [rebuilt is not None and is_lost(rebuilt) for rebuilt in result.rebuilt_items]
    if lost := numbered(are_lost, "was", "were"):
        sentence = "made from own data that this tab does not have: add again"
        return f"{lost} {sentence} what you need; the pages may still have the data."
    items = numbered([bool(item.session_token) for item in result.items], "is", "are")
    end = "close" if result.rebuilt is not None and result.rebuilt.is_kept else "reload or close"
    sentence = f"of which the report has a copy until you {end} this tab: save its files before that."
    return f"{items} made from your own data, {sentence}" if items else ""


def numbered(is_meant: Sequence[bool], singular: str, plural: str) -> str:
    """Return the numbers of items with a verb, as the beginning of a sentence; an empty text for none of them."""
    numbers = [str(number) for number, is_one in enumerate(is_meant, 1) if is_one]
    if not numbers:
        return ""
    return f"Item {numbers[0]} {singular}" if len(numbers) == 1 else f"Items {number_format.listed(numbers)} {plural}"


def origin_text(rebuilt: RebuiltItem) -> str:
    """Return the sentence on an item that no link opens; an empty text if a link does, or if its data are lost."""
    return SESSION_DATA if rebuilt.item.session_token and not is_lost(rebuilt) else ""


def shortened_table_text(n_rows: int) -> str:
    """Return the note below a table that is shortened, as HTML; an empty text below another one."""
    if n_rows <= MAX_ROWS:
        return ""
    rows = f"The first {MAX_ROWS} of {n_rows:,} rows. The file of the numbers has all of them."
    return f'<p class="foot">{rows}</p>'


def missing_item_text(result: ReportResult, item: Item) -> str:
    """Return why an item is missing."""
    if result.rebuilt is not None and item.unnoted in result.rebuilt.refusals:
        return TOO_MUCH[result.rebuilt.refusals[item.unnoted]]
    return TOO_LARGE if result.rebuilt is not None and result.rebuilt.is_full else NOT_MADE


def progress_text(result: ReportResult) -> str:
    """Return how many of the items are rebuilt."""
    n_rebuilt = sum(rebuilt is not None for rebuilt in result.rebuilt_items)
    return f"{n_rebuilt} of {len(result.items)} items are computed."


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
