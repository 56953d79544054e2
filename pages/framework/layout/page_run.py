"""A run of a page: its state in a session, what it renders, the response to the browser, and the frame around it.

The response has a head, which describes the session, and the bodies that the browser requested.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from importlib.resources import files
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.components.v2 import component

from pages.framework import link, streamlit_host
from pages.framework.classroom import demonstrations
from pages.framework.export import exhibit_files, report_items
from pages.framework.export.exhibit import MAX_ITEMS, MAX_TEXT
from pages.framework.export.plot_paper import read_paper
from pages.framework.layout import markup, security_headers, widgets
from pages.framework.layout.page import Page, PageView, redirected_link
from pages.framework.link import APPEARANCE_KEYS, ASIDE, DEMO, PICTURE, PRESENT, SEQUENCE, SITE_PARAMETERS
from pages.framework.parameters import number_format
from pages.framework.parameters.parameter import Reading, Values
from pages.framework.rendering import render, render_jobs, stage
from pages.framework.rendering.render import Renderer, RenderRequest
from pages.framework.rendering.render_jobs import RenderOutcome
from pages.framework.rendering.uploaded_files import kept
from pages.framework.rendering.workers.jobs import FILE_LIMITS, REQUEST_LIMITS, Limits
from pages.framework.session import session_link, session_state, tab_copies
from pages.framework.site import MenuEntry, PageEntry, site

F = TypeVar("F")
MAX_PREFETCHED = 6
PREFETCH_TIME = 0.1  # seconds for rendering the neighbouring settings
_ON_DEMAND = {  # by the key of the request: the renderer, and what the body in the response is called and about
    "csv": (render.csv_file, "csv", "{}"),
    "chart": (render.picture, "chart", "{}"),
    "plot": (render.plot_program, "plot", "{}"),
    "add": (report_items.item_to_add, "reportItem", None),
    "panel": (render.panel, "panel", "{}"),
    "find": (render.matches, "matches", None),
}
_drawn_stage = component(  # this script is sent with every response, so it is short
    "stage",
    js="const drawn = (globalThis.dpStage ??= Promise.withResolvers()).promise;\n"
    "export default (component) => void drawn.then((draw) => draw(component));",
    isolate_styles=False,  # in a shadow root Plotly's style sheet does not reach its layers
)
Body = tuple[str, Any, bytes]
"""The kind of a body, what it is about, such as the name of a file, or None, and its content."""


@dataclass(frozen=True)
class PageState(PageView[F]):
    """A page at its setting in a session; outputs from its uploads are not cached for other sessions."""

    @property
    def entry(self) -> PageEntry:
        """Return the entry of the page."""
        return self.page.entry

    @cached_property
    def link(self) -> str:
        """Return the address of the page with every parameter."""
        return link.address(self.entry.path, self.readings)

    @cached_property
    def _rendered_readings(self) -> dict[str, Reading]:
        """Return the readings that change the rendered bytes; the start page lists the steps of an own sequence."""
        left_out = set(APPEARANCE_KEYS) - ({SEQUENCE.key} if self.entry == site().pages[0] else set())
        return {key: reading for key, reading in self.readings.items() if key not in left_out}

    @cached_property
    def view(self) -> str:
        """Return the key of the stage: the part of the address that changes it, the uploads, and the open folds."""
        held = {"held": self.uploads.token, "folds": self.open_folds}
        own = link.address(self.entry.path, self._rendered_readings)
        return "&".join((own, *(f"{key}={quote(text)}" for key, text in held.items() if text)))

    @cached_property
    def open_folds(self) -> str:
        """Return the names of the open folds, one a line; of all where a demonstration shows a picture of one."""
        step = link.steps_by_name().get(self.values[DEMO.key])
        if step is not None and step.picture:
            return stage.ALL_FOLDS
        return "\n".join(session_state.open_folds(self.entry.path, self.section))

    def render_request(
        self, renderer: Renderer = render.stage_of_page, name: str = "", address: str = ""
    ) -> RenderRequest:
        """Return the request for one output of the page at its setting."""
        own = {key: reading.used for key, reading in self._rendered_readings.items()}
        return RenderRequest(self.entry.script, tuple(own.items()), self.scheme, renderer, name, address, self.uploads)

    def render_stage(self, stop: bool = False) -> RenderOutcome:
        """Return the outcome of rendering the stage, which the browser draws."""
        if session_state.is_stopped(self.view, stop) and not stop:
            return RenderOutcome(refusal=render_jobs.STOPPED)
        return render_jobs.render_stage(self.render_request(name=self.open_folds), session_state.session().id, stop)

    def render(
        self, renderer: Renderer, name: str = "", address: str = "", limits: Limits | None = None
    ) -> RenderOutcome:
        """Return the outcome of rendering another output, which is not cached, by its renderer and name."""
        request = self.render_request(renderer, name, address)
        return render_jobs.render_uncached(request, session_state.session().id, limits)

    def with_edits(self, edits: dict[str, str]) -> "PageState[F]":
        """Return the state of the page at another setting."""
        used = {key: reading.used for key, reading in self.readings.items()}
        readings = link.read_parameters(self.page.all_parameters, used | edits, used, self.page.correct)
        return replace(self, readings=readings)


def open_page(
    topic: Page[F], uploads: tuple[Any, ...] = (), rerun_if_changed: Callable[[PageState[F]], object] = lambda _: None
) -> PageState[F]:
    """Render the stage of a page; the widgets of Streamlit itself come below it (see `widgets.run_alone`)."""
    session_state.start_run(topic.entry.path, session_link.SITE_WIDE)
    topic = topic.with_uploads(uploads)
    readings = session_link.read_parameters(topic)
    scheme = "dark" if st.context.theme.type == "dark" else "light"
    page_state = PageState(topic, readings, scheme, session_state.uploaded_files_of(uploads))
    session_state.follow_own_data(topic.own_parameters, render_jobs.erase_own_data)
    page_state = _without_outdated_answers(page_state)
    rerun_if_changed(page_state)  # before the request is answered
    message = stage.pack(build_response(page_state, session_state.session().request))
    session_state.end_run()
    _drawn_stage(key=session_state.STAGE, data=message, on_request_change=session_state.receive_event)
    return page_state


def _without_outdated_answers(page_state: PageState[F]) -> PageState[F]:
    """Return a page without the confirmations of what its conditions no longer say, as its stage has their sentences.

    A stage that is still being computed, or refused, shows no condition: its answers are looked at when it is there.
    """
    keys = [key for key in site().conditions if key in page_state.readings]
    defaults = {parameter.key: parameter.default for parameter in page_state.page.own_parameters}
    is_answered = any(page_state.readings[key].used != defaults[key] for key in keys)
    if not is_answered or session_state.session().request.get("stop") is True:
        return page_state
    content = page_state.render_stage().content
    said = {} if content is None else stage.confirmed_sentences(content)
    readings = session_link.without_outdated_answers(page_state.page, said) if said else None
    return page_state if readings is None else replace(page_state, readings=readings)


def build_response(page_state: PageState[Any], request: Values) -> Values:
    """Return the response: its head, which describes the session, and under "bodies" those that the browser needs."""
    page, path, section, readings = page_state.page, page_state.entry.path, page_state.section, page_state.readings
    session = session_state.session()
    session.run += 1  # by which the browser orders the responses
    response: Values = {
        "n": number if isinstance(number := request.get("n"), int) else 0,
        "session": session.id,
        "run": session.run,
        "question": site().menu_entry(page.entry, section).question_of(page.entry, section),
        "page": path,
        "section": section,
        "link": page_state.link,
        "view": page_state.view,
        "dark": page_state.scheme == "dark",
        "demo": _demonstration(page_state),
        "present": page_state.values[PRESENT.key] == "on",
        "picture": page_state.values[PICTURE.key],
        "pinned": page_state.values.get("pinned") is not None if "pinned" in page_state.values else None,
        "entered": {key: [reading.entry, reading.problem] for key, reading in readings.items() if reading.problem},
        "carried": _carried(page_state),
        "aside": page_state.values[ASIDE.key] == "on",
        "notices": session.link_problems,
        "included": link.data_notice(page.all_parameters, readings),
        "problems": session_link.problems(page.all_parameters),
        "version": site().version,
        "shortLink": link.short_address(path, page.all_parameters, readings),
        "busy": "prefetch" in request and render_jobs.is_busy(),
    }
    bodies: list[Body] = [*_stage(page_state, request, response)] if request.get("view") != page_state.view else []
    bodies += _files(page_state, request, response)
    bodies += tab_copies.requested_copies(request.get("dataCopies"))
    bodies += _prefetched_stages(page_state, request.get("prefetch"))
    return response | {"data": tab_copies.tokens(), "bodies": bodies}  # an item that was added has data to keep


def _carried(page_state: PageState[Any]) -> dict[str, tuple[str, str]]:
    """Return the page on which each parameter got its text, if that is another one, by key.

    Beside its name stands the text with which the open page was left, if it was another one. A text that is the
    default, and was so when the page was left, came from nowhere.
    """
    own_name = site().menu_entry(page_state.entry, page_state.section).name
    entries, session = {page.path: page for page in site().pages}, session_state.session()
    left = session.left.get(page_state.entry.path, {})
    used = {key: reading.used for key, reading in page_state.readings.items()}
    defaults = {parameter.key: parameter.default for parameter in page_state.page.all_parameters}
    names = {
        key: site().menu_entry(entries[path], section).name
        for key, (path, section) in session.origins.items()
        if key in used and not used[key] == left.get(key, used[key]) == defaults[key]
    }
    return {
        key: (name, text if (text := left.get(key, "")) != used[key] else "")
        for key, name in names.items()
        if name != own_name
    }


def _demonstration(page_state: PageState[Any]) -> Values | None:
    """Return the description of the open step and whether its setting was changed; None without a demonstration."""
    name = page_state.values[DEMO.key]
    if name == DEMO.default:
        return None
    sequence, parameters = page_state.readings[SEQUENCE.key].used, page_state.page.all_parameters
    named = {DEMO.key: [name], ASIDE.key: [ASIDE.default], SEQUENCE.key: [sequence]}
    step = link.with_demo_defaults(named, page_state.entry.path, parameters)
    at_step = page_state.with_edits(link.parse_link(step, parameters)[0])
    is_changed = len(step) == len(named) or any(
        reading.used != at_step.readings[key].used for key, reading in page_state.readings.items()
    )
    description = demonstrations.own_description(name, sequence)
    if description is None:
        built_in = kept(demonstrations.step_description, name)
        description = built_in | {"text": markup.html(built_in["text"])}
    return description | {"moved": is_changed}


def _stage(page_state: PageState[Any], request: Values, head: Values) -> Iterator[Body]:
    """Yield the stage, or the sentences on why it was refused; the progress of its job is put into the head."""
    outcome = page_state.render_stage(request.get("stop") is True)
    if outcome.refusal:
        head["view"] += f"&refused={outcome.refusal}"  # so that the browser does not cache it as the page
        yield "stage", None, render.stage_without_parts(page_state, render_jobs.SENTENCES[outcome.refusal])
    elif outcome.content is not None:
        yield "stage", None, outcome.content
    else:
        head["working"] = [round(outcome.seconds, 1), REQUEST_LIMITS.seconds]


def _files(page_state: PageState[Any], request: Values, head: Values) -> Iterator[Body]:
    """Yield the bodies that the browser requested: a CSV file, a chart, a panel, a report item, a file, a QR code."""

    def rendered(renderer: Renderer, name: str, address: str, limits: Limits | None = None) -> RenderOutcome:
        outcome = page_state.render(renderer, name, address, limits)
        head["notices"] = [*head["notices"], *render_jobs.SENTENCES.get(outcome.refusal, ())[:1]]
        return outcome

    if request.get("script"):
        yield "script", None, exhibit_files.script().encode()
    if (typeface := request.get("font")) in exhibit_files.TYPEFACES:
        yield "font", typeface, exhibit_files.font(typeface)
    for key, (output, kind, about) in _ON_DEMAND.items():
        renderer = partial(output, paper=read_paper(request.get("paper"))) if key == "plot" else output
        for name in _names(request.get(key), key == "chart"):
            outcome = rendered(renderer, name, f"{request.get('at', '')}{page_state.link}")
            if outcome.content:
                is_item = renderer == report_items.item_to_add
                added = tab_copies.added_item(outcome.content, page_state.uploads, request) if is_item else b""
                yield kind, about and about.format(name), added or outcome.content
            if outcome.refusal:
                break  # the other panels of a picture would take as long
    if (file := str(request.get("file"))) in page_state.page.files:
        if request.get("plotly"):
            yield "plotly", None, exhibit_files.plotly()
        sent = pictures.items() if isinstance(pictures := request.get("pictures"), dict) else ()
        renderer = partial(render.file, pictures={name: text for name, text in sent if isinstance(text, str)})
        if content := rendered(renderer, file, str(request.get("at", "")), FILE_LIMITS).content:
            yield "file", file, content
    if isinstance(name := request.get("download"), str) and (
        content := rendered(render.download, name, str(request.get("at", ""))).content
    ):
        yield "file", name, content
    if svg := link.qr_code(request.get("qr")):
        yield "qr", None, svg.encode()


def _names(requested: Any, may_be_several: bool) -> list[str]:
    """Return the names of the outputs that are requested: one, or several, each once, as the panels of a picture."""
    names = requested if may_be_several and isinstance(requested, list) else [requested]
    return [*dict.fromkeys(name for name in names[: render.MAX_PANELS] if isinstance(name, str))]


def _prefetched_stages(page_state: PageState[Any], requested: Any) -> Iterator[Body]:
    """Yield the stages of the neighbouring settings that are rendered within the time for them."""
    end = monotonic() + PREFETCH_TIME
    for edits in requested[:MAX_PREFETCHED] if isinstance(requested, list) else ():
        if monotonic() > end or not isinstance(edits, dict):
            return
        texts = {key: str(entry) for key, entry in edits.items() if key in page_state.readings}
        if not texts:  # a number of a list, whose settings have no address that the browser could know before
            continue
        neighbour = page_state.with_edits(texts)
        if any(reading.problem for reading in neighbour.readings.values()):
            continue
        request = neighbour.render_request(name=neighbour.open_folds)
        if outcome := render_jobs.prefetch(request, session_state.session().id, end):
            yield "prefetched", texts, outcome


def explanation(page_state: PageState[Any], title: str = "How this is computed") -> None:
    """Render the expander on how the page's numbers are computed; its text is rendered when the user opens it."""
    with st.expander(title, key=widgets.EXPLANATION, on_change="rerun") as expander:
        if expander.open:
            outcome = page_state.render(render.explanation)
            words = (outcome.content or b"").decode() or " ".join(render_jobs.SENTENCES.get(outcome.refusal, ()))
            st.markdown(number_format.without_autolinks(words))


