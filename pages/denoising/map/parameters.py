"""The parameters of the section on maps: whose places, their box or grid, and the limits on one person."""

from pages.denoising.map.places import Box
from pages.framework.parameters import number_format, number_parser
from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.parameter import Parameter, excerpt
from pages.shared.glossary_links import more_text

_LEAST_BOX_SIDE = 1e-4  # degrees, some ten metres
_BOX_FORM = "four numbers in degrees, south, west, north and east, such as 40.68; -74.03; 40.88; -73.9"

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
    "weights, it is in the unit of the weights." + more_text("contribution_limit", "contribution limit"),
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


def box_text(box: Box) -> str:
    """Return a box as it is typed.

    >>> box_text((40.7, -74.0, 40.8, -73.9))
    '40.7; -74; 40.8; -73.9'
    """
    return "; ".join(number_format.exact_text(side) for side in box)


def parse_box(entry: str) -> Box:
    """Return the box that a text means; ValueError with a sentence if it means none.

    >>> parse_box("40.7, -74, 40.8, -73.9")
    (40.7, -74.0, 40.8, -73.9)
    """
    problem = f"The box must be {_BOX_FORM}; {excerpt(entry) or 'nothing'} was given."
    try:
        sides = [number_parser.parse_number(side) for side in number_parser.split_list(entry)]
    except ValueError:
        raise ValueError(problem) from None
    if len(sides) != 4:
        raise ValueError(problem)
    south, west, north, east = sides
    if max(abs(south), abs(north)) > 90 or max(abs(west), abs(east)) > 180:
        raise ValueError(f"{problem} Latitudes are from −90 to 90, longitudes from −180 to 180.")
    if north - south < _LEAST_BOX_SIDE or east - west < _LEAST_BOX_SIDE:
        raise ValueError(f"{problem} North must be above south, and east beyond west.")
    return south, west, north, east
