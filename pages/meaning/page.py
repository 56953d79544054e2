"""The page on what ε means for one person: its pictures, its sentences, and its one section."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
    pin_sentence,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.meaning.results import IN_DATA, PARAMETERS, STATED_FOR, MeaningResult, compute_result
from pages.shared.formulas import LARGE_EPSILON
from pages.shared.other_libraries import DPCORE, PEERS
from pages.shared.page_links import groups_link
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, GUARANTEE, PRIOR, more_text
from pages.shared.site_map import MEANING
from pages.shared.statements import chance_in_words, public_size
from pages.shared.status_lines import N_PEOPLE, SIDE, people_square

_QUESTION = "Known to be in the data?"
_QUESTION_HELP = (
    "No: what ε limits is the probability that you are in the data. Yes, as with the patients of a known doctor: it is "
    "the probability of a fact about you, such as a diagnosis."
)
_DELTA_HELP = (
    "A small probability that the limit by ε does not hold: outcomes that would prove something about one person have "
    "together a probability of at most δ. One in a million is 1e-6." + more_text("delta", "excess probability δ")
)
_STEP = 13  # from one square of people to the next
HEADS = {"before": "before", "at_least": "after, at least", "at_most": "after, at most"}


def people(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return 100 people for each row of `MeaningResult.people`: filled are those of whom it is true."""
    before = f"100 people like you, {percent(result.setting.prior)} before"
    after = "" if result.is_pure else f"; after, if {_suspicion(result)} suspects you"
    subtitle = f"{before}{after}; {setting_words(result)}"
    right = _STEP * (len(result.people) - 1) + SIDE - 0.4
    axis = {"visible": False, "fixedrange": True}
    width, height = right + 0.6, SIDE - 0.4 + 2.5
    x = axis | {"range": [-0.6, right]}
    y = axis | {"range": [-2.5, SIDE - 0.4], "scaleanchor": "x", "constraintoward": "top"}
    figure = layout(colours, f"How many {_people_words(result)}, as far as anybody can tell?", subtitle, x, y)
    shape = {"heightOfWidth": 1.3 * height / width}  # with the margins
    figure |= {"hovermode": False, "showlegend": False, "height": 360, "meta": shape}
    traces, note = [], {"y": -0.6, "yanchor": "top", "showarrow": False, "font": {"size": TYPE + 1}}
    for place, (when, people) in enumerate(zip(result.people["when"], result.people["people"], strict=True)):
        traces.append(people_square(people, when, colours, left=_STEP * place, size=9))
        words = f"<b>{people} of {N_PEOPLE}</b><br>{_head(result, when)}"
        figure["annotations"].append(note | {"text": words, "x": _STEP * place + (SIDE - 1) / 2})
    drawn = {"data": traces, "layout": figure}
    return Exhibit("people", drawn, people_alternative_text(result), result.people, result.csv_header)


