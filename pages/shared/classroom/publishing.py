"""The demonstrations on publishing: why noisy months are not summed, and why a maximum cannot be published.

The first has 36 months at ε = 1 and δ = 1e-5. At δ = 1e-6 Laplace noise in each of them is better than the square root,
and step 3 would tell what step 6 asks. The second has the waiting times of 200 people, in whole days from 0 to 600.
"""

from collections.abc import Callable

import numpy as np

from dpcore import gaussian, linear_queries, quantiles
from dpcore.checks import Array
from pages.framework.chart.theme import round_axis_end
from pages.framework.parameters.number_format import format_up, percent_up
from pages.framework.site import Demonstration, Quiz, QuizChoice, Step
from pages.shared.site_map import COMPOSITION, MEDIAN, SERIES
from pages.shared.values.parameters import amount, amount_up, distribution

_EPSILON, _DELTA, _MONTHS, _YEAR, _MANY = 1.0, 1e-5, 36, 12, 18
_SETTING = {"delta": "1e-5"}
_OTHERS = (
    "binary tree",
    "square root",
    "normalised square root",
    "limit for Gaussian noise",
    "Laplace: largest ±",
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
    return {"section": "together", "releases": f"!{';'.join(years)}"}


def _month_axes() -> dict[str, tuple[float, float]]:
    """Return the axis on which the error of one month and that of the sum of all can be compared."""
    return {"yaxis": (0.0, round_axis_end(_half_width(_ALONE)))}


def _month_sentence() -> str:
    return (
        f"A count for each of {_MONTHS} months, and nobody is in more than one of them. With ε = 1 and δ = 1e-5 each "
        f"month is within ±{format_up(_half_width(_ALONE, 1))} of the truth in 95 % of releases."
    )


def _sum_quiz() -> Quiz:
    choices = (
        QuizChoice("As much as a month, since errors cancel", 0.9, 1.1),
        QuizChoice("About 6 times as much", 5.5, 6.5),
        QuizChoice("36 times as much", 35, 37),
    )
    question = "A reader sums the 36 noisy months. How far is the total off, compared with one month?"
    return Quiz(question, _half_width(_ALONE) / _half_width(_ALONE, 1), choices)


def _sum_sentence() -> str:
    return (
        f"√36 times as much: within ±{format_up(_half_width(_ALONE))}. Independent errors cancel only in part, and the "
        "error of the running total grows month by month."
    )


def _root_quiz() -> Quiz:
    choices = (
        QuizChoice("No, every month needs its noise", 0.95, 1.05),
        QuizChoice("Yes, by about a quarter", 0.7, 0.8),
        QuizChoice("Yes, to about a third", 0.3, 0.4),
    )
    question = "The same guarantee with noise in other sums than months: can every running total be more exact?"
    return Quiz(question, _half_width(_ROOT) / _half_width(_ALONE), choices)


def _root_sentence() -> str:
    return (
        f"To ±{format_up(_half_width(_ROOT))}, by the normalised square root. Each total is made of noisy sums with "
        "slowly falling weights, whose errors are correlated. With Gaussian noise no method has a largest error below "
        "the thin line."
    )


def _many_quiz() -> Quiz:
    choices = (
        QuizChoice("Still the square root, by far", high=0.8),
        QuizChoice("Noise in each month, narrowly", 0.99, 1.1),
        QuizChoice("Noise in each month, by far", 1.5),
    )
    question = "Now a person may be in 18 of the 36 months. Which method’s largest error of a running total is smaller?"
    return Quiz(question, _half_width(_ROOT, most=_MANY) / _half_width(_ALONE, most=_MANY), choices)


def _many_sentence() -> str:
    return (
        f"Noise in each month, with ±{format_up(_half_width(_ALONE, most=_MANY))}, instead of "
        f"±{format_up(_half_width(_ROOT, most=_MANY))} by the normalised square root: a person in many months moves "
        "its sums together. How often one person counts decides the method."
    )


def _years_quiz() -> Quiz:
    choices = (
        QuizChoice("1, as before", 0.99, 1.01),
        QuizChoice("About 1.8", 1.7, 1.9),
        QuizChoice("3, three times 1", 2.9, 3.1),
    )
    question = "A yearly limit: each of the three years satisfies ε = 1 on its own. Which ε do three years have?"
    return Quiz(question, _years_epsilon(), choices)


def _years_sentence() -> str:
    return (
        f"ε = {format_up(_years_epsilon())} at the same δ, for a person in all three years. The ε of a series counts "
        "for a person over all of it; state for how long."
    )


def _laplace_quiz() -> Quiz:
    choices = (
        QuizChoice("Yes, it has less than half of the error here", 0, 0.5),
        QuizChoice("Yes, it has about four fifths of the error", 0.7, 0.9),
        QuizChoice("No, never", 1),
    )
    question = "A series of 12 months alone: can Laplace noise in each month do better than the square root?"
    return Quiz(question, _laplace(_YEAR) / _half_width(_ROOT, _YEAR), choices)


def _laplace_sentence() -> str:
    return (
        f"Yes: ±{format_up(_laplace(_YEAR))}, without a δ, beside ±{format_up(_half_width(_ROOT, _YEAR))}. The longer "
        "the series, the more the square root gains: compare before you choose."
    )


NOISY_MONTHS = Demonstration(
    "months",
    "Why noisy months are not summed",
    "Monthly counts, their running total, noise in better sums, people who count often, years, and a short series.",
    (
        Step(SERIES, _SETTING | {"totals": "each"}, _month_sentence, _sum_quiz, hidden=_OTHERS, axes=_month_axes),
        Step(SERIES, _SETTING | {"strategy": _ALONE}, _sum_sentence, _root_quiz, hidden=_OTHERS),
        Step(SERIES, _SETTING, _root_sentence, _many_quiz),
        Step(SERIES, _SETTING | {"in_periods": f"{_MANY}"}, _many_sentence, _years_quiz, ("in_periods", "1")),
        Step(COMPOSITION, _SETTING | _yearly_releases(), _years_sentence, _laplace_quiz),
        Step(SERIES, _SETTING | {"length": f"{_YEAR}"}, _laplace_sentence),
    ),
)

_MEDIAN, _P90, _N, _HIGH, _WIDE, _MANY_PEOPLE = 30.0, 84.0, 200, 600, 3000, 20_000


def _days(n: int) -> Array:
    """Return the waiting times of n people in whole days: a typical sample of the public figures."""
    return np.rint(distribution("lognormal", _MEDIAN, _P90, n).quantile((np.arange(n) + 0.5) / n))


def _error(quantile: float, epsilon: float = 1, high: int = _HIGH, n: int = _N) -> float:
    """Return how far off a release is in 95 % of releases."""
    return float(quantiles.grid_half_width(_days(n), quantile, epsilon, np.arange(high + 1.0)))


def _beyond(quantile: float, epsilon: float = 1, high: int = _HIGH) -> float:
    """Return the share of releases above the person who waited longest."""
    return float(quantiles.grid_cliff_probability(_days(_N), quantile, epsilon, np.arange(high + 1.0)).above)


def _median_sentence() -> str:
    return (
        f"200 people waited, half of them up to 30 days. A private median at ε = 1 is within ±{amount_up(_error(0.5))} "
        "day of the true one in 95 % of releases: it is drawn from 0, 1, …, 600, and days near the middle are probable."
    )


def _high_quiz() -> Quiz:
    choices = (
        QuizChoice("The same, ±1 day", high=1.5),
        QuizChoice("Up to ±30 days", 1.5, 30),
        QuizChoice("More than ±100 days", 100),
    )
    return Quiz("How far off is a private 90th percentile, about 84 days, at ε = 1?", _error(0.9), choices)


def _high_sentence() -> str:
    return (
        f"±{amount_up(_error(0.9))} days. There are fewer people about the 90th percentile, so that the same number of "
        "people is more days."
    )


def _maximum_quiz() -> Quiz:
    choices = (
        QuizChoice("About as far off", high=40),
        QuizChoice("Twice as far off", 40, 100),
        QuizChoice("Hundreds of days", 100),
    )
    return Quiz(f"And the maximum? The longest wait was {amount(_days(_N)[-1])} days.", _error(1), choices)


def _maximum_sentence() -> str:
    return (
        f"±{amount_up(_error(1))} days: {percent_up(_beyond(1), 3)} of the releases are in the empty part of the "
        "range, where nobody is. To the mechanism a value above everybody is as good a maximum as the true one."
    )


def _more_epsilon_quiz() -> Quiz:
    choices = (
        QuizChoice("At most 1 %", high=0.01),
        QuizChoice("About a tenth", 0.01, 0.3),
        QuizChoice("More than half", 0.5),
    )
    return Quiz("How many of the releases are above everybody at ε = 10?", _beyond(1, 10), choices)


def _more_epsilon_sentence() -> str:
    return (
        f"{percent_up(_beyond(1, 10), 3)}. No ε helps: a value above everybody has the best score that a maximum can "
        "have, however wide the empty part is."
    )


def _wide_quiz() -> Quiz:
    choices = (
        QuizChoice("About as far off, the data are the same", high=400),
        QuizChoice("Twice as far off", 400, 1200),
        QuizChoice("By thousands of days", 1200),
    )
    return Quiz("At ε = 1 and a range up to 3,000 days, how far off is the maximum?", _error(1, 1, _WIDE), choices)


def _wide_sentence() -> str:
    return (
        f"±{amount_up(_error(1, 1, _WIDE))} days, and {percent_up(_beyond(1, 1, _WIDE), 3)} are above everybody: the "
        "range is published rather than the data."
    )


def _many_people_quiz() -> Quiz:
    choices = (
        QuizChoice("At most ±5 days", high=5),
        QuizChoice("Between ±5 and ±50 days", 5, 50),
        QuizChoice("More than ±50 days", 50),
    )
    question = (
        "Instead the 99th percentile is published, of 20,000 people, within 600 days. How far off is it at ε = 1?"
    )
    return Quiz(question, _error(0.99, 1, _HIGH, _MANY_PEOPLE), choices)


def _many_people_sentence() -> str:
    return (
        f"±{amount_up(_error(0.99, 1, _HIGH, _MANY_PEOPLE))} days. 200 people are above the 99th percentile, and hold "
        "the release there: publish a high percentile, never the maximum."
    )


def _step(
    sentence: Callable[[], str],
    quiz: Callable[[], Quiz] | None = None,
    sweep: tuple[str, ...] = (),
    **entries: str,
) -> Step:
    setting = {"epsilon": "1", "section": "quantile", "unit": "days"} | entries
    return Step(MEDIAN, setting, sentence, quiz, sweep, picture="release", axes=lambda: {"yaxis": (0.0, 1.0)})


PRIVATE_MAXIMUM = Demonstration(
    "maximum",
    "Why a maximum cannot be published",
    "Private quantiles from the median to the maximum: what holds a release at its place, and the cliff beyond.",
    (
        _step(_median_sentence, _high_quiz),
        _step(_high_sentence, _maximum_quiz, ("quantile", "0.5"), quantile="0.9"),
        _step(_maximum_sentence, _more_epsilon_quiz, ("quantile", "0.9"), quantile="1"),
        _step(_more_epsilon_sentence, _wide_quiz, ("epsilon", "1"), quantile="1", epsilon="10"),
        _step(_wide_sentence, _many_people_quiz, ("high", "600"), quantile="1", high="3000"),
        _step(_many_people_sentence, sweep=("n_records", "200"), quantile="0.99", n_records="20000"),
    ),
)
