"""Cells of one release: they keep the masses of both distributions, and every δ that they give is above the truth."""

import math
import re

import numpy as np
import pytest
from scipy.special import ndtr

from dpcore import composition, gaussian
from dpcore.composition.cells import loss_cells, sampled_loss
from dpcore.composition.releases import (
    exponential_release,
    gaussian_release,
    guarantee_release,
    laplace_release,
    sampled_release,
    truncated_laplace_release,
    zcdp_release,
)

RELEASES = [
    gaussian_release(0.3),
    gaussian_release(20),
    sampled_release(4, 0.01),
    sampled_release(0.6, 0.001),
    sampled_release(0.6, 0.999),
    sampled_release(1, 0.3),
    sampled_release(0.02, 0.5),
    sampled_release(1e5, 1e-9),
    laplace_release(0.7),
    laplace_release(3e-5),
    guarantee_release(0.7),
    guarantee_release(0.7, 1e-4),
    exponential_release(0.25),
]


def masses(release, direction, interval):
    """Return the places with mass, P's and Q's mass there, and what is broken."""
    cells = loss_cells(release, direction, interval, -40.0)
    mass = np.exp(cells.log_mass)
    place = np.concatenate([cells.place, cells.place + 1])
    mass = np.concatenate([mass * (1 - cells.up), mass * cells.up])
    return place * interval, mass, mass * np.exp(-place * interval), cells.broken


def exact_delta(release, direction, epsilon):
    """δ of one release at any real ε."""
    if release.kind == "laplace":
        theta = release.numbers[0]
        inner = -np.expm1(np.minimum((epsilon - theta) / 2, 0))
        return np.where(epsilon > -theta, inner, -np.expm1(epsilon))
    if release.kind in ("guarantee", "exponential"):
        theta, broken = (*release.numbers, 0.0)[:2]
        likely = 1 / (1 + np.exp(-theta))
        expected_excess = likely * np.maximum(-np.expm1(epsilon - theta), 0)
        expected_excess += (1 - likely) * np.maximum(-np.expm1(epsilon + theta), 0)
        return broken + (1 - broken) * expected_excess
    noise, rate = (*release.numbers, 1.0)[:2]
    odds = np.maximum((np.exp(epsilon if direction == "remove" else -epsilon) - 1 + rate) / rate, 0)
    with np.errstate(divide="ignore"):
        edge = noise * np.log(odds) + 0.5 / noise  # where the loss is ε
    if direction == "remove":
        return rate * ndtr(1 / noise - edge) - (np.expm1(epsilon) + rate) * ndtr(-edge)
    return (1 - (1 - rate) * np.exp(epsilon)) * ndtr(edge) - rate * np.exp(epsilon) * ndtr(edge - 1 / noise)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_both_distributions_keep_their_mass(release, direction):
    for interval in (0.013, 0.1, 0.7):
        width = interval * (1e-9 if release.numbers[0] == 1e5 else 1)
        _, p, q, broken = masses(release, direction, width)
        lost = release.numbers[1] if release.kind == "guarantee" else 0
        assert np.sum(p) + broken == pytest.approx(1, abs=1e-8)
        assert np.sum(q) <= 1 - lost + 2e-10
        if release.kind not in ("gaussian", "sampled") or release.numbers[0] > 0.5:  # else P's least losses are cut
            assert np.sum(q) == pytest.approx(1 - lost, abs=2e-10)


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_every_delta_is_at_or_above_the_truth_and_tends_to_it(release, direction):
    tiny = release.numbers[0] == 1e5
    scale = 1e-13 if tiny else 0.04 if release.numbers[0] == 20 else 3e-5 if release.numbers[0] == 3e-5 else 1.0
    epsilon = scale * np.linspace(-3.0, 3.0, 23)
    exact = exact_delta(release, direction, epsilon)
    for width, tolerance in ((0.2, 0.1), (0.01, 3e-3)):
        loss, p, _, broken = masses(release, direction, scale * width)
        gain = -np.expm1(np.minimum(epsilon[:, None] - loss, 0)) @ p + broken
        slack = 1e-13  # of the differences in the closed form
        assert np.all(gain >= exact - slack)
        assert np.all(gain <= exact + tolerance * np.max(exact))


