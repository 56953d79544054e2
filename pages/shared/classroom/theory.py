"""The demonstrations on theory: what many small releases cost together, and why the classical bound fails.

The first releases one count with Laplace noise of ε = 0.1, at δ = 1e-6, again and again; its last step has a year of
counts as the cells of a table. The second compares Gaussian
bounds at δ = 1e-5 and sensitivity 1.
"""

import math
from collections.abc import Callable
from math import inf

import numpy as np

from dpcore import accuracy, comparison, composition, gaussian, tradeoff
from pages.framework.parameters.number_format import format_down, format_input_up, format_nearest, format_up, percent_up
from pages.framework.site import Demonstration, Quiz, Step, Told
from pages.shared.formulas import variance_comparison
from pages.shared.site_map import COMPOSITION, GAUSSIAN_BOUNDS, TABLES, TRADEOFF

_EPSILON, _DELTA, _ALPHA, _YEAR = 0.1, 1e-6, 0.05, 365
_LEVEL = 0.05  # of the ±, which holds in 95 % of releases


def _composed_epsilon(count: int) -> float:
    """Return the exact ε of a number of releases."""
    return float(composition.exact_epsilon([composition.laplace_release(_EPSILON, count)], _DELTA).value)


def _power(count: int) -> float:
    """Return the power of the best test on a number of releases."""
    curve = tradeoff.composed_curve([tradeoff.laplace_curve(_EPSILON)], [count])
    return float(curve.power(np.asarray(_ALPHA)))


def _gaussian_error(count: int) -> float:
    """Return the ± of each of `count` counts with Gaussian noise that satisfy ε = 1 in total."""
    return float(accuracy.gaussian_accuracy(gaussian.analytic_sigma(1, _DELTA, math.sqrt(count)), _LEVEL))


def _laplace_error(count: int) -> float:
    """Return the same with Laplace noise."""
    return float(accuracy.laplace_accuracy(1, _LEVEL, count))


def _single_told() -> Told:
    sentence = (
        f"One count, which one person changes by at most 1, with Laplace noise of scale {format_nearest(1 / _EPSILON)}"
        f" satisfies ε = {_EPSILON}: no person changes the probability of any outcome by more than the factor"
        f" {format_up(math.exp(_EPSILON))}."
    )
    return sentence, Quiz(
        "Ten such counts, each with fresh noise: what is their total ε?",
        _composed_epsilon(10),
        ("0.1, as the noise is fresh", 0.09, 0.11),
        ("About 0.32, √10 times as much", 0.31, 0.33),
        ("Nearly 1, ten times as much", 0.95, 1),
    )


def _ten_told() -> Told:
    sentence = (
        f"ε = {format_up(_composed_epsilon(10))} at δ = 1e-6. Basic composition, which adds each ε, gives "
        f"{format_up(10 * _EPSILON)}: the two lines coincide. Every count reveals a little more about the same people, "
        "although its noise is fresh."
    )
    return sentence, Quiz(
        "A hundred such counts, each with fresh noise: what is their total ε?",
        _composed_epsilon(100),
        ("10, ten times as much again", 9.9, 10.1),
        ("About 5, half of that", 4, 6),
        ("About 1, √100 times 0.1", 0.9, 1.1),
    )


def _hundred_told() -> Told:
    sentence = (
        f"ε = {format_up(_composed_epsilon(100))}, while basic composition gives {format_up(100 * _EPSILON)}: the"
        " privacy losses of many releases rarely all have the same sign, and δ covers the rare case in which nearly"
        " all do."
    )
    return sentence, Quiz(
        "And one every day of a year, 3.65 times as many?",
        _composed_epsilon(_YEAR) / _composed_epsilon(100),
        ("1.9 times as much, √3.65", 1.85, 1.95),
        ("A little more than twice as much", 2, 2.4),
        ("3.65 times as much", 3.6, 3.7),
    )


def _year_told() -> Told:
    sentence = (
        f"ε = {format_up(_composed_epsilon(_YEAR))}, a little more than twice the ε of a hundred. Basic composition"
        f" gives {format_up(_YEAR * _EPSILON)}: who relies on it adds far more noise than is required."
    )
    return sentence, Quiz(
        "An attacker accuses 5 % of non-members. How many members does the best one find in the year’s counts?",
        _power(_YEAR),
        ("5 %, as by guessing", 0.045, 0.055),
        ("About 60 %", 0.55, 0.65),
        ("All of them", 0.99, 1),
    )


