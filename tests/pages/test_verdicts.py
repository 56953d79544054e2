"""Every mark of a verdict stands where the verdict is true: red curves and crosses, dotted lines, red strokes.

The verdict of each drawn point is evaluated anew: the true δ of its σ in interval arithmetic, the CLT and the exact ε
of its training, or the claim at the point of an attack. A red trace that no entry describes fails by its name.
"""

import json
import re
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pytest

from dpcore import gaussian
from pages.gaussian_bounds.results import EPSILONS
from pages.shared.status_lines import status_limits
from tests import oracle
from tests.pages import figure_checks
from tests.pages.composition.figure_checks.accountants import least
from tests.pages.composition.figure_checks.dp_sgd import dp_sgd, solved
from tests.pages.conftest import LIGHT, figure_of
from tests.pages.figure_checks import Numbers, Setting
from tests.pages.tradeoff.figure_checks import chosen

Trace = dict[str, Any]
Verdict = Callable[[Setting, Trace], Numbers]

SIGMAS = {"": gaussian.classical_sigma, ", tight constant": gaussian.classical_tight_sigma}
STATUS = re.compile(r"(?P<name>.*): (?P<status>unproved|not proved|FAILS|too little)")
NAMED_VALUE = re.compile(r"[εδ] = (?P<value>\S+)")


def points_of(trace: Trace) -> tuple[Numbers, Numbers]:
    """Return the x and y of the points that are drawn."""
    x, y = (np.asarray(trace[axis], np.float64) for axis in ("x", "y"))
    is_visible = np.isfinite(x) & np.isfinite(y)
    assert is_visible.any()
    return x[is_visible], y[is_visible]


def status_holds(status: str, name: str, epsilon: Numbers, delta: Numbers) -> Numbers:
    """Return whether the classical σ has a status at each (ε, δ), by its true δ in interval arithmetic."""
    sigma = SIGMAS[", tight constant" if "tight" in name else ""](epsilon, delta)
    true_deltas = [oracle.interval(oracle.formulas.gaussian, *row) for row in zip(epsilon, sigma, strict=True)]
    is_enough = np.array([oracle.is_at_least(float(d), true) for d, true in zip(delta, true_deltas, strict=True)])
    return ~is_enough if status in ("FAILS", "too little") else is_enough & (epsilon >= 1)


def status_along(axis: str) -> Verdict:
    """Return the verdict of a curve along ε or δ, whose other number is the setting's or stands in its name."""

    def holds(setting: Setting, trace: Trace) -> Numbers:
        match = STATUS.fullmatch(trace["name"])
        assert match
        named, (x, _) = NAMED_VALUE.fullmatch(match["name"]), points_of(trace)
        other = float(named["value"]) if named else getattr(setting, "delta" if axis == "epsilon" else "epsilon")
        constant = np.full(x.shape, other)
        return status_holds(match["status"], match["name"], *((x, constant) if axis == "epsilon" else (constant, x)))

    return holds


def status_at_setting(setting: Setting, trace: Trace) -> Numbers:
    """Return the verdict of a curve that is that of the setting's ε and δ as a whole."""
    match = STATUS.fullmatch(trace["name"])
    assert match
    return status_holds(match["status"], match["name"], np.array([setting.epsilon]), np.array([setting.delta]))


def status_along_the_table(setting: Setting, trace: Trace) -> Numbers:
    return status_along(setting.variance_against)(setting, trace)


def contradicts(setting: Setting, trace: Trace) -> Numbers:
    """Return whether both errors of an attack, at most so, are less than the claim allows in one of both orders."""
    alpha, y = points_of(trace)
    beta, claim = y if setting.view == "errors" else 1 - y, chosen(setting)[1].beta
    return (beta < claim(alpha)) | (alpha < claim(beta))


def clt_is_too_small(setting: Setting, noise: Numbers, rate: Numbers, steps: Numbers) -> Numbers:
    trainings = zip(noise.tolist(), rate.tolist(), steps.tolist(), strict=True)
    return np.array(
        [dp_sgd(setting.delta, *row, "clt") < dp_sgd(setting.delta, *row, "exact") for row in trainings], bool
    )


def strokes_over_epochs(setting: Setting, trace: Trace) -> Numbers:
    """Return whether the CLT is below the exact ε at the upper end of each stroke, where it stands."""
    noise, batch, _ = solved(setting)
    epochs = points_of(trace)[0][1::2]
    steps = np.round(epochs * setting.records / batch).clip(1)
    return clt_is_too_small(setting, np.full(steps.shape, noise), np.full(steps.shape, batch / setting.records), steps)


def strokes_over_rates(setting: Setting, trace: Trace) -> Numbers:
    rate, noise = points_of(trace)
    return clt_is_too_small(setting, noise, rate, np.ceil(setting.epochs / rate))


def below_the_exact(setting: Setting, trace: Trace) -> Numbers:
    """Return whether the hatched area is nowhere above the exact ε, or above a ratio of 1."""
    runs, y = points_of(trace)
    exact = 1.0 if setting.totals == "ratio" else np.array([least(setting, round(n_runs)) for n_runs in runs])
    return y <= exact * (1 + figure_checks.SINGLE_PRECISION)


