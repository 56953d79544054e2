"""The results of an attack: true and false positives at each threshold."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore._records import PlainRecord
from dpcore.checks import Array, integer, number, refuse

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
    """Return the attacks "call a member where score ≥ t", one per distinct score t, after "call nobody", (α, β) = (0,
    1).

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
    false_positives, non_members = checked_successes("false_positives", false_positives, "non_members", non_members)
    false_negatives, members = checked_successes("false_negatives", false_negatives, "members", members)
    numbers = np.broadcast_arrays(false_positives, false_negatives, non_members, members)
    counts = np.array([entry.ravel() for entry in numbers])
    alpha, beta = counts[:2] / counts[2:]
    order = np.lexsort((-beta, alpha))
    return Attack(alpha[order], beta[order], *counts[:, order], from_scores=False)


def checked_successes(name: str, successes: ArrayLike, trials_name: str, trials: ArrayLike) -> tuple[Array, Array]:
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
