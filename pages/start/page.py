"""The start page."""

from pages.framework.classroom.demonstrations import shorten_sequence
from pages.framework.layout.page import Page
from pages.shared.site_map import START
from pages.start import sections
from pages.start.glossary.parameters import TERM
from pages.start.results import compute_result
from pages.start.sections import GLOSSARY

PAGE = Page(
    START,
    parameters=(TERM,),
    compute=compute_result,
    sections=(sections.QUESTIONS, sections.CLASSROOM, GLOSSARY),
    correct=shorten_sequence,
)
