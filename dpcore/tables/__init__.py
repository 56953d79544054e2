"""Tables of counts: those that ship with the project, and what noise leaves of any.

All public names stand here.
"""

from dpcore.tables.cells import (
    consecutive_groups,
    detection_threshold,
    least_count_for_share,
    least_visible_count,
    power,
)
from dpcore.tables.classifier import SvmScore, adult_completers, adult_counts, adult_split, possible_cells, svm_accuracy
from dpcore.tables.experiments import (
    EXPERIMENT_REPEATS_RANGE,
    MEASURES,
    SMOOTHING_RANGE,
    experiment,
    paper_ordering,
    sanitised,
)
from dpcore.tables.release import (
    REPEATS_RANGE,
    ReleaseStatistics,
    clipping_lift,
    post_process,
    simulate_releases,
    simulated_clipping_lift,
)
from dpcore.tables.settings import MECHANISMS, PAPER, PublishedExperiment, Setting, experiment_settings
from dpcore.tables.shipped import czech_autoworkers, mildew
from dpcore.tables.table_mechanisms import KEYS, mechanisms, truncated_geometric_noise, unavailable
from dpcore.tables.wanted import of_half_width

__all__ = [
    "EXPERIMENT_REPEATS_RANGE",
    "KEYS",
    "MEASURES",
    "MECHANISMS",
    "PAPER",
    "REPEATS_RANGE",
    "SMOOTHING_RANGE",
    "PublishedExperiment",
    "ReleaseStatistics",
    "Setting",
    "SvmScore",
    "adult_completers",
    "adult_counts",
    "adult_split",
    "clipping_lift",
    "consecutive_groups",
    "czech_autoworkers",
    "detection_threshold",
    "experiment",
    "experiment_settings",
    "least_count_for_share",
    "least_visible_count",
    "mechanisms",
    "mildew",
    "of_half_width",
    "paper_ordering",
    "possible_cells",
    "post_process",
    "power",
    "sanitised",
    "simulate_releases",
    "simulated_clipping_lift",
    "svm_accuracy",
    "truncated_geometric_noise",
    "unavailable",
]
