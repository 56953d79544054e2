"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.generalized_gaussian import bounded_words, code, exhibits, parameters, proofs, sections, words
from pages.shared.site_map import GENERALIZED_GAUSSIAN

PAGE = Page(
    GENERALIZED_GAUSSIAN,
    parameters.PARAMETERS,
    exhibits.compute_result,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    parameters.correct,
    explanation=lambda found: f"{words.explanation(found)}\n\n{bounded_words.explanation(found)}",
    claims=proofs.claims,
    snippets=code.snippets,
)
