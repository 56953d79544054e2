"""What each trace of the published guarantees must show."""

import math

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import composition, gaussian
from pages.composition.published.deployments_data import DEPLOYMENTS
from tests.pages.composition.figure_checks.releases import CERTIFIED, exact
from tests.pages.figure_checks import (
    POSITIONS,
    Chart,
    Column,
    Numbers,
    Setting,
    Trace,
    Truth,
    from_0,
    log,
)


def published(setting: Setting) -> Chart:
    """Return the ε of each guarantee as printed, and by each conversion at its own δ or at the page's."""

    def delta_of(at: Setting, place: int) -> float:
        return DEPLOYMENTS[place].delta if at.at_delta == "own" else at.delta

    def by_rule(at: Setting, place: int, rule: str) -> float:
        deployment, delta = DEPLOYMENTS[place], delta_of(at, place)
        if deployment.kind == "guarantee":
            added = sum(release.count * release.numbers[0] for release in deployment.releases)
            return added if rule == "exact" and delta >= deployment.delta else math.nan
        if deployment.kind == "zcdp":
            rho = deployment.releases[0].numbers[0]
            if rule == "exact":
                return float(gaussian.epsilon_from_sigma(delta, 1 / math.sqrt(2 * rho)))
            return float(composition.epsilon_from_rho(delta, rho, rule))
        if rule == "exact":
            return exact(deployment.releases, delta)
        return float(composition.rdp_epsilon(deployment.releases, delta, rule).value)

    def at_least(at: Setting, place: int) -> float:
        deployment = DEPLOYMENTS[place]
        if deployment.is_covered:
            return math.nan
        return float(composition.shuffled_batches_epsilon_at_least(delta_of(at, place), *deployment.shuffled_training))

    def proved(at: Setting, place: int) -> float:
        deployment = DEPLOYMENTS[place]
        if not deployment.is_covered:
            noise, _, epochs = deployment.shuffled_training
            return float(composition.unamplified_epsilon(delta_of(at, place), noise, epochs))
        return by_rule(at, place, "tight" if deployment.kind == "zcdp" else "exact")

    def of_rows(values, keep=lambda _, __: True) -> Truth:
        def truth(at: Setting, place: Numbers) -> ArrayLike:
            return [values(at, int(position)) if keep(at, int(position)) else math.nan for position in place]

        return truth

    def masked(column: str, keep) -> Column:
        def values(rows: pd.DataFrame) -> Numbers:
            is_in_trace = [keep(setting, place) for place in range(len(rows))]
            return rows[column].where(np.array(is_in_trace)).to_numpy()

        return values

    def is_own_exact(at: Setting, place: int) -> bool:
        deployment = DEPLOYMENTS[place]
        as_printed = deployment.kind == "guarantee" and delta_of(at, place) == deployment.delta
        return deployment.kind != "zcdp" and deployment.is_covered and not as_printed

    def is_rho(_: Setting, place: int) -> bool:
        return DEPLOYMENTS[place].kind == "zcdp"

    def is_not_covered(_: Setting, place: int) -> bool:
        return not DEPLOYMENTS[place].is_covered

    def exactly(at: Setting, place: int) -> float:
        return by_rule(at, place, "exact")

    def ends(at: Setting, index: Numbers) -> ArrayLike:
        """Return the least and the greatest ε of each row."""
        bounds = []
        for position in index:
            place = int(position) // 3
            values = [by_rule(at, place, rule) for rule in ("standard", "tight", "exact")]
            values = [DEPLOYMENTS[place].printed_epsilon, at_least(at, place), *values]
            some = [value for value in values if value > 0]
            bounds.append(min(some) if position % 3 == 0 else max(some))
        return bounds

    def year(at: Setting, place: int) -> float:
        """Return ε of the periods of one year: a sum, and of ρ the tight conversion of their sum."""
        deployment = DEPLOYMENTS[place]
        if not deployment.per_year:
            return math.nan
        if deployment.kind == "zcdp":
            rho = deployment.per_year * deployment.releases[0].numbers[0]
            return float(composition.epsilon_from_rho(delta_of(at, place), rho, "tight"))
        added = deployment.per_year * sum(release.count * release.numbers[0] for release in deployment.releases)
        return added if at.at_delta == "own" or deployment.per_year * deployment.delta <= at.delta else math.nan

    def printed(_: Setting, place: int) -> float:
        return DEPLOYMENTS[place].printed_epsilon

    def trace(truth: Truth, column: Column) -> Trace:
        return Trace(truth, column, value="x", by_place=True, positions=from_0, rtol=CERTIFIED)

    rules = {rule: of_rows(lambda at, place, rule=rule: by_rule(at, place, rule)) for rule in ("standard", "tight")}
    traces = {f"{rule} conversion": trace(truth, f"epsilon_{rule}") for rule, truth in rules.items()}
    for name, keep in (
        ("exact", is_own_exact),
        ("exact, if Poisson", is_not_covered),
        ("estimate: single Gaussian", is_rho),
    ):
        traces[name] = trace(of_rows(exactly, keep), masked("epsilon_exact", keep))
    traces["shuffled: lower bound"] = trace(of_rows(at_least), "epsilon_shuffled_at_least")
    if setting.released == "yearly":
        traces["in one year"] = trace(of_rows(year), "epsilon_year")
    traces["printed"] = trace(of_rows(printed), "epsilon_printed")
    traces["unnamed"] = Trace(ends, value="x", by_place=True, positions=lambda _, place: place // 3, rtol=CERTIFIED)
    if setting.pinned is not None:
        traces["pinned"] = Trace(
            lambda at, place: of_rows(proved)(at.pinned, place),
            value="x",
            by_place=True,
            positions=from_0,
            rtol=CERTIFIED,
        )
    return Chart(log("ε (nats)"), POSITIONS, traces)


SETTINGS = {
    "published": ({}, {"at_delta": "page", "delta": "1e-7", "pinned": "delta=1e-8"}, {"released": "yearly"}),
}
CHARTS = {"published": published}
