"""The parameters of the section on maps: whose places, the grid, and the limits on one person."""

from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.parameter import Parameter

PLACES = Choice("places", "places", {"carshare": "Car sharing in Montréal", "own": "My own places"}, "carshare")
GRID = Quantity(
    "grid",
    "cells across",
    "Cells of the grid from west to east",
    "[2, 100]",
    "24",
    help="From south to north there are as many as make the cells about square. No more than 10,000 in all.",
    whole=True,
    ends="← coarse · cells across · fine →",
    scale=("8", "12", "16", "20", "24", "28", "32", "40", "48", "64"),
    caption="cells across",
)
TRIPS = Quantity(
    "trips",
    "cap L",
    "Most trips (or other points) of one person, L",
    "[1, 1e6]",
    "5",
    help="It must be enforced: what a person has beyond this limit is left out before counting. If trips have "
    "weights, it "
    "is in the unit of the weights.",
    whole=True,
    ends="← less noise · L · more noise →",
    scale=("1", "2", "3", "4", "5", "6", "8", "10", "15", "20", "30", "50", "100"),
    caption="L · trips per person",
)
AT_PLACE = Quantity(
    "at_place",
    "cap at one place, c",
    "Most trips of one person at one place, c",
    "[1, 1e6]",
    "1e6",
    help="At L or above it has no effect: all trips of a person may be at one place. Below L it requires less noise, "
    "and "
    "must be enforced too.",
    whole=True,
    ends="← less noise · c · more noise →",
    scale=("1", "2", "3", "4", "5", "10", "20", "50", "100", "1e6"),
    caption="c · most per cell",
)
PINNABLE: tuple[Parameter, ...] = (PLACES, GRID, TRIPS, AT_PLACE)
PARAMETERS: tuple[Parameter, ...] = ()
