"""The page as a whole."""

from pages.shared.contents import START
from pages.shared.topics import Topic
from pages.start import code, parameters, proofs, sections

TOPIC = Topic(
    START,
    parameters.OWN,
    sections.found,
    sections.SECTIONS,
    sections.answer,
    claims=proofs.claims,
    snippets=code.snippets,
)
