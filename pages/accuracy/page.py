"""The page as a whole."""

from pages.accuracy import claims, code, exhibits, parameters, sections
from pages.framework.layout.page import Page
from pages.shared.site_map import ACCURACY

PAGE = Page(
    ACCURACY,
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
