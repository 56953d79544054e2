"""The parameters of the page: the series or sums, who is in it, what is published and when, and the trial."""

from dataclasses import dataclass
from math import isnan

from dpcore import checks
from dpcore.checks import Array
from dpcore.families import FAMILIES, Family
from dpcore.linear_queries import NOISES, STRATEGIES
from pages.framework.layout.section import Field, FieldLink
from pages.framework.parameters.kinds import AutomaticQuantity, Choice, Pin, Quantity, steps
from pages.framework.parameters.number_format import exact_text, format_input_up, plural
from pages.framework.parameters.parameter import Correction, Parameter, PartError, Values
from pages.framework.session.data_files import OWN, box_key
from pages.shared.conditions import CONDITION_PARAMETERS, CONTRIBUTION
from pages.shared.counts.table import NEIGHBOURS, PER_CELL, PER_TOTAL
from pages.shared.shared_parameters import EPSILON, KNOWN, SEED, SIGNIFICANCE, more_text
from pages.shared.values.parameters import LinkedValues

NONE = "none"
MOST_SUMS, MOST_SUMMED = 100, 100
"""The sums and the cells of which the page has the errors within its time."""
_MOST_CHARACTERS = 1500


def link_text(matrix: Array) -> str:
    """Return sums as a text for the link; ValueError with the reason if they are too many.

    >>> import numpy as np
    >>> link_text(np.array([[1.0, 0], [1, 1]]))
    '10;11'
    """
    text = ";".join("".join("1" if mark else "0" for mark in row) for row in matrix.tolist())
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a link holds sums of at most {_MOST_CHARACTERS:,} characters")
    return text


@dataclass(frozen=True)
class LinkedSums(Parameter):
    """A parameter that holds a row of zeros and ones for each sum, without names, or none."""

    key: str
    symbol: str
    default: str = NONE

    @property
    def allowed(self) -> str:
        """The form in words."""
        return f"none, or 1 to {MOST_SUMS} rows of at most {MOST_SUMMED} zeros and ones, as 110;111"

    def read(self, entry: str) -> tuple[tuple[float, ...], ...] | None:
        """Return the rows, None for none; ValueError where a row has another length, no one, or another character."""
        text = entry.strip()
        if text == NONE:
            return None
        rows = text.split(";")
        if len(text) > _MOST_CHARACTERS or len(rows) > MOST_SUMS or len(rows[0]) > MOST_SUMMED:
            raise PartError(f"at most {MOST_SUMS} sums of {MOST_SUMMED} cells fit a link.")
        if any(len(row) != len(rows[0]) or not set(row) <= {"0", "1"} or "1" not in row for row in rows):
            raise ValueError(entry)
        return tuple(tuple(map(float, row)) for row in rows)

    def data_in(self, entry: str) -> str:
        """Return what a text holds in words, empty for no sums.

        >>> LinkedSums("sums", "sums").data_in("10;11"), LinkedSums("sums", "sums").data_in("none")
        ('2 sums', '')
        """
        rows = self.read(entry)
        return "" if rows is None else plural(len(rows), "sum")


