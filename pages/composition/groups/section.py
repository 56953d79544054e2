"""The section on groups, disjoint parts, shuffled reports, and parameters that are chosen adaptively."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from dpcore import composition
from pages.composition.groups.results import MOST_EPSILON, RENYI_ORDER, GroupsResult, groups_at
from pages.composition.parameters import GROUP, LOCAL_EPSILON, REPORTS
from pages.composition.results import CompositionResult
from pages.framework.chart.theme import (
    decades,
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_curve,
    round_axis_end,
)
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Fold, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    exact_text,
    format_input_up,
    format_nearest,
    format_up,
    without_markdown,
)
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Target
from pages.shared.other_libraries import DPCORE, PEERS
from pages.shared.shared_parameters import DELTA, EPSILON

TOO_LARGE = (
    f"Groups are computed for ε up to {MOST_EPSILON:,.0f}: at a larger ε the guarantee protects nobody.",
    "Choose a smaller ε.",
)
KINDS = (
    "**Why gε is an upper bound.** Two data sets that differ in g people are linked by a chain of g neighbouring "
    "steps, and each step costs at most ε. Laplace noise on one number reaches gε. With (ε, δ) alone δ grows "
    "too, by more than g times; at the same δ, Gaussian noise therefore often has more than gε.\n\n"
    "**Parallel composition.** Releases on disjoint people cost the largest ε, not the sum, if the record alone "
    "decides in which part it is. If a person is replaced, the new one may be in another part: the two largest ε add "
    "up."
)
ADAPTIVE = (
    "**Parameters chosen adaptively.** Every number on this page allows queries that depend on earlier answers. If ε, "
    "σ or the number of releases depends on them too, sums of ε (pure DP), of ρ (zCDP) and of Rényi divergences at one "
    "order still hold as a **privacy filter**: fix the budget before the first release, and stop before the sum "
    "exceeds it (Rogers, Roth, Ullman & Vadhan 2016; Feldman & Zrnic 2021; Whitehouse, Ramdas, Rogers & Wu 2023). "
    "The exact composition of privacy losses has no such guarantee: use it for parameters that are fixed in advance."
)
EXPLANATION = r"""
**Groups.** A group of g people, or one person with g records where the guarantee is for one record:
$\varepsilon\to g\varepsilon$ (pure DP); $\delta\to\delta\,\frac{e^{g\varepsilon}-1}{e^\varepsilon-1}$ at
$g\varepsilon$ (Vadhan 2017, Lemma 2.2); $\mu\to g\mu$ (Dong, Roth & Su 2022); $\rho\to g^2\rho$ (Bun & Steinke 2016,
Prop. 1.9); a Rényi divergence $\tau(\alpha)\to3^c\,\tau(\alpha)$ at order $\alpha/2^c$, $c=\lceil\log_2g\rceil$
(Mironov 2017, Prop. 2), which is above the exact $g^2\rho\,\alpha$ of Gaussian noise. Gaussian noise moved g times as
far has the exact ε of gμ. “Any mechanism with its profile” applies Vadhan’s lemma to every point of δ(ε) and takes the
least ε.

**Parallel composition** (McSherry 2009): the largest ε if a person is added or removed, the sum of the two largest if a
person is replaced; δ likewise.

**Shuffling.** n people send reports with ε₀-DP, and a shuffler removes who sent which. Neighbours differ in one
person’s answer (replacement). The closed forms of Feldman, McMillan & Talwar 2021 (arXiv:2012.12803) and 2023
(arXiv:2208.04591) hold under conditions, outside which ε₀ is stated; the numerical bound sums over the clones of a
report and holds for every randomiser. All are upper bounds, rounded up, and never above ε₀. Against anybody who
sees reports before the shuffler, only ε₀ holds.
"""


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return what the guarantee becomes for the group, and for the shuffled reports; beside a pin its group."""
    groups = groups_at(result)
    if groups is None:
        return TOO_LARGE
    pinned = None if result.pinned is None else groups_at(result.pinned)
    if pinned is None:
        return answer_sentences(groups)
    words = f"Pinned: {guarantee_words(pinned)}; a group of {pinned.size} has ε = {format_up(pinned.gaussian)}."
    return *answer_sentences(groups), words


def answer_sentences(groups: GroupsResult) -> tuple[str, str]:
    """Return the two sentences of the answer."""
    people = "One person has" if groups.size == 1 else f"{groups.size} people together have"
    pure, gaussian = format_up(groups.pure), format_up(groups.gaussian)
    reports = f"{groups.reports:,} shuffled reports with ε₀ = {format_input_up(groups.local_epsilon)}"
    return (
        f"{people} **ε = {pure}** under pure ε-DP, **{gaussian}** under Gaussian noise at δ = "
        f"{format_input_up(groups.delta)}.",
        f"{reports} satisfy ε = {format_up(groups.shuffled[2])} at the same δ, if the shuffler is trusted.",
    )


def guarantee_words(groups: GroupsResult) -> str:
    """Return the guarantee of one person in words."""
    return f"One person: ε = {format_input_up(groups.epsilon)}, δ = {format_input_up(groups.delta)}"


