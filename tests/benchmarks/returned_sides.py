"""Check random inverses of dpcore.composition: compute ε at the value that they return.

    python -m tests.benchmarks.returned_sides [N] [-s 1]

For N random targets (50 unless said) each inverse is asked under one of its accountants that guarantee: noise, sampling
rate, steps and batch of DP-SGD, how often a list can run, and what a query may spend. At what is returned the account
itself and a bound of finer excess must keep ε; 1 % to the less private side the account must not, but at the end of
a range. Violations are printed as they are found, with the question as Python.
"""

import argparse
import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpcore import composition
from dpcore.composition import Release
from dpcore.composition._targets import QUERY_MECHANISMS, TOTALS
from tests.benchmarks.random_lists import log_uniform, release
from tests.benchmarks.servers import machine

FINE, BESIDE = (1e-5, 1e-4, 5e-4, 1e-3), 0.01  # excesses, with that of the answers, and how far beside them
OWN_EPSILON = "guarantee", "laplace", "exponential"
MADE: dict[str, Callable[..., Release]] = {
    "guarantee": composition.guarantee_release,
    "laplace": composition.laplace_release,
    "exponential": composition.exponential_release,
}


@dataclass(frozen=True)
class Answer:
    """The result of an inverse: the list that it allows, a slightly less private one, and the call."""

    question: str
    target: float
    delta: float
    accountant: str
    allowed: Sequence[Release]
    beside: Sequence[Release]


def evaluate(name: str, *arguments: object) -> tuple[float, str]:
    """Return the result of a public function and its call as Python code."""
    arguments_text = ", ".join(map(repr, arguments))
    return float(getattr(composition, name)(*arguments)), f"{name}({arguments_text})"


def training(rng: random.Random, which: str) -> Answer:
    """Return a random inverse of DP-SGD."""
    epsilon, delta = log_uniform(rng, 0.1, 10), log_uniform(rng, 1e-10, 1e-3)
    noise, rate = log_uniform(rng, 0.4, 10), log_uniform(rng, 1e-5, 0.1)
    steps, accountant = round(log_uniform(rng, 10, 1e5)), rng.choice(("certified", "certified", "rdp"))
    if which == "noise":
        result, call = evaluate("dp_sgd_noise_multiplier", epsilon, delta, rate, steps, accountant)
        trainings = [(result * by, rate, steps) for by in (1, 1 - BESIDE) if 1e-3 < result * by < 1e6]
    elif which == "rate":
        result, call = evaluate("dp_sgd_sampling_rate", epsilon, delta, noise, steps, accountant)
        trainings = [(noise, result * by, steps) for by in (1, 1 + BESIDE) if result * by <= 1]
    elif which == "steps":
        result, call = evaluate("dp_sgd_steps", epsilon, delta, noise, rate, accountant)
        trainings = [(noise, rate, count) for count in counts_at(result, 1e6)]
    else:
        epochs, records = log_uniform(rng, 1, 200), round(log_uniform(rng, 1e3, 1e7))
        result, call = evaluate("dp_sgd_batch", epsilon, delta, noise, epochs, records, accountant)
        trainings = [
            (n, float(composition.steps_of_epochs(epochs, records, n)) if n else 0) for n in counts_at(result, records)
        ]
        trainings = [(noise, n / records, steps) for n, steps in trainings]
    lists = [[composition.sampled_release(z, q, int(t))] if 0 < t <= 1e6 else [] for z, q, t in trainings]
    return Answer(call, epsilon, delta, accountant, *(*lists, [], [])[:2])


def counts_at(result: float, most: float) -> list[int]:
    """Return a returned whole number and one that is 1 % larger, within the range."""
    beside = math.ceil(result * (1 + BESIDE)) + 1
    return [int(result), *([beside] if beside <= most else [])]


def runs(rng: random.Random) -> Answer:
    """Return the inverse for the number of runs of a list."""
    epsilon, delta = log_uniform(rng, 0.1, 20), log_uniform(rng, 1e-10, 1e-3)
    accountant = rng.choice(TOTALS)
    few = [release(rng, False, delta / 1e3) for _ in range(rng.randint(1, 4))]
    once = [
        release.times(1) for release in few if accountant in ("zcdp", "rdp", "certified") or release.kind in OWN_EPSILON
    ]
    once = once or [composition.guarantee_release(log_uniform(rng, 1e-3, 0.1))]
    result, call = evaluate("releases_within", epsilon, delta, once, accountant)
    lists = [[release.times(n) for release in once] if n else [] for n in counts_at(result, 1e6)]
    return Answer(call, epsilon, delta, accountant, *(*lists, [])[:2])


