"""Prove, point by point in interval arithmetic, that no rounded-up result of dpcore.gaussian lies below the true value.

    python -m tests.benchmarks.prove_safe_rounding [n] [seed]

Each of n random points is computed alone and again in one array. A line per function tells how many results there are,
how many are unsafe, and the least and the greatest excess over the true value, in units of 2⁻⁵² of it. A σ or an ε is
unsafe if its true δ exceeds the given one; a δ if the true one exceeds it. The excess of an ε is measured backward: the
units by which δ and σ would both have to fall for it to be exact. Exits with 1 if any point is unsafe.
"""

import sys
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from flint import arb, ctx

from dpcore.gaussian import (
    analytic_sigma,
    delta_from_sigma,
    epsilon_from_sigma,
    exact_pdp_sigma,
    pdp_delta_from_sigma,
)
from tests import oracle
from tests.oracle import BITS, ULP, Formula, Numbers

LEAST_DELTA = arb(1e-300)
Verdict = tuple[bool, float]
Columns = tuple[Numbers, ...]


def results(function: Callable[..., Numbers], arguments: Columns) -> Iterator[tuple[float, ...]]:
    """The arguments and the result of every entry, alone first and then in the array."""
    alone = [float(function(*row)) for row in zip(*arguments, strict=True)]
    for column in (alone, function(*arguments)):
        yield from zip(*arguments, column, strict=True)


def sigma_verdicts(
    function: Callable[..., Numbers], profile: Formula, slope: Formula, arguments: Columns
) -> Iterator[Verdict]:
    for epsilon, delta, sigma in results(function, arguments):
        safe = oracle.is_at_least(delta, oracle.interval(profile, epsilon, sigma))
        yield safe, oracle.sigma_excess(profile, slope, epsilon, delta, sigma)


def delta_verdicts(function: Callable[..., Numbers], profile: Formula, arguments: Columns) -> Iterator[Verdict]:
    """A δ whose true value is below 1e-300 has to be safe and small; its relative excess says nothing."""
    for epsilon, sigma, sensitivity, delta in results(function, arguments):
        true = oracle.interval(profile, epsilon, sigma, sensitivity)
        excess = oracle.relative_excess(delta, true) if true >= LEAST_DELTA else max(0.0, float(delta) - 2e-300)
        yield oracle.is_at_least(delta, true), excess


def epsilon_verdicts(arguments: Columns) -> Iterator[Verdict]:
    for delta, sigma, epsilon in results(epsilon_from_sigma, arguments):
        true = oracle.interval(oracle.dp_delta, epsilon, sigma)
        slope = oracle.interval(oracle.dp_slope, epsilon, sigma)
        with ctx.workprec(2 * BITS):
            gap = float((arb(float(delta)) - true) / (arb(float(delta)) + slope))
        yield oracle.is_at_least(delta, true), gap if epsilon > 0 else 0.0


def report(name: str, verdicts: Iterable[Verdict]) -> bool:
    """Print the line of one function; return whether every point is safe."""
    safe, excess = (np.array(column) for column in zip(*verdicts, strict=True))
    least, greatest = float(excess.min()) / ULP, float(excess.max()) / ULP
    n_unsafe = np.count_nonzero(~safe)
    print(f"{name:22} {len(safe):>8} results  {n_unsafe:>4} unsafe  {least:+.4g} to {greatest:+.4g}", flush=True)
    return n_unsafe == 0


def main(n: int = 100_000, seed: int = 1) -> int:
    epsilon, delta = oracle.random_pairs(n, seed)
    epsilon_or_0 = epsilon.copy()
    epsilon_or_0[1 :: n // 20] = 0
    rng = np.random.default_rng(seed + 1)
    sensitivity, jitter = 10 ** rng.uniform(-3, 3, n), 10 ** rng.uniform(-0.05, 0.05, n)
    less_noise = 10 ** rng.uniform(-0.3, 0.02, n)
    analytic, exact = analytic_sigma(epsilon_or_0, delta), exact_pdp_sigma(epsilon, delta)

    noise, pdp_noise = analytic * sensitivity * jitter, exact * sensitivity * jitter
    dp, pdp = (oracle.dp_delta, oracle.dp_slope), (oracle.pdp_delta, oracle.pdp_slope)
    safe = [
        report("analytic_sigma", sigma_verdicts(analytic_sigma, *dp, (epsilon_or_0, delta))),
        report("exact_pdp_sigma", sigma_verdicts(exact_pdp_sigma, *pdp, (epsilon, delta))),
        report("delta_from_sigma", delta_verdicts(delta_from_sigma, dp[0], (epsilon_or_0, noise, sensitivity))),
        report("pdp_delta_from_sigma", delta_verdicts(pdp_delta_from_sigma, pdp[0], (epsilon, pdp_noise, sensitivity))),
        report("epsilon_from_sigma", epsilon_verdicts((delta, analytic * less_noise))),
    ]
    return 0 if all(safe) else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))
