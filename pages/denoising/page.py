"""The page as a whole."""

from pages.denoising import claims, code, exhibits, parameters, sections
from pages.framework.layout.page import Page
from pages.shared.site_map import DENOISING

PAGE = Page(
    DENOISING,
    parameters.PARAMETERS,
    exhibits.compute_result,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    explanation=sections.explanation,
    claims=claims.claims,
    snippets=code.snippets,
)
