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
    "Most trips, or other points, of one person, L",
    "[1, 1e6]",
    "5",
    help="It must be a limit that is enforced: what a person has beyond it is left out before counting. Where trips "
    "are weighed, it is in the unit of the weights.",
    whole=True,
    ends="← less noise · L · more noise →",
    scale=("1", "2", "3", "4", "5", "6", "8", "10", "15", "20", "30", "50", "100"),
    caption="L · trips per person",
)
AT_PLACE = Quantity(
    "at_place",
    "cap at one place, c",
    "Most of them at one place, c",
    "[1, 1e6]",
    "1e6",
    help="From L on it is no limit of its own: all of a person’s may be at one place. Below L less noise is "
    "needed, and it must be enforced too.",
    whole=True,
    ends="← less noise · c · more noise →",
    scale=("1", "2", "3", "4", "5", "10", "20", "50", "100", "1e6"),
    caption="c · most per cell",
)
PINNABLE: tuple[Parameter, ...] = (PLACES, GRID, TRIPS, AT_PLACE)
PARAMETERS: tuple[Parameter, ...] = ()
