"""δ(ε) and ε(δ) of any list of releases, right to about ten digits in milliseconds, by a contour integral.

δ(ε) = E_P(1 − e^{ε−L})₊ = (1/2πi) ∫_{c+iℝ} e^{K(s) − sε}/(s(1 + s)) ds for every c > 0, where K(s) = ln E_P e^{sL}
adds up over the list: the cost does not depend on how often its lines run. c is the power 2^{j/4} next to the saddle,
where the integrand neither cancels nor overflows, down to δ = 1e-300. What is off, each part of it in the error that
is given with every value:

- The step h of the trapezoid rule. By Poisson summation the rule gives Σ_m e^{2πcm/h} δ(ε + 2πm/h), all of whose terms
  are ≥ 0: it errs upward only, and Chernoff's δ(x) ≤ e^{K(s) − sx} s^s/(1 + s)^{1+s} at other s bounds by how much. h
  is chosen by that bound.
- The end of the nodes. Where |E_P e^{sL}| decays, the rest is taken to be below what it has decayed to. In a list of
  steps of DP-SGD alone, few of which take a person in, it hardly decays, for most of the loss is next to n ln(1 − q);
  but that is far from ε, so a smooth window that ends the sum averages δ over a short stretch around ε only. There the
  error is estimated by the change under twice as many nodes, by what is not of these runs and has not decayed, and by
  how much of them the window lets in. Atoms of Laplace noise and of guarantees come back at all
  frequencies: a list of few of them without other noise does not converge, and is marked so.
- Rounding, of K above all, which grows with the number of runs, and of the terms where they cancel. The quadrature
  within K of a step of DP-SGD is right to rounding, and counted there.

A single step of DP-SGD has a closed form (`dpcore.composition._single_step`), which stands in place of the integral.

So the values are estimates of either sign. `dpcore.composition.certified_epsilon` has a bound.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr

from dpcore import gaussian
from dpcore.checks import EPSILON_RANGE, Array, PlainRecord, number, scalar
from dpcore.composition._integral import CLOSE, integral_delta, integral_epsilon
from dpcore.composition._normalize import Whole, whole
from dpcore.composition._saddles import Precision, precision
from dpcore.composition._single_step import inner_epsilon, step_delta, step_epsilon
from dpcore.composition.closed_form import MOST_LOSSES, delta_left, lattice_delta, lattice_epsilon, of_runs
from dpcore.composition.releases import Release, broken_up, failure_of
from dpcore.rounding import BELOW_ONE, ULP

_DIGITS_RANGE = "[5, 10]"
_CLOSE_EPSILON, _LITTLE = 1e-6, 1e-3  # nor is one of ε, or of so many nats if ε is less


@dataclass(frozen=True)
class EpsilonEstimate(PlainRecord):
    """An estimate, of either sign, and how far it is off.

    Attributes
    ----------
    value : δ, or ε in nats.
    error : an estimate of |value − truth|, in the unit of the value; never above the bound that the moments give. Of ε
        it reaches as far to both sides as δ and its error may be equal, which is far where δ hardly falls.
    converged : whether the error is at most a relative 1e-9 of δ, and of ε at most a relative 1e-6 or 1e-9 nats. Where
        it is not, leave the value out.
    """

    value: Array
    error: Array
    converged: NDArray[np.bool_]


def exact_delta(releases: Sequence[Release], epsilon: ArrayLike, digits: float = 10) -> EpsilonEstimate:
    """δ(ε) of all releases together, the larger of both directions, right to about ten digits: an estimate.

    Parameters
    ----------
    releases : in any order, of any kind but zCDP. A guarantee counts as the worst mechanism that satisfies it, and so
        does an exponential mechanism, which is an upper bound.
    epsilon : in [0, 1e6].
    digits : about how many are right, in [5, 10]; fewer of 1 − δ where δ is next to 1. Five take from a tenth to half
        of the time of ten where steps of DP-SGD are among the releases.

    Returns
    -------
    of the shape of ε. A δ below 1e-307 may be given as 0. `converged` says that the error is at most a relative
    10^(1 − digits).

    Examples
    --------
    >>> from dpcore.composition import sampled_release
    >>> estimate = exact_delta([sampled_release(4, 0.01, 10_000)], 0.9468668)
    >>> f"{estimate.value:.8g} {estimate.error < 1e-14} {estimate.converged}"
    '1e-05 True True'
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    digits = scalar("digits", digits, _DIGITS_RANGE)
    together = whole(releases)
    value, error = _free_delta(together, epsilon.ravel(), precision(digits))
    failure = failure_of(releases)
    value, error = broken_up(value, failure), (1 - failure) * error + 4 * ULP * failure
    return _result(value, error, error <= 10.0 ** (1 - digits) * value, epsilon.shape)


