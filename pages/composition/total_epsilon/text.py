"""The sentences on the list of releases: its ε together, what each line contributes to it, and what to do."""

import math

from dpcore import composition
from pages.composition.parameters import ACCOUNTANT
from pages.composition.results import (
    CompositionResult,
    Cost,
    Growth,
    all_releases,
    certified_bound,
    cost_at,
    epsilon_or_none,
    periods_at,
    pure_epsilon,
    sum_of_deltas,
)
from pages.framework.parameters import number_format
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import (
    capitalized,
    escape_markdown,
    exact_text,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    pin_sentence,
)
from pages.shared.page_links import Link
from pages.shared.shared_parameters import glossary_link
from pages.shared.site_map import TRADEOFF

_CLOSE = 1e-9  # the excess of a certified ε over the exact one, relative, that is not seen
_BY = {"exact": "", "rdp": ", by RDP", "zcdp": ", by zCDP", "basic": ", by basic composition of the lines"}
_MEANINGS = {
    "contour": "The exact ε is correct to nine digits and rounded up. It is computed, not proved.",
    "certified": "Shown is a certified upper bound: for these releases the integral of the exact ε does not converge.",
    "close": "ε is certified, and by its own estimate no more than a billionth above the exact one.",
    "closed": "ε is exact for releases of which only the guarantee is known, and rounded up.",
    "least": "Shown is the smallest bound of all accountants: for at least one line only a bound on its privacy loss "
    "is known.",
    "rdp": "RDP adds the Rényi divergences of all releases and takes the best order. It is an upper bound.",
    "zcdp": "zCDP adds the ρ of all releases. It is an upper bound.",
    "basic": "Basic composition of the lines adds the exact ε of each line, at equal shares of δ. It is an upper "
    "bound, and usually a loose one.",
}


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return a sentence on the total ε and basic composition, and a sentence on the costliest line and the budget."""
    setting, cost = result.setting, cost_at(result)
    sentences = _total_sentence(result, cost), _budget_sentence(result, cost)
    if result.pinned is None:
        return sentences
    old, new = format_input_up(result.pinned.setting.delta), format_input_up(setting.delta)
    at = f"δ = {new}" if old == new else f"δ {old} → {new}"
    totals = f"{epsilon_or_none(cost_at(result.pinned).together)} → {epsilon_or_none(cost.together)}"
    return *sentences, pin_sentence(f"ε {totals} at {at}")


def growth_alternative_text(growth: Growth) -> str:
    """Return the text alternative of the picture of ε as releases add up."""
    ends = f"{format_nearest(growth.releases[-1], 7)} releases"
    together, basic = (epsilon_or_none(float(values[-1])) for values in (growth.together, growth.basic))
    return f"ε grows with the releases; of {ends} it is {together}, and {basic} by basic composition."


def _total_sentence(result: CompositionResult, cost: Cost) -> str:
    setting = result.setting
    by, at = _BY[setting.accountant], f"at δ = {format_input_up(setting.delta)}"
    lines = "This line" if len(result.setting.releases) == 1 else f"{len(result.setting.releases)} lines"
    subject = f"{lines} together" if len(result.setting.releases) > 1 else lines
    subject = subject if setting.runs == 1 else f"{lines}, run {format_nearest(setting.runs, 7)} times,"
    verb = ("has", "costs") if len(result.setting.releases) == 1 else ("have", "cost")
    if math.isinf(cost.together):
        return f"{subject} {verb[0]} no ε {at}{by}: {_reason_and_remedy(result)[0]}."
    if _is_pure(result, cost):
        return f"{subject} {verb[1]} ε = {format_up(cost.together)} without δ{by}."
    total = f"{subject} {verb[1]} ε = {format_up(cost.together)} {at}{by}"
    if len(result.setting.releases) == 1 or math.isinf(cost.basic) or format_up(cost.basic) == format_up(cost.together):
        return f"{total}."
    return f"{total}; basic composition of the lines gives {format_up(cost.basic)}."


def _is_pure(result: CompositionResult, cost: Cost) -> bool:
    """Return whether the total is, to the digits shown, the same without δ."""
    return math.isfinite(cost.together) and format_up(pure_epsilon(result)) == format_up(cost.together)


def _reason_and_remedy(result: CompositionResult) -> tuple[str, str]:
    """Return why the list has no ε, and what would give it one."""
    if result.setting.accountant == "zcdp":
        return "a line does not satisfy ρ-zCDP", "Choose another accountant."
    if sum_of_deltas(result) > result.setting.delta:
        remedy = "Choose a larger δ, or release the (ε, δ) lines less often."
        return "the δ of the (ε, δ) lines already exceed it", remedy
    return "too little of δ is left for the other lines", "Choose a larger δ or another accountant."


def _budget_sentence(result: CompositionResult, cost: Cost) -> str:
    """Return which line costs most, and what remains of the page's ε, in one sentence."""
    if math.isinf(cost.together):
        return _reason_and_remedy(result)[1]
    if sum(release.count for release in all_releases(result)) == 1:
        return "Enter how often it is released, and add what else is released about the same people."
    budget = _remainder_text(result.setting.epsilon, cost.together)
    if len(cost.saved) == 1 or cost.together == 0:
        return f"{capitalized(budget)}."
    costliest = max(range(len(cost.saved)), key=cost.saved.__getitem__)
    share = percent(cost.saved[costliest] / cost.savings_base, 2) if cost.savings_base else "nothing"
    by = "" if cost.rdp_total is None else ", by RDP"
    name = escape_markdown(result.names[costliest])
    return f"{name} costs most: without it the total falls by {share}{by}; {budget}."


