"""The answer of the page of trade-off curves, which is the same in every section."""

from pages.framework.parameters.number_format import escape_markdown, odds, percent_up
from pages.tradeoff.attack import text as attack_text
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import description, odds_down, posterior_text, power_text, rate_text, share_of


def answer_text(result: TradeoffResult) -> tuple[str, ...]:
    """Return the power of the chosen curve, a posterior, what an attack proves, and the changes since a pinned setting.

    Where an attack contradicts the chosen curve, that is the headline, and the sentences on the curve come after it.
    """
    row, attack = result.chosen_row, attack_text.outcome_sentences(result)
    sentences = (*_curve_sentences(row, result.power_of_promise), *filter(None, [attack_text.outcome_text(result)]))
    if result.is_contradicted and attack is not None:
        proof, verdict = attack
        sentences = verdict, proof, attack_text.contradicted_curve_sentence(sentences[0], row)
    if result.pinned is None:
        return sentences
    return *sentences, _comparison_text(row, result.pinned.chosen_row)


def _curve_sentences(row: CurveRow, power_of_promise: float | None) -> tuple[str, str]:
    """Return the power of the best attack at this false positive rate, and what a positive test then means.

    `power_of_promise` is the power that the (ε, δ) behind the curve allows to a mechanism of which nothing else is
    known.
    """
    first = _power_sentence(row)
    if row.power == 0:
        return first, "No test is positive at this α, so nothing follows from a positive test: choose an α above 0."
    after = f"{posterior_text(row)} (odds {(odds_down if row.is_reached else odds)(row.odds)})"
    if row.is_reached:
        return first, (
            f"A positive test raises a prior of {share_of(row.prior)} to a posterior of {after}; another attack may "
            "reach more."
        )
    alone = ""
    if power_of_promise is not None:
        alone = f"; the (ε, δ) guarantee alone allows {percent_up(power_of_promise)} true positives"
    return first, f"A positive test raises a prior of {share_of(row.prior)} to a posterior of at most {after}{alone}."


def _power_sentence(row: CurveRow) -> str:
    """Return the power at the false positive rate."""
    at, name = f"At {rate_text(row.alpha)}", escape_markdown(row.name)
    if row.is_reached:
        reach = "reach" if row.item.releases == "1" else "would reach about"
        return f"{at}, the tests of these points {reach} a true positive rate of {power_text(row)} ({name})."
    claimed = ", if the claim holds" if row.is_claimed else ""
    return f"{at}, the true positive rate is at most {power_text(row)} ({name}){claimed}."


def _comparison_text(row: CurveRow, pinned: CurveRow) -> str:
    """Return what has changed since the pinned setting."""
    rates = f"true positive rate {power_text(pinned)} → {power_text(row)}"
    text = f"Compared with the pin ({escape_markdown(description(pinned))}): {rates}"
    if pinned.power > 0 and row.power > 0:
        text += f", posterior {posterior_text(pinned)} → {posterior_text(row)}"
    return f"{text}."
