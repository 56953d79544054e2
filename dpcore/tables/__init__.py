"""Tables of counts: those that ship with the project, those of the user's own, and what noise leaves of them.

All public names stand here.
"""

from dpcore._sheet import MOST_BYTES
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
from dpcore.tables.calibrated import KEYS, left_out, mechanisms
from dpcore.tables.cells import (
    least_count_for_share,
    power,
    relative_error,
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
from dpcore.tables.layout import KINDS
from dpcore.tables.reading import Taken, read_table
from dpcore.tables.records import MOST_CELLS, MOST_ROWS
from dpcore.tables.release import REPEATS_RANGE, Kept, clipping_lift, kept, post_process, simulated_clipping_lift
from dpcore.tables.sensitivity import CELLS_RANGE, MARGINS_RANGE, NEIGHBOURS, PER_CELL_RANGE, Moves, moves
from dpcore.tables.settings import MECHANISMS, PAPER, PublishedExperiment, Setting, experiment_settings
from dpcore.tables.shipped import czech_autoworkers, mildew

__all__ = [
    "ADULT_ADDRESS",
    "CELLS_RANGE",
    "EXPERIMENT_REPEATS_RANGE",
    "KEYS",
    "KINDS",
    "MARGINS_RANGE",
    "MEASURES",
    "MECHANISMS",
    "MOST_ADULT_BYTES",
    "MOST_BYTES",
    "MOST_CELLS",
    "MOST_ROWS",
    "NEIGHBOURS",
    "PAPER",
    "PER_CELL_RANGE",
    "REPEATS_RANGE",
    "SMOOTHING_RANGE",
    "Kept",
    "Moves",
    "PublishedExperiment",
    "Setting",
    "SvmScore",
    "Taken",
    "adult_completers",
    "adult_counts",
    "adult_split",
    "clipping_lift",
    "czech_autoworkers",
    "download_adult",
    "experiment",
    "experiment_settings",
    "kept",
    "least_count_for_share",
    "left_out",
    "mechanisms",
    "mildew",
    "moves",
    "paper_ordering",
    "possible_cells",
    "post_process",
    "power",
    "read_adult",
    "read_table",
    "relative_error",
    "sanitised",
    "seen_from_empty",
    "simulated_clipping_lift",
    "stays_above",
    "svm_accuracy",
]
