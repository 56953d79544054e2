"""The page on what ε means for one person: its parameters beside ε and δ, its numbers, pictures and sentences."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

import dpcore
from dpcore import tradeoff
from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, hairline, layout, line, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.offers import Statements
from pages.framework.layout.page import Page
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Field, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Pin
from pages.framework.parameters.number_format import (
    FEW_DIGITS,
    format_input_up,
    format_up,
    percent,
    percent_down,
    percent_up,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter, Values
from pages.shared.other_libraries import DPCORE, PEERS
from pages.shared.page_links import groups_link
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, GUARANTEE, PRIOR, SharedSetting, read_setting
from pages.shared.site_map import MEANING
from pages.shared.status_lines import N_PEOPLE, SIDE, people_square

PRIORS = np.linspace(0, 1, 201)
CHANCES = np.array([0.001, 0.01, 0.1, 0.5, 0.9])


@dataclass(frozen=True)
class MeaningSetting(SharedSetting):
    """The parameters of the page, under their keys."""

    promise: str
    prior: float
    alpha: float


@dataclass(frozen=True)
class MeaningResult:
    """What follows for one person; `pinned` is the result at the pinned setting."""

    setting: MeaningSetting
    pinned: "MeaningResult | None" = None

    @property
    def is_pure(self) -> bool:
        """Whether the guarantee is pure ε-DP, which bounds what every outcome reveals."""
        return self.setting.promise == "pure"

    @property
    def used_delta(self) -> float:
        """δ of the guarantee, 0 where it is pure."""
        return 0.0 if self.is_pure else self.setting.delta

    @cached_property
    def found(self) -> float:
        """The largest share of those in the data whom the stated attack can accuse, for a guarantee with a δ."""
        return float(tradeoff.epsilon_delta_power(self.setting.alpha, self.setting.epsilon, self.used_delta))

    def most_belief(self, prior: ArrayLike) -> Array:
        """Return the most that anybody can believe: after any outcome, or with a δ after the stated attack."""
        if self.is_pure:
            return tradeoff.pure_posterior(self.setting.epsilon, prior)
        return tradeoff.posterior(self.setting.alpha, self.found, prior)

    @cached_property
    def of_two_steps(self) -> "MeaningResult":
        """The same for two changes by one person: removed with one fact, and added with another one."""
        epsilon = self.setting.epsilon
        delta = min(self.used_delta * (1 + math.exp(min(epsilon, 700.0))), 1.0)
        return MeaningResult(replace(self.setting, epsilon=2 * epsilon, delta=delta))

    def least_belief(self, prior: ArrayLike) -> Array:
        """Return the least that anybody can believe after any outcome; not being in the data has the same bound.

        NaN where the guarantee has a δ, which bounds no outcome.
        """
        least = 1 - tradeoff.pure_posterior(self.setting.epsilon, 1 - np.asarray(prior))
        return least if self.is_pure else np.full_like(least, np.nan)

    @cached_property
    def range_of_belief(self) -> tuple[float, float]:
        """The belief after a release at the prior of the page: at least, and at most."""
        return float(self.least_belief(self.setting.prior)), float(self.most_belief(self.setting.prior))

    @cached_property
    def beliefs(self) -> pd.DataFrame:
        """The range over every prior."""
        return pd.DataFrame(
            {"prior": PRIORS, "at_least": self.least_belief(PRIORS), "at_most": self.most_belief(PRIORS)}
        )

    @cached_property
    def people(self) -> pd.DataFrame:
        """Of 100 people, how many are in the data as far as anybody can tell: before, at least and at most after.

        After a release whole people are on the safe side: fewer at least, more at most.
        """
        low, high = self.range_of_belief
        numbers = [round(N_PEOPLE * self.setting.prior), *([] if math.isnan(low) else [math.floor(N_PEOPLE * low)])]
        names = ["before", *([] if math.isnan(low) else ["at_least"]), "at_most"]
        return pd.DataFrame({"when": names, "people": [*numbers, math.ceil(N_PEOPLE * high)]})

    @cached_property
    def chances(self) -> pd.DataFrame:
        """The chance of an event without a person's data, and at least and at most with them."""
        epsilon, delta = self.setting.epsilon, self.used_delta
        return pd.DataFrame(
            {
                "without": CHANCES,
                "at_least": 1 - tradeoff.epsilon_delta_power(1 - CHANCES, epsilon, delta),
                "at_most": tradeoff.epsilon_delta_power(CHANCES, epsilon, delta),
            }
        )

    @property
    def csv_header(self) -> dict[str, str]:
        """The parameters for the top of a CSV."""
        setting = self.setting
        names = ("epsilon", "delta") if not self.is_pure else ("epsilon",)
        names += ("prior",) if self.is_pure else ("prior", "alpha")
        return {"guarantee": setting.promise} | setting.texts(*names)


