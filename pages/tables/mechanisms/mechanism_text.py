"""The noises of a table side by side in words: their names, promises and verdicts, and what the pictures show."""

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
    share,
)
from pages.shared.formulas import NO_SAMPLER, step_share
from pages.tables.mechanisms import results
from pages.tables.parameters import NAMES
from pages.tables.results import TablesResult

PROMISES = (
    "To four digits, rounded up; ± in counts. Pure ε-DP, (ε, δ)-DP and probabilistic DP (pDP: the privacy loss exceeds "
    "ε with probability at most δ) are different promises, each of the whole table. b, s and σ are scales, not ±. "
    "The relevant count is the smallest that matters to you, as set above."
)


def meant(result: TablesResult) -> str:
    """The error that is meant, in words."""
    together = result.setting.error == "all" and result.n_cells > 1
    return f"all {result.n_cells:,} cells together" if together else "each cell"


def persons_subtitle(result: TablesResult) -> str:
    """The parameters of the picture over k."""
    setting = result.setting
    return (
        f"For {error(result)}; ε = {format_input_up(setting.epsilon)}, δ ="
        f" {format_input_up(setting.delta)}{moved(result)}"
    )


def epsilon_subtitle(result: TablesResult) -> str:
    """The parameters of the picture over ε."""
    setting = result.setting
    return (
        f"For {error(result)}; δ = {format_input_up(setting.delta)}, k ="
        f" {format_input_down(setting.per_person)}{moved(result)}"
    )


def error(result: TablesResult) -> str:
    """The error that is meant and how many releases it holds for."""
    return f"{meant(result)}, {share(result.setting.significance)} of releases"


def moved(result: TablesResult) -> str:
    """What else one person moves than k cells by 1 each, after a comma."""
    setting = result.setting
    parts = [f"up to {format_input_down(setting.per_cell)} in a cell"] if setting.per_cell != 1 else []
    return "".join(f", {part}" for part in parts) + result.neighbours_said


def narrower(result: TablesResult) -> str:
    """For which numbers of cells per person the analytic Gaussian is narrower than Laplace noise; else nothing."""
    if not {"laplace", "analytic"} <= {noise.key for noise in result.noises}:
        return ""
    where, m = results.narrower(result), result.n_cells
    if where is None:
        span = "at no k"
    elif where == (1, m):
        span = "at every k"
    elif where[0] == where[1]:
        span = f"at k = {where[0]:,} only"
    else:
        span = f"from k = {where[0]:,} {'on' if where[1] == m else f'to {where[1]:,}'}"
    return f"The analytic Gaussian is narrower than Laplace {span}."


def alternative(result: TablesResult) -> str:
    """The ± of every noise in a sentence."""
    listed = "; ".join(f"{noise.name} ±{format_up(noise.half_width(result.significance))}" for noise in result.noises)
    best = result.recommended
    listed = listed or "none has an answer"
    use = "No noise that is offered keeps the promise" if best is None else f"Recommended: {best.mechanism.name}"
    return f"± for {error(result)}, at {result.place}: {listed}. {use}."


def table_html(result: TablesResult) -> str:
    """The noises in numbers, each with its promise and verdict, as an accessible HTML table."""
    often, median = share(result.setting.significance), median_of(result)
    heads = ["Noise", "Promise", "Scale", f"± each cell, <span>{often} of releases</span>"]
    heads += [f"± all {result.n_cells:,} cells together"] if result.n_cells > 1 else []
    heads += [] if median is None else [f"± ÷ median cell, <span>{format_nearest(median)}</span>"]
    heads += [f"± ÷ relevant <span>count, {format_nearest(result.values['smallest'])}</span>", "Variance", "Verdict"]
    offered = {noise.key: _row(noise, result, median) for noise in result.noises}
    others = {key: [NAMES[key], *["–"] * (len(heads) - 2), why] for key, why in left_out(result).items()}
    body = [(offered | others)[key] for key in tables.KEYS]
    return number_format.table_html("The noises side by side", "verdicts", heads, body)


def left_out(result: TablesResult) -> dict[str, str]:
    """Why a noise is not offered, by key."""
    setting, there = result.setting, {noise.key for noise in result.noises}
    others = tuple(key for key in tables.KEYS if key not in there)
    return tables.left_out(setting.epsilon, setting.delta, result.sensitivity, setting.p, others)


def _row(noise: Mechanism, result: TablesResult, median: float | None) -> list[str]:
    each, together = (noise.half_width(at) for at in (result.setting.significance, result.together))
    meant_by = together if result.setting.error == "all" else each
    best = result.recommended is not None and result.recommended.mechanism == noise
    gamma = f", γ = {step_share(STAIRCASE, result.setting.epsilon)}" if noise.key == STAIRCASE.key else ""
    cells = [noise.guarantee, f"{noise.symbol} = {format_up(noise.scale)}{gamma}", format_up(each)]
    cells += [format_up(together)] if result.n_cells > 1 else []
    cells += [] if median is None else [part(meant_by / median)]
    cells += [part(meant_by / result.values["smallest"]), format_up(noise.variance)]
    return [f"{noise.name} (recommended)" if best else noise.name, *cells, verdict(noise, result)]


def part(ratio: float) -> str:
    """A ± as a share of a count: beyond ten times the count only that it is beyond.

    >>> part(0.2142857), part(10), part(1.975e5)
    ('21.43 %', '1,000 %', 'above 1,000 %')
    """
    return "above 1,000 %" if ratio > 10 else percent_up(ratio)


def median_of(result: TablesResult) -> float | None:
    """The median cell of the table, None where there is no table or the median cell is empty."""
    return float(np.median(result.count)) or None if len(result.count) else None


def verdict(noise: Mechanism, result: TablesResult) -> str:
    """A mark and words: does this noise keep the promise that is wanted, is that proved, and can it be released?"""
    setting = result.setting
    less = "; no pure ε-DP" if setting.promise == "pure" and noise.guarantee != PURE_DP else ""
    if noise.status == FAILS:
        return f"✗ FAILS: true δ {format_up(noise.true_delta)} for a target of {format_input_up(setting.delta)}"
    if noise.status != PROVED:
        return f"! outside its theorem; true δ here {format_up(noise.true_delta)}, within target{less}"
    if noise.obstacle == NO_SAFE_SAMPLER:
        return f"✓ proved, but {NO_SAMPLER}{less}"
    return ("✓ proved, for pDP, which implies DP" if noise.guarantee == PROBABILISTIC_DP else "✓ proved") + less
