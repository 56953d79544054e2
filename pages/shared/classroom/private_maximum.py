"""Why a maximum cannot be published: quantiles of the waiting times of 200 people, in whole days from 0 to 600."""

from collections.abc import Callable

import numpy as np

from dpcore import quantiles
from dpcore.checks import Array
from pages.framework.parameters.number_format import percent_up
from pages.framework.site import Demonstration, Quiz, QuizChoice, Step
from pages.shared.site_map import MEDIAN
from pages.shared.values.amounts import amount, amount_up
from pages.shared.values.parameters import distribution

_MEDIAN, _P90, _N, _HIGH, _WIDE, _MANY = 30.0, 84.0, 200, 600, 3000, 20_000


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


def _many_quiz() -> Quiz:
    choices = (
        QuizChoice("At most ±5 days", high=5),
        QuizChoice("Between ±5 and ±50 days", 5, 50),
        QuizChoice("More than ±50 days", 50),
    )
    question = (
        "Instead the 99th percentile is published, of 20,000 people, within 600 days. How far off is it at ε = 1?"
    )
    return Quiz(question, _error(0.99, 1, _HIGH, _MANY), choices)


def _many_sentence() -> str:
    return (
        f"±{amount_up(_error(0.99, 1, _HIGH, _MANY))} days. 200 people are above the 99th percentile, and hold the "
        "release there: publish a high percentile, never the maximum."
    )


def _step(
    sentence: Callable[[], str],
    quiz: Callable[[], Quiz] | None = None,
    sweep: tuple[str, ...] = (),
    **entries: str,
) -> Step:
    return Step(MEDIAN, {"epsilon": "1", "section": "quantile"} | entries, sentence, quiz, sweep)


PRIVATE_MAXIMUM = Demonstration(
    "maximum",
    "Why a maximum cannot be published",
    "Private quantiles from the median to the maximum: what holds a release at its place, and the cliff beyond.",
    (
        _step(_median_sentence, _high_quiz),
        _step(_high_sentence, _maximum_quiz, ("quantile", "0.5"), quantile="0.9"),
        _step(_maximum_sentence, _more_epsilon_quiz, ("quantile", "0.9"), quantile="1"),
        _step(_more_epsilon_sentence, _wide_quiz, ("epsilon", "1"), quantile="1", epsilon="10"),
        _step(_wide_sentence, _many_quiz, ("high", "600"), quantile="1", high="3000"),
        _step(_many_sentence, sweep=("n_records", "200"), quantile="0.99", n_records="20000"),
    ),
)
