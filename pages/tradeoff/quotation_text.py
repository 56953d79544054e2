"""The words of a quotation: one (ε, δ) and one μ instead of a curve, and what each of them concedes."""

import math

import numpy as np
import pandas as pd

from dpcore.tradeoff.readings import SMALLEST_ERROR, Quotation
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    humanize_error,
    percent_up,
)
from pages.tradeoff.rows import Row, TradeoffSetting

WHY = (
    "A single (ε, δ) is one supporting line of the curve; a single μ says that the two data sets are at least as hard "
    "to tell apart as a draw of N(0, 1) and one of N(μ, 1). Each allows at least what the curve does: the lower "
    "picture shows the extra power that it allows."
)
_NOTHING = 1e-12  # extra power below this is rounding


def pair(row: Row, quoted: Quotation, setting: TradeoffSetting) -> str:
    """The (ε, δ) of a quotation, both to the safe side: what is kept no smaller, what is needed at least no larger."""
    found, given = (format_down, format_input_down) if row.reached else (format_up, format_input_up)
    of_epsilon, of_delta = (found, given) if setting.quote == "delta" else (given, found)
    return f"ε = {of_epsilon(quoted.epsilon)}, δ = {of_delta(quoted.delta)}"


def quotation_labels(row: Row, quoted: Quotation, setting: TradeoffSetting) -> tuple[str, tuple[str, str]]:
    """The subtitle of the picture of a quotation, and the legend's words for its (ε, δ) and its μ."""
    quote, limited = pair(row, quoted, setting), "" if math.isfinite(quoted.mu.mu) else _LIMITED
    mu = f"smallest μ = {(format_down if row.reached else format_up)(quoted.limited_mu.mu)}"
    return f"{chart_text(row.shown)}: {quote}; {mu}{limited}", (quote, mu)


_LIMITED = f", for errors ≥ {format_nearest(SMALLEST_ERROR)}"


def quotation(row: Row, quoted: Quotation | None, conceded: pd.DataFrame | None, setting: TradeoffSetting) -> list[str]:
    """What the (ε, δ) and the μ of a curve are, and what each concedes."""
    name = escape_markdown(row.name)
    if quoted is None or conceded is None:
        why = "it would be above 1e6"
        if row.certain > setting.delta:
            why = _without_false_alarm(row)
        return [
            f"**No ε goes with δ = {format_input_up(setting.delta)} for {name}**: {why}. Choose a larger δ, or quote"
            " at ε."
        ]
    reckon = f"A reader who knows only this pair must reckon with {_most(row, conceded, 'epsilon_delta')}."
    touches = f"touches the curve at α = {format_nearest(quoted.touches)}"
    epsilon, delta = pair(row, quoted, setting).split(", ")
    if row.reached:
        least, at = (epsilon, delta) if setting.quote == "delta" else (delta, epsilon)
        first = (
            f"**What {name} reached needs at least {least} at {at}**: nothing smaller allows these errors, if they are "
            f"the true ones, and another attack may reach more. The line of that promise {touches}. {reckon}"
        )
    else:
        who = f"If what is claimed holds, {name}" if row.claimed else name
        first = f"**{who} keeps {epsilon} at {delta}.** The line of that promise {touches}. {reckon}"
    return [first, _mu_quoted(row, quoted, conceded)]


def advice(row: Row, quoted: Quotation | None, conceded: pd.DataFrame | None) -> str:
    """Which of the two numbers to quote."""
    if quoted is None or conceded is None:
        return "**What to do.** Report the curve itself, or its (ε, δ) at a δ that it keeps."
    by_epsilon, by_mu = (float(np.max(conceded[f"extra_power_{what}"].to_numpy())) for what in ("epsilon_delta", "mu"))
    if row.reached:
        return "**What to do.** Report these numbers as what was reached, with the attack, and never as a guarantee."
    if max(by_epsilon, by_mu) < _NOTHING:
        return "**What to do.** Report either: neither leaves anything out."
    if by_epsilon < _NOTHING:
        return "**What to do.** Report (ε, δ): it leaves nothing out here, as this curve is that promise."
    if math.isinf(quoted.mu.mu):
        return "**What to do.** Report the curve, or its (ε, δ): no μ holds for every attack."
    fewer = "μ" if by_mu < by_epsilon else "(ε, δ)"
    return f"**What to do.** If it must be one of the two, report {fewer}: it concedes less here."


def _without_false_alarm(row: Row) -> str:
    """What stands behind the power of a curve without a false alarm."""
    if row.reached:
        return f"an attack without a false alarm succeeds with probability {format_down(row.certain)}"
    if row.item.kind == "approx":
        return f"an attack without a false alarm may succeed with probability {format_up(row.certain)}"
    return f"its numerical composition may be off by a δ of {format_up(row.certain)}"


def _mu_quoted(row: Row, quoted: Quotation, conceded: pd.DataFrame) -> str:
    safe = format_down if row.reached else format_up
    reckon = f"A reader who knows only μ must reckon with {_most(row, conceded, 'mu')}."
    if math.isfinite(quoted.mu.mu):
        which = "The smallest μ that allows them" if row.reached else "The smallest μ"
        at = format_nearest(quoted.mu.alpha)
        return f"**{which} is {safe(quoted.mu.mu)}**; its curve touches at α = {at}. {reckon}"
    return (
        f"**{_first_up(quoted.mu.reason)}.** For attacks with both errors at least {format_nearest(SMALLEST_ERROR)}, "
        f"μ = {safe(quoted.limited_mu.mu)} is enough. {reckon}"
    )


def _most(row: Row, conceded: pd.DataFrame, what: str) -> str:
    """The largest extra power of a quotation and where it is."""
    extra = conceded[f"extra_power_{what}"].to_numpy()
    worst = int(np.argmax(extra))
    beyond = "was reached" if row.reached else "the curve allows"
    if extra[worst] < _NOTHING:
        return f"no more than {'what ' if row.reached else ''}{beyond}"
    points = percent_up(float(extra[worst])).removesuffix(" %")
    power, own = (float(conceded[name].to_numpy()[worst]) for name in (f"power_{what}", "power"))
    return (
        f"up to {points} percentage point{'' if points == '1' else 's'} more caught than {beyond}, at α ="
        f" {format_nearest(float(conceded['alpha'].to_numpy()[worst]))}: {percent_up(power)} instead of"
        f" {percent_up(own)}"
    )


def _first_up(sentence: str) -> str:
    return sentence[:1].upper() + humanize_error(sentence[1:])
