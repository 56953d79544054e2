"""What only the section on Liu's experiments asks: the data, their settings, and which distance is drawn."""

from dpcore import checks, tables
from pages.shared.common import DELTA
from pages.shared.parameters import Choice, Parameter, Quantity, Several

DATA = Choice(
    "data",
    "data of the experiment",
    {"mildew": "Mildew", "czech": "Czech autoworkers", "own": "My table", "adult": "Adult, from a file"},
    "mildew",
)
GRID = Choice("grid", "settings of the experiment", {"paper": "Reproduce the paper", "own": "Own settings"}, "paper")
_EPSILON = Quantity("epsilons", "ε", "Privacy loss bound ε, in nats", checks.POSITIVE_EPSILON_RANGE, "1")
EPSILONS = Several("epsilons", "ε of the experiment", _EPSILON, "0.5, 1, 2", 6)
GRID_DELTAS = Several("grid_deltas", "δ of the experiment", DELTA, "0.01, 0.05, 0.1, 0.25", 6)
PROCESSING = Choice(
    "processing",
    "processing of the releases",
    {"paper": "Clip to [0, n], scale to n", "rounded": "Round to whole numbers", "none": "None"},
    "paper",
)
REPEATS = Quantity(
    "repeats",
    "repeats",
    "Releases by each setting",
    tables.EXPERIMENT_REPEATS_RANGE.replace("100000", "5000"),
    "500",
    whole=True,
)
DISTANCE = Choice(
    "distance",
    "distance",
    {
        "l1": "ℓ₁ distance",
        "kl_original_sanitised": "KL(original ‖ released)",
        "kl_sanitised_original": "KL(released ‖ original)",
    },
    "l1",
)
OWN: tuple[Parameter, ...] = (DATA, GRID, EPSILONS, GRID_DELTAS, PROCESSING, REPEATS, DISTANCE)
