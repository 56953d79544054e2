"""The sentences on which noise to add to a table: the mechanisms side by side, the answer, and three questions."""

import math

import numpy as np

from dpcore import tables
from dpcore.calibrations import FAILS, PROBABILISTIC_DP, PROVED, PURE_DP, STAIRCASE
from dpcore.mechanism import NO_SAFE_SAMPLER, Mechanism
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    capitalized,
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_up,
    pin_sentence,
    random_percent,
)
from pages.shared.conditions import satisfied_text
from pages.shared.counts.table import PER_CELL, PER_PERSON, cap_text, contribution_fields
from pages.shared.formulas import CERTAINTY, LARGE_EPSILON, LITTLE, NO_SAMPLER, in_words, share, step_share
from pages.shared.shared_parameters import EPSILON, and_delta
from pages.tables.mechanisms import results
from pages.tables.mechanisms.results import doubled
from pages.tables.parameters import NAMES
from pages.tables.results import TablesResult

TABLE_NOTE = (
    "Numbers have four digits, rounded up; ± is in counts. (ε, δ)-DP: probabilities may exceed the e^ε bound by up to "
    "δ. Probabilistic DP (pDP): the privacy loss exceeds ε with probability at most δ. Each guarantee is for the whole "
    "table. b, s and σ are scales of the noise, not errors."
)


def error_scope(result: TablesResult) -> str:
    """Return the cells that the error is of: each, or all together."""
    return f"all {result.n_cells:,} cells" if result.is_joint else "one cell"


def ranked_alternative(result: TablesResult) -> str:
    """Return the half-width of each noise that is drawn, best first, with what keeps it from use, in a sentence."""
    best = result.recommendation
    notes = [
        (noise, "to use" if best is not None and noise.mechanism == best.mechanism else noise.obstacle)
        for noise in results.ranked_noises(result)
    ]
    noises = "; ".join(
        f"{noise.mechanism.name} ±{format_up(noise.half_width)}{f' ({note})' if note else ''}" for noise, note in notes
    )
    return f"± for {error_text(result)}, at {result.parameters_text}: {noises}."


def unusable_text(result: TablesResult) -> str:
    """Return which of the noises that are drawn cannot be used for the wanted guarantee, after a semicolon."""
    names = [noise.mechanism.name for noise in results.ranked_noises(result) if noise.obstacle]
    return f"; not to use here: {', '.join(names)}" if names else ""


def error_text(result: TablesResult) -> str:
    """Return the kind of error and the share of releases that it holds for."""
    return f"{error_scope(result)}, {share(result.setting.significance)} of releases"


def half_width_meaning(result: TablesResult, half_width: float, whole: bool) -> str:
    """Return what a half-width means for the chosen kind of error."""
    releases, half_width_text = share(result.setting.significance), format_up(half_width)
    releases = f"at least {releases}" if whole and not releases.startswith("all") else releases
    if result.is_joint:
        return f"In {releases} of releases all {result.n_cells:,} cells are within ±{half_width_text} at once."
    return f"In {releases} of releases a cell is within ±{half_width_text} of its true count."


def for_all_years(n_periods: float) -> str:
    """Return for how many years ε is, where there are several, after a space.

    >>> for_all_years(3.0), for_all_years(1.0)
    (' for all 3 years', '')
    """
    return "" if n_periods == 1 else f" for all {format_input_down(n_periods)} years"


def contribution_text(result: TablesResult) -> str:
    """Return what one person contributes beyond 1 to each of k cells, after a comma."""
    setting = result.setting
    most = "" if setting.per_cell == 1 else f", up to {format_input_down(setting.per_cell)} in a cell"
    return f"{most}{cap_text(setting.per_total, setting.n_periods)}{result.neighbours_text}"


def narrower_text(result: TablesResult) -> str:
    """Return for which k the analytic Gaussian is narrower than Laplace noise, where both are available."""
    if results.laplace_and_gaussian(result) is None:
        return ""
    k_range, m = results.narrower_range(result), result.n_cells
    if k_range is None:
        return "Laplace noise has no larger error than analytic Gaussian noise at any k."
    if k_range == (1, m):
        span = "at every k"
    elif k_range[0] == k_range[1]:
        span = f"at k = {k_range[0]:,} only"
    else:
        span = f"from k = {k_range[0]:,} {'on' if k_range[1] == m else f'to {k_range[1]:,}'}"
    return f"Analytic Gaussian noise has a smaller error than Laplace noise {span}."


