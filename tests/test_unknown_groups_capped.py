"""A limit on what a person adds to all groups together: δ against its definition, over all splits of the limit."""

import itertools

import numpy as np
import pytest

from dpcore import gaussian, laplace, verify
from dpcore.unknown_groups import delta_from_threshold, dominating_releases, threshold
from tests.test_unknown_groups_thresholds import PMF, REACH, cells_of, divergences, outcomes

NOISES = "gaussian", "laplace", "geometric", "truncated_geometric"


def splits(total, k, c):
    """What a person may add to k groups: at most c to each and `total` in all, the largest first."""
    rows = itertools.combinations_with_replacement(range(c, -1, -1), k)
    return [row for row in rows if 0 < sum(row) <= total]


def greatest_deltas(epsilons, total, k, c, others, of_group):
    """The definition, over all splits and the counts of others in each group."""
    deltas = np.zeros(len(epsilons))
    for split in splits(total, k, c):
        for counts in itertools.product(others, repeat=k):
            without = [of_group(count) for count in counts]
            with_one = [of_group(count + more) for count, more in zip(counts, split, strict=True)]
            deltas = np.maximum(deltas, divergences(epsilons, with_one, without))
    return deltas


@pytest.mark.parametrize(
    ("name", "scale", "bound", "limit"),
    [
        ("geometric", 1.2, None, 5),
        ("geometric", 3.0, None, 9),
        ("truncated_geometric", 1.5, 6, 7),
        ("truncated_geometric", 3.0, 6, 7),
        ("truncated_geometric", 3.0, 6, 8),
        ("truncated_geometric", 1.5, 6, 4),
        ("truncated_geometric", np.inf, 5, 6),
    ],
)
@pytest.mark.parametrize(("total", "k", "c"), [(3, 2, 2), (1, 2, 2), (2, 2, 3), (4, 2, 3), (5, 2, 3), (2, 3, 2)])
def test_no_split_of_the_limit_has_a_larger_delta(name, scale, bound, limit, total, k, c):
    epsilons = 0.0, 0.4, 1.0, 1.7, 4.0

    def at(values):
        return PMF[name](values, scale, bound)

    true = greatest_deltas(epsilons, total, k, c, (0, 1, limit + REACH), lambda count: outcomes(count, limit, at))
    computed = delta_from_threshold(epsilons, scale, limit, k, name, c, bound=bound, total=total)
    free = delta_from_threshold(epsilons, scale, limit, k, name, c, bound=bound)
    assert (computed >= true * (1 - 1e-10)).all()
    assert (computed <= free * (1 + 1e-12)).all()
    covered = np.array(epsilons) >= total / scale
    if name == "truncated_geometric" and limit > bound:
        assert computed[covered] == pytest.approx(true[covered], rel=1e-9)


@pytest.mark.parametrize(("name", "scale"), [("gaussian", 1.4), ("laplace", 1.5), ("laplace", 3.0)])
@pytest.mark.parametrize(("total", "c", "limit"), [(3, 2, 4.1), (4, 3, 6.3)])
def test_no_split_has_a_larger_delta_by_real_noise(name, scale, total, c, limit):
    cdf = {"gaussian": gaussian.cdf, "laplace": laplace.cdf}[name]
    edges, epsilons = np.append(np.arange(limit, limit + 36, 0.08), 1e9), (0.0, 0.7, 1.4, 2.0)
    true = greatest_deltas(
        epsilons, total, 2, c, (0, limit + 28), lambda count: cells_of(count, limit, edges, lambda x: cdf(x, scale))
    )
    computed = delta_from_threshold(epsilons, scale, limit, 2, name, c, total=total)
    assert (true * (1 - 1e-9) <= computed).all()
    assert (computed <= delta_from_threshold(epsilons, scale, limit, 2, name, c)).all()


@pytest.mark.parametrize("noise", NOISES)
def test_the_noise_is_that_of_the_limit_and_the_threshold_the_least_that_satisfies_delta(noise):
    rng = np.random.default_rng(11)
    n = 30
    epsilon, delta = 10 ** rng.uniform(-1, 1, n), 10 ** rng.uniform(-10, -1, n)
    k, c = rng.integers(2, 12, n), rng.integers(2, 6, n)
    total = rng.integers(1, k * c)
    release = threshold(epsilon, delta, k, noise, c, total=total)
    bound = release.bound if noise == "truncated_geometric" else None
    limits = k, noise, c, "at_least", bound, total
    assert (delta_from_threshold(epsilon, release.scale, release.threshold, *limits) <= delta * (1 + 1e-12)).all()
    free = threshold(epsilon, delta, k, noise, c)
    assert (release.threshold <= free.threshold).all()
    full, rest = np.divmod(np.minimum(total, k * c), np.minimum(c, total))
    if noise == "gaussian":
        moved = np.sqrt(full * np.minimum(c, total) ** 2 + rest**2)
        least = gaussian.analytic_sigma(epsilon, delta, moved)
        assert (release.scale >= least * (1 - 1e-9)).all()
        assert np.mean(release.scale < least * (1 + 1e-9)) > 0.5
    elif noise != "truncated_geometric":
        assert release.scale == pytest.approx(total / epsilon, rel=1e-9)
    if noise != "truncated_geometric":
        step = 1e-6 * release.scale if noise in ("gaussian", "laplace") else 1.0
        lower = delta_from_threshold(epsilon, release.scale, release.threshold - step, *limits)
        assert np.mean((lower > delta) | (release.threshold <= np.minimum(c, total) + 1 + 0.03 * release.scale)) > 0.9


