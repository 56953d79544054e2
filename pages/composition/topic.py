"""The page as a whole."""

from pages.composition import code, exhibits, parameters, proofs, sections
from pages.shared.contents import COMPOSITION
from pages.shared.topics import Topic

TOPIC = Topic(
    COMPOSITION,
    parameters.OWN,
    exhibits.found,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    parameters.correct,
    explained=sections.explanation,
    claims=proofs.claims,
    snippets=code.snippets,
)
