"""What each trace of the page on accuracy must show: see `tests.pages.figure_checks`."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import accuracy, gaussian, tables, truncated_laplace
from dpcore.calibrations import PURE_DP, TRUNCATED_GEOMETRIC, Calibration
from dpcore.sensitivity import Sensitivity, query_sensitivity, table_sensitivity
from tests.pages.figure_checks import (
    Chart,
    Column,
    Numbers,
    Rows,
    Setting,
    Trace,
    Truth,
    has_status,
    log,
    pinned,
    where,
)

BEFORE = "epsilon=0.5&delta=1e-4&query=sum&high=10"
SUM = {"epsilon": "10", "delta": "0.01", "query": "sum", "high": "50", "mechanisms": "all", "promise": "delta"}
SETTINGS = {
    "": (
        {},
        SUM | {"pinned": BEFORE, "significance": "0.1"},
        {"known": "accuracy", "accuracy": "3", "mechanisms": "all"},
        {"query": "own", "l1_sensitivity": "3", "l2_sensitivity": "2"},
        {"query": "histogram", "neighbours": "replace", "delta": "1e-3", "promise": "delta"},
    ),
    "records": (
        {"query": "mean", "accuracy": "0.5", "high": "20"},
        {"query": "proportion", "mechanisms": "all", "delta": "0.01", "pinned": "query=mean&epsilon=2"},
    ),
}

EPSILON = log("privacy loss ε")
RULES = {rule.key: rule for rule in (*accuracy.RULES, TRUNCATED_GEOMETRIC)}
WHOLE = ("geometric", "geometric_published", "truncated_geometric")
STATES = {"": "proved", ": unproved": "within target", ": FAILS": "fails"}


def sensitivities(at: Setting) -> tuple[float, float]:
    """Δ₁ and Δ₂ of the query."""
    if at.query == "own":
        return at.l1_sensitivity, at.l2_sensitivity
    moves = moves_of(at)
    return float(moves.l1), float(moves.l2)


def moves_of(at: Setting) -> Sensitivity:
    """Return the sensitivity of a query that is not one of the user's own."""
    numbers = {"low": at.low, "high": at.high} if at.query in ("sum", "mean") else {}
    numbers |= {"n_records": at.n_records} if at.query in ("mean", "proportion") else {}
    return query_sensitivity(at.query, at.neighbours, **numbers)


def half_width(rule: Calibration, at: Setting, epsilon: ArrayLike) -> Numbers:
    """± at the significance level, of the formulas where they have a name of their own."""
    l1, l2 = sensitivities(at)
    if rule.key == "laplace":
        return accuracy.laplace_accuracy(epsilon, at.significance, l1)
    if rule.key == "geometric":
        return accuracy.geometric_accuracy(epsilon, at.significance, l1)
    if rule.key == "analytic":
        return accuracy.gaussian_accuracy(gaussian.analytic_sigma(epsilon, at.delta, l2), at.significance)
    if rule.key == "truncated_laplace":
        bound = truncated_laplace.bound_from_epsilon(epsilon, at.delta, l1)
        return truncated_laplace.half_width(at.significance, bound, l1 / np.asarray(epsilon))
    if rule is TRUNCATED_GEOMETRIC:
        return np.array([truncated_half_width(float(e), at) for e in np.atleast_1d(epsilon)])
    delta = 0.0 if rule.guarantee == PURE_DP else at.delta
    return accuracy.half_width(rule, epsilon, at.significance, l1 if rule.norm == "l1" else l2, delta)


def whole_sensitivity(at: Setting) -> Sensitivity:
    """Return what a person moves of whole answers: one number, or two cells of a histogram."""
    replaced = at.query == "histogram" and at.neighbours == "replace"
    return table_sensitivity(1, 1.0, "replace") if replaced else table_sensitivity(1, sensitivities(at)[0])


def truncated_half_width(epsilon: float, at: Setting) -> float:
    """± of truncated geometric noise, which is calibrated as for a table."""
    noises = tables.mechanisms(epsilon, at.delta, whole_sensitivity(at), keys=(TRUNCATED_GEOMETRIC.key,))
    return float(noises[0].half_width(at.significance)) if noises else math.nan


