"""The reasons for the noise that is recommended for a table, what a δ buys, and what totals cost."""

import math

from dpcore.calibrations import PROVED, PURE_DP
from dpcore.checks import Array
from dpcore.recommendation import recommend
from dpcore.sensitivity import Sensitivity
from pages.framework.parameters.number_format import (
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
)
from pages.shared.error_text import share
from pages.shared.formulas import AS_GOOD, NO_SAMPLER, in_words
from pages.shared.least_noise import CERTAINTY
from pages.tables.mechanisms.mechanism_text import contribution_text
from pages.tables.results import TablesResult

PRIVACY_UNIT = (
    "**Keep δ far below 1 ÷ n**: publishing each of 10,000 records with probability 1e-4 satisfies δ = 1e-4, and "
    "discloses one record on average. Do not let the time that a query takes depend on the data. For a mean or a "
    "proportion, see [One number](./Accuracy)."
)


def reasons_text(result: TablesResult) -> str:
    """Return why the noise is recommended, what a δ buys, and what totals cost, in Markdown."""
    return "\n\n".join(
        part
        for part in (
            recommendation_reason(result),
            spent_delta_text(result),
            delta_text(result),
            totals_text(result),
            PRIVACY_UNIT,
        )
        if part
    )


def spent_delta_text(result: TablesResult) -> str:
    """Return what the δ of the recommended noise is spent for, where the noise has a largest error."""
    mechanism = result.recommendation and result.recommendation.mechanism
    if mechanism is None or not math.isfinite(mechanism.hard_limit):
        return ""
    moved, moved_number = float(result.sensitivity.n_moved), "the number that the person changes"
    cells = moved_number if moved == 1 else f"one of the {moved:,.0f} numbers that the person changes"
    return (
        f"**What δ is spent for.** The noise ends at ±{format_up(mechanism.hard_limit)}. With probability at most "
        f"{format_input_up(mechanism.delta)}, {cells} is released where the noise of the other data set does not "
        f"reach, and this {CERTAINTY}. All other releases have a privacy loss of at most ε, so this "
        "is the exact composition of the numbers."
    )


def half_width_meaning(result: TablesResult, half_width: float, whole: bool) -> str:
    """Return what a half-width means for the chosen kind of error."""
    releases, half_width_text = share(result.setting.significance), format_up(half_width)
    releases = f"at least {releases}" if whole and not releases.startswith("all") else releases
    if result.setting.error == "all" and result.n_cells > 1:
        return f"In {releases} of releases all {result.n_cells:,} cells are within ±{half_width_text} at once."
    return f"In {releases} of releases a cell is within ±{half_width_text} of its true count."


def recommendation_reason(result: TablesResult) -> str:
    """Return why this noise is recommended."""
    best = result.recommendation
    if best is None:
        return ""
    name, size, guarantee = best.mechanism.name, f"±{format_up(best.error)}", _guarantee_name(result)
    contribution = f"k = {format_input_down(result.setting.per_person)}{contribution_text(result)}"
    scale = f"{best.mechanism.symbol} = {format_up(best.mechanism.scale)}"
    head = f"**{name} noise, {scale}** ({best.mechanism.guarantee}; {contribution})."
    head = f"{head} {half_width_meaning(result, best.error, best.mechanism.whole)}"
    rival_name = "" if best.runner_up is None else f"{in_words(best.runner_up)} noise"
    rival_size = f"±{format_up(best.runner_up_error)}"
    sentence = {
        "only": f"It is the only noise in the table that satisfies {guarantee} and has a floating-point-safe sampler.",
        "smallest": f"Among the noises that are proved to satisfy {guarantee} and have a floating-point-safe "
        f"sampler, it has the smallest error: {size} against {rival_size} of {rival_name}.",
        "whole": f"Its error, {size}, is that of {rival_name}, {rival_size}, {AS_GOOD} count; results are integers "
        "and can be sampled exactly, which rules out floating-point attacks.",
        "guarantee": f"Its error, {size}, is within 1 % that of {rival_name}, {rival_size}, and it satisfies ε-DP, "
        "without a δ.",
    }[best.reason]
    others = "".join(
        f" {rival_mechanism.mechanism.name} noise would have ±{format_up(rival_mechanism.error)}, but has {NO_SAMPLER}."
        for rival_mechanism in best.without_safe_sampler
    )
    return f"{head} {sentence}{others}"


