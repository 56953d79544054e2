"""The page on what ε means for one person: its pictures, its sentences, and its one section."""

from collections.abc import Iterator, Sequence

from pages.framework.chart.theme import TYPE, hairline, layout, line, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.page import Page
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Field, Fold, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    percent,
    percent_down,
    percent_up,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.meaning.results import IN_DATA, PARAMETERS, STATED_FOR, MeaningResult, compute_result
from pages.meaning.statements import statements
from pages.meaning.text import (
    EXPLANATION,
    QUESTION,
    WHAT_COUNTS,
    answer_text,
    attack_text,
    average_text,
    beliefs_alternative_text,
    chances_alternative_text,
    fact_words,
    head_words,
    known_text,
    people_alternative_text,
    people_words,
    relation_text,
    setting_words,
    share_words,
    suspicion_words,
    without_words,
)
from pages.shared.other_libraries import DPCORE, PEERS
from pages.shared.page_links import groups_link
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, GUARANTEE, PRIOR, more_text
from pages.shared.site_map import MEANING
from pages.shared.status_lines import N_PEOPLE, SIDE, people_square

_QUESTION_HELP = (
    "No: what ε limits is the probability that you are in the data. Yes, as with the patients of a known doctor: it is "
    "the probability of a fact about you, such as a diagnosis. A letter to those who are in the data needs Yes."
)
_DELTA_HELP = (
    "A small probability that the limit by ε does not hold: outcomes that would prove something about one person have "
    "together a probability of at most δ. One in a million is 1e-6." + more_text("delta", "excess probability δ")
)
_STEP = 13  # from one square of people to the next


