"""What each trace of the page of tables must show: see `tests.pages.figure_checks`."""

from functools import cache, partial
from itertools import product
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
    linear,
    log,
    pinned,
    point,
    where,
)

BEFORE = "epsilon=0.5&delta=1e-4&per_person=2"
MANY = {"per_person": "3", "per_cell": "2", "error": "each", "delta": "0.01", "epsilon": "2", "pinned": BEFORE}
PAPER = {"section": "paper", "grid": "own", "paper_epsilons": "0.5, 2", "paper_deltas": "0.01", "repeats": "20"}
CLIPPED = {"clipped": "on", "rounded": "on", "mechanism": "analytic", "table": "mildew", "seed": "5"}
SETTINGS = {
    "": (
        {},
        MANY | {"neighbours": "replace", "promise": "delta"},
        {"epsilon": "5", "mechanism": "classical", "margins": "1"},
    ),
    "cells": ({}, {"axis": "log", "table": "mildew"}, MANY | {"axis": "relative"}, MANY | {"error": "all"}),
    **dict.fromkeys(("release", "kept"), ({}, CLIPPED, CLIPPED | {"rounded": "off", "epsilon": "0.3"})),
    "released": ({}, PAPER | {"post": "rounded", "seed": "3"}, PAPER | {"post": "none", "table": "mildew"}),
    "distances": (
        {},
        PAPER | {"post": "rounded", "seed": "3", "distance": "kl_original_sanitised"},
        PAPER | {"post": "none", "table": "mildew", "distance": "kl_sanitised_original"},
    ),
}

SHIPPED = {"czech": tables.czech_autoworkers, "mildew": tables.mildew}
N_REPEATS = 500


@cache
def counts_of(table: str) -> Numbers:
    return SHIPPED[table]()["count"].to_numpy()


def order_of(table: str) -> Numbers:
    """The places of the cells, the largest first."""
    return np.argsort(-counts_of(table), kind="stable")


def moves(at: Setting, persons: Any) -> Sensitivity:
    return table_sensitivity(persons, at.per_cell, at.neighbours, at.margins, counts_of(at.table).size)


def significance(at: Setting) -> float:
    """That of one cell."""
    together = accuracy.each_significance(at.significance, counts_of(at.table).size)
    return float(together) if at.error == "all" else at.significance


def noises(at: Setting) -> dict[str, Mechanism]:
    """Every noise that fits the table."""
    fitting = tables.mechanisms(at.epsilon, at.delta, moves(at, at.per_person), at.p)
    return {noise.key: noise for noise in fitting}


