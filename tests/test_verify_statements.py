"""Enclosures of tails, of what attacks catch and of releases together: that they hold the truth, and prove it."""

import itertools
import math
import re
from decimal import Decimal
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore import composition, discrete_gaussian, gaussian, generalized_gaussian, geometric, laplace, tradeoff, verify
from dpcore.verify.formulas import Enclosure

TAILS = {
    "gaussian": (verify.gaussian_tail, gaussian.tail),
    "laplace": (verify.laplace_tail, laplace.tail),
    "geometric": (verify.geometric_tail, geometric.tail),
    "discrete gaussian": (verify.discrete_gaussian_tail, discrete_gaussian.tail),
    "generalized gaussian": (
        lambda a, b, n=1: verify.generalized_gaussian_tail(a, b, 3, n),
        lambda a, b: generalized_gaussian.tail(a, b, 3),
    ),
}
POWERS = {
    "gaussian": (verify.gaussian_power, lambda alpha, s: tradeoff.gaussian_power(alpha, 1 / s)),
    "laplace": (verify.laplace_power, tradeoff.laplace_power),
    "geometric": (
        lambda alpha, s, prior=None: verify.geometric_power(alpha, s, 3, prior),
        lambda alpha, s: tradeoff.geometric_power(alpha, 3 / s, 3),
    ),
    "guarantee": (verify.epsilon_delta_power, lambda alpha, e: tradeoff.epsilon_delta_power(alpha, e, 0)),
    "truncated laplace": (
        lambda alpha, e, prior=None: verify.truncated_laplace_power(alpha, e, 0.01, prior),
        lambda alpha, e: tradeoff.truncated_laplace_curve(e, 0.01).power(alpha),
    ),
    "truncated geometric": (
        lambda alpha, e, prior=None: verify.truncated_geometric_power(alpha, e, 9, 4, prior),
        lambda alpha, e: tradeoff.truncated_geometric_curve(e, 9, 4).power(alpha),
    ),
    "generalized gaussian": (
        lambda alpha, b, prior=None: verify.generalized_gaussian_power(alpha, b, 3, prior=prior),
        lambda alpha, b: tradeoff.generalized_gaussian_power(alpha, b, 3, 1),
    ),
}
MIXED = [("gaussian", (4,), 5), ("guarantee", (0.5, 1e-8), 3), ("laplace", (0.2,), 5), ("zcdp", (0.01,), 2)]
RELEASES = [
    composition.gaussian_release(4, 5),
    composition.guarantee_release(0.5, 1e-8, 3),
    composition.laplace_release(0.2, 5),
    composition.zcdp_release(0.01, 2),
]


def agrees(interval: Enclosure, value: float, rounding: float = 1e-11) -> bool:
    return interval.low * (1 - rounding) <= value <= interval.high * (1 + rounding)


@pytest.mark.parametrize(("enclosure", "tail"), TAILS.values(), ids=TAILS)
@pytest.mark.parametrize("scale", [0.3, 1.5, 40.0])
def test_the_tail_of_dpcore_is_in_the_enclosure_or_above_it_by_its_roundings(enclosure, tail, scale):
    for half_width in (0.0, 0.7 * scale, 3 * scale, 7.5 * scale):
        assert agrees(enclosure(half_width, scale), float(tail(half_width, scale)))


@pytest.mark.parametrize("enclosure", [row[0] for row in TAILS.values()], ids=TAILS)
def test_of_many_cells_one_is_beyond_as_often_as_not_all_are_within(enclosure):
    interval, many = enclosure(9.0, 1.5), enclosure(9.0, 1.5, 64)
    with mpmath.workdps(200):
        assert agrees(many, float(1 - (1 - mpmath.mpf(interval.low)) ** 64), 1e-14)


@pytest.mark.parametrize(("enclosure", "power"), POWERS.values(), ids=POWERS)
@pytest.mark.parametrize("number", [0.2, 1.0, 4.225])
def test_the_power_of_dpcore_is_in_the_enclosure_or_above_it_by_its_roundings(enclosure, power, number):
    for alpha in (1e-300, 1e-9, 0.01, 0.3, 0.5, 0.97):
        assert agrees(enclosure(alpha, number), float(power(alpha, number)), 1e-9)


@pytest.mark.parametrize("enclosure", [row[0] for row in POWERS.values()], ids=POWERS)
def test_the_posterior_after_a_positive_test_is_that_of_bayes_rule(enclosure):
    caught = enclosure(0.05, 1.0)
    assert agrees(enclosure(0.05, 1.0, prior=0.1), float(tradeoff.posterior(0.05, caught.low, 0.1)), 1e-14)
    assert agrees(enclosure(1.0, 1.0, prior=0.1), 0.1)
    assert enclosure(1.0, 1.0) == Enclosure(1.0, 1.0, 128)


