"""The charts of the section on the size of the noise."""

from functools import partial

from pages.framework.export.exhibit import Colours, Exhibit
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.scale import figures, text


def _size_over(result: GeneralizedGaussianResult, colour: Colours, x: str) -> Exhibit | None:
    """How much noise each promise needs over p, ε or δ (`x`); nothing where that takes too long."""
    now, curves, simulated = result.setting.curve_setting, result.curves(x), result.simulation(x)
    if curves is None:
        return None
    kept = result.pinned and result.pinned.curves(x)
    here, shown = getattr(now, x), (now.size, text.measure_name(now))
    said = text.subtitle(now, x)
    figure = figures.size_figure(curves, text.GUARANTEE_NAMES, x, shown, here, said, colour, simulated, kept)
    numbers = partial(text.numbers_frame, curves, simulated)
    alternative = text.alternative_text(curves, x, now)
    return Exhibit(f"size_{x}", figure, alternative, numbers, text.csv_header_of_curves(result), (x, ""))


def size_over_p(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over p."""
    return _size_over(result, colour, "p")


def size_over_epsilon(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over ε."""
    return _size_over(result, colour, "epsilon")


def size_over_delta(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over δ."""
    return _size_over(result, colour, "delta")
