"""Tables of counts: those that ship with the project, those of the user's own, and what noise leaves of them.

All public names stand here.
"""

from dpcore.tables.adult import (
    ADULT_ADDRESS,
    MOST_ADULT_BYTES,
    adult_completers,
    adult_counts,
    adult_split,
    download_adult,
    possible_cells,
    read_adult,
)
from dpcore.tables.cells import distinguishable
from dpcore.tables.classifier import SvmScore, svm_accuracy
from dpcore.tables.experiments import (
    EXPERIMENT_REPEATS_RANGE,
    MEASURES,
    SMOOTHING_RANGE,
    experiment,
    paper_ordering,
    sanitised,
)
from dpcore.tables.reading import MOST_CELLS, counts_from_csv
from dpcore.tables.release import (
    REPEATS_RANGE,
    Kept,
    clipping_lift,
    kept,
    post_process,
    simulated_clipping_lift,
)
from dpcore.tables.settings import MECHANISMS, PAPER, PublishedExperiment, Setting, experiment_settings
from dpcore.tables.shipped import czech_autoworkers

__all__ = [
    "ADULT_ADDRESS",
    "EXPERIMENT_REPEATS_RANGE",
    "MEASURES",
    "MECHANISMS",
    "MOST_ADULT_BYTES",
    "MOST_CELLS",
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
    "counts_from_csv",
    "czech_autoworkers",
    "distinguishable",
    "download_adult",
    "experiment",
    "experiment_settings",
    "kept",
    "paper_ordering",
    "possible_cells",
    "post_process",
    "read_adult",
    "sanitised",
    "simulated_clipping_lift",
    "svm_accuracy",
]
