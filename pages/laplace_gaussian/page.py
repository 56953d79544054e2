"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.laplace_gaussian import parameters
from pages.laplace_gaussian.crossover import section as crossover
from pages.laplace_gaussian.densities import section as densities
from pages.laplace_gaussian.errors import section as errors
from pages.laplace_gaussian.results import compute_result
from pages.laplace_gaussian.several_deltas import section as several_deltas
from pages.shared.site_map import LAPLACE_GAUSSIAN

PAGE = Page(
    LAPLACE_GAUSSIAN,
    parameters.PARAMETERS,
    compute_result,
    sections=(errors.SECTION, crossover.SECTION, several_deltas.SECTION, densities.SECTION),
    correct=parameters.correct,
)
