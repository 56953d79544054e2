"""The sentences on what ε means for one person, and the words that they share with the statements."""

from dataclasses import replace

from dpcore import tradeoff
from pages.framework.parameters.number_format import (
    FEW_DIGITS,
    format_input_up,
    percent,
    percent_down,
    percent_up,
    pin_sentence,
)
from pages.meaning.results import MeaningResult
from pages.shared.page_links import Link
from pages.shared.site_map import TRADEOFF
from pages.shared.statements import chance_in_words
from pages.shared.status_lines import N_PEOPLE

QUESTION = "Known to be in the data?"
EXAMPLE = 2  # the row of the chances that sentences name
HEADS = {"before": "before", "at_least": "after, at least", "at_most": "after, at most"}


def setting_words(result: MeaningResult) -> str:
    """Return the guarantee of the page in a line, with its relation where that counts."""
    setting = result.setting
    guarantee = f"pure ε-DP with ε = {format_input_up(setting.epsilon)}" if result.is_pure else setting.guarantee_text
    if result.is_relation_unknown:
        return f"{guarantee}, neighbours unknown"
    return f"{guarantee}, for {relation_words(result)}" if result.is_known else guarantee


def relation_words(result: MeaningResult) -> str:
    """Return how neighbouring data differ under the guarantee."""
    return "replacing one person’s data" if result.is_known and not result.counts_twice else ADDED_OR_REMOVED


def fact_words(result: MeaningResult, who: str = "you are", whose: str = "you have") -> str:
    """Return what an attacker asks, as a clause: whether a person is in the data, or a fact about them."""
    return f"that {whose} a diagnosis" if result.is_known else f"that {who} in the data"


def people_words(result: MeaningResult) -> str:
    """Return what is true of those of whom an attacker is right."""
    return "have the diagnosis" if result.is_known else "are in the data"


def attack_words(result: MeaningResult) -> str:
    """Return the attack of a guarantee with a δ, with those whom it suspects wrongly."""
    return suspicion_words(result, others_words(result))


def others_words(result: MeaningResult) -> str:
    """Return of whom it is not true."""
    return "people without the diagnosis" if result.is_known else "people who are not in the data"


def suspicion_words(result: MeaningResult, others: str = "others") -> str:
    """Return the attack with those whom it suspects wrongly, in a word of one’s own."""
    return f"an attack that wrongly suspects {percent(result.setting.alpha)} of the {others}"


ADDED_OR_REMOVED = "adding or removing one person"
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
        *(() if result.is_pure else (f"{suspicion_words(result)} suspects you",)),
        *((f"the guarantee is for {relation_words(result)}",) if result.is_known and not result.counts_twice else ()),
        f"{'ε counts' if result.is_pure else 'ε and δ count'} all that is released about you",
    )
    first = (
        f"At {symbols}, a probability of {percent(setting.prior)} {fact_words(result)} becomes at most {after}"
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
        f". Without your data it would stay {percent(result.setting.prior)}, unless other people’s data say "
        "something about you"
        if result.is_known
        else ""
    )
    return f"{before}; {after}, at most {most}{without}."


def head_words(result: MeaningResult, when: str) -> str:
    """Return the words under a square of people."""
    return "suspected, at most" if when == "at_most" and not result.is_pure else HEADS[when]


def share_words(result: MeaningResult, when: str, people: int) -> str:
    """Return the probability of which the people of a square are the whole number, in brackets; empty where it is one.

    It has the digits of the answer.
    """
    if when == "before":
        share = percent(result.setting.prior)
    else:
        low, high = result.range_of_belief
        share = percent_down(low, FEW_DIGITS) if when == "at_least" else percent_up(high, FEW_DIGITS)
    return "" if share == percent(people / N_PEOPLE) else f" ({share})"


def people_alternative_text(result: MeaningResult) -> str:
    """Return what the squares of people show."""
    rows = zip(result.people["when"], result.people["people"], strict=True)
    return f"Of {N_PEOPLE} people: {'; '.join(f'{number} {head_words(result, when)}' for when, number in rows)}."


