"""The δ of a threshold release against its definition: all outcomes of neighbouring tables of up to three groups."""

import itertools

import numpy as np
import pytest

from dpcore import discrete_gaussian, gaussian, geometric, laplace, truncated_geometric
from dpcore.unknown_groups import RULES, delta_from_threshold, threshold

REACH = 16
PMF = {
    "geometric": lambda k, scale, bound: geometric.pmf(k, scale),
    "discrete_gaussian": lambda k, scale, bound: discrete_gaussian.pmf(k, scale),
    "truncated_geometric": lambda k, scale, bound: truncated_geometric.pmf(k, bound, scale),
}


def outcomes(count, limit, noise):
    """The probabilities of "does not appear" and of all values from the limit on, of one group of whole numbers."""
    values = np.arange(limit, limit + 4 * REACH)
    if count == 0:
        return np.eye(1, values.size + 1)[0]
    released = noise(values - count)
    return np.append(1 - released.sum(), released)


def divergences(epsilons, first, second):
    """For each ε the greater of Σ (P − e^ε Q)₊ and Σ (Q − e^ε P)₊ over all outcomes of all groups, P and Q products
    over groups. The outcomes of a group that only P or only Q can have are one.
    """
    p, q = np.ones(1), np.ones(1)
    for one, other in zip(first, second, strict=True):
        both = (one > 0) & (other > 0)
        p = np.multiply.outer(p, [*one[both], one[other == 0].sum(), 0]).ravel()
        q = np.multiply.outer(q, [*other[both], 0, other[one == 0].sum()]).ravel()
    pairs = [(np.exp(epsilon), a, b) for epsilon in epsilons for a, b in ((p, q), (q, p))]
    return np.reshape([np.maximum(a - factor * b, 0).sum() for factor, a, b in pairs], (-1, 2)).max(axis=1)


def greatest_deltas(epsilons, limit, k, c, noise):
    """The definition: over the counts of others in up to k groups, and both directions; none, few or many others."""
    deltas = np.zeros(len(epsilons))
    for others in itertools.combinations_with_replacement((0, 1, 2, limit + REACH), k):
        without = [outcomes(count, limit, noise) for count in others]
        with_one = [outcomes(count + c, limit, noise) for count in others]
        deltas = np.maximum(deltas, divergences(epsilons, with_one, without))
    return deltas


SETTINGS = [
    (name, scale, bound, k, c, limit)
    for name, scale, bound in [
        ("geometric", 1.2, None),
        ("geometric", 3.0, None),
        ("discrete_gaussian", 1.3, None),
        ("truncated_geometric", 1.5, 6),
        ("truncated_geometric", np.inf, 5),
    ]
    for k, c, limit in [(1, 1, 4), (1, 3, 7), (2, 1, 1), (2, 1, 5), (2, 2, 6), (3, 1, 3)]
]


@pytest.mark.parametrize(("name", "scale", "bound", "k", "c", "limit"), SETTINGS)
def test_delta_is_that_of_all_outcomes_of_all_neighbouring_tables(name, scale, bound, k, c, limit):
    epsilons = 0.0, 0.4, 1.3, 4.0
    deltas = greatest_deltas(epsilons, limit, k, c, lambda values: PMF[name](values, scale, bound))
    for epsilon, true in zip(epsilons, deltas, strict=True):
        settings = {"noise": name, "contributions": c, "bound": bound}
        computed = [
            delta_from_threshold(epsilon, scale, limit - shift, k, rule=rule, **settings)
            for shift, rule in ((0, "at_least"), (0.5, "at_least"), (1, "above"), (0.5, "above"))
        ]
        assert len(set(computed)) == 1
        assert computed[0] >= true * (1 - 1e-10)
        if name != "truncated_geometric" or min(c, k) == 1 or epsilon >= k * c / scale:
            assert computed[0] <= true * (1 + 1e-5)


def cells_of(count, limit, edges, cdf):
    """The probabilities of not appearing and of each interval between the edges."""
    if count == 0:
        return np.eye(1, edges.size)[0]
    return np.append(cdf(limit - count), np.diff(cdf(edges - count)))


