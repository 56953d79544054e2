"""Step 3 of the program of a release: noise by OpenDP’s exact samplers, in one composition."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pages.shared.release_program.steps.check import ReleaseError, shown
from pages.shared.release_program.steps.limit import MARGIN, step_of
from pages.shared.release_program.steps.series import rounding_of

ROUNDING = 1e-9  # a relative difference that counts as none


@dataclass(frozen=True)
class Composition:
    """The noise of all statistics as one measurement of OpenDP, and its privacy by OpenDP’s map: ε at the plan’s δ."""

    invoke: Callable[[dict[str, list[int]]], list[list[int]]]
    epsilon: float


def is_gaussian(statistic: dict[str, Any]) -> bool:
    """Return whether the noise of a statistic is Gaussian, on real or on whole numbers."""
    return str(statistic["noise"]).endswith("gaussian")


def opendp_module() -> Any:
    """Return OpenDP, or stop where it is not installed."""
    try:
        opendp = import_module("opendp.prelude")
    except ImportError as error:
        raise ReleaseError("OpenDP is not installed: run pip install 'opendp>=0.16,<0.17'.") from error
    opendp.enable_features("contrib", "honest-but-curious")
    return opendp


def sensitivity_in_steps(statistic: dict[str, Any]) -> float:
    """Return by how much one person can change a statistic in steps of its grid, in the norm of its noise."""
    size = planned_size(statistic) / step_of(statistic)
    size += statistic["kind"] == "mean"  # which is rounded to a step
    if statistic["kind"] == "series":
        size += rounding_of(statistic["series"], statistic["max_in_all"])
    return size if is_gaussian(statistic) else math.ceil(size)


def planned_size(statistic: dict[str, Any]) -> float:
    """Return the sensitivity of the plan in the norm of the noise, in units of the statistic."""
    return float(statistic["l2" if is_gaussian(statistic) else "l1"])


def growth_of(statistic: dict[str, Any]) -> float:
    """Return how many times as large as in the plan the noise is, for what is rounded to steps: hardly above 1."""
    growth = sensitivity_in_steps(statistic) * step_of(statistic) / planned_size(statistic)
    return growth if statistic["whole"] else growth * (1 + MARGIN)


def measurement_of(opendp: Any, statistic: dict[str, Any]) -> Any:
    """Return the noise of one statistic as a measurement of OpenDP on the aggregated numbers of all of them.

    Its distance is a number of people. Its scale has the ratio to the sensitivity that the plan has.
    """
    in_l2, name = is_gaussian(statistic), statistic["name"]
    size, planned = sensitivity_in_steps(statistic), planned_size(statistic)
    scale = math.nextafter(statistic["scale"] / step_of(statistic) * growth_of(statistic), math.inf)
    metric = opendp.l2_distance(T="f64") if in_l2 else opendp.l1_distance(T="i64")
    aggregates = opendp.user_domain(
        "the aggregated numbers of all statistics", lambda numbers: isinstance(numbers, dict)
    )
    transformation = opendp.t.make_user_transformation(
        input_domain=aggregates,
        input_metric=opendp.user_distance("people"),
        output_domain=opendp.vector_domain(opendp.atom_domain(T="i64")),
        output_metric=metric,
        function=lambda numbers: numbers[name],
        stability_map=lambda n_people: n_people * size,
    )
    then_noise = opendp.m.then_gaussian if in_l2 else opendp.m.then_laplace
    measurement = transformation >> then_noise(scale)
    privacy, allowed = measurement.map(1), planned / statistic["scale"]
    allowed = allowed**2 / 2 if in_l2 else allowed
    if privacy > allowed * (1 + ROUNDING):
        raise ReleaseError(f"OpenDP’s privacy of {shown(name)} is {privacy}, above {allowed}, which the plan allows.")
    return measurement


def composition_of(plan: dict[str, Any]) -> Composition:
    """Return all the noise of a plan as one composition: ε-DP where all of it is, else by ρ-zCDP.

    Raises
    ------
    ReleaseError
        if ε of a plan without δ is below OpenDP’s.
    """
    opendp = opendp_module()
    statistics = plan["statistics"]
    measurements = [measurement_of(opendp, statistic) for statistic in statistics]
    if not any(map(is_gaussian, statistics)):
        whole = opendp.c.make_composition(measurements)
        epsilon = whole.map(1)
        if not plan["delta"] and epsilon > plan["epsilon"] * (1 + ROUNDING):
            raise ReleaseError(f"OpenDP’s ε is {epsilon}, above {plan['epsilon']}, which the plan allows.")
        return Composition(whole, epsilon)
    whole = opendp.c.make_composition(
        [
            measurement if is_gaussian(statistic) else opendp.c.make_pureDP_to_zCDP(measurement)
            for measurement, statistic in zip(measurements, statistics, strict=True)
        ]
    )
    return Composition(whole, opendp.c.make_zCDP_to_approxDP(whole).map(1).epsilon(plan["delta"]))
