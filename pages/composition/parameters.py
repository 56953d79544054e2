"""The parameters of this page: the list of releases, its runs, the training, and the pinned setting."""

from dpcore.composition import COUNT_RANGE
from pages.composition.dp_sgd.parameters import (
    BATCH,
    EPOCHS,
    NOISE,
    RECORDS,
    SOLVE,
    TRAINING_VIEW,
    training_corrections,
)
from pages.composition.groups.parameters import GROUP_PARAMETERS
from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.framework.parameters.number_format import format_nearest
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.framework.parameters.pin import Pin
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.releases import COUNT, MAX_COUNT, RELEASES

_FEW_RUNS = ("1", "2", "3", "4", "5", "7", "10", "12", "14", "20", "30", "52", "70", "100", "200", "365", "500")
RUNS = Quantity(
    "runs",
    "runs",
    "How often the whole list is released",
    COUNT_RANGE,
    "1",
    help="1 for once; 7 for a list that is released every day of a week, with fresh noise.",
    whole=True,
    ends="← fewer · runs · more →",
    scale=(*_FEW_RUNS, *steps(3, 6, ("1", "2", "5"))),
    caption="runs of the list",
)
ACCOUNTANT = Choice(
    "accountant",
    "accountant",
    {"exact": "Exact", "rdp": "RDP", "zcdp": "zCDP", "basic": "Basic, of lines"},
    "exact",
)
TOTALS_SCALE = Choice("totals", "what is drawn", {"ratio": "÷ the exact ε", "total": "Total ε"}, "ratio")

LOADER = Choice(
    "loader",
    "how batches are drawn",
    {"poisson": "Poisson", "shuffled": "Shuffled", "fixed": "Fixed order"},
    "shuffled",
)
AT_DELTA = Choice("at_delta", "δ", {"own": "Each at its own δ", "page": "All at the page’s δ"}, "own")
PINNED_PARAMETERS: tuple[Parameter, ...] = (
    RELEASES,
    RUNS,
    ACCOUNTANT,
    RECORDS,
    BATCH,
    EPOCHS,
    NOISE,
    SOLVE,
    LOADER,
    *GROUP_PARAMETERS,
)


def correct(values: Values) -> list[Correction]:
    """Return corrections of too many runs of a line, a batch larger than N, and too many steps."""
    return [*_runs_corrections(values), *training_corrections(values)]


def _runs_corrections(values: Values) -> list[Correction]:
    """Return a correction of so many runs that a line would be released more often than can be computed."""
    counts = [int(COUNT.read(item.count)) for item in values[RELEASES.key]]
    count = max(counts)
    line = counts.index(count) + 1
    runs = MAX_COUNT // count
    if values[RUNS.key] <= runs:
        return []
    sentence = (
        f"{RUNS.symbol} ({RUNS.key}) must be at most {runs:,}, as line {line} has {count:,} releases; "
        f"{format_nearest(values[RUNS.key], 7)} was given. {runs:,} is used instead."
    )
    return [Correction(RUNS.key, str(runs), sentence)]


PARAMETERS: tuple[Parameter, ...] = (
    *PINNED_PARAMETERS,
    TOTALS_SCALE,
    TRAINING_VIEW,
    AT_DELTA,
    *CONDITION_PARAMETERS,
    Pin(PINNED_PARAMETERS, correct),
)
