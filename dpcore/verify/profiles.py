"""The enclosures of profiles, and of tails beyond a half-width. Units, and what a proof covers: `dpcore.verify`."""

from collections.abc import Callable
from fractions import Fraction
from math import inf

import numpy as np
from flint import arb

from dpcore.checks import CELLS_RANGE, EPSILON_RANGE, refuse, scalar, scalar_integer
from dpcore.verify import formulas
from dpcore.verify.formulas import LEAST_BITS, Enclosure, Number, ball, enclosed, exact

_POSITIVE = "(0, inf)"
_STEPS_RANGE = "[1, 1e15]"
_END_RANGE = "[1, 1e6]"
_SHIFT_RANGE = "(0, 1e6]"
LATTICE_RANGE = "[1e-4, 1e4]"


def gaussian_delta(epsilon: Number, sigma: Number, l2_sensitivity: Number = 1.0) -> Enclosure:
    """Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), μ = Δ₂/σ ([BW18] Theorem 8): the δ of `gaussian.delta_from_sigma`.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    sigma, l2_sensitivity : positive, in query units.

    Examples
    --------
    >>> interval = gaussian_delta(epsilon=1, sigma=4.225)
    >>> print(f"{interval.low:.10e} {interval.bits}")
    9.9843638116e-07 128
    """
    return _by_ratio(formulas.gaussian, epsilon, sigma, l2_sensitivity)


def gaussian_pdp_delta(epsilon: Number, sigma: Number, l2_sensitivity: Number = 1.0) -> Enclosure:
    """Pr(|privacy loss| > ε), the δ of `gaussian.pdp_delta_from_sigma`.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    sigma, l2_sensitivity : positive, in query units.

    Examples
    --------
    >>> print(f"{gaussian_pdp_delta(epsilon=1, sigma=5).high:.10e}")
    6.4901001731e-07
    """
    return _by_ratio(formulas.gaussian_pdp, epsilon, sigma, l2_sensitivity)


def _by_ratio(formula: Callable[[arb, arb], arb], epsilon: Number, sigma: Number, moved: Number) -> Enclosure:
    arguments = exact("sigma", sigma, _POSITIVE), exact("l2_sensitivity", moved, _POSITIVE)
    e = exact("epsilon", epsilon, EPSILON_RANGE)
    return enclosed(lambda e, sigma, moved: formula(e, moved / sigma), e, *arguments)


def laplace_delta(epsilon: Number, scale: Number, l1_sensitivity: Number = 1.0) -> Enclosure:
    """Pr(X ≤ x) − e^ε Pr(X ≤ x − Δ₁) at the x where the loss is ε: the δ of `laplace.delta_from_scale`.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scale, l1_sensitivity : positive, in query units.

    Examples
    --------
    >>> laplace_delta(epsilon=1, scale=1)
    Enclosure(low=0.0, high=0.0, bits=128)
    """
    b, moved = exact("scale", scale, _POSITIVE), exact("l1_sensitivity", l1_sensitivity, _POSITIVE)
    e = exact("epsilon", epsilon, EPSILON_RANGE)
    return Enclosure(0.0, 0.0, LEAST_BITS) if moved <= e * b else enclosed(formulas.laplace, e, b, moved)


def geometric_delta(epsilon: Number, scale: Number, l1_sensitivity: float = 1.0) -> Enclosure:
    """Pr(k ≤ m) − e^ε Pr(k ≤ m − Δ₁) at the last m whose loss exceeds ε: the δ of `geometric.delta_from_scale`.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scale : s, positive.
    l1_sensitivity : Δ₁, a whole number in [1, 1e15].

    Examples
    --------
    >>> print(f"{geometric_delta(epsilon=0.5, scale=1.5056).high:.8f}")
    0.09996536
    """
    s, steps = (
        exact("scale", scale, _POSITIVE),
        Fraction(scalar_integer("l1_sensitivity", l1_sensitivity, _STEPS_RANGE)),
    )
    arguments = exact("epsilon", epsilon, EPSILON_RANGE), s, steps
    return enclosed(lambda *balls: formulas.geometric(*balls, exact_arguments=arguments), *arguments)


