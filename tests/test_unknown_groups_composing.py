"""What stands for a threshold release beside others: never more private than it, and than several of it together."""

import numpy as np
import pytest

from dpcore.composition import certified_delta, certified_epsilon, gaussian_release
from dpcore.unknown_groups import ThresholdRelease, delta_from_threshold, dominating_releases, threshold
from tests.test_unknown_groups_thresholds import PMF, greatest_deltas

NOISES = ("gaussian", "laplace", "discrete_gaussian", "geometric", "truncated_geometric")


def releases(seed, n):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        noise, k = str(rng.choice(NOISES)), int(rng.integers(1, 6))
        c = int(rng.integers(1, 3))
        epsilon, delta = 10 ** rng.uniform(-0.5, 1), 10 ** rng.uniform(-9, -1)
        yield threshold(epsilon, delta, k, noise, c, str(rng.choice(["at_least", "above"]))), epsilon, delta


def test_the_list_is_never_more_private_than_one_release_or_two():
    """Two releases on the same groups are one on twice the groups, of which a person may be alone in any."""
    for release, epsilon, delta in releases(seed=1, n=14):
        bound = release.bound if release.noise == "truncated_geometric" else None
        few = [1.0, 0.5]  # of Laplace noise on several groups, whose δ takes half a second each
        at = np.array(few if release.noise == "laplace" else [*few, 0.0, 1.7]) * epsilon
        for times in (1, 2):
            k = release.groups_per_person * times
            settings = k, release.noise, release.contributions, release.rule, bound
            exact = delta_from_threshold(at, release.scale, release.threshold, *settings)
            together = certified_delta(dominating_releases(release) * times, at).value
            assert (together >= exact * (1 - 1e-6)).all()
            if times == 1:
                assert together[0] <= (1 if "gaussian" in release.noise else 2) * delta * (1 + 1e-2)


@pytest.mark.parametrize("noise", ["gaussian", "discrete_gaussian"])
@pytest.mark.parametrize(("epsilon", "delta", "k"), [(1, 1e-6, 1), (1, 1e-6, 3), (2, 1e-8, 5), (0.3, 1e-12, 1000)])
def test_a_release_of_a_guarantee_costs_that_guarantee_alone(noise, epsilon, delta, k):
    """The δ's of noise and threshold are not added: the list of both costs no ε at all at this δ."""
    release = threshold(epsilon, delta, k, noise)
    (profile,) = dominating_releases(release)
    assert float(certified_epsilon([profile], delta).value) <= epsilon * (1 + 2e-3)
    at = np.linspace(0, 1.6, 9) * epsilon
    exact = delta_from_threshold(at, release.scale, release.threshold, k, noise)
    bound = certified_delta([profile], at).value
    assert (bound >= exact * (1 - 1e-12)).all()
    assert bound == pytest.approx(exact, rel=2e-2)


@pytest.mark.parametrize(
    ("name", "scale", "bound", "limit"),
    [("geometric", 1.2, np.inf, 2), ("discrete_gaussian", 1.3, np.inf, 3), ("truncated_geometric", 1.5, 6, 3)],
)
def test_the_list_is_never_more_private_than_the_definition(name, scale, bound, limit):
    listed = dominating_releases(of_numbers(name, scale, limit, bound, "at_least"))
    epsilons = 0.0, 0.4, 1.3
    true = greatest_deltas(epsilons, limit, 2, 1, lambda values: PMF[name](values, scale, bound))
    assert (certified_delta(listed, epsilons).value >= true).all()


def of_numbers(noise, scale, limit, bound, rule):
    """Return a release of two groups per person."""
    one = np.array(1.0)
    return ThresholdRelease(noise, one * scale, one * limit, one * bound, one * 2, one, rule)


def test_truncated_noise_below_its_threshold_needs_no_second_part():
    release = threshold(1, 1e-6, 3, "truncated_geometric")
    assert len(dominating_releases(release)) == 1
    assert certified_delta(dominating_releases(release), 1.0).value <= 1e-6 * (1 + 1e-9)


def test_a_release_composes_with_others():
    listed = [*dominating_releases(threshold(1, 1e-7, 3)), gaussian_release(5.0)]
    assert 1 < certified_epsilon(listed, 1e-6).value < 2


def test_a_threshold_that_hides_nothing_is_refused():
    release = of_numbers("gaussian", 5, -1e15, np.inf, "above")
    with pytest.raises(ValueError, match=r"delta must be in \[0, 1\), got 1"):
        dominating_releases(release)
    with pytest.raises(ValueError, match=r"scale must be one number in \[1e-3, 1e6\], got"):
        dominating_releases(threshold([1, 2], 1e-6))
