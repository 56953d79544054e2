"""The parameters of this page alone: the table, what one person adds to it, the kind of error, a pinned setting."""

from dpcore.checks import SHAPE_RANGE
from dpcore.families import FAMILIES
from dpcore.tables import KEYS
from pages.framework.parameters.kinds import AutomaticQuantity, Choice, Pin, Quantity, steps
from pages.framework.parameters.number_format import format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.table import (
    CELLS,
    N_PERIODS,
    NEIGHBOURS,
    OWN_TABLE,
    PER_CELL,
    PER_PERSON,
    PER_TOTAL,
    TABLE,
    limit_corrections,
)
from pages.shared.shared_parameters import GUARANTEE, MECHANISMS, SEED, SIGNIFICANCE, more_text

LEAST_SIGNIFICANCE = 1e-290  # it leaves 1e-296 to each of 10⁶ cells, and half-widths require 1e-300
_CALIBRATIONS = {rule.key: (rule.name, family) for family in FAMILIES.values() for rule in family.calibrations}
_NOISES = _CALIBRATIONS | {family.key: (family.name, family) for family in FAMILIES.values()}
NAMES = {key: _NOISES[key][0] for key in KEYS}
"""The name of each noise, by its key."""
UNSAMPLED = tuple(key for key in KEYS if not _NOISES[key][1].is_sampled_safely)
"""Those that are compared, and not offered for a release."""
NAMES_OF_CELL_SECTIONS = {"table": "My table", "release": "A release"}  # sections that need cells, by key
MARGINS = Quantity(
    "margins",
    "sets of totals",
    "Sets of totals released with noise of their own",
    "[0, 20]",
    "0",
    help="The grand total is one set, the totals by row another. Totals summed from the noisy cells cost nothing."
    + more_text("margin", "margin"),
    whole=True,
    scale=tuple(str(number) for number in range(9)),
    caption="sets of totals",
)
ERROR = Choice("error", "error bound", {"each": "One cell", "all": "All cells at once"}, "all")
SHAPE = Quantity(
    "p",
    "p",
    "Shape p of the generalized Gaussian noise",
    SHAPE_RANGE,
    "3",
    scale=("1", "1.2", "1.5", "2", "2.5", "3", "4", "6", "10"),
    caption="p · shape",
)
SHARE = Quantity(
    "share",
    "acceptable relative error",
    "Error you accept, as a share of the count",
    "[1e-6, 1000]",
    "0.1",
    help="0.1 is an error of 10 % of the count.",
    scale=("0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"),
    caption="acceptable relative error",
)
SMALLEST = Quantity(
    "smallest",
    "smallest relevant count",
    "Smallest relevant count",
    "[1, 1e15]",
    "10",
    help="The smallest count that your readers rely on. You choose it: the table may have smaller or larger cells.",
    scale=steps(0, 5, ("1", "2", "5")),
    caption="smallest relevant count",
)
AGAINST = Choice(
    "against",
    "what ± is drawn against",
    {"per_person": "Cells per person k", "epsilon": "Privacy loss ε"},
    "per_person",
)
MECHANISM = Choice(
    "mechanism",
    "noise",
    {"recommended": "The recommended one"} | {key: NAMES[key] for key in KEYS if key not in UNSAMPLED},
    "recommended",
)
AXIS = Choice("axis", "axis", {"linear": "Counts", "log": "Counts, log", "relative": "± ÷ count"}, "linear")
ORDER = Choice("cell_order", "order of the cells", {"size": "Largest first", "table": "As in the table"}, "size")
N_DRAWN = 40
"""The most cells that are drawn at once."""
FIRST = Quantity(
    "first_cell",
    "first cell",
    "Place of the first cell that is drawn",
    "[1, 1e6]",
    "1",
    whole=True,
    scale=tuple(str(1 + N_DRAWN * step) for step in range(25)),
    caption="first cell drawn",
)
CLIPPED = Choice("clipped", "clipping at 0", {"off": "Off", "on": "On"}, "off")
ROUNDED = Choice("rounded", "rounding", {"off": "Off", "on": "On"}, "off")
REPEATED = Choice("repeated", "what is drawn", {"off": "One release", "on": "500 releases"}, "off")
CASES = Quantity(
    "cases",
    "cases",
    "Cases in all groups together, if only their number is known",
    "[1, 1e12]",
    "50000",
    help="Only the number of groups is known: their sizes are taken to fall as 1, ½, ⅓, …, as those of codes or names.",
    whole=True,
    scale=steps(2, 7, ("1", "2", "5")),
    caption="cases in all groups",
)
WANTED = Quantity(
    "appears",
    "probability of appearing",
    "Probability with which a group appears",
    "[0.01, 0.9999]",
    "0.95",
    help="The answer says from which size on a group appears with it.",
    scale=("0.5", "0.8", "0.9", "0.95", "0.99", "0.999"),
    caption="probability of appearing",
)
THRESHOLD_NOISES = ("truncated_geometric", "gaussian", "laplace")
"""Of the noises with a threshold, those that are compared."""
APPEARING = Choice(
    "threshold_noise",
    "noise of the threshold",
    {"recommended": "The recommended one"} | {key: FAMILIES[key].name for key in THRESHOLD_NOISES},
    "recommended",
)
THRESHOLD = AutomaticQuantity(
    "threshold",
    "τ",
    "Threshold τ: the least noisy count of a group that appears",
    "[1, 1e9]",
    "least",
    help="A higher threshold than the least one is safe too: fewer groups appear by chance, and small ones less often. "
    "Drag the dashed line in the chart, or enter a number. The word least stands for the least that is safe.",
    ends="← more groups · τ · fewer →",
    scale=steps(0, 5, ("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8")),
    caption="τ · threshold",
    word="least",
    button="Back to the least that is safe",
)
_PINNABLE: tuple[Parameter, ...] = (
    *(TABLE, CELLS, PER_PERSON, PER_CELL, PER_TOTAL, N_PERIODS, NEIGHBOURS, MARGINS),
    *(ERROR, GUARANTEE, SHAPE, MECHANISM, CASES, WANTED, APPEARING, THRESHOLD),
    *CONDITION_PARAMETERS,
)


