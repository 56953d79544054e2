"""The mechanisms side by side in words: their table with its verdicts, subtitles, and text alternatives."""

import numpy as np

from dpcore import tables
from dpcore.calibrations import FAILS, PROBABILISTIC_DP, PROVED, PURE_DP, STAIRCASE
from dpcore.mechanism import NO_SAFE_SAMPLER, Mechanism
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    percent_up,
)
from pages.shared.counts.table import cap_text
from pages.shared.formulas import NO_SAMPLER, share, step_share
from pages.tables.mechanisms import results
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
