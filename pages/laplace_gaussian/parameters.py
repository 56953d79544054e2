"""The parameters of this page: views, the query, the Gaussian's formula, what both noises have in common."""

from dataclasses import dataclass

from pages.framework.layout.section import Field
from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.pin import Pin
from pages.shared.laplace_query import CASE, GAUSSIAN, K, LaplaceQuerySetting, T, query_corrections
from pages.shared.shared_parameters import L1_SENSITIVITY, MEASURE, SEED

N_DRAWS = 100_000  # of each noise
DRAWN = Quantity(
    "drawn",
    "draws so far",
    "How many of the draws have fallen into the histograms",
    f"[1, {N_DRAWS}]",
    f"{N_DRAWS}",
    help="The first so many of 100,000 draws. The heights are shares of all, so that the histograms fill up.",
    scale=("10", "100", "500", "1000", "2000", *(f"{5000 * step}" for step in range(1, 21))),
    whole=True,
    caption="draws so far",
)
VIEW = Choice("view", "view", {"draws": "Draws", "tails": "Tails"}, "draws")
FUNCTION = Choice("function", "function", {"pdf": "Density", "cdf": "Distribution"}, "pdf")
HOLD = Choice(
    "hold", "what is equal", {"epsilon": "Same ε", "variance": "Same variance", "tail": "Same tail at t"}, "epsilon"
)


QUERY_FIELDS = (Field(CASE, "Query"), Field(GAUSSIAN, "Gaussian calibration"))
COMPARISON_FIELDS = (*QUERY_FIELDS, Field(HOLD, "Held equal"))


@dataclass(frozen=True)
class LaplaceGaussianSetting(LaplaceQuerySetting):
    """The values of the parameters of the page."""

    hold: str
    measure: str
    seed: float
    drawn: float


def distance_parameters(setting: LaplaceGaussianSetting) -> tuple[Quantity, ...]:
    """Return the parameter of the distance at which both noises have the same tail, where they have."""
    return (T,) if setting.hold == "tail" else ()


TAILS_KEYS = "deltas", "cutoff"  # of a section that has moved
PINNED = Pin((CASE, K, L1_SENSITIVITY, GAUSSIAN, HOLD, T), query_corrections, retired_keys=TAILS_KEYS)
PARAMETERS = (VIEW, FUNCTION, CASE, K, GAUSSIAN, HOLD, T, MEASURE, L1_SENSITIVITY, SEED, DRAWN, PINNED)
