"""What each trace of the section "Over time" must show."""

import math
from functools import cache

import numpy as np

from dpcore import gaussian, linear_queries
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, legend_entry, linear, log, pinned, point

FEW = {"totals": "window", "window": "6", "length": "24", "in_periods": "3", "per_cell": "2", "significance": "0.1"}
ONCE = {"strategy": "binary_tree", "publication": "once", "neighbours": "replace", "epsilon": "0.3", "per_total": "2"}
MANY = {"in_periods": "30", "pinned": "epsilon=2&length=48", "arrived": "20", "seed": "5"}
YEARS = {"totals": "year_to_date", "strategy": "per_number", "contribution": "once", "fixed": "yes", "length": "30"}
OWN = {"series": "own", "own": "12;15;20;40", "contribution": "once", "fixed": "yes", "totals": "each", "length": "9"}
ALL = {"error": "all", "length": "20", "in_periods": "4"}
LAPLACE = {"series_noise": "laplace", "length": "20", "in_periods": "3", "pinned": "series_noise=laplace&length=12"}
GEOMETRIC = {"series_noise": "geometric", "length": "15", "error": "all", "strategy": "per_number"}
DISCRETE = {
    "series_noise": "discrete_gaussian",
    "length": "13",
    "in_periods": "4",
    "per_cell": "2",
    "publication": "once",
}
LINKS = (
    {},
    LAPLACE,
    GEOMETRIC,
    DISCRETE,
    ALL,
    FEW,
    ONCE | {"in_periods": "5", "length": "12"},
    MANY,
    YEARS,
    {"length": "1"},
    OWN,
)
NAMES = {
    "per_period": "noise in each period",
    "per_number": "noise in each total",
    "tree": "binary tree",
    "binary_tree": "plain binary tree",
    "square_root": "square root",
    "normalized_square_root": "normalised square root",
    "banded": "square root, 8 diagonals",
}


def errors(at: Setting, method: str, k: int | None = None) -> linear_queries.Errors:
    """Return the errors of a method at a setting, for persons in k periods."""
    is_once = at.contribution == "once"
    most = 1 if is_once else int(at.in_periods)
    return linear_queries.error(
        at.totals,
        method,
        int(at.length),
        most if k is None else k,
        per_cell=1 if is_once else at.per_cell,
        total=None if is_once or math.isnan(at.per_total) else at.per_total,
        neighbours=at.neighbours,
        window=int(at.window) if at.totals in ("window", "year_to_date") else None,
        publication=at.publication,
        noise=at.series_noise,
    )


def methods(at: Setting) -> tuple[str, ...]:
    """Return the methods that a noise has."""
    return tuple(NAMES)[:4] if at.series_noise in ("geometric", "discrete_gaussian") else tuple(NAMES)


@cache
def chosen(at: Setting) -> str:
    """Return the method of a setting: of equal ones the first."""
    if at.strategy != "best":
        return at.strategy
    sizes = {method: half_widths(at, method).max() for method in methods(at)}
    return next(method for method, size in sizes.items() if size <= min(sizes.values()) * (1 + 1e-9))


def half_widths(at: Setting, method: str, k: int | None = None) -> Numbers:
    """Return the half-width of each number."""
    known = errors(at, method, k), at.epsilon, at.delta, at.significance
    if at.error == "all":
        return linear_queries.simultaneous_half_widths(*known).half_widths
    return linear_queries.half_widths(*known)


def at_period(method: str) -> Trace:
    """Return the half-width of the number of each period by a method."""
    return Trace(lambda at, period: half_widths(at, method)[period.astype(int) - 1], method)


def at_k(method: str) -> Trace:
    """Return the largest half-width at each k by a method."""
    return Trace(lambda at, k: np.array([half_widths(at, method, int(one)).max() for one in k]), method)


def limit(at: Setting, _: Numbers) -> float:
    """Return what no method goes below."""
    window = int(at.window) if at.totals in ("window", "year_to_date") else None
    amount = 1 if at.contribution == "once" else min(at.per_cell, 1e300 if math.isnan(at.per_total) else at.per_total)
    bound = linear_queries.lower_bound(at.totals, int(at.length), window).largest
    return float(gaussian.half_width(at.significance, gaussian.analytic_sigma(at.epsilon, at.delta, amount))) * bound


