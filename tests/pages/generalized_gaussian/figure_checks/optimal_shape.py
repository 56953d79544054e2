"""What each trace of the charts on the optimal shape must show."""

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import optimal_noise
from dpcore.generalized_gaussian import optimal_shape
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    Truth,
    linear,
    log,
    of,
    pinned,
    point,
    spelled,
)
from tests.pages.generalized_gaussian.figure_checks.settings import EPSILON, GUARANTEES, OTHER, SCALES

LEVELS = (1.05, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0)


def band(p: ArrayLike) -> Numbers:
    """Return the number of the contour of the map at a shape;
    between two of them it grows with the logarithm of p − 1.
    """
    knots = np.log([0.01, *(level - 1 for level in LEVELS), optimal_shape.MOST_P - 1])
    return np.interp(np.log(np.maximum(np.asarray(p) - 1, 1e-9)), knots, np.arange(-1, len(LEVELS) + 1))


def best(at: Setting, epsilon: ArrayLike, delta: ArrayLike) -> Numbers:
    """Return the shape with the least noise."""
    level = at.significance if at.measure == "accuracy" else None
    return optimal_shape.best_p(GUARANTEES[at.guarantee], at.measure, epsilon, delta, level)


def by_row(rows: pd.DataFrame) -> Numbers:
    """Return the p of the map in the order of its picture, a row for each δ."""
    return rows.sort_values(["delta", "epsilon"])["p"].to_numpy()


def steep(rows: pd.DataFrame) -> Numbers:
    """The line of p = 2 may have gaps anywhere: where p jumps over 2, no noise there is Gaussian."""
    return np.zeros(len(rows), bool)


def best_map(setting: Setting) -> Chart:
    contours = Trace(
        lambda at, x, y: band(best(at, x, y)),
        lambda rows: band(by_row(rows)),
        x="epsilon",
        y="delta",
        rtol=0.02,
        atol=0.1,
    )
    point_of_setting = point(lambda at: (float(np.clip(at.epsilon, 1e-3, 10)), float(np.clip(at.delta, 1e-12, 0.5))))
    before = point(lambda at: (at.pinned.epsilon, at.pinned.delta))
    traces = {
        "best p": replace(contours, hover=by_row),
        "unnamed": replace(contours, visible=steep),
        "ε, δ of the setting": point_of_setting,
    }
    return Chart(EPSILON, log("δ"), traces | ({"pinned": before} if setting.pinned else {}))


PERCENT = (25, 50, 70, 75, 80, 85, 90, 95, 99)


def floor_map(setting: Setting) -> Chart:
    """Return the proved least noise of any shape, in percent of the best p, as the number of its contour."""

    def remaining(at: Setting, epsilon: Numbers, delta: Numbers) -> Numbers:
        measure = "mean_error" if at.measure == "mean_error" else "variance"
        frame = optimal_noise.floor_frame(epsilon, delta, measure, 2000)
        return (100 * frame["lower"] / frame["best"]).to_numpy()

    def contour(share: ArrayLike) -> Numbers:
        return np.interp(np.asarray(share), [0, *PERCENT, 100], np.arange(-1, len(PERCENT) + 1))

    def shares(rows: pd.DataFrame) -> Numbers:
        return rows.sort_values(["delta", "epsilon"])["share"].to_numpy()

    field = Trace(
        lambda at, x, y: contour(remaining(at, x, y)),
        lambda rows: contour(shares(rows)),
        x="epsilon",
        y="delta",
        hover=shares,
        rtol=1e-3,
        atol=1e-3,
    )
    setting_point = point(lambda at: (float(np.clip(at.epsilon, 1e-3, 10)), float(np.clip(at.delta, 1e-12, 0.5))))
    before = point(lambda at: (at.pinned.epsilon, at.pinned.delta))
    traces = {"share of the best p": field, "ε, δ of the setting": setting_point}
    return Chart(EPSILON, log("δ"), traces | ({"pinned": before} if setting.pinned else {}))


