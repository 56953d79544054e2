"""The lower bound in closed form: its dual solution has the properties that prove it, whatever γ and A are."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore import staircase
from dpcore.optimal_noise import _closed_forms as optimal_noise_closed_forms
from dpcore.optimal_noise import best_known_noise, known, least_cost, real
from dpcore.optimal_noise._closed_forms import candidates
from dpcore.optimal_noise._program import solve
from dpcore.optimal_noise.real import staircase_bound

COSTS = ("variance", "mean_absolute_error")


class DualSolution:
    """The y_s of the module's docstring at one γ and A, from their definitions, with 30 digits."""

    def __init__(self, epsilon, cost, gamma, end):
        self.epsilon, self.gamma, self.end = mpmath.mpf(epsilon), mpmath.mpf(gamma), mpmath.mpf(end)
        self.cost = (lambda x: x * x) if cost == "variance" else abs
        growth, breaks = mpmath.exp(self.epsilon), [-1, self.gamma - 1, 0]
        kink = self.end - mpmath.floor(self.end) - 1
        breaks = sorted({*breaks, kink})
        highest = self._removed(self.gamma - 1)
        missing = growth * self._integral(lambda x: max(self._removed(x) - highest, 0), breaks, -1, self.gamma - 1)
        spare = self._integral(lambda x: highest - self._removed(x), breaks, self.gamma - 1, 0)
        self.nu = highest + max(missing - spare, 0) / (1 - self.gamma)
        self.level = self.cost(self.end) - (growth - 1) * self.nu
        self.spare = self._integral(self.flow, breaks, self.gamma - 1, 0)
        self.missing = self._integral(lambda x: growth * max(-self.flow(x), 0), breaks, -1, self.gamma - 1)

    def _integral(self, function, breaks, low, high) -> Any:
        return mpmath.quad(function, [low, *(x for x in breaks if low < x < high), high])

    def _removed(self, x) -> Any:
        last = int(mpmath.ceil(self.end - x)) - 1
        return mpmath.fsum(
            mpmath.exp(-i * self.epsilon) * (self.cost(self.end) - self.cost(x + i)) for i in range(1, last + 1)
        )

    def flow(self, x) -> Any:
        """F(x)."""
        return self.nu - self._removed(x)

    def lack(self, x) -> Any:
        """R(x)."""
        return max(-mpmath.exp(self.epsilon) * self.flow(x - 1), 0)

    def halved(self, x) -> Any:
        """(h(x) + h(−x))/2 for x > 0; what the moves below 1 take from x is R(x), and what they bring is summed up."""
        growth = mpmath.exp(self.epsilon)
        value = self.cost(x) + self.flow(x)
        if x >= 1:
            return value - growth * self.flow(x - 1)
        return value + (self.lack(x) if x < self.gamma else -growth * self.missing * self.flow(x - 1) / self.spare)

    def price(self):
        """Σ ν_s, the moves below 1 on a grid of s, with the largest y_s over a grid of x."""
        s: Any = (np.arange(60) + 0.5) / 60
        x = np.linspace(0, float(self.gamma), 25)[:-1]
        lacks = np.array([float(self.lack(place)) for place in x])
        z = np.linspace(float(self.gamma), 1, 61)
        flows = np.interp(x[:, None] + s, z, [float(self.flow(place - 1)) for place in z], 0.0, 0.0)
        highest = np.max(lacks[:, None] * flows, axis=0) / float(self.spare)
        return 2 * float(self.nu) + 2 * float(np.mean(highest))


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize(
    ("epsilon", "delta", "shift"), [(0.3, 1e-3, 0.0), (1.0, 1e-4, 0.02), (3.0, 1e-6, -0.03), (9.0, 1e-3, 0.0)]
)
def test_the_dual_solution_is_feasible_and_has_the_value_of_the_bound(epsilon, delta, shift, cost, monkeypatch):
    bound = math.log1p(math.expm1(epsilon) / (2 * delta)) / epsilon
    gamma, end = (part * (1 + shift) for part in optimal_noise_closed_forms.best_steps(epsilon, bound, cost))
    monkeypatch.setattr(real, "best_steps", lambda *_: (gamma, end))
    value = staircase_bound(epsilon, delta, cost)
    with mpmath.workdps(30):
        dual = DualSolution(epsilon, cost, gamma, end)
        assert dual.missing <= dual.spare * (1 + mpmath.mpf(1e-20))
        assert dual.flow(dual.gamma - 1) >= -1e-20 * dual.nu
        places = [*np.linspace(0.01, 0.99, 23), gamma, 1.0, 1.3, end / 2, end - 1, end - 0.2, end, end + 0.4, end + 2]
        for x in map(mpmath.mpf, places):
            assert 0 <= dual.flow(x) <= dual.nu
            assert dual.halved(x) >= dual.level * (1 - mpmath.mpf(1e-9))
        last = dual.lack(0) * (1 + dual.gamma * dual.flow(0) / dual.spare)
        exact = dual.level - 2 * delta * (dual.nu + last)
        assert value <= exact
        assert value == pytest.approx(float(exact), rel=1e-7 if shift == 0 else 1e-3)
        assert dual.price() <= 2 * float(dual.nu + last)


