"""The accounts of a training with DP-SGD, and what keeps a target by one of them."""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, interval_bounds, number, option
from dpcore.composition._accounts import COARSE, FINE, certified_account, cost_of_training, exact_account, rule_account
from dpcore.composition._targets import least_beside, root_between
from dpcore.composition.bounds import ESTIMATE, Account
from dpcore.composition.contour import exact_epsilon, removal_epsilon
from dpcore.composition.distribution import certified_delta, certified_epsilon
from dpcore.composition.gaussians import CLT_NOISE_RANGE, clt_epsilon
from dpcore.composition.releases import Release
from dpcore.composition.tilts import saddle_epsilon

ACCOUNTANTS = ("certified", "rdp", "exact", "clt")
WHOLE = 1 + 1e-12  # so that e to the logarithm of a whole number is not the one below
_LEAST_CLT_NOISE = interval_bounds(CLT_NOISE_RANGE)[0]
_CLOSE = 1e-7  # relative, how far below the target the ε of another account may stay
_CLOSE_EXACT = 1e-6  # the same of the contour integral
_CLOSE_SLOW = 2e-3  # the same of the certified account where it takes many cells
_MANY_CELLS, _MANY_ROUGH_CELLS = 2**18, 2**16  # from where on few values, or no rough ones, are computed
_SPARSE_STEPS, _FEW_PARTS = 1000, 0.1  # of a training in which few records take part at all
_MUCH_FASTER = 4  # times fewer cells make a faster value worth its time
_ROUGH = 0.05  # the excess of a certified ε that only shows where to look
_MOST_ERROR = 0.1  # of such an ε, relative: a larger one does not tell its excess
_SMALL_SHARE = 2 * FINE  # of ε: what the cells add where there may be enough of them
_LEAST, _MOST = 1e-320, 1e300  # a probability and an ε with a logarithm


def target_of(epsilon: ArrayLike, delta: ArrayLike, accountant: str) -> tuple[Array, Array]:
    """ε and δ that are to be kept, checked, with the accountant by which."""
    option("accountant", accountant, ACCOUNTANTS)
    return number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)


def log_mu(epsilon: float, delta: float) -> float:
    """ln μ of the Gaussian that satisfies (ε, δ) exactly."""
    return -math.log(float(gaussian.analytic_sigma(epsilon, delta)))


def log_growth(noise: float) -> float:
    """ln(e^{1/z²} − 1), of which the CLT makes μ."""
    gained = noise**-2
    return gained + math.log(-math.expm1(-gained))


def clt_log_noise(log_mu: float, rate: float, steps: float) -> float:
    """ln z at which a training has this μ by the CLT: μ = q√(T(e^{1/z²} − 1))."""
    gain = 2 * (log_mu - math.log(rate)) - math.log(steps)
    return -0.5 * (math.log(np.logaddexp(0.0, gain)) if gain > -30 else gain)


def least_sufficient(
    release_at: Callable[[float], Release],
    target: tuple[float, float],
    estimate: float,
    ends: tuple[float, float],
    accountant: str,
) -> float | None:
    """Return about the least x at which release_at(x), more private
    with x, satisfies (ε, δ) by an accountant, or None.
    """
    epsilon, delta = target

    @cache
    def account(release: Release, delta: float) -> float:
        return account_of(release, delta, accountant).value

    near = {"certified": _NearCertified(), "exact": _near_exact}.get(accountant, account)

    def excess(x: float) -> float:
        if epsilon:
            return math.log(max(min(near(release_at(x), delta), _MOST), epsilon * 1e-3) / epsilon)
        return math.log(max(float(certified_delta((release_at(x),), 0.0).value), _LEAST) / delta)

    def bound(x: float) -> float:
        return account(release_at(x), delta)

    start = root_between(excess, bound, epsilon, estimate, ends)
    close = _CLOSE_EXACT if accountant == "exact" else _CLOSE
    if accountant == "certified":
        training = release_at(start[0])
        fine, _ = cost_of_training((training,), delta, FINE)
        close = _CLOSE_SLOW if fine >= _MANY_CELLS or _is_sparse(training) else FINE / 2
        if _is_much_faster_coarse(training, delta, fine) and not exact_epsilon((training,), delta).converged:
            nearer = least_beside(
                lambda x: certified_account((release_at(x),), delta, COARSE).value, epsilon, start, ends, close
            )
            start = start if nearer is None else (nearer, start[1])
    return least_beside(bound, epsilon, start, ends, close)


def _is_sparse(release: Release) -> bool:
    """Return whether hardly a record takes part in any of many steps:
    its rare losses take more cells than a first circle.
    """
    return release.count > _SPARSE_STEPS and release.count * release.numbers[1] < _FEW_PARTS


def _is_much_faster_coarse(release: Release, delta: float, n_cells: int) -> bool:
    """Return whether the certified ε of so many cells takes much less time on few."""
    return n_cells >= _MANY_CELLS and n_cells >= _MUCH_FASTER * cost_of_training((release,), delta, COARSE)[0]


def _rough(release: Release, delta: float) -> float:
    """Return an estimate of the certified ε that takes less time; it only shows where to look."""
    releases, bound = (release,), math.inf
    n_cells, _ = cost_of_training(releases, delta, _ROUGH)
    if n_cells < _MANY_ROUGH_CELLS:
        certified = certified_epsilon(releases, delta, _ROUGH)
        bound, error = float(certified.value), float(certified.error)
        if n_cells == 0 or error <= _MOST_ERROR * bound:
            return bound * math.exp(-error / bound) if 0 < bound < math.inf else bound
    _, added = cost_of_training(releases, delta, FINE)
    by_rdp = rule_account("rdp", releases, delta).value
    return min(saddle_epsilon(releases, "remove", math.log(delta)) + added, bound, by_rdp)


class _NearCertified:
    """About the certified ε: the contour integral with what the cells add; `_rough` where that does not converge.

    The cells of similar trainings add about the same share, unless their number is at its limit.
    """

    def __init__(self) -> None:
        self.share = math.inf

    def __call__(self, release: Release, delta: float) -> float:
        contour = removal_epsilon((release,), delta)
        if not contour.converged:
            return _rough(release, delta)
        value = float(contour.value)
        if self.share <= _SMALL_SHARE:
            return value * (1 + self.share)
        added = cost_of_training((release,), delta, FINE)[1]
        self.share = added / value if value > 0 else math.inf
        return value + added


def _near_exact(release: Release, delta: float) -> float:
    """Return the contour integral, or what takes less time than the certified bound where that does not converge."""
    contour = removal_epsilon((release,), delta)
    return float(contour.value) if contour.converged else _rough(release, delta)


def epsilon_by_clt(delta: ArrayLike, noise: ArrayLike, rate: ArrayLike, steps: ArrayLike) -> Array:
    """Return ε by the central limit theorem; ∞ for so little noise that the theorem has no content."""
    epsilon = clt_epsilon(delta, np.maximum(noise, _LEAST_CLT_NOISE), rate, steps)
    return np.where(np.less(noise, _LEAST_CLT_NOISE), math.inf, epsilon)


def account_of(release: Release, delta: float, accountant: str) -> Account:
    """ε of a training at δ by an accountant, and what it is worth."""
    if accountant == "clt":
        noise, rate = release.numbers
        value = float(epsilon_by_clt(delta, noise, rate, release.count))
        return Account(value, ESTIMATE, "clt", math.nan)
    if accountant == "rdp":
        return rule_account("rdp", (release,), delta)
    account = exact_account if accountant == "exact" else certified_account
    return account((release,), delta, FINE)
