"""The parameters of this page alone: the values, the bounds, the noise, and a pinned setting."""

import math

from dpcore.checks import RECORDS_RANGE
from dpcore.clipping import NOISES
from pages.clipping.own_values import OWN, LinkedValues
from pages.framework.layout.section import Field, FieldLink
from pages.framework.parameters.kinds import Choice, FreeText, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.framework.parameters.pin import Pin
from pages.shared.counts.parameters import CELLS, NEIGHBOURS
from pages.shared.shared_parameters import EPSILON

VALUES_BOX = "own_values_box"
"""The key of the fields for the user's own values."""
SLOT = "values"
"""The slot of the user's own values in the tab of the browser."""
WHOLE_NOISES = ("geometric", "discrete_gaussian")
LEAST_EPSILON, LARGEST_EPSILON = 1e-9, 1e3
LEAST_DELTA, LARGEST_DELTA = 1e-100, 0.5
_MOST_RATIO, _USUAL_RATIO, _LEAST_RATIO = 500.0, 3.0, 1.02  # of the 90th percentile to the median
_STEPS = ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9")
SOURCE = Choice("source", "values", {"shape": "A distribution", "own": "My own values"}, "shape")
SOURCE_FIELD = Field(SOURCE, "Values", link=FieldLink("Use my own values", VALUES_BOX, OWN, SLOT))
OWN_VALUES = LinkedValues()
QUERY = Choice("query", "query", {"sum": "Sum", "mean": "Mean, n public"}, "sum")
MEDIAN = Quantity(
    "median",
    "median",
    "Median of the values, in their unit",
    "[1e-6, 1e12]",
    "51017",
    help="Half of the values lie below it. Take it from public statistics or an older release, not from the "
    "confidential data.",
    ends="← lower · median · higher →",
    scale=steps(-2, 7, _STEPS),
    caption="median",
)
P90 = Quantity(
    "p90",
    "90th percentile",
    "90th percentile of the values, in their unit",
    "[1e-6, 1e13]",
    "146000",
    help="Nine of ten values lie below it. The values are taken as lognormal: their logarithms are normal.",
    ends="← less spread · 90th percentile · more spread →",
    scale=steps(-2, 8, _STEPS),
    caption="90th percentile",
)
N_RECORDS = Quantity(
    "n_records",
    "n",
    "Number of values n: one for each person",
    RECORDS_RANGE,
    "10000",
    help="How many people have a value. It need not be exact: the best bound changes slowly with it.",
    whole=True,
    ends="← fewer · n · more →",
    scale=steps(0, 8, ("1", "2", "5")),
    caption="n · number of values",
)
LOW = Quantity(
    "low",
    "lo",
    "Lower bound lo, in the unit of the values",
    "[-1e13, 1e13]",
    "0",
    help="Values below it are raised to it. It must be public knowledge, such as 0 for an income or a distance.",
    caption="lo · lower bound",
)
HIGH = Quantity(
    "high",
    "hi",
    "Your upper bound hi, in the unit of the values",
    "[1e-9, 1e13]",
    "1000000",
    help="The bound that you use now, or the largest value that is possible. The page compares it with the best one. "
    "You can also drag the dashed line in the chart.",
    ends="← more is cut · hi · more noise →",
    scale=steps(-1, 9, _STEPS),
    caption="hi · your upper bound",
)
NOISE_NAMES = {
    "laplace": "Laplace",
    "geometric": "Geometric",
    "gaussian": "Gaussian",
    "discrete_gaussian": "Discrete Gaussian",
    "truncated_laplace": "Truncated Laplace",
}


def noise_in_words(noise: str) -> str:
    """Return the name of a noise within a sentence.

    >>> noise_in_words("geometric"), noise_in_words("laplace")
    ('geometric', 'Laplace')
    """
    name = NOISE_NAMES[noise]
    return name if name.startswith(("Laplace", "Gaussian")) else f"{name[0].lower()}{name[1:]}"


NOISE = Choice("noise", "noise", {key: NOISE_NAMES[key] for key in NOISES}, NOISES[0])
ERROR = Choice(
    "error",
    "error meant",
    {"root_mean_square": "Root mean square", "mean_absolute": "Mean absolute"},
    "root_mean_square",
)


class Unit(FreeText):
    """The unit of the values: a short text that is no number."""

    @property
    def allowed(self) -> str:
        """The allowed form in words."""
        return f"{super().allowed}, and no number"

    def read(self, entry: str) -> str:
        """Return the unit; raise ValueError if it is too long or a number."""
        words = super().read(entry)
        try:
            float(words)
        except ValueError:
            return words
        raise ValueError(entry)


