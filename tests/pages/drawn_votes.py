"""What randomised response over two options tells, computed from the probabilities of its reports."""

import math

import mpmath
import numpy as np
from scipy import stats


def class_error(n, epsilon):
    """Return the ± of a share of yes, from the probabilities of each number of reports."""
    p, sizes = 1 / (1 + math.exp(-epsilon)), []
    for yes in (0, n // 4, n // 2, 3 * n // 4, n):
        truly, drawn = (stats.binom.pmf(np.arange(m + 1), m, part) for m, part in ((yes, p), (n - yes, 1 - p)))
        off = np.abs((np.arange(n + 1) / n - (1 - p)) / (2 * p - 1) - yes / n)
        order = np.argsort(off)
        held = np.cumsum(np.convolve(truly, drawn)[order])
        sizes.append(off[order][np.searchsorted(held, 0.95 - 1e-12)])
    return max(sizes)


def surveyed():
    """Return how many answers over two options are enough for ±5 points at ε = 1."""
    p = 1 / (1 + math.exp(-1))
    return math.ceil(p * (1 - p) / (2 * p - 1) ** 2 * (stats.norm.ppf(0.975) / 0.05) ** 2)


def survey_error(n):
    """Return the ± of a share of 30 % among n answers over two options at ε = 1, by the normal approximation."""
    p = 1 / (1 + math.exp(-1))
    return stats.norm.ppf(0.975) * math.sqrt(p * (1 - p) / n) / (2 * p - 1)


def belief(epsilon, prior=0.5):
    """Return what a belief in a yes becomes after a yes, by Bayes' rule."""
    truly = prior / (1 + mpmath.exp(-epsilon))
    return truly / (truly + (1 - prior) / (1 + mpmath.exp(epsilon)))
