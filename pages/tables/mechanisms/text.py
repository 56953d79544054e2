"""The sentences on which noise to add to a table: the answer, and what it leaves of the cells, as three questions."""

import math

import numpy as np

from dpcore import tables
from dpcore.calibrations import PURE_DP
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import (
    capitalized,
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_up,
    pin_sentence,
    random_percent,
)
from pages.shared.conditions import satisfied_text
from pages.shared.counts.table import PER_CELL, PER_PERSON, contribution_fields
from pages.shared.formulas import CERTAINTY, LARGE_EPSILON, LITTLE, in_words, share
from pages.shared.shared_parameters import EPSILON, and_delta
from pages.tables.mechanisms.mechanism_text import TABLE_NOTE, error_scope, error_text, for_all_years
from pages.tables.mechanisms.results import doubled
from pages.tables.results import TablesResult

TOLD_FROM_EMPTY = "told from empty cells at least half of the time"
_NEGLIGIBLE = 1e-9  # a smaller probability of a miss is not shown in digits


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
        return f"{random_percent(power)} of"
    miss = float(mechanism.upper(count - threshold))
    return f"{share(miss)} of" if miss > _NEGLIGIBLE else "practically all"


def _positive_cells_text(result: TablesResult, mechanism: Mechanism) -> str:
    least = _least_count(result, float(tables.least_visible_count(mechanism, result.significance)))
    releases = share(result.setting.significance)
    n_cells = f" {n_cells_text(result, least)} that large." if len(result.counts) else ""
    cells = f"{'every' if result.is_joint else 'a'} cell with a true count of {format_up(least)} or more"
    return f"In {releases} of releases {cells} is released as a positive number.{n_cells}"


def error_bar_note(result: TablesResult, mechanism: Mechanism) -> str:
    """Return why the error bar of a cell that stays above 0 may reach 0, where that is possible; after a space."""
    least = _least_count(result, float(tables.least_visible_count(mechanism, result.significance)))
    half_width = mechanism.half_width(result.significance)
    most = math.floor(half_width) if result.sensitivity.whole else half_width
    if least > most:
        return ""
    cell_sizes = f"of {format_up(least)}" if least == most else f"from {format_up(least)} to {format_down(most)}"
    return (
        f" The error bar, ±{format_up(half_width)}, covers errors in both directions: for a cell {cell_sizes} it "
        "reaches 0, although the released number is positive."
    )


def _empty_cell_text(result: TablesResult, threshold: float) -> str:
    level, t = percent_up(result.setting.significance), format_up(threshold)
    subject = f"An empty cell is released at ±{t} or beyond with probability at most {level}"
    if result.is_joint:
        subject = (
            f"If all {result.n_cells:,} cells were empty, the probability of a number at ±{t} or beyond would be "
            f"at most {level}"
        )
    conclusion = f"a released number of {t} or more distinguishes its cell from an empty one"
    visible = f" {n_cells_text(result, threshold)} released at or above it at least half of the time."
    return f"{subject}: {conclusion}.{visible if len(result.counts) else ''}"


def _relative_error_text(result: TablesResult, mechanism: Mechanism) -> str:
    part = result.values["share"]
    least = _least_count(result, float(tables.least_count_for_share(mechanism, part, result.significance)))
    least = max(least, 1.0) if result.sensitivity.whole else least  # no error is a share of an empty cell
    n_cells = f" {n_cells_text(result, least)} that large." if len(result.counts) else ""
    return (
        f"The error is within {percent_up(part)} of the count for a true count of {format_up(least)} or more.{n_cells}"
    )


def _least_count(result: TablesResult, least: float) -> float:
    """Return the least count, a whole one where counts are whole, whatever was rounded up in the last bits."""
    return math.ceil(least * (1 - 1e-14)) if result.sensitivity.whole else least


def n_cells_text(result: TablesResult, least: float) -> str:
    """Return how many cells are at least as large, with the verb."""
    n_cells = int(np.sum(result.counts >= least))
    if result.n_cells == 1:
        return "The one cell is" if n_cells else "The one cell is not"
    return f"{n_cells:,} of the {result.n_cells:,} cells {'is' if n_cells == 1 else 'are'}"


