"""The sentences that the sections of trade-off curves share, those on an attack, and the head of their CSV files."""

import math
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    format_down,
    format_input_down,
    format_up,
    percent,
    percent_down,
    percent_up,
    plural,
    uncapitalized,
)
from pages.shared.formulas import fraction_in_words
from pages.tradeoff.attack.upload import MeasuredAttack
from pages.tradeoff.results import AttackOutcome, CurveRow, TradeoffResult, TradeoffSetting

_MAX_SUBTITLE_NAMES = 3


def power_text(row: CurveRow) -> str:
    """Return the power at the false positive rate, rounded to the safe side."""
    return (percent_down if row.is_reached else percent_up)(row.power)


def posterior_text(row: CurveRow) -> str:
    """Return the posterior after a positive test, rounded to the safe side."""
    return (percent_down if row.is_reached else percent_up)(row.posterior)


def description(row: CurveRow) -> str:
    """Return a curve and where it is read, in a line."""
    return f"{row.display_name}, α = {format_input_down(row.alpha)}, prior {share_of(row.prior)}"


def subtitle_text(result: TradeoffResult, parameters: str) -> str:
    """Return the subtitle of a picture: the curves, of which at most three are listed, and the parameters."""
    names = [row.display_name for row in result.rows]
    if len(names) > _MAX_SUBTITLE_NAMES:
        names = [*names[:_MAX_SUBTITLE_NAMES], f"{len(names) - _MAX_SUBTITLE_NAMES} more"]
    return f"{chart_text(', '.join(names))}; {chart_text(parameters)}"


def rate_text(alpha: float) -> str:
    """Return a false positive rate in words, a tiny one without a percentage; 1e-6 has no line break."""
    if alpha == 0 or alpha >= 1e-4:
        return f"a false positive rate of {share_of(alpha)}"
    return "a false positive rate of " + format_input_down(alpha).replace("e-", "e-\u2060")


def share_of(probability: float) -> str:
    """Return an entered probability in per cent, or rounded down: what holds at it holds at a smaller one too."""
    share = format_input_down(float(100 * Decimal(repr(probability))))
    return percent(probability, 17) if share == "100" and probability < 1 else f"{share} %"


def people_of(share: float, people: str = "people") -> str:
    """Return an entered share in numbers of people where they are short, else in per cent.

    >>> people_of(0.6), people_of(0.001, "people like you"), people_of(1 / 3)
    ('60 of 100 people', '1 of 1,000 people like you', '33.33333 % of people')
    """
    counted = fraction_in_words(share)
    if counted is None or counted[0] >= 10**4 or counted[1] > 10**9:
        return f"{share_of(share)} of {people}"
    return f"{counted[0]:,} of {counted[1]:,} {people}"


def odds_down(value: float) -> str:
    """Return the text of odds that must not be overstated.

    >>> odds_down(0.57669), odds_down(9), odds_down(float("inf"))
    ('1 to 1.735', '9 to 1', 'certain')
    """
    if math.isinf(value):
        return "certain"
    return f"{format_down(value)} to 1" if value >= 1 else f"1 to {format_up(1 / value)}"


def csv_header(result: TradeoffResult, **entries: Any) -> dict[str, str]:
    """Return the curves, the other parameters of the numbers, and the units, for the top of a CSV."""
    if result.pinned is not None:
        entries |= {"pinned": description(result.pinned.chosen_row)}
    return {
        "curves": "; ".join(row.display_name for row in result.rows),
        "curves in the link": list_text(result.setting.curves),
        **{key: str(value) for key, value in entries.items()},
        "units": "alpha, beta, power, delta are probabilities; epsilon in nats; mu dimensionless",
    }


TRIALS = "Each trial is an independent run of the mechanism, in which a coin decides whether the person is included."
NO_ATTACK = (
    "**Test a claim.** Enter below the scores that an attack assigned to members and non-members, or its counts, "
    "or use the invented example. The page computes which ε and μ these results prove, and whether they contradict the "
    "chosen curve.\n\n"
    f"**How an audit is set up.** {TRIALS} The record that is included or left out is often a canary: an artificial "
    "record that is easy to detect. Results for many people in one run are not independent; such an audit needs a "
    "different test (Steinke, Nasr & Jagielski 2023). If members differ from non-members in anything else, such as the "
    "year of their data, a test can distinguish them by that and seem to refute a mechanism that ignores the data."
)
MISSING = (
    "**The results of the attack are missing.**",
    "This link was made with somebody’s own results, which it does not contain: enter them below.",
)
GLOSSARY = (
    "**μ ≥ x**: the two data sets are at most as hard to distinguish as N(0, 1) and N(x, 1). **Hull**: the error rates "
    "of a random choice among the measured tests. **Upper bounds on the errors**: the largest true error rates that "
    "are consistent with the measured ones, at this confidence."
)
NOT_PROVED = (
    "**It does not prove privacy**: a better attack, or other data, may give a larger ε. The confidence assumes "
    "independent runs of the mechanism, in each of which a coin decided who is in the data. It does not hold for many "
    "records that were scored in one run, or for members that differ from the others in anything else. Thresholds of "
    "counts must have been fixed before looking at these data; for scores they are chosen by rank, and ties are broken "
    "at random with the seed."
)


