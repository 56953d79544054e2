"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.shared.site_map import TABLES
from pages.tables import claims, code, exhibits, parameters, sections

PAGE = Page(
    TABLES,
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
