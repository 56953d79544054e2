"""Claims on trade-off functions: β is rounded down, the power and the smallest μ up."""

import numpy as np
from flint import arb

from dpcore import tradeoff
from dpcore.verify.formulas import shaped_tail, upper_tail
from tests.benchmarks.proofs.discrete import near
from tests.benchmarks.proofs.gaussian import quantile
from tests.benchmarks.proofs.generalized_gaussian import quantile as shaped_quantile
from tests.benchmarks.proofs.verdicts import Claims, value_verdicts
from tests.oracle import Numbers

ONE = arb(1)


def gaussian(alpha: arb, mu: arb) -> arb:
    return upper_tail(mu - quantile(alpha))


def gaussian_power(alpha: arb, mu: arb) -> arb:
    return upper_tail(quantile(alpha) - mu)


def epsilon_delta(alpha: arb, epsilon: arb, delta: arb) -> arb:
    steep, flat = 1 - delta - epsilon.exp() * alpha, (-epsilon).exp() * (1 - delta - alpha)
    return steep.max(flat).max(arb(0))


def epsilon_delta_power(alpha: arb, epsilon: arb, delta: arb) -> arb:
    return (delta + epsilon.exp() * alpha).min(1 - epsilon_delta(alpha, epsilon, delta))


def laplace(alpha: arb, theta: arb) -> arb:
    """Return β of Laplace noise as the largest of its three parts, which are all lower bounds."""
    shrunk = (-theta).exp()
    if alpha > arb(1) / 2:
        return shrunk * (1 - alpha)
    return 1 - theta.exp() * alpha if 2 * alpha < shrunk else shrunk / (4 * alpha)


def laplace_power(alpha: arb, theta: arb) -> arb:
    return theta.exp() * alpha if 2 * alpha < (-theta).exp() else 1 - laplace(alpha, theta)


def geometric(alpha: arb, theta: arb, steps: arb) -> arb:
    """Return the maximum over k = 0 … Δ of q^{Δ−k}(1 − α q^{−k}), concave in k."""
    rate, best = theta / steps, arb(0)
    whole = int(float(steps))
    for k in {0, whole, *near((arb(1) / 2 / alpha).log() / rate, whole + 1)}:
        best = best.max((-(whole - k) * rate).exp() * (1 - alpha * (k * rate).exp()))
    return best


def geometric_power(alpha: arb, theta: arb, steps: arb) -> arb:
    return (theta.exp() * alpha).min(1 - geometric(alpha, theta, steps))


def shaped(alpha: arb, p: arb, shift: arb) -> arb:
    return shaped_tail(shift - shaped_quantile(alpha, p), p)


def shaped_power(alpha: arb, p: arb, shift: arb) -> arb:
    return shaped_tail(shaped_quantile(alpha, p) - shift, p)


def mu_of_laplace(theta: arb) -> arb:
    return 2 * quantile((-theta / 2).exp() / 2)


def mu_of_epsilon(epsilon: arb) -> arb:
    return 2 * quantile(1 / (1 + epsilon.exp()))


def some_alpha(n: int, rng: np.random.Generator) -> Numbers:
    kind = rng.integers(0, 3, n)
    parts = [10 ** rng.uniform(-300, 0, n), rng.random(n), 1 - 10 ** rng.uniform(-15.6, 0, n)]
    return np.clip(np.choose(kind, parts), 1e-300, 1 - 2.0**-53)


def some_epsilon(alpha: Numbers, rng: np.random.Generator) -> Numbers:
    """Return ε over the whole domain and near e^ε α = 1."""
    n = alpha.size
    beside = np.clip(-np.log(alpha) + rng.normal(size=n) * 10 ** rng.uniform(-16, 1, n), 0, 1e6)
    return np.choose(rng.integers(0, 3, n), [10 ** rng.uniform(-12, 6, n), 20 * rng.random(n), beside])


def claims(n: int, seed: int) -> Claims:
    rng = np.random.default_rng(seed)
    alpha = some_alpha(n, rng)
    epsilon = some_epsilon(alpha, rng)
    mu = np.where(rng.random(n) < 0.5, 10 ** rng.uniform(-8, 2, n), rng.uniform(0, 38, n))
    beside = np.clip(1 - alpha + rng.normal(size=n) * 10 ** rng.uniform(-17, -1, n), 0, 1)
    delta = np.choose(rng.integers(0, 3, n), [10 ** rng.uniform(-300, 0, n), 1 - 10 ** rng.uniform(-16, 0, n), beside])
    steps, p = rng.choice([1, 2, 3, 40, 1e4, 1e15], n), 1 + 10 ** rng.uniform(-12, 1.3, n)
    theta = np.minimum(epsilon, np.where(rng.random(n) < 0.5, 1e3, 1e6))
    shift = np.where(rng.random(n) < 0.5, 10 ** rng.uniform(-12, 0.5, n), rng.uniform(0, 3, n))
    few = slice(0, max(n // 10, 1))

    def shaped_form(a, p, s):
        return tradeoff.generalized_gaussian(a, 1.0, p, s)

    def shaped_form_power(a, p, s):
        return tradeoff.generalized_gaussian_power(a, 1.0, p, s)

    forms = (
        ("G_mu", tradeoff.gaussian, tradeoff.gaussian_power, gaussian, gaussian_power, (alpha, mu)),
        (
            "f_epsilon_delta",
            tradeoff.epsilon_delta,
            tradeoff.epsilon_delta_power,
            epsilon_delta,
            epsilon_delta_power,
            (alpha, epsilon, delta),
        ),
        ("laplace form", tradeoff.laplace, tradeoff.laplace_power, laplace, laplace_power, (alpha, epsilon)),
        (
            "geometric form",
            tradeoff.geometric,
            tradeoff.geometric_power,
            geometric,
            geometric_power,
            (alpha, theta, steps),
        ),
        (
            "generalized Gaussian form",
            shaped_form,
            shaped_form_power,
            shaped,
            shaped_power,
            (alpha[few], p[few], shift[few]),
        ),
    )
    for name, form, power, true_form, true_power, arguments in forms:
        yield f"{name}, beta", value_verdicts(form, true_form, arguments, side=-1)
        yield f"{name}, power", value_verdicts(power, true_power, arguments)
    theta = 10 ** rng.uniform(-12, 6, n)
    yield "mu_from_laplace", value_verdicts(tradeoff.mu_from_laplace, mu_of_laplace, (theta,))
    yield "mu_from_epsilon", value_verdicts(tradeoff.mu_from_epsilon, mu_of_epsilon, (theta,))
