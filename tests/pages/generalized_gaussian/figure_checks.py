"""What each trace of the page on generalized Gaussian noise must show: see `tests.pages.figure_checks`."""

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import generalized_gaussian as gg
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
    where,
)

PINNED = "epsilon=0.5&delta=1e-5&p=4&guarantee=disjoint&bound_low=0&bound_high=20&true_value=3"
OTHER = {"epsilon": "0.5", "delta": "0.01", "l2_sensitivity": "2", "p": "2.5", "significance": "0.1", "pinned": PINNED}
SEVERAL = {"statistics": "own", "sensitivities": "1, 2", "monte_carlo": "on", "draws": "1e4", "delta": "0.05"}
SETTINGS = {
    "": ({}, OTHER | {"guarantee": "exact_pdp", "match": "scale"}, {"guarantee": "disjoint", "match": "variance"}),
    "size_p": ({}, OTHER | {"size": "scale"}),
    "size_epsilon": ({}, OTHER | {"size": "accuracy"}, SEVERAL),
    "size_delta": ({}, OTHER | {"size": "mean_error"}),
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
    **dict.fromkeys(
        ("bounded_errors", "bounded_densities"),
        ({}, OTHER | {"bounded_error": "bias", "bound_low": "-5", "true_value": "1"}),
    ),
}

EPSILON = log("ε (nats)")

# The noise of one statistic

SCALES = {"adp": gg.adp_scale, "exact_pdp": gg.exact_pdp_scale, "disjoint": gg.pdp_scale_disjoint}
GUARANTEES = {"adp": optimal_shape.ADP, "exact_pdp": optimal_shape.EXACT_PDP, "disjoint": optimal_shape.DISJOINT}


def matched_scale(setting: Setting, p: float) -> Numbers:
    """The b of a shape that shares with the noise of the page what is asked for."""

    def scale(shape: float) -> Numbers:
        return SCALES[setting.guarantee](setting.epsilon, setting.delta, shape, setting.l2_sensitivity)

    if setting.match == "guarantee":
        return scale(p)
    if setting.match == "scale":
        return scale(setting.p)
    return np.sqrt(gg.variance(scale(setting.p), setting.p) / gg.variance(1.0, p))


def shape_name(p: float) -> str:
    return {1.0: "p = 1, Laplace", 2.0: "p = 2, Gaussian"}.get(p, f"p = {spelled(p)}")


def densities(setting: Setting) -> Chart:
    def trace(p: float) -> Trace:
        return Trace(lambda at, x: gg.pdf(x, matched_scale(at, p), p), "pdf", of("p", p))

    def before(at: Setting, x: Numbers) -> Numbers:
        return gg.pdf(x, SCALES[at.guarantee](at.epsilon, at.delta, at.p, at.l2_sensitivity), at.p)

    traces = {shape_name(p): trace(p) for p in (*setting.shapes, setting.p)}
    traces |= pinned(before) if setting.pinned else {}
    traces |= least_traces() if (setting.guarantee, setting.match) == ("adp", "guarantee") else {}
    return Chart(linear("noise (query units)"), linear("density (per query unit)"), traces, "x")


def least_traces() -> dict[str, Trace]:
    """The noise of the least variance that is known, by the page's linear program, and truncated Laplace noise."""

    def least(at: Setting, x: Numbers) -> Numbers:
        return optimal_noise.least_cost(at.epsilon, at.delta, at.l2_sensitivity, most_rows=2000).density(x)

    def truncated(at: Setting, x: Numbers) -> Numbers:
        b = at.l2_sensitivity / at.epsilon
        bound = b * np.log1p(np.expm1(at.epsilon) / (2 * at.delta))
        return np.where(abs(x) <= bound, np.exp(-abs(x) / b) / (-2 * b * np.expm1(-bound / b)), 0)

    truths = {"least variance": least, "truncated Laplace": truncated}
    return {name: Trace(truth, "pdf", of("noise", name)) for name, truth in truths.items()}


# How much noise each guarantee needs

SIZES = {
    "scale": ("scale b (query units)", lambda _, __, scale: scale),
    "deviation": ("standard deviation (query units)", lambda _, p, scale: np.sqrt(gg.variance(scale, p))),
    "mean_error": ("mean error (query units)", lambda _, p, scale: gg.mean_absolute_error(scale, p)),
    "accuracy": ("(query units)", lambda at, p, scale: gg.half_width(at.significance, scale, p)),
}
NAMES = {"adp": "(ε, δ)-DP", "exact_pdp": "Exact pDP", "disjoint": "Corollary 9"}


def size(setting: Setting, over: str) -> Chart:
    """The size of the noise over p, ε or δ."""
    label, size_of = SIZES[setting.size]
    where = {"p": log("shape p"), "epsilon": EPSILON, "delta": log("δ")}[over]

    def truth(guarantee: str) -> Truth:
        def value(at: Setting, x: Numbers) -> Numbers:
            place = {"epsilon": at.epsilon, "delta": at.delta, "p": at.p} | {over: x}
            return size_of(at, place["p"], SCALES[guarantee](**place, sensitivity=at.l2_sensitivity))

        return value

    if setting.statistics != "one":
        return Chart(where, log(label), several(setting, over), over)
    traces = {name: Trace(truth(key), setting.size, of("guarantee", key)) for key, name in NAMES.items()}
    traces |= pinned(*map(truth, NAMES)) if setting.pinned else {}
    return Chart(where, log(label), traces, over)


