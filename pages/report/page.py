"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.report import files, found, parameters, sections, words
from pages.shared.site_map import REPORT

PAGE = Page(
    REPORT,
    parameters.PARAMETERS,
    found.compute_result,
    sections.SECTIONS,
    words.answer,
    files=files.FILES,
)
