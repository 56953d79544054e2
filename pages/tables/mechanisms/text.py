"""The sentences on which noise to add to a table: the answer, its reasons, and what the noise leaves of the cells."""

import math

import numpy as np

from dpcore import tables
from dpcore.calibrations import PROVED, PURE_DP
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from dpcore.recommendation import Recommendation, recommend
from dpcore.sensitivity import Sensitivity, table_sensitivity
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_down,
    percent_up,
    share,
)
from pages.shared.formulas import AS_GOOD, NO_SAMPLER, in_words
from pages.tables.mechanisms.mechanism_text import TABLE_NOTE, contribution_text, error_scope, error_text
from pages.tables.results import TablesResult

_NEGLIGIBLE = 1e-9  # a smaller probability of a miss is not shown in digits


def answer_text(result: TablesResult) -> tuple[str, str]:
    """Return the noise to use and its half-width, and what that means for the releases."""
    best = result.recommendation
    if best is None:
        return _no_mechanism_text(result)
    mechanism = best.mechanism
    size = f"{mechanism.symbol} = {format_up(mechanism.scale)}"
    noise = f"{in_words(mechanism)} noise, {size}, {_half_widths_text(result, mechanism)}"
    sentence = f"{_parameters_text(result, mechanism)}: use {noise}."
    return sentence, f"{half_width_meaning(result, best.error, mechanism.whole)} {_short_reason(best)}"


def _parameters_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the parameters and the guarantee of the noise."""
    setting, pure = result.setting, mechanism.guarantee == PURE_DP
    delta = "" if pure else f", δ = {format_input_up(setting.delta)}"
    epsilon, k = format_input_up(setting.epsilon), format_input_down(setting.per_person)
    guarantee = f"{'pure ' if pure else ''}{mechanism.guarantee}"
    return f"At ε = {epsilon}{delta}, k = {k}{contribution_text(result)}, {guarantee}"


def _half_widths_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the half-width for the chosen kind of error, and for the other one."""
    cell = f"±{format_up(mechanism.half_width(result.setting.significance))}"
    simultaneous = f"±{format_up(mechanism.half_width(result.simultaneous_significance))}"
    if result.n_cells == 1:
        return f"{cell} for the one cell"
    if result.setting.error == "all":
        return f"{simultaneous} for all {result.n_cells:,} cells together, {cell} for each"
    return f"{cell} for each cell, {simultaneous} for all {result.n_cells:,} together"


def _no_mechanism_text(result: TablesResult) -> tuple[str, str]:
    setting = result.setting
    if setting.promise == "pure":
        small = "Below ε = 1e-12 no ε-DP noise is offered here."
        return small if setting.epsilon else "No noise keeps pure ε-DP at ε = 0.", "Choose a larger ε, or accept a δ."
    place = f"ε = {format_input_up(setting.epsilon)} and δ = {format_input_up(setting.delta)}"
    return f"No count would show through the noise that {place} take.", "Choose a larger ε or δ."


def half_width_meaning(result: TablesResult, half_width: float, whole: bool) -> str:
    """Return what a half-width means for the chosen kind of error."""
    releases, half_width_text = share(result.setting.significance), format_up(half_width)
    releases = f"at least {releases}" if whole and not releases.startswith("all") else releases
    if result.setting.error == "all" and result.n_cells > 1:
        first = f"{releases[0].upper()}{releases[1:]} of releases"
        return f"{first} have all {result.n_cells:,} cells within ±{half_width_text} of their true counts."
    return f"A cell is within ±{half_width_text} of its true count in {releases} of releases."


def _short_reason(best: Recommendation) -> str:
    rival = "" if best.runner_up is None else f"{in_words(best.runner_up)} noise’s ±{format_up(best.runner_up_error)}"
    return {
        "only": "No other noise that can be released safely keeps this promise.",
        "whole": f"That is as good as {rival}, and counts stay whole.",
        "guarantee": f"That is as good as {rival}, and it needs no δ.",
        "smallest": f"The next best is {rival}.",
    }[best.reason]


def comparison_text(result: TablesResult) -> str:
    """Return what differs from the pinned setting."""
    pinned = result.pinned
    current, previous = result.recommendation, pinned and pinned.recommendation
    if pinned is None or current is None or previous is None:
        return "Since the pinned setting: one of the two has no noise."
    old, new = f"±{format_up(previous.error)}", f"±{format_up(current.error)}"
    sizes = f"{old} for {error_scope(pinned)} → {new} for {error_scope(result)}"
    return f"Since the pinned setting: {in_words(previous.mechanism)} → {in_words(current.mechanism)} noise, {sizes}."


