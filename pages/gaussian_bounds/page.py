"""The page of the Gaussian bounds."""

from pages.framework.layout.page import Page
from pages.framework.layout.section import MovedSection
from pages.gaussian_bounds import parameters, sections
from pages.gaussian_bounds.results import compute_result
from pages.shared.site_map import GAUSSIAN_BOUNDS, PAPERS

PAGE = Page(
    GAUSSIAN_BOUNDS,
    parameters.PARAMETERS,
    compute_result,
    sections=(sections.BOUNDS, sections.PROFILE),
    moved_sections={"pdp": MovedSection(PAPERS, "pdp")},
)
