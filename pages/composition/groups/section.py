"""The section on groups, disjoint parts, shuffled reports, and parameters that are chosen adaptively."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from dpcore import composition
from pages.composition.groups import text
from pages.composition.groups.results import RENYI_ORDER, GroupsResult, groups_at
from pages.composition.parameters import GROUP, LOCAL_EPSILON, REPORTS
from pages.composition.results import CompositionResult
from pages.framework.chart.theme import decades, ghost, hairline, hover_head, layout, line, log_axis, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.code_panel import number, program, unavailable
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
from pages.shared.libraries import DPCORE, PEERS
from pages.shared.shared_parameters import DELTA, EPSILON


def groups_frame(result: GroupsResult) -> pd.DataFrame:
    """Return ε at δ over the size of the group."""
    sizes = result.sizes
    frame = {"size": sizes, "pure": result.pure_at(sizes), "gaussian": result.gaussian_at(sizes)}
    return pd.DataFrame(frame | {"profile": result.profile_at(sizes)})


def reports_frame(result: GroupsResult) -> pd.DataFrame:
    """Return ε at δ of the shuffled reports over their number."""
    reports = result.numbers_of_reports
    frame = pd.DataFrame(result.shuffled_at(reports), columns=["clones_2021", "clones_2023", "numerical"])
    frame.insert(0, "reports", reports)
    return frame


def models_frame(result: GroupsResult) -> pd.DataFrame:
    """Return the quantities of one person and of the group, and the other models, as numbers."""
    setting = result.setting
    size = setting.size
    shuffled = dict(zip(("clones_2021", "clones_2023", "numerical"), result.shuffled, strict=True))
    order, divergence, group_divergence = result.renyi
    rows = [
        ("epsilon of pure DP", setting.epsilon, result.pure),
        ("delta at g times epsilon", setting.delta, result.group_delta),
        ("mu", result.mu, float(composition.group_mu(result.mu, size))),
        ("rho", result.rho, float(composition.group_rho(result.rho, size))),
        (f"Renyi divergence, order {order} of one, {RENYI_ORDER} of the group", divergence, group_divergence),
        ("epsilon of Gaussian noise at delta", setting.epsilon, result.gaussian),
        *((f"parallel, {key}", setting.epsilon, result.parallel(key)) for key in ("add_remove", "replace")),
        *(
            (f"delta of parallel, {key}", setting.delta, result.parallel_delta(key))
            for key in ("add_remove", "replace")
        ),
        *((f"shuffled, {key}", setting.local_epsilon, value) for key, value in shuffled.items()),
    ]
    return pd.DataFrame(rows, columns=["guarantee", "single", "together"])


def table_html(result: GroupsResult) -> str:
    """Return the table as accessible HTML."""
    setting, size = result.setting, result.setting.size
    delta, reports = format_input_up(setting.delta), f"{setting.reports:,}"
    names = [
        f"Group of {size}, pure ε-DP: gε",
        f"Group of {size}, (ε, δ)-DP alone: δ at gε",
        f"Group of {size}, μ-GDP: gμ",
        f"Group of {size}, ρ-zCDP: g²ρ",
        f"Group of {size}, Rényi DP: divergence at order {RENYI_ORDER}, from that of one person at {result.renyi[0]:,}",
        f"Group of {size}, Gaussian noise: ε at δ = {delta}",
        "Parallel composition, two disjoint parts, a person added or removed: largest ε",
        "The same, a person replaced, who may change parts: sum of the two largest ε",
        "Parallel composition, a person added or removed: largest δ",
        "The same, a person replaced: sum of the two largest δ",
        f"{reports} shuffled ε₀-reports, published 2021: ε at δ = {delta}",
        f"{reports} shuffled ε₀-reports, published 2023: ε at δ = {delta}",
        f"{reports} shuffled ε₀-reports, numerical: ε at δ = {delta}",
    ]
    frame = models_frame(result)
    numbers = zip(names, frame["single"].tolist(), frame["together"].tolist(), strict=True)
    rows = [[name, format_up(single), format_up(together)] for name, single, together in numbers]
    heads = ["Guarantee", "One person, or one report", "Together"]
    return number_format.table_html("Guarantees of groups, parts and shuffled reports", "readings", heads, rows)


HEIGHT = 380
"""The height of a chart beside another one, in pixels."""


def group_figure(result: GroupsResult, pinned: GroupsResult | None, subtitle: str, colours: Colours) -> Figure:
    """Draw ε of a group at δ over its size: g times ε, of Gaussian noise, and of any mechanism with its profile."""
    frame, setting = groups_frame(result), result.setting
    top = round_axis_end(float(frame[["pure", "gaussian"]].to_numpy().max()))
    x = {"range": [1, float(frame["size"].iloc[-1])], "title": {"text": "people g together"}} | hover_head("g")
    y = {"range": [0, top], "title": {"text": "ε of the group (nats)"}}
    figure = layout(colours, "What the guarantee becomes for a group", subtitle, x, y) | {"height": HEIGHT}
    hairline(figure, colours, setting.size, f"g = {setting.size}", "group")
    traces = []
    if pinned is not None:
        before = groups_frame(pinned)
        traces.append(line(before["size"], before["gaussian"], "pinned", "", "solid", **ghost(colours)))
    looks = {
        "profile": ("any mechanism with its profile", "purple", "dashdot"),
        "pure": ("pure ε-DP: g times ε", "laplace", "dash"),
        "gaussian": ("Gaussian noise: g times μ", "analytic", "solid"),
    }
    for column, (name, colour, dash) in looks.items():
        height = frame[column].where(np.isfinite(frame[column]))
        traces.append(line(frame["size"], height, name, colours[colour], dash, hovertemplate="%{y:.4~g}"))
    return {"data": traces, "layout": figure}


def shuffle_figure(result: GroupsResult, subtitle: str, colours: Colours) -> Figure:
    """Draw ε of shuffled reports over their number, by both published bounds and numerically."""
    frame, setting = reports_frame(result), result.setting
    columns = ["clones_2021", "clones_2023", "numerical"]
    values = frame[columns].to_numpy()
    low, high = decades(-1, 0, float(values[values > 0].min(initial=1.0)), float(values.max()))
    x = log_axis("shuffled reports n", 1, 6) | hover_head("n")
    figure = layout(colours, "Local reports through a shuffler", subtitle, x, log_axis("ε (nats)", max(low, -6), high))
    figure["height"] = HEIGHT
    hairline(figure, colours, setting.reports, f"n = {format_nearest(setting.reports)}", "reports")
    looks = {
        "clones_2021": ("published 2021", "quiet", "dash"),
        "clones_2023": ("published 2023", "green", "longdash"),
        "numerical": ("numerical", "analytic", "solid"),
    }
    traces = []
    for column, (name, colour, dash) in looks.items():
        height = frame[column].where(frame[column] > 0)
        traces.append(line(frame["reports"], height, name, colours[colour], dash, hovertemplate="%{y:.4~g}"))
    return {"data": traces, "layout": figure}


def group_chart(result: CompositionResult, colours: Colours) -> Exhibit | None:
    """Return the chart of ε over the size of the group."""
    groups = groups_at(result)
    if groups is None:
        return None
    pinned = None if result.pinned is None else groups_at(result.pinned)
    figure = group_figure(groups, pinned, text.guarantee_words(groups), colours)
    alternative = without_markdown(" ".join(text.answer_sentences(groups)))
    return Exhibit("groups", figure, alternative, groups_frame(groups), _header(groups), picks=("group", ""))


def shuffle_chart(result: CompositionResult, colours: Colours) -> Exhibit | None:
    """Return the chart of ε over the number of shuffled reports."""
    groups = groups_at(result)
    if groups is None:
        return None
    figure = shuffle_figure(groups, text.reports_words(groups), colours)
    return Exhibit(
        "shuffled",
        figure,
        text.shuffle_text(groups),
        reports_frame(groups),
        _header(groups),
        picks=("reports", ""),
    )


def models_table(result: CompositionResult, _: Colours) -> Exhibit | None:
    """Return the table of all guarantees."""
    groups = groups_at(result)
    if groups is None:
        return None
    html, numbers = table_html(groups), partial(models_frame, groups)
    return Exhibit("models", html, text.table_text(groups), numbers, _header(groups))


def _header(groups: GroupsResult) -> dict[str, str]:
    setting = groups.setting
    entries = {"epsilon": setting.epsilon, "delta": setting.delta, "group": setting.size}
    entries |= {"local_epsilon": setting.local_epsilon, "reports": setting.reports}
    return {key: repr(value) for key, value in entries.items()} | {"units": "epsilon and rho in nats; mu without unit"}


_NO_SHUFFLING = "It has no bound for shuffled local reports."


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return the program that computes the answer."""
    groups = groups_at(result)
    if groups is None:
        return ()
    setting = groups.setting
    code = program(
        "from dpcore import composition, gaussian",
        "",
        f"epsilon, delta, people = {number(setting.epsilon)}, {number(setting.delta)}, {setting.size}",
        "sigma = gaussian.analytic_sigma(epsilon, delta)",
        "print(gaussian.epsilon_from_sigma(delta, sigma, people))",
        f"print(composition.shuffled_epsilon(delta, {number(setting.local_epsilon)}, {setting.reports}))",
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
    target = Target(format_up(groups.gaussian), format_input_up(groups.setting.delta), str(groups.setting.size))
    yield guarantee_claims.gaussian(target, exact_text(groups.sigma))
    yield Claim("ε of the shuffled reports", reason=_SHUFFLED)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the group, all guarantees in a table, the shuffled reports, and what holds in words."""
    if groups_at(result) is None:
        return
    yield group_chart(result, colours)
    yield shuffle_chart(result, colours)
    yield Fold((models_table(result, colours),), "Every guarantee in numbers")
    yield text.KINDS


SECTION = Section[CompositionResult](
    controls=lambda _: (EPSILON, DELTA, GROUP, LOCAL_EPSILON, REPORTS),
    parts=parts,
    key="groups",
    name="Groups and models",
    answer_text=text.answer_text,
    explanation=lambda result: f"{text.EXPLANATION}\n{text.ADAPTIVE}",
    exhibits=(group_chart, shuffle_chart, models_table),
    claims=claims,
    snippets=snippets,
)
