"""The charts of the section on the exponential mechanism."""

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import format_input_down
from pages.generalized_gaussian.bounded.text import csv_header, subtitle
from pages.generalized_gaussian.exponential import figures, text
from pages.generalized_gaussian.results import GeneralizedGaussianResult


def scales_over_p(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """The scale of each mechanism over p."""
    here, setting, before = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if here is None:
        return None
    along, parameters_text = here.along("p"), subtitle(setting, shape=False)
    kept = before and before.along("p")
    figure = figures.shape_figure(along, setting.p, setting.bounded_scale, parameters_text, colour, kept)
    said = _alternative_text(result)
    return Exhibit("bounded_shapes", figure, said, along, csv_header(result), ("p", ""))


def scales_over_width(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """The scale of each mechanism over the width of the bounds."""
    here, setting, before = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if here is None:
        return None
    along, kept = here.along("width"), before and before.along("width")
    parameters_text = f"{subtitle(setting, bounds=False)}, c₀ = {format_input_down(setting.bound_low)}"
    figure = figures.width_figure(
        along, setting.bounded_sensitivity, setting.width, setting.bounded_scale, parameters_text, colour, kept
    )
    return Exhibit("bounded_widths", figure, _alternative_text(result), along, csv_header(result))


def _alternative_text(result: GeneralizedGaussianResult) -> str:
    return " ".join(text.answer_text(result))
