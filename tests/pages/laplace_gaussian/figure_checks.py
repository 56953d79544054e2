"""What each trace of the page on Laplace against Gaussian noise must show: see `tests.pages.figure_checks`."""

import math
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import optimize

from dpcore import gaussian, laplace, truncated_laplace
from pages.framework.parameters.number_format import format_up
from tests.pages.figure_checks import (
    Chart,
    Column,
    Numbers,
    Rows,
    Setting,
    Trace,
    Truth,
    linear,
    log,
    pinned,
    point,
)

BEFORE = "epsilon=0.5&delta=1e-4&case=counts&k=4&gaussian=pdp"
OTHER = {"epsilon": "0.7", "delta": "0.01", "k": "9", "gaussian": "pdp", "significance": "0.1", "pinned": BEFORE}
_EACH = (
    {},
    OTHER | {"hold": "variance", "measure": "mean_error", "function": "cdf"},
    {"gaussian": "classical", "hold": "tail", "measure": "accuracy", "case": "own", "l1_sensitivity": "3"},
)
SETTINGS = {
    "": _EACH,
    "draws": (*_EACH, {"drawn": "2000", "seed": "3"}, {"drawn": "5", "case": "own", "l1_sensitivity": "3"}),
    "statistics": ({}, OTHER | {"measure": "mean_error"}, {"measure": "accuracy", "gaussian": "classical"}),
}

NAMES = {"analytic": "Analytic Gaussian", "pdp": "pDP Gaussian", "classical": "Classical Gaussian"}
SIGMAS = {"analytic": gaussian.analytic_sigma, "pdp": gaussian.pdp_sigma, "classical": gaussian.classical_sigma}
EPSILONS = {
    "analytic": gaussian.epsilon_from_sigma,
    "pdp": gaussian.pdp_epsilon,
    "classical": gaussian.classical_epsilon,
}
DELTAS = {"analytic": gaussian.delta_from_sigma, "pdp": gaussian.pdp_delta, "classical": gaussian.classical_delta}
N_DRAWS = 100_000
DISTANCE = linear("distance |t| from the truth (query units)")


def sensitivities(at: Setting) -> tuple[float, float]:
    """Δ₁ and Δ₂ of the query."""
    if at.case == "own":
        return at.l1_sensitivity, at.l2_sensitivity
    return (at.k, math.sqrt(at.k)) if at.case == "counts" else (1.0, 1.0)


def laplace_scale(at: Setting) -> float:
    return float(laplace.scale_from_epsilon(at.epsilon, 0.0, sensitivities(at)[0]))


def same_epsilon_sigma(at: Setting, delta: ArrayLike) -> Numbers:
    """Return the σ of the chosen formula at the ε of the Laplace noise."""
    return SIGMAS[at.gaussian](at.epsilon, delta, sensitivities(at)[1])


def sigma(at: Setting) -> float:
    """Return the σ of the Gaussian noise, which has the same ε, the same variance or the same tail."""
    if at.hold == "epsilon":
        return float(same_epsilon_sigma(at, at.delta))
    if at.hold == "variance":
        return laplace_scale(at) * math.sqrt(2)
    return float(gaussian.laplace_tail_sigma(at.t, laplace_scale(at)))


NOISES = {"laplace": (laplace, laplace_scale), "gaussian": (gaussian, sigma)}


def names(at: Setting) -> dict[str, str]:
    return {"laplace": "Laplace", "gaussian": NAMES[at.gaussian]}


def half_width(key: str, at: Setting) -> float:
    module, scale = NOISES[key]
    return float(module.half_width(at.significance, scale(at)))


# Both noises


@cache
def unit_draws(seed: int) -> dict[str, Numbers]:
    rng = np.random.default_rng(seed)
    return {"laplace": laplace.sample(rng, 1.0, N_DRAWS), "gaussian": gaussian.sample(rng, 1.0, N_DRAWS)}


def truncated_draws(at: Setting) -> Numbers:
    return truncated_laplace.sample(np.random.default_rng(int(at.seed)), *truncation(at), N_DRAWS)[: int(at.drawn)]


def truncated_heap(at: Setting, x: Numbers) -> Numbers:
    reach = -x[0] / 0.99
    counts, edges = np.histogram(truncated_draws(at), np.linspace(-reach, reach, 101))
    return counts[np.searchsorted(edges, x) - 1] / (N_DRAWS * np.diff(edges)[0])


