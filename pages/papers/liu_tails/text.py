"""The sentences on the tails of Laplace and Gaussian noise at one distance."""

import math

from dpcore import gaussian
from dpcore.calibrations import FAILS, LAPLACE, WITHIN
from pages.framework.parameters.number_format import exact_text, format_input_up, format_nearest, format_up
from pages.papers.results import PapersResult, TailsResult, TailsSetting
from pages.shared.laplace_query import gaussian_name, sensitivity_pair
from pages.shared.page_links import Link
from pages.shared.site_map import LAPLACE_GAUSSIAN

RATIOS_ALTERNATIVE_TEXT = (
    "Laplace’s tail divided by the Gaussian’s at the same ε, over the distance, a curve for each δ. Each curve starts "
    "at 1 and eventually grows without bound; above 1, Laplace noise exceeds that distance more often."
)
COSTS_ALTERNATIVE_TEXT = (
    "The ε at which the Gaussian has Laplace’s tail, divided by Laplace’s ε, over the distance, a curve for each δ. It "
    "falls with the distance and with δ; above 1 the Gaussian needs a larger ε for the same tail."
)
_MANY, _NEVER = 1e6, 1e-300


def no_answer_text(setting: TailsSetting) -> tuple[str, str]:
    """Return the sentences for an ε that is too small for Laplace noise."""
    return (
        f"At ε = {format_input_up(setting.epsilon)} Laplace noise has no answer.",
        f"Its scale would be infinite, or nearly so. Choose an ε of at least {format_nearest(LAPLACE.least_epsilon)}.",
    )


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return which noise exceeds t more often at the same ε, and the ε that the same tail requires."""
    tails = result.tails
    if not tails.has_answer:
        return no_answer_text(tails.setting)
    sentences = _ratio_sentence(tails), _cost_sentence(tails)
    pinned = result.pinned and result.pinned.tails
    return sentences if pinned is None else (*sentences, _comparison_text(tails, pinned))


def _ratio_sentence(tails: TailsResult) -> str:
    setting, (laplaces, gaussians) = tails.setting, tails.tails
    name, place = gaussian_name(setting.calibration), f"At {setting.guarantee_text}"
    distance = f"±{format_input_up(setting.t)}"
    if max(laplaces, gaussians) < _NEVER:
        return (
            f"{place} neither noise exceeds {distance} more often than once in {format_nearest(1 / _NEVER)} releases."
        )
    names = ("Laplace noise", f"the {name}") if laplaces >= gaussians else (f"the {name}", "Laplace noise")
    low, high = sorted((laplaces, gaussians))
    if format_nearest(high) == format_nearest(low):
        return f"{place} Laplace noise and the {name} exceed {distance} equally often."
    ratio = format_nearest(high / low, 3)
    times = (
        f"more than {_MANY:,.0f} times" if high > _MANY * low else "about" if ratio == "1" else f"about {ratio} times"
    )
    return f"{place} {names[0]} exceeds {distance} {times} as often as {names[1]}."


def _cost_sentence(tails: TailsResult) -> str:
    setting, cost = tails.setting, tails.cost
    if setting.t == 0:
        return "Every draw lies beyond 0, so both tails are 1 there, at every ε."
    gaussian_text = "A Gaussian with Laplace’s tail at this distance"
    if cost == 0:
        return f"{gaussian_text} satisfies ε = 0 at this δ (Figure 5)."
    times = f"more than {_MANY:,.0f}" if math.isinf(cost) or cost > _MANY else format_up(cost)
    return f"{gaussian_text} requires {times} times Laplace’s ε (Figure 5)."


def _comparison_text(tails: TailsResult, pinned: TailsResult) -> str:
    """Return what has changed since the pinned setting."""
    if not pinned.has_answer:
        return f"Compared with the pin: at ε = {format_input_up(pinned.setting.epsilon)} Laplace noise has no answer."
    names = "Laplace", gaussian_name(tails.setting.calibration)
    changes = (
        f"{name} {format_nearest(before, 3)} → {format_nearest(after, 3)}"
        for name, before, after in zip(names, pinned.tails, tails.tails, strict=True)
    )
    return f"Compared with the pin ({setting_text(pinned.setting)}): probability beyond t: {', '.join(changes)}."


def status_text(tails: TailsResult) -> str:
    """Return that the formula is not proved at the ε of the same tail, and the true ε there; else nothing."""
    setting, cost = tails.setting, tails.cost
    if setting.t == 0 or not 0 < cost <= _MANY:
        return ""
    rule = setting.calibration
    verdict = rule.verdict(cost * setting.epsilon, setting.delta, setting.l2)
    if verdict.status not in (FAILS, WITHIN):
        return ""
    least = float(gaussian.epsilon_from_sigma(setting.delta, verdict.scale, setting.l2))
    status = "too small" if verdict.status == FAILS else "not proved"
    return (
        f"**The formula of the {gaussian_name(rule)} is {status} at that ε.** Noise with this tail has"
        f" {format_up(least / setting.epsilon)} times Laplace’s ε."
    )


def recommendation_text(setting: TailsSetting) -> str:
    """Return which conclusion the figures allow, and the page that recommends a noise."""
    keys = ("epsilon", "delta", "l2_sensitivity", "k", "l1_sensitivity")
    entries = {key: exact_text(getattr(setting, key)) for key in keys} | {"case": setting.case}
    return (
        "**What to do.** A tail compares both noises at one distance only, and the guarantees differ: Laplace noise "
        "satisfies pure ε-DP, the Gaussian needs a δ. Which noise to add, by variance, mean error or ±: "
        f"{Link(LAPLACE_GAUSSIAN, LAPLACE_GAUSSIAN.name, entries).markdown}."
    )


def setting_text(setting: TailsSetting) -> str:
    """Return a setting in one line."""
    name = gaussian_name(setting.calibration)
    return f"{setting.guarantee_text}, {sensitivity_pair(setting)}, {name}, t = {format_input_up(setting.t)}"


def subtitle(tails: TailsResult) -> str:
    """Return the parameters of a picture."""
    setting = tails.setting
    cutoff = f"grey: probability below {format_input_up(setting.cutoff)}"
    return f"{setting.guarantee_text}, {sensitivity_pair(setting)}; {setting.calibration.name}; {cutoff}"
