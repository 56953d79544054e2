"""The words of the trade-off page: its answer, the table of readings, quotations, what an attack proves."""

import math
from collections.abc import Sequence
from decimal import Decimal
from html import escape
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import tradeoff
from dpcore.audit import Attack, Band, Proved
from dpcore.tradeoff import Curve
from dpcore.tradeoff.readings import SMALLEST_ERROR, Quotation
from pages.shared.curves import Item
from pages.shared.figures.tradeoff import Drawn
from pages.shared.text import calm, down, nearest, odds, percent, percent_down, percent_up, plain, tex, up
from pages.shared.text import table_html as table

TITLE = "How much can an attacker learn about one person?"
ROUNDING = "To four digits, rounded up: no attack does better than these numbers; Bayes error is rounded down."


def answer(item: Item, curve: Curve, name: str, alpha: float, prior: float) -> tuple[str, str]:
    """What the best attack at this false-alarm rate catches, and what a positive test then means."""
    power = float(curve.power(np.asarray(alpha)))
    sentence = (
        f"An attacker who accepts {rate(alpha)} catches at most {percent_up(power)} of the true cases ({plain(name)})."
    )
    before = f"Someone {percent(prior, 17)} sure beforehand (odds {odds(prior / (1 - prior))})"
    if power == 0:
        meaning = (
            "No test is ever positive at this α, so nothing follows from one: read the curve at a small α instead."
        )
        return sentence, meaning
    after = percent_up(float(tradeoff.posterior(alpha, power, prior)))
    chance = odds(float(tradeoff.posterior_odds(alpha, power, prior)))
    meaning = (
        f"{before} is at most {after} sure after a positive test (odds {chance}). {outcome_bound(item, curve, prior)}"
    )
    return sentence, meaning


def rate(alpha: float) -> str:
    """A false-alarm rate in words, as a percentage unless that were an unreadable one; 1e-6 breaks over no line."""
    if alpha == 0 or alpha >= 1e-4:
        return f"{percent(alpha, 17)} false alarms"
    return f"a false-alarm rate of {nearest(alpha, 17)}".replace("e-", "e-\u2060")


def pure_epsilon(item: Item) -> float | None:
    """The ε of a curve that promises pure ε-DP, added up over its releases; None for any other promise."""
    pure = item.kind in ("pure", "laplace", "geometric")
    if not pure and not (item.kind == "approx" and _decimal(item.numbers[1]) == 0):
        return None
    return float(_decimal(item.numbers[0]) * _decimal(item.releases))


def _decimal(entry: str) -> Decimal:
    return Decimal(entry.replace("−", "-"))


def outcome_bound(item: Item, curve: Curve, prior: float) -> str:
    """The bound that pure ε-DP, and only it, sets on the worst single outcome."""
    epsilon = pure_epsilon(item)
    if epsilon is not None and epsilon <= 1e6:
        worst = float(tradeoff.pure_posterior(epsilon, prior))
        return f"No outcome makes them more than {percent_up(worst)} sure: the promise is pure, ε = {up(epsilon)}."
    certain = float(curve.power(np.zeros(1))[0])
    if item.kind in ("approx", "points") and certain > 0:  # a numerical composition has some of its own
        return f"With probability up to {up(certain)} an outcome may leave no doubt, so no odds hold for every outcome."
    return "A rarer outcome may tell more; only pure ε-DP bounds every single one."


def table_html(curves: list[Curve], names: list[str], alpha: float, prior: float, delta: float) -> str:
    """Every curve read at the chosen α, prior and δ, as an accessible HTML table."""
    heads = [
        "Curve",
        f"Caught at <span>α = {nearest(alpha, 17)}</span>",
        f"Posterior and odds, <span>prior {percent(prior, 17)}</span>",
        f"ε at <span>δ = {nearest(delta, 17)}</span>",
        "Smallest μ",
        "Advantage",
        "Bayes accuracy",
        "Bayes error",
        "Risk ÷ prior",
    ]
    body = []
    for curve, name in zip(curves, names, strict=True):
        row = reading(curve, alpha, prior, delta)
        cells = [
            percent_up(row["power"]),
            f"{percent_up(row['posterior'])}, {odds(row['odds'])}",
            finite(row["epsilon"]),
            finite(row["mu"]),
            percent_up(row["advantage"]),
            percent_up(row["bayes_accuracy"]),
            percent_down(row["bayes_error"]),
            f"{up(row['risk'])} ×",
        ]
        body.append([name, *cells])
    return table("The curves in numbers", "readings", heads, body)


