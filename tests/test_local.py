from itertools import combinations
from typing import Any

import numpy as np
import pytest

from dpcore import local

# 95 % ± of a share of 5 % of 50,000 people over 20 options, in percentage points, with sampling.
PUBLISHED = {
    "randomized_response": (6.0806, 2.4146, 0.7890, 0.2623),
    "optimized_unary": (3.4806, 1.7042, 0.7945, 0.3651),
    "symmetric_unary": (3.5022, 1.7454, 0.8625, 0.4190),
    "subset_selection": (3.3000, 1.5999, 0.7120, 0.2623),
}
EPSILONS = [0.5, 1, 2, 4]


@pytest.mark.parametrize("method", PUBLISHED)
def test_the_half_widths_are_those_of_the_published_variances(method):
    sizes = 100 * local.half_width(EPSILONS, 20, 50_000, method, 0.05, sampling=True)
    assert sizes == pytest.approx(PUBLISHED[method], abs=6e-5)


def reports(method, epsilon, d, option, n, rng):
    """Draw how many of n people with an option send a report that counts for option 0, by the definition."""
    if method == "randomized_response":
        p = np.exp(epsilon) / (np.exp(epsilon) + d - 1)
        return rng.binomial(n, p if option == 0 else (1 - p) / (d - 1))
    if method == "optimized_unary":
        return rng.binomial(n, 0.5 if option == 0 else 1 / (np.exp(epsilon) + 1))
    truth = np.exp(epsilon / 2) / (np.exp(epsilon / 2) + 1)
    return rng.binomial(n, truth if option == 0 else 1 - truth)


@pytest.mark.parametrize("method", ["randomized_response", "optimized_unary", "symmetric_unary"])
def test_simulated_surveys_have_the_standard_deviation_of_the_noise_alone(method):
    rng, epsilon, d, n, share, draws = np.random.default_rng(5), 1.3, 6, 4000, 0.3, 20_000
    owners = round(share * n)
    probabilities = [reports(method, epsilon, d, option, 10**9, rng) / 1e9 for option in (0, 1)]
    counts = rng.binomial(owners, probabilities[0], draws) + rng.binomial(n - owners, probabilities[1], draws)
    estimates = (counts / n - probabilities[1]) / (probabilities[0] - probabilities[1])
    deviation = local.half_width(epsilon, d, n, method, share, significance=0.31731050786291415)
    assert abs(estimates.std() / deviation - 1) < 4 / np.sqrt(2 * draws)
    assert abs(estimates.mean() - share) < 4 * deviation / np.sqrt(draws)


def test_subset_selection_is_enumerated_for_few_options():
    for epsilon, d in ((0.7, 5), (1.5, 7), (3.0, 4)):
        sizes = []
        for w in range(1, d):
            subsets = [*combinations(range(d), w)]
            weights = [np.exp(epsilon * np.array([option in subset for subset in subsets])) for option in (0, 1)]
            holds_first = np.array([0 in subset for subset in subsets])
            p, q = (float(weights[option][holds_first].sum() / weights[option].sum()) for option in (0, 1))
            sizes.append(np.sqrt(0.2 * p * (1 - p) + 0.8 * q * (1 - q)) / (p - q))
        size = local.half_width(epsilon, d, 1, "subset_selection", 0.2, significance=0.31731050786291415)
        assert size == pytest.approx(min(sizes), rel=1e-9)


def test_the_best_is_the_least_of_all_and_the_worst_share_the_largest():
    shares = np.linspace(0, 1, 201)
    for method in (*local.METHODS, "best"):
        for sampling in (False, True):
            sizes = local.half_width(1.2, 9, 1000, method, shares, sampling=sampling)
            worst = local.half_width(1.2, 9, 1000, method, sampling=sampling)
            if method != "best":
                assert worst == pytest.approx(sizes.max(), rel=1e-3)
            assert worst >= sizes.max() * (1 - 1e-12) or method == "best"
    sizes = [local.half_width(EPSILONS, 20, 1000, method, 0.1) for method in local.METHODS]
    assert local.half_width(EPSILONS, 20, 1000, share=0.1) == pytest.approx(np.min(sizes, axis=0), rel=1e-12)


@pytest.mark.parametrize("sampling", [False, True])
def test_the_least_number_of_people_is_enough_and_one_fewer_is_not(sampling):
    for method in (*local.METHODS, "best"):
        for share in (None, 0.05, [0.0, 0.5, 1.0]):
            epsilon, wanted = np.array([[0.5], [1.0], [2.0]]), 0.013
            people = local.least_people(wanted, epsilon, 20, method, share, 0.1, sampling=sampling)
            enough = local.half_width(epsilon, 20, people, method, share, 0.1, sampling=sampling)
            too_few = local.half_width(epsilon, 20, people - 1, method, share, 0.1, sampling=sampling)
            assert (enough <= wanted).all()
            assert (too_few > wanted).all()


def test_the_published_half_widths_need_the_published_number_of_people():
    for method, sizes in PUBLISHED.items():
        people = local.least_people(np.divide(sizes, 100), EPSILONS, 20, method, 0.05, sampling=True)
        assert people == pytest.approx(50_000, rel=5e-4)


def test_one_person_is_enough_where_nothing_is_added_and_the_whole_domain_is_finite():
    assert local.least_people(1e-12, 1e6, 2, "randomized_response", 0.5) == 1
    for method in (*local.METHODS, "best"):
        people = local.least_people([1e-12, 1], [[1e-12], [1e6]], [[[2]], [[1e9]]], method, significance=1e-300)
        assert np.isfinite(people).all()
        assert (people >= 1).all()


