"""The page of a report: its title and notes, each item as it will be printed, statements, and files, PDF among them."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache, partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any, cast

from pages.framework.export import exhibit_files
from pages.framework.export.exhibit import Colours, Exhibit, Item
from pages.framework.export.exhibit_files import csv_text, zipped
from pages.framework.export.report_items import RebuiltItem
from pages.framework.layout.offers import LENGTHS, Statements
from pages.framework.layout.page import Page
from pages.framework.layout.section import Field, Fields, Files, Fold, Part, ReportEntry, Section
from pages.framework.parameters import number_format
from pages.report import parameters, text, word
from pages.report.document import address_of, document, origin_text
from pages.report.parameters import APPENDIX, NOTES, TITLE
from pages.report.results import ReportResult, compute_result, file_name
from pages.report.text import numbered
from pages.report.word import Element
from pages.shared.site_map import REPORT

_FORM = (files("pages.report") / "report.typ").read_bytes()
_FONTS = Path(exhibit_files.__file__).parents[1] / "chart"  # its files are public


def pdf_file(result: ReportResult, address: str, day: str, pictures: Mapping[str, str]) -> bytes:
    """Return the PDF; `pictures` are the charts as SVG, by the names of the items' files."""
    import typst  # only a worker that makes such a file loads it

    try:
        return _pdf_bytes(result, address, day, {name: svg for name, svg in pictures.items() if "<!" not in svg})
    except typst.TypstError:
        if not pictures:
            raise
        return _pdf_bytes(result, address, day, {})  # a picture that the browser did not draw


def _pdf_bytes(result: ReportResult, address: str, day: str, pictures: Mapping[str, str]) -> bytes:
    content = as_data(word.content(result, address, day, pictures))
    return compiled({"title": result.name, "foot": origin_text(day), "content": content}, datetime.fromisoformat(day))


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


Pictures = Mapping[str, str]


def archive(result: ReportResult, address: str, day: str) -> bytes:
    """Return a zip with the numbers of every chart and table as CSV, and the answer of every item as text."""
    contents = {"report.txt": _report_text(result, address, day)}
    for position, rebuilt in enumerate(result.rebuilt_items):
        if rebuilt is not None and rebuilt.exhibit is not None:
            link = rebuilt.link and address + rebuilt.link
            contents[f"{file_name(position, rebuilt.item)}.csv"] = csv_text(rebuilt.exhibit, link, day)
    return zipped(contents, day)


def _report_text(result: ReportResult, address: str, day: str) -> str:
    """Return the report as plain text, without its charts and tables."""
    origin, link = origin_text(day), result.link and address + result.link
    head = (result.name, text.unprotected_text(result), result.notes, origin, link, text.session_items_text(result))
    pairs = enumerate(zip(result.items, result.rebuilt_items, strict=True), 1)
    items = (_item_text(number, item.note, made, address) for number, (item, made) in pairs if made is not None)
    return "\n\n".join(filter(None, (*head, *items))) + "\n"


def _item_text(number: int, note: str, rebuilt: RebuiltItem, address: str) -> str:
    head = (f"{number}. {rebuilt.heading} ({rebuilt.source})", note)
    problems = (f"! {problem}" for problem in rebuilt.problems)
    answer = (number_format.without_markdown(sentence) for sentence in rebuilt.answer_below_heading)
    origin = text.origin_text(rebuilt) or (rebuilt.link and address + rebuilt.link)
    parameters = (f"{name}: {entry}" for name, entry in rebuilt.parameters)
    conditions = number_format.without_markdown(rebuilt.conditions)
    steps = number_format.without_markdown(rebuilt.steps)
    return "\n".join(filter(None, (*head, *problems, *answer, steps, conditions, *parameters, origin)))


_MAKERS: dict[str, Callable[[ReportResult, str, str, Pictures], bytes]] = {
    "report.html": lambda result, address, day, _: document(result, address, day).encode(),
    "report.pdf": pdf_file,
    "report.docx": word.docx_file,
    "report.zip": lambda result, address, day, _: archive(result, address, day),
}


