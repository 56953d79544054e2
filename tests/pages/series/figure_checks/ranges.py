"""What each trace of the section "Ranges" must show."""

import math
from functools import cache

import numpy as np

from dpcore import gaussian, linear_queries
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, linear, pinned

RANGES = {"section": "ranges"}
LINKS = (
    RANGES | {"n_cells": "40"},
    RANGES | {"n_cells": "17", "in_periods": "4", "per_cell": "2", "per_total": "6", "neighbours": "replace"},
    RANGES | {"n_cells": "9", "in_periods": "50", "epsilon": "0.3", "significance": "0.2"},
    RANGES | {"n_cells": "16", "pinned": "epsilon=2&n_cells=24", "contribution": "once", "in_periods": "5"},
    RANGES | {"n_cells": "1"},
    RANGES | {"n_cells": "14", "error": "all", "in_periods": "2"},
)
OF_OTHER_NOISE = (
    RANGES | {"n_cells": "18", "series_noise": "laplace", "in_periods": "2", "pinned": "epsilon=2&n_cells=24"},
    RANGES | {"n_cells": "12", "series_noise": "discrete_gaussian", "in_periods": "2", "per_cell": "2"},
    RANGES | {"n_cells": "11", "series_noise": "geometric"},
    RANGES | {"n_cells": "10", "series_noise": "geometric", "error": "all"},
)
EVERY: tuple[tuple[str, int | None], ...] = (
    ("per_period", None),
    *(("tree", branching) for branching in (2, 4, 8, 16)),
    ("square_root", None),
    ("normalized_square_root", None),
)
NAMES: dict[tuple[str, int | None], str] = {
    ("per_period", None): "noise in each cell",
    ("square_root", None): "square root",
    ("normalized_square_root", None): "normalised square root",
}
NAMES |= {("tree", branching): f"tree, {branching} children" for branching in (2, 4, 8, 16)}
Method = tuple[str, int | None]


def errors(at: Setting, method: Method, noise: str = "") -> linear_queries.Errors:
    """Return the errors of all ranges by a method."""
    is_once = at.contribution == "once"
    return linear_queries.error(
        "ranges",
        method[0],
        int(at.n_cells),
        1 if is_once else int(min(at.in_periods, at.n_cells)),
        per_cell=1 if is_once else at.per_cell,
        total=None if is_once or math.isnan(at.per_total) else at.per_total,
        neighbours=at.neighbours,
        noise=noise or at.series_noise,
        branching=method[1],
    )


def half_widths(at: Setting, method: Method) -> Numbers:
    """Return the half-width of each range."""
    known = errors(at, method), at.epsilon, at.delta, at.significance
    if at.error == "all":
        return linear_queries.simultaneous_half_widths(*known).half_widths
    return linear_queries.half_widths(*known)


@cache
def best(at: Setting) -> Method:
    """Return the method with the least largest half-width, the first of equal ones."""
    every = EVERY if at.series_noise == "gaussian" else EVERY[:5]
    sizes = {method: half_widths(at, method).max() for method in every}
    return next(method for method, size in sizes.items() if size <= min(sizes.values()) * (1 + 1e-9))


def of_length(at: Setting, method: Method, lengths: Numbers) -> Numbers:
    """Return the largest half-width of the ranges of each length."""
    numbers, sizes = linear_queries.workload("ranges", int(at.n_cells)), half_widths(at, method)
    return np.array([sizes[numbers.end - numbers.first == round(length)].max() for length in lengths])


def lowest(at: Setting, _: Numbers) -> float:
    """Return what no method goes below."""
    is_once = at.contribution == "once"
    amount = 1 if is_once else min(at.per_cell, 1e300 if math.isnan(at.per_total) else at.per_total)
    bound = linear_queries.lower_bound("ranges", int(at.n_cells)).largest
    return float(gaussian.half_width(at.significance, gaussian.analytic_sigma(at.epsilon, at.delta, amount))) * bound


def lengths(at: Setting) -> Chart:
    """The largest half-width over the length of a range."""
    usual: tuple[Method, ...] = (("per_period", None), ("tree", 2), ("tree", 16), ("normalized_square_root", None))
    drawn = usual if best(at) in usual else (*usual[:2], usual[3], best(at))
    drawn = drawn if at.series_noise == "gaussian" else EVERY[:5]

    def trace(method: Method) -> Trace:
        column = method[0] if method[1] is None else f"{method[0]}_{method[1]}"
        return Trace(lambda at, length: of_length(at, method, length), column)

    traces = {NAMES[method]: trace(method) for method in drawn}
    several = at.contribution != "once" and min(at.in_periods, at.n_cells) > 1
    limit = f"limit of the worst range{', k = 1' * several}"
    traces |= {limit: Trace(lowest)} if at.series_noise == "gaussian" else {}
    if at.pinned:
        traces |= pinned(lambda old, length: of_length(old, best(old), length))
    return Chart(linear("cells in a range"), linear("± of all" if at.error == "all" else "± at most"), traces, "length")


SETTINGS = {"lengths": (*LINKS, *OF_OTHER_NOISE)}
CHARTS = {"lengths": lengths}
