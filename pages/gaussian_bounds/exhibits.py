"""The charts and the table of the Gaussian bounds."""

from functools import lru_cache

import pandas as pd

from dpcore import comparison
from dpcore.calibrations import FAILS
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.gaussian_bounds import figures, tables, text
from pages.gaussian_bounds.results import GaussianBoundsResult

_classical_limit = lru_cache(256)(comparison.classical_limit)  # of δ alone


def ratio(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of the σ of each bound over the σ that is required."""
    limit = _classical_limit(result.setting.delta)
    pinned = result.pinned and result.pinned.along_epsilon
    figure = figures.ratio_figure(result.along_epsilon, limit, result.setting, colours, pinned, result.pinned_setting)
    return _chart("ratio", result, figure, result.along_epsilon)


def profile(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of the true privacy profile of each σ."""
    failing = {key for key, row in result.rows.items() if row.mechanism.status == FAILS}
    pinned = result.pinned and result.pinned.profiles
    figure = figures.profile_figure(result.profiles, failing, result.setting, colours, pinned)
    return Exhibit("profile", figure, text.profile_alternative_text(result), result.profiles, result.csv_header)


def sigma_delta(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of σ over δ."""
    pinned = result.pinned and result.pinned.along_delta
    figure = figures.sigma_figure(result.along_delta, "delta", result.setting, colours, pinned, result.pinned_setting)
    return _chart("sigma_delta", result, figure, result.along_delta)


def sigma_epsilon(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of σ over ε."""
    pinned = result.pinned and result.pinned.along_epsilon
    figure = figures.sigma_figure(
        result.along_epsilon, "epsilon", result.setting, colours, pinned, result.pinned_setting
    )
    return _chart("sigma_epsilon", result, figure, result.along_epsilon)


def bounds(result: GaussianBoundsResult, _: Colours) -> Exhibit:
    """Return the table of the bounds in numbers, each with its verdict."""
    setting = result.setting

    def numbers() -> pd.DataFrame:
        return comparison.table(setting.epsilon, setting.delta, setting.l2_sensitivity, setting.significance)

    return Exhibit("bounds", tables.table_html(result), text.alternative_text(result), numbers, result.csv_header)


def _chart(name: str, result: GaussianBoundsResult, figure: Figure, numbers: pd.DataFrame) -> Exhibit:
    return Exhibit(name, figure, text.alternative_text(result), numbers, result.csv_header)
