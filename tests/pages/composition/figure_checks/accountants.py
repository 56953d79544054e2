"""What each trace of the accountants over the number of runs must show."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import composition, gaussian
from dpcore.composition import Release
from tests.pages.composition.figure_checks.releases import (
    BEFORE,
    CERTIFIED,
    GUARANTEES,
    broken,
    exact,
    listed,
    needs_delta,
)
from tests.pages.figure_checks import (
    Chart,
    Numbers,
    Setting,
    Trace,
    Truth,
    log,
    where,
)

STEPS = "!sampled:1.1,0.01*200=Training"


def single(release: Release, share: float) -> float:
    """ε of one release at its share of δ."""
    if release.kind == "gaussian":
        return float(gaussian.epsilon_from_sigma(share, release.numbers[0]))
    if release.kind == "sampled":
        noise, rate = release.numbers
        inner = share / rate
        return math.log1p(rate * math.expm1(float(gaussian.epsilon_from_sigma(inner, noise)))) if inner < 1 else 0.0
    return release.numbers[0]


def shared(at: Setting, runs: float, part: float) -> tuple[list[float], list[int], list[float]]:
    """ε, number and δ of one release of each line if a part of δ is shared by all releases that need some."""
    lines = listed(at, runs)
    share = (at.delta - broken(lines)) * part / max(sum(line.count for line in lines if needs_delta(line)), 1)
    deltas = [share if needs_delta(line) else 0.0 for line in lines]
    deltas = [line.numbers[1] if line.kind == "guarantee" else delta for line, delta in zip(lines, deltas, strict=True)]
    return [single(line, share) for line in lines], [line.count for line in lines], deltas


def basic(at: Setting, runs: float) -> float:
    epsilon, count, _ = shared(at, runs, 1.0)
    return sum(value * times for value, times in zip(epsilon, count, strict=True))


def drv(at: Setting, runs: float) -> float:
    return float(composition.advanced_epsilon(at.delta, *shared(at, runs, 0.5)))


def kov(at: Setting, runs: float) -> float:
    return min(float(composition.kairouz_epsilon(at.delta, *shared(at, runs, 0.5))), basic(at, runs))


def kov_optimal(at: Setting, runs: float) -> float:
    (line,) = listed(at, runs)
    delta = line.numbers[1] if line.kind == "guarantee" else 0.0
    return float(composition.optimal_epsilon(at.delta, line.numbers[0], line.count, delta))


def zcdp(at: Setting, runs: float, conversion: str) -> float:
    return float(composition.zcdp_epsilon(listed(at, runs), at.delta, conversion))


def rdp(at: Setting, runs: float, conversion: str) -> float:
    return float(composition.rdp_epsilon(listed(at, runs), at.delta, conversion).value)


def clt(at: Setting, runs: float) -> float:
    (line,) = listed(at, runs)
    noise, rate = line.numbers
    return float(composition.clt_epsilon(at.delta, noise, rate, line.count))


def least(at: Setting, runs: float) -> float:
    lines = listed(at, runs)
    return kov_optimal(at, runs) if lines[0].kind == "guarantee" else exact(lines, at.delta)


ACCOUNTANTS = {
    "basic": ("Basic…", basic),
    "drv": ("Advanced (DRV)…", drv),
    "kov_optimal": ("KOV, optimal for (ε, δ)…", kov_optimal),
    "kov": ("KOV…", kov),
    "zcdp_standard": ("zCDP, standard…", lambda at, runs: zcdp(at, runs, "standard")),
    "zcdp": ("zCDP…", lambda at, runs: zcdp(at, runs, "tight")),
    "rdp_standard": ("RDP, standard…", lambda at, runs: rdp(at, runs, "standard")),
    "rdp": ("RDP…", lambda at, runs: rdp(at, runs, "tight")),
    "clt": ("CLT…", clt),
    "exact": ("exact", least),
}


def accountants(setting: Setting) -> Chart:
    is_ratio = setting.totals != "total"
    kinds = {release.kind for release in listed(setting)}
    left_out = {"clt"} if kinds != {"sampled"} else {"zcdp", "zcdp_standard"}
    left_out |= {"drv", "zcdp_standard", "rdp_standard"} if setting.totals == "ratio" else set()
    left_out |= {"kov_optimal"} if not kinds <= {"guarantee", "laplace"} or len(setting.releases) > 1 else set()

    def truth(key: str) -> Truth:
        def value(at: Setting, runs: Numbers) -> ArrayLike:
            whole = [n_runs if is_ratio else math.nan for n_runs in runs]
            values = [ACCOUNTANTS[key][1](at, n_runs) for n_runs in runs]
            return [
                value / least(at, n_runs) if is_ratio else value for value, n_runs in zip(values, whole, strict=True)
            ]

        return value

    def column(key: str) -> Callable[[pd.DataFrame], ArrayLike]:
        return lambda rows: rows[f"epsilon_{key}"] / (rows["epsilon_exact"] if is_ratio else 1.0)

    def is_below_basic(rows: pd.DataFrame) -> Numbers:
        return positive("kov")(rows) & (rows["epsilon_kov"] < 0.999 * rows["epsilon_basic"]).to_numpy()

    def positive(key: str):
        def is_positive(rows: pd.DataFrame) -> Numbers:
            values = np.asarray(column(key)(rows), float)
            return np.isfinite(values) & (values > 0)

        return is_positive

    traces = {
        name: Trace(truth(key), column(key), visible=positive(key), may=positive(key), rtol=2 * CERTIFIED)
        for key, (name, _) in ACCOUNTANTS.items()
        if key not in left_out
    }
    if setting.totals == "ratio":
        traces["KOV…"] = replace(traces["KOV…"], visible=is_below_basic)
    if setting.pinned is not None:
        traces |= {"pinned": Trace(lambda at, runs: truth("rdp")(at.pinned, runs), rtol=2 * CERTIFIED)}
    if kinds == {"sampled"}:
        traces["unnamed"] = hatched(is_ratio)
    label = log("ε ÷ ") if is_ratio else log("total ε (nats)")
    jumps = ("unnamed",)  # the ends of an area of the axes
    return Chart(log("runs of the whole list"), label, traces, "runs", jumps=jumps)


def hatched(is_ratio: bool) -> Trace:
    """Return where the central limit theorem says less than is true:
    from 1 to the end of the axis, or below the truth.
    """
    if is_ratio:
        bottom, ends = 0.7, [10**-0.07, 1e4]  # of the axes: the fixed end below the least ratio of this list
        return Trace(lambda _, x: where(np.isclose(x, ends), 1.0), back=lambda _, x: where(np.isclose(x, ends), bottom))

    def below(at: Setting, runs: Numbers) -> ArrayLike:
        return [min(clt(at, round(n_runs)), least(at, round(n_runs))) for n_runs in runs]

    def true(at: Setting, runs: Numbers) -> ArrayLike:
        return [least(at, round(n_runs)) for n_runs in runs]

    return Trace(true, back=below, rtol=CERTIFIED)


SETTINGS = {
    "accountants": (
        {},
        {"releases": GUARANTEES, "totals": "total", "delta": "1e-5", "pinned": BEFORE},
        {"totals": "all"},
        {"releases": "!laplace:0.01=Daily counts"},
        {"releases": "!laplace:8=Daily counts", "totals": "all"},
        {"releases": STEPS, "delta": "1e-5"},
        {"releases": STEPS, "delta": "1e-5", "totals": "total"},
    )
}
CHARTS = {"accountants": accountants}
