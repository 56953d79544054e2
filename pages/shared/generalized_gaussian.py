"""The words of the page on generalized Gaussian noise: its parameters, answer, table, how its numbers are computed."""

from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from dpcore import gaussian
from dpcore.calibrations import Calibration
from dpcore.generalized_gaussian import lp_sensitivity, pure_scale
from dpcore.generalized_gaussian.choices import ADP, DISJOINT, EXACT_PDP, GUARANTEES, MOST_P, Best, Noise
from pages.shared import text
from pages.shared.inputs import DELTAS, MEASURE, Choice, Quantity, Several
from pages.shared.text import nearest, percent, plain, tex, up

TITLE = "Which shape of noise needs the least of it?"
P = Quantity(
    "p",
    "p",
    "Shape p of the noise",
    "The density is ∝ exp(−(|x|/b)^p): p = 1 is Laplace noise, p = 2 Gaussian noise, a large p nearly uniform noise.",
    "[1, 64]",
    "3",
    "← longer tails · p · shorter tails →",
    ("1", "1.1", "1.25", "1.5", "1.75", "2", "2.5", "3", "4", "5", "6", "8", "12", "16", "24", "32", "48", "64"),
)
GUARANTEE = Choice(
    "guarantee",
    "guarantee",
    {"adp": "(ε, δ)-DP", "exact_pdp": "Exact pDP", "disjoint": "Corollary 9"},
    "adp",
)
MATCH = Choice(
    "match",
    "what the densities share",
    {"scale": "Same scale b", "variance": "Same variance", "guarantee": "Same guarantee"},
    "guarantee",
)
SHAPES = Several(
    "shapes",
    "p of the curves",
    Quantity("shapes", "p", "", "", "[1, 64]", "", "", ()),
    "1, 1.5, 2, 3, 4",
    8,
)
SIZE = Choice(
    "size",
    "size",
    {
        "deviation": "Std deviation",
        "scale": "Scale b",
        "mean_error": "Mean error",
        "accuracy": "Accuracy",
    },
    "deviation",
)
STATISTICS = Choice(
    "statistics",
    "statistics",
    {"one": "One", "three": "The paper’s three", "own": "Own Δ"},
    "one",
)
MONTE_CARLO = Choice("monte_carlo", "Monte Carlo", {"off": "Off", "on": "Run it"}, "off")
DRAWS = Quantity(
    "draws",
    "draws",
    "Number of draws",
    "The paper's Monte Carlo finds b from this many draws of the noise; its error bars are two standard errors.",
    "[1e4, 1e6]",
    "3e4",
    "",
    (),
    whole=True,
)
SENSITIVITIES = Several(
    "sensitivities",
    "Δ of the statistics",
    Quantity("sensitivities", "Δ", "", "", "[1e-100, 1e100]", "", "", ()),
    "1, 0.1, 0.05",
    8,
    may_repeat=True,
)
OWN = (P, GUARANTEE, MATCH, SHAPES, SIZE, STATISTICS, SENSITIVITIES, MONTE_CARLO, DRAWS, MEASURE, DELTAS)
PAPERS_SENSITIVITIES = (1.0, 0.1, 0.05)
SHAPES_HELP = "At most eight, from 1 to 64."
SENSITIVITIES_HELP = "One for each statistic, at most eight. The sensitivity at the side is not used for them."
LEAST_SEVERAL = 1e-6
SAVING_ALT = "What the best p saves against Laplace and against Gaussian noise of the same promise, in percent, over ε."
ROUNDING = (
    "To four digits, all rounded up. “The paper's b” is Corollary 9 at the same ε and δ: its pDP implies (ε, δ)-DP, "
    "and the last column says how much more variance it has than the exact scale of the chosen guarantee."
)
_SIMULATED = {"p": (2.0, 3.0, 4.0), "epsilon": (0.1, 0.5, 2.0, 10.0), "delta": (0.001, 0.01, 0.05, 0.2)}
_MEASURED = {"variance": "variance", "mean_error": "mean error", "accuracy": "error"}


@dataclass(frozen=True)
class Setting:
    """What the page answers for: the promise to one statistic, its sensitivity, and the shape of the noise."""

    epsilon: float
    delta: float
    p: float
    sensitivity: float
    significance: float
    guarantee: Calibration

    @property
    def has_answer(self) -> bool:
        """Whether the chosen guarantee has a scale at this ε."""
        return self.epsilon >= self.guarantee.least_epsilon

    @property
    def drawn(self) -> tuple[Calibration, ...]:
        """The guarantees that have a scale at this ε."""
        return tuple(each for each in GUARANTEES if self.epsilon >= each.least_epsilon)


