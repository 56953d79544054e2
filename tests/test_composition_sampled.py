"""The RDP of sampled Gaussian noise, against its integer sum and its integral at many digits."""

import re

import mpmath as mp
import numpy as np
import pytest

from dpcore.composition import dp_sgd_epsilon, gaussian_without_replacement_rdp, subsampled_gaussian_rdp
from dpcore.composition._sampled_integral import NotQuickError, quick_divergence


def integer_sum(order, noise, rate):
    """[MTZ19] §3.3 at a whole order."""
    with mp.workdps(60):
        q, z = mp.mpf(rate), mp.mpf(noise)
        terms = (
            mp.binomial(order, j) * (1 - q) ** (order - j) * q**j * mp.expm1(mp.mpf(j) * (j - 1) / (2 * z * z))
            for j in range(2, order + 1)
        )
        return mp.log1p(mp.fsum(terms)) / (order - 1)


def integral(order, noise, rate):
    """Return the definition at any order, by the trapezoidal rule with steps a third of the product's."""
    with mp.workdps(int(50 - 2 * np.log10(rate) + np.log10(noise))):
        a, z, q = mp.mpf(order), mp.mpf(noise), mp.mpf(rate)
        step = min(mp.mpf(1) / 8, z / 10)
        low, high = -13, max(a, 2) / z + 13
        total, w = mp.mpf(0), mp.mpf(low)
        while w < high:
            x = q * mp.expm1(w / z - 1 / (2 * z * z))
            total += mp.exp(-w * w / 2) * ((1 + x) ** a - 1 - a * x)
            w += step
        return mp.log1p(total * step / mp.sqrt(2 * mp.pi)) / (a - 1)


def assert_just_above(value, exact, within=1e-12):
    ratio = float(mp.mpf(float(value)) / exact - 1)
    assert 0 <= ratio < within


@pytest.mark.parametrize(
    ("rate", "noise", "order", "published"),
    [
        (0.01, 4, 2, 6.4494250942e-6),
        (0.01, 4, 1.5, 4.83549317563e-6),
        (0.01, 4, 32, 1.05263606591e-4),
        (0.01, 1, 2.5, 2.17575332282e-4),
    ],
)
def test_it_gives_the_values_of_the_reference(rate, noise, order, published):
    assert subsampled_gaussian_rdp(order, noise, rate) == pytest.approx(published, rel=2e-12)


@pytest.mark.parametrize(
    ("order", "noise", "rate", "within"),
    [
        (2, 1.1, 0.0043, 1e-12),
        (64, 1.1, 0.0043, 1e-12),  # past the order where the step tells all
        (15, 1.1, 0.0043, 1e-12),
        (3, 1e-3, 0.3, 1e-12),
        (5, 0.03, 1e-9, 1e-12),
        (300, 7.0, 1e-4, 1e-12),
        (200, 2.0, 0.999999, 1e-12),
        (2, 1e6, 0.5, 1e-12),
        (260, 9.137168707536189, 0.07311998615132907, 1e-12),  # flat between two bells, found at random
        (2, 0.05, 1e-100, 2e-12),  # these two move by 2e-13 and 4e-12 if the noise moves by a rounding
        (553, 4.17395527657959, 1.313094834526403e-07, 4e-11),
    ],
)
def test_at_whole_orders_it_lies_just_above_the_finite_sum(order, noise, rate, within):
    assert_just_above(subsampled_gaussian_rdp(order, noise, rate), integer_sum(order, noise, rate), within)


@pytest.mark.parametrize(
    ("order", "noise", "rate"),
    [
        (1.1, 1.0, 0.01),  # where the sum of alternating terms is 7 % too high
        (1.3, 0.6, 0.1),  # and where it has no value
        (1.000001, 0.5, 0.2),
        (1.000001, 300.0, 1e-5),
        (1.7, 0.25, 1e-30),
        (9.5, 0.7, 1e-3),
        (33.3, 3.0, 0.2),
        (2.001, 40.0, 0.99),
    ],
)
def test_at_any_order_it_lies_just_above_the_integral(order, noise, rate):
    assert_just_above(subsampled_gaussian_rdp(order, noise, rate), integral(order, noise, rate))


@pytest.mark.parametrize(
    ("order", "noise", "rate"), [(1.000002, 1e-3, 0.06), (1.5, 4e-3, 1e-6), (30, 0.005, 0.5), (1e6, 1e-3, 1e-100)]
)
def test_with_hardly_any_noise_it_lies_just_above_two_bells_that_do_not_touch(order, noise, rate):
    with mp.workdps(60):
        a, z, q = mp.mpf(order), mp.mpf(noise), mp.mpf(rate)
        apart = (1 - q) ** a + q**a * mp.exp(a * (a - 1) / (2 * z * z))
        assert_just_above(subsampled_gaussian_rdp(order, noise, rate), mp.log(apart) / (a - 1))


def test_at_random_it_lies_just_above_the_finite_sum():
    rng = np.random.default_rng(14)
    for _ in range(40):
        order, noise, rate = int(rng.integers(2, 120)), 10 ** rng.uniform(-2, 4), 10 ** rng.uniform(-12, 0)
        assert_just_above(subsampled_gaussian_rdp(order, noise, rate), integer_sum(order, noise, rate))


