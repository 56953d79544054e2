"""The words on how much noise each promise needs: scale curves, several statistics, the paper's Monte Carlo."""

from typing import Any

import pandas as pd

from dpcore.calibrations import GENERALIZED_GAUSSIAN
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    share,
)
from pages.generalized_gaussian.figures import SYMBOLS
from pages.generalized_gaussian.found import Found
from pages.generalized_gaussian.parameters import Setting
from pages.generalized_gaussian.words import csv_header, place

NAMES = {each.key: each.name for each in GENERALIZED_GAUSSIAN} | {"several": "Proposition 8"}


CURVES = (
    "Each curve is the least noise that a promise needs: (ε, δ)-DP, or probabilistic DP (pDP: the privacy loss stays "
    "within ε but with probability δ), which never asks for less. Corollary 9 is the paper's bound for pDP, without a "
    "simulation."
)


def size_name(now: Setting) -> str:
    """The size that the curves show, in words."""
    names = {"scale": "scale b", "deviation": "standard deviation", "mean_error": "mean error"}
    return names.get(now.size, f"error at {share(now.significance)}")


def statistics_words(found: Found) -> str:
    """What the curves are and, for several statistics, what the signs of the noise would save for the Gaussian."""
    now = found.setting.solved
    if not now.together:
        return CURVES
    n = len(now.together)
    how_many = "one statistic" if n == 1 else f"{n} statistics together"
    used = f" Instead of ε = {format_input_up(found.setting.epsilon)} it is solved for {format_nearest(now.epsilon)}."
    return (
        f"For {how_many} the paper's Proposition 8 gives one b to all, for probabilistic DP; the answer above, the "
        "exact scales and Corollary 9 are for one statistic. "
        f"It drops the signs of the noise: at p = 2 it asks for b = {format_up(found.several_gaussian)}, where "
        f"Proposition 11 with Δ₂ = {format_up(found.together_norm)} keeps them and needs"
        f" {format_up(found.signed_gaussian)}."
        f"{used if now.epsilon > found.setting.epsilon else ''}{_fewer_points(found)}"
    )


def _fewer_points(found: Found) -> str:
    """What of the curves is left out as it would take too long."""
    if not found.is_thinned:
        return ""
    if not found.grids:
        return " Each point takes long here: the curves are left out."
    left_out = " and ".join(symbol for key, symbol in SYMBOLS.items() if key not in found.grids)
    said = " Each point takes long here, so the curves have fewer than usual"
    return f"{said}, and over {left_out} there is none." if left_out else f"{said}."


def listed(values: tuple[float, ...]) -> str:
    """Sensitivities in a row.

    >>> listed((1.0, 0.1))
    '1, 0.1'
    """
    return ", ".join(format_input_down(value) for value in values)


def draws_words(found: Found) -> str:
    """How many draws a simulated point has, where the Monte Carlo is blind, and whether points are left out."""
    n, all_places = found.setting.draws, found.setting.places
    if found.setting.monte_carlo == "off":
        return ""
    said = f"{n:,.0f} draws a point."
    if found.setting.is_blind:
        said += (
            f" They see no δ below {format_up(10 / n)} or above {format_down(1 - 10 / n)}, where fewer than ten of them"
            " would break the promise, or keep it: such points are left out."
        )
    if len(found.places) < len(all_places):
        said += f" Only {len(found.places)} of {len(all_places)} points are drawn, as all would take too long."
    return said


def subtitle(now: Setting, x: str) -> str:
    """The parameters of a scale curve over p, ε or δ."""
    if not now.together:
        return place(now, without=x)
    return f"{place(now, without=f'{x} sensitivity')}; Δ = {listed(now.together)}"


def frame(curves: dict[str, pd.DataFrame], simulated: pd.DataFrame | None) -> pd.DataFrame:
    """The numbers behind a scale curve: every guarantee's, then the simulated points."""
    parts = [frame.assign(guarantee=key) for key, frame in curves.items()]
    return pd.concat([*parts, *([] if simulated is None else [simulated.assign(guarantee="Monte Carlo")])])


def alternative(curves: dict[str, pd.DataFrame], x: str, now: Setting) -> str:
    """What a scale curve shows, from its first point to its last."""
    over, said = SYMBOLS[x], []
    for key, frame in curves.items():
        (start, end), (first, last) = (frame[column].to_numpy()[[0, -1]] for column in (x, now.size))
        said.append(
            f"{NAMES[key]} goes from {format_nearest(first)} at {over} = {format_nearest(start)} to"
            f" {format_nearest(last)} at {over} = {format_nearest(end)}"
        )
    return f"The {size_name(now)} against {over}: {'; '.join(said)}."


def header(found: Found) -> dict[str, Any]:
    """The parameters for the top of a CSV of the scale curves: those of each row stand in it."""
    now = found.setting.solved
    if not now.together:
        return csv_header(found, guarantee="a column; adp is (ε, δ)-DP, exact_pdp and disjoint (Corollary 9) are pDP")
    drawn = {"draws": int(now.draws), "seed": int(now.seed)} if now.monte_carlo == "on" else {}
    listed_ones = ", ".join(repr(each) for each in now.together)
    source = "(ε, δ)-pDP, Liu 2019, Proposition 8"
    return csv_header(
        found,
        epsilon=repr(now.epsilon),
        guarantee=source,
        l2_sensitivity=f"one for each statistic: {listed_ones}",
        **drawn,
    )