def subtitle(names: list[str], parameters: str) -> str:
    """The curves and the parameters of a picture, in lines that fit a phone."""
    shown = names if len(names) <= 3 else [*names[:3], f"{len(names) - 3} more"]
    return f"{escape(', '.join(shown))}<br>{parameters}"


GLOSSARY = (
    "**Caught**: power, the true cases that the best attack finds. **Posterior, odds**: how sure it is after a "
    "positive test. **Smallest μ**: the least μ-GDP that says no more than the curve. **Advantage**: the largest power "
    "minus false alarms. **Bayes accuracy, error**: right and wrong calls of the best guess with this prior. **Risk ÷ "
    "prior**: posterior over prior."
)


def quotation_labels(name: str, quoted: Quotation) -> tuple[str, tuple[str, str]]:
    """The subtitle of the picture of a quotation, and the legend's words for its (ε, δ) and its μ."""
    pair = f"ε = {up(quoted.epsilon)}, δ = {up(quoted.delta)}"
    mu = f"smallest μ = {up(quoted.limited_mu.mu)}"
    limited = "" if math.isfinite(quoted.mu.mu) else f", for errors ≥ {nearest(SMALLEST_ERROR)}"
    return f"{escape(name)}: {pair}<br>{mu}{limited}", (pair, mu)


def curves_frame(drawn: Sequence[Drawn]) -> pd.DataFrame:
    """The points of all curves, one below the other, under their names."""
    return pd.concat({each.name: each.points for each in drawn}, names=["curve"]).reset_index(level=0)


def band_frame(band: Band, broken: NDArray[np.bool_]) -> pd.DataFrame:
    """The measured errors, the bounds on the true ones, and whether they contradict the chosen claim."""
    columns = {"alpha": band.alpha, "beta": band.beta, "alpha_high": band.alpha_high, "beta_high": band.beta_high}
    return pd.DataFrame(columns | {"contradicts": broken})


NO_ATTACK = (
    "Measure the claim: give the scores that an attack assigned to members and non-members, or its counts. The page "
    "shows which ε and μ these results prove, and whether they contradict the chosen curve."
)


def reading(curve: Curve, alpha: float, prior: float, delta: float) -> dict[str, float]:
    """The numbers of a curve at a false-alarm rate, a prior and a δ."""
    power = float(curve.power(np.asarray(alpha)))
    return {
        "power": power,
        "posterior": float(tradeoff.posterior(alpha, power, prior)),
        "odds": float(tradeoff.posterior_odds(alpha, power, prior)),
        "risk": float(tradeoff.relative_risk(alpha, power, prior)),
        "advantage": float(tradeoff.advantage(curve)),
        "bayes_accuracy": float(tradeoff.bayes_accuracy(curve, prior)),
        "bayes_error": float(tradeoff.bayes_error(curve, prior)),
        "epsilon": float(tradeoff.smallest_epsilon(curve, delta)),
        "mu": tradeoff.smallest_mu(curve).mu,
    }


def finite(value: float) -> str:
    """A number rounded up, or "none" where no finite one holds."""
    return "none" if math.isinf(value) else up(value)


def quotation(
    curve: Curve, name: str, quoted: Quotation | None, conceded: pd.DataFrame | None, delta: float
) -> list[str]:
    """What the (ε, δ) and the μ of a curve are, and what each concedes."""
    if quoted is None or conceded is None:
        certain = float(curve.power(np.zeros(1))[0])
        why = "it would be above 1e6"
        if certain > delta:
            why = f"an attack without a false alarm succeeds with probability {up(certain)}"
        return [
            f"**No ε goes with δ = {nearest(delta, 17)} for {plain(name)}**: {why}. Choose a larger δ, or quote at ε."
        ]
    lines = [
        f"**{plain(name)} keeps ε = {up(quoted.epsilon)} at δ = {up(quoted.delta)}.** The line of that promise touches "
        f"the curve at α = {nearest(quoted.touches)}. A reader who knows only this pair must reckon with "
        f"{_most(conceded, 'epsilon_delta')}."
    ]
    reckon = f"A reader who knows only μ must reckon with {_most(conceded, 'mu')}."
    if math.isfinite(quoted.mu.mu):
        touches = f"its curve touches at α = {nearest(quoted.mu.alpha)}"
        lines.append(f"**The smallest μ is {up(quoted.mu.mu)}**; {touches}. {reckon}")
    else:
        lines.append(
            f"**{_first_up(quoted.mu.reason)}.** For attacks with both errors at least {nearest(SMALLEST_ERROR)}, "
            f"μ = {up(quoted.limited_mu.mu)} is enough. {reckon}"
        )
    return lines


