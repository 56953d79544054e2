"""Claims on the Gaussian mechanism and on results that use its quantiles."""

from collections.abc import Iterator

import numpy as np
from flint import arb, ctx

from dpcore import gaussian
from dpcore.verify import formulas
from tests import oracle
from tests.benchmarks.proofs.verdicts import (
    LEAST,
    Claims,
    Columns,
    Verdict,
    columns,
    exact,
    guarantee_verdicts,
    value_verdicts,
)
from tests.oracle import BITS, ULP, Numbers


def quantile(tail: arb) -> arb:
    """Return −Φ⁻¹ of a tail of the standard normal distribution."""
    return (2 * tail).erfcinv() * arb(2).sqrt()


def classical(delta: arb) -> arb:
    return (2 * (arb(5) / 4 / delta).log()).sqrt()


def classical_tight(delta: arb) -> arb:
    return ((2 / arb.pi()).log() + arb(8) / 9 - 2 * delta.log()).sqrt()


def true_pdp_sigma(epsilon: arb, delta: arb, sensitivity: arb) -> arb:
    q = quantile(delta / 2)
    return sensitivity * ((q * q + 2 * epsilon).sqrt() + q) / (2 * epsilon)


def true_pdp_epsilon(delta: arb, sigma: arb, sensitivity: arb) -> arb:
    mu = sensitivity / sigma
    return mu * (quantile(delta / 2) + mu / 2)


def kept_dp(epsilon: arb, delta: arb, sensitivity: arb, sigma: arb) -> tuple[arb, arb]:
    mu = sensitivity / sigma
    return formulas.gaussian(epsilon, mu), oracle.dp_slope(epsilon, mu)


def kept_pdp(epsilon: arb, delta: arb, sensitivity: arb, sigma: arb) -> tuple[arb, arb]:
    mu = sensitivity / sigma
    return formulas.gaussian_pdp(epsilon, mu), oracle.pdp_slope(epsilon, mu)


def kept_by_epsilon(delta: arb, sigma: arb, epsilon: arb) -> tuple[arb, arb]:
    """Return δ at ε and the effect of a relative change of δ and σ, since ε near 0 changes absolutely."""
    return formulas.gaussian(epsilon, 1 / sigma), delta + oracle.dp_slope(epsilon, 1 / sigma)


def delta_verdicts(function, profile: oracle.Formula, arguments: Columns) -> Iterator[Verdict]:
    """Return the verdicts on δ; where its true value is below 1e-300 it must be safe and small only."""
    true = [oracle.interval(profile, *row) for row in zip(*arguments, strict=True)]
    for column in columns(function, arguments):
        for value, delta in zip(true, column.tolist(), strict=True):
            with ctx.workprec(2 * BITS):
                small = max(0.0, delta - 2e-300)
                excess = oracle.relative_excess(delta, value) if value >= LEAST else small
                yield oracle.is_at_least(delta, value), excess / ULP


def lower_bound_verdicts(epsilon: Numbers, delta: Numbers) -> Iterator[Verdict]:
    """Return the verdicts on the lower bound: the true δ of its noise is at least the δ of the argument."""
    for column in columns(gaussian.lower_bound_sigma, (epsilon, delta)):
        for e, d, sigma in zip(epsilon, delta, column, strict=True):
            if sigma > 0:
                with ctx.workprec(2 * BITS):
                    below = 1 - exact(sigma) * (2 * exact(e)).sqrt()
                yield (below >= 0 and oracle.interval(formulas.gaussian, e, sigma) >= exact(d)), float(below) / ULP


def claims(n: int, seed: int) -> Claims:
    epsilon, delta = oracle.random_pairs(n, seed)
    epsilon_or_0 = epsilon.copy()
    epsilon_or_0[1 :: max(n // 20, 20)] = 0
    rng = np.random.default_rng(seed + 1)
    sensitivity, jitter = 10 ** rng.uniform(-3, 3, n), 10 ** rng.uniform(-0.05, 0.05, n)
    less_noise = 10 ** rng.uniform(-0.3, 0.02, n)
    analytic, exact_pdp = gaussian.analytic_sigma(epsilon_or_0, delta), gaussian.exact_pdp_sigma(epsilon, delta)
    noise, pdp_noise = analytic * sensitivity * jitter, exact_pdp * sensitivity * jitter
    arguments = epsilon, delta, sensitivity

    yield "analytic_sigma", guarantee_verdicts(gaussian.analytic_sigma, kept_dp, (epsilon_or_0, delta, sensitivity), 1)
    yield "exact_pdp_sigma", guarantee_verdicts(gaussian.exact_pdp_sigma, kept_pdp, arguments, 1)
    yield (
        "delta_from_sigma",
        delta_verdicts(gaussian.delta_from_sigma, formulas.gaussian, (epsilon_or_0, noise, sensitivity)),
    )
    yield (
        "pdp_delta_from_sigma",
        delta_verdicts(gaussian.pdp_delta_from_sigma, formulas.gaussian_pdp, (epsilon, pdp_noise, sensitivity)),
    )
    yield (
        "epsilon_from_sigma",
        guarantee_verdicts(gaussian.epsilon_from_sigma, kept_by_epsilon, (delta, analytic * less_noise), 0),
    )
    edge = gaussian.delta_from_sigma(epsilon, 1 / np.sqrt(2 * epsilon)) * (1 + rng.integers(-30, 30, n) * ULP)
    beside = np.where(rng.random(n) < 0.3, np.clip(edge, 1e-300, 0.9), delta)  # where the bound begins to hold
    yield "lower_bound_sigma", lower_bound_verdicts(epsilon, beside)
    yield "pdp_sigma", value_verdicts(gaussian.pdp_sigma, true_pdp_sigma, arguments)
    yield "pdp_epsilon", value_verdicts(gaussian.pdp_epsilon, true_pdp_epsilon, (delta, pdp_noise, sensitivity))
    for name, of_delta in (("classical", classical), ("classical_tight", classical_tight)):

        def true_sigma(e: arb, d: arb, s: arb, of_delta=of_delta) -> arb:
            return s * of_delta(d) / e

        def true_epsilon(d: arb, sigma: arb, s: arb, of_delta=of_delta) -> arb:
            return s * of_delta(d) / sigma

        yield f"{name}_sigma", value_verdicts(getattr(gaussian, f"{name}_sigma"), true_sigma, arguments)
        yield (
            f"{name}_epsilon",
            value_verdicts(getattr(gaussian, f"{name}_epsilon"), true_epsilon, (delta, noise, sensitivity)),
        )
