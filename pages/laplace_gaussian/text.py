"""The words of the page on Laplace against Gaussian noise: its answer, its table, what its pictures show."""

import math

import pandas as pd

from dpcore import gaussian
from dpcore import laplace_gaussian as rivals
from dpcore.calibrations import FAILS, LAPLACE, PDP, WITHIN, Calibration
from dpcore.laplace_gaussian import NoisePair
from pages.framework.parameters.number_format import (
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    share,
)
from pages.framework.parameters.number_format import table_html as table
from pages.laplace_gaussian.setting import ErrorPair, LaplaceGaussianSetting
from pages.shared import formulas

_MANY, _NEVER = 1e6, 1e-300
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
    "Laplace noise keeps **pure ε-DP**: one person's data change the probability of every set of outcomes by at most a "
    "factor e^ε. **(ε, δ)-DP** lets it change by that factor plus δ, and (ε, δ)-pDP asks that the privacy loss stays "
    "within ±ε except with probability δ. So at the same ε the Laplace noise promises more, and a Gaussian that is "
    "smaller is so for a weaker promise."
)


def measure_names(setting: LaplaceGaussianSetting) -> dict[str, str]:
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


def pair(setting: LaplaceGaussianSetting) -> str:
    """Both sensitivities."""
    return f"Δ₁ = {size_words(setting, setting.l1)}, Δ₂ = {size_words(setting, setting.l2)}"


def size_words(setting: LaplaceGaussianSetting, sensitivity: float) -> str:
    """Text of a sensitivity: one that was given never too large, one that was found never too small."""
    return format_input_down(sensitivity) if setting.case == "own" else format_input_up(sensitivity)


def sensitivity_words(setting: LaplaceGaussianSetting) -> str:
    """Which sensitivities are compared, and why these."""
    if setting.case == "own":
        return f"{pair(setting)}, as you gave them."
    reason = "one person moves one bin by 1" if setting.case == "histogram" else "one person moves each count by 1"
    return f"{pair(setting)}: {reason}."


def no_answer(setting: LaplaceGaussianSetting) -> tuple[str, str]:
    """What is said where ε is too small for Laplace noise."""
    return (
        f"At ε = {format_input_up(setting.epsilon)} Laplace noise has no answer.",
        f"It would have to be infinite, or nearly so. Choose an ε of at least {format_nearest(LAPLACE.least_epsilon)}.",
    )


def answer(setting: LaplaceGaussianSetting, noises: NoisePair, errors: ErrorPair) -> tuple[str, str]:
    """Who wins at the significance level, and what else differs: the variance, and the promise."""
    first, second = errors
    reach, name = share(setting.significance), in_words(setting.calibration)
    fails = noises.gaussian.status == FAILS
    if setting.hold == "epsilon":
        sentence = f"For {query_name(setting.case, setting.k)} at {setting.promise}, {_winner(setting, errors, fails)}."
    else:
        held = held_words(setting).removeprefix("same ")
        kept = f"keeps ε = {format_up(noises.gaussian.epsilon)} at δ = {format_input_up(setting.delta)}"
        if fails:
            kept = (
                f"claims ε = {format_up(noises.gaussian.epsilon)} at δ = {format_input_up(setting.delta)} and breaks it"
            )
        sentence = (
            f"For {query_name(setting.case, setting.k)}, the {name} with Laplace's {held} {kept}, Laplace keeps ε ="
            f" {format_input_up(setting.epsilon)}: ±{format_up(second['accuracy'])} against"
            f" ±{format_up(first['accuracy'])} at {reach}."
        )
    weaker = f"the Gaussian {setting.calibration.promise}, which is another promise"
    if fails:
        weaker = f"the Gaussian promises {setting.calibration.promise} and breaks it"
    return sentence, f"{_spread(setting, errors)}; Laplace noise keeps pure ε-DP, {weaker}."


def _winner(setting: LaplaceGaussianSetting, errors: ErrorPair, fails: bool) -> str:
    """Which noise reaches less far at the same ε."""
    first, second = (each["accuracy"] for each in errors)
    reach, name = share(setting.significance), in_words(setting.calibration)
    if fails:
        return f"Laplace: ±{format_up(first)} at {reach}; the {name}'s ±{format_up(second)} breaks its promise"
    if format_up(first) == format_up(second):
        return f"both noises reach about as far: ±{format_up(first)} at {reach}"
    if first < second:
        return f"Laplace wins: ±{format_up(first)} against ±{format_up(second)} at {reach}"
    return f"the {name} wins: ±{format_up(second)} against ±{format_up(first)} at {reach}"


