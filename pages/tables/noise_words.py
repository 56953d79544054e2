"""The words on which noise a table takes: the answer, the table of noises with its verdicts, what decides and why."""

import math

import numpy as np
import pandas as pd

from dpcore import tables
from dpcore.calibrations import DP, FAILS, PROBABILISTIC_DP, PROVED, PURE_DP
from dpcore.tables import Noise, Recommendation
from pages.shared import text
from pages.shared.text import given_down, given_up, nearest, percent_down, percent_up, share, up
from pages.tables.found import Found

PROMISED = {
    PURE_DP: "ε-DP, without a δ",
    DP: "(ε, δ)-DP",
    PROBABILISTIC_DP: "(ε, δ)-pDP: loss above ε with chance δ",
}
NAMES = {
    "laplace": "Laplace",
    "geometric": "Geometric",
    "staircase": "Staircase",
    "analytic": "Analytic Gaussian",
    "discrete_gaussian": "Discrete Gaussian",
    "pdp": "pDP Gaussian",
    "classical": "Classical Gaussian",
    "generalized_gaussian": "Generalized Gaussian",
}
NO_SAMPLER = "no published sampler known that floating point can’t betray"


def answer(found: Found) -> tuple[str, str]:
    """The noise to use and its ±, and what that means for the releases."""
    best, now = found.recommended, found.setting
    if best is None:
        return f"No noise keeps pure ε-DP at ε = {given_up(now.epsilon)}.", "Accept a δ, or choose an ε above 0."
    size = f"{best.noise.symbol} = {up(best.noise.scale)}"
    sentence = f"Use {in_words(best.noise)} noise, {size}: ±{up(best.half_width)} for {meant(found)}."
    return sentence, f"{within(found, best.half_width)} {_why_short(best)}"


def within(found: Found, half_width: float) -> str:
    """What a ± means, for the error that is meant."""
    often, reach = share(found.setting.significance), up(half_width)
    if found.setting.error == "all" and found.n_cells > 1:
        return f"In {often} of releases all {found.n_cells:,} cells are within ±{reach} of their true counts."
    return f"A cell is within ±{reach} of its true count in {often} of releases."


def meant(found: Found) -> str:
    """The error that is meant, in words."""
    together = found.setting.error == "all" and found.n_cells > 1
    return f"all {found.n_cells:,} cells together" if together else "each cell"


def in_words(noise: Noise) -> str:
    """A noise's name inside a sentence.

    >>> from dpcore.tables import mechanisms, moves
    >>> [in_words(noise) for noise in mechanisms(1, 1e-6, moves(1))][:4]
    ['Laplace', 'geometric', 'staircase', 'analytic Gaussian']
    """
    return noise.name if noise.name.startswith(("Laplace", "pDP")) else noise.name[0].lower() + noise.name[1:]


def _why_short(best: Recommendation) -> str:
    rival = "" if best.runner_up is None else f"{in_words(best.runner_up)} noise’s ±{up(best.runner_up_half_width)}"
    return {
        "only": "No other noise that can be released safely keeps this promise.",
        "whole": f"That is as good as {rival}, and counts stay whole.",
        "promise": f"That is as good as {rival}, and it needs no δ.",
        "narrowest": f"The next best is {rival}.",
    }[best.why]


def persons_subtitle(found: Found) -> str:
    """The parameters of the picture over k."""
    now = found.setting
    return f"For {_error(found)}; ε = {given_up(now.epsilon)}, δ = {given_up(now.delta)}{_moved(found)}"


def epsilon_subtitle(found: Found) -> str:
    """The parameters of the picture over ε."""
    now = found.setting
    return f"For {_error(found)}; δ = {given_up(now.delta)}, k = {given_down(now.per_person)}{_moved(found)}"


def _error(found: Found) -> str:
    return f"{meant(found)}, {share(found.setting.significance)} of releases"


def _moved(found: Found) -> str:
    now = found.setting
    parts = [f"up to {given_down(now.per_cell)} in a cell"] if now.per_cell != 1 else []
    parts += ["one person replaced"] if now.neighbours == "replace" else []
    parts += [f"{now.margins:.0f} set{'' if now.margins == 1 else 's'} of totals"] if now.margins else []
    return "".join(f", {part}" for part in parts)


def persons_alternative(found: Found, crossing: float | None) -> str:
    """What the picture over k shows, for those who can't see it."""
    cross = "Laplace noise stays the narrower of the two for every number of cells that a person can be in."
    if crossing is not None:
        cross = f"The analytic Gaussian is narrower than Laplace noise from {nearest(crossing)} cells per person on."
    return f"{alternative(found)} {cross}"


def alternative(found: Found) -> str:
    """The ± of every noise in a sentence."""
    listed = "; ".join(f"{noise.name} ±{up(float(noise.half_width(found.significance)))}" for noise in found.noises)
    best = found.recommended
    use = "None keeps the promise" if best is None else f"Recommended: {best.noise.name}"
    return f"± for {_error(found)}, at {found.place}: {listed}. {use}."


