"""The parameters of truncated noise as text, such that the noise of the displayed numbers satisfies its guarantee."""

import math

import numpy as np

from dpcore import truncated_geometric, truncated_laplace
from dpcore.rounding import round_down
from pages.framework.parameters.number_format import format_up
from pages.shared.guarantee_claims import number


def truncated_laplace_texts(epsilon: float, delta: float, sensitivity: float, digits: int = 4) -> tuple[str, str]:
    """Return A and b: b rounded up, and the A of (ε, δ)-DP for that b, rounded up. A larger b alone would raise δ.

    >>> truncated_laplace_texts(0.3, 0.01, 1)
    ('9.726', '3.334')
    """
    scale = float(truncated_laplace.scale_from_epsilon(epsilon, sensitivity))
    text = format_up(scale, digits)
    own_epsilon = epsilon if math.isinf(scale) else min(sensitivity / float(number(text)) * (1 - 1e-15), epsilon)
    return format_up(float(truncated_laplace.bound_from_epsilon(own_epsilon, delta, sensitivity)), digits), text


def truncated_geometric_texts(
    bound: float, scale: float, delta: float, moved: float, n_moved: int, digits: int = 4
) -> tuple[str, str]:
    """Return N and s of noise in each of `n_moved` numbers that move by `moved`: s rounded up, N with its δ for that s.

    >>> truncated_geometric_texts(11, 1 / 0.3, 0.0061, 1, 1)
    ('11', '3.334')
    """
    text, own_delta = format_up(scale, digits), round_down(-np.expm1(np.log1p(-delta) / n_moved), 8)
    own_scale = scale if math.isinf(scale) else float(number(text))
    bounds = np.minimum(bound + np.arange(1000.0), 1e6)
    deltas = truncated_geometric.delta_from_bound(min(moved / scale, 1e6), bounds, own_scale, moved)
    return format_up(float(bounds[np.argmax(deltas <= own_delta)])), text
