"""The cards of the start page: a question, the link to its page at the user's setting, the answer there, a picture."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import accuracy, composition, gaussian, risk, tradeoff
from dpcore.calibrations import ANALYTIC, GEOMETRIC, LAPLACE, PURE_DP, Calibration
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Card
from pages.framework.parameters.number_format import format_input_up
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import SharedSetting
from pages.shared.site_map import ACCURACY, COMPOSITION, GAUSSIAN_BOUNDS, TABLES, TRADEOFF
from pages.start import card_figures as figures
from pages.start.results import one_number_entries

EPSILONS, ALPHAS = np.logspace(-3, 2, 41), np.linspace(0, 1, 41)
Columns = Mapping[str, ArrayLike]
_SHARES = np.linspace(0.1, 0.99, 41) ** 2  # of the way from the prior to certainty
_MOST_WHOLE = 10_000  # of geometric noise on the page of the risk
_EPOCHS = np.linspace(0, 100, 51)[1:]


def noise(setting: SharedSetting, colours: Colours) -> Card:
    """Return the card on how much noise an ε requires."""
    entries = {"section": "bounds", "view": "epsilon", "pinned": "none"}
    link = Link(GAUSSIAN_BOUNDS, "How much noise does my ε need?", shared_entries(setting) | entries)
    sigma = _sigma(setting.delta, setting.l2_sensitivity)
    required = link.result.rows["analytic"].mechanism.scale
    figure = figures.sigma_card_figure(EPSILONS, sigma, setting.epsilon, required, colours)
    return _card("noise", link, link.answer_sentence, figure, {"epsilon": EPSILONS, "sigma": sigma}, setting)


def error(setting: SharedSetting, colours: Colours) -> Card:
    """Return the card on the ε that an error requires: three times Δ₂, for the number of the page's answer."""
    entries = {"section": "accuracy", "known": "accuracy", "accuracy": "±3", "promise": "pure"}
    entries |= {"mechanisms": "three", "shown": "accuracy", "pinned": "none"}
    link = Link(ACCURACY, "Which ε for the error I can accept?", one_number_entries(setting) | entries)
    at_one = replace(link, entries=link.entries | {"epsilon": "1"})  # the answer does not depend on ε: one computation
    result = at_one.result
    noise = GEOMETRIC if GEOMETRIC.key in result.rows else LAPLACE
    half_widths = {rule.key: _half_widths(rule, setting) for rule in (noise, ANALYTIC)}
    required, target = result.rows[noise.key].epsilon, float(result.setting.accuracy)
    figure = figures.accuracy_card_figure(EPSILONS, half_widths, target, required, colours)
    return _card("error", link, at_one.answer_sentence, figure, {"epsilon": EPSILONS, **half_widths}, setting)


def attacker(setting: SharedSetting, colours: Colours) -> Card:
    """Return the card on what an attacker can learn."""
    entries = {"section": "curves", "alpha": "0.05", "prior": "0.1", "view": "power", "pinned": "none"}
    link = Link(TRADEOFF, "What can an attacker learn?", shared_entries(setting) | entries)
    row = link.result.chosen_row
    power = row.curve.power(ALPHAS)
    allowed = tradeoff.epsilon_delta_power(ALPHAS, setting.epsilon, setting.delta)
    figure = figures.tradeoff_card_figure(ALPHAS, power, allowed, (row.alpha, row.power), colours)
    numbers = {"alpha": ALPHAS, "gaussian": power, "guarantee": allowed}
    return _card("attacker", link, link.answer_sentence, figure, numbers, setting)


