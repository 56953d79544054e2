"""What each trace of the page of reproduced papers must show, section by section: see `tests.pages.figure_checks`."""

from tests.pages.figure_checks import joined
from tests.pages.papers.figure_checks import (
    balle_means,
    balle_variance,
    liu_exponential,
    liu_pdp,
    liu_tables,
    liu_tails,
)

SETTINGS, CHARTS = joined(balle_variance, balle_means, liu_pdp, liu_tails, liu_tables, liu_exponential)
