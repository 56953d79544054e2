"""The noise of a table, with dpcore and with other libraries."""

import math

from dpcore.mechanism import Mechanism
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.other_libraries import (
    OPENDP_TABLE,
    gaussian_sigma,
    geometric_accuracy,
    laplace_accuracy,
    opendp_sigma_code,
)
from pages.tables.results import TablesResult

_NO_HALF_WIDTH = {
    OPENDP: "It has no σ by this formula.",
    DP_ACCOUNTING: "It accounts for privacy, and states no ± of noise.",
    DIFFPRIVLIB: "It states no ± of noise.",
    OPACUS: "It has Gaussian noise on gradients only.",
}

_NO_TRUNCATED = "It has no geometric noise that ends at ±N."


def snippets(result: TablesResult) -> tuple[Snippet, ...]:
    """Return the noise of the open section with its scale and its ±; nothing where there is none."""
    mechanism = result.section_mechanism
    if result.is_missing or mechanism is None:
        return ()
    half_width = mechanism.half_width(result.significance)
    return _dpcore_snippet(result, mechanism, half_width, result.section), *_library_snippets(
        result, mechanism, half_width
    )


def _dpcore_snippet(result: TablesResult, mechanism: Mechanism, half_width: float, section: str) -> Snippet:
    setting = result.setting
    contribution = (
        f"{number(setting.per_person)}, {number(setting.per_cell)}, {setting.neighbours!r}, {int(setting.margins)}"
    )
    cap = "" if math.isnan(setting.per_total) else f", {number(setting.per_total)}, {int(setting.n_periods)}"
    together = f"accuracy.each_significance({number(setting.significance)}, {result.n_cells})"
    recommended = section == "noise" or setting.mechanism == "recommended"
    choice = (
        f"recommendation.recommend(noises, {setting.promise!r}, {bool(result.sensitivity.whole)},"
        " significance).mechanism"
        if recommended
        else f"next(each for each in noises if each.key == {mechanism.key!r})"
    )
    modules = ["accuracy", *(["recommendation"] if recommended else []), "tables"]
    code = program(
        f"from dpcore import {', '.join(modules)}",
        "from dpcore.sensitivity import table_sensitivity",
        "",
        f"person = table_sensitivity({contribution}, {result.n_cells}{cap})",
        f"noises = tables.mechanisms({number(setting.epsilon)}, {number(setting.delta)}, person, {number(setting.p)})",
        f"significance = {together if setting.error == 'all' else number(setting.significance)}",
        f"noise = {choice}",
        "print(noise.scale)",
        "print(noise.half_width(significance))",
    )
    scope = (
        f"for all {result.n_cells:,} cells together" if setting.error == "all" and result.n_cells > 1 else "for a cell"
    )
    remark = "" if section == "noise" else " The page computes from your counts which cells remain usable."
    return Snippet(
        DPCORE,
        code,
        f"{mechanism.name} noise: its {mechanism.symbol}, and ± {scope}.{remark}",
        (mechanism.scale, half_width),
    )


def _library_snippets(result: TablesResult, mechanism: Mechanism, half_width: float) -> tuple[Snippet, ...]:
    setting, l1, l2 = result.setting, float(result.sensitivity.l1), float(result.sensitivity.l2)
    if mechanism.key == "analytic":
        return gaussian_sigma(setting.epsilon, setting.delta, l2, mechanism.scale)
    snippets: tuple[Snippet, ...] = ()
    if mechanism.key == "laplace":
        snippets = laplace_accuracy(setting.epsilon, l1, result.significance, half_width)
    elif mechanism.key == "geometric":
        snippets = (geometric_accuracy(setting.epsilon, l1, result.significance, half_width),)
    elif mechanism.key == "discrete_gaussian":
        snippets = (_opendp_discrete_gaussian(setting.epsilon, setting.delta, l2, mechanism.scale),)
    libraries = {snippet.library for snippet in snippets}
    reasons = _NO_HALF_WIDTH | ({OPENDP: _NO_TRUNCATED} if mechanism.key == "truncated_geometric" else {})
    return *snippets, *unavailable({library: reason for library, reason in reasons.items() if library not in libraries})


def _opendp_discrete_gaussian(epsilon: float, delta: float, sensitivity: float, scale: float) -> Snippet:
    code = opendp_sigma_code(OPENDP_TABLE, number(epsilon), number(delta), number(sensitivity))
    limits = (
        Limit("ε", epsilon, 0.01, 10),
        Limit("δ", delta, 1e-10, 0.1),
        Limit("Δ₂", sensitivity, 1, 100),
        Limit("σ ÷ Δ₂", scale / sensitivity if sensitivity else math.inf, 0.5, 1e6),
    )
    note = "σ by ρ-zCDP, where dpcore solves the exact δ of the discrete noise."
    return within(Snippet(OPENDP, code, note, (scale,), 1.0, 1.7), *limits)
