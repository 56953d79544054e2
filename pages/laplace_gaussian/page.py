"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.laplace_gaussian import claims, code, exhibits, parameters, sections
from pages.shared.site_map import LAPLACE_GAUSSIAN

PAGE = Page(
    LAPLACE_GAUSSIAN,
    parameters.PARAMETERS,
    exhibits.compute_result,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    parameters.correct,
    explanation=lambda found: found.explanation,
    claims=claims.claims,
    snippets=code.snippets,
)
