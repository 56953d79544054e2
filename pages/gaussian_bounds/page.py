"""The page of the Gaussian bounds."""

from pages.framework.layout.page import Page
from pages.gaussian_bounds import parameters, sections
from pages.gaussian_bounds.results import compute_result
from pages.shared.site_map import GAUSSIAN_BOUNDS

PAGE = Page(
    GAUSSIAN_BOUNDS,
    parameters.PARAMETERS,
    compute_result,
    sections=(sections.BOUNDS, sections.PROFILE, sections.PDP_SHARE),
)
