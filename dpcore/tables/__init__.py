"""Tables of counts: those that ship with the project, and what noise leaves of any.

All public names stand here.
"""

from dpcore.tables.adult import (
    adult_completers,
    adult_counts,
    adult_split,
    possible_cells,
)
from dpcore.tables.calibrated import KEYS, left_out, mechanisms
from dpcore.tables.cells import (
    least_count_for_share,
    power,
    seen_from_empty,
    stays_above,
)
from dpcore.tables.classifier import SvmScore, svm_accuracy
from dpcore.tables.experiments import (
    EXPERIMENT_REPEATS_RANGE,
    MEASURES,
    SMOOTHING_RANGE,
    experiment,
    paper_ordering,
    sanitised,
)
from dpcore.tables.release import REPEATS_RANGE, Kept, clipping_lift, kept, post_process, simulated_clipping_lift
from dpcore.tables.settings import MECHANISMS, PAPER, PublishedExperiment, Setting, experiment_settings
from dpcore.tables.shipped import czech_autoworkers, mildew

__all__ = [
    "EXPERIMENT_REPEATS_RANGE",
    "KEYS",
    "MEASURES",
    "MECHANISMS",
    "PAPER",
    "REPEATS_RANGE",
    "SMOOTHING_RANGE",
    "Kept",
    "PublishedExperiment",
    "Setting",
    "SvmScore",
    "adult_completers",
    "adult_counts",
    "adult_split",
    "clipping_lift",
    "czech_autoworkers",
    "experiment",
    "experiment_settings",
    "kept",
    "least_count_for_share",
    "left_out",
    "mechanisms",
    "mildew",
    "paper_ordering",
    "possible_cells",
    "post_process",
    "power",
    "sanitised",
    "seen_from_empty",
    "simulated_clipping_lift",
    "stays_above",
    "svm_accuracy",
]
