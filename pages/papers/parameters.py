"""The parameters of the page, section by section, and their corrections."""

from dpcore import checks, laplace_gaussian
from pages.framework.parameters.kinds import Choice, NumberList, Pin, Quantity
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared.bounded_noise import HIGH, LOW, P, bound_corrections, sensitivity_corrections
from pages.shared.counts.table import OWN_TABLE
from pages.shared.laplace_query import CASE, GAUSSIAN, K, T, query_corrections
from pages.shared.shared_parameters import DELTA, DELTAS, L1_SENSITIVITY, SEED

# Experiment 5.1: the axis of the picture, and the other curves.
VARIANCE_AGAINST = Choice(
    "variance_against",
    "what the ratio is drawn against",
    {"epsilon": "Privacy loss ε", "delta": "Excess probability δ"},
    "epsilon",
)
_VARIANCE_EPSILON = Quantity("variance_epsilons", "ε", "Privacy loss parameter ε", checks.POSITIVE_EPSILON_RANGE, "1")
VARIANCE_DELTAS = NumberList("variance_deltas", "δ of the other curves", DELTA, "1e-3, 1e-9, 1e-12", 4)
VARIANCE_EPSILONS = NumberList("variance_epsilons", "ε of the other curves", _VARIANCE_EPSILON, "0.01, 0.1, 10", 4)

# Experiment 5.2: the open setting, and the size of the experiment.
MEANS_AGAINST = Choice(
    "means_against",
    "what the error is drawn against",
    {"dimension": "Numbers d", "epsilon": "Privacy loss ε"},
    "dimension",
)
MEANS_GRID = Choice(
    "means_grid", "settings of the experiment", {"paper": "Reproduce the paper", "own": "My own"}, "paper"
)
MEAN_DIMENSION = Quantity(
    "mean_dimension",
    "d",
    "How many numbers d the mean has",
    "[1, 2000]",
    "500",
    whole=True,
    ends="← fewer · d · more →",
    scale=("10", "20", "50", "100", "200", "500", "1000", "2000"),
    caption="d · numbers released",
)
MEAN_RECORDS = Quantity(
    "mean_records",
    "n",
    "Records n of each data set",
    "[1, 5000]",
    "500",
    whole=True,
    caption="n · records per data set",
)
MEAN_REPEATS = Quantity(
    "mean_repeats", "repeats", "Data sets for each d", "[2, 200]", "100", whole=True, caption="data sets per d"
)

# The tails of both noises.
CUTOFF = Quantity(
    "cutoff",
    "cutoff",
    "Grey where both tails are below",
    laplace_gaussian.CUTOFF_RANGE,
    "1e-4",
    help="What happens less often than this is drawn in grey.",
    caption="grey below",
)

# Liu's experiments: the data, the grid, the repeats, and the post-processing.
TABLE = Choice(
    "table", "table", {"czech": "Czech autoworkers", "mildew": "Barley mildew", "own": "My own table"}, "czech"
)
DATA = Choice("data", "data", {"table": "A table", "adult": "Adult"}, "table")
GRID = Choice("grid", "settings of the experiment", {"paper": "Reproduce the paper", "own": "My own"}, "paper")
_TABLES_EPSILON = Quantity("paper_epsilons", "ε", "Privacy loss parameter ε", checks.POSITIVE_EPSILON_RANGE, "1")
PAPER_EPSILONS = NumberList("paper_epsilons", "ε of the experiment", _TABLES_EPSILON, "0.5, 1, 2", 6)
PAPER_DELTAS = NumberList("paper_deltas", "δ of the experiment", DELTA, "0.01, 0.05, 0.1, 0.25", 6)
POST = Choice(
    "post",
    "post-processing",
    {"paper": "As in the paper", "rounded": "As in the paper, rounded", "none": "None"},
    "paper",
)
REPEATS = Quantity(
    "repeats", "repeats", "Releases by each setting", "[2, 5000]", "500", whole=True, caption="releases per setting"
)
DISTANCE = Choice(
    "distance",
    "distance",
    {
        "l1": "ℓ₁ distance",
        "kl_original_sanitised": "KL from the original",
        "kl_sanitised_original": "KL from the release",
    },
    "l1",
)

# The exponential mechanism: the axis of the picture, and what it shows.
OVER = Choice("over", "what the scales are drawn over", {"p": "Shape p", "width": "Width c₁ − c₀"}, "p")
SCALE = Choice("bounded_scale", "scale shown", {"ratio": "b ÷ exact truncated b", "scale": "Scale b"}, "ratio")

_PINNED_PARAMETERS: tuple[Parameter, ...] = (CASE, K, L1_SENSITIVITY, GAUSSIAN, T, P, LOW, HIGH)


def correct(values: Values) -> list[Correction]:
    """Return corrections of bounds and sensitivities that cannot be used together."""
    return [*bound_corrections(values), *sensitivity_corrections(values), *query_corrections(values)]


PINNED = Pin(_PINNED_PARAMETERS, correct)
PARAMETERS: tuple[Parameter, ...] = (
    *(VARIANCE_AGAINST, VARIANCE_DELTAS, VARIANCE_EPSILONS),
    *(MEANS_AGAINST, MEANS_GRID, MEAN_DIMENSION, MEAN_RECORDS, MEAN_REPEATS),
    *(DELTAS, CUTOFF),
    *(TABLE, DATA, GRID, PAPER_EPSILONS, PAPER_DELTAS, POST, REPEATS, DISTANCE),
    *(OVER, SCALE),
    *_PINNED_PARAMETERS,
    OWN_TABLE,
    SEED,
    PINNED,
)
