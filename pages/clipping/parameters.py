"""The parameters of this page alone: the records of people, the bounds of values, the noise, and a pinned setting."""

import math
from dataclasses import replace

from dpcore.clipping import NOISES
from dpcore.families import FAMILIES
from pages.framework.parameters.kinds import AutomaticQuantity, Choice, Pin, Quantity, steps
from pages.framework.parameters.number_format import format_input_down, format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.table import CELLS, NEIGHBOURS
from pages.shared.shared_parameters import DELTA, EPSILON, more_text, outside_limits
from pages.shared.values import parameters as of_values
from pages.shared.values.parameters import MEDIAN, N_RECORDS, OWN_VALUES, P90, SHAPE, SOURCE, shape_corrections

UNIT = replace(of_values.UNIT, default="", min_length=0, older_default="dollars")

PEOPLE = Choice(
    "people", "numbers of records", {"geometric": "Around a mean", "zipf": "A few people with many"}, "geometric"
)
MEAN_RECORDS = Quantity(
    "mean_records",
    "mean records per person",
    "Mean number of records of a person",
    "[1, 100]",
    "5.4",
    help="The numbers of records are geometric, from 1 on: each further record is as likely as the one before.",
    ends="← fewer · mean · more →",
    scale=("1", "1.5", "2", "3", "4", "5", "6", "8", "10", "15", "20", "30", "50", "70", "100"),
    caption="mean records per person",
)
EXPONENT = Quantity(
    "exponent",
    "exponent",
    "Exponent of the numbers of records: a share ∝ j^−exponent of the people has j records",
    "[0, 10]",
    "2",
    help="With exponent 2, four times as many people have 1 record as have 2. A small exponent means that many people "
    "have many records.",
    ends="← more with many · exponent · fewer →",
    scale=("0.5", "1", "1.2", "1.5", "1.8", "2", "2.5", "3", "4", "5"),
    caption="exponent",
)
MOST_RECORDS = Quantity(
    "most_records",
    "most records of a person",
    "Most records that a person can have",
    "[1, 5000]",
    "200",
    whole=True,
    ends="← fewer · most · more →",
    scale=steps(0, 3, ("1", "2", "3", "5", "7")),
    caption="most records of a person",
)
LIMIT = Quantity(
    "limit",
    "r",
    "Your limit r of records per person",
    "[1, 100000]",
    "50",
    help="The limit that you use now, or the most records that are possible. The page compares it with the best one. "
    "You can also drag the dashed line in the chart." + more_text("contribution_limit", "contribution limit"),
    ends="← more is dropped · r · more noise →",
    scale=steps(0, 5, ("1", "2", "3", "4", "5", "6", "7", "8", "9")),
    whole=True,
    caption="r · your limit of records",
)
SPREAD = Choice(
    "spread", "records of a person", {"cells": "In different cells", "one_cell": "Possibly in one cell"}, "cells"
)
DROPPING = Choice("dropping", "what is dropped", {"random": "At random", "weight": "By weight"}, "random")
LIMIT_ERROR = Choice(
    "limit_error",
    "error to minimise",
    {"cell_error": "One cell", "total_error": "The total", "all_half_width": "All cells at once"},
    "cell_error",
)


