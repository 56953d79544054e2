"""The sentences on accountants: how far each is off, in which direction each errs, and which to use."""

from math import isfinite, isinf

from pages.composition.accountants import results
from pages.composition.accountants.results import ACCOUNTANT_NAMES, Totals
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent_up


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences that compare the accountants at the page's number of runs."""
    totals = results.totals_at(result)
    sentences = _comparison_sentence(result, totals), _meaning_sentence(totals)
    if result.pinned is None:
        return sentences
    pinned = results.totals_at(result.pinned)
    exact, rdp = (f"{_epsilon_text(pinned, key)} → {_epsilon_text(totals, key)}" for key in ("exact", "rdp"))
    return *sentences, f"Since the pinned setting: ε {exact}; by RDP {rdp}."


def _epsilon_text(totals: Totals, key: str) -> str:
    value = totals.first_epsilon(key)
    return format_up(value) if isfinite(value) else "none"


def runs_text(result: CompositionResult) -> str:
    """Return the number of runs in words."""
    runs = result.setting.runs
    return f"{format_nearest(runs, 7)} run{'' if runs == 1 else 's'}"


def _comparison_sentence(result: CompositionResult, totals: Totals) -> str:
    exact, at = totals.first_epsilon("exact"), f"For {runs_text(result)} at δ = {format_input_up(result.setting.delta)}"
    if isinf(exact):
        return f"{at} no accountant has an ε: the δ of the promises is more."
    if exact == 0:
        rdp, basic = _epsilon_text(totals, "rdp"), _epsilon_text(totals, "basic")
        return f"{at} the exact ε is 0; RDP asks {rdp}, basic composition of releases {basic}."
    least = "the exact ε" if totals.is_exact else "the least proved ε"
    basic = f"basic composition of releases asks {_excess_alone(totals, 'basic')}"
    return f"{at} RDP asks {_excess_text(totals, 'rdp')} {least} = {format_up(exact)}; {basic}."


def _excess_text(totals: Totals, key: str) -> str:
    """Return how much more an accountant requires, as it stands before "the exact ε"."""
    ratio = float(totals.ratio(key)[0])
    if isinf(ratio):
        return "no bound, against"
    if ratio < 1 + 5e-5:
        return "no more than"
    return f"{percent_up(ratio - 1, 2)} more than" if ratio < 2 else f"{format_up(ratio, 3)} times"


def _excess_alone(totals: Totals, key: str) -> str:
    """Return how much more an accountant requires, as it stands alone."""
    more = _excess_text(totals, key)
    if more.endswith("times"):
        return f"{more} as much"
    return {"no bound, against": "for a larger δ"}.get(more, more.removesuffix(" than"))


def _meaning_sentence(totals: Totals) -> str:
    """Return a sentence on advanced composition here, or on the central limit theorem, which is no bound."""
    if isinf(totals.first_epsilon("exact")):
        return "Allow a larger δ, or release less often."
    sentence = ""
    if not totals.is_exact:
        sentence = "The exact ε is not known: of a line only a bound on its losses is. "
    drv, basic = totals.first_epsilon("drv"), totals.first_epsilon("basic")
    if totals.first_epsilon("exact") == 0:
        return f"{sentence}δ alone covers all that they reveal."
    if "clt" in totals.epsilon:
        clt = format_nearest(totals.first_epsilon("clt"))
        sentence += f"The central limit theorem (CLT) says {clt}, {_clt_verdict(totals)}."
    elif drv > basic:
        sentence += "Advanced composition (Dwork–Rothblum–Vadhan, DRV) asks more than basic composition here."
    else:
        sentence += f"Advanced composition (Dwork–Rothblum–Vadhan) asks {_excess_alone(totals, 'drv')}."
    return f"{sentence} What a bound asks beyond the exact ε is noise given away.".strip()


def _clt_verdict(totals: Totals) -> str:
    """Return what the estimate by the central limit theorem is worth here."""
    if totals.first_epsilon("clt") < totals.first_epsilon("exact"):
        return "which is less than is true: no guarantee"
    return "here above the exact ε, at other settings below it: it proves nothing"


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    lines = len(result.items)
    return (
        f"δ = {format_input_up(result.setting.delta)}; {lines} line{'' if lines == 1 else 's'}, with fresh noise each"
        " run."
    )


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture and the table show, in a sentence."""
    totals = results.totals_at(result)
    values = "; ".join(
        f"{name} {_epsilon_text(totals, key)}" for key, name in ACCOUNTANT_NAMES.items() if key in totals.epsilon
    )
    return f"{' '.join(answer_text(result)[:2])} ε by each accountant: {values}."


READING_TEXT = (
    "Basic composition of releases gives every single release its own ε, and an equal share of δ where it needs one; "
    "in the section My releases each line is composed exactly first, which says less. Dwork–Rothblum–Vadhan "
    "(DRV) and Kairouz–Oh–Viswanath (KOV) see promises only: of Gaussian noise an (ε, δ), for which half "
    "of δ is set aside. Where the exact ε of many releases would take long, its line ends; all end where a line of "
    "the list would run more than a million times, or its promises may break more often than δ allows.\n\n"
    "**What to do.** Use the exact ε, and quote RDP where others must check it with a library. Take the least of the "
    "bounds, never the average. A value below the exact one is not a better proof: it is none."
)
