"""The sentences of a quotation: one (ε, δ) and one μ instead of a curve, and what each of them concedes."""

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
    percent_up,
    plain_exponents,
    plural,
)
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.results import TradeoffResult, TradeoffSetting
from pages.tradeoff.text import power_text, rate_text

WHY = (
    "A single (ε, δ) is one supporting line of the curve. A single μ says that the two data sets are at least as hard "
    "to distinguish as N(0, 1) and N(μ, 1). Both allow at least as much as the curve: the lower picture shows the "
    "extra true positive rate."
)
_NEGLIGIBLE_POWER = 1e-12  # a smaller extra power is rounding


def _limit_text(quotation: Quotation) -> str:
    """Return for which errors the μ of a quotation holds, if not for all."""
    return "" if math.isfinite(quotation.mu.mu) else f", for errors ≥ {format_nearest(SMALLEST_ERROR)}"


def _pair_text(row: CurveRow, quotation: Quotation, setting: TradeoffSetting) -> str:
    """Return the (ε, δ) of a quotation rounded to the safe side: a guarantee up, and what was reached down."""
    computed, entered = (format_down, format_input_down) if row.is_reached else (format_up, format_input_up)
    format_epsilon, format_delta = (computed, entered) if setting.quote == "delta" else (entered, computed)
    return f"ε = {format_epsilon(quotation.epsilon)}, δ = {format_delta(quotation.delta)}"


def chart_texts(row: CurveRow, quotation: Quotation, setting: TradeoffSetting) -> tuple[str, tuple[str, str]]:
    """Return the subtitle of the chart of a quotation, and the legend's names of its (ε, δ) and its μ."""
    pair, limit = _pair_text(row, quotation, setting), _limit_text(quotation)
    mu = f"smallest μ = {(format_down if row.is_reached else format_up)(quotation.limited_mu.mu)}"
    return f"{chart_text(row.display_name)}: {pair}; {mu}{limit}", (pair, mu)


def quotation_sentences(result: TradeoffResult) -> list[str]:
    """Return the (ε, δ) and the μ of the chosen curve, and what each concedes, in paragraphs."""
    row, setting, (quotation, conceded) = result.chosen_row, result.setting, result.quotation
    name = escape_markdown(row.name)
    if quotation is None or conceded is None:
        why = _zero_alpha_reason(row) if row.power_at_zero > setting.delta else "ε would be above 1e6"
        return [
            f"**{name} has no ε at δ = {format_input_up(setting.delta)}**: {why}. Choose a larger δ, or report the"
            " curve at ε."
        ]
    reckon = f"Readers who know only this pair must assume {_extra_power_text(row, conceded, 'epsilon_delta')}."
    touches = f"touches the curve at α = {format_nearest(quotation.touches)}"
    epsilon, delta = _pair_text(row, quotation, setting).split(", ")
    if row.is_reached:
        least, at = (epsilon, delta) if setting.quote == "delta" else (delta, epsilon)
        first = (
            f"**{name} imply at least {least} at {at}**: no smaller value allows these error rates, if they are the "
            f"true ones; another attack may reach more. The line of this (ε, δ) {touches}. {reckon}"
        )
    else:
        subject = f"If the claim holds, {name}" if row.is_claimed else name
        first = f"**{subject} satisfies {epsilon} at {delta}.** The line of this (ε, δ) {touches}. {reckon}"
    return [first, _mu_sentence(row, quotation, conceded)]


