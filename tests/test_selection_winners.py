"""The probability that a private choice is right, by enumeration and by simulated choices."""

import re
from itertools import permutations, product

import numpy as np
import pytest

from dpcore import composition, selection
from dpcore.selection import MECHANISMS
from dpcore.selection.winners import chosen

DISTRICTS = (120, 113, 98, 97, 60)


def noisy_choices(rng, scores, epsilon, mechanism, monotone, n):
    """Draw n choices as the largest score with noise: exponential, Gumbel and Laplace."""
    scale = (1 if monotone else 2) / epsilon
    noise = {"permute_and_flip": rng.exponential, "exponential": rng.gumbel, "report_noisy_max": rng.laplace}[mechanism]
    return scores + (
        noise(scale, (n, len(scores))) if mechanism == "permute_and_flip" else noise(0, scale, (n, len(scores)))
    )


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_winner_and_the_gap_are_those_of_simulated_choices(mechanism, monotone):
    scores, n = np.array([30.0, 30, 27, 12, 29.5]), 200_000
    noisy = noisy_choices(np.random.default_rng(3), scores, 0.4, mechanism, monotone, n)
    gaps = 30 - scores[noisy.argmax(axis=1)]
    probability = selection.winner_probability(scores, 0.4, mechanism=mechanism, monotone=monotone)
    assert abs(np.mean(gaps == 0) - probability) < 4 * np.sqrt(probability * (1 - probability) / n)
    gap = selection.expected_gap(scores, 0.4, mechanism=mechanism, monotone=monotone)
    assert abs(gaps.mean() - gap) < 4 * gaps.std() / np.sqrt(n)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize(("scores", "m"), [(DISTRICTS, 2), ((5, 3, 3, 3, 1), 2), ((5, 3, 3, 2, 1), 3), ((2, 2, 2), 3)])
def test_the_best_several_are_enumerated_over_all_orders(mechanism, scores, m):
    scores, good = np.array(scores, float), sorted(scores, reverse=True)[m - 1]
    exact = 0.0
    for order in permutations([k for k in range(scores.size) if scores[k] >= good], m):
        left, probability = list(range(scores.size)), 1.0
        for place in order:
            probability *= chosen(mechanism, scores[left], 0.9 / m, 2.0)[left.index(place)]
            left.remove(place)
        exact += probability
    computed = selection.top_probability(scores, m, 0.9, 2.0, mechanism)
    assert computed == pytest.approx(exact, rel=1e-10)
    assert computed <= exact


def test_one_of_one_is_the_winner_and_ties_are_right():
    for mechanism, monotone in product(MECHANISMS, (False, True)):
        one = selection.top_probability(DISTRICTS, 1, 0.2, 1.0, mechanism, monotone)
        winner = selection.winner_probability(DISTRICTS, 0.2, 1.0, mechanism, monotone)
        assert one == pytest.approx(winner, rel=1e-11)
        assert selection.winner_probability([4, 4, 4], 1e-12, 1.0, mechanism, monotone) == pytest.approx(1)
        assert selection.winner_probability([4, 4, 4], 1e-12, 1.0, mechanism, monotone) < 1


def test_permute_and_flip_is_right_most_often_and_its_gap_is_least():
    probability = [selection.winner_probability(DISTRICTS, 0.1, mechanism=mechanism) for mechanism in MECHANISMS]
    gap = [selection.expected_gap(DISTRICTS, 0.1, mechanism=mechanism) for mechanism in MECHANISMS]
    assert probability[0] > max(probability[1:])
    assert gap[0] < min(gap[1:])


def test_scores_and_epsilon_broadcast():
    scores = np.array([DISTRICTS, DISTRICTS[::-1]])
    many = selection.winner_probability(scores, [[0.1], [0.2], [0.3]], [1.0, 2.0])
    assert many.shape == (3, 2)
    assert many[2, 1] == pytest.approx(selection.winner_probability(DISTRICTS, 0.3, 2.0), rel=1e-12)
    assert selection.expected_gap(scores, 0.1).shape == (2,)


@pytest.mark.parametrize("monotone", [False, True])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_least_epsilon_is_just_enough(mechanism, monotone):
    for wanted in (0.3, 0.95, 1 - 1e-9):
        epsilon = selection.least_epsilon(DISTRICTS, wanted, 3.0, mechanism, monotone)
        near = np.array([epsilon * (1 - 1e-5), epsilon])
        below, reached = selection.winner_probability(DISTRICTS, near, 3.0, mechanism, monotone)
        assert below < wanted <= reached
    assert selection.least_epsilon([3], 0.5, 1.0, mechanism, monotone) == pytest.approx(1e-12)


def test_choices_are_composed_by_the_range_of_their_losses():
    """δ of two choices between two candidates, from all outcomes; as exponential mechanisms it is too small."""
    total, own = 0.97, 0.5
    for mechanism in MECHANISMS:
        delta = 0.0
        for gap, step in product(np.linspace(-4, 4, 33), (-1, 1)):
            p, q = (chosen(mechanism, scores, own, 1.0) for scores in ([0, gap], [step, gap - step]))
            pairs = np.multiply.outer(p, p) - np.exp(total) * np.multiply.outer(q, q)
            delta = max(delta, float(np.maximum(pairs, 0).sum()))
        assert delta <= composition.delta([selection.release_of_choice(mechanism, own, 2)], total).value * (1 + 1e-9)
        as_exponential = composition.delta([composition.exponential_release(own, 2)], total).value
        assert (delta > 10 * as_exponential) == (mechanism == "permute_and_flip")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: selection.winner_probability([1], 1, mechanism="best"), "mechanism must be in permute_and_flip, expo"),
        (lambda: selection.top_probability([1, 2], 3, 1), "n_chosen must be in [1, 2], got 3"),
        (lambda: selection.top_probability([1, 2], 0, 1), "n_chosen must be in [1, 10], got 0"),
        (lambda: selection.least_epsilon([1, 2], 1), "probability must be in [0, 1), got 1"),
        (lambda: selection.least_epsilon([0, 1e-9], 0.9), "probability must be in [0, 0.5"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
