"""The truth of each trace of the page on denoising: see `tests.pages.figure_checks`."""

import math
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pywt.data
from numpy.typing import ArrayLike

from dpcore import denoise, gaussian, places, readers, tables
from dpcore.sensitivity import capped_sensitivity, table_sensitivity
from tests.pages.figure_checks import (
    POSITIONS,
    Chart,
    Column,
    Numbers,
    Setting,
    Trace,
    Truth,
    from_1,
    legend_entry,
    linear,
    log,
    pinned,
    point,
)

BEFORE = "epsilon=0.5&delta=1e-4&per_person=2&dimension=16&norm=2&nonzero=0.5"
SERIES = {"signal": "blocks", "epsilon": "0.4", "seed": "3", "estimator": "wavelet_universal"}
SETTINGS = {
    "": ({}, SERIES, {"epsilon": "3", "table": "czech", "total": "public", "prior_sd": "50", "pinned": BEFORE}),
    **dict.fromkeys(
        ("risk", "winners"),
        (
            {},
            {
                "dimension": "100",
                "norm": "3",
                "nonzero": "0.2",
                "risk_against": "nonzero",
                "pinned": BEFORE,
                "seed": "4",
            },
        ),
    ),
    "maps": ({}, {"grid": "8", "trips": "10", "epsilon": "3", "seed": "2", "neighbours": "replace"}),
}

# Counts that are released and denoised

SHIPPED = {"czech": tables.czech_autoworkers, "mildew": tables.mildew}
LARGEST_SHARE = 1.3
"""Of the axis of errors: a mark beyond it is said in words."""


@cache
def counts_of(signal: str, table: str) -> Numbers:
    if signal == "table":
        return SHIPPED[table]()["count"].to_numpy()
    curve = np.asarray(pywt.data.demo_signal(signal.title(), 256))
    return np.rint(100 * (curve - curve.min()) / (curve.max() - curve.min()))


