"""The page on tables of counts."""

from pages.framework.layout.page import Page
from pages.framework.layout.section import MovedSection
from pages.shared.site_map import PAPERS, TABLES
from pages.tables import parameters
from pages.tables.appearance import section as appearance
from pages.tables.cells import section as cells
from pages.tables.mechanisms import section as mechanisms
from pages.tables.release import section as release
from pages.tables.results import compute_result

PAGE = Page(
    TABLES,
    parameters.PARAMETERS,
    compute_result,
    sections=(mechanisms.SECTION, cells.SECTION, release.SECTION, appearance.SECTION),
    correct=parameters.correct,
    moved_sections={"paper": MovedSection(PAPERS, "tables", (*parameters.EXPERIMENT_KEYS, "table", "own", "seed"))},
)
