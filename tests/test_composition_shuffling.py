import re
from collections import defaultdict

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from dpcore.composition import clones_epsilon_2021, clones_epsilon_2023, shuffled_delta, shuffled_epsilon


def test_the_closed_forms_have_the_published_values():
    assert clones_epsilon_2021(1e-6, 1, 1e4) == pytest.approx(0.214026, abs=1e-6)
    assert clones_epsilon_2023(1e-6, 1, 1e4) == pytest.approx(0.180006, abs=1e-6)


def test_the_numerical_bound_of_binary_answers_has_the_published_value():
    assert shuffled_epsilon(1e-6, 1, 1e4, "binary") == pytest.approx(0.043206, abs=1e-6)


def closed_forms(delta, local, n):
    with mpmath.workdps(40):
        e, x, d = mpmath.exp(mpmath.mpf(local)), mpmath.mpf(n), mpmath.mpf(delta)
        old = (e - 1) / (e + 1) * (8 * mpmath.sqrt(e * mpmath.log(4 / d) / x) + 8 * e / x)
        new = (e - 1) * (4 * mpmath.sqrt(2 * mpmath.log(4 / d) / ((e + 1) * x)) + 4 / x)
        return mpmath.log1p(old), mpmath.log1p(new)


@pytest.mark.parametrize(
    ("delta", "local", "n"), [(1e-6, 1, 10**4), (1e-12, 0.01, 10**6), (1e-8, 6, 10**9), (0.1, 2, 5000)]
)
def test_the_closed_forms_are_rounded_up(delta, local, n):
    for amplified, exact in zip(
        (clones_epsilon_2021(delta, local, n), clones_epsilon_2023(delta, local, n)),
        closed_forms(delta, local, n),
        strict=True,
    ):
        assert mpmath.mpf(float(amplified)) >= exact
        assert float(amplified) == pytest.approx(float(exact), rel=1e-13)


def test_the_local_guarantee_remains_if_a_condition_fails():
    assert clones_epsilon_2021(1e-6, 8, 1e4) == clones_epsilon_2023(1e-6, 8, 1e4) == 8
    assert clones_epsilon_2021(1e-6, 1e3, 10) == clones_epsilon_2023(1e-6, 1e3, 10) == 1e3
    n, delta = 10**5, 1e-6
    edge = np.log(n / (16 * np.log(4 / delta)))
    assert clones_epsilon_2021(delta, edge * 1.0001, n) == edge * 1.0001 > clones_epsilon_2021(delta, edge * 0.9999, n)
    edge = np.log(n / (8 * np.log(2 / delta)) - 1)
    assert clones_epsilon_2023(delta, edge * 1.0001, n) == edge * 1.0001 > clones_epsilon_2023(delta, edge * 0.9999, n)


def output_masses(local, n, clone):
    """P and Q of the counts that are seen, by the definition."""
    with mpmath.workdps(40):
        odds = mpmath.exp(mpmath.mpf(local))
        likely, with_person, without = odds / (odds + 1), defaultdict(mpmath.mpf), defaultdict(mpmath.mpf)
        for c in range(n):
            weight = mpmath.binomial(n - 1, c) * clone**c * (1 - clone) ** (n - 1 - c)
            for a in range(c + 1):
                mass = weight * mpmath.binomial(c, a) / mpmath.mpf(2) ** c
                with_person[a + 1, c - a] += mass * likely
                with_person[a, c - a + 1] += mass * (1 - likely)
                without[a + 1, c - a] += mass * (1 - likely)
                without[a, c - a + 1] += mass * likely
        return with_person, without


@pytest.mark.parametrize(("n", "local"), [(1, 1.0), (2, 0.3), (12, 2.0), (25, 0.05), (25, 5.0)])
@pytest.mark.parametrize("randomizer", ["any", "binary"])
def test_the_numerical_bound_is_the_definition_summed_over_all_counts(n, local, randomizer):
    e = mpmath.exp(mpmath.mpf(local))
    p, q = output_masses(local, n, 1 / e if randomizer == "any" else 2 / (e + 1))
    for share in (0, 0.1, 0.5, 0.9):
        bound = mpmath.exp(mpmath.mpf(share * local))
        exact = sum((max(p[x] - bound * q[x], 0) for x in p), mpmath.mpf(0))
        other = sum((max(q[x] - bound * p[x], 0) for x in p), mpmath.mpf(0))
        delta = shuffled_delta(share * local, local, n, randomizer)
        assert mpmath.mpf(float(delta)) >= max(exact, other)
        assert float(delta) == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize(
    ("epsilon", "local", "n"),
    [
        (36.78878252281448, 36.993329583749414, 2),
        (31.789531467878845, 31.78995181548839, 2),
        (19.9114, 19.9114000001, 3),
    ],
)
@pytest.mark.parametrize("randomizer", ["any", "binary"])
def test_a_large_epsilon_just_below_that_of_a_report_still_has_a_delta(epsilon, local, n, randomizer):
    """The share of counts from which on the loss passes ε was rounded above 1, so that δ was 0."""
    e = mpmath.exp(mpmath.mpf(local))
    p, q = output_masses(local, n, 1 / e if randomizer == "any" else 2 / (e + 1))
    with mpmath.workdps(40):
        exact = sum((max(p[x] - mpmath.exp(mpmath.mpf(epsilon)) * q[x], 0) for x in p), mpmath.mpf(0))
    delta = float(shuffled_delta(epsilon, local, n, randomizer))
    assert exact <= delta == pytest.approx(float(exact), rel=1e-9)
    assert shuffled_epsilon(delta / 2, local, n, randomizer) > epsilon


