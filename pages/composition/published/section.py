"""The section "Published": published guarantees as printed and by the conversions of today."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import isnan, log10, nan
from typing import Any

import pandas as pd

from pages.composition import code
from pages.composition.parameters import AT_DELTA, RELEASED, YEARS
from pages.composition.published import results, text
from pages.composition.published.deployments_data import DEPLOYMENTS, Deployment
from pages.composition.published.results import Restatement
from pages.composition.results import CompositionResult
from pages.framework.chart.theme import TYPE, decades, hairline, layout, log_axis, markers, pinned_line, positive_or_nan
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Claim, Field, Fold, Part, Section
from pages.framework.parameters.number_format import cell_html, format_down, format_input_up, format_up
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

_HEIGHT = 480
_MARGINS, _ROW_HEIGHT = 70, 13.5  # px: at least a line of text for each row
_FOOT = 2  # rows without marks below the others, in which the handle of ε stands
_ABOVE_AXIS, _TOP = 54, 72  # px: the axis is on top, in sight before the last row is, the value of ε above its title
_LINE = 17  # px: of a second value of ε above the first
_USUAL = (0.3, 50.0)  # the range of all ε at the usual settings
_USUAL_MARKS = (0.3, 1.0, 3.0, 10.0, 30.0)


def guarantees_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of the printed ε of every guarantee, and of its ε by each conversion today."""
    rows, epsilon = results.restatements_at(result), results.total_epsilon(result)
    years, own = _years(result, rows), result.setting.epsilon
    x_axis = _x_axis([epsilon, own, *years, *(value for row in rows for value in _row_values(row))]) | {"side": "top"}
    names = [row.deployment.name for row in rows]
    y_axis = {"range": [len(rows) - 0.4 + _FOOT, -0.6], "tickvals": list(range(len(rows))), "ticktext": names}
    title = "Published guarantees: printed ε and ε today"
    figure = layout(colours, title, text.subtitle(result), x_axis, y_axis | {"fixedrange": True})
    least_height = _MARGINS + _ROW_HEIGHT * (len(rows) + _FOOT)
    figure |= {"hovermode": "closest", "height": _HEIGHT, "meta": {"leastHeight": least_height}}
    is_added_up = epsilon != own
    figure["margin"] = figure["margin"] | {"r": 84, "t": _TOP + _LINE * is_added_up}
    where = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "showarrow": False}
    where |= {"font": {"size": TYPE, "color": colours["quiet"]}}
    figure["annotations"] += [where | {"y": place, "text": row.deployment.period} for place, row in enumerate(rows)]
    traces = [_row_lines(rows, colours)]
    if result.pinned is not None:
        pinned_line(figure, colours, results.total_epsilon(result.pinned))
        pinned = results.restatements_at(result.pinned)
        look = ("triangle-up", 9, colours["ghost"])
        traces.append(_row_marks(pinned, [row.proved for row in pinned], "pinned", look))
    traces += _conversion_traces(rows, colours)
    if results.is_yearly(result):
        traces.append(_row_marks(rows, years, "in one year", ("cross-thin-open", 11, colours["text"])))
    if is_added_up:  # a line of all years is no handle of the ε of one
        hairline(figure, colours, epsilon, f"ε = {text.total_text(result)}")
        figure["annotations"][-1]["yshift"] = _ABOVE_AXIS + _LINE
    own_text = f"{format_input_up(own)} in each year" if is_added_up else text.total_text(result)
    hairline(figure, colours, own, f"ε = {own_text}", "epsilon")
    figure["annotations"][-1]["yshift"] = _ABOVE_AXIS
    drawn = {"data": traces, "layout": figure}
    return _exhibit("published", drawn, result)


def _x_axis(values: Sequence[float]) -> dict[str, Any]:
    """Return a log axis over the usual ε or, where one lies outside, over whole decades."""
    positive = [value for value in values if value > 0]
    if min(positive) >= _USUAL[0] and max(positive) <= _USUAL[1]:
        return log_axis("ε (nats)", 0, 1, marks=_USUAL_MARKS) | {"range": [log10(end) for end in _USUAL]}
    return log_axis("ε (nats)", *decades(-1, 2, *positive))


def _row_values(row: Restatement) -> tuple[float, ...]:
    return _printed(row), row.standard, row.tight, row.exact, row.at_least