def staircase_delta(epsilon: Number, theta: Number, gamma: Number) -> Enclosure:
    """P(1 − e^{ε−θ}), P the probability of a loss of θ: the δ of `staircase.delta_from_theta`, where it is derived.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    theta : θ in [1e-12, 2e6], in nats.
    gamma : γ in [0, 1].

    Examples
    --------
    >>> print(f"{staircase_delta(epsilon=1, theta=1.2, gamma=0.4).high:.6f}")
    0.134261
    """
    arguments = exact("theta", theta, "[1e-12, 2e6]"), exact("gamma", gamma, "[0, 1]")
    e = exact("epsilon", epsilon, EPSILON_RANGE)
    return Enclosure(0.0, 0.0, LEAST_BITS) if arguments[0] <= e else enclosed(formulas.staircase, e, *arguments)


def generalized_gaussian_delta(epsilon: Number, scale: Number, p: Number, sensitivity: Number = 1.0) -> Enclosure:
    """Pr(X > u) − e^ε Pr(X > u + Δ) at the u where the loss is ε: `generalized_gaussian.delta_from_scale`.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    scale, sensitivity : b and Δ, positive, in query units, with Δ/b at most 1e6.
    p : shape, in [1, 100].

    Examples
    --------
    >>> print(f"{generalized_gaussian_delta(epsilon=1, scale=4, p=3).high:.4e}")
    1.1326e-02
    """
    return _shaped(epsilon, scale, p, sensitivity, side=-1)


def generalized_gaussian_pdp_delta(epsilon: Number, scale: Number, p: Number, sensitivity: Number = 1.0) -> Enclosure:
    """Pr(|privacy loss| > ε) = Pr(X > u) + Pr(X > u + Δ): the δ of `generalized_gaussian.pdp_delta_from_scale`.

    Arguments as in `generalized_gaussian_delta`.

    Examples
    --------
    >>> print(f"{generalized_gaussian_pdp_delta(epsilon=1, scale=4, p=3).high:.4e}")
    5.3877e-02
    """
    return _shaped(epsilon, scale, p, sensitivity, side=1)


def _shaped(epsilon: Number, scale: Number, p: Number, sensitivity: Number, side: int) -> Enclosure:
    b, moved = exact("scale", scale, _POSITIVE), exact("sensitivity", sensitivity, _POSITIVE)
    ratio = moved / b
    scalar("sensitivity / scale", float(ratio) if ratio < 10**300 else inf, _SHIFT_RANGE)

    def profile(e: arb, b: arb, shape: arb, moved: arb) -> arb:
        return formulas.shaped(e, moved / b, shape, side)

    e, shape = exact("epsilon", epsilon, EPSILON_RANGE), exact("p", p, "[1, 100]")
    never = shape == 1 and moved <= e * b  # the loss is nowhere above ε
    return Enclosure(0.0, 0.0, LEAST_BITS) if never else enclosed(profile, e, b, shape, moved)


def discrete_gaussian_delta(epsilon: Number, sigma: Number, sensitivity: int = 1) -> Enclosure:
    """Pr(Y ≥ m) − e^ε Pr(Y ≥ m + Δ) at the first m whose loss exceeds ε ([CKS20]): one cell, moved by Δ whole steps.

    It is the δ of `discrete_gaussian.delta_from_sigma` with `n_moved=1`, summed term by term: hence the end of σ.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    sigma : in [1e-4, 1e4].
    sensitivity : Δ, a whole number in [1, 1e7].

    Examples
    --------
    >>> print(f"{discrete_gaussian_delta(epsilon=1, sigma=4.2309).high:.10e}")
    9.9959140787e-07
    """
    e, s = exact("epsilon", epsilon, EPSILON_RANGE), exact("sigma", sigma, LATTICE_RANGE)
    steps = scalar_integer("sensitivity", sensitivity, "[1, 1e7]")
    return enclosed(lambda *balls: formulas.discrete_gaussian(*balls, exact_arguments=(e, s)), e, s, Fraction(steps))


_WIDTH_RANGE = "[0, inf)"


def gaussian_tail(half_width: Number, sigma: Number, n_cells: int = 1) -> Enclosure:
    """1 − (1 − 2Φ(−a/σ))^n: that one at least of n independent draws lies beyond ±a.

    Parameters
    ----------
    half_width : a ≥ 0, in query units.
    sigma : positive, in query units.
    n_cells : n, a whole number in [1, 1e15].

    Examples
    --------
    >>> print(f"{gaussian_tail(8.281, sigma=4.225).high:.6f}")
    0.049996
    """
    return _beyond(lambda a, sigma: 2 * formulas.upper_tail(a / sigma), half_width, ("sigma", sigma), n_cells)