def _remainder_text(epsilon: float, total: float) -> str:
    """Return what remains of the page's ε, or by how much the total exceeds it."""
    entered = format_input_up(epsilon)
    if epsilon == total or entered == format_up(total):
        return f"your ε = {entered} is spent"
    if epsilon < total:
        return f"the total exceeds your ε = {entered} by {format_up(total - epsilon)}"
    return f"your ε = {entered} leaves {number_format.format_down(epsilon - total)}"


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    setting = result.setting
    runs = "" if setting.runs == 1 else f", {format_nearest(setting.runs, 7)} runs"
    accountant = ACCOUNTANT.options[setting.accountant]
    unused = " (the total needs none)" if _is_pure(result, cost_at(result)) else ""
    return f"δ = {format_input_up(setting.delta)}{unused}{runs}. Accountant: {accountant}."


def growth_subtitle(result: CompositionResult) -> str:
    """Return the δ of the picture of ε over the number of releases, and what its two lines are."""
    total = f"the total of all{_BY[result.setting.accountant]}"
    return f"δ = {format_input_up(result.setting.delta)}. Together: {total}. Basic: its bound by basic composition."


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture and the table show, in a sentence."""
    cost = cost_at(result)
    lines = "; ".join(
        f"{name}: ε {epsilon_or_none(alone)} alone, {epsilon_or_none(without)} for the other lines"
        for name, alone, without in zip(result.names, cost.alone, cost.without, strict=True)
    )
    return f"{number_format.without_markdown(' '.join(answer_text(result)[:2]))} {lines}."


def advice_text(result: CompositionResult) -> str:
    """Return how to read the parts, and what to do."""
    accountant, cost = result.setting.accountant, cost_at(result)
    meaning = _MEANINGS[_exact_method(result) if accountant == "exact" else accountant]
    by_rdp = " The savings are by RDP, as certifying so many lists would take too long." if cost.rdp_total else ""
    total = "" if math.isinf(cost.together) else f"{meaning}{_certified_sentence(result)}{by_rdp} "
    once, *longer = (epsilon for epsilon, _, _ in periods_at(result).rows.values())
    none = math.isfinite(once) and any(math.isinf(epsilon) for epsilon in longer)
    none = " None: over so many runs the δ of the (ε, δ) lines exceed your δ." if none else ""
    savings = "The savings do not add up to the total: what a line costs depends on the other lines."
    savings = savings if len(result.setting.releases) > 1 else ""
    return f"{total}{savings}{none}\n\n{_risk_link(result)}{_ADVICE}".strip()


def _risk_link(result: CompositionResult) -> str:
    """Return the link to the factor on the noise of this list that meets a risk; empty where no noise is named."""
    if any(item.kind in ("approx", "zcdp") for item in result.setting.releases):
        return ""
    entries = {"section": "risk", "risk": "power", "noise": "releases", "releases": list_text(result.setting.releases)}
    link = Link(TRADEOFF, "Noise from risk", entries | {"delta": exact_text(result.setting.delta)})
    return (
        f"**Which risk is acceptable?** {link.markdown} scales all noise of this list to the risk that you choose.\n\n"
    )


_ADVICE = (
    "**What to do.** Report the ε of the whole list with its δ, its unit of privacy and its neighbouring relation; "
    "report the certified ε if it must be proved. To spend less, add noise to the line that costs most, or release it "
    "less often.\n\n"
    "**What is assumed.** Every release has fresh, independent noise, which a trusted office adds, of an ε or a scale "
    "that was fixed for what one person can change without looking at the data. Every release about these people is in "
    "the list. A query may depend on earlier answers "
    f"({glossary_link('adaptive_composition', 'adaptive composition')}), but the mechanisms, "
    "their parameters and the number of releases must be fixed in advance. If these depend on "
    "earlier answers too, a privacy filter or odometer is needed, which this page does not compute. Put only "
    "releases about the same unit of privacy into the list. If releases use the records of different people, the "
    f"largest ε counts instead of the sum ({glossary_link('parallel_composition', 'parallel composition')}, "
    f"add/remove-one {glossary_link('neighbours', 'neighbours')}). If only the best of many "
    f"results is published, {glossary_link('private_selection', 'private selection')} or the sparse "
    "vector technique can cost less than releasing them all."
)


def _exact_method(result: CompositionResult) -> str:
    """Return the origin of the exact ε, a key of `_MEANINGS`: "least" where of a line only bounds are known."""
    releases = all_releases(result)
    if not composition.is_known(releases):
        return "least"
    bound = composition.epsilon(releases, result.setting.delta)
    if bound.accountant == "kairouz_optimal":
        return "closed"
    is_close = bound.error <= _CLOSE * bound.value  # NaN where it is not known
    return "contour" if bound.kind == "estimate" else "close" if is_close else "certified"


def _certified_sentence(result: CompositionResult) -> str:
    """Return the certified bound beside the exact value, and its own estimate of its excess."""
    proved = certified_bound(result)
    if proved is None or result.setting.accountant != "exact":
        return ""
    bound, excess = proved
    slack = f" (estimated slack {format_nearest(excess, 2)})" if excess > 0 else ""
    return f" **Certified: ε ≤ {format_up(bound)}**{slack}, from a grid of privacy losses with every step rounded up."
