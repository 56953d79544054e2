"""What every function of staircase noise accepts and refuses."""

import re
from itertools import product

import numpy as np
import pytest

from dpcore.staircase import (
    cdf,
    delta_from_theta,
    epsilon_from_theta,
    half_width,
    mean_absolute_error,
    mean_error_gamma,
    pdf,
    sample,
    tail,
    theta_from_epsilon,
    variance,
    variance_gamma,
)

FUNCTIONS = {
    variance_gamma: (1.0,),
    mean_error_gamma: (1.0,),
    theta_from_epsilon: (1.0, 1e-6),
    delta_from_theta: (1.0, 2.0, 0.4),
    epsilon_from_theta: (1e-6, 2.0, 0.4),
    pdf: (0.2, 2.0, 0.4, 1.0),
    cdf: (0.2, 2.0, 0.4, 1.0),
    tail: (0.2, 2.0, 0.4, 1.0),
    half_width: (0.2, 2.0, 0.4, 1.0),
    variance: (2.0, 0.4, 1.0),
    mean_absolute_error: (2.0, 0.4, 1.0),
}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arguments_broadcast_and_scalars_give_scalars(function):
    arguments = FUNCTIONS[function]
    value = function(*arguments)
    assert np.ndim(value) == 0
    for i, argument in enumerate(arguments):
        several = function(*arguments[:i], np.full((2, 1, 3), argument), *arguments[i + 1 :])
        assert several.shape == (2, 1, 3)
        assert several == pytest.approx(np.full((2, 1, 3), value), rel=1e-12, abs=0)
    assert function(*[np.zeros((0, 2))] * len(arguments)).shape == (0, 2)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_an_argument_that_is_not_a_number_is_refused(function):
    arguments = FUNCTIONS[function]
    for i, bad in product(range(len(arguments)), [np.nan, -np.inf, np.inf, "1", True, None]):
        with pytest.raises(ValueError, match="must be in"):
            function(*arguments[:i], bad, *arguments[i + 1 :])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: variance_gamma(0), "theta must be in [1e-12, 2e6], got 0"),
        (lambda: mean_error_gamma(3e6), "theta must be in [1e-12, 2e6], got 3000000"),
        (lambda: variance(1, 1e-301), "gamma must be in [1e-300, 1], or 0, got 1e-301"),
        (lambda: variance(1, 1.5), "gamma must be in [0, 1], got 1.5"),
        (lambda: variance(1, 0.5, 1e151), "sensitivity must be in [1e-300, 1e150 min(theta, 1)], got 1e+151"),
        (
            lambda: half_width(0.1, [1, 1e-2], 0.5, 1e299),
            "sensitivity must be in [1e-300, 1e300 min(theta, 1)], got 1e+299",
        ),
        (lambda: tail(1, 1, 0.5, 0), "sensitivity must be in [1e-300, 1e300], got 0"),
        (lambda: tail(-1, 1, 0.5), "t must be in [0, 1e300], got -1"),
        (lambda: pdf(1e301, 1, 0.5), "x must be in [-1e300, 1e300], got 1e+301"),
        (lambda: half_width(0, 1, 0.5), "significance must be in [1e-300, 1), got 0"),
        (lambda: delta_from_theta(-1, 1, 0.5), "epsilon must be in [0, 1e6], got -1"),
        (lambda: epsilon_from_theta(1, 1, 0.5), "delta must be in [0, 1), got 1"),
        (lambda: theta_from_epsilon(0), "epsilon must be in [1e-12, 1e6] where delta < 1e-12, got 0"),
        (
            lambda: theta_from_epsilon([1, 1e-13], 1e-13),
            "epsilon must be in [1e-12, 1e6] where delta < 1e-12, got 1e-13",
        ),
        (lambda: theta_from_epsilon(1, 0, "median"), "objective must be in variance, mean_error, got 'median'"),
        (
            lambda: sample(np.random.default_rng(), 1e-9, 0.5, 1e292),
            "sensitivity must be in [1e-300, 1e300 min(theta, 1)]",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        call()
