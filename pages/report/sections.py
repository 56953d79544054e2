"""What the page of a report shows: its files, its title and notes, and every item as it will be printed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.export.report_items import RebuiltItem
from pages.framework.layout.section import Field, Fields, Files, Part, ReportEntry, Section
from pages.framework.parameters import number_format
from pages.report import files, text
from pages.report.names import file_name
from pages.report.parameters import NOTES, TITLE
from pages.report.results import ReportResult


def _report(result: ReportResult, _: Colours) -> Iterator[Part]:
    """The items in the colours of paper, whatever those of the page."""
    yield Files(tuple(files.FILES) if result.items else (), text.WAITING if result.missing else "")
    if result.items:
        yield Fields((Field(TITLE, "Title of the report"), Field(NOTES, "Notes at its beginning")))
    for place, made in enumerate(result.made):
        yield _item(result, place, made)


def _item(result: ReportResult, place: int, made: RebuiltItem | None) -> ReportEntry:
    item, of = result.items[place], len(result.items)
    if made is None:
        said = (text.not_made(result, item),)
        return ReportEntry(place, of, item.page.question, item.page.name, item.address, item.note, said)
    problems = tuple(f"**! {number_format.escape_markdown(each)}**" for each in made.problems)
    shown = () if made.exhibit is None else (_still(made.exhibit, file_name(place, item)),)
    parts = (*problems, *shown, "\n\n".join(made.answer), text.settings(made))
    return ReportEntry(place, of, made.heading, made.source, made.link, item.note, parts)


def _still(exhibit: Exhibit, name: str) -> Exhibit:
    """A chart or table under another name, in which nothing is set by hand."""
    if isinstance(exhibit.picture, str):
        return replace(exhibit, name=name)
    layout = exhibit.picture["layout"]
    unnamed = {key: [_unnamed(each) for each in layout[key]] for key in ("shapes", "annotations")}
    figure: Figure = exhibit.picture | {"layout": layout | unnamed}
    return replace(exhibit, name=name, picture=figure)


def _unnamed(mark: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in mark.items() if key != "name"}


SECTIONS = {"report": Section[ReportResult](lambda _: (), _report)}
