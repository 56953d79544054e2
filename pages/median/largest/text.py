"""The sentences of the section "The largest of several"."""

from pages.framework.parameters.number_format import (
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    percent_down,
    table_html,
)
from pages.median.largest.figures import NAMES
from pages.median.largest.results import LargestResult
from pages.median.results import MedianResult
from pages.shared import release_steps
from pages.shared.glossary_links import glossary_link
from pages.shared.values.amounts import amount_up, unit_after

EXPLANATION = r"""
**The choice.** The score of a candidate is its count, which one person changes by at most 1. **Permute-and-flip** takes
the candidates in a random order and chooses the first whose coin of probability $q_r=e^{-\varepsilon(\max u-u_r)/2}$
shows heads; the **exponential mechanism** chooses r with a probability $\propto q_r$; and the third way chooses the
largest count with Laplace noise of scale $2/\varepsilon$. If one person is added or removed, counts only rise or only
fall: then ε stands for ε/2 (Dwork & Roth 2014, section 3.3; McKenna & Sheldon 2020; Ding et al. 2021). All three are
ε-DP; only the name of the candidate is published, and its count needs noise of its own.

**Probabilities** are exact: permute-and-flip $q_r\int_0^1\prod_{s\ne r}(1-tq_s)\,dt$, the noisy largest the integral of
its density. Where several share the largest count, each of them is right. **The largest m** are chosen one after the
other with ε/m each; they are right if they are the largest m, in any order.

**Over the lead**, all of the largest m rise or fall together against the others.
"""
MEANS = {
    "permute_and_flip": "permute-and-flip",
    "exponential": "the exponential mechanism",
    "report_noisy_max": "the largest noisy count",
}
PROOFS = {
    "permute_and_flip": "McKenna & Sheldon 2020, for counts that one person changes by 1",
    "exponential": "the exponential mechanism (McSherry & Talwar 2007), for counts that one person changes by 1",
    "report_noisy_max": "Dwork & Roth 2014, Claim 3.9, for counts that one person changes by 1",
}
SEVERAL = (
    "**Only the name is published.** A count beside it is a second release and needs a part of ε. Candidates must be a "
    "fixed list: one that appears because somebody is in it reveals this person."
)


def answer_text(result: MedianResult) -> tuple[str, ...]:
    """Return how probably the right ones are published, and which ε is enough for the wanted probability."""
    largest, setting = result.largest, result.setting
    n = len(largest.counts)
    are = "the largest one is" if largest.n_chosen == 1 else f"the largest {largest.n_chosen} are"
    first = (
        f"Of {n} candidates, {are} published rightly in **{percent_down(largest.right)}** of releases "
        f"(ε = {format_input_up(setting.epsilon)}, lead {format_nearest(largest.lead)})."
    )
    gap = amount_up(largest.expected_gap)
    missed = f"on average it has {gap} {unit_after(gap, 'people')} fewer than the largest"
    second = f"By {NAMES[largest.mechanism]}; {enough_words(largest)}; {missed}."
    if result.compared is None:
        return first, second
    old, new = (percent_down(part.largest.right) for part in (result.compared, result))
    return first, second, f"Compared with the pin: {old} → {new}."


def largest_steps_text(largest: LargestResult) -> str:
    """Return what to do, in three steps."""
    names = "one name" if largest.n_chosen == 1 else f"{largest.n_chosen} names, one after the other,"
    each = format_down(largest.epsilon / largest.n_chosen, 6)
    total = "" if largest.n_chosen == 1 else f" each, ε = {format_input_up(largest.epsilon)} for all"
    person = "added or removed" if largest.monotone else "replaced by another"
    return release_steps.steps_text(
        "Fix the candidates without the data, and make sure that each person is in one count.",
        f"**Draw {names} by {MEANS[largest.mechanism]}** with ε = {each}{total}, for a person who is {person}.",
        "Publish nothing but names, with ε and the conditions.",
    )


def enough_words(largest: LargestResult) -> str:
    """Return which ε is enough for the wanted probability."""
    wanted = percent(largest.wanted)
    enough = largest.least_epsilon
    if enough is None:
        return f"no ε gives {wanted}" if largest.n_chosen == 1 else f"no ε of the chart gives {wanted}"
    return f"{wanted} from ε = {format_up(enough, 3)} on"


def subtitle(result: MedianResult) -> str:
    """Return the parameters of the charts."""
    largest = result.largest
    return f"ε = {format_input_up(largest.epsilon)}, {len(largest.counts)} candidates, m = {largest.n_chosen}"


def lead_alternative(largest: LargestResult) -> str:
    """Return what the chart over the lead shows."""
    ends = largest.over_lead[largest.mechanism].iloc[[0, -1]]
    return (
        f"The probability that the right ones are published rises from {percent_down(ends.iloc[0])} with a lead of 1 "
        f"to {percent_down(ends.iloc[1])} with a lead of {format_nearest(largest.over_lead['lead'].iloc[-1])} people."
    )


def epsilon_alternative(largest: LargestResult) -> str:
    """Return what the chart over ε shows."""
    return (
        f"The probability that the right ones are published over ε: {percent_down(largest.right)} at ε = "
        f"{format_input_up(largest.epsilon)}; {enough_words(largest)}."
    )


def chances_html(largest: LargestResult) -> str:
    """Return the table of the probability of each candidate, as HTML."""
    heads = ["Count", *(name[0].upper() + name[1:] for name in NAMES.values())]
    columns = [largest.chances[key].tolist() for key in ("count", *NAMES)]
    rows = [[f"{count:,.0f}", *map(percent, chances)] for count, *chances in zip(*columns, strict=True)]
    return table_html("The probability of each to be chosen first", "readings", heads, rows)


def chances_alternative(largest: LargestResult) -> str:
    """Return what the table shows."""
    first = percent(float(largest.chances[largest.mechanism].iloc[0]))
    return f"The probability of each candidate to be chosen first, by three ways: {first} for the largest count."


GLOSSARY = f"How it works: {glossary_link('permute_and_flip', 'permute-and-flip')} in the glossary."