def _spread(setting: LaplaceGaussianSetting, errors: ErrorPair) -> str:
    """How the variances compare."""
    laplaces, gaussians = (each["variance"] for each in errors)
    if setting.hold == "variance":
        return "Both have the same variance"
    larger = format_nearest(max(laplaces, gaussians) / min(laplaces, gaussians), 3)
    if larger == "1":
        return "Both have about the same variance"
    if gaussians > laplaces:
        return f"The Gaussian's variance is {larger} times Laplace's"
    return f"Laplace's variance is {larger} times the Gaussian's"


def verdict(setting: LaplaceGaussianSetting, noises: NoisePair) -> str:
    """A mark and words: does the Gaussian keep its promise, and how is that known?"""
    if noises.gaussian.epsilon > 1e6:
        return "ε above 1e6: no privacy worth the name"
    return formulas.verdict(setting.calibration, noises.gaussian.status, noises.gaussian.true_delta, setting)


def table_html(setting: LaplaceGaussianSetting, noises: NoisePair, errors: ErrorPair, kept: ErrorPair | None) -> str:
    """Both noises in numbers, as an accessible HTML table; `kept` are the errors of a kept setting."""
    heads = ["Noise", "Scale, query units", "Variance", "Mean |error|"]
    heads += [f"± for <span>{share(setting.significance)}</span> of releases"]
    heads += [*([] if kept is None else ["± pinned"]), "ε", "Promise", "Verdict"]
    first, second = (
        [format_up(each["variance"]), format_up(each["mean_error"]), format_up(each["accuracy"])] for each in errors
    )
    if kept is not None:
        first, second = (
            [*cells, format_up(each["accuracy"])] for cells, each in zip((first, second), kept, strict=True)
        )
    promise = f"{setting.calibration.promise}, δ = {format_input_up(setting.delta)}"
    epsilon = format_input_up(setting.epsilon) if setting.hold == "epsilon" else format_up(noises.gaussian.epsilon)
    rows = [
        [
            LAPLACE.name,
            f"b = {format_up(noises.laplace.scale)}",
            *first,
            format_input_up(setting.epsilon),
            LAPLACE.promise,
            "✓ proved, no δ",
        ],
        [
            setting.calibration.name,
            f"σ = {format_up(noises.gaussian.scale)}",
            *second,
            epsilon,
            promise,
            verdict(setting, noises),
        ],
    ]
    return table("Both noises in numbers", "verdicts", heads, rows)


def noises_frame(noises: NoisePair, errors: ErrorPair) -> pd.DataFrame:
    """The table as a frame."""
    columns = {"noise": ["laplace", "gaussian"], "scale": [noises.laplace.scale, noises.gaussian.scale]}
    columns |= {name: [each[name] for each in errors] for name in rivals.MEASURES}
    return pd.DataFrame(columns)


def csv_header(setting: LaplaceGaussianSetting) -> dict[str, str]:
    """The parameters and units for the top of a CSV."""
    return setting.header | {
        "l1_sensitivity": repr(setting.l1),
        "l2_sensitivity": repr(setting.l2),
        "gaussian": in_words(setting.calibration),
        "held equal": setting.hold if setting.hold != "tail" else f"tail at t = {setting.t!r}",
        "units": "epsilon in nats; delta and tails are probabilities; t, x and errors in query units",
    }


def subtitle(setting: LaplaceGaussianSetting, rest: str) -> str:
    """The parameters of a picture."""
    return f"{setting.promise}, {pair(setting)}; {rest}"


def both(setting: LaplaceGaussianSetting, noises: NoisePair) -> str:
    """The scales of both noises, and what they have in common."""
    return f"b = {format_up(noises.laplace.scale)}, σ = {format_up(noises.gaussian.scale)}: {held_words(setting)}"