def beliefs(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return the curves of the belief after a release over the belief before, and that of the page."""
    marks = (0, 0.25, 0.5, 0.75, 1)
    axis = {"range": [0, 1], "tickvals": list(marks), "ticktext": [percent(mark) for mark in marks]}
    x, y = (axis | {"title": {"text": f"probability {_fact(result)}, {when}"}} for when in ("before", "after"))
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


def setting_words(result: MeaningResult) -> str:
    """Return the guarantee of the page in a line, with its relation where that counts."""
    setting = result.setting
    guarantee = f"pure ε-DP with ε = {format_input_up(setting.epsilon)}" if result.is_pure else setting.guarantee_text
    return f"{guarantee}, for {_relation(result)}" if result.is_known else guarantee


def _relation(result: MeaningResult) -> str:
    return "replacing one person’s data" if result.is_known and not result.counts_twice else _ADDED_OR_REMOVED


def _fact(result: MeaningResult, who: str = "you are", whose: str = "you have") -> str:
    return f"that {whose} a diagnosis" if result.is_known else f"that {who} in the data"


def _people_words(result: MeaningResult) -> str:
    return "have the diagnosis" if result.is_known else "are in the data"


def _attack(result: MeaningResult) -> str:
    others = "people without the diagnosis" if result.is_known else "people who are not in the data"
    return _suspicion(result, others)


def _suspicion(result: MeaningResult, others: str = "others") -> str:
    return f"an attack that wrongly suspects {percent(result.setting.alpha)} of the {others}"


_ADDED_OR_REMOVED = "adding or removing one person"
WHAT_COUNTS = (
    "**What ε must count.** All that is released about you, by anybody who has your data: the ε of one table or model "
    "counts only a part. And it must be stated for a person: an ε for one record, one device or one day protects you "
    "less. What others learn about people like you, from data without you, no ε limits: a release that shows that "
    "smoking harms shows it of every smoker."
)
EXPLANATION = r"""
**After any outcome.** Pure ε-DP bounds the ratio of the probabilities of every outcome with and without you by
$e^{\varepsilon}$. By Bayes’ rule a prior π becomes at most $\frac{\pi e^{\varepsilon}}{\pi e^{\varepsilon}+1-\pi}$ and
at least $\frac{\pi}{\pi+(1-\pi)e^{\varepsilon}}$ (Lee & Clifton 2011).

**After a stated test.** (ε, δ)-DP bounds no single outcome. A test that is positive for a share α of those who are not
in the data is positive for at most $\min(e^{\varepsilon}\alpha+\delta,\ 1-e^{-\varepsilon}(1-\alpha-\delta))$ of those
who are (Wasserman & Zhou 2010; Kairouz, Oh & Viswanath 2015); after a positive result π becomes
$\frac{\pi(1-\beta)}{\pi(1-\beta)+(1-\pi)\alpha}$.

**A fact about a person who is known to be in the data** changes in one step under a guarantee for replacing one
person’s data. Under one for adding or removing a person it takes two, with $2\varepsilon$ and
$\delta(1+e^{\varepsilon})$ in the place of ε and δ.

**What happens to you.** The same bounds hold for every event that depends on you through the release alone: a chance p
without your data is at most $\min(e^{\varepsilon}p+\delta,\ 1-e^{-\varepsilon}(1-p-\delta))$ with them, and at least 1
minus the bound of its opposite.
"""


def answer_text(result: MeaningResult) -> tuple[str, ...]:
    """Return what the probability of what is asked can become, and the same of 100 people."""
    setting, after = result.setting, percent_up(result.range_of_belief[1], FEW_DIGITS)
    symbols = f"ε = {format_input_up(setting.epsilon)}" if result.is_pure else setting.guarantee_text
    *conditions, last = (
        *(() if result.is_pure else (f"{_suspicion(result)} suspects you",)),
        *((f"the guarantee is for {_relation(result)}",) if result.is_known and not result.counts_twice else ()),
        f"{'ε counts' if result.is_pure else 'ε and δ count'} all that is released about you",
    )
    first = (
        f"At {symbols}, a probability of {percent(setting.prior)} {_fact(result)} becomes at most {after}"
        f"{', whatever is released' if result.is_pure else ''}, if "
        f"{', '.join(conditions)}{', and ' if conditions else ''}{last}."
    )
    sentences = first, _people_sentence(result)
    if result.pinned is None:
        return sentences
    old = percent_up(result.pinned.range_of_belief[1], FEW_DIGITS)
    return *sentences, pin_sentence(f"at most {old} → {after}")


def _people_sentence(result: MeaningResult) -> str:
    numbers = dict(zip(result.people["when"], result.people["people"], strict=True))
    seem = "have the diagnosis" if result.is_known else "be in the data"
    before = f"Of {N_PEOPLE} people about whom an outsider knows as much, {numbers['before']} seem to {seem}"
    high = result.range_of_belief[1]
    most = f"{numbers['at_most']}" if numbers["at_most"] < N_PEOPLE else percent_up(high, FEW_DIGITS)
    after = "after the release" if result.is_pure else f"of {N_PEOPLE} suspects"
    without = (
        f"; without your data {percent(result.setting.prior)}, unless others’ data tell" if result.is_known else ""
    )
    return f"{before}; {after}, at most {most}{without}."


def _head(result: MeaningResult, when: str) -> str:
    """Return the words under a square of people."""
    return "suspected, at most" if when == "at_most" and not result.is_pure else HEADS[when]


def people_alternative_text(result: MeaningResult) -> str:
    """Return what the squares of people show."""
    rows = zip(result.people["when"], result.people["people"], strict=True)
    return f"Of {N_PEOPLE} people: {'; '.join(f'{number} {_head(result, when)}' for when, number in rows)}."


def beliefs_alternative_text(result: MeaningResult) -> str:
    """Return what the curves over every prior show."""
    low, high = result.range_of_belief
    least = f" and at least {percent_down(low)}" if result.is_pure else ""
    return (
        f"The probability after the release over the one before: from {percent(result.setting.prior)} to at most "
        f"{percent_up(high)}{least}. The larger ε is, the farther from the line of no change."
    )


def _without(result: MeaningResult) -> str:
    return "other data in the place of yours" if result.is_known else "your data left out"


def chances_html(result: MeaningResult) -> str:
    """Return the table of chances without and with a person's data, as HTML."""
    heads = [f"Chance with {_without(result)}", "With your data, at least", "With your data, at most"]
    columns = zip(*(result.chances[name] for name in ("without", "at_least", "at_most")), strict=True)
    rows = [[percent(without), percent_down(low), percent_up(high)] for without, low, high in columns]
    return number_format.table_html("What happens to you, without and with your data", "cells", heads, rows)


def chances_alternative_text(result: MeaningResult) -> str:
    """Return what changes if a person is in the data, by one example, and why this is not the probability above."""
    without, least, most = result.chances.iloc[2]
    limits = f"{percent_down(least, FEW_DIGITS)} to {percent_up(most, FEW_DIGITS)}"
    return (
        "Anything that follows from the release, such as a decision about you, changes its chance by a limited "
        f"amount: {percent(without)} with {_without(result)} is {limits} with your data. This is about what happens "
        f"to you, not the probability above {_fact(result)}."
    )


def attack_text(result: MeaningResult) -> str:
    """Return on which attack the number depends, and how little another one changes it."""
    setting, few = result.setting, result.setting.alpha / 100
    rarer = replace(result, setting=replace(setting, alpha=few), pinned=None)
    highs = (percent_up(each.range_of_belief[1]) for each in (result, rarer))
    return (
        f"**The attack** wrongly suspects {percent(setting.alpha)} of the others, and at most "
        f"{percent_up(result.found, FEW_DIGITS)} of those who {_people_words(result)}. The number depends on this: at "
        f"{percent(setting.alpha)} it is at most {next(highs)}, at {percent(few)} at most {next(highs)}. Outcomes that "
        f"would prove {_fact(result)} have together a probability of at most {chance_in_words(result.used_delta)}."
    )


def relation_text(result: MeaningResult) -> str:
    """Return for which neighbouring data the number is, and what it is for the others."""
    setting = result.setting
    if setting.stated_for == "replace":
        return "A guarantee for **replacing** one person’s data limits what a fact about you changes by itself."
    other = replace(result, setting=replace(setting, stated_for="replace"), pinned=None)
    doubled = "ε counts twice" if result.is_pure else "ε counts twice, and δ 1 + e^ε times"
    once = percent_up(other.range_of_belief[1], FEW_DIGITS)
    return (
        f"A changed fact removes you and adds you. Where the guarantee is for **{_ADDED_OR_REMOVED}**, {doubled}. "
        f"Where it is for **replacing** one person’s data, they count once: at most {once}."
        + (" As you don’t know which, this page has the larger number." if setting.stated_for == "unknown" else "")
    )


def known_text(result: MeaningResult) -> str:
    """Return what a fact about a person becomes who is known to be in the data: it can be told more easily."""
    known = replace(result, setting=replace(result.setting, in_data="known"), pinned=None)
    prior, most = percent(result.setting.prior), percent_up(known.range_of_belief[1], FEW_DIGITS)
    return (
        f"**If everybody knows that you are in the data**, what is hidden is a fact about you. Its probability of "
        f"{prior} becomes at most {most}: choose “Yes” in “{_QUESTION}”."
    )


_BAYES = "It has no posterior of a guarantee: that is Bayes’ rule, which the program of dpcore shows."


def chances(result: MeaningResult, _: Colours) -> Exhibit:
    """Return the table of what changes if a person is in the data."""
    alternative = without_markdown(chances_alternative_text(result))
    return Exhibit("chances", chances_html(result), alternative, result.chances, result.csv_header)


def controls(result: MeaningResult) -> Sequence[Field | Parameter]:
    """Return the question and the parameters of its answer: the relation and δ only where they count."""
    relation = (Field(STATED_FOR, STATED_FOR.symbol),) if result.is_known else ()
    delta = () if result.is_pure else (Field(DELTA, help=_DELTA_HELP),)
    question = Field(IN_DATA, _QUESTION, _QUESTION_HELP)
    return EPSILON, *delta, Field(GUARANTEE, "Guarantee"), PRIOR, question, *relation


def more_settings(result: MeaningResult) -> Sequence[Parameter]:
    """Return the attack of a guarantee with a δ."""
    return () if result.is_pure else (ALPHA,)


def parts(result: MeaningResult, colours: Colours) -> Iterator[Part]:
    """Yield the people, what the number rests on, every prior, and folded what changes if one takes part."""
    yield people(result, colours)
    group = groups_link("the ε of a group", result.setting).markdown
    yield f"{WHAT_COUNTS} A household, or one person with several records, has {group}."
    yield relation_text(result) if result.is_known else known_text(result)
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


_RELATION_UNKNOWN = (
    f" Whether this guarantee is for {_ADDED_OR_REMOVED} or for replacing one person’s data is not known: the number "
    "is the larger one, that for the first."
)
_ONLY = (
    "This holds only if the guarantee counts all that is released about the person, by anybody who has the data. What "
    "the data say about people like this person in general is not limited."
)


def _epsilon_in_words(result: MeaningResult) -> str:
    """Return what the guarantee limits, as a sentence for the public."""
    epsilon, more = result.setting.epsilon, "" if result.is_pure else ", and by delta on top"
    limits = "Epsilon, the privacy loss, limits how much one person’s data can change the probability of any outcome"
    if epsilon > LARGE_EPSILON:
        return f"{limits}; above {LARGE_EPSILON:.0f} this is hardly a limit."
    return f"{limits}: by a factor of at most {public_size(math.exp(epsilon))}{more}."


def statements(result: MeaningResult) -> Statements:
    """Return what can be said of the one number of the page to the person, to those who decide, and to experts."""
    setting, high = result.setting, result.range_of_belief[1]
    before, at_most, epsilon = percent(setting.prior), percent_up(high), format_input_up(setting.epsilon)
    delta = "" if result.is_pure else f" and delta {chance_in_words(setting.delta)}"
    is_open = result.is_relation_unknown
    relation, open_relation = ("", _RELATION_UNKNOWN) if is_open else (f", for {_relation(result)}", "")
    release = (
        "What is released from the data, such as a table or a model, satisfies differential privacy with epsilon "
        f"{epsilon}{delta}{relation}. {_epsilon_in_words(result)}"
    )
    fact = _fact(result, "a person is", "the person has")
    known = "everybody knows that the person is in the data, and that " if result.is_known else ""
    after = (
        "After the release, whatever is released" if result.is_pure else f"If {_attack(result)} suspects this person"
    )
    in_words = f"at most {percent_up(high, FEW_DIGITS)} ({result.people['people'].iloc[-1]} of {N_PEOPLE} people)"
    public = (
        f"Suppose that {known}before the release the probability is {before} {fact}. {after}, this probability is "
        f"{in_words}.{open_relation}"
    )
    guarantee = f"pure ε-DP with ε = {epsilon}" if result.is_pure else f"(ε, δ)-DP with {setting.guarantee_text}"
    where = "whatever is released" if result.is_pure else f"where {_attack(result)} suspects the person"
    paper = (
        f"Under {guarantee}{relation}, a probability of {before} {fact} becomes at most {at_most}, "
        f"{where}.{open_relation}"
    )
    rare = ""
    if not result.is_pure:
        most = chance_in_words(result.used_delta)
        rare = f"Outcomes that would prove {fact} have together a probability of at most {most}."
    twice = ", with 2ε in the place of ε" if result.is_pure else ", with 2ε and δ(1 + e^ε) in the place of ε and δ"
    test = "(πe^ε/(πe^ε + 1 − π); Lee & Clifton 2011)" if result.is_pure else "after this test (Kairouz et al. 2015)"
    bound = f"Bound: posterior ≤ {format_up(high)} at π = {before} {test}{twice if result.counts_twice else ''}."
    by_whom = f"Computed with the DP Trade-off Explorer {dpcore.__version__}."
    texts = (release, public, rare, _ONLY), (paper, rare, _ONLY, by_whom), (paper, bound, rare, _ONLY, by_whom)
    return Statements(*("\n\n".join(filter(None, paragraphs)) for paragraphs in texts))


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
