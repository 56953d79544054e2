"""The words of the page on Laplace against Gaussian noise: its answer, its table, how its numbers are computed."""

from dataclasses import dataclass
from typing import Any

from dpcore import laplace
from dpcore.calibrations import FAILS, PDP, UNDEFINED, WITHIN, Calibration
from dpcore.checks import POSITIVE_EPSILON_RANGE, ends
from dpcore.laplace_gaussian import CALIBRATIONS, CUTOFF_RANGE, Errors, Noises, counts_sensitivities
from pages.shared import text
from pages.shared.inputs import DELTAS, MEASURE, Choice, Quantity, steps
from pages.shared.text import nearest, percent, tex, up

TITLE = "Laplace or Gaussian noise: which is smaller?"
CASES = {"counts": "Counts", "histogram": "Histogram", "own": "Own Δ₁ and Δ₂"}
CASE = Choice("case", "query", CASES, "counts")
K = Quantity(
    "k",
    "k",
    "Number of counts k that one person is in",
    "One person can move each of the k counts by 1, so Δ₁ = k and Δ₂ = √k.",
    "[1, 1e6]",
    "1",
    "← fewer · k · more →",
    ("1", "2", "3", "4", "5", "6", "8", "9", "10", "13", "15", "20", "30", "50", "100", "200", "500", "1000"),
    whole=True,
)
GAUSSIAN = Choice("gaussian", "Gaussian", {"analytic": "Analytic", "pdp": "pDP", "classical": "Classical"}, "analytic")
HOLD = Choice(
    "hold", "what is equal", {"epsilon": "Same ε", "variance": "Same variance", "tail": "Same tail at t"}, "epsilon"
)
T = Quantity(
    "t",
    "t",
    "Distance t at which the tails agree, in query units",
    "Both noises then go beyond ±t equally often.",
    "[0, 1e12]",
    "5",
    "← near · t · far →",
    steps(-1, 3, ("1", "2", "5")),
)
CUTOFF = Quantity(
    "cutoff",
    "cutoff",
    "Grey where both tails are below",
    "What happens less often than this is drawn in grey.",
    CUTOFF_RANGE,
    "1e-4",
    "",
    (),
)
OWN = (CASE, K, GAUSSIAN, HOLD, T, MEASURE, DELTAS, CUTOFF)
N_DRAWS = 1000
RATIO_ALT = (
    "At the same ε Laplace's tail over the Gaussian's falls from 1 as the distance grows, reaches a bottom and bounces "
    "back, the later the smaller δ is; above 1 Laplace noise goes beyond that distance more often."
)
COST_ALT = (
    "The ε at which the Gaussian has Laplace's tail, over Laplace's ε, falls with the distance and with δ; above 1 the "
    "Gaussian pays more privacy for the same tail."
)
LEAST_EPSILON, _ = ends(POSITIVE_EPSILON_RANGE)
ROUNDING = "To four digits: scale, variance, errors and ε rounded up; tails to the nearest."
PROMISES = (
    "Laplace noise keeps **pure ε-DP**: no outcome's odds move by more than a factor e^ε. The Gaussian keeps "
    "**(ε, δ)-DP** or, as pDP, (ε, δ)-pDP: with probability δ it may fail, which pure ε-DP never does. So at the same "
    "ε the Laplace noise promises more, and a Gaussian that is smaller is so for a weaker promise."
)
NO_CROSSING = {
    "epsilon": "Laplace noise has no answer at this ε; the map shows where it has.",
    "histogram": "In one histogram a person is in one bin: adding or removing them moves one count by 1, so "
    "Δ₁ = Δ₂ = 1 however many bins there are, and the comparison does not depend on their number.",
    "own": "With your own Δ₁ and Δ₂ there is no number of statistics to vary: the map shows who wins for this pair.",
}


@dataclass(frozen=True)
class Setting:
    """What the page compares: the query's sensitivities and name, ε, δ, the significance level, the Gaussian."""

    epsilon: float
    delta: float
    significance: float
    l1: float
    l2: float
    query: str
    calibration: Calibration
    hold: str
    t: float

    @property
    def norms(self) -> tuple[float, float]:
        """Δ₁ and Δ₂."""
        return self.l1, self.l2


def setting_of(values: dict[str, Any]) -> Setting:
    """What the page compares, from the values of its parameters; Δ₁ is raised to Δ₂ where it is given smaller."""
    case, k = values["case"], values["k"]
    l1, l2 = (1.0, 1.0) if case == "histogram" else (float(norm) for norm in counts_sensitivities(k))
    if case == "own":
        l1, l2 = max(values["l1_sensitivity"], values["l2_sensitivity"]), values["l2_sensitivity"]
    calibration = next(each for each in CALIBRATIONS if each.key == values["gaussian"])
    epsilon, delta, significance = values["epsilon"], values["delta"], values["significance"]
    query = query_name(case, k)
    return Setting(epsilon, delta, significance, l1, l2, query, calibration, values["hold"], values["t"])


