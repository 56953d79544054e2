"""The numbers behind the pictures and the table of the noises, as frames for a CSV."""

from collections.abc import Sequence

import pandas as pd

from pages.tables.mechanisms.mechanism_text import left_out, verdict
from pages.tables.mechanisms.results import Curve
from pages.tables.parameters import NAMES
from pages.tables.results import TablesResult


def along(x: str, curves: Sequence[Curve]) -> pd.DataFrame:
    """± of every noise over k or ε, called `x`, as a frame."""
    frames = [
        pd.DataFrame({x: curve.x, "noise": curve.rule.key, "half_width": curve.half_width, "status": curve.status})
        for curve in curves
    ]
    return pd.concat(frames, ignore_index=True)


def side_by_side(result: TablesResult) -> pd.DataFrame:
    """The noises in numbers, as a frame; those that are not offered with the reason alone."""
    at, together = result.setting.significance, result.together
    offered = [
        {
            "noise": noise.name,
            "promise": noise.guarantee,
            "theorem": noise.theorem,
            "scale": noise.scale,
            "half_width_each": noise.half_width(at),
            "half_width_all": noise.half_width(together),
            "variance": noise.variance,
            "mean_absolute_error": noise.mean_absolute_error,
            "true_delta": noise.true_delta,
            "verdict": verdict(noise, result),
        }
        for noise in result.noises
    ]
    others = [{"noise": NAMES[key], "verdict": why} for key, why in left_out(result).items()]
    return pd.DataFrame([*offered, *others])