def reasons_text(result: TablesResult) -> str:
    """Return why the noise is recommended, what a δ buys, and what totals cost, in Markdown."""
    return "\n\n".join(
        part for part in (recommendation_reason(result), delta_text(result), totals_text(result)) if part
    )


def recommendation_reason(result: TablesResult) -> str:
    """Return why this noise is recommended."""
    best = result.recommendation
    if best is None:
        return ""
    name, size, keeps = best.mechanism.name, f"±{format_up(best.error)}", _guarantee_name(result)
    rival = "" if best.runner_up is None else f"±{format_up(best.runner_up_error)} of {in_words(best.runner_up)} noise"
    sentence = {
        "only": f"**Why {name}.** It is the only one of these that keeps {keeps} and that can be released safely.",
        "smallest": f"**Why {name}.** Of the noises that keep {keeps}, are proved to, and can be released safely, it "
        f"is the narrowest: {size}, against {rival}.",
        "whole": f"**Why {name}.** Its {size} is as good, {AS_GOOD} count, as {rival}; counts "
        "stay whole, and an exact sampler in whole numbers leaves no last digits of a floating-point number for an "
        "attack to read.",
        "guarantee": f"**Why {name}.** Its {size} is as good as {rival}, and it keeps ε-DP, which needs no δ.",
    }[best.reason]
    return sentence + "".join(
        f" {rival_mechanism.mechanism.name} would reach ±{format_up(rival_mechanism.error)}, but there is {NO_SAMPLER}."
        for rival_mechanism in best.without_safe_sampler
    )


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
            f"**What a δ buys.** Pure ε-DP takes ±{format_up(pure.error)}, with {in_words(pure.mechanism)} noise. With"
            f" a δ of {delta} it is ±{format_up(approximate.error)}, with {in_words(approximate.mechanism)} noise:"
            f" {smaller} % of that. The price: one person’s data may then take the probability of a set of outcomes"
            f" beyond e^ε times what it was, by up to {delta}."
        )
    non_pure = [
        mechanism for mechanism in result.mechanisms if mechanism.guarantee != PURE_DP and mechanism.status == PROVED
    ]
    rivals = [(mechanism.half_width(significance), mechanism) for mechanism in non_pure if mechanism.releasable]
    if not rivals:
        return ""
    half_width, rival = min(rivals, key=lambda pair: pair[0])
    return (
        f"**What a δ buys.** Nothing that counts here: with a δ of {delta} the best is {in_words(rival)} noise,"
        f" ±{format_up(half_width)}, against ±{format_up(pure.error)} of {in_words(pure.mechanism)} noise, which keeps"
        " ε-DP without one."
    )


def totals_text(result: TablesResult) -> str:
    """Return what totals with noise of their own cost, and what it costs to sum the noisy cells instead."""
    setting, sets = result.setting, result.setting.margins
    contribution = setting.per_person, setting.per_cell, setting.neighbours
    without = table_sensitivity(*contribution, 0, result.n_cells)
    with_totals = table_sensitivity(*contribution, sets or 1, result.n_cells)
    subject = f"The {sets:.0f} sets of totals with noise of their own raise"
    if sets <= 1:
        totals = "the totals of the rows" if setting.neighbours == "replace" else "the grand total"
        subject = f"One set of totals with noise of its own, as {totals}, {'raises' if sets else 'would raise'}"
    return (
        f"**Totals.** {subject} Δ₁ from {format_up(float(without.l1))} to {format_up(float(with_totals.l1))} and Δ₂"
        f" from {format_up(float(without.l2))} to"
        f" {format_up(float(with_totals.l2))}{_widening_text(result, without, with_totals)}. Totals summed from the"
        " noisy cells cost nothing; the standard deviation of the grand total’s error is then that of a cell times √m"
        f" = {format_nearest(math.sqrt(result.n_cells), 3)}."
    )


def _widening_text(result: TablesResult, without: Sensitivity, with_totals: Sensitivity) -> str:
    """Return by how much totals widen the available noises."""
    available = {mechanism.key for mechanism in result.mechanisms}
    factors = {
        "laplace": f"Laplace’s ± by a factor of {_ratio_text(without.l1, with_totals.l1)}",
        "analytic": f"the analytic Gaussian’s ± by a factor of {_ratio_text(without.l2, with_totals.l2)}",
    }
    phrases = [phrase for key, phrase in factors.items() if key in available]
    return f", so {', and '.join(phrases)}" if phrases else ""


def _ratio_text(smaller: Array, larger: Array) -> str:
    return format_nearest(float(larger / smaller), 3)


