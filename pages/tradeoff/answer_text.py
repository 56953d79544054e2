"""The answers of the page on a chosen curve and a quotation, and how the curve and its readings are computed."""

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
    odds,
    percent_up,
    pin_sentence,
    plain_exponents,
    plural,
    tex,
)
from pages.tradeoff.curve_kinds import KINDS
from pages.tradeoff.curve_list import safe_numbers
from pages.tradeoff.results import CurveRow, TradeoffResult, TradeoffSetting
from pages.tradeoff.text import (
    attack_sentences,
    contradicted_curve_text,
    description,
    odds_down,
    posterior_text,
    power_text,
    rate_text,
    share_of,
)

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
        reason = _zero_alpha_reason(row) if row.power_at_zero > setting.delta else "ε would be above 1e6"
        return [
            f"**{name} has no ε at δ = {format_input_up(setting.delta)}**: {reason}. Choose a larger δ, or report the"
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
    reason = quotation.mu.reason[:1].upper() + plain_exponents(quotation.mu.reason[1:])
    return (
        f"**{reason}.** For attacks with both errors at least "
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


def answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return the power of the chosen curve, a posterior, and the changes since a pinned setting.

    Where an attack contradicts the chosen curve, the contradiction is the answer.
    """
    row = result.chosen_row
    sentences = attack_sentences(result) if result.is_contradicted else _curve_sentences(row, result.power_of_guarantee)
    return *sentences, *_comparison_text(result)


def quotation_answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return the one (ε, δ) and the one μ of the chosen curve; where an attack contradicts it, that is the answer."""
    if result.is_contradicted:
        return answer_text(result)
    return *answer_sentences(result), *_comparison_text(result)


def attack_answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return what an attack proves, or that its results are missing; without one, what would contradict the curve."""
    sentences = attack_sentences(result)
    if not sentences and result.chosen_row.is_reached:
        return answer_text(result)  # the points of a curve that an attack reached allow nothing that one could exceed
    row, name = result.chosen_row, escape_markdown(result.chosen_row.name)
    untested = (
        f"No attack is entered; at {rate_text(row.alpha)}, {name} allows {power_text(row)} true positives.",
        "An attack that proves more contradicts it: enter scores or counts below, and the ε that they prove is shown.",
    )
    return *(sentences or untested), *_comparison_text(result)


def curve_text(result: TradeoffResult) -> str:
    """Return the sentence on the chosen curve that stands below the picture of an attack."""
    sentence = power_sentence(result.chosen_row)
    return contradicted_curve_text(result, sentence) or sentence


def _curve_sentences(row: CurveRow, power_of_guarantee: float | None) -> tuple[str, str]:
    """Return the power of the best attack at this false positive rate, and what a positive test then means.

    `power_of_guarantee` is the power that the (ε, δ) behind the curve allows to a mechanism of which nothing else is
    known.
    """
    first = power_sentence(row)
    if row.power == 0:
        return first, "No test is positive at this α, so nothing follows from a positive test: choose an α above 0."
    after = f"{posterior_text(row)} (odds {(odds_down if row.is_reached else odds)(row.odds)})"
    if row.is_reached:
        return first, (
            f"A positive test raises a prior of {share_of(row.prior)} to a posterior of {after}; another attack may "
            "reach more."
        )
    alone = ""
    if power_of_guarantee is not None:
        alone = f"; the (ε, δ) guarantee alone allows {percent_up(power_of_guarantee)} true positives"
    return first, f"A positive test raises a prior of {share_of(row.prior)} to a posterior of at most {after}{alone}."


def power_sentence(row: CurveRow) -> str:
    """Return the power at the false positive rate."""
    at, name = f"At {rate_text(row.alpha)}", escape_markdown(row.name)
    if row.is_reached:
        reach = "reach" if row.item.releases == "1" else "would reach about"
        return f"{at}, the tests of these points {reach} a true positive rate of {power_text(row)} ({name})."
    claimed = ", if the claim holds" if row.is_claimed else ""
    return f"{at}, the true positive rate is at most {power_text(row)} ({name}){claimed}."


def _comparison_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return what has changed since the pinned setting, if there is one."""
    if result.pinned is None:
        return ()
    row, pinned = result.chosen_row, result.pinned.chosen_row
    rates = f"true positive rate {power_text(pinned)} → {power_text(row)}"
    if pinned.power > 0 and row.power > 0:
        rates += f", posterior {posterior_text(pinned)} → {posterior_text(row)}"
    return (pin_sentence(rates, escape_markdown(description(pinned))),)


_CURVE = (
    "A **trade-off function** f gives the least false negative rate β = f(α) (type II error) of all tests between two "
    "neighbouring data sets at the false positive rate α (type I error). A mechanism satisfies f-DP if no test is "
    "better (Dong, Roth & Su 2022). The neighbouring relation is the one for which the sensitivities were computed; "
    "for DP-SGD it is adding or removing one record."
)
_READINGS = (
    "β is rounded down and the power 1 − β is rounded up; both are computed separately.",
    "**Duality.** δ(ε) = max over α of 1 − e^ε α − f(α), and f is the largest of the curves of all guarantees "
    "(ε, δ(ε)). One guarantee (ε, δ) is one supporting line of the curve and its mirror image.",
    "**Smallest μ.** μ = sup over α of Φ⁻¹(1 − α) − Φ⁻¹(f(α)) is the least μ whose Gaussian curve lies below f. "
    "There is none if f(0) < 1, since every G_μ starts at 1.",
    "**Posterior.** π(1 − β) ÷ (π(1 − β) + (1 − π)α) after a positive test with prior π. Pure ε-DP alone bounds "
    "every outcome: πe^ε ÷ (πe^ε + 1 − π) (Lee & Clifton 2011). **Advantage** is δ(0) = max(1 − α − β). **Bayes "
    "error** is the least share of wrong decisions, the minimum of (1 − π)α + πβ; **Bayes accuracy** is one minus it.",
)
_COMPOSITION = (
    "**Composition.** Gaussians compose exactly, μ = √Σμᵢ²; the ρ of zCDP add up; k equal (ε, δ)-DP guarantees "
    "have a closed form (Kairouz, Oh & Viswanath 2015, Theorem 3.3). Everything else is composed numerically: privacy "
    "losses are rounded up to a grid (connect-the-dots, Doroshenko et al. 2022) and summed by Fourier transforms, "
    "and the error of these is added to δ. The curve shown therefore lies below the true one: every power, ε and δ is "
    "an upper bound. Duality turns the privacy profile into the curve, with β ≤ 1 − α in the far tail."
)


def explanation_text(result: TradeoffResult) -> str:
    """Return how the chosen curve and its readings are computed, with the user's numbers and the sources."""
    row, (quotation, _) = result.chosen_row, result.quotation
    item = row.item
    formula = KINDS[item.kind].formula.format(*map(tex, safe_numbers(item)))
    parts = [_CURVE, f"**{escape_markdown(row.name)}.** {KINDS[item.kind].source}\n\n$${formula}$$", *_READINGS]
    if item.kind == "sgm" or item.releases != "1":
        parts.append(_COMPOSITION)
    if quotation is not None and math.isfinite(quotation.mu.mu):
        parts.append(f"Why this μ: {plain_exponents(quotation.mu.reason)}.")
    return "\n\n".join(parts)
