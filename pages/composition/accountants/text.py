"""The words on accountants: which of them is how far off, which way each errs, and which to use."""

from math import isfinite, isinf

import pandas as pd

from pages.composition.accountants import results
from pages.composition.accountants.results import NAMES, Totals
from pages.composition.results import CompositionResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent_up

_ERRORS = {
    "basic": "never below the truth",
    "drv": "never below the truth; often above basic composition",
    "kov": "never below the truth, never above basic composition",
    "kov_optimal": "never below the truth; exact if ε is all that is known",
    "zcdp_standard": "never below the truth",
    "zcdp": "never below the truth",
    "rdp_standard": "never below the truth",
    "rdp": "never below the truth",
    "exact": "exact to about 9 digits, or certified from above",
}


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Which accountant is how far off at the page's number of runs."""
    now = results.here(result)
    said = _headline(result, now), _meaning(now)
    if result.pinned is None:
        return said
    before = results.here(result.pinned)
    return (
        *said,
        f"Since the pinned setting: ε {_shown(before.at('exact'))} → {_shown(now.at('exact'))}; "
        f"by RDP {_shown(before.at('rdp'))} → {_shown(now.at('rdp'))}.",
    )


def _shown(value: float) -> str:
    return format_up(value) if isfinite(value) else "none"


def _runs(result: CompositionResult) -> str:
    runs = result.setting.runs
    return f"{format_nearest(runs, 7)} run{'' if runs == 1 else 's'}"


def _headline(result: CompositionResult, now: Totals) -> str:
    exact, at = now.at("exact"), f"For {_runs(result)} at δ = {format_input_up(result.setting.delta)}"
    if isinf(exact):
        return f"{at} no accountant has an ε: the δ of the promises is more."
    if exact == 0:
        others = f"RDP asks {_shown(now.at('rdp'))}, basic composition of releases {_shown(now.at('basic'))}"
        return f"{at} the exact ε is 0; {others}."
    least = "the exact ε" if now.known else "the least proved ε"
    basic = f"basic composition of releases asks {_times(now, 'basic')}"
    return f"{at} RDP asks {_more(now, 'rdp')} {least} = {format_up(exact)}; {basic}."


def _more(now: Totals, key: str) -> str:
    """How much more an accountant asks, to stand before "the exact ε"."""
    ratio = float(now.ratio(key)[0])
    if isinf(ratio):
        return "no bound, against"
    if ratio < 1 + 5e-5:
        return "no more than"
    return f"{percent_up(ratio - 1, 2)} more than" if ratio < 2 else f"{format_up(ratio, 3)} times"


def _times(now: Totals, key: str) -> str:
    """How much more an accountant asks, to stand alone."""
    more = _more(now, key)
    if more.endswith("times"):
        return f"{more} as much"
    return {"no bound, against": "for a larger δ"}.get(more, more.removesuffix(" than"))


def _meaning(now: Totals) -> str:
    """What advanced composition does here, and that the central limit theorem is no bound."""
    if isinf(now.at("exact")):
        return "Allow a larger δ, or release less often."
    said = ""
    if not now.known:
        said = "The exact ε is not known: of a line only a bound on its losses is. "
    drv, basic = now.at("drv"), now.at("basic")
    if now.at("exact") == 0:
        return f"{said}δ alone covers all that they reveal."
    if "clt" in now.epsilon:
        said += f"The central limit theorem (CLT) says {format_nearest(now.at('clt'))}, {_limit(now)}."
    elif drv > basic:
        said += "Advanced composition (Dwork–Rothblum–Vadhan, DRV) asks more than basic composition here."
    else:
        said += f"Advanced composition (Dwork–Rothblum–Vadhan) asks {_times(now, 'drv')}."
    return f"{said} What a bound asks beyond the exact ε is noise given away.".strip()


def _limit(now: Totals) -> str:
    """What the estimate by the central limit theorem is worth here."""
    if now.at("clt") < now.at("exact"):
        return "which is less than is true: no guarantee"
    return "here above the exact ε, at other settings below it: it proves nothing"


def subtitle(result: CompositionResult) -> str:
    """The parameters of the picture."""
    lines = len(result.items)
    return (
        f"δ = {format_input_up(result.setting.delta)}; {lines} line{'' if lines == 1 else 's'}, with fresh noise each"
        " run."
    )


def alternative(result: CompositionResult) -> str:
    """What the picture and the table show, in a sentence."""
    now = results.here(result)
    listed = "; ".join(f"{NAMES[key]} {_shown(now.at(key))}" for key in NAMES if key in now.epsilon)
    return f"{' '.join(answer_text(result)[:2])} ε by each accountant: {listed}."


def drawn_frame(result: CompositionResult) -> pd.DataFrame:
    """ε at each number of runs that is drawn, a column for each accountant."""
    totals = results.along(result)
    columns = {f"epsilon_{key}": totals.epsilon[key] for key in NAMES if key in totals.epsilon}
    return pd.DataFrame({"runs": totals.runs.astype(int)} | columns)


def table_frame(result: CompositionResult) -> pd.DataFrame:
    """A row for each accountant at the page's number of runs."""
    now = results.here(result)
    return pd.DataFrame(
        [
            {
                "accountant": _name(key, now),
                "epsilon": now.at(key) if key in now.epsilon else None,
                "ratio": float(now.ratio(key)[0]) if key in now.epsilon else None,
                "error": _error(key, now),
            }
            for key in NAMES
        ]
    )


def _name(key: str, now: Totals) -> str:
    return "Least proved" if key == "exact" and not now.known else NAMES[key]


def _error(key: str, now: Totals) -> str:
    if key in now.missing:
        return f"Left out. {now.missing[key]}"
    if key == "clt":
        gap = now.at("clt") - now.at("exact")
        where = "below the truth" if gap < 0 else "above the truth" if gap > 0 else "0 too"
        return f"✗ no guarantee: an estimate, here {where}"
    return "never below the truth" if key == "exact" and not now.known else _ERRORS[key]


def table_html(result: CompositionResult) -> str:
    """ε by each accountant at the page's number of runs, and which way it errs."""
    now = results.here(result)
    heads = ["Accountant", f"ε of {_runs(result)}", "÷ exact" if now.known else "÷ least proved", "Error"]
    rows = [[_name(key, now), *_cells(key, now), _error(key, now)] for key in reversed(NAMES)]
    return number_format.table_html("The accountants", "totals", heads, rows)


def _cells(key: str, now: Totals) -> list[str]:
    if key not in now.epsilon:
        return ["–", "–"]
    ratio = float(now.ratio(key)[0])
    shown = format_nearest if key == "clt" else format_up
    return [shown(now.at(key)) if isfinite(now.at(key)) else "none", shown(ratio) if isfinite(ratio) else "–"]


READING = (
    "Basic composition of releases gives every single release its own ε, and an equal share of δ where it needs one; "
    "in the section My releases each line is composed exactly first, which says less. Dwork–Rothblum–Vadhan "
    "(DRV) and Kairouz–Oh–Viswanath (KOV) see promises only: of Gaussian noise an (ε, δ), for which half "
    "of δ is set aside. Where the exact ε of many releases would take long, its line ends; all end where a line of "
    "the list would run more than a million times, or its promises may break more often than δ allows.\n\n"
    "**What to do.** Use the exact ε, and quote RDP where others must check it with a library. Take the least of the "
    "bounds, never the average. A value below the exact one is not a better proof: it is none."
)
