"""The page as a whole."""

from pages.shared.contents import TRADEOFF
from pages.shared.topics import Topic
from pages.tradeoff import exhibits, parameters, proofs, sections

TOPIC = Topic(
    TRADEOFF,
    parameters.OWN,
    exhibits.found,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    claims=proofs.claims,
)
