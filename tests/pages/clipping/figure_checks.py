"""What each trace of the page on clipping must show: see `tests.pages.figure_checks`."""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.special import ndtri

from dpcore import clipping
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, linear, log, pinned, point

WHOLE = {"noise": "geometric", "median": "2", "p90": "7", "high": "50", "epsilon": "0.3", "unit": "visits"}
MEAN = {"query": "mean", "noise": "gaussian", "error": "half_width", "significance": "0.1", "delta": "1e-4"}
SIGNED = {"shape": "normal", "median": "5", "p90": "20", "high": "100", "low": "best", "error": "mean_absolute"}
COUNTED = {"query": "counted_mean", "noise": "truncated_laplace", "delta": "1e-3", "low": "8000", "bound": "400000"}
OWN = {"source": "own", "own": "1;2;2.5;3;3;4;5;8;9;50;400", "high": "500", "neighbours": "replace", "low": "-2"}
FEW = {"section": "contributions"}
CONTRIBUTIONS = (
    FEW,
    FEW | {"people": "zipf", "spread": "one_cell", "dropping": "weight", "limit_error": "total_error"},
    FEW | {"noise": "discrete_gaussian", "cells": "40", "limit_error": "all_half_width", "mean_records": "2"},
    FEW | {"source": "own", "own": "1;1;1;2;3;4;30", "limit": "4", "noise": "geometric"},
    FEW | {"noise": "gaussian", "pinned": "epsilon=0.2&noise=truncated_laplace&mean_records=9"},
)
SETTINGS = {
    "limit_error": CONTRIBUTIONS,
    "dropped": CONTRIBUTIONS,
    **dict.fromkeys(("best_bound", "best_error"), ({}, WHOLE, SIGNED, COUNTED)),  # each finds a bound at many ε
    "": ({}, WHOLE, MEAN, SIGNED, COUNTED, OWN, {"pinned": "epsilon=0.2&noise=truncated_laplace", "high": "300000"}),
}


@cache
def values(setting: Setting) -> clipping.Distribution | Numbers:
    """Return the distribution or the data of a setting."""
    if setting.source == "own":
        return np.array(setting.own)
    spread = math.log(setting.p90 / setting.median) / float(ndtri(0.9))
    if setting.shape == "normal":
        deviation = (setting.p90 - setting.median) / float(ndtri(0.9))
        return clipping.normal(setting.median, deviation, int(setting.n_records))
    return clipping.lognormal(math.log(setting.median), spread, int(setting.n_records))


def options(setting: Setting) -> tuple[str, str]:
    """Return the noise and the neighbours of a setting; of a mean with public n one person is replaced."""
    neighbours = {"sum": setting.neighbours, "mean": "replace", "counted_mean": "add_remove"}
    return setting.noise, neighbours[setting.query]


def noise_delta(setting: Setting) -> float | None:
    """Return δ, or None for noise of ε-DP."""
    return None if setting.noise in ("laplace", "geometric") else setting.delta


def count_share(setting: Setting) -> float | None:
    """Return the share of ε for the count of a mean whose n is counted."""
    return setting.count_share if setting.query == "counted_mean" else None


def errors(
    setting: Setting, high: Numbers | float, epsilon: Numbers | float | None = None, low: Numbers | float | None = None
) -> clipping.BiasAndNoise:
    """Return the errors of the setting's query at upper bounds."""
    at, low = setting.epsilon if epsilon is None else epsilon, lowest(setting) if low is None else low
    arguments = values(setting), low, high, at, *options(setting), noise_delta(setting), setting.significance, "gross"
    if setting.query == "sum":
        return clipping.sum_error(*arguments)
    return clipping.mean_error(*arguments, count_share(setting))


@cache
def least(setting: Setting, epsilon: float) -> tuple[float, float]:
    """Return the best bounds at an ε, the upper one above 0."""
    low = None if math.isnan(setting.low) else setting.low
    alpha = setting.significance if setting.error == "half_width" else None
    measure = setting.error, noise_delta(setting), alpha, count_share(setting)
    best = clipping.best_bounds(values(setting), epsilon, low, None, *options(setting), *measure)
    return float(best.low), max(float(best.high), 1e-9)


def lowest(setting: Setting) -> float:
    """Return the lower bound: the user's, or the best one to three digits."""
    if not math.isnan(setting.low):
        return setting.low
    return float(f"{min(least(setting, setting.epsilon)[0], 0):.3g}")


def best_high(setting: Setting) -> float:
    """Return the best upper bound to three digits, as the page recommends it."""
    high = float(f"{least(setting, setting.epsilon)[1]:.3g}")
    return round(high) if is_whole(setting) else high


