"""What each trace of the page of tables must show: see `tests.pages.figure_checks`."""

from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore import accuracy, gaussian, geometric, tables
from dpcore.mechanism import Mechanism
from dpcore.recommendation import recommend
from dpcore.sensitivity import Sensitivity, table_sensitivity
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Rows,
    Setting,
    Trace,
    Truth,
    from_1,
    has_status,
    linear,
    log,
    pinned,
    point,
    where,
)

BEFORE = "epsilon=0.5&delta=1e-4&per_person=2"
MANY = {"per_person": "3", "per_cell": "2", "error": "each", "delta": "0.01", "epsilon": "2", "pinned": BEFORE}
CLIPPED = {"clipped": "on", "rounded": "on", "mechanism": "analytic", "table": "mildew", "seed": "5"}
SETTINGS = {
    "": (
        {},
        MANY | {"neighbours": "replace", "promise": "delta"},
        {"epsilon": "5", "mechanism": "classical", "margins": "1"},
    ),
    "cells": ({}, {"axis": "log", "table": "mildew"}, MANY | {"axis": "relative"}, MANY | {"error": "all"}),
    **dict.fromkeys(("release", "kept"), ({}, CLIPPED, CLIPPED | {"rounded": "off", "epsilon": "0.3"})),
}

SHIPPED = {"czech": tables.czech_autoworkers, "mildew": tables.mildew}
N_REPEATS = 500


@cache
def counts_of(table: str) -> Numbers:
    return SHIPPED[table]()["count"].to_numpy()


def order_of(table: str) -> Numbers:
    """Return the places of the cells, the largest first."""
    return np.argsort(-counts_of(table), kind="stable")


def moves(at: Setting, persons: Any) -> Sensitivity:
    return table_sensitivity(persons, at.per_cell, at.neighbours, at.margins, counts_of(at.table).size)


def significance(at: Setting) -> float:
    """Return that of one cell."""
    together = accuracy.each_significance(at.significance, counts_of(at.table).size)
    return float(together) if at.error == "all" else at.significance


def noises(at: Setting) -> dict[str, Mechanism]:
    """Return every noise that fits the table."""
    fitting = tables.mechanisms(at.epsilon, at.delta, moves(at, at.per_person), at.p)
    return {noise.key: noise for noise in fitting}


def noise(at: Setting) -> Mechanism:
    """Return the noise that is drawn: the recommended one, or the one that is chosen."""
    if at.mechanism != "recommended":
        return noises(at)[at.mechanism]
    recommended = recommend(
        tuple(noises(at).values()), at.promise, any(noise.whole for noise in noises(at).values()), significance(at)
    )
    assert recommended is not None
    return recommended.mechanism


# Which noise

LINES = {
    "laplace": "Laplace",
    "geometric": "Geometric",
    "analytic": "Analytic Gaussian",
    "pdp": "pDP Gaussian",
    "classical": "Classical Gaussian",
}
SIGMAS = {"analytic": gaussian.analytic_sigma, "pdp": gaussian.pdp_sigma, "classical": gaussian.classical_sigma}
STATES = {"": "proved", ": unproved": "within target", ": FAILS": "fails"}


def half_width(key: str, at: Setting, epsilon: Any, moved: Sensitivity) -> Numbers:
    """± of a noise, for the error that is meant."""
    level = significance(at)
    if key == "laplace":
        return accuracy.laplace_accuracy(epsilon, level, moved.l1)
    if key == "geometric":
        return geometric.half_width(level, moved.l1 / epsilon)
    return accuracy.gaussian_accuracy(SIGMAS[key](epsilon, at.delta, moved.l2), level)


def over_persons(key: str) -> Truth:
    return lambda at, x: half_width(key, at, at.epsilon, moves(at, x))


def over_epsilon(key: str) -> Truth:
    """± over Laplace's."""

    def ratio(at: Setting, x: Numbers) -> Numbers:
        moved = moves(at, at.per_person)
        return half_width(key, at, x, moved) / half_width("laplace", at, x, moved)

    return ratio


