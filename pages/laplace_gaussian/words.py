"""The words of the page on Laplace against Gaussian noise: its answer, its table, how its numbers are computed."""

from dataclasses import dataclass

import pandas as pd

from dpcore import laplace
from dpcore import laplace_gaussian as rivals
from dpcore.calibrations import FAILS, LAPLACE, PDP, Calibration
from dpcore.checks import DELTA_RANGE, ends
from dpcore.laplace_gaussian import Errors, Noises
from pages.shared import formulas, text
from pages.shared.common import Setting as Shared
from pages.shared.text import given_down, given_up, nearest, share, tex, up

_LEAST_DELTA, _ = ends(DELTA_RANGE)
RATIO_ALT = (
    "Laplace's tail over the Gaussian's at the same ε, over the distance, a curve for each δ: each starts at 1 and in "
    "the end grows without bound; above 1 Laplace noise goes beyond that distance more often."
)
COST_ALT = (
    "The ε at which the Gaussian has Laplace's tail, over Laplace's ε, falls with the distance and with δ, for the "
    "analytic Gaussian down to 0; above 1 the Gaussian pays more privacy for the same tail."
)
ROUNDING = "To four digits: scale, variance, errors and ε rounded up; tails to the nearest."
PROMISES = (
    "Laplace noise keeps **pure ε-DP**: one person's data move the probability of any outcome by at most a factor e^ε. "
    "**(ε, δ)-DP** lets it move by that factor plus δ, and (ε, δ)-pDP asks that the privacy loss stays within ±ε but "
    "with probability δ. So at the same ε the Laplace noise promises more, and a Gaussian that is smaller is so for a "
    "weaker promise."
)
NO_CROSSING = {
    "epsilon": "Laplace noise has no answer at this ε; the map shows where it has.",
    "histogram": "In one histogram a person is in one bin: adding or removing them moves one count by 1, so "
    "Δ₁ = Δ₂ = 1 however many bins there are, and the comparison does not depend on their number.",
    "own": "With your own Δ₁ and Δ₂ there is no number of statistics to vary: the map shows who wins for this pair.",
}


@dataclass(frozen=True)
class Setting(Shared):
    """What the page compares."""

    case: str
    k: float
    gaussian: str
    hold: str
    t: float
    measure: str
    deltas: tuple[float, ...]
    cutoff: float
    l1_sensitivity: float
    seed: float

    @property
    def norms(self) -> tuple[float, float]:
        """Δ₁ and Δ₂ of the query."""
        if self.case == "own":
            return self.l1_sensitivity, self.l2_sensitivity
        l1, l2 = (1.0, 1.0) if self.case == "histogram" else rivals.counts_sensitivities(self.k)
        return float(l1), float(l2)

    @property
    def l1(self) -> float:
        """Δ₁ of the query."""
        return self.norms[0]

    @property
    def l2(self) -> float:
        """Δ₂ of the query."""
        return self.norms[1]

    @property
    def calibration(self) -> Calibration:
        """The formula of the Gaussian."""
        return next(each for each in rivals.CALIBRATIONS if each.key == self.gaussian)

    @property
    def promise(self) -> str:
        """ε and δ in words."""
        return f"ε = {given_up(self.epsilon)}, δ = {given_up(self.delta)}"


def measure_names(setting: Setting) -> dict[str, str]:
    """The measures in words."""
    reach = share(setting.significance)
    return {"variance": "variance", "mean_error": "mean error", "accuracy": f"error at {reach}"}


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


def pair(setting: Setting) -> str:
    """Both sensitivities."""
    return f"Δ₁ = {_size(setting, setting.l1)}, Δ₂ = {_size(setting, setting.l2)}"


def _size(setting: Setting, sensitivity: float) -> str:
    """Text of a sensitivity: one that was given never too large, one that was found never too small."""
    return given_down(sensitivity) if setting.case == "own" else given_up(sensitivity)


