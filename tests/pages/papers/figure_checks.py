"""The truth of each trace of the page of reproduced papers: see `tests.pages.figure_checks`."""

from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import denoise, gaussian, laplace, tables
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, linear, log, of, pinned, spelled
from tests.pages.generalized_gaussian.figure_checks import WITHIN, bounded_scale
from tests.pages.laplace_gaussian.figure_checks import (
    DISTANCE,
    laplace_scale,
    same_epsilon_sigma,
    sensitivities,
)
from tests.pages.laplace_gaussian.figure_checks import EPSILONS as EPSILON_FROM_SIGMA
from tests.pages.tables.figure_checks import counts_of

BEFORE = "epsilon=0.5&delta=1e-4"
OWN_MEANS = {"means_grid": "own", "mean_records": "20", "mean_repeats": "6", "mean_dimension": "30", "delta": "1e-3"}
PAPER = {"section": "tables", "grid": "own", "paper_epsilons": "0.5, 2", "paper_deltas": "0.01", "repeats": "20"}
TAILS = {"epsilon": "0.7", "delta": "0.01", "k": "9", "gaussian": "pdp", "pinned": f"{BEFORE}&case=counts&k=4"}
BOUNDS = {"epsilon": "0.5", "delta": "0.01", "l2_sensitivity": "2", "p": "2.5", "bounded_scale": "scale"}
SETTINGS = {
    "variance_ratio": ({}, {"variance_against": "delta", "epsilon": "2", "pinned": BEFORE}, {"delta": "0.01"}),
    **dict.fromkeys(
        ("mean_errors", "mean_error_ratios"),
        ({}, OWN_MEANS | {"means_against": "epsilon", "pinned": BEFORE, "seed": "2"}),
    ),
    "pdp_share": ({}, {"delta": "0.2"}),
    **dict.fromkeys(
        ("ratio", "cost"),
        ({}, TAILS | {"deltas": "0.1"}, {"gaussian": "classical", "case": "own", "l1_sensitivity": "3"}),
    ),
    "released": ({}, PAPER | {"post": "rounded", "seed": "3"}, PAPER | {"post": "none", "table": "mildew"}),
    "distances": (
        {},
        PAPER | {"post": "rounded", "seed": "3", "distance": "kl_original_sanitised"},
        PAPER | {"post": "none", "table": "mildew", "distance": "kl_sanitised_original"},
    ),
    **dict.fromkeys(
        ("bounded_shapes", "bounded_widths"),
        ({}, BOUNDS | {"bound_low": "-5", "pinned": f"{BEFORE}&p=4&bound_low=0&bound_high=20"}),
    ),
}

# The classical and the analytic variance

STATES = {"": "proved", ": not proved": "within target", ": too little": "fails"}


def variance_ratio(setting: Setting) -> Chart:
    """The share of the classical variance that exact calibration removes, along ε or δ."""
    along = setting.variance_against
    other = "delta" if along == "epsilon" else "epsilon"

    def removed(x: Numbers, value: float) -> Numbers:
        epsilon, delta = (x, value) if along == "epsilon" else (value, x)
        classical, analytic = gaussian.classical_sigma(epsilon, delta), gaussian.analytic_sigma(epsilon, delta)
        return 1 - (analytic / classical) ** 2

    def states(value: float) -> dict[str, str]:
        """The states of the classical formula that occur along the axis, by what follows the name of its line."""
        grid = np.logspace(-3, 2, 161) if along == "epsilon" else np.logspace(-12, 0, 161)[:-1]
        proved = (grid < 1) if along == "epsilon" else np.full(grid.size, value < 1)
        enough = removed(grid, value) >= 0
        there = {"": proved, ": not proved": ~proved & enough, ": too little": ~proved & ~enough}
        states = {label: STATES[label] for label, part in there.items() if part.any()}
        first, word = next(iter(states.items()))
        return {"": word} | {label: state for label, state in states.items() if label != first}

    def trace(value: float, word: str) -> Trace:
        return Trace(
            lambda _, x: removed(x, value),
            "removed",
            of(other, value),
            lambda rows: (rows["status"] == word).to_numpy(),
            hover="ratio",
            atol=1e-12,
        )

    other_values = setting.variance_deltas if along == "epsilon" else setting.variance_epsilons
    symbol = "δ" if along == "epsilon" else "ε"
    traces = {
        f"{symbol} = {spelled(value)}{label}": trace(value, word)
        for value in {*other_values, getattr(setting, other)}
        for label, word in states(value).items()
    }
    if setting.pinned is not None:
        traces |= pinned(lambda at, x: removed(x, getattr(at, other)), atol=1e-6)
    where = log("ε (nats)") if along == "epsilon" else log("δ")
    return Chart(where, linear("share of the variance removed"), traces, along)


