"""The accountants: ε of a list of releases at δ for many numbers of runs at once, by each; inf where one has none."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dpcore import composition, gaussian
from dpcore.checks import Array
from dpcore.composition import Release
from pages.composition.accounts import PURE, Releases, repeated

Rule = Callable[[Releases, float, Array], Array]
ORDERS = np.concatenate([1 + np.logspace(-5, 0, 121), np.logspace(math.log10(2), 7, 269)[1:]])
_LEAST_DELTA, _LARGEST_RHO, _LARGEST_EPSILON = 1e-300, 1e15, 1e3  # what dpcore takes
_LARGEST_SQUARE = 600  # of 1/z², whose exponential the central limit theorem takes


def missing(releases: Releases) -> dict[str, str]:
    """Why an accountant can't take the list, for each that can't."""
    kinds, found = {each.kind for each in releases}, {}
    if len(releases) > 1 or not kinds <= set(PURE):
        found["kov_optimal"] = "It takes one line of promises, Laplace noise or exponential mechanisms, alone."
    if not math.isfinite(composition.rho(releases)):
        found |= dict.fromkeys(("zcdp_standard", "zcdp"), "A line of the list keeps no ρ-zCDP.")
    if not kinds <= {"sampled", "gaussian"} or all(_is_gaussian(each) for each in releases):
        found["clt"] = "It is for DP-SGD, alone or with Gaussian noise."
    elif max(each.numbers[0] ** -2.0 for each in releases if not _is_gaussian(each)) > _LARGEST_SQUARE:
        found["clt"] = "The noise is too small for it."
    return found


def basic(releases: Releases, delta: float, runs: Array) -> Array:
    """Every single release with its own ε, all added up; those that need a δ share what is left of it equally."""
    spent = runs * _broken(releases)
    epsilon, _ = _shared(releases, (delta - spent) * (1 - 1e-12), runs)
    total = runs * np.sum([each.count * value for each, value in zip(releases, epsilon, strict=True)], axis=0)
    rounding = 1e-14 if math.isfinite(pure_sum(releases)) else 1e-13  # a sum of given ε stays a short number
    return np.where(spent <= delta, total * (1 + rounding), np.inf)


def _broken(releases: Releases) -> float:
    """The δ of all promises of one run of the list, added up."""
    return math.fsum(each.count * each.numbers[1] for each in releases if each.kind == "promise")


def _shared(releases: Releases, left: Array, runs: Array) -> tuple[list[Array], Array]:
    """ε of one release of each line if `left` of δ is shared by all that need some, and the share of each."""
    needing = sum(each.count for each in releases if each.kind not in PURE)
    share = left / (runs * max(needing, 1))
    return [_single(each, share) for each in releases], share


def _single(release: Release, share: Array) -> Array:
    """ε of one release at a share of δ; inf where the share is too small to be asked."""
    if release.kind in PURE:
        return np.full(share.shape, release.numbers[0])
    some, epsilon = share >= _LEAST_DELTA, np.full(share.shape, np.inf)
    epsilon[some] = _SINGLE[release.kind](release.numbers, share[some])
    return epsilon


def _one_gaussian(numbers: tuple[float, ...], share: Array) -> Array:
    return gaussian.epsilon_from_sigma(share, numbers[0])


def _one_rho(numbers: tuple[float, ...], share: Array) -> Array:
    return composition.epsilon_from_rho(numbers[0], share)


def _one_step(numbers: tuple[float, ...], share: Array) -> Array:
    """Of a promise on a Poisson sample; where the rate itself is at most the share, none is needed."""
    noise, rate = numbers
    inner = share / rate * (1 - 1e-15)
    found = np.zeros(share.shape)
    some = inner < 1
    epsilon = gaussian.epsilon_from_sigma(inner[some], noise)
    found[some] = np.maximum(np.logaddexp(math.log(rate) + epsilon, np.log1p(-rate)), 0) if rate < 1 else epsilon
    return found


_SINGLE = {"gaussian": _one_gaussian, "zcdp": _one_rho, "sampled": _one_step}


def _by_promises(rule: Callable[..., Array]) -> Rule:
    """An accountant of promises: half of what is left of δ is for those of noise that keeps none without δ."""

    def found(releases: Releases, delta: float, runs: Array) -> Array:
        spent = runs * _broken(releases)
        epsilon, share = _shared(releases, (delta - spent) / 2, runs)
        values, counts = np.stack(epsilon, axis=-1), np.outer(runs, [each.count for each in releases])
        deltas = np.stack([_own(each, share) for each in releases], axis=-1)
        some, total = np.all(values <= _LARGEST_EPSILON, axis=-1) & (spent < delta), np.full(runs.shape, np.inf)
        total[some] = rule(delta, values[some], counts[some], deltas[some])
        return total

    return found


def _own(release: Release, share: Array) -> Array:
    """δ of one release."""
    if release.kind == "promise":
        return np.full(share.shape, release.numbers[1])
    return np.zeros(share.shape) if release.kind in PURE else np.maximum(share, 0)


def _kov(releases: Releases, delta: float, runs: Array) -> Array:
    """Never above adding up, which is among its terms."""
    return np.minimum(_by_promises(composition.kairouz_epsilon)(releases, delta, runs), basic(releases, delta, runs))


def _kov_optimal(releases: Releases, delta: float, runs: Array) -> Array:
    (line,) = releases
    broken = line.numbers[1] if line.kind == "promise" else 0.0
    return composition.optimal_epsilon(delta, line.numbers[0], line.count * runs, broken)


def _zcdp(conversion: str) -> Rule:
    def found(releases: Releases, delta: float, runs: Array) -> Array:
        rho, total = composition.rho(releases) * runs * (1 + 1e-15), np.full(runs.shape, np.inf)
        some = rho <= _LARGEST_RHO
        total[some] = composition.epsilon_from_rho(rho[some], delta, conversion)
        return total

    return found


def _rdp(conversion: str) -> Rule:
    """At the best real order for one number of runs, at the best of `ORDERS` for many."""

    def found(releases: Releases, delta: float, runs: Array) -> Array:
        if runs.size == 1:
            return np.atleast_1d(composition.rdp_epsilon(repeated(releases, runs[0]), delta, conversion).value)
        left, total = _left(releases, delta, runs), np.full(runs.shape, np.inf)
        some = left >= _LEAST_DELTA
        divergence = np.outer(runs[some], divergences(releases)) * (1 + 1e-15)
        total[some] = composition.epsilon_from_rdp(ORDERS, divergence, left[some], conversion).value
        return total

    return found


@lru_cache(256)
def divergences(releases: Releases) -> Array:
    """The Rényi divergences of one run of the list at `ORDERS`, its promises kept."""
    kept = [
        composition.promise_release(each.numbers[0], 0.0, each.count) if each.kind == "promise" else each
        for each in releases
    ]
    return composition.rdp(kept, ORDERS)


def log_kept(releases: Releases) -> float:
    """ln Π(1 − δᵢ): the logarithm of the chance that no promise is broken by its δ."""
    return math.fsum(each.count * math.log1p(-each.numbers[1]) for each in releases if each.kind == "promise")


def pure_sum(releases: Releases) -> float:
    """Σ nᵢεᵢ, rounded up; inf where a line keeps no ε without a δ for it."""
    if any(each.kind not in PURE for each in releases):
        return math.inf
    return float(composition.basic_epsilon([each.numbers[0] for each in releases], [each.count for each in releases]))


def _left(releases: Releases, delta: float, runs: Array) -> Array:
    """δ′ of 1 − δ = (1 − δ′) Π(1 − δᵢ), rounded down: what the promises leave of δ."""
    kept = log_kept(releases)
    if kept == 0:
        return np.full(runs.shape, delta)
    broken = -np.expm1(runs * kept) * (1 + 1e-12)
    return (delta - broken) * (1 - 1e-12)  # dividing by 1 − broken would leave more


def _clt(releases: Releases, delta: float, runs: Array) -> Array:
    """By the central limit theorem: no bound, at some settings below the truth, at others above it."""
    square = math.fsum(each.count * _square(each) for each in releases)
    return gaussian.epsilon_from_sigma(delta, 1 / np.sqrt(runs * square))


def _is_gaussian(release: Release) -> bool:
    return release.kind == "gaussian" or (release.kind == "sampled" and release.numbers[1] == 1)


def _square(release: Release) -> float:
    """μ² of one release in the limit."""
    square = release.numbers[0] ** -2.0
    return square if _is_gaussian(release) else release.numbers[1] ** 2 * math.expm1(square)


RULES: dict[str, Rule] = {
    "basic": basic,
    "drv": _by_promises(composition.advanced_epsilon),
    "kov": _kov,
    "kov_optimal": _kov_optimal,
    "zcdp_standard": _zcdp("standard"),
    "zcdp": _zcdp("tight"),
    "rdp_standard": _rdp("standard"),
    "rdp": _rdp("tight"),
    "clt": _clt,
}