SERIES_SLOT = "series"
"""The slot of the user's own series in the tab of the browser."""
PERIODS_RANGE = "[1, 1000]"
_LENGTHS = (
    *("2", "3", "4", "6", "8", "10", "12", "18", "24", "30", "36", "48", "52", "60", "72", "84", "96", "104", "120"),
    *("156", "180", "208", "240", "260", "300", "365", "500", "730", "1000"),
)
LENGTH = Quantity(
    "length",
    "T",
    "Periods in the series, T",
    PERIODS_RANGE,
    "36",
    help="How many months, or other periods, the series has in all. Decide it before the first number is published: "
    "the noise depends on it.",
    ends="← shorter series · T · longer →",
    scale=_LENGTHS,
    whole=True,
    caption="T · periods in all",
)
IN_PERIODS = Quantity(
    "in_periods",
    "k",
    "Periods or cells that one person can be in, k",
    PERIODS_RANGE,
    "1",
    help="1 where a person counts once in the whole series, such as at a birth; 36 where a person can be in each of 36 "
    "months, such as with a benefit. It must be a limit that is enforced, not a guess."
    + more_text("contribution_limit", "contribution limit"),
    ends="← less noise · k · more noise →",
    scale=("1", *_LENGTHS),
    whole=True,
    caption="k · periods per person",
)
CELLS_PER_PERSON = Field(IN_PERIODS, "k · cells per person")
MOST_PER_PERIOD = Field(PER_CELL, "c · most per period")
PUBLISHED = Choice(
    "totals",
    "published numbers",
    {
        "running_totals": "Running totals",
        "year_to_date": "Totals since the start of a year",
        "window": "Totals of the last periods",
        "each": "Each period alone",
    },
    "running_totals",
)
WINDOW = Quantity(
    "window",
    "w",
    "Periods of a year, or of the last ones, w",
    PERIODS_RANGE,
    "12",
    help="How many periods a year has, or how many of the last ones a total contains.",
    scale=("2", "3", "4", "6", "7", "12", "24", "26", "52", "365"),
    whole=True,
    caption="w · periods per total",
)
PUBLICATION = Choice(
    "publication",
    "publication",
    {"as_it_goes": "As each period ends", "once": "All at the end"},
    "as_it_goes",
)
METHOD_NAMES = {
    "per_period": "Noise in each period",
    "per_number": "Noise in each total",
    "tree": "Binary tree, least squares",
    "binary_tree": "Binary tree, plain",
    "square_root": "Square root",
    "normalized_square_root": "Normalised square root",
    "banded": "Square root, 8 diagonals",
}
"""The strategies of `dpcore.linear_queries` of which the best is taken, in the words of menus."""
METHOD = Choice("strategy", "method", {"best": "The best", **METHOD_NAMES}, STRATEGIES[-1])
PERIOD = Choice(
    "period",
    "period",
    {"month": "Months", "week": "Weeks", "day": "Days", "quarter": "Quarters", "year": "Years"},
    "month",
)
PERIODS_PER_YEAR = {"month": 12, "week": 52, "day": 365, "quarter": 4, "year": 1}
ARRIVED = AutomaticQuantity(
    "arrived",
    "periods so far",
    "Periods that have ended in the trial",
    PERIODS_RANGE,
    "all",
    help="The trial shows the totals of these periods. Those that are published stay as they are when more arrive.",
    scale=("1", *_LENGTHS),
    whole=True,
    caption="periods so far",
    word="all",
    button="All",
)
SERIES_SOURCE = Choice("series", "series", {"invented": "Invented counts", "own": "My own series"}, "invented")
SERIES_FIELD = Field(
    SERIES_SOURCE,
    "Numbers of the trial",
    link=FieldLink("Use my own series", box_key(SERIES_SLOT), OWN, SERIES_SLOT),
)
OWN_SERIES = LinkedValues("own", "own series")
N_CELLS = Quantity(
    "n_cells",
    "n",
    "Cells in their order, n",
    "[1, 365]",
    "64",
    help="How many cells have an order, such as years of age or days: any range of them is published.",
    ends="← fewer · n · more →",
    scale=("2", "4", "8", "12", "16", "24", "32", "52", "64", "80", "100", "128", "180", "256", "365"),
    whole=True,
    caption="n · ordered cells",
)
SUMS_SLOT = "sums"
"""The slot of the user's own sums in the tab of the browser."""
OF_SERIES = "series"
"""The text of the parameter that chooses the sums which says that they are the numbers of the series."""
SUMS_SOURCE = Choice(
    "sums",
    "sums",
    {"year": "The months of a year", OF_SERIES: "The numbers of a series", "own": "My own"},
    "year",
)
SUMS_FIELD = Field(SUMS_SOURCE, "Published sums", link=FieldLink("Use my own sums", box_key(SUMS_SLOT), OWN, SUMS_SLOT))
OWN_SUMS = LinkedSums("own_sums", "own sums")


def _noise_label(family: Family) -> str:
    return f"{family.name}{', whole' if family.whole else ''}{', no δ' if family.pure else ''}"


_NOISE_NAMES = {key: _noise_label(FAMILIES[key]) for key in NOISES}
SUM_NOISE = Choice("sum_noise", "noise", _NOISE_NAMES, "gaussian")
SERIES_NOISE = Choice("series_noise", "noise", _NOISE_NAMES, "gaussian")
NOISE_FIELD = Field(SERIES_NOISE, "Noise")
WHOLE_METHODS = ("per_period", "per_number", "tree", "binary_tree")
"""The methods whose noisy sums are whole where the counts are."""
MOST_WITH_NOISE = {"time": (LENGTH, 365), "ranges": (N_CELLS, 64)}
"""Of how many periods or cells the errors of other than Gaussian noise are computed in time, by section."""
ACCEPTED = Quantity(
    "accuracy",
    "±",
    "Error you can accept, ± in the unit of the counts",
    "[1e-9, 1e12]",
    "20",
    help="Within what every published number shall fall. The page says which ε is enough for it.",
    ends="← more accurate · ± · less →",
    scale=steps(0, 5, ("1", "2", "3", "5")),
    caption="± · acceptable error",
)
ERROR = Choice("error", "error bound", {"each": "One number", "all": "All at once"}, "each")
ERROR_FIELD = Field(ERROR, "Error bound for")
KNOWN_FIELD = Field(KNOWN, "I know")
LEAST_JOINT_LEVEL = 1e-4
"""The significance down to which every noise has the ± of all numbers at once."""


