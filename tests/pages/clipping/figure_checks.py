"""What each trace of the page on clipping must show: see `tests.pages.figure_checks`."""

import math

import numpy as np
from scipy.special import ndtri

from dpcore import clipping
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, linear, log, pinned, point

WHOLE = {"noise": "geometric", "median": "2", "p90": "7", "high": "50", "epsilon": "0.3", "unit": "visits"}
MEAN = {"query": "mean", "noise": "gaussian", "error": "mean_absolute", "significance": "0.1", "delta": "1e-4"}
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
    "": ({}, WHOLE, MEAN, OWN, {"pinned": "epsilon=0.2&noise=truncated_laplace", "high": "300000"}),
}


def values(setting: Setting) -> clipping.Distribution | Numbers:
    """The distribution or the data of a setting."""
    if setting.source == "own":
        return np.array(setting.own)
    spread = math.log(setting.p90 / setting.median) / float(ndtri(0.9))
    return clipping.lognormal(math.log(setting.median), spread, int(setting.n_records))


def options(setting: Setting) -> tuple[str, str]:
    """The noise and the neighbours of a setting; of a mean with public n one person is replaced."""
    return setting.noise, "replace" if setting.query == "mean" else setting.neighbours


def errors(setting: Setting, high: Numbers | float, epsilon: Numbers | float | None = None) -> clipping.ClippingError:
    """The errors of the setting's query at upper bounds."""
    function = clipping.mean_error if setting.query == "mean" else clipping.sum_error
    at = setting.epsilon if epsilon is None else epsilon
    return function(values(setting), setting.low, high, at, *options(setting), setting.delta, setting.significance)


def least(setting: Setting, epsilon: float) -> float:
    """The best upper bound at an ε, above 0."""
    arguments = epsilon, setting.low, None, *options(setting), setting.error, setting.delta
    return max(clipping.best_bounds(values(setting), *arguments).high, 1e-9)


def best_high(setting: Setting) -> float:
    """The best upper bound to three digits, as the page recommends it."""
    high = float(f"{least(setting, setting.epsilon):.3g}")
    return round(high) if setting.noise in ("geometric", "discrete_gaussian") else high


def size(setting: Setting, high: Numbers | float, epsilon: Numbers | float | None = None) -> Numbers:
    """The measure that is least at the best bound."""
    return getattr(errors(setting, high, epsilon), f"{setting.error}_error")


def _has_thumb(setting: Setting) -> bool:
    return setting.low == 0 and options(setting)[1] == "add_remove"


def error_curve(setting: Setting) -> Chart:
    """The error over the upper bound."""
    traces = {
        "bias: what is cut": Trace(
            lambda setting, high: abs(errors(setting, high).bias),
            lambda rows: abs(rows["bias"]),
            shown=lambda rows: rows["bias"] != 0,
        ),
        "noise": Trace(lambda setting, high: errors(setting, high).deviation, "noise"),
        "error": Trace(size, "error"),
        "least error": point(lambda setting: (best_high(setting), float(size(setting, best_high(setting))))),
    }
    traces |= pinned(size) if setting.pinned else {}
    return Chart(log("upper bound"), log(f"error of the {setting.query} ({setting.unit})"), traces, "bound")


def per_decade(setting: Setting, middle: Numbers) -> Numbers:
    """How many values a decade has in the bin around a place, a tenth of a decade that the best bound splits."""
    high, place = best_high(setting), np.floor(10 * np.log10(middle))
    first, last = 10 ** (place / 10), 10 ** ((place + 1) / 10)
    is_split = (first < high * (1 - 1e-9)) & (high * (1 + 1e-9) < last)
    first, last = (
        np.where(is_split & (middle > high), high, first),
        np.where(is_split & (middle < high), high, last),
    )
    known = values(setting)
    if isinstance(known, clipping.Distribution):
        count = known.n_above(first) - known.n_above(last)
    else:
        count = np.array([np.sum((low < known) & (known <= top)) for low, top in zip(first, last, strict=True)])
    return count / np.log10(last / first)


def densities(setting: Setting) -> Chart:
    """The values in a decade, and those above the best bound."""
    traces = {
        "values": Trace(per_decade, "per_decade", shown=lambda rows: rows["per_decade"] >= 0.1),
        "cut": Trace(
            per_decade,
            "per_decade",
            rows=lambda table: table["middle"].to_numpy() > best_high(setting),
            shown=lambda rows: rows["per_decade"] >= 0.1,
        ),
    }
    return Chart(log("value"), log("values in a decade"), traces, "middle")


