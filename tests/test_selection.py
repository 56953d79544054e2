"""The probabilities of private choices beside their definitions, the guarantee itself, and draws."""

import re
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import cast

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import laplace

from dpcore import selection
from dpcore.selection.probabilities import _exponents
from tests.statistics_of_samples import assert_frequencies

SCORES = (0, -3, -5, -5, -9)
MECHANISMS = {
    "permute_and_flip": selection.permute_and_flip,
    "exponential": selection.exponential,
    "report_noisy_max": selection.report_noisy_max,
}


def flipped_in_every_order(scores, epsilon, sensitivity=1.0):
    """Return the probabilities of permute-and-flip by its definition, over all orders of the candidates."""
    heads = np.exp(epsilon * (np.array(scores) - max(scores)) / (2 * sensitivity))
    chance = np.zeros(len(scores))
    for order in permutations(range(len(scores))):
        all_tails = 1.0
        for candidate in order:
            chance[candidate] += all_tails * heads[candidate]
            all_tails *= 1 - heads[candidate]
    return chance / factorial(len(scores))


def loudest_by_quadrature(scores, scale):
    """Return the probabilities of the largest score with Laplace noise, by adaptive quadrature of the definition."""
    scores = np.array(scores, float)

    def density(y, candidate):
        others = np.delete(scores, candidate)
        return laplace.pdf(y, scores[candidate], scale) * np.prod(laplace.cdf(y, others, scale))

    ends = (scores.min() - 60 * scale, scores.max() + 60 * scale)
    corners = sorted({*scores.tolist(), *(scores.max() + scale * k for k in (-40, -10, 10, 40))})
    return [
        quad(density, *ends, args=(candidate,), points=corners, limit=500, epsabs=1e-14)[0]
        for candidate in range(scores.size)
    ]


def test_the_check_values_of_five_candidates():
    """Those of the reference, but for the first of permute-and-flip: .81611213 there, which makes a sum of .99992."""
    flipped = selection.permute_and_flip(SCORES, 1)
    assert flipped[1:] == pytest.approx([0.1052051, 0.03686257, 0.03686257, 0.00487673], abs=5e-9)
    assert flipped[0] == pytest.approx(0.81619304, abs=5e-9)
    assert flipped == pytest.approx(flipped_in_every_order(SCORES, 1), rel=1e-13)
    expected = [0.71509829, 0.15956, 0.05869884, 0.05869884, 0.00794402]
    assert selection.exponential(SCORES, 1) == pytest.approx(expected, abs=5e-9)


@pytest.mark.parametrize("epsilon", [1e-12, 0.03, 1, 7, 300])
def test_permute_and_flip_is_its_definition_over_all_orders(epsilon):
    rng = np.random.default_rng(2)
    for n in (1, 2, 3, 7):
        scores = rng.normal(0, 3, n).round(int(n == 7))
        exact = flipped_in_every_order(scores, epsilon, 0.7)
        chance = selection.permute_and_flip(scores, epsilon, 0.7)
        assert chance == pytest.approx(exact, rel=1e-12)


def test_permute_and_flip_of_two_candidates_is_its_closed_form_at_every_gap():
    """At gaps of about 30, the last panel of the integral would be so narrow that its points round to 1."""
    gap = np.linspace(0.01, 90, 5000)
    worse = np.exp(-gap) / 2
    chance = selection.permute_and_flip(np.stack([0 * gap, -gap], axis=-1), 1.0, 0.5)
    assert chance == pytest.approx(np.stack([1 - worse, worse], axis=-1), rel=1e-12)


