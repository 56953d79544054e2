"""The words on which noise a table takes: the answer, what decides, what is left of the cells, how it is computed."""

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
from pages.tables.mechanisms.mechanism_text import PROMISES, error, meant, moved
from pages.tables.results import TablesResult

_SELDOM = 1e-9  # what is missed more seldom is not worth its digits


def answer(result: TablesResult) -> tuple[str, str]:
    """The noise to use and its ±, and what that means for the releases."""
    best = result.recommended
    if best is None:
        return _none(result)
    noise = best.mechanism
    size = f"{noise.symbol} = {format_up(noise.scale)}"
    sentence = f"{_asked(result, noise)}: use {in_words(noise)} noise, {size}, {_reaches(result, noise)}."
    return sentence, f"{within(result, best.error, noise.whole)} {_why_short(best)}"


def _asked(result: TablesResult, noise: Mechanism) -> str:
    """What is asked for, and the promise that the noise keeps."""
    setting, pure = result.setting, noise.guarantee == PURE_DP
    delta = "" if pure else f", δ = {format_input_up(setting.delta)}"
    place = (
        f"At ε = {format_input_up(setting.epsilon)}{delta}, k = {format_input_down(setting.per_person)}{moved(result)}"
    )
    return f"{place}, {'pure ' if pure else ''}{noise.guarantee}"


def _reaches(result: TablesResult, noise: Mechanism) -> str:
    """± for the error that is meant, and for the other one."""
    each, together = (f"±{format_up(noise.half_width(at))}" for at in (result.setting.significance, result.together))
    if result.n_cells == 1:
        return f"{each} for the one cell"
    if result.setting.error == "all":
        return f"{together} for all {result.n_cells:,} cells together, {each} for each"
    return f"{each} for each cell, {together} for all {result.n_cells:,} together"


def _none(result: TablesResult) -> tuple[str, str]:
    setting = result.setting
    if setting.promise == "pure":
        no = (
            "Below ε = 1e-12 no ε-DP noise is offered here."
            if setting.epsilon
            else "No noise keeps pure ε-DP at ε = 0."
        )
        return no, "Choose a larger ε, or accept a δ."
    place = f"ε = {format_input_up(setting.epsilon)} and δ = {format_input_up(setting.delta)}"
    return f"No count would show through the noise that {place} take.", "Choose a larger ε or δ."


def within(result: TablesResult, half_width: float, whole: bool) -> str:
    """What a ± means, for the error that is meant."""
    often, reach = share(result.setting.significance), format_up(half_width)
    often = f"at least {often}" if whole and not often.startswith("all") else often
    if result.setting.error == "all" and result.n_cells > 1:
        first = f"{often[0].upper()}{often[1:]} of releases"
        return f"{first} have all {result.n_cells:,} cells within ±{reach} of their true counts."
    return f"A cell is within ±{reach} of its true count in {often} of releases."


def _why_short(best: Recommendation) -> str:
    rival = "" if best.runner_up is None else f"{in_words(best.runner_up)} noise’s ±{format_up(best.runner_up_error)}"
    return {
        "only": "No other noise that can be released safely keeps this promise.",
        "whole": f"That is as good as {rival}, and counts stay whole.",
        "guarantee": f"That is as good as {rival}, and it needs no δ.",
        "smallest": f"The next best is {rival}.",
    }[best.reason]


def compared(result: TablesResult) -> str:
    """What has changed since a setting was pinned."""
    kept = result.pinned
    now, before = result.recommended, kept and kept.recommended
    if kept is None or now is None or before is None:
        return "Since the pinned setting: one of the two has no noise."
    sizes = f"±{format_up(before.error)} for {meant(kept)} → ±{format_up(now.error)} for {meant(result)}"
    return f"Since the pinned setting: {in_words(before.mechanism)} → {in_words(now.mechanism)} noise, {sizes}."


def reasons(result: TablesResult) -> str:
    """Why this noise, what a δ buys, and what totals do, in Markdown."""
    return "\n\n".join(part for part in (reason(result), difference(result), totals(result)) if part)


