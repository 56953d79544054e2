"""The sentences on which noise to add to a table: the answer, its reasons, and what the noise leaves of the cells."""

import math

import numpy as np

from dpcore import tables
from dpcore.calibrations import PROVED, PURE_DP
from dpcore.checks import Array
from dpcore.mechanism import Mechanism
from dpcore.recommendation import recommend
from dpcore.sensitivity import Sensitivity, table_sensitivity
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_down,
    percent_up,
)
from pages.shared.error_text import share
from pages.shared.formulas import AS_GOOD, NO_SAMPLER, in_words
from pages.tables.mechanisms.mechanism_text import TABLE_NOTE, contribution_text, error_scope, error_text
from pages.tables.mechanisms.results import half_width_with
from pages.tables.results import TablesResult

PRIVACY_UNIT = (
    "**Who is protected.** The guarantee is for one person as k and c describe them: enforce both limits before "
    "counting, for example by keeping at most k records of each person. Keep δ far below 1 ÷ n: publishing each of "
    "10,000 records with probability 1e-4 satisfies δ = 1e-4, and discloses one record on average. The time that a "
    "query takes can reveal data too: do not let it depend on them. For a mean or a proportion, see "
    "[Accuracy](./Accuracy)."
)
_NEGLIGIBLE = 1e-9  # a smaller probability of a miss is not shown in digits


def answer_text(result: TablesResult) -> tuple[str, str]:
    """Return the noise to use with its half-widths, and which cells remain usable and what would change the error."""
    best = result.recommendation
    if best is None:
        return _no_mechanism_text(result)
    mechanism = best.mechanism
    noise = f"Use {in_words(mechanism)} noise: {_half_widths_text(result, mechanism)}"
    sentence = f"{noise} ({_parameters_text(result, mechanism)})."
    limit = hard_limit_text(mechanism) or _alternatives_text(result, mechanism)
    meaning = "; ".join(filter(None, (_usable_cells_text(result, mechanism), limit)))
    return (
        sentence,
        f"{meaning[:1].upper()}{meaning[1:]}." if meaning else f"The noise satisfies {mechanism.guarantee}.",
    )


def hard_limit_text(mechanism: Mechanism) -> str:
    """Return the largest error that is possible and what δ is spent for, as a part of a sentence; else nothing."""
    if not math.isfinite(mechanism.hard_limit):
        return ""
    return (
        f"no error exceeds ±{format_up(mechanism.hard_limit)}; a release identifies the person with probability at "
        f"most {format_input_up(mechanism.delta)}"
    )


def spent_delta_text(result: TablesResult) -> str:
    """Return what the δ of the recommended noise is spent for, where the noise has a largest error."""
    mechanism = result.recommendation and result.recommendation.mechanism
    if mechanism is None or not math.isfinite(mechanism.hard_limit):
        return ""
    moved, moved_number = float(result.sensitivity.n_moved), "the number that the person moves"
    cells = moved_number if moved == 1 else f"one of the {moved:,.0f} numbers that the person moves"
    return (
        f"**What δ is spent for.** The noise ends at ±{format_up(mechanism.hard_limit)}. With probability at most "
        f"{format_input_up(mechanism.delta)}, {cells} is released where the noise of the data set without the person "
        "does not reach, and this identifies the person. All other releases have a privacy loss of at most ε, so this "
        "is the exact composition of the numbers."
    )


def _parameters_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the ε and δ of the noise, and the share of releases that its half-widths hold for."""
    setting, pure = result.setting, mechanism.guarantee == PURE_DP
    delta = "" if pure else f", δ = {format_input_up(setting.delta)}"
    releases = share(setting.significance)
    releases = releases if releases.startswith("all") else f"{releases} of releases"
    return f"ε = {format_input_up(setting.epsilon)}{delta}, {releases}"


def _usable_cells_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return how many cells remain distinguishable from an empty one; empty where only the number of cells is known."""
    if not len(result.counts):
        return ""
    threshold = float(tables.detection_threshold(mechanism, result.significance))
    return f"{_n_cells_text(result, threshold)} distinguishable from empty cells at least half of the time"