_BROWSER = files("pages.framework.browser")
_STYLES = ("streamlit_host.css", "stage.css")
_SETTINGS = {
    "plotlyPath": streamlit_host.plotly_path(),
    "reportLimits": [MAX_ITEMS, MAX_TEXT],
    "uploadSentences": security_headers.SENTENCES,
}


def _script_literal(value: object) -> str:
    """Return a value as JavaScript that can stand in a script: on one line, and without tags in its texts.

    Streamlit works through every line of the markup at every run, and its sanitizer through every tag.
    """
    return json.dumps(value).replace("<", "\\u003c")


# The browser gets its code as one module, a bundle that is committed beside the modules that it is made of. Streamlit
# would serve the modules themselves only from the `asset_dir` that an installed distribution declares, which a checkout
# is not; each module would be a request of its own, and after an update a browser could mix modules of two versions.
ENGINE = (
    "<style>{}</style><script type=module>"
    'globalThis.dpEngine ??= import(URL.createObjectURL(new Blob([{}], {{type: "text/javascript"}})))'
    ".then((engine) => engine.start({}))</script>".format(
        " ".join(word for name in _STYLES for word in (_BROWSER / name).read_text(encoding="utf-8").split()),
        _script_literal((_BROWSER / "page.bundle.js").read_text(encoding="utf-8")),
        _script_literal(_SETTINGS),
    )
)
# It replaces the old address in the browser's history, so that Back leads to the page before it.
REDIRECTION = "<script>location.replace(document.querySelector('[data-moved]').href)</script>"
_MOVED = "<p>This section has moved: <a href='{}' data-moved>open it</a>.</p>" + REDIRECTION


