"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.gaussian_bounds import claims, code, exhibits, parameters, sections, text
from pages.shared.site_map import GAUSSIAN_BOUNDS

PAGE = Page(
    GAUSSIAN_BOUNDS,
    parameters.PARAMETERS,
    exhibits.compute_result,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    claims=claims.claims,
    explanation=lambda found: text.explanation(found.rows, found.setting),
    snippets=code.snippets,
)
