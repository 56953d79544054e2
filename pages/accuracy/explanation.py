"""The mechanisms side by side with their verdicts, how an accuracy is computed, and the guarantees that are proved."""

import math
from collections.abc import Iterator
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd

from dpcore import verify
from dpcore.accuracy import RULES
from dpcore.calibrations import (
    CLASSICAL,
    CLASSICAL_TIGHT,
    GEOMETRIC,
    GEOMETRIC_PUBLISHED,
    LAPLACE,
    PROVED,
    PURE_DP,
    UNDEFINED,
    Calibration,
)
from dpcore.families import FAMILIES
from dpcore.mechanism import NO_SAFE_SAMPLER
from pages.accuracy.parameters import NEIGHBOURS, AccuracySetting, sensitivity_text
from pages.accuracy.results import EXTRA_RULES, AccuracyResult, MechanismRow, Rows, answer_value, recommended_row
from pages.accuracy.text import epsilon_equation, epsilon_text
from pages.framework.layout.section import Claim
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import formulas, guarantee_claims
from pages.shared.formulas import LEAST_HALF_WIDTH_TEXT, TRUNCATED_GEOMETRIC_TEXT, beyond, share, within
from pages.shared.guarantee_claims import Target
from pages.shared.looks import LOOKS, family_look, guarantee_claim

ROUNDING = (
    "± and ε are rounded up to four digits. ± is a half-width, so smaller is better; for several numbers it holds for "
    "one of them. (ε, δ)-DP: probabilities may exceed the e^ε bound by up to δ. Probabilistic DP (pDP): the privacy "
    "loss exceeds ε with probability at most δ."
)


_TOO_LARGE = "not available: too large to compute"


def verdict_text(rule: Calibration, rows: Rows, setting: AccuracySetting) -> str:
    """Return a mark and words: does the mechanism suit the query, and does its guarantee hold?"""
    if rule.key not in rows:
        return setting.facts.unsuitability(rule) or _TOO_LARGE
    row, mechanism = rows[rule.key], rows[rule.key].chosen
    if setting.target is not None and row.epsilon > 1e6:
        return "requires ε above 1e6, which protects nobody"
    if mechanism.status == UNDEFINED and (setting.target is not None or setting.epsilon >= rule.least_epsilon):
        return _TOO_LARGE
    if mechanism.status == PROVED and setting.target is not None and row.sufficient_half_width > setting.target:
        half_width = format_up(row.sufficient_half_width)
        return f"! falls short: at this ε its ± is {half_width}, not {format_input_up(setting.target)}"
    verdict = formulas.verdict(rule, mechanism.status, mechanism.true_delta, setting)
    if math.isfinite(mechanism.hard_limit):
        verdict = f"{verdict}; the error never exceeds ±{format_up(mechanism.hard_limit)}"
    return f"{verdict}; {formulas.NO_SAMPLER}" if mechanism.obstacle == NO_SAFE_SAMPLER else verdict


def mechanisms_html(result: AccuracyResult) -> str:
    """Return the mechanisms as an accessible HTML table, with what they had at a pinned setting."""
    rows, setting, pinned = result.rows, result.setting, result.pinned
    unit, inside = escape(setting.facts.measure), share(setting.significance)
    if setting.target is None:
        place = f"ε = {format_input_up(setting.epsilon)}"
        value, verdict = (
            f"± at <span>{place}</span>, {unit and f'{unit}, '}<span>{inside} of releases</span>",
            "Verdict",
        )
    else:
        value = f"ε for <span>±{format_input_up(setting.target)}</span> {unit}".rstrip()
        verdict = "Verdict at that ε"
    heads = ["Mechanism", "Guarantee", value, *([] if pinned is None else ["Pinned"]), verdict]
    body = []
    for rule in _table_rules(rows, setting):
        cells = [rule.guarantee, _value_cell(rows.get(rule.key), setting, "")]
        if pinned is not None:
            sign = "±" if pinned.setting.target is None else "ε = "
            cells.append(_value_cell(pinned.rows.get(rule.key), pinned.setting, sign))
        body.append([rule.name, *cells, verdict_text(rule, rows, setting)])
    return number_format.table_html("The mechanisms", "verdicts readings", heads, body)


