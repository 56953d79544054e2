"""Enclosures of the profiles: that they hold the truth, agree with dpcore, and prove or refute what it guarantees."""

import importlib
import re
import sys

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from dpcore import composition, discrete_gaussian, gaussian, generalized_gaussian, geometric, laplace, staircase, verify
from dpcore.verify import formulas
from dpcore.verify.formulas import Enclosure
from tests.oracle import mpmath_delta, random_pairs

N = 40


def least_staircase(epsilon, delta):
    """θ and γ of the least staircase noise of a guarantee."""
    theta = float(staircase.theta_from_epsilon(epsilon, delta))
    return theta, float(staircase.variance_gamma(theta))


FAMILIES = {
    "gaussian": (verify.gaussian_delta, gaussian.delta_from_sigma, gaussian.analytic_sigma),
    "gaussian pdp": (verify.gaussian_pdp_delta, gaussian.pdp_delta_from_sigma, gaussian.exact_pdp_sigma),
    "laplace": (verify.laplace_delta, laplace.delta_from_scale, laplace.scale_from_epsilon),
    "geometric": (verify.geometric_delta, geometric.delta_from_scale, geometric.scale_from_epsilon),
}
"""Of one scale: the enclosure, the profile of dpcore, and its least scale."""


def guarantees(seed, least_epsilon=1e-12, least_delta=1e-300):
    epsilon, delta = random_pairs(N, seed)
    return zip(np.maximum(epsilon, least_epsilon).tolist(), np.maximum(delta, least_delta).tolist(), strict=True)


@pytest.mark.parametrize(("enclosure", "profile", "least"), FAMILIES.values(), ids=FAMILIES)
def test_the_delta_of_dpcore_is_in_the_enclosure_or_above_it_by_its_roundings(enclosure, profile, least):
    rng = np.random.default_rng(1)
    for epsilon, delta in guarantees(seed=2):
        scale, moved = float(least(epsilon, delta)), float(rng.integers(1, 50))
        scale *= moved * 10 ** rng.uniform(-0.3, 0.02)
        interval, computed = enclosure(epsilon, scale, moved), float(profile(epsilon, scale, moved))
        assert interval.low <= computed
        assert computed <= interval.high * (1 + 2e-14) + 1e-299
        assert interval.bits < formulas.MOST_BITS


@pytest.mark.parametrize(("enclosure", "profile", "least"), FAMILIES.values(), ids=FAMILIES)
def test_the_least_scale_of_a_guarantee_is_proved_to_keep_it(enclosure, profile, least):
    for epsilon, delta in guarantees(seed=3):
        assert verify.proved(enclosure(epsilon, float(least(epsilon, delta))), delta)


@pytest.mark.parametrize(("enclosure", "profile", "least"), FAMILIES.values(), ids=FAMILIES)
def test_a_scale_smaller_by_1e_9_than_a_guarantee_needs_is_refuted(enclosure, profile, least):
    for epsilon, delta in ((0.01, 1e-3), (1.0, 1e-6), (1.0, 0.4), (5.0, 1e-12)):
        interval = enclosure(epsilon, float(least(epsilon, delta)) * (1 - 1e-9))
        assert interval.low > delta
        assert not verify.proved(interval, delta)


def test_the_enclosure_of_a_gaussian_holds_what_mpmath_finds():
    for epsilon, sigma in ((1.0, 4.225), (0.0, 1e5), (1e-9, 1e9), (30.0, 0.2), (1e6, 1e-3)):
        with mpmath.workdps(60):
            for interval, sign in (
                (verify.gaussian_delta(epsilon, sigma), -1),
                (verify.gaussian_pdp_delta(epsilon, sigma), 1),
            ):
                assert interval.low <= mpmath_delta(epsilon, sigma, sign) <= interval.high
    assert verify.gaussian_delta(1.0, 4.225).low == pytest.approx(9.984363811597e-7, rel=1e-12)


def test_gaussian_releases_together_are_one_of_the_root_of_the_sum_of_squares():
    together = verify.composition_delta(1, [("gaussian", (3,), 9), ("gaussian", (2,), 16)])
    interval = verify.gaussian_delta(1, sigma=5, l2_sensitivity=5 * 5**0.5)
    assert together.low == pytest.approx(interval.low, rel=1e-14)
    hundred = verify.composition_delta(1, [("gaussian", (20,), 100)])
    assert hundred.low == pytest.approx(verify.gaussian_delta(1, 2).low, rel=1e-14)