def correct(values: Values) -> list[Correction]:
    """Return corrections of too small a level, and of a section that needs cells where only their number is known.

    The latter is no mistake of the user: “Which noise” opens in its place, and its answer says for how many cells.
    """
    corrections = [*pinned_corrections(values), *limit_corrections(values, TABLE)]
    if values["section"] in NAMES_OF_CELL_SECTIONS and values[TABLE.key] == "size":
        corrections.append(Correction("section", "noise", ""))
    return corrections


def pinned_corrections(values: Values) -> list[Correction]:
    """Return a correction of a significance level of which a cell's share is too small for a half-width."""
    if values[SIGNIFICANCE.key] >= LEAST_SIGNIFICANCE:
        return []
    least, entry = format_input_up(LEAST_SIGNIFICANCE), format_input_up(values[SIGNIFICANCE.key])
    problem = f"{SIGNIFICANCE.symbol} must be at least {least} where many cells share it; {entry} was "
    return [Correction(SIGNIFICANCE.key, "1e-290", f"{problem}given. {least} is used instead.")]


EXPERIMENT_KEYS = "data", "grid", "paper_epsilons", "paper_deltas", "post", "repeats", "distance"  # of a moved section
PINNED = Pin(_PINNABLE, pinned_corrections, retired_keys=EXPERIMENT_KEYS)
PARAMETERS: tuple[Parameter, ...] = (
    *_PINNABLE,
    *(OWN_TABLE, SHARE, SMALLEST, AGAINST, MECHANISMS, AXIS, ORDER, FIRST, CLIPPED, ROUNDED, REPEATED, SEED),
    PINNED,
)