def _at(function: Truth) -> Truth:
    """What a function of the setting and one ε gives at several."""
    return lambda setting, epsilons: np.array([np.asarray(function(setting, epsilon)) for epsilon in epsilons])


def _thumb(setting: Setting, epsilon: float) -> float:
    thumb = float(clipping.rule_of_thumb(values(setting), epsilon))
    return max(round(thumb), 1) if setting.noise in ("geometric", "discrete_gaussian") else thumb


def best_bound(setting: Setting) -> Chart:
    """The best bound over ε."""
    traces = {"least error": Trace(_at(least), "best", rtol=1e-6)}
    if _has_thumb(setting):
        traces["rule of thumb: 1/ε values above"] = Trace(_at(_thumb), "thumb")
    return Chart(log("ε (nats)"), log(f"upper bound ({setting.unit})"), traces, "epsilon")


def best_error(setting: Setting) -> Chart:
    """The errors at the best bound, at the rule of thumb and at the user's bound over ε."""
    traces = {
        "best bound": Trace(_at(lambda setting, epsilon: size(setting, least(setting, epsilon), epsilon)), "error"),
        "your bound": Trace(lambda setting, epsilon: size(setting, setting.high, epsilon), "yours"),
    }
    if _has_thumb(setting):
        thumb = _at(lambda setting, epsilon: size(setting, _thumb(setting, epsilon), epsilon))
        traces["rule of thumb"] = Trace(thumb, "thumb_error")
    return Chart(log("ε (nats)"), log(f"error of the {setting.query} ({setting.unit})"), traces, "epsilon")


def records(setting: Setting) -> clipping.RecordCounts | Numbers:
    """The numbers of records of a setting's people."""
    if setting.source == "own":
        return np.array(setting.own)
    if setting.people == "geometric":
        return clipping.geometric_records(setting.mean_records, int(setting.n_records))
    return clipping.zipf_records(setting.exponent, int(setting.most_records), int(setting.n_records))


def limit_errors(setting: Setting, limit: Numbers) -> clipping.ContributionError:
    """The errors under limits."""
    table = setting.noise, int(setting.cells), setting.spread, setting.dropping, setting.delta
    return clipping.contribution_error(records(setting), np.rint(limit), setting.epsilon, *table, setting.significance)


def best_limit(setting: Setting) -> int:
    """The limit of the least error."""
    table = setting.noise, int(setting.cells), setting.spread, setting.dropping, setting.delta
    return clipping.best_limit(records(setting), setting.epsilon, *table, setting.limit_error)


def _limit_size(setting: Setting, limit: Numbers) -> Numbers:
    return getattr(limit_errors(setting, limit), setting.limit_error)


def _part(setting: Setting, name: str) -> Truth:
    of = "total" if setting.limit_error == "total_error" else "cell"
    return lambda setting, limit: np.abs(getattr(limit_errors(setting, limit), f"{of}_{name}"))


def limit_error(setting: Setting) -> Chart:
    """The error over the limit."""
    bias = Trace(_part(setting, "bias"), lambda rows: abs(rows["bias"]), shown=lambda rows: rows["bias"] != 0)
    traces = {
        "bias: what is dropped": bias,
        "noise": Trace(_part(setting, "deviation"), "noise"),
        "error": Trace(_limit_size, "error"),
        "least error": point(
            lambda setting: (best_limit(setting), float(_limit_size(setting, np.array(best_limit(setting)))))
        ),
    }
    traces |= pinned(_limit_size) if setting.pinned else {}
    return Chart(log("limit k"), log("(records)"), traces, "limit")


def dropped(setting: Setting) -> Chart:
    """The share of the records that each limit drops."""

    def share(setting: Setting, limit: Numbers) -> Numbers:
        return limit_errors(setting, limit).dropped_share

    best = point(lambda setting: (best_limit(setting), float(share(setting, np.array(best_limit(setting))))))
    traces = {"dropped": Trace(share, "dropped_share", atol=1e-15), "least error": best}
    return Chart(log("limit k"), linear("share of the records"), traces, "limit")


CHARTS = {
    "limit_error": limit_error,
    "dropped": dropped,
    "error_curve": error_curve,
    "values": densities,
    "best_bound": best_bound,
    "best_error": best_error,
}