def run(page: PageEntry, body: Callable[[], object]) -> None:
    """Set up a page and render its body, a fragment, which alone runs again after a request or an edit."""
    st.set_page_config(page_title=f"{page.question} · {site().name}", page_icon="📉", layout="wide")
    target, entries = redirected_link(page, {key: st.query_params.get_all(key) for key in st.query_params})
    if target != page:
        address = f"./{quote(target.path)}?{urlencode(entries, doseq=True, quote_via=quote)}"
        st.html(_MOVED.format(escape(address)), unsafe_allow_javascript=True)
        return
    if session_state.session().request:
        st.empty()  # in place of the engine: a browser that sends requests has it already
    else:
        st.html(ENGINE, unsafe_allow_javascript=True)  # as early as possible: it takes a fifth of a run's time
    st.fragment(lambda: session_state.record_fields(body))()
    st.sidebar.html(_navigation(page))


def _navigation(page: PageEntry) -> str:
    """Return the HTML of the links to all pages with the shared parameters, which the browser then keeps up to date."""
    used = session_state.session().used
    shared = {parameter.key: used[parameter.key] for parameter in SITE_PARAMETERS}
    query = urlencode(shared, quote_via=quote)
    current = site().menu_entry(page, used.get("section", ""))
    groups = ""
    for group in site().groups:
        links = "".join(_navigation_link(entry, query, is_current=entry == current) for entry in group.entries)
        heading = f'<span class="dp-group-name" aria-hidden=true>{escape(group.name)}</span>' if group.name else ""
        label = f' role=group aria-label="{escape(group.name)}"' if group.name else ""
        groups += f'<div class="dp-group"{label}>{heading}{links}</div>'
    return (
        f'<nav class="dp-pages" aria-label="Pages" data-shared="{" ".join(shared)}">'
        f'<strong class="dp-product">{escape(site().name)}</strong>{groups}</nav>'
    )


def _navigation_link(entry: MenuEntry, query: str, *, is_current: bool) -> str:
    """Return the HTML of a link to an entry, with a query and the names of its tabs: `path/key`, or `path/` for any.

    It leads to the first tab, or to that of the same page which was left.
    """
    first = entry.tabs[0]
    left = session_state.section_left(first.page.path)
    section = left if left in first.keys else first.keys[0] if first.keys else ""
    query += f"&section={quote(section, safe='')}" if section else ""
    tabs = " ".join(f"{tabs.page.path}/{key}" for tabs in entry.tabs for key in tabs.keys or ("",))
    current = " aria-current=page" if is_current else ""
    address = escape(f"./{first.page.path}?{query}")
    return f'<a href="{address}" data-page data-tabs="{escape(tabs)}"{current}>{escape(entry.name)}</a>'