def test_permute_and_flip_of_many_candidates_is_the_integral_of_a_polynomial():
    """Gauss–Legendre with half as many points as there are candidates integrates the definition exactly."""
    x, weight = np.polynomial.legendre.leggauss(102)
    for deviation in (0.01, 3, 100):
        scores = np.random.default_rng(4).normal(0, deviation, 200)
        heads = np.exp((scores - scores.max()) / 2)
        tails = np.log1p(-np.outer((x + 1) / 2, heads))
        exact = heads * (weight / 2 @ np.exp(tails.sum(1)[:, np.newaxis] - tails))
        assert selection.permute_and_flip(scores, 1) == pytest.approx(exact, rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("name", MECHANISMS)
def test_probabilities_sum_to_one_and_depend_on_gaps_over_the_noise_alone(name):
    mechanism, rng = MECHANISMS[name], np.random.default_rng(5)
    for n, epsilon in product((1, 2, 30, 400), (1e-12, 0.1, 1, 1e6)):
        scores = rng.integers(-40, 40, n)
        chance = mechanism(scores, epsilon)
        assert chance.sum() == pytest.approx(1, rel=1e-13)
        assert mechanism(scores * 4.0 + 64, epsilon, 4) == pytest.approx(chance, rel=1e-12, abs=1e-300)
        assert np.all(np.diff(chance[np.argsort(scores)]) >= 0)
    assert mechanism(np.full(500, 3.0), 1.0) == pytest.approx(np.full(500, 1 / 500), rel=1e-13)


def test_a_hundred_thousand_candidates_neither_underflow_nor_lose_their_sum():
    scores = -np.arange(100_000.0)
    for epsilon in (1e-6, 1.0, 1e6):
        for mechanism in (selection.permute_and_flip, selection.exponential):
            assert mechanism(scores, epsilon).sum() == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0])
def test_the_largest_noisy_score_is_the_quadrature_of_its_definition(epsilon):
    for scores in (SCORES, (0, 0, 1), (3, 2.9, -50)):
        exact = loudest_by_quadrature(scores, 2 / epsilon)
        assert selection.report_noisy_max(scores, epsilon) == pytest.approx(exact, abs=1e-10)
    gap = 1.7 * epsilon  # of two candidates, in units of the noise of monotone scores
    closed_form = np.exp(-gap) * (0.5 + gap / 4)
    assert selection.report_noisy_max([1.7, 0], epsilon, monotone=True)[1] == pytest.approx(closed_form, rel=1e-12)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 5.0])
def test_neighbouring_scores_have_probabilities_within_e_to_the_epsilon(name, epsilon):
    mechanism = MECHANISMS[name]
    scores = np.array([*product(range(4), repeat=3)], float)
    chance = mechanism(scores, epsilon)
    apart = abs(scores[:, np.newaxis] - scores).max(axis=-1)
    ratios = np.log(chance[:, np.newaxis] / chance)
    assert ratios[apart <= 1].max() <= epsilon * (1 + 1e-12)
    assert ratios[apart <= 1].max() > 0.7 * epsilon
    assert ratios[apart == 2].max() > epsilon  # so that the test can fail


@pytest.mark.parametrize("name", ["exponential", "report_noisy_max"])
def test_half_the_noise_satisfies_the_guarantee_for_monotone_scores_only(name):
    scores = np.array([*product(range(4), repeat=3)], float)
    chance = MECHANISMS[name](scores, 1.0, monotone=True)
    ratios = np.log(chance[:, np.newaxis] / chance)
    change = scores[:, np.newaxis] - scores
    one_way = (change.max(axis=-1) <= 1) & (change.min(axis=-1) >= 0)
    assert abs(ratios[one_way]).max() <= 1 + 1e-12
    assert ratios[abs(change).max(axis=-1) <= 1].max() > 1.2
    flipped = selection.permute_and_flip(scores, 1.0, 0.5)
    assert abs(np.log(flipped[:, np.newaxis] / flipped)[one_way]).max() <= 1 + 1e-12


def test_losses_of_permute_and_flip_have_a_wider_range_than_those_of_the_exponential():
    """So permute-and-flip must not be composed as an exponential mechanism."""
    scores = np.array([*product(range(5), repeat=3)], float)
    near = abs(scores[:, np.newaxis] - scores).max(axis=-1) <= 1
    widths = {}
    for name in ("exponential", "permute_and_flip"):
        chance = MECHANISMS[name](scores, 1.0)
        losses = np.log(chance[:, np.newaxis] / chance)[near]
        widths[name] = np.ptp(losses, axis=-1).max()
    assert widths["exponential"] <= 1 + 1e-12
    assert widths["permute_and_flip"] > 1.1