def setting_of(values: dict[str, Any]) -> Setting:
    """What the page answers for, from the values of its parameters."""
    return Setting(
        values["epsilon"],
        values["delta"],
        values["p"],
        values["l2_sensitivity"],
        values["significance"],
        next(each for each in GUARANTEES if each.key == values["guarantee"]),
    )


def shape_name(p: float) -> str:
    """A shape, with its own name if it has one.

    >>> shape_name(1), shape_name(2), shape_name(2.5)
    ('p = 1, Laplace noise', 'p = 2, Gaussian noise', 'p = 2.5')
    """
    return f"p = {nearest(p, 4)}" + {1.0: ", Laplace noise", 2.0: ", Gaussian noise"}.get(p, "")


def size_names(setting: Setting) -> dict[str, str]:
    """The sizes in words."""
    share = percent(1 - setting.significance)
    return {
        "scale": "scale b",
        "deviation": "standard deviation",
        "mean_error": "mean error",
        "accuracy": f"error at {share}",
    }


def no_answer(setting: Setting) -> tuple[str, str]:
    """What is said where ε is too small for pDP."""
    least = nearest(setting.guarantee.least_epsilon)
    return (
        f"At ε = {nearest(setting.epsilon, 17)} probabilistic DP has no answer.",
        f"Choose an ε of at least {least}, or (ε, δ)-DP, which has one at every ε ≥ 0.",
    )


def answer(setting: Setting, noise: Noise, rival: float | None, best: Best) -> tuple[str, str]:
    """The noise at the chosen p, what the paper's bound costs, the error, and the best p.

    `rival` is the scale of Corollary 9 (of exact pDP, where the former is chosen).
    """
    place = f"At ε = {nearest(setting.epsilon, 17)}, δ = {nearest(setting.delta, 17)}, p = {nearest(setting.p, 17)}"
    found = f"b = {up(noise.scale)}, standard deviation {up(noise.deviation)}"
    if rival is None:
        compared = "the paper’s bound has no answer at this ε"
    else:
        change = text.extra((rival / noise.scale) ** 2)
        compared = f"{'exact pDP' if setting.guarantee is DISJOINT else 'the paper’s bound'} would {change}"
        compared += " than needed" if "more" in change else ""
    return (
        f"{place}: {found}; {compared}.",
        f"{percent(1 - setting.significance)} of releases fall within ±{up(noise.accuracy)} of the truth. "
        f"{best_words(setting, best)}",
    )


def below(saved: float) -> str:
    """How far a size is below another, of which it saves a share.

    >>> below(0.5), below(0.996)
    ('50 % below', '250 times below')
    """
    if saved < 0.99:
        return f"{nearest(100 * saved, 3)} % below"
    return f"{nearest(1 / max(1 - saved, 1e-300), 2)} times below"


def best_name(best: Best) -> str:
    """The best p, by the name of Laplace or Gaussian noise where it saves less than 0.05 % of that."""
    if best.saved_of_laplace < 5e-4:
        return shape_name(1.0)
    if best.saved_of_gaussian < 5e-4:
        return shape_name(2.0)
    return f"p = {nearest(best.p, 3)}" + (", the largest that is searched" if best.p == MOST_P else "")


def best_words(setting: Setting, best: Best) -> str:
    """Which p is the best, and what it saves against the chosen one."""
    own = {1.0: "**p = 1 is Laplace noise.** ", 2.0: "**p = 2 is Gaussian noise.** "}.get(setting.p, "")
    measured = measure_name(setting, best.measure)
    if best.saved < 5e-4:
        return f"{own}No other shape has a {measured} smaller by 0.1 %."
    return (
        f"{own}The least {measured} is that of **{best_name(best)}**: {below(best.saved)} that of "
        f"p = {nearest(setting.p, 4)}."
    )


def pure_words(setting: Setting) -> str:
    """Whether the chosen shape can do without δ ([Liu19] Claim 4)."""
    if setting.p == 1:
        pure = pure_scale(max(setting.epsilon, 1e-12), 1, setting.sensitivity)
        return f"**Without δ:** p = 1 keeps pure ε-DP with b = Δ₁/ε = {up(pure.scale)}; no other shape can."
    reason = pure_scale(1, setting.p).reason
    return f"**Without δ** there is no answer: {reason} (Liu 2019, Claim 4)."