def without_delta(at: Setting, noise: str = "laplace") -> float:
    """Return the half-width of the longest sum with Laplace or geometric noise in each period."""
    longest = {"running_totals": int(at.length), "each": 1}.get(at.totals, int(at.window))
    ones = np.arange(int(at.length)) < longest
    once = at.contribution == "once"
    alone = linear_queries.error(
        ones[None, :].astype(float),
        "per_period",
        int(at.length),
        1 if once else int(at.in_periods),
        per_cell=1 if once else at.per_cell,
        total=None if once or math.isnan(at.per_total) else at.per_total,
        neighbours=at.neighbours,
        noise=noise,
    )
    return float(linear_queries.half_widths(alone, at.epsilon, 0.0, at.significance)[0])


def drawn(at: Setting) -> tuple[str, ...]:
    """Return the methods that are drawn."""
    usual = ("per_period", "tree", "square_root", "normalized_square_root")
    if len(methods(at)) == 4:
        return tuple(dict.fromkeys(("per_period", "tree", "binary_tree", chosen(at))))
    if at.series_noise == "laplace":
        others = [name for name in methods(at) if name != "per_period"]
        rival = min(others, key=lambda name: half_widths(at, name).max())
        rival = rival if chosen(at) == "per_period" else "per_period"
        return tuple(dict.fromkeys(("per_period", "tree", "normalized_square_root", chosen(at), rival)))
    return usual if chosen(at) in usual else ("per_period", "tree", "normalized_square_root", chosen(at))


def limit_name(at: Setting, n: float) -> str:
    """Return the name of the limit, which says that it is for a person in one of n periods where k is more."""
    return f"limit for Gaussian noise{', k = 1' * (at.contribution != 'once' and min(at.in_periods, n) > 1)}"


def over_time(at: Setting) -> Chart:
    """The half-width of each number over time."""
    traces = {NAMES[method]: at_period(method) for method in drawn(at)}
    traces |= {limit_name(at, at.length): Trace(limit)} if at.series_noise == "gaussian" else {}
    noise = {"gaussian": "laplace", "discrete_gaussian": "geometric"}.get(at.series_noise)
    least = min(half_widths(at, method).max() for method in methods(at))
    if noise and at.error == "each" and without_delta(at, noise) < least:
        traces[f"{noise.capitalize()}: largest ±"] = Trace(lambda at, _: without_delta(at, noise))
    if at.pinned:
        traces |= pinned(lambda old, period: half_widths(old, chosen(old))[period.astype(int) - 1])
    return Chart(linear(" t"), linear("±"), traces, "period")


def over_persons(at: Setting) -> Chart:
    """The largest half-width over k."""
    traces = {NAMES[method]: at_k(method) for method in drawn(at)}
    if at.pinned:
        traces |= pinned(lambda old, _: half_widths(old, chosen(old)).max())
    return Chart(log("one person can be in, k"), linear("± of all" if at.error == "all" else "± at most"), traces, "k")


def counts(at: Setting) -> Numbers:
    """Return the counts of the trial that have arrived."""
    n = int(at.length)
    if at.series == "own":
        return np.array(at.own)[: n if math.isnan(at.arrived) or at.publication == "once" else int(at.arrived)]
    rng = np.random.default_rng([int(at.seed), 1])
    every = [float(rng.poisson(500 + 60 * math.sin(math.pi * month / 6))) for month in range(n)]
    return np.array(every[: n if math.isnan(at.arrived) or at.publication == "once" else min(int(at.arrived), n)])


@cache
def published(at: Setting) -> Numbers:
    """Return the published numbers of the trial."""
    rng = np.random.default_rng(int(at.seed))
    return linear_queries.sample(rng, errors(at, chosen(at)), counts(at), at.epsilon, at.delta)


