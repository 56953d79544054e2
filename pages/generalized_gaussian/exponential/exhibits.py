"""The charts of the section on the exponential mechanism."""

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import format_input_down
from pages.generalized_gaussian.bounded.text import csv_header, subtitle
from pages.generalized_gaussian.exponential import figures, text
from pages.generalized_gaussian.results import GeneralizedGaussianResult


def scales_over_p(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the scale of each mechanism over p."""
    bounded, setting, pinned = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if bounded is None:
        return None
    scales, parameters_text = bounded.scales_over("p"), subtitle(setting, shape=False)
    pinned_scales = pinned and pinned.scales_over("p")
    figure = figures.shape_figure(scales, setting.p, setting.bounded_scale, parameters_text, colours, pinned_scales)
    alternative = _alternative_text(result)
    return Exhibit("bounded_shapes", figure, alternative, scales, csv_header(result), ("p", ""))


def scales_over_width(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the scale of each mechanism over the width of the bounds."""
    bounded, setting, pinned = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if bounded is None:
        return None
    scales, pinned_scales = bounded.scales_over("width"), pinned and pinned.scales_over("width")
    parameters_text = f"{subtitle(setting, bounds=False)}, c₀ = {format_input_down(setting.bound_low)}"
    figure = figures.width_figure(
        scales,
        setting.bounded_sensitivity,
        setting.width,
        setting.bounded_scale,
        parameters_text,
        colours,
        pinned_scales,
    )
    return Exhibit("bounded_widths", figure, _alternative_text(result), scales, csv_header(result))


def _alternative_text(result: GeneralizedGaussianResult) -> str:
    return " ".join(text.answer_text(result))
