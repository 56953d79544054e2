import re

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpcore.composition import (
    fixed_size_sampled_guarantee,
    poisson_sampled_guarantee,
    shuffled_batches_delta_at_least,
    shuffled_batches_epsilon_at_least,
    unamplified_delta,
    unamplified_epsilon,
)


@pytest.mark.parametrize(
    ("noise", "at_least", "at_most"),
    [(0.5, 9.997109, 9.997256), (0.8, 5.554133, 5.679587), (1, 3.761268, 4.377178), (1.5, 0.966805, 2.753381)],
)
def test_shuffled_batches_lie_between_the_published_bounds(noise, at_least, at_most):
    assert shuffled_batches_epsilon_at_least(1e-5, noise, 234) == pytest.approx(at_least, abs=2e-6)
    assert unamplified_epsilon(1e-5, noise) == pytest.approx(at_most, abs=1e-6)


def test_many_shuffled_batches_have_the_published_bound():
    assert shuffled_batches_epsilon_at_least(1e-5, 1, 10_000) == pytest.approx(1.133592, abs=1e-6)


def normal(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def event_gap(cut, epsilon, noise, batches):
    """P − e^ε Q of the event that some batch exceeds C, to 40 digits."""
    with mpmath.workdps(40):
        c, s = mpmath.mpf(cut), mpmath.mpf(noise)
        rest = normal(c / s) ** (batches - 1)
        return 1 - normal((c - 2) / s) * rest - mpmath.exp(mpmath.mpf(epsilon)) * (1 - normal((c - 1) / s) * rest)


@pytest.mark.parametrize(("epsilon", "noise", "batches"), [(3.76, 1, 234), (0.5, 3, 20), (8, 0.5, 1000)])
def test_the_lower_bound_is_the_best_cut_and_not_above_it(epsilon, noise, batches):
    best = max(event_gap(cut, epsilon, noise, batches) for cut in np.linspace(0, 3 + 5 * noise, 600))
    delta = float(shuffled_batches_delta_at_least(epsilon, noise, batches))
    assert delta == pytest.approx(float(best), rel=1e-3)  # of a grid
    assert delta <= unamplified_delta(epsilon, noise)


def test_one_batch_is_one_gaussian():
    np.testing.assert_allclose(
        shuffled_batches_delta_at_least([0, 1, 4], 0.7, 1), unamplified_delta([0, 1, 4], 0.7), rtol=1e-6
    )
    assert shuffled_batches_epsilon_at_least(1e-8, 0.7, 1) == pytest.approx(
        float(unamplified_epsilon(1e-8, 0.7)), rel=1e-6
    )


@pytest.mark.parametrize("epochs", [1, 2, 7, 300, 10_000])
def test_both_lower_bounds_are_the_same_curve(epochs):
    epsilon = shuffled_batches_epsilon_at_least(1e-5, 1.5, 234, epochs)
    assert shuffled_batches_delta_at_least(epsilon, 1.5, 234, epochs) == pytest.approx(1e-5, rel=0.01)


def test_epochs_shuffled_anew_cost_more_but_less_than_without_any_shuffling():
    epochs = np.array([1, 2, 5, 20, 100])
    at_least = shuffled_batches_epsilon_at_least(1e-5, 1.5, 234, epochs)
    assert np.all(np.diff(at_least) > 0)
    assert np.all(at_least < unamplified_epsilon(1e-5, 1.5, epochs))


def test_the_bound_of_two_epochs_is_that_of_two_independent_events():
    with mpmath.workdps(30):
        best = mpmath.mpf(0)
        for cut in np.linspace(1, 6, 300):
            with_person, without = (
                event_gap(cut, -mpmath.inf, 1, 50),
                1 - normal(mpmath.mpf(cut) - 1) * normal(mpmath.mpf(cut)) ** 49,
            )
            for least in (1, 2):
                chances = [1 - (1 - p) ** 2 if least == 1 else p**2 for p in (with_person, without)]
                best = max(best, chances[0] - mpmath.e**2 * chances[1])
    assert float(shuffled_batches_delta_at_least(2, 1, 50, 2)) == pytest.approx(float(best), rel=1e-3)  # of a grid


@pytest.mark.parametrize(
    ("delta", "noise", "batches", "epochs"), [(1e-6, 1, 234, 10), (1e-137, 3.4, 19, 6), (1e-5, 1, 100, 2)]
)
def test_few_epochs_at_a_small_delta_have_the_best_number_of_epochs(delta, noise, batches, epochs):
    """Found against all numbers of epochs: ε was 0.51 to 0.92 of the best, as the events that decide are too seldom."""
    cut, least = np.linspace(0, 15 * noise, 3000)[:, None], np.arange(1, epochs + 1)
    others = (batches - 1) * stats.norm.logcdf(cut / noise)
    p, q = (
        stats.binom.sf(least - 1, epochs, -np.expm1(stats.norm.logcdf((cut - mean) / noise) + others))
        for mean in (2, 1)
    )
    best = np.max(np.log(np.maximum(p - delta, 1e-300)) - np.log(np.maximum(q, 1e-290)))
    assert shuffled_batches_epsilon_at_least(delta, noise, batches, epochs) == pytest.approx(best, rel=1e-4)


def test_without_amplification_epochs_are_uses_of_one_gaussian():
    assert unamplified_epsilon(1e-6, 20, 100) == pytest.approx(2.25408465, abs=1e-8)
    assert unamplified_delta(2.25408465, 20, 100) == pytest.approx(1e-6, rel=1e-7)


def test_the_lower_bounds_are_0_where_the_attack_is_no_better_than_guessing():
    assert shuffled_batches_epsilon_at_least(0.5, 100, 1000) == 0
    assert shuffled_batches_delta_at_least(1e6, 1, 10, [1, 3]).tolist() == [0, 0]  # where the chances underflow
    assert 0 < shuffled_batches_epsilon_at_least(1e-5, 1e-3, 10) < unamplified_epsilon(1e-5, 1e-3)


def amplified(epsilon, rate):
    with mpmath.workdps(400):
        return mpmath.log1p(mpmath.mpf(rate) * mpmath.expm1(mpmath.mpf(epsilon)))


@pytest.mark.parametrize("rate", [1e-12, 0.01, 0.3, 0.999, 1])
def test_sampling_amplifies_as_in_balle_barthe_and_gaboardi(rate):
    epsilons = [0, 1e-9, 1, 30, 699.9, 700.1, 1e3]
    sampled_epsilons, deltas = poisson_sampled_guarantee(epsilons, 1e-6, rate)
    for epsilon, sampled_epsilon, delta in zip(epsilons, sampled_epsilons, deltas, strict=True):
        exact = amplified(epsilon, rate)
        assert mpmath.mpf(float(sampled_epsilon)) >= exact
        assert float(sampled_epsilon) == pytest.approx(float(exact), rel=1e-14, abs=0)
        assert mpmath.mpf(float(delta)) >= mpmath.mpf(1e-6) * mpmath.mpf(rate)
        assert float(delta) == pytest.approx(1e-6 * rate, rel=1e-14)


@pytest.mark.parametrize(
    ("epsilon", "rate"),
    [
        (713.2477971658712, 9.802948388334e-312),
        (721.9182812292768, 5.27948e-318),
        (702.7805105801617, 2.509791905159176e-306),
        (13.737858616478583, 1.0141158e-316),
        (700.5, 1e-322),
    ],
)
def test_the_least_sampling_rates_never_give_an_epsilon_or_a_delta_that_is_too_small(epsilon, rate):
    """Found by random search: ε and ln q cancelled, and ε was up to a relative 9e-8 too small."""
    sampled_epsilon, delta = poisson_sampled_guarantee(epsilon, 1e-20, rate)
    exact = amplified(epsilon, rate)
    with mpmath.workdps(50):
        least = mpmath.mpf(2) ** -1074
        assert exact <= mpmath.mpf(float(sampled_epsilon)) <= exact * (1 + mpmath.mpf(2e-12)) + 2 * least
        assert mpmath.mpf(1e-20) * mpmath.mpf(rate) <= mpmath.mpf(float(delta)) <= 2 * least


def test_a_sample_of_fixed_size_has_the_same_form_with_its_share():
    assert fixed_size_sampled_guarantee(1, 1e-6, 10, 1000)[0] == pytest.approx(0.0170368632, abs=1e-10)
    epsilon, delta = fixed_size_sampled_guarantee([0.5, 1], 1e-6, [[10], [30]], 30)
    assert epsilon.shape == delta.shape == (2, 2)
    assert epsilon[1].tolist() == [0.5, 1]


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (shuffled_batches_delta_at_least, (1, 0, 10), "noise_multiplier must be in [1e-3, 1e6], got 0"),
        (shuffled_batches_epsilon_at_least, (0, 1, 10), "delta must be in [1e-300, 1), got 0"),
        (shuffled_batches_epsilon_at_least, (0.1, 1, 1.5), "batches must be in the whole numbers of [1, 1e6], got 1.5"),
        (unamplified_delta, (-1, 1), "epsilon must be in [0, 1e6], got -1"),
        (unamplified_epsilon, (0.1, 1, 0), "epochs must be in [1, 1e6], got 0"),
        (poisson_sampled_guarantee, (1, 0, 0), "sampling_rate must be in (0, 1], got 0"),
        (fixed_size_sampled_guarantee, (1, 0, 11, 10), "sample_size must be in [1, n_records], got 11"),
    ],
)
def test_a_number_out_of_its_range_is_refused_in_a_sentence(function, arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        function(*arguments)
