"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.shared.site_map import START
from pages.start import code, parameters, proofs, sections

PAGE = Page(
    START,
    parameters.PARAMETERS,
    sections.compute_result,
    sections.SECTIONS,
    sections.answer,
    claims=proofs.claims,
    snippets=code.snippets,
)
