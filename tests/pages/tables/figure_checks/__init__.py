"""What each trace of the page of tables must show: see `tests.pages.figure_checks`."""

from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore import accuracy, gaussian, tables
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism
from dpcore.recommendation import LARGER, NOT_WHOLE, WEAKER, recommend
from dpcore.sensitivity import Sensitivity, table_sensitivity
from tests.pages.figure_checks import (
    POSITIONS,
    Chart,
    Numbers,
    Setting,
    Trace,
    Truth,
    from_1,
    has_status,
    linear,
    log,
    pinned,
    point,
)
from tests.pages.tables.answers import counts_of
from tests.pages.tables.figure_checks import appearance

BEFORE = "epsilon=0.5&delta=1e-4&per_person=2"
MANY = {"per_person": "3", "per_cell": "2", "error": "each", "delta": "0.01", "epsilon": "2", "pinned": BEFORE}
CLIPPED = {"clipped": "on", "rounded": "on", "mechanism": "analytic", "table": "mildew", "seed": "5"}
SETTINGS = {
    "": (
        {},
        MANY | {"neighbours": "replace", "promise": "delta", "mechanisms": "all"},
        {"epsilon": "5", "mechanism": "classical", "margins": "1", "mechanisms": "all"},
        {"epsilon": "5", "promise": "delta", "per_person": "9"},
    ),
    "cells": (
        {},
        {"axis": "log", "table": "mildew", "cell_order": "table", "first_cell": "30"},
        MANY | {"axis": "relative"},
        MANY | {"error": "all"},
    ),
    **dict.fromkeys(
        ("over_size", "groups_over_k", "cases_over_k", "groups_over_epsilon", "cases_over_epsilon"),
        (
            {},
            {"table": "size", "cells": "900", "per_person": "3", "threshold_noise": "gaussian"},
            {"per_person": "2", "threshold_noise": "truncated_geometric", "threshold": "45.5"},
            {"table": "mildew", "epsilon": "3", "delta": "0.01", "per_person": "2", "per_cell": "2", "appears": "0.5"},
        ),
    ),
    **dict.fromkeys(("release", "kept"), ({}, CLIPPED, CLIPPED | {"rounded": "off", "epsilon": "0.3"})),
}

N_REPEATS = 500


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

PURE = {key: own.name for key, own in FAMILIES.items() if own.pure and not own.single}
LINES = PURE | {"analytic": "Analytic Gaussian", "pdp": "pDP Gaussian", "classical": "Classical Gaussian"}
SIGMAS = {"analytic": gaussian.analytic_sigma, "pdp": gaussian.pdp_sigma, "classical": gaussian.classical_sigma}
STATES = {"": "proved", ": unproved": "within target", ": FAILS": "fails"}


def drawn(at: Setting) -> set[str]:
    """Return the noises that are drawn: all that fit, or the recommended one beside those of ε-DP and the Gaussian."""
    if at.mechanisms == "all":
        return {*noises(at)}
    recommended = recommend(
        tuple(noises(at).values()), at.promise, any(noise.whole for noise in noises(at).values()), significance(at)
    )
    assert recommended is not None
    return {*PURE, "analytic", recommended.mechanism.key} & noises(at).keys()


def half_width(key: str, at: Setting, epsilon: Any, moved: Sensitivity) -> Numbers:
    """± of a noise, for the error that is meant."""
    level = significance(at)
    if key == "laplace":
        return accuracy.laplace_accuracy(epsilon, level, moved.l1)
    if key in PURE:
        return FAMILIES[key].functions.half_width(level, moved.l1 / epsilon)
    return accuracy.gaussian_accuracy(SIGMAS[key](epsilon, at.delta, moved.l2), level)


