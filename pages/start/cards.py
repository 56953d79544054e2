"""The questions that people come with: each a link at the user's setting, its answer there, and one small picture."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import accuracy, composition, gaussian, tradeoff
from dpcore.calibrations import ANALYTIC, LAPLACE, PURE_DP, Calibration
from dpcore.checks import Array
from pages.composition.dp_sgd import results
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Card
from pages.framework.parameters.number_format import format_input_up
from pages.shared.shared_parameters import SharedSetting
from pages.shared.site_map import ACCURACY, COMPOSITION, GAUSSIAN_BOUNDS, TABLES, TRADEOFF
from pages.start import card_figures as figures
from pages.start.links import Link, shared

EPSILONS, ALPHAS = np.logspace(-3, 2, 41), np.linspace(0, 1, 41)
Columns = Mapping[str, ArrayLike]
_EPOCHS = np.linspace(0, 100, 51)[1:]


def noise(setting: SharedSetting, colour: Colours) -> Card:
    """How much noise an ε needs."""
    entries = {"section": "bounds", "view": "epsilon", "pinned": "none"}
    link = Link(GAUSSIAN_BOUNDS, "How much noise does my ε need?", shared(setting) | entries)
    along = _sigma(setting.delta, setting.l2_sensitivity)
    needed = link.found.rows["analytic"].mechanism.scale
    figure = figures.sigma_figure(EPSILONS, along, setting.epsilon, needed, colour)
    return _card("noise", link, link.said, figure, {"epsilon": EPSILONS, "sigma": along}, setting)


def error(setting: SharedSetting, colour: Colours) -> Card:
    """What ε an error needs: of one number that a person moves by at most Δ₂, three times that."""
    size = shared(setting)["l2_sensitivity"]
    entries = {"section": "accuracy", "known": "accuracy", "query": "own", "l1_sensitivity": size, "accuracy": "±3"}
    entries |= {"unit": "units", "promise": "pure", "mechanisms": "three", "shown": "accuracy", "pinned": "none"}
    link = Link(ACCURACY, "What ε for the error I can accept?", shared(setting) | entries)
    asked = replace(link, entries=link.entries | {"epsilon": "1"})  # the answer has no use for ε: it is found once
    found = asked.found
    along = {each.key: _reach(each, setting) for each in (LAPLACE, ANALYTIC)}
    needed, wanted = found.answers["laplace"].epsilon, float(found.setting.accuracy)
    figure = figures.accuracy_figure(EPSILONS, along, wanted, needed, colour)
    return _card("error", link, asked.said, figure, {"epsilon": EPSILONS, **along}, setting)


def attacker(setting: SharedSetting, colour: Colours) -> Card:
    """What an attacker can learn."""
    entries = {"section": "curves", "alpha": "0.05", "prior": "0.1", "view": "power", "pinned": "none"}
    link = Link(TRADEOFF, "What can an attacker learn?", shared(setting) | entries)
    row = link.found.row
    power = row.curve.power(ALPHAS)
    allowed = tradeoff.epsilon_delta_power(ALPHAS, setting.epsilon, setting.delta)
    figure = figures.tradeoff_figure(ALPHAS, power, allowed, (row.alpha, row.power), colour)
    numbers = {"alpha": ALPHAS, "gaussian": power, "promise": allowed}
    return _card("attacker", link, link.said, figure, numbers, setting)


def table(setting: SharedSetting, colour: Colours) -> Card:
    """What noise leaves of a table, one of 64 counts for an example."""
    entries = {"section": "table", "table": "czech", "mechanism": "recommended", "promise": "pure", "error": "all"}
    entries |= {"per_person": "1", "per_cell": "1", "neighbours": "add_remove", "margins": "0", "axis": "linear"}
    link = Link(TABLES, "I have a table", shared(setting) | entries | {"pinned": "none"})
    found = link.found
    shade = colour["quiet" if found.noise is None else found.noise.key]
    figure = figures.cells_figure(found.count, found.half_width, shade, colour)
    numbers = {"count": found.count, "half_width": found.half_width}
    return _card(
        "table", link, f"{link.said} That is a sample table; yours can be brought there.", figure, numbers, setting
    )


def dp_sgd(setting: SharedSetting, colour: Colours) -> Card:
    """What a training costs, beside the ε of the page."""
    entries = {"section": "training", "solve": "epsilon", "training_view": "steps", "pinned": "none"}
    entries |= {"records": "60000", "batch": "256", "epochs": "60", "noise_multiplier": "1.1"}
    link = Link(COMPOSITION, "I train with DP-SGD", shared(setting) | entries)
    one = results.training(link.found)
    rdp = _by_rdp(one.noise, one.rate, setting.delta)
    figure = figures.training_figure(_EPOCHS, rdp, (one.epochs, one.epsilon), setting.epsilon, colour)
    side = "within" if one.epsilon <= setting.epsilon else "above"
    said = f"{link.said} That is {side} your ε = {format_input_up(setting.epsilon)}."
    return _card("dp_sgd", link, said, figure, {"epochs": _EPOCHS, "rdp": rdp}, setting)


ALL = (noise, error, attacker, table, dp_sgd)


def _card(name: str, link: Link, said: str, figure: Figure, numbers: Columns, setting: SharedSetting) -> Card:
    title = figure["layout"]["title"]["text"]
    picture = Exhibit(f"card_{name}", figure, f"{title}. {said}", lambda: pd.DataFrame(numbers), setting.header)
    return Card(link.name, link.address, said, picture)


@lru_cache(256)  # none of these depends on the ε that is set
def _sigma(delta: float, sensitivity: float) -> Array:
    return gaussian.analytic_sigma(EPSILONS, delta, sensitivity)


@lru_cache(256)
def _by_rdp(noise: float, rate: float, delta: float) -> Array:
    return composition.dp_sgd_epsilon(delta, noise, rate, np.ceil(_EPOCHS / rate), "rdp")


def _reach(rule: Calibration, setting: SharedSetting) -> Array:
    return _half_width(
        rule, setting.significance, setting.l2_sensitivity, 0.0 if rule.promise == PURE_DP else setting.delta
    )


@lru_cache(256)
def _half_width(rule: Calibration, significance: float, sensitivity: float, delta: float) -> Array:
    return accuracy.half_width(rule, EPSILONS, significance, sensitivity, delta)
