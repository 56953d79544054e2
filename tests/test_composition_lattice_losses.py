"""Noise on the whole numbers in a list: its losses, and what lists of it cost, beside the definition by mpmath."""

from functools import cache
from itertools import product

import mpmath
import numpy as np
import pytest

from dpcore import composition, discrete_gaussian, geometric
from dpcore.composition import (
    discrete_gaussian_release,
    epsilon,
    exact_epsilon,
    gaussian_release,
    geometric_release,
    laplace_release,
    log_moment,
    rdp,
    rho,
)
from dpcore.composition.cells import lattice_losses, unit

RELEASES = [
    geometric_release(1.0, 2),
    geometric_release(0.3, 7),
    geometric_release(20.0, 5),
    discrete_gaussian_release(0.4),
    discrete_gaussian_release(2.5, 3),
    discrete_gaussian_release(40.0, 2),
]


def pairs(release, reach=None):
    """Return the masses of the noise and of the noise moved by its steps, on the whole numbers up to `reach`."""
    first, steps = release.numbers
    reach = reach or int(40 + (40 * steps / first if release.kind == "geometric" else 12 * first))
    with mpmath.workdps(40):
        if release.kind == "geometric":
            rate = mpmath.exp(-mpmath.mpf(first) / int(steps))
            weight = [rate ** abs(k) for k in range(-reach, reach + 1)]
        else:
            weight = [
                mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * mpmath.mpf(first) ** 2)) for k in range(-reach, reach + 1)
            ]
        total, steps = mpmath.fsum(weight), int(steps)
        return [(weight[i + steps] / total, weight[i] / total) for i in range(len(weight) - steps)]


@cache
def outcomes_of(releases):
    """Return the masses of all outcomes of the releases together, for both neighbours."""
    with mpmath.workdps(40):
        outcomes = [(mpmath.mpf(1), mpmath.mpf(1))]
        for release in releases:
            for _ in range(release.count):
                merged = {}
                for (p, q), (p1, q1) in product(outcomes, pairs(release, 30)):
                    key = mpmath.nstr(mpmath.log(p * p1 / (q * q1)), 25)
                    old = merged.get(key, (0, 0))
                    merged[key] = old[0] + p * p1, old[1] + q * q1
                outcomes = list(merged.values())
        return outcomes


def delta_by_definition(releases, value):
    """Return δ(ε) of all releases together, by summing over all outcomes."""
    with mpmath.workdps(40):
        return mpmath.fsum(max(p - mpmath.exp(value) * q, 0) for p, q in outcomes_of(tuple(releases)))


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_the_losses_are_those_of_the_definition_and_keep_all_mass(release):
    losses = lattice_losses(release.kind, release.numbers)
    assert np.exp(losses.log_mass).sum() == pytest.approx(1, abs=1e-12)
    multiple = losses.loss / unit(release.kind, release.numbers)
    assert multiple == pytest.approx(np.round(multiple), abs=1e-6)
    for order in (0.5, 3.0):
        with mpmath.workdps(40):
            moment = mpmath.fsum(p * (p / q) ** order for p, q in pairs(release) if q > 0)
        log = float(mpmath.log(moment))
        assert float(np.real(log_moment(release, order))) == pytest.approx(log, rel=1e-11)
        assert float(rdp([release], 1 + order)) >= log / order * (1 - 1e-12)


@pytest.mark.parametrize(
    "release",
    [
        discrete_gaussian_release(1.0),
        discrete_gaussian_release(2.5, 3),
        discrete_gaussian_release(0.7, 2),
        geometric_release(1.3, 2),
        geometric_release(0.4, 7),
    ],
    ids=str,
)
def test_complex_moments_are_sums_over_the_losses_in_every_period(release):
    s = np.array([[1 + 2j, 0.5 - 1j, 0.5 + 3.1j, 2 + 6.5j, 1 - 40j]])
    with mpmath.workdps(40):
        losses = pairs(release)
        direct = [mpmath.fsum(p * (p / q) ** mpmath.mpc(point) for p, q in losses) for point in s[0]]
    level = np.exp(log_moment(release, np.real(s)))
    assert np.exp(log_moment(release, s)) / level == pytest.approx(np.array([direct], complex) / level, abs=1e-13)


@pytest.mark.parametrize("delta", [1e-2, 1e-6, 1e-12])
def test_a_single_release_costs_what_its_family_says(delta):
    for release, single in (
        (discrete_gaussian_release(2.5), discrete_gaussian.epsilon_from_sigma(delta, 2.5, 1, 1)),
        (discrete_gaussian_release(4, 3), discrete_gaussian.epsilon_from_sigma(delta, 4, 3, 1)),
        (discrete_gaussian_release(4, 1, 4), discrete_gaussian.epsilon_from_sigma(delta, 4, 2, 4)),
        (geometric_release(1, 5), geometric.epsilon_from_scale(delta, 5, 5)),
    ):
        for accountant in ("best", "certified"):
            assert float(epsilon([release], delta, accountant).value) == pytest.approx(float(single), rel=1e-9)


@pytest.mark.parametrize(
    "releases",
    [
        [geometric_release(1.0, 2), geometric_release(0.7, 3)],
        [discrete_gaussian_release(1.5), geometric_release(0.9, 2)],
        [discrete_gaussian_release(1.2), discrete_gaussian_release(2.1, 2)],
    ],
)
@pytest.mark.parametrize("delta", [1e-2, 1e-5])
def test_a_list_costs_its_definition_and_never_less(releases, delta):
    value = float(epsilon(releases, delta).value)
    true = delta_by_definition(releases, value)
    assert true <= delta * (1 + 1e-13)
    assert delta_by_definition(releases, value * (1 - 1e-3)) > delta


def test_lists_with_smooth_noise_have_the_same_epsilon_by_both_accountants():
    releases = [gaussian_release(3), discrete_gaussian_release(2.5, 1, 3), geometric_release(0.3, 4, 2)]
    exact, certified = exact_epsilon(releases, 1e-6), epsilon(releases, 1e-6, "certified")
    assert exact.converged
    assert float(exact.value) <= float(certified.value) <= float(exact.value) * (1 + 1e-4)
    assert float(epsilon(releases, 1e-6, "rdp").value) > float(exact.value)


def test_many_lines_on_the_whole_numbers_have_a_certified_delta_without_the_contour_integral():
    releases = [geometric_release(0.2 + steps / 10, steps) for steps in range(2, 8)]
    certified, best = composition.delta(releases, 2.0, "certified"), composition.delta(releases, 2.0)
    assert best.kind == "certified"
    assert float(best.value) == pytest.approx(float(certified.value), rel=1e-9)
    assert float(composition.delta(releases[:1], releases[0].numbers[0] / 2).value) > 0


def test_lists_with_laplace_noise_are_certified_below_basic_composition():
    releases = [laplace_release(0.2, 3), discrete_gaussian_release(2.5, 1, 3), geometric_release(0.3, 4, 2)]
    best, basic = epsilon(releases, 1e-6), epsilon(releases, 1e-6, "basic")
    assert best.kind == "certified"
    assert float(best.value) < 0.7 * float(basic.value)


def test_the_rho_of_noise_on_the_whole_numbers():
    assert rho([discrete_gaussian_release(2, 3)]) == pytest.approx(9 / 8, rel=1e-12)
    assert rho([geometric_release(0.5, 3)]) == pytest.approx(0.5 * np.tanh(0.25), rel=1e-12)
