"""The page on what ε means for one person: its parameters beside ε and δ, its section, its sentences."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.page import Page
from pages.framework.layout.section import Field, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_input_up,
    percent,
    percent_down,
    percent_up,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.framework.parameters.pin import Pin
from pages.meaning import figures
from pages.meaning.figures import HEADS
from pages.meaning.results import MeaningResult, compute_result
from pages.shared.libraries import DPCORE, PEERS
from pages.shared.picture_parts import N_PEOPLE
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, GUARANTEE, PRIOR
from pages.shared.site_map import MEANING

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
    before, after = percent(setting.prior), percent_up(high)
    if result.is_pure:
        first = (
            f"At ε = {format_input_up(setting.epsilon)}, a belief of {before} that you are in the data becomes at most "
            f"{after}, whatever is released, if ε counts all that is released about you."
        )
    else:
        first = (
            f"At {setting.guarantee_text}, a belief of {before} that you are in the data becomes at most {after}, if "
            f"the test is wrong about {percent(setting.alpha)} of the others and ε and δ count all that is released "
            "about you."
        )
    sentences = first, _people_sentence(result)
    if result.pinned is None:
        return sentences
    old = percent_up(result.pinned.range_of_belief[1])
    return *sentences, f"Compared with the pin: at most {old} → {after}."


def _people_sentence(result: MeaningResult) -> str:
    numbers = dict(zip(result.people["when"], result.people["people"], strict=True))
    first = f"Of {N_PEOPLE} people like you, {numbers['before']} are in the data, as far as anybody can tell"
    if result.is_pure:
        return f"{first}; after the release, {numbers['at_least']} to {numbers['at_most']}."
    return f"{first}; after the test, at most {numbers['at_most']}; rarer outcomes can leave less doubt."


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
    row, (low, high) = result.chances.iloc[2], result.range_of_belief
    belief = percent_up(high) if not result.is_pure else f"{percent_down(low)} to {percent_up(high)}"
    return (
        "**Whether you take part.** Anything that follows from the release, such as a decision about you, changes its "
        f"chance by a limited amount: {percent(row['without'])} without your data is between "
        f"{percent_down(row['at_least'])} and {percent_up(row['at_most'])} with them. This is not the belief above "
        f"({percent(result.setting.prior)} becomes {'' if result.is_pure else 'at most '}{belief}): a belief is about "
        "whether you are in the data, this about what happens to you if you are."
    )


_BAYES = "It has no posterior of a guarantee: that is Bayes’ rule, which the program of dpcore shows."


def people(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return the squares of 100 people, before and after a release."""
    figure, alternative = figures.people_figure(result, colours), people_alternative_text(result)
    return Exhibit("people", figure, alternative, result.people, result.csv_header)


def beliefs(result: MeaningResult, colours: Colours) -> Exhibit:
    """Return the curves of what anybody can believe after a release."""
    figure, alternative = figures.beliefs_figure(result, colours), beliefs_alternative_text(result)
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
    yield WHAT_COUNTS
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


PERSON = Section[MeaningResult](
    key="person",
    name="For one person",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(people, beliefs, chances),
    snippets=snippets,
)


PARAMETERS = (GUARANTEE, PRIOR, ALPHA, Pin((GUARANTEE, PRIOR, ALPHA)))


PAGE = Page(MEANING, PARAMETERS, compute_result, sections=(PERSON,))
