"""The page as a whole."""

from pages.framework.layout.page import Topic
from pages.shared.site_map import START
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