# Means

MECHANISMS = {
    "laplace": "Laplace",
    "classical": "classical Gaussian",
    "analytic": "analytic Gaussian",
    "james_stein": "analytic + James–Stein",
    "soft_universal": "analytic + soft threshold",
}
DIMENSIONS = (10, 20, 50, 100, 200, 500, 1000, 2000)
EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


@cache
def mean_draws(dimension: int, n_records: int, n_repeats: int, seed: int) -> denoise.MeanDraws:
    return denoise.mean_draws(np.random.default_rng([seed, dimension]), dimension, n_records, n_repeats)


def mean_errors(at: Setting, x: float) -> pd.DataFrame:
    """The errors of every mechanism at a place of the axis that is drawn."""
    is_paper = at.means_grid == "paper"
    n_records, most_repeats = (500, 100) if is_paper else (int(at.mean_records), int(at.mean_repeats))
    n_numbers = sum({*DIMENSIONS, int(at.mean_dimension)}) * n_records
    n_repeats = min(most_repeats, 30_000_000 // n_numbers)  # as many as a page draws at once
    along_dimension = at.means_against == "dimension"
    dimension, epsilon = (round(x), at.epsilon) if along_dimension else (int(at.mean_dimension), x)
    draws = mean_draws(dimension, n_records, n_repeats, int(at.seed))
    return denoise.mean_errors(draws, epsilon, 1e-4 if is_paper else at.delta)


def mean_chart(setting: Setting, traces: dict[str, Trace], label: str) -> Chart:
    along = setting.means_against
    where = log("numbers of the mean, d") if along == "dimension" else log("ε (nats)")
    return Chart(where, log(label), traces, along)


def by_mechanism(key: str, value) -> Truth:
    """A value of the row of a mechanism."""

    def truth(at: Setting, x: Numbers) -> ArrayLike:
        rows = (mean_errors(at, snapped(at, coordinate)).set_index("mechanism") for coordinate in x)
        return [float(value(row.loc[key])) for row in rows]

    return truth


def snapped(at: Setting, x: float) -> float:
    """The place of the axis, in the digits that it has in dpcore rather than in a picture."""
    coordinates = (*DIMENSIONS, at.mean_dimension) if at.means_against == "dimension" else (*EPSILONS, at.epsilon)
    nearest = min(coordinates, key=lambda coordinate: abs(coordinate - x))
    assert np.isclose(nearest, x, 1e-5), f"there is no {x} on this axis"
    return nearest


def means(setting: Setting) -> Chart:
    """The mean error of each mechanism, with a band of one standard deviation to each side."""

    def mean(row: Any) -> float:
        return row["error_mean"]

    def low(row: Any) -> float:
        return max(row["error_mean"] - row["error_sd"], row["error_mean"] / 10)  # a log axis has no 0

    def high(row: Any) -> float:
        return row["error_mean"] + row["error_sd"]

    def answer_0(rows: pd.DataFrame) -> Numbers:
        return (rows["mechanism"] == "analytic").to_numpy()

    traces = {"answer 0": Trace(by_mechanism("analytic", lambda row: row["norm_mean"]), "norm_mean", answer_0)}
    for place, (key, name) in enumerate(MECHANISMS.items(), 1):
        rows = of("mechanism", key)
        traces[name] = Trace(by_mechanism(key, mean), "error_mean", rows, hover="error_sd")
        band = Trace(by_mechanism(key, high), back=by_mechanism(key, low))
        traces[f"unnamed #{place}" if place > 1 else "unnamed"] = band
    if setting.pinned is not None:
        traces |= pinned(*(by_mechanism(key, mean) for key in MECHANISMS))
    return mean_chart(setting, traces, "error: distance from the true mean")


def mean_ratios(setting: Setting) -> Chart:
    """The mean errors over that of the analytic Gaussian."""

    def ratio(key: str) -> Truth:
        own, analytic = (by_mechanism(name, lambda row: row["error_mean"]) for name in (key, "analytic"))
        return lambda at, x: np.asarray(own(at, x)) / np.asarray(analytic(at, x))

    def of_csv(rows: pd.DataFrame, key: str) -> Numbers:
        parts = [rows.loc[rows["mechanism"] == name, "error_mean"].to_numpy() for name in (key, "analytic")]
        return parts[0] / parts[1]

    def places_of(rows: pd.DataFrame) -> Numbers:
        return rows.loc[rows["mechanism"] == "analytic", setting.means_against].to_numpy()

    traces = {
        MECHANISMS[key]: Trace(ratio(key), lambda rows, key=key: of_csv(rows, key), x=places_of)
        for key in ("classical", "james_stein", "soft_universal")
    }
    return mean_chart(setting, traces, "error ÷ analytic Gaussian’s")


# Liu's Fig. 3


def share(epsilon: float) -> Trace:
    """Liu's Fig. 3: the pDP σ over the classical σ."""

    def truth(_: Setting, x: Numbers) -> Numbers:
        return gaussian.pdp_sigma(epsilon, x) / gaussian.classical_sigma(epsilon, x)

    return Trace(truth, "ratio", of("epsilon", epsilon))


# Liu's figures for several δ


def tail_ratio(at: Setting, t: Numbers, delta: float) -> Numbers:
    return laplace.tail(t, laplace_scale(at)) / gaussian.tail(t, float(same_epsilon_sigma(at, delta)))


def privacy_cost(at: Setting, t: Numbers, delta: float) -> Numbers:
    same_tail = gaussian.laplace_tail_sigma(t, laplace_scale(at))
    return EPSILON_FROM_SIGMA[at.gaussian](delta, same_tail, sensitivities(at)[1]) / at.epsilon


def several(setting: Setting, truth: Truth, column: str) -> dict[str, Trace]:
    """A line for each δ, and one in grey where both tails are below the cutoff, as far as the axis needs them."""

    def part(delta: float, is_unlikely: bool) -> Trace:
        def right(rows: pd.DataFrame) -> Numbers:
            return (rows["unlikely"] == is_unlikely).to_numpy()

        def near(rows: pd.DataFrame) -> Numbers:
            return right(rows) & ((rows[column] > 1e-3) & (rows[column] < 1e4)).to_numpy()

        def joined(rows: pd.DataFrame) -> Numbers:
            return np.logical_or(right(rows), np.roll(right(rows), 1))

        return Trace(lambda at, t: truth(at, t, delta), column, of("delta", delta), near, joined)

    traces = {}
    for delta in (setting.delta, *setting.deltas):
        traces[f"δ = {spelled(delta)}"] = part(delta, False)
        traces[f"δ = {spelled(delta)} #2"] = part(delta, True)
    return traces | (pinned(lambda at, t: truth(at, t, at.delta)) if setting.pinned else {})


# Liu's experiments

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
        for place, (key, name) in enumerate(NOISES.items())
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


# The exponential mechanism


def bounded_scales(setting: Setting, over: str) -> Chart:
    """The b of every mechanism over p or the width of the bounds, or its ratio to what truncated noise needs."""

    def truth(key: str) -> Truth:
        def scale(at: Setting, x: Numbers) -> Numbers:
            place = (x, at.bound_high - at.bound_low) if over == "p" else (at.p, x)
            unit = bounded_scale("truncated", at, *place) if at.bounded_scale == "ratio" else 1.0
            return bounded_scale(key, at, *place) / unit

        return scale

    def column(key: str) -> Trace:
        def value(rows: pd.DataFrame) -> ArrayLike:
            return rows[key] / rows["truncated"] if setting.bounded_scale == "ratio" else rows[key]

        return Trace(truth(key), value)

    def keys(at: Setting) -> list[str]:
        return [key for key in WITHIN if key != "lemma" or over == "p" or at.p % 1 == 0]

    traces = {WITHIN[key]: column(key) for key in keys(setting)}
    traces |= (
        pinned(*map(truth, (key for key in keys(setting.pinned) if key in keys(setting)))) if setting.pinned else {}
    )
    where = {"p": log("shape p"), "width": log("width of the bounds c₁ − c₀ (query units)")}[over]
    label = {"ratio": "b ÷ exact truncated b", "scale": "scale b (query units)"}[setting.bounded_scale]
    return Chart(where, log(label), traces, over)


CHARTS = {
    "variance_ratio": variance_ratio,
    "mean_errors": means,
    "mean_error_ratios": mean_ratios,
    "pdp_share": Chart(
        linear("δ"),
        linear("σ ÷ classical σ"),
        {f"ε = {epsilon}": share(epsilon) for epsilon in (0.1, 0.3, 0.5, 0.7, 0.9)},
        "delta",
    ),
    "ratio": lambda setting: Chart(DISTANCE, log("p₁ ÷ p₂"), several(setting, tail_ratio, "ratio"), "t"),
    "cost": lambda setting: Chart(
        DISTANCE, log("Gaussian's ε ÷ Laplace's ε"), several(setting, privacy_cost, "cost"), "t"
    ),
    "released": released,
    "distances": distances,
    "bounded_shapes": lambda setting: bounded_scales(setting, "p"),
    "bounded_widths": lambda setting: bounded_scales(setting, "width"),
}
