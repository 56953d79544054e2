"""The parameters of the section "A sum or mean": the bounds, and the error that is least."""

from pages.framework.parameters.kinds import AutomaticQuantity, Choice, Quantity, steps
from pages.shared.glossary_links import more_text

COUNT_SHARE = Quantity(
    "count_share",
    "s",
    "Share s of ε for the noisy count of the values",
    "[0.01, 0.99]",
    "0.2",
    help="The rest buys the noise of the sum. The noisy sum of the distances to the middle of the bounds is divided by "
    "the noisy count.",
    caption="s · share of ε for the count",
)
LOW = AutomaticQuantity(
    "low",
    "lo",
    "Lower bound lo, in the unit of the values",
    "[-1e13, 1e13]",
    "0",
    help="Values below it are raised to it. It must be public knowledge, such as 0 for an income or a distance. Where "
    "values may be negative, enter best: then both bounds are sought.",
    caption="lo · lower bound",
    button="Seek both bounds",
)
BOUND = AutomaticQuantity(
    "bound",
    "U",
    "Clipping bound U, in the unit of the values",
    "[1e-9, 1e13]",
    "best",
    help="Values above it are lowered to it. The word best stands for the least error. Drag the dashed line in the "
    "chart, or enter a number, to see what another bound costs." + more_text("clipping", "clipping"),
    ends="← more is cut · U · more noise →",
    scale=steps(-1, 9, ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9")),
    caption="U · clipping bound",
    button="Back to the least error",
)
HIGH = Quantity(
    "high",
    "hi",
    "Maximum hi of your range, in the unit of the values",
    "[1e-9, 1e13]",
    "1000000",
    help="The largest value that is possible, from public knowledge, or the bound that you use now. "
    "The page compares the error there with the least one.",
    caption="hi · maximum of your range",
)
ERROR = Choice(
    "error",
    "error to minimise",
    {"root_mean_square": "Root mean square", "mean_absolute": "Mean absolute", "half_width": "Half-width (±)"},
    "root_mean_square",
)
