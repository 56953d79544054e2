"""The sentences on an attack: what it proves, and what it does not prove."""

import numpy as np
from numpy.typing import NDArray

from pages.framework.parameters.number_format import escape_markdown, format_down, format_input_down
from pages.tradeoff.attack.upload import MeasuredAttack
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.results import AttackOutcome, TradeoffResult, TradeoffSetting
from pages.tradeoff.text import share_of

TRIALS = "Each trial is a run of the mechanism of its own, in which a coin decides whether the person is in the data."
NO_ATTACK = (
    "**Measure the claim.** Below, bring the scores that an attack assigned to members and non-members, or its counts, "
    "or take an invented example. The page shows which ε and μ these results prove, and whether they contradict the "
    "chosen curve.\n\n"
    f"**What it takes.** {TRIALS} Results of many people in one run are not independent: such an audit needs a test of "
    "its own (Steinke, Nasr & Jagielski 2023). And if members differ from the others in anything else, such as the "
    "year of their data, a test may distinguish them by that, and seems to refute a mechanism that ignores the data."
)
MISSING = (
    "**The results of the attack are missing.** This link was made with results of somebody's own, which it does not "
    "contain. Bring them below."
)
GLOSSARY = (
    "**μ ≥ x**: the two data sets are no harder to tell apart than a draw of N(0, 1) and one of N(x, 1). **Hull**: "
    "what is reached by choosing at random among the measured tests. **Worst true errors**: what the measured errors "
    "may really be, at this confidence."
)
NOT_PROVED = (
    "**It does not prove privacy**: a better attack may reach more, and on other data too. The confidence speaks of "
    "independent runs of the mechanism, in each of which a coin decided who is in the data: for many records that "
    "were scored in one run, or members that differ from the others in anything else, it does not hold. Points "
    "given as counts must have been fixed before looking at these data; for scores the thresholds are chosen by "
    "rank, and ties are broken at random from the seed."
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
        f"That no attack does better than {escape_markdown(row.name)}"
        if row.is_reached
        else f"The claim {escape_markdown(row.name)}"
    )
    if chosen.any():
        bounds = f"{int(chosen.sum())} of {chosen.size} bound{'s' if chosen.size > 1 else ''}"
        sentence = f"**✗ {claim} is contradicted** at {bounds}, if each trial was a run and a coin of its own."
    else:
        sentence = f"{claim} is not contradicted."
    others = [escape_markdown(name) for name, points in contradictions.items() if points.any() and name != row.name]
    if others:
        sentence += f" Of the other curves, {' and '.join(others)} {'are' if len(others) > 1 else 'is'} contradicted."
    return sentence


def contradicted_curve_sentence(sentence: str, row: CurveRow) -> str:
    """Return the sentence on the chosen curve below the headline that an attack contradicts it."""
    return sentence if row.is_reached else f"What the contradicted claim says: {sentence[0].lower()}{sentence[1:]}"


def source_text(attack: MeasuredAttack) -> str:
    """Return the source of the proof."""
    count = attack.measurements.alpha.size
    points = f"{count:,} measured point{'s' if count != 1 else ''} of {escape_markdown(attack.source)}"
    return f"The proof is from {points}, all bounds holding at once."


def advice_text(contradictions: NDArray[np.bool_], row: CurveRow) -> str:
    """Return the advice that follows from the outcome of an attack on a curve."""
    if contradictions.any() and not row.is_reached:
        return (
            f"**What to do.** Do not rely on {escape_markdown(row.name)}: look for the error in its proof, its"
            " sensitivity or its code, or in how the attack was measured, before anything more is released."
        )
    if contradictions.any():
        return "**What to do.** Take these results for what is reachable: they go beyond the points."
    if row.is_reached:
        return "**What to do.** Try stronger attacks: neither these points nor this result is a guarantee."
    return "**What to do.** Try stronger attacks. Rely on the claim for its proof, and not for this result."
