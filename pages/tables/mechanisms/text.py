"""The sentences on which noise to add to a table: the answer, and the comparison with the pin."""

import math

from dpcore import tables
from dpcore.calibrations import PURE_DP
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import (
    format_input_up,
    format_up,
)
from pages.shared.error_text import LARGE_EPSILON, LITTLE, share
from pages.shared.formulas import in_words
from pages.shared.least_noise import CERTAINTY
from pages.tables.mechanisms.mechanism_text import error_scope
from pages.tables.mechanisms.questions_text import n_cells_text
from pages.tables.mechanisms.results import half_width_with
from pages.tables.results import TablesResult


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
    meaning = "; ".join(filter(None, (_usable_cells_text(result, mechanism), limit)))
    return (
        sentence,
        f"{meaning[:1].upper()}{meaning[1:]}."
        if meaning
        else f"The noise satisfies {mechanism.guarantee}, if the conditions hold.",
    )


def hard_limit_text(mechanism: Mechanism) -> str:
    """Return the largest error that is possible and what δ is spent for, as a part of a sentence; else nothing."""
    if not math.isfinite(mechanism.hard_limit):
        return ""
    return (
        f"no error exceeds ±{format_up(mechanism.hard_limit)}; with probability at most "
        f"{format_input_up(mechanism.delta)} a release {CERTAINTY}"
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
    return f"{n_cells_text(result, threshold)} distinguishable from empty cells at least half of the time"


def _alternatives_text(result: TablesResult, mechanism: Mechanism) -> str:
    """Return the half-width of the same noise at twice the ε, twice the k and twice the c, where it has one."""
    by_name = {
        "ε": half_width_with(result, mechanism, epsilon=2),
        "k": half_width_with(result, mechanism, per_person=2),
        "c": half_width_with(result, mechanism, per_cell=2),
    }
    names_by_error = dict[str, list[str]]()
    for name, half_width in by_name.items():
        if half_width is not None:
            names_by_error.setdefault(f"±{format_up(half_width)}", []).append(name)
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
