"""Tables of counts: those that ship with the project, and what noise leaves of any.

All public names stand here.
"""

from dpcore.tables.cells import (
    consecutive_groups,
    czech_autoworkers,
    detection_threshold,
    least_count_for_share,
    least_visible_count,
    mildew,
    power,
)
from dpcore.tables.classifier import SvmScore, adult_completers, adult_counts, adult_split, possible_cells, svm_accuracy
from dpcore.tables.experiments import (
    EXPERIMENT_REPEATS_RANGE,
    MEASURES,
    MECHANISMS,
    PAPER,
    SMOOTHING_RANGE,
    PublishedExperiment,
    Setting,
    experiment,
    experiment_settings,
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
from dpcore.tables.table_mechanisms import KEYS, mechanisms, of_half_width, truncated_geometric_noise, unavailable

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
