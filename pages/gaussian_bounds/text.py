"""The words of the Gaussian bounds page: its answer, the table with its verdicts, how each σ is computed."""

import math

from dpcore.calibrations import FAILS, FLOOR, LOWER, SILENT, UNDEFINED, WITHIN
from dpcore.comparison import BoundRow, classical_limit
from pages.framework.parameters.number_format import (
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    share,
    variance_comparison,
)
from pages.framework.parameters.number_format import table_html as table
from pages.shared import formulas
from pages.shared.formulas import short_name, verdict
from pages.shared.shared_parameters import SharedSetting

_NECESSARY = (
    f"a necessary condition of {LOWER.promise}, not a sufficient one: no Gaussian noise with a smaller σ satisfies it, "
    "and noise of this σ satisfies it only at the largest δ for which the bound holds"
)

Rows = dict[str, BoundRow]

SHARE_ALT = (
    "Liu's pDP σ is below the classical σ at every δ up to 0.5 and every ε below 1; the share falls as ε shrinks "
    "and, up to δ = 0.38, as δ grows."
)
ROUNDING = (
    "To four digits: σ, variance, accuracy, δ, ε and μ rounded up, the lower bound's down. μ is the sensitivity in "
    "units of σ, Δ₂/σ. pDP is probabilistic DP: the privacy loss exceeds ε with probability at most δ."
)


def described(setting: SharedSetting) -> str:
    """The four parameters in a line, as they were entered."""
    return f"{setting.place}, significance level {format_input_up(setting.significance)}"


def answer(rows: Rows, setting: SharedSetting) -> tuple[str, str]:
    """The page's answer, and what it means for the releases and beside the classical formula."""
    analytic, classical = rows["analytic"], rows["classical"]
    sentence = f"At {setting.place}, the analytic Gaussian needs σ = {format_up(analytic.mechanism.scale)}."
    reach = f"{share(setting.significance)} of releases fall within ±{format_up(analytic.accuracy)} of the truth"
    if classical.mechanism.status == UNDEFINED:
        rival = "the classical formula has no answer at so small an ε"
    elif classical.mechanism.status == FAILS:
        gives = f"gives δ = {format_up(classical.mechanism.true_delta)}, not {format_input_up(setting.delta)}"
        rival = f"the classical formula fails here: its σ = {format_up(classical.mechanism.scale)} {gives}"
    else:
        rival = (
            "the classical formula would"
            f" {variance_comparison((classical.mechanism.scale / analytic.mechanism.scale) ** 2)}"
        )
        rival += ", unproved at this ε" if classical.mechanism.status == WITHIN else ""
    return sentence, f"{reach[0].upper()}{reach[1:]}; {rival}."


def compared(rows: Rows, pinned: Rows) -> str:
    """What has changed since a setting was pinned."""
    now, before = rows["analytic"], pinned["analytic"]
    changes = (
        f"σ {format_up(before.mechanism.scale)} → {format_up(now.mechanism.scale)}, ±{format_up(before.accuracy)} →"
        f" ±{format_up(now.accuracy)}"
    )
    return f"Since the pinned setting: {changes}, of the analytic Gaussian."


def table_html(rows: Rows, setting: SharedSetting, pinned: Rows | None) -> str:
    """The bounds in full, as an accessible HTML table; with a pinned setting, σ as a multiple of the pinned one."""
    heads = ["Bound", "σ, query units", "Variance", f"± for <span>{share(setting.significance)}</span> of releases"]
    heads += [f"True δ at <span>ε = {format_input_up(setting.epsilon)}</span>"]
    heads += [f"True ε at <span>δ = {format_input_up(setting.delta)}</span>"]
    heads += ["μ", *(["σ ÷ pinned σ"] if pinned is not None else []), "Verdict"]
    body = []
    for key, row in rows.items():
        cells = ["–"] * 6
        if row.mechanism.status not in (SILENT, UNDEFINED):
            safe = format_down if row.mechanism.status == FLOOR else format_up
            cells = [safe(row.mechanism.scale), safe(row.mechanism.variance), safe(row.accuracy)]
            promised = (
                ["–"] * 3
                if row.mechanism.status == FLOOR
                else [format_up(row.mechanism.true_delta), format_up(row.true_epsilon), format_up(row.mu)]
            )
            cells += promised
        if pinned is not None:
            ratio = row.mechanism.scale / pinned[key].mechanism.scale
            cells.append("–" if math.isnan(ratio) else format_nearest(ratio))
        body.append(
            [
                short_name(row.calibration),
                *cells,
                verdict(row.calibration, row.mechanism.status, row.mechanism.true_delta, setting),
            ]
        )
    return table("The bounds in numbers", "verdicts", heads, body)


def explanation(rows: Rows, setting: SharedSetting) -> str:
    """How each σ is computed: the formula with the user's numbers, its range, its notion of privacy, its source."""
    parts = []
    for key, row in rows.items():
        bound = row.calibration
        if row.mechanism.status in (SILENT, UNDEFINED):
            said = verdict(bound, row.mechanism.status, row.mechanism.true_delta, setting)
            parts.append(f"**{bound.name}**: {said}. {formulas.RANGES[key]} {bound.theorem}.")
            continue
        formula = formulas.sigma(
            bound, setting, (format_down if row.mechanism.status == FLOOR else format_up)(row.mechanism.scale)
        )
        promised = _NECESSARY if bound.floor else f"promising {bound.promise}"
        parts.append(f"**{bound.name}**, {promised}. {formulas.RANGES[key]} Source: {bound.theorem}.\n\n$${formula}$$")
    limit = classical_limit(setting.delta)
    parts.append(
        f"At this δ the classical σ, though unproved from ε = 1 on, keeps its promise up to ε = {format_down(limit)}"
        f" and breaks it from ε = {format_up(limit)} on.\n\n**Two notions of δ.** (ε, δ)-DP asks Pr(M(x) ∈ S) ≤ e^ε"
        " Pr(M(x′) ∈ S) + δ for every set S. Probabilistic DP (pDP) asks more, that the privacy loss exceeds ε in"
        " absolute value with probability at most δ, so its δ is another quantity and its σ is larger. The columns of"
        " true δ and true ε speak of (ε, δ)-DP for every row.\n\n**Sensitivity and neighbours.** Δ₂ is the largest"
        " Euclidean distance by which the query moves between neighbouring data sets. The bounds hold for"
        " add-or-remove-one as well as replace-one neighbours, provided that Δ₂ was computed under the same relation"
        " (a histogram has Δ₂ = 1 for add/remove, √2 for replace).\n\n**Accuracy.** ± is −σ Φ⁻¹(α/2) for significance"
        " level α (Gaussian Mechanism Accuracy, 2020): the noise alone, for one released number. It is no sampling"
        " confidence interval."
    )
    return "\n\n".join(parts)


def alternative(rows: Rows, setting: SharedSetting) -> str:
    """What the pictures of the bounds show, in a sentence for those who can't see them."""
    parts = []
    for row in rows.values():
        ratio = row.mechanism.scale / rows["analytic"].mechanism.scale
        if not math.isnan(ratio):
            fails = " and fails" if row.mechanism.status == FAILS else ""
            asks = "is at" if row.mechanism.status == FLOOR else "asks for"
            parts.append(f"{row.calibration.name} {asks} {format_nearest(ratio)} times the analytic noise{fails}")
    return f"At {described(setting)}: {'; '.join(parts)}."
