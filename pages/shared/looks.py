"""The look of each noise, the same on every page: one record for each calibration, by its key.

In TeX, e, d, s and l are ε, δ, the sensitivity and the significance level, and `value` is the result.
"""

from collections.abc import Callable
from dataclasses import dataclass

from dpcore import verify
from dpcore.families import FAMILIES
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim
from pages.shared import guarantee_claims
from pages.shared.guarantee_claims import Enclose, Target


@dataclass(frozen=True)
class Look:
    """How the noise of a calibration is drawn and written.

    Attributes
    ----------
    colour : a name of `PALETTE`.
    dash, marker : of its lines and its points.
    proved_for : the range of its theorem, a sentence.
    parameters : what it takes to add the noise, after its name, with places for the symbol and the text of its scale.
    equation : the formula of its scale without numbers, as TeX.
    scale, half_width : the formulas of its scale and of its ±, as TeX with places for numbers.
    claim : makes the guarantee, which `dpcore.verify` encloses, of a `Target` and the text of a scale.
    tail : encloses how often it exceeds a half-width; of noise with a claim.
    unclaimed : why a guarantee is not enclosed, a sentence; of noise with a claim, where it is for several cells.
    """

    colour: str
    dash: str = "solid"
    marker: str = "circle"
    proved_for: str = ""
    parameters: str = " of scale {symbol} = {scale}"
    equation: str = ""
    scale: str = ""
    half_width: str = ""
    claim: Callable[[Target, str], Claim] | None = None
    tail: Enclose | None = None
    unclaimed: str = "It is not enclosed here."


