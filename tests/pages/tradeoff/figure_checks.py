"""What each trace of the page of trade-off curves must show: see `tests.pages.figure_checks`."""

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import audit, gaussian, risk, tradeoff
from dpcore.composition import sampled_release
from dpcore.tradeoff import Curve, readings
from pages.framework.parameters.number_format import format_down, format_up
from pages.tradeoff.noise_from_risk.results import limit_key
from tests.pages.figure_checks import (
    Axis,
    Chart,
    Column,
    Numbers,
    Rows,
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

LIST = (
    "gdp:1.5@blue=Normal;!laplace:0.5*10@orange=Often;geometric:1,5@purple=Whole;gg:3,2,1@ochre=Flat;"
    "truncated:1,0.05@rose=Bounded;truncated_geometric:1,6,2@green=Ended;sgm:1,0.01,1000@teal=Trained;points:0.01_0.95~0.05_0.8~0.25_0.45~0.5_0.2@grey=Seen"
)
ATTACK = {"attack": "3_1000_930_1000~25_1000_760_1000~50_1000_400_1000", "section": "attack"}
BEFORE = "alpha=0.2&curves=!gdp:2@blue=Before"
RISK = {"section": "risk", "risk": "power", "noise": "gaussian"}
OUTCOME = RISK | {"risk": "outcome", "prior": "0.5", "max_posterior": "0.6"}
RISKS = (
    OUTCOME | {"noise": "geometric"},
    OUTCOME | {"noise": "laplace", "view": "log", "per_person": "3", "cells": "60", "l2_sensitivity": "2"},
    RISK | {"per_person": "3", "cells": "60"},
    RISK | {"alpha": "0.01", "max_power": "0.05"},
    RISK | {"risk": "advantage", "noise": "laplace", "view": "errors", "l2_sensitivity": "3"},
    RISK | {"risk": "posterior", "noise": "geometric", "l2_sensitivity": "3", "view": "log"},
    RISK | {"risk": "success", "delta": "1e-3", "pinned": "noise=laplace&risk=success&max_success=0.95"},
    RISK | {"risk": "reconstruction", "noise": "laplace"},
    RISK | {"max_power": "0.06", "delta": "0.5"},
)
COMPOSED = (
    OUTCOME | {"noise": "releases", "releases": "!laplace:0.2*5=Weekly;pure:0.5=Survey", "delta": "1e-3"},
    RISK | {"noise": "dp_sgd", "sampling_rate": "0.01", "steps": "500"},
    RISK | {"noise": "releases", "risk": "advantage", "delta": "1e-3"},
)
SETTINGS = {
    "": (
        {},
        {"view": "errors", "alpha": "0.2", "pinned": BEFORE, "quote": "epsilon"},
        {"view": "log", "alpha": "1e-3", "curves": LIST},
        {"view": "errors", "curves": LIST, "delta": "1e-3"},
    ),
    "noise_curve": (*RISKS, *COMPOSED),
    "noise_scale": (*RISKS, *COMPOSED),
    "attack": (
        ATTACK,
        ATTACK | {"view": "errors", "confidence": "0.5", "pinned": BEFORE},
        ATTACK | {"view": "log", "curves": LIST},
    ),
    "attack_example": ({}, {"view": "errors", "confidence": "0.5", "pinned": BEFORE}, {"view": "log", "curves": LIST}),
}


@cache
def curves(epsilon: float, delta: float) -> dict[str, Curve]:
    """Return every curve by its name: those that follow ε and δ, and those of `LIST`."""
    seen = np.array([0.01, 0.05, 0.25, 0.5]), np.array([0.95, 0.8, 0.45, 0.2])
    both = np.append(*seen), np.append(*seen[::-1])  # neighbours can be exchanged, and the two errors with them
    place = f"({spelled(epsilon)}, {spelled(delta)})"
    return {
        f"{place}-DP": tradeoff.epsilon_delta_curve(epsilon, delta),
        f"Gaussian at {place}": tradeoff.sigma_curve(float(gaussian.analytic_sigma(epsilon, delta))),
        f"Laplace at ε = {spelled(epsilon)}": tradeoff.laplace_curve(epsilon),
        "Normal": tradeoff.gaussian_curve(1.5),
        "Often": tradeoff.composed_curve([tradeoff.laplace_curve(0.5)], [10]),
        "Whole": tradeoff.geometric_curve(1, 5),
        "Flat": tradeoff.generalized_gaussian_curve(2, 3, 1),
        "Bounded": tradeoff.truncated_laplace_curve(1, 0.05),
        "Ended": tradeoff.truncated_geometric_curve(1, 6, 2),
        "Trained": tradeoff.subsampled_gaussian_curve(1, 0.01, 1000),
        "Seen (reached)": tradeoff.points_curve(*both, hull=True),
        "Before": tradeoff.gaussian_curve(2),
    }


def listed(setting: Setting) -> dict[str, Curve]:
    """Return the curves of the setting's list."""
    every = curves(setting.epsilon, setting.delta)
    names = [item.name for item in setting.curves]
    if not any(names):
        return dict(list(every.items())[:3])
    return {name: curve for name, curve in every.items() if name.split(" (reached)")[0] in names}


def chosen(setting: Setting) -> tuple[str, Curve]:
    """Return the name of the curve that the page speaks of, and the curve."""
    place = next((place for place, item in enumerate(setting.curves) if item.chosen), 0)
    return list(listed(setting).items())[place]


def height(setting: Setting, curve: Curve, alpha: ArrayLike) -> Numbers:
    """Return what the view shows of a curve: the missed share or the caught one,
    which has no place on a log axis at 0.
    """
    alpha = np.asarray(alpha)
    value = np.asarray(curve(alpha) if setting.view == "errors" else curve.power(alpha))
    return np.where(value > 0, value, np.nan) if setting.view == "log" else value


def of_curve(curve: Curve) -> Truth:
    return lambda at, x: height(at, curve, x)


def guessed(at: Setting, x: Numbers) -> Numbers:
    return 1 - x if at.view == "errors" else x


def before(setting: Setting) -> dict[str, Trace]:
    """Return the pinned curve, and its point at the pinned α, in the view of the page."""
    if setting.pinned is None:
        return {}
    curve = listed(setting.pinned)["Before"]
    line = pinned(lambda at, x: height(at, curve, x), atol=1e-6)
    return line | {"pinned #2": point(lambda at: (at.pinned.alpha, float(height(at, curve, at.pinned.alpha))))}


def axes(setting: Setting) -> tuple[Axis, Axis]:
    kind = log if setting.view == "log" else linear
    alarms = "false positive rate α (type I error)" if setting.view == "errors" else "false positive rate α"
    return kind(alarms), kind("false negative rate" if setting.view == "errors" else "true positive rate")


def column_of(setting: Setting) -> str:
    return "beta" if setting.view == "errors" else "power"


def has_place(setting: Setting, column: str) -> Rows:
    """Return the rows of the CSV that the axes of the view have a place for."""

    def is_inside(rows: pd.DataFrame) -> Numbers:
        inside = (rows["alpha"] > 0) & (rows[column] > 0)
        return inside.to_numpy() if setting.view == "log" else np.ones(len(rows), bool)

    return is_inside


def errors(setting: Setting) -> Chart:
    """Return the curves, with what the chosen one gains over guessing."""

    def line(name: str, curve: Curve) -> Trace:
        column = column_of(setting)
        return Trace(of_curve(curve), column, of("curve", name), has_place(setting, column), atol=1e-15)

    own = listed(setting)
    traces = {name: line(name, curve) for name, curve in own.items()}
    traces |= {f"{name} #2": Trace(of_curve(curve), rtol=1e-4, atol=1e-6) for name, curve in own.items()}
    traces["advantage over guessing"] = Trace(of_curve(chosen(setting)[1]), back=guessed, rtol=1e-4, atol=1e-6)
    traces["random guessing"] = Trace(guessed)
    for place, curve in enumerate(own.values(), 1):
        dot = point(lambda at, curve=curve: (at.alpha, float(height(at, curve, at.alpha))))
        traces["unnamed" if place == 1 else f"unnamed #{place}"] = dot
    return Chart(*axes(setting), traces | before(setting), "alpha")


def quotation(setting: Setting) -> Chart:
    """Return the chosen curve, the (ε, δ) and the μ that are quoted in its place, and what these concede beyond it."""
    name, curve = chosen(setting)
    if setting.quote == "delta":
        epsilon, delta = float(tradeoff.smallest_epsilon(curve, setting.delta)), setting.delta
    else:
        epsilon, delta = setting.epsilon, float(tradeoff.smallest_delta(curve, setting.epsilon))
    quoted = readings.quotation_at_delta(curve, delta) if setting.quote == "delta" else None
    touches = readings.touching_alpha(curve, epsilon) if quoted is None else quoted.touches
    mu = tradeoff.smallest_mu(curve).mu
    conceded = {
        "epsilon_delta": (quoted_name(epsilon, delta), tradeoff.epsilon_delta_curve(epsilon, delta)),
        "mu": (f"smallest μ = {format_up(mu)}", tradeoff.gaussian_curve(mu)),
    }
    column = column_of(setting)

    def extra(other: Curve) -> Truth:
        return lambda _, x: other.power(x) - curve.power(x)

    def line(of: Curve, key: str) -> Trace:
        return Trace(of_curve(of), key, None, has_place(setting, key), atol=1e-15)

    traces = {name: line(curve, column)}
    for key, (conceded_side, other) in conceded.items():
        traces[conceded_side] = line(other, f"{column}_{key}")
        traces[f"{conceded_side} #2"] = Trace(
            extra(other), f"extra_power_{key}", visible=above_zero(setting), atol=1e-12
        )
    traces["point of contact"] = point(lambda at: (touches, float(height(at, curve, touches))), rtol=0.01)
    return Chart(*axes(setting), traces | before(setting), "alpha", {"yaxis2": linear("above curve")})


def above_zero(setting: Setting) -> Rows:
    """Return the rows whose α the axes of the view have a place for."""
    return lambda rows: (rows["alpha"] > 0).to_numpy() | (setting.view != "log")


def quoted_name(epsilon: float, delta: float) -> str:
    return f"ε = {format_up(epsilon)}, δ = {format_up(delta)}"


def attack(setting: Setting) -> Chart:
    """Return what the attack reached and, from its counts, what its true errors are at most."""
    invented = audit.attack_from_counts([3, 25, 120], 1000, [930, 760, 520], 1000)
    measured = setting.attack.measurements if setting.attack else invented
    confidence = setting.confidence if setting.attack else 0.95
    band = audit.band(np.random.default_rng(int(setting.seed)), measured, confidence)
    broken = audit.is_contradicted(band, chosen(setting)[1].beta)
    hull = readings.point_readings(measured.alpha, measured.beta)
    is_error_view = setting.view == "errors"

    def seen(alpha: ArrayLike, beta: ArrayLike) -> Truth:
        """Return the value at each of these false positives, in whatever order they are drawn."""
        alpha = np.asarray(alpha)
        values = np.asarray(beta) if is_error_view else 1 - np.asarray(beta)

        def value(_: Setting, x: Numbers) -> Numbers:
            nearest = np.abs(alpha[:, np.newaxis] - x).argmin(axis=0)
            return np.where(np.isclose(alpha[nearest], x, 1e-6), values[nearest], np.nan)

        return value

    def column(rows: pd.DataFrame) -> ArrayLike:
        return rows["beta_high"] if is_error_view else 1 - rows["beta_high"]

    traces = {name: Trace(of_curve(curve), rtol=1e-4, atol=1e-6) for name, curve in listed(setting).items()}
    traces["random guessing"] = Trace(guessed)
    traces["measured"] = Trace(seen(measured.alpha, measured.beta))
    traces["convex hull of the measured"] = Trace(seen(hull["alpha"], hull["beta"]))
    bounds = seen(band.alpha_high, band.beta_high)
    traces["bounds"] = Trace(bounds)
    for name, contradicts in (("upper bounds on the errors", False), ("✗ contradicts the claim", True)):
        if (broken == contradicts).any():
            rows = of("contradicts", contradicts)
            traces[name] = Trace(bounds, column, rows, x="alpha_high")
    return Chart(*axes(setting), traces | before(setting))


def conditions(setting: Setting) -> tuple[float, ...]:
    """Return the numbers at which the risk of the setting is read."""
    return tuple(getattr(setting, name) for name in risk.CONDITIONS[setting.risk])


@cache
def calibration(setting: Setting, limit: float | None = None) -> risk.RiskCalibration:
    """Return the noise that meets the risk of the setting, or another limit of it."""
    most = getattr(setting, limit_key(setting.risk)) if limit is None else limit
    rounded = {}  # the page states ε with four digits, and the noise at these; its curve over limits has all digits
    if setting.risk == "outcome" and limit is None:
        epsilon = float(risk.epsilon_from_risk("outcome", most, [setting.prior]))
        rounded = {"most_epsilon": float(format_down(epsilon))}
    elif setting.noise in ("laplace", "geometric") and limit is None:
        loss = calibration(setting, most).loss
        rounded = {"most_epsilon": float(format_down(loss))}
    if setting.noise == "dp_sgd":
        accepted = risk.Risk(setting.risk, most, conditions(setting))
        return risk.dp_sgd_calibration(accepted, setting.delta, setting.sampling_rate, setting.steps)
    if setting.noise == "releases":
        accepted = risk.Risk(setting.risk, most, conditions(setting))
        releases = [item.release for item in setting.releases]
        return risk.releases_calibration(accepted, setting.delta, releases, **rounded)
    calibrate = getattr(risk, f"{setting.noise}_calibration")
    accepted = risk.Risk(setting.risk, most, conditions(setting))
    return calibrate(accepted, setting.delta, sensitivity(setting), **rounded)


def has_detour(setting: Setting) -> bool:
    """Return whether a guarantee alone ensures the limit, where the noise is pure with more noise."""
    noise = calibration(setting)
    shown = format_up(noise.scale), format_up(noise.detour_scale)
    is_more = noise.detour_scale > noise.scale and shown[0] != shown[1]
    return bool(np.isfinite(noise.detour_scale)) and (is_more or setting.noise not in ("laplace", "geometric"))


def sensitivity(setting: Setting) -> float:
    """Return Δ₂ of Gaussian noise and Δ₁ of other noise for all cells of one person."""
    power = 0.5 if setting.noise == "gaussian" else 1
    return setting.l2_sensitivity * setting.per_person**power


def noise_of_scale(setting: Setting, scale: float) -> Curve:
    """Return the curve of noise of the setting's family."""
    moved = sensitivity(setting)
    if setting.noise == "dp_sgd":
        return tradeoff.releases_curve([sampled_release(scale, setting.sampling_rate, int(setting.steps))])
    if setting.noise == "releases":
        return tradeoff.releases_curve(risk.scaled_releases([item.release for item in setting.releases], scale))
    if setting.noise == "gaussian":
        return tradeoff.sigma_curve(scale, moved)
    theta = moved / scale
    return tradeoff.laplace_curve(theta) if setting.noise == "laplace" else tradeoff.geometric_curve(theta, moved)


def limit_power(setting: Setting, alpha: Numbers) -> Numbers:
    """Return the power at which the risk of the setting is at its limit, where there is one."""
    most = getattr(setting, limit_key(setting.risk))
    power = {
        "advantage": lambda: alpha + most,
        "success": lambda: (most - (1 - setting.prior) * (1 - alpha)) / setting.prior,
        "outcome": lambda: alpha * most * (1 - setting.prior) / (setting.prior * (1 - most)),
        "posterior": lambda: alpha * most * (1 - setting.prior) / (setting.prior * (1 - most)),
    }.get(setting.risk, lambda: np.full(np.shape(alpha), most))()
    return np.where((power >= 0) & (power <= 1), power, np.nan)


NOISES = {
    "gaussian": "Gaussian noise",
    "laplace": "Laplace noise",
    "geometric": "geometric noise",
    "dp_sgd": "DP-SGD noise",
    "releases": "my releases",
}


def noise_curve(setting: Setting) -> Chart:
    """Return the curve of the noise, what its limit is, and what the detour's guarantee and its noise leave."""
    noise = calibration(setting)

    def seen(power: ArrayLike, alpha: Numbers) -> Numbers:
        value = 1 - np.asarray(power) if setting.view == "errors" else np.asarray(power)
        return np.where((value > 0) & (alpha > 0), value, np.nan) if setting.view == "log" else value

    def column(name: str) -> Column:
        return (lambda rows: 1 - rows[name]) if setting.view == "errors" else name

    def has_both(name: str) -> Rows:
        return lambda rows: (setting.view != "log") | ((rows["alpha"] > 0) & (rows[name] > 0)).to_numpy()

    def line(curve: Curve, name: str) -> Trace:
        return Trace(lambda at, x: seen(curve.power(x), x), column(name), None, has_both(name), rtol=1e-8, atol=1e-12)

    def touched(at: Setting, x: Numbers) -> Numbers:
        return seen(noise_of_scale(setting, noise.scale).power(x), x)

    traces = {NOISES[setting.noise]: line(noise_of_scale(setting, noise.scale), "power")}
    if has_detour(setting):
        guarantee = tradeoff.epsilon_delta_curve(noise.detour_epsilon, setting.delta)
        shown = f"ε = {format_down(noise.detour_epsilon)}"
        traces[f"guarantee {shown} alone"] = line(guarantee, "guarantee_power")
        traces[f"noise for {shown}"] = line(noise_of_scale(setting, noise.detour_scale), "detour_power")
    traces["limit"] = Trace(lambda at, x: seen(limit_power(at, x), x), rtol=1e-5, atol=1e-6)
    traces["limit reached"] = Trace(touched, rtol=1e-4, atol=1e-6)
    traces["random guessing"] = Trace(guessed)
    if setting.pinned is not None:
        before = noise_of_scale(setting.pinned, calibration(setting.pinned).scale)
        traces |= pinned(lambda at, x: before.power(x), atol=1e-6)
    return Chart(*axes(setting), traces, "alpha")


def noise_scale(setting: Setting) -> Chart:
    """Return the noise against the limit, calibrated to the risk and by the detour."""

    is_composed = setting.noise in ("dp_sgd", "releases")
    tolerance = 0.02 if is_composed else 1e-9  # rough curves, always with more noise
    n_points = 2 if is_composed else 9  # a calibration takes half a second

    def scales(name: str) -> Truth:
        return lambda at, x: [getattr(calibration(at, float(limit)), name) for limit in np.atleast_1d(x)]

    def has(column: str) -> Rows:
        return lambda rows: rows[column].notna().to_numpy()

    traces = {
        "calibrated to the risk": Trace(scales("scale"), "scale", None, has("scale"), rtol=tolerance, n_points=n_points)
    }
    if has_detour(setting):
        column = "detour_scale"
        detour = Trace(scales(column), column, None, has(column), rtol=tolerance, n_points=n_points)
        traces["calibrated via (ε, δ)"] = detour
    unit = {"dp_sgd": "noise multiplier", "releases": "factor"}.get(setting.noise, "(query units)")
    return Chart(linear("acceptable limit"), log(unit), traces, "limit")


CHARTS = {
    "noise_curve": noise_curve,
    "noise_scale": noise_scale,
    "curves": errors,
    "quotation": quotation,
    "attack": attack,
    "attack_example": attack,
}