def _years(result: CompositionResult, rows: Sequence[Restatement]) -> list[float]:
    """Return ε of one year of each guarantee for a time, with which that of a yearly release is compared."""
    if not results.is_yearly(result):
        return []
    return [(results.year_of(result, row.deployment) or (nan,))[0] for row in rows]


def _printed(row: Restatement) -> float:
    """Return the printed ε; NaN where the source prints ρ alone."""
    return nan if row.deployment.prints_rho else row.deployment.printed_epsilon


def _row_lines(rows: Sequence[Restatement], colours: Colours) -> dict[str, Any]:
    """Return a thin line in each row from the least to the greatest of its ε."""
    x: list[float | None] = []
    y: list[float | None] = []
    for place, row in enumerate(rows):
        values = [value for value in _row_values(row) if value > 0]
        x += [min(values), max(values), None]
        y += [place, place, None]
    style = {"color": colours["ghost"], "width": 3}
    trace = {"type": "scatter", "mode": "lines", "x": x, "y": y, "line": style}
    return trace | {"showlegend": False, "hoverinfo": "skip", "name": ""}


_SINGLE_GAUSSIAN, _IF_POISSON = "estimate: single Gaussian", "exact, if Poisson"


def _name_of_exact(row: Restatement) -> str:
    """Return what the exact ε of a guarantee is; empty for (ε, δ) at its own δ, which has none but the printed one."""
    if row.deployment.kind == "zcdp":
        return _SINGLE_GAUSSIAN
    if not row.deployment.is_covered:
        return _IF_POISSON
    return "" if row.deployment.kind == "guarantee" and row.delta == row.deployment.delta else "exact"


def _conversion_traces(rows: Sequence[Restatement], colours: Colours) -> list[dict[str, Any]]:
    """Return the ε of each row by each conversion, and the printed one."""
    standard, tight = [row.standard for row in rows], [row.tight for row in rows]
    exact, if_poisson, gaussian = (
        [row.exact if _name_of_exact(row) == name else nan for row in rows]
        for name in ("exact", _IF_POISSON, _SINGLE_GAUSSIAN)
    )
    at_least, printed = [row.at_least for row in rows], [_printed(row) for row in rows]
    lower_look = ("triangle-right", 11, colours["orange"])
    return [
        _row_marks(rows, standard, "standard conversion", ("circle", 9, colours["grey"])),
        _row_marks(rows, tight, "tight conversion", ("circle", 9, colours["green"])),
        _row_marks(rows, exact, "exact", ("square", 9, colours["blue"])),
        _row_marks(rows, if_poisson, _IF_POISSON, ("square-open", 9, colours["blue"])),
        _row_marks(rows, at_least, "shuffled: lower bound", lower_look, format_down),
        _row_marks(rows, gaussian, _SINGLE_GAUSSIAN, ("diamond", 10, colours["blue"])),
        _row_marks(rows, printed, "printed", ("line-ns-open", 15, colours["text"])) | {"showlegend": False},
    ]


def _row_marks(
    rows: Sequence[Restatement],
    values: Sequence[float],
    name: str,
    look: tuple[str, int, str],
    rounded: Callable[[float], str] = format_up,
) -> dict[str, Any]:
    """Return a mark in each row that has such an ε.

    `look` is its symbol, its size and its colour, and `rounded` formats a value towards its safe side.
    """
    symbol, size, shade = look
    labels = []
    for row, value in zip(rows, values, strict=True):
        delta = format_input_up(row.deployment.delta if name == "printed" else row.delta)
        labels.append("" if isnan(value) else f"{row.deployment.name}, {name}: {rounded(value)} at δ = {delta}")
    marker: dict[str, Any] = {"symbol": symbol, "size": size, "color": shade}
    if symbol.endswith("-open"):
        marker["line"] = {"width": 2.5, "color": shade}
    hover = {"customdata": labels, "hovertemplate": "%{customdata}<extra></extra>"}
    return markers(positive_or_nan(values), range(len(rows)), name, marker, **hover)


_CONVERSIONS_NAME = "Their ε by the proofs of today, and how to read the tables"
_HEADS = ("Guarantee", "Printed ε", "at δ", "Protects", "Unit of privacy", "Period", "Neighbours", "Source")
_CONVERSION_HEADS = (
    "Guarantee",
    "Defined by",
    "Standard conversion",
    "Tight conversion",
    "Exact",
    "at δ",
    "One year",
)


