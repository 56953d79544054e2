"""The words of the Gaussian bounds page: its answer, the table with its verdicts, how each σ is computed."""

import math
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.calibrations import FAILS, FLOOR, PROVED, SILENT, UNDEFINED, WITHIN, Calibration
from dpcore.checks import Array
from dpcore.comparison import BOUNDS, classical_limit
from pages.shared.text import down, extra, nearest, percent, tex, up
from pages.shared.text import table_html as table

Setting = dict[str, float]  # epsilon, delta, l2_sensitivity, significance
Rows = dict[str, dict[str, Any]]  # `comparison.table`, a row under the key of its bound

_FORMULAS = {
    "analytic": r"\Phi\!\left(\tfrac\mu2-\tfrac\varepsilon\mu\right)-e^{{\varepsilon}}\,\Phi\!\left(-\tfrac\mu2-"
    r"\tfrac\varepsilon\mu\right)=\delta,\ \mu=\tfrac{{\Delta_2}}\sigma:\quad \varepsilon={e},\ \delta={d},\ "
    r"\Delta_2={s}\ \Rightarrow\ \sigma={sigma}",
    "classical": r"\sigma=\frac{{\Delta_2\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}}="
    r"\frac{{{s}\cdot\sqrt{{2\ln(1.25/{d})}}}}{{{e}}}={sigma}",
    "classical_tight": r"\sigma=\frac{{\Delta_2}}\varepsilon\sqrt{{2\ln\!\left(\sqrt{{2e^{{8/9}}/\pi}}\,/\,\delta"
    r"\right)}}=\frac{{{s}}}{{{e}}}\sqrt{{2\ln\!\left(\sqrt{{2e^{{8/9}}/\pi}}\,/\,{d}\right)}}={sigma}",
    "pdp": r"\sigma=\frac{{\Delta_2\left(\sqrt{{q^2+2\varepsilon}}+q\right)}}{{2\varepsilon}},\ q=-\Phi^{{-1}}"
    r"(\delta/2):\quad \frac{{{s}\left(\sqrt{{q^2+2\cdot{e}}}+q\right)}}{{2\cdot{e}}}={sigma}",
    "exact_pdp": r"\Phi\!\left(\tfrac\mu2-\tfrac\varepsilon\mu\right)+\Phi\!\left(-\tfrac\mu2-\tfrac\varepsilon\mu"
    r"\right)=\delta,\ \mu=\tfrac{{\Delta_2}}\sigma:\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s}\ "
    r"\Rightarrow\ \sigma={sigma}",
    "lower": r"\sigma\ge\frac{{\Delta_2}}{{\sqrt{{2\varepsilon}}}}=\frac{{{s}}}{{\sqrt{{2\cdot{e}}}}}={sigma}",
}
SHARE_ALT = (
    "Liu's pDP σ is below the classical σ at every δ up to 0.5 and every ε below 1; the share falls as δ grows and as "
    "ε shrinks."
)
CZECH = "The Czech autoworkers table (64 cells, 1,841 men; Edwards & Havránek 1985)"
_RANGES = {
    "analytic": "Exact for every ε ≥ 0.",
    "classical": "Proved for 0 < ε < 1 only.",
    "classical_tight": "Proved for 0 < ε < 1 only.",
    "pdp": "Proved for every ε > 0.",
    "exact_pdp": "Exact for every ε > 0.",
    "lower": "Holds where δ ≤ ½ − e^ε Φ(−√(2ε)). The condition that the paper prints, δ < ½ − e^(−3ε)/√(4πε), is too "
    "wide.",
}
ROUNDING = "To four digits: σ, variance, accuracy, δ, ε and μ rounded up, the lower bound's first three down."
PIN_HELP = "Keeps this setting as grey curves, and adds a column of ratios to the table, while you try another."


def described(setting: Setting) -> str:
    """The four parameters in a line, as they were entered."""
    return (
        f"ε = {nearest(setting['epsilon'], 17)}, δ = {nearest(setting['delta'], 17)}, "
        f"sensitivity {nearest(setting['l2_sensitivity'], 17)}, "
        f"significance level {nearest(setting['significance'], 17)}"
    )


def csv_header(setting: Setting) -> dict[str, str]:
    """The parameters and units for the top of a CSV."""
    units = "epsilon in nats; delta a probability; sigma, accuracy and sensitivity in query units"
    return {key: repr(value) for key, value in setting.items()} | {"units": units}


def answer(rows: Rows, setting: Setting) -> tuple[str, str]:
    """The page's answer, and what it means for the releases and beside the classical formula."""
    analytic, classical = rows["analytic"], rows["classical"]
    place, _ = described(setting).rsplit(", ", 1)
    sentence = f"At {place}, the analytic Gaussian needs σ = {up(analytic['sigma'])}."
    share = percent(1 - setting["significance"])
    reach = f"{share} of releases fall within ±{up(analytic['accuracy'])} of the truth"
    if classical["status"] == UNDEFINED:
        rival = "the classical formula has no answer at so small an ε"
    elif classical["status"] == FAILS:
        gives = f"gives δ = {up(classical['true_delta'], 3)}, not {nearest(setting['delta'], 17)}"
        rival = f"the classical formula fails here: its σ = {up(classical['sigma'])} {gives}"
    else:
        rival = f"the classical formula would {extra((classical['sigma'] / analytic['sigma']) ** 2)}"
        rival += ", unproved at this ε" if classical["status"] == WITHIN else ""
    return sentence, f"{reach}; {rival}."


