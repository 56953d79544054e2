"""A report as one HTML file that needs nothing else, and asks nobody for anything."""

import json
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from urllib.parse import urlsplit

from plotly.io.json import to_json_plotly

import dpcore
from pages.framework.chart import export_scripts
from pages.framework.export.exhibit import Figure
from pages.framework.export.report_item import ANSWER
from pages.framework.export.report_items import RebuiltItem
from pages.framework.layout.security_headers import script_hash
from pages.report import markup
from pages.report.results import ReportResult

PLOTLY = "/* Plotly */"  # stands where the browser puts its script, which it has once for all reports
_HERE = files("pages.report")
_STYLE, _SCRIPT = ((_HERE / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
_APP = "DP Trade-off Explorer"


def document(result: ReportResult, address: str, day: str, plotly: str = PLOTLY) -> str:
    """The file: `address` is where the app is, or empty; `day` is YYYY-MM-DD."""
    noted = [(item.note, each) for item, each in zip(result.items, result.made, strict=True) if each is not None]
    every = [each for _, each in noted]
    body = "".join(_item(place, note, every, address, day) for place, (note, _) in enumerate(noted))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{_policy()}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="referrer" content="no-referrer"><title>{escape(result.name)}</title>'
        f"<style>{_STYLE}{_foot(day)}</style></head><body><main>{_head(result, every, address, day)}{body}</main>"
        f"<script>{plotly}</script><script>{_SCRIPT}</script></body></html>\n"
    )


def scripts() -> tuple[str, str]:
    """The two scripts that stand in the file, of which the first comes from the browser."""
    return export_scripts.plotly_script(), _SCRIPT


@cache
def _policy() -> str:
    """What the file may do: run its own two scripts and nothing else, and ask for nothing."""
    own = " ".join(map(script_hash, scripts()))
    allowed = (
        f"default-src 'none'; script-src {own}; style-src 'unsafe-inline'; img-src data: blob:; form-action 'none'"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{allowed}; base-uri \'none\'">'


def _foot(day: str) -> str:
    """The foot of each printed page."""
    told = f'content: "{_APP} {dpcore.__version__}, {day}"'
    return f'@page {{@bottom-left {{{told}}} @bottom-right {{content: counter(page) " of " counter(pages)}}}}'


def _head(result: ReportResult, every: list[RebuiltItem], address: str, day: str) -> str:
    places = "".join(
        f'<li><a href="#item-{place}">{escape(each.heading)}</a> <span>{escape(each.source)}</span></li>'
        for place, each in enumerate(every, 1)
    )
    return (
        f'<header><h1>{escape(result.name)}</h1><div class="notes">{markup.lines(result.notes)}</div>'
        f'<ol class="contents">{places}</ol><p class="foot">{_origin(day)}. The link that rebuilds this report: '
        f"{_linked(address + result.link)}</p></header>"
    )


def _origin(day: str) -> str:
    return f"{_APP} {dpcore.__version__}, {day}"


def _linked(link: str) -> str:
    """A link with its whole address, shown as text where it has no server."""
    shown = escape(link)
    return f'<a href="{shown}">{shown}</a>' if urlsplit(link).scheme in ("http", "https") else f"<span>{shown}</span>"


def _item(place: int, said: str, every: list[RebuiltItem], address: str, day: str) -> str:
    made = every[place]
    note = f'<p class="note">{escape(said)}</p>' if said else ""
    problems = "".join(f'<p class="problem">! {escape(each)}</p>' for each in made.problems)
    answer = "".join(markup.html(each, address) for each in made.answer)
    shown = "" if made.exhibit is None else f'<div class="shown">{_picture(place, made)}</div>'
    kind = "answer" if made.item.name == ANSWER else "exhibit"
    return (
        f'<section class="item {kind}" id="item-{place + 1}"><div class="whole"><p class="source">{escape(made.source)}'
        f"</p><h2>{place + 1}. {escape(made.heading)}</h2>{note}{problems}{shown}</div>"
        f'<div class="said">{answer}</div>{_parameters(made)}{_proofs(place, every)}{_computed(place, every, address)}'
        f'<p class="foot">{_origin(day)}. {_linked(address + made.link)}</p></section>'
    )


def _picture(place: int, made: RebuiltItem) -> str:
    """A chart that the script draws, or a table."""
    exhibit = made.exhibit
    if exhibit is None:
        return ""
    if isinstance(exhibit.picture, str):
        return markup.unlinked(exhibit.picture)
    subtitle = re.sub(r"<[^>]*>", " ", exhibit.picture["layout"]["title"]["subtitle"]["text"])
    words = escape(exhibit.alternative)
    return (
        f'<p class="subtitle">{subtitle}</p><div class="chart" role="img" aria-label="{words}" data-figure="{place}">'
        f'</div><script type="application/json" id="figure-{place}">{_json(exhibit.picture)}</script>'
    )


def _json(figure: Figure) -> str:
    untitled = {key: part for key, part in figure["layout"].items() if key != "title"}
    made = str(to_json_plotly(figure | {"layout": untitled}))
    return json.dumps(json.loads(made), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _parameters(made: RebuiltItem) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td>{escape(entry)}</td></tr>" for name, entry in made.parameters
    )
    return f'<h3>Parameters</h3><table class="parameters">{rows}</table>' if rows else ""


def _proofs(place: int, every: list[RebuiltItem]) -> str:
    told = [each.proofs for each in every]
    return _once("Proofs", place, told)


def _computed(place: int, every: list[RebuiltItem], address: str) -> str:
    told = ["\0".join(each.words) for each in every]
    return _once("How this is computed", place, told, "".join(_paragraphs(every[place], address)))


def _once(heading: str, place: int, told: list[str], shown: str | None = None) -> str:
    """What is told of an item, under a heading; where an earlier item is told the same, a word of that."""
    made = told[place] if shown is None else shown
    if not made:
        return ""
    first = told.index(told[place])
    words = made if first == place else f'<p>As under <a href="#item-{first + 1}">item {first + 1}</a>.</p>'
    return f'<h3>{heading}</h3><div class="computed">{words}</div>'


def _paragraphs(made: RebuiltItem, address: str) -> Iterator[str]:
    return (markup.html(each, address) for each in made.words if each)


def address_of(given: str) -> str:
    """The address at which the app is open, without a last slash; empty where a text is none."""
    parts = urlsplit(given)
    is_one = parts.scheme in ("http", "https") and re.fullmatch(r"[A-Za-z0-9.\-:\[\]]+", parts.netloc)
    path = parts.path.rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}" if is_one and re.fullmatch(r"[\w./~-]*", path) else ""
