"""What each trace of Liu's experiments on tables must show."""

from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from dpcore import tables
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, linear, log
from tests.pages.tables.figure_checks import counts_of

PAPER = {"section": "tables", "grid": "own", "paper_epsilons": "0.5, 2", "paper_deltas": "0.01", "repeats": "20"}
NOISES = {
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
    """Return what the experiment makes of noisy counts."""
    name, total = "paper" if at.grid == "paper" else at.post, float(counts_of(at.table).sum())
    return None if name == "none" else partial(tables.post_process, clip=total, total=total, rounded=name == "rounded")


def grid(at: Setting) -> tuple[tuple[float, ...], tuple[float, ...], int]:
    """ε, δ and the number of releases."""
    published = tables.PAPER[0]
    if at.grid == "paper":
        return published.epsilon, published.delta, published.n_repeats
    return at.paper_epsilons, at.paper_deltas, int(at.repeats)


def released(_: Setting) -> Chart:
    """Return one release by each mechanism, from the smallest count on; equal counts stand beside each other."""

    def truth(place: int) -> Truth:
        def count(at: Setting, index: Numbers) -> Numbers:
            counts = counts_of(at.table)
            settings = tables.experiment_settings(at.epsilon, at.delta)
            sanitised = tables.sanitised(np.random.default_rng(int(at.seed)), counts, settings, post(at))
            return sanitised[place][np.argsort(counts, kind="stable")][index.astype(int)]

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
        for place, (key, name) in enumerate(NOISES.items())
    }
    return Chart(linear("original count"), linear("released count"), traces)


@cache
def experiment(table: str, seed: int, grid: tuple[Any, Any, int], name: str) -> pd.DataFrame:
    """Return the mean and the standard deviation of each distance, in the experiment's own rows."""
    epsilons, deltas, n_repeats = grid
    settings = tables.experiment_settings(epsilons, deltas)
    process = post(Setting(grid="own", post=name, table=table))
    return tables.experiment(np.random.default_rng(seed), counts_of(table), settings, n_repeats, process)


def distances(setting: Setting) -> Chart:
    """Return a distance of each mechanism, for each ε the δ in order; Laplace noise, which has no δ, stands at each."""
    epsilons, deltas, _ = grid(setting)

    def arranged(rows: pd.DataFrame, column: str) -> Numbers:
        """Return the values as they are drawn, with a gap between two ε."""
        values = {(epsilon, delta): value for epsilon, delta, value in rows[["epsilon", "delta", column]].to_numpy()}
        values_drawn = [values.get(place, values.get((place[0], 0.0))) for place in product(epsilons, deltas)]
        return np.insert(np.array(values_drawn), range(len(deltas), len(values_drawn), len(deltas)), np.nan)

    def truth(mechanism: str, column: str) -> Truth:
        def value(at: Setting, index: Numbers) -> Numbers:
            name = "paper" if at.grid == "paper" else at.post
            result = experiment(at.table, int(at.seed), grid(at), name)
            return arranged(pd.DataFrame(result[result["mechanism"] == mechanism]), column)[index.astype(int)]

        return value

    def position(key: str) -> Truth:
        """Return a place for each δ, with a gap between two ε; the mechanisms stand beside each other."""
        shift = 0.13 * (list(NOISES).index(key) - 2)
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

    traces = {name: trace(key) for key, name in NOISES.items()}
    return Chart(linear("δ, for each ε"), DISTANCES[setting.distance], traces)


SETTINGS = {
    "released": ({}, PAPER | {"post": "rounded", "seed": "3"}, PAPER | {"post": "none", "table": "mildew"}),
    "distances": (
        {},
        PAPER | {"post": "rounded", "seed": "3", "distance": "kl_original_sanitised"},
        PAPER | {"post": "none", "table": "mildew", "distance": "kl_sanitised_original"},
    ),
}
CHARTS = {"released": released, "distances": distances}
