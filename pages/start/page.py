"""The start page."""

from pages.framework.layout.page import Page
from pages.shared.site_map import START
from pages.start import sections
from pages.start.results import compute_result

PAGE = Page(
    START,
    parameters=(),
    compute=compute_result,
    sections=(sections.QUESTIONS, sections.CLASSROOM, sections.GLOSSARY),
)
