"""The kinds of query that a row of the list may have, the numbers of each, and what of its noise may be fixed."""

from dataclasses import dataclass

from dpcore.accuracy import ACCURACY_RANGE
from dpcore.checks import BOUND_RANGE, CELLS_RANGE, POSITIVE_EPSILON_RANGE, RECORDS_RANGE, SENSITIVITY_RANGE
from dpcore.families import FAMILIES
from dpcore.plan import MECHANISMS
from dpcore.sensitivity import PERIODS_RANGE
from pages.framework.parameters.kinds import Quantity, steps
from pages.shared.counts.parameters import PER_CELL, PER_PERSON

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
    "n_records", "n", "Number of records n", RECORDS_RANGE, "1000", help="A lower bound of it.", whole=True
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
    "At most in all that one person adds, per year or other period",
    "[1e-6, 1e9]",
    "",
    help="May stay empty: then only the limits of cells hold. Such as 4 visits a year, in a table of months.",
)
CAP_PERIODS = Quantity(
    "n_periods", "P", "Number of those periods in the table", PERIODS_RANGE, "1", help="3 for three years.", whole=True
)
FIXED_EPSILON = Quantity("fixed_epsilon", "ε of the query", "Fixed ε of the query", POSITIVE_EPSILON_RANGE, "0.5")
FIXED_SCALE = Quantity("fixed_scale", "scale", "Fixed scale of its noise", SENSITIVITY_RANGE, "5")


@dataclass(frozen=True)
class Kind:
    """A kind of query: its name, the wanted error of a new one, its numbers, and whether it has several cells.

    `words` are a sentence part with a place for each of its numbers. `has_cap` says whether what a person adds in all
    can be limited.
    """

    label: str
    half_width: str
    quantities: tuple[Quantity, ...] = ()
    words: str = ""
    has_cells: bool = False
    has_records: bool = False
    has_cap: bool = False


KINDS = {
    "count": Kind("Count", "5"),
    "sum": Kind("Sum", "200", (LOW, HIGH), "values {} to {}"),
    "mean": Kind("Mean", "1", (LOW, HIGH, RECORDS), "values {} to {}, n = {}", has_records=True),
    "proportion": Kind("Proportion", "0.02", (RECORDS,), "n = {}", has_records=True),
    "histogram": Kind("Histogram", "10", (CELLS,), "{} cells", has_cells=True, has_cap=True),
    "table": Kind(
        "Table",
        "20",
        (CELLS, PER_PERSON, PER_CELL),
        "{} cells, {} per person, at most {} in each",
        has_cells=True,
        has_cap=True,
    ),
    "own": Kind("Own sensitivity", "5", (L1, L2), "Δ₁ = {}, Δ₂ = {}"),
}
LABELS = {key: kind.label for key, kind in KINDS.items()}
NOISE_NAMES = {key: FAMILIES[key].words for key in MECHANISMS}
_SCALES = {key: "σ" if FAMILIES[key].symbol == "σ" else f"scale {FAMILIES[key].symbol}" for key in MECHANISMS}
LOCKS = {
    "": "Chosen for me",
    **{key: FAMILIES[key].name + " (whole numbers)" * FAMILIES[key].whole for key in MECHANISMS},
    "epsilon": "Its ε is fixed",
    **{f"{key}_scale": f"{FAMILIES[key].name}, its {_SCALES[key]} is fixed" for key in MECHANISMS},
}
"""What of the noise of a query is fixed, by the key in the link: nothing, its mechanism, its ε, or its scale."""
GROUPS = {"": "None: a person may be in any query", "A": "A", "B": "B", "C": "C", "D": "D"}


def kind_with_numbers(kind: str) -> str:
    """Return the name of a kind in links with the symbols of its numbers.

    >>> kind_with_numbers("sum"), kind_with_numbers("count")
    ('sum (±, lo, hi)', 'count (±)')
    """
    return f"{kind} ({', '.join(quantity.symbol for quantity in (HALF_WIDTH, *KINDS[kind].quantities))})"


def lock_quantity(lock: str) -> Quantity | None:
    """Return the number that a lock has, or None."""
    return FIXED_EPSILON if lock == "epsilon" else FIXED_SCALE if lock.endswith("_scale") else None
