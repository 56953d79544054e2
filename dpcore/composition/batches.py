"""The guarantee of DP-SGD with batches that are not drawn by Poisson sampling.

Accountants of DP-SGD mean Poisson sampling: each record is in each batch by a coin of its own. A loader that shuffles
and cuts uses every record once an epoch, which is another mechanism. Its ε is at least that of
`shuffled_batches_epsilon_at_least` and at most that of `unamplified_epsilon`, anywhere between.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, log_ndtr

from dpcore import gaussian
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, integer, number
from dpcore.composition.bounds import elementwise
from dpcore.composition.releases import COUNT_RANGE, NOISE_RANGE
from dpcore.roots import bisect
from dpcore.rounding import round_down

_DOUBT = 4e-12  # relative, of a normal tail whose argument is right to a few roundings
_LEAST = 1e-290  # of a chance that has all its digits
_Objective = Callable[[Array, Array], Array]
_Counts = Callable[[Array, Array, Array, Array], Array]


def shuffled_batches_delta_at_least(
    epsilon: ArrayLike, noise_multiplier: ArrayLike, batches: ArrayLike, epochs: ArrayLike = 1
) -> Array:
    """Return a lower bound of δ of Gaussian noise on shuffled batches: no guarantee, the true δ is at least this.

    sup over C of P_C − e^ε Q_C, where P_C = 1 − Φ((C − 2)/σ) Φ(C/σ)^{T−1} and Q_C = 1 − Φ((C − 1)/σ) Φ(C/σ)^{T−1} are
    the chances that some batch of an epoch exceeds C, with the person and with the person's gradient set to 0 (Chua et
    al., arXiv:2403.17673). For E epochs, each shuffled anew, the event is that this happens in at least i of them; they
    are independent: Pr(Bin(E, P_C) ≥ i) − e^ε Pr(Bin(E, Q_C) ≥ i) (own).

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.
    noise_multiplier : σ as a multiple of the clipping norm, in [1e-3, 1e6].
    batches : T of an epoch, a whole number in [1, 1e6].
    epochs : E, a whole number in [1, 1e6].

    Returns
    -------
    δ in [0, 1), rounded down. Every C and i gives a valid bound, so the search for the best cannot make it too large.

    Examples
    --------
    >>> print(f"{shuffled_batches_delta_at_least(3.76126, 1, 234):.3g}")
    1e-05
    """
    epsilon = number("epsilon", epsilon, EPSILON_RANGE)
    return elementwise(_delta, epsilon, *_steps(noise_multiplier, batches, epochs))


def shuffled_batches_epsilon_at_least(
    delta: ArrayLike, noise_multiplier: ArrayLike, batches: ArrayLike, epochs: ArrayLike = 1
) -> Array:
    """Return a lower bound of ε of Gaussian noise on shuffled batches: no guarantee, the true ε is at least this.

    The largest ε at which `shuffled_batches_delta_at_least` is δ: the sup over the same events of ln((P − δ)/Q).

    Parameters
    ----------
    delta : in [1e-300, 1).
    noise_multiplier, batches, epochs : as in `shuffled_batches_delta_at_least`.

    Returns
    -------
    ε ≥ 0 in nats, rounded down. Above about 600 it stays there, as no chance below 1e-290 is used.

    Examples
    --------
    >>> print(f"{shuffled_batches_epsilon_at_least(1e-5, 1, 234):.4f}")  # Poisson sampling would give 0.3935
    3.7613
    """
    delta = number("delta", delta, DELTA_RANGE)
    return elementwise(_epsilon, delta, *_steps(noise_multiplier, batches, epochs))


def unamplified_delta(epsilon: ArrayLike, noise_multiplier: ArrayLike, epochs: ArrayLike = 1) -> Array:
    """δ of Gaussian noise on batches of which each record is in one an epoch, whatever the order: one with μ = √E/σ.

    Add or remove one (the batches of the others stay), or set one record's gradient to 0. Nothing is gained from the
    order; it holds for shuffled, fixed and sequential batches, and each further epoch is one more use of every record.

    Parameters
    ----------
    epsilon : in [0, 1e6], in nats.
    noise_multiplier, epochs : as in `shuffled_batches_delta_at_least`.

    Returns
    -------
    δ rounded up, above the exact value by what moving σ by a few roundings would move it.

    Examples
    --------
    >>> print(f"{unamplified_delta(4.3771781, 1):.3g}")
    1e-05
    """
    return gaussian.delta_from_sigma(
        number("epsilon", epsilon, EPSILON_RANGE), _sigma_of_all_epochs(noise_multiplier, epochs)
    )


def unamplified_epsilon(delta: ArrayLike, noise_multiplier: ArrayLike, epochs: ArrayLike = 1) -> Array:
    """ε of Gaussian noise on batches of which each record is in one an epoch: the inverse of `unamplified_delta`.

    Parameters
    ----------
    delta : in [1e-300, 1).
    noise_multiplier, epochs : as in `shuffled_batches_delta_at_least`.

    Returns
    -------
    ε ≥ 0 in nats, rounded up, above the exact value by what moving σ and δ by a few roundings would move it.

    Examples
    --------
    >>> print(f"{unamplified_epsilon(1e-5, 1):.6f}")
    4.377178
    """
    return gaussian.epsilon_from_sigma(
        number("delta", delta, DELTA_RANGE), _sigma_of_all_epochs(noise_multiplier, epochs)
    )


def _steps(noise_multiplier: ArrayLike, batches: ArrayLike, epochs: ArrayLike) -> tuple[Array, Array, Array]:
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    return noise, integer("batches", batches, COUNT_RANGE), integer("epochs", epochs, COUNT_RANGE)


def _sigma_of_all_epochs(noise_multiplier: ArrayLike, epochs: ArrayLike) -> Array:
    """σ of the one Gaussian that stands for all epochs, rounded down."""
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    return round_down(noise / np.sqrt(integer("epochs", epochs, COUNT_RANGE)), 2)


def _delta(epsilon: float, noise: float, batches: float, epochs: float) -> float:
    def counts(*chances: Array) -> Array:
        return _counts_by_ratio(epsilon, epochs, *chances)

    def gap(with_person: Array, without: Array) -> Array:
        return np.where(without > _LEAST, with_person - np.exp(np.minimum(epsilon + np.log(without), 700)), 0)

    return max(round_down(_best(gap, counts, noise, batches, epochs), 4), 0.0)


def _epsilon(delta: float, noise: float, batches: float, epochs: float) -> float:
    def ratio(with_person: Array, without: Array) -> Array:
        usable = (with_person > delta) & (without > _LEAST)
        return np.where(usable, np.log(np.maximum(with_person - delta, 0)) - np.log(without), -np.inf)

    def counts(with_person: Array, without: Array, *log_below: Array) -> Array:
        """Return the best count: ln((P − δ)/Q) rises in the count i while E_Q[(r − rᵢ)₊] ≥ δ (own).

        Here r is the ratio of the likelihoods.
        """

        def falls(least: Array) -> NDArray[np.bool_]:
            often, more_often = (_often(least + more, epochs, with_person, without) for more in (0, 1))
            return ratio(*more_often) <= ratio(*often)

        first = _counts_by_ratio(0, epochs, with_person, without, *log_below)
        return bisect(falls, first - 1, epochs, math.ceil(math.log2(epochs)), _whole_middle)[1]

    return max(round_down(_best(ratio, counts, noise, batches, epochs), 4) - 4e-13, 0.0)


def _best(objective: _Objective, counts: _Counts, noise: float, batches: float, epochs: float) -> float:
    """Return the largest value over the cuts C, by a grid around the three means and finer ones where it was best."""
    cuts = np.concatenate([mean + noise * np.linspace(-10, 38, 193) for mean in (0, 1, 2)])
    best = -np.inf
    for width in (1.0, 0.1, 0.01, 0.0):
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            values = objective(*_chances(cuts[:, None], counts, noise, batches, epochs))
        values = np.where(np.isnan(values), -np.inf, values)
        best = max(best, float(np.max(values)))
        cut = cuts[np.unravel_index(np.argmax(values), values.shape)[0]]
        cuts = cut + noise * width * np.linspace(-1, 1, 41)
    return best


def _chances(cuts: Array, counts: _Counts, noise: float, batches: float, epochs: float) -> tuple[Array, Array]:
    """Return the chances of the event with the person, rounded down, and without, rounded up, at each cut."""
    others = (batches - 1) * log_ndtr(cuts / noise)
    log_below, log_below_without = (log_ndtr((cuts - mean) / noise) + others for mean in (2, 1))
    once, once_without = -np.expm1(log_below), -np.expm1(log_below_without)
    if epochs == 1:
        return once * (1 - _DOUBT), once_without * (1 + _DOUBT)
    least = counts(once, once_without, log_below, log_below_without)
    often, often_without = _often(least, epochs, once, once_without)
    doubt = _DOUBT * (1 + least)  # the chances to the power i
    return often * (1 - doubt), often_without * (1 + doubt)


def _counts_by_ratio(
    epsilon: float, epochs: float, with_person: Array, without: Array, log_below: Array, log_below_without: Array
) -> Array:
    """Return the least count in [1, E] from which on the likelihoods have a ratio of e^ε (Neyman & Pearson)."""
    fall = log_below_without - log_below
    least = np.ceil((epsilon + epochs * fall) / (np.log(with_person / without) + fall))
    return np.clip(np.nan_to_num(least, nan=1), 1, epochs)


def _often(least: Array, epochs: float, *chances: Array) -> tuple[Array, ...]:
    """Return for each chance how likely it comes true in at least so many epochs."""
    return tuple(betainc(least, epochs - least + 1, chance) for chance in chances)


def _whole_middle(low: Array, high: Array) -> Array:
    return np.maximum(np.floor((low + high) / 2), 1)
