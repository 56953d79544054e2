"""The page on denoising: its sections in their order."""

from pages.denoising.counts import section as counts
from pages.denoising.estimator_risk import section as estimator_risk
from pages.denoising.map import section as map_section
from pages.denoising.means import section as means
from pages.denoising.parameters import PARAMETERS
from pages.denoising.results import compute_result
from pages.denoising.variance import section as variance
from pages.framework.layout.page import Page
from pages.shared.site_map import DENOISING

PAGE = Page(
    DENOISING,
    PARAMETERS,
    compute_result,
    sections=(counts.SECTION, estimator_risk.SECTION, map_section.SECTION, variance.SECTION, means.SECTION),
)