@pytest.mark.parametrize("enclosure", [POWERS[key][0] for key in ("gaussian", "laplace", "generalized gaussian")])
def test_no_test_of_noise_is_positive_without_a_false_positive(enclosure):
    assert enclosure(0.0, 1e-3) == Enclosure(0.0, 0.0, 128)
    assert enclosure(0.0, 1e-3, prior=0.1) == Enclosure(0.0, 0.0, 128)


def test_a_guarantee_with_a_delta_may_leave_no_doubt():
    assert verify.epsilon_delta_power(0.0, 1, 1e-6).low == 1e-6
    assert verify.epsilon_delta_power(0.0, 1, 1e-6, prior=0.1).high == 1


def test_gaussian_noise_that_is_released_often_has_the_power_of_less_noise():
    assert verify.gaussian_power(0.05, 3, 1, 9) == verify.gaussian_power(0.05, 1)
    assert verify.gaussian_power(0.05, 2, 2) == verify.gaussian_power(0.05, 1)


def test_guarantees_together_have_the_delta_of_all_outcomes_of_their_randomised_responses():
    epsilon, kinds = 0.4, [(0.3, 2), (0.7, 1), (0.3, 1)]
    with mpmath.workdps(40):
        losses = [mpmath.mpf(loss) for loss, count in kinds for _ in range(count)]
        truth = lie = mpmath.mpf(0)
        for signs in itertools.product((1, -1), repeat=len(losses)):
            weight = mpmath.fprod(1 / (1 + mpmath.exp(-s * e)) for s, e in zip(signs, losses, strict=True))
            loss = mpmath.fsum(s * e for s, e in zip(signs, losses, strict=True))
            truth += weight * max(1 - mpmath.exp(epsilon - loss), 0)
            lie += weight
        assert abs(lie - 1) < 1e-30
    interval = verify.composition_delta(epsilon, [("guarantee", (loss, 0), count) for loss, count in kinds])
    assert agrees(interval, float(truth), 1e-15)


@pytest.mark.parametrize(("epsilon", "broken"), [(0.1, 0.0), (0.1, 1e-9), (0.0, 1e-3)])
def test_one_guarantee_composed_many_times_has_the_delta_of_dpcore(epsilon, broken):
    for total in (0.0, 1.0, 4.5):
        interval = verify.composition_delta(total, [("guarantee", (epsilon, broken), 100)])
        assert agrees(interval, float(composition.optimal_delta(total, epsilon, 100, broken)), 1e-9)


def test_gaussians_beside_guarantees_have_the_delta_of_the_contour_integral():
    parts = [("gaussian", (4,), 5), ("gaussian", (9,), 2), ("guarantee", (0.5, 1e-8), 3)]
    releases = [composition.gaussian_release(9, 2), *RELEASES[:2]]
    for epsilon in (0.0, 2.0, 5.0):
        assert agrees(verify.composition_delta(epsilon, parts), float(composition.exact_delta(releases, epsilon).value))
    alone = verify.composition_delta(1, [("gaussian", (20,), 10), ("gaussian", (40,), 40)])
    assert alone.low == pytest.approx(verify.gaussian_delta(1, 20**0.5).low, rel=1e-14)


def test_guarantees_add_up_to_an_epsilon_without_delta_to_the_last_decimal():
    parts = [("guarantee", (Decimal("0.1"), 0), 3), ("guarantee", (Decimal("0.7"), 0), 1)]
    assert verify.composition_delta(Decimal(1), parts).high == 0
    assert verify.composition_delta(Decimal("0.9999"), parts).low > 0


def test_the_epsilon_of_rdp_is_proved_at_its_order_and_less_of_it_is_not():
    for releases, parts in ((RELEASES, MIXED), (RELEASES[:1], MIXED[:1]), (RELEASES[2:], MIXED[2:])):
        bound = composition.rdp_epsilon(releases, 1e-6)
        epsilon, order = float(bound.value), float(bound.order)
        assert verify.proved(verify.renyi_delta(epsilon * (1 + 1e-12), order, parts), 1e-6)
        assert verify.renyi_delta(epsilon * (1 - 1e-9), order, parts).low > 1e-6


def test_no_order_gives_less_than_the_true_delta():
    parts = MIXED[:2]
    true = verify.composition_delta(3.0, parts).low
    for order in (1.001, 1.5, 4.0, 9.0, 60.0, 1e4):
        assert verify.renyi_delta(3.0, order, parts).high >= true
    assert verify.renyi_delta(0.0, 100.0, parts) == Enclosure(1.0, 1.0, 128)  # a bound above 1 says nothing


