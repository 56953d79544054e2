"""The words of the list of releases: what it costs together, what each line costs of it, and what to do."""

import math

import pandas as pd

from dpcore import composition
from pages.composition.parameters import ACCOUNTANT
from pages.composition.releases import described
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import Cost, Periods, cost, over_periods, proved_bound, spent, whole
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_up,
    format_nearest,
    format_up,
    percent,
)

_BY = {"exact": "", "rdp": ", by RDP", "zcdp": ", by zCDP", "basic": ", by basic composition of lines"}
_WHAT = {
    "contour": "Exact: right to nine digits, rounded up, not proved.",
    "certified": "The exact integral does not converge here; this is certified, as near as its grid allows.",
    "least": "The least that any accountant proves: of a line only a bound on its losses is known.",
    "rdp": "RDP: the Rényi divergences of all releases are added at the best order. Never below the truth.",
    "zcdp": "zCDP: ρ of all releases are added. Never below the truth.",
    "basic": "Basic composition of lines: the exact ε of the lines, at equal shares of δ, are added. Never below the "
    "truth, and mostly far above.",
}


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """What the list costs together, what basic composition says, which line matters most, what the budget leaves."""
    setting, here = result.setting, cost(result)
    said = _total(result, here), _meaning(result, here)
    if result.pinned is None:
        return said
    before, old, new = cost(result.pinned), format_input_up(result.pinned.setting.delta), format_input_up(setting.delta)
    at = f"δ = {new}" if old == new else f"δ {old} → {new}"
    return *said, f"Since the pinned setting: ε {_shown(before.together)} → {_shown(here.together)} at {at}."


def _shown(value: float) -> str:
    return "none" if math.isinf(value) else format_up(value)


def _total(result: CompositionResult, here: Cost) -> str:
    setting = result.setting
    times = "" if setting.runs == 1 else f", run {format_nearest(setting.runs, 7)} times,"
    by, at = _BY[setting.accountant], f"at δ = {format_input_up(setting.delta)}"
    if math.isinf(here.together):
        return f"Together{times} they have no ε {at}{by}: {_why_none(result)}."
    if len(result.items) == 1 or math.isinf(here.basic) or format_up(here.basic) == format_up(here.together):
        return f"Together{times} they cost ε = {format_up(here.together)} {at}{by}."
    basic = f"basic composition of lines says {format_up(here.basic)}"
    return f"Together{times} they cost ε = {format_up(here.together)} {at}{by}; {basic}."


def _why_none(result: CompositionResult) -> str:
    if result.setting.accountant == "zcdp":
        return "a line keeps no ρ-zCDP"
    if spent(result) > result.setting.delta:
        return "the δ of their own promises is more"
    return "too little of δ is left for the noise"


def _way_out(result: CompositionResult) -> str:
    """What gives the list an ε."""
    if result.setting.accountant == "zcdp":
        return "Take another accountant."
    if spent(result) > result.setting.delta:
        return "Allow a larger δ, or release less often what may break its promise."
    return "Allow a larger δ, or take another accountant."


def _meaning(result: CompositionResult, here: Cost) -> str:
    """Which line costs most, and what the page's ε leaves."""
    setting = result.setting
    if math.isinf(here.together):
        return _way_out(result)
    left = setting.epsilon - here.together
    budget = f"Your ε = {format_input_up(setting.epsilon)} "
    if left > 0:
        is_close = format_up(here.together) == format_input_up(setting.epsilon)
        budget += f"{'is spent but for' if is_close else 'leaves'} {number_format.format_down(left)}."
    else:
        budget += "is not enough for them." if left < 0 else "is spent."
    if len(here.saved) == 1 or here.together == 0:
        return budget
    most = max(range(len(here.saved)), key=here.saved.__getitem__)
    share = percent(here.saved[most] / here.whole, 2) if here.whole else "nothing"
    by = "" if here.by_rdp is None else ", by RDP"
    return f"{escape_markdown(result.names[most])} costs most: without it they would cost {share} less{by}. {budget}"


def subtitle(result: CompositionResult) -> str:
    """The parameters of the picture."""
    setting = result.setting
    runs = "" if setting.runs == 1 else f", {format_nearest(setting.runs, 7)} runs"
    return (
        f"δ = {format_input_up(setting.delta)}{runs}. Accountant: {ACCOUNTANT.options[setting.accountant]}. Grey: each"
        " line alone."
    )


