"""The page on accuracy; links to its old section Budget lead to the page Plan, with their queries as rows."""

import re
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from dpcore.checks import POSITIVE_EPSILON_RANGE, SENSITIVITY_RANGE
from pages.accuracy import parameters
from pages.accuracy.error import section as error
from pages.accuracy.records import section as records
from pages.accuracy.results import compute_result
from pages.framework.layout.page import Page
from pages.framework.layout.section import MovedSection
from pages.framework.parameters.kinds import is_inside
from pages.framework.parameters.number_parser import parse_number
from pages.shared.site_map import ACCURACY, PLAN

_ENTRY = re.compile(r"(!?)([^=]*)(?:=(.*))?")
_DEFAULT = "!1,2=People;100,1=Sum of ages;1,1=Histogram of regions"
_WEIGHTS = "[1e-6, 1e6]"
_WANTED = 3.0  # the wanted error of a query of sensitivity and weight 1: only the ratios of the errors count


def plan_entries(entries: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the parameters of a link to Budget as those of Plan, where the total is known.

    A query with the weight w had the share w of ε, and Laplace noise of that share has an error in proportion to Δ/w:
    so much it wants here, and the common factor follows from ε. A query with an ε of its own has its ε fixed. An entry
    that cannot be read stays as it is, so that Plan says so.
    """
    budget = entries.get("budget", [_DEFAULT])[-1]
    rows = [_row(part) for part in (part.strip() for part in budget.split(";")) if part]
    plan = {"direction": "total", "queries": ";".join(rows)}
    pins = [f"{pin}&{urlencode(plan, quote_via=quote)}" if "=" in pin else pin for pin in entries.get("pinned", [])]
    return dict(entries) | {key: [text] for key, text in plan.items()} | ({"pinned": pins} if pins else {})


def _row(part: str) -> str:
    match = _ENTRY.fullmatch(part)
    mark, numbers, name = (group or "" for group in match.groups()) if match else ("", part, "")
    try:
        sensitivity, weight, *locked = (parse_number(number) for number in numbers.split(","))
    except ValueError:
        return part
    inside = is_inside(sensitivity, SENSITIVITY_RANGE) and is_inside(weight, _WEIGHTS)
    if not inside or not all(is_inside(epsilon, POSITIVE_EPSILON_RANGE) for epsilon in locked) or len(locked) > 1:
        return part
    half_width = min(max(_WANTED * sensitivity / weight, 1e-100), 1e100)
    lock = f"@epsilon,{locked[0]:.15g}" if locked else ""
    return f"{mark}own:{half_width:.4g},{sensitivity:.15g},{sensitivity:.15g}{lock}={name}"


PAGE = Page(
    ACCURACY,
    parameters.PARAMETERS,
    compute_result,
    sections=(error.SECTION, records.SECTION),
    correct=parameters.correct,
    moved_sections={
        "budget": MovedSection(
            PLAN,
            "queries",
            ("promise", "queries", "direction"),
            plan_entries,
            {"budget": "plan", "budget_table": "plan_table"},
        )
    },
)