@pytest.mark.parametrize(("name", "scale"), [("gaussian", 0.9), ("laplace", 0.8), ("laplace", 2.5)])
@pytest.mark.parametrize(("k", "limit"), [(1, 3.3), (2, 1.5), (2, 4.1)])
def test_delta_of_real_noise_is_the_limit_of_ever_finer_intervals(name, scale, k, limit):
    cdf = {"gaussian": gaussian.cdf, "laplace": laplace.cdf}[name]
    edges = np.append(
        np.arange(limit, limit + 32, 0.04), 1e9
    )  # beyond, the two densities have one ratio, or next to none
    epsilons, true = (0.0, 0.7, 2.0), np.zeros(3)
    for others in itertools.combinations_with_replacement((0, 1, limit + 25), k):
        pair = [[cells_of(count + more, limit, edges, lambda x: cdf(x, scale)) for count in others] for more in (0, 1)]
        true = np.maximum(true, divergences(epsilons, *pair))
    computed = delta_from_threshold(epsilons, scale, limit, k, name)
    assert (true * (1 - 1e-9) <= computed).all()
    assert (computed <= true * 1.005).all()


CHECKS = [
    (1, 1e-6, 1, 14.12236338, 4.22467889, 21.08169133),
    (1, 1e-6, 3, 43.66292600, 7.31735848, 37.37334925),
    (1, 1e-5, 10, 132.22358877, 11.79729308, 57.07752896),
    (1, 1e-6, 30, 496.70680827, 23.13951926, 125.95179707),
    (2, 1e-8, 5, 49.34242868, 5.93212459, 35.90576808),
    (4, 1e-9, 2, 11.36163292, 2.10407214, 13.85463977),
]


def test_the_check_values_of_thresholds():
    epsilon, delta, k, laplace_limit, sigma, limit = np.array(CHECKS).T
    by_laplace, by_gaussian = threshold(epsilon, delta, k, "laplace"), threshold(epsilon, delta, k)
    np.testing.assert_allclose(by_laplace.scale, k / epsilon, rtol=1e-14)
    np.testing.assert_allclose(by_laplace.threshold, laplace_limit, rtol=1e-9)
    np.testing.assert_allclose(by_gaussian.scale, sigma, rtol=1e-9)
    np.testing.assert_allclose(by_gaussian.threshold, limit, rtol=2e-9)  # 1 − (1 − δ)^{1/k} cancels in the last two
    assert delta_from_threshold(1, 7.318, 37.38, 3) <= 1e-6
    assert (delta_from_threshold(1, [7.317, 7.318], [37.38, 37.37], 3) > 1e-6).all()


def settings(seed, n):
    rng = np.random.default_rng(seed)
    return 10 ** rng.uniform(-1.5, 1, n), 10 ** rng.uniform(-12, -0.2, n), rng.integers(1, 25, n), rng.integers(1, 4, n)


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_a_real_threshold_is_the_least_that_satisfies_the_guarantee(noise):
    epsilon, delta, k, c = settings(seed=4, n=40)
    release = threshold(epsilon, delta, k, noise, c)
    arguments = k, noise, c
    assert (delta_from_threshold(epsilon, release.scale, release.threshold, *arguments) <= delta).all()
    lower = release.threshold - 1e-8 * release.scale
    needed = delta_from_threshold(epsilon, release.scale, lower, *arguments) > delta
    assert (needed | (release.threshold <= c + 0.03 * release.scale)).all()
    assert np.mean(needed) > 0.9


@pytest.mark.parametrize("noise", ["geometric", "discrete_gaussian"])
def test_a_whole_threshold_is_the_least_that_satisfies_the_guarantee(noise):
    epsilon, delta, k, c = settings(seed=5, n=25)
    for rule in RULES:
        release = threshold(epsilon, delta, k, noise, c, rule)
        arguments = k, noise, c, rule
        assert (release.threshold == release.threshold.round()).all()
        assert (delta_from_threshold(epsilon, release.scale, release.threshold, *arguments) <= delta).all()
        needed = delta_from_threshold(epsilon, release.scale, release.threshold - 1, *arguments) > delta
        assert np.mean(needed | (release.threshold <= c + 1)) > 0.98


