"""An argument that a kind does not use is refused, by every public function that has kinds: a measure, a noise, …

`SWITCHES` says for each function which argument chooses the kind, and which arguments belong to some kinds only. What a
function has beside these belongs to all kinds. A function with a text argument that stands in no table here fails, and
so does one with a new argument.
"""

import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce

import pytest

from dpcore.calibrations import ANALYTIC
from dpcore.sensitivity import table_sensitivity
from dpcore.tables import mechanisms


@dataclass(frozen=True)
class Switch:
    """The argument of a function that chooses a kind, and what belongs to some kinds only.

    Attributes
    ----------
    name : of the argument that chooses.
    common : the arguments of all kinds, each with a value or, where that is None, left out.
    own : for each kind that has some, its own arguments, each with a value that changes the answer.
    kinds : to try, where the function does not list its kinds itself; empty where it does.
    """

    name: str
    common: dict[str, object]
    own: Mapping[object, dict[str, object]]
    kinds: tuple[object, ...] = ()

    @property
    def own_names(self) -> set[str]:
        """The arguments that belong to some kinds only."""
        return {name for arguments in self.own.values() for name in arguments}

    @property
    def given(self) -> dict[str, object]:
        """The arguments of all kinds that have a value."""
        return {name: value for name, value in self.common.items() if value is not None}


LEVEL: dict[str, object] = {"significance": 0.01}
TABLE_NOISES = mechanisms(1.0, 1e-6, table_sensitivity(3))
SWITCHES = {
    "laplace_gaussian.calibrate_equal": Switch(
        "equal",
        {"calibration": ANALYTIC, "epsilon": 1.0, "delta": 1e-6, "l1_sensitivity": None, "l2_sensitivity": None},
        {"tail": {"t": 3}},
    ),
    "laplace_gaussian.crossover": Switch(
        "measure", {"calibration": ANALYTIC, "epsilon": 1.0, "delta": 1e-6}, {"accuracy": LEVEL}
    ),
    "laplace_gaussian.equal_sigma": Switch("measure", {"scale": 1.0}, {"accuracy": LEVEL}),
    "laplace_gaussian.frontier": Switch(
        "measure",
        {"calibration": ANALYTIC, "epsilon": 1.0, "l1_sensitivity": None, "l2_sensitivity": None},
        {"accuracy": LEVEL},
    ),
    "optimal_noise.integer_optimum": Switch(
        "cost", {"epsilon": 1.0, "delta": 0.1, "sensitivity": None, "most_rows": None}, {"tail": {"t": 1}}
    ),
    "optimal_noise.least_cost": Switch(
        "cost", {"epsilon": 1.0, "delta": 0.1, "sensitivity": None, "most_rows": 100}, {"tail": {"t": 1}}
    ),
    "recommendation.recommend": Switch(
        "measure",
        {"candidates": TABLE_NOISES, "guarantee": "delta", "whole": True},
        {"half_width": LEVEL | {"n_cells": 9}},
    ),
}


def function_of(dotted: str) -> Callable[..., object]:
    """Return a public function."""
    module, _, name = dotted.rpartition(".")
    return getattr(importlib.import_module(f"dpcore.{module}"), name)


def kinds_of(dotted: str) -> tuple[object, ...]:
    """Return the kinds that a function takes, as it says itself where it refuses one."""
    switch = SWITCHES[dotted]
    with pytest.raises(ValueError, match=rf"^{switch.name} must be in ") as caught:
        function_of(dotted)(**switch.given, **{switch.name: "nonsense"})
    text = re.fullmatch(r"\w+ must be in (.*), got 'nonsense'", str(caught.value))
    assert text
    return tuple(text[1].split(", "))


def cases(is_own: bool) -> list[tuple[str, object, str, object]]:
    """Return each function, kind and argument, with a value; of its own, or not its own."""
    return [
        (dotted, kind, name, value)
        for dotted, switch in SWITCHES.items()
        for kind in switch.kinds or kinds_of(dotted)
        for name, value in (reduce(dict.__or__, switch.own.values()) | switch.own.get(kind, {})).items()
        if (name in switch.own.get(kind, {})) == is_own
    ]


@pytest.mark.parametrize(("dotted", "kind", "name", "value"), cases(is_own=False))
def test_an_argument_that_a_kind_does_not_use_is_refused(dotted, kind, name, value):
    switch = SWITCHES[dotted]
    with pytest.raises(ValueError, match=rf"^{name} must be left out of .*, got {re.escape(repr(value))}$"):
        function_of(dotted)(**switch.given, **{switch.name: kind, name: value})


@pytest.mark.parametrize(("dotted", "kind", "name", "value"), cases(is_own=True))
def test_an_argument_that_a_kind_uses_changes_the_answer(dotted, kind, name, value):
    switch = SWITCHES[dotted]
    without = function_of(dotted)(**switch.given, **{switch.name: kind})
    with_it = function_of(dotted)(**switch.given, **{switch.name: kind, name: value})
    assert repr(with_it) != repr(without)


@pytest.mark.parametrize("dotted", SWITCHES)
def test_each_argument_of_a_function_with_kinds_is_declared(dotted):
    switch = SWITCHES[dotted]
    declared = {switch.name, *switch.common, *switch.own_names}
    assert declared == set(inspect.signature(function_of(dotted)).parameters)
