"""Claims on accuracies and on the noise that an accuracy allows."""

import numpy as np
from flint import arb

from dpcore import accuracy
from dpcore import staircase as noise
from tests.benchmarks.proofs import staircase
from tests.benchmarks.proofs.discrete import geometric_tail
from tests.benchmarks.proofs.gaussian import quantile
from tests.benchmarks.proofs.verdicts import Claims, at_most, guarantee_verdicts, value_verdicts
from tests.oracle import random_pairs

MARGIN_OF_RECORDS = 1 + 2.0**-51  # width/n is rounded, which no rule knows


def gaussian_accuracy(sigma: arb, significance: arb) -> arb:
    return sigma * quantile(significance / 2)


def gaussian_sigma(target: arb, significance: arb) -> arb:
    return target / quantile(significance / 2)


def laplace_accuracy(epsilon: arb, significance: arb, sensitivity: arb) -> arb:
    return -sensitivity / epsilon * significance.log()


def missed_by_geometric(epsilon: arb, significance: arb, sensitivity: arb, a: arb) -> tuple[arb, arb]:
    return geometric_tail(a, sensitivity / epsilon), significance


def missed_by_geometric_epsilon(a: arb, significance: arb, sensitivity: arb, epsilon: arb) -> tuple[arb, arb]:
    return geometric_tail(a, sensitivity / epsilon), significance * (1 - significance.log())


def missed_by_staircase(epsilon: arb, significance: arb, sensitivity: arb, t: arb) -> tuple[arb, arb]:
    gamma = arb(float(noise.variance_gamma(float(epsilon))))
    tail, moved = staircase.tail_and_density(t, epsilon, gamma, sensitivity)
    return tail, moved + significance * (1 - significance.log())


def missed_by_staircase_epsilon(t: arb, significance: arb, sensitivity: arb, epsilon: arb) -> tuple[arb, arb]:
    return missed_by_staircase(epsilon, significance, sensitivity, t)


def closed_forms(n: int, seed: int) -> Claims:
    rng = np.random.default_rng(seed)
    epsilon, significance = random_pairs(n, seed)
    epsilon, size = np.maximum(epsilon, 1e-9), 10 ** rng.uniform(-50, 50, n)
    steps, whole = rng.choice([1, 1, 2, 31, 1e9], n), np.floor(10 ** rng.uniform(0, 9, n)) - 1
    reached = accuracy.gaussian_accuracy, gaussian_accuracy, (size, significance)
    yield "gaussian accuracy", value_verdicts(*reached)
    allowed = accuracy.gaussian_sigma_from_accuracy, gaussian_sigma, (size, significance)
    yield "gaussian sigma of accuracy", value_verdicts(*allowed, side=-1)
    arguments = epsilon, significance, size
    yield "laplace accuracy", value_verdicts(accuracy.laplace_accuracy, laplace_accuracy, arguments)
    apart = size * 10 ** rng.uniform(-3, 3, n), significance, size
    yield "laplace epsilon of accuracy", value_verdicts(accuracy.laplace_epsilon, laplace_accuracy, apart)
    moved = epsilon, significance, steps
    yield "geometric accuracy", guarantee_verdicts(accuracy.geometric_accuracy, missed_by_geometric, moved, 1)
    target = whole, significance, steps
    yield (
        "geometric epsilon of accuracy",
        guarantee_verdicts(accuracy.geometric_epsilon, missed_by_geometric_epsilon, target, 1),
    )
    yield "staircase accuracy", guarantee_verdicts(accuracy.staircase_accuracy, missed_by_staircase, arguments, 1)
    yield (
        "staircase epsilon of accuracy",
        guarantee_verdicts(accuracy.staircase_epsilon, missed_by_staircase_epsilon, apart, 1),
    )


def inverses(n: int, seed: int) -> Claims:
    """Yield the verdicts on whether the noise of a rule reaches the accuracy, for single values and arrays."""
    for rule in accuracy.RULES:
        rng = np.random.default_rng(seed)
        epsilon, significance = random_pairs(n, seed)
        delta = np.minimum(10 ** rng.uniform(-20, -0.01, n), 0.9)
        target, sensitivity = 10 ** rng.uniform(-3, 4, n), 10 ** rng.uniform(-3, 3, n)
        if rule.whole:
            sensitivity = np.ceil(sensitivity)
        if rule.key == "geometric_published":
            target = np.ceil(target)
        least_epsilon = accuracy.epsilon_for(rule, target, significance, sensitivity, delta)
        usable = (least_epsilon <= 1e6) & (least_epsilon >= 1e-12)
        rows = zip(least_epsilon[usable], significance[usable], sensitivity[usable], delta[usable], strict=True)
        reached = np.array([float(accuracy.half_width(rule, *row)) for row in rows])
        yield f"{rule.key}: epsilon of accuracy", at_most(reached, target[usable])

        usable = (epsilon >= 1e-6) & (significance < 1 - 1e-8)
        arguments = epsilon[usable], significance[usable]
        target, delta = target[usable], delta[usable]
        most = accuracy.greatest_sensitivity(rule, target, *arguments, delta)
        some = most >= 1 if rule.whole else most > 0
        rows = zip(*(part[some] for part in (*arguments, most, delta)), strict=True)
        reached = np.array([float(accuracy.half_width(rule, *row)) for row in rows])
        yield f"{rule.key}: sensitivity", at_most(reached, target[some])
        if rule.whole:
            continue
        n_records = accuracy.least_records(rule, target, *arguments, 1.0, delta)
        rows = zip(*arguments, np.maximum(1 / n_records, 1e-100), delta, strict=True)
        reached = np.array([float(accuracy.half_width(rule, *row)) for row in rows])
        yield f"{rule.key}: records", at_most(reached, target * MARGIN_OF_RECORDS)


def claims(n: int, seed: int) -> Claims:
    yield from closed_forms(n, seed)
    yield from inverses(n // 2, seed + 1)
