"""The charts and the table of the section on noise within bounds."""

import numpy as np
import pandas as pd

from dpcore.generalized_gaussian.bounded_comparison import MECHANISMS
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown
from pages.generalized_gaussian.bounded import figures, tables, text
from pages.generalized_gaussian.results import GeneralizedGaussianResult


def bounded_errors(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the error of each mechanism over the true value."""
    bounded, setting, pinned = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if bounded is None:
        return None
    errors = bounded.certified.errors
    pinned_errors = pinned and pinned.certified.errors
    figure = figures.error_figure(
        errors, setting.bounded_error, setting.true_value, text.subtitle(setting), colours, pinned_errors
    )
    alternative = without_markdown(text.errors_text(bounded))
    return Exhibit("bounded_errors", figure, alternative, errors, text.csv_header(result), ("true_value", ""))


def bounded_densities(result: GeneralizedGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the density of the release of each mechanism at the true value."""
    bounded, setting, pinned = result.bounded, result.setting, result.pinned and result.pinned.bounded
    if bounded is None:
        return None
    pinned_densities = pinned and pinned.densities
    figure = figures.density_figure(
        bounded.densities, bounded.masses, setting.true_value, text.subtitle(setting), colours, pinned_densities
    )
    ends = {f"mass of {key} at c₀ and c₁": f"{a!r}, {b!r}" for key, (a, b) in bounded.masses.items()}
    header = text.csv_header(result) | ends
    return Exhibit(
        "bounded_densities", figure, text.densities_text(bounded), bounded.densities, header, ("true_value", "")
    )


def mechanism_table(result: GeneralizedGaussianResult, _: Colours) -> Exhibit | None:
    """Return the table of every mechanism within the bounds."""
    bounded = result.bounded
    if bounded is None:
        return None
    keys = [mechanism.key for mechanism in MECHANISMS if mechanism.key in bounded.scale]
    columns = {
        "scale": [bounded.scale[key] for key in keys],
        "kept_epsilon": [bounded.certified.pure_epsilon[key] for key in keys],
        "bias": [bounded.bias(key) for key in keys],
        "rmse": [bounded.error(key) for key in keys],
        "largest_rmse": [float(np.max(bounded.errors(key))) for key in keys],
    }
    numbers = pd.DataFrame({"mechanism": keys} | columns)
    html = tables.table_html(bounded, result.pinned and result.pinned.bounded)
    return Exhibit("bounded", html, without_markdown(text.scales_text(bounded)), numbers, text.csv_header(result))