def sensitivity_words(setting: Setting) -> str:
    """Which sensitivities are compared, and why these."""
    if setting.case == "own":
        return f"{pair(setting)}, the latter from the side."
    reason = "one person moves one bin by 1" if setting.case == "histogram" else "one person moves each count by 1"
    return f"{pair(setting)}: {reason}. The ℓ₂ sensitivity at the side is not used."


def no_answer(setting: Setting) -> tuple[str, str]:
    """What is said where ε is too small for Laplace noise."""
    return (
        f"At ε = {given_up(setting.epsilon)} Laplace noise has no answer.",
        f"It would have to be infinite, or nearly so. Choose an ε of at least {nearest(LAPLACE.least_epsilon)}.",
    )


def answer(setting: Setting, noises: Noises, errors: tuple[Errors, Errors]) -> tuple[str, str]:
    """Who wins at the significance level, and what else differs: the variance, and the promise."""
    first, second = errors
    reach, name = share(setting.significance), in_words(setting.calibration)
    fails = noises.status == FAILS
    if setting.hold == "epsilon":
        sentence = f"For {query_name(setting.case, setting.k)} at {setting.promise}, {_winner(setting, errors, fails)}."
    else:
        held = "variance" if setting.hold == "variance" else f"tail at t = {given_up(setting.t)}"
        kept = f"keeps ε = {up(noises.gaussian_epsilon)} at δ = {given_up(setting.delta)}"
        if fails:
            kept = f"claims ε = {up(noises.gaussian_epsilon)} at δ = {given_up(setting.delta)} and breaks it"
        sentence = (
            f"For {query_name(setting.case, setting.k)}, the {name} with Laplace's {held} {kept}, Laplace keeps "
            f"ε = {given_up(setting.epsilon)}: ±{up(second.accuracy)} against ±{up(first.accuracy)} at {reach}."
        )
    weaker = f"the Gaussian {setting.calibration.promise}, which is another promise"
    if fails:
        weaker = f"the Gaussian promises {setting.calibration.promise} and breaks it"
    return sentence, f"{_spread(setting, errors)}; Laplace noise keeps pure ε-DP, {weaker}."


def _winner(setting: Setting, errors: tuple[Errors, Errors], fails: bool) -> str:
    """Which noise reaches less far at the same ε."""
    first, second = (each.accuracy for each in errors)
    reach, name = share(setting.significance), in_words(setting.calibration)
    if fails:
        return f"Laplace: ±{up(first)} at {reach}; the {name}'s ±{up(second)} breaks its promise"
    if up(first) == up(second):
        return f"both noises reach about as far: ±{up(first)} at {reach}"
    if first < second:
        return f"Laplace wins: ±{up(first)} against ±{up(second)} at {reach}"
    return f"the {name} wins: ±{up(second)} against ±{up(first)} at {reach}"


def _spread(setting: Setting, errors: tuple[Errors, Errors]) -> str:
    """How the variances compare."""
    laplaces, gaussians = (each.variance for each in errors)
    if setting.hold == "variance":
        return "Both have the same variance"
    larger = nearest(max(laplaces, gaussians) / min(laplaces, gaussians), 3)
    if larger == "1":
        return "Both have about the same variance"
    if gaussians > laplaces:
        return f"The Gaussian's variance is {larger} times Laplace's"
    return f"Laplace's variance is {larger} times the Gaussian's"


def verdict(setting: Setting, noises: Noises) -> str:
    """A mark and words: does the Gaussian keep its promise, and how is that known?"""
    if noises.gaussian_epsilon > 1e6:
        return "ε above 1e6: no privacy worth the name"
    return formulas.verdict(setting.calibration, noises.status, noises.true_delta, setting)


