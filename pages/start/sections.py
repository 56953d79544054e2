"""The sections of the start page: questions, and demonstrations."""

from collections.abc import Iterator

from pages.framework.classroom import demonstrations
from pages.framework.export.exhibit import Colours
from pages.framework.layout.page import load_page
from pages.framework.layout.page_entry import MenuGroup
from pages.framework.layout.section import Cards, Part, Row, Section
from pages.framework.site import Demonstration, site
from pages.shared import site_map
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE, SharedSetting
from pages.shared.site_map import ACCURACY
from pages.start import cards, presets
from pages.start.results import StartResult

READING = (
    "Each demonstration has six steps. Each step opens a page at a setting, with a short explanation and a question "
    "about the next step; it takes about two minutes without discussion. **← and →**, or the page keys of a "
    "presenter’s remote control, change the step. **1, 2, 3** or a tap answers the question, and **Escape** leaves. "
    "You can change any parameter in between; **Back to the step** returns. The QR code opens the step on the phones "
    "of the class."
)


def links_text() -> str:
    """Return links to the first step of each demonstration, in Markdown."""
    items = [f"- {_first_step_link(demonstration, demonstration.title)}" for demonstration in site().demonstrations]
    return "\n".join(("## For a class", "", "Two minutes each, with a question before each step:", "", *items))


def demonstration_text(demonstration: Demonstration) -> str:
    """Return all steps of a demonstration, each after its question, in Markdown."""
    names = [f"{demonstration.key}-{number}" for number, _ in enumerate(demonstration.steps, 1)]
    descriptions = [demonstrations.step_description(name) for name in names]
    questions = ["", *(f"*{description['quiz']['question']}* " for description in descriptions[:-1])]
    steps = [
        f"{record['place']}. [{step.page.name}]({demonstrations.address(record['key'])}): {question}{record['text']}"
        for step, record, question in zip(demonstration.steps, descriptions, questions, strict=True)
    ]
    start = f"{_first_step_link(demonstration, 'Present it')}, or open a step here:"
    return "\n\n".join((f"## {demonstration.title}", demonstration.about, start, "\n".join(steps)))


def _first_step_link(demonstration: Demonstration, words: str) -> str:
    return f"[{words}]({demonstrations.address(f'{demonstration.key}-1')}&present=on)"


def answer_text(result: StartResult) -> tuple[str, ...]:
    """Return the error of one number at the shared parameters, and what to do with them."""
    return (
        result.one_number.answer_sentence,
        "The pictures below follow ε, δ and the sensitivity, and each of them opens its page at your setting.",
    )


def _question_parts(result: StartResult, colours: Colours) -> Iterator[Part]:
    texts = links_text(), presets.settings_text()
    yield Cards([*(card(result.setting, colours) for card in cards.CARDS), *texts])
    yield Row(tuple(_menu_text(group, result.setting) for group in site_map.GROUPS if group.name))


def _menu_text(group: MenuGroup, setting: SharedSetting) -> str:
    """Return a group of the navigation with its questions, in Markdown, each entry a link at this setting."""
    lines = []
    for entry in group.entries:
        first = entry.tabs[0]
        section = {"section": first.keys[0]} if first.keys else {}
        link = Link(first.page, entry.name, shared_entries(setting) | section)
        lines.append(f"- {link.markdown}: {entry.question}")
    return "\n".join((f"## {group.name}", "", *lines))


def _classroom_text(_: StartResult) -> tuple[str, ...]:
    demonstrations = site().demonstrations
    n_steps = sum(len(demonstration.steps) for demonstration in demonstrations)
    return (f"{len(demonstrations)} demonstrations for a class, {n_steps} steps with a question before each step.",)


def _classroom_parts(_: StartResult, __: Colours) -> Iterator[Part]:
    yield READING
    yield from map(demonstration_text, site().demonstrations)


QUESTIONS = Section[StartResult](
    key="pages",
    name="Questions",
    controls=lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE),
    parts=_question_parts,
    answer_text=answer_text,
    claims=lambda result: load_page(ACCURACY).claims_of(result.one_number.result),
    snippets=lambda result: load_page(ACCURACY).snippets_of(result.one_number.result),
    retired={
        "presets": "The published guarantees are in “What ε means”, section “Published”; this page opens at "
        "“Questions” instead."
    },
)
CLASSROOM = Section[StartResult](
    key="class", name="Classroom", controls=lambda _: (), parts=_classroom_parts, answer_text=_classroom_text
)
