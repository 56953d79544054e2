"""The section on Experiment 5.1: the share of the classical variance that exact calibration removes, along ε or δ."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from dpcore import gaussian
from dpcore.calibrations import FAILS, PROVED, UNDEFINED, WITHIN
from pages.framework.chart.theme import TYPE, compact, hairline, layout, pinned_curve, pinned_line
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Field, Fields, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    exact_text,
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_down,
    percent_up,
    pin_sentence,
    tex,
)
from pages.papers.balle_variance.results import (
    TABLE_EPSILONS,
    THIRD,
    RatioCurve,
    VarianceRatio,
    curve_axis,
    curves_frame,
    least_delta,
    other_curves,
    own_curve_at,
    ratio_at,
    ratio_frame,
    setting_ratio,
    table_deltas,
)
from pages.papers.parameters import VARIANCE_AGAINST, VARIANCE_DELTAS, VARIANCE_EPSILONS
from pages.papers.results import PapersResult
from pages.shared import guarantee_claims
from pages.shared.looks import LOOKS
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.page_links import Link
from pages.shared.shared_parameters import DELTA, EPSILON
from pages.shared.site_map import GAUSSIAN_BOUNDS
from pages.shared.status_lines import guarantee_axis, status_lines

_SMALL_RATIO = 1e-3
_LARGE_RATIO = 10.0  # of a larger ratio the share removed says little


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return what the analytic calibration saves at the setting, and whether the claim or the classical σ holds."""
    ratio = setting_ratio(result)
    meaning = _status_sentence(ratio) if ratio.status == FAILS else _claim_sentence(ratio)
    answer = f"At {result.setting.guarantee_text} {_saving_phrase(ratio)}.", meaning
    if result.pinned is None:
        return answer
    pinned = setting_ratio(result.pinned)
    change = f"{_ratio_phrase(pinned)} → {_ratio_phrase(ratio)}"
    return (
        *answer,
        pin_sentence(f"classical ÷ analytic variance {change}", result.pinned.setting.guarantee_text),
    )


def _saving_phrase(ratio: VarianceRatio) -> str:
    if ratio.status == UNDEFINED:
        return "the classical formula has no σ; the analytic one has"
    if ratio.status == FAILS:
        missing = percent_up(1 - ratio.ratio, 3) if ratio.ratio >= _SMALL_RATIO else "more than 99.9 %"
        return f"the classical σ is too small: its variance is {missing} below the required one"
    if ratio.ratio >= _LARGE_RATIO:
        return f"the classical Gaussian has {format_down(ratio.ratio, 3)} times the required variance"
    return f"the analytic Gaussian needs {percent_down(ratio.removed, 3)} less variance than the classical Gaussian"


def _claim_sentence(ratio: VarianceRatio) -> str:
    """Return whether the paper's claim holds at this δ."""
    share = percent_down(ratio.removed_at_one, 3)
    return (
        f"The paper’s “at least a third” holds at ε = 1 for δ from {format_up(least_delta(), 3)} on; at your δ the"
        f" saving there is {'' if ratio.removed_at_one >= THIRD else 'only '}{share}."
    )


def _status_sentence(ratio: VarianceRatio) -> str:
    """Return where the classical σ is proved, and where it is sufficient at this δ."""
    limit = format_down(ratio.failing_epsilon, 3)
    return f"The classical σ is proved for ε < 1 only; at this δ it is sufficient up to ε = {limit}."


def _ratio_phrase(ratio: VarianceRatio) -> str:
    return "no answer" if ratio.status == UNDEFINED else format_nearest(ratio.ratio)


def subtitle(result: PapersResult) -> str:
    """Return the parameters of the picture, and what its marks mean."""
    fixed = f"ε = {format_input_up(result.setting.epsilon)}"
    if curve_axis(result) == "epsilon":
        fixed = f"δ = {format_input_up(result.setting.delta)}"
    return f"Thick: {fixed}; any sensitivity. Dotted: classical σ sufficient but not proved (ε ≥ 1). Red ×: too small."


