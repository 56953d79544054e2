"""The page as a whole."""

from pages.composition import code, exhibits, parameters, proofs, sections
from pages.framework.layout.page import Topic
from pages.shared.site_map import COMPOSITION

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
