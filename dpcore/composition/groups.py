"""Several parts of the data, and several people: parallel composition and group privacy.

k times ε at the same δ is no guarantee to a group of k: the δ grows too. The tightest that a whole curve gives is
`dpcore.tradeoff.group_curve`.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import DELTA_RANGE, PURE_DELTA_RANGE, Array, integer, number, option, refuse
from dpcore.composition.closed_form import basic_epsilon
from dpcore.composition.releases import PURE_RANGE, RHO_RANGE
from dpcore.roots import bisect
from dpcore.rounding import TINY, ULP, round_up
from dpcore.sensitivity import NEIGHBOURS

SIZE_RANGE = "[1, 1e6]"
_ORDER_RANGE = "(1, 1e6]"
_MU_RANGE = "[0, 1e6]"
_GRID = 257


def parallel_epsilon(epsilon: ArrayLike, neighbours: str) -> Array:
    """ε of releases of which each reads a part of the records of its own (McSherry 2009, doi:10.1145/1559845.1559850).

    max εᵢ when a record is added or removed. When one is replaced, the new one may stand in another part, so that two
    releases change: the two largest add up. The parts must be fixed by the record alone, not by the data.

    Parameters
    ----------
    epsilon : of each part's release, in [0, 1e3], in nats, the parts on the last axis. Under `"add_remove"` each is for
        a record added or removed; under `"replace"` each must hold for that too, as one part loses a record that
        another gains, and for a record replaced within a part.
    neighbours : `"add_remove"` or `"replace"`.

    Returns
    -------
    ε in nats, rounded up. `parallel_delta` is the δ that goes with it.

    Examples
    --------
    >>> print(f"{parallel_epsilon([0.25, 1, 0.5], 'add_remove')} {parallel_epsilon([0.25, 1, 0.5], 'replace')}")
    1.0 1.5
    """
    return _of_parts(number("epsilon", epsilon, PURE_RANGE), neighbours)


def parallel_delta(delta: ArrayLike, neighbours: str) -> Array:
    """δ of releases of which each reads a part of the records of its own: max δᵢ, or the sum of the two largest.

    It goes with the ε of `parallel_epsilon`: of two releases that change, ε and δ add up (basic composition).

    Parameters
    ----------
    delta : of each part's release, in [0, 1), the parts on the last axis.
    neighbours : `"add_remove"` or `"replace"`, as in `parallel_epsilon`.

    Returns
    -------
    δ, rounded up; at most 1.

    Examples
    --------
    >>> print(f"{parallel_delta([1e-6, 2e-6, 0], 'add_remove')} {parallel_delta([1e-6, 2e-6, 0], 'replace'):.2g}")
    2e-06 3e-06
    """
    return np.minimum(_of_parts(number("delta", delta, PURE_DELTA_RANGE), neighbours), 1.0)[()]


def _of_parts(values: Array, neighbours: str) -> Array:
    """Return the largest value, or where a person is replaced the sum of the two largest, rounded up."""
    option("neighbours", neighbours, NEIGHBOURS)
    largest = np.sort(np.atleast_1d(values), axis=-1)
    refuse("parts", np.array(largest.shape[-1]), np.array(largest.shape[-1] == 0), "[1, inf)")
    if neighbours == "add_remove":
        return largest[..., -1][()]
    return basic_epsilon(largest[..., -2:])


def group_delta(epsilon: ArrayLike, delta: ArrayLike, size: ArrayLike) -> Array:
    """δ(e^{kε} − 1)/(e^ε − 1): with kε what an (ε, δ) guarantee to one gives a group of k (Vadhan 2017, Lemma 2.2).

    Parameters
    ----------
    epsilon : of the guarantee to one person, in [0, 1e3], in nats.
    delta : likewise, in [0, 1).
    size : k people, a whole number in [1, 1e6].

    Returns
    -------
    δ of the group at the ε of k·`epsilon`, rounded up by a relative 1e-12 or by 2e-323 at most; 1 where the form is
    larger.

    Examples
    --------
    >>> print(f"{group_delta(0.5, 1e-6, 3):.4g}")
    5.367e-06
    """
    epsilon, delta = number("epsilon", epsilon, PURE_RANGE), number("delta", delta, PURE_DELTA_RANGE)
    with np.errstate(divide="ignore"):
        log_delta = np.log(delta) + _log_growth(epsilon, integer("size", size, SIZE_RANGE))
    grown = round_up(np.exp(np.minimum(log_delta, 1)), 4000) + 2 * TINY  # a subnormal number is rounded as well
    return np.where(delta > 0, np.minimum(grown, 1), 0.0)[()]


def group_epsilon(delta_total: ArrayLike, size: ArrayLike, profile: Callable[[Array], Array]) -> Array:
    """Return the least kε with δ(ε)(e^{kε} − 1)/(e^ε − 1) ≤ δ: group privacy by a whole profile (Vadhan 2017, L. 2.2).

    Parameters
    ----------
    delta_total : δ of the group, in [1e-300, 1).
    size : k people, a whole number in [1, 1e6].
    profile : the mechanism's δ(ε) for one person, rounded up: called with an array of ε in [0, 1e3], gives one of its
        shape. It must not rise.

    Returns
    -------
    ε of the group in nats, rounded up: the bound holds at it whatever the profile. It is the least one between two
    points of a grid in the logarithm of ε (1e-6 to 1e3), to a relative 1e-12; ∞ where none up to 1e3 k serves.

    Examples
    --------
    >>> from dpcore.gaussian import delta_from_sigma
    >>> print(f"{group_epsilon(1e-5, 3, lambda epsilon: delta_from_sigma(epsilon, 1.0)):.6f}")
    20.698492
    """
    total, people = np.broadcast_arrays(
        number("delta_total", delta_total, DELTA_RANGE), integer("size", size, SIZE_RANGE)
    )

    def enough(epsilon: Array) -> NDArray[np.bool_]:
        with np.errstate(divide="ignore"):
            grown = np.log(profile(epsilon)) + _log_growth(epsilon, people[..., None])
        return grown + 4000 * ULP <= round_up(np.log(total)[..., None], 4)

    grid = np.append(0.0, np.geomspace(1e-6, 1e3, _GRID))
    serves = enough(np.broadcast_to(grid, (*total.shape, grid.size)))
    first = np.argmax(serves, axis=-1)
    low, high = grid[np.maximum(first - 1, 0)], grid[first]
    _, high = bisect(lambda epsilon: enough(epsilon[..., None])[..., 0], low, high, 48)
    return np.where(np.any(serves, axis=-1), round_up(high * people), np.inf)[()]


def group_mu(mu: ArrayLike, size: ArrayLike) -> Array:
    """kμ: what μ-GDP gives a group of k = `size` people ([DRS22], group privacy), rounded up; μ in [0, 1e6].

    Examples
    --------
    >>> print(group_mu(0.5, 3))
    1.5000000000000002
    """
    return _times(number("mu", mu, _MU_RANGE), integer("size", size, SIZE_RANGE))


def group_rho(rho: ArrayLike, size: ArrayLike) -> Array:
    """k²ρ: what ρ-zCDP gives a group of k = `size` people ([BS16] Prop. 1.9), rounded up; ρ in [0, 1e6].

    Examples
    --------
    >>> print(f"{group_rho(0.5, 3):.4f}")
    4.5000
    """
    return _times(number("rho", rho, RHO_RANGE), integer("size", size, SIZE_RANGE) ** 2)


def group_rdp(order: ArrayLike, rdp: ArrayLike, size: ArrayLike) -> tuple[Array, Array]:
    """(α/2^c, 3^c τ(α)), c = ⌈log₂ k⌉: what Rényi DP gives a group of k people ([Mir17] Prop. 2).

    Parameters
    ----------
    order : α for one person, in (1, 1e6].
    rdp : τ(α) for one person, at least 0, in nats.
    size : k, a whole number in [1, 1e6]; it counts as the next power of 2.

    Returns
    -------
    The order of the group, and its τ rounded up; ∞ where the order is below 2, for which the proposition is not proved
    (unless k = 1).

    Examples
    --------
    >>> order, rdp = group_rdp(32, 0.1, 4)
    >>> print(f"{order} {rdp:.4f}")
    8.0 0.9000
    """
    order, rdp, people = np.broadcast_arrays(
        number("order", order, _ORDER_RANGE), number("rdp", rdp, "[0, inf)"), integer("size", size, SIZE_RANGE)
    )
    mantissa, doublings = np.frexp(people)
    doublings = np.where(mantissa == 0.5, doublings - 1, doublings)
    less = np.ldexp(order, -doublings)
    grown = np.where(doublings > 0, _times(rdp, 3.0**doublings), rdp)
    return less[()], np.where((doublings == 0) | (less >= 2), grown, np.inf)[()]


def _log_growth(epsilon: Array, size: Array) -> Array:
    """ln((e^{kε} − 1)/(e^ε − 1)) = (k − 1)ε + ln((1 − e^{−kε})/(1 − e^{−ε})), ln k at 0."""
    safe = np.where(epsilon > 0, epsilon, 1.0)
    grown = (size - 1) * safe + np.log(np.expm1(-size * safe) / np.expm1(-safe))
    return np.where(epsilon > 0, grown, np.log(size))


def _times(value: Array, factor: Array) -> Array:
    with np.errstate(over="ignore"):
        return np.where(value > 0, np.nextafter(value * factor, np.inf), 0.0)[()]