def acceptable_risk(setting: SharedSetting, colours: Colours) -> Card:
    """Return the card on the noise of a risk: how sure anybody may become after any outcome, at the page's limit."""
    is_whole = setting.l2_sensitivity.is_integer() and setting.l2_sensitivity <= _MOST_WHOLE
    noise = "geometric" if is_whole else "laplace"
    entries = {"section": "risk", "risk": "outcome", "noise": noise, "per_person": "1", "cells": "1"}
    entries |= {"view": "power", "pinned": "none"}
    link = Link(TRADEOFF, "What risk is acceptable?", shared_entries(setting) | entries)
    risk_setting = link.result.setting.risk_setting
    (prior,), limit = risk_setting.conditions, risk_setting.limit
    posterior = prior + (1 - prior) * _SHARES
    scale = setting.l2_sensitivity / risk.epsilon_from_posterior(posterior, prior)
    point = limit, link.result.risk_noise.calibration.scale
    figure = figures.risk_card_figure(posterior, scale, point, noise, colours)
    answer = link.answer_sentence
    return _card("acceptable_risk", link, answer, figure, {"posterior": posterior, "scale": scale}, setting)


def table(setting: SharedSetting, colours: Colours) -> Card:
    """Return the card on what noise leaves of a table, a sample table of 64 counts."""
    entries = {"section": "table", "table": "czech", "mechanism": "recommended", "promise": "pure", "error": "all"}
    entries |= {"per_person": "1", "per_cell": "1", "neighbours": "add_remove", "margins": "0", "axis": "linear"}
    link = Link(TABLES, "I have a table", shared_entries(setting) | entries | {"pinned": "none"})
    result = link.result
    shade = colours["quiet" if result.mechanism is None else result.mechanism.key]
    figure = figures.cells_card_figure(result.counts, result.half_width, shade, colours)
    numbers = {"count": result.counts, "half_width": result.half_width}
    answer = f"{link.answer_sentence} This is a sample table; you can use your own there."
    return _card("table", link, answer, figure, numbers, setting)


def dp_sgd(setting: SharedSetting, colours: Colours) -> Card:
    """Return the card on the ε of a training, beside the ε of the page."""
    entries = {"section": "training", "solve": "epsilon", "training_view": "steps", "pinned": "none"}
    entries |= {"records": "60000", "batch": "256", "epochs": "60", "noise_multiplier": "1.1"}
    link = Link(COMPOSITION, "I train with DP-SGD", shared_entries(setting) | entries)
    run = link.result.training
    rdp = _epsilon_by_rdp(run.noise, run.rate, setting.delta)
    figure = figures.training_card_figure(_EPOCHS, rdp, (run.epochs, run.epsilon), setting.epsilon, colours)
    side = "within" if run.epsilon <= setting.epsilon else "above"
    answer = f"{link.answer_sentence} That is {side} your ε = {format_input_up(setting.epsilon)}."
    return _card("dp_sgd", link, answer, figure, {"epochs": _EPOCHS, "rdp": rdp}, setting)


CARDS = (noise, error, attacker, acceptable_risk, table, dp_sgd)


def _card(name: str, link: Link, answer: str, figure: Figure, numbers: Columns, setting: SharedSetting) -> Card:
    title = figure["layout"]["title"]["text"]
    picture = Exhibit(f"card_{name}", figure, f"{title}. {answer}", lambda: pd.DataFrame(numbers), setting.csv_header)
    return Card(link.name, link.address, answer, picture)


@lru_cache(256)  # none of these depends on the ε of the page
def _sigma(delta: float, sensitivity: float) -> Array:
    return gaussian.analytic_sigma(EPSILONS, delta, sensitivity)


@lru_cache(256)
def _epsilon_by_rdp(noise: float, rate: float, delta: float) -> Array:
    return composition.dp_sgd_epsilon(delta, noise, rate, np.ceil(_EPOCHS / rate), "rdp")


def _half_widths(rule: Calibration, setting: SharedSetting) -> Array:
    delta = 0.0 if rule.guarantee == PURE_DP else setting.delta
    return _cached_half_widths(rule, setting.significance, setting.l2_sensitivity, delta)


@lru_cache(256)
def _cached_half_widths(rule: Calibration, significance: float, sensitivity: float, delta: float) -> Array:
    return accuracy.half_width(rule, EPSILONS, significance, sensitivity, delta)