def measure_names(setting: Setting) -> dict[str, str]:
    """The measures in words."""
    share = percent(1 - setting.significance)
    return {"variance": "variance", "mean_error": "mean error", "accuracy": f"error at {share}"}


def query_name(case: str, k: float) -> str:
    """The query as the answer names it.

    >>> query_name("counts", 1), query_name("counts", 9), query_name("histogram", 3)
    ('one count', 'each of 9 counts of one person', 'each bin of a histogram')
    """
    if case == "counts":
        return "one count" if k == 1 else f"each of {k:,.0f} counts of one person"
    return "each bin of a histogram" if case == "histogram" else "your Δ₁ and Δ₂"


def in_words(calibration: Calibration) -> str:
    """The Gaussian's name within a sentence."""
    return calibration.name if calibration is PDP else calibration.name[0].lower() + calibration.name[1:]


def impossible_norms(case: str, setting: Setting, l1_entered: float) -> str:
    """A sentence on an ℓ₁ sensitivity below the ℓ₂ sensitivity, or nothing."""
    if case != "own" or l1_entered >= setting.l2:
        return ""
    least = nearest(setting.l2, 17)
    return (
        f"ℓ₁ sensitivity (l1_sensitivity) must be at least the ℓ₂ sensitivity, {least}; {nearest(l1_entered, 17)} was "
        f"given. {least} is used instead."
    )


def sensitivity_words(case: str, setting: Setting) -> str:
    """Which sensitivities are compared, and why these."""
    pair = f"Δ₁ = {nearest(setting.l1, 6)}, Δ₂ = {nearest(setting.l2, 6)}"
    if case == "own":
        return f"{pair}, the latter from the side."
    reason = "one person moves one bin by 1" if case == "histogram" else "one person moves each count by 1"
    return f"{pair}: {reason}. The ℓ₂ sensitivity at the side is not used."


def no_answer(setting: Setting) -> tuple[str, str]:
    """What is said where ε is too small for Laplace noise."""
    return (
        f"At ε = {nearest(setting.epsilon, 17)} Laplace noise has no answer.",
        f"It would have to be infinite, or nearly so. Choose an ε of at least {nearest(LEAST_EPSILON)}.",
    )


def answer(setting: Setting, noises: Noises, errors: tuple[Errors, Errors]) -> tuple[str, str]:
    """Who wins at the significance level, and what else differs: the variance, and the promise."""
    first, second = (each.accuracy for each in errors)
    share = percent(1 - setting.significance)
    delta, name = nearest(setting.delta, 17), in_words(setting.calibration)
    if setting.hold == "epsilon":
        place = f"For {setting.query} at ε = {nearest(setting.epsilon, 17)}, δ = {delta}"
        if first == second:
            verdict = f"both noises reach as far: ±{up(first)} at {share}"
        elif noises.status == FAILS:
            verdict = f"Laplace: ±{up(first)} at {share}; the {name}'s ±{up(second)} breaks its promise"
        elif first < second:
            verdict = f"Laplace wins: ±{up(first)} against ±{up(second)} at {share}"
        else:
            verdict = f"the {name} wins: ±{up(second)} against ±{up(first)} at {share}"
        sentence = f"{place}, {verdict}."
    else:
        held = "variance" if setting.hold == "variance" else f"tail at t = {nearest(setting.t, 17)}"
        sentence = (
            f"For {setting.query}, the {name} with Laplace's {held} keeps ε = {up(noises.gaussian_epsilon)} at "
            f"δ = {delta}, Laplace ε = {nearest(setting.epsilon, 17)}: ±{up(second)} against ±{up(first)} at {share}."
        )
    ratio = errors[1].variance / errors[0].variance
    if setting.hold == "variance":
        spread = "Both have the same variance"
    elif ratio >= 1:
        spread = f"The Gaussian's variance is {nearest(ratio, 3)} times Laplace's"
    else:
        spread = f"Laplace's variance is {nearest(1 / ratio, 3)} times the Gaussian's"
    weaker = f"Laplace noise keeps pure ε-DP, the Gaussian {setting.calibration.promise}, which is another promise"
    return sentence, f"{spread}; {weaker}."


