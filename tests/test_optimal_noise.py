"""The least noise of any shape: its bounds hold without the solver's word, and its special cases are the known ones."""

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore import geometric, staircase, truncated_geometric, truncated_laplace
from dpcore.calibrations import GENERALIZED_ADP
from dpcore.generalized_gaussian.optimal_shape import best_against
from dpcore.optimal_noise import (
    _closed_forms,
    _program,
    best_known_noise,
    closed_form_frame,
    floor_beside,
    floor_frame,
    has_least_cost,
    integer_optimum,
    least_cost,
)
from dpcore.optimal_noise.real import staircase_bound

PUBLISHED = [  # epsilon, delta, the integer optimum, an interval of the real one: by another program, and by D = 16
    (1.0, 0.01, 1.51629697, 1.5306, 1.5865),
    (0.5, 0.05, 2.95497901, 2.8763, 2.9599),
    (0.1, 0.01, 66.20114522, 65.828, 66.236),
    (1.0, 1e-6, 1.84110, 1.8587, 1.9179),
    (2.0, 0.001, 0.35627393, 0.39106, 0.41659),
    (0.1, 1e-6, 199.56741845, 197.16, 199.67),
]
SEVERAL: Any = [1, 2]
FRACTION: Any = 1.5
SETTINGS = [(0.0, 0.1), (0.01, 0.02), (0.3, 0.4), (1.0, 1e-3), (1.0, 1e-9), (3.0, 0.1), (6.0, 1e-6), (12.0, 1e-4)]


def violation(pmf, epsilon, moves):
    """Return the largest Σ (p_k − e^ε p_{k+s})₊ of moves both ways, plainly."""
    deltas = []
    for s in range(1, moves + 1):
        own, other = np.append(pmf, np.zeros(s)), np.append(np.zeros(s), pmf)
        deltas += [
            np.maximum(own - np.exp(epsilon) * other, 0).sum(),
            np.maximum(other - np.exp(epsilon) * own, 0).sum(),
        ]
    return max(deltas)


def certified(best, epsilon, delta, cost):
    """λ − δ Σ ν_s of the certificate, term by term, for k up to twice the reach of the program."""
    steps, reach = best.multipliers.shape[0], best.multipliers.shape[1] // 2

    def y(s, k):
        return 0.0 if k < -reach else best.beyond[s - 1] if k > reach else best.multipliers[s - 1, k + reach]

    def reduced(k):
        return cost(abs(k)) + sum(y(s, k) - np.exp(epsilon) * y(s, k - s) for s in range(1, steps + 1))

    price = [max(best.beyond[s - 1], best.multipliers[s - 1].max()) for s in range(1, steps + 1)]
    assert best.multipliers.min() >= 0
    return min((reduced(k) + reduced(-k)) / 2 for k in range(2 * reach + steps + 1)) - delta * sum(price)


@pytest.mark.parametrize(("epsilon", "delta", "integer", "low", "high"), PUBLISHED)
def test_the_published_optima_are_met_and_the_enclosures_overlap(epsilon, delta, integer, low, high):
    best, real = integer_optimum(epsilon, delta), least_cost(epsilon, delta)
    assert best.lower <= best.cost <= best.lower * (1 + 1e-6)
    assert best.cost == pytest.approx(integer, rel=1e-6)
    assert real.lower < high
    assert real.upper > low
    assert real.upper <= real.lower * 1.005


