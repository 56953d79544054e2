"""The noise for a table that reaches a wanted error with the least ε."""

import numpy as np
from numpy.typing import NDArray

from dpcore.checks import Array, option, scalar
from dpcore.mechanism import Mechanism
from dpcore.roots import bisect, positive_mean
from dpcore.sensitivity import Sensitivity
from dpcore.tables.table_mechanisms import KEYS, mechanisms

_LEAST, _MOST = 1e-9, 1e6
_N_HALVINGS = 50


def of_half_width(
    key: str, accuracy: float, significance: float, delta: float, sensitivity: Sensitivity
) -> Mechanism | None:
    """Return the noise of `mechanisms` with the least ε whose half-width is at most `accuracy`,
    by bisection; None for none.

    Parameters
    ----------
    key : one of `KEYS`.
    accuracy : a in [0, 1e100], in the unit of the table.
    significance : α in [1e-300, 1), of one cell.
    delta : in [1e-300, 1).
    sensitivity : as in `mechanisms`.

    Returns
    -------
    A `Mechanism` whose ε, in [1e-9, 1e6], is above the least by a relative 1e-10 at most.

    Examples
    --------
    >>> from dpcore.sensitivity import table_sensitivity
    >>> noise = of_half_width("truncated_geometric", 3, 0.05, 0.01, table_sensitivity(1))
    >>> f"{noise.epsilon:.4f} {noise.half_width(0.05):.0f} {noise.hard_limit:.0f}"
    '0.7702 3 5'
    """
    option("key", key, KEYS)
    accuracy = scalar("accuracy", accuracy, "[0, 1e100]")

    def noise_at(epsilon: float) -> Mechanism | None:
        return next(iter(mechanisms(epsilon, delta, sensitivity, keys=(key,))), None)

    def is_enough(epsilon: Array) -> NDArray[np.bool_]:
        noise = noise_at(float(epsilon))
        return np.asarray(noise is not None and noise.half_width(significance) <= accuracy)

    least = float(bisect(is_enough, np.asarray(_LEAST), np.asarray(_MOST), _N_HALVINGS, positive_mean)[1])
    noise = noise_at(least)
    return noise if noise is not None and noise.half_width(significance) <= accuracy else None
