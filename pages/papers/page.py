"""The page of the papers whose figures and experiments are reproduced: its sections, paper by paper."""

from pages.framework.layout.page import Page
from pages.papers.balle_means import section as balle_means
from pages.papers.balle_variance import section as balle_variance
from pages.papers.liu_exponential import section as liu_exponential
from pages.papers.liu_pdp import section as liu_pdp
from pages.papers.liu_tables import section as liu_tables
from pages.papers.liu_tails import section as liu_tails
from pages.papers.parameters import PARAMETERS, correct
from pages.papers.results import compute_result
from pages.shared.site_map import PAPERS

PAGE = Page(
    PAPERS,
    PARAMETERS,
    compute_result,
    sections=(
        balle_variance.SECTION,
        balle_means.SECTION,
        liu_pdp.SECTION,
        liu_tails.SECTION,
        liu_tables.SECTION,
        liu_exponential.SECTION,
    ),
    correct=correct,
)