def several(setting: Setting, over: str) -> dict[str, Trace]:
    """The noise of several statistics by Proposition 8, and as the paper simulates it."""
    size_of = SIZES[setting.size][1]

    def places(at: Setting, x: Numbers) -> list[dict[str, float]]:
        return [{"epsilon": at.epsilon, "delta": at.delta, "p": at.p} | {over: each} for each in x]

    def exact(at: Setting, x: Numbers) -> ArrayLike:
        return [size_of(at, each["p"], gg.pdp_scale(**each, sensitivities=at.sensitivities)) for each in places(at, x)]

    def simulated(at: Setting, x: Numbers, error: bool = False) -> ArrayLike:
        sizes = []
        for each in places(at, x):
            rng = np.random.default_rng(int(at.seed))
            result = gg.pdp_scale_monte_carlo(**each, sensitivities=at.sensitivities, rng=rng, n=int(at.draws))
            share = 2 * result.standard_error / result.scale if error else 1.0
            sizes.append(share * size_of(at, each["p"], result.scale))
        return sizes

    def bar(rows: pd.DataFrame) -> Numbers:
        return 2 * rows[f"{setting.size}_error"].to_numpy()

    return {
        "Proposition 8": Trace(exact, setting.size, of("guarantee", "several")),
        "Monte Carlo ± 2 s.e.": Trace(
            simulated,
            setting.size,
            of("guarantee", "Monte Carlo"),
            error=lambda at, x: simulated(at, x, error=True),
            error_column=bar,
        ),
    }


# The best shape

LEVELS = (1.05, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0, 40.0)


def band(p: ArrayLike) -> Numbers:
    """The number of the contour of the map at a shape; between two of them it grows with the logarithm of p − 1."""
    knots = np.log([0.01, *(level - 1 for level in LEVELS), optimal_shape.MOST_P - 1])
    return np.interp(np.log(np.maximum(np.asarray(p) - 1, 1e-9)), knots, np.arange(-1, len(LEVELS) + 1))


def best(at: Setting, epsilon: ArrayLike, delta: ArrayLike) -> Numbers:
    """The shape with the least noise."""
    level = at.significance if at.measure == "accuracy" else 0.05
    return optimal_shape.best_p(GUARANTEES[at.guarantee], at.measure, epsilon, delta, level)


def by_row(rows: pd.DataFrame) -> Numbers:
    """The p of the map in the order of its picture, a row for each δ."""
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
        "unnamed": replace(contours, shown=steep),
        "your ε and δ": point_of_setting,
    }
    return Chart(EPSILON, log("δ"), traces | ({"pinned": before} if setting.pinned else {}))


PERCENT = (25, 50, 70, 75, 80, 85, 90, 95, 99)


def floor_map(setting: Setting) -> Chart:
    """The proved least noise of any shape, in percent of the best p, as the number of its contour."""

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
    here = point(lambda at: (float(np.clip(at.epsilon, 1e-3, 10)), float(np.clip(at.delta, 1e-12, 0.5))))
    before = point(lambda at: (at.pinned.epsilon, at.pinned.delta))
    traces = {"share of the best p": field, "your ε and δ": here}
    return Chart(EPSILON, log("δ"), traces | ({"pinned": before} if setting.pinned else {}))


def best_p(setting: Setting) -> Chart:
    def trace(delta: float) -> Trace:
        return Trace(lambda at, x: best(at, x, delta), "p", of("delta", delta), rtol=1e-3)

    traces = {f"δ = {spelled(delta)}": trace(delta) for delta in (*setting.deltas, setting.delta)}
    traces |= pinned(lambda at, x: best(at, x, at.delta)) if setting.pinned else {}
    return Chart(EPSILON, log("best p"), traces, "epsilon")


def saving(setting: Setting) -> Chart:
    """What the best p saves of the noise of another p, in percent."""

    def truth(rival: float) -> Truth:
        def saved(at: Setting, x: Numbers) -> Numbers:
            level = at.significance if at.measure == "accuracy" else 0.05

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
    """What is left of the size of the best p, in percent; the bounds by small linear programs."""

    def truth(column: str) -> Truth:
        def left(at: Setting, x: ArrayLike) -> Numbers:
            place = {"epsilon": at.epsilon, "delta": at.delta} | {varied: x}
            measure = "mean_error" if at.measure == "mean_error" else "variance"
            frame = optimal_noise.floor_frame(place["epsilon"], place["delta"], measure, 450)
            return (100 * frame[column] / frame["best"]).to_numpy()

        return left

    names = {"truncated Laplace": "truncated", "any noise: at most": "upper", "any noise: at least": "lower"}
    traces = {
        name: Trace(truth(column), lambda rows, column=column: 100 * rows[column] / rows["best"], rtol=1e-5)
        for name, column in names.items()
    }
    title = "mean error" if setting.measure == "mean_error" else "variance"
    axis = EPSILON if varied == "epsilon" else log("δ")
    return Chart(axis, linear(f"{title}, % of that of the best p"), traces, varied)


