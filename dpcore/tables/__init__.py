"""Tables of counts: those that ship with the project, those of the user's own, and what noise leaves of them.

All public names stand here.
"""

from dpcore.tables.cells import distinguishable
from dpcore.tables.layout import KINDS
from dpcore.tables.reading import Taken, read_table
from dpcore.tables.records import MOST_CELLS, MOST_ROWS
from dpcore.tables.sheet import MOST_BYTES
from dpcore.tables.shipped import czech_autoworkers, mildew

__all__ = [
    "KINDS",
    "MOST_BYTES",
    "MOST_CELLS",
    "MOST_ROWS",
    "Taken",
    "czech_autoworkers",
    "distinguishable",
    "mildew",
    "read_table",
]
