import re

import pytest

from dpcore.composition import (
    Release,
    discrete_gaussian_release,
    exponential_release,
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
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
