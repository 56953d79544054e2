"""The sentences on the error that each ε brings: the answer, the recommended noise, and what the figures show."""

import math
from urllib.parse import urlencode

from dpcore.accuracy import sampling_half_width
from dpcore.calibrations import PURE_DP, Calibration
from dpcore.checks import SIGNIFICANCE_RANGE, interval_bounds
from dpcore.families import FAMILIES
from dpcore.rounding import round_up
from pages.accuracy.parameters import QUERY, AccuracySetting
from pages.accuracy.results import (
    AccuracyResult,
    MechanismRow,
    RecommendedRow,
    Rows,
    answer_value,
    noise_of_whole_answers,
    recommended_pure_row,
    recommended_row,
)
from pages.accuracy.text import (
    epsilon_equation,
    epsilon_text,
    half_width_text,
    level_text,
    noise_name,
    plain_half_width,
    releases_text,
    setting_text,
    target_text,
)
from pages.framework.parameters.number_format import (
    capitalized,
    exact_text,
    format_input_up,
    format_up,
    pin_sentence,
    rounded_up,
)
from pages.shared.conditions import satisfied_text
from pages.shared.formulas import (
    AS_GOOD,
    CERTAINTY,
    LARGE_EPSILON,
    LITTLE,
    NO_SAMPLER,
    share,
    step_share,
    truncated_geometric_texts,
    truncated_laplace_texts,
    within,
)
from pages.shared.looks import family_look
from pages.shared.site_map import TABLES
from pages.shared.values.parameters import unit_after

LEAST_SIGNIFICANCE = interval_bounds(SIGNIFICANCE_RANGE)[0]
_NOTABLE_RATIO = 0.99  # of a ± or an ε: a noise that gains less is not mentioned
_ONLY_GAUSSIAN = "Pure ε-DP, probabilistic DP and the classical formula have no noise at so small an ε."


def answer_text(result: AccuracyResult) -> tuple[str, ...]:
    """Return the answer for the chosen guarantee, what it means, and what a pinned setting had."""
    rows, setting, pinned = result.rows, result.setting, result.pinned
    sentences = _half_width_answer(result) if setting.target is None else _epsilon_answer(result)
    if pinned is None:
        return sentences
    both = zip(_compared_values(pinned.rows, pinned.setting), _compared_values(rows, setting), strict=True)
    changes = ", ".join(old if old == new else f"{old} → {new}" for old, new in both)
    return *sentences, pin_sentence(changes, setting_text(pinned.setting))


def _compared_values(rows: Rows, setting: AccuracySetting) -> tuple[str, str, str]:
    """Return the ε, the ± and the noise of the answer, in words."""
    row = recommended_row(rows, setting).row
    epsilon = f"ε = {format_input_up(setting.epsilon)}" if setting.target is None else epsilon_equation(row.epsilon)
    half_width = "no ±" if math.isnan(row.half_width) else half_width_text(row.half_width, setting.facts.unit)
    return epsilon, half_width if setting.target is None else target_text(setting), noise_name(row.calibration)


def _half_width_answer(result: AccuracyResult) -> tuple[str, str]:
    """Return the half-width at the known ε, and what it means."""
    rows, setting = result.rows, result.setting
    place, unit, analytic = f"At ε = {format_input_up(setting.epsilon)}", setting.facts.unit, rows["analytic"]
    row = recommended_row(rows, setting).row
    n_within = _share_within(row, setting)
    exact = f"of the {setting.query} cut at the bounds" if setting.query in ("sum", "mean") else "of the truth"
    truth = "" if n_within.startswith("all but") else f" {exact}"  # few words for so many digits
    accuracy = f"{n_within} within {half_width_text(row.half_width, unit)}{truth}"
    sentence = f"{place}, {accuracy} with {noise_name(row.calibration)}."
    if math.isnan(rows["laplace"].half_width):
        if math.isnan(analytic.half_width):
            return f"{place}, the noise that the guarantee requires is too large to compute.", "Raise ε or δ."
        return sentence, _ONLY_GAUSSIAN
    rival = analytic if row.calibration.guarantee == PURE_DP else recommended_pure_row(rows, setting).row
    performance = "" if math.isnan(rival.half_width) else f"has {half_width_text(rival.half_width, unit)}"
    return sentence, _guarantee_text(result, row, rival, performance)


