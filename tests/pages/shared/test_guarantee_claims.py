"""The guarantees of releases together: what is proved, what is not, and the reason where no formula encloses δ."""

import math

import pytest

from dpcore import verify
from dpcore.composition import (
    basic_epsilon,
    epsilon,
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
    sampled_release,
    zcdp_release,
)
from pages.framework.layout import panels
from pages.framework.layout.section import Claim
from pages.framework.parameters.number_format import format_down, format_up
from pages.shared.guarantee_claims import basic_claim, exact_claim, sum_of_epsilons

DELTA = "1e-6"


def is_proved(claim: Claim) -> bool:
    (line,) = panels.proof_lines([claim], verify)
    return line.startswith("✓")


@pytest.mark.parametrize(
    ("releases", "total"),
    [
        ((geometric_release(0.1, 2, 100),), 10),
        ((geometric_release(0.1, 3), laplace_release(1.0, 2)), 2.1),
        ((guarantee_release(0.5, 1e-9, 4), laplace_release(0.25)), 2.25),
    ],
)
def test_the_sum_of_the_epsilons_of_pure_noise_is_proved_and_a_much_smaller_one_is_not(releases, total):
    assert sum_of_epsilons(releases) == pytest.approx(total)
    assert is_proved(basic_claim("δ", releases, format_up(total), DELTA))
    assert not is_proved(basic_claim("δ", releases, format_down(total / 3), DELTA))


def test_of_a_guarantee_its_own_delta_counts():
    releases = (guarantee_release(0.5, 1e-7, 20),)
    assert float(basic_epsilon(0.5, 20)) == sum_of_epsilons(releases)
    assert not is_proved(basic_claim("δ", releases, "10", DELTA))
    assert is_proved(basic_claim("δ", releases, "10", "2.1e-6"))


@pytest.mark.parametrize(
    "releases",
    [
        (gaussian_release(4.0, 3), guarantee_release(0.5, 0.0, 2)),
        (gaussian_release(4.0), gaussian_release(7.0, 5)),
        (guarantee_release(0.1, 0.0, 100),),
        (laplace_release(0.5),),
    ],
)
def test_the_exact_epsilon_is_proved_and_a_percent_less_is_not(releases):
    value = float(epsilon(releases, 1e-6).value)
    assert is_proved(exact_claim("δ", releases, format_up(value), DELTA))
    assert not is_proved(exact_claim("δ", releases, format_down(0.99 * value), DELTA))


def test_what_no_formula_encloses_has_its_reason():
    mixed = laplace_release(0.5), gaussian_release(4.0)
    assert "no closed formula" in exact_claim("δ", mixed, "3", DELTA).reason
    assert "only a bound" in exact_claim("δ", (zcdp_release(0.1),), "3", DELTA).reason
    trained = (sampled_release(1.0, 0.01),)
    assert "root finder" in basic_claim("δ", trained, "3", DELTA).reason
    assert sum_of_epsilons(trained) == math.inf