# Noise within bounds


def bounded_scale(key: str, at: Setting, p: ArrayLike, width: ArrayLike) -> Numbers:
    """The b of a mechanism that stays between the lower bound and one so far above it."""
    sensitivity = np.minimum(at.l2_sensitivity, width)
    p, width, sensitivity = (np.asarray(array, float) for array in np.broadcast_arrays(p, width, sensitivity))
    low = np.full_like(width, at.bound_low)
    alone = (..., np.newaxis)  # the published formulas add up over the last axis
    if key == "truncated":
        return gg.exact_truncated_scale(at.epsilon, p, width, sensitivity)
    if key == "published":
        return gg.truncated_scale(at.epsilon, p, sensitivity[alone], width[alone])
    if key == "bit":
        return gg.exact_boundary_inflated_scale(at.epsilon, p, width, sensitivity)
    if key == "clipped":
        return gg.adp_scale(at.epsilon, at.delta, p, sensitivity)
    if key == "exponential":
        return gg.bounded_exponential_scale(at.epsilon, p, sensitivity[alone], width[alone])
    return gg.lemma_exponential_scale(at.epsilon, p, sensitivity[alone], low[alone], (low + width)[alone])


WITHIN = {
    "truncated": "truncated, exact",
    "published": "truncated, published",
    "bit": "BIT, exact",
    "clipped": "(ε, δ) noise, clipped",
    "exponential": "exponential, exact Δᵤ",
    "lemma": "exponential, Lemma 10",
}


def is_clipped(key: str) -> bool:
    return key in ("bit", "clipped")


def own_scale(key: str, at: Setting) -> float:
    return float(bounded_scale(key, at, at.p, at.bound_high - at.bound_low))


def bounded_errors(setting: Setting) -> Chart:
    def truth(key: str) -> Truth:
        def error(at: Setting, x: Numbers) -> Numbers:
            moments = gg.boundary_inflated_moments if is_clipped(key) else gg.truncated_moments
            result = moments(x, own_scale(key, at), at.p, at.bound_low, at.bound_high)
            return result.bias if at.bounded_error == "bias" else np.sqrt(result.mse)

        return error

    keys = [key for key in WITHIN if key not in ("exponential", "lemma")]
    traces = {
        WITHIN[key]: Trace(truth(key), f"{key}_{setting.bounded_error}", atol=1e-9)  # a bias may be 0
        for key in keys
    }
    traces |= pinned(*map(truth, keys)) if setting.pinned else {}
    label = {"rmse": "RMS error (query units)", "bias": "bias (query units)"}[setting.bounded_error]
    return Chart(linear("true value s of the statistic (query units)"), linear(label), traces, "value")


def bounded_densities(setting: Setting) -> Chart:
    def truth(key: str) -> Truth:
        def density(at: Setting, x: Numbers) -> Numbers:
            inside = np.clip(x, np.nextafter(at.bound_low, np.inf), np.nextafter(at.bound_high, -np.inf))
            pdf = gg.boundary_inflated_pdf if is_clipped(key) else gg.truncated_pdf
            return pdf(inside, at.true_value, own_scale(key, at), at.p, at.bound_low, at.bound_high)

        return density

    def stems(key: str) -> Trace:
        """A stem for each bound, from 0 to its probability."""

        def masses(at: Setting, x: Numbers) -> ArrayLike:
            low, high = gg.boundary_inflated_masses(
                at.true_value, own_scale(key, at), at.p, at.bound_low, at.bound_high
            )
            ends = np.repeat([at.bound_low, at.bound_high], 2)
            near = np.abs(x - ends) < 0.02 * (
                at.bound_high - at.bound_low
            )  # those of two mechanisms stand side by side
            return where(near, [0.0, float(low), 0.0, float(high)])

        return Trace(masses)

    keys = ("truncated", "bit", "clipped")
    traces = {WITHIN[key]: Trace(truth(key), key) for key in keys}
    traces |= {f"{WITHIN[key]}: a bound": stems(key) for key in keys[1:]}
    traces |= pinned(*map(truth, keys)) if setting.pinned else {}
    return Chart(
        linear("release (query units)"),
        linear("density (per query unit)"),
        traces,
        "x",
        {"yaxis2": linear("probability of a bound")},
    )


CHARTS = {
    "densities": densities,
    "size_p": lambda setting: size(setting, "p"),
    "size_epsilon": lambda setting: size(setting, "epsilon"),
    "size_delta": lambda setting: size(setting, "delta"),
    "best_map": best_map,
    "best_p": best_p,
    "saving": saving,
    "floor": lambda setting: floor(setting, "epsilon"),
    "floor_map": floor_map,
    "floor_delta": lambda setting: floor(setting, "delta"),
    "bounded_errors": bounded_errors,
    "bounded_densities": bounded_densities,
}