def exact_epsilon(releases: Sequence[Release], delta: ArrayLike, n_runs: ArrayLike = 1) -> EpsilonEstimate:
    """Return the least ε of (ε, δ)-DP of all releases together, in nats, right to about ten digits: an estimate.

    Parameters
    ----------
    releases : as for `exact_delta`.
    delta : in [1e-300, 1).
    n_runs : how often the whole list is run, whole numbers in [1, 1e6], which broadcast with `delta`. Many at once take
        less time than one after the other.

    Returns
    -------
    of the common shape of δ and `n_runs`; 0 where δ ≥ δ(0), inf where the δ of the guarantees alone make δ or more.

    Examples
    --------
    >>> from dpcore.composition import gaussian_release, laplace_release, guarantee_release
    >>> mixed = [laplace_release(0.2, 5), gaussian_release(4, 5), guarantee_release(0.5, count=3)]
    >>> estimate = exact_epsilon(mixed, 1e-6)
    >>> f"{estimate.value:.12f} {estimate.error < 1e-11}"
    '4.464121768347 True'
    >>> exact_epsilon(mixed, 1e-6, n_runs=[1, 10, 100]).value.round(3).tolist()
    [4.464, 21.229, 112.418]
    """
    return _epsilon(releases, *of_runs(delta, n_runs), ("remove", "add"))


def removal_epsilon(releases: Sequence[Release], delta: float) -> EpsilonEstimate:
    """Return `exact_epsilon` of removing a person, mostly the larger direction, for a search that needs no more."""
    return _epsilon(releases, *of_runs(delta, 1), ("remove",))


def _epsilon(releases: Sequence[Release], delta: Array, runs: Array, directions: tuple[str, ...]) -> EpsilonEstimate:
    """Return the largest ε of some directions."""
    delta, runs, shape = delta.ravel(), runs.ravel(), delta.shape
    value, error, close = np.full(delta.shape, np.inf), np.zeros(delta.shape), np.ones(delta.shape, dtype=bool)
    together = whole(releases)
    for rows, times in _parts(together, runs):
        free = delta_left(releases, delta[rows], times)
        value[rows] = np.where(free >= 0, times * together.most("remove"), np.inf)
        some = free >= 1e-300
        close[rows] = some | (free <= 0)
        if some.any():
            rows, times = rows[some], times if times.size == 1 else times[some]
            doubt = 4 * ULP * delta[rows] / free[some] * (failure_of(releases) > 0)
            free_epsilon, off, relative = _free_epsilon(together, times, free[some], doubt, directions)
            value[rows], error[rows] = np.maximum(free_epsilon, 0), off
            close[rows] = (relative <= CLOSE) & (off <= _CLOSE_EPSILON * (value[rows] + _LITTLE))
    return _result(value, error, close, shape)


def _parts(together: Whole, runs: Array) -> Iterator[tuple[NDArray[np.intp], Array]]:
    """Yield rows that are computed together, and how often the list runs in each of them, or in all.

    Rows of a closed form have the same number of runs, and a closed form for none of the others.
    """
    if np.all(runs == runs[:1]):  # of which most lists are
        yield np.arange(runs.size), runs[:1]
        return
    counts, count_of_row = np.unique(runs, return_inverse=True)
    wholes = [together.times(int(count)) for count in counts]
    has_form = np.array(
        [repeated.single_step is not None or repeated.n_losses <= MOST_LOSSES for repeated in wholes], dtype=bool
    )
    for position in np.flatnonzero(has_form):
        yield np.flatnonzero(count_of_row == position), counts[position : position + 1]
    if not has_form.all():
        rows = np.flatnonzero(~has_form[count_of_row])
        yield rows, runs[rows]


def _result(value: Array, error: Array, converged: NDArray[np.bool_], shape: tuple[int, ...]) -> EpsilonEstimate:
    return EpsilonEstimate(value.reshape(shape), error.reshape(shape), converged.reshape(shape))


