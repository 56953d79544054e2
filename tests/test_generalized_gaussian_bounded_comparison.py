"""Scales, kept ε and errors of the mechanisms side by side, against simulation, definitions and one another."""

import numpy as np
import pytest

from dpcore.generalized_gaussian import adp_scale, epsilon_from_scale
from dpcore.generalized_gaussian.bounded import (
    boundary_inflated_loss,
    exact_boundary_inflated_scale,
    exact_truncated_scale,
    truncated_scale,
)
from dpcore.generalized_gaussian.bounded_comparison import (
    BIT,
    CLIPPED,
    EXPONENTIAL,
    LEMMA,
    MECHANISMS,
    PUBLISHED,
    TRUNCATED,
    bounded_sensitivity,
    clipping_width,
    densities,
    end_masses,
    errors,
    satisfied_epsilon,
    scales,
)
from dpcore.generalized_gaussian.bounded_distributions import boundary_inflated_sample, truncated_sample

KEYS = [mechanism.key for mechanism in MECHANISMS]
TRUNCATED_NOISE = [TRUNCATED.key, PUBLISHED.key, EXPONENTIAL.key, LEMMA.key]


def scales_at(epsilon=1.0, delta=1e-6, p=3.0, low=0.0, high=10.0, sensitivity=1.0):
    return scales(epsilon, delta, p, low, high, sensitivity).iloc[0].dropna().to_dict()


def some_settings(n, seed):
    rng = np.random.default_rng(seed)
    width = 10 ** rng.uniform(-2, 3, n)
    low = rng.uniform(-2, 2, n) * width
    p = np.where(rng.random(n) < 0.5, rng.integers(1, 9, n), rng.uniform(1, 20, n))
    return 10 ** rng.uniform(-2, 1, n), 10 ** rng.uniform(-12, -1, n), p, low, low + width, width * rng.random(n)


def test_published_values_of_the_paper_and_of_the_reference_stand_side_by_side():
    b = scales_at()
    assert b[PUBLISHED.key] == pytest.approx((2 * (11**3 - 10**3)) ** (1 / 3), rel=1e-13)
    assert b[EXPONENTIAL.key] == pytest.approx((2 * (10**3 - 9**3)) ** (1 / 3), rel=1e-13)
    assert b[LEMMA.key] == pytest.approx((2 * (3 * 100 + 30 * (10**2 - 9**2) + 10**3 - 9**3)) ** (1 / 3), rel=1e-13)
    assert (round(b[TRUNCATED.key], 2), round(b[BIT.key], 2)) == (6.15, 6.88)
    assert b[CLIPPED.key] == pytest.approx(float(adp_scale(1, 1e-6, 3)), rel=1e-13)


def test_scales_have_a_row_for_each_entry_and_lemma_10_at_whole_p_only():
    p = np.array([1, 1.5, 2, 2.0001, 3, 64])
    frame = scales(0.5, 1e-5, p, -3.0, 4.0, 2.0)
    assert list(frame) == KEYS
    assert frame[LEMMA.key].notna().tolist() == [True, False, True, False, True, True]
    assert frame.drop(columns=LEMMA.key).notna().all(axis=None)
    for place, shape in enumerate(p):
        alone = scales_at(0.5, 1e-5, shape, -3.0, 4.0, 2.0)
        assert frame.iloc[place].dropna().to_dict() == pytest.approx(alone, rel=1e-11)


def test_every_pure_mechanism_satisfies_its_epsilon_and_the_exact_ones_no_less():
    for setting in np.transpose(some_settings(25, seed=1)):
        epsilon, _, p, low, high, sensitivity = setting
        b = scales_at(*setting)
        moved = float(bounded_sensitivity(sensitivity, low, high))
        epsilons = satisfied_epsilon(b, p, high - low, moved)
        assert list(epsilons) == sorted(b, key=lambda key: [*TRUNCATED_NOISE, BIT.key, CLIPPED.key].index(key))
        assert all(epsilons[key] <= epsilon for key in epsilons if key != CLIPPED.key)
        for exact in (TRUNCATED.key, BIT.key):
            assert epsilons[exact] == pytest.approx(epsilon, rel=1e-9)
        assert b[TRUNCATED.key] <= min(b[key] for key in TRUNCATED_NOISE if key in b) * (1 + 1e-11)
        assert b[EXPONENTIAL.key] <= b[PUBLISHED.key] * (1 + 1e-13)  # at p = 1 they agree
        loss = float(boundary_inflated_loss(b[CLIPPED.key], p, high - low, moved))
        assert epsilons[CLIPPED.key] == pytest.approx(loss, rel=2e-12, abs=0)


def test_lemma_10_is_exact_with_0_in_the_middle_of_the_bounds():
    for p in (3.0, 4.0, 9.0):
        b = scales_at(p=p, low=-5.0, high=5.0)
        assert b[LEMMA.key] == pytest.approx(b[EXPONENTIAL.key], rel=1e-12)
        assert (
            scales_at(p=p, low=50.0, high=60.0)[LEMMA.key]
            > scales_at(p=p, low=0.0, high=10.0)[LEMMA.key]
            > b[LEMMA.key]
        )


