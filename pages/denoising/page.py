"""The page on denoising: its sections in their order."""

from pages.denoising.counts import section as counts
from pages.denoising.estimator_risk import section as estimator_risk
from pages.denoising.map import section as map_section
from pages.denoising.parameters import MEANS_KEYS, PARAMETERS, SHOW, TABLE, VARIANCE_KEYS
from pages.denoising.results import compute_result
from pages.framework.layout.page import Page, merged_section
from pages.framework.layout.section import MovedSection
from pages.shared.counts.table import limit_corrections
from pages.shared.site_map import DENOISING, PAPERS

PAGE = Page(
    DENOISING,
    PARAMETERS,
    compute_result,
    sections=(
        merged_section(
            "My counts", SHOW, (counts.SECTION, estimator_risk.SECTION), lambda result: result.values["show"]
        ),
        map_section.SECTION,
    ),
    correct=lambda values: limit_corrections(values, TABLE),
    moved_sections={
        "variance": MovedSection(PAPERS, "variance", VARIANCE_KEYS),
        "means": MovedSection(PAPERS, "means", (*MEANS_KEYS, "seed")),
    },
)