def _most(conceded: pd.DataFrame, what: str) -> str:
    """The largest extra power of a quotation and where it is."""
    extra = conceded[f"extra_power_{what}"].to_numpy()
    worst = int(np.argmax(extra))
    if extra[worst] < 1e-12:
        return "no more than the curve allows"
    row = conceded.iloc[worst]
    return (
        f"up to {percent_up(extra[worst])} more caught than the curve allows, at α = {nearest(float(row['alpha']))}: "
        f"{percent_up(float(row[f'power_{what}']))} instead of {percent_up(float(row['power']))}"
    )


def _first_up(sentence: str) -> str:
    return sentence[:1].upper() + calm(sentence[1:])


def alternative(curves: list[Curve], names: list[str], alpha: float, view: str) -> str:
    """What the picture of the curves shows, in a sentence for those who can't see it."""
    parts = []
    for curve, name in zip(curves, names, strict=True):
        caught, missed = percent_up(float(curve.power(np.asarray(alpha)))), percent_down(float(curve(alpha)))
        parts.append(f"{name} lets at most {caught} be caught, so at least {missed} are missed")
    axes = {"errors": "Type II error against type I error", "power": "Power against false alarms"}.get(
        view, "Power against false alarms on log axes down to 1e-10"
    )
    return f"{axes} for {len(names)} curves. At {rate(alpha)}, {'; '.join(parts)}."


def audit_text(
    attack: Attack,
    source: str,
    confidence: float,
    epsilon: Proved,
    mu: Proved,
    delta: float,
    broken: dict[str, NDArray[np.bool_]],
    name: str,
) -> str:
    """What the attack's results prove, at which confidence, and whether they contradict the chosen claim and others."""
    level = percent(confidence, 17)
    points = f"{attack.alpha.size} measured point{'s' if attack.alpha.size != 1 else ''} of {source}"
    chosen = broken[name]
    if chosen.any():
        verdict = f"**✗ The claim {plain(name)} is contradicted** at {int(chosen.sum())} of {chosen.size} bounds."
    else:
        verdict = f"The claim {plain(name)} is not contradicted."
    others = [plain(other) for other, places in broken.items() if places.any() and other != name]
    if others:
        verdict += f" Of the other curves, {' and '.join(others)} {'are' if len(others) > 1 else 'is'} contradicted."
    return (
        f"**With {level} confidence, this attack proves ε ≥ {down(float(epsilon.value))} at δ = {nearest(delta, 17)} "
        f"and μ ≥ {down(float(mu.value))}** ({plain(points)}, all bounds holding at once). {verdict}"
    )


NOT_PROVED = (
    "It does not prove privacy: a better attack may reach more, and on other data too. The confidence speaks of "
    "independent trials; many records scored against one trained model are not strictly independent. Points given as "
    "counts must have been fixed before looking at these data; for scores the thresholds are chosen by rank, and ties "
    "are broken at random from the seed."
)