def draws(setting: Setting) -> Chart:
    """Return the densities of draws in 100 bins, Laplace's above the axis and the Gaussian's below."""

    def heap(key: str, side: int) -> Truth:
        def heights(at: Setting, x: Numbers) -> Numbers:
            reach = -x[0] / 0.99  # the first of 100 bins has its middle there
            edges = np.linspace(-reach, reach, 101)
            counts, _ = np.histogram(unit_draws(int(at.seed))[key][: int(at.drawn)] * NOISES[key][1](at), edges)
            places = np.searchsorted(edges, x) - 1
            return side * counts[places] / (N_DRAWS * np.diff(edges)[0])

        return heights

    def column(key: str, side: int) -> Column:
        return lambda rows: side * rows[key] / (N_DRAWS * (rows["high"] - rows["low"]))

    def exact(key: str, side: int) -> Trace:
        module, scale = NOISES[key]
        return Trace(
            lambda at, x: side * module.pdf(x, scale(at)),
            lambda rows: side * rows[f"{key}_pdf"],
            lambda table: table["x"].notna().to_numpy(),
        )

    def name(key: str) -> str:
        reach = half_width(key, setting)
        drawn = unit_draws(int(setting.seed))[key][: int(setting.drawn)] * NOISES[key][1](setting)
        beyond = int((np.abs(drawn) > reach).sum())
        return f"{names(setting)[key]}: {beyond:,} of {int(setting.drawn):,} beyond ±{format_up(reach)}"

    sides = {"laplace": 1, "gaussian": -1}
    traces = {
        name(key): Trace(heap(key, side), column(key, side), are_bins, hover=key, rtol=1e-3, atol=1e-4)
        for key, side in sides.items()
    }
    traces |= {f"density of {names(setting)[key]}": exact(key, side) for key, side in sides.items()}
    traces |= pinned(*(heap(*side_of_key) for side_of_key in sides.items()), atol=1e-4) if setting.pinned else {}
    if is_single(setting):
        noise = np.abs(truncated_draws(setting))
        reach = float(truncated_laplace.half_width(setting.significance, *truncation(setting)))
        label = (
            f"Truncated Laplace: {int((noise > reach).sum()):,} of {int(setting.drawn):,} beyond ±{format_up(reach)}"
        )
        traces[label] = Trace(truncated_heap, column("truncated", 1), are_bins, hover="truncated", rtol=1e-3, atol=1e-4)
    return Chart(
        linear("noise (query units)"),
        linear("share of draws per query unit"),
        traces,
        lambda rows: ((rows["low"] + rows["high"]) / 2).fillna(rows["x"]),
        marks={"epsilon": half_width("laplace", setting)},
    )


def are_bins(table: pd.DataFrame) -> Numbers:
    """Return whether a row of the CSV is a bin, and not a point of a density."""
    return table["x"].isna().to_numpy()


def is_single(at: Setting) -> bool:
    return sensitivities(at)[0] == sensitivities(at)[1]


def truncation(at: Setting) -> tuple[float, float]:
    """Return a and b of truncated Laplace noise, by its formula."""
    b = sensitivities(at)[0] / at.epsilon
    return b * math.log1p(math.expm1(at.epsilon) / (2 * at.delta)), b


def truncated_tail(at: Setting, x: Numbers) -> Numbers:
    bound, b = truncation(at)
    return np.where(x < bound, (np.exp(-x / b) - math.exp(-bound / b)) / -math.expm1(-bound / b), 0)