def drawn_rules(at: Setting) -> list[Calibration]:
    """Return the mechanisms that suit the query: all, or Laplace's, the best other one of pure ε-DP,
    and the Gaussian.
    """
    is_whole, is_single = False, at.l1_sensitivity == at.l2_sensitivity
    if at.query != "own":
        moves = moves_of(at)
        is_whole, is_single = bool(moves.whole), moves.single
    suited = {
        key: rule
        for key, rule in RULES.items()
        if (is_whole or key not in WHOLE) and (is_single or rule.family not in ("staircase", "truncated_laplace"))
    }
    if at.mechanisms == "all":
        return list(suited.values())
    others = [suited[key] for key in ("geometric", "staircase") if key in suited]
    few = {"pure": ()}.get(at.promise, ("truncated_geometric",) if is_whole else ("truncated_laplace",))
    truncated = [suited[key] for key in few if key in suited and not is_covered(suited[key], at)]
    return [suited["laplace"], *others[:1], suited["analytic"], *truncated]


def is_covered(rule: Calibration, at: Setting) -> bool:
    """Return whether the line of truncated noise lies on that of the same noise without an end."""
    epsilon = np.logspace(-3, 2, 401)
    values, others = (half_width(item, at, epsilon) for item in (rule, RULES[rule.key.removeprefix("truncated_")]))
    return bool(np.allclose(values, others, rtol=0.05, atol=0, equal_nan=True))


def states(rule: Calibration, at: Setting, epsilon: Numbers) -> set[str]:
    """Return what follows the name of a mechanism, for each state of its theorem that it has along ε."""
    if rule is TRUNCATED_GEOMETRIC:
        return {""}
    delta = 0.0 if rule.guarantee == PURE_DP else at.delta
    words = set(np.asarray(rule.verdict(epsilon, delta).status).tolist())
    return {label for label, word in STATES.items() if word in words}


def lines(at: Setting, truth: Truth, column: Column, rules: list[Calibration], inside: Rows) -> dict[str, Trace]:
    """Return a line for each mechanism and state; far outside the axis it need not be drawn."""

    def trace(rule: Calibration, word: str) -> Trace:
        return Trace(
            lambda at, x: truth(rule, at, x),
            column,
            lambda table: (table["mechanism"] == rule.key).to_numpy(),
            lambda rows: np.asarray(has_status(word)(rows)) & np.asarray(inside(rows)),
            has_status(word),
        )

    epsilon = np.logspace(-3, 2, 401)
    return {
        f"{rule.name}{label}": trace(rule, word)
        for rule in rules
        for label, word in STATES.items()
        if label in states(rule, at, epsilon)
    }


def accuracies(setting: Setting) -> Chart:
    def inside(rows: pd.DataFrame) -> Numbers:
        broad = rows["mechanism"].isin(("laplace", "analytic", "pdp", "classical"))
        return (broad | (rows["accuracy"] >= 1)).to_numpy()

    rules = without_laplace(setting)
    traces = lines(setting, half_width, "accuracy", rules, inside) | floor(setting, least, "accuracy", lambda y: y >= 1)
    if setting.known == "accuracy":

        def reaches(at: Setting, y: Numbers) -> ArrayLike:
            return where(np.isclose(y, at.accuracy), [needed(rule, at) for rule in rules])

        traces["ε that is sufficient"] = Trace(reaches, value="x", n_points=25)  # one for each rule
    old = ghosts(setting, half_width, without_laplace)
    return Chart(EPSILON, log("±"), traces | old, "epsilon")


def without_laplace(at: Setting) -> list[Calibration]:
    """Return the mechanisms whose ± is drawn: of a few, Laplace noise stands for geometric noise only in ratios."""
    rules = drawn_rules(at)
    is_covered = at.mechanisms != "all" and RULES["geometric"] in rules
    return [rule for rule in rules if rule.key != "laplace" or not is_covered]


def is_single(at: Setting) -> bool:
    return sensitivities(at)[0] == sensitivities(at)[1]


