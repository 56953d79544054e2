"""Auditing: what an attacker's measured errors prove about the privacy that was lost.

α is the type I error of an attack, the rate of false positives (a non-member called a member); β is the type II error,
the rate of false negatives (a member not called). A guarantee f of f-DP says β ≥ f(α) for every attack, also with α and
β exchanged. `band` turns counts into bounds that hold with a stated confidence, for all its points at once; everything
computed from a band therefore holds with that confidence, however many claims are tried on the same band.

The proof needs independent trials: the non-members' outcomes independent and identically distributed, the members'
too, and the two groups independent of each other. A score for each run of the mechanism is so, if a coin decides in
each run whether the person is in the data. Many records that are scored against one trained model are not independent:
such an audit needs a test of its own ([SNJ23]). And members that differ from the others in anything but membership may
be distinguished by that, however little the mechanism reveals.

Every bound is rounded to the safe side: upper bounds up, what is proved down. Bad input raises `ValueError`: `name must
be in RANGE, got VALUE`.

References
----------
[CP34] Clopper & Pearson 1934, Biometrika 26(4), doi:10.1093/biomet/26.4.404. [KOV15] Kairouz, Oh & Viswanath 2015,
arXiv:1311.0776. [DRS22] Dong, Roth & Su 2022, JRSS-B 84(1), doi:10.1111/rssb.12454. [JUO20] Jagielski, Ullman &
Oprea 2020, arXiv:2006.07709. [SNJ23] Steinke, Nasr & Jagielski 2023, arXiv:2305.08846.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, betainccinv, betaincinv, betaln, ndtri, xlog1py, xlogy

from dpcore.checks import Array, PlainRecord, integer, number, refuse, scalar
from dpcore.rounding import BELOW_ONE, ULP, round_down, round_sum_down, round_up

__all__ = [
    "CONFIDENCE_RANGE",
    "MOST_RANKS",
    "MOST_TRIALS",
    "Attack",
    "Band",
    "LowerBound",
    "area_under_roc",
    "attack_from_counts",
    "attack_from_scores",
    "band",
    "clopper_pearson_lower",
    "clopper_pearson_upper",
    "epsilon_lower",
    "is_contradicted",
    "mu_lower",
]

MOST_TRIALS = 1e9


@dataclass(frozen=True)
class Attack(PlainRecord):
    """The measured operating points of an attack, by increasing α.

    `false_positives` of `n_non_members` and `false_negatives` of `n_members` make `alpha` and `beta`. `from_scores`
    says whether the points are the thresholds of one scored sample (the trials are then scalars) or were fixed in
    advance.
    """

    alpha: Array
    beta: Array
    false_positives: Array
    false_negatives: Array
    n_non_members: Array
    n_members: Array
    from_scores: bool


def attack_from_scores(member: ArrayLike, score: ArrayLike) -> Attack:
    """Return the attacks "call a member where score ≥ t", one per distinct score t, as α and β.

    The first is "call nobody", (0, 1).

    Equal scores are called together, so the ROC passes a tie in a straight segment.

    Parameters
    ----------
    member : 1 for a member, 0 for a non-member, or booleans; at least one of each.
    score : finite; larger where the attacker rather believes "member".

    Examples
    --------
    >>> attack_from_scores([1, 0, 1], [0.9, 0.4, 0.6]).beta.tolist()
    [1.0, 0.5, 0.0, 0.0]
    """
    with suppress(ValueError):  # a ragged list, which `number` refuses
        member = np.asarray(member, dtype=np.float64) if np.asarray(member).dtype == np.bool_ else member
    flags = number("member", member, "[0, 1]")
    refuse("member", flags, (flags != 0) & (flags != 1), "{0, 1}")
    flags, scores = (part.ravel() for part in np.broadcast_arrays(flags, number("score", score, "(-inf, inf)")))
    n_members = number("the number of members", np.sum(flags), "[1, inf)")
    n_non_members = number("the number of non-members", flags.size - np.sum(flags), "[1, inf)")
    _, group = np.unique(-scores, return_inverse=True)
    hits = np.cumsum(np.bincount(group + 1, weights=flags))
    false_positives = np.cumsum(np.bincount(group + 1, weights=1 - flags), dtype=np.float64)
    false_negatives = n_members - hits
    alpha, beta = false_positives / n_non_members, false_negatives / n_members
    return Attack(alpha, beta, false_positives, false_negatives, n_non_members, n_members, from_scores=True)


def attack_from_counts(
    false_positives: ArrayLike, non_members: ArrayLike, false_negatives: ArrayLike, members: ArrayLike
) -> Attack:
    """Return the operating points that these counts estimate; each must have been fixed before looking at these data.

    Parameters
    ----------
    false_positives, false_negatives : whole numbers, at most the trials of their group.
    non_members, members : trials, whole numbers in [1, 1e9].

    Examples
    --------
    >>> attack_from_counts(3, 100, 20, 50).beta.tolist()
    [0.4]
    """
    false_positives, non_members = _checked_successes("false_positives", false_positives, "non_members", non_members)
    false_negatives, members = _checked_successes("false_negatives", false_negatives, "members", members)
    numbers = np.broadcast_arrays(false_positives, false_negatives, non_members, members)
    counts = np.array([entry.ravel() for entry in numbers])
    alpha, beta = counts[:2] / counts[2:]
    order = np.lexsort((-beta, alpha))
    return Attack(alpha[order], beta[order], *counts[:, order], from_scores=False)


def _checked_successes(name: str, successes: ArrayLike, trials_name: str, trials: ArrayLike) -> tuple[Array, Array]:
    """Return the numbers of successes and of trials, checked, of one shape."""
    successes, trials = integer(name, successes, "[0, 1e9]"), integer(trials_name, trials, "[1, 1e9]")
    refuse(name, successes, successes > trials, f"[0, {trials_name}]")
    return successes, trials


def area_under_roc(attack: Attack) -> float:
    """Pr(a member's score > a non-member's) + ½ Pr(equal), over all pairs of the sample (Mann–Whitney); scores only.

    Examples
    --------
    >>> area_under_roc(attack_from_scores([1, 0, 1], [0.9, 0.7, 0.6]))
    0.5
    """
    if not attack.from_scores:
        raise ValueError("attack must be one given by scores, got one given by counts")
    hits = attack.n_members - attack.false_negatives
    pairs = np.sum(np.diff(attack.false_positives) * (hits[1:] + hits[:-1])) / 2
    return float(pairs / (attack.n_members * attack.n_non_members))


CONFIDENCE_RANGE = "[0.5, 1)"


_TAIL_DOUBT = 1e-9  # SciPy's beta tails were off by a relative 3e-11 at most for up to 1e9 trials


def clopper_pearson_upper(successes: ArrayLike, trials: ArrayLike, confidence: ArrayLike) -> Array:
    """Return an upper confidence bound on a probability: the p with Pr(Bin(n, p) ≤ k) = 1 − confidence [CP34].

    It is 1 at k = n.

    It is the `confidence` quantile of Beta(k + 1, n − k), because Pr(Bin(n, p) ≤ k) = Pr(Beta(k + 1, n − k) > p).

    Parameters
    ----------
    successes : k, a whole number in [0, n].
    trials : n, a whole number in [1, 1e9].
    confidence : one-sided, in [0.5, 1).

    Returns
    -------
    p in (0, 1]: never below the true value; its failure probability is not below (1 − confidence)(1 − 3e-9), but for
    the last bits of p.

    Examples
    --------
    >>> f"{clopper_pearson_upper(3, 100, 0.95):.4f}"
    '0.0757'
    """
    successes, trials = _checked_successes("successes", successes, "trials", trials)
    return _upper_limit(successes, trials, 1 - number("confidence", confidence, CONFIDENCE_RANGE))


def clopper_pearson_lower(successes: ArrayLike, trials: ArrayLike, confidence: ArrayLike) -> Array:
    """Return a lower confidence bound on a probability: the p with Pr(Bin(n, p) ≥ k) = 1 − confidence [CP34].

    It is the 1 − confidence quantile of Beta(k, n − k + 1), and 0 at k = 0.

    Domain and reference as in `clopper_pearson_upper`; rounded down.

    Examples
    --------
    >>> f"{clopper_pearson_lower(3, 100, 0.95):.4f}"
    '0.0082'
    """
    successes, trials = _checked_successes("successes", successes, "trials", trials)
    significance = (1 - number("confidence", confidence, CONFIDENCE_RANGE)) * (1 - _TAIL_DOUBT)
    a, b = np.maximum(successes, 1), trials - np.maximum(successes, 1) + 1
    p = betaincinv(a, b, significance)
    for _ in range(2):
        p = p - (betainc(a, b, p) - significance) / _density(p, a, b)
    return np.where(successes == 0, 0.0, round_down(p, 4))[()]


def _upper_limit(successes: Array, trials: Array, significance: ArrayLike) -> Array:
    """Return the Clopper–Pearson upper bound; two Newton steps, as SciPy's inverse is off by up to a relative 2e-8."""
    significance = np.asarray(significance) * (1 - _TAIL_DOUBT)
    a = np.minimum(successes, trials - 1) + 1
    b = trials - a + 1
    p = betainccinv(a, b, significance)
    for _ in range(2):
        p = np.minimum(p + (betaincc(a, b, p) - significance) / _density(p, a, b), 1)
    return np.where(successes == trials, 1.0, np.minimum(round_up(p, 4), 1))[()]


