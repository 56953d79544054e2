"""Liu's Fig. 3: the pDP σ over the classical σ, over δ and at one δ."""

from functools import lru_cache

import numpy as np
import pandas as pd

from dpcore import comparison

EPSILONS = (0.1, 0.3, 0.5, 0.7, 0.9)
_DELTAS = np.concatenate([np.logspace(-6, -2, 40)[:-1], np.linspace(0.01, 0.5, 100)])


@lru_cache(1)
def sigma_ratios() -> pd.DataFrame:
    """Return the curves of the picture, which depend on no parameter."""
    return comparison.pdp_share(np.array(EPSILONS)[:, None], _DELTAS)


def sigma_ratio_range(delta: float) -> tuple[float, float]:
    """Return the least and the largest ratio of the picture's ε at this δ."""
    ratio = comparison.pdp_share(np.array(EPSILONS), delta)["ratio"].to_numpy()
    return float(ratio.min()), float(ratio.max())
