"""Discrete Gaussian noise against sums of its definition with 50 digits, over one cell and over several."""

import itertools
import math
import re
from functools import cache

import mpmath
import numpy as np
import pytest

from dpcore import discrete_gaussian, gaussian
from dpcore.discrete_gaussian import delta_from_sigma, epsilon_from_sigma, sigma_from_delta
from dpcore.discrete_gaussian._profile import Move, _power, delta_bound, even_move, flat_from, log_weights, worst_delta
from dpcore.discrete_gaussian.noise import theta
from tests.oracle import ULP


@cache
def masses(sigma):
    """Pr(Y = y) for all y that count to 1e-60."""
    s = mpmath.mpf(float(sigma))
    reach = math.ceil(17 * sigma) + 3
    weights = [mpmath.exp(-(mpmath.mpf(y) ** 2) / (2 * s * s)) for y in range(reach + 1)]
    total = 2 * mpmath.fsum(weights) - 1
    return {y: weights[abs(y)] / total for y in range(-reach, reach + 1)}


BITS = 400  # of the fixed point in which masses are convolved
ONE = 2**BITS


@cache
def law_of(sigma, sizes):
    """Return the law of Σ sizes · Y convolved cell by cell, in whole multiples of 2^−400."""
    single = np.array([int(mass * ONE) for mass in masses(sigma).values()], dtype=object)
    law = np.array([ONE], dtype=object)
    for size in sizes:
        spread = np.zeros((len(single) - 1) * size + 1, dtype=object)
        spread[::size] = single
        law = np.convolve(law, spread) >> BITS
    return law