def subtitle(setting: Setting, *, without: str = "") -> str:
    """The parameters of a picture, but for the one it varies, in lines that fit a phone."""
    parts = {
        "epsilon": f"ε = {nearest(setting.epsilon)}",
        "delta": f"δ = {nearest(setting.delta)}",
        "p": f"p = {nearest(setting.p)}",
        "sensitivity": f"Δ = {nearest(setting.sensitivity)}",
    }
    return ", ".join(part for key, part in parts.items() if key not in without.split())


def densities_words(setting: Setting, match: str) -> str:
    """What the densities share."""
    shared = {
        "scale": f"the scale b of p = {nearest(setting.p)}",
        "variance": f"the variance of p = {nearest(setting.p)}",
        "guarantee": setting.guarantee.promise
        + {"disjoint": " by Corollary 9", "exact_pdp": ", exact"}.get(setting.guarantee.key, ""),
    }
    return f"{subtitle(setting, without='p')}<br>all with {shared[match]}"


def several_setting(setting: Setting) -> Setting:
    """The setting of the curves of several statistics, which are solved from ε = 1e-6 on."""
    return replace(setting, epsilon=max(setting.epsilon, LEAST_SEVERAL))


def statistics_words(sensitivities: tuple[float, ...], setting: Setting, asked: Setting, at_2: pd.DataFrame) -> str:
    """What several statistics ask for, and what the signs of the noise would save for the Gaussian."""
    norm = float(lp_sensitivity(sensitivities, 2))
    signed = 2**0.5 * float(gaussian.pdp_sigma(asked.epsilon, asked.delta, norm))
    how_many = "one statistic" if len(sensitivities) == 1 else f"{len(sensitivities)} statistics together"
    used = f" Instead of ε = {nearest(setting.epsilon, 17)} it is solved for {nearest(asked.epsilon)}."
    return (
        f"For {how_many} Proposition 8 gives one b to all; the exact scales and Corollary 9 are for one statistic. "
        f"It drops the signs of the noise: at p = 2 it asks for b = {up(at_2['scale'].iloc[0])}, where "
        f"Proposition 11 with Δ₂ = {up(norm)} keeps them and needs {up(signed)}."
        f"{used if asked.epsilon > setting.epsilon else ''}"
    )


def listed(values: tuple[float, ...]) -> str:
    """Numbers in a row.

    >>> listed((1.0, 0.1))
    '1, 0.1'
    """
    return ", ".join(nearest(value) for value in values)


def simulated_places(at: dict[str, float], n: float) -> list[tuple[str, dict[str, float]]]:
    """The points of the three curves at which the Monte Carlo has enough draws, with the quantity that is varied."""
    places = [(key, at | {key: value}) for key, values in _SIMULATED.items() for value in values]
    return [(key, place) for key, place in places if 10 / n <= place["delta"] <= 1 - 10 / n]


def draws_words(n: float, places: list[tuple[str, dict[str, float]]]) -> str:
    """Where the Monte Carlo is blind."""
    if len(places) == sum(len(values) for values in _SIMULATED.values()):
        return f"{n:,.0f} draws a point."
    return (
        f"{n:,.0f} draws a point. They see no δ below {nearest(10 / n)}, where fewer than ten of them would break the "
        "promise: such points are left out."
    )


def sensitivities_of(values: dict[str, Any]) -> tuple[float, ...]:
    """The sensitivity of each statistic of the scale curves."""
    return {
        "one": (values["l2_sensitivity"],),
        "three": PAPERS_SENSITIVITIES,
        "own": values["sensitivities"],
    }[values["statistics"]]


def rival_scale(setting: Setting) -> float | None:
    """The b that the answer is compared with: Corollary 9's, or exact pDP's where the former is chosen."""
    rival = EXACT_PDP if setting.guarantee is DISJOINT else DISJOINT
    if setting.epsilon < rival.least_epsilon:
        return None
    return float(rival.scale(setting.epsilon, setting.delta, setting.p, setting.sensitivity))


def paper_scales(setting: Setting, shapes: tuple[float, ...]) -> list[float] | None:
    """Corollary 9's b for every p, where it has one."""
    if setting.epsilon < DISJOINT.least_epsilon:
        return None
    return DISJOINT.scale(setting.epsilon, setting.delta, shapes, setting.sensitivity).tolist()


def curves_words(setting: Setting, x: str, sensitivities: tuple[float, ...] | None) -> str:
    """The parameters of a scale curve over p, ε or δ."""
    if sensitivities is None:
        return subtitle(setting, without=x)
    return f"{subtitle(setting, without=f'{x} sensitivity')}<br>Δ = {listed(sensitivities)}"