def test_the_search_for_a_whole_threshold_does_not_rest_on_where_it_begins(monkeypatch):
    release = threshold([1, 0.5], 1e-6, [1, 4], "geometric")
    monkeypatch.setattr(geometric, "half_width", lambda significance, scale: np.zeros(2))
    assert threshold([1, 0.5], 1e-6, [1, 4], "geometric").threshold.tolist() == release.threshold.tolist()


def test_a_truncated_threshold_is_beyond_every_draw_and_as_good_as_keep_or_drop():
    epsilon, delta, k, c = settings(seed=6, n=15)
    release = threshold(epsilon, delta, k, "truncated_geometric", c)
    assert (release.threshold == release.bound + 1).all()
    computed = delta_from_threshold(
        epsilon, release.scale, release.threshold, k, "truncated_geometric", c, bound=release.bound
    )
    assert (computed <= delta * (1 + 1e-12)).all()
    assert threshold(1, 1e-6, 30, "truncated_geometric", probability=0.5).threshold <= 321


def test_at_least_and_above_differ_by_a_step_of_whole_numbers_alone():
    for noise in ("gaussian", "laplace", "geometric", "discrete_gaussian", "truncated_geometric"):
        at_least, above = (threshold(1, 1e-6, 2, noise, rule=rule) for rule in RULES)
        assert at_least.threshold - above.threshold == (0 if noise in ("gaussian", "laplace") else 1)


def test_the_guarantee_of_a_threshold_at_the_limits():
    assert delta_from_threshold(1, 4, -1e15) == 1  # a person alone always appears
    assert delta_from_threshold(0, 1e-3, 1e15) == 1  # the noise hides nothing
    assert delta_from_threshold(1, 5e-4, 100, 2, "laplace") == 1
    assert delta_from_threshold(1, 5e-4, 100, 2, "truncated_geometric", bound=7) == 1
    assert delta_from_threshold(1, 1e5, 1e9, [1, 10_000]).shape == (2,)
    many = delta_from_threshold(1, 300.0, 3000, np.full(40, 9_000))
    assert len(set(many.tolist())) == 1


def test_a_threshold_satisfies_the_guarantee_in_the_last_bits_of_a_large_delta():
    epsilon, delta, k = np.array([[0.001, 0.3, 1], [0.001, 0.3, 2], [1, 0.3, 2], [1, 0.999, 1], [50, 0.999, 100]]).T
    release = threshold(epsilon, delta, k)
    assert (delta_from_threshold(epsilon, release.scale, release.threshold, k) <= delta).all()


def test_a_threshold_at_the_limits_of_the_guarantee():
    release = threshold(1e6, 1e-290)
    assert delta_from_threshold(1e6, release.scale, release.threshold) <= 1e-290
    with pytest.raises(ValueError, match=r"epsilon must be in those with a threshold of at most 1e\+15 .*, got 0"):
        threshold(0, 1e-20)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"noise": "cauchy"}, "noise must be in gaussian, laplace, discrete_gaussian, .*, got 'cauchy'"),
        ({"rule": "over"}, "rule must be in at_least, above, got 'over'"),
        ({"bound": 3}, "bound must be left out of noise gaussian, got 3"),
        ({"noise": "truncated_geometric"}, r"bound must be in \[1, 1e6\], got nan"),
        ({"groups_per_person": 0}, r"groups_per_person must be in \[1, 1e4\], got 0"),
        ({"contributions": 1.5}, r"contributions must be in the whole numbers of \[1, 1e6\], got 1.5"),
        ({"scale": np.inf}, r"scale must be in \(0, inf\), got inf"),
    ],
)
def test_input_out_of_range_is_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        delta_from_threshold(**{"epsilon": 1, "scale": 4, "threshold": 20, **arguments})