def query(rng: random.Random) -> Answer:
    """Return the inverse for the ε of each of many equal queries."""
    epsilon, delta = log_uniform(rng, 0.1, 20), log_uniform(rng, 1e-10, 1e-3)
    n, mechanism = round(log_uniform(rng, 1, 1e5)), rng.choice(QUERY_MECHANISMS)
    accountant = rng.choice(TOTALS)
    result, call = evaluate("epsilon_per_query", epsilon, delta, n, mechanism, accountant)
    lists = [[MADE[mechanism](result * by, count=n)] if 0 < result * by <= 1e3 else [] for by in (1, 1 + BESIDE)]
    return Answer(call, epsilon, delta, accountant, *lists)


def total(releases: Sequence[Release], delta: float, accountant: str) -> float:
    """Return ε of a list by an accountant; a certified one uses the finer excess."""
    if accountant == "rdp":
        return float(composition.rdp_epsilon(releases, delta).value)
    if accountant == "zcdp":
        return float(composition.zcdp_epsilon(releases, delta))
    if accountant == "certified":
        return min(fine(tuple(releases), delta), total(releases, delta, "rdp"))
    epsilon, count = [release.numbers[0] for release in releases], [release.count for release in releases]
    own = [release.numbers[1] if release.kind == "guarantee" else 0.0 for release in releases]
    if accountant == "basic":
        is_within = float(composition.basic_delta(own, count)) <= delta
        return float(composition.basic_epsilon(epsilon, count)) if is_within else math.inf
    formula = composition.advanced_epsilon if accountant == "advanced" else composition.kairouz_epsilon
    return float(formula(delta, epsilon, count, own))


@cache
def fine(releases: tuple[Release, ...], delta: float) -> float:
    """Return the least certified ε over some excesses; the finest excess need not give it."""
    return min(float(composition.certified_epsilon(releases, delta, excess).value) for excess in FINE)


def wrong(answer: Answer) -> str:
    """Return the problem of a result, empty if there is none."""
    target, delta, accountant = answer.target, answer.delta, answer.accountant
    if answer.allowed:
        by_account, certified = total(answer.allowed, delta, accountant), fine(tuple(answer.allowed), delta)
        if any(release.kind == "exponential" for release in answer.allowed):  # whose range makes RDP the sharper
            certified = min(certified, total(answer.allowed, delta, "rdp"))
        if certified > target:
            return f"UNSAFE: ε is certified as {certified!r} only, and by the account {by_account!r}"
        if by_account > target:
            return f"kept, but not by the account itself: {by_account!r}"
    if answer.beside and (by_account := total(answer.beside, delta, accountant)) <= target:
        return f"loose: 1 % beyond it ε is {by_account!r} still"
    return ""


INVERSES: dict[str, Callable[[random.Random], Answer]] = {
    "dp_sgd_noise_multiplier": lambda rng: training(rng, "noise"),
    "dp_sgd_sampling_rate": lambda rng: training(rng, "rate"),
    "dp_sgd_steps": lambda rng: training(rng, "steps"),
    "dp_sgd_batch": lambda rng: training(rng, "batch"),
    "releases_within": runs,
    "epsilon_per_query": query,
}


def main(n: int, seed: int) -> None:
    seconds, tallies = defaultdict(list), defaultdict(int)
    for name, inverse in INVERSES.items():
        for place in range(n):
            start = time.thread_time()
            answer = inverse(random.Random(f"{name} {seed} {place}"))
            seconds[name].append(time.thread_time() - start)
            tallies[name, "answered"] += bool(answer.allowed)
            tallies[name, "checked beside"] += bool(answer.beside)
            if problem := wrong(answer):
                tallies[name, problem.split(":")[0]] += 1
                print(f"{answer.question}, ε {answer.target}, δ {answer.delta}: {problem}", flush=True)
    print(f"{n} targets of seed {seed} for each inverse; {machine()}")
    for name, times in seconds.items():
        counts = ", ".join(f"{verdict} {times}" for (which, verdict), times in tallies.items() if which == name)
        middle, late = np.percentile(times, (50, 99))
        print(f"{name:24} median {middle:.3f} s, 99 % {late:.3f} s, worst {max(times):.3f} s; {counts}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int, nargs="?", default=50, metavar="N", help="how many targets for each inverse")
    parser.add_argument("-s", "--seed", type=int, default=1)
    chosen = parser.parse_args()
    main(chosen.n, chosen.seed)