def test_the_staircase_of_a_guarantee_is_proved_and_less_of_it_refuted():
    for epsilon, delta in guarantees(seed=4, least_delta=1e-90):
        theta, gamma = least_staircase(epsilon, delta)
        interval, computed = (
            verify.staircase_delta(epsilon, theta, gamma),
            float(staircase.delta_from_theta(epsilon, theta, gamma)),
        )
        assert interval.low <= computed <= interval.high * (1 + 1e-14)
        assert verify.proved(interval, max(delta, computed))
    theta, gamma = least_staircase(1.0, 1e-6)
    assert verify.proved(verify.staircase_delta(1.0, theta, gamma), 1e-6)
    assert verify.staircase_delta(1.0, theta * (1 + 1e-9), gamma).low > 1e-6


SHAPED = {
    "dp": (
        verify.generalized_gaussian_delta,
        generalized_gaussian.delta_from_scale,
        generalized_gaussian.adp_scale,
    ),
    "pdp": (
        verify.generalized_gaussian_pdp_delta,
        generalized_gaussian.pdp_delta_from_scale,
        generalized_gaussian.exact_pdp_scale,
    ),
}


@pytest.mark.parametrize(("enclosure", "profile", "least"), SHAPED.values(), ids=SHAPED)
def test_generalized_gaussian_noise_of_a_guarantee_is_proved_and_less_of_it_refuted(enclosure, profile, least):
    rng = np.random.default_rng(5)
    for epsilon, delta in guarantees(seed=5, least_epsilon=1e-9):
        p = float(rng.choice([1, 1.0001, 1.5, 2, 3, 17, 100]))
        scale = float(least(epsilon, delta, p))
        interval = enclosure(epsilon, scale, p)
        assert verify.proved(interval, delta)
        assert interval.low <= float(profile(epsilon, min(scale, 1e12), p))  # which ends there
    interval = enclosure(1.0, float(least(1.0, 1e-6, 3.0)) * (1 - 1e-9), 3.0)
    assert interval.low > 1e-6


def test_generalized_gaussian_noise_has_the_enclosures_of_its_special_cases():
    for epsilon, moved in ((0.5, 1.0), (0.0, 3.0), (2.0, 1.0), (0.3, 1e-3)):
        shaped, plain = (
            verify.generalized_gaussian_delta(epsilon, 1.0, 1.0, moved),
            verify.laplace_delta(epsilon, 1.0, moved),
        )
        assert (shaped.low, shaped.high) == (plain.low, plain.high)
        interval = verify.gaussian_delta(epsilon, 1.0, moved)
        shaped = verify.generalized_gaussian_delta(epsilon, 2**0.5, 2.0, moved)  # √2 is not quite the root of 2
        assert shaped.low == pytest.approx(interval.low, rel=1e-12, abs=0)
    assert verify.generalized_gaussian_pdp_delta(2.0, 1.0, 1.0, 1.0) == Enclosure(0.0, 0.0, 128)


def test_noise_whose_loss_is_epsilon_just_where_the_density_peaks_is_enclosed():
    interval = verify.generalized_gaussian_delta(1.0, 1.0, 3.0)  # u = 0, about which no interval has one sign
    assert interval.low <= float(generalized_gaussian.delta_from_scale(1.0, 1.0, 3.0)) <= interval.high * (1 + 1e-12)
    assert interval.bits < formulas.MOST_BITS


def test_a_loss_reached_only_far_out_is_distinguished_from_one_that_may_be_reached():
    far, s, p = arb(4004), arb(1), arb(2)  # 2us + s² is 4004 at u = 2001.5
    assert formulas.crossing(far, s, p) > 2000
    assert formulas.shaped(far, s, p) < 1e-300
    assert abs(formulas.crossing(far - 40, s, p) - 1981.5) < 1e-9
    with ctx.workprec(8):
        assert formulas.crossing(far + arb(0, 1), s, p).is_nan()
        assert formulas.shaped(far + arb(0, 1), s, p).is_nan()


def test_a_root_lies_in_its_interval():
    root = formulas.root(lambda x: x * x - 2, arb(0), arb(7))
    with ctx.workprec(200):
        assert root.contains(arb(2).sqrt())
    assert root.rad() < 1e-12


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.1), (-0.1, 0.0), (-0.1, 0.1)])
def test_a_tail_about_the_middle_holds_the_tails_of_all_its_points(low, high):
    tail, p = formulas.shaped_tail(arb(low).union(arb(high)), arb(3)), arb(3)
    assert all(tail.overlaps(formulas.shaped_tail(arb(x), p)) for x in (low, low / 3, high / 2, high))
    assert tail.rad() < 0.1