@pytest.mark.parametrize("cost", ["variance", "mean_absolute_error"])
@pytest.mark.parametrize("moves", [1, 3])
@pytest.mark.parametrize(("epsilon", "delta"), SETTINGS)
def test_the_noise_satisfies_its_delta_and_its_certificate_proves_the_bound(epsilon, delta, moves, cost):
    best = integer_optimum(epsilon, delta, moves, cost)
    k = np.arange(best.pmf.size) - best.pmf.size // 2
    power = 2.0 if cost == "variance" else 1.0
    assert best.pmf.sum() == pytest.approx(1, rel=1e-12)
    assert np.array_equal(best.pmf, best.pmf[::-1])
    assert violation(best.pmf, epsilon, moves) <= delta
    assert best.cost == pytest.approx(np.sum(abs(k) ** power * best.pmf), rel=1e-12)
    assert best.lower <= certified(best, epsilon, delta, lambda size: size**power) + 1e-12
    assert best.lower <= best.cost <= best.lower * (1 + 1e-5)
    bound = truncated_geometric.bound_from_epsilon(epsilon, delta, moves)
    simple = truncated_geometric.variance(bound, truncated_geometric.scale_from_epsilon(epsilon, moves))
    assert cost != "variance" or best.cost <= simple * (1 + 1e-9)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.0])
def test_without_a_delta_the_optimum_is_geometric_noise_and_the_staircase(epsilon):
    whole = integer_optimum(epsilon, 1e-9)
    assert whole.cost == pytest.approx(geometric.variance(1 / epsilon), rel=1e-5)
    variance = staircase.variance(epsilon, staircase.variance_gamma(epsilon))
    real = least_cost(epsilon, 0)
    assert real.noise.family == "staircase"
    assert real.lower <= variance * (1 + 1e-12) <= real.upper * (1 + 1e-9) <= real.lower * 1.01
    mean = staircase.mean_absolute_error(epsilon, staircase.mean_error_gamma(epsilon))
    real = least_cost(epsilon, 0, cost="mean_absolute_error")
    assert real.lower <= mean * (1 + 1e-12) <= real.upper * (1 + 1e-9) <= real.lower * 1.01


@pytest.mark.parametrize("delta", [0.1, 0.01, 1e-6, 1e-12])
def test_at_epsilon_0_the_optimum_is_uniform_noise(delta):
    real, mean = least_cost(0, delta), least_cost(0, delta, cost="mean_absolute_error")
    assert real.lower <= (0.5 / delta) ** 2 / 3 <= real.upper * (1 + 1e-12) <= real.lower * 1.002
    assert mean.lower <= 0.25 / delta <= mean.upper * (1 + 1e-12) <= mean.lower * 1.006


def test_at_a_large_epsilon_whole_numbers_need_next_to_no_noise():
    best = integer_optimum(12, 1e-6)
    assert 0 < best.lower <= best.cost < geometric.variance(1 / 12)


@pytest.mark.parametrize("cost", ["variance", "mean_absolute_error"])
@pytest.mark.parametrize(("epsilon", "delta"), [(5.0, 1e-3), (8.0, 0.1), (12.0, 0.0), (12.0, 0.3)])
def test_the_optimum_at_a_large_epsilon_is_the_staircase_except_for_the_part_of_delta(epsilon, delta, cost):
    gamma_of = staircase.variance_gamma if cost == "variance" else staircase.mean_error_gamma
    whole = getattr(staircase, cost)(epsilon, gamma_of(epsilon))
    best = least_cost(epsilon, delta, cost=cost, most_rows=2000)
    assert best.lower <= (1 - delta) * whole
    assert best.lower <= best.upper <= best.lower * (1.09 if cost == "variance" else 1.18)
    assert best.upper <= whole * (1 + 1e-12)


@pytest.mark.parametrize("cost", ["variance", "mean_absolute_error"])
@pytest.mark.parametrize("epsilon", [0.5, 4.0, 10.0])
def test_fewer_conditions_prove_a_smaller_bound_and_all_of_them_the_optimum(epsilon, cost):
    best, power = integer_optimum(epsilon, 0.01, 4, cost), 2.0 if cost == "variance" else 1.0
    proofs = [_program.bound_from_middle(epsilon, 0.01, 4, middle, lambda k: k**power) for middle in (0, 2, 40)]
    bounds = [proof.at(0.01) for proof in proofs]
    assert 0 <= bounds[0] <= bounds[1] * (1 + 1e-9) <= bounds[2] * (1 + 2e-9) <= best.cost * (1 + 3e-9)
    assert bounds[2] == pytest.approx(best.cost, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.05), (0.3, 0.4), (1.0, 0.3), (3.0, 1e-6)])
