"""The content of the items of a report, rebuilt from their texts and from data of the session."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any
from urllib.parse import parse_qsl

from pages.framework import link
from pages.framework.export.exhibit import ANSWER, CONFIDENTIAL_FIGURES, Exhibit, Item, ItemData
from pages.framework.export.exhibit_files import csv_text
from pages.framework.export.plot_rows import plain
from pages.framework.layout.offers import Statements, is_statement, sentences_of_item
from pages.framework.layout.page import Page, PageView, load_page
from pages.framework.layout.panels import proofs_html
from pages.framework.layout.section import STEPS, Claim, Field, Fields, Fold, Part, Row, exhibits_in
from pages.framework.link import APPEARANCE_KEYS, PICTURE, PRESENT
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Choice, Complement, Pin, Quantity
from pages.framework.parameters.list_parameter import Listing
from pages.framework.parameters.parameter import Parameter, Reading
from pages.framework.rendering import stage
from pages.framework.site import PageEntry, Tabs, site

DATA_LOST = (
    "This item was made from own data that this tab does not have: in another tab, before the server was started anew, "
    "or from more than a tab keeps. Its page may still have them: open it, add the item again, and remove this one."
)
_PAGE_LINK = re.compile(r"\[[^]]*\]\(#[^)]*\)")  # a link within the page: its paragraph is for those who use that
_HIDDEN_KEYS = ("section", PICTURE.key, PRESENT.key)


@dataclass(frozen=True, eq=False)
class RebuiltItem:
    """An item with everything that a report shows of it.

    `link` has every parameter, and is empty if the item is made from data of a session; `heading` is the title,
    `source` names page and section, `answer` has the sentences of that page, and `words` are the texts beside the
    exhibit and its explanation, all in Markdown; `parameters` are names, with units, and texts; `problems` are the
    sentences on what of the item cannot be used, `claims` are the guarantees of the page, and `conditions` is the
    sentence on those of the answer. `confidential` is the sentence that the item shows figures of the user's own data
    without noise, empty if it does not, and `statements` are what its page says of its answer in three lengths. `steps`
    say in Markdown what to do by the answer or exhibit, unless a condition of it is open or denied.
    """

    item: Item
    link: str
    heading: str
    source: str
    answer: tuple[str, ...]
    exhibit: Exhibit | None
    parameters: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    problems: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    conditions: str = ""
    confidential: str = ""
    statements: Statements | None = None
    steps: str = ""

    @cached_property
    def proofs(self) -> str:
        """Return the proofs of the item's guarantees as HTML; an empty text without guarantees."""
        return proofs_html(self.claims) if self.claims else ""

    @property
    def answer_below_heading(self) -> tuple[str, ...]:
        """Return the sentences of the answer without the one that is the heading."""
        return self.answer[1:] if is_text(self.item.name) else self.answer

    @property
    def size(self) -> int:
        """Return the approximate bytes of its picture and its numbers."""
        if self.exhibit is None:
            return 0
        return len(stage.pack({"picture": self.exhibit.picture})) + len(csv_text(self.exhibit))


def is_lost(rebuilt: RebuiltItem) -> bool:
    """Return whether the data from which an item was made are not there."""
    return DATA_LOST in rebuilt.problems


def readings_of(
    page: PageEntry, entries: dict[str, list[str]], uploads: tuple[Any, ...] = ()
) -> tuple[Page[Any], dict[str, Reading], list[str]]:
    """Return the record of a page, the readings of its parameters in a link, and the sentences on unusable parts."""
    topic = load_page(page).with_uploads(uploads)
    parameters = topic.all_parameters
    entered, problems = link.parse_link(link.with_demo_defaults(entries, page.path, parameters), parameters)
    readings = topic.readings(entered)
    problems += dict.fromkeys(reading.problem for reading in readings.values() if reading.problem)
    return topic, readings, problems


@lru_cache(96)
def rebuild(item: Item) -> RebuiltItem:
    """Return the content of an item, with its numbers, which a page computes only on demand."""
    if item.session_token:
        return RebuiltItem(item, "", item.page.name, item.page.name, (), None, (), (), (DATA_LOST,))
    return rebuild_from(item, ItemData())


