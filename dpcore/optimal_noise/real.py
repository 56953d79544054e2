"""The least cost of real-valued noise of (ε, δ)-DP, enclosed, and beside that of noises with a name.

`staircase_bound` is a lower bound on the variance or E|noise|, which the truncated staircase reaches but for about 3δ
(own).

Let the cost c(x) be even and not fall in |x|, Δ = 1, and the noise X be symmetric: its equal mixture with its mirror
image has the same cost and guarantee. For functions y_s with values in [0, ν_s] a move of s has
E y_s(X) − e^ε E y_s(X − s) ≤ δ ν_s. So E c(X) ≥ λ − δ Σ ν_s if λ ≤ (h(x) + h(−x))/2 for all x ≥ 0, where h(x) is
c(x) + Σ_s (y_s(x) − e^ε y_s(x − s)). All y_s here are 0 for x < 0. For any A ≥ 1 and ν let

    F(x) = ν − Σ_{i ≥ 1} e^{−iε} (c(A) − c(x + i))₊ for x ≥ −1,  λ = c(A) − (e^ε − 1) ν.

F does not fall and is at most ν, and c(x) + F(x) − e^ε F(x − 1) = λ + (c(x) − c(A))₊. For any γ in (0, 1) let ν be so
large that F(γ − 1) ≥ 0. Then y_1 = 2F, for x ≥ 0, is enough for all x ≥ 1. In [0, 1) nothing arrives by a move of 1,
which leaves λ + e^ε F(x − 1): it is too little only for some x < γ, by R(x) = (−e^ε F(x − 1))₊, and e^ε F(x − 1) is to
spare in [γ, 1). Moves of s < 1 take it from there: y_s(x) = 2R(x) F(x + s − 1)/K for x < γ ≤ x + s < 1, where K is the
integral of F(x − 1) over [γ, 1). That is enough where K is at least the integral of R. As R does not rise and F does
not fall, ∫ ν_s ds ≤ 2R(0) (1 + γF(0)/K), so that

    E c(X) ≥ λ − 2δ (ν + R(0) (1 + γF(0)/K)).

Where F(γ − 1) = 0 and K is the integral of R, λ − 2δν is the cost of the truncated staircase of this γ and bound A. Its
best γ is where both hold, so that the last term is all that the bound loses: of the cost 1.1 to 3 δ from ε = 1 on, and
up to 9 δ near ε = 0, where δ ≤ 0.001. The bound is proved for any γ, as ν is made as large as it must be.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore import truncated_laplace
from dpcore.calibrations import GENERALIZED_ADP
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, Array, number, option, scalar, scalar_integer
from dpcore.generalized_gaussian.optimal_shape import Best, best_p, size
from dpcore.optimal_noise._closed_forms import (
    COST_POWERS,
    GAMMA_OF,
    STAIRCASE_COSTS,
    TRUNCATED_LAPLACE_COSTS,
    KnownNoise,
    best_steps,
    candidates,
    scaled,
    step_sums,
)
from dpcore.optimal_noise._program import (
    COSTS,
    LEAST_PROGRAM_DELTA,
    MOST_ROWS_RANGE,
    bound_from_middle,
    solve,
    solved_bound,
)
from dpcore.optimal_noise.known import (
    CLOSE,
    COST_OF,
    MOST_BOUND,
    MOST_CLOSED_DELTA,
    cells_to_move,
    checked_target,
    has_least_cost,
    real_bound,
    spread_noise,
)
from dpcore.rounding import ULP, round_up

_COARSE_CELLS = 400
_MIDDLE = 1.5  # of the highest step of the staircase, whose conditions prove a bound where it is narrow
_LEAST_NARROW = 3.0  # the ε from which it is


@dataclass(frozen=True)
class LeastCost:
    """Bounds on the least cost of any noise of (ε, δ)-DP that is added to one real number.

    Attributes
    ----------
    lower : no noise costs less; proved by a dual solution.
    cells : D, the number of cells to each Δ of the program that proves `lower`; below 1 where a cell is longer than Δ,
        and infinite where a dual solution in closed form, for all real numbers, proves it.
    noise : the noise of the least cost that is known.
    """

    lower: float
    cells: float
    noise: KnownNoise

    @property
    def upper(self) -> float:
        """The cost of `noise`, which is reached."""
        return self.noise.cost


def least_cost(
    epsilon: float,
    delta: float,
    sensitivity: float = 1.0,
    cost: str = "variance",
    most_rows: int = 4000,
) -> LeastCost:
    """Bounds on the least cost of any noise for one real number that satisfies (ε, δ)-DP (own; see the notes).

    Parameters
    ----------
    epsilon : in [0, 12].
    delta : in [0, 0.5]; where it is 0, ε is at least 1e-6; else truncated Laplace noise at Δ = 1 is within ±1e150.
    sensitivity : Δ in [1e-100, 1e100], in query units.
    cost : "variance" or "mean_absolute_error".
    most_rows : of the linear program, in [100, 1e5]: a finer lattice takes more. 4000 take about a second at most.

    Returns
    -------
    A `LeastCost`, in (squared) query units. At 4000 rows `upper`/`lower` − 1 is below 1 % for
    variances at ε ≤ 2 and below 4 % up to ε = 12; for E|noise| it is below 8 % where δ ≤ 0.1. Up to δ = 0.001 it is
    mostly about 3δ, and 0.5 % at most: where `noise` and `lower` in closed form are within 0.4 %, no program is solved.

    Notes
    -----
    Let w = Δ/D. A release y of such noise X on a multiple of w may be rounded to a neighbouring multiple, up with
    probability y/w − ⌊y/w⌋: that keeps the mean, adds at most w²/4 to the variance, and does not change E|noise|. It is
    post-processing, so w²(V − ¼) ≤ E X² for the least variance V of whole-numbered noise with sensitivity D, and w V
    is at most E|X|. The other way, the optimal whole-numbered noise, spread evenly over cells of width w, has at a move
    of j + θ cells (1 − θ)δ_j + θδ_{j+1} at most δ: a variance of w²(V + 1/12) is reached.

    For all real numbers at once there is a dual solution in closed form, next to that of the truncated staircase. It
    loses a few δ of the cost, so that it takes the place of the program where δ is small, and serves beside it else.

    Where ε is large, nearly all noise is within a small part of Δ. Then a program with the conditions on that part
    alone has much smaller cells, and its bound holds too, as it has fewer conditions.

    Examples
    --------
    >>> floor = least_cost(1, 0.01)
    >>> print(f"{floor.lower:.2f} to {floor.upper:.2f}")
    1.58 to 1.59
    """
    epsilon, delta, sensitivity = checked_target(epsilon, delta, sensitivity)
    option("cost", cost, COSTS)
    best, lower, cells = _of_unit(epsilon, delta, cost, scalar_integer("most_rows", most_rows, MOST_ROWS_RANGE))
    factor = sensitivity ** COST_POWERS[cost]
    return LeastCost(lower * factor * (1 - 1e-15), cells, scaled(best, sensitivity, cost))


@lru_cache(256)  # of up to 130 kB each
def _of_unit(epsilon: float, delta: float, cost: str, most_rows: int) -> tuple[KnownNoise, float, float]:
    """Return the noise of the least known cost at sensitivity 1, a lower bound, and the cells to Δ that prove it."""
    best = min(candidates(epsilon, delta, cost), key=lambda noise: noise.cost)
    own_delta = delta if delta > 0 else LEAST_PROGRAM_DELTA
    closed = staircase_bound(epsilon, own_delta, cost)
    proofs = [(closed, math.inf)]
    if own_delta > MOST_CLOSED_DELTA or closed < (1 - CLOSE) * best.cost:
        noise, program_proofs = _by_programs(epsilon, own_delta, cost, most_rows)
        proofs += program_proofs
        if noise is not None and delta >= LEAST_PROGRAM_DELTA and noise.cost < best.cost:
            best = noise
    lower, cells = max(proofs)
    return best, min(max(lower, 0.0), best.cost), cells


def _by_programs(
    epsilon: float, delta: float, cost: str, most_rows: int
) -> tuple[KnownNoise | None, list[tuple[float, float]]]:
    """Return the noise of a program, if any, and lower bounds, each with the cells to Δ of its program."""
    reach = float(truncated_laplace.bound_from_epsilon(epsilon, delta))
    if 2 * (reach + 3) > most_rows:
        return None, [_coarse_proof(epsilon, delta, cost, reach, most_rows)]
    steps = cells_to_move(epsilon, delta, reach, most_rows)
    solution = solve(epsilon, delta, steps, math.ceil(reach * steps) + steps, COST_OF[cost])
    proofs = [(real_bound(solution.bound.at(delta), cost, 1 / steps), float(steps))] if solution else []
    if epsilon >= _LEAST_NARROW:
        proofs.append(_narrow_proof(epsilon, delta, cost, most_rows))
    return spread_noise(solution.pmf, cost, steps) if solution else None, proofs


def _narrow_proof(epsilon: float, delta: float, cost: str, most_rows: int) -> tuple[float, float]:
    """Return the lower bound by the conditions on the middle alone, and as many cells to Δ as the rows then allow."""
    middle = _MIDDLE * float(GAMMA_OF[cost](epsilon))
    steps = math.floor((math.sqrt(9 + 8 * middle * most_rows) - 3) / (4 * middle))  # steps (2 middle steps + 3) rows
    bound = bound_from_middle(epsilon, delta, steps, math.ceil(middle * steps), COST_OF[cost])
    return real_bound(bound.at(delta), cost, 1 / steps), float(steps)


def _coarse_proof(epsilon: float, delta: float, cost: str, reach: float, most_rows: int) -> tuple[float, float]:
    """Return the lower bound by cells of m Δ, and 1/m: at such moves it is (mε, δ(e^{mε} − 1)/(e^ε − 1))-DP."""
    length = math.ceil(max(2 * (reach + 3) / most_rows, reach / _COARSE_CELLS)) + 1
    grown = length * epsilon
    growth = math.expm1(grown) / math.expm1(epsilon) if epsilon > 0 else float(length)
    grown_delta = round_up(growth * delta, 8)
    bound = solved_bound(grown, max(grown_delta, LEAST_PROGRAM_DELTA), 1, math.ceil(reach / length) + 1, COST_OF[cost])
    return real_bound(bound.at(grown_delta), cost, float(length)), 1 / length


_COSTS = {"variance": "variance", "mean_error": "mean_absolute_error"}


def closed_form_frame(epsilon: ArrayLike, delta: ArrayLike, measure: str = "variance") -> pd.DataFrame:
    """Return the cost of the best p, of truncated Laplace and of staircase noise of (ε, δ)-DP, at sensitivity 1.

    Parameters
    ----------
    epsilon : in [0, 1e6].
    delta : in [1e-300, 1).
    measure : "variance" or "mean_error", E|noise|.

    Returns
    -------
    Columns epsilon, delta, p (the best shape), best (its size), truncated (infinite where the noise ends beyond 1e150),
    and staircase (which satisfies pure ε-DP; infinite below ε = 1e-12): a row for each place, in the order of the
    broadcast arguments.

    Examples
    --------
    >>> frame = closed_form_frame([0.1, 5], 0.01)
    >>> [[round(size, 3) for size in row] for row in frame[["best", "truncated", "staircase"]].to_numpy().tolist()]
    [[88.607, 66.289, 199.917], [0.079, 0.079, 0.03]]
    """
    columns = _columns(epsilon, delta, measure)
    return pd.DataFrame(columns | {"staircase": _staircase_cost(columns["epsilon"], measure)})


def _columns(epsilon: ArrayLike, delta: ArrayLike, measure: str) -> dict[str, Array]:
    """Return the columns that both frames have."""
    option("measure", measure, tuple(_COSTS))
    epsilon, delta = number("epsilon", epsilon, EPSILON_RANGE), number("delta", delta, DELTA_RANGE)
    epsilon, delta = (part.ravel() for part in np.broadcast_arrays(*np.atleast_1d(epsilon, delta)))
    p = best_p(GENERALIZED_ADP, measure, epsilon, delta)
    best = size(measure, GENERALIZED_ADP.scale(epsilon, delta, p), p)
    return {
        "epsilon": epsilon,
        "delta": delta,
        "p": p,
        "best": best,
        "truncated": _truncated_cost(epsilon, delta, measure),
    }


def _truncated_cost(epsilon: ArrayLike, delta: ArrayLike, measure: str) -> Array:
    """Return the cost of truncated Laplace noise, infinite where that ends beyond 1e150."""
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)
    cost = TRUNCATED_LAPLACE_COSTS[_COSTS[measure]](np.minimum(bound, MOST_BOUND), scale)
    return np.where(bound <= MOST_BOUND, cost, np.inf)


def _staircase_cost(epsilon: Array, measure: str) -> Array:
    theta, cost = np.maximum(epsilon, 1e-12), _COSTS[measure]
    return np.where(epsilon >= 1e-12, STAIRCASE_COSTS[cost](theta, GAMMA_OF[cost](theta)), np.inf)


def floor_frame(
    epsilon: ArrayLike,
    delta: ArrayLike,
    measure: str = "variance",
    most_rows: int = 4000,
) -> pd.DataFrame:
    """Return the least cost of any noise of (ε, δ)-DP beside the best p and truncated Laplace noise, at sensitivity 1.

    Parameters
    ----------
    epsilon, delta, measure : as in `closed_form_frame`.
    most_rows : of each linear program, as in `least_cost`.

    Returns
    -------
    Columns epsilon, delta, p, best and truncated as there, lower and upper: the bounds of `least_cost`, which are NaN
    where ε > 12 or δ > ½.

    Examples
    --------
    >>> row = floor_frame(0.1, 0.01).iloc[0]
    >>> print(f"best p {row.best:.2f}, truncated Laplace {row.truncated:.2f}, any noise at least {row.lower:.1f}")
    best p 88.61, truncated Laplace 66.29, any noise at least 66.2
    """
    columns = _columns(epsilon, delta, measure)
    places = zip(*(columns[key].tolist() for key in ("epsilon", "delta")), strict=True)
    bounds = [_bounds(at, target, measure, most_rows) for at, target in places]
    lower, upper = np.array(bounds).reshape(-1, 2).T
    return pd.DataFrame(columns | {"lower": lower, "upper": upper})


def floor_beside(best: Best, epsilon: float, delta: float, most_rows: int = 4000) -> dict[str, float]:
    """Return a row of `floor_frame` where the best p is known, in less time.

    Parameters
    ----------
    best : of `GENERALIZED_ADP` at this (ε, δ), by "variance" or "mean_error".
    epsilon, delta : as in `closed_form_frame`.
    most_rows : of a linear program, as in `least_cost`.

    Examples
    --------
    >>> from dpcore.generalized_gaussian.optimal_shape import best_against
    >>> row = floor_beside(best_against(GENERALIZED_ADP, "variance", 1, 1e-6, p=2), 1, 1e-6)
    >>> print(f"best p {row['best']:.3f}, any noise at least {row['lower']:.3f}")
    best p 2.000, any noise at least 1.918
    """
    option("best.measure", best.measure, tuple(_COSTS))
    epsilon, delta = scalar("epsilon", epsilon, EPSILON_RANGE), scalar("delta", delta, DELTA_RANGE)
    truncated = float(_truncated_cost(epsilon, delta, best.measure))
    lower, upper = _bounds(epsilon, delta, best.measure, most_rows)
    row = {"epsilon": epsilon, "delta": delta, "p": best.p, "best": float(size(best.measure, best.scale, best.p))}
    return row | {"truncated": truncated, "lower": lower, "upper": upper}


def _bounds(epsilon: float, delta: float, measure: str, most_rows: int) -> tuple[float, float]:
    """Return the bounds of `least_cost`, NaN beyond its ε and δ."""
    if not has_least_cost(epsilon, delta):
        return np.nan, np.nan
    least = least_cost(epsilon, delta, 1.0, _COSTS[measure], most_rows=most_rows)
    return least.lower, least.upper


_MOST_BLOCKS = 4000  # of Δ or, where the noise goes farther, of the least multiple of Δ
_DOUBT = 1e-12  # relative, of `step_sums`


def staircase_bound(epsilon: float, delta: float, cost: str) -> float:
    """Return the lower bound at sensitivity 1, rounded down, for δ in (0, ½]; 0 where it is below.

    Noise that goes farther than `_MOST_BLOCKS` is bounded by moves of a whole number m alone, at which it satisfies
    (mε, δ(e^{mε} − 1)/(e^ε − 1))-DP.
    """
    m = float(math.ceil(float(truncated_laplace.bound_from_epsilon(epsilon, delta)) / _MOST_BLOCKS))
    if m > 1:
        grown = round_up(m * epsilon, 1)
        delta = round_up(delta * (math.expm1(grown) / math.expm1(epsilon) if epsilon > 0 else m), 8)
        epsilon = grown
    power = 2 if cost == "variance" else 1
    return max(_bound(epsilon, delta, cost, power) * m**power * (1 - 4 * ULP), 0.0)


def _bound(epsilon: float, delta: float, cost: str, power: int) -> float:
    """Return λ − 2δ (ν + R(0)(1 + γF(0)/K)), for moves of 1.

    In `step_sums` `above` is ν − F(γ − 1), `missing` e^{−ε} times the integral of R, `spare` K, `first` e^{−ε} R(0),
    and `last` F(0), if F(γ − 1) = 0. Where it is more, `spare` and `last` are larger, and `missing` and `first` less.
    """
    growth = math.exp(epsilon)
    gamma, end = best_steps(epsilon, float(truncated_laplace.bound_from_epsilon(epsilon, delta)), cost)
    sums = step_sums(epsilon, end, gamma, cost)
    spare = sums.spare * (1 - _DOUBT)
    lack = max(growth * sums.missing * (1 + 2 * _DOUBT) - spare, 0.0)
    more = 2 * _DOUBT * sums.above + lack * (1 + _DOUBT) / (1 - gamma)  # at most F(γ − 1), and half of it at least
    nu = sums.above * (1 + _DOUBT) + more
    price = nu + growth * sums.first * (1 + gamma * (sums.last + 2 * more) / (spare + lack)) * (1 + 8 * _DOUBT)
    return end**power * (1 - 4 * ULP) - (math.expm1(epsilon) * nu + 2 * delta * price) * (1 + 16 * ULP)