def table_html(setting: Setting, noises: Noises, errors: tuple[Errors, Errors]) -> str:
    """Both noises in numbers, as an accessible HTML table."""
    heads = ["Noise", "Scale, query units", "Variance", "Mean |error|"]
    heads += [f"± for <span>{share(setting.significance)}</span> of releases", "ε", "Promise", "Verdict"]
    first, second = ([up(each.variance), up(each.mean_error), up(each.accuracy)] for each in errors)
    promise = f"{setting.calibration.promise}, δ = {given_up(setting.delta)}"
    kept = given_up(setting.epsilon) if setting.hold == "epsilon" else up(noises.gaussian_epsilon)
    rows = [
        [LAPLACE.name, f"b = {up(noises.scale)}", *first, given_up(setting.epsilon), LAPLACE.promise, "✓ proved, no δ"],
        [
            setting.calibration.name,
            f"σ = {up(noises.sigma)}",
            *second,
            kept,
            promise,
            verdict(setting, noises),
        ],
    ]
    return text.table_html("Both noises in numbers", "verdicts", heads, rows)


def noises_frame(noises: Noises, errors: tuple[Errors, Errors]) -> pd.DataFrame:
    """The table as a frame."""
    columns = {"noise": ["laplace", "gaussian"], "scale": [noises.scale, noises.sigma]}
    columns |= {name: [getattr(each, name) for each in errors] for name in rivals.MEASURES}
    return pd.DataFrame(columns)


def csv_header(setting: Setting) -> dict[str, str]:
    """The parameters and units for the top of a CSV."""
    return setting.header | {
        "l1_sensitivity": repr(setting.l1),
        "l2_sensitivity": repr(setting.l2),
        "gaussian": in_words(setting.calibration),
        "held equal": setting.hold if setting.hold != "tail" else f"tail at t = {setting.t!r}",
        "units": "epsilon in nats; delta and tails are probabilities; t, x and errors in query units",
    }


def subtitle(setting: Setting, rest: str) -> str:
    """The parameters of a picture, in lines that fit a phone."""
    return f"{setting.promise}, {pair(setting)}<br>{rest}"


def both(setting: Setting, noises: Noises) -> str:
    """The scales of both noises, and what they have in common."""
    held = {"epsilon": "same ε", "variance": "same variance", "tail": f"same tail at {given_up(setting.t)}"}
    return f"b = {up(noises.scale)}, σ = {up(noises.sigma)}: {held[setting.hold]}"


def alternative(setting: Setting, noises: Noises, errors: tuple[Errors, Errors]) -> str:
    """What the pictures of both noises show, for those who can't see them."""
    first, second = errors
    return (
        f"At {setting.promise}: {share(setting.significance)} of Laplace draws lie within ±{up(first.accuracy)}, of "
        f"{in_words(setting.calibration)} draws within ±{up(second.accuracy)}; b = {up(noises.scale)}, "
        f"σ = {up(noises.sigma)}."
    )


def crossing_words(setting: Setting, least: int) -> str:
    """From how many counts on the Gaussian is the smaller by the measure."""
    named, name = measure_names(setting)[setting.measure], in_words(setting.calibration)
    if least == 1:
        said = f"At {setting.promise} the {name} has the smaller {named} for any number of counts."
    else:
        said = (
            f"At {setting.promise} the {name} has the smaller {named} **from k = {least:,} counts on**; below, Laplace "
            "has. Laplace noise grows like k, Gaussian noise like √k."
        )
    return f"{said}{broken(setting)}"


def broken(setting: Setting) -> str:
    """A warning where the σ that is compared breaks its promise."""
    standing = setting.calibration.status(setting.epsilon, setting.delta)
    return (
        f" **✗ But the {in_words(setting.calibration)}'s σ breaks its promise here.**" if standing.word == FAILS else ""
    )


def map_words(setting: Setting, delta: float) -> str:
    """What the frontier says at the current ε."""
    named = measure_names(setting)[setting.measure]
    where = f"At ε = {given_up(setting.epsilon)} and Δ₁ ÷ Δ₂ = {nearest(setting.l1 / setting.l2, 3)}"
    if delta >= 1:
        return f"{where} Laplace has the smaller {named} whatever δ is."
    if delta < _LEAST_DELTA:
        return f"{where} the Gaussian has the smaller {named} at every δ from {nearest(_LEAST_DELTA)} on."
    proposition = (
        " Never below δ = 0.157 for one statistic (Liu 2019, Proposition 12)."
        if setting.calibration is PDP and setting.measure == "variance" and setting.l1 == setting.l2
        else ""
    )
    return f"{where} the Gaussian has the smaller {named} only above **δ = {nearest(delta)}**.{proposition}"