def reason(result: TablesResult) -> str:
    """Why this noise and no other."""
    best = result.recommended
    if best is None:
        return ""
    name, size, keeps = best.mechanism.name, f"±{format_up(best.error)}", _kept(result)
    rival = "" if best.runner_up is None else f"±{format_up(best.runner_up_error)} of {in_words(best.runner_up)} noise"
    said = {
        "only": f"**Why {name}.** It is the only one of these that keeps {keeps} and that can be released safely.",
        "smallest": f"**Why {name}.** Of the noises that keep {keeps}, are proved to, and can be released safely, it "
        f"is the narrowest: {size}, against {rival}.",
        "whole": f"**Why {name}.** Its {size} is as good, {AS_GOOD} count, as {rival}; counts "
        "stay whole, and an exact sampler in whole numbers leaves no last digits of a floating-point number for an "
        "attack to read.",
        "guarantee": f"**Why {name}.** Its {size} is as good as {rival}, and it keeps ε-DP, which needs no δ.",
    }[best.reason]
    return said + "".join(
        f" {other.mechanism.name} would reach ±{format_up(other.error)}, but there is {NO_SAMPLER}."
        for other in best.without_safe_sampler
    )


def _kept(result: TablesResult) -> str:
    return "pure ε-DP" if result.setting.promise == "pure" else "ε-DP or (ε, δ)-DP"


def difference(result: TablesResult) -> str:
    """What the difference between pure ε-DP and a δ costs."""
    setting, at = result.setting, result.significance
    delta = format_input_up(setting.delta)
    other = recommend(
        result.noises, "delta" if setting.promise == "pure" else "pure", bool(result.sensitivity.whole), at
    )
    pure, loose = (result.recommended, other) if setting.promise == "pure" else (other, result.recommended)
    if pure is None or loose is None:
        return ""
    if pure.mechanism != loose.mechanism:
        smaller = format_nearest(100 * loose.error / pure.error, 3)
        return (
            f"**What a δ buys.** Pure ε-DP takes ±{format_up(pure.error)}, with {in_words(pure.mechanism)} noise. With"
            f" a δ of {delta} it is ±{format_up(loose.error)}, with {in_words(loose.mechanism)} noise: {smaller} % of"
            " that. The price: one person’s data may then take the probability of a set of outcomes beyond e^ε times"
            f" what it was, by up to {delta}."
        )
    others = [noise for noise in result.noises if noise.guarantee != PURE_DP and noise.status == PROVED]
    rivals = [(noise.half_width(at), noise) for noise in others if noise.releasable]
    if not rivals:
        return ""
    half_width, rival = min(rivals, key=lambda pair: pair[0])
    return (
        f"**What a δ buys.** Nothing that counts here: with a δ of {delta} the best is {in_words(rival)} noise,"
        f" ±{format_up(half_width)}, against ±{format_up(pure.error)} of {in_words(pure.mechanism)} noise, which keeps"
        " ε-DP without one."
    )


def totals(result: TablesResult) -> str:
    """What totals that are released with noise of their own do, and what it costs to sum the noisy cells instead."""
    setting, sets = result.setting, result.setting.margins
    without, beside = (
        table_sensitivity(setting.per_person, setting.per_cell, setting.neighbours, margins, result.n_cells)
        for margins in (0, sets or 1)
    )
    who = f"The {sets:.0f} sets of totals with noise of their own raise"
    if sets <= 1:
        such = "the totals of the rows" if setting.neighbours == "replace" else "the grand total"
        who = f"One set of totals with noise of its own, as {such}, {'raises' if sets else 'would raise'}"
    return (
        f"**Totals.** {who} Δ₁ from {format_up(float(without.l1))} to {format_up(float(beside.l1))} and Δ₂ from"
        f" {format_up(float(without.l2))} to {format_up(float(beside.l2))}{_wider(result, without, beside)}. Totals"
        " summed from the noisy cells cost nothing; the standard deviation of the grand total’s error is then that of"
        f" a cell times √m = {format_nearest(math.sqrt(result.n_cells), 3)}."
    )


def _wider(result: TablesResult, without: Sensitivity, beside: Sensitivity) -> str:
    """By how much totals widen the noises that there are."""
    there = {noise.key for noise in result.noises}
    said = [f"Laplace’s ± by a factor of {_factor(without.l1, beside.l1)}"] if "laplace" in there else []
    said += (
        [f"the analytic Gaussian’s ± by a factor of {_factor(without.l2, beside.l2)}"] if "analytic" in there else []
    )
    return f", so {', and '.join(said)}" if said else ""


def _factor(smaller: Array, larger: Array) -> str:
    return format_nearest(float(larger / smaller), 3)


