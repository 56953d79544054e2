"""The page as a whole."""

from pages.generalized_gaussian import exhibits, parameters, proofs, sections
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
    claims=proofs.claims,
)