def alternative(result: CompositionResult) -> str:
    """What the picture and the table show, in a sentence."""
    here = cost(result)
    listed = "; ".join(
        f"{name} {_shown(alone)} alone, {_shown(without)} for the others"
        for name, alone, without in zip(result.names, here.alone, here.without, strict=True)
    )
    return f"{number_format.without_markdown(' '.join(answer_text(result)[:2]))} {listed}."


def lines_frame(result: CompositionResult) -> pd.DataFrame:
    """A row for each line of the list."""
    here = cost(result)
    return pd.DataFrame(
        {
            "line": result.names,
            "release": [described(item) for item in result.items],
            "epsilon_alone": here.alone,
            "epsilon_without": here.without,
            "epsilon_saved": here.saved,
        }
    )


def table_html(result: CompositionResult) -> str:
    """What each line is, costs alone, and costs of the whole."""
    here = cost(result)
    heads = ["Line", "Alone, ε", "Without it, ε", "Saved", "What is released"]  # a phone shows the first
    rows = [
        [name, _shown(alone), _shown(without), _share(saved, here.whole), described(item)]
        for name, item, alone, without, saved in zip(
            result.names, result.items, here.alone, here.without, here.saved, strict=True
        )
    ]
    return number_format.table_html("What each line costs", "lines", heads, rows)


def _share(saved: float, together: float) -> str:
    if math.isinf(saved):
        return "all"
    return (
        f"{format_nearest(saved)} ({percent(saved / together, 2)})"
        if 0 < together < math.inf
        else format_nearest(saved)
    )


def periods_frame(result: CompositionResult) -> pd.DataFrame:
    """A row for each period over which the whole list is run."""
    rows = _periods(result).rows
    return pd.DataFrame(
        [(name, *values) for name, values in rows.items()],
        columns=["period", "epsilon", "epsilon_rdp", "epsilon_added"],
    )


def periods_html(result: CompositionResult) -> str:
    """What the list costs if it is run again and again with fresh noise."""
    rows = [[name, *(_shown(value) for value in values)] for name, values in _periods(result).rows.items()]
    exact = "Exact ε" if _periods(result).exact else "Proved ε"
    return number_format.table_html(
        "The whole list, released",
        "periods",
        ["The whole list, released", exact, "RDP", "Basic composition of days, δ shared"],
        rows,
    )


def _periods(result: CompositionResult) -> Periods:
    return over_periods(result.once, result.setting.delta)


def advice(result: CompositionResult) -> str:
    """How to read the parts, and what to do."""
    setting = result.setting
    how = _origin(result) if setting.accountant == "exact" else setting.accountant
    by_rdp = " What lines save is by RDP: to certify so many lists would take long." if cost(result).by_rdp else ""
    what = "" if math.isinf(cost(result).together) else f"{_WHAT[how]}{_certified(result)}{by_rdp} "
    once, *others = (epsilon for epsilon, _, _ in _periods(result).rows.values())
    none = math.isfinite(once) and any(math.isinf(each) for each in others)
    none = " None: over so many runs the promises may break more often than your δ allows." if none else ""
    return (
        f"{what}The savings do not add up to the whole: what a line costs depends on what else is released.{none}\n\n"
        "**What to do.** Quote the ε of the whole list, the certified one where it must be proved, with its δ and with "
        "what neighbouring data sets differ by. Each query may be chosen after earlier answers (adaptive "
        "composition), but the kinds of noise, their parameters and their number must be fixed beforehand: to "
        "choose these by earlier answers takes a privacy filter or odometer, which this page does not compute. To "
        "spend less, give the line that costs most more noise, or release it less often. Add up what protects the same "
        "person's data; data of other people, or of other units such as households, has a cost of its own."
    )


def _origin(result: CompositionResult) -> str:
    """What the exact ε is: by the "contour" integral, "certified" in its place, or the "least" bound there is."""
    releases = whole(result)
    if not composition.is_known(releases):
        return "least"
    by = composition.epsilon(releases, result.setting.delta).accountant
    return "certified" if by in ("certified", "kairouz_optimal") else "contour"


def _certified(result: CompositionResult) -> str:
    """The proved bound beside the exact value, and what it says itself of its excess."""
    proved = proved_bound(result)
    if proved is None or result.setting.accountant != "exact":
        return ""
    bound, excess = proved
    by = f", by its own estimate {format_nearest(excess, 2)} above the truth" if excess > 0 else ""
    return f" **Certified: ε ≤ {format_up(bound)}** on a grid of losses, every step rounded up{by}."
