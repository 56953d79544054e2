"""The data frames and the HTML table of the section "Accountants"."""

from math import isfinite

import pandas as pd

from pages.composition.accountants import results
from pages.composition.accountants.results import ACCOUNTANT_NAMES, Totals
from pages.composition.accountants.text import runs_text
from pages.composition.results import CompositionResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up

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


def totals_frame(result: CompositionResult) -> pd.DataFrame:
    """Return ε at each number of runs of the figure, with a column for each accountant."""
    totals = results.totals_over_runs(result)
    columns = {f"epsilon_{key}": totals.epsilon[key] for key in ACCOUNTANT_NAMES if key in totals.epsilon}
    return pd.DataFrame({"runs": totals.runs.astype(int)} | columns)


def table_frame(result: CompositionResult) -> pd.DataFrame:
    """Return a row for each accountant at the page's number of runs."""
    totals = results.totals_at(result)
    return pd.DataFrame(
        [
            {
                "accountant": _row_name(key, totals),
                "epsilon": totals.first_epsilon(key) if key in totals.epsilon else None,
                "ratio": float(totals.ratio(key)[0]) if key in totals.epsilon else None,
                "error": _error_text(key, totals),
            }
            for key in ACCOUNTANT_NAMES
        ]
    )


def _row_name(key: str, totals: Totals) -> str:
    return "Least proved" if key == "exact" and not totals.is_exact else ACCOUNTANT_NAMES[key]


def _error_text(key: str, totals: Totals) -> str:
    if key in totals.missing:
        return f"Left out. {totals.missing[key]}"
    if key == "clt":
        gap = totals.first_epsilon("clt") - totals.first_epsilon("exact")
        where = "below the truth" if gap < 0 else "above the truth" if gap > 0 else "0 too"
        return f"✗ no guarantee: an estimate, here {where}"
    return "never below the truth" if key == "exact" and not totals.is_exact else _ERRORS[key]


def table_html(result: CompositionResult) -> str:
    """Return ε by each accountant at the page's number of runs with the direction of its error, as a table."""
    totals = results.totals_at(result)
    heads = ["Accountant", f"ε of {runs_text(result)}", "÷ exact" if totals.is_exact else "÷ least proved", "Error"]
    rows = [
        [_row_name(key, totals), *_row_cells(key, totals), _error_text(key, totals)]
        for key in reversed(ACCOUNTANT_NAMES)
    ]
    return number_format.table_html("The accountants", "totals", heads, rows)


def _row_cells(key: str, totals: Totals) -> list[str]:
    if key not in totals.epsilon:
        return ["–", "–"]
    ratio = float(totals.ratio(key)[0])
    rounded = format_nearest if key == "clt" else format_up
    return [
        rounded(totals.first_epsilon(key)) if isfinite(totals.first_epsilon(key)) else "none",
        rounded(ratio) if isfinite(ratio) else "–",
    ]