@pytest.mark.parametrize(
    ("sensitivity", "moved"), [(3.0, 3.0), (20.0, 10.0), (1e100, 10.0), (1e-100, 1e-8), (10.0, 10.0)]
)
def test_neighbours_move_a_bounded_statistic_by_its_width_at_most_and_1e_9_of_it_are_counted(sensitivity, moved):
    assert bounded_sensitivity(sensitivity, -4.0, 6.0) == moved
    b = scales_at(p=2.0, low=-4.0, high=6.0, sensitivity=sensitivity)
    assert b[TRUNCATED.key] == pytest.approx(float(exact_truncated_scale(1, 2, 10, moved)), rel=4e-12, abs=0)
    assert b[PUBLISHED.key] == pytest.approx(float(truncated_scale(1, 2, moved, 10)), rel=2e-14, abs=0)
    assert b[CLIPPED.key] == pytest.approx(float(adp_scale(1, 1e-6, 2, moved)), rel=1e-13, abs=0)


@pytest.mark.parametrize(("p", "epsilon"), [(1.5, 0.3), (2, 1), (3, 1), (8, 4)])
def test_bit_noise_of_pure_epsilon_needs_more_than_clipped_noise_from_the_crossing_width_on(p, epsilon):
    b = float(adp_scale(epsilon, 1e-6, p, 2.0))
    width = clipping_width(epsilon, b, p, 2.0)
    assert (
        exact_boundary_inflated_scale(epsilon, p, width, 2.0)
        <= b
        < exact_boundary_inflated_scale(epsilon, p, width * (1 + 1e-5), 2.0)
    )


def test_a_scale_may_keep_epsilon_between_all_bounds_or_between_none():
    assert clipping_width(1.0, 1.0 + 1e-9, 1.0, 1.0) == np.inf
    assert clipping_width(1.0, 0.99, 1.0, 1.0) == 0
    assert clipping_width(1.0, 0.05, 3.0, 1.0) == 0


@pytest.mark.parametrize("value", [0.0, 2.0, 9.5])
def test_errors_are_those_of_simulated_releases(value):
    b = scales_at(p=2.0)
    frame = errors([value], b, 2.0, 0.0, 10.0)
    assert list(frame) == ["value", *(f"{key}_{name}" for key in KEYS for name in ("bias", "rmse"))]
    rng = np.random.default_rng(5)
    for mechanism in MECHANISMS:
        sample = boundary_inflated_sample if mechanism.clipped else truncated_sample
        error = sample(rng, value, b[mechanism.key], 2.0, 0.0, 10.0, 15_000) - value
        assert frame.loc[0, f"{mechanism.key}_bias"] == pytest.approx(np.mean(error), abs=0.1)
        assert frame.loc[0, f"{mechanism.key}_rmse"] == pytest.approx(np.sqrt(np.mean(error**2)), rel=0.02)


def test_densities_and_end_masses_of_each_mechanism_sum_to_1_with_limits_at_the_bounds():
    b, x = scales_at(p=3.0), np.linspace(0, 10, 4001)
    frame, masses = densities(x, 2.0, b, 3.0, 0.0, 10.0), end_masses(2.0, b, 3.0, 0.0, 10.0)
    assert list(frame) == ["x", *KEYS]
    assert list(masses) == [BIT.key, CLIPPED.key]
    for key in KEYS:
        total = np.trapezoid(frame[key], x) + sum(masses.get(key, (0, 0)))
        assert total == pytest.approx(1, abs=1e-5)
        assert frame[key].iloc[0] == pytest.approx(frame[key].iloc[1], rel=1e-3)


def test_a_clipped_guarantee_satisfies_a_pure_epsilon_within_bounds_and_none_without():
    b = float(adp_scale(1.0, 1e-6, 3.0))
    epsilons = satisfied_epsilon({CLIPPED.key: b}, 3.0, 10.0, 1.0)[CLIPPED.key]
    assert 0.2 < epsilons < 0.3
    assert epsilon_from_scale(1e-9, b, 3.0) > 1


def test_extremes_stay_finite_and_bad_input_is_named():
    for epsilon in (1e-30, 1e6):
        for delta in (1e-300, 0.99):
            frame = scales(epsilon, delta, [1.0, 1.5, 2, 64, 100], 1e15, 1e15 + 1, [1e-100, 1e-3, 1, 1e100, 1])
            table = frame.to_numpy()
            assert np.all(table[np.isfinite(table)] > 0)
            assert np.isnan(table).sum() == 1
            b = frame.iloc[3].to_dict()
            assert np.isfinite(errors([1e15, 1e15 + 1], b, 64.0, 1e15, 1e15 + 1).to_numpy()).all()
    with pytest.raises(ValueError, match=r"^epsilon must be in \[1e-30, 1e6\], got 0$"):
        scales_at(epsilon=0.0)
    with pytest.raises(ValueError, match=r"^high must be in \(low, 1e100\]"):
        scales_at(low=1.0, high=1.0)


def test_the_width_that_clipped_noise_bears_scales_with_the_unit_up_to_the_widest_bounds():
    width = clipping_width(1.0, 1.5, 1.5, 1.0)
    assert 1 < width < 1e9
    for unit in (1e-100, 1e91, 1e100):
        assert clipping_width(1.0, 1.5 * unit, 1.5, unit) == pytest.approx(width * unit, rel=1e-9)


def test_clipped_noise_between_vast_bounds_has_an_epsilon_beyond_the_stated_range():
    setting = {"epsilon": 1.0, "delta": 1e-6, "low": -1e15, "high": 1e15, "sensitivity": 1e9}
    epsilons = satisfied_epsilon(scales_at(p=3.0, **setting), 3.0, 2e15, 1e9)
    assert 1e6 < epsilons[CLIPPED.key] < np.inf
    assert all(epsilon <= 1 for key, epsilon in epsilons.items() if key != CLIPPED.key)
    assert satisfied_epsilon(scales_at(p=100.0, **setting), 100.0, 2e15, 1e9)[CLIPPED.key] == np.inf
