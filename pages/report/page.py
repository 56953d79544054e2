"""The page of a report: its files, its title and notes, every item as it will be printed, and the statements of all."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.export.report_item import Item
from pages.framework.export.report_items import RebuiltItem
from pages.framework.layout.page import Page
from pages.framework.layout.section import Field, Fields, Files, Part, ReportEntry, Section
from pages.framework.layout.statements import LENGTHS, Statements
from pages.framework.parameters import number_format
from pages.report import files, parameters, text
from pages.report.parameters import APPENDIX, NOTES, TITLE
from pages.report.results import ReportResult, compute_result, file_name
from pages.report.text import numbered
from pages.shared.site_map import REPORT

_TOGETHER = (
    "Each of these statements is for one release alone. About the same people they add up, and how much all of them "
    "together can tell is not said here."
)


def statements(result: ReportResult) -> Statements | None:
    """Return the statements of the items, each once under its place and its page; None where no item has any."""
    places: dict[tuple[object, Statements], list[int]] = {}
    for place, item in enumerate(result.rebuilt_items):
        if item is not None and item.statements is not None:
            places.setdefault((_setting(item.item), item.statements), []).append(place)
    if not places:
        return None
    said = [any(place in found for found in places.values()) for place in range(len(result.items))]
    ending = [_TOGETHER] if len(places) > 1 else []
    if unsaid := numbered([not is_said for is_said in said], "is", "are"):
        ending.append(f"{unsaid} not covered by a statement.")
    texts = {
        length: [
            part
            for (_, stated), found in places.items()
            for part in (_heading(result, found), stated.by_length[length])
        ]
        for length in LENGTHS
    }
    return Statements(**{length: "\n\n".join((*parts, *ending)) for length, parts in texts.items()})


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
    yield Files(tuple(files.FILES) if result.items else (), text.WAITING if result.missing else "")
    yield f"**{unprotected}**" if (unprotected := text.unprotected_text(result)) else ""
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
    facts = (rebuilt.conditions, text.parameters_text(rebuilt), text.origin_text(rebuilt))
    contents = (*problems, answer, *exhibits, *facts)
    return ReportEntry(position, total, rebuilt.heading, rebuilt.source, rebuilt.link, item.note, contents)


def _without_handles(exhibit: Exhibit, name: str) -> Exhibit:
    """Return a chart or table under another name, without handles that the user can drag."""
    if isinstance(exhibit.picture, str):
        return replace(exhibit, name=name)
    layout = exhibit.picture["layout"]
    unnamed = {key: [_without_name(mark) for mark in layout[key]] for key in ("shapes", "annotations")}
    figure: Figure = exhibit.picture | {"layout": layout | unnamed}
    return replace(exhibit, name=name, picture=figure)


def _without_name(mark: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in mark.items() if key != "name"}


SECTION = Section[ReportResult](
    key="report",
    name="Report",
    controls=lambda _: (),
    parts=parts,
    answer_text=text.answer_text,
    statements=statements,
)


PAGE = Page(REPORT, parameters.PARAMETERS, compute_result, sections=(SECTION,), files=files.FILES)
