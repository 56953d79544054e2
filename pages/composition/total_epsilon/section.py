"""The section "My releases": what the list costs together, what each line costs, how ε grows with a single line."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.composition import code
from pages.composition.code import accountant_claim
from pages.composition.figures import accountant_line
from pages.composition.parameters import ACCOUNTANT, RUNS
from pages.composition.results import (
    EDIT_LINK,
    GROWTH_ENDS,
    CompositionResult,
    all_releases,
    cost_at,
    csv_header,
    epsilon_or_none,
    growth_at,
    periods_at,
)
from pages.composition.total_epsilon import text
from pages.framework.chart.theme import TYPE, hairline, hover_head, layout, pinned_line, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, percent
from pages.shared.releases import description
from pages.shared.shared_parameters import DELTA, EPSILON

_NAME_LENGTH = 20  # characters of each of two lines with the name beside a bar
_MOST_DOTS = 40  # releases that are dots on the curve of ε as they add up
_HANDLE_HEIGHT = 26  # px from the axis to the upper end of the handle of ε


def costs_chart(result: CompositionResult, colours: Colours) -> Exhibit | None:
    """Return the chart with a bar for each line: what leaving it out saves, and its ε alone; None for a single line."""
    if growth_at(result) is not None:
        return None
    names, cost, pinned = result.names, cost_at(result), result.pinned and cost_at(result.pinned)
    epsilon, rows = result.setting.epsilon, len(names)
    totals = [item.together for item in (cost, pinned) if item is not None and math.isfinite(item.together)]
    axis_end = round_axis_end(1.12 * max(totals, default=epsilon))
    x_axis = {"range": [0, axis_end], "title": {"text": "ε (nats)"}}
    y_axis = {"range": [rows - 0.4, -0.6], "showgrid": False, "fixedrange": True}
    labels = [number_format.chart_lines(name, _NAME_LENGTH) for name in names]
    y_axis |= {"tickvals": list(range(rows)), "ticktext": labels}
    title = "ε of each line, and the ε saved by leaving it out"
    figure = layout(colours, title, text.subtitle(result), x_axis, y_axis)
    row_height = 36 if any("<br>" in label for label in labels) else 24  # px, for the lines of a name
    figure["height"] = max(figure["height"], 190 + row_height * rows)
    figure |= {"hovermode": "closest", "barmode": "overlay", "bargap": 0.35}
    figure["margin"] = figure["margin"] | {"r": 20}
    alone, saved = ([min(value, axis_end) for value in values] for values in (cost.alone, cost.saved))
    alone_texts = [number_format.format_up(value) if math.isfinite(value) else "none" for value in cost.alone]
    saved_texts = [number_format.format_nearest(value) if math.isfinite(value) else "all" for value in cost.saved]
    traces = [
        _bars(names, alone, "ε of the line alone", "ε = %{customdata} alone")
        | {"marker": {"color": colours["floor"]}, "customdata": alone_texts},
        _bars(names, saved, "ε saved without the line", "leaving it out saves ε = %{customdata}")
        | {"marker": {"color": colours["analytic"]}, "customdata": saved_texts},
    ]
    if math.isfinite(cost.together):
        _mark_total(figure, cost.together, f"total ε = {number_format.format_up(cost.together)}", colours)
    hairline(figure, colours, min(epsilon, axis_end), f"ε = {number_format.format_input_up(epsilon)}", "epsilon")
    if pinned is not None and math.isfinite(pinned.together):
        pinned_line(figure, colours, pinned.together)
    drawn, alternative = {"data": traces, "layout": figure}, text.alternative_text(result)
    return Exhibit("costs", drawn, alternative, lambda: lines_frame(result), _costs_csv_header(result))


def growth_chart(result: CompositionResult, colours: Colours) -> Exhibit | None:
    """Return ε as the releases of the only line add up, beside basic composition; None for several lines."""
    growth, epsilon = growth_at(result), result.setting.epsilon
    if growth is None:
        return None
    last, highest = growth.axis_ends
    end = last if last in GROWTH_ENDS else round_axis_end(last)
    x_axis = {"range": [0, 1.3 * end], "title": {"text": "releases"}}  # with room for the names at the ends
    y_axis = {"range": [0, round_axis_end(highest)], "title": {"text": "total ε (nats)"}}
    title = "Total ε over the number of releases" if np.isfinite(growth.together[-1]) else "These releases have no ε"
    is_seen, subtitle = epsilon <= y_axis["range"][1], text.growth_subtitle(result)
    subtitle += f" Dashed: ε = {number_format.format_input_up(epsilon)}." if is_seen else ""
    figure = layout(colours, title, subtitle, x_axis | hover_head("releases"), y_axis)
    traces = []
    for values, key, name in ((growth.basic, "basic", "basic"), (growth.together, "exact", "together")):
        known = np.isfinite(values)
        if not known.any():
            continue
        x, y = growth.releases[known], values[known]
        label = f"{name}: ε = {number_format.format_up(y[-1])}"  # stands at the end of the curve
        look = accountant_line(key, x, y, label, colours, hovertemplate=f"{name}: ε = %{{y:.4~g}}<extra></extra>")
        mode = "lines+markers" if x[-1] <= _MOST_DOTS else "lines"  # few releases are seen one by one
        shade, group = look["line"]["color"], {"legendgroup": name, "cliponaxis": False}
        traces.append(look | {"mode": mode, "marker": {"color": shade, "size": 6}} | group)
        end = {"type": "scatter", "mode": "markers", "x": [x[-1]], "y": [y[-1]], "showlegend": False}
        traces.append(end | {"marker": {"color": shade, "size": 10}, "hoverinfo": "skip"} | group)
    if is_seen:
        level = {"type": "line", "x0": 0, "x1": 1, "xref": "x domain", "y0": epsilon, "y1": epsilon}
        figure["shapes"].append(level | {"line": {"color": colours["quiet"], "dash": "dash", "width": 1}})

    def numbers() -> pd.DataFrame:
        return pd.DataFrame({"releases": growth.releases, "together": growth.together, "basic": growth.basic})

    drawn, alternative = {"data": traces, "layout": figure}, text.growth_alternative_text(growth)
    return Exhibit("growth", drawn, alternative, numbers, _costs_csv_header(result))


def _bars(names: Sequence[str], values: Sequence[float], name: str, hover: str) -> dict[str, Any]:
    """Return a bar for each line."""
    return {
        "type": "bar",
        "orientation": "h",
        "x": values,
        "y": list(range(len(names))),
        "name": name,
        "hovertext": [number_format.chart_text(name) for name in names],
        "hovertemplate": f"%{{hovertext}}: {hover}<extra></extra>",
    }


def _mark_total(figure: Figure, value: float, label: str, colours: Colours) -> None:
    """Draw a strong line at the ε of all lines together."""
    style = {"color": colours["text"], "width": 2}
    span = {"x0": value, "x1": value, "y0": 0, "y1": 1, "yref": "y domain"}
    figure["shapes"].append({"type": "line", "line": style} | span)
    note = {"text": label, "showarrow": False, "font": {"size": TYPE}, "x": value, "xanchor": "right"}
    note |= {"y": 0, "yref": "y domain", "yanchor": "bottom", "xshift": -4}
    note |= {"yshift": _HANDLE_HEIGHT, "bgcolor": colours["paper"]}
    figure["annotations"].append(note)


def lines_frame(result: CompositionResult) -> pd.DataFrame:
    """Return a row for each line of the list."""
    cost = cost_at(result)
    return pd.DataFrame(
        {
            "line": result.names,
            "release": [description(item) for item in result.setting.releases],
            "epsilon_alone": cost.alone,
            "epsilon_without": cost.without,
            "epsilon_saved": cost.saved,
        }
    )


def lines_table_html(result: CompositionResult) -> str:
    """Return what each line is, costs alone, and saves if it is left out, as a table."""
    cost = cost_at(result)
    heads = ["Line", "ε alone", "ε of the others", "ε saved", "Release"]  # a phone shows only the first columns
    columns = zip(
        result.names,
        map(epsilon_or_none, cost.alone),
        map(epsilon_or_none, cost.without),
        (_savings_text(saved, cost.savings_base) for saved in cost.saved),
        map(description, result.setting.releases),
        strict=True,
    )
    rows = [list(row) for row in columns]
    return number_format.table_html("What each line costs", "lines", heads, rows)


def _savings_text(saved: float, together: float) -> str:
    if math.isinf(saved):
        return "all"
    share = f" ({percent(saved / together, 2)})" if 0 < together < math.inf else ""
    return f"{format_nearest(saved)}{share}"


def periods_frame(result: CompositionResult) -> pd.DataFrame:
    """Return a row for each period over which the whole list is run."""
    rows = [(name, *values) for name, values in periods_at(result).rows.items()]
    return pd.DataFrame(rows, columns=["period", "epsilon", "epsilon_rdp", "epsilon_added"])


def periods_table_html(result: CompositionResult) -> str:
    """Return the ε of the list if it is run repeatedly with fresh noise, as a table."""
    rows = [[name, *(epsilon_or_none(value) for value in values)] for name, values in periods_at(result).rows.items()]
    exact = "Exact ε" if periods_at(result).is_exact else "ε, least upper bound"
    heads = ["Whole list released", exact, "ε by RDP", "Basic composition over days, total δ fixed"]
    return number_format.table_html("ε of the whole list over time", "periods", heads, rows)


_PARAGRAPHS = (
    "**Composition.** A release has a privacy loss $L=\\ln\\frac{P(\\text{outcome})}{Q(\\text{outcome})}$ for "
    "neighbouring data sets with outcomes $P$ and $Q$. The losses of releases with independent noise add up, and "
    "together the releases satisfy (ε, δ)-DP "
    "with\n\n$$\\delta(\\varepsilon)=\\mathbb{E}\\left[1-e^{\\varepsilon-L}\\right]_+$$\n\nand with $P$ and $Q$ "
    "exchanged; the larger of the two values counts.",
    "**Exact.** $\\delta(\\varepsilon)=\\frac1{2\\pi i}\\int\\frac{e^{K(s)-s\\varepsilon}}{s(1+s)}\\,ds$ with "
    "$K(s)=\\ln\\mathbb{E}_P e^{sL}$, which is the sum over the list; twice the integral’s estimate of its "
    "error is added. **Certified.** The privacy losses of each release are moved to the points of a grid such that the "
    "mass of both $P$ and $Q$ is preserved, which rounds every δ up (Doroshenko et al. 2022); Fourier transforms add "
    "them.",
    "**RDP** (Mironov 2017). The divergences $\\tau_i(\\alpha)$ add up, and "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$ "
    "(Canonne, Kamath & Steinke 2020). **zCDP** (Bun & Steinke 2016): $\\tau(\\alpha)=\\rho\\alpha$ with "
    "$\\rho=\\sum_i\\rho_i$.",
    "**Basic composition of lines.** $\\varepsilon=\\sum_i\\varepsilon_i$, $\\delta=\\sum_i\\delta_i$: the sums "
    "run over the lines. The releases of one line are composed exactly first, and the lines that need a δ share it "
    "equally. Basic composition of releases, in the section Accountants, adds the ε of every single release, which "
    "gives a larger total.",
)
EXPLANATION = "\n\n".join(_PARAGRAPHS)


def lines_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of what each line is and costs."""
    html, alternative = lines_table_html(result), text.alternative_text(result)
    return Exhibit("lines", html, alternative, lambda: lines_frame(result), _costs_csv_header(result))