def beliefs_alternative_text(result: MeaningResult) -> str:
    """Return what the curves over every prior show."""
    low, high = result.range_of_belief
    least = f" and at least {percent_down(low)}" if result.is_pure else ""
    return (
        f"The probability after the release over the one before: from {percent(result.setting.prior)} to at most "
        f"{percent_up(high)}{least}. The larger ε is, the farther from the line of no change."
    )


def without_words(result: MeaningResult) -> str:
    """Return what stands in the place of a person’s data."""
    return "other data in the place of yours" if result.is_known else "your data left out"


def chances_alternative_text(result: MeaningResult) -> str:
    """Return what changes if a person is in the data, by one example, and why this is not the probability above."""
    without, least, most = result.chances.iloc[EXAMPLE]
    limits = f"{percent_down(least)} to {percent_up(most)}"
    return (
        "Anything that follows from the release, such as a decision about you, changes its chance by a limited "
        f"amount: {percent(without)} with {without_words(result)} is {limits} with your data. This is about what "
        f"happens to you, not the probability above {fact_words(result)}."
    )


def attack_text(result: MeaningResult) -> str:
    """Return on which attack the number depends, and how little another one changes it."""
    setting, few = result.setting, result.setting.alpha / 100
    rarer = replace(result, setting=replace(setting, alpha=few), pinned=None)
    highs = (percent_up(each.range_of_belief[1]) for each in (result, rarer))
    return (
        f"**The attack** wrongly suspects {percent(setting.alpha)} of the others, and at most "
        f"{percent_up(result.found, FEW_DIGITS)} of those who {people_words(result)}. The number depends on this: at "
        f"{percent(setting.alpha)} it is at most {next(highs)}, at {percent(few)} at most {next(highs)}. Outcomes that "
        f"would prove {fact_words(result)} have together a probability of at most {chance_in_words(result.used_delta)}."
    )


def relation_text(result: MeaningResult) -> str:
    """Return for which neighbouring data the number is, and what it is for the others."""
    setting = result.setting
    if setting.stated_for == "replace":
        return "A guarantee for **replacing** one person’s data limits what a fact about you changes by itself."
    other = replace(result, setting=replace(setting, stated_for="replace"), pinned=None)
    doubled = "ε counts twice" if result.is_pure else "ε counts twice, and δ 1 + e^ε times"
    once = percent_up(other.range_of_belief[1], FEW_DIGITS)
    count = "it counts" if result.is_pure else "they count"
    return (
        f"A changed fact removes you and adds you. Where the guarantee is for **{ADDED_OR_REMOVED}**, {doubled}. "
        f"Where it is for **replacing** one person’s data, {count} once: at most {once}."
        + (" As you don’t know which, this page has the larger number." if setting.stated_for == "unknown" else "")
    )


def average_text(result: MeaningResult) -> str:
    """Return how often guesses of a fact are right on average, which is less than after the outcome that tells most."""
    setting, high = result.setting, percent_up(result.range_of_belief[1], FEW_DIGITS)
    right = tradeoff.epsilon_delta_power(setting.prior, setting.epsilon, 0.0 if result.is_pure else setting.delta)
    when = "after the outcome that tells most" if result.is_pure else "for those whom the attack suspects"
    link = Link(TRADEOFF, "Noise from risk", {"section": "risk", "risk": "reconstruction"}).markdown
    return (
        f"**At worst, or on average.** {high} is {when}. On average over all outcomes, a guess that is right for "
        f"{percent(setting.prior)} without the release is right for at most {percent_up(float(right), FEW_DIGITS)} "
        f"with it: {link} limits that."
    )


def known_to_be_in(result: MeaningResult) -> MeaningResult:
    """Return the result for a person of whom everybody knows that they are in the data."""
    return replace(result, setting=replace(result.setting, in_data="known"), pinned=None)


def known_text(result: MeaningResult) -> str:
    """Return what a fact about a person becomes who is known to be in the data: it can be told more easily."""
    prior, most = percent(result.setting.prior), percent_up(known_to_be_in(result).range_of_belief[1], FEW_DIGITS)
    return (
        f"**If everybody knows that you are in the data**, as of those who get a letter because they are, what is "
        f"hidden is a fact about you. Its probability of {prior} becomes at most {most}: choose “Yes” in “{QUESTION}”."
    )