def _guarantee_name(result: TablesResult) -> str:
    return "pure ε-DP" if result.setting.promise == "pure" else "ε-DP or (ε, δ)-DP"


def delta_text(result: TablesResult) -> str:
    """Return how much narrower the noise is with a δ than under pure ε-DP, and what the δ means."""
    setting, significance = result.setting, result.significance
    delta = format_input_up(setting.delta)
    alternative = recommend(
        result.mechanisms,
        "delta" if setting.promise == "pure" else "pure",
        bool(result.sensitivity.whole),
        significance,
    )
    both = result.recommendation, alternative
    pure, approximate = both if setting.promise == "pure" else both[::-1]
    if pure is None or approximate is None:
        return ""
    if pure.mechanism != approximate.mechanism:
        smaller = format_nearest(100 * approximate.error / pure.error, 3)
        return (
            f"**Would δ > 0 help?** Yes: δ = {delta} allows ±{format_up(approximate.error)}, with"
            f" {in_words(approximate.mechanism)} noise, {smaller} % of the ±{format_up(pure.error)} that"
            f" {in_words(pure.mechanism)} noise has under pure ε-DP. In exchange, probabilities may exceed the e^ε "
            f"bound by up to {delta}."
        )
    non_pure = [
        mechanism for mechanism in result.mechanisms if mechanism.guarantee != PURE_DP and mechanism.status == PROVED
    ]
    rivals = [(mechanism.half_width(significance), mechanism) for mechanism in non_pure if mechanism.releasable]
    if not rivals:
        return ""
    half_width, rival = min(rivals, key=lambda pair: pair[0])
    return (
        f"**Would δ > 0 help?** No: at δ = {delta} the best is {in_words(rival)} noise with ±{format_up(half_width)};"
        f" {in_words(pure.mechanism)} noise has ±{format_up(pure.error)} and satisfies ε-DP."
    )


def totals_text(result: TablesResult) -> str:
    """Return what totals with noise of their own cost, and what it costs to sum the noisy cells instead."""
    setting, sets = result.setting, result.setting.margins
    without = result.sensitivity_at(setting.per_person, margins=0)
    with_totals = result.sensitivity_at(setting.per_person, margins=sets or 1)
    subject = f"The {sets:.0f} sets of totals with their own noise raise"
    if sets <= 1:
        totals = "the totals of the rows" if setting.neighbours == "replace" else "the grand total"
        subject = f"One set of totals with its own noise, such as {totals}, {'raises' if sets else 'would raise'}"
    return (
        f"**Totals.** {subject} Δ₁ from {format_up(float(without.l1))} to {format_up(float(with_totals.l1))} and Δ₂"
        f" from {format_up(float(without.l2))} to"
        f" {format_up(float(with_totals.l2))}{_widening_text(result, without, with_totals)}. Sums of noisy cells are"
        f" free; their total has √m = {format_nearest(math.sqrt(result.n_cells), 3)} times a cell’s standard"
        " deviation."
    )


def _widening_text(result: TablesResult, without: Sensitivity, with_totals: Sensitivity) -> str:
    """Return by how much totals widen the available noises."""
    available = {mechanism.key for mechanism in result.mechanisms}
    factors = {
        "laplace": f"Laplace’s ± by {_ratio_text(without.l1, with_totals.l1)}",
        "analytic": f"the analytic Gaussian’s ± by {_ratio_text(without.l2, with_totals.l2)}",
    }
    phrases = [phrase for key, phrase in factors.items() if key in available]
    return f", which multiplies {' and '.join(phrases)}" if phrases else ""


def _ratio_text(smaller: Array, larger: Array) -> str:
    return format_nearest(float(larger / smaller), 3)
