"""What the page shows of a statistic with bounds: every chart and table as a function of what was found."""

import numpy as np
import pandas as pd

from dpcore.generalized_gaussian.bounded_comparison import MECHANISMS
from pages.generalized_gaussian import bounded_figures as figures
from pages.generalized_gaussian import bounded_words as words
from pages.generalized_gaussian.found import Found
from pages.shared.export import Colours, Exhibit
from pages.shared.text import given_down, unmarked


def bounded_errors(found: Found, colour: Colours) -> Exhibit | None:
    """The error of each mechanism over the true value."""
    here, now = found.bounded, found.setting
    if here is None:
        return None
    over = here.solved.errors
    figure = figures.error_figure(over, now.bounded_error, now.true_value, words.subtitle(now), colour)
    return Exhibit("bounded_errors", figure, unmarked(words.error_words(here)), over, words.csv_header(now))


def bounded_densities(found: Found, colour: Colours) -> Exhibit | None:
    """What each mechanism releases at the true value."""
    here, now = found.bounded, found.setting
    if here is None:
        return None
    figure = figures.density_figure(here.densities, here.masses, now.true_value, words.subtitle(now), colour)
    ends = {f"mass of {key} at c₀ and c₁": f"{a!r}, {b!r}" for key, (a, b) in here.masses.items()}
    header = words.csv_header(now) | ends
    return Exhibit("bounded_densities", figure, words.density_words(here), here.densities, header)


def bounded_shapes(found: Found, colour: Colours) -> Exhibit | None:
    """The scale of each mechanism over p."""
    here, now = found.bounded, found.setting
    if here is None:
        return None
    along, subtitle = here.solved.along_shape, words.subtitle(now, shape=False)
    figure = figures.shape_figure(along, now.p, now.bounded_scale, subtitle, colour)
    return Exhibit("bounded_shapes", figure, unmarked(words.exponential_words(here)), along, words.csv_header(now))


def bounded_widths(found: Found, colour: Colours) -> Exhibit | None:
    """The scale of each mechanism over the width of the bounds."""
    here, now = found.bounded, found.setting
    if here is None:
        return None
    along = here.solved.along_width
    subtitle = f"{words.subtitle(now, bounds=False)}, c₀ = {given_down(now.bound_low)}"
    figure = figures.width_figure(along, now.moved, now.width, now.bounded_scale, subtitle, colour)
    return Exhibit("bounded_widths", figure, unmarked(words.exponential_words(here)), along, words.csv_header(now))


def bounded(found: Found, _: Colours) -> Exhibit | None:
    """Every mechanism within the bounds in numbers."""
    here = found.bounded
    if here is None:
        return None
    keys = [each.key for each in MECHANISMS if each.key in here.scale]
    columns = {
        "scale": [here.scale[key] for key in keys],
        "kept_epsilon": [here.solved.kept[key] for key in keys],
        "bias": [here.bias(key) for key in keys],
        "rmse": [here.error(key) for key in keys],
        "largest_rmse": [float(np.max(here.errors(key))) for key in keys],
    }
    numbers = pd.DataFrame({"mechanism": keys} | columns)
    alternative = unmarked(words.scales_words(here))
    return Exhibit("bounded", words.table_html(here), alternative, numbers, words.csv_header(found.setting))
