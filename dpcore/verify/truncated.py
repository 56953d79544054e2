"""The enclosures of truncated noise: its profile and tail. Units, and what a proof covers, are in `dpcore.verify`."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from flint import arb

from dpcore.checks import CELLS_RANGE, EPSILON_RANGE, refuse, scalar_integer
from dpcore.verify.formulas import LEAST_BITS, Enclosure, Number, enclosed, exact

_POSITIVE, _WIDTH_RANGE, _STEPS_RANGE = "(0, inf)", "[0, inf)", "[1, 1e6]"


def truncated_laplace_delta(epsilon: Number, bound: Number, scale: Number, sensitivity: Number = 1.0) -> Enclosure:
    """Pr(X ≤ x) − e^ε Pr(X ≤ x − Δ) at the x where the loss is ε: the δ of `truncated_laplace.delta_from_bound`.

    From ε = Δ/b on it is Pr(X ≤ Δ − A), where the loss is infinite.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    bound, scale, sensitivity : A, b and Δ ≤ A, positive, in query units.

    Examples
    --------
    >>> print(f"{truncated_laplace_delta(epsilon=1, bound=13.6637, scale=1).high:.8e}")
    9.99989396e-07
    """
    e, end = exact("epsilon", epsilon, EPSILON_RANGE), exact("bound", bound, _POSITIVE)
    b, moved = exact("scale", scale, _POSITIVE), exact("sensitivity", sensitivity, _POSITIVE)
    refuse("bound", np.asarray(float(end)), np.asarray(end < moved), "[sensitivity, inf)")

    def lower_tail(x: arb, end: arb, b: arb) -> arb:
        """Pr(X ≤ −x), x in [0, A]."""
        return (-x / b).exp() * -((x - end) / b).expm1() / (-2 * (-end / b).expm1())

    if moved <= e * b:
        return enclosed(lambda end, b, moved: lower_tail(end - moved, end, b), end, b, moved)
    turn = (moved - e * b) / 2
    return enclosed(
        lambda e, end, b, turn, past: 1 - lower_tail(turn, end, b) - e.exp() * lower_tail(past, end, b),
        *(e, end, b, turn, moved - turn),
    )


def truncated_geometric_delta(
    epsilon: Number, bound: int, scale: Number, sensitivity: int = 1, n_moved: int = 1
) -> Enclosure:
    """Pr(k ≤ m) − e^ε Pr(k ≤ m − Δ) at the last m whose loss exceeds ε: `truncated_geometric.delta_from_bound`.

    Of n numbers that all move by Δ, each with noise of its own, 1 − (1 − Pr(k ≤ Δ − N − 1))^n: together they lose
    nΔ/s at most, or infinitely much.

    Parameters
    ----------
    epsilon : in [0, 1e6]; at least nΔ/s if n is above 1.
    bound : N, a whole number in [1, 1e6], and at least Δ.
    scale : s, positive.
    sensitivity : Δ, a whole number in [1, 1e6].
    n_moved : n, a whole number in [1, 1e6].

    Examples
    --------
    >>> print(f"{truncated_geometric_delta(epsilon=1, bound=4, scale=1).high:.8f}")
    0.00854818
    >>> print(f"{truncated_geometric_delta(epsilon=2, bound=4, scale=1, n_moved=2).high:.8f}")
    0.01702330
    """
    e, s = exact("epsilon", epsilon, EPSILON_RANGE), exact("scale", scale, _POSITIVE)
    end, moved = scalar_integer("bound", bound, _STEPS_RANGE), scalar_integer("sensitivity", sensitivity, _STEPS_RANGE)
    n = scalar_integer("n_moved", n_moved, _STEPS_RANGE)
    refuse("bound", np.asarray(end), np.asarray(end < moved), "[sensitivity, 1e6]")
    refuse("n_moved", np.asarray(n), np.asarray(n > 1 and n * moved > e * s), "[1, epsilon scale / sensitivity]")

    def at_most(k: int, r: arb) -> arb:
        """Pr(X ≤ −k), k in 0 … N + 1."""
        return (r**k - r ** (end + 1)) / (1 + r - 2 * r ** (end + 1))

    if moved <= e * s:
        return enclosed(lambda s: 1 - (1 - at_most(end - moved + 1, (-1 / s).exp())) ** n, s)
    last = -int(-(moved - e * s) / 2 // 1) - 1

    def profile(e: arb, s: arb) -> arb:
        r = (-1 / s).exp()
        return 1 - at_most(last + 1, r) - e.exp() * at_most(moved - last, r)

    return enclosed(profile, e, s)


def truncated_laplace_tail(half_width: Number, bound: Number, scale: Number, n_cells: int = 1) -> Enclosure:
    """1 − (1 − (e^{−a/b} − q)/(1 − q))^n with q = e^{−A/b}, exactly 0 from a = A on.

    Parameters
    ----------
    half_width : a ≥ 0, in query units.
    bound, scale : A and b, positive, in query units.
    n_cells : n, a whole number in [1, 1e15].

    Examples
    --------
    >>> print(f"{truncated_laplace_tail(2.999, bound=13.6637, scale=1).high:.6f}")
    0.049836
    """
    a, end = exact("half_width", half_width, _WIDTH_RANGE), exact("bound", bound, _POSITIVE)
    b = exact("scale", scale, _POSITIVE)

    return _beyond(lambda a, end, b: (-a / b).expm1() / (-end / b).expm1(), n_cells, a >= end, a, end, b)


def truncated_geometric_tail(half_width: Number, bound: int, scale: Number, n_cells: int = 1) -> Enclosure:
    """1 − (1 − Pr(|k| > a))^n, exactly 0 from a = N on; arguments as in `truncated_laplace_tail`, N in [1, 1e6].

    Examples
    --------
    >>> print(f"{truncated_geometric_tail(3, bound=4, scale=1).high:.6f}")
    0.017096
    """
    a = exact("half_width", half_width, _WIDTH_RANGE) // 1
    end, s = scalar_integer("bound", bound, _STEPS_RANGE), exact("scale", scale, _POSITIVE)

    def within(s: arb) -> arb:
        r = (-1 / s).exp()
        return (1 + r - 2 * r ** (int(a) + 1)) / (1 + r - 2 * r ** (end + 1))

    return _beyond(within, n_cells, a >= end, s)


def _beyond(within: Callable[..., arb], n_cells: int, never: bool, *arguments: Fraction) -> Enclosure:
    """Return an enclosure of the probability that at least one of n independent draws is beyond ±a."""
    n = scalar_integer("n_cells", n_cells, CELLS_RANGE)
    if never:
        return Enclosure(0.0, 0.0, LEAST_BITS)
    return enclosed(lambda *numbers: 1 - within(*numbers) ** n, *arguments)
