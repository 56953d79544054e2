"""The noise of a table with dpcore and other libraries, its formulas, and the guarantees that are proved on request."""

import math
from collections.abc import Iterator
from typing import Any

from dpcore import verify
from dpcore.calibrations import FAILS, PROBABILISTIC_DP, PURE_DP, STAIRCASE
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism
from pages.framework.layout.panels import Limit, number, program, unavailable, within
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up, format_up, tex
from pages.shared import formulas, guarantee_claims
from pages.shared.counts.table import cap_text
from pages.shared.guarantee_claims import Target
from pages.shared.looks import LOOKS, family_look, guarantee_claim
from pages.shared.other_libraries import (
    DIFFPRIVLIB,
    DP_ACCOUNTING,
    DPCORE,
    OPACUS,
    OPENDP,
    OPENDP_TABLE,
    gaussian_sigma,
    geometric_accuracy,
    laplace_accuracy,
    opendp_sigma_code,
)
from pages.shared.release_program.program import SAMPLED
from pages.tables import statements, text
from pages.tables.results import TablesResult

_WHY_NONE = {
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
    return _dpcore_snippet(result, mechanism, half_width), *_library_snippets(result, mechanism, half_width)


def _dpcore_snippet(result: TablesResult, mechanism: Mechanism, half_width: float) -> Snippet:
    setting, is_of_noise = result.setting, result.section == "noise"
    contribution = (
        f"{number(setting.per_person)}, {number(setting.per_cell)}, {setting.neighbours!r}, {int(setting.margins)}"
    )
    cap = "" if math.isnan(setting.per_total) else f", {number(setting.per_total)}, {int(setting.n_periods)}"
    together = f"accuracy.each_significance({number(setting.significance)}, {result.n_cells})"
    modules, choice = "accuracy, tables", f"next(each for each in noises if each.key == {mechanism.key!r})"
    if is_of_noise or setting.mechanism == "recommended":
        modules, wanted = "accuracy, recommendation, tables", f"{setting.promise!r}, {bool(result.sensitivity.whole)}"
        choice = f"recommendation.recommend(noises, {wanted}, significance).mechanism"
    code = program(
        f"from dpcore import {modules}",
        "from dpcore.sensitivity import table_sensitivity",
        "",
        f"person = table_sensitivity({contribution}, {result.n_cells}{cap})",
        f"noises = tables.mechanisms({number(setting.epsilon)}, {number(setting.delta)}, person, {number(setting.p)})",
        f"significance = {together if setting.error == 'all' else number(setting.significance)}",
        f"noise = {choice}",
        "print(noise.scale)",
        "print(noise.half_width(significance))",
    )
    scope = f"for all {result.n_cells:,} cells together" if result.is_joint else "for a cell"
    remark = "" if is_of_noise else " The page computes from your counts which cells remain usable."
    note = f"{mechanism.name} noise: its {mechanism.symbol}, and ± {scope}.{remark}"
    return Snippet(DPCORE, code, note, (mechanism.scale, half_width))


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
    reasons = dict(_WHY_NONE)
    if mechanism.key == "truncated_geometric":
        reasons[OPENDP] = _NO_TRUNCATED
    elif mechanism.family not in SAMPLED:
        reasons[OPENDP] = f"It has no {FAMILIES[mechanism.family].words} noise."
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


_GUARANTEES = (
    "**Three guarantees.** ε-DP: Pr(M(x) ∈ S) ≤ e^ε Pr(M(x′) ∈ S) for every set S of releases. (ε, δ)-DP: "
    "probabilities may exceed the e^ε bound by up to δ. Probabilistic DP (pDP): the privacy loss exceeds ε with "
    "probability at most δ, which implies (ε, δ)-DP. Each guarantee is for the whole table, for two data sets that "
    "differ by one person."
)
_QUESTIONS = (
    "**Which cells remain usable.** *Above 0*: the least n with Pr(n + noise > 0) ≥ 1 − α. "
    "*Told from an empty cell*: the least t with Pr(|noise| ≥ t) ≤ α; a cell of n reaches it with probability "
    "Pr(n + noise ≥ t). *Accurate*: the least n for which ± is within the share that you accept. For all cells at once "
    "α is the α′ above. Sampling error is not included."
)


def explanation_text(result: TablesResult) -> str:
    """Return how the numbers are computed, in Markdown with the user's numbers; nothing where there is no table."""
    if result.is_missing:
        return ""
    has_delta = result.section == "noise" or text.delta_fields(result)
    mechanisms = [mechanism for mechanism in result.mechanisms if has_delta or mechanism.guarantee == PURE_DP]
    formulas_used = [_mechanism_formula(mechanism, result) for mechanism in mechanisms]
    return "\n\n".join(
        [_sensitivity_text(result), _GUARANTEES, *formulas_used, _simultaneous_error_text(result), _QUESTIONS]
    )


def _sensitivity_text(result: TablesResult) -> str:
    setting, sensitivity = result.setting, result.sensitivity
    k, c, m = format_input_down(setting.per_person), format_input_down(setting.per_cell), f"{result.n_cells:,}"
    person = f"A person is in up to k = {k} of the m = {m} cells, with at most c = {c} in each"
    if result.n_cells == 1:
        person = f"There is one cell, m = 1, in which a person counts at most c = {c}; k = {k}"
    cap = cap_text(setting.per_total, setting.n_periods)
    neighbours = "so adding or removing one person changes a = min(k, m) cells by up to c, and b = 0"
    if setting.neighbours == "replace":
        neighbours = (
            "so replacing one person changes a = min(k, m) cells in one direction and b = min(a, m − a) in the other"
        )
    totals = f" Each of the {setting.margins:.0f} sets of totals adds c(a + b) to Δ₁ and c²(a² + b²) to Δ₂²."
    norms = "The cells have Δ₁ = c(a + b), Δ₂ = c√(a + b)."
    if cap:
        norms = (
            "Within N, at most f = min(a, P⌊N/c⌋) cells change by c and g = min(a − f, P) by N mod c: "
            "Δ₁ = fc + g(N mod c) and Δ₂² = fc² + g(N mod c)², and for a person replaced up to twice as much."
        )
    return (
        f"**What one person changes.** {person}{cap}, {neighbours}. {norms}"
        + (totals if setting.margins else "")
        + f" In total, Δ₁ = {format_up(float(sensitivity.l1))} and Δ₂ = {format_up(float(sensitivity.l2))}."
        + " The number of cells k must be enforced on the data before counting, not guessed."
    )


def _mechanism_formula(mechanism: Mechanism, result: TablesResult) -> str:
    """Return a mechanism's formula with the user's numbers, its guarantee and source."""
    setting, sensitivity = result.setting, result.sensitivity
    numbers = {
        "l1": format_up(float(sensitivity.l1)),
        "s": format_up(float(sensitivity.l2)),
        "lp": format_up(float(sensitivity.lp(setting.p))),
        "p": format_input_down(setting.p),
        "e": format_input_up(setting.epsilon),
        "d": format_input_up(setting.delta),
        "value": format_up(mechanism.scale),
        "g": formulas.step_share(STAIRCASE, setting.epsilon),
    }
    filled = LOOKS[mechanism.key].scale.format(**{name: tex(number) for name, number in numbers.items()})
    return f"**{mechanism.name}**, {mechanism.guarantee}. Source: {mechanism.theorem}.\n\n$${filled}$$"


def _simultaneous_error_text(result: TablesResult) -> str:
    if result.n_cells == 1:
        return "**Error bound.** ± at α is the least a with Pr(|noise| > a) ≤ α. The table has one cell."
    level = tex(format_input_up(result.setting.significance))
    cell_level = tex(format_up(result.simultaneous_significance))
    return (
        "**Error bound for one cell or all cells.** ± at α is the least a with Pr(|noise| > a) ≤ α. The errors of the "
        f"cells are independent, so all m = {result.n_cells:,} cells are within ±a with probability 1 − α if each is "
        "with probability (1 − α)^(1/m). This is exact, without a union bound.\n\n"
        rf"$$\alpha'=1-(1-\alpha)^{{1/m}}=1-(1-{level})^{{1/{result.n_cells}}}={cell_level}$$"
    )


_ESTIMATE = "It is estimated from simulated releases with the seed in the link, so it is not a guarantee."


def mechanism_claims(result: TablesResult) -> Iterator[Claim]:
    """Yield the guarantee of the answer's noise, as shown and as computed, and its ± for each cell and for all."""
    mechanism = result.section_mechanism
    if not result.is_missing and mechanism is not None:
        yield from _guarantee_claims(result, mechanism)
        yield from _half_width_claims(result, mechanism)


def release_claims(result: TablesResult) -> Iterator[Claim]:
    """Yield the same for a release, and that its error is an estimate."""
    yield from mechanism_claims(result)
    if not result.is_missing and result.mechanism is not None:
        yield Claim("The error of this release, or of many", reason=_ESTIMATE)


def _guarantee_claims(result: TablesResult, mechanism: Mechanism) -> Iterator[Claim]:
    """Yield the privacy guarantee of the noise, as it is shown and as it was computed."""
    setting, sensitivity = result.setting, result.sensitivity
    look = family_look(mechanism.family)
    is_enclosed = look.claim is not None and (mechanism.family != "discrete_gaussian" or sensitivity.n_moved == 1)
    if not is_enclosed and mechanism.family != "truncated_geometric":
        yield Claim(f"The guarantee of {mechanism.name} noise", reason=look.unclaimed)
        return
    epsilon, delta = format_input_up(setting.epsilon), format_input_up(setting.delta)
    if mechanism.family == "truncated_geometric":
        bound, scale = mechanism.parameters
        target = Target(epsilon, delta, f"{float(sensitivity.largest):.0f}")
        yield guarantee_claims.truncated_geometric(target, f"{bound:.0f}", exact_text(scale), int(sensitivity.n_moved))
    elif mechanism.family == "gaussian":
        l2, notion = float(sensitivity.l2), "pDP δ" if mechanism.guarantee == PROBABILISTIC_DP else "δ"
        shown = Target(epsilon, delta, exact_text(l2)), format_up(mechanism.scale)
        computed = guarantee_claims.computed_target(setting.epsilon, setting.delta, l2), exact_text(mechanism.scale)
        for target, scale in (shown, computed):
            yield guarantee_claims.gaussian(target, scale, notion, violated=mechanism.status == FAILS)
    else:  # the ℓ₁ sensitivity is the sum over the cells
        per_cell = guarantee_claims.number(format_input_down(setting.per_cell))
        l1 = per_cell * int(sensitivity.n_moved)
        if not math.isnan(setting.per_total):
            l1 = guarantee_claims.number(format_up(float(sensitivity.l1), 15))
        yield guarantee_claim(mechanism.family, Target(epsilon, delta, f"{l1:f}"), format_up(mechanism.scale))


def _half_width_claims(result: TablesResult, mechanism: Mechanism) -> Iterator[Claim]:
    """Yield the half-width for each cell and, if there are several, for all together; and that of a hard limit."""
    level, n = format_input_up(result.setting.significance), result.n_cells
    tail, noise = family_look(mechanism.family).tail, {mechanism.symbol: exact_text(mechanism.scale)}
    if mechanism.family == "truncated_geometric":
        bound, scale = mechanism.parameters
        tail, noise = verify.truncated_geometric_tail, {"N": f"{bound:.0f}", "s": exact_text(scale)}
    if tail is None:
        return
    for n_cells, alpha in {1: result.setting.significance, n: result.simultaneous_significance}.items():
        half_width = format_up(float(mechanism.half_width(alpha)))
        yield guarantee_claims.half_width_claim(tail, noise, half_width, level, n_cells)
    if "N" in noise:  # no cell is beyond the end of the noise
        yield guarantee_claims.half_width_claim(tail, noise, noise["N"], "0", n)


TABLE_ANSWER: dict[str, Any] = {
    "explanation": explanation_text,
    "conditions": statements.conditions,
    "snippets": snippets,
    "statements": statements.statements,
    "has_statements": statements.has_statements,
    "downloads": statements.downloads,
}
"""What the answer of every section on the noise of a table has."""