def test_the_conditions_of_moves_away_from_0_suffice_or_all_of_them_are_solved_for(epsilon, delta, monkeypatch):
    reach = 5 * int(np.ceil(truncated_laplace.bound_from_epsilon(epsilon, delta)))
    quick = _program.solve(epsilon, delta, 4, reach, np.square)
    pmf = _program.solved_pmf(epsilon, delta, 4, reach, np.square)
    monkeypatch.setattr(_program, "_excess", lambda *_: 1.0)
    slow = _program.solve(epsilon, delta, 4, reach, np.square)
    assert quick
    assert slow
    assert pmf is not None
    costs = [np.sum(solution.pmf * np.arange(solution.pmf.size) ** 2.0) for solution in (quick, slow)]
    assert costs[0] == pytest.approx(costs[1], rel=1e-6)
    assert quick.bound.at(delta) == pytest.approx(slow.bound.at(delta), rel=1e-6)
    assert max(_program.pmf_delta(quick.pmf, epsilon, 4)) <= delta
    assert np.array_equal(pmf, quick.pmf)


@pytest.mark.parametrize("cost", ["variance", "mean_absolute_error"])
def test_a_staircase_that_is_replaced_with_probability_delta_has_its_cost_and_satisfies_delta(cost):
    best = least_cost(6, 0.2, 2.0, cost, 200)
    assert best.noise.family == "staircase_mixture"
    fine = (np.arange(-200_000, 200_000) + 0.5) * 4e-5
    weight = best.noise.density(fine) * 4e-5
    value = {"variance": fine**2, "mean_absolute_error": abs(fine)}[cost]
    assert weight.sum() == pytest.approx(1, rel=1e-3)
    assert np.sum(weight * value) == pytest.approx(best.upper, rel=2e-3)
    for move in (2500, 12_500, 50_000):  # 0.1, 0.5 and 2, the sensitivity
        assert np.maximum(weight[move:] - np.exp(6) * weight[:-move], 0).sum() <= 0.2 + 1e-3


def test_the_bounds_are_below_all_other_noise_and_fall_in_epsilon_and_delta():
    epsilon = np.array([0.05, 0.2, 1.0, 3.0])
    bounds = [[least_cost(e, d, most_rows=600) for e in epsilon] for d in (1e-9, 1e-3, 0.1)]
    lower, upper = (np.array([[getattr(b, name) for b in row] for row in bounds]) for name in ("lower", "upper"))
    for d, row, least in zip((1e-9, 1e-3, 0.1), upper, lower, strict=True):
        bound, scale = truncated_laplace.bound_from_epsilon(epsilon, d), truncated_laplace.scale_from_epsilon(epsilon)
        assert np.all(row <= truncated_laplace.variance(bound, scale) * (1 + 1e-12))
        assert np.all(least < staircase.variance(epsilon, staircase.variance_gamma(epsilon)))
    assert np.all(np.diff(upper, axis=1) < 0)
    assert np.all(lower[1:] < upper[:-1])


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.03), (3.0, 0.05), (0.5, 0.01)])
@pytest.mark.parametrize("cost", ["variance", "mean_absolute_error"])
def test_the_density_has_the_cost_that_is_stated_and_satisfies_delta_at_every_move(epsilon, delta, cost):
    best = least_cost(epsilon, delta, 2.0, cost, 1500)
    steps = delta == 0.01 or (cost == "mean_absolute_error" and epsilon == 1)
    assert best.noise.family == ("truncated_staircase" if steps else "optimal_noise")
    middles, widths = (best.noise.edges[1:] + best.noise.edges[:-1]) / 2, np.diff(best.noise.edges)
    assert np.sum(best.noise.heights * widths) == pytest.approx(1, rel=1e-12)
    assert np.array_equal(best.noise.density(middles), best.noise.heights)
    assert best.noise.density([best.noise.edges[0] - 1, best.noise.edges[-1] + 1]).tolist() == [0, 0]
    center = np.where(middles == 0, widths / 4, abs(middles))
    value = {
        "variance": np.sum(best.noise.heights * widths * (middles**2 + widths**2 / 12)),
        "mean_absolute_error": np.sum(best.noise.heights * widths * np.where(abs(middles) < 1e-9, widths / 4, center)),
    }[cost]
    assert best.upper == pytest.approx(value, rel=1e-9)
    fine = np.linspace(best.noise.edges[0] - 2, best.noise.edges[-1] + 2, 20_001)
    step = fine[1] - fine[0]
    for move in (0.1, 0.77, 1.3, 2.0):
        excess = best.noise.density(fine) - np.exp(epsilon) * best.noise.density(fine - move)
        assert np.sum(np.maximum(excess, 0)) * step <= delta + 40 * step


