"""The one noise to use for a table of counts, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcore.calibrations import PROVED, PURE_DP
from dpcore.checks import SIGNIFICANCE_RANGE, one, option
from dpcore.tables.noises import Noise, reach

PROMISES = ("pure", "delta")
RELEASABLE = ("laplace", "geometric", "analytic", "discrete_gaussian", "pdp", "classical")
_AS_GOOD = 1.01  # the ratio of half-widths up to which something else decides


@dataclass(frozen=True)
class Candidate:
    """What decides whether a noise is the one to use.

    Attributes
    ----------
    key : of `KEYS` or of `dpcore.calibrations`, each of one candidate only; those of `RELEASABLE` can be recommended.
    half_width : at the significance asked for, in query units.
    whole : whether it adds whole numbers.
    promise : "ε-DP", "(ε, δ)-DP" or "(ε, δ)-pDP".
    status : a word of `dpcore.calibrations`; only "proved" can be recommended.
    """

    key: str
    half_width: float
    whole: bool
    promise: str
    status: str


@dataclass(frozen=True)
class Choice:
    """The keys of the noise to use, of the next best one (empty if there is none), and of narrower ones, and why.

    `why` and `narrower` are those of `Recommendation`.
    """

    key: str
    runner_up: str
    why: str
    narrower: tuple[str, ...]


@dataclass(frozen=True)
class Recommendation:
    """The noise to use, and why.

    Attributes
    ----------
    noise : the one to use.
    half_width : its half-width at the significance asked for.
    runner_up : the best of the others that could be used, None if there is none.
    runner_up_half_width : that one's half-width, NaN if there is none.
    why : "only" without a runner-up; "narrowest" where the half-width decides; where the half-widths are as good as
        equal, "whole" if whole numbers do, "promise" if the stronger promise does.
    narrower : noises that keep the promise with a smaller half-width, but for which we know no published sampler that
        floating point can't betray: staircase and generalized Gaussian noise.
    """

    noise: Noise
    half_width: float
    runner_up: Noise | None
    runner_up_half_width: float
    why: str
    narrower: tuple[Noise, ...]


def recommended(noises: Sequence[Noise], promise: str, significance: float) -> Recommendation | None:
    """The noise of the least half-width among those that keep the promise, are proved to, and can be released safely.

    Safely means that published libraries have an exact sampler, or one made for floating point: OpenDP's and Google's
    have them for Laplace, geometric, Gaussian and discrete Gaussian noise.

    Half-widths count as equal up to 1 % and, where counts are whole, if they are equal for releases rounded to whole
    numbers: rounded, noise of half-width a has ⌈a − ½⌉. Then whole-numbered noise is taken, since counts stay counts
    and an exact sampler leaves no last bits to attack; and then the one that promises more, ε-DP before (ε, δ)-DP.

    Parameters
    ----------
    noises : from `mechanisms`.
    promise : "pure" for ε-DP, or "delta" where a δ is acceptable; noise of ε-DP keeps that promise too.
    significance : α in [1e-300, 1): of each number, or `each_significance` for all of them together.

    Returns
    -------
    A `Recommendation`, or None where none of the noises keeps the promise.

    Examples
    --------
    >>> from dpcore.tables.calibrated import mechanisms
    >>> from dpcore.tables.sensitivity import moves
    >>> found = recommended(mechanisms(1.0, 1e-6, moves(40)), "delta", 0.05)
    >>> print(f"{found.noise.name}: ±{found.half_width:.1f}")
    Discrete Gaussian: ±52.0
    >>> found = recommended(mechanisms(1.0, 1e-6, moves(3)), "pure", 0.05)
    >>> print(f"{found.noise.name}: ±{found.half_width:.2f}, {found.why}")
    Geometric: ±9.00, whole
    >>> print(f"{found.runner_up.name}: ±{found.runner_up_half_width:.2f}")
    Laplace: ±8.99
    """
    option("promise", promise, PROMISES)
    significance = one("significance", significance, SIGNIFICANCE_RANGE)
    by_key = {noise.key: noise for noise in noises}
    candidates = [
        Candidate(noise.key, reach(noise, significance), noise.whole, noise.promise, noise.status) for noise in noises
    ]
    found = choice(candidates, promise)
    if found is None:
        return None
    runner_up = by_key.get(found.runner_up)
    return Recommendation(
        noise=by_key[found.key],
        half_width=reach(by_key[found.key], significance),
        runner_up=runner_up,
        runner_up_half_width=np.nan if runner_up is None else reach(runner_up, significance),
        why=found.why,
        narrower=tuple(by_key[key] for key in found.narrower),
    )


def choice(candidates: Sequence[Candidate], promise: str) -> Choice | None:
    """The one rule by which every page recommends a noise; `recommended` says it in words.

    Counts are taken as whole where one of the candidates adds whole numbers.

    Parameters
    ----------
    candidates : with different keys; their half-widths are at one ε, δ and significance.
    promise : "pure" for ε-DP, or "delta" where a δ is acceptable; noise of ε-DP keeps that promise too.

    Returns
    -------
    A `Choice`, or None where none of the candidates can be used.

    Examples
    --------
    >>> laplace = Candidate("laplace", 8.99, False, "ε-DP", "proved")
    >>> geometric = Candidate("geometric", 9.0, True, "ε-DP", "proved")
    >>> choice([laplace, geometric], "pure")
    Choice(key='geometric', runner_up='laplace', why='whole', narrower=())
    """
    option("promise", promise, PROMISES)
    whole = any(each.whole for each in candidates)
    keeping = [each for each in candidates if each.status == PROVED and (promise == "delta" or each.promise == PURE_DP)]
    usable = [each for each in keeping if each.key in RELEASABLE]
    if not usable:
        return None
    least = min(each.half_width for each in usable)
    near = {each.key: _as_good(each.half_width, least, whole) for each in usable}

    def rank(each: Candidate) -> tuple[bool, bool, bool, float]:
        good = near[each.key]
        return not good, good and not each.whole, good and each.promise != PURE_DP, each.half_width

    best, *others = sorted(usable, key=rank)
    narrower = [each.key for each in keeping if each not in usable and each.half_width < best.half_width]
    if not others:
        return Choice(best.key, "", "only", tuple(narrower))
    return Choice(best.key, others[0].key, _why(best, others[0], near[others[0].key]), tuple(narrower))


def _as_good(half_width: float, least: float, whole: bool) -> bool:
    """Whether a half-width is as good as the least: within 1 %, or the same where whole counts are released rounded."""
    return half_width <= _AS_GOOD * least or (whole and _rounded(half_width) <= _rounded(least))


def _rounded(half_width: float) -> float:
    """The half-width of noise rounded to whole numbers: the least r such that ±(r + ½) takes in ±`half_width`."""
    return float(np.ceil(half_width - 0.5))


def _why(best: Candidate, runner_up: Candidate, near: bool) -> str:
    if near and best.whole and not runner_up.whole:
        return "whole"
    if near and best.whole == runner_up.whole and best.promise == PURE_DP != runner_up.promise:
        return "promise"
    return "narrowest"
