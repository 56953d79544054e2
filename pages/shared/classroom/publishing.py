"""The demonstrations on publishing: why noisy months are not summed, and why a maximum cannot be published.

The first has 36 months at ε = 1 and δ = 1e-5. At δ = 1e-6 Laplace noise in each of them is better than the square root,
and step 3 would tell what step 6 asks. The second has the waiting times of 200 people, in whole days from 0 to 600.
"""

from collections.abc import Callable
from math import inf

import numpy as np

from dpcore import gaussian, linear_queries, quantiles
from dpcore.checks import Array
from pages.framework.chart.theme import round_axis_end
from pages.framework.parameters.number_format import format_up, percent_up
from pages.framework.site import Demonstration, Quiz, Step, Told
from pages.shared.site_map import COMPOSITION, MEDIAN, SERIES
from pages.shared.values.parameters import amount, amount_up, distribution

_EPSILON, _DELTA, _MONTHS, _YEAR, _MANY = 1.0, 1e-5, 36, 12, 18
_SETTING = {"delta": "1e-5"}
_OVER_TIME = _SETTING | {"section": "time"}
_OTHERS = (
    "binary tree",
    "normalised square root",
    "limit for Gaussian noise",
)  # which steps 1 and 2 ask for
_ALONE, _ROOT = "per_period", "normalized_square_root"


def _half_width(method: str, n_months: int = _MONTHS, most: int = 1) -> float:
    """Return the largest half-width of a running total, for a person in at most so many months."""
    errors = linear_queries.error("running_totals", method, n_months, most)
    return float(linear_queries.half_widths(errors, _EPSILON, _DELTA).max())


def _laplace(n_months: int) -> float:
    """Return the half-width of the sum of all months with Laplace noise in each."""
    errors = linear_queries.error(np.ones((1, n_months)), _ALONE, n_months, noise="laplace")
    return float(linear_queries.half_widths(errors, _EPSILON)[0])


def _years_epsilon() -> float:
    """Return ε over three years that satisfy ε = 1 each."""
    sigma = float(gaussian.analytic_sigma(_EPSILON, _DELTA))
    return float(gaussian.epsilon_from_sigma(_DELTA, sigma / np.sqrt(_MONTHS / _YEAR)))


