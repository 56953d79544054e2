"""The errors of means of clipped values."""

import numpy as np
import pytest

from dpcore.clipping import (
    best_bounds,
    mean_error,
    sum_error,
)
from dpcore.clipping.noise import noise_of
from tests.clipping_cases import NUMBERS, SKEWED, delta_of


def test_a_mean_of_a_public_number_is_the_sum_over_it():
    total, mean = sum_error(SKEWED, 0, 60, 1.0), mean_error(SKEWED, 0, 60, 1.0)
    assert mean.half_width * 400 == pytest.approx(total.half_width)
    assert mean.root_mean_square_error * 400 == pytest.approx(total.root_mean_square_error)
    assert mean.n_clipped == total.n_clipped


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_a_mean_whose_number_is_counted_has_the_simulated_error(noise):
    rng, draws = np.random.default_rng(2), 50_000
    error = mean_error(NUMBERS, 0, 900, 2.0, noise, delta=delta_of(noise, 1e-3), count_share=0.3)
    sums = noise_of(noise, np.array(1.4), 7e-4, np.array(450.0))
    counts = noise_of(noise, np.array(0.6), 3e-4, np.array(1.0))
    sample = rng.laplace if noise == "laplace" else rng.normal
    centred = np.sum(np.clip(NUMBERS, 0, 900) - 450) + sample(0, sums.scale, draws)
    release = 450 + centred / (1000 + sample(0, counts.scale, draws))
    errors = release - NUMBERS.mean()
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(error.root_mean_square_error, rel=0.02)
    assert np.mean(abs(errors)) <= error.mean_absolute_error * 1.01
    assert np.mean(abs(errors) > error.half_width) <= 0.051


@pytest.mark.parametrize("error", ["root_mean_square", "mean_absolute", "half_width"])
def test_no_bound_of_a_fine_grid_is_better_for_a_mean_whose_number_is_counted(error):
    best = best_bounds(SKEWED, 1.0, low=0, error=error, count_share=0.2)
    name = error if error == "half_width" else f"{error}_error"
    grid = mean_error(SKEWED, 0, np.arange(1.0, 500), 1.0, count_share=0.2)
    assert getattr(best, name) <= getattr(grid, name).min() * (1 + 1e-9)
    assert getattr(best, name) == pytest.approx(
        float(getattr(mean_error(SKEWED, 0, best.high, 1.0, count_share=0.2), name))
    )
    assert best.extreme_error / getattr(best, name) == pytest.approx(best.gain)