def compute_result(values: Values) -> MeaningResult:
    """Return the result at the values of the parameters."""
    pinned = values["pinned"] and compute_result(values["pinned"] | {"pinned": None})
    return MeaningResult(read_setting(MeaningSetting, values), pinned)


_STEP = 13  # from one square of people to the next
HEADS = {"before": "before", "at_least": "after, at least", "at_most": "after, at most"}


def people_figure(result: MeaningResult, colours: Colours) -> Figure:
    """Draw 100 people for each row of `MeaningResult.people`: filled are those in the data as far as one can tell."""
    subtitle = f"100 people like you, {percent(result.setting.prior)} in the data before; {setting_words(result)}"
    right = _STEP * (len(result.people) - 1) + SIDE - 0.4
    axis = {"visible": False, "fixedrange": True}
    width, height = right + 0.6, SIDE - 0.4 + 2.5
    x = axis | {"range": [-0.6, right]}
    y = axis | {"range": [-2.5, SIDE - 0.4], "scaleanchor": "x", "constraintoward": "top"}
    figure = layout(colours, "How many are in the data, as far as anybody can tell?", subtitle, x, y)
    shape = {"heightOfWidth": 1.3 * height / width}  # with the margins
    figure |= {"hovermode": False, "showlegend": False, "height": 360, "meta": shape}
    traces, note = [], {"y": -0.6, "yanchor": "top", "showarrow": False, "font": {"size": TYPE + 1}}
    for place, (when, people) in enumerate(zip(result.people["when"], result.people["people"], strict=True)):
        traces.append(people_square(people, when, colours, left=_STEP * place, size=9))
        words = f"<b>{people} of {N_PEOPLE}</b><br>{HEADS[when]}"
        figure["annotations"].append(note | {"text": words, "x": _STEP * place + (SIDE - 1) / 2})
    return {"data": traces, "layout": figure}


def beliefs_figure(result: MeaningResult, colours: Colours) -> Figure:
    """Draw the belief after a release over the belief before, and that of the page."""
    marks = (0, 0.25, 0.5, 0.75, 1)
    axis = {"range": [0, 1], "tickvals": list(marks), "ticktext": [percent(mark) for mark in marks]}
    x, y = (axis | {"title": {"text": f"belief that you are in the data, {when}"}} for when in ("before", "after"))
    figure = layout(colours, "Every belief, before and after a release", setting_words(result), x, y)
    hairline(figure, colours, result.setting.prior, f"{percent(result.setting.prior)} before", "prior")
    beliefs = result.beliefs
    after = "after any outcome" if result.is_pure else "after an accusation"
    traces = [
        line(beliefs["prior"], beliefs["prior"], "without a release", colours["quiet"], "dot"),
        line(beliefs["prior"], beliefs["at_most"], f"at most, {after}", colours["analytic"], "solid"),
    ]
    if result.is_pure:
        traces.append(line(beliefs["prior"], beliefs["at_least"], f"at least, {after}", colours["analytic"], "dash"))
    if result.pinned is not None:
        pinned = result.pinned.beliefs
        traces.append(pinned_curve(pinned["prior"], pinned["at_most"], colours))
    return {"data": traces, "layout": figure}


def setting_words(result: MeaningResult) -> str:
    """Return the guarantee of the page in a line, with the test that is stated where one is."""
    setting = result.setting
    if result.is_pure:
        return f"pure ε-DP with ε = {format_input_up(setting.epsilon)}"
    return f"{setting.guarantee_text}; {_attack(setting)}"


def _attack(setting: MeaningSetting) -> str:
    return f"an attack that wrongly accuses {percent(setting.alpha)} of the others"


def _proof_words(delta: float) -> str:
    """Return the chance of outcomes that cannot occur without a person: at most δ, as 1 in so many."""
    one_in = math.floor(Fraction(1) / Fraction(delta))
    return f"1 in {one_in:,}" if 2 <= one_in <= 10**15 else percent_up(delta)


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

