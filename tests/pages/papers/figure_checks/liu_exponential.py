"""What each trace of the exponential mechanism and of noise within bounds must show."""

import pandas as pd
from numpy.typing import ArrayLike

from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, log, pinned
from tests.pages.generalized_gaussian.figure_checks.bounded import WITHIN, bounded_scale
from tests.pages.papers.figure_checks.balle_variance import BEFORE

BOUNDS = {"epsilon": "0.5", "delta": "0.01", "l2_sensitivity": "2", "p": "2.5", "bounded_scale": "scale"}


def bounded_scales(setting: Setting, over: str) -> Chart:
    """Return the b of every mechanism over p or the width of the bounds, or its ratio to what truncated noise needs."""

    def truth(key: str) -> Truth:
        def scale(at: Setting, x: Numbers) -> Numbers:
            place = (x, at.bound_high - at.bound_low) if over == "p" else (at.p, x)
            unit = bounded_scale("truncated", at, *place) if at.bounded_scale == "ratio" else 1.0
            return bounded_scale(key, at, *place) / unit

        return scale

    def column(key: str) -> Trace:
        def value(rows: pd.DataFrame) -> ArrayLike:
            return rows[key] / rows["truncated"] if setting.bounded_scale == "ratio" else rows[key]

        return Trace(truth(key), value)

    def keys(at: Setting) -> list[str]:
        return [key for key in WITHIN if key != "lemma" or over == "p" or at.p % 1 == 0]

    traces = {WITHIN[key]: column(key) for key in keys(setting)}
    traces |= (
        pinned(*map(truth, (key for key in keys(setting.pinned) if key in keys(setting)))) if setting.pinned else {}
    )
    where = {"p": log("shape p"), "width": log("width of the bounds c₁ − c₀ (query units)")}[over]
    label = {"ratio": "b ÷ exact truncated b", "scale": "scale b (query units)"}[setting.bounded_scale]
    return Chart(where, log(label), traces, over)


SETTINGS = dict.fromkeys(
    ("bounded_shapes", "bounded_widths"),
    ({}, BOUNDS | {"bound_low": "-5", "pinned": f"{BEFORE}&p=4&bound_low=0&bound_high=20"}),
)
CHARTS = {
    "bounded_shapes": lambda setting: bounded_scales(setting, "p"),
    "bounded_widths": lambda setting: bounded_scales(setting, "width"),
}