def verdict(setting: Setting, noises: Noises) -> str:
    """A mark and words: does the Gaussian keep its promise, and how is that known?"""
    if noises.status == UNDEFINED:
        return "ε above 1e6: no privacy worth the name"
    if noises.status == FAILS:
        return f"✗ FAILS: true δ {up(noises.true_delta, 3)} for a target of {nearest(setting.delta, 17)}"
    if noises.status == WITHIN:
        return f"! outside its theorem (ε < 1); true δ here {up(noises.true_delta, 3)}, within target"
    return "✓ proved, for probabilistic DP, which implies DP" if setting.calibration is PDP else "✓ proved"


def table_html(setting: Setting, noises: Noises, errors: tuple[Errors, Errors]) -> str:
    """Both noises in numbers, as an accessible HTML table."""
    share = percent(1 - setting.significance)
    heads = ["Noise", "Scale, query units", "Variance", "Mean |error|", f"± for <span>{share}</span> of releases"]
    heads += ["ε", "Promise", "Verdict"]
    body = []
    for each, scale, epsilon, name, promise, judged in (
        (errors[0], f"b = {up(noises.scale)}", setting.epsilon, "Laplace", "ε-DP", "✓ proved, no δ"),
        (
            errors[1],
            f"σ = {up(noises.sigma)}",
            noises.gaussian_epsilon,
            setting.calibration.name,
            f"{setting.calibration.promise}, δ = {nearest(setting.delta, 17)}",
            verdict(setting, noises),
        ),
    ):
        cells = [up(each.variance), up(each.mean_error), up(each.accuracy)]
        body.append([name, scale, *cells, up(epsilon), promise, judged])
    return text.table_html("Both noises in numbers", "verdicts", heads, body)


def csv_header(setting: Setting) -> dict[str, object]:
    """The parameters and units for the top of a CSV."""
    return {
        "epsilon": repr(setting.epsilon),
        "delta": repr(setting.delta),
        "l1_sensitivity": repr(setting.l1),
        "l2_sensitivity": repr(setting.l2),
        "significance": repr(setting.significance),
        "gaussian": in_words(setting.calibration),
        "held equal": setting.hold if setting.hold != "tail" else f"tail at t = {setting.t!r}",
        "units": "epsilon in nats; delta and tails are probabilities; t, x and errors in query units",
    }


def subtitle(setting: Setting, rest: str) -> str:
    """The parameters of a picture, in lines that fit a phone."""
    return (
        f"ε = {nearest(setting.epsilon)}, δ = {nearest(setting.delta)}, Δ₁ = {nearest(setting.l1)}, "
        f"Δ₂ = {nearest(setting.l2)}<br>{rest}"
    )


def both(setting: Setting, noises: Noises) -> str:
    """The scales of both noises, and what they have in common."""
    held = {"epsilon": "same ε", "variance": "same variance", "tail": f"same tail at {nearest(setting.t)}"}
    return f"b = {up(noises.scale)}, σ = {up(noises.sigma)}: {held[setting.hold]}"


def alternative(setting: Setting, noises: Noises, errors: tuple[Errors, Errors]) -> str:
    """What the pictures of both noises show, for those who can't see them."""
    first, second = (each.accuracy for each in errors)
    share = percent(1 - setting.significance)
    return (
        f"At ε = {nearest(setting.epsilon)}, δ = {nearest(setting.delta)}: {share} of Laplace draws lie within "
        f"±{up(first)}, of {in_words(setting.calibration)} draws "
        f"within ±{up(second)}; b = {up(noises.scale)}, σ = {up(noises.sigma)}."
    )


def crossing_words(setting: Setting, measure: str, least: int) -> str:
    """From how many counts on the Gaussian is the smaller by a measure."""
    named = measure_names(setting)[measure]
    where = f"ε = {nearest(setting.epsilon, 17)}, δ = {nearest(setting.delta, 17)}"
    if least == 1:
        return f"At {where} the {in_words(setting.calibration)} has the smaller {named} for any number of counts."
    return (
        f"At {where} the {in_words(setting.calibration)} has the smaller {named} **from k = {least:,} counts on**; "
        "below, Laplace has. Laplace noise grows like k, Gaussian noise like √k."
    )


def map_words(setting: Setting, measure: str, delta: float) -> str:
    """What the frontier says at the current ε."""
    named = measure_names(setting)[measure]
    where = f"At ε = {nearest(setting.epsilon, 17)} and Δ₁ ÷ Δ₂ = {nearest(setting.l1 / setting.l2, 3)}"
    if delta >= 1:
        return f"{where} Laplace has the smaller {named} whatever δ is."
    proposition = (
        " Never below δ = 0.157 for one statistic (Liu 2019, Proposition 12)."
        if setting.calibration is PDP and measure == "variance" and setting.l1 == setting.l2
        else ""
    )
    return f"{where} the Gaussian has the smaller {named} only above **δ = {nearest(delta)}**.{proposition}"


