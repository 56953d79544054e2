"""The sentences on the shape p with the least noise."""

import numpy as np
import pandas as pd

from dpcore.calibrations import GENERALIZED_ADP, GENERALIZED_DISJOINT
from dpcore.generalized_gaussian.optimal_shape import MOST_P, Best
from dpcore.truncated_laplace import bound_from_epsilon
from pages.framework.parameters.number_format import (
    format_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
)
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import no_answer_text
from pages.shared.formulas import CERTAINTY, share

SAVING_ALTERNATIVE_TEXT = (
    "What the best p saves against Laplace and against Gaussian noise with the same guarantee, in percent, over ε."
)
FLOOR_TEXT = (
    "The line at 100 % is the best p. No noise of (ε, δ)-DP lies below the solid line, which is proved. "
    "Noise that lies on the dotted line is known. Truncated Laplace noise spends δ on a hard limit of the error: with "
    f"probability δ a release {CERTAINTY}."
)
_LEAST_SAVING = 5e-4  # a smaller share counts as none
_MEASURE_NAMES = {"variance": "variance", "mean_error": "mean error"}


def saving_text(saved: float) -> str:
    """Return how far a size is below another one, of which it saves a share.

    >>> saving_text(0.5), saving_text(0.996)
    ('50 % below', '250 times below')
    """
    if saved < 0.99:
        return f"{format_nearest(100 * saved, 3)} % below"
    return f"{format_nearest(1 / max(1 - saved, 1e-300), 2)} times below"


def best_shape_name(best: Best) -> str:
    """Return the best p, named Laplace or Gaussian noise where it saves less than 0.05 % of that."""
    p = best_shape(best)
    other = f"p = {format_nearest(p, 8)}{', the largest that is searched' if best.p == MOST_P else ''}"
    return {1.0: "p = 1, Laplace noise", 2.0: "p = 2, Gaussian noise"}.get(p, other)


def best_shape(best: Best) -> float:
    """Return the displayed best p: 1 or 2 where it saves less than 0.05 % of Laplace or Gaussian noise, else not."""
    if best.saved_of_laplace < _LEAST_SAVING:
        return 1.0
    if best.saved_of_gaussian < _LEAST_SAVING:
        return 2.0
    rounded = [float(format_nearest(best.p, digits)) for digits in (3, 4, 5)]
    return next((shape for shape in rounded if shape not in (1.0, 2.0)), best.p)


def best_shape_text(setting: GeneralizedGaussianSetting, best: Best) -> str:
    """Return which p is the best and what it saves against the chosen one, as a part of a sentence."""
    measure = measure_name(setting)
    if best.saved < _LEAST_SAVING:
        return f"no other shape up to p = {format_nearest(MOST_P)} has a {measure} smaller by 0.1 %"
    least = f"the least {measure} is that of **{best_shape_name(best)}**"
    return f"{least}, {saving_text(best.saved)} that of p = {format_input_up(setting.p)}"


def measure_name(setting: GeneralizedGaussianSetting) -> str:
    """Return the name of the measure that the best p minimises."""
    if setting.measure == "accuracy":
        return f"half-width ± ({share(setting.significance)})"
    return _MEASURE_NAMES[setting.measure]


def subtitle(setting: GeneralizedGaussianSetting) -> str:
    """Return the guarantee for which the best p is computed."""
    if setting.calibration is GENERALIZED_DISJOINT:
        return f"one statistic, {setting.calibration.name}"
    return f"one statistic, exact scale of {setting.calibration.guarantee}"


def alternative_text(result: GeneralizedGaussianResult, frame: pd.DataFrame) -> str:
    """Return the text alternative of a picture of the best p, from its first point to its last."""
    e, d, p = (frame[key].to_numpy() for key in ("epsilon", "delta", "p"))
    ends = [
        f"p = {format_nearest(p[at], 3)} at ε = {format_nearest(e[at])}, δ = {format_nearest(d[at])}" for at in (0, -1)
    ]
    smallest, largest = format_nearest(p.min(), 3), format_nearest(p.max(), 3)
    return (
        f"The shape p with the least {measure_name(result.setting)}: from {ends[0]} to {ends[1]}, everywhere between "
        f"{smallest} and {largest}."
    )