@pytest.mark.parametrize(
    ("enclosure", "arguments"),
    [
        (verify.laplace_delta, ("0.1", "11", "1.1")),
        (verify.geometric_delta, ("0.7", "10", 7)),
        (verify.staircase_delta, ("0.1", "0.1", "0.5")),
        (lambda e, b, moved: verify.generalized_gaussian_delta(e, b, 1, moved), ("0.1", "11", "1.1")),
    ],
)
def test_a_decimal_is_read_exactly(enclosure, arguments):
    exact = [Decimal(argument) if isinstance(argument, str) else argument for argument in arguments]
    assert enclosure(*exact) == Enclosure(0.0, 0.0, 128)
    assert enclosure(exact[0] - Decimal("1e-20"), *exact[1:]).high > 0
    assert verify.proved(Enclosure(0.0, 0.1, 128), 0.1)
    assert not verify.proved(Enclosure(0.0, 0.1, 128), Decimal("0.1"))  # the double is more than a tenth


def test_decimals_and_doubles_that_are_near_have_profiles_that_are_near():
    cases: list[tuple[Any, tuple[Any, ...]]] = [
        (verify.gaussian_delta, ("1.1", "4.2", "1.3")),
        (verify.geometric_delta, ("0.3", "1.7", 3)),
        (verify.discrete_gaussian_delta, ("0.3", "4.1", 2)),
        (verify.generalized_gaussian_pdp_delta, ("1.1", "4.2", "2.3")),
    ]
    for enclosure, arguments in cases:
        exact = enclosure(*(Decimal(argument) if isinstance(argument, str) else argument for argument in arguments))
        near = enclosure(*(float(argument) if isinstance(argument, str) else argument for argument in arguments))
        assert exact.low == pytest.approx(near.low, rel=1e-13)


def test_the_sentence_names_a_decimal_as_it_is():
    sentence = verify.sentence("δ", Enclosure(0.1, 0.1, 128), Decimal("0.12345678901234567890123"))
    assert sentence == "δ lies in [0.1, 0.101], at most 0.12345678901234567890123: proved."


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: verify.gaussian_tail(-1, 1), "half_width must be in [0, inf), got -1"),
        (lambda: verify.laplace_tail(1, 0), "scale must be in (0, inf), got 0"),
        (lambda: verify.geometric_tail(1, 1, 0), "n_cells must be in [1, 1e15], got 0"),
        (lambda: verify.discrete_gaussian_tail(1, 1e5), "sigma must be in [1e-4, 1e4], got 100000"),
        (lambda: verify.generalized_gaussian_tail(1, 1, 0.5), "p must be in [1, 100], got 0.5"),
        (lambda: verify.gaussian_power(2, 1), "alpha must be in [0, 1], got 2"),
        (lambda: verify.laplace_power(0.5, -1), "theta must be in [0, 1e6], got -1"),
        (lambda: verify.epsilon_delta_power(0.5, 1, 2), "delta must be in [0, 1], got 2"),
        (lambda: verify.gaussian_power(0.5, 1, prior=1), "prior must be in (0, 1), got 1"),
        (lambda: verify.composition_delta(1, [("laplace", (1,), 1)]), "kind must be"),
        (lambda: verify.composition_delta(1, [("gaussian", (0,), 1)]), "noise multiplier must be in [1e-6, 1e15]"),
        (
            lambda: verify.composition_delta(1, [("guarantee", (1, 0), 2000)]),
            "the outcomes of all guarantees must be in [1, 2000], got 2001",
        ),
        (
            lambda: verify.composition_delta(1, [("guarantee", (1 + 0.1 * i, 0), 10**15) for i in range(25)]),
            "the outcomes of all guarantees must be in [1, 2000], got inf",
        ),
        (lambda: verify.renyi_delta(1, 1, MIXED), "order must be in [1.00001, 1e9], got 1"),
        (lambda: verify.laplace_delta(Decimal("NaN"), 1), "epsilon must be in [0, 1e6], got nan"),
        (lambda: verify.laplace_delta(Decimal("1e400"), 1), "epsilon must be in [0, 1e6], got inf"),
        (
            lambda: verify.generalized_gaussian_delta(1, 1e-300, 2, 1e300),
            "sensitivity / scale must be in (0, 1e6], got inf",
        ),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()


def test_tails_that_no_double_holds_are_at_most_the_least_one():
    assert verify.gaussian_tail(1e300, 1).high == math.ulp(0.0)
    assert verify.laplace_tail(np.float64(0), 1) == Enclosure(1.0, 1.0, 128)


def test_a_false_positive_rate_of_zero_allows_no_true_positives():
    assert verify.geometric_power(0, 5, 5).high == 0