def rebuild_from(item: Item, data: ItemData) -> RebuiltItem:
    """Return the content of an item that is made from data of a session, without caching it."""
    entries = {key: [entry] for key, entry in (*item.entries, *data.entries)}
    entries = link.with_older_defaults(entries, load_page(item.page).own_parameters)
    topic, readings, problems = readings_of(item.page, entries, data.uploads.files)
    result = topic.compute(link.values(readings), *data.uploads.files)
    section = topic.open_section(result)
    parts = tuple(section.parts(result, site().colours["light"]))
    conditions = topic.conditions_of(result)
    is_asking = conditions is not None and bool(conditions.questions)
    others = (make(result, site().colours["light"]) for make in (() if is_asking else topic.all_exhibits()))
    exhibit = None if is_text(item.name) else _exhibit_named(item.name, chain(exhibits_in(parts), others))
    sentences = _sentences(item.name, topic, result)
    if not sentences and is_statement(item.name):
        problems.append("Its page states nothing at this setting.")
    if not is_text(item.name) and exhibit is None:
        problems.append(f"Its page has nothing named {item.name} at this setting.")
    used = {key: reading.used for key, reading in readings.items()}
    has_data = bool(item.session_token or link.texts_with_data(topic.own_parameters, used))
    is_unprotected = has_data and item.name == ANSWER and not is_asking
    single_parts = [part.parts if isinstance(part, Row | Fold) else (part,) for part in parts]
    shown = zip(parts, single_parts, strict=True)
    near = [own for part, own in shown if not isinstance(part, Fold) or _has_exhibit(own, item.name)]
    part_fields = (field for inner in chain(*near) if isinstance(inner, Fields) for field in inner.fields)
    fields = (*section.all_controls(result), *part_fields)
    idle = {parameter.key for parameter in section.idle(result)}
    used_parameters = [parameter for parameter in topic.all_parameters if parameter.key not in idle]
    question = site().menu_entry(topic.entry, section.key)
    has_several = len(topic.sections) > 1 and question.tabs != (Tabs(topic.entry, (section.key,)),)
    texts = [part for part in chain(*single_parts) if isinstance(part, str)]
    is_answered = item.name == ANSWER or exhibit is not None
    is_answered &= conditions is None or not (is_asking or conditions.refusal)
    steps = [part for part in texts if part.startswith(STEPS)] if is_answered else []
    texts = filter(None, (_without_page_links(part) for part in texts if part not in steps))
    return RebuiltItem(
        item=item,
        link="" if item.session_token else link.address(item.page.path, readings),
        heading=_item_heading(exhibit, sentences, section.name),
        source=f"{question.name}: {section.name}" if has_several else question.name,
        answer=sentences,
        exhibit=exhibit,
        parameters=tuple(_parameter_lines(used_parameters, fields, readings, item)),
        words=(*(() if is_text(item.name) else texts), topic.explanation_text(result)),
        problems=tuple(problems),
        claims=topic.claims_of(result),
        conditions="" if is_statement(item.name) else topic.conditions_text(result),
        confidential=exhibit.confidential if exhibit else CONFIDENTIAL_FIGURES if is_unprotected else "",
        statements=topic.statements_of(result),
        steps="\n\n".join(steps),
    )


def _has_exhibit(parts: Sequence[Part], name: str) -> bool:
    """Return whether the exhibit of a name is among the parts of a fold: its fields say nothing of any other."""
    return any(exhibit.name == name for exhibit in exhibits_in(parts))


def _without_page_links(text: str) -> str:
    r"""Return the paragraphs of a text that lead nowhere on the page.

    >>> _without_page_links("Each counts once.\n\nYours is missing. [Upload it](#box), or choose another.")
    'Each counts once.'
    """
    return "\n\n".join(paragraph for paragraph in text.split("\n\n") if not _PAGE_LINK.search(paragraph))


def is_text(name: str) -> bool:
    """Return whether a report item of this name is an answer or a statement, and not an exhibit."""
    return name == ANSWER or is_statement(name)


def _sentences(name: str, topic: Page[Any], result: Any) -> tuple[str, ...]:
    """Return the sentences of an item, in Markdown: those of the statement of this name, else those of the answer."""
    if is_statement(name):
        return sentences_of_item(name, topic.statements_of(result))
    return topic.answer_text(result)


def _exhibit_named(name: str, exhibits: Iterable[Exhibit | None]) -> Exhibit | None:
    """Return the first exhibit of a name, with its numbers."""
    exhibit = next((exhibit for exhibit in exhibits if exhibit is not None and exhibit.name == name), None)
    return exhibit and replace(exhibit, numbers=exhibit.table, picks=("", ""))