def _density(p: Array, a: Array, b: Array) -> Array:
    """Return the density of Beta(a, b), or infinity at p = 1, from which Newton's method then does not move."""
    return np.where(p < 1, np.exp(xlogy(a - 1, p) + xlog1py(b - 1, -np.minimum(p, BELOW_ONE)) - betaln(a, b)), np.inf)


MOST_RANKS = 24


@dataclass(frozen=True)
class Band:
    """Measured points, and upper bounds on the true α and β behind them that all hold at once; by increasing α."""

    alpha: Array
    beta: Array
    alpha_high: Array
    beta_high: Array


def band(rng: np.random.Generator | None, attack: Attack, confidence: float) -> Band:
    """Upper bounds that the true (α, β) of all the points obey at once with probability ≥ `confidence`.

    Parameters
    ----------
    attack : the points of counts; of scores, up to 24 thresholds at non-members' and 24 at members' scores are chosen.
    confidence : in [0.5, 1).
    rng : breaks ties between scores, so it is required for scores. Fix its seed before looking at the result.

    Notes
    -----
    Counts: m points fixed in advance have 2m one-sided bounds, each failing with probability ≤ (1 − confidence)/2m.

    Scores: a random order that does not look at membership breaks ties, which makes a randomised but legitimate attack
    with a continuous score S = (score, U). Take the threshold t at the k-th largest of the n non-members' S. Pr(S > t)
    for a new non-member is then the k-th smallest of n independent uniforms, Beta(k, n − k + 1), whose quantile is the
    Clopper–Pearson bound of k − 1 false positives in n: exact for α. Given t, the members are still independent of it
    and their false negatives are Bin(N, β(t)): Clopper–Pearson again. Thresholds at the members' k-th smallest S
    exchange the roles. The k depend on n and N only (`_ranks`), and 1 − confidence is divided over the 2m bounds of all
    m points.

    Examples
    --------
    >>> from dpcore.audit import attack_from_counts
    >>> region = band(None, attack_from_counts(3, 1000, 200, 1000), confidence=0.95)
    >>> [f"{rate:.4f}" for rate in (*region.alpha_high, *region.beta_high)]
    ['0.0087', '0.2262']
    """
    significance = 1 - scalar("confidence", confidence, CONFIDENCE_RANGE)
    false_positives, false_negatives = attack.false_positives, attack.false_negatives
    if attack.from_scores:
        if rng is None:
            raise ValueError("rng must be a numpy.random.Generator for an attack given by scores, got None")
        false_positives, false_negatives = _thresholds(_in_random_order(attack, rng))
    significance = significance / (2 * false_positives.size)
    alpha_high = _upper_limit(false_positives, attack.n_non_members, significance)
    beta_high = _upper_limit(false_negatives, attack.n_members, significance)
    return Band(false_positives / attack.n_non_members, false_negatives / attack.n_members, alpha_high, beta_high)