def _share_within(row: MechanismRow, setting: AccuracySetting) -> str:
    """Return how many releases fall within the half-width; for whole-numbered noise there may be more."""
    releases = within(setting.significance)
    if not row.calibration.whole or releases.startswith("at least"):
        return releases
    return releases.replace("all but", "all but at most") if releases.startswith("all but") else f"at least {releases}"


def _epsilon_answer(result: AccuracyResult) -> tuple[str, str]:
    """Return the ε that the target half-width takes, and what it means."""
    rows, setting = result.rows, result.setting
    row, analytic = recommended_row(rows, setting).row, rows["analytic"]
    target = f"An error within {target_text(setting)} in {releases_text(setting.significance)}"
    sentence = f"{target} requires {epsilon_equation(row.epsilon)} with {noise_name(row.calibration)}."
    rival = analytic if row.calibration.guarantee == PURE_DP else recommended_pure_row(rows, setting).row
    performance = "" if math.isnan(rival.epsilon) else f"requires {epsilon_equation(rival.epsilon)}"
    return sentence, _guarantee_text(result, row, rival, performance)


def _guarantee_text(result: AccuracyResult, row: MechanismRow, rival: MechanismRow, performance: str) -> str:
    """Return which guarantee holds, and what the noise of the other guarantee does."""
    setting = result.setting
    approximate = f"(ε, δ)-DP with δ = {format_input_up(setting.delta)}"
    epsilon = setting.epsilon if setting.target is None else row.epsilon
    little = f", which {LITTLE}" if epsilon > LARGE_EPSILON else ""
    if row.calibration.guarantee == PURE_DP:
        sentence = f"{performance} under {approximate}" if performance else "is not available here"
        satisfied = capitalized(satisfied_text(result.values, f"pure {PURE_DP}{little}"))
        return f"{satisfied}; analytic Gaussian noise {sentence}."
    rival_text = f"{noise_name(rival.calibration)}, under pure ε-DP, {performance or 'is not available'}"
    return f"{capitalized(satisfied_text(result.values, approximate + little))}; {rival_text}."


def reasons_text(rows: Rows, setting: AccuracySetting) -> str:
    """Return why the noise is recommended, its largest error, and what is better where all values are whole."""
    best = recommended_row(rows, setting)
    if math.isnan(answer_value(best.row, setting)) or (setting.target is not None and best.row.epsilon > 1e6):
        return ""
    reason = _reason_text(best, rows, setting)
    return f"{reason}{_hard_limit_text(best.row, setting)}{_whole_values_text(rows, setting)}".strip()


def _whole_values_text(rows: Rows, setting: AccuracySetting) -> str:
    """Return which noise is better for a sum of whole numbers, after a space; empty where none is."""
    row = recommended_row(rows, setting, are_values_whole=True).row
    if setting.facts.is_surely_whole or not row.calibration.whole:
        return ""
    return (
        f" If every value is a whole number, take {noise_name(row.calibration)}{noise_parameters(row, setting)}, for "
        f"{size_text(row, setting)}: it can be sampled exactly, which rules out floating-point attacks."
    )


def _hard_limit_text(row: MechanismRow, setting: AccuracySetting) -> str:
    """Return the largest error that is possible and what δ is spent for, where the noise has such a limit."""
    if not math.isfinite(row.chosen.hard_limit):
        return ""
    return (
        f" The error never exceeds {half_width_text(row.chosen.hard_limit, setting.facts.unit)}. That is what δ is "
        f"spent for: with probability at most {format_input_up(setting.delta)} a release {CERTAINTY}."
    )


