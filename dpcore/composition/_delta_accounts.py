"""δ of one list of releases by each accountant; see `dpcore.composition.accountants`."""

import math

import numpy as np

from dpcore.checks import Array
from dpcore.composition._epsilon_accounts import FEW_LINES, has_losses, is_known, is_smooth, least
from dpcore.composition._lattice_losses import LATTICE_KINDS
from dpcore.composition._release_list import SPREAD_KINDS
from dpcore.composition._rules import LEAST_DELTA, Releases
from dpcore.composition.bounds import CERTIFIED, ESTIMATE, Account
from dpcore.composition.contour import exact_delta
from dpcore.composition.distribution import certified_delta
from dpcore.composition.renyi import rdp_delta

_SPREAD = (*SPREAD_KINDS, "profile")  # whose sums are neither few values nor smooth
_MOST_ERROR = 1e-4  # of δ by the contour integral, relative


def best_delta_account(releases: Releases, epsilon: float, excess: float) -> Account:
    by_rdp = Account(float(rdp_delta(releases, epsilon).value), CERTIFIED, "rdp", math.nan)
    if not has_losses(releases) or by_rdp.value == 0:
        return by_rdp
    value, error = (float(part[0]) for part in contour_delta(releases, np.array([epsilon])))
    if math.isnan(value):
        return least([by_rdp, certified_delta_account(releases, epsilon, excess)])
    return least([by_rdp, Account(value, ESTIMATE, "exact", error if is_known(releases) else math.nan)])


def contour_delta(releases: Releases, epsilon: Array) -> tuple[Array, Array]:
    """δ by the contour integral with twice its error on top, NaN where that does not converge, and that error.

    Where δ is too small for the integral, it is 1: another bound is less.
    """
    if not may_converge(releases):
        return np.full(epsilon.shape, np.nan), np.full(epsilon.shape, np.nan)
    estimate = exact_delta(releases, epsilon)
    above = np.minimum((estimate.value + 2 * estimate.error) * (1 + 1e-13), 1.0)
    value = np.where(estimate.error <= _MOST_ERROR * estimate.value, above, np.nan)
    return np.where(estimate.value < LEAST_DELTA, 1.0, value), estimate.error


def may_converge(releases: Releases) -> bool:
    """Return whether the contour integral is worth its time, which it always is with smooth noise.

    Without it that of Laplace noise and of profiles does not converge, nor does that of many lines of noise on
    the whole numbers, which takes long.
    """
    is_long = len(releases) > FEW_LINES and any(release.kind in LATTICE_KINDS for release in releases)
    return is_smooth(releases) or not (is_long or any(release.kind in _SPREAD for release in releases))


def certified_delta_account(releases: Releases, epsilon: float, excess: float) -> Account:
    if not has_losses(releases):
        return Account(float(rdp_delta(releases, epsilon).value), CERTIFIED, "certified", math.nan)
    bound = certified_delta(releases, epsilon, excess)
    error = float(bound.error) if is_known(releases) else math.nan
    return Account(float(bound.value), CERTIFIED, "certified", error)


def exact_delta_account(releases: Releases, epsilon: float, excess: float) -> Account:
    estimate = exact_delta(releases, epsilon) if is_known(releases) else None
    if estimate is None or not estimate.converged:
        return certified_delta_account(releases, epsilon, excess)
    return Account(float(estimate.value), ESTIMATE, "exact", float(estimate.error))
