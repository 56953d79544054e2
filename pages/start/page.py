"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.shared.site_map import START
from pages.start import claims, code, parameters, sections

PAGE = Page(
    START,
    parameters.PARAMETERS,
    sections.compute_result,
    sections.SECTIONS,
    sections.answer,
    claims=claims.claims,
    snippets=code.snippets,
)