def lines(truth, column, setting: Setting, has: dict[str, set[str]]) -> dict[str, Trace]:
    """Return a line for each noise and each state of its theorem that it has."""

    def trace(key: str, word: str) -> Trace:
        def is_positive(rows: pd.DataFrame) -> Numbers:
            return np.asarray(has_status(word)(rows)) & (rows["half_width"] > 0).to_numpy()

        def of_noise(table: pd.DataFrame) -> Numbers:
            return (table["noise"] == key).to_numpy()

        return Trace(truth(key), column, of_noise, is_positive, has_status(word))

    traces = {
        f"{LINES[key]}{label}": trace(key, word)
        for key, words in has.items()
        for label, word in STATES.items()
        if word in words
    }
    if setting.pinned is not None:
        traces |= pinned(*(truth(key) for key in LINES if key in noises(setting.pinned)))
    return traces


def points_at_setting(setting: Setting, x: str, unit: Any) -> dict[str, Trace]:
    """Return the noises that are found at the current setting only, as points."""

    def place(at: Setting, key: str) -> tuple[float, float]:
        return getattr(at, x), noises(at)[key].half_width(significance(at)) / unit(at)

    return {
        f"{noise.name} (point)": point(partial(place, key=key))
        for key, noise in noises(setting).items()
        if key in ("staircase", "discrete_gaussian", "generalized_gaussian", "truncated_geometric")
    }


def noise_persons(setting: Setting) -> Chart:
    has = {key: {noises(setting)[key].status} for key in LINES if key in noises(setting)}
    traces = lines(over_persons, "half_width", setting, has) | points_at_setting(setting, "per_person", lambda _: 1.0)
    return Chart(log("cells per person k"), log("± (counts)"), traces, "cells_per_person")


def noise_epsilon(setting: Setting) -> Chart:
    moved = moves(setting, setting.per_person)

    def ratio(rows: pd.DataFrame) -> Numbers:
        return rows["half_width"].to_numpy() / half_width("laplace", setting, rows["epsilon"].to_numpy(), moved)

    keys = [key for key in LINES if key in noises(setting)]
    has = {key: {"proved"} for key in keys} | {"classical": {"proved", "within target", "fails"}}
    if setting.delta == 0.01:  # where the classical formula does not fail up to ε = 100
        has["classical"] = states_along(setting)
    unit = points_at_setting(setting, "epsilon", lambda at: noises(at)["laplace"].half_width(significance(at)))
    traces = lines(over_epsilon, ratio, setting, has) | unit
    return Chart(log("ε (nats)"), log("± ÷ Laplace’s ±"), traces, "epsilon")


def states_along(setting: Setting) -> set[str]:
    """Return the states that the classical formula has along ε."""
    epsilon = np.logspace(-3, 2, 201)
    sigma = gaussian.classical_sigma(epsilon, setting.delta)
    breaks = gaussian.delta_from_sigma(epsilon, sigma) > setting.delta
    return {
        "proved",
        *(["within target"] if (~breaks[epsilon >= 1]).any() else []),
        *(["fails"] if breaks.any() else []),
    }


# The cells of a table


