"""What each trace of noise within bounds must show."""

import numpy as np
from numpy.typing import ArrayLike

from dpcore import generalized_gaussian as gg
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    Truth,
    linear,
    pinned,
    where,
)
from tests.pages.generalized_gaussian.figure_checks.settings import OTHER


def bounded_scale(key: str, at: Setting, p: ArrayLike, width: ArrayLike) -> Numbers:
    """Return the b of a mechanism that stays between the lower bound and one so far above it."""
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
        """Return a stem for each bound, from 0 to its probability."""

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


SETTINGS = dict.fromkeys(
    ("bounded_errors", "bounded_densities"),
    ({}, OTHER | {"bounded_error": "bias", "bound_low": "-5", "true_value": "1"}),
)
CHARTS = {"bounded_errors": bounded_errors, "bounded_densities": bounded_densities}
