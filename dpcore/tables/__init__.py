"""Tables of counts: those that ship with the project, those of the user's own, and what noise leaves of them.

All public names stand here.
"""

from dpcore.tables.cells import distinguishable
from dpcore.tables.reading import MOST_CELLS, counts_from_csv
from dpcore.tables.shipped import czech_autoworkers

__all__ = ["MOST_CELLS", "counts_from_csv", "czech_autoworkers", "distinguishable"]