def explanation(item: Item, name: str, quoted: Quotation | None) -> str:
    """How the chosen curve and its readings are computed, with the user's numbers and the sources."""
    formula = _FORMULAS[item.kind].format(*[tex(nearest(float(n.replace("−", "-")), 17)) for n in _numbers(item)])
    parts = [
        "A **trade-off function** f gives, for every test of “which of two neighbouring data sets?”, the least type II "
        "error β = f(α) (a true case missed) at type I error α (a false alarm). A mechanism is f-DP if no test does "
        "better (Dong, Roth & Su 2022). The neighbouring relation is the one under which the curve's "
        "numbers hold: sensitivities computed for it; for DP-SGD, adding or removing one record.",
        f"**{plain(name)}.** {_SOURCES[item.kind]}\n\n$${formula}$$",
        "β is rounded down and the power 1 − β up, each computed by itself and not as one minus the other.",
        "**Duality.** δ(ε) = max over α of 1 − e^ε α − f(α), and f is the largest of the curves of all promises "
        "(ε, δ(ε)). A promise (ε, δ) is one supporting line of the curve and its mirror image.",
        "**Smallest μ.** μ = sup over α of Φ⁻¹(1 − α) − Φ⁻¹(f(α)): the least μ whose Gaussian curve lies beneath. "
        "There is none if f(0) < 1, since every G_μ starts at 1.",
        "**Posterior.** π(1 − β) ÷ (π(1 − β) + (1 − π)α) after a positive test with prior π. Pure ε-DP alone bounds "
        "every outcome: πe^ε ÷ (πe^ε + 1 − π) (Lee & Clifton 2011). **Advantage** is δ(0) = max(1 − α − β). **Bayes "
        "error** is the least share of wrong calls, min of (1 − π)α + πβ; **Bayes accuracy** is one minus it.",
    ]
    if item.kind == "sgm" or item.releases != "1":
        parts.append(
            "**Composition.** Gaussians compose exactly, μ = √Σμᵢ². Everything else is composed numerically by "
            "Google's dp-accounting on privacy loss distributions whose losses are rounded up (connect-the-dots), so "
            "the curve shown lies below the true one: every power, ε and δ is an upper bound. Its profile then gives "
            "the curve by duality, which keeps β ≤ 1 − α in the far tail."
        )
    if quoted is not None and math.isfinite(quoted.mu.mu):
        parts.append(f"Why this μ: {quoted.mu.reason}.")
    return "\n\n".join(parts)


def _numbers(item: Item) -> tuple[str, ...]:
    return () if item.kind == "points" else item.numbers


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
    "gg": r"f(\alpha)=F\left(F^{{-1}}(1-\alpha)-\Delta/b\right),\quad F'\propto e^{{-|x|^p}},\ p={0},"
    r"\ b={1},\ \Delta={2}",
    "zcdp": r"\delta(\varepsilon)=\inf_{{a>1}}\frac{{e^{{(a-1)(a\rho-\varepsilon)}}}}{{a-1}}\left(1-\frac1a\right)^a,"
    r"\quad \rho={0}",
    "sgm": r"\left(q\,N(1,\sigma^2)+(1-q)\,N(0,\sigma^2)\ \text{{against}}\ N(0,\sigma^2)\right)^{{\otimes T}},\quad "
    r"\sigma={0},\ q={1},\ T={2}",
    "points": r"f=\text{{lower convex hull of the points, }}(0,1)\text{{ and }}(1,0)",
}
_SOURCES = {
    "gdp": "Gaussian differential privacy, Dong, Roth & Su 2022.",
    "sigma": "Gaussian noise, Dong, Roth & Su 2022, Theorem 1; μ is rounded up.",
    "approx": "(ε, δ)-DP as a trade-off function, Dong, Roth & Su 2022.",
    "pure": "Pure ε-DP as a trade-off function, Dong, Roth & Su 2022, with δ = 0.",
    "laplace": "Laplace noise with θ = Δ₁ ÷ scale, Dong, Roth & Su 2022; R package fdp, lap().",
    "geometric": "Two-sided geometric noise, own derivation by Neyman and Pearson's lemma; piecewise linear.",
    "gg": "Generalized Gaussian noise (Liu 2019); log-concave, so a threshold is the best test (Neyman and Pearson).",
    "zcdp": "What ρ-zCDP (Bun & Steinke 2016) promises by Canonne, Kamath & Steinke 2020, Proposition 12.",
    "sgm": "Poisson-subsampled Gaussian noise of DP-SGD, for adding or removing one record, composed numerically.",
    "points": "Your points; mixing two tests at random reaches every point between them.",
}


def csv_header(names: list[str], written: str, **setting: Any) -> dict[str, str]:
    """The curves, what else the numbers depend on, and their units, for the top of a CSV."""
    units = "alpha, beta, power, delta are probabilities; epsilon in nats; mu dimensionless"
    return {
        "curves": "; ".join(names),
        "curves in the link": written,
        **{key: str(value) for key, value in setting.items()},
        "units": units,
    }