def explanation(setting: Setting, noises: Noises) -> str:
    """How each number is computed: formula with the user's numbers, source, notion, norm and range."""
    e, d, l1, l2 = (tex(nearest(each, 17)) for each in (setting.epsilon, setting.delta, setting.l1, setting.l2))
    b, sigma = tex(up(noises.scale)), tex(up(noises.sigma))
    tail = tex(nearest(float(laplace.tail(setting.t, noises.scale))))
    formulas = {
        "analytic": r"\Phi\!\left(\tfrac\mu2-\tfrac\varepsilon\mu\right)-e^{\varepsilon}\,\Phi\!\left(-\tfrac\mu2-"
        r"\tfrac\varepsilon\mu\right)=\delta,\ \mu=\tfrac{\Delta_2}\sigma",
        "pdp": r"\sigma=\frac{\Delta_2\left(\sqrt{q^2+2\varepsilon}+q\right)}{2\varepsilon},\ q=-\Phi^{-1}(\delta/2)",
        "classical": r"\sigma=\frac{\Delta_2\sqrt{2\ln(1.25/\delta)}}{\varepsilon}",
    }
    sources = {
        "analytic": "Balle & Wang 2018, Theorem 8; exact for every ε ≥ 0",
        "pdp": "Liu 2019, Proposition 11, Eq. 17; for every ε > 0; probabilistic DP, Pr(|privacy loss| > ε) ≤ δ",
        "classical": "Dwork & Roth 2014, Theorem A.1; proved for 0 < ε < 1 only",
    }
    key = setting.calibration.key
    held = {
        "epsilon": rf"\varepsilon={e},\ \delta={d},\ \Delta_2={l2}\ \Rightarrow\ \sigma={sigma}",
        "variance": rf"\sigma=\sqrt2\,b={sigma}\ \Rightarrow\ \varepsilon={tex(up(noises.gaussian_epsilon))}",
        "tail": rf"2\Phi(-t/\sigma)=e^{{-t/b}}={tail}\ \Rightarrow\ \sigma={sigma},\ "
        rf"\varepsilon={tex(up(noises.gaussian_epsilon))}",
    }[setting.hold]
    return "\n\n".join(
        (
            f"**Laplace noise**, pure ε-DP for every ε > 0 (Dwork & Roth 2014, Theorem 3.6): "
            rf"$b=\Delta_1/\varepsilon={l1}/{e}={b}$. Its tail is $p_1=\Pr(|e|>t)=e^{{-t/b}}$, its variance $2b^2$, "
            "its "
            r"mean error $b$, and $1-\alpha$ of its releases fall within $\pm b\ln(1/\alpha)$.",
            f"**{setting.calibration.name}** ({sources[key]}): $${formulas[key]}$$ "
            f"$${held}$$ Its tail is $p_2=2\\Phi(-t/\\sigma)$, its variance $\\sigma^2$, its mean error "
            r"$\sigma\sqrt{2/\pi}$, and $1-\alpha$ of its releases fall within $\pm\sigma\,(-\Phi^{-1}(\alpha/2))$.",
            "**Privacy cost of the same tail** (Liu 2019, Fig. 5, in closed form): the σ with Laplace's tail at t is "
            r"$\sigma=t/q$ with $q=-\Phi^{-1}(p_1/2)$; the formula of the Gaussian, solved for ε at that σ, gives ε₂. "
            r"For pDP $\varepsilon_2=\Delta_2\,(-\Phi^{-1}(\delta/2)+\Delta_2/(2\sigma))/\sigma$.",
            "**Crossover and frontier.** The σ as large as Laplace's noise is √2 b by the variance, √(π/2) b by the "
            "mean "
            "error, b ln(1/α)/(−Φ⁻¹(α/2)) by the error at level α. The δ of that σ, by the Gaussian's own formula, is "
            "the frontier. For one statistic and pDP it starts at δ = 2Φ(−√2) ≈ 0.157 (Liu 2019, Proposition 12, whose "
            "text prints 2Φ(√2)).",
            "**Sensitivity and neighbours.** Δ₁ is the largest ℓ₁ distance, Δ₂ the largest ℓ₂ distance by which the "
            "query moves between neighbouring data sets; counts and histogram are for adding or removing one record. "
            "The noise of each number alone is compared: it is no sampling error.",
        )
    )