def explanation(setting: Setting, noises: Noises) -> str:
    """How each number is computed: formula with the user's numbers, source, notion, norm and range."""
    return "\n\n".join((_laplace_explained(setting, noises), _gaussian_explained(setting, noises), *_COMPARED))


def _laplace_explained(setting: Setting, noises: Noises) -> str:
    l1, e, b = tex(_size(setting, setting.l1)), tex(given_up(setting.epsilon)), tex(up(noises.scale))
    return (
        f"**Laplace noise**, pure ε-DP for every ε > 0 ({LAPLACE.theorem}): "
        rf"$b=\Delta_1/\varepsilon={l1}/{e}={b}$. Its tail is $p_1=\Pr(|e|>t)=e^{{-t/b}}$, its variance $2b^2$, its "
        r"mean error $b$, and $1-\alpha$ of its releases fall within $\pm b\ln(1/\alpha)$."
    )


def _gaussian_explained(setting: Setting, noises: Noises) -> str:
    calibration, sigma, kept = setting.calibration, tex(up(noises.sigma)), tex(up(noises.gaussian_epsilon))
    tail = tex(nearest(float(laplace.tail(setting.t, noises.scale))))
    held = {
        "epsilon": rf"\varepsilon={tex(given_up(setting.epsilon))},\ \delta={tex(given_up(setting.delta))},\ "
        rf"\Delta_2={tex(_size(setting, setting.l2))}\ \Rightarrow\ \sigma={sigma}",
        "variance": rf"\sigma=\sqrt2\,b={sigma}\ \Rightarrow\ \varepsilon={kept}",
        "tail": rf"2\Phi(-t/\sigma)=e^{{-t/b}}={tail}\ \Rightarrow\ \sigma={sigma},\ \varepsilon={kept}",
    }[setting.hold]
    notion = "; probabilistic DP, Pr(|privacy loss| > ε) ≤ δ" if calibration is PDP else ""
    return (
        f"**{calibration.name}** ({calibration.theorem}; {formulas.RANGES[calibration.key].rstrip('.').lower()}"
        f"{notion}): $${formulas.EQUATION[calibration.key]}$$ $${held}$$ Its tail is $p_2=2\\Phi(-t/\\sigma)$, its "
        r"variance $\sigma^2$, its mean error $\sigma\sqrt{2/\pi}$, and $1-\alpha$ of its releases fall within "
        r"$\pm\sigma\,(-\Phi^{-1}(\alpha/2))$."
    )


_COMPARED = (
    "**Privacy cost of the same tail** (Liu 2019, Fig. 5, in closed form): the σ with Laplace's tail at t is "
    r"$\sigma=t/q$ with $q=-\Phi^{-1}(p_1/2)$; the formula of the Gaussian, solved for ε at that σ, gives ε₂. "
    r"For pDP $\varepsilon_2=\Delta_2\,(-\Phi^{-1}(\delta/2)+\Delta_2/(2\sigma))/\sigma$.",
    "**Crossover and frontier.** The σ as large as Laplace's noise is √2 b by the variance, √(π/2) b by the mean "
    "error, b ln(1/α)/(−Φ⁻¹(α/2)) by the error at level α. The δ of that σ, by the Gaussian's own formula, is the "
    "frontier. By the variance, for one statistic and pDP, it starts at δ = 2Φ(−√2) ≈ 0.157 (Liu 2019, Proposition 12, "
    "whose text prints 2Φ(√2)).",
    "**Sensitivity and neighbours.** Δ₁ is the largest ℓ₁ distance, Δ₂ the largest ℓ₂ distance by which the query "
    "moves between neighbouring data sets; counts and histogram are for adding or removing one record. The noise "
    "of each number alone is compared: it is no sampling error.",
)
