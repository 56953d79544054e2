"""The charts of the section on the exponential mechanism."""

from typing import Any

from pages.framework.export.exhibit import Colours, Exhibit
from pages.papers.liu_exponential import figures, text
from pages.papers.results import PapersResult


def scales_over_p(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the scale of each mechanism over p."""
    exponential, pinned = result.exponential, result.pinned and result.pinned.exponential
    if exponential is None:
        return None
    setting, quantity = exponential.setting, result.values["bounded_scale"]
    scales, pinned_scales = exponential.scales_over("p"), pinned and pinned.scales_over("p")
    figure = figures.shape_figure(scales, setting.p, quantity, text.subtitle_over_p(setting), colours, pinned_scales)
    return Exhibit("bounded_shapes", figure, text.alternative_text(result), scales, csv_header(result), ("p", ""))


def scales_over_width(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the scale of each mechanism over the width of the bounds."""
    exponential, pinned = result.exponential, result.pinned and result.pinned.exponential
    if exponential is None:
        return None
    setting, quantity = exponential.setting, result.values["bounded_scale"]
    scales, pinned_scales = exponential.scales_over("width"), pinned and pinned.scales_over("width")
    figure = figures.width_figure(
        scales,
        setting.bounded_sensitivity,
        setting.width,
        quantity,
        text.subtitle_over_width(setting),
        colours,
        pinned_scales,
    )
    return Exhibit("bounded_widths", figure, text.alternative_text(result), scales, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with those of the pinned setting."""
    setting = result.bounded_setting
    pinned = {} if result.pinned is None else {"pinned": text.setting_text(result.pinned.bounded_setting)}
    bounds = {key: repr(getattr(setting, key)) for key in ("p", "bound_low", "bound_high")}
    used = {"sensitivity used": repr(setting.bounded_sensitivity)}
    units = {"units": "epsilon in nats; delta a probability; bounds and scales b in query units"}
    return setting.csv_header | pinned | bounds | used | units