def alternative_text(result: PapersResult) -> str:
    """Return the text alternative of the picture and the table."""
    rows = ratio_frame(table_deltas(result))
    at_one = rows[rows["epsilon"] == 1.0]
    ratios = "; ".join(
        f"{format_nearest(ratio, 3)} at δ = {format_input_up(delta)}"
        for delta, ratio in zip(at_one["delta"], at_one["ratio"], strict=True)
    )
    return f"{' '.join(answer_text(result)[:2])} Classical over analytic variance at ε = 1: {ratios}."


def paper_claims_text(result: PapersResult) -> str:
    """Return the paper's claims, checked, and what to do."""
    ratio = setting_ratio(result)
    entries = {"epsilon": exact_text(ratio.epsilon), "delta": exact_text(ratio.delta)}
    link = Link(GAUSSIAN_BOUNDS, GAUSSIAN_BOUNDS.name, entries)
    return f"""\
{_claim_sentence(ratio) if ratio.status == FAILS else _status_sentence(ratio)}

**“Removes at least a third of the variance”** (Balle & Wang 2018, abstract). This is true at ε = 1 for every \
δ from {format_up(least_delta(), 3)} on, and below ε = 1 for smaller δ too. It is not true for every δ: at ε = 1 \
and δ = 1e-10 the saving is {percent_down(ratio_at(1.0, 1e-10).removed, 3)}.

**“By several orders of magnitude” as ε → 0** (§5.1). The ratio grows without bound as ε → 0 at a \
fixed δ: the classical σ grows like 1/ε, and the analytic σ never exceeds what (0, δ)-DP requires. \
How soon it grows depends on δ: at ε = 0.001 and your δ it is {format_nearest(ratio_at(0.001, ratio.delta).ratio, 3)}.

**What to do:** use the analytic σ. It is proved for every ε, and no Gaussian noise with a smaller σ satisfies \
the guarantee. In a release draw it with a floating-point-safe sampler: ordinary floating-point noise can reveal the \
data. σ itself, with all known bounds: {link.markdown}."""


READING_TEXT = (
    "Each cell gives the classical variance ÷ the analytic variance and, in brackets, the share that is removed. "
    "“! unproved”: outside the classical theorem (ε < 1), but the noise is sufficient. “✗ FAILS”: too little noise for "
    "the guarantee. The last column is the ε from which the classical σ is too small."
)

_BOTTOM, _TOP = -0.5, 1.02  # of the axis
_MARKS = {-0.5: "−50 %", 0: "0 %", 1 / 3: "a third", 0.5: "50 %", 0.8: "80 %", 0.9: "90 %", 1: "100 %"}
_DASHES = ("dash", "dashdot", "longdash", "longdashdot")
_SYMBOLS = {"epsilon": "ε", "delta": "δ"}
_LABELS = ((PROVED, ""), (WITHIN, ": not proved"), (FAILS, ": too little"))


def ratios(result: PapersResult, colours: Colours) -> Exhibit:
    """Return the picture of the share of the classical variance that is removed, along ε or δ."""
    along, setting, pinned = curve_axis(result), result.setting, result.pinned
    own, others = own_curve_at(along, setting.epsilon, setting.delta), other_curves(result)
    value, curves = getattr(setting, along), [*([own] if own else []), *others]
    title = "Share of the classical variance that exact calibration removes"
    y_axis = {"range": [_BOTTOM, _TOP], "tickvals": list(_MARKS), "ticktext": list(_MARKS.values())}
    y_axis |= {"title": {"text": "share of the variance removed"}}
    figure, traces = layout(colours, title, subtitle(result), guarantee_axis(along, value), y_axis), []
    span = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "layer": "below"}
    for level, width in ((0.0, 1.5), (THIRD, 1)):  # where nothing and where a third is removed
        style = {"line": {"color": colours["quiet"], "width": width}}
        figure["shapes"].append(span | {"y0": level, "y1": level} | style)
    if pinned is not None:
        curve = own_curve_at(along, pinned.setting.epsilon, pinned.setting.delta)
        traces += [pinned_curve(curve.x, curve.removed, colours)] if curve else []
    for place, curve in enumerate(others):
        traces += _curve_traces(curve, along, (colours["analytic"], _DASHES[place], 2.0), colours)
    if own is not None:
        traces += _curve_traces(own, along, (colours["analytic"], "solid", 3.5), colours)
    if any((curve.status == FAILS).any() for curve in curves):
        note = {"text": "✗ below 0: too little noise", "showarrow": False, "xref": "paper", "y": _BOTTOM}
        side = {"x": 0, "xanchor": "left", "yanchor": "bottom", "font": {"size": TYPE, "color": colours["fails"]}}
        figure["annotations"].append(note | side)
    hairline(figure, colours, value, f"{_SYMBOLS[along]} = {format_input_up(value)}", along)
    if pinned is not None:
        pinned_line(figure, colours, getattr(pinned.setting, along))
    drawn, numbers = {"data": traces, "layout": figure}, partial(curves_frame, along, curves)
    return Exhibit("variance_ratio", drawn, alternative_text(result), numbers, csv_header(result))


