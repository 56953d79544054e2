"""Certified profiles: δ at many ε."""

import numpy as np
import pytest

from dpcore import gaussian
from dpcore.composition.distribution import certified_delta
from dpcore.composition.profiles import certified_profile
from dpcore.composition.releases import (
    gaussian_release,
    guarantee_release,
    laplace_release,
    sampled_release,
)


@pytest.mark.parametrize(
    "releases",
    [
        [sampled_release(1, 0.01, 1000)],
        [sampled_release(0.6, 0.05, 30), laplace_release(0.3, 4)],
        [gaussian_release(2, 7), guarantee_release(0.1, 1e-4, 3)],
        [laplace_release(0.7, 30), guarantee_release(0.0239, 0.0267, 4)],
    ],
)
def test_a_profile_is_delta_at_each_epsilon(releases):
    epsilon = np.linspace(0, 9, 4)
    bound = certified_profile(releases, epsilon, excess=1e-2)
    exact = certified_delta(releases, epsilon, excess=5e-3)
    assert np.all(bound.value >= exact.value - 1.2 * exact.error)
    assert bound.value == pytest.approx(exact.value, rel=1.3e-2)
    assert np.all(np.diff(bound.value) <= 0)


def test_a_profile_of_certain_loss_is_one():
    releases, epsilon = [sampled_release(0.5, 0.5, 100)], [0.0, 120.0, 150.0]
    bound, exact = certified_profile(releases, epsilon), certified_delta(releases, epsilon)
    assert bound.value == pytest.approx(exact.value, rel=2e-2)
    assert np.all(bound.error <= 2e-2)


def test_a_profile_of_gaussians_and_of_equal_guarantees_is_exact():
    gaussians = certified_profile([gaussian_release(2, 4)], [0.0, 1.0])
    assert gaussians.value == pytest.approx(gaussian.delta_from_sigma([0.0, 1.0], 1.0), rel=1e-12)
    guarantees = certified_profile([guarantee_release(0.5)], [[0.2], [0.5]])
    assert guarantees.value == pytest.approx(np.array([[(1 - np.exp(-0.3)) / (1 + np.exp(-0.5))], [0]]), abs=1e-10)


def test_the_smallest_deltas_of_a_profile_are_bounds_that_say_so():
    releases, epsilon = [sampled_release(1, 0.01, 1000)], np.linspace(0, 35, 5)
    bound, exact = certified_profile(releases, epsilon), certified_delta(releases, epsilon)
    assert np.all(bound.value >= exact.value - exact.error)
    assert np.all(np.diff(bound.value) < 0)
    assert bound.value[-1] < 1e-100
    assert bound.value - bound.error == pytest.approx(exact.value, rel=2e-2, abs=1e-60)


def test_a_profile_ends_in_bounds_however_far_it_goes():
    bound = certified_profile([sampled_release(1, 0.01, 1000)], np.linspace(1, 1e4, 10))
    assert np.all(np.diff(bound.value) <= 0)
    assert np.all(bound.value[1:] < 1e-300)
    assert certified_profile([guarantee_release(0.5, 1e-3)], [0.6, 9]).value == pytest.approx(1e-3)


def test_a_profile_of_a_loss_of_billions_falls_at_its_mean():
    """Found by random search: the estimate of the excess overflowed."""
    releases = [gaussian_release(2.4e-3, 864_338), guarantee_release(0.013257504094568757, count=84_548)]
    epsilon = np.linspace(0, 1e11, 50)
    bound = certified_profile(releases, epsilon).value
    mean = 864_338 / 2.4e-3**2 / 2
    assert np.all(bound[epsilon < mean] == 1)
    assert np.all(bound[epsilon > mean] < 1e-300)


def test_a_profile_of_what_hardly_ever_happens_is_tiny():
    bound = certified_profile([sampled_release(0.53, 1.5e-30, 6296)], [0.0, 1e-6, 0.3])
    assert np.all((bound.value > 0) & (bound.value < 1e-11))
    assert np.all((bound.error > 0.1 * bound.value) & (bound.error <= bound.value))
