"""How fast composition is, against dp-accounting's Rényi (RDP) and privacy loss distribution (PLD) accountants.

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
ROUNDS = 5
LARGER = 1 + 1e-9  # roundings of two ways to one number


@dataclass(frozen=True)
class Case:
    """A list of releases, as dpcore and as dp-accounting have it."""

    releases: tuple[Release, ...]
    event: DpEvent


def training(noise: float, rate: float, steps: int) -> Case:
    step = PoissonSampledDpEvent(rate, GaussianDpEvent(noise))
    return Case((composition.sampled_release(noise, rate, steps),), SelfComposedDpEvent(step, steps))


CASES = {
    "Abadi, 10,000 steps": training(4, 0.01, 10_000),
    "TensorFlow's README, 14,063 steps": training(1.1, 256 / 60_000, 14_063),
    "Opacus' MNIST, 9,380 steps": training(1, 1 / 938, 9380),
    "100 Gaussians, 50 Laplace": Case(
        (composition.gaussian_release(20, 100), composition.laplace_release(0.1, 50)),
        ComposedDpEvent(
            [SelfComposedDpEvent(GaussianDpEvent(20), 100), SelfComposedDpEvent(LaplaceDpEvent(10), 50)],
        ),
    ),
}


def their_epsilon(make: Callable[[], Any], case: Case) -> float:
    return float(make().compose(case.event).get_epsilon(DELTA))


def seconds(task: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median seconds of processor of some runs."""
    taken = []
    for _ in range(rounds):
        start = time.thread_time()
        task()
        taken.append(time.thread_time() - start)
    return median(taken)


@pytest.mark.parametrize("name", CASES)
def test_epsilon_by_rdp_beside_dp_accounting(name: str, benchmark: Any) -> None:
    case = CASES[name]
    theirs = partial(their_epsilon, RdpAccountant, case)
    found = benchmark(lambda: float(composition.rdp_epsilon(case.releases, DELTA).value))
    say(benchmark, name, {"rdp_epsilon": found}, {"dp-accounting's RDP": theirs})
    assert found <= theirs() * LARGER  # which has fewer orders


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("ours", ["exact_epsilon", "certified_epsilon"])
def test_epsilon_beside_dp_accounting(ours: str, name: str, benchmark: Any) -> None:
    case = CASES[name]
    asked = getattr(composition, ours)
    found = benchmark(lambda: asked(case.releases, DELTA))
    epsilon = float(found.value if ours == "exact_epsilon" else found.bound)
    theirs = {
        "dp-accounting's PLD": partial(their_epsilon, PLDAccountant, case),
        "dp-accounting's RDP": partial(their_epsilon, RdpAccountant, case),
    }
    say(benchmark, name, {ours: epsilon}, theirs)
    assert epsilon == pytest.approx(theirs["dp-accounting's PLD"](), rel=3e-3)
    assert epsilon <= theirs["dp-accounting's RDP"]()


@pytest.mark.parametrize("accountant", ["certified", "rdp"])
def test_epsilon_of_dp_sgd_beside_dp_accounting(accountant: str, benchmark: Any) -> None:
    name = "TensorFlow's README, 14,063 steps"
    make = PLDAccountant if accountant == "certified" else RdpAccountant
    theirs = partial(their_epsilon, make, CASES[name])
    asked = DELTA, 1.1, 256 / 60_000, 14_063, accountant
    found = float(benchmark(lambda: composition.dp_sgd_epsilon(*asked)))
    say(benchmark, name, {f"dp_sgd_epsilon, {accountant}": found}, {f"dp-accounting's {make.__name__}": theirs})
    assert found == pytest.approx(theirs(), rel=0.01)


@pytest.mark.parametrize("accountant", ["certified", "rdp"])
def test_noise_of_dp_sgd_beside_dp_accounting(accountant: str, benchmark: Any) -> None:
    rate, steps, target = 256 / 60_000, 14_063, 2.0
    make = PLDAccountant if accountant == "certified" else RdpAccountant

    def event(noise: float) -> DpEvent:
        return training(noise, rate, steps).event

    def theirs() -> float:
        return calibrate_dp_mechanism(make, event, target, DELTA, ExplicitBracketInterval(0.5, 5), tol=1e-3)

    asked = target, DELTA, rate, steps, accountant
    found = float(benchmark(lambda: composition.dp_sgd_noise_multiplier(*asked)))
    said = {f"dp_sgd_noise_multiplier, {accountant}": found}
    say(benchmark, "ε = 2", said, {f"dp-accounting's {make.__name__}, to 1e-3": theirs}, rounds=1)
    assert found == pytest.approx(theirs(), rel=0.01)


def say(
    benchmark: Any, name: str, found: dict[str, float], theirs: dict[str, Callable[[], float]], rounds: int = ROUNDS
) -> None:
    """Print what a question takes, and how many times as long the others take for it in the same run."""
    ((ours, value),) = found.items()
    taken = benchmark.stats.stats.median
    print(f"\n{name}: {ours} {value:.6g} in {taken * 1e3:.1f} ms", end="")
    for other, task in theirs.items():
        ratio = seconds(task, rounds) / taken
        benchmark.extra_info[f"{other} over it"] = ratio
        print(f"; {other} {task():.6g} in {ratio:.3g} times that", end="")


@pytest.fixture(autouse=True)
def _quiet() -> None:
    logging.disable()