def unit(setting: Setting) -> str:
    """Return the unit of a setting: dollars for the incomes with which the page begins."""
    are_incomes = (setting.source, setting.median, setting.p90) == ("shape", 51017, 146000)
    return setting.unit or ("dollars" if are_incomes else "units")


def is_whole(setting: Setting) -> bool:
    """Return whether the bounds are whole numbers, as the noise."""
    return setting.noise in ("geometric", "discrete_gaussian")


def bound(setting: Setting) -> float:
    """Return the upper bound that is chosen."""
    return best_high(setting) if math.isnan(setting.bound) else setting.bound


def marks(setting: Setting) -> dict[str, float]:
    """Return where the line of the chosen bound stands."""
    return {"bound": bound(setting)}


def size(
    setting: Setting, high: Numbers | float, epsilon: Numbers | float | None = None, low: Numbers | float | None = None
) -> Numbers:
    """Return the measure that is least at the best bound."""
    name = setting.error if setting.error == "half_width" else f"{setting.error}_error"
    return getattr(errors(setting, high, epsilon, low), name)


def _has_thumb(setting: Setting) -> bool:
    return setting.low == 0 and setting.query != "counted_mean" and setting.source != "own"


def error_curve(setting: Setting) -> Chart:
    """Return the error over the upper bound."""
    traces = {
        "bias: what is cut": Trace(
            lambda setting, high: abs(errors(setting, high).bias),
            lambda rows: abs(rows["bias"]),
            visible=lambda rows: rows["bias"] != 0,
        ),
        "noise": Trace(lambda setting, high: errors(setting, high).deviation, "noise"),
        "error": Trace(size, "error"),
        "least error": point(lambda setting: (best_high(setting), float(size(setting, best_high(setting))))),
    }
    traces["maximum of your range"] = point(lambda setting: (setting.high, float(size(setting, setting.high))))
    traces |= pinned(size) if setting.pinned else {}
    return Chart(
        log("upper bound"),
        log(f"error of the {query(setting)} ({unit(setting)})"),
        traces,
        "bound",
        marks=marks(setting),
    )


def query(setting: Setting) -> str:
    """Return the query in a word."""
    return "sum" if setting.query == "sum" else "mean"


def is_signed(setting: Setting) -> bool:
    """Return whether some values are negative."""
    known = values(setting)
    return (known.extremes()[0] if isinstance(known, clipping.Distribution) else min(known)) < 0


def per_bin(setting: Setting, middle: Numbers) -> Numbers:
    """Return how many values a decade, or a bin where some are negative,
    has in the bin around a place that bounds split.
    """
    ends, known = (bound(setting), lowest(setting)), values(setting)
    width = 0.0
    if isinstance(known, clipping.Distribution) and is_signed(setting):
        start, stop = min(known.extremes()[0], ends[1]), max(known.extremes()[1], ends[0])
        width = (stop - start) / 60
        place = np.floor((middle - start) / width)
        first, last = start + place * width, start + (place + 1) * width
    else:
        place = np.floor(10 * np.log10(middle))
        first, last = 10 ** (place / 10), 10 ** ((place + 1) / 10)
    for end in ends:
        gap = 1e-9 * abs(end)
        is_split = (first < end - gap) & (end + gap < last)
        first, last = np.where(is_split & (middle > end), end, first), np.where(is_split & (middle < end), end, last)
    if isinstance(known, clipping.Distribution):
        count = known.n_above(first) - known.n_above(last)
    else:
        count = np.array([np.sum((low < known) & (known <= top)) for low, top in zip(first, last, strict=True)])
    return count * width / (last - first) if width else count / np.log10(last / first)


def densities(setting: Setting) -> Chart:
    """Return the values in a decade or a bin, and those above the chosen bound and below the lower one."""

    def trace(part: Callable[[Numbers], Numbers]) -> Trace:
        return Trace(
            per_bin,
            "per_bin",
            rows=lambda table: part(table["middle"].to_numpy()),
            visible=lambda rows: rows["per_bin"] >= 0.1,
        )

    low, high = lowest(setting), bound(setting)
    traces = {"values": trace(np.isfinite), "lowered to U": trace(lambda middle: middle > high)}
    if low > 10:
        traces["raised to lo"] = trace(lambda middle: middle < low)
    x, name = (linear, "values in a bin") if is_signed(setting) else (log, "values in a decade")
    return Chart(x("value"), log(name), traces, "middle", marks=marks(setting))


def _at(function: Truth) -> Truth:
    """Return what a function of the setting and one ε gives at several."""
    return lambda setting, epsilons: np.array([np.asarray(function(setting, epsilon)) for epsilon in epsilons])


