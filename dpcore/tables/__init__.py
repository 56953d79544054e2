"""Tables of counts: those that ship with the project, those of the user's own, and what noise leaves of them.

All public names stand here.
"""

from dpcore.tables.cells import (
    distinguishable,
    least_count_for_share,
    power,
    relative_error,
    seen_from_empty,
    stays_above,
)
from dpcore.tables.mechanisms import left_out, mechanisms
from dpcore.tables.moves import CELLS_RANGE, MARGINS_RANGE, NEIGHBOURS, PER_CELL_RANGE, Moves, moves
from dpcore.tables.noises import KEYS, Noise
from dpcore.tables.reading import MOST_CELLS, counts_from_csv
from dpcore.tables.recommendation import PROMISES, Recommendation, recommended
from dpcore.tables.shipped import czech_autoworkers

__all__ = [
    "CELLS_RANGE",
    "KEYS",
    "MARGINS_RANGE",
    "MOST_CELLS",
    "NEIGHBOURS",
    "PER_CELL_RANGE",
    "PROMISES",
    "Moves",
    "Noise",
    "Recommendation",
    "counts_from_csv",
    "czech_autoworkers",
    "distinguishable",
    "least_count_for_share",
    "left_out",
    "mechanisms",
    "moves",
    "power",
    "recommended",
    "relative_error",
    "seen_from_empty",
    "stays_above",
]