def alternative_text(result: TablesResult) -> str:
    """Return the half-width of every mechanism in a sentence."""
    half_widths = "; ".join(
        f"{mechanism.name} ±{format_up(mechanism.half_width(result.significance))}" for mechanism in result.mechanisms
    )
    best = result.recommendation
    half_widths = half_widths or "no noise is available"
    use = "No noise here satisfies the guarantee" if best is None else f"Recommended: {best.mechanism.name}"
    return f"± for {error_text(result)}, at {result.parameters_text}: {half_widths}. {use}."


def mechanisms_html(result: TablesResult) -> str:
    """Return the mechanisms in numbers, with guarantees and verdicts, as an accessible HTML table."""
    releases = share(result.setting.significance)
    median = float(np.median(result.counts)) or None if len(result.counts) else None  # of an empty cell no share
    heads = ["Noise", "Guarantee", "Scale", f"± one cell, <span>{releases} of releases</span>"]
    heads += [f"± all {result.n_cells:,} cells at once"] if result.n_cells > 1 else []
    heads += [] if median is None else [f"± ÷ median cell, <span>{format_nearest(median)}</span>"]
    heads += [
        f"± ÷ smallest relevant <span>count, {format_nearest(result.values['smallest'])}</span>",
        "Variance",
        "Verdict",
    ]
    cells_by_key = {mechanism.key: _mechanism_cells(mechanism, result, median) for mechanism in result.mechanisms}
    unavailable = {
        key: [NAMES[key], *["–"] * (len(heads) - 2), reason] for key, reason in unavailable_reasons(result).items()
    }
    body = [(cells_by_key | unavailable)[key] for key in tables.KEYS]
    return number_format.table_html("Comparison of the noises", "verdicts", heads, body)


def unavailable_reasons(result: TablesResult) -> dict[str, str]:
    """Return why a mechanism is not available, by key."""
    setting, available = result.setting, {mechanism.key for mechanism in result.mechanisms}
    unavailable = tuple(key for key in tables.KEYS if key not in available)
    shape = setting.p if "generalized_gaussian" in unavailable else None
    return tables.unavailable(setting.epsilon, setting.delta, result.sensitivity, shape, unavailable)


def _mechanism_cells(mechanism: Mechanism, result: TablesResult, median: float | None) -> list[str]:
    cell_half_width = mechanism.half_width(result.setting.significance)
    simultaneous = mechanism.half_width(result.simultaneous_significance)
    half_width = simultaneous if result.setting.error == "all" else cell_half_width
    is_recommended = result.recommendation is not None and result.recommendation.mechanism == mechanism
    gamma = f", γ = {step_share(STAIRCASE, result.setting.epsilon)}" if mechanism.key == STAIRCASE.key else ""
    cells = [
        mechanism.guarantee,
        f"{mechanism.symbol} = {format_up(mechanism.scale)}{gamma}",
        format_up(cell_half_width),
    ]
    cells += [format_up(simultaneous)] if result.n_cells > 1 else []
    cells += [] if median is None else [share_of_count(half_width / median)]
    cells += [share_of_count(half_width / result.values["smallest"]), format_up(mechanism.variance)]
    return [
        f"{mechanism.name} (recommended)" if is_recommended else mechanism.name,
        *cells,
        verdict_text(mechanism, result),
    ]


def share_of_count(ratio: float) -> str:
    """Return a half-width as a share of a count in two digits; beyond ten times the count only that it is beyond.

    >>> share_of_count(0.2142857), share_of_count(10), share_of_count(1.975e5)
    ('22 %', '1,000 %', 'above 1,000 %')
    """
    return "above 1,000 %" if ratio > 10 else percent_up(ratio, 2)


def verdict_text(mechanism: Mechanism, result: TablesResult) -> str:
    """Return a mark and words: does the guarantee hold, is that proved, and is there a safe sampler?"""
    setting = result.setting
    remark = "; not pure ε-DP" if setting.promise == "pure" and mechanism.guarantee != PURE_DP else ""
    if mechanism.status == FAILS:
        return f"✗ FAILS: true δ {format_up(mechanism.true_delta)} for a target of {format_input_up(setting.delta)}"
    if mechanism.status != PROVED:
        return f"! not covered by its theorem; true δ {format_up(mechanism.true_delta)} is within the target{remark}"
    if mechanism.obstacle == NO_SAFE_SAMPLER:
        return f"✓ proved; {NO_SAMPLER}{remark}"
    return (
        "✓ proved for pDP, which implies (ε, δ)-DP" if mechanism.guarantee == PROBABILISTIC_DP else "✓ proved"
    ) + remark


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
