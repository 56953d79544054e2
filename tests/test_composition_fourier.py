"""The steps of a composition by Fourier transforms, against sums written out."""

import math

import numpy as np
import pytest
from numpy.fft import irfft, rfft

from dpcore.composition._fourier import common_unit, expected_gain, log_polar, power_of_two, transform_less_one


def test_a_power_of_two_is_the_least_that_is_large_enough():
    assert [power_of_two(value) for value in (0.3, 1, 2, 2.1, 4096, 4097)] == [1, 1, 2, 4, 4096, 8192]
    assert power_of_two(5, 64) == 64


@pytest.mark.parametrize(
    ("losses", "unit"),
    [
        ([0.3, -0.2, 0.5], 0.1),
        ([0.7], 0.7),
        ([1.5, 0.0, 1.0], 0.5),
        ([1.0, math.pi], 0.0),
        ([0.0], math.inf),
        ([], math.inf),
    ],
)
def test_the_common_unit_divides_all_losses(losses, unit):
    assert common_unit(np.array(losses), 2**19) == pytest.approx(unit, rel=1e-12, abs=0)


def test_a_unit_with_too_many_multiples_is_none():
    assert common_unit(np.array([1.0, 1 / 1024]), 1024) == 1 / 1024
    assert common_unit(np.array([1.0, 1 / 1024]), 1023) == 0


def test_many_releases_have_the_masses_of_their_convolution():
    place, mass, size = np.array([-2, 0, 3, 3]), np.array([0.2, 0.5, 0.1, 0.2]), 32
    less_one, elsewhere = transform_less_one(place, mass, size)
    assert elsewhere[[0, 3, 30]] == pytest.approx([0, 0.3, 0.2], rel=1e-15)
    _, log_length, angle = log_polar(less_one)
    found = irfft(np.exp(4 * log_length + 4j * angle), size)
    one = np.array([0.2, 0, 0.5, 0, 0, 0.3])
    expected = np.convolve(np.convolve(one, one), np.convolve(one, one))
    assert np.roll(found, 8)[: expected.size] == pytest.approx(expected, rel=1e-12, abs=1e-16)


def test_a_rare_loss_keeps_its_digits():
    less_one, _ = transform_less_one(np.array([0, 1]), np.array([1.0, 1e-25]), 8)
    length, log_length, angle = log_polar(less_one)
    turn = 2 * np.pi * np.arange(5) / 8
    assert log_length == pytest.approx(1e-25 * (np.cos(turn) - 1), rel=1e-12, abs=1e-40)
    assert angle == pytest.approx(-1e-25 * np.sin(turn), rel=1e-12, abs=1e-40)
    assert np.all(length == 1)


def test_a_frequency_of_which_nothing_is_left_has_the_logarithm_minus_infinity():
    less_one, _ = transform_less_one(np.array([0, 1]), np.array([0.5, 0.5]), 4)
    length, log_length, _ = log_polar(less_one)
    assert length == pytest.approx(np.abs(rfft([0.5, 0.5, 0, 0])), abs=1e-16)
    assert log_length[-1] == -np.inf


def test_the_expected_gain_is_the_sum_over_all_larger_losses():
    rng = np.random.default_rng(1)
    mass, interval = rng.dirichlet(np.ones(40)), 0.05
    loss = np.arange(40) * interval
    beyond = np.cumsum(mass[::-1])[::-1] - mass
    found = expected_gain(beyond[::-1], interval)[::-1]
    expected = np.maximum(-np.expm1(loss[:, None] - loss), 0) @ mass
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