def cells(setting: Setting) -> Chart:
    """Return every cell, the largest first, with its error bar, or its ± as a share of its count."""
    reach = noise(setting).half_width(significance(setting))
    stays = tables.least_visible_count(noise(setting), significance(setting))
    relative = setting.axis == "relative"

    def height(count: Numbers) -> Numbers:
        if relative:
            return reach / count
        return np.maximum(count, 0.5) if setting.axis == "log" else count

    def truth(at: Setting, rank: Numbers) -> Numbers:
        counts = counts_of(at.table)[order_of(at.table)]
        return where(np.isclose(rank, np.round(rank)), height(counts[np.round(rank).astype(int) - 1]))

    def counts_drawn(rows: pd.DataFrame) -> Numbers:
        """Return the counts from the largest on, those that are 0 left out where there is no share of them."""
        count = -np.sort(-rows["count"].to_numpy())
        return count[count > 0] if relative else count

    def trace(rows: Rows) -> Trace:
        bars = None if relative else lambda _, x: np.full(x.size, reach)
        return Trace(truth, lambda part: height(counts_drawn(part)), rows, x="", hover=counts_drawn, error=bars)

    def clear(table: pd.DataFrame) -> Numbers:
        return (table["low"] > 0).to_numpy()

    def above(table: pd.DataFrame) -> Numbers:
        return (table["count"] >= stays).to_numpy()

    traces = {
        "error bar above 0": trace(clear),
        "error bar reaches 0, released as positive": trace(lambda table: above(table) & ~clear(table)),
        "may be released as 0 or below": trace(lambda table: ~above(table)),
    }
    counts = counts_of(setting.table)
    counts = counts[counts > 0] if relative else counts
    some = {
        "error bar above 0": counts > reach,
        "error bar reaches 0, released as positive": (counts >= stays) & (counts <= reach),
    }
    some["may be released as 0 or below"] = counts < stays
    label = {"linear": linear("count"), "log": log("count"), "relative": log("± ÷ count")}[setting.axis]
    return Chart(linear("cells, largest first"), label, {name: traces[name] for name in traces if some[name].any()})


# A release


def processed(at: Setting, noisy: Numbers) -> Numbers:
    clipped = np.maximum(noisy, 0) if at.clipped == "on" else noisy
    return np.rint(clipped) if at.rounded == "on" else clipped


def largest_first(column: str):
    return lambda rows: rows.sort_values("count", ascending=False, kind="stable")[column]


def release(_: Setting) -> Chart:
    def count(at: Setting, place: Numbers) -> Numbers:
        return counts_of(at.table)[order_of(at.table)][place.astype(int)]

    def released(at: Setting, place: Numbers) -> Numbers:
        counts = counts_of(at.table)
        noisy = counts + noise(at).sample(np.random.default_rng(int(at.seed)), (counts.size,))
        return processed(at, noisy)[order_of(at.table)][place.astype(int)]

    traces = {
        "true count": Trace(count, largest_first("count"), by_place=True, positions=from_1),
        "released": Trace(released, largest_first("released"), by_place=True, positions=from_1, atol=1e-9),
    }
    return Chart(linear("cells, largest first"), linear("count"), traces)


@cache
def kept_shares(
    table: str, mechanism: Mechanism, level: float, seed: int, clipped: str, rounded: str
) -> tables.ReleaseStatistics:
    """Return what 500 releases keep of each cell."""
    at = Setting(clipped=clipped, rounded=rounded)
    threshold = float(tables.detection_threshold(mechanism, level))
    rng = np.random.default_rng(seed)
    return tables.simulate_releases(
        rng, counts_of(table), mechanism.sample, threshold, N_REPEATS, partial(processed, at)
    )


def shares_preserved(_: Setting) -> Chart:
    def truth(measure: str) -> Truth:
        def share(at: Setting, place: Numbers) -> Numbers:
            result = kept_shares(at.table, noise(at), significance(at), int(at.seed), at.clipped, at.rounded)
            return getattr(result, measure)[order_of(at.table)][place.astype(int)]

        return share

    names = {"order": "rank", "sign": "above 0 or not", "significance": "classified correctly"}
    traces = {
        name: Trace(truth(key), largest_first(f"keeps_{key}"), by_place=True, positions=from_1, atol=1e-12)
        for key, name in names.items()
    }
    return Chart(linear("cells, largest first"), linear("share of releases"), traces)


CHARTS = {
    "noise_persons": noise_persons,
    "noise_epsilon": noise_epsilon,
    "cells": cells,
    "release": release,
    "kept": shares_preserved,
}
