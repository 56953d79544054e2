"""The words on the profile: δ at the page's ε, ε at the page's δ, and where the trade-off curve can be seen."""

from math import isfinite
from urllib.parse import quote, urlencode

import pandas as pd

from dpcore import composition
from pages.composition.privacy_profile import results
from pages.composition.privacy_profile.results import MOST_EPSILON, Point
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import whole
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import exact_text, format_input_up, format_nearest, format_up
from pages.shared.site_map import TRADEOFF

_DELTAS = (1e-3, 1e-5, 1e-6, 1e-9, 1e-12)  # of the table
_LEAST = 1e-300  # what is below is said to be at most that


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """δ at the page's ε and ε at the page's δ, by the exact profile and by RDP."""
    here = results.point(result)
    said = _both(result, here), _meaning(here)
    if result.pinned is None:
        return said
    before = results.point(result.pinned)
    return (
        *said,
        f"Since the pinned setting: δ {_delta(before.delta)} → {_delta(here.delta)}, "
        f"ε {_epsilon(before.epsilon)} → {_epsilon(here.epsilon)}.",
    )


def _both(result: CompositionResult, here: Point) -> str:
    setting, runs = result.setting, result.setting.runs
    often = "" if runs == 1 else f"Over {format_nearest(runs, 7)} runs: "
    at = (
        f"{often}{'At' if not often else 'at'} ε = {format_input_up(setting.epsilon)} δ is at most {_delta(here.delta)}"
    )
    if not isfinite(here.epsilon):
        return f"{at}; at δ = {format_input_up(setting.delta)} there is no ε: the promises break more often."
    return f"{at}; at δ = {format_input_up(setting.delta)} ε is at most {format_up(here.epsilon)}."


def _delta(value: float) -> str:
    return format_up(max(value, _LEAST)) if value > 0 else "0"


def _epsilon(value: float) -> str:
    return format_up(value) if isfinite(value) else "none"


def _meaning(here: Point) -> str:
    """What both points are, and what RDP would say."""
    rdp = f"RDP would say δ = {_delta(here.delta_rdp)} and ε = {_epsilon(here.epsilon_rdp)}."
    rdp = rdp if isfinite(here.epsilon_rdp) else f"RDP would say δ = {_delta(here.delta_rdp)}."
    return f"One list, one curve: every point of it is a promise that holds, and all hold at once. {rdp}"


def subtitle(result: CompositionResult) -> str:
    """The parameters of the picture."""
    lines, runs = len(result.items), result.setting.runs
    often = "" if runs == 1 else f", {format_nearest(runs, 7)} runs"
    return f"{lines} line{'' if lines == 1 else 's'}{often}. Points: at your ε and at your δ. Click to take a point."


def alternative(result: CompositionResult) -> str:
    """What the picture shows, in a sentence."""
    curve = results.profile(result)
    return (
        f"{' '.join(answer_text(result)[:2])} Over ε from 0 to {format_nearest(float(curve.epsilon[-1]))} the least δ"
        f" falls from {_delta(float(curve.least[0]))} to {_delta(float(curve.least[-1]))}."
    )


def drawn_frame(result: CompositionResult) -> pd.DataFrame:
    """δ at each ε that is drawn."""
    curve = results.profile(result)
    columns = {"epsilon": curve.epsilon, "delta": curve.least, "delta_rdp": curve.rdp, "delta_zcdp": curve.zcdp}
    return pd.DataFrame(columns)


def table_frame(result: CompositionResult) -> pd.DataFrame:
    """ε at some δ, the page's among them."""
    releases = whole(result)
    deltas = sorted({*_DELTAS, result.setting.delta}, reverse=True)
    own = {result.setting.delta: results.point(result).epsilon}
    rows = [
        (
            delta,
            own.get(delta) or results.soon_least(releases, delta, results.reach(result)),
            *(float(composition.epsilon(releases, delta, name).value) for name in ("rdp", "zcdp")),
        )
        for delta in deltas
    ]
    return pd.DataFrame(rows, columns=["delta", "epsilon", "epsilon_rdp", "epsilon_zcdp"])


def table_html(result: CompositionResult) -> str:
    """ε of the whole list at some δ, by three accountants."""
    rows = [
        [format_input_up(delta), *(_epsilon(value) for value in values)]
        for delta, *values in table_frame(result).itertuples(index=False, name=None)
    ]
    exact = "exact" if results.profile(result).known else "least proved"
    return number_format.table_html("ε at other δ", "deltas", ["δ", f"ε, {exact}", "ε, RDP", "ε, zCDP"], rows)


def tradeoff_link(result: CompositionResult) -> str:
    """The page of trade-off curves with what the list promises, beside the promise at the page's ε and δ."""
    points = results.promised_points(whole(result), results.reach(result))
    curves = f"!claim:{points}@blue={quote('My releases', safe='')};here_approx:@green="
    epsilon = min(results.point(result).epsilon, MOST_EPSILON)
    link = {"curves": curves, "epsilon": exact_text(float(format_up(epsilon, 6).replace(",", "")))}
    return f"./{TRADEOFF.path}?{urlencode(link | {'delta': exact_text(result.setting.delta)}, quote_via=quote)}"


def advice(result: CompositionResult) -> str:
    """How to read the profile, where its trade-off curve is, and what to do."""
    return (
        "A point left of the curve promises more than is proved. Where the curve is flat the promises of single lines "
        "break with their own δ, whatever ε is.\n\n"
        "**What to do.** Quote ε at one δ far below one over the number of people, and keep the curve for whoever "
        "composes it further: of one (ε, δ) most of what is proved is lost. What an attacker can still do is on the "
        f"page [{TRADEOFF.name}]({tradeoff_link(result)}), with a polygon just below the curve of these releases as "
        "the promise."
    )
