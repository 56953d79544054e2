"""Days that permute-and-flip draws as a quantile of waiting times, by a computation of its own."""

from functools import cache

import numpy as np
from scipy import stats


@cache
def waiting_times(n):
    """Return the lognormal waiting times of n people in whole days, with a median of 30 and a 90th percentile of 84."""
    spread = np.log(84 / 30) / stats.norm.ppf(0.9)
    return np.rint(30 * np.exp(spread * stats.norm.ppf((np.arange(n) + 0.5) / n)))


@cache
def drawn_days(quantile, epsilon, high, n):
    """Return the probability of each day by permute-and-flip: scores counted one by one, the integral by its sum."""
    days, waits = np.arange(high + 1), waiting_times(n)
    counts = np.array([[np.sum(waits < day), np.sum(waits <= day)] for day in days])
    score = -np.maximum(np.maximum(counts[:, 0] - quantile * n, quantile * n - counts[:, 1]), 0)
    heads = np.exp(epsilon * (score - score.max()) / (2 * max(quantile, 1 - quantile)))
    points, weights = np.polynomial.legendre.leggauss(400)
    times = ((points + 1) / 2) ** 4  # more of them next to 0
    weights = weights * 2 * ((points + 1) / 2) ** 3
    products = np.prod(1 - np.multiply.outer(times, heads), axis=1)
    return heads * ((weights * products) @ (1 / (1 - np.multiply.outer(times, heads))))


def day_error(quantile, epsilon=1, high=600, n=200):
    """Return the least distance in which 95 % of the releases are."""
    chance, truth = drawn_days(quantile, epsilon, high, n), np.quantile(waiting_times(n), quantile)
    distance = abs(np.arange(high + 1) - truth)
    return next(reach for reach in np.sort(distance) if chance[distance > reach + 1e-9].sum() <= 0.05)


def above_all(epsilon=1, high=600):
    """Return the share of the releases of a maximum above everybody."""
    return drawn_days(1.0, epsilon, high, 200)[int(waiting_times(200).max()) + 1 :].sum()
