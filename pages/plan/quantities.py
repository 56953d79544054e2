"""The numbers that a row of the list may have, and what of its noise may be fixed."""

from dataclasses import replace

from dpcore.accuracy import ACCURACY_RANGE
from dpcore.checks import BOUND_RANGE, CELLS_RANGE, POSITIVE_EPSILON_RANGE, RECORDS_RANGE, SENSITIVITY_RANGE
from dpcore.families import FAMILIES
from dpcore.plan import CHOICE_MECHANISMS, MECHANISMS
from dpcore.sensitivity import PER_PERSON_RANGE, PERIODS_RANGE
from pages.framework.parameters.kinds import Quantity, steps
from pages.shared.counts.table import PER_CELL, PER_PERSON

_PUBLIC = "it stands in the link, and only the expected error depends on it. Values are taken as lognormal."
HALF_WIDTH = Quantity(
    "half_width",
    "±",
    "Wanted error, ± in the unit of the query",
    ACCURACY_RANGE,
    "5",
    help="A release shall fall within this distance of the true answer, at the confidence of the page.",
    scale=steps(-4, 7, ("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8")),
)
LOW = Quantity("low", "lo", "Lowest value of a person, lo", BOUND_RANGE, "0")
HIGH = Quantity("high", "hi", "Highest value of a person, hi", BOUND_RANGE, "100")
RECORDS = Quantity(
    "n_records",
    "n",
    "Number of records n",
    RECORDS_RANGE,
    "1000",
    whole=True,
    help="A public lower bound of it, not your real number where that is not public: statements print it.",
)
CELLS = Quantity("cells", "m", "Number of cells m", CELLS_RANGE, "12", whole=True)
L1 = Quantity("own_l1", "Δ₁", "ℓ₁ sensitivity Δ₁, in the unit of the query", SENSITIVITY_RANGE, "1")
L2 = Quantity("own_l2", "Δ₂", "ℓ₂ sensitivity Δ₂, in the unit of the query", SENSITIVITY_RANGE, "1")
SIZE = Quantity(
    "size",
    "size",
    "Expected answer, for the relative error",
    ACCURACY_RANGE,
    "",
    help="May stay empty. An estimate from public knowledge: it stands in the link.",
)
CAP = Quantity(
    "cap",
    "N",
    "At most in all that one person adds, N",
    "[1e-6, 1e9]",
    "",
    help="May stay empty: then only the other limits hold. With 4, at most 4 visits of a person count. P, the years, "
    "comes then.",
)
MOST_IN_GROUPS = replace(CAP, limits="[1, 1e9]", whole=True)
MOST_RECORDS = Quantity(
    "records_per_person",
    "N",
    "Records of one person that count, at most N",
    PER_PERSON_RANGE,
    "",
    help="May stay empty: each person counts once. With 3, up to 3 records of a person count, taken at random; lo "
    "and hi are then those of a record. P, the years, comes then.",
    whole=True,
)
CAP_PERIODS = Quantity(
    "n_periods",
    "P",
    "Years in this query, P",
    PERIODS_RANGE,
    "1",
    help="1 where N is the limit in all; 3 in one release of three years with the limit N for each year. ε is for all "
    "of them together. Each record is of one year; in a table each cell is, too. A list that is released anew every "
    "year has 1 here, and its number under “times released”.",
    whole=True,
)
TIMES = Quantity(
    "times",
    "times",
    "Times this query is released, each time the list is",
    "[1, 1e4]",
    "",
    help="May stay empty: once. 12 for every month of a year, each with fresh noise.",
    whole=True,
)
LEVEL = Quantity("quantile", "q", "Quantile q", "[0, 1]", "0.5", help="0.5 is the median, 0.9 the 90th percentile.")
STEP = Quantity(
    "step",
    "step",
    "Step between the values that can be released",
    "[1e-9, 1e13]",
    "1",
    help="1 for whole days. At most 1,000 values between the lowest and the highest.",
)
MEDIAN = Quantity("median", "median", "Median, a guess", "[1e-6, 1e12]", "30", help="From public figures: " + _PUBLIC)
P90 = Quantity(
    "p90", "90th percentile", "90th percentile, a guess", "[1e-6, 1e13]", "84", help="From public figures: " + _PUBLIC
)
PEOPLE = Quantity(
    "n_records",
    "n",
    "Number of values n",
    "[1, 1e6]",
    "2000",
    help="One of each person, or as many as count of one. A public lower bound, not your real number, as statements "
    "print it; at most 1,000,000: with more values the error is smaller.",
    whole=True,
)
CANDIDATES = Quantity("candidates", "m", "Counts of which the largest is named, m", "[2, 1e4]", "23", whole=True)
PER_CANDIDATE = Quantity("per_candidate", "c", "At most this much of one person in each count", "[1e-6, 1e9]", "1")
GROUPS_PER_PERSON = Quantity(
    "groups_per_person", "k", "Groups that one person can be in, k", "[1, 1e4]", "3", whole=True
)
PER_GROUP = Quantity("per_group", "c", "At most this much of one person in each group", "[1, 1e6]", "1", whole=True)
LENGTH = Quantity(
    "length",
    "T",
    "Months in the series, T",
    "[1, 120]",
    "36",
    help="Or weeks, days: the dates of its numbers.",
    whole=True,
)
IN_PERIODS = Quantity("in_periods", "k", "Months that one person can be in, k", "[1, 120]", "12", whole=True)
PER_PERIOD = Quantity("per_period", "c", "At most this much of one person in each month", "[1e-6, 1e9]", "1")
WINDOW = Quantity("window", "w", "Months of which a total is published, w", "[1, 120]", "12", whole=True)
_N_NUMBERS = (CELLS, LENGTH, CANDIDATES)
_IN_HOW_MANY = (PER_PERSON, GROUPS_PER_PERSON, IN_PERIODS)
_AMOUNTS = (PER_CELL, PER_CANDIDATE, PER_GROUP, PER_PERIOD)
SAME_MEANING = tuple(
    tuple(quantity.key for quantity in same) for same in (_N_NUMBERS, _IN_HOW_MANY, _AMOUNTS, (CAP, MOST_RECORDS))
)
"""The keys of numbers that mean the same in several kinds: how many numbers, in how many one person is, how much."""
LIMITS_OF_PERSON = tuple(quantity.key for quantity in (*_IN_HOW_MANY, *_AMOUNTS))
"""The keys of the limits of one person, which are 1 where a person has one row."""
FIXED_EPSILON = Quantity("fixed_epsilon", "ε of the query", "Fixed ε of the query", POSITIVE_EPSILON_RANGE, "0.5")
FIXED_SCALE = Quantity("fixed_scale", "scale", "Fixed scale of its noise", SENSITIVITY_RANGE, "5")
NOISE_NAMES = {key: FAMILIES[key].words for key in MECHANISMS} | {
    key: f"{key.replace('_', '-')}{' mechanism' * (key == 'exponential')}" for key in CHOICE_MECHANISMS
}
"""The noise of each mechanism, or the name of one that chooses."""
_SCALES = {key: "σ" if FAMILIES[key].symbol == "σ" else f"scale {FAMILIES[key].symbol}" for key in MECHANISMS}
LOCKS = {
    "": "Chosen for me",
    **{key: FAMILIES[key].name + " (whole numbers)" * FAMILIES[key].whole for key in MECHANISMS},
    "epsilon": "Its ε is fixed",
    **{f"{key}_scale": f"{FAMILIES[key].name}, its {_SCALES[key]} is fixed" for key in MECHANISMS},
}
"""What of the noise of a query is fixed, by the key in the link: nothing, its mechanism, its ε, or its scale."""
GROUPS = {"": "None: a person may be in any query", "A": "A", "B": "B", "C": "C", "D": "D"}


def noise_words(mechanism: str) -> str:
    """Return what a query has of randomness.

    >>> noise_words("laplace"), noise_words("permute_and_flip")
    ('Laplace noise', 'permute-and-flip')
    """
    return f"{NOISE_NAMES[mechanism]} noise" if mechanism in FAMILIES else NOISE_NAMES[mechanism]


def lock_quantity(lock: str) -> Quantity | None:
    """Return the number that a lock has, or None."""
    return FIXED_EPSILON if lock == "epsilon" else FIXED_SCALE if lock.endswith("_scale") else None
