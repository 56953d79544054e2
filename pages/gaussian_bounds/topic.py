"""The page as a whole."""

from pages.gaussian_bounds import exhibits, parameters, sections, words
from pages.shared.contents import GAUSSIAN_BOUNDS
from pages.shared.topics import Topic

TOPIC = Topic(
    GAUSSIAN_BOUNDS,
    parameters.OWN,
    exhibits.found,
    sections.SECTIONS,
    sections.answer,
    exhibits.ALL,
    explained=lambda found: words.explanation(found.rows, found.setting),
)
