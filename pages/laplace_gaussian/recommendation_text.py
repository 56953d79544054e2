"""The sentences on which mechanism to use for the query, and how the two compared noises relate."""

import math
from collections.abc import Sequence

from dpcore.calibrations import FAILS, WITHIN
from dpcore.laplace_gaussian import NoisePair
from dpcore.mechanism import Mechanism
from dpcore.recommendation import Recommendation, recommend
from pages.framework.parameters.number_format import format_input_up, format_up, listed
from pages.laplace_gaussian.results import LaplaceGaussianResult, LaplaceGaussianSetting
from pages.laplace_gaussian.text import common_text, measure_names
from pages.shared import formulas
from pages.shared.formulas import CERTAINTY, share
from pages.shared.laplace_query import gaussian_name

_MOST_EPSILON = 1e6
_MEASURES = {"variance": "variance", "mean_error": "mean_absolute_error", "accuracy": "half_width"}


def recommendation_text(result: LaplaceGaussianResult) -> str:
    """Return which mechanism to use, and which of the two noises is the smaller by all measures."""
    return f"**What to do.** {_mechanism_text(result, 'accuracy')} {_all_measures_text(result)}"


def recommendation_by_measure_text(result: LaplaceGaussianResult) -> str:
    """Return which mechanism to use by the chosen measure, and which of both is the smaller at the same ε."""
    setting, same = result.setting, result.same_epsilon
    noises = same.noises
    name, measure = gaussian_name(setting.calibration), measure_names(setting)[setting.measure]
    first, second = (error[setting.measure] for error in same.errors)
    if noises.gaussian.status == FAILS:
        comparison = _violation_text(name)
    elif second < first:
        comparison = f"By {measure}, the {name} is smaller than Laplace noise.{_unproved_text(noises, name)}"
    else:
        comparison = f"By {measure}, Laplace noise is no larger than the {name}."
    return f"**What to do.** {_mechanism_text(result, setting.measure)} {comparison}"


def recommendations(
    setting: LaplaceGaussianSetting, candidates: Sequence[Mechanism], measure: str
) -> tuple[Recommendation, Recommendation]:
    """Return the recommendation for pure ε-DP, and that where the δ of the page is acceptable.

    There are both, as Laplace noise has an answer wherever the page gives one.
    """
    whole, level = setting.case != "own", setting.significance if measure == "accuracy" else None
    pair = (
        recommend(candidates, guarantee, whole, level, measure=_MEASURES[measure]) for guarantee in ("pure", "delta")
    )
    pure, relaxed = (recommendation for recommendation in pair if recommendation is not None)
    return pure, relaxed


def _mechanism_text(result: LaplaceGaussianResult, measure: str) -> str:
    """Return which mechanism to use at the page's ε, for pure ε-DP and where a δ is acceptable."""
    setting = result.setting
    pure, relaxed = recommendations(setting, result.candidates, measure)
    noise = f"{formulas.in_words(pure.mechanism)} noise, {_error_text(setting, pure, measure)}"
    first = f"At ε = {format_input_up(setting.epsilon)} add {noise}"
    if pure.mechanism == relaxed.mechanism:
        return f"{first}, which satisfies pure ε-DP; a δ of {format_input_up(setting.delta)} brings no notable gain."
    return (
        f"{first}, for pure ε-DP; if {relaxed.mechanism.guarantee} with δ = {format_input_up(setting.delta)} is enough,"
        f" {formulas.in_words(relaxed.mechanism)} noise, {_error_text(setting, relaxed, measure)}."
        f"{_hard_limit_text(relaxed.mechanism)}"
    )


def _hard_limit_text(mechanism: Mechanism) -> str:
    """Return the largest error that is possible and what δ is spent for, after a space; empty without such a limit."""
    if not math.isfinite(mechanism.hard_limit):
        return ""
    return (
        f" Its error never exceeds ±{format_up(mechanism.hard_limit)}; in exchange, with probability at most δ, a "
        f"release {CERTAINTY}."
    )


def _error_text(setting: LaplaceGaussianSetting, recommendation: Recommendation, measure: str) -> str:
    error = format_up(recommendation.error)
    return f"±{error}" if measure == "accuracy" else f"{measure_names(setting)[measure]} {error}"


def _all_measures_text(result: LaplaceGaussianResult) -> str:
    """Return which of the two noises is the smaller by each measure."""
    setting, noises, errors = result.setting, result.noises, result.errors
    name = gaussian_name(setting.calibration)
    if noises.gaussian.status == FAILS:
        return _violation_text(name)
    if setting.hold != "epsilon":
        return _unequal_epsilon_text(result, name)
    first, second = errors
    smaller = {word: second[key] < first[key] for key, word in measure_names(setting).items()}
    gaussian_wins, laplace_wins = (
        [word for word, is_smaller in smaller.items() if is_smaller == wins] for wins in (True, False)
    )
    if not gaussian_wins:
        return f"By {listed(laplace_wins)}, Laplace noise is no larger than the {name}."
    if not laplace_wins:
        return f"By {listed(gaussian_wins)}, the {name} is smaller than Laplace noise.{_unproved_text(noises, name)}"
    return (
        f"Laplace noise and the {name} are close: by {listed(gaussian_wins)}, the {name} is smaller;"
        f" by {listed(laplace_wins)}, it is not."
    )


def _unequal_epsilon_text(result: LaplaceGaussianResult, name: str) -> str:
    """Return which of the two noises to prefer where their ε differ, if either is better in every respect."""
    setting = result.setting
    epsilon, same = result.noises.gaussian.epsilon, common_text(setting)
    laplaces, gaussians = (error["accuracy"] for error in result.errors)
    half_widths = f"±{format_up(gaussians)} against ±{format_up(laplaces)} ({share(setting.significance)})"
    if epsilon >= setting.epsilon:
        only = f"only ε = {format_up(epsilon)}, and requires a δ" if epsilon <= _MOST_EPSILON else "no ε up to 1e6"
        if epsilon <= _MOST_EPSILON and _rounded(gaussians) < _rounded(laplaces):
            return (
                f"With the {same}, the {name} satisfies {only}, but has the smaller error: {half_widths}. "
                "Laplace noise has the stronger guarantee here. To compare the noises, "
                "hold ε equal."
            )
        return f"With the {same}, the {name} satisfies {only}: Laplace noise is better."
    if _rounded(gaussians) > _rounded(laplaces):
        return (
            f"With the {same}, the {name} satisfies the smaller ε, {format_up(epsilon)}, at δ ="
            f" {format_input_up(setting.delta)}, but has the larger error: {half_widths}. To compare the noises, hold "
            f"ε equal."
        )
    return (
        f"With the {same}, the {name} satisfies the smaller ε, {format_up(epsilon)}: it is better if "
        f"{setting.calibration.guarantee} with δ = {format_input_up(setting.delta)} is sufficient."
    )


def _rounded(value: float) -> float:
    """Return a size as displayed, so that equal displayed sizes count as equal."""
    return float(f"{value:.3e}")


def _violation_text(name: str) -> str:
    return f"Do not use the compared σ: the {name}’s violates its guarantee here."


def _unproved_text(noises: NoisePair, name: str) -> str:
    """Return, after a space, that the σ is not proved, where it is not."""
    if noises.gaussian.status != WITHIN:
        return ""
    return f" The {name}’s σ is unproved here; the analytic Gaussian’s is proved, and no larger."
