"""The section "Accountants": the ε of each over the number of runs, in numbers, and how far off each is."""

from collections.abc import Iterator, Sequence
from math import isfinite, isinf

import pandas as pd

from pages.composition import figures
from pages.composition.code import accountant_claim, list_snippets
from pages.composition.parameters import RUNS, TOTALS_SCALE
from pages.composition.results import (
    ACCOUNTANTS,
    EDIT_LINK,
    CompositionResult,
    Totals,
    all_releases,
    csv_header,
    epsilon_or_none,
    totals_over_runs,
)
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Claim, Field, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_input_up,
    format_nearest,
    format_up,
    percent_up,
    pin_sentence,
    plural,
)
from pages.shared.shared_parameters import DELTA

CLT_ERROR = (
    "The known bounds on its error, of Berry–Esseen type (Dong, Roth & Su 2022), are of order 1/√T in δ, far above a δ "
    "such as 1e-6, and are not used here. It is an estimate, not a guarantee."
)

_PARAGRAPHS = (
    "**Basic composition of releases** (Dwork & Roth 2014, Theorem 3.16): $\\sum_i\\varepsilon_i$ at "
    "$\\sum_i\\delta_i$. **Dwork–Rothblum–Vadhan** (Theorem 3.20): $\\sqrt{2\\sum\\varepsilon_i^2\\ln(1/\\delta')}+"
    "\\sum\\varepsilon_i(e^{\\varepsilon_i}-1)$.",
    "**Kairouz, Oh & Viswanath 2015** (Theorem 3.5): the least of $\\sum_i\\varepsilon_i$, "
    "$m+\\sqrt{2s\\ln(1/\\delta')}$ and $m+\\sqrt{2s\\ln(e+\\sqrt s/\\delta')}$ with "
    "$m=\\sum\\varepsilon_i\\tanh(\\varepsilon_i/2)$, $s=\\sum\\varepsilon_i^2$ and "
    "$1-\\delta=(1-\\delta')\\prod_i(1-\\delta_i)$; "
    "the optimal bound (Theorem 3.3) uses the binomial distribution of the losses.",
    "**zCDP** (Bun & Steinke 2016) adds ρ, and **RDP** (Mironov 2017) adds $\\tau(\\alpha)$. Standard conversion: "
    "$\\varepsilon=\\tau(\\alpha)+\\frac{\\ln(1/\\delta)}{\\alpha-1}$, tight conversion (Canonne, Kamath & Steinke "
    "2020): $\\varepsilon=\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$, at the best α.",
    "**Exact**: $\\delta(\\varepsilon)=\\frac1{2\\pi i}\\int\\frac{e^{K(s)-s\\varepsilon}}{s(1+s)}\\,ds$ with "
    "$K(s)=\\ln\\mathbb{E}_P e^{sL}$ of all releases, in the worse of both directions; where the integral does not "
    "converge, the losses are composed on a grid and rounded up.",
    "**Central limit theorem** (Bu et al. 2020): $\\mu=q\\sqrt{T(e^{1/z^2}-1)}$, the limit for many steps T. "
    f"{CLT_ERROR} It lies below the exact ε at some settings and above it at others.",
)
EXPLANATION = "\n\n".join(_PARAGRAPHS)


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return the sentences that compare the accountants at the page's number of runs."""
    totals = result.totals
    sentences = _comparison_sentence(result, totals), _meaning_sentence(totals)
    if result.pinned is None:
        return sentences
    pinned = result.pinned.totals
    exact, rdp = (f"{_epsilon_text(pinned, key)} → {_epsilon_text(totals, key)}" for key in ("exact", "rdp"))
    return *sentences, pin_sentence(f"ε {exact}; by RDP {rdp}")


def _epsilon_text(totals: Totals, key: str) -> str:
    return epsilon_or_none(totals.first_epsilon(key))


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
        clt, verdict = totals.first_epsilon("clt"), "not below the exact ε here, but at other settings it is"
        if clt < exact:
            verdict = "below the exact ε"
        return f"The CLT estimate is {format_nearest(clt)}, {verdict}: do not report it as a guarantee."
    drv, basic = (f"{_epsilon_text(totals, key)}{_excess_text(totals, key)}" for key in ("drv", "basic"))
    advanced = "more" if totals.first_epsilon("drv") > totals.first_epsilon("basic") else drv
    values = f"Basic composition of releases gives {basic} and advanced composition {advanced}"
    return f"{values}; every overestimate of ε costs extra noise."


def subtitle(result: CompositionResult) -> str:
    """Return the parameters of the picture."""
    lines = plural(len(result.setting.releases), "line")
    return f"δ = {format_input_up(result.setting.delta)}; {lines}, fresh noise in every run."


