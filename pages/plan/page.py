"""The page on a plan for several queries: its parameters, its result, and its section."""

from pages.framework.layout.page import Page
from pages.plan import parameters
from pages.plan.results import compute_result
from pages.plan.total import section as total
from pages.shared.site_map import PLAN

PAGE = Page(PLAN, parameters.PARAMETERS, compute_result, sections=(total.SECTION,))