def test_the_whole_domain_has_finite_answers():
    for method in local.METHODS:
        sizes = local.half_width([1e-12, 1, 1e6], [[2], [1e9]], 1e12, method, [[[0.0]], [[1.0]]], 1e-300)
        assert np.isfinite(sizes).all()
        assert (sizes >= 0).all()


def test_bad_input_is_refused():
    cases: list[Any] = [
        ((0, 2, 10), r"epsilon must be in \[1e-12, 1e6\], got 0"),
        ((1, 1, 10), r"n_options must be in \[2, 1e9\], got 1"),
        ((1, 2.5, 10), "n_options must be in the whole numbers"),
        ((1, 2, 0), r"n_people must be in \[1, 1e12\], got 0"),
        ((1, 2, 10, "duchi"), "method must be in"),
        ((1, 2, 10, "best", 2), r"share must be in \[0, 1\], got 2"),
    ]
    for arguments, message in cases:
        with pytest.raises(ValueError, match=message):
            local.half_width(*arguments)
    with pytest.raises(ValueError, match=r"half_width must be in \[1e-12, 1\], got 0"):
        local.least_people(0, 1, 2)


def test_the_size_of_the_subsets_has_the_least_error_of_all_sizes():
    for epsilon, d, share in ((0.7, 5, 0.2), (1.5, 7, None), (3.0, 4, 0.0), (0.1, 12, 0.5), (700.0, 9, 0.3)):
        sizes = np.arange(1, d)
        p = sizes / (sizes + (d - sizes) * np.exp(-epsilon))
        q = (p * (sizes - 1) + (1 - p) * sizes) / (d - 1)
        f = np.array([0.0, 1.0])[:, None] if share is None else share
        errors = np.max(np.atleast_2d((f * p * (1 - p) + (1 - f) * q * (1 - q)) / (p - q) ** 2), axis=0)
        least = local.subset_size(epsilon, d, share)
        assert errors[int(least) - 1] <= errors.min() * (1 + 1e-9)
    assert local.subset_size([0.5, 1, 2, 4], 20, 0.05, sampling=True).tolist() == [8, 5, 2, 1]
    with pytest.raises(ValueError, match="n_options must be in"):
        local.subset_size(1, 1)


def test_the_office_has_the_noise_of_what_one_other_answer_changes():
    """The exact distribution of one share: Laplace noise of the l₁ distance of neighbouring counts."""
    epsilon, n, alpha = np.array([0.5, 1.0, 4.0]), 300, 0.05
    for d in (2, 3, 20):
        counts = np.zeros((2, d))
        counts[0, 0] = counts[1, 1] = 1
        published = counts[:, : 1 if d == 2 else d]  # of two options the second count is n less the first
        scale = abs(published[0] - published[1]).sum() / epsilon
        half_width = local.curator_half_width(epsilon, d, n, alpha)
        assert np.exp(-half_width * n / scale) == pytest.approx(alpha)
        assert (half_width * n >= scale * np.log(1 / alpha)).all()
    published_points = 100 * local.curator_half_width(EPSILONS, 20, 50_000)
    assert published_points == pytest.approx([0.02397, 0.01198, 0.00599, 0.003], abs=6e-6)


def test_the_office_has_a_finite_answer_everywhere_and_refuses_bad_input():
    sizes = local.curator_half_width([1e-12, 1e6], [[2], [1e9]], [[[1]], [[1e12]]], 1e-300)
    assert (sizes > 0).all()
    assert np.isfinite(sizes).all()
    for arguments, message in (
        ((0, 2, 10), r"epsilon must be in \[1e-12, 1e6\], got 0"),
        ((1, 1, 10), r"n_options must be in \[2, 1e9\], got 1"),
        ((1, 2, 0.5), "n_people must be in"),
        ((1, 2, 10, 1), r"significance must be in \[1e-300, 1\), got 1"),
    ):
        with pytest.raises(ValueError, match=message):
            local.curator_half_width(*arguments)


@pytest.mark.parametrize("method", ["randomized_response", "subset_selection", "optimized_unary"])
def test_all_shares_are_at_once_within_the_half_width_of_all(method):
    rng, people, epsilon = np.random.default_rng(8), np.array([1500, 300, 150, 50, 0]), 1.2
    half_width = local.simultaneous_half_width(epsilon, 5, 2000, method, 0.2)
    counted = np.array([local.sample_counts(rng, people, epsilon, method) for _ in range(1500)])
    estimates = np.array([local.estimated_shares(row, 2000, epsilon, method) for row in counted])
    inside = (abs(estimates - people / 2000) <= half_width).all(axis=1).mean()
    assert inside >= 0.8 - 4 * np.sqrt(0.2 * 0.8 / 1500)
    assert half_width == local.half_width(epsilon, 5, 2000, method, None, 0.04)
    of_one = local.half_width(epsilon, 5, 2000, method, None, 0.2)
    assert (abs(estimates - people / 2000) <= of_one).all(axis=1).mean() < 0.75


def test_all_shares_at_once_on_the_whole_domain():
    sizes = local.simultaneous_half_width([1e-12, 1e6], [[2], [1e9]], 1e12, "best", 1e-290)
    assert np.isfinite(sizes).all()
    with pytest.raises(ValueError, match=r"significance must be in \[1e-290, 1\), got 1e-291"):
        local.simultaneous_half_width(1, 2, 10, "best", 1e-291)
    with pytest.raises(ValueError, match=r"n_options must be in \[2, 1e9\], got 1"):
        local.simultaneous_half_width(1, 1, 10)
