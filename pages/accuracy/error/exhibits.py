"""The charts and the table of the section on the error that each ε brings."""

from functools import partial

import pandas as pd

from dpcore.calibrations import FLOOR
from pages.accuracy.error import figures, tables, text
from pages.accuracy.error.results import half_width_curves, least_half_widths
from pages.accuracy.figures import Mark
from pages.accuracy.results import AccuracyResult, Curve, PinnedCurves, curves_frame
from pages.framework.export.exhibit import Colours, Exhibit, Figure


def accuracy(result: AccuracyResult, colours: Colours) -> Exhibit:
    """Return the half-widths of the mechanisms against ε."""
    curves, pinned = _curves(result)
    subtitle = text.subtitle(result.setting)
    floor = least_half_widths(result.setting)
    figure = figures.accuracy_figure(curves, floor, _mark(result), subtitle, colours, pinned)
    return _exhibit_over_epsilon(result, "accuracy", figure, curves)


def ratios(result: AccuracyResult, colours: Colours) -> Exhibit:
    """Return the half-widths of the mechanisms over that of Laplace noise, against ε."""
    curves, pinned = _curves(result)
    floor, subtitle = least_half_widths(result.setting), text.subtitle(result.setting)
    figure = figures.ratio_figure(curves, floor, _mark(result), subtitle, colours, pinned)
    return _exhibit_over_epsilon(result, "ratio", figure, curves)


def mechanisms(result: AccuracyResult, _: Colours) -> Exhibit:
    """Return the mechanisms side by side in numbers."""
    setting, rows = result.setting, result.rows
    html, alternative = tables.mechanisms_html(rows, setting, result.pinned_rows), text.alternative_text(rows, setting)
    numbers = partial(tables.mechanisms_frame, rows, setting)
    return Exhibit("mechanisms", html, alternative, numbers, result.csv_header)


def _curves(result: AccuracyResult) -> tuple[tuple[Curve, ...], PinnedCurves | None]:
    """Return the curves of the setting, and those of the pinned one."""
    pinned = result.pinned and result.pinned.setting
    return half_width_curves(result.setting), pinned and PinnedCurves(pinned.epsilon, half_width_curves(pinned))


def _mark(result: AccuracyResult) -> Mark:
    setting = result.setting
    return Mark(setting.epsilon, setting.target, list(result.rows.values()), setting.facts.unit)


def _exhibit_over_epsilon(result: AccuracyResult, name: str, figure: Figure, curves: tuple[Curve, ...]) -> Exhibit:
    """Return the exhibit of a figure over ε, in which a drag sets ε or, where that is known, the half-width."""
    picks = ("epsilon", "") if result.setting.target is None else ("", "accuracy" if name == "accuracy" else "")
    alternative = text.alternative_text(result.rows, result.setting)

    def numbers() -> pd.DataFrame:
        floor = least_half_widths(result.setting)
        frame = curves_frame(curves, "accuracy")
        if floor is None:
            return frame
        epsilon, least_half_width = floor
        columns = {"mechanism": "any noise", "epsilon": epsilon, "accuracy": least_half_width, "status": FLOOR}
        return pd.concat([frame, pd.DataFrame(columns)], ignore_index=True)

    return Exhibit(name, figure, alternative, numbers, result.csv_header, picks)