def answer_text(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """Return the best p at the current (ε, δ), what it saves, and what has changed since a pin."""
    setting, best = result.setting, result.best
    if best is None:
        return no_answer_text(setting)
    shares, names = (best.saved_of_laplace, best.saved_of_gaussian), ("Laplace noise", "Gaussian noise")
    savings = [
        f"{saving_text(part)} that of {name}" for part, name in zip(shares, names, strict=True) if part >= _LEAST_SAVING
    ]
    sentence = f"It is {' and '.join(savings)}" if savings else f"The guarantee is {setting.calibration.guarantee}"
    p, target = best_shape(best), (setting.epsilon, setting.delta)
    is_listed = p in result.noises
    b = result.noises[p].scale if is_listed else setting.calibration.scale(*target, p, setting.l2_sensitivity)
    return (
        f"At {setting.guarantee_text} the least {measure_name(setting)} is that of **{best_shape_name(best)}**: b ="
        f" {format_up(float(b))}.",
        f"{sentence}{_floor_part(result)}.",
        *comparison_text(result, best),
    )


def _floor_part(result: GeneralizedGaussianResult) -> str:
    """Return what noise of any shape has at least of the size of the best p, as a part of a sentence."""
    sizes = _floor_sizes(result)
    if not sizes or sizes["lower"] <= 0:
        return ""
    least, name = format_down(sizes["lower"], 3), floor_measure_name(result)
    return f"; noise of any shape has at least {least} % of the best p’s {name}"


def _floor_sizes(result: GeneralizedGaussianResult) -> dict[str, float]:
    """Return the bounds on the least noise of any shape and truncated Laplace noise, in percent of the best p."""
    floor = None if result.setting.measure == "accuracy" else result.floor
    if floor is None:
        return {}
    return {key: 100 * float(floor[key]) / float(floor["best"]) for key in ("lower", "upper", "truncated")}


def floor_text(result: GeneralizedGaussianResult) -> str:
    """Return how the best p depends on ε and δ, and what noise of any shape has of its size."""
    rule, sizes = rule_text(result.setting), _floor_sizes(result)
    if not sizes:
        return rule
    least, most, truncated = (sizes[key] for key in ("lower", "upper", "truncated"))
    bound = bound_from_epsilon(result.setting.epsilon, result.setting.delta, result.setting.l2_sensitivity)
    of_any = f"at least {format_down(least, 3)} % and at most {format_up(most, 3)} %"
    if least <= 0:
        of_any = f"at most {format_up(most, 3)} %"
    name = floor_measure_name(result)
    return (
        f"{rule} This p is the best among generalized Gaussians. The best noise of any shape has {of_any} of the"
        f" {name} of the best p; truncated Laplace noise has {format_up(truncated, 3)} %, and its error never exceeds"
        f" ±{format_up(float(bound))}."
    )


def floor_measure_name(result: GeneralizedGaussianResult) -> str:
    """Return the name of the measure by which noise of any shape is compared."""
    return _MEASURE_NAMES[result.floor_measure]


def floor_alternative_text(frame: pd.DataFrame, measure: str) -> str:
    """Return the text alternative of the picture of the least noise of any shape."""
    best = frame["best"].to_numpy(float)
    share, truncated = (100 * frame[key].to_numpy(float) / best for key in ("lower", "truncated"))
    if np.isnan(share).all():
        known = "The least noise of any shape is not known here"
    else:
        known = (
            f"The {measure} of noise of any shape is at least {format_down(max(float(np.nanmin(share)), 0.0), 3)} to"
            f" {format_down(float(np.nanmax(share)), 3)} % of that of the best p"
        )
    return (
        f"{known}; that of truncated Laplace noise is {format_up(float(np.nanmin(truncated)), 3)} to"
        f" {format_up(float(np.nanmax(truncated)), 3)} %."
    )


def remaining_map_text(result: GeneralizedGaussianResult) -> str:
    """Return what the map of what the best p leaves shows, and how the best noise of any shape compares."""
    return (
        f"No noise of (ε, δ)-DP has a smaller {floor_measure_name(result)} than the map shows, in percent of that of "
        "the best p. That is proved at each of 1,054 points, whose results are stored; hovering also shows "
        "what a known noise reaches. The star marks your ε and δ; click on the map to move it."
    )


def remaining_alternative_text(frame: pd.DataFrame, measure: str) -> str:
    """Return the text alternative of the map of what the best p leaves."""
    epsilon, delta, share = (frame[key].to_numpy(float) for key in ("epsilon", "delta", "share"))
    least = int(np.argmin(np.where(epsilon <= 1, share, np.inf)))
    return (
        f"The least {measure} of noise of any shape, in percent of that of the best p: at ε up to 1 down to"
        f" {format_down(float(share[least]), 3)} %, at ε = {format_nearest(float(epsilon[least]), 3)} and δ ="
        f" {format_nearest(float(delta[least]), 3)}, and near 100 % where δ is far below ε; at ε = 10 down to"
        f" {format_down(float(np.min(share)), 2)} %."
    )


def comparison_text(result: GeneralizedGaussianResult, best: Best) -> tuple[str, ...]:
    """Return the best p of the pinned setting beside the current one."""
    if result.pinned is None or result.pinned.best is None:
        return ()
    setting, pinned_best = result.pinned.setting, result.pinned.best
    place = f"{setting.guarantee_text}, least {measure_name(setting)}, {setting.calibration.name}"
    return (pin_sentence(f"best p {format_nearest(pinned_best.p, 3)} → {format_nearest(best.p, 3)}", place),)


def map_text(setting: GeneralizedGaussianSetting) -> str:
    """Return how the map is read."""
    thick = " On the thick line p = 2, Gaussian noise, is the best." if setting.calibration is GENERALIZED_ADP else ""
    return f"The star marks your ε and δ; click on the map to move it.{thick}"


def rule_text(setting: GeneralizedGaussianSetting) -> str:
    """Return how the best p depends on δ and ε; by the error at a level there is no such rule."""
    if setting.measure == "accuracy":
        return ""
    if setting.calibration is GENERALIZED_ADP:
        return (
            "Up to δ = 0.2 the best p grows with δ and falls with ε: Laplace noise where δ is small beside ε, then "
            "ever flatter noise."
        )
    return "Up to δ = 0.5 the best p jumps from Laplace noise to nearly uniform noise, with hardly any shape between."
