"""The sentences on an attack: what it proves, and what it does not prove."""

import numpy as np
from numpy.typing import NDArray

from pages.framework.parameters.number_format import escape_markdown, format_down, format_input_down, plural
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


def answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return what the attack proves and whether it contradicts the chosen curve; nothing without an attack.

    A contradiction comes first.
    """
    outcome = result.attack_outcome
    if outcome is None:
        return MISSING if result.lacks_attack else ()
    proof, confidence = _proof_text(outcome, result.setting), share_of(result.setting.confidence)
    claim, points = _claim_name(result.chosen_row), outcome.contradictions[result.chosen_row.name]
    if not points.any():
        verdict = (
            f"{claim} is not contradicted, which does not prove it; the proof needs independent runs, each with its "
            "own coin."
        )
        return f"With {confidence} confidence, this attack proves {proof}.", verdict
    return (
        f"**✗ {claim} is contradicted** at {_bounds_text(points)}, with {confidence} confidence.",
        f"The attack proves {proof}, with that confidence, if the trials are independent runs, each with its own coin.",
    )


def outcome_text(result: TradeoffResult) -> str:
    """Return what the attack proves and contradicts, or that its results are missing; empty without an attack."""
    return " ".join(filter(None, (*answer_text(result), other_curves_text(result))))


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


def _claim_name(row: CurveRow) -> str:
    name = escape_markdown(row.name)
    return f"The assumption that no attack exceeds {name}" if row.is_reached else f"The claim {name}"


def _bounds_text(points: NDArray[np.bool_]) -> str:
    return "its one bound" if points.size == 1 else f"{int(points.sum())} of {points.size} bounds"


def contradicted_curve_text(result: TradeoffResult, sentence: str) -> str:
    """Return the sentence on the chosen curve where an attack contradicts it; empty where it does not."""
    if not result.is_contradicted:
        return ""
    claim = "The contradicted claim: "
    return sentence if result.chosen_row.is_reached else f"{claim}{sentence[0].lower()}{sentence[1:]}"


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