def _reason_text(best: RecommendedRow, rows: Rows, setting: AccuracySetting) -> str:
    """Return why the noise is recommended, and what a narrower noise lacks."""
    rule, by = best.row.calibration, "±" if setting.target is None else "ε"
    if rule.guarantee != PURE_DP and setting.promise == "pure":
        return "It satisfies (ε, δ)-DP, not pure ε-DP: no noise is available for pure ε-DP at so small an ε."
    if rule.guarantee != PURE_DP and math.isnan(answer_value(recommended_pure_row(rows, setting).row, setting)):
        return f"No noise is available for pure ε-DP at so small an ε.{_discrete_gaussian_text(setting)}"
    if best.recommendation is None:
        return ""
    guarantee = "pure ε-DP" if setting.promise == "pure" else "the guarantee"
    runner_up = best.recommendation.runner_up
    rival = None if runner_up is None else rows[runner_up.key]
    reason = {
        "only": f"It is the only noise here that satisfies {guarantee} and has a floating-point-safe sampler.",
        "smallest": f"Among the noises here that satisfy {guarantee} and have a floating-point-safe sampler, it "
        f"has the smallest {by}.",
        "whole": (
            f"{_equivalence_text(rival, setting)}; results are integers and can be sampled exactly, which rules out"
            " floating-point attacks."
        ),
        "guarantee": f"{_equivalence_text(rival, setting)}, and it satisfies pure ε-DP, without a δ.",
    }[best.recommendation.reason]
    discrete = "" if rule.guarantee == PURE_DP else _discrete_gaussian_text(setting)
    return f"{reason}{_unreleasable_text(best, rows, setting)}{discrete}"


def size_text(row: MechanismRow, setting: AccuracySetting) -> str:
    """Return the ± of a mechanism or, where that is the target, its ε."""
    if setting.target is None:
        return half_width_text(row.half_width, setting.facts.unit)
    return epsilon_equation(row.epsilon)


def _equivalence_text(rival: MechanismRow | None, setting: AccuracySetting) -> str:
    """Return that the recommended noise is as good as the next best one."""
    subject = "error" if setting.target is None else "ε"
    if rival is None:
        return f"Its {subject} is that of the next best noise"
    return f"Its {subject} is that of {noise_name(rival.calibration)}, {size_text(rival, setting)}, {AS_GOOD} number"


def _unreleasable_text(best: RecommendedRow, rows: Rows, setting: AccuracySetting) -> str:
    """Return what a noise would reach that satisfies the guarantee but has no safe sampler; after a space."""
    rivals = best.recommendation.without_safe_sampler if best.recommendation else ()
    narrower = [rows[rival.mechanism.key] for rival in rivals]
    notable = [row for row in narrower if answer_value(row, setting) < _NOTABLE_RATIO * answer_value(best.row, setting)]
    if not notable:
        return ""
    least = min(notable, key=lambda row: answer_value(row, setting))
    verb = "have" if setting.target is None else "require"
    name, _, kind = least.calibration.name.partition(", ")  # there are two staircases
    name = f"{name} noise{' of ' * bool(kind)}{kind}"
    return f" {name} would {verb} {size_text(least, setting)}, but has {NO_SAMPLER}."


def _discrete_gaussian_text(setting: AccuracySetting) -> str:
    """Return that discrete Gaussian noise exists, where the answers are whole and a ± is the target; after a space."""
    if not setting.facts.whole or setting.target is None:
        return ""
    return " Discrete Gaussian noise has integer results: enter ε to compare it."


def noise_parameters(row: MechanismRow, setting: AccuracySetting) -> str:
    """Return all parameters of the noise; where a ± is the target they are those of its ε as shown."""
    rule, sensitivity = row.calibration, setting.facts.sensitivity(row.calibration)
    epsilon, digits = setting.epsilon, 4
    if setting.target is not None:
        epsilon = rounded_up(row.epsilon) if math.isfinite(row.epsilon) else math.inf
        digits = 7  # a coarser rounding would miss the ±
    if epsilon < rule.least_epsilon:
        return ""
    if rule.family == "discrete_gaussian":
        return _parameters_text(rule, format_up(row.mechanism.scale))
    if rule.family == "truncated_geometric":
        moved, n_moved = (setting.facts.l1, 1) if setting.facts.single else (1.0, 2)
        noise = noise_of_whole_answers(rule, setting.facts, epsilon, setting.delta)
        last, width = noise.parameters
        bound, scale = truncated_geometric_texts(last, width, setting.delta, moved, n_moved, digits)
        return f" with N = {bound} and s = {scale}, Pr(k) ∝ e^(−|k|/s) for |k| ≤ N"
    delta = 0.0 if rule.guarantee == PURE_DP else setting.delta
    scale = format_up(float(rule.scale(epsilon, delta, sensitivity)), digits)
    if rule.family == "truncated_laplace":
        bound, b = truncated_laplace_texts(epsilon, delta, sensitivity, digits)
        return f" of scale b = {b} between ±A, A = {bound}"
    if rule.family == "staircase":
        width = setting.facts.format_sensitivity(sensitivity)
        steps = f"steps of width Δ₁ = {width} and ε = {format_up(epsilon, digits)}"
        return f" in {steps}, with γ = {step_share(rule, epsilon)}"
    return _parameters_text(rule, scale)


