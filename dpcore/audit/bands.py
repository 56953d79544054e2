"""A band that contains the trade-off curve of an attack with a chosen confidence."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.audit.attacks import Attack
from dpcore.audit.intervals import CONFIDENCE_RANGE, upper_limit
from dpcore.checks import Array, scalar

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
    alpha_high = upper_limit(false_positives, attack.n_non_members, significance)
    beta_high = upper_limit(false_negatives, attack.n_members, significance)
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
