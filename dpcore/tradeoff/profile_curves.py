"""Trade-off curves of privacy profiles: the largest of many supporting lines."""

import math

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import Array, number
from dpcore.tradeoff.curve import NO_GUARANTEE, Curve, Lines, lines_curve
from dpcore.tradeoff.forms import EPSILON_RANGE, PROBABILITY


def profile_curve(
    epsilon: ArrayLike, delta: ArrayLike, name: str = "profile", inverse_delta: ArrayLike | None = None
) -> Curve:
    """Return the curve of a privacy profile: f(α) = max over i of f_{ε_i, δ_i}(α) ([DRS22]).

    Every (ε_i, δ_i) is a guarantee, so f is what they guarantee together; points that guarantee nothing beyond the
    others drop out. For a profile known as a function give a grid of it: between the points the curve then guarantees a
    little less than the whole profile, never more.

    Parameters
    ----------
    epsilon : in [0, 1e6], in any order, at most 10⁵ of them.
    delta : in [0, 1], as many.
    inverse_delta : the profile of the inverse curve at the same ε, if it is another.

    Examples
    --------
    >>> f"{profile_curve([0, 1], [0.3, 0.01])(0.1):.4f}"
    '0.7182'
    """
    epsilon = number(f"epsilon of {name}", epsilon, EPSILON_RANGE).ravel()
    delta = number(f"delta of {name}", delta, PROBABILITY).ravel()
    behind = delta if inverse_delta is None else number(f"inverse_delta of {name}", inverse_delta, PROBABILITY).ravel()
    if epsilon.shape != delta.shape or behind.shape != delta.shape or not 1 <= epsilon.size <= 100_000:
        raise ValueError(
            f"{name} must have from 1 to 100,000 epsilon and as many delta, got {epsilon.size} and {delta.size}"
        )
    return lines_curve(profile_lines(epsilon, delta, behind), name)


def profile_lines(epsilon: Array, delta: Array, inverse_delta: Array) -> Lines:
    """Return the lines of the guarantees of two profiles at the same ε:
    each at ε and, as seen from the other axis, at −ε.
    """
    shrunk = np.exp(-epsilon)
    return envelope(
        np.concatenate([epsilon, -epsilon]),
        np.concatenate([delta, shrunk * inverse_delta - np.expm1(-epsilon)]),
        np.concatenate([shrunk * delta - np.expm1(-epsilon), inverse_delta]),
    )


def envelope(epsilon: Array, delta: Array, mirrored: Array) -> Lines:
    """Return the lines, out of many, that touch the largest of all: the lower hull of the points (e^ε, δ).

    The horizontal line f ≥ 0 and the vertical one α ≥ 0 stand at the ends. A line is judged on the intercept that is
    small for its slope: δ if it is steeper than 1, the mirrored one if it is not.
    """
    order = np.lexsort((mirrored, delta, -epsilon))
    order = order[np.append(True, np.diff(epsilon[order]) < 0)]
    slope = [math.inf, *epsilon[order].tolist(), -math.inf]
    ahead = [0.0, *delta[order].tolist(), 1.0]
    behind = [1.0, *mirrored[order].tolist(), 0.0]

    indices: list[int] = []

    def above(left: int, middle: int, right: int) -> bool:
        width = math.expm1(slope[right] - slope[left])
        if slope[middle] >= 0:
            share = math.expm1(slope[middle] - slope[left]) / width
            return ahead[middle] >= ahead[left] + (ahead[right] - ahead[left]) * share
        back = math.expm1(slope[right] - slope[middle]) / width
        return behind[middle] >= behind[right] + (behind[left] - behind[right]) * back

    for point in range(len(slope)):
        while len(indices) > 1 and above(indices[-2], indices[-1], point):
            indices.pop()
        indices.append(point)
    touching = indices[1:-1]
    if not touching:  # f = 0: no test errs
        return NO_GUARANTEE
    return Lines(*(np.array(part)[touching] for part in (slope, ahead, behind)))


def symmetrised_curve(curve: Curve, name: str | None = None) -> Curve:
    """max(f, f⁻¹): what f guarantees once neighbouring data sets can be exchanged ([DRS22]); its own inverse.

    A curve that is not its own inverse must be piecewise linear.

    Examples
    --------
    >>> from dpcore.tradeoff import points_curve
    >>> f"{symmetrised_curve(points_curve([0, 0.2], [1, 0.3]))(0.3):.4f}"
    '0.2625'
    """
    inverse, words = curve.inverse(), name or f"{curve.name}, symmetrised"
    if inverse is curve:
        return curve.named(words)
    if curve.lines is None:
        raise ValueError(f"curve must be piecewise linear or its own inverse, got {curve.name}")
    forth, back = curve.lines, curve.lines.mirror()
    both = envelope(
        np.concatenate([forth.epsilon, back.epsilon]),
        np.concatenate([forth.delta, back.delta]),
        np.concatenate([forth.mirrored, back.mirrored]),
    )
    return lines_curve(both, words)
