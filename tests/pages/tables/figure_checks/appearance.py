"""What each trace of the section on which groups appear must show: see `tests.pages.figure_checks`."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from dpcore import unknown_groups
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, Truth, linear, log, of
from tests.pages.tables.answers import counts_of

WAYS = {
    "truncated_geometric": "truncated geometric noise",
    "gaussian": "Gaussian noise",
    "laplace": "Laplace noise",
    "only_names": "names only",
}


def digits_up(value: float) -> float:
    """Round up to four digits."""
    unit = 10.0 ** (np.floor(np.log10(value)) - 3)
    return float(np.ceil(value / unit - 1e-9) * unit)


@cache
def way(key: str, epsilon: float, delta: float, k: int, c: int, probability: float, total: float = math.inf) -> Any:
    """Return a release with the digits of the page, or what each name has."""
    if key == "only_names":
        return unknown_groups.best_split(epsilon, delta, min(k, total), probability)
    if key == "truncated_geometric":
        release = unknown_groups.threshold(epsilon, delta, k, key, c, probability=probability, total=total)
        short = replace(release, scale=np.asarray(digits_up(float(release.scale))))
        limits = k, key, c, release.rule, release.bound, total
        is_private = unknown_groups.delta_from_threshold(epsilon, short.scale, release.threshold, *limits) <= delta
        sizes = {float(unknown_groups.least_size(each, probability)) for each in (short, release)}
        return short if is_private and len(sizes) == 1 else release
    release = unknown_groups.threshold(epsilon, delta, k, key, c, total=total)
    scale, own = digits_up(float(release.scale)), float(release.contributions)
    moved = digits_up(own + (float(release.threshold) - own) * scale / float(release.scale))
    return replace(release, scale=np.asarray(scale), threshold=np.asarray(moved))


def way_of(at: Setting, key: str, k: float, epsilon: float | None = None) -> Any:
    total = math.inf if math.isnan(at.per_total) else at.per_total * at.n_periods
    limits = int(k), int(at.per_cell), at.appears, total
    found = way(key, at.epsilon if epsilon is None else epsilon, at.delta, *limits)
    if key == at.threshold_noise and at.threshold > float(found.threshold):
        whole = key == "truncated_geometric"
        return replace(found, threshold=np.asarray(np.ceil(at.threshold) if whole else at.threshold))
    return found


def shown_noise(at: Setting) -> str:
    """Return the noise that is chosen, or that by which the smallest groups appear."""
    if at.threshold_noise != "recommended":
        return str(at.threshold_noise)
    noises = ("truncated_geometric", "gaussian", "laplace")
    sizes = {key: float(unknown_groups.least_size(way_of(at, key, at.per_person), at.appears)) for key in noises}
    return min(noises, key=lambda key: sizes[key])


def group_counts(at: Setting) -> Numbers:
    return unknown_groups.zipf_counts(int(at.cells), int(at.cases)) if at.table == "size" else counts_of(at.table)


def ways(at: Setting) -> dict[str, str]:
    return {key: name for key, name in WAYS.items() if at.per_cell == 1 or key != "only_names"}


def over_size(setting: Setting) -> Chart:
    def kept(key: str) -> Truth:
        return lambda at, n: unknown_groups.keep_probability(way_of(at, key, at.per_person), np.rint(n))

    traces = {name: Trace(kept(key), key, atol=1e-12) for key, name in ways(setting).items()}
    sizes = np.unique(group_counts(setting))
    ticks = Trace(lambda _, n: np.where(np.isin(np.rint(n), sizes), -0.04, np.nan), rtol=1e-6)
    marks = {"threshold": float(way_of(setting, shown_noise(setting), setting.per_person).threshold)}
    unit = "people" if setting.per_cell == 1 else "records"
    axes = linear(f"{unit} in the group"), linear("probability")
    return Chart(*axes, traces | {"your groups": ticks}, "size", marks=marks)


def over_k(setting: Setting, column: str) -> Chart:
    traces = mean_traces(setting, column, lambda at, key, k: way_of(at, key, np.rint(k)))
    return Chart(log("groups per person k"), linear("groups that appear"), traces, "groups_per_person")


def over_epsilon(setting: Setting, column: str) -> Chart:
    def at_x(at: Setting, key: str, epsilon: float) -> Any:
        return way_of(at, key, at.per_person, float(f"{epsilon:.5g}"))

    return Chart(log("ε (nats)"), linear("groups that appear"), mean_traces(setting, column, at_x), "epsilon")


def mean_traces(setting: Setting, column: str, at_x: Callable[[Setting, str, float], Any]) -> dict[str, Trace]:
    counts = group_counts(setting)

    def means(key: str) -> Truth:
        def values(at: Setting, drawn: Numbers) -> Numbers:
            releases = [at_x(at, key, x) for x in drawn.tolist()]
            if column == "groups":
                return np.array([unknown_groups.expected_groups(release, counts) for release in releases])
            return np.array([unknown_groups.expected_people(release, counts) for release in releases]) / counts.sum()

        return values

    return {name: Trace(means(key), column, of("way", key), atol=1e-12) for key, name in ways(setting).items()}


CHARTS = {
    "over_size": over_size,
    "groups_over_k": partial(over_k, column="groups"),
    "cases_over_k": partial(over_k, column="share"),
    "groups_over_epsilon": partial(over_epsilon, column="groups"),
    "cases_over_epsilon": partial(over_epsilon, column="share"),
}
