"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.shared.site_map import START
from pages.start import code, parameters, proofs, sections

PAGE = Page(
    START,
    parameters.OWN,
    sections.found,
    sections.SECTIONS,
    sections.answer,
    claims=proofs.claims,
    snippets=code.snippets,
)