def curves_frame(curves: dict[str, pd.DataFrame], simulated: pd.DataFrame | None) -> pd.DataFrame:
    """The numbers behind a scale curve: every guarantee's, then the simulated points."""
    parts = [frame.assign(guarantee=key) for key, frame in curves.items()]
    return pd.concat([*parts, *([] if simulated is None else [simulated.assign(guarantee="Monte Carlo")])])


def curves_alt(curves: dict[str, pd.DataFrame], names: dict[str, str], x: str, measure: tuple[str, str]) -> str:
    """What a scale curve shows, from its first point to its last."""
    over = {"p": "p", "epsilon": "ε", "delta": "δ"}[x]
    said = []
    for key, frame in curves.items():
        (start, end), (first, last) = (frame[column].to_numpy()[[0, -1]] for column in (x, measure[0]))
        said.append(
            f"{names[key]} goes from {nearest(first)} at {over} = {nearest(start)} to {nearest(last)} at {over} = "
            f"{nearest(end)}"
        )
    return f"The {measure[1]} against {over}: {'; '.join(said)}."


def densities_alt(shapes: tuple[float, ...], scales: Any) -> str:
    """What the picture of densities shows."""
    peaks = (f"p = {nearest(p)} with b = {nearest(b)}" for p, b in zip(shapes, scales, strict=True))
    return f"Densities of noise, more flat at the top and with shorter tails the larger p is: {', '.join(peaks)}."


def measure_name(setting: Setting, measure: str) -> str:
    """The measure that the best p minimises, in words."""
    return {"accuracy": f"error at {percent(1 - setting.significance)}"}.get(measure, _MEASURED[measure])


def map_alt(setting: Setting) -> str:
    """What the pictures of the best p show."""
    rest = (
        "then larger and larger p as δ grows or ε shrinks."
        if setting.guarantee is ADP
        else "and the flattest noise, p = 64, where it is large; between them p jumps."
    )
    return f"The shape p with the least noise over ε and δ: Laplace noise, p = 1, where δ is small beside ε, {rest}"


def map_subtitle(setting: Setting) -> str:
    """What the best p is the best for."""
    return (
        f"one statistic, {setting.guarantee.name}"
        if setting.guarantee is DISJOINT
        else (f"one statistic, exact scale of {setting.guarantee.promise}")
    )


def map_words(setting: Setting, best: Best) -> str:
    """The best p at the current (ε, δ), and what it saves."""
    named, saved = measure_name(setting, best.measure), (best.saved_of_laplace, best.saved_of_gaussian)
    names = ("Laplace noise", "Gaussian noise")
    said = [f"{below(part)} that of {name}" for part, name in zip(saved, names, strict=True) if part >= 5e-4]
    rule = (
        " The best p follows the ratio δ/ε: Laplace noise while it is small, then ever flatter noise as it grows."
        if setting.guarantee is ADP
        else " Between Laplace noise and nearly uniform noise there is hardly anything: the best p jumps."
    )
    return (
        f"At ε = {nearest(setting.epsilon, 17)}, δ = {nearest(setting.delta, 17)} the least {named} is that of "
        f"**{best_name(best)}**{': ' if said else ''}{', '.join(said)}.{rule}"
    )


def table_html(setting: Setting, chosen: pd.DataFrame, paper: list[float] | None) -> str:
    """The noise of every p of the list in numbers, as an accessible HTML table."""
    share = percent(1 - setting.significance)
    heads = ["Shape", "Scale b, query units", "Standard deviation", "Mean |error|"]
    heads += [f"± for <span>{share}</span> of releases", "The paper's b", "Its variance"]
    body = []
    for place, row in enumerate(chosen.to_dict("records")):
        cells = [up(row[key]) for key in ("scale", "deviation", "mean_error", "accuracy")]
        if paper is None:
            beside = ["–", "–"]
        else:
            scale = paper[place]
            ratio = (scale / row["scale"]) ** 2
            beside = [up(scale), f"{nearest(ratio, 3)} times" if ratio >= 10 else f"{100 * (ratio - 1):.1f} % more"]
        body.append([shape_name(row["p"]).removesuffix(" noise"), *cells, *beside])
    return text.table_html("The noise of each shape in numbers", "numbers", heads, body)


