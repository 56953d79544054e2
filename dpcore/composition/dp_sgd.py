"""DP-SGD: the ε of a training, and the noise, steps, sampling rate and batch that meet a target.

A step adds Gaussian noise of σ = z·C to the sum of the clipped gradients (norm ≤ C) of a Poisson sample, which every
record joins with the chance q, independently of the others; neighbours differ by one record, added or removed. z is the
noise multiplier, q = batch / N, and T steps are taken. Nothing here holds for shuffled or fixed batches.

`accountant` selects how ε is computed. "certified" is the smaller of two upper bounds, by the loss distribution and by
RDP; "rdp" is the upper bound by RDP alone. "exact" is the contour integral, or the closed form of a single step: an
estimate that is right to about nine digits but may err in either direction. "clt" is the central limit theorem
([DRS22]), an estimate that is mostly too small.

The contour integral does not converge for some trainings that take few records in a few steps. There the certified
upper bound replaces it: `dp_sgd_epsilon` then issues a `RuntimeWarning`, and `dp_sgd_epsilon_bound` states for every ε
the accountant that computed it. The inverse functions use the certified bound there too, which is the safe side.

The exact ε falls in z and rises in q and T (data processing: noise can be added, a sample thinned, steps left out), and
so do RDP and the CLT. An inverse function finds a root and computes the account there. It moves the root to the safe
side until its ε is at most the target, so the returned value itself has been checked.
"""

import math
import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from dpcore import gaussian
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, RECORDS_RANGE, Array, integer, interval_bounds, number, option
from dpcore.composition._accounts import COARSE, FINE, Accounts, accounts_of
from dpcore.composition._sampled_integral import quick_divergence, subsampled_gaussian_rdp
from dpcore.composition._single_step import CLT_NOISE_RANGE, clt_epsilon
from dpcore.composition._targets import least_beside, root_between
from dpcore.composition.bounds import CERTIFIED, ESTIMATE, Account, EpsilonBound, all_bounds, as_bound, elementwise
from dpcore.composition.contour import removal_epsilon
from dpcore.composition.conversions import epsilon_at_order
from dpcore.composition.distribution import certified_delta, certified_epsilon
from dpcore.composition.releases import COUNT_RANGE, NOISE_RANGE, RATE_RANGE, Release, sampled_release
from dpcore.composition.renyi import at_best_order
from dpcore.composition.tilts import saddle_epsilon
from dpcore.rounding import round_up

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


def dp_sgd_epsilon(
    delta: ArrayLike,
    noise_multiplier: ArrayLike,
    sampling_rate: ArrayLike,
    steps: ArrayLike,
    accountant: str = "certified",
) -> Array:
    """ε of DP-SGD with Poisson sampling at a δ, add or remove one record.

    Parameters
    ----------
    delta : δ, in [1e-300, 1).
    noise_multiplier : z = σ / C, in [1e-3, 1e6].
    sampling_rate : q = expected batch / number of records, in (0, 1].
    steps : T, a whole number in [1, 1e6].
    accountant : "certified", "rdp", "exact" or "clt"; see the module.

    Returns
    -------
    ε in nats, of the arguments' common shape; with the first two accountants never below the exact value. It is finite,
    except for "clt" below z = 0.06, where the theorem has no content and ∞ is returned.

    Warns
    -----
    RuntimeWarning
        where "exact" was requested and exact integration failed; a certified upper bound is returned there.

    Examples
    --------
    >>> print(f"{dp_sgd_epsilon(1e-5, 1.1, 256 / 60000, 14063):.2g}")
    2.4
    """
    bound = dp_sgd_epsilon_bound(delta, noise_multiplier, sampling_rate, steps, accountant)
    replaced = int(np.count_nonzero(bound.accountant != accountant))
    if replaced:
        warnings.warn(
            f"Exact integration failed for {replaced} of {np.size(bound.value)} trainings; a certified upper bound of "
            "ε is returned there. dp_sgd_epsilon_bound says for which.",
            RuntimeWarning,
            stacklevel=2,
        )
    return np.asarray(bound.value)[()]


