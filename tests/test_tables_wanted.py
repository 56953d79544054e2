"""The noise of the least ε that reaches a wanted error."""

import numpy as np
import pytest

from dpcore import tables
from dpcore.calibrations import GEOMETRIC
from dpcore.mechanism import of_half_width as of_rule
from dpcore.sensitivity import table_sensitivity


@pytest.mark.parametrize("person", [table_sensitivity(1), table_sensitivity(2), table_sensitivity(1, 4.0)])
@pytest.mark.parametrize("accuracy", [0.0, 2.5, 20.0])
def test_the_noise_reaches_the_error_and_noise_of_a_smaller_epsilon_does_not(person, accuracy):
    noise = tables.of_half_width("truncated_geometric", accuracy, 0.05, 1e-4, person)
    assert noise is not None
    assert noise.half_width(0.05) <= accuracy
    (weaker,) = tables.mechanisms(noise.epsilon * (1 - 1e-6), 1e-4, person, keys=("truncated_geometric",))
    assert weaker.half_width(0.05) > accuracy


def test_the_noise_is_that_of_the_calibration_where_both_are_known():
    noise = tables.of_half_width("geometric", 7.0, 0.05, 1e-6, table_sensitivity(1))
    assert noise is not None
    assert noise.epsilon == pytest.approx(of_rule(GEOMETRIC, 7.0, 0.05, 0.0).epsilon, rel=1e-9)


def test_there_is_no_noise_where_none_is_available_or_none_reaches_the_error():
    assert tables.of_half_width("truncated_geometric", 3.0, 0.05, 1e-6, table_sensitivity(1, 0.5)) is None
    assert tables.of_half_width("laplace", 0.0, 0.05, 1e-6, table_sensitivity(1)) is None


def test_bad_input_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match=r"^accuracy must be in \[0, 1e100\], got -1$"):
        tables.of_half_width("geometric", -1.0, 0.05, 1e-6, table_sensitivity(1))
    with pytest.raises(ValueError, match=f"^key must be in {', '.join(tables.KEYS)}, got 'uniform'$"):
        tables.of_half_width("uniform", np.float64(1), 0.05, 1e-6, table_sensitivity(1))
