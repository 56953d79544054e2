"""The numbers of the figures and of the table of mechanisms, as data frames."""

from collections.abc import Sequence

import pandas as pd

from pages.tables.mechanisms.mechanism_text import unavailable_reasons, verdict_text
from pages.tables.mechanisms.results import Curve
from pages.tables.parameters import NAMES
from pages.tables.results import TablesResult


def curves_frame(x: str, curves: Sequence[Curve]) -> pd.DataFrame:
    """Return the half-widths of every mechanism over k or ε, called `x`, as a data frame."""
    frames = [
        pd.DataFrame({x: curve.x, "noise": curve.rule.key, "half_width": curve.half_width, "status": curve.status})
        for curve in curves
    ]
    return pd.concat(frames, ignore_index=True)


def mechanisms_frame(result: TablesResult) -> pd.DataFrame:
    """Return the mechanisms in numbers as a data frame; those that are not available with the reason alone."""
    significance, simultaneous = result.setting.significance, result.simultaneous_significance
    available = [
        {
            "noise": mechanism.name,
            "guarantee": mechanism.guarantee,
            "theorem": mechanism.theorem,
            "scale": mechanism.scale,
            "half_width_each": mechanism.half_width(significance),
            "half_width_all": mechanism.half_width(simultaneous),
            "variance": mechanism.variance,
            "mean_absolute_error": mechanism.mean_absolute_error,
            "true_delta": mechanism.true_delta,
            "verdict": verdict_text(mechanism, result),
        }
        for mechanism in result.mechanisms
    ]
    unavailable = [{"noise": NAMES[key], "verdict": why} for key, why in unavailable_reasons(result).items()]
    return pd.DataFrame([*available, *unavailable])
