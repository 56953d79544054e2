"""The page as a whole."""

from pages.framework.layout.page import Topic
from pages.shared.site_map import TABLES
from pages.tables import code, exhibits, parameters, proofs, sections

TOPIC = Topic(
    TABLES,
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