def true_delta(epsilon, sigma, move):
    """E(1 − e^{ε−L})₊ over the law of ⟨v, Y⟩, whose e^{−L} fall from one value to the next by the same factor."""
    sizes = [int(size) for size in move if size]
    unit = math.gcd(*sizes) or 1
    law = law_of(float(sigma), tuple(size // unit for size in sizes))
    most, square, variance = len(law) // 2, sum(size**2 for size in sizes), mpmath.mpf(float(sigma)) ** 2
    epsilon = mpmath.mpf(float(epsilon))
    first = max(int(mpmath.floor((epsilon * variance - mpmath.mpf(square) / 2) / unit)) + 1, -most)  # of a loss above ε
    rest = int(mpmath.exp(epsilon - mpmath.mpf(square + 2 * unit * first) / (2 * variance)) * ONE)
    ratio, total = int(mpmath.exp(-unit / variance) * ONE), 0
    for p in law[most + first :]:
        total += p * (ONE - rest)
        rest = rest * ratio >> BITS
    return mpmath.mpf(total) / ONE**2


def most_excess(epsilon, sigma, move):
    """Return how much δ may be above: what lowering ε by a few roundings of the loss does,
    and some of −ln δ and the cells.
    """
    lower = epsilon - 4e-15 * (1 + epsilon + sum(size**2 for size in move) / sigma**2)
    raised = true_delta(lower, sigma, move)
    return raised * (1 + (150 + 2 * len(move) - 8 * math.log(raised)) * ULP)


def some_point(rng, move, least, most):
    sigma = 10 ** rng.uniform(least, most)
    ratio = math.sqrt(sum(size**2 for size in move)) / sigma
    epsilon = ratio * (rng.choice([rng.uniform(-1.5, 3), rng.uniform(0, 9)]) + ratio / 2)
    return rng.choice([max(epsilon, 0), 0], p=[0.9, 0.1]), sigma


def check_delta(epsilon, sigma, move, delta):
    true = true_delta(epsilon, sigma, move)
    if true < 1e-45:
        return 0
    assert min(true, 1) <= mpmath.mpf(float(delta)) <= most_excess(epsilon, sigma, move), (epsilon, sigma, move)
    return 1


def test_delta_of_one_cell_is_the_sum_of_its_definition_and_never_below_it():
    rng, checked = np.random.default_rng(1), 0
    for _ in range(60):
        step = int(rng.choice([1, 1, 2, 3, 10, 31]))
        epsilon, sigma = some_point(rng, [step], -1.3, 0.9)
        checked += check_delta(epsilon, sigma, [step], delta_from_sigma(epsilon, sigma, step, 1))
    assert checked > 35


@pytest.mark.parametrize(("sigma", "step"), [(16.5, 1), (20.0, 2), (20.0, 400), (31.0, 10)])
def test_delta_of_wide_noise_is_the_sum_of_its_definition(sigma, step):
    for z in (-1.4, 0.2, 2.0, 7.0):
        epsilon = max(step / sigma * (z + step / sigma / 2), 0)
        assert check_delta(epsilon, sigma, [step], delta_from_sigma(epsilon, sigma, step, 1))


@pytest.mark.parametrize(("n_moved", "step", "most"), [(2, 1, 1), (3, 1, 0.9), (4, 2, 0.7), (9, 1, 0.5)])
def test_delta_of_several_cells_is_the_sum_over_all_of_them_and_never_below_it(n_moved, step, most):
    rng, checked = np.random.default_rng(n_moved), 0
    for _ in range(6):
        epsilon, sigma = some_point(rng, n_moved * [step], -0.7, most)
        delta = delta_from_sigma(epsilon, sigma, step * math.sqrt(n_moved), n_moved)
        checked += check_delta(epsilon, sigma, n_moved * [step], delta)
    assert checked > 2


@pytest.mark.parametrize(("n_moved", "sigma"), [(100, 0.36), (63, 0.2), (48, 0.05)])
def test_delta_of_many_cells_under_narrow_noise_is_the_sum_over_all_of_them(n_moved, sigma):
    ratio = math.sqrt(n_moved) / sigma
    epsilon = ratio * (np.array([-0.7, 0.3, 2.2]) + ratio / 2)
    delta = delta_from_sigma(epsilon, sigma, math.sqrt(n_moved), n_moved)
    assert sum(check_delta(point, sigma, n_moved * [1], value) for point, value in zip(epsilon, delta, strict=True))


@pytest.mark.parametrize("n_cells", [2, 23, 256])
def test_the_sum_of_equal_cells_has_the_same_weights_by_its_law_and_by_logarithms(n_cells):
    sigma = np.array([0.45, 0.7, 1.3])
    by_logarithms = _power(n_cells, sigma) - n_cells * np.log(theta(sigma))[:, None]
    assert log_weights(even_move(1, n_cells), sigma) == pytest.approx(by_logarithms, rel=0, abs=1e-11)


@pytest.mark.parametrize("n_cells", [2, 7, 100])
def test_the_quick_bound_on_delta_is_above_it_and_close_where_the_noise_is_not_narrow(n_cells):
    sigma = np.repeat([0.15, 0.4, 0.8, 1.3], 9)
    ratio = math.sqrt(n_cells) / sigma
    points = ratio * (np.tile(np.linspace(-2, 4, 9), 4) + ratio / 2), sigma, np.full(36, n_cells), np.full(36, n_cells)
    delta, bound = worst_delta(*points), delta_bound(*points)
    assert np.all(delta <= bound)
    assert np.all(bound[-9:] <= delta[-9:] * 1.001)


@pytest.mark.parametrize("sigma", [0.02, 0.05])
@pytest.mark.parametrize("n_moved", [1, 2, 5])
def test_delta_of_tiny_noise_is_the_sum_of_its_definition(sigma, n_moved):
    loss = n_moved / (2 * sigma**2)  # of all noises 0
    for epsilon in (0, 0.5 * loss, loss * (1 - 1e-9), loss - 1, loss - 40):
        delta = delta_from_sigma(epsilon, sigma, math.sqrt(n_moved), n_moved)
        check_delta(epsilon, sigma, n_moved * [1], delta)
    assert delta_from_sigma(loss * (1 + 1e-9), sigma, math.sqrt(n_moved), n_moved) < 1e-80


MOVES = {
    4: [(2,), (1, 1, 1, 1)],
    5: [(2, 1), (1,) * 5],
    6: [(2, 1, 1), (1,) * 6],
    9: [(3,), (2, 2, 1), (2,) + (1,) * 5, (1,) * 9],
    13: [(3, 2), (3, 1, 1, 1, 1), (2, 2, 2, 1), (2, 2) + (1,) * 5, (2,) + (1,) * 9, (1,) * 13],
}


@pytest.mark.parametrize("squared", MOVES)
def test_without_a_number_of_cells_delta_is_that_of_the_worst_move_of_its_length(squared):
    rng = np.random.default_rng(squared)
    for sigma in (0.4, 0.9, 2.2):
        ratio = math.sqrt(squared) / sigma
        epsilon = ratio * (rng.uniform(0, 3) + ratio / 2)
        delta = float(delta_from_sigma(epsilon, sigma, math.sqrt(squared)))
        worst = max(MOVES[squared], key=lambda move: true_delta(epsilon, sigma, move))
        assert true_delta(epsilon, sigma, worst) <= delta <= most_excess(epsilon, sigma, worst)


def test_delta_grows_with_the_move_of_each_cell():
    rng = np.random.default_rng(5)
    for _ in range(6):
        move = rng.integers(0, 3, 3)
        larger = move + rng.integers(0, 2, 3)
        epsilon, sigma = some_point(rng, [1, 1, *larger], -0.3, 0.4)
        assert true_delta(epsilon, sigma, move) <= true_delta(epsilon, sigma, larger) * (1 + mpmath.mpf(10) ** -40)


@pytest.mark.parametrize("squared", [2, 7, 30])
def test_a_shorter_move_guarantees_no_less(squared):
    epsilon, sigma = np.array([[0], [0.5], [2], [6.0]]), np.array([0.8, 1.5, 4, 20])
    shorter = delta_from_sigma(epsilon, sigma, math.sqrt(squared - 1))
    assert np.all(shorter <= delta_from_sigma(epsilon, sigma, math.sqrt(squared)) * (1 + 1e-12))


def test_delta_falls_as_sigma_grows_where_epsilon_is_small():
    sigma = np.geomspace(0.3, 30, 400)
    for epsilon, length in itertools.product((0, 0.01, 0.25), (1, math.sqrt(2), 2)):
        delta = delta_from_sigma(epsilon, sigma, length)
        assert np.all(delta[1:] <= delta[:-1] * (1 + 1e-12) + 1e-300)


def test_every_sigma_above_the_calibrated_one_satisfies_the_guarantee():
    assert true_delta(5, 0.36, [1]) > 3 * true_delta(5, 0.3163, [1])
    rng = np.random.default_rng(13)
    epsilon, delta = rng.uniform(0.25, 12, 60), 10 ** rng.uniform(-12, -0.3, 60)
    for length in (1, 2):
        sigma = sigma_from_delta(epsilon, delta, length, 1)
        above = delta_from_sigma(epsilon, sigma * np.geomspace(1, 3, 150)[:, None], length, 1)
        assert np.all(above <= delta * 1.01)


@pytest.mark.parametrize("n_moved", [1, 3, 64, 10_000])
def test_for_wide_noise_the_profile_is_the_continuous_gaussians(n_moved):
    length = math.sqrt(n_moved)
    for sigma in (1e5, 1e9, 1e19, 1e21, 1e200):
        epsilon = np.array([0, 0.5, 3, 8]) * length / sigma
        delta = delta_from_sigma(epsilon, sigma, length, n_moved)
        expected = gaussian.delta_from_sigma(epsilon, sigma, length)
        assert delta == pytest.approx(expected, rel=1e-8)


def test_a_sigma_satisfies_its_guarantee_and_the_next_smaller_does_not():
    rng = np.random.default_rng(7)
    for _ in range(12):
        move = [(1,), (1, 1), (1, 1, 1), (2,)][rng.integers(4)]
        epsilon, delta = 10 ** rng.uniform(-0.5, 1.3), 10 ** rng.uniform(-20, -0.1)
        length = math.sqrt(sum(size**2 for size in move))
        sigma = float(sigma_from_delta(epsilon, delta, length, len(move)))
        assert delta_from_sigma(epsilon, sigma, length, len(move)) <= delta
        if sigma < 12:
            assert true_delta(epsilon, sigma, move) <= delta < true_delta(epsilon, sigma * (1 - 1e-12), move)


def test_sigma_beside_the_analytic_gaussians_is_below_it_for_many_cells_and_next_to_it_for_one():
    """Figures of ε = 1 and δ = 1e-6: one cell by 1, three cells by 1, twelve by 1."""
    assert float(sigma_from_delta(1, 1e-6)) == pytest.approx(4.230779, abs=1e-6)
    assert float(gaussian.analytic_sigma(1, 1e-6)) == pytest.approx(4.224679, abs=1e-6)
    assert float(sigma_from_delta(1, 1e-6, math.sqrt(3), 3)) == pytest.approx(7.313779, abs=1e-6)
    wide = np.array([30.0, 100, 1000]) ** 2
    close = sigma_from_delta(1, 1e-6, np.sqrt(wide), wide)
    assert close == pytest.approx(gaussian.analytic_sigma(1, 1e-6, np.sqrt(wide)), rel=1e-3)


def test_epsilon_inverts_delta_and_is_never_below_the_true_value():
    rng = np.random.default_rng(8)
    for _ in range(20):
        move = [(1,), (1, 1), (2,)][rng.integers(3)]
        sigma, delta = 10 ** rng.uniform(-0.5, 1), 10 ** rng.uniform(-20, -0.1)
        length = math.sqrt(sum(size**2 for size in move))
        epsilon = float(epsilon_from_sigma(delta, sigma, length, len(move)))
        assert true_delta(epsilon, sigma, move) <= delta
        lower = epsilon - 1e-12 * (1 + epsilon + length**2 / sigma**2)
        assert lower < 0 or true_delta(lower, sigma, move) > delta
    assert epsilon_from_sigma(0.9, 100) == 0


CORNERS = list(itertools.product([0, 5e-324, 1e-9, 1.0, 1e6], [1e-300, 1e-17, 0.5, 1 - 2**-53]))


@pytest.mark.parametrize(
    "moved",
    [
        (1, None),
        (1, 1),
        (4, 16),
        (1e7, 1),
        (1e7, 10**6),
        (1e3, 10**6),
    ],
)
def test_over_the_whole_domain_a_sigma_is_finite_and_satisfies_its_guarantee(moved):
    epsilon, delta = np.transpose(CORNERS)
    sigma = sigma_from_delta(epsilon, delta, *moved)
    assert np.all(np.isfinite(sigma))
    assert np.all(delta_from_sigma(epsilon, sigma, *moved) <= delta)
    assert np.all(np.isfinite(epsilon_from_sigma(delta, sigma, *moved)))


def test_scalars_and_arrays_give_the_same_answers_with_the_common_shape():
    epsilon, lengths = np.array([[0.3], [2.0]]), np.sqrt([1, 2, 5])
    sigma = sigma_from_delta(epsilon, 1e-5, lengths)
    assert sigma.shape == (2, 3)
    for row, column in np.ndindex(2, 3):
        alone = sigma_from_delta(epsilon[row, 0], 1e-5, lengths[column])
        assert float(alone) == pytest.approx(sigma[row, column], rel=1e-13)
    assert (
        sigma_from_delta([], 0.1).shape == delta_from_sigma([], 1.0).shape == epsilon_from_sigma([], 1.0).shape == (0,)
    )


@pytest.mark.parametrize("sigma", [0.07, 0.4, 1.0, 3.7, 15.9, 16.1, 60])
def test_the_distribution_is_the_sum_of_its_definition(sigma):
    law = masses(sigma)
    for k in {0, 1, 2, math.floor(sigma), math.ceil(4 * sigma), math.ceil(9 * sigma)}:
        beyond = 2 * mpmath.fsum(p for y, p in law.items() if y > k)
        assert float(discrete_gaussian.pmf(-k, sigma)) == pytest.approx(float(law[k]), rel=1e-13)
        assert float(discrete_gaussian.cdf(k + 0.5, sigma)) == pytest.approx(float(1 - beyond / 2), rel=1e-14)
        assert float(discrete_gaussian.cdf(-k - 1, sigma)) == pytest.approx(float(beyond / 2), rel=1e-12)
        if k < 9 * sigma:
            z = (k + 1) / sigma
            computed = mpmath.mpf(float(discrete_gaussian.tail(k + 0.3, sigma)))
            assert beyond <= computed <= beyond * (1 + (60 + 8 * z**2) * ULP)
    square, size = (mpmath.fsum(abs(y) ** power * p for y, p in law.items()) for power in (2, 1))
    assert float(discrete_gaussian.variance(sigma)) == pytest.approx(float(abs(square)), rel=1e-13)
    assert float(discrete_gaussian.mean_absolute_error(sigma)) == pytest.approx(float(abs(size)), rel=1e-13)


def test_half_width_is_the_least_whole_number_by_brute_force():
    rng = np.random.default_rng(9)
    for sigma in (0.05, 0.4, 1.0, 2.5, 7):
        tails = [mpmath.mpf(1)]
        for p in (masses(sigma)[y] for y in range(math.ceil(12 * sigma) + 2)):
            tails.append(tails[-1] - (p if len(tails) == 1 else 2 * p))
        for significance in 10 ** rng.uniform(-12, 0, 8):
            least = next(a for a, beyond in enumerate(tails[1:]) if beyond <= significance)
            assert discrete_gaussian.half_width(significance, sigma) == least


@pytest.mark.parametrize("sigma", [1e-4, 1.0, 1e10, 1e150])
def test_half_widths_at_the_ends_of_their_domain_are_safe(sigma):
    for significance in (1e-300, 0.05, 1 - ULP, 1 - ULP / 2):
        half_width = discrete_gaussian.half_width(significance, sigma)
        assert discrete_gaussian.tail(half_width, sigma) <= significance
    assert discrete_gaussian.half_width(1e-300, sigma) == pytest.approx(37.0657879 * sigma, rel=1e-3, abs=1)


def test_the_renyi_divergence_is_at_most_that_of_rho_zcdp():
    """D_a(Y‖Y + c) = ln E e^{(a−1)L}/(a − 1) ≤ aρ, with equality at whole a c ([CKS20] Prop. 5)."""
    for sigma, step in itertools.product((0.5, 1.3, 4.0), (1, 2)):
        law, rho = masses(sigma), mpmath.mpf(float(discrete_gaussian.rho_from_sigma(sigma, step)))
        for order in (1.1, 1.5, 2, 3, 4.7):
            power = mpmath.mpf(order) - 1
            loss = [(p, (step**2 + 2 * step * y) / (2 * mpmath.mpf(sigma) ** 2)) for y, p in law.items()]
            divergence = mpmath.log(mpmath.fsum(p * mpmath.exp(power * loss_value) for p, loss_value in loss)) / power
            assert divergence <= order * rho
            if order == 2:
                assert float(divergence) == pytest.approx(float(2 * rho), rel=1e-13)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: sigma_from_delta(-1, 0.1), "epsilon must be in [0, 1e6], got -1"),
        (lambda: sigma_from_delta(1, 0), "delta must be in [1e-300, 1), got 0"),
        (lambda: delta_from_sigma(1, 0), "sigma must be in [1e-4, 1e307], got 0"),
        (lambda: delta_from_sigma(1, 1, 0.5), "sensitivity must be in [1, 1e7], got 0.5"),
        (
            lambda: delta_from_sigma(1, 1, 1.2),
            "sensitivity must be in [1, 1e7], and the square root of a whole number, got 1.2",
        ),
        (lambda: sigma_from_delta(1, 0.1, 6), "sensitivity must be in [1, sqrt(30)] where n_moved is not given, got 6"),
        (
            lambda: sigma_from_delta(1, 0.1, 2, 3),
            "sensitivity must be in sqrt(n_moved) times the whole numbers, got 2",
        ),
        (lambda: delta_from_sigma(1, 1, 2, 1.5), "n_moved must be in the whole numbers of [1, 1e6], got 1.5"),
        (
            lambda: delta_from_sigma(1, 1.6, 100, 10**4),
            "sigma must be in [1.7, 1e307] where n_moved exceeds 256, got 1.6",
        ),
        (
            lambda: epsilon_from_sigma(0.1, 1.6, 100, 10**4),
            "sigma must be in [1.7, 1e307] where n_moved exceeds 256, got 1.6",
        ),
        (lambda: discrete_gaussian.pmf(0.5, 1), "k must be in the whole numbers of [-1e15, 1e15], got 0.5"),
        (lambda: discrete_gaussian.tail(-1, 1), "t must be in [0, inf), got -1"),
        (lambda: discrete_gaussian.half_width(1, 1), "significance must be in [1e-300, 1), got 1"),
        (lambda: discrete_gaussian.variance(1e151), "sigma must be in [1e-4, 1e150], got 1e+151"),
        (
            lambda: discrete_gaussian.sample(np.random.default_rng(1), 2e14),
            "sigma must be in [1e-4, 1e14], got 200000000000000",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


@pytest.mark.parametrize(
    ("epsilon", "delta", "sensitivity", "n_moved"),
    [
        (298.1495346437544, 5.743639682799497e-232, 1, 1),  # each was too little beyond its σ, up to 4.8 times δ
        (64.10012182873585, 2.5008030809514453e-37, 1, 1),
        (463.50660687731954, 2.2870153616978544e-158, 20**0.5, 20),
        (5565.832408658211, 6.508962811739996e-88, 50**0.5, 50),
    ],
)
def test_the_tops_of_the_next_waves_keep_delta_where_they_are_narrow(epsilon, delta, sensitivity, n_moved):
    sigma = discrete_gaussian.sigma_from_delta(epsilon, delta, sensitivity, n_moved)
    half = n_moved / 2  # each cell moves by 1, so that a wave ends where εσ² − half is a whole number
    ends = np.floor(epsilon * sigma**2 - half) + np.arange(1, 5)
    before = np.append(np.geomspace(1e-6, 0.3, 50), np.linspace(0.3, 1, 10))
    wider = np.sqrt((ends[:, None] - before + half).ravel() / epsilon)
    wider = wider[wider > sigma]
    assert np.all(discrete_gaussian.delta_from_sigma(epsilon, wider, sensitivity, n_moved) <= 1.01 * delta)


@pytest.mark.parametrize("sizes", [(2, 1), (3, 1), (2, 2, 1), (4, 1, 1), (3, 2, 1, 1), (1, 1, 1)])
def test_the_least_dual_vector_is_that_of_all_whole_vectors(sizes):
    u, move = np.array(sizes), Move(1, tuple((size, sizes.count(size)) for size in sorted(set(sizes))))
    z = np.array([*itertools.product(range(-4, 5), repeat=u.size)])
    squares = (z**2).sum(1) - (z @ u) ** 2 / (u @ u)
    assert move.least_dual == pytest.approx(squares[squares > 1e-9].min())


def test_sums_over_one_cell_do_not_ripple_and_those_over_several_not_from_some_noise_on():
    assert flat_from(Move(7919, ((1, 1),))) == 0  # no other test asks for it, so this one computes it
    for move in (even_move(1, 5), even_move(3, 7), Move(1, ((1, 2), (2, 1)))):
        sigma = flat_from(move)
        flat, rippling = log_weights(move, np.array([sigma, sigma / 4]))
        assert np.ptp(flat) < 1e-12
        assert np.ptp(rippling) > 0.01