def dp_sgd_epsilon_bound(
    delta: ArrayLike,
    noise_multiplier: ArrayLike,
    sampling_rate: ArrayLike,
    steps: ArrayLike,
    accountant: str = "certified",
) -> EpsilonBound:
    """ε of DP-SGD as `dp_sgd_epsilon` returns it, with its kind, the accountant that found it, and its error.

    Parameters
    ----------
    delta, noise_multiplier, sampling_rate, steps, accountant : as in `dp_sgd_epsilon`.

    Returns
    -------
    Arrays of the arguments' common shape.

    Examples
    --------
    >>> bounds = dp_sgd_epsilon_bound(1e-5, [1.0, 0.5], 1e-4, [1, 4], "exact")
    >>> bounds.kind.tolist(), bounds.accountant.tolist()
    (['estimate', 'certified'], ['exact', 'certified'])
    """
    option("accountant", accountant, ACCOUNTANTS)
    delta, noise = number("delta", delta, DELTA_RANGE), number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    rate, steps = number("sampling_rate", sampling_rate, RATE_RANGE), integer("steps", steps, COUNT_RANGE)

    if accountant == "rdp":
        return all_bounds(_by_rdp(delta, noise, rate, steps), CERTIFIED, "rdp")
    if accountant == "clt":
        return all_bounds(_epsilon_by_clt(delta, noise, rate, steps), ESTIMATE, "clt")

    def account(delta: float, noise: float, rate: float, steps: float) -> Account:
        return _account_of(sampled_release(noise, rate, int(steps)), float(delta), accountant)

    return as_bound(account, delta, noise, rate, steps)


def _by_rdp(*arguments: Array) -> Array:
    """ε by RDP of all trainings at once, which is what `rdp_epsilon` says of each."""
    delta, noise, rate, steps = np.broadcast_arrays(*arguments)
    rows = (argument.ravel()[:, None] for argument in (delta, noise, rate, steps))
    target, z, q, n = rows
    z, q = (column[:1] if (column == column[:1]).all() else column for column in (z, q))  # each step once for all n

    def epsilon(order: Array) -> Array:
        divergence = round_up(n * subsampled_gaussian_rdp(order, z, q), 34)
        return epsilon_at_order(order - 1, divergence, target, "tight")

    def quick(order: Array) -> Array:
        return epsilon_at_order(order - 1, n * quick_divergence(order - 1, z, q), target, "tight")

    value, _ = at_best_order(epsilon, quick)
    return np.maximum(value, 0).reshape(delta.shape)


EPOCHS_RANGE = "(0, 1e9]"
BATCH_RANGE = "(0, 1e12]"
_MOST_STEPS = interval_bounds(COUNT_RANGE)[1]
_ROUNDINGS = 1 - 4e-16  # a number of steps that is whole but for its last bit is whole


def steps_of_epochs(epochs: ArrayLike, n_records: ArrayLike, batch: ArrayLike) -> Array:
    """Return the number of steps of some epochs: epochs · N / batch, rounded up to a whole number.

    Parameters
    ----------
    epochs : in (0, 1e9].
    n_records : N, a whole number in [1, 1e12].
    batch : the expected batch, in (0, 1e12].

    Examples
    --------
    >>> steps_of_epochs(60, 60000, 256), steps_of_epochs(0.1, 60000, 600)
    (np.float64(14063.0), np.float64(10.0))
    """
    epochs, n_records = number("epochs", epochs, EPOCHS_RANGE), integer("n_records", n_records, RECORDS_RANGE)
    return np.ceil(epochs * n_records / number("batch", batch, BATCH_RANGE) * _ROUNDINGS)


