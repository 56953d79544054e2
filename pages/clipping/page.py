"""The page on clipping: which bounds, and how many records of one person."""

from pages.clipping import parameters
from pages.clipping.bounds import section as bounds
from pages.clipping.contributions import section as contributions
from pages.clipping.results import compute_result
from pages.framework.layout.page import Page
from pages.shared.site_map import CLIPPING

PAGE = Page(
    CLIPPING,
    parameters.PARAMETERS,
    compute_result,
    sections=(bounds.SECTION, contributions.SECTION),
    correct=parameters.correct,
)