def questions(result: TablesResult) -> str:
    """What the numbers of the table mean, and what the recommended noise leaves of the cells."""
    best = result.recommended
    return "" if best is None else f"{PROMISES}\n\n{cells(result, best.mechanism)}"


def cells(result: TablesResult, noise: Mechanism, bars: str = "") -> str:
    """What a noise leaves of the cells: three questions, each with its own answer; `bars` follows the first."""
    smallest, threshold = result.values["smallest"], float(tables.seen_from_empty(noise, result.significance))
    seen = (
        f"A cell of {format_nearest(smallest)} is released that high in {_seen(noise, smallest, threshold)} releases."
    )
    return "\n".join(
        [
            f"**Which cells still say something** with {in_words(noise)} noise, {error(result)}:\n",
            f"- {_stays(result, noise)}{bars}",
            f"- {_empty(result, threshold)} {seen}",
            f"- {_share(result, noise)}",
        ]
    )


def _seen(noise: Mechanism, count: float, threshold: float) -> str:
    """How often a cell is released at the threshold or above, never too often."""
    found = float(tables.power(noise, count, threshold))
    if found <= 0.5:
        return f"{percent_down(found)} of"
    missed = float(noise.upper(count - threshold))
    return f"{share(missed)} of" if missed > _SELDOM else "practically all"


def _stays(result: TablesResult, noise: Mechanism) -> str:
    least = _count(result, float(tables.stays_above(noise, result.significance)))
    often = share(result.setting.significance)
    many = f" {_of(result, least)} that large." if len(result.count) else ""
    if result.setting.error == "all" and result.n_cells > 1:
        said = (
            f"Cells of {format_up(least)} or more all stay above 0 in {often} of releases: only errors downwards count."
        )
    else:
        said = (
            f"A cell of {format_up(least)} or more stays above 0 in {often} of its releases: only errors downwards"
            " count."
        )
    return f"{said}{many}"


def cells_with_bars(result: TablesResult, noise: Mechanism) -> str:
    """As `cells`, below a picture that draws the cells with their error bars."""
    return cells(result, noise, _bar_reaches_zero(result, noise))


def _bar_reaches_zero(result: TablesResult, noise: Mechanism) -> str:
    """Why the error bar of a cell that stays above 0 may reach 0, if there can be such a cell; after a space."""
    least = _count(result, float(tables.stays_above(noise, result.significance)))
    half_width = noise.half_width(result.significance)
    most = math.floor(half_width) if result.sensitivity.whole else half_width
    if least > most:
        return ""
    which = f"of {format_up(least)}" if least == most else f"from {format_up(least)} to {format_down(most)}"
    return (
        f" ±{format_up(half_width)} counts errors in both directions, so the error bar of a cell {which} reaches 0"
        " although the cell stays above 0."
    )


def _empty(result: TablesResult, threshold: float) -> str:
    level, t = percent_up(result.setting.significance), format_up(threshold)
    who = f"An empty cell is released at {t} or further from 0"
    if result.setting.error == "all" and result.n_cells > 1:
        who = f"If all {result.n_cells:,} cells were empty, one or more would be released at {t} or further from 0"
    tells = f"a release of {t} or more tells its cell from an empty one at this level"
    many = (
        f" {_of(result, threshold)} released so high in at least half of their releases." if len(result.count) else ""
    )
    return f"{who} with probability at most {level}: {tells}.{many}"


def _share(result: TablesResult, noise: Mechanism) -> str:
    part = result.values["share"]
    least = _count(result, float(tables.least_count_for_share(noise, part, result.significance)))
    least = max(least, 1.0) if result.sensitivity.whole else least  # of an empty cell no error is a share
    many = f" {_of(result, least)} that large." if len(result.count) else ""
    return f"The error stays within {percent_up(part)} of the count for a cell of {format_up(least)} or more.{many}"


def _count(result: TablesResult, least: float) -> float:
    """The least count, a whole one where counts are whole: what was rounded up in its last bits is not one more."""
    return math.ceil(least * (1 - 1e-14)) if result.sensitivity.whole else least


def _of(result: TablesResult, least: float) -> str:
    """How many cells are as large as that, with the verb."""
    many = int(np.sum(result.count >= least))
    if result.n_cells == 1:
        return "The one cell is" if many else "The one cell is not"
    return f"{many:,} of the {result.n_cells:,} cells {'is' if many == 1 else 'are'}"