def least(at: Setting, epsilon: Numbers) -> Numbers:
    """Return the half-width that no noise has less than, by the chain of tails that its guarantee allows."""
    l1, _ = sensitivities(at)

    def halves(e: float) -> int:
        j, near, far = 0, at.significance / 2, math.exp(e) * at.significance / 2 + at.delta
        while far + (far if j % 2 else near) < 1:
            j += 1
            if j % 2 == 0:
                near, far = far, math.exp(e) * far + at.delta
        return j

    return np.array([halves(float(e)) / 2 * l1 for e in epsilon])


def floor(at: Setting, truth: Truth, column: Column, inside: Callable[[Numbers], Numbers]) -> dict[str, Trace]:
    """Return the thin line below which no noise of one number is."""
    if not is_single(at) or at.mechanisms != "all":
        return {}

    def rows(table: pd.DataFrame) -> Numbers:
        return (table["mechanism"] == "any noise").to_numpy()

    def inside_of_column(table: pd.DataFrame) -> Numbers:
        return inside(np.asarray(column(table) if callable(column) else table[column]))

    return {
        "any noise: at least": Trace(truth, column, rows, inside_of_column, lambda table: np.ones(len(table), bool))
    }


def needed(rule: Calibration, at: Setting) -> float:
    """Return the ε that the wanted accuracy takes."""
    l1, l2 = sensitivities(at)
    if rule is TRUNCATED_GEOMETRIC:
        noise = tables.of_half_width(rule.key, at.accuracy, at.significance, at.delta, whole_sensitivity(at))
        return math.nan if noise is None else noise.epsilon
    delta = 0.0 if rule.guarantee == PURE_DP else at.delta
    return float(accuracy.epsilon_for(rule, at.accuracy, at.significance, l1 if rule.norm == "l1" else l2, delta))


def ghosts(
    setting: Setting, truth: Truth, drawn: Callable[[Setting], list[Calibration]] = drawn_rules
) -> dict[str, Trace]:
    """Return the lines of a pinned setting."""
    if setting.pinned is None:
        return {}
    return pinned(*(lambda at, x, rule=rule: truth(rule, at, x) for rule in drawn(setting.pinned)))


def over_laplace(rule: Calibration, at: Setting, epsilon: Numbers) -> Numbers:
    return half_width(rule, at, epsilon) / half_width(RULES["laplace"], at, epsilon)


def ratios(setting: Setting) -> Chart:
    """± over Laplace's, from a twentieth of it to 40 times it."""

    def ratio(rows: pd.DataFrame) -> Numbers:
        return rows["accuracy"].to_numpy() / half_width(RULES["laplace"], setting, rows["epsilon"].to_numpy())

    def inside(rows: pd.DataFrame) -> Numbers:
        return (ratio(rows) > 0.05) & (ratio(rows) < 40)

    def least_ratio(at: Setting, epsilon: Numbers) -> Numbers:
        return least(at, epsilon) / half_width(RULES["laplace"], at, epsilon)

    traces = lines(setting, over_laplace, ratio, drawn_rules(setting), inside)
    traces |= floor(setting, least_ratio, ratio, lambda y: (y > 0.05) & (y < 40))
    return Chart(EPSILON, log("± ÷ Laplace’s ±"), traces | ghosts(setting, over_laplace), "epsilon")


def records(setting: Setting) -> Chart:
    """Return the least number of records of a mean or a proportion for the wanted accuracy."""

    def least(rule: Calibration, at: Setting, epsilon: Numbers) -> Numbers:
        width = at.high - at.low if at.query == "mean" else 1.0
        delta = 0.0 if rule.guarantee == PURE_DP else at.delta
        return accuracy.least_records(rule, at.accuracy, epsilon, at.significance, width, delta)

    every = ("laplace", "staircase", "analytic", "pdp", "classical", "truncated_laplace")
    few = ("laplace", "staircase", "analytic", "truncated_laplace")
    rules = [RULES[key] for key in (every if setting.mechanisms == "all" else few)]
    traces = lines(setting, least, "n_records", rules, lambda rows: np.ones(len(rows), bool))
    if setting.pinned is not None:
        traces |= pinned(*(lambda at, x, rule=rule: least(rule, at, x) for rule in rules))
    return Chart(EPSILON, log("records n"), traces, "epsilon")


CHARTS = {"accuracy": accuracies, "ratio": ratios, "records": records}
