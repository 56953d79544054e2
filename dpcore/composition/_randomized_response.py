"""Guarantees alone: the total loss has finitely many values, and δ(ε) is a sum over them ([KOV15] Thm 3.3)."""

import numpy as np

from dpcore.checks import Array
from dpcore.composition._normalize import Whole
from dpcore.rounding import ULP, round_up
from dpcore.tradeoff.guarantees import lies_told

MOST_LOSSES = 2**20


def _losses(together: Whole) -> tuple[Array, Array, Array]:
    """Total losses in rising order, and of each how likely a larger or equal one is under P, and ln of that under Q."""
    loss, mass = np.zeros(1), np.ones(1)
    for _, (epsilon,), count in together.runs:
        n_lies, chance = lies_told(epsilon, count)
        n_lies, chance = n_lies[chance > 0], chance[chance > 0]
        loss = np.add.outer(loss, (count - 2 * n_lies) * epsilon).ravel()
        mass = np.multiply.outer(mass, chance).ravel()
    order = np.argsort(loss)[::-1]
    loss, mass = loss[order], mass[order]
    with np.errstate(divide="ignore"):
        log_other = np.logaddexp.accumulate(np.log(mass) - loss)
    return loss[::-1], np.cumsum(mass)[::-1], log_other[::-1]


def lattice_delta(together: Whole, epsilon: Array) -> tuple[Array, Array]:
    """δ(ε) = P(L > ε) − e^ε Q(L > ε), and its error."""
    loss, ours, log_theirs = _losses(together)
    first = np.searchsorted(loss, epsilon, side="right")
    inside, near = first < loss.size, epsilon < round_up(loss[-1], 8)
    first = np.minimum(first, loss.size - 1)
    value = np.where(inside, np.maximum(ours[first] - np.exp(np.minimum(epsilon + log_theirs[first], 0)), 0), 0)
    return value, np.where(near, ours[first], 0) * _rounding_error(loss)


def lattice_epsilon(together: Whole, delta: Array, doubt: Array) -> tuple[Array, Array, Array]:
    """ε(δ), how far it is off where δ is right to a relative `doubt`, and the relative error of δ there."""
    loss, ours, log_theirs = _losses(together)
    corner = np.maximum(ours - np.exp(loss + log_theirs), 0)  # δ at each loss, where a term of it is 0

    def epsilon(delta: Array) -> Array:
        first = np.minimum(loss.size - np.searchsorted(corner[::-1], delta, side="left"), loss.size - 1)
        with np.errstate(divide="ignore"):
            return np.log(np.maximum(ours[first] - delta, 0)) - log_theirs[first]

    value = epsilon(delta)
    above = ours[np.minimum(np.searchsorted(loss, value, side="right"), loss.size - 1)]
    relative = above / delta * _rounding_error(loss) + doubt
    most, least = epsilon(np.maximum(delta * (1 - relative), 0)), epsilon(delta * (1 + relative))
    return value, np.maximum(most - np.maximum(value, 0), np.maximum(value, 0) - np.maximum(least, 0)), relative


def _rounding_error(loss: Array) -> float:
    return 8 * ULP * (10 + np.sqrt(loss.size) + np.max(abs(loss)))
