"""What each trace of the page on series must show, in a module for each section: see `tests.pages.figure_checks`."""

from tests.pages.figure_checks import joined
from tests.pages.series.figure_checks import over_time, own_sums, ranges

SETTINGS, CHARTS = joined(over_time, ranges, own_sums)