def answer_sentences(result: TradeoffResult) -> tuple[str, str]:
    """Return the (ε, δ) and the μ of the chosen curve, and what each allows at the false positive rate."""
    row, (quotation, _) = result.chosen_row, result.quotation
    name = escape_markdown(row.name)
    if quotation is None:
        first = f"{name} has no ε at δ = {format_input_up(result.setting.delta)}."
        return first, "Choose a larger δ, or report the curve at ε instead."
    epsilon, delta = _pair_text(row, quotation, result.setting).split(", ")
    if row.is_reached:
        mu = f"μ ≥ {format_down(quotation.limited_mu.mu)}"
        first = f"{name} imply at least {epsilon} at {delta}, and {mu}{_limit_text(quotation)}."
        return (
            first,
            "Report these numbers as results of this attack, never as a guarantee; another attack may reach more.",
        )
    has_mu = math.isfinite(quotation.mu.mu)
    mu = f"its smallest μ is {format_up(quotation.mu.mu)}" if has_mu else "no finite μ is proved for it"
    subject = f"If the claim holds, {name}" if row.is_claimed else name
    pair, bell = (
        percent_up(float(curve.power(np.array(row.alpha)))) for curve in (quotation.guarantee, quotation.bell)
    )
    alone = f", this μ alone {bell}, this (ε, δ) alone {pair}" if has_mu else f", this (ε, δ) alone {pair}"
    return (
        f"{subject} satisfies {epsilon} at {delta}; {mu}.",
        f"At {rate_text(row.alpha)} the curve allows {power_text(row)} true positives{alone}.",
    )


def advice_text(result: TradeoffResult) -> str:
    """Return the advice which of the two numbers to quote."""
    quotation, conceded = result.quotation
    if quotation is None or conceded is None:
        return "**What to do.** Report the curve itself, or its (ε, δ) at a larger δ."
    by_epsilon, by_mu = (float(np.max(conceded[f"extra_power_{key}"].to_numpy())) for key in ("epsilon_delta", "mu"))
    if result.chosen_row.is_reached:
        return "**What to do.** Report these numbers as results of this attack, never as a guarantee."
    if max(by_epsilon, by_mu) < _NEGLIGIBLE_POWER:
        return "**What to do.** Report either: both describe this curve completely."
    if by_epsilon < _NEGLIGIBLE_POWER:
        return "**What to do.** Report (ε, δ): it describes this curve completely."
    if math.isinf(quotation.mu.mu):
        return "**What to do.** Report the curve or its (ε, δ): no μ holds for every attack."
    better = "μ" if by_mu < by_epsilon else "(ε, δ)"
    return f"**What to do.** If you report one pair or one number only, report {better}: it is closer to this curve."


def _zero_alpha_reason(row: CurveRow) -> str:
    """Return why a curve has power at α = 0."""
    if row.is_reached:
        return f"an attack without false positives succeeds with probability {format_down(row.power_at_zero)}"
    if row.item.kind == "approx":
        return f"an attack without false positives can succeed with probability {format_up(row.power_at_zero)}"
    return f"its numerical composition has an error of up to {format_up(row.power_at_zero)}"


def _mu_sentence(row: CurveRow, quotation: Quotation, conceded: pd.DataFrame) -> str:
    safe = format_down if row.is_reached else format_up
    reckon = f"Readers who know only μ must assume {_extra_power_text(row, conceded, 'mu')}."
    if math.isfinite(quotation.mu.mu):
        subject = "The smallest μ that allows these points" if row.is_reached else "The smallest μ"
        at = format_nearest(quotation.mu.alpha)
        return f"**{subject} is {safe(quotation.mu.mu)}**; its curve touches at α = {at}. {reckon}"
    return (
        f"**{_capitalized(quotation.mu.reason)}.** For attacks with both errors at least "
        f"{format_nearest(SMALLEST_ERROR)}, μ = {safe(quotation.limited_mu.mu)} is enough. {reckon}"
    )


def _extra_power_text(row: CurveRow, conceded: pd.DataFrame, key: str) -> str:
    """Return the largest extra power of a quotation and where it is."""
    extra = conceded[f"extra_power_{key}"].to_numpy()
    worst = int(np.argmax(extra))
    beyond = "was reached" if row.is_reached else "the curve allows"
    if extra[worst] < _NEGLIGIBLE_POWER:
        return f"no more than {'what ' if row.is_reached else ''}{beyond}"
    points = plural(percent_up(float(extra[worst])).removesuffix(" %"), "percentage point")
    power, own = (float(conceded[name].to_numpy()[worst]) for name in (f"power_{key}", "power"))
    return (
        f"a true positive rate up to {points} higher than {beyond}, at "
        f"α = {format_nearest(float(conceded['alpha'].to_numpy()[worst]))}: {percent_up(power)} instead of "
        f"{percent_up(own)}"
    )


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + plain_exponents(sentence[1:])