def _yearly_releases() -> dict[str, str]:
    """Return the entries of three yearly releases at the page of all releases, each with the noise for ε = 1."""
    sigma = format_up(float(gaussian.analytic_sigma(_EPSILON, _DELTA)))
    years = (f"gaussian:{sigma}=Year%20{year}" for year in range(1, _MONTHS // _YEAR + 1))
    return {"section": "together", "show": "together", "releases": f"!{';'.join(years)}"}


def _month_told() -> Told:
    sentence = (
        f"A count for each of {_MONTHS} months, and nobody is in more than one of them. With ε = 1 and δ = 1e-5 each "
        f"month is within ±{format_up(_half_width(_ALONE, 1))} of the truth in 95 % of releases."
    )
    return sentence, Quiz(
        "A reader sums the 36 noisy months. How far is the total off, compared with one month?",
        _half_width(_ALONE) / _half_width(_ALONE, 1),
        ("As much as a month, since errors cancel", 0.9, 1.1),
        ("About 6 times as much", 5.5, 6.5),
        ("36 times as much", 35, 37),
    )


def _sum_told() -> Told:
    sentence = (
        f"√36 times as much: within ±{format_up(_half_width(_ALONE))}. Independent errors cancel only in part, and the "
        "error of the running total grows month by month."
    )
    return sentence, Quiz(
        "The same guarantee with noise in other sums than months: can every running total be more exact?",
        _half_width(_ROOT) / _half_width(_ALONE),
        ("No, every month needs its noise", 0.95, 1.05),
        ("Yes, by about a quarter", 0.7, 0.8),
        ("Yes, to about a third", 0.3, 0.4),
    )


def _root_told() -> Told:
    sentence = (
        f"To ±{format_up(_half_width(_ROOT))}, by the normalised square root. Each total is made of noisy sums with "
        "slowly falling weights, whose errors are correlated. With Gaussian noise no method has a largest error below "
        "the thin line."
    )
    return sentence, Quiz(
        "Now a person may be in 18 of the 36 months. Which method’s largest error of a running total is smaller?",
        _half_width(_ROOT, most=_MANY) / _half_width(_ALONE, most=_MANY),
        ("Still the square root, by far", 0, 0.8),
        ("Noise in each month, narrowly", 0.99, 1.1),
        ("Noise in each month, by far", 1.5, inf),
    )


def _many_told() -> Told:
    sentence = (
        f"Noise in each month, with ±{format_up(_half_width(_ALONE, most=_MANY))}, instead of "
        f"±{format_up(_half_width(_ROOT, most=_MANY))} by the normalised square root: a person in many months moves "
        "its sums together. How often one person counts decides the method."
    )
    return sentence, Quiz(
        "A yearly limit: in each of three years Gaussian noise satisfies ε = 1 on its own. Which ε has their whole?",
        _years_epsilon(),
        ("1, as before", 0.99, 1.01),
        ("About 1.8", 1.7, 1.9),
        ("3, three times 1", 2.9, 3.1),
    )


def _years_told() -> Told:
    sentence = (
        f"ε = {format_up(_years_epsilon())} at the same δ, for a person in all three years. The ε of a series counts "
        "for a person over all of it; state for how long."
    )
    return sentence, Quiz(
        "A series of 12 months alone: can Laplace noise in each month do better than the square root?",
        _laplace(_YEAR) / _half_width(_ROOT, _YEAR),
        ("Yes, it has less than half of the error here", 0, 0.5),
        ("Yes, it has about four fifths of the error", 0.7, 0.9),
        ("No, never", 1, inf),
    )


def _laplace_told() -> Told:
    sentence = (
        f"Yes: ±{format_up(_laplace(_YEAR))}, without a δ, beside ±{format_up(_half_width(_ROOT, _YEAR))}. The longer "
        "the series, the more the square root gains: compare before you choose."
    )
    return sentence, None


NOISY_MONTHS = Demonstration(
    "months",
    "Why noisy months are not summed",
    "Monthly counts, their running total, noise in better sums, people who count often, years, and a short series.",
    (
        Step(
            *(SERIES, _OVER_TIME | {"totals": "each"}, _month_told),
            hidden=(*_OTHERS, "Laplace: largest ±"),
            axes=lambda: {"yaxis": (0.0, round_axis_end(_half_width(_ALONE)))},  # that of the sum of all months too
        ),
        Step(SERIES, _OVER_TIME | {"strategy": _ALONE}, _sum_told, hidden=_OTHERS),
        Step(SERIES, _OVER_TIME, _root_told),
        Step(SERIES, _OVER_TIME | {"in_periods": f"{_MANY}"}, _many_told, ("in_periods", "1")),
        Step(COMPOSITION, _SETTING | _yearly_releases(), _years_told),
        Step(SERIES, _OVER_TIME | {"length": f"{_YEAR}"}, _laplace_told),
    ),
)

_MEDIAN, _P90, _N, _HIGH, _WIDE, _MANY_PEOPLE = 30.0, 84.0, 200, 600, 3000, 20_000


def _days(n: int) -> Array:
    """Return the waiting times of n people in whole days: a typical sample of the public figures."""
    return np.rint(distribution("lognormal", _MEDIAN, _P90, n).quantile((np.arange(n) + 0.5) / n))


def _error(quantile: float, epsilon: float = 1, high: int = _HIGH, n: int = _N) -> float:
    """Return how far off a release is in 95 % of releases."""
    return float(quantiles.half_width(_days(n), quantile, epsilon, quantiles.Grid(np.arange(high + 1))))


def _beyond(quantile: float, epsilon: float = 1, high: int = _HIGH) -> float:
    """Return the share of releases above the person who waited longest."""
    outputs = quantiles.Grid(np.arange(high + 1))
    return float(quantiles.cliff_probability(_days(_N), quantile, epsilon, outputs).above)


def _median_told() -> Told:
    sentence = (
        f"200 people waited, half of them up to 30 days. A private median at ε = 1 is within ±{amount_up(_error(0.5))} "
        "day of the true one in 95 % of releases: it is drawn from 0, 1, …, 600, and days near the middle are probable."
    )
    return sentence, Quiz(
        "How far off is a private 90th percentile, about 84 days, at ε = 1?",
        _error(0.9),
        ("The same, ±1 day", 0, 1.5),
        ("Up to ±30 days", 1.5, 30),
        ("More than ±100 days", 100, inf),
    )


def _high_told() -> Told:
    sentence = (
        f"±{amount_up(_error(0.9))} days. There are fewer people about the 90th percentile, so that the same number of "
        "people is more days."
    )
    return sentence, Quiz(
        f"And the maximum? The longest wait was {amount(_days(_N)[-1])} days.",
        _error(1),
        ("About as far off", 0, 40),
        ("Twice as far off", 40, 100),
        ("Hundreds of days", 100, inf),
    )


def _maximum_told() -> Told:
    sentence = (
        f"±{amount_up(_error(1))} days: {percent_up(_beyond(1), 3)} of the releases are in the empty part of the "
        "range, where nobody is. To the mechanism a value above everybody is as good a maximum as the true one."
    )
    return sentence, Quiz(
        "How many of the releases are above everybody at ε = 10?",
        _beyond(1, 10),
        ("At most 1 %", 0, 0.01),
        ("About a tenth", 0.01, 0.3),
        ("More than half", 0.5, inf),
    )


def _more_epsilon_told() -> Told:
    sentence = (
        f"{percent_up(_beyond(1, 10), 3)}. No ε helps: a value above everybody has the best score that a maximum can "
        "have, however wide the empty part is."
    )
    return sentence, Quiz(
        "At ε = 1 and a range up to 3,000 days, how far off is the maximum?",
        _error(1, 1, _WIDE),
        ("About as far off, the data are the same", 0, 400),
        ("Twice as far off", 400, 1200),
        ("By thousands of days", 1200, inf),
    )


def _wide_told() -> Told:
    sentence = (
        f"±{amount_up(_error(1, 1, _WIDE))} days, and {percent_up(_beyond(1, 1, _WIDE), 3)} are above everybody: the "
        "range is published rather than the data."
    )
    return sentence, Quiz(
        "Instead the 99th percentile is published, of 20,000 people, within 600 days. How far off is it at ε = 1?",
        _error(0.99, 1, _HIGH, _MANY_PEOPLE),
        ("At most ±5 days", 0, 5),
        ("Between ±5 and ±50 days", 5, 50),
        ("More than ±50 days", 50, inf),
    )


def _many_people_told() -> Told:
    sentence = (
        f"±{amount_up(_error(0.99, 1, _HIGH, _MANY_PEOPLE))} days. 200 people are above the 99th percentile, and hold "
        "the release there: publish a high percentile, never the maximum."
    )
    return sentence, None


def _step(told: Callable[[], Told], sweep: tuple[str, ...] = (), **entries: str) -> Step:
    setting = {"epsilon": "1", "section": "quantile", "unit": "days"} | entries
    return Step(MEDIAN, setting, told, sweep, picture="release", axes=lambda: {"yaxis": (0.0, 1.0)})


PRIVATE_MAXIMUM = Demonstration(
    "maximum",
    "Why a maximum cannot be published",
    "Private quantiles from the median to the maximum: what holds a release at its place, and the cliff beyond.",
    (
        _step(_median_told),
        _step(_high_told, ("quantile", "0.5"), quantile="0.9"),
        _step(_maximum_told, ("quantile", "0.9"), quantile="1"),
        _step(_more_epsilon_told, ("epsilon", "1"), quantile="1", epsilon="10"),
        _step(_wide_told, ("high", "600"), quantile="1", high="3000"),
        _step(_many_people_told, sweep=("n_records", "200"), quantile="0.99", n_records="20000"),
    ),
)
