"""The formulas of the calibrations, by key: TeX, the range of each proof, and the verdicts in words.

In TeX, e, d, s and l are ε, δ, the sensitivity and the significance level, and `value` is the result.
"""

from dpcore import calibrations, recommendation, staircase
from dpcore.calibrations import FAILS, FLOOR, PROVED, SILENT, UNDEFINED, WITHIN, Calibration
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, format_up, tex
from pages.shared.shared_parameters import SharedSetting

_TOLERANCE = format_nearest(100 * (recommendation.AS_GOOD - 1), 3)
AS_GOOD = f"within {_TOLERANCE} % or to the nearest whole"
NO_SAMPLER = "no published floating-point-safe sampler"
SAMPLER = (
    "**Sampler.** The guarantee assumes exact real-valued noise. In a release, use a floating-point-safe sampler or "
    "discrete noise: the last digits of ordinary floating-point noise can reveal the data "
    "([floating point and exact samplers](./?section=glossary))."
)
BASIS = (
    "**What the guarantee rests on.** One person changes the result by no more than the sensitivity, whatever that "
    "person adds to it. The sensitivity, and the bounds or categories behind it, were fixed without looking at the "
    "data. A trusted office holds the data and adds the noise. Everything else that is released about the same people "
    "counts as well. Where one of these is not so, the guarantee does not hold as stated."
)
"""The conditions in words, for pages that compare noise in theory: those that recommend it have them as controls."""
WHOLE_SAMPLER = (
    "**Sampler.** The guarantee assumes that the whole-number noise is drawn exactly, as OpenDP does: rounding a "
    "floating-point draw is not enough ([floating point and exact samplers](./?section=glossary))."
)
_ANALYTIC = (
    r"\Phi\!\left(\tfrac\mu2-\tfrac\varepsilon\mu\right)-e^{{\varepsilon}}\,\Phi\!\left(-\tfrac\mu2-"
    r"\tfrac\varepsilon\mu\right)=\delta,\ \mu=\tfrac{{\Delta_2}}\sigma"
)
EQUATION = {  # of σ, without the user's numbers
    "analytic": _ANALYTIC.format(),
    "pdp": r"\sigma=\frac{\Delta_2\left(\sqrt{q^2+2\varepsilon}+q\right)}{2\varepsilon},\ q=-\Phi^{-1}(\delta/2)",
    "classical": r"\sigma=\frac{\Delta_2\sqrt{2\ln(1.25/\delta)}}{\varepsilon}",
}
SIGMA = {
    "analytic": _ANALYTIC + r":\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s}\ \Rightarrow\ \sigma={value}",
    "classical": r"\sigma=\frac{{\Delta_2\sqrt{{2\ln(1.25/\delta)}}}}{{\varepsilon}}="
    r"\frac{{{s}\cdot\sqrt{{2\ln(1.25/{d})}}}}{{{e}}}={value}",
    "classical_tight": r"\sigma=\frac{{\Delta_2}}\varepsilon\sqrt{{2\ln\!\left(\sqrt{{2e^{{8/9}}/\pi}}\,/\,\delta"
    r"\right)}}=\frac{{{s}}}{{{e}}}\sqrt{{2\ln\!\left(\sqrt{{2e^{{8/9}}/\pi}}\,/\,{d}\right)}}={value}",
    "pdp": r"\sigma=\frac{{\Delta_2\left(\sqrt{{q^2+2\varepsilon}}+q\right)}}{{2\varepsilon}},\ q=-\Phi^{{-1}}"
    r"(\delta/2):\quad \frac{{{s}\left(\sqrt{{q^2+2\cdot{e}}}+q\right)}}{{2\cdot{e}}}={value}",
    "exact_pdp": r"\Phi\!\left(\tfrac\mu2-\tfrac\varepsilon\mu\right)+\Phi\!\left(-\tfrac\mu2-\tfrac\varepsilon\mu"
    r"\right)=\delta,\ \mu=\tfrac{{\Delta_2}}\sigma:\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s}\ "
    r"\Rightarrow\ \sigma={value}",
    "lower": r"\sigma\ge\frac{{\Delta_2}}{{\sqrt{{2\varepsilon}}}}=\frac{{{s}}}{{\sqrt{{2\cdot{e}}}}}={value}",
}
HALF_WIDTH = {
    "laplace": r"a=\frac{{\Delta_1}}\varepsilon\ln\frac1\alpha=\frac{{{s}}}{{{e}}}\ln\frac1{{{l}}}={value}",
    "staircase": r"\Pr(|\text{{noise}}|>a)=\alpha,\quad \text{{density}}\propto e^{{-k\varepsilon}}\ \text{{for}}\ "
    r"k-1+\gamma\le|x|/\Delta_1<k+\gamma:\quad \varepsilon={e},\ \Delta_1={s},\ \gamma={g},\ \alpha={l}\ "
    r"\Rightarrow\ a={value}",
    "geometric": r"\text{{least whole }}a:\ \frac{{2r^{{a+1}}}}{{1+r}}\le\alpha,\ r=e^{{-\varepsilon/\Delta_1}}:\quad "
    r"r=e^{{-{e}/{s}}},\ \alpha={l}\ \Rightarrow\ a={value}",
    "geometric_published": r"a=\left\lceil\frac{{\Delta_1}}\varepsilon\ln\frac1\alpha\right\rceil=\left\lceil"
    r"\frac{{{s}}}{{{e}}}\ln\frac1{{{l}}}\right\rceil={value}",
    "analytic": r"a=-\sigma\,\Phi^{{-1}}(\alpha/2),\quad "
    + _ANALYTIC
    + r":\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s},\ \alpha={l}\ \Rightarrow\ a={value}",
    "pdp": r"a=-\frac{{\Delta_2\left(\sqrt{{q^2+2\varepsilon}}+q\right)}}{{2\varepsilon}}\,\Phi^{{-1}}(\alpha/2),\ "
    r"q=-\Phi^{{-1}}(\delta/2):\quad \varepsilon={e},\ \delta={d},\ \Delta_2={s},\ \alpha={l}\ \Rightarrow\ a={value}",
    "classical_tight": r"a=\frac{{2\Delta_2}}\varepsilon\sqrt{{\ln\frac{{\sqrt{{2e^{{8/9}}/\pi}}}}\delta}}\ "
    r"\mathrm{{erf}}^{{-1}}(1-\alpha)=\frac{{2\cdot {s}}}{{{e}}}\sqrt{{\ln\frac{{\sqrt{{2e^{{8/9}}/\pi}}}}{{{d}}}}}\ "
    r"\mathrm{{erf}}^{{-1}}(1-{l})={value}",
    "classical": r"a=\frac{{2\Delta_2}}\varepsilon\sqrt{{\ln\frac{{1.25}}\delta}}\ \mathrm{{erf}}^{{-1}}(1-\alpha)="
    r"\frac{{2\cdot {s}}}{{{e}}}\sqrt{{\ln\frac{{1.25}}{{{d}}}}}\ \mathrm{{erf}}^{{-1}}(1-{l})={value}",
}
_TRUNCATED_HALF_WIDTH = (
    r"a=-\frac{{\Delta_1}}\varepsilon\ln\!\left(1-(1-\alpha)(1-q)\right),\ q=\left(1+\frac{{e^\varepsilon-1}}"
    r"{{2\delta}}\right)^{{-1}},\ |\text{{noise}}|\le A=\frac{{\Delta_1}}\varepsilon\ln\frac1q:\quad\varepsilon={e},\ "
    r"\delta={d},\ \Delta_1={s},\ \alpha={l}\ \Rightarrow\ a={value}"
)
HALF_WIDTH["truncated_laplace"] = _TRUNCATED_HALF_WIDTH
HALF_WIDTH["staircase_mean"] = HALF_WIDTH["staircase"]
RANGES = {
    "analytic": "Exact for every ε ≥ 0.",
    "classical": "Proved for 0 < ε < 1 only.",
    "classical_tight": "Proved for 0 < ε < 1 only.",
    "pdp": "Proved for every ε > 0.",
    "exact_pdp": "Exact for every ε > 0.",
    "lower": "Holds where δ ≤ ½ − e^ε Φ(−√(2ε)). The condition that the paper prints, δ < ½ − e^(−3ε)/√(4πε), is too "
    "wide.",
    "laplace": "Every ε > 0.",
    "staircase": "Every ε > 0, for one number; γ, where the density steps down, is the one of least variance.",
    "staircase_mean": "Every ε > 0, for one number; γ, where the density steps down, is the one of least mean error.",
    "geometric": "Every ε > 0, for whole-numbered answers.",
    "geometric_published": "Every ε > 0, for whole-numbered answers.",
    "truncated_laplace": "Every ε ≥ 0, for one number; no error is beyond ±A, and at ε = 0 the noise is uniform.",
}


