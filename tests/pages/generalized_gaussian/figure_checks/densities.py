"""What each trace of the densities must show."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import generalized_gaussian as gg
from dpcore import optimal_noise, truncated_laplace
from pages.framework.parameters.number_format import format_up
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    linear,
    log,
    of,
    pinned,
    point,
    spelled,
)
from tests.pages.generalized_gaussian.figure_checks.settings import EPSILON, OTHER, SCALES

N_DRAWS = 100_000


def matched_scale(setting: Setting, p: float) -> Numbers:
    """Return the b of a shape that shares with the noise of the page what is asked for."""

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

    def noise(at: Setting) -> Numbers:
        scale = SCALES[at.guarantee](at.epsilon, at.delta, at.p, at.l2_sensitivity)
        return gg.sample(np.random.default_rng(int(at.seed)), scale, at.p, N_DRAWS)[: int(at.drawn)]

    def heap(at: Setting, x: Numbers) -> Numbers:
        reach = -x[0] / 0.99  # the first of 100 bins has its middle there
        counts, edges = np.histogram(noise(at), np.linspace(-reach, reach, 101))
        return counts[np.searchsorted(edges, x) - 1] / (N_DRAWS * np.diff(edges)[0])

    half_width = float(gg.half_width(setting.significance, matched_scale(setting, setting.p), setting.p))
    beyond = int((np.abs(noise(setting)) > half_width).sum())
    heap_name = f"{beyond:,} of {int(setting.drawn):,} draws beyond ±{format_up(half_width)}"
    traces = {heap_name: Trace(heap, "pdf", of("noise", "draws"), rtol=1e-3, atol=1e-6)}
    traces |= {shape_name(p): trace(p) for p in (*setting.shapes, setting.p)}
    traces |= pinned(before) if setting.pinned else {}
    traces |= least_traces() if is_beside_others(setting) else {}
    return Chart(
        linear("noise (query units)"),
        linear("density (per query unit)"),
        traces,
        "x",
        marks={"epsilon": half_width},
    )


def is_beside_others(setting: Setting) -> bool:
    few = len({*setting.shapes, setting.p}) <= 3
    return few and (setting.guarantee, setting.match) == ("adp", "guarantee")


def least_traces() -> dict[str, Trace]:
    """Return the noise of the least variance that is known beside linear programs, and truncated Laplace noise."""

    def least(at: Setting, x: Numbers) -> Numbers:
        return optimal_noise.least_cost(at.epsilon, at.delta, at.l2_sensitivity, most_rows=2000).noise.density(x)

    def truncated(at: Setting, x: Numbers) -> Numbers:
        b = at.l2_sensitivity / at.epsilon
        bound = b * np.log1p(np.expm1(at.epsilon) / (2 * at.delta))
        return np.where(abs(x) <= bound, np.exp(-abs(x) / b) / (-2 * b * np.expm1(-bound / b)), 0)

    truths = {"least variance": least, "truncated Laplace": truncated}
    return {name: Trace(truth, "pdf", of("noise", name)) for name, truth in truths.items()}


def profiles(setting: Setting) -> Chart:
    """Return the δ of each noise over ε; a line ends where it is 0."""

    def above_0(delta: ArrayLike) -> Numbers:
        return np.where(np.asarray(delta) > 1e-299, delta, np.nan)

    def delta(at: Setting, x: Numbers, scale: Numbers, p: float) -> Numbers:
        profile = gg.delta_from_scale if at.guarantee == "adp" else gg.pdp_delta_from_scale
        return above_0(profile(x, scale, p, at.l2_sensitivity))

    def trace(p: float) -> Trace:
        return Trace(
            lambda at, x: delta(at, x, matched_scale(at, p), p),
            lambda rows: above_0(rows["delta"]),
            of("p", p),
            rtol=1e-3,
        )

    def before(at: Setting, x: Numbers) -> Numbers:
        return delta(at, x, SCALES[at.guarantee](at.epsilon, at.delta, at.p, at.l2_sensitivity), at.p)

    def truncated(at: Setting, x: Numbers) -> Numbers:
        noise = (
            truncated_laplace.bound_from_epsilon(at.epsilon, at.delta),
            truncated_laplace.scale_from_epsilon(at.epsilon),
        )
        return truncated_laplace.delta_from_bound(x, *noise)

    traces = {shape_name(p): trace(p) for p in (*setting.shapes, setting.p)}
    traces |= {"ε, δ of the setting": point(lambda at: (at.epsilon, at.delta))}
    traces |= pinned(before) if setting.pinned else {}
    if (setting.guarantee, setting.match) == ("adp", "guarantee"):
        traces["truncated Laplace"] = Trace(truncated, "delta", of("noise", "truncated Laplace"))
    return Chart(EPSILON, log("δ"), traces, "epsilon")


_SETTINGS = (
    {},
    {"shapes": "1, 2"},
    {"drawn": "2000", "seed": "3", "p": "1"},
    OTHER | {"guarantee": "exact_pdp", "match": "scale"},
    {"guarantee": "disjoint", "match": "variance"},
)
SETTINGS = {"densities": _SETTINGS, "profiles": _SETTINGS}
CHARTS = {"densities": densities, "profiles": profiles}
