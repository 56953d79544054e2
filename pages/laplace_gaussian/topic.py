"""The page as a whole."""

from pages.framework.layout.page import Topic
from pages.laplace_gaussian import code, exhibits, parameters, proofs, sections
from pages.shared.site_map import LAPLACE_GAUSSIAN

TOPIC = Topic(
    LAPLACE_GAUSSIAN,
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