def test_a_limit_of_three_records_is_the_noise_of_three():
    expected = {"gaussian": (12.674, 66.0), "laplace": (3, 45.66), "geometric": (3, 47), "truncated_geometric": (3, 42)}
    for noise, numbers in expected.items():
        release = threshold(1, 1e-6, 3, noise, 3, total=3)
        assert (float(release.scale), float(release.threshold)) == pytest.approx(numbers, rel=1e-4)


@pytest.mark.parametrize("noise", NOISES)
def test_a_limit_that_is_no_limit_changes_nothing_and_a_limit_of_one_is_one_group(noise):
    assert threshold(1, 1e-6, 3, noise, 2, total=6) == threshold(1, 1e-6, 3, noise, 2, total=6.0)
    for total in (6, 100, np.inf):
        wide, free = threshold(1, 1e-6, 3, noise, 2, total=total), threshold(1, 1e-6, 3, noise, 2)
        assert [wide.scale, wide.threshold] == [free.scale, free.threshold]
    one, alone = threshold(1, 1e-6, 30, noise, 5, total=1), threshold(1, 1e-6, 1, noise)
    assert [one.scale, one.threshold] == [alone.scale, alone.threshold]
    assert (one.groups_per_person, one.contributions) == (1, 1)


def test_truncated_noise_is_never_worse_than_without_the_limit_also_where_that_is_large():
    place, contributions, total = (
        ([1, 500], [1e-6, 0.5], [30, 16], "truncated_geometric"),
        [10, 100_000],
        [290, 1_500_000],
    )
    capped, free = threshold(*place, contributions, total=total), threshold(*place, contributions)
    assert (capped.threshold <= free.threshold).all()


@pytest.mark.parametrize("noise", NOISES)
def test_a_limit_in_all_is_proved(noise):
    rng = np.random.default_rng(3)
    for _ in range(12):
        k, c = int(rng.integers(1, 7)), int(rng.integers(1, 5))
        total, epsilon, delta = int(rng.integers(1, k * c + 1)), 10 ** rng.uniform(-0.7, 1), 10 ** rng.uniform(-8, -1)
        release = threshold(epsilon, delta, k, noise, c, total=total)
        bound = int(release.bound) if noise == "truncated_geometric" else None
        place = epsilon, float(release.scale), float(release.threshold), k, noise, c, "at_least", bound, total
        proof, computed = verify.threshold_delta(*place), delta_from_threshold(*place)
        assert verify.proved(proof, delta)
        assert proof.low <= computed <= proof.high * (1 + 1e-9)


def test_the_proof_of_truncated_noise_below_the_losses_of_the_limit_is_that_without_it():
    for epsilon, scale in ((0.5, 3.0), (1.0, 3.0), (4.0, 3.0)):
        place = epsilon, scale, 7, 2, "truncated_geometric", 3, "at_least", 6, 4
        proof = verify.threshold_delta(*place)
        computed = delta_from_threshold(*place)
        assert proof.low * (1 - 1e-12) <= computed
        assert computed <= proof.high * (1 + 1e-9) or epsilon < 4 / scale  # there dpcore has an upper bound


def test_what_stands_for_a_release_in_a_composition_has_the_limit():
    release = threshold(1, 1e-6, 3, "gaussian", 3, total=3)
    (profile,) = dominating_releases(release)
    assert profile == dominating_releases(threshold(1, 1e-6, 3, "gaussian", 3, total=3))[0]
    assert profile != dominating_releases(threshold(1, 1e-6, 3, "gaussian", 3))[0]


def test_a_limit_in_all_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"total must be in \[1, inf\], got 0"):
        threshold(1, 1e-6, 3, total=0)
    with pytest.raises(ValueError, match=r"total must be in the whole numbers of \[1, inf\], got 2.5"):
        threshold(1, 1e-6, 3, total=2.5)
    with pytest.raises(ValueError, match="total must be left out of noise discrete_gaussian, got 3"):
        threshold(1, 1e-6, 3, "discrete_gaussian", total=3)
    with pytest.raises(ValueError, match="total must be left out of noise discrete_gaussian, got 3"):
        verify.threshold_delta(1, 4, 20, 3, "discrete_gaussian", total=3)
