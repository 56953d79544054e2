"""Values, one for each person: the parameters of public figures on them, the user's own, and amounts in a unit."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import log

import numpy as np
from scipy.special import ndtri

from dpcore import clipping, readers
from dpcore.checks import RECORDS_RANGE, Array
from dpcore.clipping import Distribution
from dpcore.readers import AmbiguousNumberError, PersonValues
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES
from pages.framework.layout.section import Field, FieldLink
from pages.framework.parameters.kinds import Choice, FreeText, Quantity, steps
from pages.framework.parameters.number_format import (
    exact_text,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    plural,
)
from pages.framework.parameters.parameter import Correction, Parameter, PartError, Values, excerpt
from pages.framework.session.data_files import LINKED, OWN, ChoiceField, DataFiles, ReadData, box_key, for_link
from pages.shared.file_notes import FILE_SENTENCES, chosen_entry, mark_offers, question_text, sentences
from pages.shared.shared_parameters import SharedSetting

MOST_LINKED, MOST_CHARACTERS = 100, 1000
NONE = "none"
CHOICES = {"column": "", "person": "", "decimal": ""}
"""The choices on how to read a file, "" for the reader's own: the columns of the values and of the people, the mark."""
_EACH_ROW, _NONE = {"": "None: each row is a person"}, np.empty(0)


@dataclass(frozen=True)
class ValuesUpload:
    """What was read from a file: the values of each person, or the sentence on why there are none."""

    values: PersonValues | None
    problem: str = ""


def read_upload(files: DataFiles, _: object = None) -> ReadData[ValuesUpload]:
    """Return the values of a file, or of a link, or the question what a number in the file means."""
    name, data = files.file
    if LINKED in files.files:
        values = np.array(LinkedValues().read(data.decode()), np.float64)
        return ReadData(ValuesUpload(linked_values(values)), link_text=link_text(values))
    column, person, decimal = (files.choices[choice] for choice in CHOICES)
    try:
        values = readers.read_values(data, column, person, decimal)
    except AmbiguousNumberError as error:
        question = question_text(name, error)
        return ReadData(ValuesUpload(None, question), question, offers=mark_offers(error.entry, ""))
    return ReadData(
        ValuesUpload(values),
        offers=mark_offers(chosen_entry(values.notes), decimal),
        notes=(reading_text(values),),
        memory={"values": replace(values, values=_NONE, records=_NONE, rows=_NONE)},
        **for_link(lambda: link_text(values.values)),
    )


def choice_fields(files: DataFiles) -> Iterator[ChoiceField]:
    """Yield the fields for the columns of a file that has several."""
    values: PersonValues | None = files.memory.get("values")
    if values is None or len(values.columns) < 2:
        return
    yield ChoiceField("column", "Column of the values", values.column, values.numbers)
    label = "Column that names the person: their rows are summed unless several count"
    yield ChoiceField("person", label, values.person, ("", *values.columns), _EACH_ROW)


def reading_text(values: PersonValues) -> str:
    r"""Return the sentence on how a file was read.

    >>> reading_text(readers.read_values(b"miles\n2\n\n5\n"))
    '2 people with a number in column miles.'
    >>> reading_text(readers.read_values(b"2\n5\n"))
    '2 people with a number in column 1.'
    """
    people, column = plural(values.values.size, "person", "people"), _column_words(values.column)
    first = f"{people} with a number in {column}."
    if values.person:
        first = (
            f"{people}, named by {_column_words(values.person)}, with the sum of {column} unless several rows count."
        )
    likely = values.likely_person
    asked = f"Column {excerpt(likely)} seems to name people: choose it, or each row counts as another person."
    rest = [asked] if likely else []
    rest += [f"Rows without a number or a person are left out: {values.n_missing:,}."] if values.n_missing else []
    return " ".join((first, *rest, *sentences(values.notes, FILE_SENTENCES)))


def _column_words(name: str) -> str:
    """Return the name of a column in a sentence; one without a name is numbered, such as "column 1"."""
    return name if re.fullmatch(r"column \d+", name) else f"column {excerpt(name)}"


def link_text(values: Array) -> str:
    """Return values as a text for the link; ValueError with the reason if they are too many.

    >>> link_text(np.array([12.0, 0.5]))
    '12;0.5'
    """
    if values.size > MOST_LINKED:
        raise ValueError(f"a link holds at most {MOST_LINKED} values, and there are {values.size:,}")
    text = ";".join(f"{value:.17g}" for value in values.tolist())
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"a link holds values of at most {MOST_CHARACTERS:,} characters")
    return text


def linked_values(values: Array) -> PersonValues:
    """Return the values of a link as those of people with one record each."""
    return PersonValues(values, np.ones(values.size), values, "", "", (), (), 0)


@dataclass(frozen=True)
class LinkedValues(Parameter):
    """A parameter that holds a few values of the user's own where the user includes them in the link, else none."""

    key: str = "own"
    symbol: str = "own values"
    default: str = NONE

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"none, or 1 to {MOST_LINKED} numbers from −1e15 to 1e15, as 12;15.5;30"

    def read(self, entry: str) -> tuple[float, ...] | None:
        """Return the values, None for none; ValueError if the text has none or too many."""
        text = entry.strip()
        if text == NONE:
            return None
        parts = text.split(";")
        if len(parts) > MOST_LINKED or len(text) > MOST_CHARACTERS:
            raise PartError(f"at most {MOST_LINKED} numbers and {MOST_CHARACTERS:,} characters fit a link.")
        return tuple(_linked_value(part) for part in parts)

    def data_in(self, entry: str) -> str:
        """Return what a text holds in words, empty for no values."""
        values = self.read(entry)
        return "" if values is None else plural(len(values), "value")