def guarantees_frame(result: CompositionResult) -> pd.DataFrame:
    """Return a row for each guarantee."""
    return pd.DataFrame([_csv_row(result, row) for row in results.restatements_at(result)])


def _csv_row(result: CompositionResult, row: Restatement) -> dict[str, object]:
    deployment, year = row.deployment, results.year_of(result, row.deployment) or (None, None)
    return {
        "guarantee": deployment.name,
        "epsilon_printed": None if deployment.prints_rho else deployment.printed_epsilon,
        "delta_printed": deployment.delta,
        "protects": deployment.protects,
        "unit": deployment.unit,
        "period": deployment.period,
        "adjacency": deployment.adjacency,
        "mechanism": deployment.mechanism or text.NOT_RECORDED,
        "accounting": deployment.accounting or text.NOT_RECORDED,
        "made_of": text.content_text(deployment),
        "delta": row.delta,
        "epsilon_standard": row.standard,
        "epsilon_tight": row.tight,
        "epsilon_exact": row.exact,
        "exact_is": _kind_of_exact(deployment),
        "epsilon_shuffled_at_least": row.at_least,
        "epsilon_proved": row.proved,
        "epsilon_year": year[0],
        "delta_year": year[1],
        "source": deployment.source,
        "url": deployment.url,
        "note": deployment.note,
    }


def _kind_of_exact(deployment: Deployment) -> str:
    """Return what kind of number the exact ε is."""
    if deployment.kind == "zcdp":
        return "an estimate: a single Gaussian release with this rho"
    if deployment.kind == "guarantee":
        return "as published, not checked"
    bound = "a certified upper bound under Poisson sampling"
    return bound if deployment.is_covered else f"{bound}, which this training did not use"


