"""The mechanisms that a query can have: the noise of each family whose error is the wanted one, and its losses."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore import discrete_gaussian
from dpcore.accuracy import ACCURACY_RANGE, gaussian_sigma_from_accuracy, geometric_epsilon, laplace_epsilon
from dpcore.checks import Array, interval_bounds
from dpcore.composition import (
    COUNT_RANGE,
    NOISE_RANGE,
    Release,
    discrete_gaussian_release,
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
)
from dpcore.composition.releases import MOVED_RANGE, SIGMA_RANGE
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism, NoiseDistribution, proved
from dpcore.plan._quotients import quotient_scale
from dpcore.plan.choices import CHOICE_MECHANISMS, Chosen
from dpcore.plan.queries import MECHANISMS, PURE_MECHANISMS, WHOLE_MECHANISMS, Query
from dpcore.roots import Step, bisect, positive_mean, root_by_steps
from dpcore.rounding import round_down, round_up
from dpcore.selection import release_of_choice

_MOST_LOSS = 1e3  # of a release
_MOST_MOVED = interval_bounds(COUNT_RANGE)[1]
_LEAST_NOISE, _MOST_NOISE = interval_bounds(NOISE_RANGE)
_LEAST_SIGMA, _MOST_SIGMA = interval_bounds(SIGMA_RANGE)[0], 300.0  # from there on whole numbers make no difference
_MOST_STEPS = interval_bounds(MOVED_RANGE)[1]
_CLEAR = 0.01  # in ln σ: from so far above the largest one the σ of whole numbers is above that, too
_JUST_BELOW = 1e-10  # how far below the largest ln σ a root is sought, so that it is on the safe side
_APART = 1e-5  # in ln σ, of two points between which a slope is measured
_LEAST_FLAT, _FEW_CELLS = 1.7, 256  # the least σ of more cells than so many
_LEAST_SCALE, _MOST_SCALE = 1e-100, 1e100
_MOST_WHOLE = 1e50  # the largest half-width of geometric noise that is solved for
PURE = (*PURE_MECHANISMS, *CHOICE_MECHANISMS)
"""The mechanisms that need no δ."""
_LEAST_WANTED, _MOST_WANTED = interval_bounds(ACCURACY_RANGE)


@dataclass(frozen=True)
class Candidate(NoiseDistribution):
    """A noise that a query can have, of a family of `dpcore.plan.MECHANISMS`, and the release that it is."""

    release: Release

    def error_of(self, query: Query) -> float:
        """Return the half-width of the error of a query with this noise."""
        return query.seen_by(self.family).half_width_of(self)


@dataclass(frozen=True)
class Chooser:
    """The mechanism of a quantile or of the largest of several, which has no noise: its ε stands for a scale.

    Attributes
    ----------
    family : one of `dpcore.plan.CHOICE_MECHANISMS`.
    scale : the ε of one release, in nats.
    release : for `dpcore.composition`.
    query : whose statistic it is.
    """

    family: str
    scale: float
    release: Release
    query: Query
    symbol: ClassVar[str] = "ε"
    whole: ClassVar[bool] = False

    @property
    def epsilon(self) -> float:
        """The ε of one release."""
        return self.scale

    @property
    def name(self) -> str:
        """Its name for every page."""
        return self.family.replace("_", "-").capitalize()

    def half_width(self, significance: float, _n_cells: float = 1) -> float:
        """Return the error ± of a share 1 − α of releases.

        Examples
        --------
        >>> from dpcore.plan import Largest, query
        >>> chooser = candidates(query(8, Largest(23)), 0.0)["exponential"]
        >>> f"{chooser.epsilon:.4f} {chooser.half_width(0.05):.2f} {chooser.half_width(0.2):.2f}"
        '0.7544 8.00 5.93'
        """
        statistic = self.query.statistic
        assert isinstance(statistic, Chosen)
        return statistic.half_width(self.family, self.scale, significance, self.query.neighbours)

    def error_of(self, query: Query) -> float:
        """Return the half-width of the error of its query."""
        return self.half_width(query.significance)


def candidates(query: Query, delta: float, factor: float = 1.0) -> dict[str, "Candidate | Chooser"]:
    """Return the noises that a query can have where the wanted error is `factor` times as large, by their keys.

    A query whose ε is fixed, but not its mechanism, has noise on the whole numbers where its answers are whole. Only
    noise is returned for which the accountant has an answer; at δ = 0 only that of ε-DP.
    """
    if isinstance(query.statistic, Chosen):
        keys = (query.mechanism,) if query.mechanism else query.statistic.mechanisms
    elif query.mechanism or query.epsilon:
        keys = (query.mechanism or ("geometric" if query.whole else "laplace"),)
    else:
        keys = MECHANISMS
    if query.threshold_delta > 0 and delta <= query.threshold_delta:
        return {}
    possible = (candidate(key, query, factor) for key in keys if delta > 0 or key in PURE)
    return {noise.family: noise for noise in possible if noise is not None}


@lru_cache(16384)  # a page and a search use the same candidates many times
def candidate(key: str, query: Query, factor: float) -> "Candidate | Chooser | None":
    """Return the noise of one kind for a query, or the mechanism of its choice; None where it has none."""
    if isinstance(query.statistic, Chosen):
        return _chooser(key, query, query.statistic, factor)
    if key in WHOLE_MECHANISMS and not query.whole:
        return None
    seen = query.seen_by(key)
    scale = seen.scale or _scale(key, seen, factor)
    release = _release(key, scale, seen) if _LEAST_SCALE <= scale <= _MOST_SCALE else None
    if release is None or release.count * query.n_releases > _MOST_MOVED:
        return None
    if query.n_releases > 1:
        release = release.times(release.count * query.n_releases)
    return Candidate(key, (scale,), scale, release)


def _chooser(key: str, query: Query, statistic: Chosen, factor: float) -> "Chooser | None":
    """Return the mechanism of a choice with the wanted error or the fixed ε; None where no ε is enough."""
    try:
        known = query.significance, query.neighbours
        epsilon = query.epsilon or statistic.epsilon(key, query.half_width * factor, *known)
    except ValueError:
        return None
    if epsilon > _MOST_LOSS:
        return None
    return Chooser(key, epsilon, release_of_choice(key, epsilon, query.n_releases), query)


def mechanisms_of(
    noises: Sequence[Candidate | Chooser], queries: Sequence[Query], delta: float
) -> tuple[Mechanism | Chooser, ...]:
    """Return the mechanisms of candidates, one of each query, with the ε that a single release of it has alone at δ."""
    added = [(noise, query) for noise, query in zip(noises, queries, strict=True) if isinstance(noise, Candidate)]
    lines = tuple(_line(noise, query.seen_by(noise.family)) for noise, query in added)
    needs_delta = any(noise.family not in PURE for noise in noises)
    epsilons = iter(_own_epsilons(lines, delta if needs_delta else 0.0).tolist() if lines else ())
    return tuple(_mechanism(own, next(epsilons), delta) if isinstance(own, Candidate) else own for own in noises)


def _line(noise: Candidate, query: Query) -> tuple[str, float, float, float]:
    """Return what the ε of a single release follows from: the noise, its scale, the sensitivity, and what is moved."""
    if noise.family == "discrete_gaussian":
        return noise.family, noise.scale, query.largest * float(np.sqrt(query.n_moved)), query.n_moved
    return noise.family, noise.scale, query.l2 if noise.family == "gaussian" else query.l1, 0.0


def _own_epsilons(lines: tuple[tuple[str, float, float, float], ...], delta: float) -> Array:
    """Return the ε of single releases; those of one kind of noise at once, as a call takes a millisecond or more."""
    keys, (scale, sensitivity, n_moved) = [line[0] for line in lines], np.array([line[1:] for line in lines]).T
    epsilon = np.empty(len(lines))
    for key in set(keys):
        rows = np.array([own == key for own in keys])
        moved = (n_moved[rows],) if key == "discrete_gaussian" else ()
        own_delta = 0.0 if key in PURE_MECHANISMS else delta
        epsilon[rows] = FAMILIES[key].calibration.epsilon(own_delta, scale[rows], sensitivity[rows], *moved)
    return epsilon


def _mechanism(noise: Candidate, epsilon: float, delta: float) -> Mechanism:
    calibration = FAMILIES[noise.family].calibration
    own_delta = 0.0 if noise.family in PURE_MECHANISMS else delta
    mechanism = proved(calibration, epsilon, own_delta, noise.scale, (noise.scale,))
    return replace(mechanism, key=calibration.key, name=calibration.name.partition(",")[0])


def _scale(key: str, query: Query, factor: float) -> float:
    """Return the largest scale of a kind of noise with the wanted error, or that of the fixed ε; NaN if none is."""
    if query.epsilon:
        return float(round_up(query.l1 / query.epsilon))
    if query.width:
        error = query.half_width * factor / (query.width / 2)
        return _scale_of(quotient_scale, key, error, query.n_records, query.significance)
    target = query.noise_half_width(factor)
    if not _LEAST_WANTED <= target <= _MOST_WANTED:
        return math.nan
    if key == "laplace":
        return target * _scale_of(_unit_laplace_scale, query.significance)
    if key == "gaussian":
        return target * _scale_of(_unit_sigma, query.significance)
    if key == "geometric":
        return _scale_of(_geometric_scale, float(np.floor(min(target, _MOST_WHOLE))), query.significance, query.l1)
    if key == "discrete_gaussian":
        return _scale_of(_discrete_sigma, float(np.floor(target)), query.significance)
    return _widest_scale(key, target, query.significance)


@lru_cache(4096)  # queries with the same wanted error, of which a search has many
def _scale_of(formula: Callable[..., float], *known: Any) -> float:
    """Return the scale by one of the formulas below."""
    return formula(*known)


def _unit_laplace_scale(significance: float) -> float:
    """Return the largest b of Laplace noise with a half-width of 1, further down than a product rounds up."""
    return float(round_down(1 / laplace_epsilon(1.0, significance)))


def _unit_sigma(significance: float) -> float:
    """Return the largest σ of Gaussian noise with a half-width of 1, further down than a product rounds up."""
    return float(gaussian_sigma_from_accuracy(1.0, significance))


def _widest_scale(key: str, half_width: float, significance: float) -> float:
    """Return the largest scale of noise with a half-width, by bisection, for a family without a formula of its own.

    NaN where even the least scale has a wider one.
    """
    low, high = np.array([_LEAST_SCALE]), np.array([_MOST_SCALE])

    def is_wide(scale: Array) -> NDArray[np.bool_]:
        return FAMILIES[key].functions.half_width(significance, scale) > half_width

    return math.nan if is_wide(low)[0] else float(bisect(is_wide, low, high, 120, positive_mean)[0][0])


def _geometric_scale(half_width: float, significance: float, l1: float) -> float:
    """Return the largest scale of geometric noise with a whole half-width, up to rounding."""
    return float(round_up(l1 / geometric_epsilon(half_width, significance, l1)))


def _release(key: str, scale: float, query: Query) -> Release | None:
    """Return the release for the accountant, with losses rounded up; None where they are outside what it takes.

    Of a query of which only Δ₁ is known, Laplace and geometric noise are a guarantee of their ε, as all other noise is.
    """
    if key == "gaussian":
        multiplier = min(round_down(scale / query.l2), _MOST_NOISE)
        return gaussian_release(multiplier) if multiplier >= _LEAST_NOISE else None
    if key == "discrete_gaussian":
        narrow = query.n_moved > _FEW_CELLS and scale < _LEAST_FLAT
        outside = not _LEAST_SIGMA <= scale <= _MOST_SIGMA or query.largest > _MOST_STEPS
        if narrow or outside or not 1 <= query.n_moved <= _MOST_MOVED:
            return None
        return discrete_gaussian_release(scale, query.largest, query.n_moved)
    is_apart = query.n_moved > 0 and key in ("laplace", "geometric")
    loss = round_up((query.largest if is_apart else query.l1) / scale)
    if loss > _MOST_LOSS or query.n_moved > _MOST_MOVED:
        return None
    if not is_apart:
        return guarantee_release(loss)
    if key == "laplace":
        return laplace_release(loss, query.n_moved)
    return geometric_release(loss, query.largest, query.n_moved)


def _discrete_sigma(half_width: float, significance: float) -> float:
    """Return a σ with Pr(|noise| > a) ≤ α, a relative 2e-10 at most below the largest up to 300, at least 0.01.

    The tail grows with σ: of two values of σ the ratio of the masses is monotone in |k|. Its logarithm is concave in
    ln σ, about, and Newton's method takes few steps from the σ of the continuous Gaussian.
    """
    low, high = np.log([_LEAST_SIGMA]), np.log([_MOST_SIGMA])

    def method(log_sigma: Array) -> Step[None]:
        sigma = np.exp(np.append(log_sigma, log_sigma + _APART))
        excess, next_excess = np.log(discrete_gaussian.tail(half_width, sigma) / significance)
        with np.errstate(divide="ignore", invalid="ignore"):  # where the tail is as good as 1
            step = -excess * _APART / (next_excess - excess) - _JUST_BELOW
        is_below = np.array([excess <= 0])
        return log_sigma + step, is_below & (abs(step) <= _JUST_BELOW / 2), is_below, None

    continuous = np.log(gaussian_sigma_from_accuracy(half_width + 0.5, [significance]))
    if continuous > high + _CLEAR:
        return _MOST_SIGMA
    return float(np.exp(root_by_steps(method, np.clip(continuous, low, high), low, high).x[0]) * (1 - 1e-14))