def table_html(found: Found) -> str:
    """The noises in numbers, each with its promise and verdict, as an accessible HTML table."""
    often, median = share(found.setting.significance), median_of(found)
    heads = ["Noise", "Promise", "Scale", f"± each cell, <span>{often} of releases</span>"]
    heads += [f"± all {found.n_cells:,} cells together"] if found.n_cells > 1 else []
    heads += [] if median is None else [f"of the median cell, <span>{nearest(median)}</span>"]
    heads += [f"of a cell of <span>{nearest(found.values['smallest'])}</span>", "Variance", "Verdict"]
    body = []
    for key in tables.KEYS:
        noise = next((noise for noise in found.noises if noise.key == key), None)
        if noise is None:
            body.append([NAMES[key], *["–"] * (len(heads) - 2), found.left_out[key]])
        else:
            body.append(_row(noise, found, median))
    return text.table_html("The noises side by side", "verdicts", heads, body)


def _row(noise: Noise, found: Found, median: float | None) -> list[str]:
    each, together = noise.half_width([found.setting.significance, found.together]).tolist()
    reach = float(noise.half_width(found.significance))
    best = found.recommended is not None and found.recommended.noise == noise
    cells = [PROMISED[noise.promise], f"{noise.symbol} = {up(noise.scale)}", up(each)]
    cells += [up(together)] if found.n_cells > 1 else []
    cells += [] if median is None else [f"±{percent_up(reach / median)}"]
    cells += [f"±{percent_up(reach / found.values['smallest'])}", up(noise.variance())]
    return [f"{noise.name} (recommended)" if best else noise.name, *cells, verdict(noise, found)]


def median_of(found: Found) -> float | None:
    """The median cell of the table, None where there is no table or the median cell is empty."""
    return float(np.median(found.count)) or None if len(found.count) else None


def verdict(noise: Noise, found: Found) -> str:
    """A mark and words: does this noise keep the promise that is wanted, is that proved, and can it be released?"""
    now = found.setting
    if noise.status == FAILS:
        return f"✗ FAILS: true δ {up(noise.true_delta)} for a target of {given_up(now.delta)}"
    if now.promise == "pure" and noise.promise != PURE_DP:
        return "no pure ε-DP: it needs a δ"
    if noise.status != PROVED:
        return f"! outside its theorem; true δ here {up(noise.true_delta)}, within target"
    if noise.key not in tables.RELEASABLE:
        return f"✓ proved, but {NO_SAMPLER}"
    return "✓ proved, for pDP, which implies DP" if noise.promise == PROBABILISTIC_DP else "✓ proved"


def numbers(found: Found) -> pd.DataFrame:
    """The table as a frame."""
    return pd.DataFrame(
        {
            "noise": [noise.name for noise in found.noises],
            "promise": [noise.promise for noise in found.noises],
            "theorem": [noise.theorem for noise in found.noises],
            "scale": [noise.scale for noise in found.noises],
            "half_width_each": [float(noise.half_width(found.setting.significance)) for noise in found.noises],
            "half_width_all": [float(noise.half_width(found.together)) for noise in found.noises],
            "variance": [noise.variance() for noise in found.noises],
            "mean_absolute_error": [noise.mean_absolute_error() for noise in found.noises],
            "true_delta": [noise.true_delta for noise in found.noises],
            "verdict": [verdict(noise, found) for noise in found.noises],
        }
    )


def reason(found: Found) -> str:
    """Why this noise and no other."""
    best = found.recommended
    if best is None:
        return ""
    name, reach, keeps = best.noise.name, f"±{up(best.half_width)}", _kept(found)
    rival = "" if best.runner_up is None else f"±{up(best.runner_up_half_width)} of {in_words(best.runner_up)} noise"
    said = {
        "only": f"**Why {name}.** It is the only one of these that keeps {keeps} and that can be released safely.",
        "narrowest": f"**Why {name}.** Of the noises that keep {keeps}, are proved to, and can be released safely, it "
        f"is the narrowest: {reach}, against {rival}.",
        "whole": f"**Why {name}.** Its {reach} is as good for whole counts as {rival}; counts stay whole, and an exact "
        "sampler in whole numbers leaves no last digits of a floating-point number for an attack to read.",
        "promise": f"**Why {name}.** Its {reach} is as good as {rival}, and it keeps ε-DP, which needs no δ.",
    }[best.why]
    return said + "".join(
        f" {noise.name} would reach ±{up(float(noise.half_width(found.significance)))}, but there is {NO_SAMPLER}."
        for noise in best.narrower
    )


def _kept(found: Found) -> str:
    return "pure ε-DP" if found.setting.promise == "pure" else "ε-DP or (ε, δ)-DP"


