"""The page as a whole."""

from pages.framework.layout.page import Page, merged_section
from pages.framework.layout.section import MovedSection
from pages.generalized_gaussian import parameters
from pages.generalized_gaussian.bounded import section as bounded
from pages.generalized_gaussian.densities import section as densities
from pages.generalized_gaussian.optimal_shape import section as optimal_shape
from pages.generalized_gaussian.results import compute_result
from pages.generalized_gaussian.scale import section as scale
from pages.shared.site_map import GENERALIZED_GAUSSIAN, PAPERS

PAGE = Page(
    GENERALIZED_GAUSSIAN,
    parameters.PARAMETERS,
    compute_result,
    sections=(
        merged_section(
            "Shapes",
            parameters.SHOW,
            (densities.SECTION, scale.SECTION, bounded.SECTION),
            lambda result: result.setting.show,
        ),
        optimal_shape.SECTION,
    ),
    correct=parameters.correct,
    moved_sections={
        "exponential": MovedSection(
            PAPERS, "exponential", (*parameters.EXPONENTIAL_KEYS, "p", "bound_low", "bound_high")
        )
    },
)
