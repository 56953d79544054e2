"""Points counted by place, on a grid or at the nodes of a road graph, and capped so that noise covers a person.

All public names stand here.
"""

from dpcore.places.caps import capped_weight
from dpcore.places.counting import GRID_RANGE, WITHIN_RANGE, grid_places, nearest_places, place_counts

__all__ = [
    "GRID_RANGE",
    "WITHIN_RANGE",
    "capped_weight",
    "grid_places",
    "nearest_places",
    "place_counts",
]
