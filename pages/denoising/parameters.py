"""The parameters of this page alone: those of its sections, and the pinned setting."""

from pages.denoising.counts import parameters as counts_parameters
from pages.denoising.estimator_risk import parameters as risk_parameters
from pages.denoising.map import parameters as map_parameters
from pages.framework.parameters.parameter import Parameter
from pages.framework.parameters.pin import Pin
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.parameters import N_PERIODS, NEIGHBOURS, OWN_TABLE, PER_CELL, PER_PERSON, PER_TOTAL
from pages.shared.shared_parameters import SEED

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