def answer_text(result: TablesResult) -> tuple[str, str]:
    """Return the noise to use with its half-widths, and which cells remain usable and what would change the error."""
    best = result.recommendation
    if best is None:
        return _no_mechanism_text(result)
    mechanism = best.mechanism
    noise = f"Use {in_words(mechanism)} noise: {_half_widths_text(result, mechanism)}"
    sentence = f"{noise} ({_parameters_text(result, mechanism)})."
    if result.setting.epsilon > LARGE_EPSILON:
        return sentence, f"⚠ {mechanism.guarantee} {LITTLE}: choose a smaller one, with more noise."
    limit = hard_limit_text(mechanism) or _alternatives_text(result, mechanism)
    usable = ""  # where only the number of cells is known
    if len(result.counts):
        threshold = float(tables.detection_threshold(mechanism, result.significance))
        usable = f"{n_cells_text(result, threshold)} {TOLD_FROM_EMPTY}"
    meaning = "; ".join(filter(None, (usable, limit)))
    return sentence, f"{capitalized(meaning or satisfied_text(result.values, mechanism.guarantee))}."


def hard_limit_text(mechanism: Mechanism) -> str:
    """Return the largest error that is possible and what δ is spent for, as a part of a sentence; else nothing."""
    if not math.isfinite(mechanism.hard_limit):
        return ""
    return (
        f"no error exceeds ±{format_up(mechanism.hard_limit)}; with probability at most "
        f"{format_input_up(mechanism.delta)} a release {CERTAINTY}"
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


def _parameters_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the ε and δ of the noise, and the share of releases that its half-widths hold for."""
    setting = result.setting
    delta = and_delta(None if mechanism.guarantee == PURE_DP else setting.delta)
    releases = share(setting.significance)
    releases = releases if releases.startswith("all") else f"{releases} of releases"
    return f"ε = {format_input_up(setting.epsilon)}{delta}{for_all_years(setting.n_periods)}, {releases}"


def _alternatives_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the half-width of the same noise at twice the ε, and at twice the k and the c of fields in sight."""
    names_by_error = dict[str, list[str]]()
    limits = (field for field in (PER_PERSON, PER_CELL) if field in contribution_fields(result.values))
    for field in (EPSILON, *limits):
        if (other := doubled(result, mechanism, field.key)) is not None:
            names_by_error.setdefault(f"±{format_up(other.half_width(result.significance))}", []).append(field.symbol)
    phrases = [f"doubling {' or '.join(names)} {error}" for error, names in names_by_error.items()]
    return f"{', '.join(phrases)} for {error_scope(result)}".replace(" ±", " gives ±", 1) if phrases else ""


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


def comparison_text(result: TablesResult) -> str:
    """Return what differs from the pinned setting."""
    pinned = result.pinned
    current, previous = result.recommendation, pinned and pinned.recommendation
    if pinned is None or current is None or previous is None:
        return pin_sentence("one of the two settings has no noise")
    old, new = f"±{format_up(previous.error)}", f"±{format_up(current.error)}"
    return pin_comparison(result, pinned, old, new, (in_words(previous.mechanism), in_words(current.mechanism)))


def pin_comparison(result: TablesResult, pinned: TablesResult, old: str, new: str, noises: tuple[str, str]) -> str:
    """Return how the half-width and the noise differ from those of the pin, old ones first."""
    scopes = error_scope(pinned), error_scope(result)
    sizes = (
        f"{old} → {new} for {scopes[1]}" if scopes[0] == scopes[1] else f"{old} for {scopes[0]} → {new} for {scopes[1]}"
    )
    noise = "same noise" if noises[0] == noises[1] else f"{noises[0]} → {noises[1]} noise"
    return pin_sentence(f"{sizes}; {noise}", f"ε = {format_input_up(pinned.setting.epsilon)}")
