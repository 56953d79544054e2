"""The page on surveys in which each person adds the noise."""

from pages.framework.layout.page import Page
from pages.shared.site_map import SURVEY
from pages.survey import parameters
from pages.survey.results import compute_result
from pages.survey.shares.section import SECTION as SHARES

PAGE = Page(SURVEY, parameters.PARAMETERS, compute_result, sections=(SHARES,), correct=parameters.correct)
