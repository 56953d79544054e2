"""The page on what ε means for one person."""

from pages.framework.layout.page import Page
from pages.meaning.parameters import PARAMETERS
from pages.meaning.results import compute_result
from pages.meaning.sections import PERSON
from pages.shared.site_map import MEANING

PAGE = Page(MEANING, PARAMETERS, compute_result, sections=(PERSON,))