def people(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return 100 people for each row of `MeaningResult.people`: filled are those of whom it is true."""
    before = f"100 people like you, {percent(result.setting.prior)} before"
    after = "" if result.is_pure else f"; after, if {suspicion_words(result)} suspects you"
    subtitle = f"{before}{after}; {setting_words(result)}"
    right = _STEP * (len(result.people) - 1) + SIDE - 0.4
    axis = {"visible": False, "fixedrange": True}
    width, height = right + 0.6, SIDE - 0.4 + 2.5
    x = axis | {"range": [-0.6, right]}
    y = axis | {"range": [-2.5, SIDE - 0.4], "scaleanchor": "x", "constraintoward": "top"}
    figure = layout(colours, f"How many {people_words(result)}, as far as anybody can tell?", subtitle, x, y)
    shape = {"heightOfWidth": 1.3 * height / width}  # with the margins
    figure |= {"hovermode": False, "showlegend": False, "height": 360, "meta": shape}
    traces, note = [], {"y": -0.6, "yanchor": "top", "showarrow": False, "font": {"size": TYPE + 1}}
    for place, (when, people) in enumerate(zip(result.people["when"], result.people["people"], strict=True)):
        traces.append(people_square(people, when, colours, left=_STEP * place, size=9))
        words = f"<b>{people} of {N_PEOPLE}</b>{share_words(result, when, people)}<br>{head_words(result, when)}"
        figure["annotations"].append(note | {"text": words, "x": _STEP * place + (SIDE - 1) / 2})
    drawn = {"data": traces, "layout": figure}
    return Exhibit("people", drawn, people_alternative_text(result), result.people, result.csv_header)


def beliefs(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return the curves of the belief after a release over the belief before, and that of the page."""
    marks = (0, 0.25, 0.5, 0.75, 1)
    axis = {"range": [0, 1], "tickvals": list(marks), "ticktext": [percent(mark) for mark in marks]} | {
        "hoverformat": ".4~%"
    }
    x, y = (axis | {"title": {"text": f"probability {fact_words(result)}, {when}"}} for when in ("before", "after"))
    figure = layout(colours, "Every probability, before and after a release", setting_words(result), x, y)
    hairline(figure, colours, result.setting.prior, f"{percent(result.setting.prior)} before", "prior")
    numbers = result.beliefs
    after = "after any outcome" if result.is_pure else "if the attack suspects you"
    traces = [
        line(numbers["prior"], numbers["prior"], "without a release", colours["quiet"], "dot"),
        line(numbers["prior"], numbers["at_most"], f"at most, {after}", colours["analytic"], "solid"),
    ]
    if result.is_pure:
        traces.append(line(numbers["prior"], numbers["at_least"], f"at least, {after}", colours["analytic"], "dash"))
    if result.pinned is not None:
        pinned = result.pinned.beliefs
        traces.append(pinned_curve(pinned["prior"], pinned["at_most"], colours))
    drawn, alternative = {"data": traces, "layout": figure}, beliefs_alternative_text(result)
    return Exhibit("beliefs", drawn, alternative, numbers, result.csv_header, ("prior", ""))


def chances_html(result: MeaningResult) -> str:
    """Return the table of chances without and with a person's data, as HTML."""
    heads = [f"Chance with {without_words(result)}", "With your data, at least", "With your data, at most"]
    columns = zip(*(result.chances[name] for name in ("without", "at_least", "at_most")), strict=True)
    rows = [[percent(without), percent_down(low), percent_up(high)] for without, low, high in columns]
    return number_format.table_html("What happens to you, without and with your data", "cells", heads, rows)


_BAYES = "It has no posterior of a guarantee: that is Bayes’ rule, which the program of dpcore shows."


def chances(result: MeaningResult, _: Colours) -> Exhibit:
    """Return the table of what changes if a person is in the data."""
    alternative = without_markdown(chances_alternative_text(result))
    return Exhibit("chances", chances_html(result), alternative, result.chances, result.csv_header)


def controls(result: MeaningResult) -> Sequence[Field | Parameter]:
    """Return the question and the parameters of its answer: the relation and δ only where they count."""
    relation = (Field(STATED_FOR, STATED_FOR.symbol),) if result.is_known else ()
    delta = () if result.is_pure else (Field(DELTA, help=_DELTA_HELP),)
    question = Field(IN_DATA, QUESTION, _QUESTION_HELP)
    return EPSILON, *delta, Field(GUARANTEE, "Guarantee"), PRIOR, question, *relation


def more_settings(result: MeaningResult) -> Sequence[Parameter]:
    """Return the attack of a guarantee with a δ."""
    return () if result.is_pure else (ALPHA,)


def parts(result: MeaningResult, colours: Colours) -> Iterator[Part]:
    """Yield the people, what the number rests on, every prior, and folded what changes if one takes part."""
    yield people(result, colours)
    group = groups_link("the ε of a group", result.setting).markdown
    yield f"{WHAT_COUNTS} A household, or one person with several records, has {group}."
    yield f"{relation_text(result)}\n\n{average_text(result)}" if result.is_known else known_text(result)
    yield None if result.is_pure else attack_text(result)
    yield beliefs(result, colours)
    name = "What happens to you if you take part"
    yield Fold(lambda: (chances_alternative_text(result), chances(result, colours)), name)


def snippets(result: MeaningResult) -> tuple[Snippet, ...]:
    """Return the program that computes what a probability can become."""
    setting, high = result.setting, result.range_of_belief[1]
    epsilon, prior, alpha = number(result.used_epsilon), number(setting.prior), number(setting.alpha)
    lines = [f"print(tradeoff.pure_posterior({epsilon}, {prior}))"]
    if not result.is_pure:
        lines = [
            f"power = tradeoff.epsilon_delta_power({alpha}, {epsilon}, {number(result.used_delta)})",
            f"print(tradeoff.posterior({alpha}, power, {prior}))",
        ]
    code = program("from dpcore import tradeoff", "", *lines)
    ours = Snippet(DPCORE, code, "The largest probability after the release.", (high,))
    return ours, *unavailable(dict.fromkeys(PEERS, _BAYES))


PERSON = Section[MeaningResult](
    key="person",
    name="For one person",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(people, beliefs, chances),
    snippets=snippets,
    statements=statements,
)


PAGE = Page(MEANING, PARAMETERS, compute_result, sections=(PERSON,))
