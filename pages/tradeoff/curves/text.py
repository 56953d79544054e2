"""The sentences of the section of curves."""

from collections.abc import Sequence

from pages.framework.parameters.number_format import percent_down, percent_up
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import posterior_text, rate_text

GLOSSARY = (
    "**Caught**: power, the true cases that the best attack finds. **Posterior, odds**: how sure it is after a "
    "positive test. **Smallest μ**: the least μ for which the two data sets are at least as hard to tell apart as a "
    "draw of N(0, 1) and one of N(μ, 1). **Advantage**: the largest power minus false alarms. **Bayes accuracy, "
    "error**: right and wrong calls of the best guess with this prior. **Risk ÷ prior**: posterior over prior."
)
FOLLOWED = (
    "What follows the page: **(ε, δ)-DP** is the promise itself, **Gaussian at (ε, δ)** the least Gaussian noise that "
    "keeps it, **Laplace at ε** the least Laplace noise that keeps pure ε-DP."
)


def rounding_text(rows: Sequence[CurveRow]) -> str:
    """Return how the numbers of the table are rounded, and what they mean."""
    text = "To four digits, rounded up: no attack does better than these numbers; Bayes error is rounded down."
    if any(row.is_reached for row in rows):
        text += " Points show what was reached: theirs are rounded the other way, and an attack may do better."
    if any(row.is_claimed for row in rows):
        text += " What is claimed holds only if the claim does, with the straight lines between its points."
    return text


def advice_text(row: CurveRow) -> str:
    """Return the advice that follows from what the attacker learns."""
    if row.is_reached:
        return (
            "**What to do.** Points that an attack reached are no guarantee: choose a curve that is promised, and hold "
            "the attack's scores or counts against it in “An attack's results”."
        )
    if row.power == 0:
        return "**What to do.** Choose a larger α: without false alarms no attack on this curve accuses anybody."
    return (
        f"**What to do.** Ask whether {posterior_text(row)} is surer than you can answer for to the person at risk. "
        "If it is, choose a smaller ε, δ or μ, or release less often. If you know the mechanism, report its curve or "
        "its μ beside (ε, δ): a reader who knows (ε, δ) alone must reckon with the curve of that promise."
    )


def alternative_text(result: TradeoffResult) -> str:
    """Return what the picture of the curves shows, in a sentence for those who can't see it."""
    parts = []
    for row in result.rows:
        if row.is_reached:
            parts.append(f"{row.name} caught {percent_down(row.power)} and missed {percent_up(row.beta)}")
        else:
            power, beta = percent_up(row.power), percent_down(row.beta)
            parts.append(f"{row.display_name} lets at most {power} be caught, so at least {beta} are missed")
    axes = {
        "errors": "Type II error against type I error",
        "power": "Power against false alarms",
        "log": "Power against false alarms on log axes down to 1e-10",
    }[result.setting.view]
    curves = f"{len(result.rows)} curve{'s' if len(result.rows) > 1 else ''}"
    return f"{axes} for {curves}. At {rate_text(result.setting.alpha)}, {'; '.join(parts)}."
