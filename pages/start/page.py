"""The start page: its first picture, presets, demonstrations, glossary, and sections."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pages.framework.chart.theme import TYPE, compact, layout, markers
from pages.framework.classroom import demonstrations
from pages.framework.classroom.demonstrations import shorten_sequence
from pages.framework.classroom.sequence import OwnStep, sequence_text
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.page import Page, load_page
from pages.framework.layout.section import Articles, Cards, Field, Fields, Fold, Part, Section
from pages.framework.link import SEQUENCE, SITE_PARAMETERS
from pages.framework.parameters.number_format import escape_markdown, format_input_up, format_nearest, listed, plural
from pages.framework.rendering.uploaded_files import kept
from pages.framework.site import Demonstration, site
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import EPSILON, SHARED, SharedSetting
from pages.shared.site_map import (
    ACCURACY,
    DENOISING,
    GAUSSIAN_BOUNDS,
    GENERALIZED_GAUSSIAN,
    LAPLACE_GAUSSIAN,
    LIVE_CLASS,
    PAPERS,
    START,
    TRADEOFF,
)
from pages.shared.status_lines import N_PEOPLE, SIDE, people_square
from pages.start import cards
from pages.start.results import ENTRIES, N_RELEASES, TERM, TRUE_COUNT, StartResult, compute_result

_RANGE = (TRUE_COUNT - 20, TRUE_COUNT + 20)
_HEIGHT = 210  # px, so that the first row of tiles is in sight


def first_look(result: StartResult, colours: Colours) -> Exhibit:
    """Return the picture of a count, its releases, and of 100 people those that an attacker finds in the data."""
    across = {"showticklabels": False, "showgrid": False, "domain": [0, 0.66], "fixedrange": True}
    subtitle = f"a count of {TRUE_COUNT} people with geometric noise at ε = {format_input_up(result.setting.epsilon)}"
    x = across | {"range": [-0.7, N_RELEASES - 0.3]}
    y = {"range": list(_RANGE), "title": {"text": "people"}, "nticks": 5}
    figure = layout(colours, "A count, thirty releases of it, and how many of 100 seem to be in it", subtitle, x, y)
    hidden = {"visible": False, "fixedrange": True}
    figure |= {"hovermode": False, "showlegend": False, "height": _HEIGHT, "meta": {"mostHeight": _HEIGHT}}
    figure["xaxis2"] = hidden | {"range": [-0.6, SIDE - 0.4], "domain": [0.72, 1], "anchor": "y2"}
    figure["yaxis2"] = hidden | {"range": [-4.4, SIDE - 0.4], "anchor": "x2", "scaleanchor": "x2"}
    figure["yaxis2"] |= {"constraintoward": "top"}
    n_found = int(result.meaning.result.people["people"].iloc[-1])  # of 100, if 10 are in the data before
    places, ends = list(range(N_RELEASES)), [-0.7, N_RELEASES - 0.3]
    stems = {"type": "bar", "name": "releases", "base": TRUE_COUNT, "width": 0.2, "x": places}
    stems |= {"y": compact(result.releases - TRUE_COUNT), "marker": {"color": colours["geometric"]}}
    truth = {"type": "scatter", "mode": "lines", "name": "the truth", "x": ends, "y": [TRUE_COUNT, TRUE_COUNT]}
    traces = [
        truth | {"line": {"color": colours["text"], "width": 2}},
        stems,
        markers(places, result.releases, "releases", {"color": colours["geometric"], "size": 8}),
        people_square(n_found, "people", colours) | {"xaxis": "x2", "yaxis": "y2"},
    ]
    words = f"line: the truth<br>dots: {N_RELEASES} possible releases"
    figure["annotations"] += [
        _note(words, (N_RELEASES - 1) / 2, _RANGE[1], "y"),
        _note(f"<b>{n_found} of {N_PEOPLE}</b> at most,<br>10 before", (SIDE - 1) / 2, -0.8, "y2"),
    ]
    known = result.releases[np.isfinite(result.releases)]
    spread = "none: at ε = 0 nothing is released"
    if known.size:
        spread = "from {} to {}".format(*(format_nearest(float(end)) for end in (known.min(), known.max())))
    words = (
        f"A count of {TRUE_COUNT} people and {N_RELEASES} releases of it with noise, {spread}; of 100 people like you, "
        f"at most {n_found} are in the data as far as anybody can tell after the release."
    )
    return Exhibit("first_look", {"data": traces, "layout": figure}, words, result.frame, result.csv_header)


def _note(words: str, x: float, y: float, axis: str) -> dict[str, Any]:
    place = {"x": x, "y": y, "xref": axis.replace("y", "x"), "yref": axis, "yanchor": "top"}
    return place | {"text": words, "showarrow": False, "font": {"size": TYPE}}


_PLAIN = {"l2_sensitivity": "1", "significance": "0.05"}


def _bounds_link(name: str, epsilon: str, delta: str) -> Link:
    entries = {"epsilon": epsilon, "delta": delta, "section": "bounds"}
    return Link(GAUSSIAN_BOUNDS, name, _PLAIN | entries)


_STRICTEST = _PLAIN | {"epsilon": "0.5", "delta": "0.01", "section": "results", "show": "tables"}
PRESETS = (
    (
        _bounds_link("A first look", "1", "1e-6"),
        "ε = 1 and δ = 1e-6, for one count that is released once and that one person changes by at most 1.",
        "ours; round numbers, not from a deployment.",
    ),
    (
        _bounds_link("Where the classical formula breaks", "10", "1e-5"),
        "For one release at ε = 10 and δ = 1e-5, outside its proof (ε < 1), its noise is too small: its true δ is more "
        "than twice the target.",
        "the formula is Dwork & Roth 2014, Theorem A.1; the setting is ours.",
    ),
    (
        Link(PAPERS, "Liu’s experiments", _STRICTEST),
        "Tables of counts, each released once, at the strictest setting of the paper: ε = 0.5 and δ = 0.01, meant as "
        "probabilistic DP.",
        "Liu 2019, §4.",
    ),
    (
        _bounds_link("Almost no privacy loss", "0", "1e-3"),
        "For one release at ε = 0 and δ = 0.001 only the analytic Gaussian has an answer.",
        "the bound is Balle & Wang 2018, Theorem 2; the setting is ours.",
    ),
)
"""Settings to start from: the link of each, what it shows, and its source."""
_DEFAULTS = {parameter.key: parameter.default for parameter in SITE_PARAMETERS}
RESET = Link(START, "Reset", _DEFAULTS | {"section": "pages", TERM.key: TERM.default})


def settings_text() -> str:
    """Return the settings to start from with their sources, and the link that resets every parameter, in Markdown."""
    defaults = ", ".join(f"{parameter.symbol} = {parameter.default}" for parameter in SHARED)
    items = [f"{link.markdown}. {shows} Source: {source}" for link, shows, source in PRESETS]
    reset = f"{RESET.markdown}: this page with every default, {defaults}."
    return "\n\n".join(("## Settings to start from", *items, reset))


WHAT_IT_IS = "Differential privacy adds noise to what you publish, so that nobody learns much about any one person."
AIM = "For analysts, teachers and authors: how much noise, and what it costs."
THEORY_PAGES = (GAUSSIAN_BOUNDS, GENERALIZED_GAUSSIAN, LAPLACE_GAUSSIAN, TRADEOFF, DENOISING, PAPERS)
READING = (
    "**Ask, vote, reveal, discuss.** Each step shows a picture and says what it shows; **→**, or the page key of a "
    "presenter’s remote control, asks the question. **P** lets phones answer first, in another tab; **1, 2, 3** or a "
    "tap answers it, and the next picture reveals. **←** goes back, and **Escape** returns here. **F** shows the "
    "fields and the answer of the page, and **space** moves a picture that can be moved. You can change any parameter "
    "in between; **Back to the step** returns. The QR code (**Q**) opens the step on the phones of the class."
)
OWN_NAME = "Write your own demonstration"
OWN_HELP = (
    "Paste the links of up to 12 settings of this app, each on its own line. Below a link write what the class reads, "
    "then a question after **?** and its answers after **-**, the right one after **\\***. After **>** the name of a "
    "slider in the address and a value let the picture move from there. What stands above the first link is the title. "
    "The app shortens the links and adds its version, so that they open the same setting later. They hold the "
    "addresses of pages, such as /Accuracy, not their names, such as One number. The address of this page then holds "
    "all of it, for a bookmark or an e-mail; whoever has that address can read the answers."
)
OWN_EXAMPLE = (
    "Example:\n\n"
    "    Too little noise\n"
    "    /Gaussian_bounds?epsilon=3&delta=1e-5&section=profile\n"
    "    The classical formula beyond its proof.\n"
    "    > epsilon 0.5\n"
    "    ? Is its noise enough at ε = 10?\n"
    "    - Yes\n"
    "    * No\n"
    "    /Gaussian_bounds?epsilon=10&delta=1e-5&section=profile\n"
    "    Its curve, now red, passes above the target."
)


def teaching_text(setting: SharedSetting) -> str:
    """Return where those who teach, write or look for a word go on, in Markdown."""
    entries = shared_entries(setting)
    pages = ", ".join(Link(page, page.name, entries).markdown for page in THEORY_PAGES)
    demonstrations = Link(START, "Demonstrations for a class", entries | {"section": "class"}).markdown
    live = Link(LIVE_CLASS, LIVE_CLASS.name, entries).markdown
    words = Link(START, "Glossary", entries | {"section": "glossary"}).markdown
    return f"## Understand and teach\n\n- {demonstrations}; {live} live\n- {words}\n- Noise in theory: {pages}"


def demonstration_text(demonstration: Demonstration) -> str:
    """Return what a class sees of a demonstration, and the link that begins it, in Markdown."""
    start = f"[Present it]({demonstrations.address(f'{demonstration.key}-1')}&present=on)"
    return "\n\n".join((f"## {demonstration.title}", demonstration.about, start))


def own_text(result: StartResult) -> Iterator[str]:
    """Yield the card of an own sequence, if one is written, with the pages of its steps in Markdown."""
    if steps := result.sequence.steps:
        names = ", ".join(step.page.name for step in steps)
        start = demonstrations.own_address(1, sequence_text(result.sequence))
        counted = " ".join(filter(None, (f"{plural(len(steps), 'step')}: {names}.", _unmarked_text(steps))))
        title = escape_markdown(result.sequence.title) or "Your own demonstration"
        yield f"## {title}\n\n{counted}\n\n[Present it]({start}&present=on)"


def _unmarked_text(steps: Sequence[OwnStep]) -> str:
    """Return which questions have answers of which none is marked as right, in Markdown."""
    places = [f"{place}" for place, step in enumerate(steps, 1) if step.answers and step.right is None]
    if not places:
        return ""
    one = len(places) == 1
    which = f"The question of step {places[0]} has" if one else f"The questions of steps {listed(places)} have"
    return f"{which} no right answer: **\\*** in place of **-** marks one."


def script_text(_: StartResult) -> str:
    """Return every demonstration with its questions and answers, which a class should not see before, in Markdown."""
    return "\n\n".join(map(_script, site().demonstrations))


def _script(demonstration: Demonstration) -> str:
    names = [f"{demonstration.key}-{number}" for number, _ in enumerate(demonstration.steps, 1)]
    descriptions = [kept(demonstrations.step_description, name) for name in names]
    questions = ["", *(f"*{description['quiz']['question']}* " for description in descriptions[:-1])]
    steps = [
        f"{record['place']}. [{step.page.name}]({demonstrations.address(record['key'])}): {question}{record['text']}"
        for step, record, question in zip(demonstration.steps, descriptions, questions, strict=True)
    ]
    return "\n\n".join((f"**{demonstration.title}**", "\n".join(steps)))


def answer_text(result: StartResult) -> tuple[str, ...]:
    """Return what this is, and what ε means for a published count."""
    return WHAT_IT_IS, result.one_number.answer_sentence


def _question_parts(result: StartResult, colours: Colours) -> Iterator[Part]:
    yield first_look(result, colours)
    yield "## What do you publish?"
    yield Cards([card(result.setting, colours) for card in cards.PUBLISHED])
    yield "## Is it private enough?"
    yield Cards([*(card(result.setting, colours) for card in cards.PRIVATE_ENOUGH), teaching_text(result.setting)])


def _classroom_text(result: StartResult) -> tuple[str, ...]:
    steps = [demonstration.steps for demonstration in site().demonstrations]
    sentence = f"{len(steps)} demonstrations for a class, {sum(map(len, steps))} steps with a question before each step"
    if own := result.sequence.steps:
        return (f"{sentence}, and one of your own, of {plural(len(own), 'step')}.",)
    return (f"{sentence}.",)


def _classroom_parts(result: StartResult, _: Colours) -> Iterator[Part]:
    yield Cards([*own_text(result), *map(demonstration_text, site().demonstrations)])
    own = Fields((Field(SEQUENCE, "Links, words, questions and answers"),))
    yield Fold((OWN_HELP, own, *own_text(result), OWN_EXAMPLE), name=OWN_NAME)
    yield READING
    yield settings_text()


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
    key="class",
    name="Classroom",
    controls=lambda _: (),
    parts=_classroom_parts,
    answer_text=_classroom_text,
    explanation=script_text,
)


def _glossary_text(_: StartResult) -> tuple[str, ...]:
    return (f"{len(ENTRIES)} words and symbols of differential privacy, each explained in a few sentences.",)


def _glossary_parts(result: StartResult, _: Colours) -> Iterator[Part]:
    shared = shared_entries(result.setting)
    articles = [entry.article(key, shared) for key, entry in ENTRIES.items()]
    yield Articles(articles, TERM.key, result.term if result.term != TERM.default else "")


GLOSSARY = Section[StartResult](
    key="glossary",
    name="Glossary",
    controls=lambda _: (),
    parts=_glossary_parts,
    answer_text=_glossary_text,
)

PAGE = Page(
    START,
    parameters=(TERM,),
    compute=compute_result,
    sections=(QUESTIONS, CLASSROOM, GLOSSARY),
    correct=shorten_sequence,
)
