"""Hostile sessions: sequences of edits, pins, steps back, page changes, widgets, buttons and files."""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from streamlit.testing.v1 import AppTest

from pages.framework.layout.page import load_page
from pages.framework.session import session_link
from pages.framework.site import PageEntry
from pages.shared import site_map
from tests.hostile import holds, runs
from tests.hostile.files import CURVES, TABLES, File, files
from tests.hostile.links import texts
from tests.hostile.texts import junk, names
from tests.pages.conftest import ROOT, ask, link_of, stage_of

Step = tuple[str, Any]
SKIPPED = ("adult_fetch", "_run", "_svm")  # what speaks to another server, and what takes its time
_TYPED = ("text_input", "text_area")
_CHOSEN = ("selectbox", "radio")
_WIDGETS = (*_TYPED, *_CHOSEN, "checkbox", "multiselect", "button", "file_uploader")


@st.composite
def steps(draw: DrawFn, page: PageEntry) -> Step:
    """Generate a step on a page: an action and its argument."""
    known = {parameter.key: parameter for parameter in load_page(page).all_parameters}
    what = draw(
        st.sampled_from(("set", "set", "set", "pin", "back", "leave", "save", "near", "odd", "open", *["use"] * 8))
    )
    if what == "set":
        key = draw(st.sampled_from([*known]))
        return what, {key: draw(texts(known[key]) | st.sampled_from(("\ud800", "\udfff1", "x" * 20_000, 3, None, [])))}
    if what == "odd":
        key = draw(
            st.sampled_from(
                ("set", "link", "pin", "csv", "chart", "plot", "font", "qr", "prefetch", "view", "n", "script", "x")
            )
        )
        return what, {key: draw(st.sampled_from((None, 0, -1, 1e300, True, "", "\ud800", [], [1], {}, {"a": 1}, [[]])))}
    if what in ("save", "near"):
        return what, draw(names())
    if what == "use":
        entries = st.tuples(st.integers(0, 99), junk() | names() | st.sampled_from(("0.5", "2", "1e-3")), _FILES)
        return what, draw(entries)
    return what, draw(st.integers(0, 99))


_FILES: SearchStrategy[File] = files((*TABLES, *CURVES))


class Visit:
    """A session with its history: its links and the parameters that were set on its page."""

    def __init__(self, page: PageEntry) -> None:
        self.app = AppTest.from_file(str(ROOT / "start.py"), default_timeout=60)
        self.page, self.links = page, [""]
        self._go(page)

    def _go(self, page: PageEntry) -> None:
        self.app.query_params.clear()
        self.app.switch_page(str(ROOT / page.script)).run()
        self.page, self.links = page, [""]

    def do(self, step: Step) -> Iterator[str]:
        """Do a step and return the problems after it."""
        what, more = step
        try:
            getattr(self, f"_{what}")(more)
        except AssertionError:
            yield f"an exception: {[each.message for each in self.app.exception]}"
            return
        self.links.append(stage_of(self.app)["link"].partition("?")[2])
        if what == "set":
            yield from self._lost(more)
        yield from self._wrong()

    def _set(self, entries: dict[str, Any]) -> None:
        ask(self.app, set=entries)

    def _pin(self, number: int) -> None:
        ask(self.app, pin=bool(number % 2))

    def _back(self, number: int) -> None:
        ask(self.app, link="?" + self.links[number % len(self.links)])

    def _leave(self, number: int) -> None:
        page = self.page
        self._go(site_map.PAGES[number % len(site_map.PAGES)])
        self._go(page)

    def _save(self, name: str) -> None:
        names_of_parts = [part["name"] for part in stage_of(self.app).get("parts", ()) if "name" in part]
        ask(self.app, csv=(names_of_parts or [name])[0], chart=(names_of_parts or [name])[-1], script=True, qr=name)

    def _near(self, text: str) -> None:
        ask(self.app, prefetch=[{"epsilon": text}, {text: "1"}, {"epsilon": "2"}, text])

    def _odd(self, question: dict[str, Any]) -> None:
        ask(self.app, **question)

    def _open(self, _: int) -> None:
        for box in self.app.expander:
            self.app.session_state[str(getattr(box.proto, "id", "")).split("-", 6)[-1]] = True
        self._run()

    def _run(self) -> None:
        self.app.run()
        assert not self.app.exception

    def _use(self, more: tuple[int, str, File]) -> None:
        """Type into, choose from or press one of the widgets that Streamlit draws."""
        number, typed, file = more
        widgets_of_app: list[Any] = [widget for kind in _WIDGETS for widget in self.app.get(kind)]
        widgets = [widget for widget in widgets_of_app if not _is_skipped(widget) and not widget.disabled]
        if widgets:
            _turn(widgets[number % len(widgets)], number, typed, file)
            self._run()

    def _lost(self, entries: dict[str, Any]) -> Iterator[str]:
        """Return typed texts that are missing from their fields."""
        for key, typed in entries.items():
            if isinstance(typed, str) and len(typed) <= session_link.MAX_TYPED:
                entered = self.app.session_state["dp_session"].entered[key]
                if entered != typed.encode(errors="replace").decode().strip():  # half a character is a question mark
                    yield f"{key} has {entered!r} where {typed!r} was typed"

    def _wrong(self) -> Iterator[str]:
        """Return the problems of the page in its current state."""
        stage = stage_of(self.app)
        yield from holds.wrong_in_stage(stage)
        for element in (*self.app.text, *self.app.error, *self.app.warning):
            yield from (problem for problem in holds.wrong_in_words(str(element.value)) if problem.startswith("a path"))
        for markdown in markdown_of(self.app):
            yield from holds.wrong_in_markdown(markdown)
        link = link_of(self.app)
        if "file" not in link.get("curves", ""):
            again = parse_qs(urlsplit(stage["link"]).query, keep_blank_values=True)
            yield from (
                f"its own link is refused: {sentence}"
                for sentence in runs.page_state_of(load_page(self.page), again)[1]
            )


def markdown_of(app: AppTest) -> Iterator[str]:
    """Return all texts of a page that Streamlit renders as Markdown: paragraphs, labels, helps and options."""
    yield from (str(markdown.value) for markdown in (*app.markdown, *app.caption))
    for element in (widget for kind in (*_WIDGETS, "expander") for widget in app.get(kind)):
        yield from (element.proto.label, getattr(element.proto, "help", ""))
    yield from (option for radio in app.radio for option in radio.options)


def wrong(page: PageEntry, steps: Iterable[Step]) -> list[str]:
    """Return the problems of a session after its first failing step, or none."""
    visit = Visit(page)
    return next((problems for step in (("open", 0), *steps) if (problems := list(visit.do(step)))), [])


def sessions(page: PageEntry, most: int) -> SearchStrategy[list[Step]]:
    """Generate sessions on a page with a maximal number of steps."""
    return st.lists(steps(page), min_size=1, max_size=most)


def _turn(widget: Any, number: int, typed: str, file: File) -> None:
    """Use a widget in a way that fits its kind."""
    if widget.type in _TYPED:
        widget.set_value(typed)
    elif widget.type in _CHOSEN:
        widget.set_value(widget.options[number % len(widget.options)])
    elif widget.type == "multiselect":
        widget.set_value(widget.options[: number % 3])
    elif widget.type == "checkbox":
        widget.set_value(not widget.value)
    elif widget.type == "file_uploader":
        widget.upload(f"{file[0]}.csv", file[1], "text/csv")  # Streamlit itself refuses other kinds
    else:
        widget.click()


def _is_skipped(widget: Any) -> bool:
    return any(str(widget.key).endswith(end) for end in SKIPPED)
