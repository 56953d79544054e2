"""The least noise of any shape for one number: bounds in closed form, and linear programs without their solver's word.

Noise of (ε, δ)-DP that does not depend on the data has, for every move of at most Δ, Σ (p(x) − e^ε p(x + move))₊ ≤ δ.
On the whole numbers the least E cost(noise) under these conditions is a linear program, `integer_optimum`. For real
values `least_cost` encloses the optimum between two programs on a lattice of D cells to each Δ.

The lower bound is the value of a dual solution, made feasible for every whole number, also beyond the last one of the
program, and rounded down: weak duality then proves it, whatever the solver did. Where δ is small, real noise has a dual
solution in closed form too, which leaves no more than about 3δ between the bounds, so that no program is solved. The
upper bound is reached by a noise whose δ is computed from its own probabilities, or by one in closed form: truncated
Laplace noise, a truncated staircase, or a staircase that is replaced with probability δ. `best_known_noise` is that
noise alone, where the lower bound is not needed: up to δ = 0.001 it solves no program. All public names stand here.

References
----------
[GDGK20] Geng, Ding, Guo & Kumar 2020, arXiv:1810.00877. [GV16] Geng & Viswanath 2016, arXiv:1305.1330.
"""

from dpcore.optimal_noise._closed_forms import KnownNoise
from dpcore.optimal_noise._program import COSTS
from dpcore.optimal_noise.known import (
    IntegerOptimum,
    best_known_noise,
    has_least_cost,
    integer_optimum,
    least_half_width,
    least_tail,
)
from dpcore.optimal_noise.real import LeastCost, closed_form_frame, floor_beside, floor_frame, least_cost

__all__ = [
    "COSTS",
    "IntegerOptimum",
    "KnownNoise",
    "LeastCost",
    "best_known_noise",
    "closed_form_frame",
    "floor_beside",
    "floor_frame",
    "has_least_cost",
    "integer_optimum",
    "least_cost",
    "least_half_width",
    "least_tail",
]
