"""The page on denoising: its sections in their order, and its parameters."""

from pages.denoising.counts import parameters as counts_parameters
from pages.denoising.counts import section as counts
from pages.denoising.estimator_risk import parameters as risk_parameters
from pages.denoising.estimator_risk import section as estimator_risk
from pages.denoising.map import parameters as map_parameters
from pages.denoising.map import section as map_section
from pages.denoising.results import compute_result
from pages.framework.layout.page import Page
from pages.framework.layout.section import MovedSection
from pages.framework.parameters.parameter import Parameter
from pages.framework.parameters.pin import Pin
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.parameters import N_PERIODS, NEIGHBOURS, OWN_TABLE, PER_CELL, PER_PERSON, PER_TOTAL
from pages.shared.shared_parameters import SEED
from pages.shared.site_map import DENOISING, PAPERS

_PINNED_PARAMETERS: tuple[Parameter, ...] = (
    *(counts_parameters.TABLE, PER_PERSON, PER_CELL, PER_TOTAL, N_PERIODS, NEIGHBOURS, *CONDITION_PARAMETERS),
    *counts_parameters.PINNABLE,
    *risk_parameters.PINNABLE,
    *map_parameters.PINNABLE,
)
VARIANCE_KEYS = "variance_against", "variance_deltas", "variance_epsilons"  # of a section that has moved
MEANS_KEYS = "means_against", "means_grid", "mean_dimension", "mean_records", "mean_repeats"  # of another one
PINNED = Pin(_PINNED_PARAMETERS, retired_keys=(*VARIANCE_KEYS, *MEANS_KEYS))
PARAMETERS: tuple[Parameter, ...] = (
    *_PINNED_PARAMETERS,
    OWN_TABLE,
    *counts_parameters.PARAMETERS,
    *risk_parameters.PARAMETERS,
    *map_parameters.PARAMETERS,
    SEED,
    PINNED,
)


PAGE = Page(
    DENOISING,
    PARAMETERS,
    compute_result,
    sections=(counts.SECTION, estimator_risk.SECTION, map_section.SECTION),
    moved_sections={
        "variance": MovedSection(PAPERS, "variance", VARIANCE_KEYS),
        "means": MovedSection(PAPERS, "means", (*MEANS_KEYS, "seed")),
    },
)