def _item_heading(exhibit: Exhibit | None, sentences: tuple[str, ...], section_name: str) -> str:
    """Return the heading of an item: the title of its chart, the name of its table, or the first line of its answer."""
    if exhibit is None:
        return number_format.without_markdown(sentences[0]).rstrip(".:") if sentences else section_name
    if isinstance(exhibit.picture, str):
        return section_name if "table" in section_name.lower() else f"{section_name}, table"
    return plain(exhibit.picture["layout"]["title"]["text"])


def _parameter_lines(
    parameters: Sequence[Parameter], fields: Sequence[Field | Parameter], readings: dict[str, Reading], item: Item
) -> Iterator[tuple[str, str]]:
    """Yield the names, with units, and texts of the parameters of the open section and of those that were changed."""
    labelled_fields = [item if isinstance(item, Field) else Field(item) for item in fields]
    visible_keys = {field.parameter.key for field in labelled_fields}
    changed = [
        Field(parameter)
        for parameter in parameters
        if readings[parameter.key].used != parameter.default and parameter.key not in visible_keys
    ]
    for key, field in {field.parameter.key: field for field in (*labelled_fields, *changed)}.items():
        if key not in _HIDDEN_KEYS:
            is_linked = any(entry_key == key for entry_key, _ in item.entries)
            parameter = field.parameter
            used = readings[key].used
            text = _pinned_text(parameter, used, readings) if isinstance(parameter, Pin) else ""
            yield _field_label(field), text or field.instead or _value_text(parameter, used, is_linked)


def _field_label(field: Field) -> str:
    parameter = field.parameter
    if isinstance(parameter, Listing):
        return field.label or parameter.symbol.capitalize()
    return (parameter.label if isinstance(parameter, Quantity) else field.label) or parameter.symbol


def _pinned_text(pin: Pin, entry: str, readings: Mapping[str, Reading]) -> str:
    """Return in words what a pinned setting has otherwise than the item; empty for an older form of it."""
    if "=" not in entry:
        return ""
    texts = dict(parse_qsl(entry, keep_blank_values=True))
    pairs = [(parameter, texts.get(parameter.key, parameter.default)) for parameter in pin.pinned_parameters]
    different = [(parameter, text) for parameter, text in pairs if text != readings[parameter.key].used]
    words = [f"{_field_label(Field(parameter))} {_value_text(parameter, text, False)}" for parameter, text in different]
    return ", ".join(words) or "the same"


def _value_text(parameter: Parameter, used: str, is_linked: bool) -> str:
    """Return the value of a parameter in words; the user's own data are named, not listed."""
    if isinstance(parameter, Complement):
        return parameter.complement_text(used)
    if data := parameter.data_in(used):
        return f"{data} (in the link)" if is_linked else data
    if isinstance(parameter, Listing):
        return parameter.in_words(used)
    return parameter.options[used] if isinstance(parameter, Choice) else used


def report_item(page: PageEntry, name: str, parameters: Sequence[Parameter], used: Mapping[str, str]) -> Item:
    """Return the item for an exhibit of a page, or for its answer, at the texts of its parameters."""
    texts = link.without_defaults(parameters, used)
    return Item(page, name, tuple((key, entry) for key, entry in texts.items() if key not in APPEARANCE_KEYS))


def item_to_add(view: PageView, name: str, _address: str = "") -> bytes:
    """Return as JSON the text of an item of this name, and whether it alone rebuilds what the page shows."""
    page, visible = view.page, None if is_text(name) else view.exhibit(name, "light")
    used = {key: reading.used for key, reading in view.readings.items()}
    item = report_item(page.entry, name, page.all_parameters, used)
    rebuilt = rebuild(item)
    is_same_answer = rebuilt.answer == _sentences(name, page, view.result)
    is_rebuilt = not rebuilt.problems and is_same_answer and _is_same_exhibit(rebuilt.exhibit, visible)
    return json.dumps({"item": item.text(), "is_rebuilt": is_rebuilt}).encode()


def _is_same_exhibit(rebuilt: Exhibit | None, visible: Exhibit | None) -> bool:
    if rebuilt is None or visible is None:
        return rebuilt is visible
    packed = [stage.pack({"picture": exhibit.picture}) for exhibit in (rebuilt, visible)]
    return packed[0] == packed[1] and csv_text(rebuilt, "", "-") == csv_text(visible, "", "-")
