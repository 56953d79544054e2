import doctest
import math
from decimal import Decimal

import numpy as np
import pytest

from pages.framework.export import exhibit_files
from pages.framework.parameters import number_format


@pytest.mark.parametrize("module", [number_format, exhibit_files])
def test_the_examples_of_the_docstrings_hold(module):
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


def value(text: str) -> Decimal:
    return Decimal(text.replace(",", "").replace("−", "-"))


def test_a_shown_number_is_on_the_safe_side_and_within_one_of_its_last_digit():
    rng = np.random.default_rng(5)
    for number in np.concatenate([10 ** rng.uniform(-300, 307, 2000), 10 ** rng.uniform(-4, 7, 2000)]):
        exact = Decimal(float(number))
        step = Decimal(10) ** (exact.adjusted() - 3)
        tie = exact * Decimal(2) ** -52  # the shortest decimal that means this double stands for it
        assert exact - tie <= value(number_format.format_up(number)) <= exact + step + tie
        assert exact - step - tie <= value(number_format.format_down(number)) <= exact + tie


def test_a_number_that_was_entered_is_shown_as_entered():
    for entry in ("1", "0.1", "0.3", "1e-6", "2.5e-7", "0.05", "12.34", "0.001", "1e-300", "5e-324"):
        assert (
            number_format.format_up(float(entry))
            == number_format.format_down(float(entry))
            == number_format.format_nearest(float(entry))
            == entry
        )


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.99999, "1"),
        (9.9999e-5, "1e-4"),
        (999999.5, "1e6"),
        (1234.0, "1,234"),
        (10385.4, "10,390"),
        (0.0, "0"),
        (math.inf, "above 1.8e308"),
    ],
)
def test_a_number_that_gains_a_digit_by_rounding_keeps_its_form(number, text):
    assert number_format.format_up(number) == text


def test_a_negative_number_has_a_true_minus_sign():
    assert number_format.format_nearest(-1234.5) == "−1,234"
    assert number_format.format_up(-2.0e-9) == "−2e-9"
