"""The page as a whole."""

from pages.laplace_gaussian import code, exhibits, parameters, proofs, sections
from pages.shared.contents import LAPLACE_GAUSSIAN
from pages.shared.topics import Topic

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