def _attacker_told() -> Told:
    sentence = (
        f"At most {percent_up(_power(_YEAR))} of the members, those in the data. From a single count at most "
        f"{percent_up(_power(1))}, hardly more than by guessing."
    )
    return sentence, Quiz(
        "Now with Gaussian noise: the year’s counts shall have a total ε of at most 1. How much larger is their noise "
        "than that of one such count at ε = 1?",
        _gaussian_error(_YEAR) / _gaussian_error(1),
        ("The same, because the noise is fresh", 0.99, 1.01),
        ("About 19 times as much, √365", 19, 19.2),
        ("365 times as much", 364, 366),
    )


def _plan_told() -> Told:
    sentence = (
        f"√365 times as much: each count is within ±{format_up(_gaussian_error(_YEAR))}, a single one within "
        f"±{format_up(_gaussian_error(1))}; Laplace noise grows {_YEAR} times, to ±{format_up(_laplace_error(_YEAR))}."
        " Decide first how often you release."
    )
    return sentence, None


_AXES = {"xaxis": (0.0, 475.0), "yaxis": (0.0, 50.0)}  # of a year of counts, beside which a hundred are seen
_FEW = 10  # counts, whose axes are those of one of them
_BEYOND_AXES = "100"  # a target ε whose line would tell what is asked


def _step(releases: str, runs: int, told: Callable[[], Told], epsilon: str = _BEYOND_AXES) -> Step:
    entries = {"section": "together", "show": "together", "runs": str(runs), "epsilon": epsilon}
    entries |= {"releases": f"!{releases}=Daily%20count"}
    return Step(
        COMPOSITION, entries, told, ("runs", "1") if runs > 1 else (), axes=lambda: _AXES if runs > _FEW else {}
    )


_COUNT = f"laplace:{_EPSILON}"
_A_YEAR = {"section": "noise", "table": "size", "cells": str(_YEAR), "contribution": "limited"}
_WHOLE = "Geometric", "Discrete Gaussian (point)"  # nearly as Laplace and Gaussian noise
_A_YEAR |= {"per_person": str(_YEAR), "error": "each", "promise": "delta"}
BASIC_COMPOSITION = Demonstration(
    "adding",
    "What many small releases cost together",
    "One count at ε = 0.1, then ten, a hundred and a year of counts: their total ε, what an attacker finds, what to "
    "do.",
    (
        _step(_COUNT, 1, _single_told),
        _step(_COUNT, _FEW, _ten_told),
        _step(_COUNT, 100, _hundred_told),
        _step(_COUNT, _YEAR, _year_told),
        Step(
            TRADEOFF,
            {"section": "curves", "show": "curves"}
            | {"curves": f"!{_COUNT}*{_YEAR}@orange=Counts%20of%20a%20year;{_COUNT}@grey=One%20count"},
            _attacker_told,
        ),
        Step(TABLES, _A_YEAR, _plan_told, ("per_person", "1"), _WHOLE, "noise_persons"),
    ),
)

_CLASSICAL_DELTA = 1e-5
_OTHERS = "pDP", "Exact pDP"  # which it is not about
_MOST_EPSILON = 1e6  # the largest ε of the pages
_EPSILON_BEYOND = "8.42"  # the first ε of three digits at which the classical σ fails


def _classical_sigma(epsilon: float) -> float:
    return float(gaussian.classical_sigma(epsilon, _CLASSICAL_DELTA))


def _analytic_sigma(epsilon: float) -> float:
    return float(gaussian.analytic_sigma(epsilon, _CLASSICAL_DELTA))


def _true_delta(epsilon: float) -> float:
    """Return the true δ of the classical σ."""
    return float(gaussian.delta_from_sigma(epsilon, _classical_sigma(epsilon)))


def _proved_told() -> Told:
    more = variance_comparison((_classical_sigma(0.5) / _analytic_sigma(0.5)) ** 2)
    sentence = (
        "At ε = 0.5 the classical formula, σ = √(2 ln(1.25/δ)) · Δ₂/ε, gives σ ="
        f" {format_up(_classical_sigma(0.5))}. It satisfies the guarantee, but it would {more} than the required σ ="
        f" {format_up(_analytic_sigma(0.5))}."
    )
    return sentence, Quiz(
        "Its proof ends at ε = 1. At ε = 3, is its σ still enough?",
        _true_delta(3),
        ("Yes, the true δ is at most 1e-5", 0, _CLASSICAL_DELTA),
        ("No, the true δ is larger", _CLASSICAL_DELTA, inf),
    )


