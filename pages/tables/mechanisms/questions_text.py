"""What a noise leaves of the cells of a table, as the answers to three questions."""

import math

import numpy as np

from dpcore import tables
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import (
    format_down,
    format_nearest,
    format_up,
    percent_down,
    percent_up,
)
from pages.shared.error_text import share
from pages.shared.formulas import in_words
from pages.tables.mechanisms.mechanism_text import TABLE_NOTE, error_text
from pages.tables.results import TablesResult

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
        return f"{percent_down(power)} of"
    miss = float(mechanism.upper(count - threshold))
    return f"{share(miss)} of" if miss > _NEGLIGIBLE else "practically all"


def _positive_cells_text(result: TablesResult, mechanism: Mechanism) -> str:
    least = _least_count(result, float(tables.least_visible_count(mechanism, result.significance)))
    releases = share(result.setting.significance)
    n_cells = f" {n_cells_text(result, least)} that large." if len(result.counts) else ""
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
        "reaches 0, although the released number is positive."
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
    visible = f" {n_cells_text(result, threshold)} released at or above it at least half of the time."
    n_cells = visible if len(result.counts) else ""
    return f"{subject}: {conclusion}.{n_cells}"


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
