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
from dpcore.tables.mechanisms import KEYS, Noise, left_out, mechanisms
from dpcore.tables.moves import Moves, moves
from dpcore.tables.reading import MOST_CELLS, counts_from_csv
from dpcore.tables.recommendation import Recommendation, recommended
from dpcore.tables.shipped import czech_autoworkers

__all__ = [
    "KEYS",
    "MOST_CELLS",
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