def noise(at: Setting) -> Mechanism:
    """The noise that is drawn: the recommended one, or the one that is chosen."""
    if at.mechanism != "recommended":
        return noises(at)[at.mechanism]
    recommended = recommend(
        tuple(noises(at).values()), at.promise, any(each.whole for each in noises(at).values()), significance(at)
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
    """A line for each noise and each state of its theorem that it has."""

    def trace(key: str, word: str) -> Trace:
        def state(rows: pd.DataFrame) -> Numbers:
            return (rows["status"] == word).to_numpy()

        def joined(rows: pd.DataFrame) -> Numbers:
            return np.logical_or(state(rows), np.roll(state(rows), -1))

        def drawn(rows: pd.DataFrame) -> Numbers:
            return state(rows) & (rows["half_width"] > 0).to_numpy()

        return Trace(truth(key), column, lambda table: (table["noise"] == key).to_numpy(), drawn, joined)

    traces = {
        f"{LINES[key]}{label}": trace(key, word)
        for key, words in has.items()
        for label, word in STATES.items()
        if word in words
    }
    if setting.pinned is not None:
        traces |= pinned(*(truth(key) for key in LINES if key in noises(setting.pinned)))
    return traces


def here(setting: Setting, x: str, unit: Any) -> dict[str, Trace]:
    """The noises that are found at the current setting only, as points."""

    def place(at: Setting, key: str) -> tuple[float, float]:
        return getattr(at, x), noises(at)[key].half_width(significance(at)) / unit(at)

    return {
        f"{each.name}, here": point(partial(place, key=key))
        for key, each in noises(setting).items()
        if key in ("staircase", "discrete_gaussian", "generalized_gaussian")
    }


def noise_persons(setting: Setting) -> Chart:
    has = {key: {noises(setting)[key].status} for key in LINES if key in noises(setting)}
    traces = lines(over_persons, "half_width", setting, has) | here(setting, "per_person", lambda _: 1.0)
    return Chart(log("cells per person k"), log("± (counts)"), traces, "cells_per_person")


def noise_epsilon(setting: Setting) -> Chart:
    moved = moves(setting, setting.per_person)

    def ratio(rows: pd.DataFrame) -> Numbers:
        return rows["half_width"].to_numpy() / half_width("laplace", setting, rows["epsilon"].to_numpy(), moved)

    keys = [key for key in LINES if key in noises(setting)]
    has = {key: {"proved"} for key in keys} | {"classical": {"proved", "within target", "fails"}}
    if setting.delta == 0.01:  # where the classical formula does not fail up to ε = 100
        has["classical"] = states_along(setting)
    unit = here(setting, "epsilon", lambda at: noises(at)["laplace"].half_width(significance(at)))
    traces = lines(over_epsilon, ratio, setting, has) | unit
    return Chart(log("ε (nats)"), log("± ÷ Laplace’s ±"), traces, "epsilon")


def states_along(setting: Setting) -> set[str]:
    """The states that the classical formula has along ε."""
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
    """Every cell, the largest first, with its error bar, or its ± as a share of its count."""
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

    def drawn(rows: pd.DataFrame) -> Numbers:
        """The counts from the largest on, those that are 0 left out where there is no share of them."""
        count = -np.sort(-rows["count"].to_numpy())
        return count[count > 0] if relative else count

    def trace(rows: Rows) -> Trace:
        bars = None if relative else lambda _, x: np.full(x.size, reach)
        return Trace(truth, lambda part: height(drawn(part)), rows, x="", hover=drawn, error=bars)

    def clear(table: pd.DataFrame) -> Numbers:
        return (table["low"] > 0).to_numpy()

    def above(table: pd.DataFrame) -> Numbers:
        return (table["count"] >= stays).to_numpy()

    traces = {
        "bar above 0": trace(clear),
        "bar reaches 0, stays above 0": trace(lambda table: above(table) & ~clear(table)),
        "may fall to 0 or below": trace(lambda table: ~above(table)),
    }
    counts = counts_of(setting.table)
    counts = counts[counts > 0] if relative else counts
    some = {"bar above 0": counts > reach, "bar reaches 0, stays above 0": (counts >= stays) & (counts <= reach)}
    some["may fall to 0 or below"] = counts < stays
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
    table: str, drawn: Mechanism, level: float, seed: int, clipped: str, rounded: str
) -> tables.ReleaseStatistics:
    """What 500 releases keep of each cell."""
    at = Setting(clipped=clipped, rounded=rounded)
    threshold = float(tables.detection_threshold(drawn, level))
    rng = np.random.default_rng(seed)
    return tables.simulate_releases(rng, counts_of(table), drawn.sample, threshold, N_REPEATS, partial(processed, at))


def kept(_: Setting) -> Chart:
    def truth(measure: str) -> Truth:
        def share(at: Setting, place: Numbers) -> Numbers:
            result = kept_shares(at.table, noise(at), significance(at), int(at.seed), at.clipped, at.rounded)
            return getattr(result, measure)[order_of(at.table)][place.astype(int)]

        return share

    names = {"order": "its place in the order", "sign": "above 0 or not", "significance": "told from empty or not…"}
    traces = {
        name: Trace(truth(key), largest_first(f"keeps_{key}"), by_place=True, positions=from_1, atol=1e-12)
        for key, name in names.items()
    }
    return Chart(linear("cells, largest first"), linear("share of releases"), traces)


# Liu's experiments

MECHANISMS = {
    "laplace": "Laplace",
    "pdp": "pDP Gaussian",
    "classical": "classical Gaussian",
    "generalized": "generalized Gaussian, p = 3",
    "analytic": "analytic Gaussian",
}
DISTANCES = {
    "l1": log("ℓ₁ distance (counts)"),
    "kl_original_sanitised": log("KL(original ‖ release), nats"),
    "kl_sanitised_original": log("KL(release ‖ original), nats"),
}


