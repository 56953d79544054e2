"""What the page shows: every chart and table of generalized Gaussian noise as a function of one setting."""

from functools import partial

import pandas as pd

from dpcore.generalized_gaussian import choices
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.number_format import format_input_up
from pages.generalized_gaussian import best_figures, best_words, figures, map_figures, scale_words, words
from pages.generalized_gaussian.bounded_exhibits import (
    bounded,
    bounded_densities,
    bounded_errors,
    bounded_shapes,
    bounded_widths,
)
from pages.generalized_gaussian.found import Found
from pages.generalized_gaussian.map_figures import Place
from pages.generalized_gaussian.parameters import Setting
from pages.shared.shared_parameters import read_setting


def found(values: Values) -> Found:
    """What the page's parameters ask for; a kept setting is shown in the same section and views."""
    kept = values["pinned"]
    return Found(read_setting(Setting, values), found(values | kept) if kept else None)


def densities(found: Found, colour: Colours) -> Exhibit | None:
    """The density of each shape; nothing where the promise has no answer."""
    now, before = found.setting, found.pinned
    if not now.has_answer:
        return None
    reach = figures.density_reach(now.every_shape, found.matched)
    drawn = choices.densities(now.every_shape, found.matched, reach)
    kept = None
    if before is not None and before.noise is not None:
        kept = choices.densities([before.setting.p], [before.noise.scale], reach)
    figure = figures.density_figure(drawn, now.p, words.densities_subtitle(now), colour, kept)
    return Exhibit("densities", figure, words.densities_alt(found), drawn, words.csv_header(found))


def shapes(found: Found, _: Colours) -> Exhibit | None:
    """The noise of each shape in numbers; nothing where the promise has no answer."""
    if not found.noises:
        return None
    level, noises = found.setting.significance, found.noises.values()
    numbers = pd.DataFrame(
        {
            "p": list(found.noises),
            "scale": [noise.scale for noise in noises],
            "deviation": [noise.deviation for noise in noises],
            "mean_error": [noise.mean_absolute_error for noise in noises],
            "accuracy": [noise.half_width(level) for noise in noises],
        }
    )
    if found.paper_scales is not None:
        numbers = numbers.assign(paper_scale=found.paper_scales)
    header = words.csv_header(found)
    return Exhibit("shapes", words.table_html(found), words.table_alt(found), numbers, header)


def _size(found: Found, colour: Colours, x: str) -> Exhibit | None:
    """How much noise each promise needs over p, ε or δ (`x`); nothing where that takes too long."""
    now, curves, simulated = found.setting.solved, found.curves(x), found.simulated(x)
    if curves is None:
        return None
    kept = found.pinned and found.pinned.curves(x)
    here, shown = getattr(now, x), (now.size, scale_words.size_name(now))
    said = scale_words.subtitle(now, x)
    figure = figures.size_figure(curves, scale_words.NAMES, x, shown, here, said, colour, simulated, kept)
    numbers = partial(scale_words.frame, curves, simulated)
    alternative = scale_words.alternative(curves, x, now)
    return Exhibit(f"size_{x}", figure, alternative, numbers, scale_words.header(found), (x, ""))


def size_p(found: Found, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over p."""
    return _size(found, colour, "p")


def size_epsilon(found: Found, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over ε."""
    return _size(found, colour, "epsilon")


def size_delta(found: Found, colour: Colours) -> Exhibit | None:
    """How much noise each promise needs over δ."""
    return _size(found, colour, "delta")


def best_map(found: Found, colour: Colours) -> Exhibit:
    """The best p over ε and δ."""
    now, before = found.setting, found.pinned
    title = f"The shape p with the least {best_words.measure_name(now)}"
    kept = before and Place(before.setting.epsilon, before.setting.delta)
    here = Place(now.epsilon, now.delta)
    figure = map_figures.map_figure(found.best_map, here, kept, title, best_words.map_subtitle(now), colour)
    alternative = best_words.best_alt(found, found.best_map)
    return _best(found, "best_map", figure, alternative, found.best_map, ("epsilon", "delta"))


def best_p(found: Found, colour: Colours) -> Exhibit:
    """The best p over ε for several δ."""
    now, title = found.setting, f"Best p: least {best_words.measure_name(found.setting)}"
    frame = found.best_along(*sorted({*now.deltas, now.delta}))
    kept = found.pinned and found.pinned.best_along(found.pinned.setting.delta)
    subtitle = best_words.map_subtitle(now)
    figure = best_figures.best_figure(frame, now.epsilon, now.delta, title, subtitle, colour, kept)
    return _best(found, "best_p", figure, best_words.best_alt(found, frame), frame, ("epsilon", ""))


def saving(found: Found, colour: Colours) -> Exhibit:
    """What the best p saves against Laplace and Gaussian noise, over ε."""
    now, kept = found.setting, found.pinned and found.pinned.best_along(found.pinned.setting.delta)
    here = found.best_along(now.delta)
    title = f"What the best p saves: {best_words.measure_name(now)}"
    subtitle = f"δ = {format_input_up(now.delta)}, {best_words.map_subtitle(now)}"
    figure = best_figures.saving_figure(here, now.epsilon, title, subtitle, colour, kept)
    return _best(found, "saving", figure, best_words.SAVING_ALT, here, ("epsilon", ""))


def _best(
    found: Found, name: str, figure: Figure, alternative: str, numbers: pd.DataFrame, picks: tuple[str, str]
) -> Exhibit:
    header = words.csv_header(found, least=found.setting.measure)
    return Exhibit(name, figure, alternative, numbers, header, picks)


ALL = (
    *(densities, shapes, size_p, size_epsilon, size_delta, best_map, best_p, saving),
    *(bounded_errors, bounded_densities, bounded_shapes, bounded_widths, bounded),
)
