import math
import re
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binom

from dpcore import audit
from dpcore.audit import (
    Band,
    area_under_roc,
    attack_from_counts,
    attack_from_scores,
    band,
    clopper_pearson_lower,
    clopper_pearson_upper,
    epsilon_lower,
    is_contradicted,
    mu_lower,
)

Points = NDArray[np.float64]


def one_point(alpha: float, beta: float) -> Band:
    high = np.array([alpha]), np.array([beta])
    return Band(*high, *high)


def randomized_response(epsilon: float) -> Callable[[Points], Points]:
    return lambda alpha: np.maximum(np.maximum(1 - np.exp(epsilon) * alpha, np.exp(-epsilon) * (1 - alpha)), 0)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: attack_from_scores([1, 1], [1, 2]), "the number of non-members must be in [1, inf), got 0"),
        (lambda: attack_from_scores([0], [1]), "the number of members must be in [1, inf), got 0"),
        (lambda: attack_from_scores([], []), "the number of members must be in [1, inf), got 0"),
        (lambda: attack_from_scores([0, 0.5], [1, 2]), "member must be in {0, 1}, got 0.5"),
        (lambda: attack_from_scores([[0], [1, 2]], [1, 2]), "member must be in [0, 1], got [[0], [1, 2]]"),
        (lambda: attack_from_scores([0, 1], [1, np.inf]), "score must be in (-inf, inf), got inf"),
        (lambda: attack_from_counts(2, 1, 0, 1), "false_positives must be in [0, non_members], got 2"),
        (lambda: attack_from_counts(0, 1, 0.5, 1), "false_negatives must be in the whole numbers of [0, 1e9], got 0.5"),
        (lambda: attack_from_counts(0, 1, 0, 1.5), "members must be in the whole numbers of [1, 1e9], got 1.5"),
        (lambda: attack_from_counts(0, 0, 0, 1), "non_members must be in [1, 1e9], got 0"),
        (lambda: clopper_pearson_upper(3, 2, 0.9), "successes must be in [0, trials], got 3"),
        (lambda: clopper_pearson_lower(1, 2, 1), "confidence must be in [0.5, 1), got 1"),
        (lambda: band(None, attack_from_counts(0, 1, 0, 1), 0.4), "confidence must be in [0.5, 1), got 0.4"),
        (
            lambda: band(None, attack_from_scores([0, 1], [0, 1]), 0.9),
            "rng must be a numpy.random.Generator for an attack given by scores, got None",
        ),
        (
            lambda: area_under_roc(attack_from_counts(0, 1, 0, 1)),
            "attack must be one given by scores, got one given by counts",
        ),
        (lambda: epsilon_lower(one_point(0.1, 0.1), 1), "delta must be in [0, 1), got 1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


# Operating points


def test_scores_give_one_point_per_distinct_score_by_the_definition_of_the_errors():
    rng = np.random.default_rng(1)
    member, score = rng.random(60) < 0.4, rng.integers(0, 8, 60).astype(float)
    attack = attack_from_scores(member, score)
    thresholds = [np.inf, *sorted(set(score), reverse=True)]
    assert attack.alpha.tolist() == [np.mean(score[~member] >= t) for t in thresholds]
    assert attack.beta == pytest.approx([np.mean(score[member] < t) for t in thresholds], abs=1e-15)
    assert (attack.alpha[0], attack.beta[0], attack.alpha[-1], attack.beta[-1]) == (0, 1, 1, 0)


@pytest.mark.parametrize("n_values", [2, 5, 10**9])
def test_the_area_is_the_share_of_pairs_in_the_right_order_with_ties_counted_half(n_values):
    rng = np.random.default_rng(2)
    member, score = rng.random(80) < 0.3, rng.integers(0, n_values, 80)
    difference = score[member][:, None] - score[~member]
    pairs = np.mean((difference > 0) + 0.5 * (difference == 0))
    assert area_under_roc(attack_from_scores(member, score)) == pytest.approx(pairs, rel=1e-14)


def test_the_area_is_1_for_a_perfect_attack_one_half_for_a_blind_one_and_0_for_a_reversed_one():
    assert [area_under_roc(attack_from_scores([0, 0, 1], score)) for score in ([0, 1, 2], 7, [2, 1, 0])] == [1, 0.5, 0]


# Clopper–Pearson


def tail(counts: range, n: int, p: ArrayLike, nearer: float = 1) -> float:
    """Return the probability that Bin(n, p·nearer) is among the counts."""
    with mpmath.workdps(40):
        chance = mpmath.mpf(float(np.asarray(p))) * mpmath.mpf(nearer)
        total = mpmath.fsum(math.comb(n, j) * chance**j * (1 - chance) ** (n - j) for j in counts)
        return float(mpmath.nstr(total, 25))


@pytest.mark.parametrize("confidence", [0.5, 0.95, 1 - 1e-9])
@pytest.mark.parametrize("n", [1, 7, 300])
def test_clopper_pearson_bounds_have_the_binomial_tail_of_the_definition_and_are_never_inside(n, confidence):
    for k in sorted({0, 1, n // 3, n - 1, n}):
        upper, lower = clopper_pearson_upper(k, n, confidence), clopper_pearson_lower(k, n, confidence)
        if k == n:
            assert upper == 1
        else:
            assert tail(range(k + 1), n, upper) <= 1 - confidence < tail(range(k + 1), n, upper, 1 - 1e-8)
        if k == 0:
            assert lower == 0
        else:
            assert tail(range(k, n + 1), n, lower) <= 1 - confidence < tail(range(k, n + 1), n, lower, 1 + 1e-8)


def test_clopper_pearson_holds_for_half_a_billion_trials_where_scipy_is_off_in_digit_8():
    n, significance = 597_727_218, 1 - 0.6139829820962188
    for k in (0, 1, 5):
        upper = clopper_pearson_upper(k, n, 1 - significance)
        assert significance * (1 - 3e-9) <= tail(range(k + 1), n, upper) <= significance


def test_clopper_pearson_bounds_of_many_successes_have_the_binomial_tail():
    k, n = np.array([10**5, 5 * 10**8, 10**9 - 6]), 10**9
    assert binom.cdf(k, n, clopper_pearson_upper(k, n, 0.95)) == pytest.approx(0.05, rel=3e-6)
    assert binom.sf(k - 1, n, clopper_pearson_lower(k, n, 0.95)) == pytest.approx(0.05, rel=3e-6)


def test_clopper_pearson_bounds_broadcast_and_mirror_each_other():
    k = np.arange(11)
    upper = clopper_pearson_upper(k, 10, [[0.9], [0.99]])
    assert upper.shape == (2, 11)
    assert clopper_pearson_lower(10 - k, 10, [[0.9], [0.99]]) == pytest.approx(1 - upper, abs=1e-9)


# The band


def test_the_band_of_counts_divides_the_failure_probability_over_both_bounds_of_all_points():
    attack = attack_from_counts([0, 3, 40], 50, [70, 30, 1], 80)
    result = band(None, attack, 0.9)
    assert result.alpha.tolist() == attack.alpha.tolist()
    assert binom.cdf([0, 3, 40], 50, result.alpha_high) == pytest.approx(0.1 / 6, rel=2e-9)
    assert binom.cdf([70, 30, 1], 80, result.beta_high) == pytest.approx(0.1 / 6, rel=2e-9)


def test_the_ranks_depend_on_the_sample_size_only_and_run_from_no_error_to_all_but_one():
    assert audit._ranks(1).tolist() == [0]
    assert audit._ranks(5).tolist() == [0, 1, 2, 3, 4]
    ranks = audit._ranks(10**6)
    assert (ranks.size, ranks[0], ranks[-1]) == (24, 0, 10**6 - 1)


def random_order(attack, seed):
    return audit._in_random_order(attack, np.random.default_rng(seed))


def test_ties_are_broken_in_an_order_that_does_not_look_at_membership():
    attack = attack_from_scores([1, 1, 0, 0, 0, 0, 1], [5, 3, 3, 3, 3, 1, 1])
    orders = np.array([random_order(attack, seed) for seed in range(4000)])
    assert orders.mean(axis=0) == pytest.approx([1, 0.25, 0.25, 0.25, 0.25, 0.5, 0.5], abs=0.03)
    assert set(orders[:, 1:5].sum(axis=1)) == {1}


def simulated_failures(n: int, n_members: int, n_values: float, n_runs: int) -> tuple[float, float]:
    """Return how often a point of a band of confidence 0.5 fails, and how often the truth is said to be contradicted.

    A non-member's score is uniform on (0, 1), a member's has the density 2x; both are rounded up to multiples of
    1/n_values. With continuous scores S the truth is α = 1 − s, β = s²; a tie at t is broken at the quantile u of the
    gap below it, where both errors are linear.
    """
    rng = np.random.default_rng(20261121)
    member = np.arange(n + n_members) >= n
    corners = np.arange(n_values + 1) / n_values if n_values < 100 else np.linspace(0, 1, 10**4)
    failed, contradictions = 0, 0
    truth_alpha, truth_beta = 1 - corners[::-1], corners[::-1] ** 2
    for seed in range(n_runs):
        score = rng.random(n + n_members) ** np.where(member, 0.5, 1)
        if n_values < 100:
            score = np.ceil(score * n_values) / n_values
        attack = attack_from_scores(member, score)
        result = band(np.random.default_rng(seed), attack, 0.5)
        is_member = random_order(attack, seed)
        descending = np.sort(score)[::-1]
        lottery = rng.random(score.size)
        lottery = lottery[np.lexsort((-lottery, -descending))] if n_values < 100 else np.ones(score.size)
        step = 1 / n_values if n_values < 100 else 0
        alpha = 1 - (descending - step * (1 - lottery))
        low = descending - step
        beta = low**2 + lottery * (descending**2 - low**2)
        false_negatives_there, false_positives_there = np.cumsum(is_member[::-1])[::-1], np.cumsum(~is_member)
        rows = []
        for rank in audit._ranks(n):
            place = np.flatnonzero(~is_member)[rank]
            rows.append((rank, false_negatives_there[place], alpha[place], beta[place]))
        for rank in audit._ranks(n_members):
            place = np.flatnonzero(is_member)[::-1][rank]
            rows.append((false_positives_there[place], rank, alpha[place], beta[place]))
        count, n_missed, alpha, beta = np.array(sorted(rows, key=lambda row: (row[0], -row[1]))).T
        assert np.allclose(result.alpha, count / n, rtol=0, atol=1e-12)
        assert np.allclose(result.beta, n_missed / n_members, rtol=0, atol=1e-12)
        failed += bool(np.any((alpha > result.alpha_high) | (beta > result.beta_high)))
        contradictions += bool(
            np.any(is_contradicted(result, lambda a: np.interp(a, truth_alpha, truth_beta), symmetric=False))
        )
    return failed / n_runs, contradictions / n_runs


@pytest.mark.parametrize(("n", "n_members", "n_values"), [(100, 60, 1e9), (100, 60, 4), (3, 200, 1e9)])
def test_the_true_errors_leave_the_band_less_often_than_guaranteed_but_not_never(n, n_members, n_values):
    failed, contradictions = simulated_failures(n, n_members, n_values, 150)
    assert 0.05 < failed < 0.5
    assert contradictions <= failed


def test_the_band_is_reproduced_by_its_seed():
    attack = attack_from_scores(np.arange(50) % 2, np.arange(50) // 10)
    first, other = (band(np.random.default_rng(3), attack, 0.9) for _ in range(2))
    assert first.beta_high == pytest.approx(other.beta_high, rel=1e-12)


# What is proved


def test_epsilon_is_the_larger_of_both_log_ratios_and_rounded_down():
    for alpha, beta in ((0.01, 0.3), (0.3, 0.01)):
        proved = epsilon_lower(one_point(alpha, beta), [0, 1e-5, 0.5])
        expected = np.log((1 - 0.3 - np.array([0, 1e-5, 0.5])) / 0.01)
        assert proved.value == pytest.approx(expected, rel=1e-13)
        assert np.all(proved.value <= expected)
        assert (proved.alpha.tolist(), proved.beta.tolist()) == ([alpha] * 3, [beta] * 3)


def test_randomized_response_at_its_corner_loses_exactly_its_epsilon():
    error = 1 / (1 + np.exp(2))
    assert epsilon_lower(one_point(error, error), 0).value == pytest.approx(2, rel=1e-14)


def quantile(p: float):
    return mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(float(p)) - 1)


@pytest.mark.parametrize("alpha", [1e-9, 0.02, 0.5, 0.999])
def test_mu_of_a_point_on_a_gaussian_curve_is_its_mu_and_is_rounded_down(alpha):
    with mpmath.workdps(60):
        beta = float(mpmath.ncdf(-quantile(alpha) - 1.5))
        exact = -quantile(alpha) - quantile(beta)
        proved = mu_lower(one_point(alpha, beta)).value
        assert proved <= exact
    assert proved == pytest.approx(float(exact), rel=1e-13)
    assert proved == pytest.approx(1.5, rel=1e-11)


def test_the_best_point_is_named():
    points = Band(*np.array([[0.1, 0.2, 0.3], [0.5, 0.1, 0.2]] * 2))
    proved = mu_lower(points)
    assert (proved.alpha, proved.beta) == (0.2, 0.1)
    assert epsilon_lower(points, 0).beta == 0.1


def test_a_useless_attack_proves_nothing():
    points = band(None, attack_from_counts([0, 5, 10], 10, [10, 5, 0], 10), 0.95)
    assert (epsilon_lower(points, 0).value, mu_lower(points).value) == (0, 0)
    assert mu_lower(band(None, attack_from_counts(1, 1, 1, 1), 0.95)).value == 0


def test_a_claim_is_contradicted_from_the_proved_epsilon_down_and_not_above():
    points = band(None, attack_from_counts([1, 300], 1000, [400, 2], 1000), 0.95)
    proved = float(epsilon_lower(points, 0).value)
    assert proved > 2
    assert is_contradicted(points, randomized_response(proved - 1e-9)).any()
    assert not is_contradicted(points, randomized_response(proved + 1e-9)).any()


def test_the_mirrored_direction_is_used_only_for_a_symmetric_guarantee():
    points = one_point(0.5, 0.01)

    def f(alpha: Points) -> Points:
        return np.where(alpha < 0.25, 0.9, 0.0)

    assert is_contradicted(points, f).tolist() == [True]
    assert is_contradicted(points, f, symmetric=False).tolist() == [False]