def _in_random_order(attack: Attack, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return the membership of the scored records by decreasing score, ties in random order."""
    sizes = np.ravel(np.column_stack((np.diff(attack.false_positives), -np.diff(attack.false_negatives)))).astype(
        np.int64
    )
    group, member = np.divmod(np.repeat(np.arange(sizes.size), sizes), 2)
    order = rng.permutation(group.size)
    return member[order[np.argsort(group[order], kind="stable")]] == 1


def _thresholds(member: NDArray[np.bool_]) -> tuple[Array, Array]:
    """False positives and negatives, the record at the threshold left out, at the thresholds that `band` looks at."""
    non_member_places, member_places = np.flatnonzero(~member), np.flatnonzero(member)
    false_positives, false_negatives = _ranks(non_member_places.size), _ranks(member_places.size)
    false_negatives_there = member_places.size - (non_member_places[false_positives] - false_positives)
    false_positives_there = member_places[::-1][false_negatives] - (member_places.size - 1 - false_negatives)
    false_positives, false_negatives = (
        np.append(false_positives, false_positives_there),
        np.append(false_negatives_there, false_negatives),
    )
    order = np.lexsort((-false_negatives, false_positives))
    return false_positives[order].astype(np.float64), false_negatives[order].astype(np.float64)


def _ranks(n: int) -> NDArray[np.int64]:
    """At most 24 numbers of errors from 0 to n − 1, about geometric: the outer ones carry ε, the inner ones μ."""
    return np.unique(np.rint(np.geomspace(1, n, MOST_RANKS)).astype(np.int64)) - 1


@dataclass(frozen=True)
class LowerBound(PlainRecord):
    """A proved lower bound, and the `alpha_high`, `beta_high` of the point that proves it."""

    value: Array
    alpha: Array
    beta: Array


def epsilon_lower(band: Band, delta: ArrayLike) -> LowerBound:
    """ε = max over points of ln((1 − δ − β)/α) and ln((1 − δ − α)/β), at least 0: (ε', δ)-DP is refuted for ε' < ε.

    (ε, δ)-DP guarantees 1 − β ≤ e^ε α + δ and 1 − α ≤ e^ε β + δ for every test ([KOV15] Thm 2.1; [JUO20] §3). Both
    ratios fall in α and in β, so upper bounds on these give a lower bound on ε.

    Parameters
    ----------
    delta : in [0, 1); the result has its shape.

    Examples
    --------
    >>> from dpcore.audit import attack_from_counts, band
    >>> region = band(None, attack_from_counts(3, 1000, 200, 1000), confidence=0.95)
    >>> f"{epsilon_lower(region, 1e-6).value:.4f}"
    '4.4832'
    """
    room = 1 - number("delta", delta, "[0, 1)")[..., None]
    alpha, beta = band.alpha_high, band.beta_high
    return _greatest(band, np.maximum(_log_ratio(room, beta, alpha), _log_ratio(room, alpha, beta)))


def _log_ratio(room: Array, first: Array, other: Array) -> Array:
    return round_down(np.log(np.maximum(round_down((room - first - 4 * ULP) / other, 4), 1)), 4)


def mu_lower(band: Band) -> LowerBound:
    """μ = max over points of Φ⁻¹(1 − α) − Φ⁻¹(β), at least 0: μ'-GDP is refuted for μ' < μ ([DRS22]).

    G_μ(α) = Φ(Φ⁻¹(1 − α) − μ) ≤ β solved for μ falls in α and in β, so upper bounds on these give a lower bound on μ.

    Examples
    --------
    >>> from dpcore.audit import attack_from_counts, band
    >>> region = band(None, attack_from_counts(3, 1000, 200, 1000), confidence=0.95)
    >>> f"{mu_lower(region).value:.4f}"
    '3.1279'
    """
    mu_high, mu_low = -ndtri(band.alpha_high), -ndtri(band.beta_high)
    return _greatest(band, np.maximum(round_sum_down(mu_high + mu_low, abs(mu_high) + abs(mu_low), 8), 0))


def _greatest(band: Band, value: Array) -> LowerBound:
    best = np.argmax(value, axis=-1)
    return LowerBound(np.max(value, axis=-1), band.alpha_high[best], band.beta_high[best])


def is_contradicted(band: Band, f: Callable[[Array], Array], symmetric: bool = True) -> NDArray[np.bool_]:
    """Return where a point proves that the guarantee f is violated: β_high < f(α_high), or with α and β exchanged.

    f does not increase and α ≤ α_high, so f(α) ≥ f(α_high) > β_high ≥ β: the attack does what f excludes. Neighbouring
    data sets can be exchanged, so a guarantee for both orders also excludes α < f(β) ([DRS22]).

    Parameters
    ----------
    f : the guaranteed trade-off function on arrays of α, rounded down by its maker if at all.
    symmetric : whether f is guaranteed in both orders, as f-DP does.

    Examples
    --------
    >>> from dpcore.tradeoff import epsilon_delta
    >>> from dpcore.audit import attack_from_counts, band
    >>> region = band(None, attack_from_counts(3, 1000, 200, 1000), confidence=0.95)
    >>> is_contradicted(region, lambda alpha: epsilon_delta(alpha, 1, 0)).tolist()
    [True]
    """
    broken = band.beta_high < f(band.alpha_high)
    return broken | (band.alpha_high < f(band.beta_high)) if symmetric else broken
