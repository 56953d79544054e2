"""What the programs for noise within bounds share: the parameters, and why other libraries have none."""

from pages.framework.layout.code_panel import number
from pages.shared.bounded.parameters import BoundedSetting
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, OPACUS, OPENDP

NO_BOUNDS = {
    OPENDP: "It has geometric noise within bounds for whole numbers, make_geometric(…, bounds=…), and no noise within "
    "bounds for real numbers. It has no exponential mechanism over an interval.",
    DP_ACCOUNTING: "It has no noise within bounds.",
    DIFFPRIVLIB: "Its LaplaceBoundedDomain and LaplaceTruncated are the truncated noise and BIT at p = 1; neither says "
    "its scale, and there is no other p. Its exponential mechanism takes a list of candidates, no interval.",
    OPACUS: "It has no noise within bounds.",
}


def bounds_assignment(setting: BoundedSetting) -> str:
    """Return the line of a program that assigns ε, p, the bounds and the sensitivity."""
    numbers = ", ".join(
        number(value)
        for value in (setting.epsilon, setting.p, setting.bound_low, setting.bound_high, setting.bounded_sensitivity)
    )
    return f"epsilon, p, low, high, sensitivity = {numbers}"
