"""How often noise goes beyond a half-width, enclosed: the statement that a share of releases falls within ±a."""

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpcore.checks import scalar_integer
from dpcore.verify import formulas
from dpcore.verify.enclosures import Enclosure, Number, ball, enclosed, exact
from dpcore.verify.profiles import LATTICE_RANGE

_POSITIVE, _WIDTH_RANGE, _CELLS_RANGE = "(0, inf)", "[0, inf)", "[1, 1e15]"


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
    n = scalar_integer("n_cells", n_cells, _CELLS_RANGE)
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
    a, n = exact("half_width", half_width, _WIDTH_RANGE), scalar_integer("n_cells", n_cells, _CELLS_RANGE)
    return enclosed(lambda a, b: 1 - (1 - tail(a, b)) ** n, a, exact(*scale, _POSITIVE))
