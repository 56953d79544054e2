"""The stage of a page: everything that the browser draws, in one binary message that depends on the link alone.

`pack` makes such messages, also of files and figures that the browser requests later.
"""

import json
import re
import struct
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape, unescape
from math import isnan
from typing import Any

import numpy as np

from pages.framework.chart.theme import with_pinned_inside
from pages.framework.classroom.sequence import SequenceText
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.export.exhibit_files import file_stem
from pages.framework.layout import markup
from pages.framework.layout.offers import Invitation
from pages.framework.layout.section import (
    Article,
    Articles,
    Card,
    Cards,
    Conditions,
    Field,
    Fields,
    Files,
    Fold,
    Part,
    ReportEntry,
    Row,
    Section,
)
from pages.framework.parameters import kinds
from pages.framework.parameters.list_parameter import number_readings
from pages.framework.parameters.parameter import Parameter, Reading
from pages.framework.site import site

ALL_FOLDS = "*"
"""Stands for the names of all folds."""
_TYPES = {"f4": "<f4", "f8": "<f8", "i4": "<i4", "u1": "u1"}


def pack(message: dict[str, Any]) -> bytes:
    """Return a message as bytes; every array in it has one or two axes, and bytes count as an array of bytes.

    >>> unpack(pack({"figure": {"x": np.array([1.0, 2.0])}}))["figure"]["x"].tolist()
    [1.0, 2.0]
    >>> unpack(pack({"file": b"x,y"}))["file"].tobytes()
    b'x,y'
    """
    arrays: list[tuple[str, int, int, list[int] | None]] = []
    parts: dict[tuple[str, tuple[int, ...], bytes], int] = {}  # with the number of each array
    end = 0

    def point(value: Any) -> Any:
        nonlocal end
        if isinstance(value, np.generic):
            return value.item()
        value = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)
        kind = f"{value.dtype.kind}{value.dtype.itemsize}"
        if kind not in _TYPES and value.dtype.kind not in "iub":
            return value.tolist()
        kind = kind if kind in _TYPES else "f8"
        raw = np.ascontiguousarray(value, _TYPES[kind]).tobytes()
        place = parts.setdefault((kind, value.shape, raw), len(arrays))
        if place == len(arrays):
            arrays.append((kind, end, len(raw), list(value.shape) if value.ndim == 2 else None))
            end += len(raw)
        return {"$": place}

    body = json.dumps(message, default=point, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    head = f'{{"arrays":{json.dumps(arrays, separators=(",", ":"))},{body[1:]}'.encode()
    return b"".join((struct.pack("<I", len(head)), head, *(raw for _, _, raw in parts)))


def unpack(raw: bytes) -> dict[str, Any]:
    """Return the message from which `pack` made these bytes."""
    (size,) = struct.unpack_from("<I", raw)
    message = json.loads(raw[4 : 4 + size])
    arrays = []
    for kind, start, length, shape in message.pop("arrays"):
        array = np.frombuffer(raw, _TYPES[kind], length // int(kind[1]), 4 + size + start)
        arrays.append(array.reshape(shape) if shape else array)

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return arrays[value["$"]] if "$" in value else {key: fill(part) for key, part in value.items()}
        return [fill(part) for part in value] if isinstance(value, list) else value

    return fill(message)


def confirmed_sentences(stage: bytes) -> dict[str, str]:
    """Return what the confirmed conditions of a stage say, by the keys of their parameters."""
    items = unpack(stage)["conditions"]["items"]
    return {item["key"]: item["words"] for item in items if item["key"] and item["state"] == "confirmed"}


_TAG = re.compile(r"(<[^>]*>)")


@dataclass(frozen=True)
class Answer:
    """What stands at the top: sentences, the names of the buttons beside them by key, and their conditions."""

    sentences: tuple[str, ...]
    buttons: Mapping[str, str] = field(default_factory=dict)
    conditions: Conditions | None = None


@dataclass(frozen=True)
class Setting:
    """A page at one setting: its result, all its parameters and their readings, the colours, and its path."""

    result: Any
    parameters: tuple[Parameter, ...]
    readings: dict[str, Reading]
    colours: Colours
    path: str = ""


Tabs = Sequence[tuple[str | None, str, str, list[str]]]


def stage_bytes(
    setting: Setting,
    section: Section[Any],
    answer: Answer,
    tabs: Tabs = (),
    open_folds: Container[str] = (ALL_FOLDS,),
) -> bytes:
    """Return a section of a page as bytes: its answer, its controls, its parts, and the fields of both.

    `tabs` are those of `render.tabs_of`. Of the folds whose content is made when they are opened it has that of
    `open_folds`.
    """
    result, parameters, readings, conditions = setting.result, setting.parameters, setting.readings, answer.conditions
    yielded = list(section.parts(result, setting.colours))
    parts = _part_contents(yielded, open_folds)
    if (files := section.downloads(result)) is not None:
        buttons = {"kind": "downloads", "files": [[file.name, file.label] for file in files.files]}
        calls = [{"kind": "call", "text": call} for call in files.calls]
        words = [_text_content(files.call_text)] if calls else []
        parts.append(
            {"kind": "fold", "name": files.name, "parts": [_text_content(files.text), buttons, *words, *calls]}
        )
    is_asking = conditions is not None and bool(conditions.questions)
    conditions = None if is_asking else conditions
    items = () if conditions is None else conditions.items
    assumptions = () if conditions is None else conditions.assumptions
    said = [{"key": item.parameter.key, "words": item.words, "state": item.state} for item in items]
    said += [{"key": "", "words": words, "state": "assumed"} for words in assumptions]
    fields = [Field(item.parameter, options=item.options) for item in items]
    fields += [_as_field(item) for item in (*section.all_controls(result), *_fields_in(parts))]
    visible_keys = {item.parameter.key for item in fields}
    charts = (part for part in _flat_parts(parts) if part["kind"] == "chart")
    chart_keys = {key for chart in charts for key in (*chart["marks"], *chart["picks"])}
    fields += [Field(item) for item in parameters if item.key in chart_keys - visible_keys]
    numbers = number_readings(parameters, readings, sorted(chart_keys))
    own = section_parameters(section, result)
    message = {
        "section": section.key,
        "tabs": tabs,
        "answerButtons": dict(answer.buttons),
        "answer": [markup.html(sentence) for sentence in (*answer.sentences, section.aim) if sentence],
        "conditions": {"lead": "" if conditions is None else conditions.lead, "items": said},
        "controls": [_as_field(item).parameter.key for item in section.controls(result)],
        "moreSettings": _more_settings([_as_field(item).parameter for item in section.more_settings(result)], readings),
        "fields": {item.parameter.key: _field_content(item, readings[item.parameter.key]) for item in fields}
        | {key: _field_content(Field(quantity), reading) for key, (quantity, reading) in numbers.items()},
        "parts": [_with_file_names(_with_field_keys(part), setting.path, own, readings) for part in parts],
        "isLeadMissing": yielded[:1] == [None],
        "isAsking": is_asking,
    }
    return pack(message)


def _more_settings(parameters: list[Parameter], readings: dict[str, Reading]) -> dict[str, Any]:
    """Return the fields that are folded as JSON for the browser: their keys, and how many are not at their default."""
    order = site().field_order  # of those that several pages have, which follow the others
    parameters = sorted(parameters, key=lambda item: order.index(item.key) if item.key in order else -1)
    n_changed = sum(_is_changed(parameter, readings[parameter.key].used) for parameter in parameters)
    return {"keys": [parameter.key for parameter in parameters], "changed": n_changed}


def _is_changed(parameter: Parameter, used: str) -> bool:
    """Return whether a text is neither the default nor one that the page suggests in its place."""
    if isinstance(parameter, kinds.SuggestibleQuantity) and used.startswith(parameter.mark):
        return False
    suggestions = parameter.suggestions if isinstance(parameter, kinds.FreeText) else ()
    return used not in (parameter.default, *suggestions)


def _part_contents(parts: Iterable[Part], open_folds: Container[str] = ()) -> list[dict[str, Any]]:
    """Return parts as JSON for the browser, without those that are omitted."""
    return [
        _fold_content(part, open_folds) if isinstance(part, Fold) else _part_content(part)
        for part in parts
        if part is not None and part != ""
    ]


def _fold_content(fold: Fold, open_folds: Container[str]) -> dict[str, Any]:
    """Return a fold as JSON for the browser: where its content is made late, it has none until it is opened."""
    if not callable(fold.content):
        return {"kind": "fold", "name": fold.name, "parts": _part_contents(fold.content)}
    is_open = ALL_FOLDS in open_folds or fold.name in open_folds
    return {"kind": "fold", "name": fold.name, "isLate": True, "parts": _part_contents(fold.parts) if is_open else []}


def _part_content(part: Exhibit | Fields | Invitation | Row | Cards | Articles | ReportEntry | Files | str) -> Any:
    match part:
        case str():
            return _text_content(part)
        case Fields():
            done = {} if part.done is None else {"done": [part.done.parameter.key, part.done.text, part.done.name]}
            return {"kind": "fields", "fields": part.fields} | done
        case Invitation():
            votes = dict(zip(("question", "words"), part.votes, strict=True))
            words = {"html": markup.html(part.words), "note": markup.html(part.note), "votes": votes}
            return {"kind": "invitation", "actions": part.actions, "link": part.link, "state": part.state} | words
        case ReportEntry():
            heading = markup.unbroken(escape(part.heading, quote=False))
            words = {"heading": heading, "source": part.source, "note": part.note, "link": part.link}
            place = {"place": part.position, "of": part.total}
            return {"kind": "item", "parts": _part_contents(part.parts)} | words | place
        case Articles():
            articles = [_article_content(article) for article in part.articles]
            return {"kind": "articles", "parameter": part.parameter, "open": part.open_key, "articles": articles}
        case Files():
            return {"kind": "files", "names": list(part.names), "missing": part.missing}
        case Row():
            return {"kind": "side-by-side", "parts": _part_contents(part.parts)}
        case Cards():
            cards = [_card_content(inner) if isinstance(inner, Card) else _text_content(inner) for inner in part.cards]
            return {"kind": "cards", "parts": cards}
        case Exhibit():
            return exhibit_content(part)


def _text_content(markdown: str) -> dict[str, Any]:
    return {"kind": "words", "html": markup.html(markdown)}


def _article_content(article: Article) -> dict[str, Any]:
    texts = {"html": markup.html(article.text), "more": markup.html(article.more)}
    return {"key": article.key, "name": article.name, "names": list(article.other_names)} | texts


def _card_content(card: Card) -> dict[str, Any]:
    words = {"link": card.link, "question": card.question, "html": markup.html(card.answer)}
    return {"kind": "card", "name": card.picture.name, "parts": [exhibit_content(card.picture)]} | words


def exhibit_content(item: Exhibit) -> dict[str, Any]:
    """Return a chart or table as JSON for the browser."""
    if isinstance(item.picture, str):
        part = {"kind": "table", "name": item.name, "html": markup.unbroken(item.picture)}
        return part | ({"confidential": item.confidential} if item.confidential else {})
    figure = with_pinned_inside(item.picture)
    layout = item.picture["layout"]
    is_fixed = "isFixed" in layout.get("meta", {})  # nothing in it is dragged
    marks = [] if is_fixed else [shape["name"] for shape in layout["shapes"] if "name" in shape]
    title = layout["title"]
    chart = {"title": _single_line(title["text"]), "subtitle": _single_line(title["subtitle"]["text"])}
    chart |= {"alt": item.alternative, "picks": item.picks, "marks": marks}
    chart |= {"confidential": item.confidential} if item.confidential else {}
    return {"kind": "chart", "name": item.name, "figure": figure} | chart


def _single_line(title: str) -> str:
    """Return a Plotly title as safe HTML: its words without markup."""
    return markup.unbroken(escape(unescape(_TAG.sub(" ", title)), quote=False))


def _flat_parts(parts: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the parts; those of a row, of a fold or of a report item one by one."""
    for part in parts:
        yield from part["parts"] if part["kind"] in ("side-by-side", "fold", "item") else [part]


def _fields_in(parts: list[dict[str, Any]]) -> list[Field | Parameter]:
    return [field for part in _flat_parts(parts) if part["kind"] == "fields" for field in part["fields"]]


def _with_field_keys(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part in which fields, those of a fold or a row too, are replaced by their keys."""
    if part["kind"] in ("fold", "side-by-side"):
        return part | {"parts": [_with_field_keys(inner) for inner in part["parts"]]}
    if part["kind"] != "fields":
        return part
    keys = [_as_field(field).parameter.key for field in part["fields"]]
    return {"kind": "fields", "keys": keys} | ({"done": part["done"]} if "done" in part else {})


def section_parameters(section: Section[Any], result: Any) -> list[Parameter]:
    """Return the parameters that a section has beside its lead picture, after which its files are named."""
    return [_as_field(item).parameter for item in section.all_controls(result)]


def _with_file_names(
    part: dict[str, Any], path: str, parameters: Sequence[Parameter], readings: Mapping[str, Reading]
) -> dict[str, Any]:
    """Return a part in which each chart and table, those inside another part too, has the name of its files."""
    if part["kind"] in ("chart", "table"):
        return part | {"file": file_stem(path, part["name"], parameters, readings)}
    if "parts" not in part:
        return part
    return part | {"parts": [_with_file_names(inner, path, parameters, readings) for inner in part["parts"]]}


def _as_field(item: Field | Parameter) -> Field:
    return item if isinstance(item, Field) else Field(item)


def _field_content(field: Field, reading: Reading) -> dict[str, Any]:
    """Return a field as JSON for the browser: names, the text that is used, and the steps or options."""
    parameter = field.parameter
    help_text = field.help or (parameter.help if isinstance(parameter, kinds.Quantity) else "")
    description = {"symbol": parameter.symbol, "used": reading.used}
    description |= {"help": markup.html(help_text)} if help_text else {}
    if isinstance(parameter, kinds.Quantity):
        names = {"label": field.label or parameter.label, "ends": parameter.ends}
        names |= {"caption": field.label or parameter.caption or parameter.label}
        names |= {"complement": parameter.field_name} if isinstance(parameter, kinds.Complement) else {}
        value = reading.value
        if isinstance(parameter, kinds.AutomaticQuantity):
            names |= {"automatic": {"text": parameter.word, "name": parameter.button}}
            value = field.value if isnan(value) else value
        meant = "" if value is None else kinds.parsed_value_note(reading.used, value)
        if field.search is not None:
            names |= {"search": [field.search.n_items, field.search.n_shown]}
        return description | names | {"steps": parameter.scale, "value": value, "meant": meant}
    if isinstance(parameter, kinds.Choice):
        link = {} if field.link is None else {"link": asdict(field.link)}
        options = dict(parameter.options if field.options is None else field.options)
        question = {"question": True} if field.is_question else {}
        if field.is_question:
            options.pop(parameter.default, None)
        return description | {"label": field.label or parameter.symbol, "options": options} | question | link
    has_links = isinstance(parameter, SequenceText)
    lines = has_links or (isinstance(parameter, kinds.FreeText) and parameter.lines)
    links = {"links": True} if has_links else {}
    return description | {"label": field.label or parameter.symbol, "lines": lines} | links