def alternative_text(result: CompositionResult) -> str:
    """Return what the picture and the table show, in a sentence."""
    totals = result.totals
    values = "; ".join(
        f"{accountant.name} {_epsilon_text(totals, key)}"
        for key, accountant in ACCOUNTANTS.items()
        if key in totals.epsilon
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


def totals_frame(result: CompositionResult) -> pd.DataFrame:
    """Return ε at each number of runs of the figure, with a column for each accountant."""
    totals = totals_over_runs(result)
    columns = {f"epsilon_{key}": totals.epsilon[key] for key in ACCOUNTANTS if key in totals.epsilon}
    return pd.DataFrame({"runs": totals.runs.astype(int)} | columns)


def table_frame(result: CompositionResult) -> pd.DataFrame:
    """Return a row for each accountant at the page's number of runs."""
    totals = result.totals
    return pd.DataFrame(
        [
            {
                "accountant": _row_name(key, totals),
                "epsilon": totals.first_epsilon(key) if key in totals.epsilon else None,
                "ratio": float(totals.ratio(key)[0]) if key in totals.epsilon else None,
                "error": _error_text(key, totals),
            }
            for key in ACCOUNTANTS
        ]
    )


def _row_name(key: str, totals: Totals) -> str:
    return "Least upper bound" if key == "exact" and not totals.is_exact else ACCOUNTANTS[key].name


def _error_text(key: str, totals: Totals) -> str:
    if key in totals.missing:
        return f"Not available. {totals.missing[key]}"
    if key == "clt":
        gap = totals.first_epsilon("clt") - totals.first_epsilon("exact")
        where = "below the exact ε" if gap < 0 else "above the exact ε" if gap > 0 else "0 too"
        return f"✗ no guarantee: an estimate, here {where}"
    return "upper bound" if key == "exact" and not totals.is_exact else ACCOUNTANTS[key].kind


def table_html(result: CompositionResult) -> str:
    """Return ε by each accountant at the page's number of runs with the direction of its error, as a table."""
    totals = result.totals
    compared = "÷ exact" if totals.is_exact else "÷ least bound"
    heads = ["Accountant", f"ε of {runs_text(result)}", compared, "Kind of value"]
    rows = [
        [_row_name(first, totals), *_row_cells(first, totals), f"{_error_text(first, totals)}{_equals_text(rest)}"]
        for first, *rest in _row_groups(totals)
    ]
    return number_format.table_html("The accountants", "totals", heads, rows)


def _row_groups(totals: Totals) -> list[list[str]]:
    """Return the accountants row by row; upper bounds that agree within 0.1 % share a row, the smallest first."""
    groups: list[list[str]] = []
    for key in reversed(ACCOUNTANTS):
        group = next((group for group in groups if _accountants_agree(group[0], key, totals)), None)
        if group is None:
            groups.append([key])
        else:
            group.append(key)
            group.sort(key=totals.first_epsilon)
    return groups


def _accountants_agree(first: str, second: str, totals: Totals) -> bool:
    """Return whether two accountants give upper bounds that agree within 0.1 %."""
    if not {first, second} <= totals.epsilon.keys() - {"exact", "clt"}:
        return False
    low, high = sorted(totals.first_epsilon(key) for key in (first, second))
    return isfinite(high) and high <= low * (1 + figures.SAME)


def _equals_text(keys: Sequence[str]) -> str:
    """Return the accountants that share the row of another."""
    return f"; the same within 0.1 %: {'; '.join(ACCOUNTANTS[key].name for key in keys)}" if keys else ""


def _row_cells(key: str, totals: Totals) -> list[str]:
    if key not in totals.epsilon:
        return ["–", "–"]
    ratio = float(totals.ratio(key)[0])
    rounded = format_nearest if key == "clt" else format_up
    return [
        rounded(totals.first_epsilon(key)) if isfinite(totals.first_epsilon(key)) else "none",
        rounded(ratio) if isfinite(ratio) else "–",
    ]


_UNITS = "exact to 9 digits and rounded up, or certified; clt an estimate of either sign; all others upper bounds"


def totals_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of ε by each accountant over the number of runs."""
    figure, alternative = figures.totals_figure(result, subtitle(result), colours), alternative_text(result)
    return Exhibit("accountants", figure, alternative, lambda: totals_frame(result), csv_header(result, _UNITS))


def totals_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε by each accountant at the page's number of runs."""
    html, alternative = table_html(result), alternative_text(result)
    return Exhibit("accountants_table", html, alternative, lambda: table_frame(result), csv_header(result, _UNITS))


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the accountants in a chart and a table, and how to read them."""
    yield totals_chart(result, colours)
    yield EDIT_LINK
    yield totals_table(result, colours)
    yield READING_TEXT


def claims(result: CompositionResult) -> Iterator[Claim]:
    """Yield the guarantees by the accountants of the answer."""
    totals, releases, delta = result.totals, all_releases(result), result.setting.delta
    keys = [key for key in ("exact", "rdp", "zcdp", "basic") if key in totals.epsilon]
    yield from (accountant_claim(key, releases, totals.first_epsilon(key), delta) for key in keys)


SECTION = Section[CompositionResult](
    controls=lambda _: (RUNS, DELTA, Field(TOTALS_SCALE, "Show as")),
    parts=parts,
    key="accountants",
    name="Accountants",
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(totals_chart, totals_table),
    claims=claims,
    snippets=lambda result: list_snippets(result, "exact"),
)
