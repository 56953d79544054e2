"""The table of the bounds that one may choose, with what each costs."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from pages.clipping.amounts import amount, amount_up
from pages.clipping.bounds.private_text import quantile_name
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
    errors, columns = result.choice_errors, ("n_clipped", "bias", "noise_scale")
    frame = {"choice": list(result.choices), "bound": errors.high} | {name: getattr(errors, name) for name in columns}
    frame |= {
        "root_mean_square": errors.root_mean_square_error,
        "mean_absolute": errors.mean_absolute_error,
        "half_width": errors.half_width,
    }
    if result.private is not None:
        own = {"choice": "private", "root_mean_square": result.private.error}
        frame = {name: [*values, own.get(name, np.nan)] for name, values in frame.items()}
    return pd.DataFrame(frame)


def table_html(result: BoundsResult) -> str:
    """Return the bounds as an accessible HTML table."""
    heads = ["Upper bound", "U", "Values cut", "Bias", "Noise scale", "Root mean square", "Mean absolute", "±"]
    private = result.private
    names = dict(_NAMES)
    if private is not None:
        names["private"] = f"Private: {quantile_name(private.quantile)}, by {number_format.percent(private.share)} of ε"
    frame = bounds_frame(result)
    forms = {"bound": amount, "n_clipped": amount, "bias": amount}
    forms |= dict.fromkeys(("noise_scale", "root_mean_square", "mean_absolute", "half_width"), amount_up)
    columns = [[_cell(value, form) for value in frame[name].to_list()] for name, form in forms.items()]
    rows = [[names[choice], *cells] for choice, *cells in zip(frame["choice"], *columns, strict=True)]
    return number_format.table_html("Upper bounds and what each costs", "readings", heads, rows)


def _cell(value: float, form: Callable[[float], str]) -> str:
    return "–" if np.isnan(value) else form(value)
