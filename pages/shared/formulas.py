"""The formulas of the calibrations with the numbers of a setting, and the verdicts in words."""

from dpcore import calibrations, recommendation, staircase
from dpcore.calibrations import FAILS, FLOOR, PROVED, SILENT, UNDEFINED, WITHIN, Calibration
from dpcore.mechanism import Mechanism
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, format_up, tex
from pages.shared.glossary_links import glossary_link
from pages.shared.looks import LOOKS
from pages.shared.shared_parameters import SharedSetting

_TOLERANCE = format_nearest(100 * (recommendation.AS_GOOD - 1), 3)
AS_GOOD = f"within {_TOLERANCE} % or to the nearest whole"
NO_SAMPLER = "no published floating-point-safe sampler"
SAMPLER = (
    "**Sampler.** The guarantee assumes exact real-valued noise. In a release, use a floating-point-safe sampler or "
    "discrete noise: the last digits of ordinary floating-point noise can reveal the data "
    f"({glossary_link('exact_samplers', 'floating point and exact samplers')})."
)
BASIS = (
    "**What the guarantee rests on.** One person changes the result by no more than the sensitivity, whatever that "
    "person adds to it. The sensitivity, and the bounds or categories behind it, were fixed without looking at the "
    "data. A trusted office holds the data and adds the noise. Everything else that is released about the same people "
    "counts as well. Where one of these is not so, the guarantee does not hold as stated."
)
"""The conditions in words, for pages that compare noise in theory: those that recommend it have them as controls."""
THEORY = (
    "This page compares noise in theory; [One number](./Accuracy) and [A table](./Tables) recommend one for a release."
)
"""What such a page is for, below its answer."""
WHOLE_SAMPLER = (
    "**Sampler.** The guarantee assumes that the whole-number noise is drawn exactly, as OpenDP does: rounding a "
    "floating-point draw is not enough "
    f"({glossary_link('exact_samplers', 'floating point and exact samplers')})."
)


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
    return LOOKS[calibration.key].scale.format(e=e, d=d, s=s, value=tex(outcome))


def half_width(calibration: Calibration, setting: SharedSetting, sensitivity: str, outcome: float) -> str:
    """Return the formula of a half-width with the numbers of a setting and the text of a sensitivity, as TeX."""
    e, d, level = (tex(format_input_up(value)) for value in (setting.epsilon, setting.delta, setting.significance))
    numbers = {"e": e, "d": d, "s": tex(sensitivity), "l": level, "value": tex(format_up(outcome))}
    if calibration.family == "staircase":
        numbers["g"] = tex(step_share(calibration, setting.epsilon))
    return LOOKS[calibration.key].half_width.format(**numbers)


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