def periods_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε when the list is run every day of a week, a month or a year."""
    html = periods_table_html(result)
    alternative = "ε of the whole list when it is released once, and daily for a week, for 30 days and for a year."
    return Exhibit("periods", html, alternative, lambda: periods_frame(result), _costs_csv_header(result))


def _costs_csv_header(result: CompositionResult) -> dict[str, Any]:
    units = "exact ones to 9 digits and rounded up, or certified; RDP, zCDP and basic composition upper bounds"
    return csv_header(result, units, accountant=result.setting.accountant)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield what each line costs, in a chart and a table, and the ε of the list over a year."""
    yield growth_chart(result, colours) or costs_chart(result, colours)
    yield EDIT_LINK
    yield lines_table(result, colours)
    yield periods_table(result, colours)
    yield text.advice_text(result)


def claims(result: CompositionResult) -> Sequence[Claim]:
    """Return the guarantee of the total ε."""
    accountant = result.setting.accountant
    return [accountant_claim(accountant, all_releases(result), cost_at(result).together, result.setting.delta)]


SECTION = Section[CompositionResult](
    controls=lambda _: (RUNS, EPSILON, DELTA, Field(ACCOUNTANT, "Accountant")),
    parts=parts,
    key="together",
    name="My releases",
    answer_text=text.answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(growth_chart, costs_chart, lines_table, periods_table),
    claims=claims,
    snippets=lambda result: code.list_snippets(result, result.setting.accountant),
)
