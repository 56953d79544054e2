"""The page as a whole."""

from pages.generalized_gaussian import bounded_words, code, exhibits, parameters, proofs, sections, words
from pages.shared.contents import GENERALIZED_GAUSSIAN
from pages.shared.topics import Topic

TOPIC = Topic(
    GENERALIZED_GAUSSIAN,
    parameters.OWN,
    exhibits.found,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    parameters.correct,
    explained=lambda found: f"{words.explanation(found)}\n\n{bounded_words.explanation(found)}",
    claims=proofs.claims,
    snippets=code.snippets,
)
