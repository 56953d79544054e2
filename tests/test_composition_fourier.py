"""The steps of a composition by Fourier transforms, against sums written out."""

import math

import numpy as np
import pytest
from numpy.fft import irfft, rfft
from scipy.stats import binom

from dpcore.composition._fourier import (
    Part,
    circle_sum,
    common_unit,
    log_polar,
    power_of_two,
    transform_less_one,
    upper_share,
)
from dpcore.tradeoff.losses import expected_gain


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
    masses = irfft(np.exp(4 * log_length + 4j * angle), size)
    single = np.array([0.2, 0, 0.5, 0, 0, 0.3])
    expected = np.convolve(np.convolve(single, single), np.convolve(single, single))
    assert np.roll(masses, 8)[: expected.size] == pytest.approx(expected, rel=1e-12, abs=1e-16)


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
    gains = expected_gain(beyond[::-1], interval)[::-1]
    expected = np.maximum(-np.expm1(loss[:, None] - loss), 0) @ mass
    assert gains == pytest.approx(expected, rel=1e-12, abs=1e-15)


PARTS = [
    Part(np.array([-2, 0, 3]), np.array([0.25, 0.5, 0.25]), 4),
    Part(np.array([5, 6]), np.array([0.75, 0.25]), 1),
    Part(np.array([0, 1]), np.array([0.5, 0.25]), 1, 0.25),
    Part(np.array([0, 2]), np.array([0.5, 0.375]), 3, 0.125),
]


def convolved(parts, size):
    """Return the masses of the sum on the circle, from place 0 on; exact, as all masses are few halves multiplied."""
    total = np.eye(size)[0]
    for part in parts:
        for _ in range(part.count):
            total = sum(mass * np.roll(total, place) for place, mass in zip(part.place, part.mass, strict=True))
    return total


@pytest.mark.parametrize("parts", [PARTS, PARTS[:1], PARTS[1:3], PARTS[3:]])
def test_a_sum_on_a_circle_is_within_its_bound_of_the_convolution(parts):
    size = 16  # less than the sum is wide, so that it wraps
    total = circle_sum(iter(parts), size)
    expected = np.roll(convolved(parts, size), -total.offset)
    values, doubt = total.read()
    assert np.all(abs(values - expected) <= doubt)
    assert doubt < 1e-13


def test_a_gain_is_convolved_with_the_sum():
    size = 16
    total = circle_sum(PARTS, size)
    shift = np.exp(np.asarray(-2j * np.pi * 3 / size * np.arange(size // 2 + 1), np.complex128))
    values, doubt = total.read(0.5 * shift)
    expected = np.roll(convolved(PARTS, size), 3 - total.offset) / 2
    assert np.all(abs(values - expected) <= doubt)
    assert doubt < total.read()[1]


def test_a_sum_without_frequencies_of_which_runs_leave_nothing_is_within_its_bound():
    size, step = 2**13, np.array([0, 1])
    few, many = Part(step, np.array([0.75, 0.25]), 1), Part(step, np.array([0.5, 0.5]), 6000)
    total = circle_sum([few, Part(step, np.array([0.5, 0.5]), 1000), many], size)
    assert total.frequency.size < size // 20
    expected = 0.75 * binom.pmf(np.arange(size), 7000, 0.5) + 0.25 * binom.pmf(np.arange(-1, size - 1), 7000, 0.5)
    expected = np.roll(expected, -total.offset)
    values, doubt = total.read()
    assert np.all(abs(values - expected) <= doubt)
    assert doubt < 1e-11
    assert total.read(1.0, 1e20)[1] > 2 * doubt  # a large gain of what was dropped counts
    places = np.array([[-40, 0], [3, 25]])
    assert total.masses_at(places) == pytest.approx(expected[places], rel=1e-12)
    assert total.masses_at(np.arange(size)) == pytest.approx(total.masses, rel=0, abs=0)


def test_a_shared_loss_keeps_the_means_of_1_and_of_its_negative_exponential():
    over, interval = np.array([-1e-20, 0.0, 0.1, 0.29, 0.3, 0.31]), 0.3
    share = upper_share(over, interval)
    assert share[[0, 1, 4, 5]].tolist() == [0, 0, 1, 1]
    assert 1 - share[2:4] + share[2:4] * math.exp(-interval) == pytest.approx(np.exp(-over[2:4]), rel=1e-15)
