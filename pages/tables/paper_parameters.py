"""What the section of Liu's experiments asks: its grid, the repeats, and what is made of a release."""

from pages.shared.common import DELTA, EPSILON
from pages.shared.parameters import Choice, Parameter, Quantity, Several

PAPER_EPSILONS = Several("paper_epsilons", "ε of the experiment", EPSILON, "0.5, 1, 2", 6)
PAPER_DELTAS = Several("paper_deltas", "δ of the experiment", DELTA, "0.01, 0.05, 0.1, 0.25", 6)
POST = Choice(
    "post",
    "post-processing",
    {"paper": "As in the paper", "rounded": "As in the paper, rounded", "none": "None"},
    "paper",
)
REPEATS = Quantity("repeats", "repeats", "Releases by each setting", "[2, 500]", "500", whole=True)
DISTANCE = Choice(
    "distance",
    "distance",
    {"l1": "ℓ₁", "kl_original_sanitised": "KL from the original", "kl_sanitised_original": "KL from the release"},
    "l1",
)
OWN: tuple[Parameter, ...] = (PAPER_EPSILONS, PAPER_DELTAS, POST, REPEATS, DISTANCE)
