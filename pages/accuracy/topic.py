"""The page as a whole."""

from pages.accuracy import code, exhibits, parameters, proofs, sections
from pages.framework.layout.page import Topic
from pages.shared.site_map import ACCURACY

TOPIC = Topic(
    ACCURACY,
    parameters.OWN,
    exhibits.found,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    parameters.correct,
    explained=lambda found: found.explanation,
    claims=proofs.claims,
    snippets=code.snippets,
)
