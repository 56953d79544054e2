"""The sentences on an attack: what it proves, and what it does not prove."""

import numpy as np
from numpy.typing import NDArray

from pages.framework.parameters.number_format import escape_markdown, format_down, format_input_down
from pages.tradeoff.attack.upload import MeasuredAttack
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.results import AttackOutcome, TradeoffResult, TradeoffSetting
from pages.tradeoff.text import share_of

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
    "**The results of the attack are missing.** This link was made with somebody’s own results, which it does not "
    "contain. Enter them below."
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


def outcome_sentences(result: TradeoffResult) -> tuple[str, str] | None:
    """Return what the attack proves, and whether it contradicts the chosen curve; None without an attack."""
    outcome, chosen_row = result.attack_outcome, result.chosen_row
    if outcome is None:
        return None
    rows = (row for row in result.rows if row == chosen_row or not row.is_reached)
    contradictions = {row.name: outcome.contradictions[row.name] for row in rows}
    return _proof_sentence(outcome, result.setting), _verdict(contradictions, chosen_row)


def outcome_text(result: TradeoffResult) -> str:
    """Return what the attack proves and contradicts, or that its results are missing; empty without an attack."""
    return MISSING if result.lacks_attack else " ".join(outcome_sentences(result) or ())


def _proof_sentence(outcome: AttackOutcome, setting: TradeoffSetting) -> str:
    epsilon, mu = format_down(float(outcome.epsilon.value)), format_down(float(outcome.mu.value))
    return (
        f"With {share_of(setting.confidence)} confidence, this attack proves ε ≥ {epsilon} at"
        f" δ = {format_input_down(setting.delta)} and μ ≥ {mu}."
    )


def _verdict(contradictions: dict[str, NDArray[np.bool_]], row: CurveRow) -> str:
    """Return whether the results contradict the chosen claim, and which others."""
    chosen = contradictions[row.name]
    claim = (
        f"The assumption that no attack exceeds {escape_markdown(row.name)}"
        if row.is_reached
        else f"The claim {escape_markdown(row.name)}"
    )
    if chosen.any():
        bounds = f"{int(chosen.sum())} of {chosen.size} bound{'s' if chosen.size > 1 else ''}"
        sentence = (
            f"**✗ {claim} is contradicted** at {bounds}, if the trials are independent runs, each with its own coin."
        )
    else:
        sentence = f"{claim} is not contradicted."
    others = [escape_markdown(name) for name, points in contradictions.items() if points.any() and name != row.name]
    if others:
        sentence += f" Of the other curves, {' and '.join(others)} {'are' if len(others) > 1 else 'is'} contradicted."
    return sentence


def contradicted_curve_sentence(sentence: str, row: CurveRow) -> str:
    """Return the sentence on the chosen curve below the headline that an attack contradicts it."""
    return sentence if row.is_reached else f"The contradicted claim: {sentence[0].lower()}{sentence[1:]}"


def source_text(attack: MeasuredAttack) -> str:
    """Return the source of the proof."""
    count = attack.measurements.alpha.size
    points = f"{count:,} measured point{'s' if count != 1 else ''} of {escape_markdown(attack.source)}"
    return f"The proof uses {points}; all bounds hold at once."


def advice_text(contradictions: NDArray[np.bool_], row: CurveRow) -> str:
    """Return the advice that follows from the outcome of an attack on a curve."""
    if contradictions.any() and not row.is_reached:
        return (
            f"**What to do.** Do not rely on {escape_markdown(row.name)}. Before you release anything else, find the "
            "error"
            " in its proof, its sensitivity or its code, or in how the attack was measured."
        )
    if contradictions.any():
        return "**What to do.** Replace the points by these results: they exceed them."
    if row.is_reached:
        return "**What to do.** Try stronger attacks: neither these points nor this result is a guarantee."
    return "**What to do.** Try stronger attacks. This result does not support the claim; only its proof does."
