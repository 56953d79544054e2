"""The page on accuracy."""

from pages.accuracy import parameters
from pages.accuracy.budget import section as budget
from pages.accuracy.error import section as error
from pages.accuracy.records import section as records
from pages.accuracy.results import compute_result
from pages.framework.layout.page import Page
from pages.shared.site_map import ACCURACY

PAGE = Page(
    ACCURACY,
    parameters.PARAMETERS,
    compute_result,
    sections=(error.SECTION, records.SECTION, budget.SECTION),
    correct=parameters.correct,
)
