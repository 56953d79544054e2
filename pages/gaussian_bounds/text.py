"""The sentences of the page of the Gaussian bounds: its answer, and how each σ is computed."""

import math

from dpcore.calibrations import (
    ANALYTIC,
    CLASSICAL,
    CLASSICAL_TIGHT,
    FAILS,
    FLOOR,
    LOWER,
    PROVED,
    SILENT,
    UNDEFINED,
    WITHIN,
)
from dpcore.comparison import classical_limit
from pages.framework.parameters.number_format import (
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
)
from pages.gaussian_bounds.results import GaussianBoundsResult
from pages.shared import formulas
from pages.shared.formulas import share, verdict
from pages.shared.looks import LOOKS

_NECESSARY = (
    f"a necessary condition of {LOWER.guarantee}, not a sufficient one: no Gaussian noise with a smaller σ satisfies "
    "it, and noise of this σ satisfies it only at the largest δ for which the bound holds. Noise of another shape may "
    "need less variance for one number"
)
_GUARANTEES = {
    PROVED: "satisfies {}",
    WITHIN: "satisfies {} at this ε, without a proof",
    FAILS: "violates {} at this ε",
}
_ROUNDING = (
    "Numbers have four digits: σ, variance, ±, δ, ε and μ are rounded up, those of the lower bound down. μ is the "
    "sensitivity in units of σ, Δ₂/σ. pDP is probabilistic DP: the privacy loss exceeds ε with probability at most δ."
)


def notes_text(result: GaussianBoundsResult) -> str:
    """Return how the table is rounded, the classical σ with the tight constant, and which sampler a release needs."""
    note = ""
    if result.has_one_classical:
        classical, tight = (result.rows[bound.key].mechanism for bound in (CLASSICAL, CLASSICAL_TIGHT))
        tight_text, classical_text = format_up(tight.scale), format_up(classical.scale)
        other = (
            "the same to four digits" if tight_text == classical_text else f"{tight_text} instead of {classical_text}"
        )
        note = f" With the tight constant of its proof, the classical σ is {other}."
    return f"{_ROUNDING}{note}\n\n{formulas.BASIS}\n\n{formulas.SAMPLER}"


def answer_text(result: GaussianBoundsResult) -> tuple[str, ...]:
    """Return the σ of the answer, what it means and, beside a pinned setting, what has changed."""
    analytic, classical, setting = result.rows["analytic"], result.rows["classical"].mechanism, result.setting
    sentence = f"At {setting.description}, the analytic Gaussian requires σ = {format_up(analytic.mechanism.scale)}."
    half_width = f"{share(setting.significance)} of releases fall within ±{format_up(analytic.accuracy)} of the truth"
    if classical.status == UNDEFINED:
        rival = "the classical formula has no answer at so small an ε"
    elif classical.status == FAILS:
        true_delta = f"gives δ = {format_up(classical.true_delta)}, not {format_input_up(setting.delta)}"
        rival = f"the classical formula fails here: its σ = {format_up(classical.scale)} {true_delta}"
    else:
        times = format_nearest(classical.scale / analytic.mechanism.scale)
        rival = f"the classical σ = {format_up(classical.scale)} is {times} times as large"
        rival += ", unproved at this ε" if classical.status == WITHIN else ""
    sentences = sentence, f"No smaller σ is enough: {half_width}; {rival}."
    return sentences if result.pinned is None else (*sentences, _comparison_text(result, result.pinned))


def true_delta_answer(result: GaussianBoundsResult) -> tuple[str, ...]:
    """Return the true δ of the analytic and the classical σ, and how they compare with the target."""
    setting = result.setting
    analytic, classical = (result.rows[bound.key].mechanism for bound in (ANALYTIC, CLASSICAL))
    pinned = () if result.pinned is None else (_comparison_text(result, result.pinned),)
    target = f"the target δ = {format_input_up(setting.delta)}"
    first = (
        f"At ε = {format_input_up(setting.epsilon)}, the true δ is {format_up(analytic.true_delta)} with the analytic"
        f" σ = {format_up(analytic.scale)}"
    )
    if classical.status == UNDEFINED:
        return f"{first}; no other bound has a σ.", f"With less noise it would exceed {target}.", *pinned
    first += f", {format_up(classical.true_delta)} with the classical σ = {format_up(classical.scale)}."
    if classical.status == FAILS:
        return first, f"The classical σ violates the guarantee: its δ is above {target}; use the analytic σ.", *pinned
    unproved = ", unproved at this ε" if classical.status == WITHIN else ""
    second = f"The δ of the classical σ is below {target}: it adds more noise than required{unproved}."
    return first, second, *pinned