def truth(at: Setting, period: Numbers) -> Numbers:
    """Return the true numbers of the trial."""
    known, starts = counts(at), {"each": 1, "window": int(at.window)}
    first = [
        end - end % int(at.window or 1)
        if at.totals == "year_to_date"
        else max(end + 1 - starts.get(at.totals, 1000), 0)
        for end in range(known.size)
    ]
    sums = np.array([known[begin : end + 1].sum() for end, begin in enumerate(first)])
    return sums[period.astype(int) - 1]


def trial(at: Setting) -> Chart:
    """A trial: the truth, the published numbers, and their band."""

    def moved(side: int) -> Trace:
        def end(at: Setting, period: Numbers) -> Numbers:
            place = period.astype(int) - 1
            return published(at)[place] + side * half_widths(at, chosen(at))[place]

        return Trace(end, "low" if side < 0 else "high")

    traces = {
        "truth": Trace(truth, "truth"),
        "published": Trace(lambda at, period: published(at)[period.astype(int) - 1], "published"),
        "lower end": moved(-1),
        "published ±…": moved(1),
    }
    marks = {"arrived": float(counts(at).size)}
    return Chart(linear(" t"), linear("number" if at.totals == "each" else "total"), traces, "period", marks=marks)


def trial_errors(at: Setting) -> Chart:
    """By how much the trial is off, with the band, beside sums of noisy periods."""

    def band(side: int) -> Trace:
        return Trace(
            lambda at, period: side * half_widths(at, chosen(at))[period.astype(int) - 1],
            lambda rows: side * rows["half_width"],
        )

    def alone(at: Setting, period: Numbers) -> Numbers:
        rng = np.random.default_rng(int(at.seed))
        sums = linear_queries.sample(rng, errors(at, "per_period"), counts(at), at.epsilon, at.delta)
        return sums[period.astype(int) - 1] - truth(at, period)

    def off(at: Setting, period: Numbers) -> Numbers:
        return published(at)[period.astype(int) - 1] - truth(at, period)

    traces = {
        "lower end": band(-1),
        "± of all, in ≥…" if at.error == "all" else "± in…": band(1),
        NAMES[chosen(at)]: Trace(off, "error", atol=1e-9),
    }
    if chosen(at) != "per_period":
        traces[NAMES["per_period"]] = Trace(alone, "error_alone", atol=1e-9)
    return Chart(linear(" t"), linear("published − truth"), traces, "period")


@cache
def best_codes(
    workload: str, window: int | None, publication: str, neighbours: str, noise: str, known: tuple[str, ...]
) -> dict[tuple[int, int], int]:
    """Return the place of the best method among all, the first of equal ones, at each T and k of the map."""
    places = (1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 52, 64, 90, 128)
    codes = {}
    for n in places:
        for k in (k for k in places if k <= n):
            sizes = [
                linear_queries.error(
                    *(workload, method, n, k),
                    window=window,
                    publication=publication,
                    neighbours=neighbours,
                    noise=noise,
                ).largest
                for method in known
            ]
            codes[n, k] = next(place for place, size in enumerate(sizes) if size <= min(sizes) * (1 + 1e-9))
    return codes


def best_map(at: Setting) -> Chart:
    """The best method over T and k."""
    window = int(at.window) if at.totals in ("window", "year_to_date") else None
    codes = best_codes(at.totals, window, at.publication, at.neighbours, at.series_noise, methods(at))

    field = Trace(
        lambda _, n, k: np.array([codes[round(x), round(y)] for x, y in zip(n, k, strict=True)]),
        x="length",
        y="in_periods",
    )
    traces = {"unnamed": field}
    traces |= {name: legend_entry() for place, name in enumerate(NAMES.values()) if place in codes.values()}
    traces["your T and k…"] = point(
        lambda at: (
            min(at.length, 128),
            1 if at.contribution == "once" else min(at.in_periods, at.length, 128),
        )
    )
    return Chart(log("in the series, T"), log("one person can be in, k"), traces)


SETTINGS = dict.fromkeys(("over_time", "trial", "trial_errors", "best_map"), LINKS) | {
    "over_persons": (*LINKS, {"length": "200"}),  # so long that not each k is drawn
}
CHARTS = {
    "over_time": over_time,
    "over_persons": over_persons,
    "trial": trial,
    "trial_errors": trial_errors,
    "best_map": best_map,
}