def _thumb(setting: Setting, epsilon: float) -> float:
    thumb = float(clipping.rule_of_thumb(values(setting), epsilon))
    return max(round(thumb), 1) if setting.noise in ("geometric", "discrete_gaussian") else thumb


def best_bound(setting: Setting) -> Chart:
    """Return the best bound over ε."""
    traces = {"least error": Trace(_at(lambda setting, epsilon: least(setting, epsilon)[1]), "best", rtol=1e-6)}
    if _has_thumb(setting):
        traces["rule of thumb: 1/ε values above"] = Trace(_at(_thumb), "thumb")
    return Chart(log("ε"), log(f"upper bound ({unit(setting)})"), traces, "epsilon")


def best_error(setting: Setting) -> Chart:
    """Return the errors at the best bound, at the rule of thumb and at the user's bound over ε."""

    def best(setting: Setting, epsilon: float) -> Numbers:
        low, high = least(setting, epsilon)
        return size(setting, high, epsilon, low)

    traces = {
        "best bound": Trace(_at(best), "error"),
        "maximum of your range": Trace(lambda setting, epsilon: size(setting, setting.high, epsilon), "maximum"),
    }
    if not math.isnan(setting.bound):
        traces["your bound"] = Trace(lambda setting, epsilon: size(setting, setting.bound, epsilon), "yours")
    if _has_thumb(setting):
        thumb = _at(lambda setting, epsilon: size(setting, _thumb(setting, epsilon), epsilon))
        traces["rule of thumb"] = Trace(thumb, "thumb_error")
    return Chart(log("ε"), log(f"error of the {query(setting)} ({unit(setting)})"), traces, "epsilon")


@cache
def records(setting: Setting) -> clipping.RecordCounts | Numbers:
    """Return the numbers of records of a setting's people."""
    if setting.source == "own":
        return np.array(setting.own)
    if setting.people == "geometric":
        return clipping.geometric_records(setting.mean_records, int(setting.n_records))
    return clipping.zipf_records(setting.exponent, int(setting.most_records), int(setting.n_records))


def table_of(setting: Setting) -> clipping.LimitedTable:
    options = setting.spread, setting.dropping, noise_delta(setting)
    return clipping.LimitedTable(setting.noise, int(setting.cells), *options)


def limit_errors(setting: Setting, limit: Numbers) -> clipping.DroppingAndNoise:
    """Return the errors under limits."""
    return clipping.contribution_error(
        records(setting), np.rint(limit), setting.epsilon, table_of(setting), setting.significance
    )


@cache
def best_limit(setting: Setting) -> int:
    """Return the limit of the least error."""
    alpha = setting.significance if setting.limit_error == "all_half_width" else None
    return clipping.best_limit(records(setting), setting.epsilon, table_of(setting), setting.limit_error, alpha)


def _limit_size(setting: Setting, limit: Numbers) -> Numbers:
    return getattr(limit_errors(setting, limit), setting.limit_error)


def _part(setting: Setting, name: str) -> Truth:
    of = "total" if setting.limit_error == "total_error" else "cell"
    return lambda setting, limit: np.abs(getattr(limit_errors(setting, limit), f"{of}_{name}"))


def limit_error(setting: Setting) -> Chart:
    """Return the error over the limit."""
    bias = Trace(_part(setting, "bias"), lambda rows: abs(rows["bias"]), visible=lambda rows: rows["bias"] != 0)
    traces = {
        "bias: what is dropped": bias,
        "noise": Trace(_part(setting, "deviation"), "noise"),
        "error": Trace(_limit_size, "error"),
        "least error": point(
            lambda setting: (best_limit(setting), float(_limit_size(setting, np.array(best_limit(setting)))))
        ),
    }
    traces |= pinned(_limit_size) if setting.pinned else {}
    return Chart(log("limit r"), log("(records)"), traces, "limit")


def dropped(setting: Setting) -> Chart:
    """Return the share of the records that each limit drops."""

    def share(setting: Setting, limit: Numbers) -> Numbers:
        return limit_errors(setting, limit).dropped_share

    best = point(lambda setting: (best_limit(setting), float(share(setting, np.array(best_limit(setting))))))
    traces = {"dropped": Trace(share, "dropped_share", atol=1e-15), "least error": best}
    return Chart(log("limit r"), linear("share of the records"), traces, "limit")


CHARTS = {
    "limit_error": limit_error,
    "dropped": dropped,
    "error_curve": error_curve,
    "values": densities,
    "best_bound": best_bound,
    "best_error": best_error,
}
