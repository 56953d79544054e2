"""Epochs and batches of DP-SGD: how many steps they take, and the batch that keeps a target."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import RECORDS_RANGE, Array, integer, interval_bounds, number
from dpcore.composition._dp_sgd_accounts import WHOLE, least_sufficient, log_growth, log_mu, target_of
from dpcore.composition._elementwise import elementwise
from dpcore.composition.releases import COUNT_RANGE, NOISE_RANGE, Release, sampled_release

EPOCHS_RANGE = "(0, 1e9]"
BATCH_RANGE = "(0, 1e12]"
_MOST_STEPS = interval_bounds(COUNT_RANGE)[1]
_ROUNDINGS = 1 - 4e-16  # a number of steps that is whole but for its last bit is whole


def steps_of_epochs(epochs: ArrayLike, n_records: ArrayLike, batch: ArrayLike) -> Array:
    """Return the number of steps of some epochs: epochs · N / batch, rounded up to a whole number.

    Parameters
    ----------
    epochs : in (0, 1e9].
    n_records : N, a whole number in [1, 1e12].
    batch : the expected batch, in (0, 1e12].

    Examples
    --------
    >>> steps_of_epochs(60, 60000, 256), steps_of_epochs(0.1, 60000, 600)
    (np.float64(14063.0), np.float64(10.0))
    """
    epochs, n_records = number("epochs", epochs, EPOCHS_RANGE), integer("n_records", n_records, RECORDS_RANGE)
    return np.ceil(epochs * n_records / number("batch", batch, BATCH_RANGE) * _ROUNDINGS)


def dp_sgd_batch(
    epsilon: ArrayLike,
    delta: ArrayLike,
    noise_multiplier: ArrayLike,
    epochs: ArrayLike,
    n_records: ArrayLike,
    accountant: str = "certified",
) -> Array:
    """Return the expected batch with which so many epochs of DP-SGD satisfy (ε, δ), a whole number, rounded down.

    q = batch / N and T = `steps_of_epochs`. Larger batches mean fewer steps, and yet a larger ε. Where T is small
    its rounding up makes jumps, so that a smaller batch may cost a little more; the one that is returned was checked.

    Parameters
    ----------
    epsilon : ε, in [0, 1e6], in nats.
    delta, noise_multiplier, accountant : as in `dp_sgd_epsilon`.
    epochs : how often the data are passed over, in (0, 1e9].
    n_records : N, a whole number in [1, 1e12].

    Returns
    -------
    A whole number in [0, N] as a float; 0 if no batch with at most 1e6 steps is kept.

    Examples
    --------
    >>> print(f"{dp_sgd_batch(1.5, 1e-5, 1.1, 60, 60000):.1g}")
    1e+02
    """
    epsilon, delta = target_of(epsilon, delta, accountant)
    noise = number("noise_multiplier", noise_multiplier, NOISE_RANGE)
    epochs, n_records = number("epochs", epochs, EPOCHS_RANGE), integer("n_records", n_records, RECORDS_RANGE)

    def single(epsilon: float, delta: float, noise: float, epochs: float, n_records: float) -> float:
        least = max(math.ceil(epochs * n_records / _MOST_STEPS * _ROUNDINGS), 1)
        if least > n_records:
            return 0.0

        def batch(x: float) -> int:
            return min(max(math.floor(math.exp(-x) * WHOLE), least), int(n_records))

        def release_at(x: float) -> Release:
            return sampled_release(noise, batch(x) / n_records, int(steps_of_epochs(epochs, n_records, batch(x))))

        x = least_sufficient(
            release_at,
            (epsilon, delta),
            math.log(epochs) + log_growth(noise) - 2 * log_mu(epsilon, delta) - math.log(n_records),
            (-math.log(n_records), -math.log(least)),
            accountant,
        )
        return 0.0 if x is None else float(batch(x))

    return elementwise(single, epsilon, delta, noise, epochs, n_records)
