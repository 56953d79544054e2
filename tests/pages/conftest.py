import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qsl, urlsplit

import numpy as np
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from pages.framework import link as links
from pages.framework.export.exhibit import Exhibit
from pages.framework.export.exhibit_files import csv_text
from pages.framework.export.report_items import report_item
from pages.framework.layout import page_run
from pages.framework.layout.page import Page, load_page
from pages.framework.parameters.parameter import Reading
from pages.framework.rendering import stage as rendering_stage
from pages.shared import looks, site_map

ROOT = Path(__file__).resolve().parents[2]
LIGHT = looks.COLOURS["light"]
# A new session looks for components in all packages that are installed, of which no page uses any.
manifest_scanner.scan_component_manifests = list
# Every run would clean and hash the code of the browser, 140 kB of which nothing here reads.
page_run.ENGINE = "<style></style>"


def open_page(page: str | None = None, **link: str | list[str]) -> AppTest:
    """Open the app by a link, on its start page or on another one."""
    app = AppTest.from_file(str(ROOT / "start.py"), default_timeout=30)
    if page is not None:
        app.switch_page(str(ROOT / page))
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def stage_of(app: AppTest) -> dict[str, Any]:
    """Return what the browser is told: the head, with the open section's parts and fields."""
    raw = next(
        component.proto.bytes for component in app.get("bidi_component") if component.proto.component_name == "stage"
    )
    head = rendering_stage.unpack(raw)
    bodies = [
        ([kind] if about is None else [kind, about], content.tobytes()) for kind, about, content in head.pop("bodies")
    ]
    stage = next((rendering_stage.unpack(body) for what, body in bodies if what == ["stage"]), {})
    return head | stage | {"others": [(what, body) for what, body in bodies if what != ["stage"]]}


def ask(app: AppTest, **question: Any) -> AppTest:
    """Ask what the browser asks, such as `set={"epsilon": "2"}`."""
    states = app._tree.get_widget_states()
    proto = next(
        component.proto for component in app.get("bidi_component") if component.proto.component_name == "stage"
    )
    states.widgets.append(
        WidgetState(
            id=f"$$STREAMLIT_INTERNAL_KEY_{proto.id}__events",
            json_trigger_value=json.dumps([{"event": "request", "value": {"n": stage_of(app)["n"] + 1, **question}}]),
        )
    )
    app._run(states)
    assert not app.exception
    return app


def unfolded(app: AppTest) -> AppTest:
    """Open all folds of the section, whose charts and tables are made when it is opened."""
    head = stage_of(app)
    return ask(app, how="none", folds=[head["page"], head["section"], rendering_stage.ALL_FOLDS])


def enter(app: AppTest, key: str, entry: str) -> AppTest:
    """Type a text into the field of a parameter."""
    return ask(app, set={key: entry})


def answer_conditions(app: AppTest) -> AppTest:
    """Answer the two questions on own data: each person counts once, in a list that was fixed."""
    return ask(app, set={"contribution": "once", "fixed": "yes"})


def field(app: AppTest, name: str) -> Any:
    """Return a field of Streamlit by its name, of which its key is made (see `widgets.field_key`)."""
    fields = (*app.text_input, *app.selectbox, *app.text_area, *app.radio, *app.checkbox, *app.multiselect)
    fields = (*fields, *app.file_uploader)
    return next(widget for widget in fields if widget.key is not None and widget.key.partition("-")[0] == name)


def link_of(app: AppTest) -> dict[str, str]:
    """Return the parameters in the address that the page asks the browser to show."""
    return dict(parse_qsl(urlsplit(stage_of(app)["link"]).query, keep_blank_values=True))


def parts_of(app: AppTest) -> list[dict[str, Any]]:
    """Return the parts of the open section, one by one."""
    together = ("side-by-side", "fold", "cards", "card")

    def alone(part: dict[str, Any]) -> list[dict[str, Any]]:
        return (
            [part, *(inner for outer in part["parts"] for inner in alone(outer))]
            if part["kind"] in together
            else [part]
        )

    return [
        component
        for part in stage_of(app)["parts"]
        for component in alone(part)
        if component["kind"] not in together[:3]
    ]


def charts_of(app: AppTest) -> dict[str, dict[str, Any]]:
    """Return the charts of the open section, by name."""
    return {part["name"]: part for part in parts_of(app) if part["kind"] == "chart"}


def text_of(app: AppTest) -> str:
    """Return all the words of the page."""
    stage = stage_of(app)
    entries = [stage["question"], *stage["answer"], *stage["notices"], *stage["problems"]]
    for part in parts_of(app):
        entries += [part[name] for name in ("html", "title", "subtitle") if name in part]
        entries += [f"{item['name']}: {item['html']} {item['more']}" for item in part.get("articles", ())]
    words = [unescape(re.sub(r"<[^>]*>", "", entry)) for entry in entries]
    below = [str(element.value) for element in (*app.header, *app.markdown, *app.text)]
    return "\n".join(words + below)


