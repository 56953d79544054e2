import re

import numpy as np
import pytest

from dpcore import composition, gaussian
from dpcore.composition import (
    Release,
    certified_delta,
    certified_epsilon,
    discrete_gaussian_release,
    exponential_release,
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
    profile_release,
    sampled_release,
    zcdp_release,
)


def test_a_release_holds_the_numbers_of_its_kind_and_how_often_it_runs():
    assert gaussian_release(2) == Release("gaussian", (2.0,), 1)
    assert laplace_release(0.5, 3) == Release("laplace", (0.5,), 3)
    assert guarantee_release(1, 1e-9, 10) == Release("guarantee", (1.0, 1e-9), 10)
    assert exponential_release(0.1) == Release("exponential", (0.1,), 1)
    assert zcdp_release(0, 5) == Release("zcdp", (0.0,), 5)
    assert geometric_release(0.5, 3, 2) == Release("geometric", (0.5, 3.0), 2)
    assert discrete_gaussian_release(2.5, 3, 2) == Release("discrete_gaussian", (2.5, 3.0), 2)
    assert sampled_release(1, 0.01, 1000).times(7) == Release("sampled", (1.0, 0.01), 7)


@pytest.mark.parametrize(
    ("make_release", "arguments", "message"),
    [
        (gaussian_release, (0,), "noise_multiplier must be in [1e-3, 1e6], got 0"),
        (gaussian_release, (1, 0), "count must be in [1, 1e6], got 0"),
        (gaussian_release, (1, 1.5), "count must be in the whole numbers of [1, 1e6], got 1.5"),
        (laplace_release, (0,), "epsilon must be in (0, 1e3], got 0"),
        (geometric_release, (1, 1.5), "sensitivity must be in the whole numbers of [1, 1e15], got 1.5"),
        (geometric_release, (0,), "epsilon must be in (0, 1e3], got 0"),
        (discrete_gaussian_release, (2, 1e5), "sensitivity must be in [1, 1e4], got 100000"),
        (discrete_gaussian_release, (1e5,), "sigma must be in [0.01, 1e3], got 100000"),
        (guarantee_release, (1e4,), "epsilon must be in [0, 1e3], got 10000"),
        (guarantee_release, (1, 1), "delta must be in [0, 1), got 1"),
        (profile_release, ([1, 1], 0), "epsilon must be in increasing numbers, got 1"),
        (profile_release, ([], 0), "epsilon must be from 1 to 2000 numbers, got 0"),
        (profile_release, ([1, 1e4], 0), "epsilon must be in [0, 1e3], got 10000"),
        (profile_release, (1, [0.5, 1]), "delta must be in [0, 1), got 1"),
        (exponential_release, (-1,), "epsilon must be in [0, 1e3], got -1"),
        (zcdp_release, (float("nan"),), "rho must be in [0, 1e6], got nan"),
        (sampled_release, (1, 0), "sampling_rate must be in (0, 1], got 0"),
        (sampled_release, (1e7, 0.1), "noise_multiplier must be in [1e-3, 1e6], got 10000000"),
    ],
)
def test_a_number_out_of_its_range_is_refused_in_a_sentence(make_release, arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        make_release(*arguments)


def test_geometric_noise_that_moves_by_one_step_or_by_too_many_is_an_epsilon_guarantee():
    assert geometric_release(0.5, 1, 2) == geometric_release(0.5, 1e5, 2) == guarantee_release(0.5, count=2)


def greater_delta(first, second, epsilon):
    """Return δ of two distributions, of which either may be that with the person, at each ε."""
    factor = np.exp(epsilon)[:, None]
    both = (np.maximum(p - factor * q, 0).sum(axis=1) for p, q in ((first, second), (second, first)))
    return np.maximum(*both)


@pytest.mark.parametrize("seed", range(6))
def test_a_profile_is_never_more_private_than_a_mechanism_with_its_points(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.dirichlet(np.full(6, 0.7), 2)
    second = np.where(rng.random(6) < seed / 12, 0.0, second)
    second /= second.sum()
    at = np.unique(np.append(rng.uniform(0, 4, 4), seed % 2))
    release = profile_release(at, np.minimum(greater_delta(first, second, at) * (1 + 1e-12), 1 - 1e-12))
    epsilon = np.linspace(0, 6, 25)
    both = np.outer(first, first).ravel(), np.outer(second, second).ravel()
    assert (certified_delta([release], epsilon).value >= greater_delta(first, second, epsilon)).all()
    assert (certified_delta([release.times(2)], epsilon).value >= greater_delta(*both, epsilon)).all()
    odd = np.kron(first, [0.3, 0.7]), np.kron(second, [0.6, 0.4])
    listed = [release, guarantee_release(np.log(2))]
    assert (certified_delta(listed, epsilon).value >= greater_delta(*odd, epsilon)).all()


def test_a_profile_of_the_points_of_two_responses_is_the_two_together():
    """Two randomised responses have the losses ±1.7 and ±.3, and their profile has its corners there."""
    pair = guarantee_release(1.0), guarantee_release(0.7)
    at = np.array([0.3, 1.7])
    release = profile_release(at, certified_delta(pair, at, 1e-6).value)
    epsilon = np.array([0.0, 0.1, 0.3, 0.9, 1.5, 1.7, 2.0])
    for times in (1, 3):
        exact = certified_delta([line.times(times) for line in pair], epsilon, 1e-4).value
        assert certified_delta([release.times(times)], epsilon, 1e-4).value == pytest.approx(exact, rel=1e-3, abs=1e-12)
    assert composition.rho([release]) >= composition.rho(pair)
    assert composition.rdp([release], 3) >= composition.rdp(pair, 3)


def test_points_that_others_imply_change_nothing():
    """(0, .9) and (.5, .3) follow from (1, 1e-3), (2, 2e-3) from it too, and (3, 1e-9) is below all."""
    few = profile_release([1, 3], [1e-3, 1e-9])
    many = profile_release([0, 0.5, 1, 2, 3], [0.9, 0.7, 1e-3, 2e-3, 1e-9])
    epsilon = np.linspace(0, 4, 9)
    assert certified_delta([many], epsilon).value == pytest.approx(certified_delta([few], epsilon).value, rel=1e-9)
    assert profile_release(2, 1e-5).numbers == guarantee_release(2, 1e-5).numbers
    alone, same = ([make(2, 1e-5, 7)] for make in (profile_release, guarantee_release))
    assert certified_delta(alone, epsilon).value == pytest.approx(certified_delta(same, epsilon).value, rel=5e-3)


@pytest.mark.parametrize("accountant", composition.ACCOUNTANTS)
def test_a_profile_of_gaussian_noise_costs_little_more_than_the_noise_and_never_less(accountant):
    at = np.linspace(0, 8, 500)
    release = profile_release(at, gaussian.delta_from_sigma(at, 1.0))
    rest = [laplace_release(0.2), gaussian_release(3.0)]
    noise = float(certified_epsilon([gaussian_release(1.0), *rest], 1e-5).value)
    if accountant not in composition.unavailable([release, *rest]):
        value = float(composition.epsilon([release, *rest], 1e-5, accountant).value)
        assert value >= noise * (1 - 2e-3)
        assert accountant not in ("best", "exact", "certified") or value <= noise * (1 + 2e-3)
    spent = float(composition.delta([release, *rest], noise).value)
    assert 1e-5 * (1 - 2e-2) <= spent <= 1e-5 * (1 + 2e-2)
    assert float(composition.delta([release], 2.0).value) >= float(gaussian.delta_from_sigma(2.0, 1.0))


def test_a_profile_has_the_moments_of_its_losses():
    release = profile_release([0.3, 1.7], [0.2, 1e-3])
    exact = composition.exact_delta([release, gaussian_release(1.5)], [0.5, 1.5])
    proved = certified_delta([release, gaussian_release(1.5)], [0.5, 1.5], 1e-5).value
    assert exact.converged.all()
    assert exact.value == pytest.approx(proved, rel=1e-4)
    assert (composition.certified_profile([release, laplace_release(1)], [0.5, 1.5]).value > 0).all()