@pytest.mark.parametrize("cost", COSTS)
def test_the_bound_holds_for_any_gamma_and_end_and_is_best_at_those_of_the_steps(cost, monkeypatch):
    rng = np.random.default_rng(5)
    for _ in range(40):
        epsilon, delta = float(rng.uniform(0.02, 8)), float(10 ** rng.uniform(-9, -1))
        least, best = (
            best_known_noise(epsilon, delta, cost=cost, most_rows=400).cost,
            staircase_bound(epsilon, delta, cost),
        )
        gamma, end = float(rng.uniform(0.01, 0.9)), float(1 + rng.uniform(0, 2) * math.log1p(1 / delta) / epsilon)
        with monkeypatch.context() as patch:
            patch.setattr(real, "best_steps", lambda *_, steps=(gamma, end): steps)
            other = staircase_bound(epsilon, delta, cost)
        assert other <= best * (1 + 3 * delta)
        assert best <= least


@pytest.mark.parametrize("cost", COSTS)
def test_up_to_a_thousandth_the_bound_is_a_few_delta_below_the_least_known_cost(cost):
    rng = np.random.default_rng(6)
    for _ in range(60):
        epsilon, delta = float(10 ** rng.uniform(-7, np.log10(12))), float(10 ** rng.uniform(-14, -3))
        bounds = least_cost(epsilon, delta, 2.0, cost)
        assert bounds.lower <= bounds.upper <= bounds.lower * 1.005
        assert math.isinf(bounds.cells) or delta > 2e-4
        if epsilon >= 0.1:
            assert bounds.upper <= bounds.lower * (1 + 1e-6 + 4 * delta)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize(("epsilon", "delta"), [(0.2, 1e-3), (1.0, 1e-6), (3.0, 1e-4), (5.0, 1e-3)])
def test_a_program_proves_less_than_the_closed_form_and_what_it_proves_agrees(epsilon, delta, cost):
    reach = math.log1p(math.expm1(epsilon) / (2 * delta)) / epsilon
    steps = known.cells_to_move(epsilon, delta, reach, 3000)
    solution = solve(epsilon, delta, steps, math.ceil(reach * steps) + steps, known.COST_OF[cost])
    assert solution is not None
    lower = known.real_bound(solution.bound.at(delta), cost, 1 / steps)
    value = staircase_bound(epsilon, delta, cost)
    assert lower <= value * (1 + 4 * delta)
    assert value <= min(noise.cost for noise in candidates(epsilon, delta, cost))
    assert lower >= 0.8 * value


def test_the_bound_is_the_staircase_without_delta_and_uniform_noise_without_epsilon():
    for epsilon in (0.1, 1.0, 5.0, 12.0):
        variance = float(staircase.variance(epsilon, staircase.variance_gamma(epsilon)))
        assert staircase_bound(epsilon, 1e-14, "variance") == pytest.approx(variance, rel=1e-6)
    for delta in (1e-3, 1e-5, 1e-12, 1e-140):
        assert 0.99 <= staircase_bound(0.0, delta, "variance") * 12 * delta**2 <= 1
        assert 0.99 <= staircase_bound(0.0, delta, "mean_absolute_error") * 4 * delta <= 1
    assert staircase_bound(1.0, 0.5, "variance") == 0
