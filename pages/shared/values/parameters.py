"""The parameters of values, one for each person: public figures on their distribution, or the user's own."""

from math import log

from scipy.special import ndtri

from dpcore import clipping
from dpcore.checks import RECORDS_RANGE
from dpcore.clipping import Distribution
from pages.framework.layout.section import Field, FieldLink
from pages.framework.parameters.kinds import Choice, FreeText, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_input_up
from pages.framework.parameters.parameter import Correction, Values
from pages.framework.session.data_files import OWN, box_key
from pages.shared.values.own_values import LinkedValues

SLOT = "values"
"""The slot of the user's own values in the tab of the browser."""
VALUES_BOX = box_key(SLOT)
"""The key of the fields for the user's own values."""
P90_DEVIATIONS = float(ndtri(0.9))
"""By how many standard deviations the 90th percentile of a normal distribution exceeds its median."""
_MOST_RATIO, _USUAL_RATIO, _LEAST_RATIO = 500.0, 3.0, 1.02  # of the 90th percentile to the median
_LEAST_MEDIAN, _MOST_SPREAD = 1e-6, 1e12
_STEPS = ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9")
SOURCE = Choice("source", "values", {"shape": "A distribution", "own": "My own values"}, "shape")
SOURCE_FIELD = Field(SOURCE, "Values", link=FieldLink("Use my own values", VALUES_BOX, OWN, SLOT))
OWN_VALUES = LinkedValues()
SHAPE = Choice("shape", "shape", {"lognormal": "Skewed (lognormal)", "normal": "Symmetric (normal)"}, "lognormal")
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


def distribution(shape: str, median: float, p90: float, n: float) -> Distribution:
    """Return the distribution of n values of a shape with this median and 90th percentile.

    >>> str(distribution("normal", 5.0, 10.0, 100.0).quantile([0.5, 0.9]).round(9))
    '[ 5. 10.]'
    """
    if shape == "normal":
        return clipping.normal(median, (p90 - median) / P90_DEVIATIONS, int(n))
    return clipping.lognormal(log(median), log(p90 / median) / P90_DEVIATIONS, int(n))


def shape_corrections(values: Values, median_of_page: Quantity = MEDIAN, p90: Quantity = P90) -> list[Correction]:
    """Return the corrections of percentiles that no distribution has; a page may have defaults of its own."""
    median, high = values[MEDIAN.key], values[P90.key]
    if values[SOURCE.key] == OWN:
        return []
    if values[SHAPE.key] == "normal":
        return _normal_shape(median, high)
    if median < _LEAST_MEDIAN:
        problem = (
            f"{MEDIAN.symbol} ({MEDIAN.key}) must be at least {exact_text(_LEAST_MEDIAN)} for skewed values; "
            f"{format_input_up(median)} was given. {median_of_page.default} and {p90.default} are used instead."
        )
        return [Correction(MEDIAN.key, median_of_page.default, problem), Correction(P90.key, p90.default, problem)]
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
