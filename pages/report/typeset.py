"""A report as a PDF, which typst sets.

What the report contains goes to typst as data, so that no text of a user is ever evaluated. The form is `report.typ`,
which reads no file and names no package; a picture that names a file finds those beside the fonts alone.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from pages.framework.chart import export_scripts
from pages.report import document, elements
from pages.report.elements import Element
from pages.report.results import ReportResult

_FORM = (files("pages.report") / "report.typ").read_bytes()
_FONTS = Path(export_scripts.__file__).parent  # its files are public


def pdf_file(result: ReportResult, address: str, day: str, pictures: Mapping[str, str]) -> bytes:
    """Return the PDF; `pictures` are the charts as SVG, by the names of the items' files."""
    import typst  # only a worker that makes such a file loads it

    try:
        return _made(result, address, day, {name: svg for name, svg in pictures.items() if "<!" not in svg})
    except typst.TypstError:
        if not pictures:
            raise
        return _made(result, address, day, {})  # a picture that the browser did not draw


def _made(result: ReportResult, address: str, day: str, pictures: Mapping[str, str]) -> bytes:
    content = elements.content(result, address, day, pictures)
    title, foot = result.name, document.origin_text(day)
    return compiled({"title": title, "foot": foot, "content": as_data(content)}, datetime.fromisoformat(day))


def compiled(data: Mapping[str, Any], day: datetime = datetime.min) -> bytes:
    """Return the PDF of a title, the foot of its pages, and the content, as `report.typ` reads them."""
    import typst

    return typst.compile(
        _FORM,
        root=cast(Any, _FONTS),  # a path, as typst's documentation says and its types do not
        font_paths=_fonts(),
        sys_inputs={"report": json.dumps(data)},
        timestamp=day.replace(tzinfo=UTC),
        package_path=_FONTS,
        package_cache_path=_FONTS,
    )


@cache
def _fonts() -> Any:
    import typst

    return typst.Fonts(include_system_fonts=True, include_embedded_fonts=True, font_paths=[_FONTS])


def as_data(element: Element) -> list[Any]:
    """Return an element as an array: its tag, its attributes and its children."""
    children = (child if isinstance(child, str) else as_data(child) for child in element.children)
    return [element.tag, element.attributes, *children]