def test_binary_answers_that_are_all_the_same_lose_no_more():
    """Reports of binary randomised response of which the others' are all 0: one count is seen."""
    n, local = 30, 1.0
    with mpmath.workdps(40):
        lie = 1 / (1 + mpmath.e)
        others = [mpmath.binomial(n - 1, k) * lie**k * (1 - lie) ** (n - 1 - k) for k in range(n)] + [mpmath.mpf(0)]
        ones, zeros = (
            [chance * (others[k - 1] if k else 0) + (1 - chance) * others[k] for k in range(n + 1)]
            for chance in (1 - lie, lie)
        )
        for epsilon in (0.05, 0.2, 0.6):
            truth = max(
                sum((max(x - mpmath.exp(epsilon) * y, 0) for x, y in zip(a, b, strict=True)), mpmath.mpf(0))
                for a, b in ((ones, zeros), (zeros, ones))
            )
            assert truth <= shuffled_delta(epsilon, local, n, "binary") <= shuffled_delta(epsilon, local, n)


def test_the_tails_are_right_to_their_digits_for_a_million_reports():
    """δ of exactly 400,000 clones, as all but none of n reports are when ε₀ is tiny, by two tails of 100 digits."""
    n, local, share = 400_001, 1e-12, 0.005
    epsilon = share * local
    with ctx.workprec(400):
        e, e0 = arb(epsilon).exp(), arb(local).exp()
        likely = e0 / (1 + e0)
        least = float(((e * e0 - 1) / ((e0 - 1) * (1 + e)) * n).ceil().mid())
        tails = [arb(0.5).beta_lower(arb(x), arb(n - x), regularized=True) for x in (least - 1, least)]
        exact = (likely - e * (1 - likely)) * tails[0] - (e * likely - (1 - likely)) * tails[1]
        delta = arb(float(shuffled_delta(epsilon, local, n)))
        assert exact <= delta <= exact * arb(1 + 1e-6)


def test_epsilon_is_the_inverse_of_delta_on_the_safe_side():
    for delta, local, n in [(1e-6, 1, 10**4), (1e-3, 3, 500), (1e-9, 0.1, 200), (0.2, 6, 50)]:
        epsilon = float(shuffled_epsilon(delta, local, n))
        assert shuffled_delta(epsilon, local, n) <= delta < shuffled_delta(epsilon * (1 - 1e-6), local, n)


def test_the_closed_forms_are_never_below_the_numerical_bound():
    rng = np.random.default_rng(4)
    for _ in range(40):
        n = round(10 ** rng.uniform(1, 5))
        delta, local = 10 ** rng.uniform(-12, -0.1), rng.uniform(0, 1) * np.log(n)
        numerical = shuffled_epsilon(delta, local, n)
        assert numerical <= clones_epsilon_2021(delta, local, n)
        assert numerical <= clones_epsilon_2023(delta, local, n)


def test_shuffling_never_hurts_and_more_reports_help():
    assert shuffled_epsilon([1e-300, 1e-6, 0.9], [[0], [1e-9], [7], [1e3]], 100).max() <= 1e3
    assert shuffled_epsilon(1e-30, 5, 1000) <= 5
    assert shuffled_epsilon(0.5, 0.5, 2) == 0
    assert shuffled_epsilon(1e-6, 0, 100) == 0
    assert shuffled_delta([1, 2], 1, 100).tolist() == [0, 0]
    n = np.array([1, 10, 100, 1000, 30_000, 1_000_000])
    assert np.all(np.diff(shuffled_delta(0.05, 1, n)) < 0)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (clones_epsilon_2021, (0, 1, 10), "delta must be in [1e-300, 1), got 0"),
        (clones_epsilon_2023, (0.1, 1001, 10), "local_epsilon must be in [0, 1e3], got 1001"),
        (shuffled_delta, (1, 1, 0), "n_reports must be in [1, 1e9], got 0"),
        (shuffled_delta, (1, 1, 10, "k-ary"), "randomizer must be in any, binary, got 'k-ary'"),
        (shuffled_epsilon, (0.1, 1, 10, 3), "randomizer must be in any, binary, got 3"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(*arguments)
