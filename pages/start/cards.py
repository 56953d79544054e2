"""The tiles of the start page: what is published or asked, an example, a small picture, the link to its page."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import accuracy, composition, gaussian
from dpcore.calibrations import ANALYTIC, GEOMETRIC, LAPLACE, PURE_DP, Calibration
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Card
from pages.framework.parameters.number_format import format_up
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import SharedSetting
from pages.shared.site_map import ACCURACY, COMPOSITION, MEANING, PLAN, TABLES
from pages.start import card_figures as figures
from pages.start.results import one_number_entries

EPSILONS, N_RELEASES = np.logspace(-3, 2, 41), np.arange(1, 53)
Columns = Mapping[str, ArrayLike]
_EPOCHS = np.linspace(0, 100, 51)[1:]


def error(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of one number: the ε that an error of three times Δ₂ requires."""
    entries = {"section": "accuracy", "known": "accuracy", "accuracy": "±3", "promise": "pure"}
    entries |= {"mechanisms": "three", "shown": "accuracy", "pinned": "none"}
    link = Link(ACCURACY, ACCURACY.name, one_number_entries(setting) | entries)
    at_one = replace(link, entries=link.entries | {"epsilon": "1"})  # the answer does not depend on ε: one computation
    result = at_one.result
    noise = GEOMETRIC if GEOMETRIC.key in result.rows else LAPLACE
    half_widths = {rule.key: _half_widths(rule, setting) for rule in (noise, ANALYTIC)}
    required, target = result.rows[noise.key].epsilon, float(result.setting.accuracy)
    figure = figures.accuracy_card_figure(EPSILONS, half_widths, target, required, colours)
    example = "How many patients, what average income? Which ε does the error that I can accept need?"
    pictured = at_one.answer_sentence
    return _card("error", link, example, pictured, figure, {"epsilon": EPSILONS, **half_widths}, setting)


def table(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a table: what noise leaves of a sample table of 64 counts."""
    entries = {"section": "table", "table": "czech", "mechanism": "recommended", "promise": "pure", "error": "all"}
    entries |= {"per_person": "1", "per_cell": "1", "neighbours": "add_remove", "margins": "0", "axis": "linear"}
    link = Link(TABLES, TABLES.name, shared_entries(setting) | entries | {"pinned": "none"})
    result = link.result
    shade = colours["quiet" if result.mechanism is None else result.mechanism.key]
    figure = figures.cells_card_figure(result.counts, result.half_width, shade, colours)
    numbers = {"count": result.counts, "half_width": result.half_width}
    example = "Visits by district, or your own counts: which noise, and which cells remain usable?"
    return _card("table", link, example, link.answer_sentence, figure, numbers, setting)


def several(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of several statistics: what each query of the page's first plan adds to ε."""
    link = Link(PLAN, PLAN.name, shared_entries(setting) | {"promise": "pure", "direction": "errors"})
    result = link.result
    costs = result.cost
    figure = figures.plan_card_figure(costs, [part.noise.family for part in result.planned_queries], colours)
    example = "A yearly report of counts, sums and tables: which noise for each, and what total ε?"
    return _card("several", link, example, link.answer_sentence, figure, {"cost": costs}, setting)


def dp_sgd(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a trained model: the ε of a training, beside the ε of the page."""
    entries = {"section": "training", "solve": "epsilon", "training_view": "steps", "pinned": "none"}
    entries |= {"records": "60000", "batch": "256", "epochs": "60", "noise_multiplier": "1.1"}
    link = Link(COMPOSITION, "A trained model", shared_entries(setting) | entries)
    run = link.result.training
    rdp = _epsilon_by_rdp(run.noise, run.rate, setting.delta)
    figure = figures.training_card_figure(_EPOCHS, rdp, (run.epochs, run.epsilon), setting.epsilon, colours)
    example = "A network trained with DP-SGD on patients’ images: how long, with how much noise?"
    return _card("dp_sgd", link, example, link.answer_sentence, figure, {"epochs": _EPOCHS, "rdp": rdp}, setting)


def meaning(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of what ε means: every belief about one person, before and after."""
    link = Link(MEANING, MEANING.name, shared_entries(setting) | {"promise": "pure", "prior": "0.1", "pinned": "none"})
    beliefs = link.result.beliefs
    figure = figures.beliefs_card_figure(beliefs["prior"], beliefs["at_least"], beliefs["at_most"], colours)
    example = "What can anybody learn about one person? Is my ε high, compared with what others used?"
    return _card("meaning", link, example, link.answer_sentence, figure, dict(beliefs), setting)


def together(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of all releases together: ε of one release a week for a year, each with the page's guarantee."""
    link = Link(COMPOSITION, COMPOSITION.name, shared_entries(setting) | {"section": "together", "pinned": "none"})
    total = _epsilon_of_releases(setting.epsilon, setting.delta)
    figure = figures.releases_card_figure(N_RELEASES, total, colours)
    example = "The same counts every week: what do all releases about the same people reveal?"
    pictured = f"ε grows with the releases, to {format_up(float(total[-1]))} after {N_RELEASES[-1]}."
    return _card("together", link, example, pictured, figure, {"releases": N_RELEASES, "epsilon": total}, setting)


PUBLISHED, PRIVATE_ENOUGH = (error, table, several, dp_sgd), (meaning, together)


def _card(
    name: str, link: Link, example: str, pictured: str, figure: Figure, numbers: Columns, setting: SharedSetting
) -> Card:
    """Return a tile: `example` stands on it, and `pictured` says in words what the picture shows."""
    title = figure["layout"]["title"]["text"]
    picture = Exhibit(f"card_{name}", figure, f"{title}. {pictured}", lambda: pd.DataFrame(numbers), setting.csv_header)
    return Card(link.name, link.address, example, picture)


@lru_cache(256)
def _epsilon_of_releases(epsilon: float, delta: float) -> Array:
    """Return ε at δ of k releases with the least Gaussian noise of (ε, δ)-DP: k of them are one with σ ÷ √k."""
    sigma = gaussian.analytic_sigma(epsilon, delta)
    return gaussian.epsilon_from_sigma(delta, sigma / np.sqrt(N_RELEASES))


@lru_cache(256)
def _epsilon_by_rdp(noise: float, rate: float, delta: float) -> Array:
    return composition.dp_sgd_epsilon(delta, noise, rate, np.ceil(_EPOCHS / rate), "rdp")


def _half_widths(rule: Calibration, setting: SharedSetting) -> Array:
    delta = 0.0 if rule.guarantee == PURE_DP else setting.delta
    return _cached_half_widths(rule, setting.significance, setting.l2_sensitivity, delta)


@lru_cache(256)
def _cached_half_widths(rule: Calibration, significance: float, sensitivity: float, delta: float) -> Array:
    return accuracy.half_width(rule, EPSILONS, significance, sensitivity, delta)
