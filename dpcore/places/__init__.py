"""Points and road graphs of the user's own: read, counted by place, and capped so that noise covers a person.

All public names stand here.
"""

from dpcore.places.caps import CAP_RANGE, ENDS, NEIGHBOURS, capped_weight, trips_sensitivity
from dpcore.places.counting import GRID_RANGE, WITHIN_RANGE, counted_said, grid_places, nearest_places, place_counts
from dpcore.places.points import MOST_POINTS, PointColumns, Points, point_columns, read_points
from dpcore.places.roads import MOST_EDGES, MOST_NODES, NodeCounts, RoadGraph, read_graph, read_node_counts

__all__ = [
    "CAP_RANGE",
    "ENDS",
    "GRID_RANGE",
    "MOST_EDGES",
    "MOST_NODES",
    "MOST_POINTS",
    "NEIGHBOURS",
    "WITHIN_RANGE",
    "NodeCounts",
    "PointColumns",
    "Points",
    "RoadGraph",
    "capped_weight",
    "counted_said",
    "grid_places",
    "nearest_places",
    "place_counts",
    "point_columns",
    "read_graph",
    "read_node_counts",
    "read_points",
    "trips_sensitivity",
]
