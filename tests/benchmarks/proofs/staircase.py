"""Claims on staircase noise."""

from fractions import Fraction

import numpy as np
from flint import arb, fmpq

from dpcore import staircase
from dpcore.verify import formulas
from tests.benchmarks.proofs.verdicts import Claims, guarantee_verdicts, value_verdicts
from tests.oracle import GREATEST_DELTA, random_pairs

GAMMAS = {"variance": staircase.variance_gamma, "mean_error": staircase.mean_error_gamma}


def constants(theta: arb, gamma: arb) -> tuple[arb, arb]:
    """Return b and the density at 0 times Δ."""
    rest = (-theta).exp()
    return rest, (1 - rest) / (2 * (gamma + rest * (1 - gamma)))


def true_epsilon(delta: arb, theta: arb, gamma: arb) -> arb:
    share = arb(1) / 2 + constants(theta, gamma)[1] * gamma.min(1 - gamma)
    if delta >= share:
        return arb(0)
    return (theta + (1 - delta / share).log()).max(arb(0))


def tail_and_density(t: arb, theta: arb, gamma: arb, sensitivity: arb) -> tuple[arb, arb]:
    """Return Pr(|X| > t) and t times the density of |X| at t; steps are counted in whole numbers."""
    ratio = Fraction(float(t)) / Fraction(float(sensitivity))
    step, part = divmod(ratio, 1)
    k, r = arb(int(step)), arb(fmpq(part.numerator, part.denominator))
    rest, height = constants(theta, gamma)
    near, later = (gamma - r).max(arb(0)), rest * (1 - r.max(gamma))
    scale = 2 * height * (-k * theta).exp()
    whole_steps = rest / (1 - rest) * (gamma + rest * (1 - gamma))
    density = scale * (1 if r < gamma else rest)
    return scale * (near + later + whole_steps), density * (k + r)


def true_tail(t: arb, theta: arb, gamma: arb, sensitivity: arb) -> arb:
    return tail_and_density(t, theta, gamma, sensitivity)[0]


def kept_by_quantile(significance: arb, theta: arb, gamma: arb, sensitivity: arb, t: arb) -> tuple[arb, arb]:
    """Return the tail at the quantile and the effect of rounding t and α."""
    tail, moved = tail_and_density(t, theta, gamma, sensitivity)
    return tail, moved + significance * (1 - significance.log())


def kept_by_theta(objective: str):
    def guaranteed(epsilon: arb, delta: arb, theta: arb) -> tuple[arb, arb]:
        rest = (-theta).exp()
        lossless = rest.sqrt() / 2 if objective == "mean_error" else (rest * rest / (4 * (1 + rest))).root(3)
        return -(1 - lossless) * (epsilon - theta).expm1(), (1 - lossless) * (epsilon - theta).exp() * theta

    return guaranteed


def claims(n: int, seed: int) -> Claims:
    rng = np.random.default_rng(seed)
    epsilon, delta = random_pairs(n, seed)
    delta[::5] = 10 ** rng.uniform(-90, 0, delta[::5].size)
    guaranteed = np.maximum(epsilon, 1e-12)
    for objective in GAMMAS:

        def theta_of(e, d, objective=objective):
            return staircase.theta_from_epsilon(e, d, objective)

        yield (
            f"staircase theta, {objective}",
            guarantee_verdicts(theta_of, kept_by_theta(objective), (guaranteed, np.maximum(delta, 1e-90)), 1),
        )
    theta = np.where(rng.random(n) < 0.4, 10 ** rng.uniform(-2, 2.5, n), 10 ** rng.uniform(-12, 6.3, n))
    kind = rng.integers(0, 4, n)
    choices = [10 ** rng.uniform(-300, 0, n), rng.random(n), GAMMAS["variance"](theta), GAMMAS["mean_error"](theta)]
    gamma = np.choose(kind, choices)
    less = np.minimum(theta * (1 - 10 ** rng.uniform(-16, 0, n)), 1e6)
    yield "staircase delta", value_verdicts(staircase.delta_from_theta, formulas.staircase, (less, theta, gamma))
    beside = np.minimum(staircase.delta_from_theta(less, theta, gamma), GREATEST_DELTA)
    spent = np.where(rng.random(n) < 0.7, beside, delta)
    yield "staircase epsilon", value_verdicts(staircase.epsilon_from_theta, true_epsilon, (spent, theta, gamma))
    sensitivity = 10 ** rng.uniform(-100, 100, n)
    place = np.where(rng.random(n) < 0.5, np.minimum(1 / theta, 700 / theta), np.maximum(gamma, 0.1))
    t = 10 ** rng.uniform(-8, 2, n) * place * sensitivity
    yield "staircase tail", value_verdicts(staircase.tail, true_tail, (t, theta, gamma, sensitivity))
    wide = sensitivity
    yield (
        "staircase quantile",
        guarantee_verdicts(staircase.half_width, kept_by_quantile, (delta, theta, gamma, wide), 0),
    )