@pytest.mark.parametrize("cost", ["variance", "mean_absolute_error"])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.02, 1e-9), (0.4, 0.3), (1.0, 1e-6), (2.5, 0.5), (6.0, 1e-12)])
def test_the_truncated_staircase_has_its_cost_and_exactly_its_delta_at_every_move(epsilon, delta, cost):
    bound = float(truncated_laplace.bound_from_epsilon(epsilon, delta))
    gamma, end = _closed_forms.best_steps(epsilon, bound, cost)
    edges, heights = _closed_forms.truncated_steps(epsilon, bound, gamma)
    widths, middles = np.diff(edges), (edges[1:] + edges[:-1]) / 2
    value = heights * widths * (middles**2 + widths**2 / 12)
    if cost == "mean_absolute_error":
        value = heights * widths * np.where(edges[:-1] * edges[1:] < 0, widths / 4, abs(middles))
    costs = _closed_forms.truncated_cost(epsilon, bound, np.clip([gamma - 0.01, gamma, gamma + 0.01], 0, 1), cost)
    assert np.sum(heights * widths) == pytest.approx(1, rel=1e-12)
    assert costs[1] == pytest.approx(np.sum(value), rel=1e-12)
    assert costs[1] == pytest.approx(min(costs), rel=1e-9)
    assert edges[-1] == pytest.approx(end, rel=1e-12)
    deltas = [exact_delta(edges, heights, epsilon, move) for move in (0.05, 0.3, 0.5, gamma, 1 - gamma, 0.999, 1.0)]
    assert deltas[-1] == pytest.approx(delta, rel=1e-6 if delta < 1e-9 else 1e-9)
    assert max(deltas) <= deltas[-1] * (1 + 1e-9)


def exact_delta(edges, heights, epsilon, move):
    """∫ (f(x) − e^ε f(x − move))₊ of a density that is constant between edges; what only rounding leaves is 0."""
    points = np.union1d(edges, edges + move)
    middles, padded = (points[1:] + points[:-1]) / 2, np.concatenate([[0.0], heights, [0.0]])
    own, other = (padded[np.searchsorted(edges, middles - shift)] for shift in (0.0, move))
    excess = own - np.exp(epsilon) * other
    return np.sum(np.where(excess > 1e-12 * own, excess, 0) * np.diff(points))


@pytest.mark.parametrize(("epsilon", "delta"), [(0.2, 1e-5), (1.0, 1e-3), (1.3, 7e-4), (4.0, 1e-3), (9.0, 1e-6)])
@pytest.mark.parametrize("cost", ["variance", "mean_absolute_error"])
def test_up_to_a_thousandth_no_program_knows_better_noise_than_the_closed_forms(epsilon, delta, cost):
    noise, bounds = best_known_noise(epsilon, delta, 2.0, cost), least_cost(epsilon, delta, 2.0, cost, most_rows=1500)
    assert noise.family in ("truncated_staircase", "staircase_mixture")
    assert bounds.lower <= bounds.upper <= noise.cost <= bounds.upper * (1 + 1e-4)