def _alternatives_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the half-width of the same noise at twice the ε and at twice the k, where it has one."""
    by_epsilon = half_width_with(result, mechanism, epsilon_factor=2)
    by_persons = half_width_with(result, mechanism, persons_factor=2)
    phrases = [f"doubling ε gives ±{format_up(by_epsilon)}"] if by_epsilon is not None else []
    k = format_input_down(result.setting.per_person)
    phrases += [f"doubling k = {k} gives ±{format_up(by_persons)}"] if by_persons is not None else []
    return f"{', '.join(phrases)} for {error_scope(result)}" if phrases else ""


def _half_widths_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the half-width for the chosen kind of error, and for the other one."""
    cell = f"±{format_up(mechanism.half_width(result.setting.significance))}"
    simultaneous = f"±{format_up(mechanism.half_width(result.simultaneous_significance))}"
    if result.n_cells == 1:
        return f"{cell} for the one cell"
    if result.setting.error == "all":
        return f"{simultaneous} for all {result.n_cells:,} cells, {cell} for one cell"
    return f"{cell} for one cell, {simultaneous} for all {result.n_cells:,} cells"


def _no_mechanism_text(result: TablesResult) -> tuple[str, str]:
    setting = result.setting
    if setting.promise == "pure":
        small = "Below ε = 1e-12 this page has no noise for pure ε-DP."
        return (
            small if setting.epsilon else "No noise satisfies pure ε-DP at ε = 0.",
            "Choose a larger ε, or accept a δ.",
        )
    place = f"ε = {format_input_up(setting.epsilon)} and δ = {format_input_up(setting.delta)}"
    return f"The noise that {place} require hides every count.", "Choose a larger ε or δ."


def half_width_meaning(result: TablesResult, half_width: float, whole: bool) -> str:
    """Return what a half-width means for the chosen kind of error."""
    releases, half_width_text = share(result.setting.significance), format_up(half_width)
    releases = f"at least {releases}" if whole and not releases.startswith("all") else releases
    if result.setting.error == "all" and result.n_cells > 1:
        return f"In {releases} of releases all {result.n_cells:,} cells are within ±{half_width_text} at once."
    return f"In {releases} of releases a cell is within ±{half_width_text} of its true count."


def comparison_text(result: TablesResult) -> str:
    """Return what differs from the pinned setting."""
    pinned = result.pinned
    current, previous = result.recommendation, pinned and pinned.recommendation
    if pinned is None or current is None or previous is None:
        return "Compared with the pin: one of the two settings has no noise."
    old, new = f"±{format_up(previous.error)}", f"±{format_up(current.error)}"
    return pin_comparison(result, pinned, old, new, (in_words(previous.mechanism), in_words(current.mechanism)))


def pin_comparison(result: TablesResult, pinned: TablesResult, old: str, new: str, noises: tuple[str, str]) -> str:
    """Return how the half-width and the noise differ from those of the pin, old ones first."""
    scopes = error_scope(pinned), error_scope(result)
    sizes = (
        f"{old} → {new} for {scopes[1]}" if scopes[0] == scopes[1] else f"{old} for {scopes[0]} → {new} for {scopes[1]}"
    )
    noise = "same noise" if noises[0] == noises[1] else f"{noises[0]} → {noises[1]} noise"
    return f"Compared with the pin (ε = {format_input_up(pinned.setting.epsilon)}): {sizes}; {noise}."


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
    rival = "" if best.runner_up is None else f"±{format_up(best.runner_up_error)} of {in_words(best.runner_up)} noise"
    sentence = {
        "only": f"It is the only noise in the table that satisfies {guarantee} and has a floating-point-safe sampler.",
        "smallest": f"Among the noises that are proved to satisfy {guarantee} and have a floating-point-safe "
        "sampler, it "
        f"has the smallest error: {size} against {rival}.",
        "whole": f"Its error {size} equals {rival} {AS_GOOD} count; results are integers and can be sampled "
        "exactly, which rules out floating-point attacks.",
        "guarantee": f"Its error {size} equals {rival} within 1 %, and it satisfies ε-DP, without a δ.",
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
            "bound"
            f" by up to {delta}."
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
    contribution = setting.per_person, setting.per_cell, setting.neighbours
    without = table_sensitivity(*contribution, 0, result.n_cells)
    with_totals = table_sensitivity(*contribution, sets or 1, result.n_cells)
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
        "analytic": f"the analytic Gaussian’s by {_ratio_text(without.l2, with_totals.l2)}",
    }
    phrases = [phrase for key, phrase in factors.items() if key in available]
    return f", which multiplies {' and '.join(phrases)}" if phrases else ""


