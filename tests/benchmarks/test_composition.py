"""Speed of composition beside dp-accounting's Rényi (RDP) and privacy loss distribution (PLD) accountants.

python -m pytest tests/benchmarks/test_composition.py -s
"""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import pytest
from dp_accounting import (
    ComposedDpEvent,
    DpEvent,
    GaussianDpEvent,
    LaplaceDpEvent,
    PoissonSampledDpEvent,
    SelfComposedDpEvent,
    calibrate_dp_mechanism,
)
from dp_accounting.mechanism_calibration import ExplicitBracketInterval
from dp_accounting.pld import PLDAccountant
from dp_accounting.rdp import RdpAccountant

from dpcore import composition
from dpcore.composition import Release

DELTA = 1e-5
TRAINING = 1.1, 256 / 60_000, 14_063  # noise, rate, steps
TARGET = 2.0  # ε
ROUNDS = 5
LARGER = 1 + 1e-9  # roundings of two ways to one number


@dataclass(frozen=True)
class Case:
    """A list of releases in the forms of dpcore and of dp-accounting."""

    releases: tuple[Release, ...]
    event: DpEvent


def training(noise: float, rate: float, steps: int) -> Case:
    step = PoissonSampledDpEvent(rate, GaussianDpEvent(noise))
    return Case((composition.sampled_release(noise, rate, steps),), SelfComposedDpEvent(step, steps))


CASES = {
    "Abadi, 10,000 steps": training(4, 0.01, 10_000),
    "TensorFlow's README, 14,063 steps": training(*TRAINING),
    "Opacus' MNIST, 9,380 steps": training(1, 1 / 938, 9380),
    "100 Gaussians, 50 Laplace": Case(
        (composition.gaussian_release(20, 100), composition.laplace_release(0.1, 50)),
        ComposedDpEvent(
            [SelfComposedDpEvent(GaussianDpEvent(20), 100), SelfComposedDpEvent(LaplaceDpEvent(10), 50)],
        ),
    ),
}
ACCOUNTANTS: dict[str, type[PLDAccountant] | type[RdpAccountant]] = {"certified": PLDAccountant, "rdp": RdpAccountant}


def their_epsilon(make: Callable[[], Any], case: Case) -> float:
    return float(make().compose(case.event).get_epsilon(DELTA))


def seconds(task: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median processor time of some runs in seconds."""
    times = []
    for _ in range(rounds):
        start = time.thread_time()
        task()
        times.append(time.thread_time() - start)
    return median(times)


@pytest.mark.parametrize("name", CASES)
def test_epsilon_by_rdp_beside_dp_accounting(name: str, benchmark: Any) -> None:
    case = CASES[name]
    theirs = partial(their_epsilon, RdpAccountant, case)

    def ours() -> float:
        return float(composition.rdp_epsilon(case.releases, DELTA).value)

    compare(benchmark, f"{name}: rdp_epsilon", ours, {"RDP": theirs})
    assert ours() <= theirs() * LARGER  # which has fewer orders


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("which", ["exact_epsilon", "certified_epsilon"])
def test_epsilon_beside_dp_accounting(which: str, name: str, benchmark: Any) -> None:
    case = CASES[name]
    theirs = {
        "PLD": partial(their_epsilon, PLDAccountant, case),
        "RDP": partial(their_epsilon, RdpAccountant, case),
    }

    def ours() -> float:
        result = getattr(composition, which)(case.releases, DELTA)
        return float(result.value)

    compare(benchmark, f"{name}: {which}", ours, theirs)
    assert ours() == pytest.approx(theirs["PLD"](), rel=3e-3)
    assert ours() <= theirs["RDP"]()


@pytest.mark.parametrize("accountant", ["certified", "rdp"])
def test_epsilon_of_dp_sgd_beside_dp_accounting(accountant: str, benchmark: Any) -> None:
    theirs = partial(their_epsilon, ACCOUNTANTS[accountant], training(*TRAINING))

    def ours() -> float:
        return float(composition.dp_sgd_epsilon(DELTA, *TRAINING, accountant))

    compare(benchmark, f"dp_sgd_epsilon, {accountant}", ours, {ACCOUNTANTS[accountant].__name__: theirs})
    assert ours() == pytest.approx(theirs(), rel=0.01)


@pytest.mark.parametrize("accountant", ["certified", "rdp"])
def test_noise_of_dp_sgd_beside_dp_accounting(accountant: str, benchmark: Any) -> None:
    _, rate, steps = TRAINING
    make = ACCOUNTANTS[accountant]

    def theirs() -> float:
        bracket = ExplicitBracketInterval(0.5, 5)
        return calibrate_dp_mechanism(
            make, lambda noise: training(noise, rate, steps).event, TARGET, DELTA, bracket, tol=1e-3
        )

    def ours() -> float:
        return float(composition.dp_sgd_noise_multiplier(TARGET, DELTA, rate, steps, accountant))

    compare(benchmark, f"dp_sgd_noise_multiplier, {accountant}", ours, {f"{make.__name__}, to 1e-3": theirs}, rounds=1)
    assert ours() == pytest.approx(theirs(), rel=0.01)


def compare(
    benchmark: Any,
    name: str,
    ours: Callable[[], float],
    theirs: dict[str, Callable[[], float]],
    rounds: int = ROUNDS,
) -> None:
    """Print the time of a computation and the ratio of dp-accounting's time to it, in the same run."""
    benchmark(ours)
    times = seconds(ours)
    print(f"\n{name} {ours():.6g} in {times * 1e3:.1f} ms", end="")
    for other, task in theirs.items():
        ratio = seconds(task, rounds) / times
        benchmark.extra_info[f"dp-accounting's {other} over it"] = ratio
        print(f"; dp-accounting's {other} {task():.6g} in {ratio:.3g} times that", end="")


@pytest.fixture(autouse=True)
def _quiet() -> None:
    logging.disable()
