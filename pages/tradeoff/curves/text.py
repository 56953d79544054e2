"""The sentences of the section of curves."""

from collections.abc import Sequence

from dpcore import tradeoff
from pages.framework.parameters.number_format import format_up, percent_down, percent_up, plural
from pages.shared.formulas import CERTAINTY
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import posterior_text, rate_text

GLOSSARY = (
    "**True positive rate** (power): the share of members that the best attack finds. **Posterior**: the probability "
    "of membership after a positive test. **Odds**: that probability to the probability of the opposite, so that a "
    "posterior of 20 % is 1 to 4. **Smallest μ**: the least μ for which the two data sets are at "
    "least as hard to distinguish as N(0, 1) and N(μ, 1). **Advantage**: the largest difference between the true and "
    "the false positive rate. **Bayes accuracy and error**: the share of right and wrong decisions of the best test "
    "with this prior. **Posterior ÷ prior**: how many times more probable membership is after a positive test."
)
FOLLOWED = (
    "These curves follow ε and δ of the page: **(ε, δ)-DP** is the guarantee alone, **Gaussian at (ε, δ)** the least "
    "Gaussian noise that satisfies it, and **Laplace at ε** the least Laplace noise that satisfies pure ε-DP. Under "
    "(ε, δ)-DP, probabilities may exceed the e^ε bound by up to δ. δ is not a failure probability, except under "
    "probabilistic DP, where the privacy loss exceeds ε with probability at most δ."
)


def rounding_text(rows: Sequence[CurveRow]) -> str:
    """Return how the numbers of the table are rounded, and what they mean."""
    text = (
        "Numbers are rounded up to four digits, so that no attack on these releases exceeds them; the Bayes error is "
        "rounded down."
    )
    if any(row.is_reached for row in rows):
        text += " Points that an attack reached are rounded in the other direction, and another attack may exceed them."
    if any(row.is_claimed for row in rows):
        text += " A claimed curve holds only if the claim does, including the straight lines between its points."
    return text


def outcome_text(row: CurveRow) -> str:
    """Return the bound on the posterior after the worst single outcome, which only pure ε-DP has."""
    if row.is_reached:
        return ""
    pure = row.curve.pure_epsilon
    if pure is not None:
        worst = percent_up(float(tradeoff.pure_posterior(pure, row.prior)))
        return f"No single outcome raises this prior above {worst}: the guarantee is pure, ε = {format_up(pure)}."
    if row.item.kind in ("truncated", "truncated_geometric") and row.power_at_zero > 0:
        share = format_up(row.power_at_zero)
        return f"With probability up to {share} an outcome {CERTAINTY}: no posterior bounds every outcome."
    if row.item.kind == "approx" and row.power_at_zero > 0:  # a numerical composition has some of its own
        share = format_up(row.power_at_zero)
        return f"With probability up to {share} an outcome can remove all doubt: no posterior bounds every outcome."
    return "Rarer outcomes can raise the posterior further; only pure ε-DP bounds it for every outcome."


def advice_text(row: CurveRow) -> str:
    """Return the advice that follows from what the attacker learns."""
    if row.is_reached:
        return (
            "**What to do.** Points that an attack reached are not a guarantee. Choose a guaranteed curve, and compare "
            "the attack’s scores or counts with it in “An attack’s results”."
        )
    if row.power == 0:
        return "**What to do.** Choose a larger α: without false positives no attack on this curve accuses anybody."
    return (
        f"**What to do.** Decide whether a posterior of {posterior_text(row)} is acceptable for the person concerned. "
        "If it is not, choose a smaller ε, δ or μ, or release less often. State the mechanism, or report its curve or "
        "its μ beside (ε, δ); otherwise readers must assume the curve of (ε, δ)-DP."
    )


def alternative_text(result: TradeoffResult) -> str:
    """Return what the picture of the curves shows, in a sentence for those who can't see it."""
    parts = []
    for row in result.rows:
        if row.is_reached:
            parts.append(f"{row.name} reached a true positive rate of {percent_down(row.power)}")
        else:
            power, beta = percent_up(row.power), percent_down(row.beta)
            parts.append(f"{row.display_name} allows at most {power} true positives, at least {beta} false negatives")
    axes = {
        "errors": "False negative rate against false positive rate",
        "power": "True positive rate against false positive rate",
        "log": "True positive rate against false positive rate on log axes down to 1e-10",
    }[result.setting.view]
    curves = plural(len(result.rows), "curve")
    return f"{axes} for {curves}. At {rate_text(result.setting.alpha)}, {'; '.join(parts)}."