def _parameters_text(rule: Calibration, scale: str) -> str:
    """Return the parameters of noise that its scale alone decides."""
    return family_look(rule.family).parameters.format(symbol=FAMILIES[rule.family].symbol, scale=scale)


def population_text(setting: AccuracySetting, rows: Rows) -> str:
    """Return the interval for the population: sampling error and noise together; empty for other queries."""
    best = recommended_row(rows, setting).row
    width = setting.facts.width
    mechanism = best.mechanism if setting.target is None else best.sufficient
    half = setting.significance / 2
    if width is None or mechanism is None or half < LEAST_SIGNIFICANCE or setting.facts.n_own > 1:
        return ""
    noise, sampling = mechanism.half_width(half), float(sampling_half_width(half, width, setting.n_records))
    if math.isnan(noise):
        return ""
    total = half_width_text(round_up(noise + sampling), setting.facts.unit)
    return (
        f"**For the population.** If the data are a random sample of n = {setting.n_records:,.0f}, the {setting.query} "
        f"of the population is within {total} of the release with probability at least {share(setting.significance)}: "
        f"sampling error {half_width_text(sampling, setting.facts.unit)} plus noise "
        f"{half_width_text(noise, setting.facts.unit)}, each at half of 1 − confidence. The sampling error is "
        "Hoeffding’s bound, which holds for every distribution of the values within their range."
    )


def tables_link_text(setting: AccuracySetting) -> str:
    """Return a link to the page of tables for a count or a histogram, at this setting; empty for another query."""
    reasons = {
        "count": "For a table of counts, with the error of all its cells at once:",
        "histogram": "For a table of your own, with the same recommendation for all its cells:",
    }
    if setting.query not in reasons:
        return ""
    numbers = {key: exact_text(getattr(setting, key)) for key in ("epsilon", "delta", "significance")}
    entries = urlencode(numbers | {"neighbours": setting.neighbours, "promise": setting.promise})
    return f"{reasons[setting.query]} [{TABLES.name}](./{TABLES.path}?{entries})."


def subtitle(setting: AccuracySetting) -> str:
    """Return the query and its parameters, as text."""
    facts, name = setting.facts, {**QUERY.options, "own": "Own query"}[setting.query]
    l1, l2 = facts.format_sensitivity(facts.l1), facts.format_sensitivity(facts.l2)
    return f"{f'{name}: Δ₁ = {l1}, Δ₂ = {l2} {unit_after(l2, facts.unit)}'.rstrip()}, {level_text(setting)}"


def alternative_text(rows: Rows, setting: AccuracySetting) -> str:
    """Return what the figure shows, for those who can't see it."""
    text = "Accuracy against ε of several mechanisms."
    if setting.target is not None:
        answered = [row for row in rows.values() if not math.isnan(row.epsilon)]
        epsilons = "; ".join(f"{row.calibration.name} {epsilon_text(row.epsilon)}" for row in answered)
        return f"{text} The ε that ±{format_input_up(setting.target)} requires: {epsilons}."
    half_widths = "; ".join(
        f"{row.calibration.name} {plain_half_width(format_up(row.half_width), setting.facts.unit)}"
        for row in rows.values()
        if not math.isnan(row.half_width) and row.calibration in setting.drawn_rules
    )
    place = f"At ε = {format_input_up(setting.epsilon)}, {within(setting.significance)} within"
    return f"{text} {place}: {half_widths or 'no noise is available'}."
