"""How each accuracy is computed: its formula with the user's numbers, where that holds, and its source."""

import math
from dataclasses import replace

from dpcore.accuracy import RULES
from pages.accuracy.error.tables import verdict_text
from pages.accuracy.parameters import NEIGHBOURS
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import Rows
from pages.accuracy.results import AccuracyResult
from pages.accuracy.text import epsilon_equation
from pages.framework.parameters.number_format import format_input_up, format_up
from pages.shared import formulas
from pages.shared.error_text import beyond, within
from pages.shared.formulas import LEAST_HALF_WIDTH_TEXT, TRUNCATED_GEOMETRIC_TEXT
from pages.shared.looks import LOOKS

_UNIT = " The unit of privacy is one person with all of their records, up to the limit that the conditions state."


def explanation_text(result: AccuracyResult) -> str:
    """Return each mechanism's formula, range, guarantee, norm and source, the definition, and what follows from it."""
    rows, setting = result.rows, result.setting
    relation = NEIGHBOURS.options[setting.neighbours].lower()
    neighbours = "those of your own sensitivities" if setting.query == "own" else relation
    parts = [
        (
            "**Accuracy.** The accuracy a at significance level α is the half-width with Pr(|release − truth| > a) ="
            f" α: here {within(setting.significance)} within ±a of the truth and {beyond(setting.significance)} by more"
            " (Geometric Mechanism Accuracy 2020 and Gaussian Mechanism Accuracy 2020, Definition 1). Of"
            " whole-numbered noise it is the least whole number beyond which no more than α falls. It is that of the"
            " noise alone."
        ),
        f"**Neighbours: {neighbours}.** {setting.sensitivity_text}{_UNIT if setting.query != 'own' else ''}",
    ]
    for rule in RULES:
        norm = "ℓ₁" if rule.norm == "l1" else "ℓ₂"
        head = f"**{rule.name}**: {rule.guarantee}, from the {norm} sensitivity. {LOOKS[rule.key].proved_for}"
        row, at, half_width = rows.get(rule.key), setting, math.nan
        if row is not None:
            half_width = row.half_width if setting.target is None else row.sufficient_half_width
            at = setting if setting.target is None else replace(setting, epsilon=row.epsilon)
        if row is None or math.isnan(half_width):
            lacks = verdict_text(rule, rows, setting) if row is None else "not available at this ε"
            parts.append(f"{head} Here: {lacks}. Source: {rule.theorem}.")
            continue
        size = setting.facts.format_sensitivity(setting.facts.sensitivity(rule))
        formula = formulas.half_width(rule, at, size, half_width)
        parts.append(f"{head} Source: {rule.theorem}.\n\n$${formula}$$")
    parts += [TRUNCATED_GEOMETRIC_TEXT] if "truncated_geometric" in rows else []
    parts += [LEAST_HALF_WIDTH_TEXT] if setting.facts.single else []
    parts += [
        "**From accuracy to ε.** Laplace and, as published, geometric noise: ε = (Δ₁ ÷ a) ln(1/α), without a ceiling "
        "(Geometric Mechanism Accuracy 2020, §0.1). Exact geometric noise: the least ε with 2r^(⌊a⌋+1) ÷ (1 + r) ≤ α. "
        "Staircase noise: the least ε whose half-width is at most a. Gaussians: σ = −a ÷ Φ⁻¹(α/2), then the ε of that "
        "σ. Every ε is rounded up, so that it is sufficient; as published, geometric noise achieves whole a only.",
        "**Sample size.** The least n with which the accuracy at sensitivity (hi − lo) ÷ n is at most a.",
        geometric_readings_text(rows, setting),
    ]
    return "\n\n".join(parts)


def geometric_readings_text(rows: Rows, setting: AccuracySetting) -> str:
    """Return the three readings of geometric noise, and why they differ."""
    if "geometric" not in rows:
        return (
            f"**Geometric noise** is whole-numbered, so it needs whole-numbered answers; {_reason_not_whole(setting)}."
        )
    why = (
        "The ceiling hides a near miss: 3.02 is published as 4, though a slightly larger ε gives 3 (Geometric "
        "Mechanism Accuracy 2020, §0.1). The exact value solves the definition over the whole numbers, and is often "
        "one less than the published one."
    )
    inverse = (
        "The published inverse, ε = (Δ₁ ÷ a) ln(1/α), always achieves a rounded up to a whole number, but not always "
        "an a that is not whole; the exact one always achieves a."
    )
    only_whole = " For a sum, the values themselves must be whole numbers." if setting.query == "sum" else ""
    laplace, published, exact = (rows[key] for key in ("laplace", "geometric_published", "geometric"))
    if setting.target is not None:
        numbers = f"{epsilon_equation(published.epsilon)} as published, {epsilon_equation(exact.epsilon)} exactly"
        return f"**Geometric noise for ±{format_input_up(setting.target)}**: {numbers}. {inverse} {why}{only_whole}"
    epsilon = format_input_up(setting.epsilon)
    if math.isnan(exact.half_width):
        return f"**Geometric noise** is not available at ε = {epsilon}. {why}{only_whole}"
    numbers = (
        f"{format_up(laplace.half_width)} before the ceiling, which is Laplace’s value,"
        f" {format_up(published.half_width)} as "
    )
    numbers += f"published, {format_up(exact.half_width)} exactly"
    return f"**Geometric noise at ε = {epsilon}, in three readings**: {numbers}. {why} {inverse}{only_whole}"


def _reason_not_whole(setting: AccuracySetting) -> str:
    """Return why the rows of the query are not known to be whole numbers."""
    if setting.query == "own":
        return "whether those of your own query are whole is not known here: choose a count, a sum or a histogram"
    if setting.query != "sum":
        return f"a {setting.query} has others"
    if setting.facts.is_beyond_whole_noise:
        return "it is computed where a record moves a sum by at most 1e15, and it moves this one by more"
    return "the lo and hi of this sum are not both whole"
