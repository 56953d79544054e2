"""Truncated noise in a list of releases, against the profile of one and brute force of several."""

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution

from dpcore import composition, truncated_geometric, truncated_laplace
from dpcore.composition import (
    gaussian_release,
    guarantee_release,
    laplace_release,
    truncated_laplace_release,
)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 1e-3), (1.0, 0.1), (3.0, 1e-6), (0.1, 0.3)])
def test_a_single_release_has_the_profile_of_its_noise(epsilon, delta):
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)
    at = epsilon * np.array([0.0, 0.6, 1.5])
    true = truncated_laplace.delta_from_bound(at, bound, scale)
    bounds = composition.certified_delta([truncated_laplace_release(epsilon, delta)], at, 1e-4).value
    assert np.all(bounds >= true * (1 - 1e-12))
    assert bounds == pytest.approx(true, rel=3e-4)
    profile = composition.certified_profile([truncated_laplace_release(epsilon, delta)], at, 1e-3).value
    assert profile == pytest.approx(true, rel=3e-3)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 0.1), (0.7, 0.01)])
def test_two_releases_have_the_delta_of_all_pairs_of_losses(epsilon, delta):
    bound, scale = truncated_laplace.bound_from_epsilon(epsilon, delta), truncated_laplace.scale_from_epsilon(epsilon)
    edges = np.linspace(-bound, bound + 1, 1501)
    mass = np.diff(truncated_laplace.cdf(edges, bound, scale))
    other = np.diff(truncated_laplace.cdf(edges - 1, bound, scale))
    pairs, others = np.multiply.outer(mass, mass).ravel(), np.multiply.outer(other, other).ravel()
    for at in (0.0, epsilon, 1.7 * epsilon):
        true = np.sum(np.maximum(pairs - np.exp(at) * others, 0))
        bound_of_both = composition.certified_delta([truncated_laplace_release(epsilon, delta, 2)], at, 1e-3).value
        assert bound_of_both == pytest.approx(true, rel=3e-3)
    lost = composition.certified_delta([truncated_laplace_release(epsilon, delta, 2)], 2 * epsilon).value
    assert lost == pytest.approx(1 - (1 - delta) ** 2, rel=1e-12)


def test_truncated_geometric_noise_on_several_cells_is_accounted_exactly():
    epsilon, target, cells = 0.8, 0.05, 3
    bound, scale = (
        int(truncated_geometric.bound_from_epsilon(epsilon, target)),
        truncated_geometric.scale_from_epsilon(epsilon),
    )
    k = np.arange(-bound, bound + 2)
    own, other = truncated_geometric.pmf(k, bound, scale), truncated_geometric.pmf(k - 1, bound, scale)
    pairs, others = own, other
    for _ in range(cells - 1):
        pairs, others = np.multiply.outer(pairs, own).ravel(), np.multiply.outer(others, other).ravel()
    delta = float(truncated_geometric.delta_from_bound(epsilon, bound, scale))
    for at in (0.0, epsilon, 2.1, 3 * epsilon):
        true = np.sum(np.maximum(pairs - np.exp(at) * others, 0))
        exact = composition.delta([guarantee_release(epsilon, delta, cells)], at, "certified").value
        assert exact == pytest.approx(true, rel=1e-9)


def test_truncated_noise_lies_between_laplace_noise_and_the_worst_of_its_guarantee():
    at = np.array([0.5, 2.0, 4.0])
    least, own, worst = (
        composition.certified_delta([release], at, 1e-3).value
        for release in (
            laplace_release(0.5, 20),
            truncated_laplace_release(0.5, 1e-9, 20),
            guarantee_release(0.5, 1e-9, 20),
        )
    )
    assert np.all((least < own) & (own < worst * (1 + 1e-9)))


def test_with_gaussian_noise_all_accountants_agree_or_say_more():
    releases = [truncated_laplace_release(0.4, 1e-8, 5), gaussian_release(5, 4)]
    exact, certified = (composition.epsilon(releases, 1e-6, name).value for name in ("exact", "certified"))
    assert certified == pytest.approx(exact, rel=1e-3)
    assert certified >= exact * (1 - 1e-9)
    for name in ("best", "rdp", "zcdp", "basic", "basic_of_lines", "advanced", "kairouz"):
        assert composition.epsilon(releases, 1e-6, name).value >= exact * (1 - 1e-6)
    assert composition.epsilon(releases, 1e-8).value == np.inf
    assert composition.epsilon([truncated_laplace_release(0.4, 1e-8, 5)], 1e-6).kind == "certified"


def test_a_delta_of_half_or_more_is_refused():
    with pytest.raises(ValueError, match=r"^delta must be in \[1e-300, 0\.5\), got 0\.5$"):
        truncated_laplace_release(1, 0.5)


def test_dp_accounting_composes_truncated_noise_to_the_same_delta():
    """Its losses of two probability mass functions, rounded up to a grid; Laplace noise in narrow cells loses less."""
    epsilon, delta, count = 0.5, 1e-4, 10
    bound = int(truncated_geometric.bound_from_epsilon(epsilon, delta))
    scale = float(truncated_geometric.scale_from_epsilon(epsilon))
    whole_delta = float(truncated_geometric.delta_from_bound(epsilon, bound, scale))
    at = epsilon * np.array([0.5, 1.5, 3.0])
    k = np.arange(-bound, bound + 2)
    own, other = (truncated_geometric.pmf(k - move, bound, scale) for move in (0, 1))
    theirs = their_deltas(own, other, count, at)
    ours = composition.certified_delta([guarantee_release(epsilon, whole_delta, count)], at, 1e-3).value
    assert ours == pytest.approx(theirs, rel=5e-3)
    end, b = (
        float(truncated_laplace.bound_from_epsilon(epsilon, delta)),
        float(truncated_laplace.scale_from_epsilon(epsilon)),
    )
    edges = np.arange(-np.ceil(end * 50), np.ceil(end * 50) + 52) / 50
    own, other = (np.diff(truncated_laplace.cdf(edges - move, end, b)) for move in (0, 1))
    theirs = their_deltas(own, other, count, at)
    ours = composition.certified_delta([truncated_laplace_release(epsilon, delta, count)], at, 1e-3).value
    assert ours == pytest.approx(theirs, rel=0.02)


def their_deltas(own, other, count, epsilon):
    """Return the δ of so many releases by dp-accounting, for noise of two probability mass functions."""
    lower, upper = ({i: float(np.log(p)) for i, p in enumerate(mass) if p > 0} for mass in (own, other))
    loss = privacy_loss_distribution.from_two_probability_mass_functions(
        lower, upper, value_discretization_interval=1e-4, symmetric=True
    )
    return np.array(loss.self_compose(count).get_delta_for_epsilon(list(epsilon)))
