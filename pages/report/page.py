"""The page of a report."""

from pages.framework.layout.page import Page
from pages.report import files, parameters
from pages.report.results import compute_result
from pages.report.section import SECTION
from pages.shared.site_map import REPORT

PAGE = Page(REPORT, parameters.PARAMETERS, compute_result, sections=(SECTION,), files=files.FILES)