def test_permute_and_flip_is_never_worse_than_the_exponential_mechanism():
    rng = np.random.default_rng(6)
    for n in (2, 5, 60):
        scores = rng.normal(0, 4, (20, n))
        gap = scores.max(axis=-1, keepdims=True) - scores
        flipped, exponential = ((m(scores, 1) * gap).sum(-1) for m in list(MECHANISMS.values())[:2])
        assert np.all(flipped <= exponential)


def test_scores_broadcast_with_epsilon_and_sensitivity():
    scores, epsilon = np.arange(12.0).reshape(3, 4), np.array([0.5, 1, 2])
    for mechanism in MECHANISMS.values():
        rows = [mechanism(scores[k], epsilon[k]) for k in range(3)]
        assert np.allclose(mechanism(scores, epsilon), rows, rtol=1e-13)
        assert mechanism([0, 1], epsilon[:, np.newaxis], [1.0, 2.0]).shape == (3, 2, 2)


SAMPLERS = {
    "permute_and_flip": selection.sample_permute_and_flip,
    "exponential": selection.sample_exponential,
}


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("scores", [SCORES, (0.1, 0.2, 0.30000000000000004, -1.5), (7,)])
def test_sixty_thousand_draws_have_the_exact_probabilities(name, scores):
    draws = SAMPLERS[name](np.random.default_rng(7), scores, 1.3, 0.8, size=(200, 300))
    assert draws.shape == (200, 300)
    assert_frequencies(draws, MECHANISMS[name](scores, 1.3, 0.8))


def test_monotone_scores_are_drawn_with_half_the_noise():
    draws = selection.sample_exponential(np.random.default_rng(8), SCORES, 0.6, monotone=True, size=60_000)
    assert_frequencies(draws, selection.exponential(SCORES, 0.6, monotone=True))


def test_exponents_of_a_sampler_are_the_exact_fractions_of_its_doubles():
    numerator, denominator = _exponents(np.random.default_rng(1), [0.1, 1e15, -1e-300], 0.3, 1e-100)
    rate = Fraction(0.3) / (2 * Fraction(1e-100))
    exact = [rate * (Fraction(1e15) - Fraction(score)) for score in (0.1, 1e15, -1e-300)]
    assert [Fraction(n, denominator) for n in numerator] == exact


def test_one_draw_is_a_place_and_far_candidates_are_not_drawn():
    rng = np.random.default_rng(9)
    for sampler in SAMPLERS.values():
        assert sampler(rng, [0, 1e15, -1e15], 1e6) == 1
        assert sampler(rng, np.arange(2000), 5.0) > 1900
        assert sampler(rng, [1, 2], 1.0, size=0).shape == (0,)


RNG, SEED = np.random.default_rng(1), cast("np.random.Generator", 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: selection.permute_and_flip(3, 1), "the number of candidates must be in [1, 1e5], got 0"),
        (lambda: selection.exponential([], 1), "the number of candidates must be in [1, 1e5], got 0"),
        (lambda: selection.exponential([1, 2.5e15], 1), "scores must be in [-1e15, 1e15], got 2500000000000000"),
        (lambda: selection.exponential([1], 0), "epsilon must be in [1e-12, 1e6], got 0"),
        (lambda: selection.permute_and_flip([1], 1, 0), "sensitivity must be in [1e-100, 1e100], got 0"),
        (lambda: selection.report_noisy_max(np.zeros(501), 1), "the number of candidates must be in [1, 500], got 501"),
        (
            lambda: selection.sample_exponential(RNG, [[1]], 1),
            "the number of dimensions of scores must be in [1, 1], got 2",
        ),
        (lambda: selection.sample_permute_and_flip(RNG, [], 1), "the number of candidates must be in [1, 1e5], got 0"),
        (lambda: selection.sample_permute_and_flip(RNG, [1], cast("float", [1, 2])), "epsilon must be one number in"),
        (lambda: selection.sample_permute_and_flip(SEED, [1], 1), "rng must be a numpy.random.Generator, got 1"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
