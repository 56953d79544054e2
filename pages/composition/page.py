"""The page as a whole."""

from pages.composition import claims, code, exhibits, parameters, sections
from pages.framework.layout.page import Page
from pages.shared.site_map import COMPOSITION

PAGE = Page(
    COMPOSITION,
    parameters.PARAMETERS,
    exhibits.compute_result,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    parameters.correct,
    explanation=sections.explanation,
    claims=claims.claims,
    snippets=code.snippets,
)
