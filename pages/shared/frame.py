"""What every page has: set-up, navigation, the stage that the browser draws, the explanation below it."""

import json
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from importlib.resources import files
from time import thread_time
from types import MappingProxyType
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

import segno
import streamlit as st
from streamlit.components.v2 import component

import dpcore
from pages.shared import chart, contents, items, link, promptly, rebuilt, session, theme
from pages.shared import stage as stages
from pages.shared.chart import saving
from pages.shared.common import PICTURE, PRESENT
from pages.shared.contents import Page
from pages.shared.export import Exhibit
from pages.shared.items import ANSWER
from pages.shared.link import COMMON
from pages.shared.parameters import Parameter, Reading, Values
from pages.shared.sections import exhibits_in
from pages.shared.topics import Topic

F = TypeVar("F")
MOST_LINK = 2_500  # characters of a link in a QR code
MOST_AHEAD = 6
AHEAD_TIME = 0.1  # seconds of processor time for the settings next to the current one
_HERE = files("pages.shared")
_SCRIPTS = (  # as one module: `stage.js` ends it
    *("chart/data.js", "chart/hand.js", "chart/chart.js"),
    *("stage/asking.js", "stage/fields.js", "stage/tools.js", "stage/offers.js", "stage/report.js", "stage/stage.js"),
)
_TEXT = "\n".join((_HERE / name).read_text(encoding="utf-8") for name in _SCRIPTS)
_KNOWN = f"const plotlyPath = {json.dumps(chart.plotly_path())}, reportMost = {[items.MOST_ITEMS, items.MOST_TEXT]};"
_TEXT = json.dumps(f"{_KNOWN}\n{_TEXT}").replace("<", "\\u003c")
# One line without tags in its texts: Streamlit works through every line at every run, and its sanitizer through tags.
ENGINE = (
    "<style>{}</style><script type=module>import(URL.createObjectURL(new Blob([{}], {{type: {}}})))</script>".format(
        " ".join((_HERE / "stage/stage.css").read_text(encoding="utf-8").split()), _TEXT, '"text/javascript"'
    )
)
_stage = component(  # its own text travels with every answer, so it is short
    "stage",
    js="const drawn = (globalThis.dpStage ??= Promise.withResolvers()).promise;\n"
    "export default (component) => void drawn.then((draw) => draw(component));",
    isolate_styles=False,  # in a shadow root Plotly's style sheet does not reach its layers
)
_kept = stages.Kept(stages.MOST_BYTES)


@dataclass(frozen=True)
class Opened(Generic[F]):
    """A page at its setting: its parameters and their values.

    `held` are files and pasted texts that no link has, and `mark` their name; what is made of them is not kept for
    others.
    """

    topic: Topic[F]
    values: Values
    readings: dict[str, Reading]
    held: tuple[Any, ...]
    mark: str
    scheme: str

    @property
    def page(self) -> Page:
        """Which page it is."""
        return self.topic.page

    @property
    def every(self) -> tuple[Parameter, ...]:
        """The parameters of the page, those of every page first."""
        return (*COMMON, *self.topic.own)

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.values.get("section", next(iter(self.topic.sections)))

    @cached_property
    def link(self) -> str:
        """The address of the page with every parameter."""
        return link.address(self.page.path, self.readings)

    @cached_property
    def view(self) -> str:
        """The part of the address that changes what is shown, and what no address has."""
        own = {key: each for key, each in self.readings.items() if key not in (PICTURE.key, PRESENT.key)}
        return link.address(self.page.path, own) + (f"&held={self.mark}" if self.mark else "")

    @cached_property
    def found(self) -> F:
        """What the page's parameters ask for."""
        return self.topic.made(self.values, *self.held)

    def stage(self) -> bytes:
        """What the browser draws; kept for all sessions, unless it is made of one's own files."""
        if self.mark:
            return self._stage()
        return _kept.get((self.view, self.scheme), self._stage)

    def _stage(self) -> bytes:
        topic, colour = self.topic, theme.COLOURS[self.scheme]
        said = topic.said(self.found)
        return stages.stage(self.section, topic.sections, self.found, said, self.every, self.readings, colour)

    def offer(self, key: str) -> bytes:
        """The HTML that a button beside the answer opens; kept like the stage."""

        def made() -> bytes:
            return self.topic.offers[key].html(self.found).encode()

        return made() if self.mark else _kept.get((self.view, key), made)

    def at(self, edits: dict[str, str]) -> "Opened[F]":
        """The page at another setting."""
        used = {key: each.used for key, each in self.readings.items()}
        readings = link.read(self.every, used | edits, used, self.topic.correct)
        return replace(self, readings=readings, values=link.values(readings))

    def exhibit(self, name: str, scheme: str) -> Exhibit | None:
        """An exhibit of the open section, by name."""
        parts = self.topic.sections[self.section].parts(self.found, theme.COLOURS[scheme])
        return next((each for each in exhibits_in(parts) if each.name == name), None)


def open_page(topic: Topic[F], held: tuple[Any, ...] = ()) -> Opened[F]:
    """Set the page up and draw what stands on it; what Streamlit itself draws comes below."""
    page = topic.page
    promptly.send_promptly()
    st.set_page_config(page_title=f"{page.question} · DP Trade-off Explorer", page_icon="📉", layout="wide")
    st.html(ENGINE, unsafe_allow_javascript=True)  # as early as possible; the browser keeps it
    session.begin(page.path)
    values, readings = session.read(topic.own, topic.correct), dict(session.readings())
    scheme = "dark" if st.context.theme.type == "dark" else "light"
    opened = Opened(topic, values, readings, held, session.mark(held), scheme)
    st.sidebar.html(_navigation(page))
    head, bodies = _answer(opened, session.asked())
    session.answered()
    raw = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
    sizes = struct.pack(f"<{len(bodies) + 2}I", len(bodies), len(raw), *map(len, bodies))
    _stage(key=session.STAGE, data=b"".join((sizes, raw, *bodies)), on_asked_change=session.hear)
    return opened


