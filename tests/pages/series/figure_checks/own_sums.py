"""What each trace of the section "Own sums" must show."""

import math
from functools import cache

import numpy as np

from dpcore import linear_queries
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, linear, pinned

SUMS = {"section": "sums"}
OWN = SUMS | {"sums": "own", "own_sums": "11000;00110;11111;01010"}
LINKS = (
    SUMS,
    SUMS | {"sum_noise": "laplace", "in_periods": "3", "epsilon": "0.5", "significance": "0.2"},
    SUMS | {"sum_noise": "geometric", "in_periods": "2", "per_cell": "3", "per_total": "4", "neighbours": "replace"},
    OWN | {"sum_noise": "discrete_gaussian", "in_periods": "4"},
    OWN | {"contribution": "once", "fixed": "yes", "in_periods": "4", "pinned": "epsilon=2&sum_noise=laplace"},
    OWN | {"sum_noise": "geometric", "per_cell": "0.5", "own_sums": "1"},
    SUMS | {"sums": "series", "length": "30", "sum_noise": "laplace", "in_periods": "2"},
    SUMS | {"sums": "series", "length": "9", "totals": "window", "window": "4", "sum_noise": "discrete_gaussian"},
)
NAMES = {
    "per_period": "noise in each cell",
    "per_number": "noise in each number",
    "tree": "a binary tree, least squares",
    "binary_tree": "a plain binary tree",
    "square_root": "the square root",
    "normalized_square_root": "the normalised square root",
    "optimum": "the numerical optimum",
}


def matrix(at: Setting) -> Numbers:
    """Return the sums: zeros and ones."""
    if at.sums == "own":
        return np.array(at.own_sums)
    if at.sums == "series":
        ends = np.arange(int(at.length))
        width = int(at.window) if at.totals == "window" else ends.size
        return np.array([(ends <= end) & (ends > end - width) for end in ends], np.float64)
    rows = [np.eye(12)[place] for place in range(12)]
    rows += [np.repeat(np.eye(4)[place], 3) for place in range(4)]
    rows += [np.repeat(np.eye(2)[place], 6) for place in range(2)]
    return np.array([*rows, np.ones(12)])


def noise_of(at: Setting) -> str:
    """Return the noise, in real numbers where people add no whole ones."""
    total = 1 if math.isnan(at.per_total) else at.per_total
    is_whole = at.contribution == "once" or (at.per_cell % 1 == 0 and total % 1 == 0)
    return at.sum_noise if is_whole else {"discrete_gaussian": "gaussian", "geometric": "laplace"}[at.sum_noise]


def sum_errors(at: Setting, method: str, noise: str = "") -> linear_queries.Errors:
    """Return the errors of the sums by a way."""
    is_once, rows = at.contribution == "once", matrix(at)
    return linear_queries.error(
        rows,
        method,
        rows.shape[1],
        1 if is_once else int(min(at.in_periods, rows.shape[1])),
        per_cell=1 if is_once else at.per_cell,
        total=None if is_once or math.isnan(at.per_total) else at.per_total,
        neighbours=at.neighbours,
        noise=noise or noise_of(at),
    )


@cache
def half_widths(at: Setting, method: str, noise: str = "") -> Numbers:
    """Return the half-width of each number."""
    delta = at.delta if "gaussian" in (noise or noise_of(at)) else 0.0
    return linear_queries.half_widths(sum_errors(at, method, noise), at.epsilon, delta, at.significance)


def methods(at: Setting, noise: str = "") -> list[str]:
    """Return the ways to add the noise."""
    kind, rows = noise or noise_of(at), matrix(at)
    if kind in ("discrete_gaussian", "geometric"):
        return list(NAMES)[:4]
    has_optimum = kind == "gaussian" and rows.shape[1] <= 24 and np.linalg.matrix_rank(rows) == rows.shape[1]
    return list(NAMES) if has_optimum else list(NAMES)[:-1]


@cache
def best_way(at: Setting, noise: str = "") -> str:
    """Return the way with the least largest half-width, the first of equal ones."""
    sizes = {method: half_widths(at, method, noise).max() for method in methods(at, noise)}
    return next(method for method, size in sizes.items() if size <= min(sizes.values()) * (1 + 1e-9))


def own_sums(at: Setting) -> Chart:
    """The half-width of each published number."""

    def trace(method: str) -> Trace:
        return Trace(lambda at, number: half_widths(at, method)[np.rint(number).astype(int) - 1], method)

    traces = {
        NAMES[method]: trace(method) for method in dict.fromkeys(("per_period", "per_number", "tree", best_way(at)))
    }
    if at.pinned:
        traces |= pinned(lambda old, number: half_widths(old, best_way(old))[np.rint(number).astype(int) - 1])
    return Chart(linear("published number"), linear("±"), traces, "number")


SETTINGS = {"own_sums": LINKS}
CHARTS = {"own_sums": own_sums}
