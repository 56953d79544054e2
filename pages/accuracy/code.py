"""What the code of several sections has in common."""

from dpcore import accuracy
from dpcore.calibrations import Calibration
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, OPACUS, OPENDP

NO_HALF_WIDTH = {
    OPENDP: "It has no ± of this noise.",
    DP_ACCOUNTING: "It accounts for privacy, and states no ± of noise.",
    DIFFPRIVLIB: "It states no ± of this noise.",
    OPACUS: "It has Gaussian noise only, and states no ± of it.",
}


def calibration_name(rule: Calibration) -> str:
    """Return the name of a calibration in `dpcore.accuracy`."""
    return next(name for name in dir(accuracy) if getattr(accuracy, name) is rule)