def area_fails(setting: Setting, trace: Trace) -> Numbers:
    """Return whether the σ fails at the edge of an area: at the first ε that it marks at each δ."""
    epsilon, delta = points_of(trace)
    match = STATUS.fullmatch(trace["name"])
    assert match
    return status_holds(match["status"], match["name"], epsilon, delta)


VERDICTS: dict[tuple[str, str], dict[str, Verdict]] = {  # of charts that are not along ε or δ, or mean another Gaussian
    ("gaussian_bounds", "profile"): {"Classical: …": status_at_setting},
    ("tables", "noise_persons"): {"Classical Gaussian…": status_at_setting},
    ("laplace_gaussian", "map"): {"Classical Gaussian: FAILS": area_fails},
    ("papers", "variance_ratio"): {"…": status_along_the_table},
    ("tradeoff", "attack"): {"✗ contradicts the claim": contradicts},
    ("tradeoff", "attack_example"): {"✗ contradicts the claim": contradicts},
    ("composition", "epsilon_over_epochs"): {"": strokes_over_epochs},
    ("composition", "rdp_over_exact"): {"": strokes_over_rates},
    ("composition", "accountants"): {"": below_the_exact},
}
WITHOUT_VERDICT = {
    ("clipping", "error_curve"): {"bias: what is cut"},
    ("clipping", "limit_error"): {"bias: what is dropped"},
    ("composition", "accountants"): {"CLT (no bound)"},
    ("composition", "epsilon_over_epochs"): {"CLT (no bound)", "✗ CLT: …"},
    ("tradeoff", "noise_curve"): {"limit", "limit reached"},
}
"""Traces whose red is that of a quantity, an estimate or a limit: nothing is judged at their points."""


def has_verdict(trace: Trace) -> bool:
    looks = json.dumps([trace.get(key) for key in ("line", "marker", "fillpattern", "fillcolor")], default=str)
    return LIGHT["fails"] in looks or STATUS.fullmatch(trace.get("name") or "") is not None


def entry_of(name: str, entries: Collection[str]) -> str | None:
    """Return the entry of a name: itself, or its beginning before "…"."""
    return next(
        (key for key in entries if key == name or (key.endswith("…") and name.startswith(key.removesuffix("…")))), None
    )


def verdicts_of(topic: str, name: str, setting: Setting) -> dict[str, Verdict]:
    """Return the verdicts of a chart: its own, or along ε or δ those of the classical Gaussian."""
    along = figure_checks.chart_of(topic, name, setting).x_column
    is_guarantee = along in ("epsilon", "delta")
    return VERDICTS.get((topic, name)) or ({"Classical…": status_along(str(along))} if is_guarantee else {})


@pytest.mark.parametrize(("topic", "name", "place"), list(figure_checks.cases()))
def test_every_red_or_dotted_mark_has_a_verdict_and_stands_where_that_is_true(topic: str, name: str, place: int):
    entries = figure_checks.settings_of(topic, name)[place]
    setting = figure_checks.setting_of(topic, entries)
    verdicts = verdicts_of(topic, name, setting)
    for trace in figure_of(figure_checks.exhibit_at(topic, entries, name))["data"]:
        if has_verdict(trace):
            entry = entry_of(trace["name"], [*verdicts, *WITHOUT_VERDICT.get((topic, name), ())])
            assert entry is not None, f"trace “{trace['name']}” of {topic}/{name} is red: describe its verdict here"
            if entry in verdicts:
                holds = verdicts[entry](setting, trace)
                assert holds.all(), f"“{trace['name']}” is false at {np.flatnonzero(~holds)} of {topic}/{name}"


@pytest.mark.parametrize("delta", ["1e-12", "1e-5", "0.01"])
def test_the_first_cross_of_the_classical_bound_is_its_limit(delta: str):
    """At δ = 1e-5 it stood at ε = 8.06, where the true δ is 8.2e-6; the limit is 8.4197…."""
    entries = {"delta": delta}
    setting = figure_checks.setting_of("gaussian_bounds", entries)
    figure = figure_of(figure_checks.exhibit_at("gaussian_bounds", entries, "ratio"))
    traces = {trace["name"]: points_of(trace)[0] for trace in figure["data"]}
    first, last = traces["Classical: FAILS"].min(), traces["Classical: unproved"].max()
    assert last < first <= last * (1 + 2.0**-22)  # neighbours in single precision: the line has no gap
    for epsilon, status in ((last, "unproved"), (first, "FAILS")):
        assert status_holds(status, "Classical", np.array([epsilon]), np.array([setting.delta])).all()
    assert traces["Classical: unproved"].min() == 1
    assert traces["Classical"].max() == np.nextafter(np.float32(1), np.float32(0))


def test_the_limits_of_a_status_are_neighbours_in_single_precision():
    for limit in (0.3, 1.0, 8.4197713, 99.9):
        last, first = status_limits(EPSILONS, lambda x, limit=limit: x >= limit)
        assert last < limit <= first
        assert np.nextafter(np.float32(last), np.float32(np.inf)) == np.float32(first)
    assert status_limits(EPSILONS, lambda x: x > 1000) == ()
    edges = status_limits(EPSILONS, lambda x: (x >= 0.5).astype(int) + (x >= 5))
    assert [round(edge, 5) for edge in edges] == [0.5, 0.5, 5.0, 5.0]