def shuffle_text(groups: GroupsResult) -> str:
    """Return what the chart of shuffled reports shows."""
    first, second, numerical = map(format_up, groups.shuffled)
    return (
        f"ε of {groups.reports:,} shuffled reports: {first} by the bound of 2021, {second} by that of 2023, "
        f"{numerical} numerically. More reports give a smaller ε."
    )


def groups_frame(groups: GroupsResult) -> pd.DataFrame:
    """Return ε at δ over the size of the group."""
    sizes = groups.sizes
    frame = {"size": sizes, "pure": groups.pure_at(sizes), "gaussian": groups.gaussian_at(sizes)}
    return pd.DataFrame(frame | {"profile": groups.profile_at(sizes)})


def models_frame(groups: GroupsResult) -> pd.DataFrame:
    """Return the quantities of one person and of the group, and the other models, as numbers."""
    size, neighbours = groups.size, ("add_remove", "replace")
    shuffled = zip(("clones_2021", "clones_2023", "numerical"), groups.shuffled, strict=True)
    order, divergence, group_divergence = groups.renyi
    rows = [
        ("epsilon of pure DP", groups.epsilon, groups.pure),
        ("delta at g times epsilon", groups.delta, groups.group_delta),
        ("mu", groups.mu, float(composition.group_mu(groups.mu, size))),
        ("rho", groups.rho, float(composition.group_rho(groups.rho, size))),
        (f"Renyi divergence, order {order} of one, {RENYI_ORDER} of the group", divergence, group_divergence),
        ("epsilon of Gaussian noise at delta", groups.epsilon, groups.gaussian),
        *((f"parallel, {key}", groups.epsilon, groups.parallel(key)) for key in neighbours),
        *((f"delta of parallel, {key}", groups.delta, groups.parallel_delta(key)) for key in neighbours),
        *((f"shuffled, {key}", groups.local_epsilon, value) for key, value in shuffled),
    ]
    return pd.DataFrame(rows, columns=["guarantee", "single", "together"])


def table_html(groups: GroupsResult) -> str:
    """Return the table as accessible HTML."""
    group, delta, reports = f"Group of {groups.size}", format_input_up(groups.delta), f"{groups.reports:,}"
    names = [
        f"{group}, pure ε-DP: gε",
        f"{group}, (ε, δ)-DP alone: δ at gε",
        f"{group}, μ-GDP: gμ",
        f"{group}, ρ-zCDP: g²ρ",
        f"{group}, Rényi DP: divergence at order {RENYI_ORDER}, from that of one person at {groups.renyi[0]:,}",
        f"{group}, Gaussian noise: ε at δ = {delta}",
        "Parallel composition, two disjoint parts, a person added or removed: largest ε",
        "The same, a person replaced, who may change parts: sum of the two largest ε",
        "Parallel composition, a person added or removed: largest δ",
        "The same, a person replaced: sum of the two largest δ",
        f"{reports} shuffled ε₀-reports, published 2021: ε at δ = {delta}",
        f"{reports} shuffled ε₀-reports, published 2023: ε at δ = {delta}",
        f"{reports} shuffled ε₀-reports, numerical: ε at δ = {delta}",
    ]
    frame = models_frame(groups)
    numbers = zip(names, frame["single"].tolist(), frame["together"].tolist(), strict=True)
    rows = [[name, format_up(single), format_up(together)] for name, single, together in numbers]
    heads = ["Guarantee", "One person, or one report", "Together"]
    return number_format.table_html("Guarantees of groups, parts and shuffled reports", "readings", heads, rows)


_HEIGHT = 380
"""The height of a chart beside another one, in pixels."""


def group_chart(result: CompositionResult, colours: Colours) -> Exhibit | None:
    """Return ε of a group at δ over its size: g times ε, of Gaussian noise, and of any mechanism with its profile."""
    groups = groups_at(result)
    if groups is None:
        return None
    frame, pinned = groups_frame(groups), result.pinned and groups_at(result.pinned)
    top = round_axis_end(float(frame[["pure", "gaussian"]].to_numpy().max()))
    x = {"range": [1, float(frame["size"].iloc[-1])], "title": {"text": "people g together"}} | hover_head("g")
    y = {"range": [0, top], "title": {"text": "ε of the group (nats)"}}
    figure = layout(colours, "What the guarantee becomes for a group", guarantee_words(groups), x, y)
    figure["height"] = _HEIGHT
    hairline(figure, colours, groups.size, f"g = {groups.size}", "group")
    traces = []
    if pinned is not None:
        before = groups_frame(pinned)
        traces.append(pinned_curve(before["size"], before["gaussian"], colours))
    looks = {
        "profile": ("any mechanism with its profile", "purple", "dashdot"),
        "pure": ("pure ε-DP: g times ε", "laplace", "dash"),
        "gaussian": ("Gaussian noise: g times μ", "analytic", "solid"),
    }
    traces += _lines(frame.replace(np.inf, np.nan), "size", looks, colours)
    drawn, alternative = {"data": traces, "layout": figure}, without_markdown(" ".join(answer_sentences(groups)))
    return Exhibit("groups", drawn, alternative, frame, _header(groups), picks=("group", ""))