def post(at: Setting):
    """What the experiment makes of noisy counts."""
    name, total = "paper" if at.grid == "paper" else at.post, float(counts_of(at.table).sum())
    return None if name == "none" else partial(tables.post_process, clip=total, total=total, rounded=name == "rounded")


def grid(at: Setting) -> tuple[tuple[float, ...], tuple[float, ...], int]:
    """ε, δ and the number of releases."""
    published = tables.PAPER[0]
    if at.grid == "paper":
        return published.epsilon, published.delta, published.n_repeats
    return at.paper_epsilons, at.paper_deltas, int(at.repeats)


def released(_: Setting) -> Chart:
    """One release by each mechanism, from the smallest count on; equal counts stand beside each other."""

    def truth(place: int) -> Truth:
        def count(at: Setting, index: Numbers) -> Numbers:
            counts = counts_of(at.table)
            settings = tables.experiment_settings(at.epsilon, at.delta)
            made = tables.sanitised(np.random.default_rng(int(at.seed)), counts, settings, post(at))
            return made[place][np.argsort(counts, kind="stable")][index.astype(int)]

        return count

    def beside(place: int) -> Truth:
        """Equal counts stand up to .2 beside each other."""

        def position(at: Setting, index: Numbers) -> Numbers:
            counts = np.sort(counts_of(at.table))
            return counts[index.astype(int)] + min(0.1, 0.006 * max(counts[-1], 1)) * (place - 2)

        return position

    def smallest_first(column: str):
        return lambda rows: rows.sort_values("count", kind="stable")[column]

    traces = {
        name: Trace(
            truth(place),
            smallest_first(key),
            hover=smallest_first("count"),
            by_place=True,
            positions=beside(place),
            atol=1e-9,
        )
        for place, (key, name) in enumerate(MECHANISMS.items())
    }
    return Chart(linear("original count"), linear("released count"), traces)


@cache
def experiment(table: str, seed: int, grid: tuple[Any, Any, int], name: str) -> pd.DataFrame:
    """The mean and the standard deviation of each distance, in the experiment's own rows."""
    epsilons, deltas, n_repeats = grid
    settings = tables.experiment_settings(epsilons, deltas)
    process = post(Setting(grid="own", post=name, table=table))
    return tables.experiment(np.random.default_rng(seed), counts_of(table), settings, n_repeats, process)


def distances(setting: Setting) -> Chart:
    """A distance of each mechanism, for each ε the δ in order; Laplace noise, which has no δ, stands at each."""
    epsilons, deltas, _ = grid(setting)

    def arranged(rows: pd.DataFrame, column: str) -> Numbers:
        """The values as they are drawn, with a gap between two ε."""
        values = {(epsilon, delta): value for epsilon, delta, value in rows[["epsilon", "delta", column]].to_numpy()}
        drawn = [values.get(place, values.get((place[0], 0.0))) for place in product(epsilons, deltas)]
        return np.insert(np.array(drawn), range(len(deltas), len(drawn), len(deltas)), np.nan)

    def truth(mechanism: str, column: str) -> Truth:
        def value(at: Setting, index: Numbers) -> Numbers:
            name = "paper" if at.grid == "paper" else at.post
            result = experiment(at.table, int(at.seed), grid(at), name)
            return arranged(pd.DataFrame(result[result["mechanism"] == mechanism]), column)[index.astype(int)]

        return value

    def position(key: str) -> Truth:
        """A place for each δ, with a gap between two ε; the mechanisms stand beside each other."""
        shift = 0.13 * (list(MECHANISMS).index(key) - 2)
        return lambda _, place: place + shift

    def trace(key: str) -> Trace:
        mean, deviation = f"{setting.distance}_mean", f"{setting.distance}_sd"
        return Trace(
            truth(key, mean),
            lambda rows: arranged(rows, mean),
            lambda table: (table["mechanism"] == key).to_numpy(),
            error=truth(key, deviation),
            error_column=lambda rows: arranged(rows, deviation),
            by_place=True,
            positions=position(key),
        )

    traces = {name: trace(key) for key, name in MECHANISMS.items()}
    return Chart(linear("δ, for each ε"), DISTANCES[setting.distance], traces)


CHARTS = {
    "noise_persons": noise_persons,
    "noise_epsilon": noise_epsilon,
    "cells": cells,
    "release": release,
    "kept": kept,
    "released": released,
    "distances": distances,
}
