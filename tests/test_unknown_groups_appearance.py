"""Which groups appear: probabilities against the definition in intervals, sums, and exact draws against both."""

import numpy as np
import pytest
from flint import arb, ctx
from scipy.stats import chisquare

from dpcore import geometric
from dpcore.unknown_groups import (
    RULES,
    Split,
    ThresholdRelease,
    best_split,
    expected_groups,
    expected_people,
    keep_probability,
    least_size,
    optimal_keep_probability,
    sample,
    sample_names,
    threshold,
    zipf_counts,
)
from dpcore.verify import formulas

NOISES = ("gaussian", "laplace", "discrete_gaussian", "geometric", "truncated_geometric")


def upper_tail(noise, limit, scale, bound):
    """Pr(noise ≥ limit) for a limit above 0, as an interval."""
    s, last = arb(float(scale)), int(limit)
    if noise == "gaussian":
        return formulas.upper_tail(arb(float(limit)) / s)
    if noise == "laplace":
        return (-arb(float(limit)) / s).exp() / 2
    if noise == "discrete_gaussian":
        return formulas.discrete_tail(last, s) / 2
    r = (-1 / s).exp()
    end = r ** (int(bound) + 1) if np.isfinite(bound) else arb(0)
    return (r**last - end).max(arb(0)) / (1 + r - 2 * end)


def released(noise, scale, limit):
    """Return a release of one group per person whose threshold hides nothing."""
    one = np.array(1.0)
    return ThresholdRelease(noise, one * scale, one * limit, one * np.inf, one, one, "above")


def settings(seed, n):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        noise, rule = str(rng.choice(NOISES)), str(rng.choice(RULES))
        epsilon, delta, k = 10 ** rng.uniform(-1, 1), 10 ** rng.uniform(-10, -1), int(rng.integers(1, 8))
        release = threshold(epsilon, delta, k, noise, rule=rule)
        yield release, rng, np.maximum(np.rint(release.threshold + rng.uniform(-6, 6, 12) * release.scale), 1)


def test_probabilities_are_those_of_the_noise_rounded_down():
    for release, _, counts in settings(seed=1, n=60):
        whole = release.noise not in ("gaussian", "laplace")
        least = release.threshold + (release.rule == "above" and whole)
        for count, computed in zip(counts.tolist(), keep_probability(release, counts).tolist(), strict=True):
            with ctx.workprec(200):
                limit = least - count
                if limit > 0:
                    true = upper_tail(release.noise, limit, release.scale, release.bound)
                elif limit == 0 and not whole:
                    true = arb(1) / 2
                else:
                    true = 1 - upper_tail(release.noise, (1 if whole else 0) - limit, release.scale, release.bound)
                assert computed <= true
                assert computed >= true * (1 - 1e-9) - 1e-300


def test_a_group_of_nobody_never_appears():
    low = released("gaussian", 5, -100)
    assert keep_probability(low, [0, 1]).tolist() == pytest.approx([0, 1])
    assert np.isnan(sample(np.random.default_rng(1), low, [0, 1])).tolist() == [True, False]


def test_the_least_size_is_the_first_with_the_probability():
    for release, rng, _ in settings(seed=2, n=20):
        wanted = rng.uniform(0.01, 0.99, 5)
        size = least_size(release, wanted)
        assert (keep_probability(release, size) >= wanted).all()
        assert (keep_probability(release, size - 1) < wanted).all()


def test_truncated_noise_needs_what_keep_or_drop_needs():
    """N is whole, so that the noise has a δ below the wanted one, and its groups are larger by a person at most."""
    for epsilon, delta, k in [(1, 1e-6, 1), (0.3, 1e-9, 1), (1, 1e-6, 30)]:
        for probability in (0.5, 0.95):
            release = threshold(epsilon, delta, k, "truncated_geometric", probability=probability)
            best = least_size(best_split(epsilon, delta, k, probability), probability)
            assert best <= least_size(release, probability) <= best + 1


def test_expected_groups_and_people_are_sums():
    counts = zipf_counts(900, 20_000)
    for release in (threshold([1, 2], 1e-6, 3), best_split([1, 2], 1e-6, 3), threshold(1, 1e-6, noise="geometric")):
        first = np.atleast_1d(expected_groups(release, counts))
        if isinstance(release, Split):
            kept = optimal_keep_probability(counts[:, None], release.epsilon, release.delta)
        else:
            kept = keep_probability(release, counts[:, None])
        np.testing.assert_allclose(first, np.atleast_1d(kept.T).reshape(first.size, -1).sum(1), rtol=1e-12)
        people = np.atleast_1d(expected_people(release, counts))
        np.testing.assert_allclose(people, (kept.T * counts).reshape(first.size, -1).sum(1), rtol=1e-12)
    assert expected_groups(threshold(1, 1e-6), 1000) == pytest.approx(1)


def test_zipf_counts_sum_to_the_total_and_fall_like_powers():
    for n_groups, total, exponent in [(900, 20_000, 1.0), (5, 0, 1.0), (1000, 123_456_789, 1.7), (7, 70, 0.0)]:
        counts = zipf_counts(n_groups, total, exponent)
        assert counts.sum() == total
        assert (np.diff(counts) <= 0).all()
        share = np.arange(1.0, n_groups + 1) ** -exponent
        assert abs(counts - total * share / share.sum()).max() <= 1.5


def test_draws_of_200_random_settings_appear_as_often_as_computed():
    """Within 4 standard errors each but for what 200 normal deviates exceed by chance; together a χ² of 200."""
    deviations = []
    for release, rng, counts in settings(seed=3, n=200):
        count = counts[np.argmin(abs(keep_probability(release, counts) - 0.5))]
        p = float(keep_probability(release, count))
        drawn = sample(rng, release, count, 2000)
        appeared = ~np.isnan(drawn)
        assert (drawn[appeared] >= release.threshold).all()
        if release.rule == "above" or release.noise == "gaussian":
            assert (drawn[appeared] > release.threshold).all()
        deviations.append((appeared.sum() - 2000 * p) / np.sqrt(2000 * p * (1 - p)))
    assert max(abs(np.array(deviations))) < 4
    assert abs(np.sum(np.square(deviations)) - 200) < 4 * np.sqrt(400)


def test_exact_geometric_draws_have_their_distribution():
    release = released("geometric", 1.7, -1e15)
    noise = sample(np.random.default_rng(5), release, 100, 20_000) - 100
    values = np.arange(-8, 9)
    inner = [np.count_nonzero(noise == value) for value in values]
    expected = geometric.pmf(values, 1.7) * 20_000
    observed = [*inner, 20_000 - sum(inner)]
    assert chisquare(observed, [*expected, 20_000 - expected.sum()]).pvalue > 1e-3


def test_names_are_drawn_with_their_probabilities():
    rng, split = np.random.default_rng(6), best_split(1, 1e-3, 2)
    counts = np.arange(0, 40)
    p = optimal_keep_probability(counts, split.epsilon, split.delta)
    share = sample_names(rng, split, counts, (4000, 40)).mean(axis=0)
    assert (abs(share - p) <= 4 * np.sqrt(p * (1 - p) / 4000) + 1e-12).all()
    assert share[-1] == 1