def _table_rules(rows: Rows, setting: AccuracySetting) -> tuple[Calibration, ...]:
    """Return the mechanisms of the table: all, or those that matter, among them the recommended one."""
    if setting.mechanisms == "all":
        return tuple(rule for rule in _all_rules(rows) if rule != CLASSICAL_TIGHT or not _is_one_classical(rows))
    recommended = recommended_row(rows, setting).row.calibration
    return tuple(dict.fromkeys((*setting.facts.rules("three"), recommended)))


def tight_constant_text(rows: Rows, setting: AccuracySetting) -> str:
    """Return what the tight constant of the classical formula gives, where the table has one row for both."""
    if setting.mechanisms != "all" or not _is_one_classical(rows):
        return ""
    tight, plain = (_value_cell(rows[rule.key], setting, "") for rule in (CLASSICAL_TIGHT, CLASSICAL))
    what = "±" if setting.target is None else "ε"
    other = "the same to four digits" if tight == plain else f"{tight} instead of {plain}"
    return f"With the tight constant of its proof, the {what} of the classical Gaussian is {other}."


def _is_one_classical(rows: Rows) -> bool:
    """Return whether both classical formulas have the same verdict, so that they differ in the fourth digit only."""
    both = [rows[rule.key].chosen.status for rule in (CLASSICAL, CLASSICAL_TIGHT) if rule.key in rows]
    return len(both) == 2 and both[0] == both[1] != UNDEFINED


def _all_rules(rows: Rows) -> tuple[Calibration, ...]:
    return (*RULES, *(rule for key, rule in EXTRA_RULES.items() if key in rows))


def _value_cell(row: MechanismRow | None, setting: AccuracySetting, sign: str) -> str:
    """Return the ± of a mechanism or, where that is the target, its ε."""
    value = math.nan if row is None else answer_value(row, setting)
    if math.isnan(value):
        return "–"
    if setting.target is None:
        return f"{sign}{format_up(value)}"
    return epsilon_equation(value) if sign else epsilon_text(value)


def mechanisms_frame(rows: Rows, setting: AccuracySetting) -> pd.DataFrame:
    """Return the table as a data frame, with every mechanism."""
    rules = _all_rules(rows)
    rows_of_rules = [rows.get(rule.key) for rule in rules]
    return pd.DataFrame(
        {
            "mechanism": [rule.name for rule in rules],
            "guarantee": [rule.guarantee for rule in rules],
            "accuracy": [np.nan if row is None else row.half_width for row in rows_of_rules],
            "epsilon_for_wanted_accuracy": [np.nan if row is None else row.epsilon for row in rows_of_rules],
            "verdict": [verdict_text(rule, rows, setting) for rule in rules],
        }
    )


_UNIT = " The unit of privacy is one person with all of their records, up to the limit that the conditions state."


