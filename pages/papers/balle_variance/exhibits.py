"""The picture and the table of the section on Experiment 5.1."""

from functools import partial
from typing import Any

from pages.framework.export.exhibit import Colours, Exhibit
from pages.papers.balle_variance import figures, results, tables, text
from pages.papers.results import PapersResult


def ratios(result: PapersResult, colours: Colours) -> Exhibit:
    """Return the picture of the classical variance over the analytic one, along ε or δ."""
    pinned, along = result.pinned, results.curve_axis(result)
    own, other_curves = results.own_curve(result), results.other_curves(result)
    pinned_curve = pinned and results.own_curve_at(along, pinned.setting.epsilon, pinned.setting.delta)
    curves, settings = (own, other_curves, pinned_curve), (result.setting, pinned and pinned.setting)
    figure = figures.removed_figure(*curves, along, *settings, text.subtitle(result), colours)
    alternative, all_curves = text.alternative_text(result), [*([own] if own else []), *other_curves]
    numbers = partial(tables.curves_frame, along, all_curves)
    return Exhibit("variance_ratio", figure, alternative, numbers, csv_header(result))


def ratio_table(result: PapersResult, _: Colours) -> Exhibit:
    """Return the table of the ratios, each with its status."""
    html, alternative = tables.table_html(result), text.alternative_text(result)
    numbers = partial(tables.ratio_frame, results.table_deltas(result))
    return Exhibit("variance_ratios", html, alternative, numbers, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV."""
    setting, pinned = result.setting, result.pinned
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta)}
    own["units"] = "epsilon in nats; delta a probability; sigma for an l2 sensitivity of 1; ratio of variances"
    if pinned is not None:
        own["pinned"] = f"epsilon {pinned.setting.epsilon!r}, delta {pinned.setting.delta!r}"
    return own
