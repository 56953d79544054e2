"""The sentences on the list of releases: its ε together, what each line contributes to it, and what to do."""

import math

from dpcore import composition
from pages.composition.parameters import ACCOUNTANT
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import (
    Cost,
    all_releases,
    certified_bound,
    cost_at,
    periods_at,
    sum_of_deltas,
)
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    escape_markdown,
    format_input_up,
    format_nearest,
    format_up,
    percent,
)

_BY = {"exact": "", "rdp": ", by RDP", "zcdp": ", by zCDP", "basic": ", by basic composition of lines"}
_MEANINGS = {
    "contour": "Exact: right to nine digits, rounded up, not proved.",
    "certified": "The exact integral does not converge here; this is certified, as near as its grid allows.",
    "least": "The least that any accountant proves: of a line only a bound on its losses is known.",
    "rdp": "RDP: the Rényi divergences of all releases are added at the best order. Never below the truth.",
    "zcdp": "zCDP: ρ of all releases are added. Never below the truth.",
    "basic": "Basic composition of lines: the exact ε of the lines, at equal shares of δ, are added. Never below the "
    "truth, and mostly far above.",
}


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences on the total ε, on basic composition, on the costliest line and on the budget."""
    setting, cost = result.setting, cost_at(result)
    sentences = _total_sentence(result, cost), _budget_sentence(result, cost)
    if result.pinned is None:
        return sentences
    old, new = format_input_up(result.pinned.setting.delta), format_input_up(setting.delta)
    at = f"δ = {new}" if old == new else f"δ {old} → {new}"
    totals = f"{epsilon_or_none(cost_at(result.pinned).together)} → {epsilon_or_none(cost.together)}"
    return *sentences, f"Since the pinned setting: ε {totals} at {at}."


def epsilon_or_none(value: float) -> str:
    """Return ε rounded up, or "none" where there is none."""
    return "none" if math.isinf(value) else format_up(value)


def _total_sentence(result: CompositionResult, cost: Cost) -> str:
    setting = result.setting
    times = "" if setting.runs == 1 else f", run {format_nearest(setting.runs, 7)} times,"
    by, at = _BY[setting.accountant], f"at δ = {format_input_up(setting.delta)}"
    if math.isinf(cost.together):
        return f"Together{times} they have no ε {at}{by}: {_no_epsilon_reason(result)}."
    if len(result.items) == 1 or math.isinf(cost.basic) or format_up(cost.basic) == format_up(cost.together):
        return f"Together{times} they cost ε = {format_up(cost.together)} {at}{by}."
    basic = f"basic composition of lines says {format_up(cost.basic)}"
    return f"Together{times} they cost ε = {format_up(cost.together)} {at}{by}; {basic}."


def _no_epsilon_reason(result: CompositionResult) -> str:
    if result.setting.accountant == "zcdp":
        return "a line keeps no ρ-zCDP"
    if sum_of_deltas(result) > result.setting.delta:
        return "the δ of their own promises is more"
    return "too little of δ is left for the noise"


def _remedy_sentence(result: CompositionResult) -> str:
    """Return what would give the list an ε."""
    if result.setting.accountant == "zcdp":
        return "Take another accountant."
    if sum_of_deltas(result) > result.setting.delta:
        return "Allow a larger δ, or release less often what may break its promise."
    return "Allow a larger δ, or take another accountant."


def _budget_sentence(result: CompositionResult, cost: Cost) -> str:
    """Return which line costs most, and what remains of the page's ε."""
    setting = result.setting
    if math.isinf(cost.together):
        return _remedy_sentence(result)
    remainder = setting.epsilon - cost.together
    budget = f"Your ε = {format_input_up(setting.epsilon)} "
    if remainder > 0:
        is_close = format_up(cost.together) == format_input_up(setting.epsilon)
        budget += f"{'is spent but for' if is_close else 'leaves'} {number_format.format_down(remainder)}."
    else:
        budget += "is not enough for them." if remainder < 0 else "is spent."
    if len(cost.saved) == 1 or cost.together == 0:
        return budget
    costliest = max(range(len(cost.saved)), key=cost.saved.__getitem__)
    share = percent(cost.saved[costliest] / cost.savings_base, 2) if cost.savings_base else "nothing"
    by = "" if cost.rdp_total is None else ", by RDP"
    name = escape_markdown(result.names[costliest])
    return f"{name} costs most: without it they would cost {share} less{by}. {budget}"


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    setting = result.setting
    runs = "" if setting.runs == 1 else f", {format_nearest(setting.runs, 7)} runs"
    accountant = ACCOUNTANT.options[setting.accountant]
    return f"δ = {format_input_up(setting.delta)}{runs}. Accountant: {accountant}. Grey: each line alone."


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture and the table show, in a sentence."""
    cost = cost_at(result)
    lines = "; ".join(
        f"{name} {epsilon_or_none(alone)} alone, {epsilon_or_none(without)} for the others"
        for name, alone, without in zip(result.names, cost.alone, cost.without, strict=True)
    )
    return f"{number_format.without_markdown(' '.join(answer_text(result)[:2]))} {lines}."


def advice_text(result: CompositionResult) -> str:
    """Return how to read the parts, and what to do."""
    accountant, cost = result.setting.accountant, cost_at(result)
    meaning = _MEANINGS[_exact_method(result) if accountant == "exact" else accountant]
    by_rdp = " What lines save is by RDP: to certify so many lists would take long." if cost.rdp_total else ""
    what = "" if math.isinf(cost.together) else f"{meaning}{_certified_sentence(result)}{by_rdp} "
    once, *longer = (epsilon for epsilon, _, _ in periods_at(result).rows.values())
    none = math.isfinite(once) and any(math.isinf(epsilon) for epsilon in longer)
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


def _exact_method(result: CompositionResult) -> str:
    """Return the origin of the exact ε: "contour", "certified", or "least" where only bounds are known."""
    releases = all_releases(result)
    if not composition.is_known(releases):
        return "least"
    by = composition.epsilon(releases, result.setting.delta).accountant
    return "certified" if by in ("certified", "kairouz_optimal") else "contour"


def _certified_sentence(result: CompositionResult) -> str:
    """Return the certified bound beside the exact value, and its own estimate of its excess."""
    proved = certified_bound(result)
    if proved is None or result.setting.accountant != "exact":
        return ""
    bound, excess = proved
    by = f", by its own estimate {format_nearest(excess, 2)} above the truth" if excess > 0 else ""
    return f" **Certified: ε ≤ {format_up(bound)}** on a grid of losses, every step rounded up{by}."
