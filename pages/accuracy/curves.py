"""The values of mechanisms along ε, as the figures over ε draw them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.calibrations import Calibration
from dpcore.checks import Array

EPSILONS = np.logspace(-3, 2, 401)


@dataclass(frozen=True)
class Curve:
    """A mechanism's values along ε, and the status of `Calibration.verdict` at each."""

    rule: Calibration
    value: Array
    status: NDArray[np.str_]


@dataclass(frozen=True)
class PinnedCurves:
    """The ε and the curves of a pinned setting."""

    epsilon: float
    curves: Sequence[Curve]


def curves_frame(curves: Sequence[Curve], column: str) -> pd.DataFrame:
    """Return curves along `EPSILONS` as a data frame, one below the other."""
    return pd.DataFrame(
        {
            "mechanism": np.repeat([curve.rule.key for curve in curves], EPSILONS.size),
            "epsilon": np.tile(EPSILONS, len(curves)),
            column: np.concatenate([curve.value for curve in curves]),
            "status": np.concatenate([curve.status for curve in curves]),
        }
    )
