"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.framework.layout.section import MovedSection
from pages.laplace_gaussian import results as laplace_gaussian_results
from pages.laplace_gaussian.crossover import section as crossover
from pages.laplace_gaussian.errors import section as errors
from pages.laplace_gaussian.results import compute_result
from pages.shared.laplace_query import query_corrections
from pages.shared.site_map import LAPLACE_GAUSSIAN, PAPERS

PAGE = Page(
    LAPLACE_GAUSSIAN,
    laplace_gaussian_results.PARAMETERS,
    compute_result,
    sections=(errors.SECTION, crossover.SECTION),
    correct=query_corrections,
    moved_sections={
        "deltas": MovedSection(
            PAPERS, "tails", (*laplace_gaussian_results.TAILS_KEYS, "case", "k", "gaussian", "t", "l1_sensitivity")
        )
    },
)
