"""The explanation of a table's noise: the sensitivity, each formula, and the error of all cells together."""

from dpcore.calibrations import PURE_DP, STAIRCASE
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up, tex
from pages.shared import formulas
from pages.shared.counts.table import cap_text
from pages.shared.looks import LOOKS
from pages.tables.fields import delta_fields
from pages.tables.results import TablesResult

_GUARANTEES = (
    "**Three guarantees.** ε-DP: Pr(M(x) ∈ S) ≤ e^ε Pr(M(x′) ∈ S) for every set S of releases. (ε, δ)-DP: "
    "probabilities may exceed the e^ε bound by up to δ. Probabilistic DP (pDP): the privacy loss exceeds ε with "
    "probability at most δ, which implies (ε, δ)-DP. Each guarantee is for the whole table, for two data sets that "
    "differ by one person."
)
_QUESTIONS = (
    "**Which cells remain usable.** *Released as positive*: the least n with Pr(n + noise > 0) ≥ 1 − α. "
    "*Distinguishable "
    "from an empty cell*: the least t with Pr(|noise| ≥ t) ≤ α; a cell of n reaches it with probability "
    "Pr(n + noise ≥ t). *Accurate*: the least n for which ± is within the share that you accept. For all cells at once "
    "α is the α′ above. Sampling error is not included."
)


def explanation_text(result: TablesResult) -> str:
    """Return how the numbers are computed, in Markdown with the user's numbers; nothing where there is no table."""
    if result.is_missing:
        return ""
    has_delta = result.section == "noise" or delta_fields(result)
    shown = [mechanism for mechanism in result.mechanisms if has_delta or mechanism.guarantee == PURE_DP]
    formulas_used = [_mechanism_formula(mechanism, result) for mechanism in shown]
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
    form = LOOKS[mechanism.key].scale
    lp = format_up(float(sensitivity.lp(setting.p)))
    numbers = {
        "l1": format_up(float(sensitivity.l1)),
        "s": format_up(float(sensitivity.l2)),
        "lp": lp,
        "p": format_input_down(setting.p),
    }
    numbers |= {
        "e": format_input_up(setting.epsilon),
        "d": format_input_up(setting.delta),
        "value": format_up(mechanism.scale),
    }
    numbers["g"] = formulas.step_share(STAIRCASE, setting.epsilon)
    filled = form.format(**{name: tex(number) for name, number in numbers.items()})
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