def _free_delta(together: Whole, epsilon: Array, aim: Precision) -> tuple[Array, Array]:
    """δ without the guarantees' own δ, and its error."""
    if not epsilon.size:
        return np.zeros(0), np.zeros(0)
    if not together.runs:
        return _gaussian_delta(together, epsilon)
    if together.single_step is not None:
        return _step_delta(*together.single_step, epsilon)
    if together.n_losses <= MOST_LOSSES:
        return lattice_delta(together, epsilon)
    value, error = integral_delta(together, "remove", epsilon, np.zeros(epsilon.shape), aim)
    if together.symmetric:
        return value, error
    added, error_added = integral_delta(together, "add", epsilon, value, aim)
    return np.maximum(value, added), np.maximum(error, error_added)


def _free_epsilon(
    together: Whole, n_runs: Array, delta: Array, doubt: Array, directions: tuple[str, ...]
) -> tuple[Array, Array, Array]:
    """ε without the guarantees' own δ, its error where δ is right to a relative `doubt`, and the error of δ."""
    if not together.runs:
        return _gaussian_epsilon(n_runs * together.square, delta, doubt)
    repeated = together.times(int(n_runs[0]))
    if repeated.single_step is not None:
        return _step_epsilon(*repeated.single_step, delta, doubt)
    if repeated.n_losses <= MOST_LOSSES:
        return lattice_epsilon(repeated, delta, doubt)
    removed = integral_epsilon(together, "remove", delta, doubt, np.full(delta.shape, -np.inf), n_runs)
    if together.symmetric or "add" not in directions:
        return removed
    added = integral_epsilon(together, "add", delta, doubt, removed[0], n_runs)
    value, error, relative = (np.maximum(*pair) for pair in zip(removed, added, strict=True))
    return value, error, relative


def _gaussian_delta(together: Whole, epsilon: Array) -> tuple[Array, Array]:
    if together.square == 0:
        return np.zeros(epsilon.shape), np.zeros(epsilon.shape)
    mu = math.sqrt(together.square)
    value = gaussian.delta_from_sigma(epsilon, 1.0, mu)
    return value, value * _gaussian_doubt(mu, epsilon)


def _gaussian_epsilon(square: Array, delta: Array, doubt: Array) -> tuple[Array, Array, Array]:
    if not square.any():
        return np.zeros(delta.shape), np.zeros(delta.shape), doubt
    mu = np.sqrt(square)
    value = gaussian.epsilon_from_sigma(delta, 1.0, mu)
    fall = np.exp(value + log_ndtr(-value / mu - mu / 2)) / delta
    relative = _gaussian_doubt(mu, value) + doubt
    return value, relative / np.maximum(fall, ULP), relative


def _gaussian_doubt(mu: float | Array, epsilon: Array) -> Array:
    """Return the relative error of δ of a Gaussian where μ and ε are right to a few roundings."""
    return 8 * ULP * (2 + (2 + abs(epsilon / mu - mu / 2)) * (epsilon / mu + mu / 2))


def _step_delta(noise: float, rate: float, epsilon: Array) -> tuple[Array, Array]:
    """δ of a single sampled step by its closed form, and its error."""
    value = step_delta(epsilon, noise, rate)
    return value, value * _gaussian_doubt(1 / noise, inner_epsilon(epsilon, rate))


def _step_epsilon(noise: float, rate: float, delta: Array, doubt: Array) -> tuple[Array, Array, Array]:
    """ε of a single sampled step by its closed form, how far it is off, and the relative error of δ.

    The closed form is rounded up, so that it is off by no more than itself.
    """
    value = step_epsilon(delta, noise, rate)
    inner = inner_epsilon(value, rate)
    rounding = _gaussian_doubt(1 / noise, inner)
    fall = np.exp(np.minimum(value + log_ndtr(-inner * noise - 0.5 / noise) - np.log(delta), 700))
    error = np.minimum(rounding / np.maximum(fall, 1e-280) + 24 * ULP * value, value)
    higher = step_epsilon(np.clip(delta * (1 - doubt), 1e-300, None), noise, rate)
    lower = step_epsilon(np.clip(delta * (1 + doubt), None, BELOW_ONE), noise, rate)
    return value, error + np.maximum(higher - value, value - lower), rounding + doubt
