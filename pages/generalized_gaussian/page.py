"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.generalized_gaussian import bounded_text, claims, code, exhibits, parameters, sections, text
from pages.shared.site_map import GENERALIZED_GAUSSIAN

PAGE = Page(
    GENERALIZED_GAUSSIAN,
    parameters.PARAMETERS,
    exhibits.compute_result,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    parameters.correct,
    explanation=lambda found: f"{text.explanation(found)}\n\n{bounded_text.explanation(found)}",
    claims=claims.claims,
    snippets=code.snippets,
)
