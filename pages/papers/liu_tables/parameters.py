"""The parameters of Liu's experiments: the data, the grid, the repeats, and the post-processing."""

from dpcore import checks
from pages.framework.parameters.kinds import Choice, NumberList, Quantity
from pages.framework.parameters.parameter import Parameter
from pages.shared.shared_parameters import DELTA

TABLE = Choice(
    "table", "table", {"czech": "Czech autoworkers", "mildew": "Barley mildew", "own": "My own table"}, "czech"
)
DATA = Choice("data", "data", {"table": "A table", "adult": "Adult"}, "table")
GRID = Choice("grid", "settings of the experiment", {"paper": "Reproduce the paper", "own": "My own"}, "paper")
_EPSILON = Quantity("paper_epsilons", "ε", "Privacy loss parameter ε", checks.POSITIVE_EPSILON_RANGE, "1")
PAPER_EPSILONS = NumberList("paper_epsilons", "ε of the experiment", _EPSILON, "0.5, 1, 2", 6)
PAPER_DELTAS = NumberList("paper_deltas", "δ of the experiment", DELTA, "0.01, 0.05, 0.1, 0.25", 6)
POST = Choice(
    "post",
    "post-processing",
    {"paper": "As in the paper", "rounded": "As in the paper, rounded", "none": "None"},
    "paper",
)
REPEATS = Quantity(
    "repeats",
    "repeats",
    "Releases by each setting",
    "[2, 5000]",
    "500",
    whole=True,
    caption="releases per setting",
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
PARAMETERS: tuple[Parameter, ...] = (TABLE, DATA, GRID, PAPER_EPSILONS, PAPER_DELTAS, POST, REPEATS, DISTANCE)
