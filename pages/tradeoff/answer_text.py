"""The answer of the page of trade-off curves, which is the same in every section."""

from dpcore import tradeoff
from pages.framework.parameters.number_format import escape_markdown, format_up, odds, percent_up
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
    first = _power_sentence(row, power_of_promise)
    if row.power == 0:
        return first, (
            "No test is ever positive at this α, so nothing follows from one: read the curve at a small α instead."
        )
    prior = row.prior
    before = f"Someone {share_of(prior)} sure beforehand (odds {odds(prior / (1 - prior))}) is"
    after = (
        f"{posterior_text(row)} sure after a positive test (odds {(odds_down if row.is_reached else odds)(row.odds)})"
    )
    if row.is_reached:
        return first, f"{before} {after}. Points show what was reached: another attack may catch more."
    return first, f"{before} at most {after}. {_outcome_sentence(row, prior)}"


def _power_sentence(row: CurveRow, power_of_promise: float | None) -> str:
    """Return the power at the false positive rate."""
    attacker, name = f"An attacker who accepts {rate_text(row.alpha)}", escape_markdown(row.name)
    if row.is_reached:
        catches = "catches" if row.item.releases == "1" else "would catch about"
        return f"{attacker} {catches} {power_text(row)} of the true cases with the tests of these points ({name})."
    most = f"{attacker} catches at most {power_text(row)} of the true cases ({name})"
    if row.is_claimed:
        return f"{most}, if what is claimed holds."
    if power_of_promise is None:
        return f"{most}."
    return f"{most}; its promise alone would allow {percent_up(power_of_promise)}."


def _outcome_sentence(row: CurveRow, prior: float) -> str:
    """Return the bound on the posterior after the worst single outcome, which only pure ε-DP has."""
    pure = row.curve.pure_epsilon
    if pure is not None:
        worst = float(tradeoff.pure_posterior(pure, prior))
        return f"No outcome makes them more than {percent_up(worst)} sure: the promise is pure, ε = {format_up(pure)}."
    if row.item.kind == "approx" and row.power_at_zero > 0:  # a numerical composition has some of its own
        share = format_up(row.power_at_zero)
        return f"With probability up to {share} an outcome may leave no doubt, so no odds hold for every outcome."
    return "A rarer outcome may tell more; only pure ε-DP bounds every single one."


def _comparison_text(row: CurveRow, pinned: CurveRow) -> str:
    """Return what has changed since the pinned setting."""
    text = f"Pinned ({escape_markdown(description(pinned))}): caught {power_text(pinned)} → {power_text(row)}"
    if pinned.power > 0 and row.power > 0:
        text += f", sure after a positive test {posterior_text(pinned)} → {posterior_text(row)}"
    return f"{text}."