def noise_corrections(values: Values) -> list[Correction]:
    """Return the corrections of a noise, a method and a confidence that cannot be used together."""
    family, section = FAMILIES[values[SERIES_NOISE.key]], values.get("section")
    if section == "sums":
        return []
    noise = f"{family.name} noise"
    for key, (quantity, most) in MOST_WITH_NOISE.items():
        if family.key != "gaussian" and section in (key, None) and values[quantity.key] > most:
            problem = f"{noise} is computed for {quantity.symbol} up to {most}. Gaussian noise is used instead."
            return [Correction(SERIES_NOISE.key, "gaussian", problem)]
    amounts = [values[PER_CELL.key], 0.0 if isnan(values[PER_TOTAL.key]) else values[PER_TOTAL.key]]
    if (
        family.whole
        and values[CONTRIBUTION.key] != "once"
        and not all(float(amount).is_integer() for amount in amounts)
    ):
        problem = f"{noise} needs a whole number c. {FAMILIES[family.continuous].name} noise is used instead."
        return [Correction(SERIES_NOISE.key, family.continuous, problem)]
    corrections = []
    if family.whole and values[METHOD.key] not in ("best", *WHOLE_METHODS):
        problem = f"{METHOD_NAMES[values[METHOD.key]]} has sums that are not whole, and {noise} is. The best is used."
        corrections.append(Correction(METHOD.key, "best", problem))
    if family.key != "gaussian" and values[ERROR.key] == "all" and values[SIGNIFICANCE.key] < LEAST_JOINT_LEVEL:
        problem = f"With {noise}, all numbers at once have a ± up to 99.99 % of releases, which is used."
        corrections.append(Correction(SIGNIFICANCE.key, "1e-4", problem))
    return corrections


_SERIES: tuple[Parameter, ...] = (
    LENGTH,
    IN_PERIODS,
    PUBLISHED,
    WINDOW,
    PUBLICATION,
    METHOD,
    PERIOD,
    N_CELLS,
    KNOWN,
    ACCEPTED,
    ERROR,
    SERIES_NOISE,
    SUM_NOISE,
)
_PINNABLE: tuple[Parameter, ...] = (*_SERIES, PER_CELL, PER_TOTAL, NEIGHBOURS, *CONDITION_PARAMETERS)
PARAMETERS: tuple[Parameter, ...] = (
    *_PINNABLE,
    SERIES_SOURCE,
    OWN_SERIES,
    SUMS_SOURCE,
    OWN_SUMS,
    ARRIVED,
    SEED,
    Pin(_PINNABLE, noise_corrections),
)
_LEAST_EPSILON = 1e-12
_LEAST_LEVEL, _LARGEST_LEVEL = 1e-6, 0.999


def correct(values: Values) -> list[Correction]:
    """Return the corrections of an ε and of a confidence for which `dpcore.linear_queries` has no half-width."""
    limits = (
        (EPSILON, _LEAST_EPSILON, checks.interval_bounds(checks.EPSILON_RANGE)[1]),
        (SIGNIFICANCE, _LEAST_LEVEL, _LARGEST_LEVEL),
    )
    corrections = []
    for parameter, low, high in limits:
        if not low <= values[parameter.key] <= high:
            allowed = f"must be from {exact_text(low)} to {exact_text(high)} for a series"
            given = format_input_up(values[parameter.key])
            sentence = f"{parameter.symbol} {allowed}; {given} was given."
            corrections.append(
                Correction(parameter.key, parameter.default, f"{sentence} {parameter.default} is used instead.")
            )
    return corrections + _reopened_limit(values) + _most_periods(values) + noise_corrections(values)


def _reopened_limit(values: Values) -> list[Correction]:
    """Return what asks for the limit of a person before the answer for the user's own counts, as for a table."""
    is_once = values[IN_PERIODS.key] == 1 and values[PER_CELL.key] == 1 and isnan(values[PER_TOTAL.key])
    is_asked = values[CONTRIBUTION.key] == "limited" and values[SERIES_SOURCE.key] == OWN
    is_asked &= values.get("section") in ("time", None)
    return [Correction(CONTRIBUTION.key, "entering", "", of_entry=True)] if is_asked and is_once else []


def _most_periods(values: Values) -> list[Correction]:
    """Return T in the place of a larger k, where a person can count more than once in a series."""
    k, n = values[IN_PERIODS.key], values[LENGTH.key]
    if values.get("section") not in ("time", None) or values[CONTRIBUTION.key] == "once" or k <= n:
        return []
    problem = f"k = {k:,.0f} is more than T = {n:,.0f}: k = {n:,.0f} is used."
    return [Correction(IN_PERIODS.key, exact_text(n), problem)]
