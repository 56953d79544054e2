import numpy as np
import pytest

from dpcore.denoise import (
    james_stein,
    non_negative,
    posterior_mean,
    simulated_sureshrink,
    soft_threshold_risk,
    sparse_shares,
    sureshrink,
    sureshrink_shares,
    universal_soft,
    universal_threshold,
)

DIMENSION, FILLED, SIZE = 12, 3, 2.5
ESTIMATORS = {
    "posterior_mean": lambda noisy: posterior_mean(noisy, 1, SIZE * np.sqrt(FILLED / DIMENSION)),
    "james_stein": lambda noisy: james_stein(noisy, 1, positive_part=False),
    "james_stein_plus": lambda noisy: james_stein(noisy, 1),
    "soft_universal": lambda noisy: universal_soft(noisy, 1),
    "non_negative": lambda noisy: non_negative(noisy, 1),
}


def simulated(estimator, n_releases, seed):
    """Return the mean share of the release's squared error that an estimator leaves, and its standard error."""
    mean = np.repeat([SIZE, 0.0], [FILLED, DIMENSION - FILLED])
    noisy = mean + np.random.default_rng(seed).standard_normal((n_releases, DIMENSION))
    share = np.mean((estimator(noisy).value - mean) ** 2, axis=-1)
    return share.mean(), share.std() / np.sqrt(n_releases)


@pytest.mark.parametrize("key", ESTIMATORS)
def test_the_exact_share_is_what_the_estimator_leaves_of_simulated_releases(key):
    share, error = simulated(ESTIMATORS[key], 40_000, seed=1)
    assert abs(sparse_shares(DIMENSION, FILLED, SIZE)[key] - share) < 4 * error


def test_the_share_by_sure_is_the_plain_mean_over_other_releases_of_the_estimator_itself():
    plain, error = simulated(lambda noisy: sureshrink(noisy, 1), 40_000, seed=2)
    simulation = simulated_sureshrink(np.random.default_rng(3), DIMENSION, FILLED, SIZE, 10_000)
    assert abs(simulation.share - plain) < 4 * np.hypot(error, simulation.standard_error)
    assert 0 < simulation.threshold < universal_threshold(1, DIMENSION)


def test_the_stated_standard_error_is_the_spread_over_seeds():
    simulations = [simulated_sureshrink(np.random.default_rng(seed), 50, 5, 3.0, 30) for seed in range(200)]
    spread = np.std([simulation.share for simulation in simulations])
    assert np.mean([simulation.standard_error for simulation in simulations]) == pytest.approx(spread, rel=0.2)


def test_the_fixed_threshold_beside_it_makes_the_simulation_of_many_numbers_far_more_precise():
    simulation = simulated_sureshrink(np.random.default_rng(1), 4000, 400, 4.0, 20)
    noisy = 4.0 * (np.arange(4000) < 400) + np.random.default_rng(1).standard_normal((20, 4000))
    error = np.mean((sureshrink(noisy, 1).value - 4.0 * (np.arange(4000) < 400)) ** 2, axis=-1)
    assert simulation.standard_error < 0.25 * error.std(ddof=1) / np.sqrt(20)


def test_of_numbers_that_are_all_0_every_share_is_that_of_an_empty_coordinate():
    for filled, size in ((0, 7.0), (5, 0.0)):
        shares = sparse_shares(20, filled, size)
        assert shares["james_stein"] == pytest.approx(2 / 20)
        assert shares["soft_universal"] == pytest.approx(float(soft_threshold_risk(0, 1, universal_threshold(1, 20))))
        assert (shares["posterior_mean"], shares["non_negative"], shares["none"]) == (0, 0.5, 1)


def test_shares_broadcast_and_dense_numbers_pay_one_and_twice_the_logarithm():
    shares = sparse_shares([[10], [100]], [[10], [100]], [1e3, 1e4, 1e6])
    assert {share.shape for share in shares.values()} == {(2, 3)}
    dense = 1 + 2 * np.log([10, 100])
    assert shares["soft_universal"] == pytest.approx(np.tile(dense[:, None], 3), rel=1e-9)
    assert shares["james_stein_plus"] == pytest.approx(np.ones((2, 3)), abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((2, 1, 1), r"dimension must be in \[3, 1e9\], got 2"),
        ((10, 11, 1), r"n_nonzero must be in \[0, dimension\], got 11"),
        ((10, 0.5, 1), "n_nonzero must be in the whole numbers of"),
        ((10, 1, -1), r"size must be in \[0, 1e6\], got -1"),
    ],
)
def test_a_vector_that_there_is_not_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        sparse_shares(*arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((2, 1, 1.0, 10), r"dimension must be in \[3, 1e7\], got 2"),
        ((10, 11, 1.0, 10), r"n_nonzero must be in \[0, 10\], got 11"),
        ((10, 1, np.inf, 10), r"size must be in \[0, 1e6\], got inf"),
        ((10, 1, 1.0, 1), r"n_releases must be in \[2, 10000000\], got 1"),
    ],
)
def test_a_simulation_that_there_is_not_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        simulated_sureshrink(np.random.default_rng(1), *arguments)


@pytest.mark.parametrize("rng", [3])
def test_the_simulation_requires_a_source_of_randomness(rng):
    with pytest.raises(ValueError, match=r"rng must be a numpy.random.Generator, got 3"):
        simulated_sureshrink(rng, 10, 1, 1.0, 10)


def test_the_shares_over_a_grid_are_those_simulated_there_within_a_few_percent():
    numbers, norms = np.array([1, 3, 20, 70, 100]), np.array([0.1, 0.3, 1.1, 2.0, 30.0])
    shares = sureshrink_shares(np.random.default_rng(1), 100, numbers, norms, 100)
    for k, row in zip(numbers, shares, strict=True):
        for norm, share in zip(norms, row, strict=True):
            there = simulated_sureshrink(np.random.default_rng(1), 100, k, norm * np.sqrt(100 / k), 100)
            assert share == pytest.approx(there.share, rel=0.05)


@pytest.mark.parametrize(
    ("numbers", "norms", "sentence"),
    [
        ([1], [1.0, 2.0], r"n_nonzero must be in the lists of two or more numbers that rise, got \[1.0\]"),
        ([1, 2], [2.0, 1.0], r"norm must be in the lists of two or more numbers that rise"),
        ([1, 2], 1.0, r"norm must be in the lists of two or more numbers that rise, got 1.0"),
        ([0, 2], [1.0, 2.0], r"n_nonzero must be in \[1, 5\], got 0"),
        ([1, 2], [0.0, 1.0], r"norm must be in \[1e-3, 1e3\], got 0"),
    ],
)
def test_a_grid_that_does_not_rise_is_refused(numbers, norms, sentence):
    with pytest.raises(ValueError, match=sentence):
        sureshrink_shares(np.random.default_rng(1), 5, numbers, norms, 10)


@pytest.mark.parametrize("rng", [3])
def test_the_shares_over_a_grid_ask_for_a_source_of_randomness(rng):
    with pytest.raises(ValueError, match=r"rng must be a numpy.random.Generator, got 3"):
        sureshrink_shares(rng, 5, [1, 2], [1.0, 2.0], 10)
