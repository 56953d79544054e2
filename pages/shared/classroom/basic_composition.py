"""Why many small releases add up: one count with Laplace noise of ε = 0.1, at δ = 1e-6, released again and again."""

import math
from collections.abc import Callable

import numpy as np

from dpcore import composition, gaussian, tradeoff
from pages.framework.parameters.number_format import format_nearest, format_up, percent_up
from pages.framework.site import Demonstration, Quiz, QuizChoice, Step
from pages.shared.site_map import COMPOSITION, TRADEOFF

_EPSILON, _DELTA, _ALPHA, _YEAR = 0.1, 1e-6, 0.05, 365


def _composed_epsilon(count: int) -> float:
    """Return the exact ε of a number of releases."""
    return float(composition.exact_epsilon([composition.laplace_release(_EPSILON, count)], _DELTA).value)


def _power(count: int) -> float:
    """Return the power of the best test on a number of releases."""
    curve = tradeoff.composed_curve([tradeoff.laplace_curve(_EPSILON)], [count])
    return float(curve.power(np.asarray(_ALPHA)))


def _required_sigma(count: int) -> float:
    """Return the least σ, over the sensitivity, with which `count` releases satisfy ε = 1: √count times that of one."""
    return math.sqrt(count) * float(gaussian.analytic_sigma(1, _DELTA))


def _single_sentence() -> str:
    return (
        f"One count, which one person changes by at most 1, with Laplace noise of scale {format_nearest(1 / _EPSILON)}"
        f" satisfies ε = {_EPSILON}: no person changes the probability of any outcome by more than the factor"
        f" {format_up(math.exp(_EPSILON))}."
    )


def _ten_quiz() -> Quiz:
    choices = (
        QuizChoice("ε = 0.1, because the noise is fresh each time", 0.09, 0.11),
        QuizChoice("About 0.32, √10 times as much", 0.31, 0.33),
        QuizChoice("Nearly 1, ten times as much", 0.95, 1),
    )
    return Quiz("Ten such counts, each with fresh noise: what is their total ε?", _composed_epsilon(10), choices)


def _ten_sentence() -> str:
    return (
        f"ε = {format_up(_composed_epsilon(10))} at δ = 1e-6, slightly less than the {format_up(10 * _EPSILON)} of "
        "basic composition: every count reveals a little more about the same people, although the noise is fresh."
    )


def _hundred_quiz() -> Quiz:
    choices = (
        QuizChoice("10, they add up", 9.9, 10.1),
        QuizChoice("About half of that", 4, 6),
        QuizChoice("About 1, √100 times 0.1", 0.9, 1.1),
    )
    return Quiz("A hundred such counts?", _composed_epsilon(100), choices)


def _hundred_sentence() -> str:
    return (
        f"ε = {format_up(_composed_epsilon(100))}, while basic composition gives {format_up(100 * _EPSILON)}: the"
        " privacy losses of many releases rarely all have the same sign, and δ covers the rare case in which nearly"
        " all do."
    )


def _year_quiz() -> Quiz:
    choices = (
        QuizChoice("1.9 times as much, √3.65", 1.85, 1.95),
        QuizChoice("A little more than twice as much", 2, 2.4),
        QuizChoice("3.65 times as much", 3.6, 3.7),
    )
    return Quiz(
        "And one every day of a year, 3.65 times as many?", _composed_epsilon(_YEAR) / _composed_epsilon(100), choices
    )


def _year_sentence() -> str:
    rdp = float(composition.rdp_epsilon([composition.laplace_release(_EPSILON, _YEAR)], _DELTA).value)
    return (
        f"ε = {format_up(_composed_epsilon(_YEAR))}. Other accountants give larger values: basic composition"
        f" {format_up(_YEAR * _EPSILON)}, RDP {format_up(rdp)}. Every overestimate of ε costs extra noise."
    )


def _attacker_quiz() -> Quiz:
    choices = (
        QuizChoice("5 %, as by guessing", 0.045, 0.055),
        QuizChoice("About 25 %", 0.24, 0.26),
        QuizChoice("All of them", 0.99, 1),
    )
    question = "How many members does the best test find in a hundred counts, at a false positive rate of 5 %?"
    return Quiz(question, _power(100), choices)


def _attacker_sentence() -> str:
    return (
        f"At most {percent_up(_power(100))}. In a single count it finds at most {percent_up(_power(1))}, hardly more "
        "than by guessing."
    )


def _noise_quiz() -> Quiz:
    choices = (
        QuizChoice("The same, because the noise is fresh", 0.99, 1.01),
        QuizChoice("About 19 times as much, √365", 19, 19.2),
        QuizChoice("365 times as much", 364, 366),
    )
    question = (
        "A count on every day of a year, with Gaussian noise, is to satisfy ε = 1 at δ = 1e-6 in total. How much noise "
        "does each count require, compared with a single count at ε = 1?"
    )
    return Quiz(question, _required_sigma(_YEAR) / _required_sigma(1), choices)


def _plan_sentence() -> str:
    return (
        f"σ = {format_up(_required_sigma(_YEAR))} times the sensitivity, √365 times the {format_up(_required_sigma(1))}"
        " of a single count. Decide how often you will release before you choose the noise."
    )


def _step(
    releases: str,
    runs: int,
    sentence: Callable[[], str],
    quiz: Callable[[], Quiz] | None = None,
    section: str = "together",
) -> Step:
    entries = {"section": section, "releases": f"!{releases}=Daily%20count", "runs": str(runs)}
    return Step(COMPOSITION, entries, sentence, quiz, ("runs", "1") if runs > 1 else ())


_COUNT = f"laplace:{_EPSILON}"
BASIC_COMPOSITION = Demonstration(
    "adding",
    "Why many small releases add up",
    "One count at ε = 0.1, then ten, a hundred and a year of counts: their total ε, what an attacker finds, what to "
    "do.",
    (
        _step(_COUNT, 1, _single_sentence, _ten_quiz),
        _step(_COUNT, 10, _ten_sentence, _hundred_quiz),
        _step(_COUNT, 100, _hundred_sentence, _year_quiz),
        _step(_COUNT, _YEAR, _year_sentence, _attacker_quiz, "accountants"),
        Step(TRADEOFF, {"curves": f"!{_COUNT}*100@orange="}, _attacker_sentence, _noise_quiz),
        _step(f"gaussian:{format_up(_required_sigma(_YEAR))}", _YEAR, _plan_sentence),
    ),
)