PALETTE: dict[str, Colours] = {
    "light": {
        "fails": "#C1121F",
        "paper": "#FFFFFF",
        "text": "#1B1F24",
        "quiet": "#4A535E",
        "ghost": "rgba(110,118,128,.45)",
        "band": "rgba(0,96,160,.16)",
        "floor": "rgba(110,118,128,.25)",
        "blue": "#0060A0",
        "orange": "#B8440B",
        "green": "#00755A",
        "purple": "#8A3C9E",
        "ochre": "#8C5A00",
        "grey": "#5B6470",
        "rose": "#A82B66",
        "teal": "#006A78",
    },
    "dark": {
        "fails": "#FF6B6B",
        "paper": "#11151A",
        "text": "#E8ECF1",
        "quiet": "#B4BEC9",
        "ghost": "rgba(160,168,178,.5)",
        "band": "rgba(107,184,245,.2)",
        "floor": "rgba(160,168,178,.28)",
        "blue": "#6BB8F5",
        "orange": "#FF9A62",
        "green": "#45CFA0",
        "purple": "#D79BEA",
        "ochre": "#E3B341",
        "grey": "#A3ADB8",
        "rose": "#FF8FC0",
        "teal": "#5CC8D6",
    },
}
"""The colours of a scheme, by their names; each noise has one of them."""
_ANALYTIC = (
    r"\Phi\!\left(\tfrac\mu2-\tfrac\varepsilon\mu\right)-e^{{\varepsilon}}\,\Phi\!\left(-\tfrac\mu2-"
    r"\tfrac\varepsilon\mu\right)=\delta,\ \mu=\tfrac{{\Delta_2}}\sigma"
)
_STAIRCASE_HALF_WIDTH = (
    r"\Pr(|\text{{noise}}|>a)=\alpha,\quad \text{{density}}\propto e^{{-k\varepsilon}}\ \text{{for}}\ "
    r"k-1+\gamma\le|x|/\Delta_1<k+\gamma:\quad \varepsilon={e},\ \Delta_1={s},\ \gamma={g},\ \alpha={l}\ "
    r"\Rightarrow\ a={value}"
)
_TRUNCATED_HALF_WIDTH = (
    r"a=-\frac{{\Delta_1}}\varepsilon\ln\!\left(1-(1-\alpha)(1-q)\right),\ q=\left(1+\frac{{e^\varepsilon-1}}"
    r"{{2\delta}}\right)^{{-1}},\ |\text{{noise}}|\le A=\frac{{\Delta_1}}\varepsilon\ln\frac1q:\quad\varepsilon={e},\ "
    r"\delta={d},\ \Delta_1={s},\ \alpha={l}\ \Rightarrow\ a={value}"
)
LOOKS = {
    "analytic": Look(
        "blue",
        proved_for="Exact for every ε ≥ 0.",
        parameters=" of standard deviation {symbol} = {scale}",
        equation=_ANALYTIC.format(),
        scale=_ANALYTIC + r":\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s}\ \Rightarrow\ \sigma={value}",
        half_width=r"a=-\sigma\,\Phi^{{-1}}(\alpha/2),\quad "
        + _ANALYTIC
        + r":\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s},\ \alpha={l}\ \Rightarrow\ a={value}",
        claim=guarantee_claims.gaussian,
        tail=verify.gaussian_tail,
    ),
    "classical": Look(
        "grey",
        dash="dash",
        proved_for="Proved for 0 < ε < 1 only.",
        equation=r"\sigma=\frac{\Delta_2\sqrt{2\ln(1.25/\delta)}}{\varepsilon}",
        scale=r"\sigma=\frac{{\Delta_2\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}}="
        r"\frac{{{s}\cdot\sqrt{{2\ln(1.25/{d})}}}}{{{e}}}={value}",
        half_width=r"a=\frac{{2\Delta_2}}\varepsilon\sqrt{{\ln\frac{{1.25}}\delta}}\ \mathrm{{erf}}^{{-1}}(1-\alpha)="
        r"\frac{{2\cdot {s}}}{{{e}}}\sqrt{{\ln\frac{{1.25}}{{{d}}}}}\ \mathrm{{erf}}^{{-1}}(1-{l})={value}",
    ),
    "classical_tight": Look(
        "grey",
        dash="longdash",
        proved_for="Proved for 0 < ε < 1 only.",
        scale=r"\sigma=\frac{{\Delta_2}}\varepsilon\sqrt{{2\ln\!\left(\sqrt{{2e^{{8/9}}/\pi}}\,/\,\delta"
        r"\right)}}=\frac{{{s}}}{{{e}}}\sqrt{{2\ln\!\left(\sqrt{{2e^{{8/9}}/\pi}}\,/\,{d}\right)}}={value}",
        half_width=r"a=\frac{{2\Delta_2}}\varepsilon\sqrt{{\ln\frac{{\sqrt{{2e^{{8/9}}/\pi}}}}\delta}}\ "
        r"\mathrm{{erf}}^{{-1}}(1-\alpha)=\frac{{2\cdot {s}}}{{{e}}}"
        r"\sqrt{{\ln\frac{{\sqrt{{2e^{{8/9}}/\pi}}}}{{{d}}}}}\ "
        r"\mathrm{{erf}}^{{-1}}(1-{l})={value}",
    ),
    "pdp": Look(
        "green",
        proved_for="Proved for every ε > 0.",
        equation=r"\sigma=\frac{\Delta_2\left(\sqrt{q^2+2\varepsilon}+q\right)}{2\varepsilon},\ q=-\Phi^{-1}(\delta/2)",
        scale=r"\sigma=\frac{{\Delta_2\left(\sqrt{{q^2+2\varepsilon}}+q\right)}}{{2\varepsilon}},\ q=-\Phi^{{-1}}"
        r"(\delta/2):\quad \frac{{{s}\left(\sqrt{{q^2+2\cdot{e}}}+q\right)}}{{2\cdot{e}}}={value}",
        half_width=r"a=-\frac{{\Delta_2\left(\sqrt{{q^2+2\varepsilon}}+q\right)}}{{2\varepsilon}}"
        r"\,\Phi^{{-1}}(\alpha/2),\ q=-\Phi^{{-1}}(\delta/2):"
        r"\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s},\ \alpha={l}\ \Rightarrow\ a={value}",
    ),
    "exact_pdp": Look(
        "green",
        dash="dashdot",
        proved_for="Exact for every ε > 0.",
        scale=r"\Phi\!\left(\tfrac\mu2-\tfrac\varepsilon\mu\right)+\Phi\!\left(-\tfrac\mu2-\tfrac\varepsilon\mu"
        r"\right)=\delta,\ \mu=\tfrac{{\Delta_2}}\sigma:\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s}\ "
        r"\Rightarrow\ \sigma={value}",
    ),
    "lower": Look(
        "text",
        proved_for="Holds where δ ≤ ½ − e^ε Φ(−√(2ε)). The condition that the paper prints, δ < ½ − e^(−3ε)/√(4πε), "
        "is too wide.",
        scale=r"\sigma\ge\frac{{\Delta_2}}{{\sqrt{{2\varepsilon}}}}=\frac{{{s}}}{{\sqrt{{2\cdot{e}}}}}={value}",
    ),
    "laplace": Look(
        "orange",
        proved_for="Every ε > 0.",
        scale=r"b=\frac{{\Delta_1}}\varepsilon=\frac{{{l1}}}{{{e}}}={value}",
        half_width=r"a=\frac{{\Delta_1}}\varepsilon\ln\frac1\alpha=\frac{{{s}}}{{{e}}}\ln\frac1{{{l}}}={value}",
        claim=guarantee_claims.laplace,
        tail=verify.laplace_tail,
    ),
    "geometric": Look(
        "ochre",
        proved_for="Every ε > 0, for whole-numbered answers.",
        parameters=" of scale {symbol} = {scale}, Pr(k) ∝ e^(−|k|/{symbol})",
        scale=r"\Pr(k)\propto e^{{-|k|/s}},\quad s=\frac{{\Delta_1}}\varepsilon=\frac{{{l1}}}{{{e}}}={value}",
        half_width=r"\text{{least whole }}a:\ \frac{{2r^{{a+1}}}}{{1+r}}\le\alpha,\ r=e^{{-\varepsilon/\Delta_1}}:"
        r"\quad r=e^{{-{e}/{s}}},\ \alpha={l}\ \Rightarrow\ a={value}",
        claim=guarantee_claims.geometric,
        tail=verify.geometric_tail,
    ),
    "geometric_published": Look(
        "ochre",
        dash="dash",
        proved_for="Every ε > 0, for whole-numbered answers.",
        half_width=r"a=\left\lceil\frac{{\Delta_1}}\varepsilon\ln\frac1\alpha\right\rceil=\left\lceil"
        r"\frac{{{s}}}{{{e}}}\ln\frac1{{{l}}}\right\rceil={value}",
    ),
    "truncated_geometric": Look(
        "ochre",
        dash="dashdot",
        marker="star",
        scale=r"\Pr(k)\propto e^{{-\varepsilon|k|/\Delta_1}},\ |k|\le N:\quad\Pr(k>N-c)\le"
        r"1-(1-\delta)^{{1/r}}\text{{ for each of the }}r\text{{ cells that change}}\ \Rightarrow\ N={value}",
    ),
    "truncated_laplace": Look(
        "orange",
        dash="dash",
        proved_for="Every ε ≥ 0, for one number; no error is beyond ±A, and at ε = 0 the noise is uniform.",
        half_width=_TRUNCATED_HALF_WIDTH,
    ),
    "staircase": Look(
        "teal",
        dash="dashdot",
        marker="triangle-up",
        proved_for="Every ε > 0, for one number; γ, where the density steps down, is the one of least variance.",
        scale=r"s=\frac{{\Delta_1}}\varepsilon=\frac{{{l1}}}{{{e}}}={value},\quad\text{{density}}\propto "
        r"e^{{-k\varepsilon}}\ \text{{for}}\ k-1+\gamma\le|x|/\Delta_1<k+\gamma,\quad\gamma={g}",
        half_width=_STAIRCASE_HALF_WIDTH,
        unclaimed="Its ε follows from how its steps are constructed; its ± is a sum over them that is not enclosed "
        "here.",
    ),
    "staircase_mean": Look(
        "teal",
        dash="longdashdot",
        proved_for="Every ε > 0, for one number; γ, where the density steps down, is the one of least mean error.",
        half_width=_STAIRCASE_HALF_WIDTH,
    ),
    "discrete_gaussian": Look(
        "rose",
        marker="diamond",
        parameters=", with {symbol} = {scale}, Pr(k) ∝ e^(−k²/(2{symbol}²))",
        scale=r"\Pr(k)\propto e^{{-k^2/(2\sigma^2)}},\quad\Delta_2={s}\ \Rightarrow\ \sigma={value}",
        claim=guarantee_claims.discrete,
        tail=verify.discrete_gaussian_tail,
        unclaimed="For several cells its δ is a sum over their joint changes, rounded up at every step; it is enclosed "
        "here for one cell only.",
    ),
    "generalized_gaussian": Look(
        "purple",
        marker="square",
        scale=r"\text{{density}}\propto e^{{-(|x|/b)^{{{p}}}}},\quad\Delta_p={lp}\ \Rightarrow\ "
        r"b={value}",
        unclaimed="For several cells its δ is a convolution of losses on a grid, with every step rounded up.",
    ),
}
"""The look of each calibration, by its key; `register` adds one."""
COLOURS = {
    scheme: palette | {key: palette[look.colour] for key, look in LOOKS.items()} for scheme, palette in PALETTE.items()
}
"""The colours of a scheme, by their names and by the keys of calibrations."""