def best_p(setting: Setting) -> Chart:
    def trace(delta: float) -> Trace:
        return Trace(lambda at, x: best(at, x, delta), "p", of("delta", delta), rtol=1e-3)

    traces = {f"δ = {spelled(delta)}": trace(delta) for delta in (*setting.deltas, setting.delta)}
    traces |= pinned(lambda at, x: best(at, x, at.delta)) if setting.pinned else {}
    return Chart(EPSILON, log("best p"), traces, "epsilon")


def saving(setting: Setting) -> Chart:
    """Return what the best p saves of the noise of another p, in percent."""

    def truth(rival: float) -> Truth:
        def saved(at: Setting, x: Numbers) -> Numbers:
            level = at.significance if at.measure == "accuracy" else None

            def noise(p: ArrayLike) -> Numbers:
                return optimal_shape.size(at.measure, SCALES[at.guarantee](x, at.delta, p), p, level)

            return 100 - 100 * np.minimum(noise(best(at, x, at.delta)) / noise(rival), 1)

        return saved

    names = {"against Laplace": (1.0, "of_laplace"), "against Gaussian": (2.0, "of_gaussian")}
    traces = {
        name: Trace(truth(rival), lambda rows, column=column: 100 - 100 * rows[column], rtol=1e-3, atol=0.01)
        for name, (rival, column) in names.items()
    }
    before = {"pinned": "against Laplace", "pinned #2": "against Gaussian"} if setting.pinned else {}
    traces |= {
        name: Trace(lambda at, x, rival=rival: traces[rival].truth(at.pinned, x), rtol=1e-3, atol=0.01)
        for name, rival in before.items()
    }
    return Chart(EPSILON, linear("saved by the best p"), traces, "epsilon")


def floor(setting: Setting, varied: str) -> Chart:
    """Return what is left of the size of the best p, in percent; the bounds by small linear programs."""

    def truth(column: str) -> Truth:
        def left(at: Setting, x: ArrayLike) -> Numbers:
            place = {"epsilon": at.epsilon, "delta": at.delta} | {varied: x}
            measure = "mean_error" if at.measure == "mean_error" else "variance"
            values, is_large = np.empty(np.size(x)), np.broadcast_to(place["epsilon"], np.shape(x)) >= 3
            for part, n_rows in ((is_large, 750), (~is_large, 450)):
                epsilon, delta = (np.broadcast_to(place[name], np.shape(x))[part] for name in ("epsilon", "delta"))
                frame = optimal_noise.floor_frame(epsilon, delta, measure, n_rows)
                values[part] = 100 * frame[column] / frame["best"]
            return values

        return left

    names = {"truncated Laplace": "truncated", "any noise: at most": "upper", "any noise: at least": "lower"}
    traces = {
        name: Trace(truth(column), lambda rows, column=column: 100 * rows[column] / rows["best"], rtol=1e-5)
        for name, column in names.items()
    }
    title = "mean error" if setting.measure == "mean_error" else "variance"
    axis = EPSILON if varied == "epsilon" else log("δ")
    return Chart(axis, linear(f"{title}, % of that of the best p"), traces, varied)


SETTINGS = {
    **dict.fromkeys(
        ("best_map", "best_p", "saving"),
        (
            {},
            OTHER | {"measure": "accuracy", "guarantee": "adp", "deltas": "0.1"},
            {"measure": "mean_error", "delta": "0.05", "guarantee": "disjoint"},
        ),
    ),
    "floor_map": ({}, OTHER | {"measure": "mean_error"}),
    **dict.fromkeys(("floor", "floor_delta"), ({}, {"measure": "mean_error", "delta": "0.05", "epsilon": "0.3"})),
}
CHARTS = {
    "best_map": best_map,
    "best_p": best_p,
    "saving": saving,
    "floor": lambda setting: floor(setting, "epsilon"),
    "floor_map": floor_map,
    "floor_delta": lambda setting: floor(setting, "delta"),
}
