"""Why noisy months are not summed: the page of series, with 36 months at ε = 1 and δ = 1e-5.

At δ = 1e-6 Laplace noise in each of 36 months is better than the square root, and step 3 would tell what step 6 asks.
"""

from functools import lru_cache

import numpy as np

from dpcore import gaussian, linear_queries
from pages.framework.parameters.number_format import format_up
from pages.framework.site import Demonstration, Quiz, QuizChoice, Step
from pages.shared.site_map import COMPOSITION, SERIES

_EPSILON, _DELTA, _MONTHS, _YEAR, _MANY = 1.0, 1e-5, 36, 12, 18
_SETTING = {"delta": "1e-5"}
_OTHERS = (
    "binary tree",
    "square root",
    "normalised square root",
    "limit of the largest ±",
    "largest ± with Laplace noise",
)  # which steps 1 and 2 ask for
_ALONE, _ROOT = "per_period", "normalized_square_root"


@lru_cache(32)
def _half_width(method: str, n_months: int = _MONTHS, most: int = 1) -> float:
    """Return the largest half-width of a running total, for a person in at most so many months."""
    errors = linear_queries.error("running_totals", method, n_months, most)
    return float(linear_queries.half_widths(errors, _EPSILON, _DELTA).max())


@lru_cache(32)
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
    question = "Now a person may be in 18 of the 36 months. Which has the smaller error?"
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
        Step(SERIES, _SETTING | {"totals": "each"}, _month_sentence, _sum_quiz, hidden=_OTHERS),
        Step(SERIES, _SETTING | {"strategy": _ALONE}, _sum_sentence, _root_quiz, hidden=_OTHERS),
        Step(SERIES, _SETTING, _root_sentence, _many_quiz),
        Step(SERIES, _SETTING | {"in_periods": f"{_MANY}"}, _many_sentence, _years_quiz, ("in_periods", "1")),
        Step(COMPOSITION, _SETTING | _yearly_releases(), _years_sentence, _laplace_quiz),
        Step(SERIES, _SETTING | {"length": f"{_YEAR}"}, _laplace_sentence),
    ),
)
