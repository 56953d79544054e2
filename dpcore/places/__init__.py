"""Points counted by place, on a grid or at the nodes of a road graph, and capped so that noise covers a person.

All public names stand here.
"""

from dpcore.places.caps import CAP_RANGE, ENDS, NEIGHBOURS, capped_weight, trips_sensitivity
from dpcore.places.counting import GRID_RANGE, WITHIN_RANGE, grid_places, nearest_places, place_counts

__all__ = [
    "CAP_RANGE",
    "ENDS",
    "GRID_RANGE",
    "NEIGHBOURS",
    "WITHIN_RANGE",
    "capped_weight",
    "grid_places",
    "nearest_places",
    "place_counts",
    "trips_sensitivity",
]