class Release:
    """The release of a setting, and what `dpcore.denoise` makes of it."""

    def __init__(self, at: Setting) -> None:
        self.count = counts_of(at.signal, at.table)
        self.size = self.count.size
        sensitivity = table_sensitivity(at.per_person, at.per_cell, at.neighbours, 0, self.size).l2
        self.sigma = float(gaussian.analytic_sigma(at.epsilon, at.delta, sensitivity))
        self.seed = int(at.seed)
        self.noisy = self.count + self.sigma * self.rng(0).standard_normal(self.size)
        structure = "series" if at.signal != "table" or at.order == "series" else None
        total = float(self.count.sum()) if at.total == "public" else None
        self.knowledge = denoise.Knowledge(structure, at.prior_sd, total)
        self.table_keys = denoise.estimator_keys(self.size, self.knowledge, repeatable=True)
        ranked = tuple(key for key in self.table_keys if key != "james_stein")  # its positive part is never the worse
        self.estimates = denoise.estimates(self.noisy, self.sigma, self.knowledge, self.table_keys)
        n_pairs = max(1, min(10, 2**16 // self.size))
        risk = denoise.coupled_risk(self.rng(1), self.noisy, self.sigma, self.knowledge, ranked, n_pairs)
        self.risk = {key: float(risk_of_key) for key, risk_of_key in risk.items()}
        first, *_ = order = sorted(ranked, key=lambda key: self.risk[key])
        self.rivals = [key for key in order if key != "none"]
        self.displayed_key = first if at.estimator == "first" else at.estimator

    def rng(self, purpose: int) -> np.random.Generator:
        return np.random.default_rng((self.seed, purpose))

    def rmse(self, squares: float) -> float:
        """Return the root of a mean square, 0 where an estimate of it is negative."""
        return math.sqrt(max(squares, 0) / self.size)

    def shares(self, key: str) -> tuple[float, float]:
        """Return what an estimator leaves of the release's error: on average, and as it is ranked by."""
        result, place = repeated(self), self.table_keys.index(key)
        ranked = self.rmse(self.risk[key]) / (self.sigma * math.sqrt(1 + denoise.EXTRA_VARIANCE))
        return math.sqrt(result.error[place] / result.release_error), ranked


_RELEASES: dict[int, Release] = {}
_REPEATED: dict[int, denoise.SimulatedErrors] = {}


def released(at: Setting) -> Release:
    return _RELEASES.setdefault(id(at), Release(at)) if id(at) not in _RELEASES else _RELEASES[id(at)]


def repeated(release: Release) -> denoise.SimulatedErrors:
    """Return the errors over many releases."""
    if id(release) not in _REPEATED:
        n_repeats = max(2, min(200, 300_000 // release.size))
        _REPEATED[id(release)] = denoise.simulate_errors(
            release.rng(2), release.count, release.sigma, n_repeats, release.knowledge, release.table_keys
        )
    return _REPEATED[id(release)]


def errors(setting: Setting) -> Chart:
    """Return what each estimator leaves of the release's error."""
    release = released(setting)
    wider = release.sigma * math.sqrt(1 + denoise.EXTRA_VARIANCE)
    names = [denoise.ESTIMATORS[key].name for key in release.rivals]

    def of_rivals(rows: pd.DataFrame, column: str) -> Numbers:
        """Return a column in the order of the estimators that change the release;
        an RMSE that SURE has none of is 0.
        """
        return rows.set_index("estimator")[column].loc[names].fillna(0.0).to_numpy()

    def mean(rows: pd.DataFrame) -> Numbers:
        own = rows.set_index("estimator")["mean_rmse"][denoise.ESTIMATORS["none"].name]
        return of_rivals(rows, "mean_rmse") / own

    def truth(part: int, keys: list[str], most: float = math.inf) -> Truth:
        def share(at: Setting, place: Numbers) -> ArrayLike:
            return [
                value if (value := released(at).shares(keys[int(index)])[part]) <= most else math.nan for index in place
            ]

        return share

    def within_axis(rows: pd.DataFrame) -> Numbers:
        ranked = of_rivals(rows, "rmse_ranked_by") / wider
        return np.where(ranked <= LARGEST_SHARE, ranked, math.nan)

    def trace(part: int, of_csv: Column, most: float = math.inf) -> Trace:
        places = {"value": "x", "by_place": True, "positions": lambda _, place: place}
        return Trace(truth(part, release.rivals, most), of_csv, **places)

    traces = {
        f"true mean of {repeated(release).n_repeats} releases": trace(0, mean),
        "expected by the ranking, from this release": trace(1, within_axis, LARGEST_SHARE),
    }
    if setting.pinned is not None:
        both = [key for key in release.rivals if key in released(setting.pinned).rivals]
        before = truth(0, both)
        traces["pinned"] = Trace(
            lambda at, place: before(at.pinned, place),
            value="x",
            by_place=True,
            positions=lambda _, place: place + 0.36,
        )
    return Chart(linear("RMSE ÷ σ"), POSITIONS, traces)


def denoised(setting: Setting) -> Chart:
    """Return the true counts, the release, and what one estimator makes of it: a table from its largest cell on."""
    is_series = setting.signal != "table" or setting.order == "series"

    def order(count: ArrayLike) -> Numbers:
        count = np.asarray(count)
        return np.arange(count.size) if is_series else np.argsort(-count, kind="stable")

    def trace(column: str, values) -> Trace:
        def truth(at: Setting, place: Numbers) -> Numbers:
            return values(released(at))[order(released(at).count)][place.astype(int)]

        return Trace(truth, lambda rows: rows[column].to_numpy()[order(rows["count"])], by_place=True, positions=from_1)

    traces = {
        "true count": trace("count", lambda release: release.count),
        "as released": trace("released", lambda release: release.noisy),
        "denoised": trace("denoised", lambda release: release.estimates[release.displayed_key].value),
    }
    return Chart(linear("place in the series" if is_series else "cells, largest first"), linear("count"), traces)


# Where each estimator wins

RIVALS = ("soft_sure", "soft_universal", "james_stein_plus", "non_negative")
SHORT = {
    "soft_sure": "soft, T by SURE",
    "soft_universal": "soft, T = σ√(2 ln d)",
    "james_stein_plus": "James–Stein, positive part",
    "non_negative": "clipping at 0",
}


def vector(at: Setting, x: float) -> tuple[int, int, float]:
    """d, how many numbers are not 0, and the size of these, at a place of the axis that is drawn."""
    dimension = int(at.dimension)
    norm, nonzero = (x, at.nonzero) if at.risk_against == "norm" else (at.norm, x)
    n_nonzero = max(1, round(nonzero * dimension))
    return dimension, n_nonzero, norm * math.sqrt(dimension / n_nonzero)


def n_releases(dimension: int) -> int:
    return max(4, 6000 // dimension)


def risk_of(key: str) -> Truth:
    """Return the share of the squared error that an estimator leaves, exactly or,
    for SURE's threshold, by simulation.
    """

    def share(at: Setting, x: Numbers) -> ArrayLike:
        shares = []
        for coordinate in x:
            dimension, n_nonzero, size = vector(at, coordinate)
            if key == "soft_sure":
                rng = np.random.default_rng(int(at.seed))
                result = denoise.simulated_sureshrink(rng, dimension, n_nonzero, size, n_releases(dimension))
                shares.append(result.share)
            elif key == "bound":
                mean = np.where(np.arange(dimension) < n_nonzero, size, 0.0)
                shares.append(float(denoise.soft_threshold_bound(mean, 1)) / dimension)
            else:
                shares.append(float(denoise.sparse_shares(dimension, n_nonzero, size)[key]))
        return shares

    return share


def risk(setting: Setting) -> Chart:
    along = setting.risk_against
    names = {
        "soft_sure": "soft, T by SURE",
        "soft_universal": "soft, T = σ√(2 ln d)",
        "james_stein_plus": "James–Stein",
        "james_stein": "unnamed",
        "non_negative": "clipping at 0",
        "posterior_mean": "posterior mean (oracle)",
        "none": "unnamed #2",
    }
    traces = {name: Trace(risk_of(key), key) for key, name in names.items()}
    traces["bound of soft, T = σ√(2 ln d)"] = Trace(risk_of("bound"), "soft_universal_bound")
    if along == "nonzero":
        traces = {name: replace(trace, one=1 / setting.dimension) for name, trace in traces.items()}
    if setting.pinned is not None:
        old = pinned(*map(risk_of, RIVALS))
        one = 1 / setting.pinned.dimension if along == "nonzero" else 1.0
        traces |= {name: replace(trace, one=one) for name, trace in old.items()}
    label = "signal-to-noise ratio, ‖y‖ ÷ (σ√d)" if along == "norm" else "share of the numbers that are not 0"
    return Chart(log(label), linear("squared error ÷ the release’s"), traces, along)


@cache
def winners_map(dimension: int, seed: int) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return the sizes and shares not 0 of the map, and at each place who leaves the least, and how much."""
    norm, nonzero = np.logspace(-1, 1.5, 61), np.logspace(-math.log10(dimension), 0, 41)
    n_nonzero = np.maximum(np.rint(nonzero * dimension), 1)
    shares = denoise.sparse_shares(dimension, n_nonzero[:, None], norm * np.sqrt(dimension / n_nonzero)[:, None])
    some, rows = np.unique(n_nonzero, return_inverse=True)
    rng = np.random.default_rng(seed)
    by_sure = denoise.sureshrink_shares(rng, dimension, some, norm, n_releases(dimension))[rows]
    values = np.stack([by_sure if key == "soft_sure" else shares[key] for key in RIVALS])
    least = values.min(axis=0)
    return norm, nonzero, np.where(least > 0.99, len(RIVALS), values.argmin(axis=0)), least


def winners(setting: Setting) -> Chart:
    """Who leaves the least over size and share not 0; `len(RIVALS)` where nobody takes 1 % off."""
    norm, nonzero, winner, _ = winners_map(int(setting.dimension), int(setting.seed))

    def truth(at: Setting, x: Numbers, y: Numbers) -> Numbers:
        columns, rows = (np.abs(axis[:, None] - at_x).argmin(axis=0) for axis, at_x in ((norm, x), (nonzero, y)))
        return winner[rows, columns]

    def code(rows: pd.DataFrame) -> Numbers:
        return pd.Categorical(rows["winner"], (*RIVALS, "none")).codes

    def name_height(_: Setting, x: Numbers) -> ArrayLike:
        """Return the height at which the name of a region stands:
        in the row whose middle, within the region, is at its x.
        """
        heights, places = [], []
        regions = [region for region in range(len(RIVALS) + 1) if (winner == region).mean() >= 0.08]
        for region, at_x in zip(regions, x, strict=True):
            rows, columns = np.nonzero(winner == region)
            candidates = [int(np.quantile(rows, part)) for part in (0.25, 0.5, 0.75, 0.1)]
            fitting = [row for row in candidates if np.isclose(norm[int(np.median(columns[rows == row]))], at_x)]
            places.append(fitting)
            heights.append(nonzero[fitting[0]] if fitting else np.nan)
        return heights

    entries = {key: SHORT.get(key, "no estimator removes 1 %") for key in (*RIVALS, "none")}
    there = [name for place, name in enumerate(entries.values()) if (winner == place).any()]
    traces = {"unnamed": Trace(truth, code, x="norm", y="nonzero", hover="share"), "unnamed #2": Trace(name_height)}
    traces |= {name: legend_entry() for name in there}
    marks = [point(lambda at: (at.norm, at.nonzero))]
    if setting.pinned is not None:
        marks.append(point(lambda at: (at.pinned.norm, at.pinned.nonzero)))
    marks.append(point(table_place))
    traces |= {f"unnamed #{place}": mark for place, mark in enumerate(marks, 3)}
    size, share = log("signal-to-noise ratio, ‖y‖ ÷ (σ√d)"), log("share of the numbers that are not 0")
    return Chart(size, share, traces)


def table_place(at: Setting) -> tuple[float, float]:
    """Return the root mean square of the table's counts in units of σ, and the share of them that is not 0."""
    release = released(at)
    return float(np.sqrt(np.mean(release.count**2))) / release.sigma, float(np.mean(release.count != 0))


# Maps

BOX = (45.44, -73.76, 45.62, -73.50)  # around Montréal
KINDS = {
    "james_stein_plus": {"james_stein_plus": "James–Stein +"},
    "soft": {"soft_universal": "Soft, fixed T", "soft_sure": "Soft, by SURE"},
    "counts": {"non_negative": "Clipped at 0", "with_total": "Same total"},
    "wavelet": {"wavelet_universal": "Wavelet, fixed", "wavelet_sure": "Wavelet, SURE"},
    "laplacian": {"laplacian": "Smoothing"},
    "trend_filtering": {"trend_filtering": "Trend filter"},
}


@cache
def map_counts(columns: int) -> Numbers:
    """Car-days by cell of the sample that ships with Plotly, on a grid of about square cells."""
    south, west, north, east = BOX
    rows = round(columns * (north - south) / ((east - west) * math.cos(math.radians((north + south) / 2))))
    spec = find_spec("plotly")
    assert spec is not None
    assert spec.origin is not None
    data = (Path(spec.origin).parent / "package_data/datasets/carshare.csv.gz").read_bytes()
    points = readers.read_points(data, weight="car_hours")
    where = places.grid_places(points.lat, points.lon, rows, columns, BOX)
    return places.place_counts(where, rows * columns, points.weight / 24).reshape(rows, columns)


@cache
def map_values(
    grid: int, epsilon: float, delta: float, trips: float, at_place: float, neighbours: str, seed: int
) -> dict[str, Numbers]:
    """Return the true counts, the release, and what each estimator makes of it."""
    count = map_counts(grid)
    sensitivity = capped_sensitivity(trips, min(at_place, trips), neighbours).l2
    sigma = float(gaussian.analytic_sigma(epsilon, delta, sensitivity))
    noisy = count + sigma * np.random.default_rng(seed).standard_normal(count.shape)
    keys = [key for names in KINDS.values() for key in names]
    estimates = denoise.estimates(noisy, sigma, denoise.Knowledge("image"), ["none", *keys])
    return {"true": count, "released": noisy} | {key: estimates[key].value for key in keys}


def maps(setting: Setting) -> Chart:
    """Return a map for each kind of estimator, of the one nearest to the truth; the nearest of all is bold."""

    def values(at: Setting) -> dict[str, Numbers]:
        arguments = (at.epsilon, at.delta, at.trips, at.at_place, at.neighbours, int(at.seed))
        return map_values(int(at.grid), *arguments)

    def heat(key: str) -> Trace:
        def truth(at: Setting, x: Numbers, y: Numbers) -> Numbers:
            value, (south, west, north, east) = values(at)[key], BOX
            rows = ((y - south) / (north - south) * value.shape[0]).astype(int)
            return value[rows, ((x - west) / (east - west) * value.shape[1]).astype(int)]

        return Trace(truth, key, x="lon", y="lat", rtol=1e-5, atol=1e-9)

    maps_of_setting = values(setting)
    error = {
        key: float(np.mean((value - maps_of_setting["true"]) ** 2))
        for key, value in maps_of_setting.items()
        if key != "true"
    }
    nearest = [min(names, key=lambda key: error[key]) for names in KINDS.values()]
    best = min(error, key=lambda key: error[key])
    every = {"true": "True counts", "released": "Released"} | {
        key: name for names in KINDS.values() for key, name in names.items()
    }
    panels = ["true", "released", *nearest]
    traces = {f"<b>{every[key]}</b>" if key == best else every[key]: heat(key) for key in panels}
    more = {f"{axis}{number}": POSITIONS for number in range(2, len(panels) + 1) for axis in ("xaxis", "yaxis")}
    return Chart(POSITIONS, POSITIONS, traces, more_axes=more)


CHARTS = {
    "errors": errors,
    "denoised": denoised,
    "risk": risk,
    "winners": winners,
    "maps": maps,
}