def topic_named(folder: str) -> Page[Any]:
    """Return what the page of a folder is made of."""
    return load_page(next(page for page in site_map.PAGES if (page.topic or "start") == folder))


def read_link(topic: str, **link: str | list[str]) -> tuple[dict[str, Reading], list[str]]:
    """Return what a topic's page reads of a link, and the sentences on what of the link can't be used,
    without the page.
    """
    known = topic_named(topic)
    entries = {key: [entry] if isinstance(entry, str) else entry for key, entry in link.items()}
    entered, problems = links.parse_link(entries, known.all_parameters)
    return known.readings(entered), problems


def found_by(topic: str, **link: str) -> Any:
    """Return what a topic finds for a link, without the page."""
    return topic_named(topic).compute(links.values(read_link(topic, **link)[0]))


class Drawn(Mapping[str, Exhibit]):
    """The exhibits of a topic for a result, by name; each is made when a test first looks at it."""

    _functions: ClassVar[dict[tuple[str, str], Any]] = {}  # of the exhibits that were made before, by topic and name

    def __init__(self, result: Any, topic: str, scheme: str) -> None:
        self._topic, self._make = topic, cache(lambda function: function(result, looks.COLOURS[scheme]))

    def _all(self, first: Any = None) -> Iterator[Exhibit]:
        functions = topic_named(self._topic).all_exhibits()
        for function in sorted(functions, key=lambda function: function is not first):
            exhibit = self._make(function)
            if exhibit is not None:
                self._functions[self._topic, exhibit.name] = function
                yield exhibit

    def __getitem__(self, name: str) -> Exhibit:
        for exhibit in self._all(self._functions.get((self._topic, name))):
            if exhibit.name == name:
                return exhibit
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (exhibit.name for exhibit in self._all())

    def __len__(self) -> int:
        return len(list(self._all()))


def stored_copy(app: AppTest, slot: str) -> list[str]:
    """Return the name and the text that the browser stores for a slot."""
    ask(app, dataCopies=[slot])
    what, body = next((what, body) for what, body in stage_of(app)["others"] if what[0] == "dataCopy")
    assert what[1]["slot"] == slot
    return [what[1]["token"], body.decode()]


def words_of(sentence: str) -> list[str]:
    """Return the words of a sentence, with an equation such as ε = 1 as one word."""
    return re.sub(r"\s*[=×–]\s*", "=", sentence).split()


def title_of(topic: str, name: str, **link: str) -> str:
    """Return the title of a chart as it is written, without marks."""
    picture = exhibits_by_name(found_by(topic, **link), topic)[name].picture
    assert isinstance(picture, dict)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", picture["layout"]["title"]["text"])).split())


def lead_name(topic: str, **link: str) -> str:
    """Return the name of the exhibit that a topic shows first for a link."""
    result = found_by(topic, **link)
    parts = topic_named(topic).open_section(result).parts(result, LIGHT)
    return next(part.name for part in parts if isinstance(part, Exhibit))


def item_of(topic: str, name: str, **link: str) -> str:
    """Return the text of an exhibit in a report, as a topic's page adds it at a link."""
    page, used = topic_named(topic), {key: reading.used for key, reading in read_link(topic, **link)[0].items()}
    return report_item(page.entry, name, page.all_parameters, used).text()


def exhibits_by_name(result: Any, topic: str, scheme: str = "light") -> Drawn:
    """Return every exhibit of a topic for a result, by name."""
    return Drawn(result, topic, scheme)


def figure_of(exhibit: Exhibit) -> dict[str, Any]:
    """Return the picture of an exhibit that is a chart."""
    assert isinstance(exhibit.picture, dict)
    return exhibit.picture


def html_of(exhibit: Exhibit) -> str:
    """Return the table of an exhibit that is one."""
    assert isinstance(exhibit.picture, str)
    return exhibit.picture


def expect_complete(exhibit: Exhibit) -> None:
    """Check what every exhibit must have: something to see, words for it, and numbers under a header."""
    assert len(exhibit.alternative) > 40
    csv = csv_text(replace(exhibit, numbers=exhibit.table.head(2)), "/?x=1").splitlines()
    assert csv[0] == "# link: /?x=1"
    rows = [line for line in csv if not line.startswith("# ")]
    assert len(rows) > 1
    if isinstance(exhibit.picture, str):
        assert "<table>" in exhibit.picture
        return
    assert exhibit.picture["data"]
    assert exhibit.picture["layout"]["title"]["text"]
    for number in _numbers(exhibit.picture["layout"]):
        assert math.isfinite(number), exhibit.name
    for trace in exhibit.picture["data"]:
        for axis in ("x", "y"):
            if trace.get("type") in ("scatter", "bar"):
                assert not np.isinf(np.asarray(trace[axis], np.float64)).any(), (exhibit.name, trace.get("name"))


def _numbers(part: Any) -> Iterator[float]:
    if isinstance(part, dict):
        for value in part.values():
            yield from _numbers(value)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _numbers(inner)
    elif isinstance(part, float):
        yield part