def _ratio_text(smaller: Array, larger: Array) -> str:
    return format_nearest(float(larger / smaller), 3)


def questions_text(result: TablesResult) -> str:
    """Return what the numbers of the table mean and, where only the number of cells is known, which remain usable."""
    best = result.recommendation
    if best is None:
        return ""
    if result.has_cells:  # the section on the cells has the questions
        return TABLE_NOTE
    return f"{TABLE_NOTE}\n\n{cell_questions(result, best.mechanism)}"


def cell_questions(result: TablesResult, mechanism: Mechanism, bars: str = "") -> str:
    """Return what a noise leaves of the cells, as the answers to three questions; `bars` follows the first."""
    smallest, threshold = result.values["smallest"], float(tables.detection_threshold(mechanism, result.significance))
    share_of_releases = _detection_share(mechanism, smallest, threshold)
    detection = f"A true count of {format_nearest(smallest)} passes this threshold in {share_of_releases} releases."
    return "\n".join(
        [
            f"**Which cells remain usable** with {in_words(mechanism)} noise, {error_text(result)}:\n",
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
        cells = f"every cell with a true count of {format_up(least)} or more"
    else:
        cells = f"a cell with a true count of {format_up(least)} or more"
    return f"In {releases} of releases {cells} is released as a positive number.{n_cells}"


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
        f" The error bar, ±{format_up(half_width)}, covers errors in both directions: for a cell {cell_sizes} it "
        "reaches"
        " 0, although the released number is positive."
    )


def _empty_cell_text(result: TablesResult, threshold: float) -> str:
    level, t = percent_up(result.setting.significance), format_up(threshold)
    subject = f"An empty cell is released at ±{t} or beyond with probability at most {level}"
    if result.setting.error == "all" and result.n_cells > 1:
        subject = (
            f"If all {result.n_cells:,} cells were empty, the probability of a number at ±{t} or beyond would be "
            f"at most {level}"
        )
    conclusion = f"a released number of {t} or more distinguishes its cell from an empty one"
    visible = f" {_n_cells_text(result, threshold)} released at or above it at least half of the time."
    n_cells = visible if len(result.counts) else ""
    return f"{subject}: {conclusion}.{n_cells}"


def _relative_error_text(result: TablesResult, mechanism: Mechanism) -> str:
    part = result.values["share"]
    least = _least_count(result, float(tables.least_count_for_share(mechanism, part, result.significance)))
    least = max(least, 1.0) if result.sensitivity.whole else least  # no error is a share of an empty cell
    n_cells = f" {_n_cells_text(result, least)} that large." if len(result.counts) else ""
    return (
        f"The error is within {percent_up(part)} of the count for a true count of {format_up(least)} or more.{n_cells}"
    )


def _least_count(result: TablesResult, least: float) -> float:
    """Return the least count, a whole one where counts are whole, whatever was rounded up in the last bits."""
    return math.ceil(least * (1 - 1e-14)) if result.sensitivity.whole else least


def _n_cells_text(result: TablesResult, least: float) -> str:
    """Return how many cells are at least as large, with the verb."""
    n_cells = int(np.sum(result.counts >= least))
    if result.n_cells == 1:
        return "The one cell is" if n_cells else "The one cell is not"
    return f"{n_cells:,} of the {result.n_cells:,} cells {'is' if n_cells == 1 else 'are'}"
