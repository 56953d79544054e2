"""The page as a whole."""

from pages.report import files, found, parameters, sections, words
from pages.shared.contents import REPORT
from pages.shared.topics import Topic

TOPIC = Topic(
    REPORT,
    parameters.OWN,
    found.found,
    sections.SECTIONS,
    words.answer,
    files=files.FILES,
)