def least_tail(at: Setting, x: Numbers) -> Numbers:
    """Return the α at which the chain of tails that the guarantee allows reaches 1."""

    def least(t: float) -> float:
        total = math.floor(2 * t / sensitivities(at)[0] + 1e-9) + 1
        chains = [(1.0, 0.0)]  # of the factor of α/2 and of what δ adds
        for _ in range(total):
            factor, added = chains[-1]
            chains.append((math.exp(at.epsilon) * factor, math.exp(at.epsilon) * added + at.delta))
        ends = chains[total // 2], chains[total - total // 2]
        return max(2 * (1 - ends[0][1] - ends[1][1]) / (ends[0][0] + ends[1][0]), 0.0)

    return np.array([least(float(t)) for t in x])


def tails(setting: Setting) -> Chart:
    bottom = min(-6, math.floor(math.log10(setting.significance)) - 1)

    def visible(truth: Truth) -> Truth:
        return lambda at, x: np.where(np.asarray(truth(at, x)) > 10.0 ** (bottom - 2), truth(at, x), np.nan)

    def above_axis(key: str) -> Rows:
        return lambda rows: rows[key] > 10.0 ** (bottom - 2)

    def tail(key: str) -> Truth:
        module, scale = NOISES[key]
        return lambda at, x: np.where(
            module.tail(x, scale(at)) > 10.0 ** (bottom - 2), module.tail(x, scale(at)), np.nan
        )

    def line(key: str) -> Trace:
        return Trace(tail(key), key, visible=lambda rows: rows[key] > 10.0 ** (bottom - 2))

    marks = [point(lambda at, key=key: (half_width(key, at), at.significance)) for key in NOISES]
    traces = {names(setting)[key]: line(key) for key in NOISES}
    traces |= {"unnamed": marks[0], "unnamed #2": marks[1]}
    if is_single(setting):
        traces["Truncated Laplace"] = Trace(visible(truncated_tail), "truncated", visible=above_axis("truncated"))
        traces["any noise: at least"] = Trace(visible(least_tail), "least", visible=above_axis("least"), rtol=1e-6)
    traces |= pinned(*map(tail, NOISES)) if setting.pinned else {}
    return Chart(DISTANCE, log("probability of a larger |noise|"), traces, "t")


def truncated_density(kind: str) -> Truth:
    def pdf(at: Setting, x: Numbers) -> Numbers:
        bound, b = truncation(at)
        return np.where(abs(x) <= bound, np.exp(-abs(x) / b) / (2 * b * -math.expm1(-bound / b)), 0)

    def cdf(at: Setting, x: Numbers) -> Numbers:
        half = truncated_tail(at, abs(x)) / 2
        return np.where(x > 0, 1 - half, half)

    return pdf if kind == "pdf" else cdf


def density(setting: Setting) -> Chart:
    kind = setting.function

    def truth(key: str) -> Truth:
        module, scale = NOISES[key]
        function = module.pdf if kind == "pdf" else module.cdf
        return lambda at, x: function(x, scale(at))

    traces = {names(setting)[key]: Trace(truth(key), f"{key}_{kind}") for key in NOISES}
    traces |= pinned(*map(truth, NOISES)) if setting.pinned else {}
    if is_single(setting):
        traces["Truncated Laplace"] = Trace(truncated_density(kind), f"truncated_{kind}", atol=1e-9)
    label = linear({"pdf": "density", "cdf": "Pr(noise ≤ x)"}[kind])
    return Chart(linear("noise (query units)"), label, traces, "x")


# Where each is smaller

MEASURES = {"variance": "variance", "mean_error": "mean error", "accuracy": "half-width ± ("}


def noise_size(measure: str, at: Setting, key: str, scale: ArrayLike) -> Numbers:
    """Return how large a noise of this scale is."""
    module = NOISES[key][0]
    if measure == "accuracy":
        return module.half_width(at.significance, scale)
    return module.variance(scale) if measure == "variance" else module.mean_absolute_error(scale)


def statistics(setting: Setting) -> Chart:
    """Return a measure of both noises of a query of k counts."""

    def truth(key: str) -> Truth:
        def value(at: Setting, k: Numbers) -> Numbers:
            scale = k / at.epsilon if key == "laplace" else SIGMAS[at.gaussian](at.epsilon, at.delta, np.sqrt(k))
            return noise_size(setting.measure, at, key, scale)

        return value

    traces = {names(setting)[key]: Trace(truth(key), f"{key}_{setting.measure}") for key in NOISES}
    traces |= pinned(*map(truth, NOISES)) if setting.pinned else {}
    units = "(squared query units)" if setting.measure == "variance" else "(query units)"
    return Chart(log("counts of one person, k"), log(units), traces, "k")


def first_failure(_: Setting, delta: Numbers) -> Numbers:
    """Return the ε at which the true δ of the classical σ is the target: beyond, it is larger."""

    def excess(epsilon: float, target: float) -> float:
        sigma = gaussian.classical_sigma(epsilon, target)
        return float(gaussian.delta_from_sigma(epsilon, sigma)) / target - 1

    return np.array([optimize.brentq(excess, 1, 1000, (float(target),)) for target in delta])


def winners(setting: Setting) -> Chart:
    """Return the δ above which the Gaussian noise is the smaller, by each measure."""
    lowest = 10.0 ** min(-12, math.floor(math.log10(setting.delta)))

    def frontier(measure: str) -> Truth:
        def delta(at: Setting, epsilon: Numbers) -> Numbers:
            l1, l2 = sensitivities(at)
            unit = noise_size(measure, at, "laplace", l1 / epsilon) / noise_size(measure, at, "gaussian", 1.0)
            equal = np.sqrt(unit) if measure == "variance" else unit
            return np.minimum(DELTAS[at.gaussian](epsilon, equal, l2), 1.0)

        return delta

    def chosen(at: Setting, x: Numbers) -> Numbers:
        return np.clip(frontier(at.measure)(at, x), lowest, 1)

    def line(measure: str) -> Trace:
        return Trace(frontier(measure), measure, visible=lambda rows: rows[measure] >= lowest, rtol=1e-7)

    percent = f"{100 - 100 * setting.significance:g} %)"
    traces = {name + percent * (key == "accuracy"): line(key) for key, name in MEASURES.items()}
    traces["unnamed"] = Trace(lambda _, x: np.full(x.size, lowest), lambda rows: np.full(len(rows), lowest))
    traces["unnamed #2"] = Trace(chosen, lambda rows: rows[setting.measure].clip(lowest, 1), rtol=1e-7)
    traces["unnamed #3"] = Trace(lambda _, x: np.ones(x.size), lambda rows: np.ones(len(rows)))
    if setting.gaussian == "classical":
        end = 10.0 ** max(2, math.ceil(math.log10(setting.epsilon)))
        traces["unnamed #4"] = Trace(lambda _, y: np.full(y.size, end), value="x")
        traces["Classical Gaussian: FAILS"] = Trace(first_failure, value="x", rtol=1e-6)
    traces["ε, δ of the setting"] = point(lambda at: (at.epsilon, at.delta))
    traces |= {"pinned": point(lambda at: (at.pinned.epsilon, at.pinned.delta))} if setting.pinned else {}
    return Chart(log("ε (nats)"), log("δ"), traces, "epsilon")


CHARTS = {
    "draws": draws,
    "tails": tails,
    "density": density,
    "statistics": statistics,
    "map": winners,
}
