"""The page on what ε means for one person: its pictures, its statements, and its one section."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import dpcore
from pages.framework.chart.theme import TYPE, hairline, layout, line, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.offers import Statements
from pages.framework.layout.page import Page
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Field, Fold, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    FEW_DIGITS,
    format_input_up,
    format_up,
    percent,
    percent_down,
    percent_up,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.meaning.results import IN_DATA, PARAMETERS, STATED_FOR, MeaningResult, compute_result
from pages.meaning.text import (
    ADDED_OR_REMOVED,
    EXAMPLE,
    EXPLANATION,
    QUESTION,
    WHAT_COUNTS,
    answer_text,
    attack_text,
    attack_words,
    average_text,
    beliefs_alternative_text,
    chances_alternative_text,
    fact_words,
    head_words,
    known_text,
    known_to_be_in,
    others_words,
    people_alternative_text,
    people_words,
    relation_text,
    relation_words,
    setting_words,
    share_words,
    suspicion_words,
    without_words,
)
from pages.shared.formulas import LARGE_EPSILON, fraction_in_words
from pages.shared.other_libraries import DPCORE, PEERS
from pages.shared.page_links import groups_link
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, GUARANTEE, PRIOR, more_text
from pages.shared.site_map import MEANING
from pages.shared.statements import chance_in_words, public_size
from pages.shared.status_lines import N_PEOPLE, SIDE, people_square

_MOST_PEOPLE = 10**9  # of whom a sentence counts some
_RELATION_UNKNOWN = (
    f"Whether this guarantee is for {ADDED_OR_REMOVED} or for replacing one person’s data is not known: the number "
    "is the larger one, that for the first."
)
_ONLY = (
    "This holds only if the release keeps to that limit, and the limit counts all that anybody with the data releases "
    "about the person. What the data say about such people in general is not limited."
)
_COUNTS_TWICE = "counts twice: a changed fact takes one person’s data out and puts others in."
_METHOD = "Differential privacy limits what can be learned about any one person from a release."
_CHANGES = {
    "unknown": "One change of one person’s data changes",
    "add_remove": "Leaving out or adding one person’s data changes",
    "replace": "Other data in the place of one person’s change",
}
_TWICE = {
    "unknown": "A changed fact can count as two such changes",
    "add_remove": "A changed fact counts twice: one person’s data are left out, and others are added",
}


def _epsilon_in_words(result: MeaningResult) -> str:
    """Return what the guarantee limits, as sentences for the public: a changed fact has its own limit."""
    setting = result.setting
    if setting.epsilon > LARGE_EPSILON:
        return f"Above {LARGE_EPSILON:.0f}, epsilon limits hardly anything."
    relation = setting.stated_for if result.is_known else "add_remove"
    first = (
        f"{_CHANGES[relation]} the probability of each result by a factor of at most "
        f"{_factor_in_words(setting.epsilon, 0.0 if result.is_pure else setting.delta)}."
    )
    if not result.counts_twice:
        return first
    return f"{first} {_TWICE[relation]}, so by at most {_factor_in_words(result.used_epsilon, result.used_delta)}."


def _factor_in_words(epsilon: float, delta: float) -> str:
    return f"{public_size(math.exp(epsilon))}{f', and by {chance_in_words(delta)} on top' if delta else ''}"


def _counted_people(prior: float, high: float) -> tuple[str, str]:
    """Return a probability before and the most after in numbers of equally many people, the latter rounded up.

    >>> _counted_people(0.1, 0.2319), _counted_people(0.1, 0.9971), _counted_people(1 / 3, 0.5)
    (('10 of 100 people', '24 of 100'), ('100 of 1,000 people', '998 of 1,000'), ('33.33 % of people', '50 %'))
    """
    before, total = fraction_in_words(prior) or (0, 0)
    after = math.ceil(total * Fraction(repr(high)))
    while 0 < total <= after and total < _MOST_PEOPLE:
        before, total = 10 * before, 10 * total
        after = math.ceil(total * Fraction(repr(high)))
    if not 0 < total <= _MOST_PEOPLE or after >= total:
        return f"{percent(prior)} of people", percent_up(high, FEW_DIGITS)
    return f"{before:,} of {total:,} people", f"{after:,} of {total:,}"


def _chance_statement(result: MeaningResult, *, in_people: bool) -> str:
    """Return what can happen to the person with and without their data, in numbers of people or in per cent."""
    without, least, most = result.chances.iloc[EXAMPLE]
    instead = "with other data in the person’s place" if result.is_known else "without the person’s data"
    before, low, high = percent(without), percent_down(least), percent_up(most)
    if in_people:
        before, low = f"{round(N_PEOPLE * without)} of {N_PEOPLE}", str(math.floor(N_PEOPLE * least))
        high = f"{math.ceil(N_PEOPLE * most)} of {N_PEOPLE}"
    return (
        "A decision, or anything else that follows from the release, keeps to a range: a chance of "
        f"{before} {instead} is {low} to {high} with the person’s own."
    )


def _belief_statement(result: MeaningResult) -> str:
    """Return what an outsider can believe before and after the release, in numbers of people, for the public."""
    before, after = _counted_people(result.setting.prior, result.range_of_belief[1])
    known = "Everybody knows that a certain person is in the data. " if result.is_known else ""
    who, fact = ("this", "have a diagnosis") if result.is_known else ("a certain", "be in the data")
    outcome, suspects = "Whatever is released", ""
    if not result.is_pure:
        wrongly = f"{percent(result.setting.alpha)} of the {others_words(result)}"
        outcome, suspects = f"If an attack wrongly suspects {wrongly}", " suspects"
    supposed = f"Suppose that, to an outsider, {before} like {who} person seem to {fact}."
    return f"{known}{supposed} {outcome}, at most {after}{suspects} can seem so afterwards."


def _known_statement(result: MeaningResult, *, in_people: bool) -> str:
    """Return what of a fact about those who are known to be in the data: more than of whether one is in it."""
    if result.is_known:
        return ""
    prior, high = result.setting.prior, known_to_be_in(result).range_of_belief[1]
    before, after = _counted_people(prior, high) if in_people else (percent(prior), percent_up(high))
    whom = "More can be learned of a person known to be in the data, as of all who get a letter for that"
    if in_people:
        suspects = "" if result.is_pure else " such suspects"
        return f"{whom}: where {before} seem to have a diagnosis, at most {after}{suspects} can seem so."
    return f"{whom}: a probability of {before} that the person has a diagnosis becomes at most {after}."


def statements(result: MeaningResult) -> Statements:
    """Return what can be said of the one number of the page to the person, to those who decide, and to experts."""
    setting, high = result.setting, result.range_of_belief[1]
    before, at_most = percent(setting.prior), percent_up(high)
    is_open = result.is_relation_unknown
    delta = "" if result.is_pure else f" and delta {chance_in_words(setting.delta)}"
    size = f"The limit has the size epsilon {format_input_up(setting.epsilon)}{delta}. {_epsilon_in_words(result)}"
    fact = fact_words(result, "a person is", "the person has")
    guarantee = f"pure ε-DP with ε = {format_input_up(setting.epsilon)}"
    guarantee = guarantee if result.is_pure else f"(ε, δ)-DP with {setting.guarantee_text}"
    where = "whatever is released" if result.is_pure else f"where {attack_words(result)} suspects the person"
    relation = "" if is_open else f", for {relation_words(result)}"
    paper = f"Under {guarantee}{relation}, a probability of {before} {fact} becomes at most {at_most}, {where}."
    twice = f"{'To be safe, ε' if is_open else 'ε'} {_COUNTS_TWICE}" if result.counts_twice else ""
    rare = ""
    if not result.is_pure:
        most = chance_in_words(result.used_delta)
        rare = f"Outcomes that would prove {fact} have together a probability of at most {most}."
    doubled = ", with 2ε in the place of ε" if result.is_pure else ", with 2ε and δ(1 + e^ε) in the place of ε and δ"
    test = "(πe^ε/(πe^ε + 1 − π); Lee & Clifton 2011)" if result.is_pure else "after this test (Kairouz et al. 2015)"
    bound = f"Bound: posterior ≤ {format_up(high)} at π = {before} {test}{doubled if result.counts_twice else ''}."
    by_whom = f"Computed with the DP Trade-off Explorer {dpcore.__version__}."
    in_people, in_numbers = (_chance_statement(result, in_people=in_people) for in_people in (True, False))
    known, known_in_numbers = (_known_statement(result, in_people=in_people) for in_people in (True, False))
    texts = (
        (f"{_METHOD} {_belief_statement(result)}", known, size, in_people, rare, _ONLY),
        (f"{paper} {twice}".rstrip(), known_in_numbers, in_numbers, rare, _ONLY, by_whom),
        (f"{paper} {_RELATION_UNKNOWN * is_open}".rstrip(), bound, known_in_numbers, in_numbers, rare, _ONLY, by_whom),
    )
    return Statements(*("\n\n".join(filter(None, paragraphs)) for paragraphs in texts))


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
