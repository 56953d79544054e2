"""The Rényi divergence and the ρ of one run of a release; formulas and sources in `dpcore.composition.renyi`.

Every τ is written with terms of one sign near a = α − 1 = 0 and ε = 0, where the textbook forms cancel, and with the
exponential taken out where aε is large; both are right to a relative 1e-13, by which they are rounded up.
"""

import numpy as np
from scipy.special import expit

from dpcore.checks import Array
from dpcore.composition._remainders import exp_remainder, sinh_remainder
from dpcore.composition.releases import Release
from dpcore.composition.sampled import subsampled_gaussian_rdp
from dpcore.rounding import round_up

_LEAST_EPSILON = 1e-90  # below it cubes leave the doubles


def divergence(kind: str, order: Array, numbers: Array) -> Array:
    """τ(α), rounded up, of each column of `numbers`, those of `Release`; of an (ε, δ)-guarantee that of its ε alone.

    That of geometric and of truncated noise is bounded by τ of every ε-DP guarantee, that of discrete Gaussian noise by
    the continuous one's ([CKS20] Thm 14).
    """
    first = numbers[0]
    if kind == "sampled":
        return subsampled_gaussian_rdp(order, first, numbers[1])
    if kind == "gaussian":
        return round_up(order / (2 * first * first), 8)
    if kind == "zcdp":
        return round_up(order * first, 4)
    if kind == "discrete_gaussian":
        return round_up(order * numbers[1] * numbers[1] / (2 * first * first), 8)
    epsilon = np.maximum(first, _LEAST_EPSILON)
    value = _OF_PURE_KINDS[kind](order, epsilon)
    return np.where(first > 0, np.minimum(round_up(value, 512), epsilon), 0)


def rho_of(release: Release) -> float:
    """Return the least known ρ, rounded up; of an (ε, δ)-guarantee that of its ε alone;
    ∞ for a sample of less than all.
    """
    number = release.numbers[0]
    if release.kind == "zcdp":
        return number
    if release.kind in ("gaussian", "sampled"):
        every = release.kind == "gaussian" or release.numbers[1] == 1
        return round_up(1 / (2 * number * number), 8) if every else np.inf
    if release.kind == "discrete_gaussian":
        return round_up((release.numbers[1] / number) ** 2 / 2, 8)
    if release.kind == "laplace":
        return round_up(float(exp_remainder(np.array(-number))), 32)
    pure = round_up(number * np.tanh(number / 2), 8)
    return min(pure, number * number / 8) if release.kind == "exponential" else pure


def _laplace(order: Array, epsilon: Array) -> Array:
    more, width = order - 1, 2 * order - 1
    power = more * epsilon
    near = order * exp_remainder(np.minimum(power, 1)) + more * exp_remainder(-order * epsilon)
    far = epsilon + np.log1p(more / width * np.expm1(-width * epsilon)) / more
    return np.where(power < 1, np.log1p(near / width) / more, far)


def _guarantee_divergence(order: Array, epsilon: Array) -> Array:
    more = order - 1
    power = more * epsilon
    small = np.minimum(power, 1)
    near = expit(epsilon) * exp_remainder(small) + expit(-epsilon) * exp_remainder(-small)
    far = epsilon + np.log1p(expit(-epsilon) * np.expm1(-2 * power)) / more
    return np.where(power < 1, np.log1p(near + power * np.tanh(epsilon / 2)) / more, far)


def _exponential(order: Array, epsilon: Array) -> Array:
    """aτ = a[S(αε) − S(aε)] + [S(αε) − S(ε)], both terms positive."""
    more = order - 1
    total = _log_sinhc_rise(more * epsilon, 1 / more) + _log_sinhc_rise(epsilon, more) / more
    return np.minimum(total, order * epsilon * epsilon / 8)


def _log_sinhc_rise(u: Array, ratio: Array) -> Array:
    """S(u + ratio · u) − S(u) > 0, S(u) = ln(sinh(u/2)/(u/2)).

    With x = u/2 and y = ratio · x its exponential is [cosh y + coth x sinh y]/(1 + ratio).
    """
    x = u / 2
    y = ratio * x
    near, small = np.minimum(x, 1), np.minimum(y, 30)
    half, quarter = np.sinh(small / 2), np.sinh(near / 2)
    excess = (near * 2 * quarter * quarter - sinh_remainder(near)) / np.sinh(near)  # x coth x − 1
    excess = np.where(x < 1, excess, x / np.tanh(x) - 1)
    rise = 2 * half * half + sinh_remainder(small) / np.tanh(x) + ratio * excess
    far = y - np.log1p(ratio) - np.log(-np.expm1(-2 * x))  # without e^{−60}
    return np.where(y < 30, np.log1p(rise / (1 + ratio)), far)


_OF_PURE_KINDS = {
    "laplace": _laplace,
    "geometric": _guarantee_divergence,
    "guarantee": _guarantee_divergence,
    "exponential": _exponential,
    "truncated_laplace": _guarantee_divergence,
}