def _curve_traces(
    curve: RatioCurve, along: str, look: tuple[str, str, float], colours: Colours
) -> list[dict[str, Any]]:
    """Return the curve in the looks of the verdicts on the classical σ."""
    shade, dash, width = look
    name = f"{'δ' if along == 'epsilon' else 'ε'} = {format_input_up(curve.value)}"
    hover = {"hovertemplate": "%{y:.1~%} removed, %{customdata:.4~g} ×", "customdata": compact(curve.ratio)}
    hover |= {"legendgroup": name}
    style = {"color": shade, "dash": dash, "width": width}
    return status_lines(curve.x, curve.removed, curve.status, name, style, colours, _LABELS, **hover)


def explanation_text(result: PapersResult) -> str:
    """Return how the ratio is computed, in Markdown with TeX and the user's numbers."""
    ratio = setting_ratio(result)
    epsilon, delta = tex(format_input_up(ratio.epsilon)), tex(format_input_up(ratio.delta))
    numbers = ""
    if ratio.status != UNDEFINED:
        functions = gaussian.classical_sigma, gaussian.analytic_sigma
        classical, analytic = (tex(format_up(float(sigma(ratio.epsilon, ratio.delta)))) for sigma in functions)
        numbers = (
            rf"$$\varepsilon={epsilon},\ \delta={delta}:\quad "
            rf"\frac{{\sigma_{{\text{{classical}}}}^2}}{{\sigma_{{\text{{analytic}}}}^2}}="
            rf"\left(\frac{{{classical}\,\Delta_2}}{{{analytic}\,\Delta_2}}\right)^2={tex(format_nearest(ratio.ratio))}$$"
        )
    return "\n\n".join((_CLASSICAL, _ANALYTIC, numbers, _STATUS, _COST))


_CLASSICAL = (
    "**Classical Gaussian** (Dwork & Roth 2014, Theorem A.1), proved for 0 < ε < 1:\n\n"
    rf"$${LOOKS['classical'].equation}$$"
)
_ANALYTIC = (
    "**Analytic Gaussian** (Balle & Wang 2018, Theorem 8), exact for every ε ≥ 0: the least σ with\n\n"
    rf"$${LOOKS['analytic'].equation}$$"
)
_STATUS = (
    "Both σ are proportional to Δ₂, so their ratio does not depend on the query. The classical theorem "
    "does not cover ε ≥ 1; whether its σ is sufficient there follows from its exact δ (Theorem 8). Where it is, the "
    "ratio is at least 1. A ratio below 1 is not a saving: the classical σ violates the guarantee."
)
_COST = (
    "**Sensitivity.** Δ₂ may be that of either neighbouring relation, add or remove or replace, if the guarantee is "
    "stated for the same one."
)


def table_html(result: PapersResult) -> str:
    """Return the ratios as an accessible HTML table, a row for each δ, with the status of the classical σ."""
    heads = ["δ", *(f"ε = {format_input_up(epsilon)}" for epsilon in TABLE_EPSILONS), "Too small from"]
    body = []
    for delta, rows in ratio_frame(table_deltas(result)).groupby("delta", sort=False):
        records = rows.to_dict("records")
        cells = [_ratio_cell(float(record["ratio"]), record["status"]) for record in records]
        limit = f"ε = {format_up(float(records[0]['fails_from']), 3)}"
        body.append([format_input_up(float(str(delta))), *cells, limit])
    return number_format.table_html("Classical variance ÷ analytic variance", "ratios", heads, body)