def _answer(opened: Opened[Any], asked: Values) -> tuple[Values, list[bytes]]:
    """What the browser is told: of this session in the head, and the bytes that it needs."""
    readings = opened.readings
    head = {
        "n": asked.get("n", 0),
        "session": session.told(),
        "question": opened.page.question,
        "page": opened.page.path,
        "section": opened.section,
        "link": opened.link,
        "view": opened.view,
        "dark": opened.scheme == "dark",
        "present": opened.values[PRESENT.key] == "on",
        "picture": opened.values[PICTURE.key],
        "pinned": opened.values.get("pinned") is not None if "pinned" in opened.values else None,
        "entered": {key: [each.entry, each.problem] for key, each in readings.items() if each.problem},
        "notices": session.link_problems(),
        "wrong": session.problems(),
        "offers": {key: each.name for key, each in opened.topic.offers.items()},
        "version": dpcore.__version__,
        "bodies": [],
    }
    bodies: list[bytes] = []
    if asked.get("have") != opened.view:
        head["bodies"].append(["stage"])
        bodies.append(opened.stage())
    _files(opened, asked, head, bodies)
    for edits, made in _ahead(opened, asked.get("ahead")):
        head["bodies"].append(["ahead", edits])
        bodies.append(made)
    return head, bodies


def _files(opened: Opened[Any], asked: Values, head: Values, bodies: list[bytes]) -> None:
    """Add what is made on demand: the numbers of an exhibit, a chart in the colours of paper, a QR code, an offer."""
    numbers, picture, code, offer = (asked.get(key) for key in ("csv", "light", "qr", "offer"))
    if isinstance(numbers, str) and (shown := opened.exhibit(numbers, opened.scheme)) is not None:
        head["bodies"].append(["csv", f"{numbers}.csv"])
        bodies.append(shown.csv(opened.link).encode())
    if isinstance(picture, str) and (shown := opened.exhibit(picture, "light")) is not None:
        if asked.get("script"):
            head["bodies"] += [["script"], ["font"]]
            bodies += [saving.script().encode(), saving.font()]
        head["bodies"].append(["light", picture])
        bodies.append(chart.pack(stages.exhibit(shown)))
    if isinstance(name := asked.get("add"), str):
        head["bodies"].append(["added"])
        bodies.append(json.dumps(_added(opened, name)).encode())
    if (file := str(asked.get("file"))) in opened.topic.files:
        if asked.get("plotly"):
            head["bodies"].append(["plotly"])
            bodies.append(saving.plotly())
        head["bodies"].append(["file", file])
        bodies.append(opened.topic.files[file](opened.found, str(asked.get("at", ""))))
    if isinstance(code, str) and code.isascii() and len(code) <= MOST_LINK:
        head["bodies"].append(["qr"])
        bodies.append(segno.make(code, micro=False).svg_inline(scale=6, border=4, light="white").encode())
    if isinstance(offer, str) and offer in opened.topic.offers:
        head["bodies"].append(["offer", offer])
        bodies.append(opened.offer(offer))


def _added(opened: Opened[Any], name: str) -> dict[str, str]:
    """What the browser adds to its report: an exhibit of the page, or its answer."""
    light = None if name == ANSWER else opened.exhibit(name, "light")
    said = opened.topic.said(opened.found)
    return rebuilt.added(opened.page, name, opened.every, opened.readings, said, light)


def _ahead(opened: Opened[Any], wanted: Any) -> Iterator[tuple[dict[str, str], bytes]]:
    """What stands at the settings next to this one, as far as it is made in a moment."""
    start = thread_time()
    for edits in wanted[:MOST_AHEAD] if isinstance(wanted, list) else ():
        if thread_time() - start > AHEAD_TIME or not isinstance(edits, dict):
            return
        near = opened.at({key: str(entry) for key, entry in edits.items() if key in opened.readings})
        if not any(each.problem for each in near.readings.values()):
            yield edits, near.stage()


def _navigation(page: Page) -> str:
    """Links to all pages with the shared parameters; one element, which costs less at every run than one a page."""
    shared = {each.key: session.used()[each.key] for each in COMMON}
    places = [(each.path, each.name, shared) for each in contents.PAGES]
    places.append((contents.START.path, "Glossary", shared | {"section": "glossary"}))
    links = "".join(
        f'<a href="{escape(f"./{path}?{urlencode(query, quote_via=quote)}")}" data-page'
        f"{' aria-current=page' if name == page.name else ''}>{escape(name)}</a>"
        for path, name, query in places
    )
    return f'<nav class="dp-pages" aria-label="Pages">{links}</nav>'


def page_link(page: Page, label: str = "", entries: Mapping[str, str] = MappingProxyType({})) -> None:
    """Link to a page, with the shared parameters or others in their place."""
    shared = {each.key: session.used()[each.key] for each in COMMON}
    st.page_link(page.script, label=label or page.name, query_params=shared | dict(entries))


def explanation(opened: Opened[Any]) -> None:
    """Offer how the page's numbers are computed; the words are made when somebody opens it."""
    with st.expander("How this is computed", key="explanation", on_change="rerun") as explained:
        if explained.open:
            st.markdown(opened.topic.explained(opened.found))
