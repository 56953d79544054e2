"""The answers of the page of trade-off curves: on the chosen curve, and on an attack."""

from pages.framework.parameters.number_format import escape_markdown, odds, percent_up
from pages.tradeoff.attack import text as attack_text
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.quotation import text as quotation_text
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import description, odds_down, posterior_text, power_text, rate_text, share_of


def answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return the power of the chosen curve, a posterior, and the changes since a pinned setting.

    Where an attack contradicts the chosen curve, the contradiction is the answer.
    """
    row = result.chosen_row
    sentences = (
        attack_text.answer_text(result) if result.is_contradicted else _curve_sentences(row, result.power_of_guarantee)
    )
    return *sentences, *_comparison_text(result)


def quotation_answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return the one (ε, δ) and the one μ of the chosen curve; where an attack contradicts it, that is the answer."""
    if result.is_contradicted:
        return answer_text(result)
    return *quotation_text.answer_sentences(result), *_comparison_text(result)


def attack_answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return what an attack proves, or that its results are missing; without one, what would contradict the curve."""
    sentences = attack_text.answer_text(result)
    if not sentences and result.chosen_row.is_reached:
        return answer_text(result)  # the points of a curve that an attack reached allow nothing that one could exceed
    return *(sentences or _untested_sentences(result.chosen_row)), *_comparison_text(result)


def _untested_sentences(row: CurveRow) -> tuple[str, str]:
    """Return how many true positives a curve allows that no attack has tested, and what would contradict it."""
    name = escape_markdown(row.name)
    return (
        f"No attack is entered; at {rate_text(row.alpha)}, {name} allows {power_text(row)} true positives.",
        "An attack that proves more contradicts it: enter scores or counts below, and the ε that they prove is shown.",
    )


def curve_text(result: TradeoffResult) -> str:
    """Return the sentence on the chosen curve that stands below the picture of an attack."""
    sentence = power_sentence(result.chosen_row)
    return attack_text.contradicted_curve_text(result, sentence) or sentence


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
    text = f"Compared with the pin ({escape_markdown(description(pinned))}): {rates}"
    if pinned.power > 0 and row.power > 0:
        text += f", posterior {posterior_text(pinned)} → {posterior_text(row)}"
    return (f"{text}.",)
