"""The sentences on how much noise each guarantee requires: curves, several statistics, the paper's Monte Carlo."""

from typing import Any

import pandas as pd

from dpcore.calibrations import GENERALIZED_GAUSSIAN
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
)
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.scale.figures import SYMBOLS
from pages.generalized_gaussian.text import csv_header, parameters_text
from pages.shared.error_text import share

GUARANTEE_NAMES = {rule.key: rule.name for rule in GENERALIZED_GAUSSIAN} | {"several": "Proposition 8"}
CURVES = (
    "Each curve is the least noise that a guarantee requires: (ε, δ)-DP, or probabilistic DP (pDP: the privacy loss "
    "exceeds ε with probability at most δ), which never requires less. "
    "Corollary 9 is the paper's bound for pDP, without a simulation."
)


def measure_name(setting: GeneralizedGaussianSetting) -> str:
    """Return the name of the size that the curves show."""
    names = {"scale": "scale b", "deviation": "standard deviation", "mean_error": "mean error"}
    return names.get(setting.size, f"half-width ± ({share(setting.significance)})")


def statistics_text(result: GeneralizedGaussianResult) -> str:
    """Return what the curves are and, for several statistics, what the signs of the noise would save at p = 2."""
    setting = result.setting.curve_setting
    if not setting.statistic_sensitivities:
        return CURVES
    n = len(setting.statistic_sensitivities)
    how_many = "one statistic" if n == 1 else f"{n} statistics together"
    note = (
        f" Instead of ε = {format_input_up(result.setting.epsilon)} it is solved for {format_nearest(setting.epsilon)}."
    )
    return (
        f"For {how_many} the paper's Proposition 8 gives one b to all, for probabilistic DP; the answer above, the "
        "exact scales and Corollary 9 are for one statistic. "
        f"It drops the signs of the noise: at p = 2 it requires b = {format_up(result.several_gaussian)}, where "
        f"Proposition 11 with Δ₂ = {format_up(result.l2_sensitivity)} uses them and requires"
        f" {format_up(result.signed_gaussian)}."
        f"{note if setting.epsilon > result.setting.epsilon else ''}{thinning_text(result)}"
    )


def thinning_text(result: GeneralizedGaussianResult) -> str:
    """Return which curves or points are left out as they would take too long."""
    if not result.is_thinned:
        return ""
    if not result.grids:
        return " Each point takes long here: the curves are left out."
    missing = " and ".join(symbol for key, symbol in SYMBOLS.items() if key not in result.grids)
    sentence = " Each point takes long here, so the curves have fewer than usual"
    return f"{sentence}, and over {missing} there is none." if missing else f"{sentence}."


def sensitivities_text(values: tuple[float, ...]) -> str:
    """Return sensitivities separated by commas.

    >>> sensitivities_text((1.0, 0.1))
    '1, 0.1'
    """
    return ", ".join(format_input_down(value) for value in values)


def draws_text(result: GeneralizedGaussianResult) -> str:
    """Return the draws of a simulated point, where they are too few, and whether points are left out."""
    n, points = result.setting.draws, result.setting.simulated_points
    if result.setting.monte_carlo == "off":
        return ""
    sentence = f"{n:,.0f} draws a point."
    if result.setting.has_too_few_draws:
        sentence += (
            f" They see no δ below {format_up(10 / n)} or above {format_down(1 - 10 / n)}, where fewer than ten of them"
            " would violate the guarantee, or satisfy it: such points are left out."
        )
    if len(result.simulated_points) < len(points):
        sentence += (
            f" Only {len(result.simulated_points)} of {len(points)} points are drawn, as all would take too long."
        )
    return sentence


def subtitle(setting: GeneralizedGaussianSetting, x: str) -> str:
    """Return the parameters of a scale curve over p, ε or δ."""
    if not setting.statistic_sensitivities:
        return parameters_text(setting, without=x)
    return (
        f"{parameters_text(setting, without=f'{x} sensitivity')}; Δ ="
        f" {sensitivities_text(setting.statistic_sensitivities)}"
    )


def numbers_frame(curves: dict[str, pd.DataFrame], simulated: pd.DataFrame | None) -> pd.DataFrame:
    """Return the numbers of the curves of every guarantee, then of the simulated points."""
    parts = [frame.assign(guarantee=key) for key, frame in curves.items()]
    return pd.concat([*parts, *([] if simulated is None else [simulated.assign(guarantee="Monte Carlo")])])


def alternative_text(curves: dict[str, pd.DataFrame], x: str, setting: GeneralizedGaussianSetting) -> str:
    """Return the text alternative of a scale curve, from its first point to its last."""
    over, sentences = SYMBOLS[x], []
    for key, frame in curves.items():
        (start, end), (first, last) = (frame[column].to_numpy()[[0, -1]] for column in (x, setting.size))
        sentences.append(
            f"{GUARANTEE_NAMES[key]} goes from {format_nearest(first)} at {over} = {format_nearest(start)} to"
            f" {format_nearest(last)} at {over} = {format_nearest(end)}"
        )
    return f"The {measure_name(setting)} against {over}: {'; '.join(sentences)}."


def csv_header_of_curves(result: GeneralizedGaussianResult) -> dict[str, Any]:
    """Return the parameters for the top of a CSV of the scale curves; those that vary are columns."""
    setting = result.setting.curve_setting
    if not setting.statistic_sensitivities:
        return csv_header(result, guarantee="a column; adp is (ε, δ)-DP, exact_pdp and disjoint (Corollary 9) are pDP")
    draws = {"draws": int(setting.draws), "seed": int(setting.seed)} if setting.monte_carlo == "on" else {}
    sensitivities = ", ".join(repr(sensitivity) for sensitivity in setting.statistic_sensitivities)
    source = "(ε, δ)-pDP, Liu 2019, Proposition 8"
    return csv_header(
        result,
        epsilon=repr(setting.epsilon),
        guarantee=source,
        l2_sensitivity=f"one for each statistic: {sensitivities}",
        **draws,
    )
