"""What each trace of the densities must show."""

import numpy as np

from dpcore import generalized_gaussian as gg
from dpcore import optimal_noise
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    linear,
    of,
    pinned,
    spelled,
)
from tests.pages.generalized_gaussian.figure_checks.settings import OTHER, SCALES


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


SETTINGS = {
    "densities": (
        {},
        OTHER | {"guarantee": "exact_pdp", "match": "scale"},
        {"guarantee": "disjoint", "match": "variance"},
    )
}
CHARTS = {"densities": densities}