def explanation_text(result: AccuracyResult) -> str:
    """Return each mechanism's formula, range, guarantee, norm and source, the definition, and what follows from it."""
    rows, setting = result.rows, result.setting
    relation = NEIGHBOURS.options[setting.neighbours].lower()
    neighbours = "those of your own sensitivities" if setting.query == "own" else relation
    parts = [
        (
            "**Half-width.** ± at the confidence 1 − α is the accuracy a of the papers: Pr(|release − truth| > a) ="
            f" α: here {within(setting.significance)} within ±a of the truth and {beyond(setting.significance)} by more"
            " (Geometric Mechanism Accuracy 2020 and Gaussian Mechanism Accuracy 2020, Definition 1). Of"
            " whole-numbered noise it is the least whole number beyond which no more than α falls. It is that of the"
            " noise alone."
        ),
        f"**Neighbours: {neighbours}.** {sensitivity_text(setting)}{_UNIT if setting.query != 'own' else ''}",
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
    laplace, published, exact = (rows[rule.key] for rule in (LAPLACE, GEOMETRIC_PUBLISHED, GEOMETRIC))
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


_TWO_CELLS = "Of two cells its δ is a sum over all the ways in which they move together, not enclosed here."


def claims(result: AccuracyResult) -> Iterator[Claim]:
    """Yield the guarantees of the recommended noise and of the analytic Gaussian, with their half-widths."""
    row, analytic = recommended_row(result.rows, result.setting).row, result.rows["analytic"]
    yield from _row_claims(row, result.setting)
    if row is not analytic:
        yield from _row_claims(analytic, result.setting)


def _row_claims(row: MechanismRow, setting: AccuracySetting) -> Iterator[Claim]:
    """Yield the claims of a noise: what is known as it was entered, and what follows as it is shown."""
    epsilon = setting.epsilon if setting.target is None else row.epsilon
    half_width = row.half_width if setting.target is None else setting.target
    if math.isnan(epsilon) or math.isnan(half_width) or epsilon > 1e6:
        return
    rule = row.calibration
    if rule.family == "discrete_gaussian":
        yield from _discrete_gaussian_claims(row, setting)
    elif rule.family == "truncated_geometric":
        yield from _truncated_claims(row, half_width, setting)
    elif (look := family_look(rule.family)).claim is None:
        yield Claim(f"{rule.name} noise", reason=look.unclaimed)
    else:
        is_epsilon_known = setting.target is None
        epsilon_text = format_input_up(epsilon) if is_epsilon_known else format_up(epsilon)
        half_width_text = format_up(half_width) if is_epsilon_known else format_input_up(half_width)
        yield from calibration_claims(rule, epsilon_text, half_width_text, setting.facts.sensitivity(rule), setting)


def _discrete_gaussian_claims(row: MechanismRow, setting: AccuracySetting) -> Iterator[Claim]:
    """Yield that discrete Gaussian noise on one number satisfies its guarantee, and its half-width."""
    mechanism = row.mechanism
    if setting.facts.single:
        target = Target(
            format_input_up(setting.epsilon), format_input_up(setting.delta), format_up(setting.facts.l1, 15)
        )
        yield guarantee_claims.discrete(target, format_up(mechanism.scale))
    else:
        yield Claim(f"The guarantee of {mechanism.name} noise", reason=_TWO_CELLS)
    level = format_input_up(setting.significance)
    yield guarantee_claims.half_width_claim(
        verify.discrete_gaussian_tail, {"σ": exact_text(mechanism.scale)}, format_up(row.half_width), level
    )


def _truncated_claims(row: MechanismRow, half_width: float, setting: AccuracySetting) -> Iterator[Claim]:
    """Yield that truncated geometric noise satisfies its guarantee, its half-width, and that no error is larger."""
    moved, n_moved = (setting.facts.l1, 1) if setting.facts.single else (1.0, 2)
    mechanism, is_epsilon_known = row.chosen, setting.target is None
    bound, scale = f"{mechanism.parameters[0]:.0f}", exact_text(mechanism.parameters[1])
    epsilon = format_input_up(setting.epsilon) if is_epsilon_known else format_up(row.epsilon)
    target = Target(epsilon, format_input_up(setting.delta), f"{moved:.0f}")
    yield guarantee_claims.truncated_geometric(target, bound, scale, n_moved)
    size = format_up(half_width) if is_epsilon_known else format_input_up(half_width)
    for distance, level in ((size, format_input_up(setting.significance)), (bound, "0")):
        yield guarantee_claims.half_width_claim(
            verify.truncated_geometric_tail, {"N": bound, "s": scale}, distance, level
        )


def calibration_claims(
    rule: Calibration, epsilon: str, half_width: str, sensitivity: float, setting: AccuracySetting
) -> Iterator[Claim]:
    """Yield that noise with the guarantee at an ε falls within a half-width, both as they are shown."""
    delta = 0.0 if rule.guarantee == PURE_DP else setting.delta
    scale = float(rule.scale(float(guarantee_claims.number(epsilon)), delta, sensitivity))
    target = Target(epsilon, format_input_up(setting.delta), format_up(sensitivity, 15))
    yield guarantee_claim(rule.family, target, format_up(scale))
    if (tail := family_look(rule.family).tail) is not None:
        noise, level = {FAMILIES[rule.family].symbol: exact_text(scale)}, format_input_up(setting.significance)
        yield guarantee_claims.half_width_claim(tail, noise, half_width, level)
