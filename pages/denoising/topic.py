"""The page as a whole."""

from pages.denoising import code, exhibits, parameters, proofs, sections
from pages.framework.layout.page import Topic
from pages.shared.site_map import DENOISING

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
