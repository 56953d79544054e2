"""The page as a whole."""

from pages.gaussian_bounds import code, exhibits, parameters, proofs, sections, words
from pages.shared.contents import GAUSSIAN_BOUNDS
from pages.shared.topics import Topic

TOPIC = Topic(
    GAUSSIAN_BOUNDS,
    parameters.OWN,
    exhibits.found,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    claims=proofs.claims,
    explained=lambda found: words.explanation(found.rows, found.setting),
    snippets=code.snippets,
)
