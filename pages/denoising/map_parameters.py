"""What the section on maps asks: whose places, the grid, and the most trips of one person."""

from pages.shared.parameters import Choice, Parameter, Quantity

PLACES = Choice("places", "places", {"carshare": "Car sharing in Montréal", "own": "My points"}, "carshare")
GRID = Quantity(
    "grid",
    "cells across",
    "Cells of the grid from west to east",
    "[2, 100]",
    "24",
    whole=True,
    ends="← coarse · cells across · fine →",
    scale=("8", "12", "16", "20", "24", "28", "32", "40", "48", "64"),
)
TRIPS = Quantity(
    "trips",
    "cap",
    "Most trips of one person that are counted",
    "[1, 1e6]",
    "5",
    help="It must be a limit that is enforced: what a person has beyond it is left out before counting.",
    whole=True,
    ends="← less noise · trips of one person · more noise →",
    scale=("1", "2", "3", "4", "5", "6", "8", "10", "15", "20", "30", "50", "100"),
)
KEPT: tuple[Parameter, ...] = (PLACES, GRID, TRIPS)
OWN: tuple[Parameter, ...] = ()
