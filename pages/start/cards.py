"""The tiles of the start page: what is published or asked, an example, a small picture, the link to its page."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import accuracy, composition, gaussian
from dpcore.calibrations import ANALYTIC, GEOMETRIC, LAPLACE, PURE_DP, Calibration
from dpcore.checks import Array
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Card
from pages.framework.parameters.number_format import format_up, without_markdown
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import SharedSetting
from pages.shared.site_map import ACCURACY, COMPOSITION, MEANING, MEDIAN, PLAN, SERIES, SURVEY, TABLES
from pages.start import card_figures as figures
from pages.start.results import one_number_entries

EPSILONS, N_RELEASES = np.logspace(-3, 2, 41), np.arange(1, 53)
Columns = Mapping[str, ArrayLike]
_EPOCHS = 100 * np.linspace(0, 1, 9)[1:] ** 2  # close where the curve bends


def error(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of one number: ± over ε of two kinds of noise, and that at the ε of the page."""
    entries = {"section": "accuracy", "known": "epsilon", "promise": "pure"}
    entries |= {"mechanisms": "three", "shown": "accuracy", "pinned": "none"}
    link = Link(ACCURACY, ACCURACY.name, one_number_entries(setting) | entries)
    noise = GEOMETRIC if GEOMETRIC.key in link.result.rows else LAPLACE
    half_widths = {rule.key: _half_widths(rule, setting) for rule in (noise, ANALYTIC)}
    at = setting.epsilon, link.result.rows[noise.key].half_width
    figure = figures.accuracy_card_figure(EPSILONS, half_widths, at, colours)
    example = "How many patients, what average income? How far off is it, and which ε makes it good enough?"
    numbers = {"epsilon": EPSILONS, **half_widths}
    return _card("error", link, example, link.answer_sentence, figure, numbers, setting)


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
    """Return the tile of several statistics: what each query of the page's first plan adds, beside the page's ε."""
    link = Link(PLAN, PLAN.name, shared_entries(setting) | {"promise": "pure", "direction": "errors"})
    result = link.result
    costs, families = result.cost, [part.noise.family for part in result.planned_queries]
    figure = figures.plan_card_figure(costs, families, result.epsilon, setting.epsilon, colours)
    example = "A yearly report of counts, sums and tables: which noise for each, and what total ε?"
    return _card("several", link, example, link.answer_sentence, figure, {"cost": costs}, setting)


def median(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a median: its ± over ε, where the left end is the cliff."""
    entries = {"section": "quantile", "source": "shape"}
    link = Link(MEDIAN, MEDIAN.name, shared_entries(setting) | entries)
    result = link.result.quantile
    curve = result.over_epsilon
    at = result.release.epsilon, result.error
    figure = figures.median_card_figure(curve["epsilon"], curve["permute_and_flip"], at, colours)
    example = "Waiting times: how far off is a private median, and what does that depend on?"
    numbers = {"epsilon": curve["epsilon"], "half_width": curve["permute_and_flip"]}
    return _card("median", link, example, link.answer_sentence, figure, numbers, setting)


def series(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a series: the ± of each running total of 36 months, and that of adding noisy months up."""
    link = Link(SERIES, SERIES.name, shared_entries(setting) | {"section": "time", "pinned": "none"})
    result = link.result.over_time
    own, months = result.half_widths(result.chosen), result.half_widths_of("per_period")
    month = np.arange(1, own.size + 1)
    figure = figures.series_card_figure(month, own, months, colours)
    example = "Monthly numbers and their totals: what does adding them up cost?"
    numbers = {"month": month, "best": own, "months": months}
    return _card("series", link, example, link.answer_sentence, figure, numbers, setting)


def survey(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a survey in which each person adds the noise: its ± in percentage points over ε."""
    link = Link(SURVEY, SURVEY.name, shared_entries(setting))
    result = link.result
    curve, points = result.over_epsilon, 100.0
    half_width = points * curve[result.method].to_numpy()
    at = setting.epsilon, points * result.error
    figure = figures.survey_card_figure(curve["epsilon"].to_numpy(), half_width, at, colours)
    example = "Answers that nobody may know, not even you: how many people do you need?"
    numbers = {"epsilon": curve["epsilon"], "half_width": half_width}
    return _card("survey", link, example, link.answer_sentence, figure, numbers, setting)


def dp_sgd(setting: SharedSetting, colours: Colours) -> Card:
    """Return the tile of a trained model: the ε of a training, beside the ε of the page."""
    entries = {"section": "training", "solve": "epsilon", "training_view": "steps", "pinned": "none"}
    entries |= {"records": "60000", "batch": "256", "epochs": "60", "noise_multiplier": "1.1"}
    link = Link(COMPOSITION, "A trained model", shared_entries(setting) | entries)
    run = link.result.training
    curve = _epsilon_over_epochs(run.noise, run.rate, setting.delta)
    figure = figures.training_card_figure(_EPOCHS, curve, (run.epochs, run.epsilon), setting.epsilon, colours)
    example = "A network trained with DP-SGD on patients’ images: how long, with how much noise?"
    return _card("dp_sgd", link, example, link.answer_sentence, figure, {"epochs": _EPOCHS, "epsilon": curve}, setting)


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


PUBLISHED, PRIVATE_ENOUGH = (error, table, several, median, series, survey, dp_sgd), (meaning, together)


def _card(
    name: str, link: Link, example: str, pictured: str, figure: Figure, numbers: Columns, setting: SharedSetting
) -> Card:
    """Return a tile: `example` stands on it, and `pictured` says in words what the picture shows."""
    title = figure["layout"]["title"]["text"]
    picture = Exhibit(
        f"card_{name}",
        figure,
        f"{title}. {without_markdown(pictured)}",
        lambda: pd.DataFrame(numbers),
        setting.csv_header,
    )
    return Card(link.name, link.address, example, picture)


@lru_cache(256)
def _epsilon_of_releases(epsilon: float, delta: float) -> Array:
    """Return ε at δ of k releases with the least Gaussian noise of (ε, δ)-DP: k of them are one with σ ÷ √k."""
    sigma = gaussian.analytic_sigma(epsilon, delta)
    return gaussian.epsilon_from_sigma(delta, sigma / np.sqrt(N_RELEASES))


@lru_cache(256)
def _epsilon_over_epochs(noise: float, rate: float, delta: float) -> Array:
    return composition.dp_sgd_epsilon(delta, noise, rate, np.ceil(_EPOCHS / rate), "certified")


def _half_widths(rule: Calibration, setting: SharedSetting) -> Array:
    delta = 0.0 if rule.guarantee == PURE_DP else setting.delta
    return _cached_half_widths(rule, setting.significance, setting.l2_sensitivity, delta)


@lru_cache(256)
def _cached_half_widths(rule: Calibration, significance: float, sensitivity: float, delta: float) -> Array:
    return accuracy.half_width(rule, EPSILONS, significance, sensitivity, delta)