def _ratio_cell(value: float, status: str) -> str:
    if status == FAILS:
        return f"{format_nearest(value, 3)} ✗ FAILS"
    unproved = "" if status == PROVED else " ! unproved"
    return f"{format_nearest(value, 3)} ({percent_down(1 - 1 / value, 3)}){unproved}"


def ratio_table(result: PapersResult, _: Colours) -> Exhibit:
    """Return the table of the ratios, each with its status."""
    html, alternative = table_html(result), alternative_text(result)
    numbers = partial(ratio_frame, table_deltas(result))
    return Exhibit("variance_ratios", html, alternative, numbers, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV."""
    setting, pinned = result.setting, result.pinned
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta)}
    own["units"] = "epsilon in nats; delta a probability; sigma for an l2 sensitivity of 1; ratio of variances"
    if pinned is not None:
        own["pinned"] = f"epsilon {pinned.setting.epsilon!r}, delta {pinned.setting.delta!r}"
    return own


_NO_CLASSICAL = {
    OPENDP: "It has neither the classical σ nor the analytic one, but one by ρ-zCDP.",
    DP_ACCOUNTING: "It has the analytic σ and not the classical one.",
    OPACUS: "It has noise multipliers by its accountants, and neither of the two.",
}


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the ratio of the variances, and the share that is removed."""
    ratio = setting_ratio(result)
    if ratio.status == UNDEFINED:
        return ()
    code = program(
        "from dpcore import denoise",
        "",
        f"epsilon, delta = {number(ratio.epsilon)}, {number(ratio.delta)}",
        "ratio = denoise.variance_ratio(epsilon, delta)",
        "print(ratio)",
        "print(1 - 1 / ratio)",
    )
    note = "Classical over analytic variance, and the share removed."
    own = Snippet(DPCORE, code, note, (ratio.ratio, ratio.removed))
    if ratio.epsilon > 1:
        reason = "Its classical Gaussian takes ε up to 1 only."
        return own, *unavailable(_NO_CLASSICAL | {DIFFPRIVLIB: reason})
    other = program(
        "from diffprivlib.mechanisms import Gaussian, GaussianAnalytic",
        "",
        f"guarantee = dict(epsilon={number(ratio.epsilon)}, delta={number(ratio.delta)}, sensitivity=1.0)",
        "print(Gaussian(**guarantee).variance(0.0) / GaussianAnalytic(**guarantee).variance(0.0))",
    )
    note = "Classical over analytic variance."
    limits = Limit("ε", ratio.epsilon, 0.01, 1), Limit("δ", ratio.delta, 1e-10, 0.1)
    diffprivlib = within(Snippet(DIFFPRIVLIB, other, note, (ratio.ratio,), 1 - 1e-4, 1 + 1e-4), *limits)
    return own, *unavailable(_NO_CLASSICAL), diffprivlib


def claims(result: PapersResult) -> Iterator[Claim]:
    """Yield that the analytic σ satisfies the guarantee, as shown and as computed."""
    epsilon, delta = result.setting.epsilon, result.setting.delta
    analytic = float(gaussian.analytic_sigma(epsilon, delta))
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(epsilon, delta, 1.0), format_up(analytic))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(epsilon, delta, 1.0), exact_text(analytic))
    yield Claim("The ratio of the variances", reason="It is the ratio of two computed numbers, and no guarantee.")


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the ratio along ε or δ, what of the paper's claims is true, and the ratios in numbers."""
    yield ratios(result, colours)
    yield Fields((_other_curves(result),))
    yield paper_claims_text(result)
    yield ratio_table(result, colours)
    yield READING_TEXT


def _other_curves(result: PapersResult) -> Field:
    """Return the field of the δ, or ε, of the curves beside the page's own."""
    if curve_axis(result) == "epsilon":
        return Field(VARIANCE_DELTAS, "δ of the other curves", "At most four; the δ of the page is always drawn too.")
    return Field(VARIANCE_EPSILONS, "ε of the other curves", "At most four; the ε of the page is always drawn too.")


SECTION = Section[PapersResult](
    controls=lambda _: (EPSILON, DELTA, Field(VARIANCE_AGAINST, "Horizontal axis")),
    parts=parts,
    key="variance",
    name="Balle & Wang 5.1: variance",
    answer_text=answer_text,
    explanation=explanation_text,
    exhibits=(ratios, ratio_table),
    claims=claims,
    snippets=snippets,
)
