"""The answers of the page, on the chosen curve and on an attack, and how the curve and its readings are computed."""

import math

from pages.framework.parameters.number_format import escape_markdown, odds, percent_up, plain_exponents, tex
from pages.tradeoff.attack import text as attack_text
from pages.tradeoff.curve_list import CurveItem, safe_numbers
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


_FORMULAS = {
    "gdp": r"G_\mu(\alpha)=\Phi\left(-\Phi^{{-1}}(\alpha)-\mu\right),\quad \mu={0}",
    "sigma": r"G_\mu(\alpha)=\Phi\left(-\Phi^{{-1}}(\alpha)-\mu\right),\quad \mu=\Delta_2/\sigma={1}/{0}",
    "approx": r"f(\alpha)=\max\left(0,\,1-\delta-e^\varepsilon\alpha,\,e^{{-\varepsilon}}(1-\delta-\alpha)\right),"
    r"\quad \varepsilon={0},\ \delta={1}",
    "pure": r"f(\alpha)=\max\left(0,\,1-e^\varepsilon\alpha,\,e^{{-\varepsilon}}(1-\alpha)\right),\quad "
    r"\varepsilon={0}",
    "laplace": r"f(\alpha)=1-e^\theta\alpha\ \left(\alpha<\tfrac12e^{{-\theta}}\right),\quad \frac{{e^{{-\theta}}}}"
    r"{{4\alpha}}\ \left(\alpha\le\tfrac12\right),\quad e^{{-\theta}}(1-\alpha),\qquad \theta={0}",
    "geometric": r"f(\alpha)=\max_{{k=0\ldots\Delta}}q^{{\Delta-k}}\left(1-\alpha q^{{-k}}\right),\quad q=e^{{-\theta/"
    r"\Delta}},\ \theta={0},\ \Delta={1}",
    "truncated": r"f(\alpha)=1-\delta-e^\varepsilon\alpha\ \left(\alpha<e^{{-\varepsilon}}(\tfrac12-\delta)\right),"
    r"\quad \frac{{(\frac12+g)^2e^{{-\varepsilon}}}}{{\alpha+g}}-g\ \left(\alpha\le\tfrac12\right),\quad "
    r"e^{{-\varepsilon}}(1-\delta-\alpha),\qquad g=\frac\delta{{e^\varepsilon-1}},\ \varepsilon={0},\ \delta={1}",
    "truncated_geometric": r"f(\alpha)=\max_{{m=0\ldots\Delta}}\left(1-\delta_m-e^{{\varepsilon_m}}\alpha\right),\quad "
    r"\varepsilon_m=\varepsilon(1-2m/\Delta),\quad \delta_m=\sum_k\max(p_k-e^{{\varepsilon_m}}p_{{k-\Delta}},0),\quad "
    r"p_k\propto e^{{-\varepsilon|k|/\Delta}},\ |k|\le N,\quad \varepsilon={0},\ N={1},\ \Delta={2}",
    "gg": r"f(\alpha)=F\left(F^{{-1}}(1-\alpha)-\Delta/b\right),\quad F'\propto e^{{-|x|^p}},\ p={0},"
    r"\ b={1},\ \Delta={2}",
    "zcdp": r"\delta(\varepsilon)=\inf_{{a>1}}\frac{{e^{{(a-1)(a\rho-\varepsilon)}}}}{{a-1}}\left(1-\frac1a\right)^a,"
    r"\quad \rho={0}",
    "sgm": r"\left(q\,N(1,\sigma^2)+(1-q)\,N(0,\sigma^2)\ \text{{against}}\ N(0,\sigma^2)\right)^{{\otimes T}},\quad "
    r"\sigma={0},\ q={1},\ T={2}",
    "claim": r"f=\text{{lower convex hull of the points, }}(0,1)\text{{ and }}(1,0)",
    "points": r"f=\text{{lower convex hull of the points, }}(0,1)\text{{ and }}(1,0)",
}
_SOURCES = {
    "gdp": "Gaussian differential privacy, Dong, Roth & Su 2022.",
    "sigma": "Gaussian noise, Dong, Roth & Su 2022, Theorem 1; μ is rounded up.",
    "approx": "(ε, δ)-DP as a trade-off function, Dong, Roth & Su 2022.",
    "pure": "Pure ε-DP as a trade-off function, Dong, Roth & Su 2022, with δ = 0.",
    "laplace": "Laplace noise with θ = Δ₁ ÷ scale, Dong, Roth & Su 2022; R package fdp, lap().",
    "geometric": "Two-sided geometric noise, own derivation by Neyman and Pearson’s lemma; piecewise linear.",
    "truncated": "Truncated Laplace noise (Geng, Ding, Guo & Kumar 2020, Theorem 1), own derivation by Neyman and "
    "Pearson’s lemma: f(0) = 1 − δ, since up to δ of the outcomes leave no doubt.",
    "truncated_geometric": "Truncated geometric noise of scale Δ/ε, own derivation by Neyman and Pearson’s lemma: "
    "f(0) = 1 − Pr(noise > N − Δ), since so many of the outcomes leave no doubt.",
    "gg": "Generalized Gaussian noise (Liu 2019); log-concave, so a threshold is the best test (Neyman and Pearson).",
    "zcdp": "ρ-zCDP (Bun & Steinke 2016) by Canonne, Kamath & Steinke 2020, Proposition 12.",
    "sgm": "Poisson-subsampled Gaussian noise of DP-SGD, for adding or removing one record; composed numerically "
    "unless the rate is 1.",
    "points": "Your points, each also with its errors exchanged; a random choice between two tests reaches the points "
    "between them. They show what an attack reached and are not a guarantee.",
    "claim": "The points of your claim, each also with its errors exchanged; the straight lines between them are part "
    "of the claim.",
}
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
    parts = [_CURVE, f"**{escape_markdown(row.name)}.** {_SOURCES[item.kind]}\n\n$${_formula(item)}$$", *_READINGS]
    if item.kind == "sgm" or item.releases != "1":
        parts.append(_COMPOSITION)
    if quotation is not None and math.isfinite(quotation.mu.mu):
        parts.append(f"Why this μ: {plain_exponents(quotation.mu.reason)}.")
    return "\n\n".join(parts)


def _formula(item: CurveItem) -> str:
    """Return the trade-off function of one release, as TeX with the user's numbers."""
    return _FORMULAS[item.kind].format(*map(tex, safe_numbers(item)))