def _unproved_told() -> Told:
    sentence = (
        f"At ε = 3 its proof does not apply, but its σ = {format_up(_classical_sigma(3))} is still enough: its true δ "
        f"is {format_up(_true_delta(3))}, and its curve passes below the target."
    )
    return sentence, Quiz(
        "At ε = 10, what is the true δ of its σ?",
        _true_delta(10),
        ("At most 1e-5", 0, _CLASSICAL_DELTA),
        ("More, up to twice 1e-5", _CLASSICAL_DELTA, 2 * _CLASSICAL_DELTA),
        ("More than twice 1e-5", 2 * _CLASSICAL_DELTA, inf),
    )


def _failure_told() -> Told:
    sentence = (
        f"Too little noise: σ = {format_up(_classical_sigma(10))} gives δ = {format_up(_true_delta(10))},"
        f" {format_nearest(_true_delta(10) / _CLASSICAL_DELTA, 2)} times the target. Its curve, now red, passes above"
        " the target."
    )
    return sentence, Quiz(
        "From which ε on does it fail, at this δ?",
        comparison.classical_limit(_CLASSICAL_DELTA),
        ("At an ε below 2", 0, 2),
        ("Between 2 and 6", 2, 6),
        ("Between 6 and 10", 6, 10),
    )


def _limit_told() -> Told:
    limit = format_down(comparison.classical_limit(_CLASSICAL_DELTA))
    sentence = (
        f"At δ = 1e-5 its σ is enough up to ε = {limit}: there it meets the required σ, the line at 1, and beyond it"
        f" falls below, in red. At ε = {_EPSILON_BEYOND} its true δ is already"
        f" {format_up(_true_delta(float(_EPSILON_BEYOND)))}."
    )
    return sentence, Quiz(
        "The classical σ is a constant divided by ε. By which factor must the constant grow to be enough at every ε?",
        _analytic_sigma(_MOST_EPSILON) / _classical_sigma(_MOST_EPSILON),
        ("About 2", 1.5, 2.5),
        ("About 10", 8, 12),
        ("No factor is enough", 100, inf),
    )


def _constant_told() -> Told:
    sentence = (
        "No factor is enough: beside the required σ, the line at 1, the classical σ falls on and on, below even the"
        f" lower bound Δ₂/√(2ε) (Balle & Wang 2018, Theorem 4). At ε = 100 they are {format_up(_analytic_sigma(100))}"
        f" and {format_up(_classical_sigma(100))}; at ε = 1e6 the required σ is"
        f" {format_down(_analytic_sigma(_MOST_EPSILON) / _classical_sigma(_MOST_EPSILON))} times the classical one."
    )
    sigmas = _classical_sigma(10), _analytic_sigma(10), _classical_sigma(1)
    return sentence, Quiz(
        "Which is the least σ with δ = 1e-5 at ε = 10?",
        _analytic_sigma(10),
        *((f"σ = {format_up(sigma)}", sigma * (1 - 1e-6), sigma * (1 + 1e-6)) for sigma in sigmas),
    )


def _analytic_told() -> Told:
    sigma = _analytic_sigma(10)
    sentence = (
        f"σ = {format_up(sigma)}, of the analytic Gaussian: its true δ at ε = 10 is"
        f" {format_up(float(gaussian.delta_from_sigma(10, sigma)))}. Its curve passes through the target at every ε, so"
        " there is no limit to remember."
    )
    return sentence, None


def _classical_step(epsilon: str, told: Callable[[], Told], start: str = "", view: str = "profile") -> Step:
    """Return a step, to which ε can move from its start; only the picture of all ε has the lower bound."""
    setting = {"epsilon": epsilon, "delta": format_input_up(_CLASSICAL_DELTA), "view": view}
    hidden = (*_OTHERS, "Lower bound") if view == "profile" else _OTHERS
    return Step(GAUSSIAN_BOUNDS, setting, told, ("epsilon", start) if start else (), hidden)


CLASSICAL_GAUSSIAN = Demonstration(
    "classical",
    "Why the classical bound fails",
    "The textbook formula for Gaussian noise: where its proof holds, beyond it, and where it violates the guarantee.",
    (
        _classical_step("0.5", _proved_told),
        _classical_step("3", _unproved_told, start="0.5"),
        _classical_step("10", _failure_told),
        _classical_step(_EPSILON_BEYOND, _limit_told, start="3", view="ratio"),
        _classical_step("100", _constant_told, start="1", view="ratio"),
        _classical_step("10", _analytic_told, start="0.5"),
    ),
)
