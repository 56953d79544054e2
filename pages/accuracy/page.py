"""The page on accuracy."""

from pages.accuracy import parameters
from pages.accuracy.error import section as error
from pages.accuracy.moved_budget import plan_entries
from pages.accuracy.records import section as records
from pages.accuracy.results import compute_result
from pages.framework.layout.page import Page
from pages.framework.layout.section import MovedSection
from pages.shared.site_map import ACCURACY, PLAN

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
