"""The picture and the table of the section on Experiment 5.1."""

from typing import Any

from pages.denoising.results import DenoisingResult
from pages.denoising.variance import figures, results, tables, text
from pages.framework.export.exhibit import Colours, Exhibit


def ratios(result: DenoisingResult, colours: Colours) -> Exhibit:
    """Return the picture of the classical variance over the analytic one, along ε or δ."""
    pinned, along = result.pinned, results.curve_axis(result)
    own, other_curves = results.own_curve(result), results.other_curves(result)
    figure = figures.removed_figure(
        own,
        other_curves,
        pinned and results.own_curve_at(along, pinned.setting.epsilon, pinned.setting.delta),
        along,
        (result.setting, pinned and pinned.setting),
        text.subtitle(result),
        colours,
    )
    return Exhibit(
        "variance_ratio",
        figure,
        text.alternative_text(result),
        lambda: tables.curves_frame(along, [*([own] if own else []), *other_curves]),
        csv_header(result),
    )


def ratio_table(result: DenoisingResult, _: Colours) -> Exhibit:
    """Return the table of the ratios, each with its status."""
    html, alternative = tables.table_html(result), text.alternative_text(result)
    return Exhibit(
        "variance_ratios",
        html,
        alternative,
        lambda: tables.ratio_frame(results.table_deltas(result)),
        csv_header(result),
    )


def csv_header(result: DenoisingResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV."""
    setting, pinned = result.setting, result.pinned
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta)}
    own["units"] = "epsilon in nats; delta a probability; sigma for an l2 sensitivity of 1; ratio of variances"
    pinned_header = (
        {} if pinned is None else {"pinned": f"epsilon {pinned.setting.epsilon!r}, delta {pinned.setting.delta!r}"}
    )
    return own | pinned_header
