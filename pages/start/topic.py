"""The page as a whole."""

from pages.shared.contents import START
from pages.shared.topics import Topic
from pages.start import parameters, proofs, sections

TOPIC = Topic(START, parameters.OWN, sections.found, sections.SECTIONS, sections.answer, claims=proofs.claims)
