"""What holds of every noise: its functions agree with its density, and its scale gives the guarantee that it names.

A noise is tested here as soon as it is in `FAMILIES`, and the toy noise of docs/recipes.md is too.
"""

import numpy as np
import pytest

from dpcore.calibrations import PURE_DP
from dpcore.checks import Array
from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution, calibrated
from tests.new_noise import FAMILY

EPSILON, DELTA, SENSITIVITY = 0.7, 0.02, 2.0
KEYS = (*FAMILIES, FAMILY.key)


@pytest.fixture(autouse=True)
def _with_the_toy(monkeypatch):
    monkeypatch.setitem(FAMILIES, FAMILY.key, FAMILY)


def noise_of(key: str) -> NoiseDistribution:
    calibration = FAMILIES[key].calibration
    shape = (3.0,) if calibration.norm == "lp" else ()
    return calibrated(calibration, EPSILON, DELTA, *shape, SENSITIVITY)


def weights_of(key: str) -> tuple[Array, Array]:
    """Return values of the noise, at steps of which the sensitivity has a whole number, and their probabilities."""
    noise, functions = noise_of(key), FAMILIES[key].functions
    step = 1.0 if noise.whole else SENSITIVITY / 4096
    n_steps = np.ceil(noise.half_width(1e-12) / step)
    values = step * (np.arange(-n_steps, n_steps + 1) if noise.whole else np.arange(-n_steps, n_steps) + 0.5)
    density = functions.pmf if noise.whole else functions.pdf
    return values, step * density(values, *noise.parameters)


@pytest.mark.parametrize("key", KEYS)
def test_a_noise_has_every_function(key):
    functions, density = FAMILIES[key].functions, "pmf" if FAMILIES[key].whole else "pdf"
    wanted = (density, "tail", "half_width", "variance", "mean_absolute_error", "sample")
    missing = [name for name in wanted if name not in functions.__all__]
    assert not missing, f"{functions.__name__}, the module of noise '{key}', has no {', '.join(missing)} in its __all__"


@pytest.mark.parametrize("key", KEYS)
def test_the_errors_of_a_noise_are_those_of_its_density(key):
    noise, (values, weights) = noise_of(key), weights_of(key)
    assert weights.sum() == pytest.approx(1, rel=1e-3)
    assert np.sum(weights * values**2) == pytest.approx(noise.variance, rel=2e-3)
    assert np.sum(weights * abs(values)) == pytest.approx(noise.mean_absolute_error, rel=2e-3)
    for significance in (0.5, 0.05, 0.001):
        width = noise.half_width(significance)
        below = width - 1 if noise.whole else width * (1 - 1e-6)
        assert noise.tail(width) <= significance * (1 + 1e-12) <= noise.tail(below) * (1 + 1e-12)
        assert np.sum(weights[abs(values) > width]) == pytest.approx(noise.tail(width), rel=2e-2)


@pytest.mark.parametrize("key", KEYS)
def test_draws_of_a_noise_are_as_large_as_its_density_says(key):
    noise = noise_of(key)
    draws = noise.sample(np.random.default_rng(1), 40_000)
    assert abs(draws.mean()) < 5 * noise.deviation / 200
    assert abs(draws).mean() == pytest.approx(noise.mean_absolute_error, abs=5 * noise.deviation / 200)


def delta_of(key: str, epsilon: float) -> float:
    """Return Pr(noise in S) − e^ε Pr(noise + Δ in S) at the worst S."""
    values, weights = weights_of(key)
    moved = np.zeros(round(SENSITIVITY / (values[1] - values[0])))
    here, there = np.append(weights, moved), np.append(moved, weights)
    return max(np.maximum(one - np.exp(epsilon) * other, 0).sum() for one, other in ((here, there), (there, here)))


@pytest.mark.parametrize("key", KEYS)
def test_the_scale_of_a_noise_gives_the_guarantee_of_its_calibration_and_no_other(key):
    delta = 0.0 if FAMILIES[key].calibration.guarantee == PURE_DP else DELTA
    assert delta_of(key, EPSILON) <= delta + 3e-5
    assert delta_of(key, 0.8 * EPSILON) > delta + 3e-5


@pytest.mark.parametrize("key", [key for key in KEYS if not getattr(FAMILIES.get(key), "truncated", False)])
def test_the_true_delta_of_a_noise_is_that_of_its_density(key):
    noise, less = noise_of(key), 0.6 * EPSILON
    arguments = (*noise.parameters[1:], SENSITIVITY) if FAMILIES[key].calibration.norm == "lp" else (SENSITIVITY,)
    true = FAMILIES[key].calibration.true_delta(less, noise.scale, *arguments)
    assert delta_of(key, less) == pytest.approx(true, rel=1e-2)
