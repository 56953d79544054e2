"""The picture and the table of the section on Experiment 5.1."""

from typing import Any

from pages.denoising.results import DenoisingResult
from pages.denoising.variance import figures, results, tables, text
from pages.framework.export.exhibit import Colours, Exhibit


def ratios(result: DenoisingResult, colour: Colours) -> Exhibit:
    """Classical over analytic variance along ε or δ."""
    kept, along = result.pinned, results.against(result)
    own, others = results.own_curve(result), results.other_curves(result)
    figure = figures.removed_figure(
        own,
        others,
        kept and results.own_curve_at(along, kept.setting.epsilon, kept.setting.delta),
        along,
        (result.setting, kept and kept.setting),
        text.subtitle(result),
        colour,
    )
    return Exhibit(
        "variance_ratio",
        figure,
        text.alternative(result),
        lambda: tables.drawn(along, [*([own] if own else []), *others]),
        _header(result),
    )


def ratio_table(result: DenoisingResult, _: Colours) -> Exhibit:
    """The ratios in numbers, each with its verdict."""
    html, said = text.table_html(result), text.alternative(result)
    return Exhibit("variance_ratios", html, said, lambda: tables.table(results.deltas(result)), _header(result))


def _header(result: DenoisingResult) -> dict[str, Any]:
    setting, kept = result.setting, result.pinned
    own = {"epsilon": repr(setting.epsilon), "delta": repr(setting.delta)}
    own["units"] = "epsilon in nats; delta a probability; sigma for an l2 sensitivity of 1; ratio of variances"
    pinned = {} if kept is None else {"pinned": f"epsilon {kept.setting.epsilon!r}, delta {kept.setting.delta!r}"}
    return own | pinned