def family_look(family: str) -> Look:
    """Return the look of the noise of a family, as it is released."""
    return LOOKS[FAMILIES[family].calibration.key]


def guarantee_claim(family: str, target: Target, scale: str) -> Claim:
    """Return the guarantee of the noise of a family at a scale, as the text of its digits."""
    look = family_look(family)
    if look.claim is None:
        return Claim(f"The guarantee of {FAMILIES[family].words} noise", reason=look.unclaimed)
    return look.claim(target, scale)


def register(key: str, look: Look) -> None:
    """Add the look of a calibration."""
    LOOKS[key] = look
    for scheme, palette in PALETTE.items():
        COLOURS[scheme][key] = palette[look.colour]


_COLOURS_AND_DASHES = {  # those of one kind share a colour and differ by dash
    "none": ("grey", "solid"),
    "posterior_mean": ("purple", "solid"),
    "james_stein": ("blue", "dash"),
    "james_stein_plus": ("blue", "solid"),
    "soft_universal": ("orange", "dash"),
    "soft_sure": ("orange", "solid"),
    "non_negative": ("green", "dash"),
    "with_total": ("green", "solid"),
    "wavelet_universal": ("rose", "dash"),
    "wavelet_sure": ("rose", "solid"),
    "laplacian": ("ochre", "solid"),
    "graph_wavelet": ("rose", "solid"),
    "trend_filtering": ("teal", "solid"),
}


def estimator_colour(key: str, colours: Colours) -> str:
    """Return the colour of an estimator."""
    return colours[_COLOURS_AND_DASHES[key][0]]


def estimator_dash(key: str) -> str:
    """Return the dash of an estimator's line."""
    return _COLOURS_AND_DASHES[key][1]
