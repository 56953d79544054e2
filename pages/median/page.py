"""The page on medians and other quantiles."""

from pages.framework.layout.page import Page
from pages.median import parameters
from pages.median.largest.section import SECTION as LARGEST
from pages.median.quantile.section import SECTION as QUANTILE
from pages.median.results import compute_result
from pages.median.several.section import SECTION as SEVERAL
from pages.shared.site_map import MEDIAN

PAGE = Page(
    MEDIAN, parameters.PARAMETERS, compute_result, sections=(QUANTILE, SEVERAL, LARGEST), correct=parameters.correct
)
