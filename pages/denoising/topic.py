"""The page as a whole."""

from pages.denoising import code, exhibits, parameters, proofs, sections
from pages.shared.contents import DENOISING
from pages.shared.topics import Topic

TOPIC = Topic(
    DENOISING,
    parameters.OWN,
    exhibits.found,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    explained=sections.explanation,
    claims=proofs.claims,
    snippets=code.snippets,
)