def _file_of_today(name: str, result: ReportResult, address: str, pictures: Pictures) -> bytes:
    return _MAKERS[name](result, address_of(address), date.today().isoformat(), pictures)


FILES = {name: partial(_file_of_today, name) for name in _MAKERS}
_TOGETHER = (
    "Each of these statements is for one release alone. About the same people they add up, and how much all of them "
    "together can tell is not said here."
)


def statements(result: ReportResult) -> Statements | None:
    """Return the statements of the items, each once under its place and its page; None where no item has any."""
    groups: dict[tuple[object, Statements], list[int]] = {}
    for place, item in enumerate(result.rebuilt_items):
        if item is not None and item.statements is not None:
            groups.setdefault((_setting(item.item), item.statements), []).append(place)
    if not groups:
        return None
    has_none = [all(place not in places for places in groups.values()) for place in range(len(result.items))]
    ending = [_TOGETHER] if len(groups) > 1 else []
    if uncovered := numbered(has_none, "is", "are"):
        ending.append(f"{uncovered} not covered by a statement.")
    texts = {}
    for length in LENGTHS:
        parts = [(_heading(result, places), said.by_length[length]) for (_, said), places in groups.items()]
        texts[length] = "\n\n".join((*chain.from_iterable(parts), *ending))
    return Statements(**texts)


def _setting(item: Item) -> object:
    """Return the setting of an item, whose sections and pictures are about one release."""
    return item.page, item.session_token, tuple(entry for entry in item.entries if entry[0] not in ("section", "show"))


def _heading(result: ReportResult, places: list[int]) -> str:
    """Return which items a statement is about."""
    sources = {item.source for place in places if (item := result.rebuilt_items[place]) is not None}
    is_meant = [place in places for place in range(len(result.items))]
    return f"{numbered(is_meant, '', '').strip()} ({', '.join(sorted(sources))})"


def parts(result: ReportResult, _: Colours) -> Iterator[Part]:
    """Yield the files, the title and notes, and the items, these in the colours of paper in both schemes."""
    yield Files(tuple(FILES) if result.items else (), text.WAITING if result.missing else "")
    yield f"**{unprotected}**" if (unprotected := text.unprotected_text(result)) else ""
    yield text.panels_text(result)
    if result.items:
        yield Fields((Field(TITLE, "Title of the report"), Field(NOTES, "Introduction"), Field(APPENDIX, "Appendix")))
    for position, rebuilt in enumerate(result.rebuilt_items):
        yield _report_entry(result, position, rebuilt)


def _report_entry(result: ReportResult, position: int, rebuilt: RebuiltItem | None) -> ReportEntry:
    item, total = result.items[position], len(result.items)
    if rebuilt is None:
        reason = (text.missing_item_text(result, item),)
        return ReportEntry(position, total, item.page.name, item.page.name, item.address, item.note, reason)
    problems = tuple(f"**! {number_format.escape_markdown(problem)}**" for problem in rebuilt.problems)
    exhibits = () if rebuilt.exhibit is None else (_without_handles(rebuilt.exhibit, file_name(position, item)),)
    answer = "\n\n".join(rebuilt.answer_below_heading)
    settings = Fold((text.parameters_text(rebuilt),), "Settings")
    facts = (rebuilt.conditions, settings, text.origin_text(rebuilt))
    contents = (*problems, answer, *exhibits, *facts)
    return ReportEntry(position, total, rebuilt.heading, rebuilt.source, rebuilt.link, item.note, contents)


def _without_handles(exhibit: Exhibit, name: str) -> Exhibit:
    """Return a chart or table under another name, without handles that the user can drag."""
    if isinstance(exhibit.picture, str):
        return replace(exhibit, name=name)
    layout = exhibit.picture["layout"]
    fixed = {"meta": layout.get("meta", {}) | {"isFixed": True}}
    return replace(exhibit, name=name, picture=exhibit.picture | {"layout": layout | fixed})


SECTION = Section[ReportResult](
    key="report",
    name="Report",
    controls=lambda _: (),
    parts=parts,
    answer_text=text.answer_text,
    statements=statements,
)


PAGE = Page(REPORT, parameters.PARAMETERS, compute_result, sections=(SECTION,), files=FILES)