def dp_sgd_batch(
    epsilon: ArrayLike,
    delta: ArrayLike,
    noise_multiplier: ArrayLike,
    epochs: ArrayLike,
    n_records: ArrayLike,
    accountant: str = "certified",
) -> Array:
    """Return the expected batch with which so many epochs of DP-SGD satisfy (ε, δ), a whole number, rounded down.

    q = batch / N and T = `steps_of_epochs`. Larger batches mean fewer steps, and yet a larger ε. Where T is small
    its rounding up makes jumps, so that a smaller batch may cost a little more; the one that is returned was checked.

    Parameters
    ----------
    epsilon : ε, in [0, 1e6], in nats.
    delta, noise_multiplier, accountant : as in `dp_sgd_epsilon`.
    epochs : how often the data are passed over, in (0, 1e9].
    n_records : N, a whole number in [1, 1e12].

    Returns
    -------
    A whole number in [0, N] as a float; 0 if no batch with at most 1e6 steps is kept.

    Examples
    --------
    >>> print(f"{dp_sgd_batch(1.5, 1e-5, 1.1, 60, 60000):.1g}")
    1e+02
    """
    epsilon, delta = target_of(epsilon, delta, accountant)
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    epochs, n_records = number("epochs", epochs, EPOCHS_RANGE), integer("n_records", n_records, RECORDS_RANGE)

    def single(epsilon: float, delta: float, noise: float, epochs: float, n_records: float) -> float:
        least = max(math.ceil(epochs * n_records / _MOST_STEPS * _ROUNDINGS), 1)
        if least > n_records:
            return 0.0

        def batch(x: float) -> int:
            return min(max(math.floor(math.exp(-x) * WHOLE), least), int(n_records))

        def release_at(x: float) -> Release:
            return sampled_release(noise, batch(x) / n_records, int(steps_of_epochs(epochs, n_records, batch(x))))

        x = least_sufficient(
            release_at,
            (epsilon, delta),
            math.log(epochs) + log_growth(noise) - 2 * log_mu(epsilon, delta) - math.log(n_records),
            (-math.log(n_records), -math.log(least)),
            accountant,
        )
        return 0.0 if x is None else float(batch(x))

    return elementwise(single, epsilon, delta, noise, epochs, n_records)


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
    """Return about the least x at which release_at(x), more private with x, satisfies (ε, δ); None if none does."""
    epsilon, delta = target

    def account(release: Release, delta: float) -> float:
        return _account_of(release, delta, accountant).value

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
        accounts = accounts_of((training,), delta)
        fine, _ = accounts.cost_of_training(FINE)
        # So few records take part in many steps that their rare losses outgrow a first circle.
        is_sparse = training.count > _SPARSE_STEPS and training.count * training.numbers[1] < _FEW_PARTS
        is_slow = fine >= _MANY_CELLS
        close = _CLOSE_SLOW if is_slow or is_sparse else FINE / 2
        is_much_faster_coarse = is_slow and fine >= _MUCH_FASTER * accounts.cost_of_training(COARSE)[0]
        if is_much_faster_coarse and not accounts.estimate.converged:
            nearer = least_beside(
                lambda x: accounts_of((release_at(x),), delta).certified(COARSE).value, epsilon, start, ends, close
            )
            start = start if nearer is None else (nearer, start[1])
    return least_beside(bound, epsilon, start, ends, close)


def _rough(release: Release, delta: float) -> float:
    """Return an estimate of the certified ε that takes less time; it only shows where to look."""
    releases, bound = (release,), math.inf
    n_cells, _ = accounts_of(releases, delta).cost_of_training(_ROUGH)
    if n_cells < _MANY_ROUGH_CELLS:
        certified = certified_epsilon(releases, delta, _ROUGH)
        bound, error = float(certified.value), float(certified.error)
        if n_cells == 0 or error <= _MOST_ERROR * bound:
            return bound * math.exp(-error / bound) if 0 < bound < math.inf else bound
    _, added = accounts_of(releases, delta).cost_of_training(FINE)
    by_rdp = accounts_of(releases, delta).by_rule("rdp").value
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
        added = accounts_of((release,), delta).cost_of_training(FINE)[1]
        self.share = added / value if value > 0 else math.inf
        return value + added


def _near_exact(release: Release, delta: float) -> float:
    """Return the contour integral, or what takes less time than the certified bound where that does not converge."""
    contour = removal_epsilon((release,), delta)
    return float(contour.value) if contour.converged else _rough(release, delta)


def _epsilon_by_clt(delta: ArrayLike, noise: ArrayLike, rate: ArrayLike, steps: ArrayLike) -> Array:
    """Return ε by the central limit theorem; ∞ for so little noise that the theorem has no content."""
    epsilon = clt_epsilon(delta, np.maximum(noise, _LEAST_CLT_NOISE), rate, steps)
    return np.where(np.less(noise, _LEAST_CLT_NOISE), math.inf, epsilon)


def _account_of(release: Release, delta: float, accountant: str) -> Account:
    """ε of a training at δ by an accountant, and what it is worth."""
    if accountant == "clt":
        noise, rate = release.numbers
        value = float(_epsilon_by_clt(delta, noise, rate, release.count))
        return Account(value, ESTIMATE, "clt", math.nan)
    if accountant == "rdp":
        return accounts_of((release,), delta).by_rule("rdp")
    account = Accounts.exact if accountant == "exact" else Accounts.certified
    return account(accounts_of((release,), delta), FINE)