def described(setting: LaplaceGaussianSetting) -> str:
    """A setting in a line."""
    query = pair(setting) if setting.case == "own" else query_name(setting.case, setting.k)
    return f"{query}, {setting.promise}, {in_words(setting.calibration)}, {held_words(setting)}"


def compared(
    setting: LaplaceGaussianSetting, errors: ErrorPair, kept: LaplaceGaussianSetting, before: ErrorPair
) -> str:
    """What has changed since the kept setting."""
    name = in_words(setting.calibration) if setting.gaussian == kept.gaussian else "Gaussian"
    moved = [
        f"±{format_up(old['accuracy'])} → ±{format_up(new['accuracy'])}"
        for old, new in zip(before, errors, strict=True)
    ]
    levels = share(setting.significance)
    if setting.significance != kept.significance:
        levels = f"{share(kept.significance)} → {levels}"
    return f"Pinned ({described(kept)}): Laplace {moved[0]}, {name} {moved[1]}, at {levels}."


def not_before(kept: LaplaceGaussianSetting) -> str:
    """What is said where Laplace noise had no answer at the kept setting."""
    return f"Pinned: at ε = {format_input_up(kept.epsilon)} Laplace noise has no answer."


def held_words(setting: LaplaceGaussianSetting) -> str:
    """What both noises have in common."""
    tail = (
        f"same tail at t = {format_input_up(setting.t)}" if setting.t else "same density at 0"
    )  # the limit as t falls to 0
    return {"epsilon": "same ε", "variance": "same variance", "tail": tail}[setting.hold]


def at_distance(setting: LaplaceGaussianSetting, tails: tuple[float, float], cost: float) -> str:
    """How the tails of both noises compare at t, and what the same tail there costs in ε."""
    name, at = in_words(setting.calibration), f"At t = {format_input_up(setting.t)} and {setting.promise}"
    laplaces, gaussians = tails
    if max(tails) < _NEVER:
        said = f"**{at}, both noises go beyond ±t less often than once in {format_nearest(1 / _NEVER)} releases.** "
    elif laplaces > _MANY * gaussians:
        said = f"**{at}, Laplace noise goes beyond ±t more than {_MANY:,.0f} times as often as the {name}.** "
    elif gaussians > _MANY * laplaces:
        said = f"**{at}, the {name} goes beyond ±t more than {_MANY:,.0f} times as often as Laplace noise.** "
    else:
        said = (
            f"**{at}, Laplace noise goes beyond ±t {format_nearest(laplaces / gaussians)} times as often as the"
            f" {name}.** "
        )
    if setting.t == 0:
        return said + "Every draw lies beyond 0, so both tails are the same there, whatever ε is."
    if cost == 0:
        return said + "A Gaussian with Laplace's tail there keeps ε = 0 at this δ."
    if math.isinf(cost) or cost > _MANY:
        return said + f"A Gaussian with Laplace's tail there would need more than {_MANY:,.0f} times Laplace's ε."
    return (
        said
        + f"A Gaussian with Laplace's tail there needs {format_up(cost)} times Laplace's ε{_by_formula(setting, cost)}."
    )


def _by_formula(setting: LaplaceGaussianSetting, cost: float) -> str:
    """That the ε of the same tail is that of a formula which is not proved there, and what it really is."""
    rule, epsilon = setting.calibration, cost * setting.epsilon
    verdict = rule.verdict(epsilon, setting.delta, setting.l2)
    if verdict.status not in (FAILS, WITHIN):
        return ""
    least = float(gaussian.epsilon_from_sigma(setting.delta, verdict.scale, setting.l2))
    how = "is too small" if verdict.status == FAILS else "is not proved"
    really = f"this noise has {format_up(least / setting.epsilon)} times"
    return f" by the formula of the {in_words(rule)}, which {how} there: {really}"


def alternative(setting: LaplaceGaussianSetting, noises: NoisePair, errors: ErrorPair) -> str:
    """What the pictures of both noises show, for those who can't see them."""
    first, second = errors
    return (
        f"At {setting.promise}: {share(setting.significance)} of Laplace draws lie within"
        f" ±{format_up(first['accuracy'])}, of {in_words(setting.calibration)} draws within"
        f" ±{format_up(second['accuracy'])}; b = {format_up(noises.laplace.scale)}, σ ="
        f" {format_up(noises.gaussian.scale)}."
    )
