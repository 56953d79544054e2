"""An argument that a kind does not use is refused, by every public function that has kinds: a measure, a noise, …

`SWITCHES` says for each function which argument chooses the kind, and which arguments belong to some kinds only. What a
function has beside these belongs to all kinds. A function with a text argument that stands in no table here fails, and
so does one with a new argument.
"""

import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pytest

from dpcore import composition, tables
from dpcore.calibrations import ANALYTIC, GENERALIZED_ADP
from dpcore.composition import laplace_release
from dpcore.sensitivity import table_sensitivity


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
        """The arguments of all kinds that have a value; sources of randomness are as new."""
        return {
            name: deepcopy(value) if isinstance(value, np.random.Generator) else value
            for name, value in self.common.items()
            if value is not None
        }


LEVEL: dict[str, object] = {"significance": 0.01}
TARGET: dict[str, object] = {"epsilon": 1.0, "delta": 1e-6, "sensitivity": table_sensitivity(20_000)}
NOISY = np.array([9.0, 1, 2, 30, 2, 1, 7, 5])
ESTIMATORS_OF_A_SERIES: dict[object, dict[str, object]] = {
    ("none",): {},
    ("posterior_mean", "none"): {"prior_sd": 2},
    ("with_total",): {"total": 99},
    ("wavelet_sure",): {"basis": "db4"},
}
REPEATS: dict[str, object] = {
    "rng": np.random.default_rng(1),
    "truth": NOISY,
    "sigma": 3.0,
    "structure": "series",
    "n_repeats": 3,
    "n_pairs": None,
    "progress": None,
}
CLOSE_BY_OTHER_MEANS = "best", "exact", "basic_of_lines"  # which certify where the contour does not converge
SHAPE: dict[str, object] = {"guarantee": GENERALIZED_ADP, "epsilon": 0.1, "delta": 0.01}
SWITCHES = {
    "composition.delta": Switch(
        "accountant",
        {"releases": [laplace_release(0.5, 9)], "epsilon": 1.0},
        {"certified": {"excess": 0.3}},
        ("certified", "rdp", "zcdp"),
    ),
    "composition.epsilon": Switch(
        "accountant",
        {"releases": [laplace_release(0.5, 9)], "delta": 1e-6, "n_runs": None},
        {"certified": {"excess": 0.3}},
        tuple(name for name in composition.ACCOUNTANTS if name not in CLOSE_BY_OTHER_MEANS),
    ),
    "denoise.coupled_risk": Switch(
        "keys",
        {"rng": np.random.default_rng(1), "noisy": NOISY, "sigma": 3.0, "structure": "series", "n_pairs": 2},
        ESTIMATORS_OF_A_SERIES,
        tuple(ESTIMATORS_OF_A_SERIES),
    ),
    "denoise.estimates": Switch(
        "keys",
        {"noisy": NOISY, "sigma": 3.0, "structure": "series"},
        ESTIMATORS_OF_A_SERIES,
        tuple(ESTIMATORS_OF_A_SERIES),
    ),
    "denoise.simulate_errors": Switch(
        "keys",
        REPEATS,
        ESTIMATORS_OF_A_SERIES,
        tuple(ESTIMATORS_OF_A_SERIES),
    ),
    "generalized_gaussian.optimal_shape.best_against": Switch("measure", SHAPE | {"p": 2.0}, {"accuracy": LEVEL}),
    "generalized_gaussian.optimal_shape.best_frame": Switch("measure", SHAPE, {"accuracy": LEVEL}),
    "generalized_gaussian.optimal_shape.best_map": Switch("measure", SHAPE, {"accuracy": LEVEL}),
    "generalized_gaussian.optimal_shape.best_p": Switch("measure", SHAPE, {"accuracy": LEVEL}),
    "generalized_gaussian.optimal_shape.size": Switch("measure", {"scale": 1.0, "p": 3.0}, {"accuracy": LEVEL}),
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
        {"candidates": tables.mechanisms(1.0, 1e-6, table_sensitivity(3)), "guarantee": "delta", "whole": True},
        {"half_width": LEVEL | {"n_cells": 9}},
    ),
    "tables.experiment_settings": Switch(
        "mechanisms",
        {"epsilon": 1.0, "delta": 0.1},
        {("generalized", "laplace"): {"p": 5}},
        (("generalized", "laplace"), ("laplace", "pdp")),
    ),
    "tables.mechanisms": Switch(
        "keys",
        TARGET | {"sensitivity": table_sensitivity(3)},
        {tables.KEYS: {"p": 5}},
        (tables.KEYS, ("laplace", "analytic")),
    ),
    "tables.unavailable": Switch("keys", TARGET, {tables.KEYS: {"p": 2}}, (tables.KEYS, ("laplace", "analytic"))),
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
        function_of(dotted)(**switch.given, **switch.own.get(kind, {}), **{switch.name: kind, name: value})


def answer(dotted: str, kind: object, arguments: dict[str, object]) -> str:
    """Return the answer of a function as a text, or the refusal of a kind that needs another argument."""
    switch = SWITCHES[dotted]
    try:
        return repr(function_of(dotted)(**switch.given, **arguments, **{switch.name: kind}))
    except ValueError as refusal:
        return str(refusal)


@pytest.mark.parametrize(("dotted", "kind", "name"), [case[:3] for case in cases(is_own=True)])
def test_an_argument_that_a_kind_uses_changes_the_answer(dotted, kind, name):
    own = SWITCHES[dotted].own[kind]
    function_of(dotted)(**SWITCHES[dotted].given, **own, **{SWITCHES[dotted].name: kind})
    assert answer(dotted, kind, own) != answer(dotted, kind, {key: own[key] for key in own if key != name})


@pytest.mark.parametrize("dotted", SWITCHES)
def test_each_argument_of_a_function_with_kinds_is_declared(dotted):
    switch = SWITCHES[dotted]
    declared = {switch.name, *switch.common, *switch.own_names}
    assert declared == set(inspect.signature(function_of(dotted)).parameters)