def _html(label: str, heads: tuple[str, ...], rows: Iterable[str]) -> str:
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    return (
        f"<div class='scroll guarantees' role='region' aria-label='{label}' tabindex='0'>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _row_html(row: Restatement) -> str:
    """Return a guarantee as its source printed it: whom it protects, over which time."""
    deployment = row.deployment
    cells = [text.printed_text(deployment), format_input_up(deployment.delta), deployment.protects, deployment.unit]
    cells += [deployment.period, deployment.adjacency]
    source = f"<a href='{escape(deployment.url)}' target='_blank' rel='noopener'>{escape(deployment.source)}</a>"
    return f"<tr>{_name_html(deployment)}{''.join(map(cell_html, cells))}<td class=long>{source}</td></tr>"


def _conversions_html(result: CompositionResult, row: Restatement) -> str:
    """Return the ε of a guarantee by each conversion."""
    conversions = [_conversion_cell(row, value) for value in (row.standard, row.tight)]
    cells = [text.content_text(row.deployment), *conversions, _exact_cell(row), format_input_up(row.delta)]
    year = results.year_of(result, row.deployment)
    by = " (zCDP)" if row.deployment.kind == "zcdp" else ""
    cells.append("–" if year is None else f"{format_up(year[0])} at δ = {format_input_up(year[1])}{by}")
    return f"<tr>{_name_html(row.deployment)}{''.join(map(cell_html, cells))}</tr>"


def _name_html(deployment: Deployment) -> str:
    address = escape(text.releases_link(deployment).address)
    return f"<th scope='row'><a href='{address}'>{escape(deployment.name)}</a></th>"


def _conversion_cell(row: Restatement, value: float) -> str:
    """Return an ε by a conversion, marked where the conversion does not apply to the deployment."""
    return text.epsilon_or_dash(value) if row.deployment.is_covered else f"{text.epsilon_or_dash(value)} if Poisson"


def _exact_cell(row: Restatement) -> str:
    """Return the exact ε, marked as an estimate of a ρ, or with the bounds of shuffled batches beside it."""
    if row.deployment.kind == "zcdp":
        return f"{text.epsilon_or_dash(row.exact)} est."
    if row.deployment.is_covered:
        return text.epsilon_or_dash(row.exact)
    shuffled = f"at least {format_down(row.at_least)}, at most {format_up(row.proved)}"
    return f"{_conversion_cell(row, row.exact)}; shuffled: {shuffled}"


_PARAGRAPHS = (
    "**Standard conversion** (Bun & Steinke 2016, Proposition 1.3; Mironov 2017, Proposition 3): "
    "$\\varepsilon=\\rho+2\\sqrt{\\rho\\ln(1/\\delta)}$, and of a Rényi curve "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\frac{\\ln(1/\\delta)}{\\alpha-1}$.",
    "**Tight conversion** (Canonne, Kamath & Steinke 2020, Proposition 12 and Corollary 13): "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$, with "
    "$\\tau(\\alpha)=\\rho\\alpha$ under zCDP.",
    "**Exact.** The least ε at δ of the composed mechanism: for DP-SGD from its privacy losses on a grid, "
    "rounded up; for a single Gaussian release with $\\mu=\\sqrt{2\\rho}$ by "
    "$\\delta=\\Phi(\\tfrac\\mu2-\\tfrac\\varepsilon\\mu)-e^{\\varepsilon}\\Phi(-\\tfrac\\mu2-"
    "\\tfrac\\varepsilon\\mu)$. "
    "ρ alone does not imply a single Gaussian release: for discrete noise, or for several releases, this is an "
    "estimate, and only the tight conversion is proved.",
    "**One year.** ε and δ of a guarantee are multiplied by the number of periods in a year (basic composition); ρ is "
    "multiplied and then converted at the same δ (zCDP). This is an upper bound for fresh noise in each period. It is "
    "omitted where a device repeats memoised responses.",
    "**Shuffled batches.** Lower bound: that of Chua et al. (2024) for batches that are shuffled anew in each "
    "epoch (zero-out neighbours), as in the section “Batches”. Upper bound: one Gaussian release for "
    "each epoch, $\\mu=\\sqrt E/\\sigma$, which holds for any order.",
)


def explanation_text(_: CompositionResult) -> str:
    """Return how the numbers of the section are computed."""
    return "\n\n".join((*_PARAGRAPHS, "**How each printed ε follows.**", text.details_text(DEPLOYMENTS)))


def guarantees_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of every guarantee as printed, with its unit and its period."""
    html = _html("Published guarantees", _HEADS, map(_row_html, results.restatements_at(result)))
    return _exhibit("promises", html, result)


def conversions_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of the ε of every guarantee by each conversion."""
    rows = (_conversions_html(result, row) for row in results.restatements_at(result))
    html = _html(_CONVERSIONS_NAME, _CONVERSION_HEADS, rows)
    return _exhibit("conversions", html, result)


def _exhibit(name: str, picture: Figure | str, result: CompositionResult) -> Exhibit:
    setting = result.setting
    header = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta), "at_delta": result.values["at_delta"]}
    header |= {key: str(result.values[key]) for key in ("released", *(["years"] if results.is_yearly(result) else []))}
    header |= {
        "units": "epsilon in nats; delta a probability; a year: basic composition of all its periods, of a rho by zCDP"
    }
    return Exhibit(name, picture, text.alternative_text(result), lambda: guarantees_frame(result), header)


_WHY_UNPROVED = (
    "Each published guarantee has its own: by its formula, by RDP, certified, or, for shuffled batches, without "
    "amplification, as the table says."
)


def controls(result: CompositionResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    mine = Field(RELEASED, "My release"), *((YEARS,) if results.is_yearly(result) else ())
    at = Field(AT_DELTA, "δ of the guarantees"), *(() if results.uses_own_deltas(result) else (DELTA,))
    return EPSILON, *mine, *at


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the guarantees in a chart and a table, and how to read them."""
    yield guarantees_chart(result, colours)
    yield text.comparison_text(result)
    yield Fold(lambda: (guarantees_table(result, colours),), "Each guarantee in numbers, with its source")
    yield text.WHAT_TO_DO
    proofs = f"{text.tightened_text()}\n\n{text.uncovered_text(result)}"
    yield Fold(lambda: (proofs, conversions_table(result, colours), text.CONVERSIONS_TEXT), name=_CONVERSIONS_NAME)


SECTION = Section[CompositionResult](
    controls=controls,
    parts=parts,
    key="published",
    name="Published",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(guarantees_chart, guarantees_table, conversions_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=code.restatement_snippets,
    statements=text.statements,
)