def csv_header(setting: Setting, **more: object) -> dict[str, object]:
    """The parameters and units for the top of a CSV."""
    return {
        "epsilon": repr(setting.epsilon),
        "delta": repr(setting.delta),
        "p": repr(setting.p),
        "sensitivity": repr(setting.sensitivity),
        "significance": repr(setting.significance),
        "guarantee": f"{setting.guarantee.promise}, {setting.guarantee.theorem}",
        "units": "epsilon in nats; scale, deviation, mean_error and accuracy in query units; p is a pure number",
    } | more


def curves_header(setting: Setting, values: dict[str, Any]) -> dict[str, object]:
    """The parameters for the top of a CSV of the scale curves: those of each row stand in it."""
    if values["statistics"] == "one":
        return csv_header(setting, guarantee="a column; adp is (ε, δ)-DP, exact_pdp and disjoint (Corollary 9) are pDP")
    drawn = {"draws": values["draws"], "seed": values["seed"]} if values["monte_carlo"] == "on" else {}
    listed_ones = ", ".join(repr(each) for each in sensitivities_of(values))
    source = "(ε, δ)-pDP, Liu 2019, Proposition 8"
    return csv_header(setting, guarantee=source, sensitivity=f"one for each statistic: {listed_ones}", **drawn)


def explanation(setting: Setting, noise: Noise | None) -> str:
    """How each number is computed: formula with the user's numbers, source, notion, norm and range."""
    e, d, p, s = (tex(nearest(each, 17)) for each in (setting.epsilon, setting.delta, setting.p, setting.sensitivity))
    if noise is None:
        used = plain(" ".join(no_answer(setting)))
    else:
        used = (
            rf"Here $\varepsilon={e}$, $\delta={d}$, $p={p}$, $\Delta={s}$ give $b={tex(up(noise.scale))}$ for "
            f"{plain(setting.guarantee.promise)} ({setting.guarantee.theorem})."
        )
    return "\n\n".join(
        (
            r"**The noise** has the density $\frac{p}{2b\,\Gamma(1/p)}\,e^{-(|x|/b)^p}$, variance "
            r"$b^2\,\Gamma(3/p)/\Gamma(1/p)$ and mean error $b\,\Gamma(2/p)/\Gamma(1/p)$ (Liu 2019, §2.3); a share "
            r"$1-\alpha$ of releases falls within $\pm a$, $\Gamma(1/p,(a/b)^p)/\Gamma(1/p)=\alpha$. " + used,
            "**Exact (ε, δ)-DP** (own): the privacy loss at x is $(|x-\\Delta|^p-|x|^p)/b^p$, which only falls as x "
            r"grows. It is ε at one point $x^*$, so $\delta=F(x^*)-e^{\varepsilon}F(x^*-\Delta)$; b solves that. At "
            r"$p=1$ it is Laplace's $\Delta/(\varepsilon-2\ln(1-\delta))$, at $p=2$ the analytic Gaussian (Balle & "
            "Wang 2018, Theorem 8) with $b=\\sqrt2\\,\\sigma$. For every ε ≥ 0, one statistic.",
            "**Exact pDP** (own): probabilistic DP asks that Pr(|privacy loss| > ε) ≤ δ, the mass beyond $x^*$ and its "
            "mirrored point. Its δ is another quantity than that of (ε, δ)-DP, which it implies. For every ε > 0.",
            r"**Corollary 9** (Liu 2019, own form): $(ub+\Delta)^p-(ub)^p=b^p\varepsilon$ with u the upper δ-quantile "
            r"of |x|/b. No Monte Carlo is needed, and p may be any real number; at $p=2$ it is Proposition 11, Eq. 17. "
            "The paper's text drops the exponent j on Δ.",
            r"**Proposition 8** (Liu 2019, own form), several statistics: $\Pr(\sum_k[(|e_k|+\Delta_k)^p-|e_k|^p]>"
            r"b^p\varepsilon)\le\delta$, by a deterministic convolution to a relative 1e-6; the paper draws it by "
            "Monte Carlo (Fig. 2).",
            "**The best p** (own) is searched for in [1, 64] on a grid and refined; the optimum is flat, so p itself "
            "is known to about 1e-4, its noise to a relative 1e-8. Beyond 64 the noise is nearly uniform.",
            "**Sensitivity and neighbours.** For one statistic every ℓ_p sensitivity is the same number, so the one at "
            "the side is used for each p; neighbours are whatever pairs of data sets it was computed for. For pure "
            "ε-DP no b exists unless p = 1 (Liu 2019, Claim 4).",
        )
    )