@pytest.mark.parametrize("cost", ["variance", "mean_absolute_error"])
def test_above_a_thousandth_the_best_known_noise_is_that_of_the_bounds(cost):
    for setting in ((0.7, 0.2), (1.0, 0.03), (3.0, 0.01), (11.0, 0.3)):
        noise, bounds = best_known_noise(*setting, 2.0, cost, 400), least_cost(*setting, 2.0, cost, most_rows=400)
        assert (noise.family, noise.cost) == (bounds.noise.family, pytest.approx(bounds.upper, rel=1e-12))
        assert noise.density([0.1, 1.7]) == pytest.approx(bounds.noise.density([0.1, 1.7]), rel=1e-9)
    assert best_known_noise(0.0, 0.01, 3.0, cost).family == "truncated_laplace"
    assert best_known_noise(1e-4, 0.002, 1.0, cost, 100).family in ("truncated_laplace", "truncated_staircase")


def test_other_sensitivities_scale_and_other_families_have_their_density():
    single, three = least_cost(0.1, 1e-4), least_cost(0.1, 1e-4, 3.0)
    assert three.upper == pytest.approx(9 * single.upper)
    assert three.lower == pytest.approx(9 * single.lower)
    smooth = least_cost(0.001, 1e-6, 2.0)
    assert (smooth.noise.family, smooth.cells) == ("truncated_laplace", np.inf)
    assert smooth.noise.density(5.0) == pytest.approx(truncated_laplace.pdf(5.0, *smooth.noise.parameters))
    steps = least_cost(1, 0, 2.0)
    assert steps.noise.density(0.3) == pytest.approx(staircase.pdf(0.3, 1, staircase.variance_gamma(1), 2.0))


def test_a_smaller_budget_gives_a_wider_enclosure():
    coarse, fine = least_cost(1, 0.1, most_rows=100), least_cost(1, 0.1, most_rows=1000)
    assert coarse.lower < fine.lower <= fine.upper < coarse.upper
    assert coarse.cells < fine.cells
    assert least_cost(0.01, 0.005, most_rows=100).cells < 1


def test_a_failed_solver_leaves_simple_noise_and_the_bounds_in_closed_form(monkeypatch):
    monkeypatch.setattr(_program, "linprog", lambda *_, **__: SimpleNamespace(x=None))
    whole = integer_optimum(0.97, 0.0123)
    assert (whole.lower, whole.multipliers.size) == (0, 0)
    assert violation(whole.pmf, 0.97, 1) <= 0.0123
    for setting in ((0.97, 0.0123), (0.000977, 0.0123), (9.7, 0.0123)):
        assert least_cost(*setting, most_rows=100).lower == pytest.approx(staircase_bound(*setting, "variance"))
        assert least_cost(*setting).noise.family in ("truncated_laplace", "truncated_staircase", "staircase_mixture")
        assert best_known_noise(*setting).cost == least_cost(*setting).upper


