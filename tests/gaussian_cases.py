"""The functions of Gaussian noise, with their oracles, and the edges of their domains."""

from collections.abc import Callable

import numpy as np
from flint import arb

from dpcore.gaussian import (
    analytic_sigma,
    classical_sigma,
    classical_tight_sigma,
    delta_from_sigma,
    epsilon_from_sigma,
    exact_pdp_sigma,
    lower_bound_sigma,
    pdp_delta_from_sigma,
    pdp_sigma,
)
from dpcore.verify import formulas
from tests import oracle
from tests.oracle import GREATEST_DELTA, Formula, Numbers

EVERY_SIGMA = (
    classical_sigma,
    classical_tight_sigma,
    pdp_sigma,
    exact_pdp_sigma,
    analytic_sigma,
    lower_bound_sigma,
)
EVERY_PROFILE = (delta_from_sigma, pdp_delta_from_sigma, epsilon_from_sigma)
EVERY_FUNCTION = EVERY_SIGMA + EVERY_PROFILE
SOLVERS = {
    analytic_sigma: (formulas.gaussian, oracle.dp_slope, -1),
    exact_pdp_sigma: (formulas.gaussian_pdp, oracle.pdp_slope, 1),
}
PROFILES = {
    delta_from_sigma: (analytic_sigma, formulas.gaussian),
    pdp_delta_from_sigma: (exact_pdp_sigma, formulas.gaussian_pdp),
}
EDGE_EPSILON = (1e-300, 1e-150, 1e-12, 1e-3, 1.0, 30.0, 1e6)
EDGE_DELTA = (1e-300, 1e-20, 0.1, np.nextafter(0.5, 0), 0.5, np.nextafter(0.5, 1), 0.9, GREATEST_DELTA)
EDGES = np.array(np.meshgrid(EDGE_EPSILON, EDGE_DELTA)).reshape(2, -1)


def sigma_excesses(delta: Formula, slope: Formula, epsilon: Numbers, target: Numbers, sigma: Numbers) -> list[float]:
    return [oracle.sigma_excess(delta, slope, *row) for row in zip(epsilon, target, sigma, strict=True)]


def one_by_one(function: Callable[..., Numbers], *arguments: Numbers) -> Numbers:
    """Return the function of every entry alone: a solver runs until the last entry of an array is right,
    which hides haste.
    """
    return np.array([float(function(*row)) for row in zip(*arguments, strict=True)])


def all_at_once(function: Callable[..., Numbers], *arguments: Numbers) -> Numbers:
    return function(*arguments)


def larger_tail_twice(epsilon: arb, mu: arb) -> arb:
    """2Φ(μ/2 − ε/μ), twice the larger tail of the privacy loss."""
    return 2 * formulas.upper_tail(epsilon / mu - mu / 2)
