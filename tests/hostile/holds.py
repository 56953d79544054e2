"""Conditions on the texts of a page: no foreign markup, no path, no NaN, and no value replaced silently."""

import csv
import json
import math
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from pages.framework.parameters.kinds import Pin
from pages.framework.parameters.number_parser import is_plain
from pages.framework.parameters.parameter import Parameter, Reading, excerpt
from tests.hostile.autolinks import MARKDOWN, autolinks

_ROOT = str(Path(__file__).resolve().parents[2])
_PATHS = re.compile("|".join(map(re.escape, (_ROOT, sys.prefix, "site-packages", "Traceback", 'File "'))))
_LOADING = {"img", "script", "style", "svg", "iframe", "object", "embed", "link", "meta", "base", "form", "video"}
_OURS = ("./", "/", "#")  # how a link within the product begins
_NO_NUMBER = re.compile(
    r"(?<![\w.])(?:nan|NaN|inf|Infinity|null|undefined|None(?=[,;)%]| %))(?![\w-])|(?!9{30})\d[\d,.]{29}"
)  # but for the nines by which a stranger calls a thing
_HEAD = ["html", "head", "meta", "meta", "meta", "meta", "title"]
_NO_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|nbsp|times|plusmn|deg|mu|#[0-9]+|#x[0-9A-Fa-f]+);)")  # none that Plotly has
_FIGURES = re.compile(r'<script type="application/json" id="figure-[0-9]+">(.*?)</script>', re.DOTALL)
_REPEATED = re.compile(r'<p class="(?:foot|problem|note)">.*?</p>', re.DOTALL)  # paragraphs that repeat what was sent
_RUN = ("=", "+", "@", "\t", "\r")