**What happens to you.** The same bounds hold for every event that depends on you through the release alone: a chance p
without your data is at most $\min(e^{\varepsilon}p+\delta,\ 1-e^{-\varepsilon}(1-p-\delta))$ with them, and at least 1
minus the bound of its opposite.
"""


def answer_text(result: MeaningResult) -> tuple[str, ...]:
    """Return what a belief about one person can become, and the same of 100 people."""
    setting, high = result.setting, result.range_of_belief[1]
    before, after = percent(setting.prior), percent_up(high, FEW_DIGITS)
    if result.is_pure:
        first = (
            f"At ε = {format_input_up(setting.epsilon)}, a belief of {before} that you are in the data becomes at most "
            f"{after}, whatever is released, if ε counts all that is released about you."
        )
    else:
        first = (
            f"At {setting.guarantee_text}, a belief of {before} that you are in the data becomes at most {after}, if "
            f"{_attack(setting)} accuses you, and ε and δ count all that is released about you."
        )
    sentences = first, _people_sentence(result)
    if result.pinned is None:
        return sentences
    old = percent_up(result.pinned.range_of_belief[1], FEW_DIGITS)
    return *sentences, f"Compared with the pin: at most {old} → {after}."


def _people_sentence(result: MeaningResult) -> str:
    numbers = dict(zip(result.people["when"], result.people["people"], strict=True))
    first = f"Of {N_PEOPLE} people like you, {numbers['before']} are in the data, as far as anybody can tell"
    if result.is_pure:
        low, high = result.range_of_belief
        if numbers["at_most"] < N_PEOPLE and numbers["at_least"] > 0:
            return f"{first}; after the release, {numbers['at_least']} to {numbers['at_most']}."
        return f"{first}; after the release, {percent_down(low, FEW_DIGITS)} to {percent_up(high, FEW_DIGITS)}."
    accused = percent_up(result.found, FEW_DIGITS)
    return f"{first}; of 100 accused, at most {numbers['at_most']}; at most {accused} of members are accused."


def people_alternative_text(result: MeaningResult) -> str:
    """Return what the squares of people show."""
    rows = zip(result.people["when"], result.people["people"], strict=True)
    return f"Of {N_PEOPLE} people: {'; '.join(f'{number} {HEADS[when]}' for when, number in rows)}."


def beliefs_alternative_text(result: MeaningResult) -> str:
    """Return what the curves over every prior show."""
    low, high = result.range_of_belief
    least = f" and at least {percent_down(low)}" if result.is_pure else ""
    return (
        f"The belief after the release over the belief before: from {percent(result.setting.prior)} to at most "
        f"{percent_up(high)}{least}. The larger ε is, the farther from the line of no change."
    )


def chances_html(result: MeaningResult) -> str:
    """Return the table of chances without and with a person's data, as HTML."""
    heads = ["Chance without your data", "With your data, at least", "With your data, at most"]
    columns = zip(*(result.chances[name] for name in ("without", "at_least", "at_most")), strict=True)
    rows = [[percent(without), percent_down(low), percent_up(high)] for without, low, high in columns]
    return number_format.table_html("What happens to you, without and with your data", "cells", heads, rows)


def chances_alternative_text(result: MeaningResult) -> str:
    """Return what changes if a person is in the data, by one example, and why this is not the belief."""
    low, high = result.range_of_belief
    at_most = percent_up(high, FEW_DIGITS)
    belief = f"{percent_down(low, FEW_DIGITS)} to {at_most}" if result.is_pure else f"at most {at_most}"
    return (
        "**Whether you take part.** Anything that follows from the release, such as a decision about you, changes its "
        f"chance by a limited amount: {_chances_words(result, 'your', FEW_DIGITS)}. This is not the belief above "
        f"({percent(result.setting.prior)} becomes {belief}): a belief is about whether you are in the data, this "
        "about what happens to you if you are."
    )


def _chances_words(result: MeaningResult, whose: str, digits: int) -> str:
    """Return what a chance without somebody's data becomes with them."""
    without, least, most = result.chances.iloc[2].tolist()
    limits = f"{percent_down(least, digits)} to {percent_up(most, digits)}"
    return f"{percent(without)} without {whose} data is {limits} with them"


def known_member_text(result: MeaningResult) -> str:
    """Return what holds for a fact about a person who is known to be in the data."""
    prior = percent(result.setting.prior)
    once, twice = (percent_up(each.range_of_belief[1], FEW_DIGITS) for each in (result, result.of_two_steps))
    doubled = "ε counts twice" if result.is_pure else "ε counts twice, and δ 1 + e^ε times"
    return (
        f"**If everybody knows that you are in the data**, read “in the data” as “has the diagnosis”: {prior} becomes "
        f"at most {once} where the guarantee is for replacing one person’s data. Where it is for adding or removing "
        f"one person, {doubled}: at most {twice}."
    )


_BAYES = "It has no posterior of a guarantee: that is Bayes’ rule, which the program of dpcore shows."


