"""What each trace of the small pictures of the start page must show: see `tests.pages.figure_checks`."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from dpcore import accuracy, composition, gaussian, linear_queries, local, plan, quantiles, tables, tradeoff
from tests.pages.conftest import found_by
from tests.pages.figure_checks import POSITIONS, Chart, Numbers, Setting, Trace, Truth, linear, log, point

SETTINGS = {
    "": ({}, {"epsilon": "0.3", "delta": "1e-4", "l2_sensitivity": "2", "significance": "0.1"}),
    "card_error": ({}, {"epsilon": "0.3", "l2_sensitivity": "2", "significance": "0.1"}, {"significance": "0.01"}),
    "card_table": ({}, {"epsilon": "0.3", "significance": "0.1"}),
}

EPSILON = log("ε")


def sigma(at: Setting, epsilon: ArrayLike) -> Numbers:
    return gaussian.analytic_sigma(epsilon, at.delta, at.l2_sensitivity)


def geometric_half_width(at: Setting, epsilon: ArrayLike) -> Numbers:
    return accuracy.geometric_accuracy(epsilon, at.significance, 1)


def laplace_half_width(at: Setting, epsilon: ArrayLike) -> Numbers:
    return accuracy.laplace_accuracy(epsilon, at.significance, at.l2_sensitivity)


def gaussian_half_width(at: Setting, epsilon: ArrayLike) -> Numbers:
    return accuracy.gaussian_accuracy(sigma(at, epsilon), at.significance)


def half_width_here(at: Setting) -> tuple[float, float]:
    """Return the ε of the page and its ±: with geometric noise of a count, with Laplace noise of another number."""
    truth = geometric_half_width if at.l2_sensitivity == 1 else laplace_half_width
    return at.epsilon, float(truth(at, at.epsilon))


def most_belief(at: Setting, prior: ArrayLike) -> Numbers:
    return tradeoff.pure_posterior(at.epsilon, prior)


def least_belief(at: Setting, prior: ArrayLike) -> Numbers:
    prior = np.asarray(prior)
    return prior / (prior + (1 - prior) * np.exp(at.epsilon))


def of_releases(at: Setting, number: ArrayLike) -> Numbers:
    """ε of k Gaussian releases: they are one with μ√k (Dong, Roth & Su 2022)."""
    mu = np.sqrt(number) / gaussian.analytic_sigma(at.epsilon, at.delta)
    return gaussian.epsilon_from_sigma(at.delta, 1 / mu)


def costs(at: Setting, place: ArrayLike) -> Numbers:
    """What each query of the first plan of “Several statistics” adds to ε."""
    planned = found_by("plan", delta=repr(at.delta), significance=repr(at.significance)).plan
    return plan.Marginal(planned).estimated_cost[np.asarray(place).astype(int)]


def total_cost(at: Setting) -> tuple[float, float]:
    """Return the place after the last query, and the ε of all."""
    planned = found_by("plan", delta=repr(at.delta), significance=repr(at.significance)).plan
    return len(planned.queries), float(planned.total.value)


def noisy(at: Setting, place: ArrayLike) -> Numbers:
    """The releases of a count of 100: differences of two geometric numbers, of uniform numbers with the seed 1."""
    draws = np.random.default_rng(1).random((2, 30))
    first, second = (np.array([geometric_number(u, at.epsilon) for u in row]) for row in draws)
    return (100 + first - second)[np.asarray(place).astype(int)]


def geometric_number(uniform: float, epsilon: float) -> int:
    """The number of trials with q = e^−ε before one fails, of a uniform number: the largest k with q^k ≥ U."""
    k = 0
    while np.exp(-epsilon * (k + 1)) >= uniform:
        k += 1
    return k


def largest_first(at: Setting, rank: Numbers) -> Numbers:
    return -np.sort(-tables.czech_autoworkers()["count"].to_numpy())[rank.astype(int) - 1]


def half_width_of_all(at: Setting, rank: Numbers) -> Numbers:
    """± of geometric noise for all cells of the table together, at the level of the page."""
    count = tables.czech_autoworkers()["count"].to_numpy()
    level = float(accuracy.each_significance(at.significance, count.size))
    return np.full(rank.size, float(accuracy.geometric_accuracy(at.epsilon, level, 1)))


def median_half_width(at: Setting, epsilon: ArrayLike) -> Numbers:
    """Return the ± of the median of 200 waiting times, whose median is 30 and whose 90th percentile 84 days."""
    spread = np.log(84 / 30) / float(ndtri(0.9))
    waits = np.exp(np.log(30) + spread * ndtri((np.arange(200) + 0.5) / 200))
    waits = np.clip(np.round(waits), 0, 600)
    return quantiles.half_width(
        np.sort(waits),
        0.5,
        epsilon,
        quantiles.Grid(np.arange(601.0)),
        at.significance,
        "add_remove",
    )


def totals(strategy: str) -> Truth:
    """Return the ± of the running totals of 36 months by a strategy."""

    def half_widths(at: Setting, month: Numbers) -> Numbers:
        errors = linear_queries.error("running_totals", strategy, 36)
        each = linear_queries.half_widths(errors, at.epsilon, at.delta, at.significance)
        return each[np.asarray(month, int) - 1]

    return half_widths


def survey_half_width(at: Setting, epsilon: ArrayLike) -> Numbers:
    """Return the ± of a share of 5 % of 50,000 answers over 20 options by the best method, in percentage points."""
    return 100 * local.half_width(epsilon, 20, 50_000, "best", 0.05, at.significance)


def over_epochs(at: Setting, epochs: Numbers) -> Numbers:
    """ε of a training with noise 1.1 and batches of 256 out of 60,000."""
    rate = 256 / 60000
    return composition.dp_sgd_epsilon(at.delta, 1.1, rate, np.ceil(epochs / rate), "certified")


def certified(at: Setting) -> float:
    steps = composition.steps_of_epochs(60, 60000, 256)
    return float(composition.dp_sgd_epsilon(at.delta, 1.1, 256 / 60000, steps, "certified"))


CHARTS = {
    "first_look": Chart(
        POSITIONS,
        linear("people"),
        {
            "the truth": Trace(lambda _, x: np.full(np.shape(x), 100.0), x=""),
            "releases": Trace(
                lambda at, place: noisy(at, place) - 100, lambda rows: rows["count"] - 100, by_place=True, x=""
            ),
            "releases #2": Trace(noisy, "count", by_place=True, x=""),
            "people": Trace(lambda _, place: 9 - place // 10, positions=lambda _, place: place % 10, by_place=True),
        },
        more_axes={"xaxis2": POSITIONS, "yaxis2": POSITIONS},
    ),
    "card_several": Chart(
        linear("five statistics, and all together"),
        linear("ε"),
        {"cost": Trace(costs, "cost", by_place=True, x=""), "total": point(total_cost)},
    ),
    "card_meaning": Chart(
        linear("belief before"),
        linear("after"),
        {
            "without a release": Trace(lambda _, x: x, "prior"),
            "at least": Trace(least_belief, "at_least", rtol=1e-8),
            "at most": Trace(most_belief, "at_most", rtol=1e-8),
        },
        "prior",
    ),
    "card_together": Chart(
        linear("weekly releases"), linear("ε"), {"together": Trace(of_releases, "epsilon", rtol=1e-6)}, "releases"
    ),
    "card_error": Chart(
        EPSILON,
        log("±"),
        {
            "geometric": Trace(geometric_half_width, "geometric"),
            "laplace": Trace(laplace_half_width, "laplace"),
            "analytic": Trace(gaussian_half_width, "analytic"),
            "here": point(half_width_here),
        },
        "epsilon",
    ),
    "card_median": Chart(
        EPSILON,
        log("± days"),
        {
            "median": Trace(median_half_width, "half_width", visible=lambda rows: rows["half_width"] > 0),
            "here": point(lambda at: (at.epsilon, float(median_half_width(at, at.epsilon)))),
        },
        "epsilon",
    ),
    "card_series": Chart(
        linear("month"),
        linear("±"),
        {"best": Trace(totals("normalized_square_root"), "best"), "months": Trace(totals("per_period"), "months")},
        "month",
    ),
    "card_survey": Chart(
        EPSILON,
        log("± points"),
        {
            "survey": Trace(survey_half_width, "half_width", rtol=1e-6),
            "here": point(lambda at: (at.epsilon, float(survey_half_width(at, at.epsilon)))),
        },
        "epsilon",
    ),
    "card_table": Chart(
        linear("cells, largest first"),
        linear("count"),
        {
            "counts": Trace(
                largest_first,
                lambda rows: -np.sort(-rows["count"].to_numpy()),
                x="",
                error=half_width_of_all,
                error_column="half_width",
            )
        },
    ),
    "card_dp_sgd": Chart(
        linear("epochs"),
        linear("ε"),
        {"ε": Trace(over_epochs, "epsilon", rtol=0.01), "here": point(lambda at: (60.0, certified(at)), rtol=1e-3)},
        "epochs",
    ),
}
