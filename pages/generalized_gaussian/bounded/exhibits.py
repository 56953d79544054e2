"""What the page shows of a statistic with bounds: every chart and table as a function of what was found."""

import numpy as np
import pandas as pd

from dpcore.generalized_gaussian.bounded_comparison import MECHANISMS
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown
from pages.generalized_gaussian.bounded import figures, tables, text
from pages.generalized_gaussian.results import GeneralizedGaussianResult


def bounded_errors(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """The error of each mechanism over the true value."""
    here, setting, before = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if here is None:
        return None
    over = here.certified.errors
    kept = before and before.certified.errors
    figure = figures.error_figure(over, setting.bounded_error, setting.true_value, text.subtitle(setting), colour, kept)
    said = without_markdown(text.errors_text(here))
    return Exhibit("bounded_errors", figure, said, over, text.csv_header(result), ("true_value", ""))


def bounded_densities(result: GeneralizedGaussianResult, colour: Colours) -> Exhibit | None:
    """What each mechanism releases at the true value."""
    here, setting, before = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if here is None:
        return None
    kept = before and before.densities
    figure = figures.density_figure(
        here.densities, here.masses, setting.true_value, text.subtitle(setting), colour, kept
    )
    ends = {f"mass of {key} at c₀ and c₁": f"{a!r}, {b!r}" for key, (a, b) in here.masses.items()}
    header = text.csv_header(result) | ends
    return Exhibit("bounded_densities", figure, text.densities_text(here), here.densities, header, ("true_value", ""))


def mechanism_table(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """Every mechanism within the bounds in numbers."""
    here = result.bounded
    if here is None:
        return None
    keys = [each.key for each in MECHANISMS if each.key in here.scale]
    columns = {
        "scale": [here.scale[key] for key in keys],
        "kept_epsilon": [here.certified.pure_epsilon[key] for key in keys],
        "bias": [here.bias(key) for key in keys],
        "rmse": [here.error(key) for key in keys],
        "largest_rmse": [float(np.max(here.errors(key))) for key in keys],
    }
    numbers = pd.DataFrame({"mechanism": keys} | columns)
    html = tables.table_html(here, result.pinned and result.pinned.bounded)
    return Exhibit("bounded", html, without_markdown(text.scales_text(here)), numbers, text.csv_header(result))
