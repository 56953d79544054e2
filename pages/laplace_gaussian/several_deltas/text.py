"""The sentences on both tails at one distance."""

import math

from dpcore import gaussian, laplace, laplace_gaussian
from dpcore.calibrations import FAILS, WITHIN
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up
from pages.laplace_gaussian.parameters import LaplaceGaussianSetting
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.text import gaussian_name

RATIOS_ALTERNATIVE_TEXT = (
    "Laplace's tail over the Gaussian's at the same ε, over the distance, a curve for each δ: each starts at 1 and in "
    "the end grows without bound; above 1 Laplace noise goes beyond that distance more often."
)
COSTS_ALTERNATIVE_TEXT = (
    "The ε at which the Gaussian has Laplace's tail, over Laplace's ε, falls with the distance and with δ, for the "
    "analytic Gaussian down to 0; above 1 the Gaussian pays more privacy for the same tail."
)
_MANY, _NEVER = 1e6, 1e-300


def distance_text(result: LaplaceGaussianResult) -> str:
    """Return how the tails of both noises compare at t at the same ε, and what the same tail there costs in ε."""
    setting, noises = result.setting, result.same_epsilon.noises
    laplaces = float(laplace.tail(setting.t, noises.laplace.scale))
    gaussians = float(gaussian.tail(setting.t, noises.gaussian.scale))
    costs = laplace_gaussian.privacy_costs(setting.t, result.calibration, result.epsilon, setting.delta, *setting.norms)
    cost = float(costs["cost"].to_numpy()[0])
    name, place = (
        gaussian_name(setting.calibration),
        f"At t = {format_input_up(setting.t)} and {setting.guarantee_text}",
    )
    if max(laplaces, gaussians) < _NEVER:
        sentence = (
            f"**{place}, both noises go beyond ±t less often than once in {format_nearest(1 / _NEVER)} releases.** "
        )
    elif laplaces > _MANY * gaussians:
        sentence = f"**{place}, Laplace noise goes beyond ±t more than {_MANY:,.0f} times as often as the {name}.** "
    elif gaussians > _MANY * laplaces:
        sentence = f"**{place}, the {name} goes beyond ±t more than {_MANY:,.0f} times as often as Laplace noise.** "
    else:
        sentence = (
            f"**{place}, Laplace noise goes beyond ±t {format_nearest(laplaces / gaussians)} times as often as the"
            f" {name}.** "
        )
    if setting.t == 0:
        return sentence + "Every draw lies beyond 0, so both tails are the same there, whatever ε is."
    if cost == 0:
        return sentence + "A Gaussian with Laplace's tail there keeps ε = 0 at this δ."
    if math.isinf(cost) or cost > _MANY:
        return sentence + f"A Gaussian with Laplace's tail there would need more than {_MANY:,.0f} times Laplace's ε."
    requirement = f"A Gaussian with Laplace's tail there needs {format_up(cost)} times Laplace's ε"
    return f"{sentence}{requirement}{_unproved_cost_text(setting, cost)}."


def _unproved_cost_text(setting: LaplaceGaussianSetting, cost: float) -> str:
    """Return that the formula is not proved at the ε of the same tail, and the true ε there."""
    rule, epsilon = setting.calibration, cost * setting.epsilon
    verdict_text = rule.verdict(epsilon, setting.delta, setting.l2)
    if verdict_text.status not in (FAILS, WITHIN):
        return ""
    least = float(gaussian.epsilon_from_sigma(setting.delta, verdict_text.scale, setting.l2))
    how = "is too small" if verdict_text.status == FAILS else "is not proved"
    really = f"this noise has {format_up(least / setting.epsilon)} times"
    return f" by the formula of the {gaussian_name(rule)}, which {how} there: {really}"