def _linked_value(part: str) -> float:
    if not part.isascii() or "_" in part or not abs(value := float(part)) <= 1e15:
        raise ValueError(part)
    return value


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


@dataclass(frozen=True)
class ValuesSetting(SharedSetting):
    """The parameters of the values of a page, which adds its own; the user's own values are not among them."""

    source: str
    shape: str
    median: float
    p90: float
    n_records: float
    unit: str

    @property
    def is_own(self) -> bool:
        """Whether the user's own values are chosen."""
        return self.source == OWN

    @property
    def distribution(self) -> Distribution:
        """The distribution of the public figures."""
        return distribution(self.shape, self.median, self.p90, self.n_records)

    @property
    def confidential(self) -> str:
        """The sentence on exhibits that show what is computed from the user's own values; empty without such values."""
        return CONFIDENTIAL_FIGURES if self.is_own else ""


def used_values(values: Values, upload: ValuesUpload | None) -> ValuesUpload:
    """Return the user's own values of a link or of the session; none where a distribution is chosen."""
    if values[SOURCE.key] != OWN:
        return ValuesUpload(None)
    if values[OWN_VALUES.key] is not None:
        return ValuesUpload(linked_values(np.array(values[OWN_VALUES.key])))
    return upload or ValuesUpload(None)


def shape_corrections(values: Values, median_of_page: Quantity = MEDIAN, p90: Quantity = P90) -> list[Correction]:
    """Return the corrections of percentiles that no distribution has; a page may have defaults of its own."""
    median, high = values[MEDIAN.key], values[P90.key]
    if values[SOURCE.key] == OWN:
        return []
    if values[SHAPE.key] == "normal":
        return _normal_shape(median, high)
    if median < _LEAST_MEDIAN:
        problem = (
            f"{MEDIAN.symbol} must be at least {exact_text(_LEAST_MEDIAN)} for skewed values; "
            f"{format_input_up(median)} was given. {median_of_page.default} and {p90.default} are used instead."
        )
        return [Correction(MEDIAN.key, median_of_page.default, problem), Correction(P90.key, p90.default, problem)]
    if _LEAST_RATIO * median <= high <= _MOST_RATIO * median:
        return []
    used = exact_text(float(f"{_USUAL_RATIO * median:.4g}"))
    problem = (
        f"{P90.symbol} must be {exact_text(_LEAST_RATIO)} to {exact_text(_MOST_RATIO)} times the median, "
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
        f"{P90.symbol} must exceed the median, {format_input_up(median)}, by {exact_text(least)} to "
        f"{exact_text(_MOST_SPREAD)}; {format_input_up(high)} was given. {used} is used instead."
    )
    return [Correction(P90.key, used, problem)]


_MOST = 1e15
_MOST_PLACES = 9  # of a percentage


def amount(value: float, digits: int = 4) -> str:
    """Return the text of an amount, rounded to the nearest."""
    return _expanded(format_nearest(value, digits))


def amount_up(value: float) -> str:
    """Return the text of an amount that must not be understated."""
    return _expanded(format_up(value))


def entered_amount(value: float) -> str:
    """Return the text of an amount that the user entered."""
    return f"{value:,.0f}" if 1e6 <= value < _MOST else format_input_up(value)


def quantile_name(quantile: float) -> str:
    """Return the name of a quantile, with two digits of the smaller share that is above or below it.

    >>> quantile_name(0.75), quantile_name(1 - 1.28e-4), quantile_name(0.0), quantile_name(1.0), quantile_name(0.5)
    ('75 % quantile', '99.987 % quantile', 'minimum', 'maximum', 'median')
    >>> quantile_name(0.005), quantile_name(0.9), quantile_name(1e-20)
    ('0.50 % quantile', '90 % quantile', '1e-18 % quantile')
    """
    names = {0: "minimum", 0.5: "median", 1: "maximum"}
    if quantile in names:
        return names[quantile]
    smaller = float(f"{100 * min(quantile, 1 - quantile):.6g}")
    places = max(1 - math.floor(math.log10(smaller)), 0)
    if places > _MOST_PLACES:
        return f"{percent(quantile)} quantile"
    return f"{100 * quantile:.{places}f} % quantile"


def _expanded(text: str) -> str:
    exponent = text.partition("e")[2]
    if not exponent or int(exponent) < 0 or abs(value := float(text.replace("−", "-"))) >= _MOST:
        return text
    return f"{value:,.0f}".replace("-", "−")


_SINGULAR = {
    "people": "person",
    "units": "unit",
    "dollars": "dollar",
    "euros": "euro",
    "pounds": "pound",
    "miles": "mile",
    "kilometres": "kilometre",
    "years": "year",
    "months": "month",
    "days": "day",
    "hours": "hour",
    "minutes": "minute",
    "records": "record",
    "visits": "visit",
    "trips": "trip",
    "points": "point",
}


def in_unit(name: str, unit: str) -> str:
    """Return the name of an axis with its unit, where there is one."""
    return f"{name} ({unit})" if unit else name


def with_unit(number: str, unit: str) -> str:
    """Return a number with its unit, where there is one."""
    return f"{number} {unit_after(number, unit)}".rstrip()


def unit_after(number: str, unit: str) -> str:
    """Return a unit as it stands after a number: in the singular after 1, where that is known."""
    return _SINGULAR.get(unit, unit) if number == "1" else unit
