"""The sections of the start page: questions, and demonstrations."""

from collections.abc import Iterator

from pages.framework.classroom import demonstrations
from pages.framework.export.exhibit import Colours
from pages.framework.layout.page import load_page
from pages.framework.layout.section import Cards, Part, Section
from pages.framework.site import Demonstration, site
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import EPSILON, SharedSetting
from pages.shared.site_map import (
    ACCURACY,
    DENOISING,
    GAUSSIAN_BOUNDS,
    GENERALIZED_GAUSSIAN,
    LAPLACE_GAUSSIAN,
    PAPERS,
    START,
    TRADEOFF,
)
from pages.start import cards, front, presets
from pages.start.results import StartResult

WHAT_IT_IS = "Differential privacy adds noise to what you publish, so that nobody learns much about any one person."
AIM = "For analysts, teachers and authors: how much noise, and what it costs."
THEORY_PAGES = (GAUSSIAN_BOUNDS, GENERALIZED_GAUSSIAN, LAPLACE_GAUSSIAN, TRADEOFF, DENOISING, PAPERS)
READING = (
    "Each demonstration has six steps. Each step opens a page at a setting, with a short explanation and a question "
    "about the next step; it takes about two minutes without discussion. **← and →**, or the page keys of a "
    "presenter’s remote control, change the step. **1, 2, 3** or a tap answers the question, and **Escape** leaves. "
    "You can change any parameter in between; **Back to the step** returns. The QR code opens the step on the phones "
    "of the class."
)


def teaching_text(setting: SharedSetting) -> str:
    """Return where those who teach, write or look for a word go on, in Markdown."""
    entries = shared_entries(setting)
    pages = ", ".join(Link(page, page.name, entries).markdown for page in THEORY_PAGES)
    demonstrations = Link(START, "Demonstrations for a class", entries | {"section": "class"}).markdown
    words = Link(START, "Glossary", entries | {"section": "glossary"}).markdown
    return "\n".join(
        ("## Understand and teach", "", f"- {demonstrations}", f"- {words}", f"- Noise in theory: {pages}")
    )


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
    """Return what this is, and what ε means for a published count."""
    return WHAT_IT_IS, result.one_number.answer_sentence


def _question_parts(result: StartResult, colours: Colours) -> Iterator[Part]:
    yield front.first_look(result, colours)
    yield "## What do you publish?"
    yield Cards([card(result.setting, colours) for card in cards.PUBLISHED])
    yield "## Is it private enough?"
    yield Cards([*(card(result.setting, colours) for card in cards.PRIVATE_ENOUGH), teaching_text(result.setting)])


def _classroom_text(_: StartResult) -> tuple[str, ...]:
    demonstrations = site().demonstrations
    n_steps = sum(len(demonstration.steps) for demonstration in demonstrations)
    return (f"{len(demonstrations)} demonstrations for a class, {n_steps} steps with a question before each step.",)


def _classroom_parts(_: StartResult, __: Colours) -> Iterator[Part]:
    yield READING
    yield from map(demonstration_text, site().demonstrations)
    yield presets.settings_text()


QUESTIONS = Section[StartResult](
    key="pages",
    name="Questions",
    controls=lambda _: (EPSILON,),
    parts=_question_parts,
    answer_text=answer_text,
    aim=AIM,
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