def in_words(mechanism: Mechanism) -> str:
    """Return the name of a mechanism inside a sentence.

    >>> from dpcore.sensitivity import table_sensitivity
    >>> from dpcore.tables import mechanisms
    >>> [in_words(mechanism) for mechanism in mechanisms(1, 1e-6, table_sensitivity(1))][:4]
    ['Laplace', 'geometric', 'staircase', 'analytic Gaussian']
    """
    name = mechanism.name
    return name if name.startswith(("Laplace", "pDP")) else name[0].lower() + name[1:]


def short_name(calibration: Calibration) -> str:
    """Return the name of a calibration among Gaussians only.

    >>> short_name(calibrations.CLASSICAL_TIGHT)
    'Classical, tight constant'
    """
    return calibration.name.replace(" Gaussian", "")


def sigma(calibration: Calibration, setting: SharedSetting, outcome: str) -> str:
    """Return the formula of the σ of a Gaussian with the user's numbers, as TeX."""
    e, d, s = (
        tex(format_input_up(setting.epsilon)),
        tex(format_input_up(setting.delta)),
        tex(format_input_down(setting.l2_sensitivity)),
    )
    return SIGMA[calibration.key].format(e=e, d=d, s=s, value=tex(outcome))


def half_width(calibration: Calibration, setting: SharedSetting, sensitivity: str, outcome: float) -> str:
    """Return the formula of a half-width with the numbers of a setting and the text of a sensitivity, as TeX."""
    e, d, level = (tex(format_input_up(value)) for value in (setting.epsilon, setting.delta, setting.significance))
    numbers = {"e": e, "d": d, "s": tex(sensitivity), "l": level, "value": tex(format_up(outcome))}
    if calibration.family == "staircase":
        numbers["g"] = tex(step_share(calibration, setting.epsilon))
    return HALF_WIDTH[calibration.key].format(**numbers)


def step_share(calibration: Calibration, epsilon: float) -> str:
    """Return the text of γ of staircase noise at ε: the part of the first step, over Δ₁, with the highest density."""
    gamma = staircase.mean_error_gamma if calibration is calibrations.STAIRCASE_MEAN else staircase.variance_gamma
    return format_nearest(float(gamma(max(epsilon, calibration.least_epsilon))), 6)


def verdict(calibration: Calibration, status: str, true_delta: float, setting: SharedSetting) -> str:
    """Return in words, with a mark, whether this noise satisfies the guarantee, and how that is established."""
    return {
        PROVED: "✓ proved"
        if calibration.guarantee != calibrations.PROBABILISTIC_DP
        else "✓ proved, for probabilistic DP, which implies DP",
        WITHIN: f"! outside its theorem; true δ here {format_up(true_delta)}, within target",
        FAILS: f"✗ FAILS: true δ {format_up(true_delta)} for a target of {format_input_up(setting.delta)}",
        FLOOR: "a lower bound: no Gaussian with less noise satisfies the guarantee",
        SILENT: "gives no bound at a δ as large as this",
        UNDEFINED: f"not defined at ε = {format_input_up(setting.epsilon)}",
    }[status]