def _comparison_text(result: GaussianBoundsResult, pinned: GaussianBoundsResult) -> str:
    """Return what has changed since a setting was pinned."""
    new, old = result.rows["analytic"], pinned.rows["analytic"]
    return pin_sentence(
        f"σ {format_up(old.mechanism.scale)} → {format_up(new.mechanism.scale)}, "
        f"±{format_up(old.accuracy)} → ±{format_up(new.accuracy)}, of the analytic Gaussian"
    )


def explanation_text(result: GaussianBoundsResult) -> str:
    """Return how each σ is computed: its formula with the user's numbers, its range, its notion of privacy, its source.

    The text is Markdown with TeX.
    """
    setting = result.setting
    parts = []
    for key, row in result.rows.items():
        bound, mechanism = row.calibration, row.mechanism
        if mechanism.status in (SILENT, UNDEFINED):
            reason = verdict(bound, mechanism.status, mechanism.true_delta, setting)
            parts.append(f"**{bound.name}**: {reason}. {LOOKS[key].proved_for} {bound.theorem}.")
            continue
        sigma = (format_down if mechanism.status == FLOOR else format_up)(mechanism.scale)
        formula = formulas.sigma(bound, setting, sigma)
        guarantee = _NECESSARY if bound.floor else _GUARANTEES[mechanism.status].format(bound.guarantee)
        parts.append(
            f"**{bound.name}**, {guarantee}. {LOOKS[key].proved_for} Source: {bound.theorem}.\n\n$${formula}$$"
        )
    limit = classical_limit(setting.delta)
    parts.append(
        f"At this δ the classical σ, unproved from ε = 1 on, satisfies its guarantee up to ε = {format_down(limit)}"
        f" and violates it from ε = {format_up(limit)} on.\n\n**Two notions of δ.** (ε, δ)-DP: Pr(M(x) ∈ S) ≤ e^ε"
        " Pr(M(x′) ∈ S) + δ for every set S. Probabilistic DP (pDP) is stronger: the privacy loss exceeds ε in"
        " absolute value with probability at most δ, so its δ is not the same and its σ is larger. The columns of"
        " true δ and true ε refer to (ε, δ)-DP in every row.\n\n**Sensitivity and neighbours.** Δ₂ is the largest"
        " Euclidean distance by which the query moves between neighbouring data sets. The bounds hold for"
        " add-or-remove-one as well as replace-one neighbours, provided that Δ₂ was computed under the same relation"
        " (a histogram has Δ₂ = 1 for add/remove, √2 for replace).\n\n**Accuracy.** ± is −σ Φ⁻¹(α/2) for significance"
        " level α (Gaussian Mechanism Accuracy, 2020): the noise alone, for one released number. It is not a"
        " confidence interval for sampling."
    )
    return "\n\n".join(parts)


def alternative_text(result: GaussianBoundsResult) -> str:
    """Return what the pictures of the bounds show, in a sentence for those who can't see them."""
    analytic_sigma = result.rows["analytic"].mechanism.scale
    parts = []
    for row in result.rows.values():
        ratio = row.mechanism.scale / analytic_sigma
        if not math.isnan(ratio):
            fails = " and fails" if row.mechanism.status == FAILS else ""
            asks = "is at" if row.mechanism.status == FLOOR else "requires"
            parts.append(f"{row.calibration.name} {asks} {format_nearest(ratio)} times the analytic noise{fails}")
    return f"At {result.description}: {'; '.join(parts)}."


def profile_alternative_text(result: GaussianBoundsResult) -> str:
    """Return what the picture of the true δ of each σ shows, in a sentence for those who can't see it."""
    parts = []
    for row in result.rows.values():
        mechanism = row.mechanism
        if mechanism.status not in (SILENT, UNDEFINED):
            fails = ", above the target" if mechanism.status in (FAILS, FLOOR) else ""
            parts.append(f"{format_up(mechanism.true_delta)} for {row.calibration.name}{fails}")
    setting = result.setting
    target = f"ε = {format_input_up(setting.epsilon)} and δ = {format_input_up(setting.delta)}"
    return f"The true δ of each σ falls as ε grows; the target is {target}. At this ε it is {'; '.join(parts)}."
