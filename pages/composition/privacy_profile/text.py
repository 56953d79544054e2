"""The sentences on the profile: δ at the page's ε, ε at the page's δ, and where the trade-off curve can be seen."""

from math import isfinite
from urllib.parse import quote

from pages.composition.privacy_profile import results
from pages.composition.privacy_profile.results import MAX_EPSILON, ProfilePoints
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import all_releases
from pages.framework.parameters.number_format import exact_text, format_input_up, format_nearest, format_up, plural
from pages.shared.page_links import Link
from pages.shared.site_map import TRADEOFF

_MIN_DELTA = 1e-300  # a smaller δ is shown as at most this one


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on δ at the page's ε and ε at the page's δ, by the exact profile and by RDP."""
    points = results.points_at(result)
    sentences = _points_sentence(result, points), _rdp_sentence(points)
    if result.pinned is None:
        return sentences
    pinned = results.points_at(result.pinned)
    return (
        *sentences,
        f"Compared with the pin: δ {delta_text(pinned.delta)} → {delta_text(points.delta)}, "
        f"ε {epsilon_text(pinned.epsilon)} → {epsilon_text(points.epsilon)}.",
    )


def _points_sentence(result: CompositionResult, points: ProfilePoints) -> str:
    setting, runs = result.setting, result.setting.runs
    often = "" if runs == 1 else f" after {format_nearest(runs, 7)} runs"
    delta = f"At ε = {format_input_up(setting.epsilon)}, δ is at most {delta_text(points.delta)}{often}"
    if not isfinite(points.epsilon):
        return f"{delta}; at δ = {format_input_up(setting.delta)} there is no ε, as the (ε, δ) lines need a larger δ."
    return f"{delta}; at δ = {format_input_up(setting.delta)}, ε is at most {format_up(points.epsilon)}."


def delta_text(value: float) -> str:
    """Return δ rounded up, never below the least number that is written out."""
    return format_up(max(value, _MIN_DELTA)) if value > 0 else "0"


def epsilon_text(value: float) -> str:
    """Return ε rounded up, or "none" where there is none."""
    return format_up(value) if isfinite(value) else "none"


def _rdp_sentence(points: ProfilePoints) -> str:
    """Return what the curve means, and the values by RDP."""
    epsilon = f" and ε = {epsilon_text(points.epsilon_rdp)}" if isfinite(points.epsilon_rdp) else ""
    rdp = f"RDP gives δ = {delta_text(points.delta_rdp)}{epsilon}"
    return f"Every point of the curve is an (ε, δ) guarantee, and all of them hold at once; {rdp}."


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    lines, runs = plural(len(result.items), "line"), result.setting.runs
    often = "" if runs == 1 else f", {format_nearest(runs, 7)} runs"
    return f"{lines}{often}. Dots: your ε and your δ. Click to choose a point."


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture shows, in a sentence."""
    curve = results.profile_at(result)
    return (
        f"{' '.join(answer_text(result)[:2])} For ε from 0 to {format_nearest(float(curve.epsilon[-1]))}, the least δ"
        f" falls from {delta_text(float(curve.least[0]))} to {delta_text(float(curve.least[-1]))}."
    )


def tradeoff_link(result: CompositionResult) -> Link:
    """Return the link to the trade-off curve of the list beside that of (ε, δ)-DP at the page's ε and δ."""
    points = results.tradeoff_points(all_releases(result), results.axis_end(result))
    curves = f"!claim:{points}@blue={quote('My releases', safe='')};here_approx:@green="
    epsilon = min(results.points_at(result).epsilon, MAX_EPSILON)
    entries = {"curves": curves, "epsilon": exact_text(float(format_up(epsilon, 6).replace(",", "")))}
    return Link(TRADEOFF, TRADEOFF.name, entries | {"delta": exact_text(result.setting.delta)})


def advice_text(result: CompositionResult) -> str:
    """Return how to read the profile, where its trade-off curve is, and what to do."""
    return (
        "A point to the left of the curve is not guaranteed. Where the curve is flat, the δ of the (ε, δ) lines "
        "remains, however large ε is.\n\n"
        "**What to do.** Report ε at one δ far below 1/n, where n is the number of people. With δ = 1/n, the "
        "publication of one complete, randomly chosen record satisfies (0, δ)-DP, so such a δ allows that disclosure. "
        "Keep the curve for those who compose it with other releases: a single (ε, δ) discards most of the guarantee. "
        f"What an attacker can learn is on the page {tradeoff_link(result).markdown}; the link contains a "
        "polygon just below the trade-off curve of these releases, as a claimed guarantee."
    )
