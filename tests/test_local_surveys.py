"""Whole surveys: exact errors against enumeration and simulation, trial reports, estimates, questions, randomisers."""

from decimal import Decimal, localcontext
from itertools import product
from math import comb

import numpy as np
import pytest

from dpcore import local
from dpcore.local.shares import report_probabilities


def pmf(n, p):
    return np.array([comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])


@pytest.mark.parametrize("method", local.METHODS)
@pytest.mark.parametrize(("n", "share", "significance"), [(7, 0.3, 0.1), (40, 0.05, 0.05), (12, 1.0, 0.5)])
def test_the_exact_error_holds_in_the_wanted_part_of_surveys_and_no_smaller_one_does(method, n, share, significance):
    p, _, q, _, _ = (float(part) for part in report_probabilities(1.3, 6, method, share))
    members = round(n * share)
    chances = np.outer(pmf(members, p), pmf(n - members, q))
    counted = np.add.outer(np.arange(members + 1), np.arange(n - members + 1))
    off = abs((counted / n - q) / (p - q) - members / n)
    size = local.exact_half_width(1.3, 6, n, method, share, significance)
    assert chances[off > size].sum() <= significance
    assert chances[off > size * (1 - 1e-9)].sum() > significance


def test_with_many_people_the_exact_error_is_that_of_a_normal_distribution():
    exact = local.exact_half_width([0.5, 2], 8, 10_000, share=0.2)
    assert exact == pytest.approx(local.half_width([0.5, 2], 8, 10_000, share=0.2), rel=0.02)
    assert local.exact_half_width(1e6, 2, 5, "randomized_response", 0.4) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("method", local.METHODS)
def test_trial_reports_count_with_the_probabilities_of_their_method(method):
    rng, people, epsilon, draws = np.random.default_rng(3), np.array([50, 30, 0, 20, 10]), 1.1, 1000
    p, not_p, q, not_q, gap = (float(part) for part in report_probabilities(epsilon, 5, method))
    counts = np.array([local.sample_counts(rng, people, epsilon, method) for _ in range(draws)])
    variance = people * p * not_p + (110 - people) * q * not_q
    off = abs(counts.mean(axis=0) - (people * p + (110 - people) * q))
    assert (off < 4.5 * np.sqrt(variance / draws)).all()
    assert counts.var(axis=0) == pytest.approx(variance, rel=4.5 * np.sqrt(2 / draws))
    estimates = local.estimated_shares(counts, 110, epsilon, method)
    assert (abs(estimates.mean(axis=0) - people / 110) < 4.5 * np.sqrt(variance / draws) / gap / 110).all()
    if method in ("randomized_response", "subset_selection"):
        assert np.unique(counts.sum(axis=1)).size == 1  # each report has as many options


@pytest.mark.parametrize("method", local.METHODS)
def test_a_trial_of_many_people_is_drawn_by_their_numbers_alone(method):
    people = np.full(100, 10**10)
    counts = local.sample_counts(np.random.default_rng(1), people, 0.01, method)
    estimates = local.estimated_shares(counts, 10**12, 0.01, method)
    assert (abs(estimates - 0.01) < local.half_width(0.01, 100, 10**12, method, 0.01, significance=1e-7)).all()
    if method == "subset_selection":
        assert counts.sum() == 10**12 * local.subset_size(0.01, 100)


def test_consistent_shares_are_the_nearest_that_sum_to_1():
    rng = np.random.default_rng(0)
    shares = rng.normal(0.2, 0.3, (20, 5))
    consistent = local.consistent_shares(shares)
    assert (consistent >= 0).all()
    assert consistent.sum(axis=1) == pytest.approx(1)
    others = rng.dirichlet(np.ones(5), (500, 20))
    assert (np.linalg.norm(consistent - shares, axis=1) <= np.linalg.norm(others - shares, axis=2) + 1e-12).all()


def test_questions_that_are_drawn_have_the_error_of_their_sample():
    rng, n, m, share, epsilon, draws = np.random.default_rng(2), 600, 4, 0.3, 1.5, 20_000
    p, _, q, _, gap = (float(part) for part in report_probabilities(epsilon, 3, "randomized_response"))
    asked, members = n // m, round(n * share)
    holders = rng.hypergeometric(members, n - members, asked, draws)
    estimates = ((rng.binomial(holders, p) + rng.binomial(asked - holders, q)) / asked - q) / gap
    size = local.questions_half_width(m, epsilon, 3, n, "draw", "randomized_response", share, 0.31731050786291415)
    assert abs(estimates.std() / size - 1) < 4 / np.sqrt(2 * draws)
    split = local.questions_half_width([1, 4], epsilon, 3, n, "split", share=share)
    assert split == pytest.approx(local.half_width([epsilon, epsilon / 4], 3, n, share=share))
    assert local.questions_half_width(1, epsilon, 3, n, "draw", share=share) == pytest.approx(split[0])