def test_a_sample_of_all_records_is_the_gaussian_mechanism_itself():
    order = np.array([1.000001, 2, 7.5, 1e6])
    np.testing.assert_allclose(subsampled_gaussian_rdp(order, 0.7, 1), order / (2 * 0.7**2), rtol=1e-14)
    assert (subsampled_gaussian_rdp(order, 0.7, 1) >= order / (2 * 0.7**2)).all()


def test_it_is_finite_and_rises_in_order_and_rate_and_falls_in_noise_to_the_ends_of_its_domain():
    order = np.geomspace(1.000001, 1e7, 9)[:, None, None]
    noise = np.array([1e-3, 0.04, 1, 50, 1e6])[:, None]
    rate = np.array([5e-324, 1e-50, 1e-3, 0.5, 1 - 1e-9, 1])
    divergences = subsampled_gaussian_rdp(order, noise, rate)
    assert divergences.shape == (9, 5, 6)
    assert np.isfinite(divergences).all()
    assert (divergences > 0).all()
    assert (np.diff(divergences, axis=0) >= -1e-11 * divergences[1:]).all()
    assert (np.diff(divergences, axis=1) <= 1e-11 * divergences[:, 1:]).all()
    assert (np.diff(divergences, axis=2) >= -1e-11 * divergences[:, :, 1:]).all()


def test_a_large_call_is_done_in_parts_with_the_same_answers():
    order = np.linspace(1.1, 40, 50)
    alone = subsampled_gaussian_rdp(order, 0.9, 0.01)
    together = subsampled_gaussian_rdp(np.tile(order, 150), 0.9, 0.01)
    np.testing.assert_allclose(together.reshape(150, 50), np.tile(alone, (150, 1)), rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, 1, 0.1), "order must be in [1.000001, 1e7], got 1"),
        ((2, 0, 0.1), "noise_multiplier must be in [1e-3, 1e6], got 0"),
        ((2, 1, 0), "sampling_rate must be in (0, 1], got 0"),
    ],
)
@pytest.mark.parametrize("function", [subsampled_gaussian_rdp, gaussian_without_replacement_rdp])
def test_values_out_of_range_are_refused_in_a_sentence(function, arguments, message):
    if function is gaussian_without_replacement_rdp:
        message = message.replace("1e7", "1e4")
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(*arguments)


def fixed_size_sum(order, noise, rate):
    """[WBK19] Thm 27 for Gaussian noise, at a whole order."""
    with mp.workdps(40):
        q, u = mp.mpf(rate), 1 / mp.mpf(noise) ** 2
        first = q**2 * mp.binomial(order, 2) * min(4 * mp.expm1(u), 2 * mp.exp(u))
        rest = (2 * q**j * mp.binomial(order, j) * mp.exp(j * (j - 1) * u / 2) for j in range(3, order + 1))
        return mp.log1p(first + mp.fsum(rest))


@pytest.mark.parametrize(
    ("order", "noise", "rate"),
    [(2, 4, 0.01), (2, 0.5, 0.01), (40, 3, 1e-3), (200, 0.8, 0.02), (700, 30, 0.1), (999, 25, 0.2), (600, 60, 0.3)],
)
def test_a_sample_of_fixed_size_has_the_published_bound_at_whole_orders(order, noise, rate):
    exact = min(fixed_size_sum(order, noise, rate) / (order - 1), order / (2 * mp.mpf(noise) ** 2))
    assert_just_above(gaussian_without_replacement_rdp(order, noise, rate), exact, within=1e-10)


def test_between_whole_orders_the_bound_is_the_chord_of_the_convex_function():
    divergence = gaussian_without_replacement_rdp(6.25, 2, 0.01) * 5.25
    chord = 0.75 * fixed_size_sum(6, 2, 0.01) + 0.25 * fixed_size_sum(7, 2, 0.01)
    assert_just_above(divergence, chord, within=1e-12)
    below_two = gaussian_without_replacement_rdp(1.5, 2, 0.01) * 0.5
    assert_just_above(below_two, fixed_size_sum(2, 2, 0.01) / 2, within=1e-12)


def test_a_sample_of_fixed_size_never_costs_more_than_all_records():
    order = np.array([1.01, 2, 50, 1e4])
    divergences = gaussian_without_replacement_rdp(order, 0.3, np.array([[1e-300], [0.5], [1]]))
    assert divergences.shape == (3, 4)
    assert (divergences <= order / (2 * 0.3**2) * (1 + 1e-14)).all()
    assert (divergences > 0).all()


@pytest.mark.parametrize("noise", [0.4, 1.1, 30.0, 1e5])
def test_the_quick_divergence_has_ten_digits_at_every_order_and_rate(noise):
    more, rate = np.geomspace(1e-5, 50 * noise, 12)[None], np.array([1e-12, 1e-5, 0.01, 0.7, 1.0])[:, None]
    quick = quick_divergence(more, np.full((1, 1), noise), rate)
    np.testing.assert_allclose(quick, subsampled_gaussian_rdp(1 + more, noise, rate), rtol=1e-10)


@pytest.mark.parametrize(
    ("more", "noise", "rate"),
    [(1.0, 0.3, 0.1), (1.0, 1.0, 1e-13), (700.0, 1.0, 0.1), (np.linspace(100, 300, 200), 1.0, 0.1), (1.0, [], 0.1)],
)
def test_the_quick_divergence_is_refused_where_it_is_not_quick(more, noise, rate):
    with pytest.raises(NotQuickError):
        quick_divergence(np.array(more), np.array(noise), np.array(rate))
    assert dp_sgd_epsilon([], 1.0, 0.1, 10, "rdp").shape == (0,)