def verdict(bound: Calibration, row: dict[str, Any], setting: Setting) -> str:
    """A mark and words: does this σ keep the promise, and how is that known?"""
    target = nearest(setting["delta"], 17)
    return {
        PROVED: "✓ proved" if bound.promise == "(ε, δ)-DP" else "✓ proved, for probabilistic DP, which implies DP",
        WITHIN: f"! outside its theorem; true δ here {up(row['true_delta'], 3)}, within target",
        FAILS: f"✗ FAILS: true δ {up(row['true_delta'], 3)} for a target of {target}",
        FLOOR: "a floor: no Gaussian with less noise keeps the promise",
        SILENT: "says nothing at so large a δ",
        UNDEFINED: f"not defined at ε = {nearest(setting['epsilon'], 17)}",
    }[row["status"]]


def table_html(rows: Rows, setting: Setting, pinned: Rows | None) -> str:
    """The bounds in full, as an accessible HTML table; with a pinned setting, σ as a multiple of the pinned one."""
    share = percent(1 - setting["significance"])
    heads = ["Bound", "σ, query units", "Variance", f"± for <span>{share}</span> of releases"]
    heads += [f"True δ at <span>ε = {nearest(setting['epsilon'], 17)}</span>"]
    heads += [f"True ε at <span>δ = {nearest(setting['delta'], 17)}</span>"]
    heads += ["μ", *(["σ ÷ pinned σ"] if pinned is not None else []), "Verdict"]
    body = []
    for bound in BOUNDS:
        row = rows[bound.key]
        known = row["status"] not in (SILENT, UNDEFINED)
        safe = down if row["status"] == FLOOR else up
        columns = ["sigma", "variance", "accuracy"]
        cells = [safe(row[column]) if known else "–" for column in columns]
        cells += [up(row[column]) if known else "–" for column in ("true_delta", "true_epsilon", "mu")]
        if pinned is not None:
            ratio = row["sigma"] / pinned[bound.key]["sigma"]
            cells.append("–" if math.isnan(ratio) else nearest(ratio))
        body.append([bound.name, *cells, verdict(bound, row, setting)])
    return table("The bounds in numbers", "verdicts", heads, body)


def explanation(rows: Rows, setting: Setting) -> str:
    """How each σ is computed: the formula with the user's numbers, its range, its notion of privacy, its source."""
    parts = []
    for bound in BOUNDS:
        row = rows[bound.key]
        if row["status"] in (SILENT, UNDEFINED):
            parts.append(f"**{bound.name}**: {verdict(bound, row, setting)}. {_RANGES[bound.key]} {bound.theorem}.")
            continue
        numbers = {"e": setting["epsilon"], "d": setting["delta"], "s": setting["l2_sensitivity"]}
        safe = down if row["status"] == FLOOR else up
        formula = _FORMULAS[bound.key].format(
            **{name: tex(nearest(value, 17)) for name, value in numbers.items()}, sigma=tex(safe(row["sigma"]))
        )
        parts.append(
            f"**{bound.name}**, promising {bound.promise}. {_RANGES[bound.key]} Source: {bound.theorem}."
            f"\n\n$${formula}$$"
        )
    limit = down(classical_limit(setting["delta"]))
    parts.append(
        f"At this δ the classical σ, though unproved from ε = 1 on, keeps its promise up to ε = {limit} and breaks it "
        "beyond.\n\n"
        "**Two notions of δ.** (ε, δ)-DP asks Pr(M(x) ∈ S) ≤ e^ε Pr(M(x′) ∈ S) + δ for every set S. Probabilistic DP "
        "(pDP) asks more, that the privacy loss exceeds ε in absolute value with probability at most δ, so its δ is "
        "another quantity and its σ is larger. The columns of true δ and true ε speak of (ε, δ)-DP for every row.\n\n"
        "**Sensitivity and neighbours.** Δ₂ is the largest Euclidean distance by which the query moves between "
        "neighbouring data sets. The bounds hold for add-or-remove-one as well as replace-one neighbours, provided "
        "that Δ₂ was computed under the same relation (a histogram has Δ₂ = 1 for add/remove, √2 for replace).\n\n"
        "**Accuracy.** ± is −σ Φ⁻¹(α/2) for significance level α (Gaussian Mechanism Accuracy, 2020): the noise alone, "
        "for one released number. It is no sampling confidence interval."
    )
    return "\n\n".join(parts)


def alternative(rows: Rows, setting: Setting) -> str:
    """What the pictures of the bounds show, in a sentence for those who can't see them."""
    parts = []
    for bound in BOUNDS:
        ratio = rows[bound.key]["sigma"] / rows["analytic"]["sigma"]
        if not math.isnan(ratio):
            fails = " and fails" if rows[bound.key]["status"] == FAILS else ""
            parts.append(f"{bound.name} asks for {nearest(ratio)} times the analytic noise{fails}")
    return f"At {described(setting)}: {'; '.join(parts)}."


def counts_summary(count: Array, clear: NDArray[np.bool_], name: str, row: dict[str, Any], setting: Setting) -> str:
    """How many cells of a table stay distinguishable from zero under a bound, and a warning if the bound fails."""
    share = percent(1 - setting["significance"])
    summary = (
        f"**{clear.sum():,} of {len(count):,} cells stay distinguishable from zero** under the {name} bound: those "
        f"that count more than {up(row['accuracy'])}, so that the band of {share} of their releases leaves out zero. "
        f"The median cell counts {nearest(float(np.median(count)))}."
    )
    if row["status"] == FAILS:
        summary += (
            f" **✗ This σ breaks the promise**: its true δ is {up(row['true_delta'], 3)}. Choose the analytic bound."
        )
    return summary


def counts_subtitle(source: str, accuracy: float, setting: Setting) -> str:
    """The parameters of the picture of counts, in lines that fit a phone."""
    place, level = described(setting).rsplit(", ", 1)
    return f"{escape(source.split(' (')[0])}: ±{up(accuracy)} at {level}<br>{place}"
