"""The sentences on accountants: how far each is off, in which direction each errs, and which to use."""

from math import isfinite, isinf

from pages.composition.accountants import results
from pages.composition.accountants.results import ACCOUNTANT_NAMES, Totals
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent_up, plural


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences that compare the accountants at the page's number of runs."""
    totals = results.totals_at(result)
    sentences = _comparison_sentence(result, totals), _meaning_sentence(totals)
    if result.pinned is None:
        return sentences
    pinned = results.totals_at(result.pinned)
    exact, rdp = (f"{_epsilon_text(pinned, key)} → {_epsilon_text(totals, key)}" for key in ("exact", "rdp"))
    return *sentences, f"Compared with the pin: ε {exact}; by RDP {rdp}."


def _epsilon_text(totals: Totals, key: str) -> str:
    value = totals.first_epsilon(key)
    return format_up(value) if isfinite(value) else "none"


def runs_text(result: CompositionResult) -> str:
    """Return the number of runs in words."""
    return plural(format_nearest(result.setting.runs, 7), "run")


def _comparison_sentence(result: CompositionResult, totals: Totals) -> str:
    exact, at = totals.first_epsilon("exact"), f"For {runs_text(result)} at δ = {format_input_up(result.setting.delta)}"
    if isinf(exact):
        return f"{at}, no accountant has an ε: the δ of the (ε, δ) lines already exceed it."
    rdp = f"{_epsilon_text(totals, 'rdp')}{_excess_text(totals, 'rdp')}"
    least = "exact ε" if totals.is_exact else "least upper bound on ε"
    return f"{at}, the {least} is {format_up(exact)}; RDP gives {rdp}."


def _excess_text(totals: Totals, key: str) -> str:
    """Return in brackets how much larger than the exact ε that of an accountant is, where it is larger."""
    ratio = float(totals.ratio(key)[0])
    if not isfinite(ratio) or ratio < 1 + 5e-5:
        return ""
    return f" (+{percent_up(ratio - 1, 2)})" if ratio < 2 else f" ({format_up(ratio, 3)} times)"


def _meaning_sentence(totals: Totals) -> str:
    """Return a sentence on advanced composition here, or on the central limit theorem, which is no bound."""
    exact = totals.first_epsilon("exact")
    if isinf(exact):
        return "Choose a larger δ, or release less often."
    if exact == 0:
        return "δ alone covers everything that these releases reveal."
    if "clt" in totals.epsilon:
        clt = totals.first_epsilon("clt")
        return (
            f"The CLT estimate is {format_nearest(clt)}, {_clt_verdict(clt, exact)}: do not report it as a guarantee."
        )
    drv, basic = (f"{_epsilon_text(totals, key)}{_excess_text(totals, key)}" for key in ("drv", "basic"))
    advanced = "more" if totals.first_epsilon("drv") > totals.first_epsilon("basic") else drv
    values = f"Basic composition of releases gives {basic} and advanced composition {advanced}"
    return f"{values}; every overestimate of ε costs extra noise."


def _clt_verdict(clt: float, exact: float) -> str:
    """Return where the estimate by the central limit theorem lies here."""
    if clt < exact:
        return "below the exact ε"
    return "not below the exact ε here, but at other settings it is"


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    lines = plural(len(result.items), "line")
    return f"δ = {format_input_up(result.setting.delta)}; {lines}, fresh noise in every run."


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture and the table show, in a sentence."""
    totals = results.totals_at(result)
    values = "; ".join(
        f"{name} {_epsilon_text(totals, key)}" for key, name in ACCOUNTANT_NAMES.items() if key in totals.epsilon
    )
    return f"{' '.join(answer_text(result)[:2])} ε by each accountant: {values}."


READING_TEXT = (
    "Basic composition of releases adds the ε of every single release; releases that need a δ share it equally. In the "
    "section My releases the releases of a line are composed exactly first, which gives a smaller total. "
    "Dwork–Rothblum–Vadhan (DRV) and Kairouz–Oh–Viswanath (KOV) use only the (ε, δ) of each release; for Gaussian "
    "noise half of δ is reserved for these. The exact curve ends where its computation would take too long. Every "
    "curve ends where a line would be released more than a million times, or where the δ of the (ε, δ) lines exceed "
    "your δ.\n\n"
    "**What to do.** Report the exact ε, or ε by RDP if others must check it with a library. Of several upper bounds, "
    "report the smallest. A value below the exact ε is not a better bound: it is not a bound."
)
