"""What each trace of the page on generalized Gaussian noise must show, by section: see `tests.pages.figure_checks`."""

from tests.pages.figure_checks import joined
from tests.pages.generalized_gaussian.figure_checks import bounded, densities, optimal_shape, scale

SETTINGS, CHARTS = joined(densities, scale, optimal_shape, bounded)
