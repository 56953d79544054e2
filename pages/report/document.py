"""A report as one self-contained HTML file, which makes no request, and its appendix of formulas and proofs."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import TypeVar
from urllib.parse import urlsplit

from plotly.io.json import to_json_plotly

import dpcore
from pages.framework.chart.theme import with_pinned_inside
from pages.framework.export import exhibit_files
from pages.framework.export.exhibit import Exhibit, Figure
from pages.framework.export.report_items import RebuiltItem
from pages.framework.layout import markup as page_markup
from pages.framework.layout.panels import METHOD_NOTE
from pages.framework.layout.security_headers import script_hash
from pages.framework.parameters.number_format import listed
from pages.report import text
from pages.report.results import ReportResult

PLOTLY = "/* Plotly */"  # the browser replaces it by its script, which it has once for all reports
_STYLE, _SCRIPT = ((files("pages.report") / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
_APP = "DP Trade-off Explorer"
ChartHtml = Callable[[int, Figure, str], str]
"""A function that returns the place of a chart: of the number of its item, from 0, the figure, and its alternative."""
_METHOD = page_markup.html(METHOD_NOTE)
T = TypeVar("T")


def document(result: ReportResult, address: str, day: str, plotly: str = PLOTLY) -> str:
    """Return the file; `address` is the base address of its links, or empty, and `day` is YYYY-MM-DD.

    Its security policy lets it run its two scripts, and make no request.
    """
    hashes = " ".join(map(script_hash, scripts()))
    rules = f"script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'; base-uri 'none'"
    left, right = f'content: "{origin_text(day)}"', 'content: counter(page) " of " counter(pages)'
    foot = f"@page {{@bottom-left {{{left}}} @bottom-right {{{right}}}}}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {rules}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="referrer" content="no-referrer"><title>{escape(result.name)}</title>'
        f"<style>{_STYLE}{foot}</style></head><body><main>{body(result, address, day, _live_chart_html)}"
        f"</main><script>{plotly}</script><script>{_SCRIPT}</script></body></html>\n"
    )


def body(result: ReportResult, address: str, day: str, chart_html: ChartHtml) -> str:
    """Return what the report contains as HTML: its head, its items and its appendix."""
    pairs = zip(result.items, result.rebuilt_items, strict=True)
    noted = [(item.note, rebuilt) for item, rebuilt in pairs if rebuilt is not None]
    items = [rebuilt for _, rebuilt in noted]
    head = _head(result, items, address, day)
    has_appendix = result.appendix == "with"
    contents = (
        _item_html(index, note, items, address, chart_html, has_appendix) for index, (note, _) in enumerate(noted)
    )
    appendix = "".join((*_settings(items), *_proofs(items), *_explanations(items, address))) if has_appendix else ""
    if appendix:
        appendix = f'<section class="appendix"><h2>How the numbers are computed</h2>{appendix}</section>'
    return head + "".join(contents) + appendix


def scripts() -> tuple[str, str]:
    """Return the two scripts of the file, of which the browser adds the first."""
    return exhibit_files.plotly_script(), _SCRIPT


def origin_text(day: str) -> str:
    """Return the program, its version and the day, for the foot of each page."""
    return f"{_APP} {dpcore.__version__}, {day}"


def _head(result: ReportResult, items: list[RebuiltItem], address: str, day: str) -> str:
    entries = "".join(
        f'<li><a href="#item-{number}">{escape(item.heading)}</a> <span>{escape(item.source)}</span></li>'
        for number, item in enumerate(items, 1)
    )
    sentence = text.unprotected_text(result)
    unprotected = f'<p class="problem">{sentence}</p>' if sentence else ""
    sentences = (
        f"{origin_text(day)}.",
        _link_html(address, result.link, "Open this report in the Explorer"),
        text.session_items_text(result),
    )
    return (
        f'<header><h1>{escape(result.name)}</h1>{unprotected}<div class="notes">{text.lines(result.notes)}</div>'
        f'<ol class="contents">{entries}</ol><p class="foot">{" ".join(filter(None, sentences))}</p></header>'
    )


def _link_html(address: str, link: str, words: str) -> str:
    """Return words that lead to a link of the app; an empty text if the app has no address, or the link is empty."""
    has_server = urlsplit(address).scheme in ("http", "https")
    return f'<a href="{escape(address + link)}">{words}</a>' if has_server and link else ""


def _item_html(
    index: int, note: str, items: list[RebuiltItem], address: str, chart_html: ChartHtml, has_appendix: bool
) -> str:
    """Return an item: its answer first, then its picture, its conditions, and without an appendix its parameters."""
    item = items[index]
    note_html = f'<p class="note">{escape(note)}</p>' if note else ""
    problems = "".join(f'<p class="problem">! {escape(problem)}</p>' for problem in item.problems)
    exhibit = "" if item.exhibit is None else _exhibit_html(index, item.exhibit, chart_html)
    origin = text.origin_text(item) or _link_html(address, item.link, "Open in the Explorer")
    first = next(place for place, other in enumerate(items) if _setting(other) == _setting(item))
    reference = f'<p class="parameters">{text.SAME_SETTING} <a href="#item-{first + 1}">{first + 1}</a>.</p>'
    answer, facts = "", reference
    if first == index:
        kind = "said" if item.exhibit is None else "said lead"  # its first sentence is no heading
        answer = "".join(text.html(sentence, address) for sentence in item.answer_below_heading)
        answer = answer and f'<div class="{kind}">{answer}</div>'
        steps = text.html(item.steps, address)
        facts = f'<div class="conditions">{text.html(item.conditions, address)}</div>' if item.conditions else ""
        facts = (steps and f'<div class="said">{steps}</div>') + facts
        facts += "" if has_appendix else _parameters_html(item.parameters)
    return (
        f'<section class="item" id="item-{index + 1}"><p class="source">{escape(item.source)}</p>'
        f"<h2>{index + 1}. {escape(item.heading)}</h2>{note_html}{problems}{answer}{exhibit}{facts}"
        f'<p class="foot">{" ".join(filter(None, (escape(item.confidential), origin)))}</p></section>'
    )


def _parameters_html(parameters: Iterable[tuple[str, str]]) -> str:
    values = "; ".join(f"{escape(name)}: <b>{escape(entry)}</b>" for name, entry in parameters if entry)
    return f'<p class="parameters">{values}.</p>' if values else ""


def _setting(item: RebuiltItem) -> object:
    """Return what the answer of an item depends on; the item itself where it has no answer."""
    return (item.source, item.answer, item.parameters) if item.answer else item


def _exhibit_html(index: int, exhibit: Exhibit, chart_html: ChartHtml) -> str:
    """Return a chart below its subtitle, or a table, which has small type if it is long."""
    if isinstance(exhibit.picture, str):
        table, n_rows = text.shortened(exhibit.picture)
        kind = " long" if n_rows > text.LONG_TABLE else ""
        return f'<div class="shown{kind}">{table}</div>{text.shortened_table_text(n_rows)}'
    subtitle = re.sub(r"<[^>]*>", " ", exhibit.picture["layout"]["title"]["subtitle"]["text"])
    chart = chart_html(index, exhibit.picture, exhibit.alternative)
    return f'<div class="shown"><p class="subtitle">{subtitle}</p>{chart}</div>'


def _live_chart_html(index: int, figure: Figure, alternative: str) -> str:
    """Return a place for a chart, which the script draws."""
    figure = with_pinned_inside(figure)
    untitled = {key: part for key, part in figure["layout"].items() if key != "title"}
    plotly_json = json.loads(str(to_json_plotly(figure | {"layout": untitled})))
    data = json.dumps(plotly_json, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<div class="chart" role="img" aria-label="{escape(alternative)}" data-figure="{index}"></div>'
        f'<script type="application/json" id="figure-{index}">{data}</script>'
    )


def address_of(entry: str) -> str:
    """Return the base address of the links to the app, without a last slash; empty where the text is no address."""
    parts = urlsplit(entry)
    has_server = parts.scheme in ("http", "https") and re.fullmatch(r"[A-Za-z0-9.\-:\[\]]+", parts.netloc)
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}" if has_server and re.fullmatch(r"[\w./~-]*", path) else ""


def _positions(contents: Iterable[Iterable[T]]) -> dict[T, list[int]]:
    """Return each of the contents of items once, with the positions of the items that have it."""
    owners: dict[T, list[int]] = {}
    for position, content in enumerate(contents):
        for part in dict.fromkeys(content):
            owners.setdefault(part, []).append(position)
    return owners


def _settings(items: list[RebuiltItem]) -> Iterator[str]:
    """Yield the parameters of the answers, once each, below the items that have them."""
    for parameters, positions in _positions([item.parameters] for item in items).items():
        if values := _parameters_html(parameters):
            yield f"<h3>Settings of {_label(items, positions)}</h3>{values}"


def _proofs(items: list[RebuiltItem]) -> Iterator[str]:
    """Yield the proofs of each answer once, below the items that have it, and then the method of all."""
    owners = _positions([item.proofs.removesuffix(_METHOD)] if item.proofs else [] for item in items)
    for proofs, positions in owners.items():
        yield f"<h3>Verified numbers of {_label(items, positions)}</h3>{proofs}"
    if owners:
        yield _METHOD


def _explanations(items: list[RebuiltItem], address: str) -> Iterator[str]:
    """Yield every paragraph once, below the items that have it: an explanation serves all items of its section."""
    owners = _positions(filter(None, "\n\n".join(item.words).split("\n\n")) for item in items)
    groups: dict[tuple[int, ...], list[str]] = {}
    for paragraph, positions in owners.items():
        groups.setdefault(tuple(positions), []).append(paragraph)
    for positions, paragraphs in groups.items():
        html = "".join(text.html(paragraph, address) for paragraph in paragraphs)
        yield f"<h3>Formulas and sources of {_label(items, positions)}</h3>{html}"


def _label(items: list[RebuiltItem], positions: Sequence[int]) -> str:
    """Return the numbers of items, linked, and their sources."""
    numbers = listed(f'<a href="#item-{position + 1}">{position + 1}</a>' for position in positions)
    sources = listed(dict.fromkeys(items[position].source for position in positions))
    return f"{'item' if len(positions) == 1 else 'items'} {numbers} ({sources})"
