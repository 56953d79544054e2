"""The parameters of the page, section by section."""

from dpcore.denoise import ESTIMATORS
from pages.denoising.map.places import Box
from pages.framework.layout.page import picture_choice
from pages.framework.parameters import number_format, number_parser
from pages.framework.parameters.kinds import Choice, Pin, Quantity, steps
from pages.framework.parameters.parameter import Parameter, excerpt
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.table import N_PERIODS, NEIGHBOURS, OWN_TABLE, PER_CELL, PER_PERSON, PER_TOTAL
from pages.shared.shared_parameters import SEED, more_text

# Counts: their order, what is known of them, and which estimator is drawn.
TABLE = Choice(
    "table", "table", {"mildew": "Barley mildew", "czech": "Czech autoworkers", "own": "My own table"}, "mildew"
)
_DISPLAYABLE = ESTIMATORS.keys() - {"none", "james_stein", "graph_wavelet"}

SHOW = picture_choice("show", {"counts": "My counts", "where": "Where each is best"})
SIGNAL = Choice(
    "signal",
    "numbers",
    {"table": "A table of counts", "blocks": "Blocks, a trial series", "bumps": "Bumps, a trial series"},
    "table",
)
ORDER = Choice("order", "order of the cells", {"none": "In no order", "series": "In order: a series"}, "none")
PRIOR_SD = Quantity(
    "prior_sd",
    "w",
    "Standard deviation w of a count around 0, known before",
    "[1e-6, 1e9]",
    "20",
    help="The prior N(0, w²) of the posterior mean. It has to be known without the data.",
    ends="← shrinks more · w · less →",
    scale=steps(-1, 5, ("1", "2", "5")),
    caption="w · prior standard deviation",
)
TOTAL = Choice("total", "total", {"own": "Not public", "public": "Public"}, "own")
ESTIMATOR = Choice(
    "estimator",
    "estimator drawn",
    {"first": "The estimator that ranks first"}
    | {key: estimator.name for key, estimator in ESTIMATORS.items() if key in _DISPLAYABLE},
    "first",
)

# Where each estimator wins: how many numbers, their size, and how many are not 0.
DIMENSION = Quantity(
    "dimension",
    "d",
    "How many numbers d are released",
    "[3, 10000]",
    "64",
    help="From three on, James–Stein is defined; above 10,000 the simulation would take too long.",
    whole=True,
    ends="← fewer · d · more →",
    scale=(*("3", "4", "5", "7", "10", "16", "24", "32", "48", "64"), *steps(2, 4, ("1", "2", "5"))),
    caption="d · numbers released",
)
NORM = Quantity(
    "norm",
    "‖y‖/(σ√d)",
    "Size of the numbers against the noise, ‖y‖/(σ√d)",
    "[0, 1000]",
    "1",
    help="The root mean square of the true numbers, in standard deviations of the noise.",
    ends="← noise is larger · size · numbers are larger →",
    scale=steps(-1, 2, ("1", "1.2", "1.5", "1.8", "2.2", "2.7", "3.3", "4", "5", "6", "7", "8.5")),
    caption="signal-to-noise ratio",
)
NONZERO = Quantity(
    "nonzero",
    "share not 0",
    "Share of the numbers that are not 0",
    "[1e-5, 1]",
    "0.1",
    help="All non-zero numbers are equal. Their number is rounded to a whole number, at least one.",
    ends="← sparse · share not 0 · dense →",
    scale=(
        *("0.0001", "0.0002", "0.0005"),
        *("0.001", "0.0015", "0.002", "0.003", "0.005", "0.007", "0.01", "0.015", "0.02", "0.03", "0.05", "0.07"),
        *("0.1", "0.15", "0.2", "0.25", "0.3", "0.4", "0.5", "0.6", "0.7", "0.85", "1"),
    ),
    caption="share of non-zeros",
)
RISK_AGAINST = Choice(
    "risk_against",
    "what risk is drawn against",
    {"norm": "Signal-to-noise ratio", "nonzero": "Share of non-zeros"},
    "norm",
)


_LEAST_BOX_SIDE = 1e-4  # degrees, some ten metres
_BOX_FORM = "four numbers in degrees, south, west, north and east, such as 40.68; -74.03; 40.88; -73.9"

# Maps: whose places, their box or grid, and the limits on one person.
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


_PINNED_PARAMETERS: tuple[Parameter, ...] = (
    *(TABLE, PER_PERSON, PER_CELL, PER_TOTAL, N_PERIODS, NEIGHBOURS, *CONDITION_PARAMETERS),
    *(SIGNAL, ORDER, PRIOR_SD, TOTAL),
    *(DIMENSION, NORM, NONZERO),
    *(PLACES, GRID, TRIPS, AT_PLACE),
)
VARIANCE_KEYS = "variance_against", "variance_deltas", "variance_epsilons"  # of a section that has moved
MEANS_KEYS = "means_against", "means_grid", "mean_dimension", "mean_records", "mean_repeats"  # of another one
PINNED = Pin(_PINNED_PARAMETERS, retired_keys=(*VARIANCE_KEYS, *MEANS_KEYS))
PARAMETERS: tuple[Parameter, ...] = (SHOW, *_PINNED_PARAMETERS, OWN_TABLE, ESTIMATOR, RISK_AGAINST, SEED, PINNED)
