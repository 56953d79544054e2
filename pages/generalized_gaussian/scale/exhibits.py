"""The charts of the section on the size of the noise."""

from functools import partial

from pages.framework.export.exhibit import Colours, Exhibit
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.scale import figures, text


def _size_over(result: GeneralizedGaussianResult, colours: Colours, x: str) -> Exhibit | None:
    """Return the noise that each guarantee requires over p, ε or δ (`x`); None where that takes too long."""
    setting, curves, simulated = result.setting.curve_setting, result.curves(x), result.simulated_sizes(x)
    if curves is None:
        return None
    pinned_curves = result.pinned and result.pinned.curves(x)
    value, measure = getattr(setting, x), (setting.size, text.measure_name(setting))
    subtitle = text.subtitle(setting, x)
    figure = figures.size_figure(
        curves, text.GUARANTEE_NAMES, x, measure, value, subtitle, colours, simulated, pinned_curves
    )
    numbers = partial(text.numbers_frame, curves, simulated)
    alternative = text.alternative_text(curves, x, setting)
    return Exhibit(f"size_{x}", figure, alternative, numbers, text.csv_header_of_curves(result), (x, ""))


def size_over_p(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the noise that each guarantee requires over p."""
    return _size_over(result, colours, "p")


def size_over_epsilon(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the noise that each guarantee requires over ε."""
    return _size_over(result, colours, "epsilon")


def size_over_delta(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the noise that each guarantee requires over δ."""
    return _size_over(result, colours, "delta")