def questions_text(result: TablesResult) -> str:
    """Return what the numbers of the table mean, and what the recommended noise leaves of the cells."""
    best = result.recommendation
    return "" if best is None else f"{TABLE_NOTE}\n\n{cell_questions(result, best.mechanism)}"


def cell_questions(result: TablesResult, mechanism: Mechanism, bars: str = "") -> str:
    """Return what a noise leaves of the cells, as the answers to three questions; `bars` follows the first."""
    smallest, threshold = result.values["smallest"], float(tables.detection_threshold(mechanism, result.significance))
    share_of_releases = _detection_share(mechanism, smallest, threshold)
    detection = f"A cell of {format_nearest(smallest)} is released that high in {share_of_releases} releases."
    return "\n".join(
        [
            f"**Which cells still say something** with {in_words(mechanism)} noise, {error_text(result)}:\n",
            f"- {_positive_cells_text(result, mechanism)}{bars}",
            f"- {_empty_cell_text(result, threshold)} {detection}",
            f"- {_relative_error_text(result, mechanism)}",
        ]
    )


def _detection_share(mechanism: Mechanism, count: float, threshold: float) -> str:
    """Return how often a cell is released at the threshold or above, rounded down."""
    power = float(tables.power(mechanism, count, threshold))
    if power <= 0.5:
        return f"{percent_down(power)} of"
    miss = float(mechanism.upper(count - threshold))
    return f"{share(miss)} of" if miss > _NEGLIGIBLE else "practically all"


def _positive_cells_text(result: TablesResult, mechanism: Mechanism) -> str:
    least = _least_count(result, float(tables.least_visible_count(mechanism, result.significance)))
    releases = share(result.setting.significance)
    n_cells = f" {_n_cells_text(result, least)} that large." if len(result.counts) else ""
    if result.setting.error == "all" and result.n_cells > 1:
        sentence = f"Cells of {format_up(least)} or more all stay above 0 in {releases} of releases"
    else:
        sentence = f"A cell of {format_up(least)} or more stays above 0 in {releases} of its releases"
    return f"{sentence}: only errors downwards count.{n_cells}"


def cell_questions_with_bars(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the same below a figure that draws the cells with their error bars."""
    return cell_questions(result, mechanism, _error_bar_note(result, mechanism))


def _error_bar_note(result: TablesResult, mechanism: Mechanism) -> str:
    """Return why the error bar of a cell that stays above 0 may reach 0, where that is possible; after a space."""
    least = _least_count(result, float(tables.least_visible_count(mechanism, result.significance)))
    half_width = mechanism.half_width(result.significance)
    most = math.floor(half_width) if result.sensitivity.whole else half_width
    if least > most:
        return ""
    cell_sizes = f"of {format_up(least)}" if least == most else f"from {format_up(least)} to {format_down(most)}"
    return (
        f" ±{format_up(half_width)} counts errors in both directions, so the error bar of a cell {cell_sizes} reaches 0"
        " although the cell stays above 0."
    )


def _empty_cell_text(result: TablesResult, threshold: float) -> str:
    level, t = percent_up(result.setting.significance), format_up(threshold)
    subject = f"An empty cell is released at {t} or further from 0"
    if result.setting.error == "all" and result.n_cells > 1:
        subject = f"If all {result.n_cells:,} cells were empty, one or more would be released at {t} or further from 0"
    conclusion = f"a release of {t} or more tells its cell from an empty one at this level"
    visible = f" {_n_cells_text(result, threshold)} released so high in at least half of their releases."
    n_cells = visible if len(result.counts) else ""
    return f"{subject} with probability at most {level}: {conclusion}.{n_cells}"


def _relative_error_text(result: TablesResult, mechanism: Mechanism) -> str:
    part = result.values["share"]
    least = _least_count(result, float(tables.least_count_for_share(mechanism, part, result.significance)))
    least = max(least, 1.0) if result.sensitivity.whole else least  # no error is a share of an empty cell
    n_cells = f" {_n_cells_text(result, least)} that large." if len(result.counts) else ""
    return f"The error stays within {percent_up(part)} of the count for a cell of {format_up(least)} or more.{n_cells}"


def _least_count(result: TablesResult, least: float) -> float:
    """Return the least count, a whole one where counts are whole, whatever was rounded up in the last bits."""
    return math.ceil(least * (1 - 1e-14)) if result.sensitivity.whole else least


def _n_cells_text(result: TablesResult, least: float) -> str:
    """Return how many cells are at least as large, with the verb."""
    n_cells = int(np.sum(result.counts >= least))
    if result.n_cells == 1:
        return "The one cell is" if n_cells else "The one cell is not"
    return f"{n_cells:,} of the {result.n_cells:,} cells {'is' if n_cells == 1 else 'are'}"
