"""The page as a whole."""

from pages.framework.layout.page import Page
from pages.report import files, parameters, results, sections, text
from pages.shared.site_map import REPORT

PAGE = Page(
    REPORT,
    parameters.PARAMETERS,
    results.compute_result,
    sections.SECTIONS,
    text.answer,
    files=files.FILES,
)
