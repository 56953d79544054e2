"""Write every sentence of the pages to one file, for reading as a whole.

Run `python -m tests.benchmarks.text_collection [FILE] [--topic TOPIC ...] [--section KEY ...]`. Without a file it
prints.

Each section is computed at about a dozen settings: those at which its pictures are checked, those whose programs are
run, and random ones. Of each it collects the answer, the texts below the picture, the titles, axes, legends and text
alternatives of charts, the heads and cells of tables, the names, help and options of fields, the explanation, the
sentences of "Verify" and the notes of the programs. Texts that differ only in their numbers are listed once.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np

from pages.framework.export.exhibit import Exhibit, Figure
from pages.framework.layout.page import Page, load_page
from pages.framework.layout.section import Articles, Card, Cards, Field, Fields, Fold, Part, Row, Section
from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.parameter import Parameter
from pages.shared.looks import COLOURS
from pages.shared.site_map import PAGES
from tests import programs
from tests.pages import figure_checks, settings

N_SETTINGS, N_RANDOM = 16, 6
Link = dict[str, str]
Text = tuple[str, str]
"""The kind of a text, and the text."""
_NUMBER = re.compile(r"[0-9][0-9,.]*(?:e[-−]?[0-9]+)?")
_TAG = re.compile(r"<[^>]*>")
_CELL = re.compile(r"<(?:th|td|caption)[^>]*>(.*?)</(?:th|td|caption)>", re.DOTALL)


def collection(topics: Iterable[str] = (), sections: Iterable[str] = ()) -> Iterator[str]:
    """Yield the lines of the collection, of some topics and sections or of all."""
    topics, sections = set(topics), set(sections)
    for entry in PAGES:
        topic = entry.topic or "start"
        if topics and topic not in topics:
            continue
        page = load_page(entry)
        yield f"# {entry.name}: {entry.question}"
        for section in page.sections:
            for key in (section.key, *section.former):
                if not sections or key in sections:
                    yield from _section_lines(topic, page, section, key)


def _section_lines(topic: str, page: Page[Any], section: Section[Any], key: str) -> Iterator[str]:
    yield f"\n## {page.entry.name} › {section.name}, {key}"
    collected: set[Text] = set()
    for link in links_of(topic, page, key):
        result, problems = programs.found_by(page, {key: [entry] for key, entry in link.items()})
        open_section = page.open_section(result)
        if open_section.key != section.key:
            continue  # the page opens another section at such a setting
        lines = [
            f"{kind}: {text}"
            for kind, text in (*(("problem", problem) for problem in problems), *texts(open_section, result))
            if (kind, _NUMBER.sub("0", text)) not in collected and not collected.add((kind, _NUMBER.sub("0", text)))
        ]
        if lines:
            yield f"\n### ?{urlencode(link)}"
            yield from lines


def links_of(topic: str, page: Page[Any], section: str, n_random: int = N_RANDOM) -> list[Link]:
    """Return about a dozen settings of a section, its defaults first and random ones last."""
    is_several = len(page.keys_of_links) > 1
    links: list[Link] = [{}]
    for setting in programs.SETTINGS:
        parts = urlsplit(setting)
        if parts.path.strip("/") == page.entry.path:
            links.append(dict(parse_qsl(parts.query)))
    if topic in figure_checks.TOPICS:
        links += [dict(link) for group in figure_checks.tables_of(topic).SETTINGS.values() for link in group]
    default = page.sections[0].key
    own = [link for link in links if link.get("section", default) == section] if is_several else links
    others = [link for link in links if link not in own]
    rng = np.random.default_rng(30)
    random_links = [settings.setting(topic, rng) for _ in range(n_random)] if topic != "report" else []
    picked = [*own, *others][: N_SETTINGS - N_RANDOM] + random_links
    whole = [link | ({"section": section} if is_several else {}) for link in picked]
    return [dict(pairs) for pairs in dict.fromkeys(tuple(link.items()) for link in whole)]


def texts(section: Section[Any], result: Any) -> Iterator[Text]:
    """Yield the texts of a section at one setting, in the order in which they stand on the page."""
    yield from (("answer", sentence) for sentence in section.answer_text(result))
    yield from _field_texts(section.all_controls(result))
    for part in section.parts(result, COLOURS["light"]):
        yield from _part_texts(part)
    yield "explanation", section.explanation(result)
    for claim in section.claims(result):
        yield "claim", f"{claim.subject}. {claim.reason}"
    yield from (("program", f"{snippet.library}: {snippet.note}") for snippet in section.snippets(result))


def _part_texts(part: Part) -> Iterator[Text]:
    if isinstance(part, str):
        yield "text", part
    elif isinstance(part, Fields):
        yield from _field_texts(part.fields)
    elif isinstance(part, Row | Fold):
        for inner in part.parts:
            yield from _part_texts(inner)
    elif isinstance(part, Cards):
        for card in part.cards:
            yield from (("card", f"{card.question} {card.answer}"),) if isinstance(card, Card) else _part_texts(card)
    elif isinstance(part, Articles):
        yield from (("article", f"{item.name}: {item.text} {item.more}") for item in part.articles)
    elif isinstance(part, Exhibit):
        yield "alternative", part.alternative
        picture = part.picture
        yield from _table_texts(picture) if isinstance(picture, str) else _figure_texts(picture)


def _table_texts(html: str) -> Iterator[Text]:
    for cell in dict.fromkeys(_CELL.findall(html)):
        words = " ".join(unescape(_TAG.sub(" ", cell)).split())
        if re.search(r"[a-zA-Z]{3}", words):
            yield "cell", words


def _figure_texts(figure: Figure) -> Iterator[Text]:
    layout = figure["layout"]
    yield "title", _TAG.sub(" ", layout["title"]["text"])
    yield "subtitle", _TAG.sub(" ", layout["title"]["subtitle"]["text"])
    for name, axis in layout.items():
        if re.match("[xy]axis", name) and (title := axis.get("title", {}).get("text")):
            yield "axis", title
    for note in layout.get("annotations", []):
        yield "note", str(note.get("text", ""))
    for trace in figure["data"]:
        yield "legend", str(trace.get("name", ""))
        yield "hover", str(trace.get("hovertemplate") or "")


def _field_texts(fields: Iterable[Field | Parameter]) -> Iterator[Text]:
    for item in fields:
        field = item if isinstance(item, Field) else Field(item)
        parameter = field.parameter
        label, help_text = field.label or parameter.symbol, field.help
        if isinstance(parameter, Quantity):
            label, help_text = field.label or parameter.label, field.help or parameter.help
            label += f" [{parameter.caption or parameter.symbol}; {parameter.ends}]"
        options = " | ".join(parameter.options.values()) if isinstance(parameter, Choice) else ""
        yield "field", " · ".join(filter(None, (label, options, help_text)))


def main() -> None:
    """Write the collection to a file, or print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--topic", nargs="*", default=())
    parser.add_argument("--section", nargs="*", default=())
    options = parser.parse_args()
    text = "\n".join(collection(options.topic, options.section)) + "\n"
    if options.file is None:
        print(text, end="")
    else:
        options.file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