def attack_sentences(result: TradeoffResult) -> tuple[str, ...]:
    """Return what the attack proves and whether it contradicts the chosen curve; nothing without an attack.

    A contradiction comes first.
    """
    outcome = result.attack_outcome
    if outcome is None:
        return MISSING if result.lacks_attack else ()
    proof, confidence = _proof_text(outcome, result.setting), share_of(result.setting.confidence)
    name = escape_markdown(result.chosen_row.name)
    claim = f"The assumption that no attack exceeds {name}" if result.chosen_row.is_reached else f"The claim {name}"
    points = outcome.contradictions[result.chosen_row.name]
    if not points.any():
        verdict = (
            f"{claim} is not contradicted, which does not prove it; the proof needs independent runs, each with its "
            "own coin."
        )
        return f"With {confidence} confidence, this attack proves {proof}.", verdict
    bounds = "its one bound" if points.size == 1 else f"{int(points.sum())} of {points.size} bounds"
    return (
        f"**✗ {claim} is contradicted** at {bounds}, with {confidence} confidence.",
        f"The attack proves {proof}, with that confidence, if the trials are independent runs, each with its own coin.",
    )


def outcome_text(result: TradeoffResult) -> str:
    """Return what the attack proves and contradicts, or that its results are missing; empty without an attack."""
    return " ".join(filter(None, (*attack_sentences(result), other_curves_text(result))))


def other_curves_text(result: TradeoffResult) -> str:
    """Return which of the other curves the attack contradicts."""
    outcome, chosen = result.attack_outcome, result.chosen_row.name
    if outcome is None:
        return ""
    names = (row.name for row in result.rows if row.name != chosen and not row.is_reached)
    others = [escape_markdown(name) for name in names if outcome.contradictions[name].any()]
    if not others:
        return ""
    *first, last = others
    names, verb = (f"{', '.join(first)} and {last}", "are") if first else (last, "is")
    return f"Of the other curves, {names} {verb} contradicted."


def _proof_text(outcome: AttackOutcome, setting: TradeoffSetting) -> str:
    epsilon, mu = float(outcome.epsilon.value), float(outcome.mu.value)
    if epsilon <= 0 and mu <= 0:
        return "no ε or μ above 0: guessing may give the same results"
    mu_text = f"μ ≥ {format_down(mu)}"
    delta = f"at δ = {format_input_down(setting.delta)}"
    return (
        f"ε ≥ {format_down(epsilon)} {delta} and {mu_text}" if epsilon > 0 else f"{mu_text}, but no ε above 0 {delta}"
    )


def contradicted_curve_text(result: TradeoffResult, sentence: str) -> str:
    """Return the sentence on the chosen curve where an attack contradicts it; empty where it does not."""
    if not result.is_contradicted:
        return ""
    claim = "The contradicted claim: "
    return sentence if result.chosen_row.is_reached else f"{claim}{uncapitalized(sentence)}"


def source_text(attack: MeasuredAttack) -> str:
    """Return the source of the proof."""
    points = f"{plural(attack.measurements.alpha.size, 'measured point')} of {escape_markdown(attack.source)}"
    return f"The proof uses {points}; all bounds hold at once."


def advice_text(contradictions: NDArray[np.bool_], row: CurveRow) -> str:
    """Return the advice that follows from the outcome of an attack on a curve."""
    if contradictions.any() and not row.is_reached:
        return (
            f"**What to do.** Do not rely on {escape_markdown(row.name)}. Before you release anything else, find the "
            "error in its proof, its sensitivity or its code, or in how the attack was measured."
        )
    if contradictions.any():
        return "**What to do.** Replace the points by these results: they exceed them."
    if row.is_reached:
        return "**What to do.** Try stronger attacks: neither these points nor this result is a guarantee."
    return "**What to do.** Try stronger attacks. This result does not support the claim; only its proof does."
