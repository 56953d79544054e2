"""The data frames and the HTML table of the section "Accountants"."""

from collections.abc import Sequence
from math import isfinite

import pandas as pd

from pages.composition.accountants import results
from pages.composition.accountants.results import ACCOUNTANT_NAMES, Totals
from pages.composition.accountants.text import runs_text
from pages.composition.results import CompositionResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up

_SAME = 1e-3  # relative: bounds as close as this share a row
_ERRORS = {
    "basic": "upper bound",
    "drv": "upper bound; often above basic composition",
    "kov": "upper bound; never above basic composition",
    "kov_optimal": "upper bound; exact if only the ε of each release is known",
    "zcdp_standard": "upper bound",
    "zcdp": "upper bound",
    "rdp_standard": "upper bound",
    "rdp": "upper bound",
    "exact": "correct to about 9 digits, or a certified upper bound",
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
    return "Least upper bound" if key == "exact" and not totals.is_exact else ACCOUNTANT_NAMES[key]


def _error_text(key: str, totals: Totals) -> str:
    if key in totals.missing:
        return f"Not available. {totals.missing[key]}"
    if key == "clt":
        gap = totals.first_epsilon("clt") - totals.first_epsilon("exact")
        where = "below the exact ε" if gap < 0 else "above the exact ε" if gap > 0 else "0 too"
        return f"✗ no guarantee: an estimate, here {where}"
    return "upper bound" if key == "exact" and not totals.is_exact else _ERRORS[key]


def table_html(result: CompositionResult) -> str:
    """Return ε by each accountant at the page's number of runs with the direction of its error, as a table."""
    totals = results.totals_at(result)
    compared = "÷ exact" if totals.is_exact else "÷ least bound"
    heads = ["Accountant", f"ε of {runs_text(result)}", compared, "Kind of value"]
    rows = [
        [
            _row_name(first, totals),
            *_row_cells(first, totals),
            f"{_error_text(first, totals)}{_equals_text(rest)}",
        ]
        for first, *rest in _row_groups(totals)
    ]
    return number_format.table_html("The accountants", "totals", heads, rows)


def _row_groups(totals: Totals) -> list[list[str]]:
    """Return the accountants row by row; upper bounds that agree within 0.1 % share a row, the smallest first."""
    groups: list[list[str]] = []
    for key in reversed(ACCOUNTANT_NAMES):
        group = next((group for group in groups if _agree(group[0], key, totals)), None)
        if group is None:
            groups.append([key])
        else:
            group.append(key)
            group.sort(key=totals.first_epsilon)
    return groups


def _agree(first: str, second: str, totals: Totals) -> bool:
    """Return whether two accountants give upper bounds that agree within 0.1 %."""
    if not {first, second} <= totals.epsilon.keys() - {"exact", "clt"}:
        return False
    low, high = sorted(totals.first_epsilon(key) for key in (first, second))
    return isfinite(high) and high <= low * (1 + _SAME)


def _equals_text(keys: Sequence[str]) -> str:
    """Return the accountants that share the row of another."""
    return f"; the same within 0.1 %: {'; '.join(ACCOUNTANT_NAMES[key] for key in keys)}" if keys else ""


def _row_cells(key: str, totals: Totals) -> list[str]:
    if key not in totals.epsilon:
        return ["–", "–"]
    ratio = float(totals.ratio(key)[0])
    rounded = format_nearest if key == "clt" else format_up
    return [
        rounded(totals.first_epsilon(key)) if isfinite(totals.first_epsilon(key)) else "none",
        rounded(ratio) if isfinite(ratio) else "–",
    ]