@pytest.mark.parametrize(("epsilon", "sigma"), [(0.3, 4.0), (2.0, 1.1), (8.0, 0.5), (0.0, 2.0)])
def test_discrete_gaussian_noise_in_two_sums_has_the_delta_of_its_probabilities(epsilon, sigma):
    """Of all moves of squared length 5: (2, 1) by the probabilities of two sums, and five ones by convolution."""
    y = np.arange(-60, 61)
    mass = np.exp(-(y**2) / (2 * sigma**2)) / np.exp(-(y**2) / (2 * sigma**2)).sum()
    both = np.multiply.outer(mass, mass)
    deltas = [np.maximum(both - np.exp(epsilon) * np.roll(both, (2, 1), (0, 1)), 0).sum()]
    law, step = mass, mass
    for _ in range(4):
        law = np.convolve(law, step)
    loss = (5 + 2 * (np.arange(law.size) - law.size // 2)) / (2 * sigma**2)
    deltas.append((law * (1 - np.exp(np.minimum(epsilon - loss, 0)))).sum())
    interval = verify.discrete_gaussian_sums_delta(epsilon, sigma, 5)
    assert max(deltas) == pytest.approx(interval.high, rel=1e-11)
    assert interval.high - interval.low <= 1e-15 * interval.high


def test_discrete_gaussian_noise_in_several_sums_is_proved_and_less_of_it_refuted():
    """Narrow noise by the law of the sum, wide noise where it is flat; both as `discrete_gaussian` has it."""
    rng = np.random.default_rng(8)
    for squared in (1, 2, 3, 6, 11, 18, 30):
        for epsilon, delta in ((rng.uniform(0.05, 1), 1e-6), (rng.uniform(5, 20), 1e-4)):
            sigma = float(discrete_gaussian.sigma_from_delta(epsilon, delta, np.sqrt(squared)))
            interval = verify.discrete_gaussian_sums_delta(epsilon, sigma, squared)
            computed = float(discrete_gaussian.delta_from_sigma(epsilon, sigma, np.sqrt(squared)))
            assert interval.low <= computed <= interval.high * (1 + 2e-12)
            assert verify.proved(interval, delta)
            assert verify.discrete_gaussian_sums_delta(epsilon, sigma * (1 - 1e-9), squared).low > delta


@pytest.mark.parametrize("squared", [31, 64, 100_000])
def test_of_long_moves_the_delta_is_that_of_zcdp_and_never_below_that_of_even_moves(squared):
    epsilon, sigma = 0.7, float(np.sqrt(squared)) * 6
    high = verify.discrete_gaussian_sums_delta(epsilon, sigma, squared).high
    assert high == pytest.approx(float(composition.delta_from_rho(epsilon, 1 / 72)), rel=1e-9)
    assert float(discrete_gaussian.delta_from_sigma(epsilon, sigma, np.sqrt(squared), squared)) < high


def test_the_discrete_gaussian_of_a_guarantee_is_proved_and_less_of_it_refuted():
    for epsilon, delta, c in (
        (1.0, 1e-6, 1),
        (0.1, 1e-3, 3),
        (5.0, 1e-300, 1),
        (0.0, 0.3, 2),
        (20.0, 1e-4, 1),
        (0.5, 0.9, 5),
    ):
        sigma = float(discrete_gaussian.sigma_from_delta(epsilon, delta, c, n_moved=1))
        interval = verify.discrete_gaussian_delta(epsilon, sigma, c)
        computed = float(discrete_gaussian.delta_from_sigma(epsilon, sigma, c, n_moved=1))
        assert verify.proved(interval, delta)
        assert interval.low <= computed <= interval.high * (1 + 1e-10)
        assert verify.discrete_gaussian_delta(epsilon, sigma * (1 - 1e-9), c).low > delta


@pytest.mark.parametrize(
    ("enclosure", "arguments"),
    [
        (verify.gaussian_delta, (1e6, 1.0)),
        (verify.gaussian_delta, (0, 1e308, 1e-300)),
        (verify.generalized_gaussian_delta, (1e6, 1.0, 1.5)),
        (verify.discrete_gaussian_delta, (1e6, 1.0)),
    ],
)
def test_a_delta_below_every_double_is_proved_to_be_at_most_the_least_one(enclosure, arguments):
    interval = enclosure(*arguments)
    assert (interval.low, interval.high) == (0, 5e-324)
    assert verify.proved(interval, 1e-300)
    assert not verify.proved(interval, 0)


@pytest.mark.parametrize(
    ("enclosure", "arguments"),
    [
        (verify.gaussian_delta, (1e6, 1e-150)),
        (verify.geometric_delta, (0, 1e-7, 1e15)),
        (verify.laplace_delta, (1, 1e-150)),
        (verify.generalized_gaussian_delta, (1e6, 1e-6, 100)),
        (verify.discrete_gaussian_delta, (1e6, 1e-4)),
    ],
)
def test_a_delta_that_is_all_but_1_is_not_proved_to_be_less(enclosure, arguments):
    interval = enclosure(*arguments)
    assert (interval.low, interval.high) == (1 - 2**-53, 1)
    assert verify.proved(interval, 1)
    assert not verify.proved(interval, 1 - 2**-53)


def test_a_claim_undecided_at_the_most_bits_says_so():
    wide = formulas.enclosed(formulas.gaussian, 0.0, 1e-200, most_bits=256)
    assert wide.low == 0 < wide.high < 1e-30
    assert verify.sentence("δ", wide, 1e-90).endswith(", at most 1e-90: not decided at 256 bits.")
    unknown = formulas.enclosed(lambda x: arb("nan"), 1.0)
    assert unknown == Enclosure(0.0, 1.0, formulas.MOST_BITS)


def test_the_ends_are_rounded_outwards():
    with ctx.workprec(128):
        values = arb(1) / 3, arb(2) / 3, arb(10) ** -310, 1 - arb(2) ** -60, arb("0.3 +/- 1e-20")
    for value in values:
        interval = formulas.enclosed(lambda x, value=value: value * x, 1.0, most_bits=128)
        assert arb(interval.low) <= value.lower()
        assert value.upper() <= arb(interval.high)
        assert interval.high <= np.nextafter(interval.low, 1)


@pytest.mark.parametrize(
    ("low", "high", "delta", "sentence"),
    [
        (9.984e-7, 9.985e-7, 1e-6, "[9.98e-7, 9.99e-7], at most 1e-6: proved."),
        (9.9999e-7, 9.9999e-7, 1e-6, "[9.99e-7, 1e-6], at most 1e-6: proved."),
        (1.23449e-6, 1.23449e-6, 1.2345e-6, "[1.2344e-6, 1.2345e-6], at most 1.2345e-6: proved."),
        (1.000001e-6, 1.000001e-6, 1e-6, "[1.0000009e-6, 1.000001e-6], above 1e-6: refuted."),
        (0.1, 0.1, 0.1, "[0.1, 0.1], at most 0.1: proved."),
        (0.1, np.nextafter(0.1, 1), 0.1, "[0.1, 0.101], at most 0.1: not decided at 128 bits."),
        (0.0, 0.0, 0.0, "[0, 0], at most 0: proved."),
        (0.25, 0.5, 1.0, "[0.25, 0.5], at most 1: proved."),
    ],
)
def test_the_sentence_rounds_outwards_and_shows_the_digits_that_its_verdict_takes(low, high, delta, sentence):
    assert verify.sentence("δ(1)", Enclosure(low, high, 128), delta) == f"δ(1) lies in {sentence}"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: verify.gaussian_delta(-1, 1), "epsilon must be in [0, 1e6], got -1"),
        (lambda: verify.gaussian_delta(1, 0), "sigma must be in (0, inf), got 0"),
        (
            lambda: verify.geometric_delta(1, 1, 1.5),
            "l1_sensitivity must be in the whole numbers of [1, 1e15], got 1.5",
        ),
        (lambda: verify.staircase_delta(1, 1, 2), "gamma must be in [0, 1], got 2"),
        (
            lambda: verify.generalized_gaussian_delta(1, 1e-3, 2, 1e9),
            "sensitivity / scale must be in (0, 1e6], got 1000000000000",
        ),
        (lambda: verify.discrete_gaussian_delta(1, 1e5), "sigma must be in [1e-4, 1e4], got 100000"),
        (lambda: verify.discrete_gaussian_sums_delta(1, 1, 0), "squared must be in [1, 1e15], got 0"),
        (lambda: verify.proved(Enclosure(0, 1, 128), 2), "delta must be in [0, 1], got 2"),
        (lambda: verify.sentence("δ", Enclosure(0, 1, 128), 0.5, digits=2), "digits must be in [3, 16], got 2"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


def test_without_flint_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", None)
    for name in [name for name in sys.modules if name.startswith("dpcore.verify")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match=r"dpcore\.verify needs python-flint: pip install python-flint"):
        importlib.import_module("dpcore.verify")
