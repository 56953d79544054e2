"""Enclosures of δ of private choices: that they hold the definition, prove ε-DP, and refute less."""

import re
from decimal import Decimal

import numpy as np
import pytest

from dpcore import local, quantiles, selection, verify

MECHANISMS = ("permute_and_flip", "exponential")


def excess(epsilon, first, second):
    """Return the larger δ of two lists of probabilities."""
    factor = np.exp(epsilon)
    return max(np.maximum(first - factor * second, 0).sum(), np.maximum(second - factor * first, 0).sum())


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("n", [1, 2, 7, 60])
def test_an_enclosure_holds_the_delta_of_the_exact_probabilities(n, mechanism):
    rng = np.random.default_rng(n)
    for epsilon in (0.0, 0.3, 1.0):
        scores = rng.integers(-60, 1, n).astype(float)
        other = scores + rng.integers(-1, 2, n)
        true = excess(epsilon, *(getattr(selection, mechanism)(u, 1.2, 0.5) for u in (scores, other)))
        proof = verify.choice_delta(epsilon, scores.tolist(), other.tolist(), 1.2, 0.5, mechanism)
        assert proof.low - 1e-13 <= true <= proof.high + 1e-13
        assert proof.high - proof.low <= 1e-15


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_epsilon_dp_is_proved_and_half_of_the_noise_is_refuted(mechanism):
    """Of candidates of which one is far off, so that it is not multiplied; the first two are equal."""
    scores = [Decimal("0"), Decimal("0"), Decimal("-0.3"), Decimal("-7.5"), Decimal("-400")]
    other = [score + Decimal("0.9") * sign for score, sign in zip(scores, (-1, 1, 1, 1, -1), strict=True)]
    for epsilon in (Decimal("0.1"), Decimal(1), Decimal(4)):
        proof = verify.choice_delta(epsilon, scores, other, epsilon, Decimal("0.9"), mechanism)
        assert verify.proved(proof, Decimal("1e-30"))
        assert verify.choice_delta(epsilon, scores, other, 2 * epsilon, Decimal("0.9"), mechanism).low > 0.001


@pytest.mark.parametrize("neighbour", [0.0, 10.0])
def test_any_number_of_a_range_is_proved_by_the_intervals_between_the_values(neighbour):
    """Of values between 0 and 10, and of those with one more at an end, which leaves the same intervals."""
    values, q, low, high = [1.0, 2.5, 2.5, 7.25], 0.3, 0.0, 10.0
    edges = [low, *sorted(set(values)), high]
    both = [
        [-abs(sum(value <= edge for value in held) - q * len(held)) for edge in edges[:-1]]
        for held in (values, [*values, neighbour])
    ]
    known = 1.2, max(q, 1 - q), "exponential", edges
    chances = [
        quantiles.released_distribution(held, q, 1.2, quantiles.Range(low, high))
        for held in (values, [*values, neighbour])
    ]
    for epsilon in (0.0, 0.1, 1.2):
        proof = verify.choice_delta(epsilon, both[0], both[1], *known)
        true = excess(epsilon, *(chance.probabilities for chance in chances))
        assert proof.low - 1e-13 <= true <= proof.high + 1e-13
    exact = [[Decimal(repr(round(score, 9))) for score in scores] for scores in both]
    assert verify.proved(verify.choice_delta(1.2, exact[0], exact[1], *known), Decimal("1e-30"))
    assert verify.choice_delta(0.1, exact[0], exact[1], *known).low > 0.001


def test_two_candidates_reach_the_bound():
    """The loss is ε exactly, so that nothing is certain but that the rest is tiny."""
    proof = verify.choice_delta(1, [0, -3], [-1, -3], 1, 0.5)
    assert verify.proved(proof, Decimal("1e-30"))
    assert verify.choice_delta(Decimal("0.999"), [0, -3], [-1, -3], 1, 0.5).low > 1e-6


def test_the_delta_of_a_table_is_the_largest_of_its_pairs_and_rows_may_have_any_scale():
    rng = np.random.default_rng(4)
    for n_rows, n_outputs in ((2, 1), (2, 5), (6, 3)):
        table = rng.random((n_rows, n_outputs)) * rng.choice([1e-200, 1.0, 1e200], (n_rows, 1))
        table[0, -1] = table[0, -1] if n_outputs == 1 else 0.0
        shares = table / table.sum(axis=1, keepdims=True)
        for epsilon in (0.0, 0.4, 2.0):
            true = max(excess(epsilon, first, second) for first in shares for second in shares)
            proof = verify.randomizer_delta(epsilon, table.tolist())
            assert proof.low - 1e-13 <= true <= proof.high + 1e-13
            assert proof.high - proof.low <= 1e-15


@pytest.mark.parametrize("epsilon", ["0.1", "1", "8"])
@pytest.mark.parametrize("d", [2, 6])
def test_whole_draws_of_a_device_satisfy_their_epsilon_exactly_and_nothing_less(epsilon, d):
    weight = int(local.other_option_draws(float(epsilon), d))
    matrix = np.full((d, d), weight) + np.eye(d, dtype=int) * (local.N_DRAWS - d * weight)
    proof = verify.randomizer_delta(Decimal(epsilon), matrix.tolist())
    assert (proof.low, proof.high) == (0, 0)
    assert verify.randomizer_delta(Decimal(epsilon) * (1 - Decimal("1e-9")), matrix.tolist()).low > 0
    too_few = np.where(matrix == weight, weight - 10, matrix + 10 * (d - 1))
    assert verify.randomizer_delta(Decimal(epsilon), too_few.tolist()).low > 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: verify.randomizer_delta(1, [[1]]), "the number of rows must be in [2, 50], got 1"),
        (lambda: verify.randomizer_delta(1, [[], []]), "the number of outputs must be in [1, 500], got 0"),
        (
            lambda: verify.randomizer_delta(1, [[1], [1, 2]]),
            "the length of each row of matrix must be in [1, 1], got 2",
        ),
        (lambda: verify.randomizer_delta(1, [[1], [0]]), "the sum of each row of matrix must be in (0, inf), got 0"),
        (lambda: verify.randomizer_delta(1, [[1], [-1]]), "matrix must be in [0, 1e300], got -1"),
        (lambda: verify.choice_delta(1, [], [], 1), "the number of candidates must be in [1, 2001], got 0"),
        (lambda: verify.choice_delta(1, [1], [1, 2], 1), "the number of other scores must be in [1, 1], got 2"),
        (lambda: verify.choice_delta(1, [1], [2e15], 1), "scores must be in [-1e15, 1e15], got 2000000000000000"),
        (lambda: verify.choice_delta(1, [1], [1], 0), "noise_epsilon must be in [1e-12, 1e6], got 0"),
        (
            lambda: verify.choice_delta(1, [1], [1], 1, 1, "exponential", [0, 1, 2]),
            "the number of edges must be in [2, 2], got 3",
        ),
        (
            lambda: verify.choice_delta(1, [1], [1], 1, 1, "exponential", [1, 1]),
            "the least width must be in (0, inf), got 0",
        ),
        (
            lambda: verify.choice_delta(1, [1], [1], 1, 1, "permute_and_flip", [0, 1]),
            "mechanism must be in exponential, got",
        ),
        (
            lambda: verify.choice_delta(1, [1], [1], 1, 1, "largest"),
            "mechanism must be in permute_and_flip, exponential",
        ),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()
