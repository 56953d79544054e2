"""The section on the largest of several."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from dpcore import verify
from pages.framework.chart.theme import hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section, Snippet
from pages.framework.parameters.number_format import (
    capitalized,
    chart_text,
    exact_text,
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    pin_sentence,
    random_percent,
    table_html,
)
from pages.framework.parameters.parameter import Parameter
from pages.median.parameters import ALMOST_NOTHING, CHOSEN, COUNTS, COUNTS_HELP, MECHANISM, WANTED
from pages.median.results import LargestResult, MedianResult
from pages.shared.conditions import Subject, release_conditions
from pages.shared.counts.table import NEIGHBOURS
from pages.shared.other_libraries import ABOUT_EQUAL, DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.release_program.program import Choice, largest_statistic, release_downloads
from pages.shared.shared_parameters import EPSILON, glossary_link
from pages.shared.statements import Release, release_statements, steps_text
from pages.shared.values.parameters import amount_up, unit_after

_HEIGHT = 380
NAMES = {
    "permute_and_flip": "permute-and-flip",
    "exponential": "exponential mechanism",
    "report_noisy_max": "largest noisy count",
}
_LOOKS = {
    "permute_and_flip": ("analytic", "solid"),
    "exponential": ("orange", "dash"),
    "report_noisy_max": ("green", "dot"),
}
_Y: dict[str, Any] = {"range": [0, 1.02], "title": {"text": "probability of the right one"}, "tickformat": ",~%"}


def lead_figure(result: LargestResult, subtitle: str, colours: Colours) -> Figure:
    """Draw the probability over the lead, and mark that of the counts."""
    frame = result.over_lead
    last = float(frame["lead"].iloc[-1])
    x = {"range": [0, last], "title": {"text": "lead over the next (people)"}} | hover_head("lead")
    figure = layout(colours, "The right one is published, over its lead", subtitle, x, _Y) | {"height": _HEIGHT}
    hairline(figure, colours, result.lead, f"lead {format_nearest(result.lead)}")
    return {"data": _lines(frame, "lead", colours), "layout": figure}


def choice_epsilon_figure(result: LargestResult, subtitle: str, colours: Colours) -> Figure:
    """Draw the probability over ε, whose line is a handle, with the wanted one."""
    frame = result.over_epsilon
    ends = frame["epsilon"].iloc[[0, -1]].to_numpy()
    x = log_axis("ε (nats)", *map(round, np.log10(ends).tolist())) | hover_head("ε")
    figure = layout(colours, "The right one is published, over ε", subtitle, x, _Y)
    figure["height"] = _HEIGHT
    style = {"color": colours["quiet"], "dash": "dot", "width": 1}
    span = {"x0": 0, "x1": 1, "xref": "x domain", "y0": result.wanted, "y1": result.wanted}
    figure["shapes"].append({"type": "line", "line": style} | span)
    hairline(figure, colours, result.epsilon, f"ε = {format_nearest(result.epsilon)}", "epsilon")
    return {"data": _lines(frame, "epsilon", colours), "layout": figure}


def _lines(frame: pd.DataFrame, x: str, colours: Colours) -> list[dict[str, Any]]:
    return [
        line(frame[x], frame[key], NAMES[key], colours[shade], dash, hovertemplate="%{y:.4~%}")
        for key, (shade, dash) in _LOOKS.items()
    ]


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
_MEANS = {key: name if key == "permute_and_flip" else f"the {name}" for key, name in NAMES.items()}
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
        f"Of {n} candidates, {are} published rightly in **{random_percent(largest.right)}** of releases "
        f"(ε = {format_input_up(setting.epsilon)}, lead {format_nearest(largest.lead)})."
    )
    gap = amount_up(largest.expected_gap)
    missed = f"on average it has {gap} {unit_after(gap, 'people')} fewer than the largest"
    second = f"By {NAMES[largest.mechanism]}; {enough_words(largest)}; {missed}."
    if result.compared is None:
        return first, second
    old, new = (random_percent(part.largest.right) for part in (result.compared, result))
    return first, second, pin_sentence(f"{old} → {new}")


def largest_steps_text(largest: LargestResult) -> str:
    """Return what to do, in three steps."""
    names = "one name" if largest.n_chosen == 1 else f"{largest.n_chosen} names, one after the other,"
    each = format_down(largest.epsilon / largest.n_chosen, 6)
    total = "" if largest.n_chosen == 1 else f" each, ε = {format_input_up(largest.epsilon)} for all"
    person = "added or removed" if largest.monotone else "replaced by another"
    return steps_text(
        "Fix the candidates without the data, and make sure that each person is in one count.",
        f"**Draw {names} by {_MEANS[largest.mechanism]}** with ε = {each}{total}, for a person who is {person}.",
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


_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and chooses nothing.",
    OPACUS: "It trains models, and chooses nothing.",
}


def snippets(result: MedianResult) -> tuple[Snippet, ...]:
    """Return the programs of the choice."""
    largest = result.largest
    counts = ", ".join(f"{count:.0f}" for count in largest.counts)
    return (
        _own_snippet(largest, counts),
        _opendp_snippet(largest),
        _diffprivlib_snippet(largest, counts),
        *unavailable(_OTHERS),
    )


def _own_snippet(largest: LargestResult, counts: str) -> Snippet:
    options = f"mechanism={largest.mechanism!r}, monotone={largest.monotone}"
    is_one, epsilon = largest.n_chosen == 1, number(largest.epsilon)
    call = "winner_probability(counts" if is_one else f"top_probability(counts, {largest.n_chosen}"
    code = program(
        "from dpcore import selection", "", f"counts = [{counts}]", f"print(selection.{call}, {epsilon}, {options}))"
    )
    return Snippet(DPCORE, code, "The probability that the right ones are published.", (largest.right,))


def _opendp_snippet(largest: LargestResult) -> Snippet:
    code = program(
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "space = dp.vector_domain(dp.atom_domain(T=int))",
        f"distance = dp.linf_distance(T=int, monotonic={largest.monotone})",
        "noisy = lambda scale: dp.m.make_noisy_max(space, distance, dp.max_divergence(), scale)",
        f"print(dp.binary_search_param(noisy, 1, {number(largest.epsilon / largest.n_chosen)}))",
    )
    note = (
        "Its noisy max is permute-and-flip: it prints the scale of its noise for one choice, and noisy(scale)(counts) "
        "draws a choice."
    )
    scale = (1 if largest.monotone else 2) * largest.n_chosen / largest.epsilon
    return within(Snippet(OPENDP, code, note, (scale,), *ABOUT_EQUAL), Limit("ε", largest.epsilon, 0.01, 10))


def _diffprivlib_snippet(largest: LargestResult, counts: str) -> Snippet:
    own = number(largest.epsilon / largest.n_chosen)
    code = program(
        "from diffprivlib.mechanisms import PermuteAndFlip",
        "",
        f"counts = [{counts}]",
        f"choice = PermuteAndFlip(epsilon={own}, sensitivity=1, utility=counts, monotonic={largest.monotone})",
        "print(choice.randomise())",
    )
    return Snippet(DIFFPRIVLIB, code, "It draws one choice, the place of a candidate, and states no probability.")


_CANDIDATES = Subject(fixed="the candidates were fixed in advance", can_have_limit=False)
_NOISY = "It is a theorem (Dwork & Roth 2014, Claim 3.9); what is enclosed are the other two ways."


def lead_chart(result: MedianResult, colours: Colours) -> Exhibit:
    """Return the chart of the probability over the lead."""
    largest = result.largest
    figure, frame = lead_figure(largest, chart_text(subtitle(result)), colours), largest.over_lead
    first, last = map(random_percent, frame[largest.mechanism].iloc[[0, -1]])
    alternative = (
        f"The probability that the right ones are published rises from {first} with a lead of 1 to {last} with a lead "
        f"of {format_nearest(frame['lead'].iloc[-1])} people."
    )
    return Exhibit("over_lead", figure, alternative, frame, csv_header(result))


def choice_epsilon_chart(result: MedianResult, colours: Colours) -> Exhibit:
    """Return the chart of the probability over ε."""
    largest = result.largest
    figure, frame = choice_epsilon_figure(largest, chart_text(subtitle(result)), colours), largest.over_epsilon
    alternative = (
        f"The probability that the right ones are published over ε: {random_percent(largest.right)} at ε = "
        f"{format_input_up(largest.epsilon)}; {enough_words(largest)}."
    )
    return Exhibit("choice_over_epsilon", figure, alternative, frame, csv_header(result), ("epsilon", ""))


def chances(result: MedianResult, _: Colours) -> Exhibit:
    """Return the table of the probability of each candidate."""
    frame = result.largest.chances
    heads = ["Count", *map(capitalized, NAMES.values())]
    columns = [frame[key].tolist() for key in ("count", *NAMES)]
    rows = [[f"{count:,.0f}", *map(random_percent, each)] for count, *each in zip(*columns, strict=True)]
    html = table_html("The probability of each to be chosen first", "readings", heads, rows)
    first = random_percent(float(frame[result.largest.mechanism].iloc[0]))
    alternative = f"The probability of each candidate to be chosen first, by three ways: {first} for the largest count."
    return Exhibit("chances", html, alternative, frame, csv_header(result))


def csv_header(result: MedianResult) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    setting = result.setting
    entries = setting.texts("epsilon", "chosen", "wanted", "chooser", "neighbours")
    counts = ", ".join(map(exact_text, setting.counts))
    return entries | {"counts": counts, "units": "counts and leads in people; epsilon in nats; probabilities"}


def controls(_: MedianResult) -> Sequence[Field | Parameter]:
    """Return the counts, how many are published, and ε."""
    return Field(COUNTS, "Counts that you expect", COUNTS_HELP), CHOSEN, EPSILON, WANTED


def more_settings(_: MedianResult) -> Sequence[Field | Parameter]:
    """Return the mechanism and the neighbours."""
    return Field(MECHANISM, "Mechanism"), Field(NEIGHBOURS, "Neighbours")


def choice_conditions(result: MedianResult) -> Conditions:
    """Return the conditions of a choice."""
    return release_conditions(result.conditions, _CANDIDATES)


def statements(result: MedianResult) -> Statements:
    """Return the statements on the choice; the counts that the user expects are not in them."""
    largest, setting = result.largest, result.setting
    is_one, n = largest.n_chosen == 1, len(largest.counts)
    names = "name of the largest" if is_one else f"{largest.n_chosen} names of the largest"
    drawn = (
        "is drawn at random, more probably one with a" if is_one else "are drawn at random, more probably those with"
    )
    each = f"ε = {format_down(largest.epsilon / largest.n_chosen, 6)}{'' if is_one else ' for each name'}"
    release = Release(
        noise=f"The {names} of {n} candidates {drawn} larger count{'' if is_one else 's'}",
        error=("", ""),
        mechanism=f"{_MEANS[largest.mechanism]}, {each}",
        proof=PROOFS[largest.mechanism],
        epsilon=format_input_up(setting.epsilon),
        neighbours=setting.neighbours,
    )
    return release_statements(release, choice_conditions(result))


def downloads(result: MedianResult) -> Downloads | None:
    """Return the program that names the largest."""
    setting, largest = result.setting, result.largest
    choice = Choice(largest.mechanism, largest.epsilon, setting.neighbours == "replace", largest.n_chosen)
    statistic = largest_statistic("Largest", choice, len(largest.counts), 1, "")
    guarantee = largest.epsilon, 0.0
    return release_downloads(
        (statistic,), guarantee, setting.neighbours, choice_conditions(result), lambda: statements(result)
    )


def claims(result: MedianResult) -> Iterator[Claim]:
    """Yield the guarantee of one choice, where the largest count loses a person, or one takes the place of another."""
    largest = result.largest
    own = largest.epsilon / largest.n_chosen
    subject = f"δ({format_input_up(own)}) of one choice"
    if largest.mechanism == "report_noisy_max":
        yield Claim(subject, reason=_NOISY)
        return
    scores = [Decimal(exact_text(count)) for count in largest.ordered.tolist()]
    fewer, more = [scores[0] - 1, *scores[1:]], [scores[0], scores[1] + 1, *scores[2:]]
    changes = {"where the largest count has one person less": fewer, "where the next count has one person more": more}
    if not largest.monotone:
        changes = {"where a person moves from the largest count to the next": [fewer[0], *more[1:]]}
    numbers = {"epsilon": Decimal(format_input_up(own)), "noise_epsilon": Decimal(exact_text(own)), "scores": scores}
    numbers |= {"sensitivity": Decimal("0.5") if largest.monotone else Decimal(1), "mechanism": largest.mechanism}
    for change, other in changes.items():
        yield Claim(f"{subject}, {change}", ALMOST_NOTHING, verify.choice_delta, numbers | {"other_scores": other})


def parts(result: MedianResult, colours: Colours) -> Iterator[Part]:
    """Yield the probability over the lead and over ε, and that of each candidate."""
    yield lead_chart(result, colours)
    yield largest_steps_text(result.largest)
    yield SEVERAL
    yield Fold(lambda: (choice_epsilon_chart(result, colours),), "Another ε")
    link = f"How it works: {glossary_link('permute_and_flip', 'permute-and-flip')} in the glossary."
    yield Fold(lambda: (chances(result, colours), link), "Each candidate in numbers")


SECTION = Section[MedianResult](
    key="largest",
    name="The largest of several",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    conditions=choice_conditions,
    subject="names",
    exhibits=(lead_chart, choice_epsilon_chart, chances),
    claims=claims,
    snippets=snippets,
    statements=statements,
    downloads=downloads,
)
