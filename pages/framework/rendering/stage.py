"""A page as the browser gets it: one message of bytes, a function of the page's link alone, kept for all sessions."""

import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Any

from pages.framework.chart import packing
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout import markup
from pages.framework.layout.section import Card, Cards, Field, Fields, Files, Part, ReportEntry, Row, Sections
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Choice, Parameter, Quantity, Reading, Words

_TAG = re.compile(r"(<[^>]*>)")


def stage(
    open_section: str,
    sections: Sections,
    found: Any,
    said: tuple[str, ...],
    every: tuple[Parameter, ...],
    readings: dict[str, Reading],
    colour: Colours,
) -> bytes:
    """The open section of a page: its answer, its strip, its parts, and the fields of both, as bytes."""
    section = sections[open_section]
    parts = [made for part in section.parts(found, colour) if (made := _part(part)) is not None]
    asked = [_as_field(each) for each in (*section.controls(found), *_fields(parts))]
    shown = {each.parameter.key for each in asked}
    asked += [Field(each) for each in every if each.key in _chart_keys(parts) - shown]
    message = {
        "section": open_section,
        "sections": _available_sections(sections, found, every),
        "answer": [markup.html(sentence) for sentence in said],
        "strip": [_as_field(each).parameter.key for each in section.controls(found)],
        "fields": {each.parameter.key: _field(each, readings[each.parameter.key]) for each in asked},
        "parts": [_with_field_keys(part) for part in parts],
    }
    return packing.pack(message)


def _available_sections(sections: Sections, found: Any, every: tuple[Parameter, ...]) -> dict[str, str]:
    """The names of the sections that there are at this setting, by key."""
    asked = next((each for each in every if isinstance(each, Choice) and each.key == "section"), None)
    return {key: name for key, name in asked.options.items() if sections[key].is_available(found)} if asked else {}


def _part(part: Part) -> dict[str, Any] | None:
    if part is None or part == "":
        return None
    if isinstance(part, str):
        return _words(part)
    if isinstance(part, Fields):
        return {"kind": "fields", "fields": part.fields}
    if isinstance(part, ReportEntry):
        return _report_entry(part)
    if isinstance(part, Files):
        return {"kind": "files", "names": list(part.names), "missing": part.missing}
    if isinstance(part, Row):
        return {"kind": "beside", "parts": [made for each in part.parts if (made := _part(each)) is not None]}
    if isinstance(part, Cards):
        return {
            "kind": "cards",
            "parts": [_card(each) if isinstance(each, Card) else _words(each) for each in part.cards],
        }
    return exhibit(part)


def _report_entry(part: ReportEntry) -> dict[str, Any]:
    """An item of a list as the browser gets it."""
    told = {"kind": "item", "place": part.position, "of": part.total, "note": part.note, "link": part.link}
    told |= {"heading": markup.unbroken(escape(part.heading, quote=False)), "source": part.source}
    return told | {"parts": [made for each in part.parts if (made := _part(each)) is not None]}


def _words(markdown: str) -> dict[str, Any]:
    return {"kind": "words", "html": markup.html(markdown)}


def _card(card: Card) -> dict[str, Any]:
    """A card as the browser gets it: its link, its words and, as its one part, its picture."""
    words = {"link": card.link, "question": card.question, "html": markup.html(card.answer)}
    return {"kind": "card", "name": card.picture.name, "parts": [exhibit(card.picture)]} | words


def exhibit(shown: Exhibit) -> dict[str, Any]:
    """A chart or table as the browser gets it."""
    if isinstance(shown.picture, str):
        part = {"kind": "table", "name": shown.name, "html": markup.unbroken(shown.picture)}
        return part | ({"confidential": shown.confidential} if shown.confidential else {})
    marks = [shape["name"] for shape in shown.picture["layout"]["shapes"] if "name" in shape]
    title = shown.picture["layout"]["title"]
    more = {"title": _line(title["text"]), "subtitle": _line(title["subtitle"]["text"])}
    more |= {"alt": shown.alternative, "picks": shown.picks, "marks": marks}
    more |= {"confidential": shown.confidential} if shown.confidential else {}
    return {"kind": "chart", "name": shown.name, "figure": shown.picture} | more


def _line(title: str) -> str:
    """A title of Plotly's as safe HTML: its words alone."""
    return markup.unbroken(escape(unescape(_TAG.sub(" ", title)), quote=False))


def _flat_parts(parts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The parts, with those that stand beside each other one by one."""
    for part in parts:
        yield from part["parts"] if part["kind"] in ("beside", "item") else [part]


def _fields(parts: list[dict[str, Any]]) -> list[Field | Parameter]:
    return [each for part in _flat_parts(parts) if part["kind"] == "fields" for each in part["fields"]]


def _chart_keys(parts: list[dict[str, Any]]) -> set[str]:
    """The keys of what is set by hand in a chart."""
    return {key for part in _flat_parts(parts) if part["kind"] == "chart" for key in (*part["marks"], *part["picks"])}


def _with_field_keys(part: dict[str, Any]) -> dict[str, Any]:
    """A part whose fields are named by their keys."""
    if part["kind"] != "fields":
        return part
    return {"kind": "fields", "keys": [_as_field(each).parameter.key for each in part["fields"]]}


def _as_field(each: Field | Parameter) -> Field:
    return each if isinstance(each, Field) else Field(each)


def _field(shown: Field, reading: Reading) -> dict[str, Any]:
    """What the browser knows of a parameter: its names, the text that is used, and its steps or options."""
    asked = shown.parameter
    known = {"symbol": asked.symbol, "used": reading.used, "help": shown.help, "label": shown.label}
    if isinstance(asked, Quantity):
        names = {"label": shown.label or asked.label, "help": shown.help or asked.help, "ends": asked.ends}
        names |= {"short": asked.short or asked.symbol}
        return (
            known
            | names
            | {
                "steps": asked.scale,
                "value": reading.value,
                "meant": number_format.parsed_value_note(reading.used, reading.value),
            }
        )
    if isinstance(asked, Choice):
        return known | {"label": shown.label or asked.symbol, "options": asked.options}
    lines = isinstance(asked, Words) and asked.lines
    return known | {"label": shown.label or asked.symbol, "lines": lines}