def test_the_epsilon_for_half_width_is_enough_and_a_smaller_one_is_not():
    for method in (*local.METHODS, "best"):
        epsilon = local.epsilon_for_half_width([0.3, 0.1], 7, 4000, method, 0.1)
        assert (local.half_width(epsilon, 7, 4000, method, 0.1) <= [0.3, 0.1]).all()
        assert (local.half_width(epsilon * (1 - 1e-9), 7, 4000, method, 0.1) > [0.3, 0.1]).all()
    unreachable = local.epsilon_for_half_width([0.001, 0.5], 7, 4000, "optimized_unary", 0.5)
    assert np.isnan(unreachable[0])
    assert np.isfinite(unreachable[1])
    assert (
        local.epsilon_for_half_width(1.0, 2, 10**12, "hadamard") > local.epsilon_for_half_width(1.0, 2, 10**12) > 1e-12
    )
    assert local.epsilon_for_half_width(1, 2, 1, share=0.0, significance=0.999999999999999) == pytest.approx(
        1e-12, rel=1
    )


def test_the_epsilon_of_a_randomiser_is_that_of_its_most_telling_output():
    tables = [np.array([[3, 1, 1], [1, 3, 1], [1, 1, 3]]) / 5, np.array([[0.5, 0.5, 0], [0.25, 0.75, 0]])]
    for table in tables:
        ratios = [
            np.log(one / other)
            for row, second in product(table, repeat=2)
            for one, other in zip(row, second, strict=True)
            if one
        ]
        assert max(ratios) <= local.randomizer_epsilon(table) <= max(ratios) * (1 + 1e-14)
    assert local.randomizer_epsilon([[1, 0], [0.5, 0.5]]) == np.inf
    assert local.randomizer_epsilon([[0.5, 0.5]]) == 0


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 2.5, 8.0, 20.0])
@pytest.mark.parametrize("d", [2, 3, 6, 1000])
def test_a_device_that_draws_whole_numbers_has_no_more_than_its_epsilon_and_hardly_less(epsilon, d):
    weight = int(local.other_option_draws(epsilon, d))
    own = local.N_DRAWS - (d - 1) * weight
    with localcontext() as context:
        context.prec = 60
        exact = (Decimal(own) / weight).ln()
        assert own >= weight
        assert 0 <= Decimal(epsilon) - exact <= Decimal(d) ** 2 * Decimal(epsilon).exp() / 2**50


def test_the_draws_of_a_device_broadcast():
    draws = local.other_option_draws([[0.5], [4]], [2, 3, 6])
    assert draws.shape == (2, 3)
    assert draws / local.N_DRAWS == pytest.approx(1 / (np.exp([[0.5], [4]]) + np.array([1, 2, 5])), rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: local.other_option_draws(0, 2), r"epsilon must be in \[1e-6, 30\], got 0"),
        (lambda: local.other_option_draws(1, 1), r"n_options must be in \[2, 1000\], got 1"),
        (lambda: local.exact_half_width(1, 2, 20_000), r"n_people must be in \[1, 10000\], got 20000"),
        (lambda: local.exact_half_width(1, 2, 20, "duchi"), "method must be in"),
        (lambda: local.sample_counts(np.random.default_rng(), [1], 1, "hadamard"), "the number of options must be in"),
        (lambda: local.estimated_shares([1, 2], 0, 1, "hadamard"), r"n_people must be in \[1, 1e12\], got 0"),
        (lambda: local.questions_half_width(5, 1, 2, 4, "draw"), r"n_questions must be in \[1, n_people\], got 5"),
        (lambda: local.questions_half_width(5, 1, 2, 9, "both"), "way must be in"),
        (lambda: local.randomizer_epsilon([[0.5, 0.4]]), "the sum of each row of matrix must be in .* got 0.9"),
        (lambda: local.epsilon_for_half_width(0, 2, 10), r"half_width must be in \[1e-12, 1\], got 0"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_subsets_of_a_trial_hold_pairs_of_options_as_often_as_drawn_subsets_do():
    rng, people, epsilon, draws = np.random.default_rng(6), np.array([40, 0, 0, 0]), 0.3, 6_000
    w = int(local.subset_size(epsilon, 4))
    p = w * np.exp(epsilon) / (w * np.exp(epsilon) + 4 - w)
    counts = np.array([local.sample_counts(rng, people, epsilon, "subset_selection") for _ in range(draws)])
    direct = np.zeros((draws, 4))
    for place in range(draws):
        keys = rng.random((40, 4))
        keys[:, 0] = np.where(rng.random(40) < p, 2.0, -1.0)
        direct[place] = np.bincount(np.argsort(keys, axis=1)[:, 4 - w :].ravel(), minlength=4)
    assert w == 2
    assert np.cov(counts.T) == pytest.approx(np.cov(direct.T), abs=0.9)