def noise_ranked(setting: Setting) -> Chart:
    """Return ± of each noise that is drawn, in rows: the recommended one, those that can be used, and the rest."""
    level, every = significance(setting), noises(setting)
    best = recommend(tuple(every.values()), setting.promise, any(one.whole for one in every.values()), level)
    assert best is not None
    larger = {other.mechanism.key for other in best.passed_over if other.reason in (LARGER, NOT_WHOLE, WEAKER)}

    def rank(key: str) -> tuple[bool, bool, float]:
        return key != best.mechanism.key, key not in larger, every[key].half_width(level)

    def trace(row: int, key: str) -> Trace:
        return Trace(
            lambda at, place: np.full(place.shape, noises(at)[key].half_width(significance(at))),
            "half_width",
            lambda rows: (rows["noise"] == every[key].name).to_numpy(),
            value="x",
            x="",
            by_place=True,
            positions=lambda _, place: np.full(place.shape, float(row)),
        )

    shown = sorted(drawn(setting), key=rank)
    traces = {every[key].name: trace(row, key) for row, key in enumerate(shown)}
    if setting.pinned is not None:
        old = [key for key in shown if key in drawn(setting.pinned)]

        def pins(at: Setting, place: Numbers) -> Numbers:
            before = noises(at.pinned)
            return np.array([before[old[int(n)]].half_width(significance(at.pinned)) for n in place])

        traces["pinned"] = Trace(
            pins,
            value="x",
            by_place=True,
            positions=lambda _, place: np.array([shown.index(old[int(n)]) for n in place]),
        )
    return Chart(linear("± (counts)"), POSITIONS, traces)


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
        traces |= pinned(*(truth(key) for key in LINES if key in drawn(setting.pinned)))
    return traces


def points_at_setting(setting: Setting, x: str, unit: Any) -> dict[str, Trace]:
    """Return the noises that are found at the current setting only, as points."""

    def place(at: Setting, key: str) -> tuple[float, float]:
        return getattr(at, x), noises(at)[key].half_width(significance(at)) / unit(at)

    return {
        f"{noise.name} (point)": point(partial(place, key=key))
        for key, noise in noises(setting).items()
        if key in drawn(setting) - LINES.keys()
    }


def noise_persons(setting: Setting) -> Chart:
    has = {key: {noises(setting)[key].status} for key in LINES if key in drawn(setting)}
    traces = lines(over_persons, "half_width", setting, has) | points_at_setting(setting, "per_person", lambda _: 1.0)
    return Chart(log("cells per person k"), log("± (counts)"), traces, "cells_per_person")


def noise_epsilon(setting: Setting) -> Chart:
    moved = moves(setting, setting.per_person)

    def ratio(rows: pd.DataFrame) -> Numbers:
        return rows["half_width"].to_numpy() / half_width("laplace", setting, rows["epsilon"].to_numpy(), moved)

    has = {key: {"proved"} for key in LINES if key in drawn(setting)}
    has |= {"classical": {"proved", "within target", "fails"}} if "classical" in has else {}
    if setting.delta == 0.01 and "classical" in has:  # where the classical formula does not fail up to ε = 100
        has["classical"] = states_along(setting)
    unit = points_at_setting(setting, "epsilon", lambda at: noises(at)["laplace"].half_width(significance(at)))
    traces = lines(over_epsilon, ratio, setting, has) | unit
    return Chart(log("privacy loss ε"), log("± ÷ Laplace’s ±"), traces, "epsilon")


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
    """Return 40 cells, the largest on top, with their intervals, or their ± as a share of the count."""
    reach, level = noise(setting).half_width(significance(setting)), significance(setting)
    relative = setting.axis == "relative"
    counts = counts_of(setting.table)
    order = order_of(setting.table) if setting.cell_order == "size" else np.arange(counts.size)
    order = order[int(setting.first_cell) - 1 :][:40]
    order = order[counts[order] > 0] if relative else order
    threshold = tables.detection_threshold(noise(setting), level)
    usable = tables.power(noise(setting), counts[order], threshold) >= 0.5

    def trace(of_class: Numbers) -> Trace:
        drawn = counts[order][of_class]

        def values(_: Setting, place: Numbers) -> Numbers:
            count = drawn[place.astype(int)]
            return reach / count if relative else np.maximum(count, 0.5) if setting.axis == "log" else count

        bars = None if relative else lambda _, place: np.full(place.size, reach)
        rows = np.flatnonzero(of_class) + 1
        return Trace(
            values,
            value="x",
            by_place=True,
            positions=lambda _, place: rows[place.astype(int)],
            error=bars,
            hover=lambda _: drawn,
        )

    label = {"linear": linear("count"), "log": log("count"), "relative": log("± ÷ count")}[setting.axis]
    traces = {"can be told from an empty cell": usable, "looks like an empty cell": ~usable}
    return Chart(label, POSITIONS, {name: trace(part) for name, part in traces.items() if part.any()})


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
    "noise_ranked": noise_ranked,
    "noise_persons": noise_persons,
    "noise_epsilon": noise_epsilon,
    "cells": cells,
    "release": release,
    "kept": shares_preserved,
    **appearance.CHARTS,
}