COUNT_SHARE = Quantity(
    "count_share",
    "s",
    "Share s of ε for the noisy count of the values",
    "[0.01, 0.99]",
    "0.2",
    help="The rest buys the noise of the sum. The noisy sum of the distances to the middle of the bounds is divided by "
    "the noisy count.",
    caption="s · share of ε for the count",
)
LOW = AutomaticQuantity(
    "low",
    "lo",
    "Lower bound lo, in the unit of the values",
    "[-1e13, 1e13]",
    "0",
    help="Values below it are raised to it. It must be public knowledge, such as 0 for an income or a distance. Where "
    "values may be negative, enter best: then both bounds are sought.",
    caption="lo · lower bound",
    button="Seek both bounds",
)
BOUND = AutomaticQuantity(
    "bound",
    "U",
    "Clipping bound U, in the unit of the values",
    "[1e-9, 1e13]",
    "best",
    help="Values above it are lowered to it. The word best stands for the least error. Drag the dashed line in the "
    "chart, or enter a number, to see what another bound costs." + more_text("clipping", "clipping"),
    ends="← more is cut · U · more noise →",
    scale=steps(-1, 9, ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9")),
    caption="U · clipping bound",
    button="Back to the least error",
)
HIGH = Quantity(
    "high",
    "hi",
    "Maximum hi of your range, in the unit of the values",
    "[1e-9, 1e13]",
    "1000000",
    help="The largest value that is possible, from public knowledge, or the bound that you use now. "
    "The page compares the error there with the least one.",
    caption="hi · maximum of your range",
)
ERROR = Choice(
    "error",
    "error to minimise",
    {"root_mean_square": "Root mean square", "mean_absolute": "Mean absolute", "half_width": "Half-width (±)"},
    "root_mean_square",
)


LEAST_EPSILON, LARGEST_EPSILON = 1e-9, 1e3
LEAST_DELTA, LARGEST_DELTA = 1e-100, 0.5
QUERY = Choice("query", "statistic", {"sum": "Sum", "mean": "Mean, n public", "counted_mean": "Mean, n counted"}, "sum")
NOISE_NAMES = {key: FAMILIES[key].name for key in NOISES}
NOISE = Choice("noise", "noise", {key: NOISE_NAMES[key] for key in NOISES}, NOISES[0])


_PINNABLE: tuple[Parameter, ...] = (
    *(SOURCE, QUERY, SHAPE, MEDIAN, P90, N_RECORDS, LOW, BOUND, HIGH, NEIGHBOURS, NOISE, ERROR, COUNT_SHARE, UNIT),
    *(PEOPLE, MEAN_RECORDS, EXPONENT, MOST_RECORDS, CELLS, LIMIT, SPREAD, DROPPING, LIMIT_ERROR),
    *CONDITION_PARAMETERS,
)


def unit_of(values: Values) -> str:
    """Return the unit of the values: the user's, or dollars for the incomes with which the page begins."""
    are_incomes = all(str(values[item.key]) == str(item.read(item.default)) for item in (SOURCE, MEDIAN, P90))
    return values[UNIT.key] or ("dollars" if are_incomes else "units")


def correct(values: Values) -> list[Correction]:
    """Return corrections of guarantees beyond those of this page, and of impossible shapes, bounds and weights."""
    where = "where values are clipped"
    return [
        *outside_limits(values, EPSILON, LEAST_EPSILON, LARGEST_EPSILON, where),
        *outside_limits(values, DELTA, LEAST_DELTA, LARGEST_DELTA, where),
        *shape_corrections(values),
        *_counted(values),
        *_measure(values),
        *_bounds(values),
        *_weights(values),
    ]


def _weights(values: Values) -> list[Correction]:
    """Return the correction of weights, which are no whole numbers, under noise on the whole numbers."""
    if values[DROPPING.key] == "random" or not FAMILIES[values[NOISE.key]].whole:
        return []
    allowed = "what is dropped must be random for noise on the whole numbers; weight was given."
    problem = f"{allowed} random is used instead."
    return [Correction(DROPPING.key, "random", problem)]


def _counted(values: Values) -> list[Correction]:
    """Return the correction of noise on the whole numbers for a mean, which is none."""
    if values[QUERY.key] != "counted_mean" or not FAMILIES[values[NOISE.key]].whole:
        return []
    name = NOISE.options[values[NOISE.key]]
    allowed = f"noise must be continuous for a mean whose n is counted; {name} was given."
    return [Correction(NOISE.key, NOISE.default, f"{allowed} {NOISE.options[NOISE.default]} is used instead.")]


def _measure(values: Values) -> list[Correction]:
    """Return the correction of the half-width as the error that is least, where the search for it takes too long."""
    is_fast = values[NOISE.key] != "discrete_gaussian" and not math.isnan(values[LOW.key])
    if values[ERROR.key] != "half_width" or is_fast:
        return []
    *fast, half_width = ERROR.options.values()
    problem = (
        f"{ERROR.symbol} must be {' or '.join(fast)} for discrete Gaussian noise and where lo is sought; "
        f"{half_width} was given. {ERROR.options[ERROR.default]} is used instead."
    )
    return [Correction(ERROR.key, ERROR.default, problem)]


def _bounds(values: Values) -> list[Correction]:
    """Return the corrections of bounds that are no range, or not whole where the noise is."""
    low, is_whole = values[LOW.key], FAMILIES[values[NOISE.key]].whole
    if math.isnan(low) and values[NOISE.key] == "discrete_gaussian":
        problem = "lo must be a number for discrete Gaussian noise; best was given. 0 is used instead."
        return [Correction(LOW.key, LOW.default, problem), *_bounds(values | {LOW.key: 0.0})]
    if low >= values[HIGH.key]:
        problem = (
            f"{LOW.symbol} must be below {HIGH.symbol}, {format_input_up(values[HIGH.key])}; "
            f"{format_input_down(low)} was given. {LOW.default} is used instead."
        )
        return [Correction(LOW.key, LOW.default, problem), *_bounds(values | {LOW.key: float(LOW.default)})]
    if low >= values[BOUND.key]:
        problem = (
            f"{BOUND.symbol} must be above {LOW.symbol}, {format_input_up(low)}; "
            f"{format_input_down(values[BOUND.key])} was given. {BOUND.word} is used instead."
        )
        return [Correction(BOUND.key, BOUND.word, problem), *_bounds(values | {BOUND.key: math.nan})]
    rounded = ((LOW, math.floor), (HIGH, math.ceil), (BOUND, math.ceil))
    return [
        Correction(
            bound.key,
            str(rounding(values[bound.key])),
            f"{bound.symbol} must be whole for noise on the whole numbers; "
            f"{format_input_up(values[bound.key])} was given. {rounding(values[bound.key]):,} is used instead.",
        )
        for bound, rounding in rounded
        if is_whole and not math.isnan(values[bound.key]) and not values[bound.key].is_integer()
    ]


PINNED = Pin(_PINNABLE, correct)
PARAMETERS: tuple[Parameter, ...] = (*_PINNABLE, OWN_VALUES, PINNED)
