"""How each accuracy is computed: its formula with the user's numbers, where that holds, and its source."""

import math

from dpcore.accuracy import RULES
from pages.accuracy.parameters import NEIGHBOURS
from pages.accuracy.query import Setting
from pages.accuracy.words import Answers, verdict
from pages.shared import formulas
from pages.shared.text import beyond, within


def explanation(answers: Answers, now: Setting) -> str:
    """Every mechanism's formula, range, promise, norm and source; the definition; what follows from it."""
    relation = NEIGHBOURS.options[now.neighbours].lower()
    neighbours = "those of your own sensitivities" if now.query == "own" else relation
    parts = [
        "**Accuracy.** The accuracy a at significance level α is the half-width with Pr(|release − truth| > a) = α: "
        f"here {within(now.significance)} within ±a of the truth and {beyond(now.significance)} by more (Geometric "
        "Mechanism Accuracy 2020 and Gaussian Mechanism Accuracy 2020, Definition 1). Of whole-numbered noise it is "
        "the least whole number beyond which no more than α falls. It is that of the noise alone.",
        f"**Neighbours: {neighbours}.** {now.reason}",
    ]
    for rule in RULES:
        norm = "ℓ₁" if rule.norm == "l1" else "ℓ₂"
        head = f"**{rule.name}**, promising {rule.promise}, from the {norm} sensitivity. {formulas.RANGES[rule.key]}"
        found = answers.get(rule.key)
        if found is None or math.isnan(found.accuracy):
            lacks = verdict(rule, answers, now) if found is None else "no answer at the ε at the side"
            parts.append(f"{head} Here: {lacks}. Source: {rule.theorem}.")
            continue
        size = now.asked.size(now.asked.sensitivity(rule))
        formula = formulas.half_width(rule, now, size, found.accuracy)
        parts.append(f"{head} Source: {rule.theorem}.\n\n$${formula}$$")
    parts += [
        "**From accuracy to ε.** Laplace and, as published, geometric noise: ε = (Δ₁ ÷ a) ln(1/α), without a ceiling "
        "(Geometric Mechanism Accuracy 2020, §0.1). Exact geometric noise: the least ε with 2r^(⌊a⌋+1) ÷ (1 + r) ≤ α. "
        "Staircase noise: the least ε whose half-width is at most a. Gaussians: σ = −a ÷ Φ⁻¹(α/2), then the ε of that "
        "σ. Every ε is rounded up, so that it really reaches a; as published, geometric noise reaches a whole a only.",
        "**Sample size.** The least n with which the accuracy at sensitivity (hi − lo) ÷ n is at most a.",
        "**Budget.** Basic composition adds the ε up, and the δ (Dwork & Roth 2014). Gaussians compose exactly to the "
        "one with μ = √Σ μᵢ², μᵢ = Δᵢ ÷ σᵢ (Dong, Roth & Su 2022), whose ε follows from Balle & Wang 2018, Theorem 8. "
        "δ is shared in the proportion of ε, and by weight at ε = 0.",
    ]
    return "\n\n".join(parts)