def laplace_tail(half_width: Number, scale: Number, n_cells: int = 1) -> Enclosure:
    """1 − (1 − e^{−a/b})^n; arguments as in `gaussian_tail`.

    Examples
    --------
    >>> print(f"{laplace_tail(2.996, scale=1).high:.6f}")
    0.049987
    """
    return _beyond(lambda a, b: (-a / b).exp(), half_width, ("scale", scale), n_cells)


def geometric_tail(half_width: Number, scale: Number, n_cells: int = 1) -> Enclosure:
    """1 − (1 − 2r^{⌊a⌋+1}/(1 + r))^n with r = e^{−1/s}; arguments as in `gaussian_tail`.

    Examples
    --------
    >>> print(f"{geometric_tail(7, scale=1, n_cells=64).high:.6f}")
    0.030911
    """
    past = Fraction(exact("half_width", half_width, _WIDTH_RANGE) // 1 + 1)
    return _beyond(
        lambda _, s: 2 * (-ball(past) / s).exp() / (1 + (-1 / s).exp()), half_width, ("scale", scale), n_cells
    )


def discrete_gaussian_tail(half_width: Number, sigma: Number, n_cells: int = 1) -> Enclosure:
    """1 − (1 − Pr(|Y| ≥ ⌊a⌋ + 1))^n, summed term by term; arguments as in `gaussian_tail`, with σ in [1e-4, 1e4].

    Examples
    --------
    >>> print(f"{discrete_gaussian_tail(8, sigma=4.231).high:.6f}")
    0.044044
    """
    past, s = int(exact("half_width", half_width, "[0, 1e12]") // 1 + 1), exact("sigma", sigma, LATTICE_RANGE)
    n = scalar_integer("n_cells", n_cells, CELLS_RANGE)
    return enclosed(lambda s: 1 - (1 - formulas.discrete_tail(past, s)) ** n, s)


def generalized_gaussian_tail(half_width: Number, scale: Number, p: Number, n_cells: int = 1) -> Enclosure:
    """1 − (1 − Γ(1/p, (a/b)^p)/Γ(1/p))^n; arguments as in `gaussian_tail`, and the shape p in [1, 100].

    Examples
    --------
    >>> print(f"{generalized_gaussian_tail(14.22, scale=12.49, p=3).high:.6f}")
    0.049837
    """
    shape = exact("p", p, "[1, 100]")
    return _beyond(lambda a, b: 2 * formulas.shaped_tail(a / b, ball(shape)), half_width, ("scale", scale), n_cells)


def _beyond(tail: Callable[[arb, arb], arb], half_width: Number, scale: tuple[str, Number], n_cells: int) -> Enclosure:
    a, n = exact("half_width", half_width, _WIDTH_RANGE), scalar_integer("n_cells", n_cells, CELLS_RANGE)
    return enclosed(lambda a, b: 1 - (1 - tail(a, b)) ** n, a, exact(*scale, _POSITIVE))


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
    end, moved = scalar_integer("bound", bound, _END_RANGE), scalar_integer("sensitivity", sensitivity, _END_RANGE)
    n = scalar_integer("n_moved", n_moved, _END_RANGE)
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

    return _beyond_an_end(lambda a, end, b: (-a / b).expm1() / (-end / b).expm1(), n_cells, a >= end, a, end, b)


def truncated_geometric_tail(half_width: Number, bound: int, scale: Number, n_cells: int = 1) -> Enclosure:
    """1 − (1 − Pr(|k| > a))^n, exactly 0 from a = N on; arguments as in `truncated_laplace_tail`, N in [1, 1e6].

    Examples
    --------
    >>> print(f"{truncated_geometric_tail(3, bound=4, scale=1).high:.6f}")
    0.017096
    """
    a = exact("half_width", half_width, _WIDTH_RANGE) // 1
    end, s = scalar_integer("bound", bound, _END_RANGE), exact("scale", scale, _POSITIVE)

    def within(s: arb) -> arb:
        r = (-1 / s).exp()
        return (1 + r - 2 * r ** (int(a) + 1)) / (1 + r - 2 * r ** (end + 1))

    return _beyond_an_end(within, n_cells, a >= end, s)


def _beyond_an_end(within: Callable[..., arb], n_cells: int, never: bool, *arguments: Fraction) -> Enclosure:
    """Return an enclosure of the probability that at least one of n independent draws is beyond ±a."""
    n = scalar_integer("n_cells", n_cells, CELLS_RANGE)
    if never:
        return Enclosure(0.0, 0.0, LEAST_BITS)
    return enclosed(lambda *numbers: 1 - within(*numbers) ** n, *arguments)
