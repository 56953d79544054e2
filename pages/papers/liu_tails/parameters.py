"""The parameters of the section on the tails of both noises."""

from dpcore import laplace_gaussian
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.parameter import Parameter
from pages.shared.laplace_query import CASE, GAUSSIAN, K, T
from pages.shared.shared_parameters import DELTAS, L1_SENSITIVITY

CUTOFF = Quantity(
    "cutoff",
    "cutoff",
    "Grey where both tails are below",
    laplace_gaussian.CUTOFF_RANGE,
    "1e-4",
    help="What happens less often than this is drawn in grey.",
    caption="grey below",
)
PINNABLE: tuple[Parameter, ...] = (CASE, K, L1_SENSITIVITY, GAUSSIAN, T)
PARAMETERS: tuple[Parameter, ...] = (DELTAS, CUTOFF)
