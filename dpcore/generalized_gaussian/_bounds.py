"""Bounds of a statistic and how far neighbours move it: the ranges that bounded mechanisms take, and their checks."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number, refuse
from dpcore.rounding import round_down

EPSILON_RANGE = "[1e-30, 1e6]"
WIDTH_RANGE = "[1e-100, 1e100]"
SCALE_RANGE = "[1e-150, 1e150]"
BOUND_RANGE = "[-1e100, 1e100]"
LEAST_WIDTH = 1e-100
LEAST_SHARE = 1e-9  # of the width, that neighbours move
FLAT = 1e-17  # e^{−v} is 1 in doubles below such a v, where t^p may underflow though t does not


def lengths(sensitivity: ArrayLike, width: ArrayLike, name: str, width_name: str) -> tuple[Array, Array]:
    """Return sensitivity and width in their common shape, the one from 1e-9 of the other to the other."""
    width, sensitivity = np.broadcast_arrays(
        number(width_name, width, WIDTH_RANGE), number(name, sensitivity, "(0, inf)")
    )
    wrong = (sensitivity > width) | (sensitivity < round_down(LEAST_SHARE * width, 4))
    if np.any(wrong):
        at = width[wrong].flat[0]
        refuse(name, sensitivity, wrong, f"[{LEAST_SHARE * at:.4g}, {at:.4g}] at this width")
    return sensitivity, width


def apart(low: Array, high: Array) -> None:
    """Refuse bounds of which the higher is not above the lower."""
    refuse("high", high, high - low < LEAST_WIDTH, "(low, 1e100], 1e-100 above low or more")
