"""The table of the bounds that one may choose, with what each costs."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from pages.clipping.amounts import amount, amount_up
from pages.clipping.bounds.results import BoundsResult
from pages.framework.parameters import number_format

_NAMES = {
    "best": "Least error",
    "thumb": "Rule of thumb: 1/ε values above",
    "yours": "Your bound",
    "maximum": "Maximum of your range",
}


def bounds_frame(result: BoundsResult) -> pd.DataFrame:
    """Return the bounds that one may choose, and the errors at each."""
    highs = {"best": result.best_high, "thumb": result.thumb_high, "yours": result.setting.bound}
    highs |= {"maximum": result.setting.high if result.has_maximum else None}
    rows = []
    for kind, high in highs.items():
        if high is None or np.isnan(high):
            continue
        error = result.error_at(high)
        rows.append(
            {
                "choice": kind,
                "bound": high,
                "n_clipped": float(error.n_clipped),
                "bias": float(error.bias),
                "noise_scale": float(error.noise_scale),
                "root_mean_square": float(error.root_mean_square_error),
                "mean_absolute": float(error.mean_absolute_error),
                "half_width": float(error.half_width),
            }
        )
    if result.private is not None:
        empty = dict.fromkeys(("bound", "n_clipped", "bias", "noise_scale", "mean_absolute", "half_width"), np.nan)
        rows.append({"choice": "private", **empty, "root_mean_square": result.private.error})
    return pd.DataFrame(rows)


def table_html(result: BoundsResult) -> str:
    """Return the bounds as an accessible HTML table."""
    heads = ["Upper bound", "U", "Values cut", "Bias", "Noise scale", "Root mean square", "Mean absolute", "±"]
    private = result.private
    names = dict(_NAMES)
    if private is not None:
        names["private"] = (
            f"Private: {number_format.percent(private.quantile)} quantile, by {number_format.percent(private.share)} "
            "of ε"
        )
    rows = []
    for row in bounds_frame(result).to_dict("records"):
        nearest = [_cell(row[key], amount) for key in ("bound", "n_clipped", "bias")]
        up = [_cell(row[key], amount_up) for key in ("noise_scale", "root_mean_square", "mean_absolute", "half_width")]
        rows.append([names[row["choice"]], *nearest, *up])
    return number_format.table_html("Upper bounds and what each costs", "readings", heads, rows)


def _cell(value: float, form: Callable[[float], str]) -> str:
    return "–" if np.isnan(value) else form(value)
