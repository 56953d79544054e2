"""The lower bound on the variance or E|noise| that the truncated staircase reaches but for about 3δ (own).

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

from dpcore import truncated_laplace
from dpcore.optimal_noise._falling_steps import best_steps, step_sums
from dpcore.rounding import ULP, round_up

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
