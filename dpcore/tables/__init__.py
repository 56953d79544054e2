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
from dpcore.tables.layout import KINDS
from dpcore.tables.mechanisms import left_out, mechanisms
from dpcore.tables.moves import CELLS_RANGE, MARGINS_RANGE, NEIGHBOURS, PER_CELL_RANGE, Moves, moves
from dpcore.tables.noises import KEYS, Noise
from dpcore.tables.reading import Taken, read_table
from dpcore.tables.recommendation import PROMISES, Recommendation, recommended
from dpcore.tables.records import MOST_CELLS, MOST_ROWS
from dpcore.tables.sheet import MOST_BYTES
from dpcore.tables.shipped import czech_autoworkers, mildew

__all__ = [
    "CELLS_RANGE",
    "KEYS",
    "KINDS",
    "MARGINS_RANGE",
    "MOST_BYTES",
    "MOST_CELLS",
    "MOST_ROWS",
    "NEIGHBOURS",
    "PER_CELL_RANGE",
    "PROMISES",
    "Moves",
    "Noise",
    "Recommendation",
    "Taken",
    "czech_autoworkers",
    "distinguishable",
    "least_count_for_share",
    "left_out",
    "mechanisms",
    "mildew",
    "moves",
    "power",
    "read_table",
    "recommended",
    "relative_error",
    "seen_from_empty",
    "stays_above",
]
