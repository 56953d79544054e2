"""The noise that the page recommends, by the same rule as Tables: `dpcore.tables.choice`."""

import math
from dataclasses import dataclass
from functools import lru_cache

from dpcore import accuracy, tables
from dpcore.accuracy import RULES, Answer
from dpcore.calibrations import PROVED, PURE_DP
from dpcore.checks import EPSILON_RANGE, ends
from dpcore.tables import Candidate, Choice
from pages.accuracy.query import Asked, Setting

Answers = dict[str, Answer]
"""The answer of every mechanism that suits the query, by key."""

_MOST_EPSILON = ends(EPSILON_RANGE)[1]


@dataclass(frozen=True)
class Recommended:
    """The mechanism to use with its answer; `choice` says why, None where the rule finds no mechanism.

    Where there is no `choice`, the answer is that of the mechanism which comes nearest to what is asked for.
    """

    answer: Answer
    choice: Choice | None


@lru_cache(512)
def answers_at(asked: Asked, epsilon: float, delta: float, significance: float, wanted: float | None) -> Answers:
    """Return what every suited mechanism answers, by key."""
    return {
        rule.key: accuracy.answer(rule, epsilon, delta, significance, asked.sensitivity(rule), wanted)
        for rule in RULES
        if asked.suits(rule)
    }


def recommended(answers: Answers, now: Setting) -> Recommended:
    """Return the mechanism for the promise that is ticked.

    Where no mechanism of pure ε-DP has an answer, that is one of (ε, δ)-DP in spite of what is ticked.
    """
    pure = best_pure(answers, now)
    if now.promise == "pure" and not math.isnan(value(pure.answer, now)):
        return pure
    found = _choice(answers, now, "delta")
    if found is not None:
        return Recommended(answers[found.key], found)
    return Recommended(answers["analytic"], None) if math.isnan(value(pure.answer, now)) else pure


def best_pure(answers: Answers, now: Setting) -> Recommended:
    """Return the mechanism of pure ε-DP to use; its answer is NaN where none has one."""
    found = _choice(answers, now, "pure")
    if found is not None:
        return Recommended(answers[found.key], found)
    rivals = [each for key, each in answers.items() if each.calibration.promise == PURE_DP and key in tables.RELEASABLE]
    least = min(rivals, key=lambda each: math.inf if math.isnan(value(each, now)) else value(each, now))
    return Recommended(least, None)


def value(answer: Answer, now: Setting) -> float:
    """Return what is asked for: the ± or, where that is known, the ε."""
    return answer.accuracy if now.wanted is None else answer.epsilon


def _choice(answers: Answers, now: Setting, promise: str) -> Choice | None:
    """Apply the rule to the half-widths at the known ε or, at a wanted ±, at the least ε that any mechanism needs."""
    if now.wanted is not None:
        needed = [each.epsilon for each in answers.values() if _is_usable(each, promise)]
        if not needed:
            return None
        answers = answers_at(now.asked, min(needed), now.delta, now.significance, None)
    candidates = [
        Candidate(key, each.accuracy, each.calibration.whole, each.calibration.promise, each.status)
        for key, each in answers.items()
        if not math.isnan(each.accuracy)
    ]
    return tables.choice(candidates, promise)


def _is_usable(answer: Answer, promise: str) -> bool:
    """Whether a mechanism could be recommended, and has an ε for the wanted ±."""
    rule = answer.calibration
    keeps = rule.key in tables.RELEASABLE and (promise == "delta" or rule.promise == PURE_DP)
    return keeps and answer.status == PROVED and answer.epsilon <= _MOST_EPSILON
