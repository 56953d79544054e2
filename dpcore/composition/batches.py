"""The guarantee of DP-SGD with batches that are not drawn by Poisson sampling.

Accountants of DP-SGD mean Poisson sampling: each record is in each batch by a coin of its own. A loader that shuffles
and cuts uses every record once an epoch, which is another mechanism. Its ε is at least that of
`shuffled_batches_epsilon_at_least` and at most that of `unamplified_epsilon`, anywhere between.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, log_ndtr

from dpcore import gaussian
from dpcore.checks import DELTA_RANGE, Array, integer, number
from dpcore.composition.bounds import elementwise
from dpcore.composition.releases import COUNT_RANGE, NOISE_RANGE
from dpcore.roots import bisect
from dpcore.rounding import round_down

_DOUBT = 4e-12  # relative, of a normal tail whose argument is right to a few roundings
_LEAST = 1e-290  # of a chance that has all its digits


def shuffled_batches_epsilon_at_least(
    delta: ArrayLike, noise_multiplier: ArrayLike, batches: ArrayLike, epochs: ArrayLike = 1
) -> Array:
    """Return a lower bound of ε of Gaussian noise on shuffled batches: no guarantee, the true ε is at least this.

    sup over C of ln((P_C − δ)/Q_C), where P_C = 1 − Φ((C − 2)/σ) Φ(C/σ)^{T−1} and Q_C = 1 − Φ((C − 1)/σ) Φ(C/σ)^{T−1}
    are the chances that some batch of an epoch exceeds C, with the person and with the person's gradient set to 0 (Chua
    et al., arXiv:2403.17673). For E epochs, each shuffled anew, the event is that this happens in at least i of them;
    they are independent: Pr(Bin(E, P_C) ≥ i) and Pr(Bin(E, Q_C) ≥ i) take the places of P_C and Q_C (own).

    Parameters
    ----------
    delta : in [1e-300, 1).
    noise_multiplier : σ as a multiple of the clipping norm, in [1e-3, 1e6].
    batches : T of an epoch, a whole number in [1, 1e6].
    epochs : E, a whole number in [1, 1e6].

    Returns
    -------
    ε ≥ 0 in nats, rounded down: every C and i gives a valid bound, so the search for the best cannot make it too large.
    Above about 600 it stays there, as no chance below 1e-290 is used.

    Examples
    --------
    >>> print(f"{shuffled_batches_epsilon_at_least(1e-5, 1, 234):.4f}")  # Poisson sampling would give 0.3935
    3.7613
    """
    delta, noise = number("delta", delta, DELTA_RANGE), number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    batches, epochs = integer("batches", batches, COUNT_RANGE), integer("epochs", epochs, COUNT_RANGE)
    return elementwise(_epsilon, delta, noise, batches, epochs)


def unamplified_epsilon(delta: ArrayLike, noise_multiplier: ArrayLike, epochs: ArrayLike = 1) -> Array:
    """ε of Gaussian noise on batches of which each record is in one an epoch, whatever the order: one with μ = √E/σ.

    Add or remove one (the batches of the others stay), or set one record's gradient to 0. Nothing is gained from the
    order; it holds for shuffled, fixed and sequential batches, and each further epoch is one more use of every record.

    Parameters
    ----------
    delta : in [1e-300, 1).
    noise_multiplier : σ as a multiple of the clipping norm, in [1e-3, 1e6].
    epochs : E, a whole number in [1, 1e6].

    Returns
    -------
    ε ≥ 0 in nats, rounded up, above the exact value by what moving σ and δ by a few roundings would move it.

    Examples
    --------
    >>> print(f"{unamplified_epsilon(1e-5, 1):.6f}")
    4.377178
    """
    delta, noise = number("delta", delta, DELTA_RANGE), number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    sigma = round_down(noise / np.sqrt(integer("epochs", epochs, COUNT_RANGE)), 2)
    return gaussian.epsilon_from_sigma(delta, sigma)


def _epsilon(delta: float, noise: float, batches: float, epochs: float) -> float:
    """Return the largest ε over the cuts C, by a grid around the three means and finer ones where it was best."""
    cuts = np.concatenate([mean + noise * np.linspace(-10, 38, 193) for mean in (0, 1, 2)])
    best = -np.inf
    for width in (1.0, 0.1, 0.01, 0.0):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            values = _log_ratio(delta, *_chances(delta, cuts[:, None], noise, batches, epochs))
        values = np.where(np.isnan(values), -np.inf, values)
        best = max(best, float(np.max(values)))
        cut = cuts[np.unravel_index(np.argmax(values), values.shape)[0]]
        cuts = cut + noise * width * np.linspace(-1, 1, 41)
    return max(round_down(best, 4) - 4e-13, 0.0)


def _log_ratio(delta: float, with_person: Array, without: Array) -> Array:
    """ln((P − δ)/Q), −∞ where the event says nothing."""
    usable = (with_person > delta) & (without > _LEAST)
    return np.where(usable, np.log(np.maximum(with_person - delta, 0)) - np.log(without), -np.inf)


def _chances(delta: float, cuts: Array, noise: float, batches: float, epochs: float) -> tuple[Array, Array]:
    """Return the chances of the event with the person, rounded down, and without, rounded up, at each cut."""
    others = (batches - 1) * log_ndtr(cuts / noise)
    log_below, log_below_without = (log_ndtr((cuts - mean) / noise) + others for mean in (2, 1))
    once, once_without = -np.expm1(log_below), -np.expm1(log_below_without)
    if epochs == 1:
        return once * (1 - _DOUBT), once_without * (1 + _DOUBT)
    least = _best_count(delta, epochs, once, once_without, log_below_without - log_below)
    often, often_without = _often(least, epochs, once, once_without)
    doubt = _DOUBT * (1 + least)  # the chances to the power i
    return often * (1 - doubt), often_without * (1 + doubt)


def _best_count(delta: float, epochs: float, with_person: Array, without: Array, fall: Array) -> Array:
    """Return the best count i: ln((P − δ)/Q) rises in it while E_Q[(r − rᵢ)₊] ≥ δ, r the ratio of likelihoods (own).

    It begins at the least count with a ratio of 1 or more (Neyman & Pearson); `fall` is ln of the ratio in an epoch
    without the event, negated.
    """

    def falls(least: Array) -> NDArray[np.bool_]:
        often, more_often = (_often(least + more, epochs, with_person, without) for more in (0, 1))
        return _log_ratio(delta, *more_often) <= _log_ratio(delta, *often)

    first = np.ceil(epochs * fall / (np.log(with_person / without) + fall))
    first = np.clip(np.nan_to_num(first, nan=1), 1, epochs)
    return bisect(falls, first - 1, epochs, math.ceil(math.log2(epochs)), _whole_middle)[1]


def _often(least: Array, epochs: float, *chances: Array) -> tuple[Array, ...]:
    """Return for each chance how likely it comes true in at least so many epochs."""
    return tuple(betainc(least, epochs - least + 1, chance) for chance in chances)


def _whole_middle(low: Array, high: Array) -> Array:
    return np.maximum(np.floor((low + high) / 2), 1)
