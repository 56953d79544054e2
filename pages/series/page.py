"""The page on series: running totals, other sums of periods, ranges, and own sums."""

from pages.framework.layout.page import Page
from pages.series.over_time.section import SECTION as OVER_TIME
from pages.series.own_sums.section import SECTION as OWN_SUMS
from pages.series.parameters import IN_PERIODS, PARAMETERS, SERIES_NOISE, correct
from pages.series.ranges.section import SECTION as RANGES
from pages.series.results import compute_result
from pages.shared.site_map import SERIES

PAGE = Page(
    SERIES,
    PARAMETERS,
    compute_result,
    sections=(OVER_TIME, RANGES, OWN_SUMS),
    correct=correct,
    per_subject=(IN_PERIODS, SERIES_NOISE),
)
