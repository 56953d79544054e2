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
from dpcore.sensitivity import QUERY_ARGUMENTS, table_sensitivity
from tests.test_examples import modules, public_functions


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
    common: Mapping[str, object]
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
CLOSE_BY_OTHER_MEANS = "best", "exact", "basic_of_lines"  # which certify where the contour does not converge
SHAPE: dict[str, object] = {"guarantee": GENERALIZED_ADP, "epsilon": 0.1, "delta": 0.01}
QUERY_VALUES: dict[str, object] = {
    "low": -5,
    "high": 3,
    "n_records": 7,
    "is_n_public": False,
    "n_cells": 9,
    "cells_per_person": 2,
    "per_cell": 3,
    "cap": 4,
    "n_periods": 2,
    "is_joint": True,
    "l1_sensitivity": 5,
    "l2_sensitivity": 4,
}
NONE_OF_A_SERIES = ("contributions", "per_cell", "total", "neighbours", "window", "publication")
NOISES_WITH_DELTA = "gaussian", "truncated_laplace", "discrete_gaussian"
OF_NOISE: Mapping[object, dict[str, object]] = {key: {"delta": 0.01} for key in NOISES_WITH_DELTA}
SUM: dict[str, object] = {"values": [1, 5, 9], "low": 0, "high": 8, "epsilon": 1.0}
BEST_BOUNDS: dict[str, object] = {
    "values": [1, 5, 9],
    "low": 0,
    "epsilon": 1.0,
    **dict.fromkeys(("high", "neighbours", "count_share")),
}
SWITCHES = {
    "clipping.best_bounds, noise": Switch("noise", BEST_BOUNDS | dict.fromkeys(("error", "significance")), OF_NOISE),
    "clipping.best_bounds, error": Switch(
        "error", BEST_BOUNDS | dict.fromkeys(("noise", "delta")), {"half_width": LEVEL}
    ),
    "clipping.best_limit": Switch(
        "error",
        {"records_per_person": np.arange(1, 100), "epsilon": 1.0, "table": None},
        {"cell_half_width": LEVEL, "all_half_width": LEVEL},
    ),
    "clipping.mean_error": Switch(
        "noise", SUM | dict.fromkeys(("neighbours", "significance", "bias", "count_share")), OF_NOISE
    ),
    "clipping.sum_error": Switch("noise", SUM | dict.fromkeys(("neighbours", "significance", "bias")), OF_NOISE),
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
    "linear_queries.error": Switch(
        "strategy",
        {"workload": "ranges", "n": 64, "noise": "laplace"} | dict.fromkeys(NONE_OF_A_SERIES),
        {
            "tree": {"branching": 8},
            "best": {"branching": 8},
            "banded": {"bands": 2},
            "optimum": {"aim": "root_mean_square"},
        },
    ),
    "unknown_groups.threshold": Switch(
        "noise",
        {"epsilon": 1.0, "delta": 1e-6, "groups_per_person": 30, "contributions": None, "rule": None, "total": None},
        {"truncated_geometric": {"probability": 0.5}},
    ),
    "unknown_groups.delta_from_threshold": Switch(
        "noise",
        {"epsilon": 1.0, "scale": 3, "threshold": 40}
        | dict.fromkeys(("groups_per_person", "contributions", "rule", "total")),
        {"truncated_geometric": {"bound": 9}},
    ),
    "verify.sums_change": Switch(
        "strategy",
        {"n": 30, "workload": "window", "window": 3}
        | dict.fromkeys(("contributions", "per_cell", "total", "neighbours", "norm")),
        {"tree": {"branching": 8}, "banded": {"bands": 2}},
    ),
    "verify.threshold_delta": Switch(
        "noise",
        {"epsilon": 1.0, "scale": 3, "threshold": 40}
        | dict.fromkeys(("groups_per_person", "contributions", "rule", "total")),
        {"truncated_geometric": {"bound": 9}},
    ),
    "generalized_gaussian.optimal_shape.best_against": Switch("measure", SHAPE | {"p": 2.0}, {"accuracy": LEVEL}),
    "generalized_gaussian.optimal_shape.best_frame": Switch("measure", SHAPE, {"accuracy": LEVEL}),
    "generalized_gaussian.optimal_shape.best_map": Switch("measure", SHAPE, {"accuracy": LEVEL}),
    "generalized_gaussian.optimal_shape.best_p": Switch("measure", SHAPE, {"accuracy": LEVEL}),
    "generalized_gaussian.optimal_shape.size": Switch("measure", {"scale": 1.0, "p": 3.0}, {"accuracy": LEVEL}),
    "laplace_gaussian.calibrate_equal": Switch(
        "equal",
        {"calibration": ANALYTIC, "epsilon": 1.0, "delta": 1e-6, "norms": None},
        {"tail": {"t": 3}},
    ),
    "laplace_gaussian.crossover": Switch(
        "measure", {"calibration": ANALYTIC, "epsilon": 1.0, "delta": 1e-6}, {"accuracy": LEVEL}
    ),
    "laplace_gaussian.equal_sigma": Switch("measure", {"scale": 1.0}, {"accuracy": LEVEL}),
    "laplace_gaussian.frontier": Switch(
        "measure",
        {"calibration": ANALYTIC, "epsilon": 1.0, "norms": None},
        {"accuracy": LEVEL},
    ),
    "recommendation.recommend": Switch(
        "measure",
        {"candidates": tables.mechanisms(1.0, 1e-6, table_sensitivity(3)), "guarantee": "delta", "whole": True},
        {"half_width": LEVEL | {"n_cells": 9}},
    ),
    "sensitivity.query_sensitivity": Switch(
        "query",
        {"neighbours": None, "records_per_person": None},
        {query: {name: QUERY_VALUES[name] for name in names} for query, names in QUERY_ARGUMENTS.items()},
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


FOR_ALL_KINDS = {
    "composition.delta_from_rdp": "epsilon order divergence conversion",
    "composition.delta_from_rho": "epsilon rho conversion",
    "composition.dp_sgd_batch": "epsilon delta noise_multiplier epochs n_records accountant",
    "composition.dp_sgd_epsilon": "delta noise_multiplier sampling_rate steps accountant",
    "composition.dp_sgd_epsilon_bound": "delta noise_multiplier sampling_rate steps accountant",
    "composition.dp_sgd_noise_multiplier": "epsilon delta sampling_rate steps accountant",
    "composition.dp_sgd_sampling_rate": "epsilon delta noise_multiplier steps accountant",
    "composition.dp_sgd_steps": "epsilon delta noise_multiplier sampling_rate accountant",
    "composition.epsilon_from_rdp": "delta order divergence conversion",
    "composition.epsilon_from_rho": "delta rho conversion",
    "composition.epsilon_per_query": "epsilon_total delta n_queries mechanism accountant",
    "composition.log_moment": "release s direction",
    "composition.parallel_delta": "delta neighbours",
    "composition.parallel_epsilon": "epsilon neighbours",
    "composition.rdp_delta": "releases epsilon conversion",
    "composition.rdp_epsilon": "releases delta conversion n_runs",
    "composition.releases_within": "epsilon delta releases accountant",
    "composition.rho_from_epsilon": "epsilon delta conversion",
    "composition.shuffled_delta": "epsilon local_epsilon n_reports randomizer",
    "composition.shuffled_epsilon": "delta local_epsilon n_reports randomizer",
    "composition.zcdp_delta": "releases epsilon conversion",
    "composition.zcdp_epsilon": "releases delta conversion n_runs",
    "denoise.coupled_risk": "rng noisy sigma knowledge keys n_pairs",
    "denoise.estimates": "noisy sigma knowledge keys",
    "denoise.graph_wavelet": "noisy sigma graph rule",
    "denoise.simulate_errors": "rng truth sigma n_repeats knowledge keys progress n_pairs",
    "denoise.wavelet": "noisy sigma wavelet rule axes",
    "generalized_gaussian.optimal_shape.matched_scales": "match guarantee epsilon delta p others sensitivity",
    "local.epsilon_for_half_width": "half_width n_options n_people method share significance sampling",
    "local.estimated_shares": "counted n_people epsilon method",
    "local.exact_half_width": "epsilon n_options n_people method share significance",
    "local.half_width": "epsilon n_options n_people method share significance sampling",
    "local.least_people": "half_width epsilon n_options method share significance sampling",
    "local.mean_half_width": "epsilon n_people method mean low high significance",
    "local.mean_least_people": "half_width epsilon method mean low high significance",
    "local.questions_half_width": "n_questions epsilon n_options n_people way method share significance",
    "local.report_probabilities": "epsilon n_options method share",
    "local.sample_counts": "rng counts epsilon method",
    "local.simultaneous_half_width": "epsilon n_options n_people method significance",
    "local.sample_numbers": "rng values epsilon method low high",
    "optimal_noise.best_known_noise": "epsilon delta sensitivity cost most_rows",
    "optimal_noise.closed_form_frame": "epsilon delta measure",
    "optimal_noise.integer_optimum": "epsilon delta sensitivity cost most_rows",
    "optimal_noise.least_cost": "epsilon delta sensitivity cost most_rows",
    "optimal_noise.floor_frame": "epsilon delta measure most_rows",
    "plan.choose": "queries delta mechanism",
    "plan.query": "half_width statistic significance name neighbours whole group mechanism epsilon scale n_releases",
    "plan.marginal": "queries delta mechanism",
    "plan.scaled_to": "queries epsilon delta mechanism",
    "plan.total_epsilon": "queries delta mechanism",
    "verify.choice_delta": "epsilon scores other_scores noise_epsilon sensitivity mechanism edges",
    "unknown_groups.threshold_of_noise": "scale delta groups_per_person noise contributions total",
    "quantiles.bias": "values quantile epsilon outputs neighbours",
    "quantiles.cliff_probability": "values quantile epsilon outputs neighbours",
    "quantiles.epsilon_without_cliff": "values quantile outputs probability neighbours least_epsilon",
    "quantiles.half_width": "values quantile epsilon outputs significance neighbours",
    "quantiles.least_epsilon": "values quantile error outputs significance neighbours",
    "quantiles.least_records": "values quantile error epsilon outputs significance neighbours",
    "quantiles.population_half_width": "values quantile epsilon outputs significance neighbours",
    "quantiles.rank_half_width": "values quantile epsilon outputs significance neighbours",
    "quantiles.records_without_cliff": "values quantile epsilon outputs probability neighbours",
    "quantiles.released_distribution": "values quantile epsilon outputs neighbours",
    "quantiles.sample": "rng values quantile epsilon outputs neighbours size",
    "quantiles.sample_histogram": "rng values quantiles epsilon outputs n_bins delta neighbours size",
    "readers.read_table": "data columns kind progress repairs person counts",
    "readers.table_problems": "data columns kind repairs counts",
    "risk.dp_sgd_noise_multiplier_from_risk": "kind limit conditions sampling_rate steps",
    "risk.epsilon_from_risk": "kind limit conditions delta",
    "risk.geometric_theta_from_risk": "kind limit conditions sensitivity",
    **dict.fromkeys(("risk.laplace_theta_from_risk", "risk.mu_from_risk"), "kind limit conditions"),
    "risk.noise_factor_from_risk": "kind limit conditions releases",
    "risk.reached_risk": "kind curve conditions",
    "selection.expected_gap": "scores epsilon sensitivity mechanism monotone",
    "selection.winner_probability": "scores epsilon sensitivity mechanism monotone",
    "selection.least_epsilon": "scores probability sensitivity mechanism monotone",
    "selection.release_of_choice": "mechanism epsilon count",
    "selection.top_probability": "scores n_chosen epsilon sensitivity mechanism monotone",
    "sensitivity.capped_sensitivity": "cap per_place neighbours ends",
    "sensitivity.table_sensitivity": "cells_per_person per_cell neighbours margins n_cells cap n_periods",
    "staircase.theta_from_epsilon": "epsilon delta objective",
    "tables.of_half_width": "key accuracy significance delta sensitivity",
}
"""The arguments that all kinds use, or have in the wanted guarantee: noise of ε-DP satisfies (ε, δ)-DP for every δ."""
FREE_TEXTS = {
    *("address", "column", "columns", "decimal", "entry", "group", "ids", "name", "pair", "parts", "person", "repairs"),
    *("subject", "weight"),
}


def function_of(dotted: str) -> Callable[..., object]:
    """Return a public function, by its name or by that and one of its switches."""
    module, _, name = dotted.partition(",")[0].rpartition(".")
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
    others = {key: value for key, value in own.items() if key != name}
    changes_all = answer(dotted, kind, own) != answer(dotted, kind, others)
    assert changes_all or answer(dotted, kind, {name: own[name]}) != answer(dotted, kind, {})


def has_kinds(function: Callable[..., object]) -> bool:
    """Return whether an argument of a function is one of several texts, or a list of keys."""
    return any(
        (argument.annotation in (str, str | None) and argument.name not in FREE_TEXTS)
        or argument.name in ("keys", "mechanisms")
        for argument in inspect.signature(function).parameters.values()
    )


def test_each_argument_of_each_function_with_kinds_is_declared():
    functions = {
        function
        for module in modules()
        for function in public_functions(module).values()
        if module.__name__ != "dpcore.checks" and has_kinds(function)
    }
    declared = {name: {switch.name, *switch.common, *switch.own_names} for name, switch in SWITCHES.items()}
    declared |= {name: set(arguments.split()) for name, arguments in FOR_ALL_KINDS.items()}
    assert {function_of(name) for name in declared} == functions
    found = {name: set(inspect.signature(function_of(name)).parameters) for name in declared}
    assert declared == found