@pytest.mark.parametrize(
    ("release", "direction", "lowest", "first"),
    [
        (sampled_release(0.6, 0.1), "remove", -0.05, -5),
        (sampled_release(0.6, 0.1), "add", -0.05, -5),
        (laplace_release(0.9), "remove", -0.955, -6),
        (truncated_laplace_release(0.9, 1e-13), "remove", -0.955, -6),
    ],
)
def test_losses_below_the_lowest_are_moved_up_to_it_and_none_is_lost(release, direction, lowest, first):
    epsilon = np.linspace(-0.4, 0.8, 9)
    everywhere, above = (loss_cells(release, direction, 0.01, -40.0, least) for least in (-math.inf, lowest))
    assert np.min(everywhere.place) < np.min(above.place) == first
    assert np.sum(np.exp(above.log_mass)) == pytest.approx(np.sum(np.exp(everywhere.log_mass)), rel=1e-12)
    deltas = []
    for cells in (everywhere, above):
        loss, mass = np.concatenate([cells.place, cells.place + 1]) * 0.01, np.exp(cells.log_mass)
        mass = np.concatenate([mass * (1 - cells.up), mass * cells.up])
        deltas.append(-np.expm1(np.minimum(epsilon[:, None] - loss, 0)) @ mass)
    assert np.all(deltas[1] >= deltas[0] - 1e-13)
    assert deltas[1][epsilon > 0] == pytest.approx(deltas[0][epsilon > 0], rel=1e-9)


def test_the_far_tail_keeps_its_digits():
    """δ of a Gaussian at 1e-200 from cells alone."""
    exact = 1e-200
    epsilon = float(gaussian.epsilon_from_sigma(exact, 1.0))
    cells = loss_cells(gaussian_release(1), "remove", 1e-3, -500.0)
    loss, mass = cells.place * 1e-3, np.exp(cells.log_mass + 400)
    above = loss >= epsilon
    gain = np.sum(-mass[above] * np.expm1(epsilon - loss[above] - 1e-3 * cells.up[above])) * math.exp(-400)
    assert gain == pytest.approx(exact, rel=1e-2)
    assert cells.broken < 1e-215


def test_a_loss_at_a_multiple_of_the_interval_stays_there():
    cells = loss_cells(guarantee_release(0.3), "remove", 0.1, -40.0)
    assert cells.place.tolist() == [3, -3]
    assert cells.up.tolist() == [0, 0]
    assert 2**-54 < cells.below < 1e-14  # 3 times the float .1 is above the float .3, so −3 times is below −.3


def test_a_sampled_loss_is_its_logarithm_where_it_cancels_and_where_it_overflows():
    assert sampled_loss(1.0, 1e-9, "remove", np.array([0.5])) == pytest.approx([0], abs=1e-25)
    assert sampled_loss(1.0, 1e-9, "remove", np.array([-30.0])) == pytest.approx([-1e-9], rel=1e-8)
    assert sampled_loss(1e-3, 0.5, "remove", np.array([1000.0])) == pytest.approx([5e5 - math.log(2)], rel=1e-14)
    assert sampled_loss(2.0, 1.0, "add", np.array([3.0])) == pytest.approx([1.5 + 0.125], rel=1e-14)


def test_zcdp_has_no_cells():
    sentence = "releases must have a pair of distributions to compose, which zCDP alone does not give, got 0.5-zCDP"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        loss_cells(zcdp_release(0.5), "remove", 0.1, -40.0)


def test_the_losses_of_laplace_noise_exist_where_the_exponential_of_epsilon_overflows():
    bound = composition.certified_epsilon([laplace_release(1e3)], 1e-6)
    assert 0 < float(bound.value) <= 1e3 * (1 + 1e-9)
