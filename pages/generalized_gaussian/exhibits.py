"""What the page shows: every chart and table of generalized Gaussian noise as a function of one setting."""

from functools import partial

import pandas as pd

from dpcore.generalized_gaussian import optimal_shape
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.number_format import format_input_up
from pages.generalized_gaussian import best_figures, best_text, figures, map_figures, scale_text, text
from pages.generalized_gaussian.bounded_exhibits import (
    bounded,
    bounded_densities,
    bounded_errors,
    bounded_shapes,
    bounded_widths,
)
from pages.generalized_gaussian.map_figures import Place
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared.shared_parameters import read_setting


def compute_result(values: Values) -> GeneralizedGaussianResult:
    """What the page's parameters ask for; a kept setting is shown in the same section and views."""
    kept = values["pinned"]
    return GeneralizedGaussianResult(
        read_setting(GeneralizedGaussianSetting, values), compute_result(values | kept) if kept else None
    )


def densities(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """The density of each shape; nothing where the promise has no answer."""
    setting, before = result.setting, result.pinned
    if not setting.has_answer:
        return None
    reach = figures.density_reach(setting.every_shape, result.matched)
    drawn = optimal_shape.densities(setting.every_shape, result.matched, reach)
    kept = None
    if before is not None and before.noise is not None:
        kept = optimal_shape.densities([before.setting.p], [before.noise.scale], reach)
    figure = figures.density_figure(drawn, setting.p, text.densities_subtitle(setting), colour, kept)
    return Exhibit("densities", figure, text.densities_alt(result), drawn, text.csv_header(result))


def shapes(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """The noise of each shape in numbers; nothing where the promise has no answer."""
    if not result.noises:
        return None
    level, noises = result.setting.significance, result.noises.values()
    numbers = pd.DataFrame(
        {
            "p": list(result.noises),
            "scale": [noise.scale for noise in noises],
            "deviation": [noise.deviation for noise in noises],
            "mean_error": [noise.mean_absolute_error for noise in noises],
            "accuracy": [noise.half_width(level) for noise in noises],
        }
    )
    if result.paper_scales is not None:
        numbers = numbers.assign(paper_scale=result.paper_scales)
    header = text.csv_header(result)
    return Exhibit("shapes", text.table_html(result), text.table_alt(result), numbers, header)


def _size(result: GeneralizedGaussianResult, colour: Colours, x: str) -> Exhibit | None:
    """How much noise each promise needs over p, ε or δ (`x`); nothing where that takes too long."""
    now, curves, simulated = result.setting.solved, result.curves(x), result.simulated(x)
    if curves is None:
        return None
    kept = result.pinned and result.pinned.curves(x)
    here, shown = getattr(now, x), (now.size, scale_text.size_name(now))
    said = scale_text.subtitle(now, x)
    figure = figures.size_figure(curves, scale_text.NAMES, x, shown, here, said, colour, simulated, kept)
    numbers = partial(scale_text.frame, curves, simulated)
    alternative = scale_text.alternative(curves, x, now)
    return Exhibit(f"size_{x}", figure, alternative, numbers, scale_text.header(result), (x, ""))


def size_p(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over p."""
    return _size(result, colour, "p")


def size_epsilon(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over ε."""
    return _size(result, colour, "epsilon")


def size_delta(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over δ."""
    return _size(result, colour, "delta")


def best_map(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit:
    """The best p over ε and δ."""
    setting, before = result.setting, result.pinned
    title = f"The shape p with the least {best_text.measure_name(setting)}"
    kept = before and Place(before.setting.epsilon, before.setting.delta)
    here = Place(setting.epsilon, setting.delta)
    figure = map_figures.map_figure(result.best_map, here, kept, title, best_text.map_subtitle(setting), colour)
    alternative = best_text.best_alt(result, result.best_map)
    return _best(result, "best_map", figure, alternative, result.best_map, ("epsilon", "delta"))


def best_p(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit:
    """The best p over ε for several δ."""
    setting, title = result.setting, f"Best p: least {best_text.measure_name(result.setting)}"
    frame = result.best_along(*sorted({*setting.deltas, setting.delta}))
    kept = result.pinned and result.pinned.best_along(result.pinned.setting.delta)
    subtitle = best_text.map_subtitle(setting)
    figure = best_figures.best_figure(frame, setting.epsilon, setting.delta, title, subtitle, colour, kept)
    return _best(result, "best_p", figure, best_text.best_alt(result, frame), frame, ("epsilon", ""))


def saving(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit:
    """What the best p saves against Laplace and Gaussian noise, over ε."""
    setting, kept = result.setting, result.pinned and result.pinned.best_along(result.pinned.setting.delta)
    here = result.best_along(setting.delta)
    title = f"What the best p saves: {best_text.measure_name(setting)}"
    subtitle = f"δ = {format_input_up(setting.delta)}, {best_text.map_subtitle(setting)}"
    figure = best_figures.saving_figure(here, setting.epsilon, title, subtitle, colour, kept)
    return _best(result, "saving", figure, best_text.SAVING_ALT, here, ("epsilon", ""))


def _best(
    result: GeneralizedGaussianResult,
    name: str,
    figure: Figure,
    alternative: str,
    numbers: pd.DataFrame,
    picks: tuple[str, str],
) -> Exhibit:
    header = text.csv_header(result, least=result.setting.measure)
    return Exhibit(name, figure, alternative, numbers, header, picks)


ALL = (
    *(densities, shapes, size_p, size_epsilon, size_delta, best_map, best_p, saving),
    *(bounded_errors, bounded_densities, bounded_shapes, bounded_widths, bounded),
)
