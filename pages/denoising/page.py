"""The page as a whole."""

from pages.denoising import code, exhibits, parameters, proofs, sections
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
    claims=proofs.claims,
    snippets=code.snippets,
)