class _Marks(HTMLParser):
    """The tags of a text with their attributes, and its words."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.words = ""
        if "<" in markup or "&" in markup:
            self.feed(markup)
            self.close()
        else:
            self.handle_data(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.words += f" {data}"


_marks = lru_cache(500)(_Marks)  # most words of a page stand on it at every link


def wrong_in_stage(stage: Mapping[str, Any]) -> Iterator[str]:
    """Return the problems of a stage: its answer, the texts and tables of its parts, the texts of its figures."""
    for sentence in stage["answer"]:
        yield from wrong_in_markup(sentence)
    for part in (
        inner_part
        for outer_part in stage["parts"]
        for inner_part in (outer_part["parts"] if outer_part["kind"] in ("side-by-side", "fold") else [outer_part])
    ):
        for name in ("html", "title", "subtitle"):
            yield from wrong_in_markup(part.get(name, ""))
        yield from wrong_in_words(part.get("alt", ""))
        yield from _wrong_in_figure(part.get("figure", {}), "")
        for trace in part.get("figure", {}).get("data", ()):
            yield from (
                f"{axis} of {trace.get('name')} reaches to infinity" for axis in "xyz" if _endless(trace.get(axis))
            )


def wrong_in_markup(markup: str) -> Iterator[str]:
    """Return the problems of HTML."""
    yield from wrong_in_marks(markup)
    yield from wrong_in_words(_marks(markup).words)


def wrong_in_markdown(markdown: str) -> Iterator[str]:
    """Return the problems of Markdown that Streamlit renders, which links bare addresses too."""
    yield from wrong_in_markup(MARKDOWN.render(markdown))
    yield from (f"a link to {address} in {markdown[:200]!r}" for address in autolinks(markdown) if _is_strange(address))


def wrong_in_marks(markup: str) -> Iterator[str]:
    """Return the problems of the tags and the text of HTML."""
    for tag, attributes in _marks(markup).tags:
        if tag in _LOADING or _is_strange(tag) or any(_is_strange_at(*attribute) for attribute in attributes):
            yield f"a mark <{tag} {attributes}> in {markup[:200]!r}"
    if match := _PATHS.search(markup):
        yield f"a path, {match[0]!r}, in {markup[max(0, match.start() - 100) :][:200]!r}"


def wrong_in_document(document: str, address: str) -> Iterator[str]:
    """Return the problems of the HTML file of a report from this address, apart from its own head and scripts."""
    head, _, rest = document.partition("<body>")
    body, *scripts = rest.split("<script>")
    for figure in _FIGURES.findall(body):
        yield from _wrong_in_figure(json.loads(figure), "")
    tags = [tag for tag, _ in _Marks(re.sub("<style>.*?</style>", "", head, flags=re.DOTALL)).tags]
    if tags != _HEAD or len(scripts) != 2:
        yield f"the tags {tags} of the head and {len(scripts)} scripts"
    html = _FIGURES.sub("", body).replace(f'href="{address}/', 'href="/')
    yield from wrong_in_marks(html)
    yield from wrong_in_words(_Marks(_REPEATED.sub("", html)).words)


def wrong_in_words(words: str) -> Iterator[str]:
    """Return the problems of a sentence."""
    refuses = "can’t be read: " in words  # and repeats what was given
    for what, pattern in (("a path", _PATHS), ("no number", _NO_NUMBER)):
        if (match := pattern.search(words)) and not (refuses and what == "no number"):
            yield f"{what}, {match[0]!r}, in {words[max(0, match.start() - 100) :][:200]!r}"


def _is_strange(part: str) -> bool:
    return "evil" in part


def _is_strange_at(name: str, value: str | None) -> bool:
    """Return whether an attribute is one that the product never writes; labels are only read out."""
    if name == "aria-label":
        return False
    if name.startswith("on") or name in ("src", "style", "srcset"):
        return True
    return (_is_strange(value or "") and not (value or "").startswith(_OURS)) or "script:" in (value or "")


def texts_in(value: Any, key: str = "") -> Iterator[str]:
    """Return all texts of a figure, but for the groups of its legend, which are compared and never drawn."""
    if isinstance(value, str) and key != "legendgroup":
        yield value
    elif isinstance(value, Mapping):
        yield from (text for name, part in value.items() for text in texts_in(part, name))
    elif isinstance(value, list | tuple):
        yield from (text for part in value for text in texts_in(part, key))


def _wrong_in_figure(value: Any, key: str) -> Iterator[str]:
    """Return the foreign markup in the texts of a figure, which Plotly renders, and in its templates."""
    if isinstance(value, str) and key != "legendgroup":  # which is compared and never drawn
        if key.endswith("template") and _is_strange(value):
            yield f"a stranger’s template {value!r}"
        yield from (f"{key}: {problem}" for problem in wrong_in_markup(value))
        if _NO_ENTITY.search(value):
            yield f"{key}: {value!r} has an entity that Plotly shows letter by letter"
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _wrong_in_figure(part, name)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _wrong_in_figure(part, key)


def _endless(axis: Any) -> bool:
    if isinstance(axis, np.ndarray) and axis.dtype.kind == "f":
        return bool(np.isinf(axis).any())
    return isinstance(axis, np.ndarray | list) and any(
        isinstance(entry, float | np.floating) and math.isinf(entry)
        for entry in np.ravel(np.asarray(axis, dtype=object))
    )


def wrong_in_csv(text: str) -> Iterator[str]:
    """Return the problems of a CSV: injected lines, rows of another length, entries that a spreadsheet executes."""
    lines = text.split("\n")
    n_header = next(place for place, line in enumerate(lines) if not line.startswith("# "))
    rows = list(csv.reader(lines[n_header:-1], strict=True))
    if len({len(row) for row in rows}) != 1:
        yield f"rows of different lengths: {rows[:3]}"
    run = {entry for row in rows for entry in row if entry.startswith(_RUN) and not is_plain(entry)}
    yield from (f"a spreadsheet runs {entry!r}" for entry in run)
    for line in lines[:n_header]:
        if line.startswith("# link:") and not line.startswith("# link: /"):
            yield f"a line of the header that is not the page’s: {line!r}"


def unsaid(
    link: Mapping[str, list[str]],
    every: tuple[Parameter, ...],
    readings: Mapping[str, Reading],
    sentences: list[str],
) -> Iterator[str]:
    """Return the values of a link that were replaced without a sentence."""
    known = {parameter.key: parameter for parameter in every}
    retired = {key for parameter in every if isinstance(parameter, Pin) for key in parameter.retired_keys}
    for key, entries in link.items():
        if key not in known:
            if key not in retired and not any(
                f"no parameter {excerpt(key)}" in sentence for sentence in sentences if excerpt(key)
            ):
                yield from [f"{key!r} is no parameter"] * bool(excerpt(key))
            continue
        if len(entries) > 1 and not any(
            f"{known[key].symbol} {len(entries)} times" in known_sentence for known_sentence in sentences
        ):
            yield f"{key} stands {len(entries)} times"
        known_parameter, entry, used = known[key], entries[-1].strip(), readings[key].used
        names = (
            *(f"{known_parameter.symbol}{word}" for word in (" must", ": ", ", the ", " of ", " has ", " = ")),
            f"{key.removesuffix('s').capitalize()} ",
            f"{key}; only the first",
            f" and {used} are used instead",
            *(["This page has no section "] if key == "section" else []),
            *(["The glossary has no entry "] if key == "term" else []),
            *(getattr(known_parameter, what) for what in ("entry_name", "plural") if hasattr(known_parameter, what)),
        )
        follows = entry.startswith(("±", "≈")) or (
            key == "section" and readings[key].entry != used
        )  # the rest of the setting
        follows = follows or entry in getattr(known_parameter, "former", {})  # a section that became a picture
        if (
            used != entry
            and not follows
            and not any(name in other_sentence for name in names for other_sentence in sentences)
        ):
            yield f"{key} is {used!r} instead of {entry!r}"
        yield from _lost(known_parameter, entry, readings[key], len(sentences))


def _lost(parameter: Parameter, entry: str, reading: Reading, n_sentences: int) -> Iterator[str]:
    """Return the entries of a list, or their names, that are missing although no sentence is shown."""
    if not hasattr(parameter, "entry_name") or n_sentences:
        return
    parts = [part for part in entry.split(";") if part.strip()]
    if len(parts) != len(reading.value):
        yield f"{parameter.key} has {len(reading.value)} of {len(parts)} entries"
    for part, item in zip(parts, reading.value, strict=False):
        name = unquote(part.partition("=")[2])
        if "".join(name.split()) != "".join(item.name.split()):
            yield f"{parameter.key} has the name {item.name!r} instead of {name!r}"
