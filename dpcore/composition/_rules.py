"""ε of a list of releases by the accountants that are formulas, at many δ and numbers of runs at once.

Each rule takes the releases, δ and how often the whole list is run, both of shape (m,), and returns ε of that shape: ∞
where the accountant has no answer. Formulas and sources: `dpcore.composition.accountants`.

Of one guarantee many times they have the least δ at every ε, and the least ε at every δ, exactly ([KOV15] Thm 3.3).
The worst (ε, δ₀)-DP release is randomised response that gives the true answer with probability e^ε/(1 + e^ε), and
reveals everything with probability δ₀. The privacy loss of k such releases is (k − 2m)ε, where the number m of false
answers is binomial. The profile is linear in e^ε' between its corners (k − 2i)ε, which therefore determine it.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from dpcore import discrete_gaussian, gaussian
from dpcore.checks import EPSILON_RANGE, LEAST_DELTA, PURE_DELTA_RANGE, Array, integer, interval_bounds, number
from dpcore.composition._single_step import CLT_NOISE_RANGE, step_epsilon
from dpcore.composition.cells import Corners
from dpcore.composition.closed_form import advanced_epsilon, epsilon_sum, kairouz_epsilon, of_each_run
from dpcore.composition.conversions import epsilon_from_rho
from dpcore.composition.releases import (
    COUNT_RANGE,
    PURE_RANGE,
    Release,
    broken_up,
    failures,
    own_delta,
    slack_down,
)
from dpcore.composition.renyi import rdp_epsilon, rho, zcdp_epsilon
from dpcore.rounding import total_up
from dpcore.tradeoff.losses import guarantee_corners


def optimal_delta(epsilon_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """Return the least δ of k releases that satisfy (ε, δ₀)-DP each, at every ε' ([KOV15] Thm 3.3).

    1 − (1 − δ₀)^k [1 − Σ_m w_m (1 − e^{ε' − (k − 2m)ε})₊], w_m = Pr(Bin(k, 1/(1 + e^ε)) = m).

    Parameters
    ----------
    epsilon_total : ε' of all releases together, in [0, 1e6], in nats.
    epsilon : of each release, in [0, 1e3], in nats.
    n_releases : k, a whole number in [1, 1e6].
    delta : δ₀ of each release, in [0, 1).

    Returns
    -------
    δ in [0, 1], rounded up: above the exact value by a relative 1e-10 at most (1e-12 for k ≤ 100) and by what
    moving ε' by a few roundings of kε would move it. A positive part below 1e-300 is given as 1e-300. The
    first use of an (ε, k) takes .1 ms, 1 ms for k = 1e6; a further ε' of the same is nearly free.

    Examples
    --------
    >>> print(f"{optimal_delta(4.77456758811, 0.1, 100):.6g}")
    1e-06
    """
    total, epsilon, count, delta = np.broadcast_arrays(
        number("epsilon_total", epsilon_total, EPSILON_RANGE), *_guarantees(epsilon, n_releases, delta)
    )
    pure = _by_pair(Corners.delta_at, total, epsilon, count)
    pure = np.where((epsilon > 0) & (total < count * epsilon), np.maximum(pure, LEAST_DELTA), pure)
    return broken_up(pure, failures(delta[..., None], count[..., None]))[()]


def optimal_epsilon(delta_total: ArrayLike, epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike = 0.0) -> Array:
    """Return the least ε' of k releases that satisfy (ε, δ₀)-DP each, at every δ: the inverse of `optimal_delta`.

    Parameters
    ----------
    delta_total : δ of all releases together, in [0, 1).
    epsilon, n_releases, delta : as in `optimal_delta`.

    Returns
    -------
    ε' ≥ 0 in nats, rounded up, at most kε: above the exact value by no more than moving δ by a relative 1e-10 (1e-12
    for k ≤ 100), or ε' by a few roundings, would move it; kε where less than 1e-300 is left for the pure part; ∞ where
    δ < 1 − (1 − δ₀)^k, with which no ε' goes.

    Examples
    --------
    >>> print(f"{optimal_epsilon(1e-6, 0.1, 100):.8f}")
    4.77456759
    """
    total, epsilon, count, delta = np.broadcast_arrays(
        number("delta_total", delta_total, PURE_DELTA_RANGE), *_guarantees(epsilon, n_releases, delta)
    )
    slack = slack_down(total, failures(delta[..., None], count[..., None]))
    used = np.where(slack >= LEAST_DELTA, slack, 0)
    bound = _by_pair(Corners.epsilon_at, used, epsilon, count)
    return np.where(slack >= 0, bound, np.inf)[()]


def _guarantees(epsilon: ArrayLike, n_releases: ArrayLike, delta: ArrayLike) -> tuple[Array, Array, Array]:
    return (
        number("epsilon", epsilon, PURE_RANGE),
        integer("n_releases", n_releases, COUNT_RANGE),
        number("delta", delta, PURE_DELTA_RANGE),
    )


def _by_pair(reading: Callable[[Corners, Array], Array], value: Array, epsilon: Array, count: Array) -> Array:
    """`reading(corners, values)` for each pair (ε, k) at once; 0 where ε = 0, when nothing is ever lost."""
    places: dict[tuple[float, int], list[int]] = {}
    for place, (loss, k) in enumerate(zip(epsilon.ravel().tolist(), count.ravel().tolist(), strict=True)):
        places.setdefault((loss, int(k)), []).append(place)
    result, value = np.zeros(value.size), value.ravel()
    for (loss, k), at in places.items():
        if loss > 0:
            index, delta = guarantee_corners(loss, k)
            corners = Corners(total_up([loss], [k]), 2 * loss, int(index[0]), delta)
            result[at] = reading(corners, value[at])
    return result.reshape(epsilon.shape)


Releases = tuple[Release, ...]
Rule = Callable[[Releases, Array, Array], Array]
_LARGEST_EPSILON = interval_bounds(PURE_RANGE)[1]
_LEAST_CLT_NOISE = interval_bounds(CLT_NOISE_RANGE)[0]


def unavailable(releases: Sequence[Release]) -> dict[str, str]:
    """Return why an accountant cannot take a list of releases, in a sentence, for each that cannot.

    Examples
    --------
    >>> from dpcore.composition import sampled_release
    >>> unavailable([sampled_release(1.1, 0.01, 1000)])["zcdp"]
    'A line of the list does not satisfy ρ-zCDP.'
    """
    kinds, reasons = {release.kind for release in releases}, {}
    if len(releases) > 1 or not all(release.has_epsilon for release in releases):
        reasons["kairouz_optimal"] = (
            "It requires a single line: (ε, δ) guarantees, Laplace noise or exponential mechanisms."
        )
    unbroken = [Release("guarantee", (line.numbers[0], 0.0)) if own_delta(line) else line for line in releases]
    if not math.isfinite(rho(unbroken)):
        reasons |= dict.fromkeys(("zcdp", "zcdp_standard"), "A line of the list does not satisfy ρ-zCDP.")
    if not kinds <= {"sampled", "gaussian"} or all(release.is_gaussian for release in releases):
        reasons["clt"] = "It applies to DP-SGD only, alone or with Gaussian noise."
    elif any(not release.is_gaussian and release.numbers[0] < _LEAST_CLT_NOISE for release in releases):
        reasons["clt"] = "The noise is too small."
    return reasons


def basic(releases: Releases, delta: Array, runs: Array) -> Array:
    """Basic composition of releases: every single release has its own ε, and those that need a δ share it equally."""
    spent = of_each_run(partial(guaranteed_delta, releases), runs)
    if all(release.has_epsilon for release in releases):  # a sum of given ε, and of δ, that is met counts as met
        return np.where(spent <= delta, epsilon_sum(releases, runs), np.inf)
    epsilons = _singles(releases, _share(releases, (delta - spent) * (1 - 1e-12), runs))
    total = runs * np.sum([release.count * value for release, value in zip(releases, epsilons, strict=True)], axis=0)
    return np.where(spent <= delta, total * (1 + 1e-13), np.inf)


def basic_is_above(releases: Releases, delta: float, bound: float) -> bool:
    """Return whether basic composition says more than a bound; the ε of the lines are added only until they do."""
    left = np.array([delta - guaranteed_delta(releases)]) * (1 - 1e-12)
    share, total = _share(releases, left, np.ones(1)), 0.0
    for release in sorted(releases, key=lambda line: not line.has_epsilon):
        total += release.count * float(_singles((release,), share)[0][0])
        if total > bound:
            return True
    return False


def guaranteed_delta(releases: Releases, n_runs: float = 1) -> float:
    """Return the sum of the δ of all guarantees in the list, rounded up from the exact sum."""
    return total_up([own_delta(release) for release in releases], [release.count * int(n_runs) for release in releases])


def _share(releases: Releases, left: Array, runs: Array) -> Array:
    """Return the δ that each release that needs one gets of `left`."""
    needing = sum(release.count for release in releases if not release.has_epsilon)
    return left / (runs * max(needing, 1))


def _singles(releases: Releases, share: Array) -> list[Array]:
    """ε of one release of each line at a share of δ, those of one kind at once: ∞ where no answer has so small a δ."""
    epsilons = [np.full(share.shape, release.numbers[0] if release.has_epsilon else np.inf) for release in releases]
    enough = share >= LEAST_DELTA
    for kind in {release.kind for release in releases if not release.has_epsilon}:
        lines = [line for line, release in enumerate(releases) if release.kind == kind]
        numbers = np.array([releases[line].numbers for line in lines]).T[..., None]
        for line, epsilon in zip(lines, _SINGLE[kind](share[enough], *numbers), strict=True):
            epsilons[line][enough] = epsilon
    return epsilons


_SINGLE: dict[str, Callable[..., Array]] = {
    "gaussian": gaussian.epsilon_from_sigma,
    "discrete_gaussian": partial(discrete_gaussian.epsilon_from_sigma, n_moved=1),
    "zcdp": epsilon_from_rho,
    "sampled": step_epsilon,
}


def _of_guarantees(formula: Callable[..., Array]) -> Rule:
    """Return a formula for guarantees: noise that has no ε without a δ gets half of what the guarantees leave of δ."""

    def rule(releases: Releases, delta: Array, runs: Array) -> Array:
        spent = of_each_run(partial(guaranteed_delta, releases), runs)
        share = _share(releases, (delta - spent) / 2, runs)
        values = np.stack(_singles(releases, share), axis=-1)
        counts = np.outer(runs, [release.count for release in releases])
        deltas = np.stack([_delta_of(release, share) for release in releases], axis=-1)
        some, total = np.all(values <= _LARGEST_EPSILON, axis=-1), np.full(runs.shape, np.inf)
        total[some] = formula(delta[some], values[some], counts[some], deltas[some])
        return total

    return rule


def _delta_of(release: Release, share: Array) -> Array:
    return np.full(share.shape, own_delta(release)) if release.has_epsilon else np.maximum(share, 0)


def _kairouz(releases: Releases, delta: Array, runs: Array) -> Array:
    """Return the smaller ε of Kairouz's closed form and of basic composition, which is among its terms."""
    return np.minimum(_of_guarantees(kairouz_epsilon)(releases, delta, runs), basic(releases, delta, runs))


def _kairouz_optimal(releases: Releases, delta: Array, runs: Array) -> Array:
    (line,) = releases
    return optimal_epsilon(delta, line.numbers[0], line.count * runs, own_delta(line))


def _clt(releases: Releases, delta: Array, runs: Array) -> Array:
    square = math.fsum(release.count * _mu_squared(release) for release in releases)
    return gaussian.epsilon_from_sigma(delta, 1 / np.sqrt(runs * square))


def _mu_squared(release: Release) -> float:
    """μ² of one release in the limit of many steps."""
    square = release.numbers[0] ** -2.0
    return square if release.is_gaussian else release.numbers[1] ** 2 * math.expm1(square)


def _zcdp(conversion: str) -> Rule:
    return lambda releases, delta, runs: zcdp_epsilon(releases, delta, conversion, runs)


def _rdp(conversion: str) -> Rule:
    return lambda releases, delta, runs: rdp_epsilon(releases, delta, conversion, runs).value


RULES: dict[str, Rule] = {
    "basic": basic,
    "advanced": _of_guarantees(advanced_epsilon),
    "kairouz": _kairouz,
    "kairouz_optimal": _kairouz_optimal,
    "zcdp_standard": _zcdp("standard"),
    "zcdp": _zcdp("tight"),
    "rdp_standard": _rdp("standard"),
    "rdp": _rdp("tight"),
    "clt": _clt,
}