def difference(found: Found) -> str:
    """What the difference between pure ε-DP and a δ costs."""
    now, at = found.setting, found.significance
    delta = given_up(now.delta)
    pure, loose = (tables.recommended(found.noises, promise, at) for promise in ("pure", "delta"))
    if pure is None or loose is None:
        return ""
    if pure.noise != loose.noise:
        return (
            f"**What a δ buys.** Pure ε-DP takes ±{up(pure.half_width)}, with {in_words(pure.noise)} noise. With a δ "
            f"of {delta} it is ±{up(loose.half_width)}, with {in_words(loose.noise)} noise: "
            f"{_times(loose.half_width, pure.half_width)}. The price: one person’s data may then move the probability "
            f"of an outcome by more than the factor e^ε, by up to {delta} more."
        )
    others = [noise for noise in found.noises if noise.promise != PURE_DP and noise.status == PROVED]
    rivals = [(float(noise.half_width(at)), noise) for noise in others if noise.key in tables.RELEASABLE]
    if not rivals:
        return ""
    half_width, rival = min(rivals, key=lambda pair: pair[0])
    return (
        f"**What a δ buys.** Nothing here: with a δ of {delta} the best is {in_words(rival)} noise, ±{up(half_width)}, "
        f"against ±{up(pure.half_width)} of {in_words(pure.noise)} noise, which keeps ε-DP without one."
    )


def _times(smaller: float, larger: float) -> str:
    """How much of a half-width is left."""
    return f"{nearest(100 * smaller / larger, 3)} % of it" if larger > 0 else "as much"


def totals(found: Found) -> str:
    """What a set of totals that is released with noise of its own does, and what it costs to sum the noisy cells."""
    now, here = found.setting, found.moves
    more = now.margins == 0
    there = tables.moves(now.per_person, now.per_cell, now.neighbours, 1 if more else 0, found.n_cells)
    first, second = (here, there) if more else (there, here)
    grown = f"raise Δ₁ from {up(float(first.l1))} to {up(float(second.l1))} and Δ₂ from {up(float(first.l2))} to "
    grown += up(float(second.l2))
    if more:
        said = f"One set of totals with noise of its own, as the grand total, would {grown}"
    else:
        said = f"The {now.margins:.0f} {'set' if now.margins == 1 else 'sets'} of totals {grown}"
    ratio = nearest(float(second.l2 / first.l2), 3)
    said += f": every Gaussian ± is {ratio} times as wide, Laplace’s {nearest(float(second.l1 / first.l1), 3)} times."
    spread = nearest(math.sqrt(found.n_cells), 3)
    return (
        f"**Totals.** {said} Totals summed from the noisy cells cost nothing; the standard deviation of the grand "
        f"total’s error is then that of a cell times √m = {spread}."
    )


def cells(found: Found) -> str:
    """What the recommended noise leaves of the cells: three questions, each with its own answer."""
    best = found.recommended
    if best is None:
        return ""
    noise, at, smallest = best.noise, found.significance, found.values["smallest"]
    threshold = float(tables.seen_from_empty(noise, at))
    seen = percent_down(float(tables.power(noise, smallest, threshold)))
    return "\n".join(
        [
            f"**Which cells still say something** with {in_words(noise)} noise, {_error(found)}:\n",
            f"- {_stays(found, noise)}",
            f"- {_empty(found, threshold)} A cell of {nearest(smallest)} is released that high {seen} of the time.",
            f"- {_share(found, noise)}",
        ]
    )


def _stays(found: Found, noise: Noise) -> str:
    least = _count(found, float(tables.stays_above(noise, found.significance)))
    often = share(found.setting.significance)
    many = f" {_of(found, least)} count as much." if len(found.count) else ""
    if found.setting.error == "all" and found.n_cells > 1:
        return f"Cells of {up(least)} or more all stay above 0 in {often} of releases.{many}"
    return f"A cell of {up(least)} or more stays above 0 in {often} of its releases.{many}"


def _empty(found: Found, threshold: float) -> str:
    level = percent_up(found.setting.significance)
    if found.setting.error == "all" and found.n_cells > 1:
        return (
            f"If all {found.n_cells:,} cells were empty, one or more would be released at {up(threshold)} or further "
            f"from 0 with probability at most {level}: a release of that size shows that its cell is not empty."
        )
    return (
        f"An empty cell is released at {up(threshold)} or further from 0 with probability at most {level}: at this "
        "level a release of that size shows that its cell is not empty."
    )


def _share(found: Found, noise: Noise) -> str:
    part = found.values["share"]
    least = _count(found, float(tables.least_count_for_share(noise, part, found.significance)))
    many = f" {_of(found, least)} count as much." if len(found.count) else ""
    return f"The error stays within {percent_up(part)} of the count for a cell of {up(least)} or more.{many}"


def _count(found: Found, least: float) -> float:
    """The least count, a whole number where counts are whole."""
    return math.ceil(least) if found.moves.whole else least


def _of(found: Found, least: float) -> str:
    return f"{int(np.sum(found.count >= least)):,} of the {found.n_cells:,} cells"