@pytest.mark.parametrize("measure", ["variance", "mean_error"])
def test_the_best_shape_and_truncated_laplace_noise_are_never_below_the_floor(measure):
    frame = floor_frame([0.0, 0.1, 1.0, 20.0], [[0.01], [0.7]], measure)
    known, unknown = frame[frame["lower"].notna()], frame[frame["lower"].isna()]
    assert np.all((unknown["epsilon"] == 20) | (unknown["delta"] == 0.7))
    assert len(known) == 3
    assert np.all(known["lower"] <= known["upper"])
    assert np.all(known["upper"] <= known["truncated"] * (1 + 1e-12))
    assert np.all(known["upper"] < known["best"])
    if measure == "variance":
        row = floor_frame(0.1, 0.01).iloc[0]
        assert (row["best"], row["truncated"]) == pytest.approx((88.60705, 66.288881), rel=1e-6)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: integer_optimum(13, 0.1), "epsilon must be in [0, 12], got 13"),
        (lambda: integer_optimum(1, 0.6), "delta must be in [0, 0.5], got 0.6"),
        (lambda: integer_optimum(1, 0), "delta must be in [1e-09, 0.5], got 0"),
        (lambda: integer_optimum(SEVERAL, 0.1), "epsilon must be one number in [0, 12], got [1, 2]"),
        (lambda: integer_optimum(1, 0.1, FRACTION), "sensitivity must be in the whole numbers of [1, 1000], got 1.5"),
        (lambda: integer_optimum(0.001, 1e-6), "most_rows must be in [12438, 1e5] here, got 4000"),
        (lambda: integer_optimum(1, 0.1, 1, "bias"), "cost must be in variance, mean_absolute_error, got 'bias'"),
        (lambda: least_cost(0, 0), "epsilon must be in [1e-6, 12] where delta is 0, got 0"),
        (lambda: best_known_noise(1, 0.1, 1, "tail"), "cost must be in variance, mean_absolute_error, got 'tail'"),
        (lambda: least_cost(1, 0.1, 0), "sensitivity must be in [1e-100, 1e100], got 0"),
        (lambda: least_cost(1, 0.1, most_rows=10), "most_rows must be in [100, 1e5], got 10"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


@pytest.mark.parametrize("measure", ["variance", "mean_error"])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (1.0, 1e-3), (2.0, 0.2), (20.0, 1e-6), (0.0, 1e-300)])
def test_beside_a_known_best_shape_the_bounds_are_those_of_the_frame(epsilon, delta, measure):
    best = best_against(GENERALIZED_ADP, measure, epsilon, delta, 2.0)
    row, frame = floor_beside(best, epsilon, delta), floor_frame(epsilon, delta, measure)
    assert list(row) == list(frame.columns)
    assert list(row.values()) == pytest.approx(frame.iloc[0].to_list(), rel=1e-12, nan_ok=True)


def test_the_closed_forms_beside_the_best_shape_are_those_of_their_families():
    for measure, cost in (("variance", "variance"), ("mean_error", "mean_absolute_error")):
        frame = closed_form_frame([[1e-3], [8.0]], [1e-9, 0.3], measure)
        for row in frame.to_dict("records"):
            bound, scale = truncated_laplace.bound_from_epsilon(row["epsilon"], row["delta"]), 1 / row["epsilon"]
            assert row["truncated"] == pytest.approx(getattr(truncated_laplace, cost)(bound, scale), rel=1e-12)
            least = least_cost(row["epsilon"], row["delta"], 1.0, cost, most_rows=450)
            assert least.upper <= min(row["truncated"], row["staircase"]) * (1 + 1e-9)
    ends = closed_form_frame(0.0, [1e-300, 0.1])
    assert ends["truncated"].tolist() == [np.inf, pytest.approx(25 / 3)]
    assert np.all(np.isinf(ends["staircase"]))
    assert np.isnan(floor_frame(0.0, 1e-300)["lower"]).all()
    with pytest.raises(ValueError, match="delta must be in the values with noise within 1e150 at this epsilon"):
        least_cost(0.0, 1e-300)


@pytest.mark.parametrize("delta", [0.0, 1e-300, 1e-6, 0.5, 0.50001])
@pytest.mark.parametrize("epsilon", [0.0, 9e-7, 1e-6, 12.0, 12.00001])
def test_a_least_cost_is_known_where_it_is_not_refused(epsilon, delta):
    if has_least_cost(epsilon, delta):
        assert least_cost(epsilon, delta, most_rows=100).lower >= 0
    else:
        with pytest.raises(ValueError, match=r"^(epsilon|delta) must be in "):
            least_cost(epsilon, delta, most_rows=100)