UNIT = Unit("unit", "unit of the values", "dollars")
PEOPLE = Choice(
    "people",
    "numbers of records",
    {"geometric": "Around a mean", "zipf": "A few people with many"},
    "geometric",
)
MEAN_RECORDS = Quantity(
    "mean_records",
    "mean",
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
    "most",
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
    "k",
    "Your limit k of records per person",
    "[1, 100000]",
    "50",
    help="The limit that you use now, or the most records that are possible. The page compares it with the best one. "
    "You can also drag the dashed line in the chart.",
    ends="← more is dropped · k · more noise →",
    scale=steps(0, 5, ("1", "2", "3", "4", "5", "6", "7", "8", "9")),
    whole=True,
    caption="k · your limit",
)
SPREAD = Choice(
    "spread",
    "records of a person",
    {"cells": "In different cells", "one_cell": "Possibly in one cell"},
    "cells",
)
DROPPING = Choice("dropping", "what is dropped", {"random": "At random", "weight": "By weight"}, "random")
LIMIT_ERROR = Choice(
    "limit_error",
    "error meant",
    {"cell_error": "One cell", "total_error": "The total", "all_half_width": "All cells at once"},
    "cell_error",
)
_PINNABLE: tuple[Parameter, ...] = (
    *(SOURCE, QUERY, MEDIAN, P90, N_RECORDS, LOW, HIGH, NEIGHBOURS, NOISE, ERROR, UNIT),
    *(PEOPLE, MEAN_RECORDS, EXPONENT, MOST_RECORDS, CELLS, LIMIT, SPREAD, DROPPING, LIMIT_ERROR),
)


def correct(values: Values) -> list[Correction]:
    """Return corrections of guarantees beyond those of this page, and of impossible shapes, bounds and weights."""
    return [*_guarantee(values), *_shape(values), *_bounds(values), *_weights(values)]


def _weights(values: Values) -> list[Correction]:
    """Return the correction of weights, which are no whole numbers, under noise on the whole numbers."""
    if values[DROPPING.key] == "random" or values[NOISE.key] not in WHOLE_NOISES:
        return []
    allowed = "what is dropped (dropping) must be random for noise on the whole numbers; weight was given."
    problem = f"{allowed} random is used instead."
    return [Correction(DROPPING.key, "random", problem)]


def _guarantee(values: Values) -> list[Correction]:
    """Return the corrections of an ε or δ at which a bound has no best place."""
    corrections = []
    limits = ("epsilon", "ε", LEAST_EPSILON, LARGEST_EPSILON), ("delta", "δ", LEAST_DELTA, LARGEST_DELTA)
    for key, symbol, low, high in limits:
        if not low <= values[key] <= high:
            used = "1e-6" if key == "delta" else EPSILON.default
            allowed = f"{symbol} ({key}) must be from {exact_text(low)} to {exact_text(high)} where values are clipped"
            problem = f"{allowed}; {format_input_up(values[key])} was given. {used} is used instead."
            corrections.append(Correction(key, used, problem))
    return corrections


def _shape(values: Values) -> list[Correction]:
    """Return the corrections of percentiles that no lognormal distribution of this page has."""
    median, high = values[MEDIAN.key], values[P90.key]
    if values[SOURCE.key] == OWN or _LEAST_RATIO * median <= high <= _MOST_RATIO * median:
        return []
    used = exact_text(float(f"{_USUAL_RATIO * median:.4g}"))
    problem = (
        f"{P90.symbol} ({P90.key}) must be {exact_text(_LEAST_RATIO)} to {exact_text(_MOST_RATIO)} times the median, "
        f"{format_input_up(median)}; {format_input_up(high)} was given. {used} is used instead."
    )
    return [Correction(P90.key, used, problem)]


def _bounds(values: Values) -> list[Correction]:
    """Return the corrections of bounds that are no range, or not whole where the noise is."""
    low, high = values[LOW.key], values[HIGH.key]
    if not low < high:
        problem = (
            f"{LOW.symbol} ({LOW.key}) must be below {HIGH.symbol}, {format_input_up(high)}; {format_input_down(low)} "
            f"was given. {LOW.default} is used instead."
        )
        corrections = [Correction(LOW.key, LOW.default, problem)]
        return [*corrections, *_bounds(values | {LOW.key: float(LOW.default)})]
    if values[NOISE.key] not in WHOLE_NOISES:
        return []
    whole = {LOW: math.floor(low), HIGH: math.ceil(high)}
    return [
        Correction(
            bound.key,
            str(used),
            f"{bound.symbol} ({bound.key}) must be whole for noise on the whole numbers; "
            f"{format_input_up(values[bound.key])} was given. {used:,} is used instead.",
        )
        for bound, used in whole.items()
        if used != values[bound.key]
    ]


def pinned_corrections(values: Values) -> list[Correction]:
    """Return the corrections of a pinned setting."""
    return [correction for correction in correct(values) if correction.problem]


PINNED = Pin(_PINNABLE, pinned_corrections)
PARAMETERS: tuple[Parameter, ...] = (*_PINNABLE, OWN_VALUES, PINNED)
