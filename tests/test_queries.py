from fractions import Fraction

import mpmath
import numpy as np
import pytest

from dpcore import accuracy, gaussian
from dpcore.queries import Budget, budget, shares

ULP = 2.0**-52


def some_budgets(n, seed):
    """Random budgets of one to eight queries, some locked: (ε, δ, weights, locked)."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        size = rng.integers(1, 9)
        epsilon, delta = 10 ** rng.uniform(-3, 2), 10 ** rng.uniform(-12, -0.1)
        part = rng.dirichlet(np.ones(size)) * epsilon
        locked = np.where(rng.uniform(size=size) < rng.choice([0.3, 0.9]), part, 0)
        if rng.uniform() < 0.3 and locked.any():  # all but a little of the budget, or all of it
            locked *= epsilon / locked.sum() * (1 - rng.choice([0, 10 ** rng.uniform(-17, -1)]))
        yield epsilon, delta, 10 ** rng.uniform(-6, 6, size), locked


def test_the_exact_sums_of_the_shares_never_exceed_the_budget_and_reach_it_to_rounding():
    for epsilon, delta, weights, locked in some_budgets(3000, seed=1):
        epsilons, deltas = shares(epsilon, delta, weights, locked)
        spent, spent_delta = (sum(Fraction(float(x)) for x in part) for part in (epsilons, deltas))
        assert (epsilons >= 0).all()
        assert spent <= Fraction(epsilon)
        assert spent_delta <= Fraction(delta)
        if (locked == 0).any() or locked.sum() > epsilon * (1 - ULP):
            most = 4 * (weights.size + 4) * ULP
            assert spent >= Fraction(epsilon) * Fraction(1 - most)
            assert spent_delta >= Fraction(delta) * Fraction(1 - most)


def test_queries_share_what_the_locked_ones_leave_in_proportion_to_their_weights():
    epsilons, deltas = shares(1, 1e-6, [1, 3, 2, 5], [0, 0, 0.4, 0.2])
    assert epsilons == pytest.approx([0.1, 0.3, 0.4, 0.2], rel=1e-14)
    assert list(epsilons[2:]) == [0.4, 0.2]
    assert deltas == pytest.approx(1e-6 * epsilons, rel=1e-14)


def test_locks_that_spend_the_whole_budget_but_for_rounding_are_taken():
    assert 0.1 + 0.2 > 0.3
    epsilons, _ = shares(0.3, 1e-6, [1, 1, 1], [0.1, 0.2, 0])
    assert epsilons == pytest.approx([0.1, 0.2, 0], rel=1e-14)
    assert sum(Fraction(float(x)) for x in epsilons) <= Fraction(0.3)


def test_locks_beyond_the_budget_are_refused_and_never_leave_a_negative_epsilon():
    with pytest.raises(ValueError, match=r"^the sum of locked must be in \[0, epsilon\], got 1.2"):
        shares(1, 1e-6, [1, 1, 1], [0.7, 0.5, 0])
    with pytest.raises(ValueError, match=r"^the sum of locked must be in \[0, epsilon\], got 0.1$"):
        shares(0, 1e-6, [1, 1], [0.1, 0])


def test_at_epsilon_0_delta_is_shared_by_weight_and_a_delta_too_small_for_a_gaussian_is_0():
    for epsilon in (0, 1e-201, 5e-324):
        epsilons, deltas = shares(epsilon, 1e-6, [1, 3])
        assert list(epsilons) == [0, 0]
        assert deltas == pytest.approx([2.5e-7, 7.5e-7], rel=1e-14)
    assert list(shares(1, 1e-300, [1, 1])[1]) == [0, 0]


def tail(x):
    return mpmath.ncdf(-x)


def true_delta(epsilon, mu):
    """δ(ε) of a μ-GDP Gaussian at high precision."""
    epsilon, mu = mpmath.mpf(epsilon), mpmath.mpf(mu)
    return tail(epsilon / mu - mu / 2) - mpmath.exp(epsilon) * tail(epsilon / mu + mu / 2)


def test_each_share_and_both_totals_of_the_gaussians_hold_and_are_tight_by_mpmath():
    with mpmath.workdps(120):
        for epsilon, delta, weights, locked in some_budgets(40, seed=2):
            sizes = 10 ** np.random.default_rng(weights.size).uniform(-3, 3, weights.size)
            found = budget(epsilon, delta, 0.05, sizes, weights, locked)
            z = mpmath.sqrt(2) * mpmath.erfinv(1 - mpmath.mpf(0.05))
            squares = mpmath.mpf(0)
            for i in np.flatnonzero(found.delta):  # the locks may leave nothing to the others
                mu = sizes[i] * z / mpmath.mpf(found.gaussian[i])
                reached = true_delta(found.epsilon[i], mu)
                assert found.delta[i] * (1 - mpmath.mpf(1e-10)) <= reached <= found.delta[i]
                squares += mu**2
                assert found.shrunk[i] / found.gaussian[i] == pytest.approx(float(found.shrink), rel=1e-14)
            mu = mpmath.sqrt(squares)
            assert true_delta(found.exact_epsilon, mu) <= mpmath.mpf(found.total_delta)
            if found.exact_epsilon > 0:
                assert true_delta(float(found.exact_epsilon) * (1 - 1e-11) - 1e-14, mu) >= found.total_delta
            assert found.exact_epsilon <= found.total_epsilon <= epsilon
            assert found.total_delta <= delta
            spent = true_delta(epsilon, mu / mpmath.mpf(found.shrink))
            assert mpmath.mpf(delta) * (1 - mpmath.mpf(1e-10)) <= spent <= mpmath.mpf(delta)


def test_every_accuracy_is_that_of_a_single_query_at_its_share():
    found = budget(1, 1e-6, 0.01, [1, 2, 5], [1, 2, 3], [0, 0.5, 0])
    assert found.laplace == pytest.approx(accuracy.laplace_accuracy(found.epsilon, 0.01, [1, 2, 5]), rel=1e-14)
    sigma = gaussian.analytic_sigma(found.epsilon, found.delta, [1, 2, 5])
    assert found.gaussian == pytest.approx(accuracy.gaussian_accuracy(sigma, 0.01), rel=1e-14)


def test_one_query_alone_has_the_whole_budget_under_every_reading():
    found = budget(1, 1e-6, 0.05, 3, [2])
    assert found.epsilon[0] == pytest.approx(1, rel=1e-14)
    assert found.exact_epsilon == pytest.approx(1, rel=1e-12)
    assert found.shrunk[0] == pytest.approx(found.gaussian[0], rel=1e-13)


def test_many_gaussians_together_spend_less_than_basic_composition_says():
    found = budget(1, 1e-6, 0.05, 1, [1] * 8)
    assert found.exact_epsilon < 0.4
    assert found.shrink < 0.4


def no_noise(found: Budget):
    return [np.isinf(found.laplace).all(), np.isinf(found.gaussian).all(), np.isinf(found.shrunk).all()]


def test_where_no_such_noise_exists_the_accuracy_is_infinite():
    assert no_noise(budget(0, 1e-6, 0.05, 1, [1, 1])) == [True, False, False]
    found = budget(1, 1e-300, 0.05, 1, [1, 1])
    assert no_noise(found) == [False, True, True]
    assert np.isinf(found.exact_epsilon)
    assert found.shrink == 1
    assert no_noise(budget(0, 1e-295, 0.05, 1e20, [1, 1])) == [True, True, True]


def test_a_query_to_which_the_locks_leave_nothing_does_not_count_for_the_others():
    found = budget(0.3, 1e-6, 0.05, 1, [1, 1, 1], [0.1, 0.2, 0])
    others = budget(0.3, 1e-6, 0.05, 1, [1, 1], [0.1, 0.2])
    assert list(np.isinf(found.laplace)) == list(np.isinf(found.gaussian)) == [False, False, True]
    assert found.gaussian[:2] == pytest.approx(others.gaussian, rel=1e-13)
    assert found.exact_epsilon == pytest.approx(others.exact_epsilon, rel=1e-12)
    assert found.shrink == pytest.approx(others.shrink, rel=1e-13)


def test_extreme_budgets_have_finite_totals():
    for epsilon, delta in ((1e6, 0.99), (1e6, 1e-290), (1e-12, 1e-290), (1e-190, 0.99), (0, 0.99)):
        for significance, size in ((1e-300, 1e100), (0.999, 1e-100)):
            found = budget(epsilon, delta, significance, size, [1e-6, 1e6, 1])
            assert np.isfinite([found.total_epsilon, found.total_delta, found.shrink]).all()
            assert (found.gaussian > 0).all()


def test_budgets_broadcast_over_everything_before_the_queries():
    found = budget([[0.5], [1]], 1e-6, [0.05, 0.01, 0.001], [1, 2], [1, 1])
    assert found.epsilon.shape == (2, 1, 2)
    assert found.laplace.shape == found.shrunk.shape == (2, 3, 2)
    assert found.exact_epsilon.shape == found.total_epsilon.shape == (2, 1)
    alone = budget(1, 1e-6, 0.01, [1, 2], [1, 1])
    assert found.laplace[1, 1] == pytest.approx(alone.laplace, rel=1e-14)
    assert found.shrunk[1, 1] == pytest.approx(alone.shrunk, rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((-1, 1e-6, 0.05, 1, [1]), "epsilon"),
        ((1, 0, 0.05, 1, [1]), "delta"),
        ((1, 1e-6, 1, 1, [1]), "significance"),
        ((1, 1e-6, 0.05, 0, [1]), "sensitivity"),
        ((1, 1e-6, 0.05, 1, [0]), "weights"),
        ((1, 1e-6, 0.05, 1, [1], [-1]), "locked"),
    ],
)
def test_a_bad_budget_is_refused_by_name(arguments, name):
    with pytest.raises(ValueError, match=f"^{name} must be in "):
        budget(*arguments)


def test_one_weight_for_several_queries_shares_the_budget_among_all_of_them():
    found, equal = budget(1, 1e-6, 0.05, [1, 20], [1]), budget(1, 1e-6, 0.05, [1, 20], [1, 1])
    assert found.epsilon.tolist() == equal.epsilon.tolist()
    assert found.laplace.tolist() == budget(1, 1e-6, 0.05, [1, 20], 1).laplace.tolist() == equal.laplace.tolist()
    assert found.epsilon.sum() <= 1


def test_a_single_weight_is_one_query():
    epsilon, delta = shares(1, 1e-6, 3)
    assert epsilon == pytest.approx([1])
    assert delta == pytest.approx([1e-6])
    assert budget(1, 1e-6, 0.05, 2, 3).epsilon.shape == (1,)
