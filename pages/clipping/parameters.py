"""The parameters of this page alone: the values, the bounds, the noise, and a pinned setting."""

import math

from dpcore.checks import RECORDS_RANGE
from dpcore.clipping import NOISES
from dpcore.families import FAMILIES
from pages.clipping.bounds.parameters import BOUND, COUNT_SHARE, ERROR, HIGH, LOW, SHAPE
from pages.clipping.contributions.parameters import (
    DROPPING,
    EXPONENT,
    LIMIT,
    LIMIT_ERROR,
    MEAN_RECORDS,
    MOST_RECORDS,
    PEOPLE,
    SPREAD,
)
from pages.clipping.own_values import LinkedValues
from pages.framework.layout.section import Field, FieldLink
from pages.framework.parameters.kinds import Choice, FreeText, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.framework.parameters.pin import Pin
from pages.framework.session.data_files import OWN, box_key
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.parameters import CELLS, NEIGHBOURS
from pages.shared.shared_parameters import EPSILON

SLOT = "values"
"""The slot of the user's own values in the tab of the browser."""
VALUES_BOX = box_key(SLOT)
"""The key of the fields for the user's own values."""
LEAST_EPSILON, LARGEST_EPSILON = 1e-9, 1e3
LEAST_DELTA, LARGEST_DELTA = 1e-100, 0.5
_MOST_RATIO, _USUAL_RATIO, _LEAST_RATIO = 500.0, 3.0, 1.02  # of the 90th percentile to the median
_LEAST_MEDIAN, _MOST_SPREAD = 1e-6, 1e12
_STEPS = ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9")
SOURCE = Choice("source", "values", {"shape": "A distribution", "own": "My own values"}, "shape")
SOURCE_FIELD = Field(SOURCE, "Values", link=FieldLink("Use my own values", VALUES_BOX, OWN, SLOT))
OWN_VALUES = LinkedValues()
QUERY = Choice("query", "query", {"sum": "Sum", "mean": "Mean, n public", "counted_mean": "Mean, n counted"}, "sum")
MEDIAN = Quantity(
    "median",
    "median",
    "Median of the values, in their unit",
    "[-1e12, 1e12]",
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
    "[-1e12, 1e13]",
    "146000",
    help="Nine of ten values lie below it. Skewed values are taken as lognormal: their logarithms are normal.",
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
NOISE_NAMES = {key: FAMILIES[key].name for key in NOISES}
NOISE = Choice("noise", "noise", {key: NOISE_NAMES[key] for key in NOISES}, NOISES[0])


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
_PINNABLE: tuple[Parameter, ...] = (
    *(SOURCE, QUERY, SHAPE, MEDIAN, P90, N_RECORDS, LOW, BOUND, HIGH, NEIGHBOURS, NOISE, ERROR, COUNT_SHARE, UNIT),
    *(PEOPLE, MEAN_RECORDS, EXPONENT, MOST_RECORDS, CELLS, LIMIT, SPREAD, DROPPING, LIMIT_ERROR),
    *CONDITION_PARAMETERS,
)


def correct(values: Values) -> list[Correction]:
    """Return corrections of guarantees beyond those of this page, and of impossible shapes, bounds and weights."""
    return [
        *_guarantee(values),
        *_shape(values),
        *_counted(values),
        *_measure(values),
        *_bounds(values),
        *_weights(values),
    ]


def _weights(values: Values) -> list[Correction]:
    """Return the correction of weights, which are no whole numbers, under noise on the whole numbers."""
    if values[DROPPING.key] == "random" or not FAMILIES[values[NOISE.key]].whole:
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
    """Return the corrections of percentiles that no distribution of this page has."""
    median, high = values[MEDIAN.key], values[P90.key]
    if values[SOURCE.key] == OWN:
        return []
    if values[SHAPE.key] == "normal":
        return _normal_shape(median, high)
    if median < _LEAST_MEDIAN:
        problem = (
            f"{MEDIAN.symbol} ({MEDIAN.key}) must be at least {exact_text(_LEAST_MEDIAN)} for skewed values; "
            f"{format_input_up(median)} was given. {MEDIAN.default} and {P90.default} are used instead."
        )
        return [Correction(MEDIAN.key, MEDIAN.default, problem), Correction(P90.key, P90.default, problem)]
    if _LEAST_RATIO * median <= high <= _MOST_RATIO * median:
        return []
    used = exact_text(float(f"{_USUAL_RATIO * median:.4g}"))
    problem = (
        f"{P90.symbol} ({P90.key}) must be {exact_text(_LEAST_RATIO)} to {exact_text(_MOST_RATIO)} times the median, "
        f"{format_input_up(median)}; {format_input_up(high)} was given. {used} is used instead."
    )
    return [Correction(P90.key, used, problem)]


def _normal_shape(median: float, high: float) -> list[Correction]:
    """Return the correction of a 90th percentile that is not well above the median of a normal distribution."""
    least = float(f"{1e-6 * max(abs(median), 1):.2g}")
    if least <= high - median <= _MOST_SPREAD:
        return []
    used = exact_text(float(f"{median + max(abs(median), 1):.4g}"))
    problem = (
        f"{P90.symbol} ({P90.key}) must exceed the median, {format_input_up(median)}, by {exact_text(least)} to "
        f"{exact_text(_MOST_SPREAD)}; {format_input_up(high)} was given. {used} is used instead."
    )
    return [Correction(P90.key, used, problem)]


def _counted(values: Values) -> list[Correction]:
    """Return the correction of noise on the whole numbers for a mean, which is none."""
    if values[QUERY.key] != "counted_mean" or not FAMILIES[values[NOISE.key]].whole:
        return []
    name = NOISE.options[values[NOISE.key]]
    allowed = f"noise (noise) must be continuous for a mean whose n is counted; {name} was given."
    return [Correction(NOISE.key, NOISE.default, f"{allowed} {NOISE.options[NOISE.default]} is used instead.")]


def _measure(values: Values) -> list[Correction]:
    """Return the correction of the half-width as the error that is least, where the search for it takes too long."""
    is_fast = values[NOISE.key] != "discrete_gaussian" and not math.isnan(values[LOW.key])
    if values[ERROR.key] != "half_width" or is_fast:
        return []
    *fast, half_width = ERROR.options.values()
    problem = (
        f"{ERROR.symbol} ({ERROR.key}) must be {' or '.join(fast)} for discrete Gaussian noise and where lo is sought; "
        f"{half_width} was given. {ERROR.options[ERROR.default]} is used instead."
    )
    return [Correction(ERROR.key, ERROR.default, problem)]


def _bounds(values: Values) -> list[Correction]:
    """Return the corrections of bounds that are no range, or not whole where the noise is."""
    low, is_whole = values[LOW.key], FAMILIES[values[NOISE.key]].whole
    if math.isnan(low) and values[NOISE.key] == "discrete_gaussian":
        problem = "lo (low) must be a number for discrete Gaussian noise; best was given. 0 is used instead."
        return [Correction(LOW.key, LOW.default, problem), *_bounds(values | {LOW.key: 0.0})]
    if low >= values[HIGH.key]:
        problem = (
            f"{LOW.symbol} ({LOW.key}) must be below {HIGH.symbol}, {format_input_up(values[HIGH.key])}; "
            f"{format_input_down(low)} was given. {LOW.default} is used instead."
        )
        return [Correction(LOW.key, LOW.default, problem), *_bounds(values | {LOW.key: float(LOW.default)})]
    if low >= values[BOUND.key]:
        problem = (
            f"{BOUND.symbol} ({BOUND.key}) must be above {LOW.symbol}, {format_input_up(low)}; "
            f"{format_input_down(values[BOUND.key])} was given. {BOUND.word} is used instead."
        )
        return [Correction(BOUND.key, BOUND.word, problem), *_bounds(values | {BOUND.key: math.nan})]
    rounded = ((LOW, math.floor), (HIGH, math.ceil), (BOUND, math.ceil))
    return [
        Correction(
            bound.key,
            str(rounding(values[bound.key])),
            f"{bound.symbol} ({bound.key}) must be whole for noise on the whole numbers; "
            f"{format_input_up(values[bound.key])} was given. {rounding(values[bound.key]):,} is used instead.",
        )
        for bound, rounding in rounded
        if is_whole and not math.isnan(values[bound.key]) and not values[bound.key].is_integer()
    ]


PINNED = Pin(_PINNABLE, correct)
PARAMETERS: tuple[Parameter, ...] = (*_PINNABLE, OWN_VALUES, PINNED)