def _lines(frame: pd.DataFrame, x: str, looks: dict[str, tuple[str, str, str]], colours: Colours) -> list[Figure]:
    """Return a line for each column of ε; `looks` has name, colour and dash."""
    return [
        line(frame[x], frame[column], name, colours[colour], dash, hovertemplate="%{y:.4~g}")
        for column, (name, colour, dash) in looks.items()
    ]


def shuffle_chart(result: CompositionResult, colours: Colours) -> Exhibit | None:
    """Return ε of shuffled reports over their number, by both published bounds and numerically."""
    groups = groups_at(result)
    if groups is None:
        return None
    frame = groups.over_reports
    values = frame[["clones_2021", "clones_2023", "numerical"]].to_numpy()
    low, high = decades(-1, 0, float(values[values > 0].min(initial=1.0)), float(values.max()))
    axes = log_axis("shuffled reports n", 1, 6) | hover_head("n"), log_axis("ε (nats)", max(low, -6), high)
    subtitle = f"ε₀ = {format_input_up(groups.local_epsilon)}, δ = {format_input_up(groups.delta)}"
    figure = layout(colours, "Local reports through a shuffler", subtitle, *axes)
    figure["height"] = _HEIGHT
    hairline(figure, colours, groups.reports, f"n = {format_nearest(groups.reports)}", "reports")
    looks = {
        "clones_2021": ("published 2021", "quiet", "dash"),
        "clones_2023": ("published 2023", "green", "longdash"),
        "numerical": ("numerical", "analytic", "solid"),
    }
    drawn = {"data": _lines(frame.where(frame > 0), "reports", looks, colours), "layout": figure}
    return Exhibit("shuffled", drawn, shuffle_text(groups), frame, _header(groups), picks=("reports", ""))


def models_table(result: CompositionResult, _: Colours) -> Exhibit | None:
    """Return the table of all guarantees."""
    groups = groups_at(result)
    if groups is None:
        return None
    alternative = (
        f"The guarantee of one person and of {groups.size} together, of disjoint parts, and of "
        f"{groups.reports:,} shuffled reports."
    )
    return Exhibit("models", table_html(groups), alternative, partial(models_frame, groups), _header(groups))


def _header(groups: GroupsResult) -> dict[str, str]:
    entries = {"epsilon": groups.epsilon, "delta": groups.delta, "group": groups.size}
    entries |= {"local_epsilon": groups.local_epsilon, "reports": groups.reports}
    return {key: repr(value) for key, value in entries.items()} | {"units": "epsilon and rho in nats; mu without unit"}


_NO_SHUFFLING = "It has no bound for shuffled local reports."


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return the program that computes the answer."""
    groups = groups_at(result)
    if groups is None:
        return ()
    code = program(
        "from dpcore import composition, gaussian",
        "",
        f"epsilon, delta, people = {number(groups.epsilon)}, {number(groups.delta)}, {groups.size}",
        "sigma = gaussian.analytic_sigma(epsilon, delta)",
        "print(gaussian.epsilon_from_sigma(delta, sigma, people))",
        f"print(composition.shuffled_epsilon(delta, {number(groups.local_epsilon)}, {groups.reports}))",
        "print(composition.group_delta(epsilon, delta, people))",
    )
    printed = groups.gaussian, groups.shuffled[2], groups.group_delta
    note = "ε of the group under Gaussian noise, ε of the shuffled reports, and δ of the group at gε."
    return Snippet(DPCORE, code, note, printed), *unavailable(dict.fromkeys(PEERS, _NO_SHUFFLING))


_SHUFFLED = "Its δ is a sum over the clones of a report, each step rounded up."


def claims(result: CompositionResult) -> Iterator[Claim]:
    """Yield the guarantee of the displayed ε of the group, and that the shuffled one has no proof here."""
    groups = groups_at(result)
    if groups is None:
        return
    target = Target(format_up(groups.gaussian), format_input_up(groups.delta), str(groups.size))
    yield guarantee_claims.gaussian(target, exact_text(groups.sigma))
    yield Claim("ε of the shuffled reports", reason=_SHUFFLED)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the group, all guarantees in a table, the shuffled reports, and what holds in words."""
    if groups_at(result) is None:
        return
    yield group_chart(result, colours)
    yield shuffle_chart(result, colours)
    yield Fold(lambda: (models_table(result, colours),), "Every guarantee in numbers")
    yield KINDS


SECTION = Section[CompositionResult](
    controls=lambda _: (EPSILON, DELTA, GROUP, LOCAL_EPSILON, REPORTS),
    parts=parts,
    key="groups",
    name="Groups and models",
    answer_text=answer_text,
    explanation=lambda result: f"{EXPLANATION}\n{ADAPTIVE}",
    exhibits=(group_chart, shuffle_chart, models_table),
    claims=claims,
    snippets=snippets,
)
