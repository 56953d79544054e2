import math
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from pages.shared import link as links
from pages.shared import parameters, theme
from pages.shared.export import Exhibit
from pages.shared.parameters import Reading

ROOT = Path(__file__).resolve().parents[2]


def opened(page: str | None = None, **link: str | list[str]) -> AppTest:
    """Open the app by a link, on its start page or on another one."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    if page is not None:
        app.switch_page(str(ROOT / page))
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def text_of(app: AppTest) -> str:
    """All the words of the page."""
    return "\n".join(str(element.value) for element in (*app.title, *app.header, *app.markdown, *app.text))


def read_link(topic: str, **link: str | list[str]) -> tuple[dict[str, Reading], list[str]]:
    """What a topic's page reads of a link, and the sentences on what of the link can't be used, without the page."""
    asked: Any = import_module(f"pages.{topic}.parameters")
    every = (*links.COMMON, *asked.OWN)
    entries = {key: [entry] if isinstance(entry, str) else entry for key, entry in link.items()}
    entered, problems = links.taken(entries, every)
    return links.read(every, entered, {}, getattr(asked, "correct", parameters.no_corrections)), problems


def found_by(topic: str, **link: str) -> Any:
    """What a topic finds for a link, without the page."""
    return import_module(f"pages.{topic}.exhibits").found(links.values(read_link(topic, **link)[0]))


def drawn(found: Any, topic: str, scheme: str = "light") -> dict[str, Exhibit]:
    """Every exhibit of a topic for what it found, by name."""
    made = [each(found, theme.COLOURS[scheme]) for each in import_module(f"pages.{topic}.exhibits").ALL]
    return {exhibit.name: exhibit for exhibit in made if exhibit is not None}


def figure_of(exhibit: Exhibit) -> dict[str, Any]:
    """The picture of an exhibit that is a chart."""
    assert isinstance(exhibit.picture, dict)
    return exhibit.picture


def html_of(exhibit: Exhibit) -> str:
    """The table of an exhibit that is one."""
    assert isinstance(exhibit.picture, str)
    return exhibit.picture


def expect_complete(exhibit: Exhibit) -> None:
    """Check what every exhibit must have: something to see, words for it, and numbers under a header."""
    assert len(exhibit.alternative) > 40
    csv = exhibit.csv("/?x=1").splitlines()
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
            if trace.get("type") == "scatter":
                assert not np.isinf(np.asarray(trace[axis], np.float64)).any(), (exhibit.name, trace.get("name"))


def _numbers(part: Any) -> Iterator[float]:
    if isinstance(part, dict):
        for each in part.values():
            yield from _numbers(each)
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _numbers(each)
    elif isinstance(part, float):
        yield part
