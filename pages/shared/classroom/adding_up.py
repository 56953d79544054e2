"""Why many small releases add up: one count with Laplace noise of ε = 0.1, at δ = 1e-6, released again and again."""

import math
from collections.abc import Callable

import numpy as np

from dpcore import composition, gaussian, tradeoff
from pages.framework.classroom.demonstration import Choice, Demonstration, Quiz, Step
from pages.framework.parameters.number_format import format_nearest, format_up, percent_up
from pages.shared.site_map import COMPOSITION, TRADEOFF

_EACH, _DELTA, _ALPHA, _YEAR = 0.1, 1e-6, 0.05, 365


def _together(count: int) -> float:
    """The exact ε of so many releases."""
    return float(composition.exact_epsilon([composition.laplace_release(_EACH, count)], _DELTA).value)


def _caught(count: int) -> float:
    """The most that the best test on so many releases catches."""
    curve = tradeoff.composed_curve([tradeoff.laplace_curve(_EACH)], [count])
    return float(curve.power(np.asarray(_ALPHA)))


def _noise(count: int) -> float:
    """The least Gaussian noise, over the sensitivity, with which so many releases keep ε = 1: √count times one's."""
    return math.sqrt(count) * float(gaussian.analytic_sigma(1, _DELTA))


def _one() -> str:
    return (
        f"One count, which one person moves by at most 1, with Laplace noise of scale {format_nearest(1 / _EACH)} keeps"
        f" ε = {_EACH}: nobody moves the chance of any outcome by more than a factor {format_up(math.exp(_EACH))}."
    )


def _asks_ten() -> Quiz:
    choices = (
        Choice("ε = 0.1, the noise is fresh each time", 0.09, 0.11),
        Choice("About 0.32, √10 times as much", 0.31, 0.33),
        Choice("Nearly 1, ten times as much", 0.95, 1),
    )
    return Quiz("Ten such counts, each with fresh noise: what do they cost together?", _together(10), choices)


def _ten() -> str:
    return (
        f"ε = {format_up(_together(10))} at δ = 1e-6, hardly less than the {format_up(10 * _EACH)} of basic "
        "composition: fresh noise does not make it free, every count tells a little more about the same people."
    )


def _asks_hundred() -> Quiz:
    choices = (
        Choice("10, they add up", 9.9, 10.1),
        Choice("About half of that", 4, 6),
        Choice("About 1, √100 times 0.1", 0.9, 1.1),
    )
    return Quiz("A hundred such counts?", _together(100), choices)


def _hundred() -> str:
    return (
        f"ε = {format_up(_together(100))}, where basic composition says {format_up(100 * _EACH)}: the privacy losses "
        "of many"
        " releases seldom all go the same way, and δ covers the rare case in which nearly all do."
    )


def _asks_year() -> Quiz:
    choices = (
        Choice("1.9 times as much, √3.65", 1.85, 1.95),
        Choice("A little more than twice as much", 2, 2.4),
        Choice("3.65 times as much", 3.6, 3.7),
    )
    return Quiz("And one every day of a year, 3.65 times as many?", _together(_YEAR) / _together(100), choices)


def _year() -> str:
    rdp = float(composition.rdp_epsilon([composition.laplace_release(_EACH, _YEAR)], _DELTA).value)
    return (
        f"ε = {format_up(_together(_YEAR))}. Accountants differ in how much of that they see: basic composition says "
        f"{format_up(_YEAR * _EACH)}, RDP {format_up(rdp)}. What a bound says too much is paid in noise."
    )


def _asks_attacker() -> Quiz:
    choices = (
        Choice("5 %, as by guessing", 0.045, 0.055),
        Choice("About 25 %", 0.24, 0.26),
        Choice("All of them", 0.99, 1),
    )
    question = "How many of those in the data does the best test find in a hundred counts, at 5 % false alarms?"
    return Quiz(question, _caught(100), choices)


def _attacker() -> str:
    return (
        f"At most {percent_up(_caught(100))}, where a single count lets at most {percent_up(_caught(1))} be found, "
        "hardly more than guessing."
    )


def _asks_noise() -> Quiz:
    choices = (
        Choice("None, fresh noise is enough", 0.99, 1.01),
        Choice("About 19 times as much, √365", 19, 19.2),
        Choice("365 times as much", 364, 366),
    )
    question = (
        "A year of counts shall cost ε = 1 together, at δ = 1e-6, with Gaussian noise. How much noise does each need, "
        "beside a single one at ε = 1?"
    )
    return Quiz(question, _noise(_YEAR) / _noise(1), choices)


def _planned() -> str:
    return (
        f"σ = {format_up(_noise(_YEAR))} times the sensitivity, √365 times the {format_up(_noise(1))} of a single"
        " count. Plan how often you will release before you choose the noise."
    )


def _step(
    releases: str, runs: int, said: Callable[[], str], asks: Callable[[], Quiz] | None = None, section: str = "together"
) -> Step:
    entries = {"section": section, "releases": f"!{releases}=Daily%20count", "runs": str(runs)}
    return Step(COMPOSITION, entries, said, asks)


_COUNT = f"laplace:{_EACH}"
ADDING_UP = Demonstration(
    "adding",
    "Why many small releases add up",
    "One count at ε = 0.1, then ten, a hundred and a year of them: what they cost, what an attacker finds, what to do.",
    (
        _step(_COUNT, 1, _one, _asks_ten),
        _step(_COUNT, 10, _ten, _asks_hundred),
        _step(_COUNT, 100, _hundred, _asks_year),
        _step(_COUNT, _YEAR, _year, _asks_attacker, "accountants"),
        Step(TRADEOFF, {"curves": f"!{_COUNT}*100@orange="}, _attacker, _asks_noise),
        _step(f"gaussian:{format_up(_noise(_YEAR))}", _YEAR, _planned),
    ),
)