def people(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return the squares of 100 people, before and after a release."""
    figure, alternative = people_figure(result, colours), people_alternative_text(result)
    return Exhibit("people", figure, alternative, result.people, result.csv_header)


def beliefs(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return the curves of what anybody can believe after a release."""
    figure, alternative = beliefs_figure(result, colours), beliefs_alternative_text(result)
    return Exhibit("beliefs", figure, alternative, result.beliefs, result.csv_header, ("prior", ""))


def chances(result: MeaningResult, _: Colours) -> Exhibit:
    """Return the table of what changes if a person is in the data."""
    alternative = without_markdown(chances_alternative_text(result))
    return Exhibit("chances", chances_html(result), alternative, result.chances, result.csv_header)


def controls(result: MeaningResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture: δ and the stated test only where there is a δ."""
    test = () if result.is_pure else (DELTA, ALPHA)
    return EPSILON, PRIOR, *test, Field(GUARANTEE, "Guarantee")


def parts(result: MeaningResult, colours: Colours) -> Iterator[Part]:
    """Yield the people, every belief, what changes if one takes part, and what ε must count."""
    yield people(result, colours)
    group = groups_link("the ε of a group", result.setting).markdown
    yield f"{WHAT_COUNTS} A household, or one person with several records, has {group}."
    yield known_member_text(result)
    yield beliefs(result, colours)
    yield chances_alternative_text(result)
    yield chances(result, colours)


def snippets(result: MeaningResult) -> tuple[Snippet, ...]:
    """Return the program that computes what a belief can become."""
    setting, high = result.setting, result.range_of_belief[1]
    epsilon, prior, alpha = number(setting.epsilon), number(setting.prior), number(setting.alpha)
    lines = [f"print(tradeoff.pure_posterior({epsilon}, {prior}))"]
    if not result.is_pure:
        lines = [
            f"power = tradeoff.epsilon_delta_power({alpha}, {epsilon}, {number(result.used_delta)})",
            f"print(tradeoff.posterior({alpha}, power, {prior}))",
        ]
    code = program("from dpcore import tradeoff", "", *lines)
    ours = Snippet(DPCORE, code, "The largest belief after the release.", (high,))
    return ours, *unavailable(dict.fromkeys(PEERS, _BAYES))


_RARER = "Rarer outcomes can leave less doubt; those that prove it have together a chance of at most"
_ONLY = (
    "This holds only if ε counts all that is released about the person, by anybody who has the data. What the data say "
    "about people like this person in general is not limited."
)


def statements(result: MeaningResult) -> Statements:
    """Return what can be said to the person, to those who decide, and to experts."""
    setting, (low, high) = result.setting, result.range_of_belief
    before, at_least, at_most = percent(setting.prior), percent_down(low), percent_up(high)
    at_most_in_words = f"at most {percent_up(high, FEW_DIGITS)} ({result.people['people'].iloc[-1]} of {N_PEOPLE})"
    rare = "" if result.is_pure else _proof_words(setting.delta)
    if result.is_pure:
        guarantee, range_of_belief = setting_words(result), f"{at_least} to {at_most}, whatever is released"
        proof = f"posterior πe^ε/(πe^ε + 1 − π) ≤ {format_up(high)} at π = {before} (Lee & Clifton 2011)"
        numbers = f"at least {percent_down(low, FEW_DIGITS)} and {at_most_in_words}"
        after = f"After the release, whatever it shows, the probability is {numbers}."
    else:
        attack = f"an attack that wrongly accuses {percent(setting.alpha)} of those who are not in the data"
        guarantee = f"(ε, δ)-DP with {setting.guarantee_text}"
        range_of_belief = f"at most {at_most} where {attack} accuses the person"
        proof = f"posterior after this test ≤ {format_up(high)} at π = {before} (Kairouz, Oh & Viswanath 2015)"
        after = f"After {attack} has accused a person, the probability is {at_most_in_words}. {_RARER} {rare}."
    known = f"Suppose that {before} of people like you are in the data, as far as anybody can tell."
    event = "If something can happen to you only because of the release, its chance stays in a range"
    paper = (
        f"Under {guarantee}, for one person added or removed, a belief of {before} that the person is in the data "
        f"becomes {range_of_belief}. The chance of an event that depends on the person through the release alone is "
        f"limited too: {_chances_words(result, 'the person’s', 4)}.{'' if result.is_pure else f' {_RARER} {rare}.'}"
    )
    experts = f"{paper}\n\nBound: {proof}; events by the trade-off function of the guarantee."
    by_whom = f"Computed with the DP Trade-off Explorer {dpcore.__version__}."
    public = (
        f"{known} {after}",
        f"{event}: {_chances_words(result, 'your', FEW_DIGITS)}.",
        _ONLY.replace("ε counts all", "the guarantee counts all"),
    )
    return Statements(*("\n\n".join(texts) for texts in (public, (paper, _ONLY, by_whom), (experts, _ONLY, by_whom))))


PERSON = Section[MeaningResult](
    key="person",
    name="For one person",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(people, beliefs, chances),
    snippets=snippets,
    statements=statements,
)


PARAMETERS = (GUARANTEE, PRIOR, ALPHA, Pin((GUARANTEE, PRIOR, ALPHA)))


PAGE = Page(MEANING, PARAMETERS, compute_result, sections=(PERSON,))
