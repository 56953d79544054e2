"""What the page shows of a statistic with bounds: every chart and table as a function of what was found."""

import numpy as np
import pandas as pd

from dpcore.generalized_gaussian.bounded_comparison import MECHANISMS
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import format_input_down, without_markdown
from pages.generalized_gaussian import bounded_figures as figures
from pages.generalized_gaussian import bounded_text as words
from pages.generalized_gaussian.results import GeneralizedGaussianResult


def bounded_errors(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """The error of each mechanism over the true value."""
    here, setting, before = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if here is None:
        return None
    over = here.solved.errors
    kept = before and before.solved.errors
    figure = figures.error_figure(
        over, setting.bounded_error, setting.true_value, words.subtitle(setting), colour, kept
    )
    said = without_markdown(words.error_words(here))
    return Exhibit("bounded_errors", figure, said, over, words.csv_header(result), ("true_value", ""))


def bounded_densities(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """What each mechanism releases at the true value."""
    here, setting, before = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if here is None:
        return None
    kept = before and before.densities
    figure = figures.density_figure(
        here.densities, here.masses, setting.true_value, words.subtitle(setting), colour, kept
    )
    ends = {f"mass of {key} at c₀ and c₁": f"{a!r}, {b!r}" for key, (a, b) in here.masses.items()}
    header = words.csv_header(result) | ends
    return Exhibit("bounded_densities", figure, words.density_words(here), here.densities, header, ("true_value", ""))


def bounded_shapes(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """The scale of each mechanism over p."""
    here, setting, before = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if here is None:
        return None
    along, subtitle = here.along("p"), words.subtitle(setting, shape=False)
    kept = before and before.along("p")
    figure = figures.shape_figure(along, setting.p, setting.bounded_scale, subtitle, colour, kept)
    said = _scales_said(result)
    return Exhibit("bounded_shapes", figure, said, along, words.csv_header(result), ("p", ""))


def bounded_widths(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """The scale of each mechanism over the width of the bounds."""
    here, setting, before = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if here is None:
        return None
    along, kept = here.along("width"), before and before.along("width")
    subtitle = f"{words.subtitle(setting, bounds=False)}, c₀ = {format_input_down(setting.bound_low)}"
    figure = figures.width_figure(along, setting.moved, setting.width, setting.bounded_scale, subtitle, colour, kept)
    return Exhibit("bounded_widths", figure, _scales_said(result), along, words.csv_header(result))


def _scales_said(result: GeneralizedGaussianResult) -> str:
    return " ".join(words.exponential_answer(result) or ())


def bounded(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """Every mechanism within the bounds in numbers."""
    here = result.bounded
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
    html = words.table_html(here, result.pinned and result.pinned.bounded)
    return Exhibit("bounded", html, without_markdown(words.scales_words(here)), numbers, words.csv_header(result))
