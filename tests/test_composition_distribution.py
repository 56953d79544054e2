"""Certified δ and ε, against exact Gaussians, binomials, contour integrals and Google's accountant."""

import math
import re

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from mpmath import mp
from scipy.stats import binom

from dpcore import gaussian
from dpcore.composition.distribution import certified_delta, certified_epsilon
from dpcore.composition.profiles import certified_profile
from dpcore.composition.releases import (
    Release,
    exponential_release,
    gaussian_release,
    guarantee_release,
    laplace_release,
    sampled_release,
    zcdp_release,
)

NOTHING = guarantee_release(0.0)  # beside which Gaussians go through the cells


def log_moment(release, direction, s):
    """ln E e^{sL} of one release for an array of complex orders, by the trapezoid rule or in closed form."""
    if release.kind == "laplace":
        (epsilon,) = release.numbers
        return np.log(((s + 1) * np.exp(s * epsilon) + s * np.exp(-(s + 1) * epsilon)) / (2 * s + 1))
    if release.kind == "guarantee":
        epsilon, _ = release.numbers
        return np.log((np.exp((1 + s) * epsilon) + np.exp(-s * epsilon)) / (1 + np.exp(epsilon)))
    noise, rate = (*release.numbers, 1.0)[:2]
    x = np.linspace(-12, 14 + np.max(s.real) / noise, 500)
    loss = np.logaddexp(np.log1p(-rate) if rate < 1 else -np.inf, np.log(rate) + x / noise - 0.5 / noise**2)
    power = 1 + s if direction == "remove" else -s
    return np.log(np.exp(power[:, None] * loss - x**2 / 2) @ np.full(x.size, (x[1] - x[0]) / np.sqrt(2 * np.pi)))


def contour_delta(releases, epsilon, order, reach, direction="remove"):
    """δ(ε) = 1/(2πi) ∫ e^{K(s) − sε}/(s(1 + s)) ds over a line right of 0."""
    line = order + 1j * np.linspace(0, reach, 1000)
    total = sum(release.count * log_moment(release, direction, line) for release in releases)
    values = np.exp(total - line * epsilon) / (line * (1 + line))
    return float(np.trapezoid(values.real, line.imag) / np.pi)


def test_published_runs_of_dp_sgd_are_met_within_the_stated_excess_and_never_undercut():
    for noise, rate, steps, exact in (
        (4, 0.01, 10_000, 0.946866800764),
        (4, 0.01, 40_000, 2.033065265045),
        (1.3, 250 / 60_000, 3600, 0.852979522270),
        (1.1, 256 / 60_000, 14_063, 2.381689726142),
        (1, 1 / 938, 9380, 0.493334327584),
        (1, 0.01, 1000, 1.828236667),
        (0.6, 0.01, 1000, 7.433613821),
        (10, 0.01, 100_000, 1.203372682),
    ):
        bound = certified_epsilon([sampled_release(noise, rate, steps)], 1e-5)
        assert exact <= bound.value <= exact * 1.0021
        assert bound.error == pytest.approx(bound.value - exact, rel=0.05)
    bound = certified_epsilon([sampled_release(3, 0.1, 512)], 1e-6)
    assert 3.769683805212 <= bound.value <= 3.769683805212 * 1.002


def test_a_smaller_excess_gives_a_finer_answer():
    exact = 0.946866800764
    bound = certified_epsilon([sampled_release(4, 0.01, 10_000)], 1e-5, excess=1e-6)
    assert exact <= bound.value <= exact * (1 + 2e-6)


def test_a_mixed_list_costs_its_exact_epsilon():
    mixed = [laplace_release(0.2, 5), gaussian_release(4, 5), guarantee_release(0.5, count=3)]
    exact = 4.464121768347
    for excess in (2e-3, 1e-5):
        bound = certified_epsilon(mixed, 1e-6, excess)
        assert exact <= bound.value <= exact * (1 + 1.1 * excess)
        assert bound.error == pytest.approx(bound.value - exact, rel=0.2)


@pytest.mark.parametrize(
    ("epsilon", "count", "delta", "exact"),
    [
        (0.1, 100, 1e-6, 4.77456758811),
        (0.01, 10_000, 1e-6, 4.88551560),
        (0.1, 1000, 1e-6, 19.3446714480),
        (0.5, 20, 1e-6, 9.98679786964016),  # 10 + ln(1 − δ/w), w = (1 + e^−0.5)^−20
        (1, 10, 1e-5, 9.99977063),
    ],
)
def test_randomised_responses_are_exact(epsilon, count, delta, exact):
    bound = certified_epsilon([guarantee_release(epsilon, count=count)], delta)
    assert bound.value == pytest.approx(exact, rel=1e-9)
    assert bound.error < 1e-9
    same = certified_epsilon([exponential_release(epsilon, count)], delta)
    assert same.value == bound.value


def test_unequal_guarantees_of_a_common_unit_are_exact():
    releases = [guarantee_release(loss, count=2) for loss in (0.1, 0.2, 0.3, 0.4, 0.5)]
    assert certified_epsilon(releases, 1e-3).value == pytest.approx(2.76884260634, rel=1e-11)
    releases = [guarantee_release(index / 100, count=10) for index in range(1, 11)]
    assert certified_epsilon(releases, 1e-6).value == pytest.approx(2.76692928173938, rel=1e-12)  # summed by mpmath


def test_guarantees_without_a_common_unit_are_rounded_up_to_a_grid():
    epsilon, count, total = np.array([[0.1], [0.1 * math.sqrt(2)]]), 40, 3.0
    lies = np.arange(count + 1)
    chance = binom.pmf(lies, count, 1 / (1 + np.exp(epsilon)))
    loss = (count - 2 * lies) * epsilon
    loss, chance = np.add.outer(*loss), np.multiply.outer(*chance)
    exact = float(np.sum(np.where(loss > total, -chance * np.expm1(total - loss), 0)))
    bound = certified_delta([guarantee_release(float(pure), count=count) for pure in epsilon[:, 0]], total)
    assert exact <= bound.value <= exact * 1.012
    assert 0.3 < bound.error / (bound.value - exact) < 3


@pytest.mark.parametrize(("noise", "count"), [(1, 1), (20, 100), (0.05, 3), (1e6, 1_000_000), (1, 1_000_000)])
def test_gaussians_through_the_cells_are_just_above_their_exact_epsilon_at_every_delta(noise, count):
    delta = np.array([1e-300, 0.9] if count == 1_000_000 else [1e-300, 1e-12, 0.1, 0.9])
    exact = gaussian.epsilon_from_sigma(delta, noise / math.sqrt(count))
    bound = certified_epsilon([gaussian_release(noise, count), NOTHING], delta)
    assert np.all(exact * (1 - 1e-14) <= bound.value)
    assert np.all(bound.value <= exact * 1.003 + 3e-4 * math.sqrt(count) / noise)
    assert np.all(bound.value[exact == 0] == 0)


@pytest.mark.parametrize("delta", [1e-300, 1e-50, 1e-12, 1e-3])
def test_delta_of_gaussians_through_the_cells_is_just_above_the_exact_one(delta):
    for noise, count in ((20, 100), (0.05, 3), (1, 1)):
        mu = math.sqrt(count) / noise
        epsilon = float(gaussian.epsilon_from_sigma(delta, 1.0, mu))
        exact = float(gaussian.delta_from_sigma(epsilon, 1.0, mu))
        bound = certified_delta([gaussian_release(noise, count), NOTHING], epsilon)
        assert exact * (1 - 1e-13) <= bound.value <= exact * 1.012


def test_gaussians_alone_are_exact():
    bound = certified_epsilon([gaussian_release(20, 60), gaussian_release(20, 20), sampled_release(20, 1, 20)], 1e-6)
    assert bound.value == pytest.approx(2.25408465, rel=1e-8)
    assert bound.error == 0
    assert certified_delta([gaussian_release(1)], 4.37717810).value == pytest.approx(1e-5, rel=1e-7)
    far = certified_delta([gaussian_release(1e-3)], 1e7)
    assert far.value < 1e-300


def test_laplace_noise_is_its_contour_integral():
    releases = [laplace_release(0.03, 1000)]  # often enough that no trace of the atoms is left
    for epsilon, order in ((1.0, 2.0), (4.0, 5.0)):
        exact = contour_delta(releases, epsilon, order, 12)
        bound = certified_delta(releases, epsilon, excess=1e-4)
        assert exact * (1 - 1e-9) <= bound.value <= exact * (1 + 1.2e-4)


@pytest.mark.parametrize(("total", "count"), [(0.10010193, 10), (0.02258566, 100)])
def test_repeated_laplace_noise_keeps_the_published_total_as_a_lower_accountant_says(total, count):
    """The reference's RDP column: the exact total is below 1 at these."""
    assert certified_epsilon([laplace_release(total, count)], 1e-6).value < 1.0021


@pytest.mark.parametrize(("scale", "count"), [(0.100102, 10), (0.024104, 100), (0.007505, 1000)])
def test_repeated_laplace_noise_has_the_published_total_of_a_loss_distribution(scale, count):
    assert certified_epsilon([laplace_release(scale, count)], 1e-6, 1e-5).value == pytest.approx(1, abs=2e-4)


def test_the_worse_direction_counts():
    """Adding a record is exactly .937036 here, removing one .946867."""
    releases = [sampled_release(4, 0.01, 10_000)]
    for direction, epsilon in (("remove", 0.946866800764), ("add", 0.937036)):
        assert contour_delta(releases, epsilon, 15.0, 60, direction) == pytest.approx(1e-5, rel=2e-5)


def test_random_lists_are_never_below_their_contour_integral_and_near_it():
    rng = np.random.default_rng(14)
    for _ in range(4):
        releases = [
            sampled_release(rng.uniform(0.8, 6), 10 ** rng.uniform(-3, -0.1), int(10 ** rng.uniform(2, 4))),
            gaussian_release(rng.uniform(3, 30), int(rng.integers(1, 20))),
            laplace_release(rng.uniform(0.01, 0.3), int(rng.integers(1, 20))),
            guarantee_release(round(rng.uniform(0.05, 0.3), 2), count=int(rng.integers(1, 9))),
        ]
        delta = 10 ** rng.uniform(-9, -3)
        bound = certified_epsilon(releases, delta)
        both = []
        for direction in ("remove", "add"):
            orders = np.geomspace(0.05, 60, 30) + 0j
            total = sum(release.count * log_moment(release, direction, orders) for release in releases).real
            order = float(orders[int(np.argmin(total - orders.real * bound.value))].real)
            both.append(contour_delta(releases, float(bound.value), order, 80, direction))
        assert max(both) <= delta * (1 + 1e-9)
        finer = certified_delta(releases, float(bound.value), excess=1e-3)
        assert max(both) * (1 - 1e-9) <= finer.value <= max(both) * (1 + 1.5e-3)


def test_it_is_below_googles_accountant_whose_cells_are_wider():
    single = privacy_loss_distribution.from_gaussian_mechanism(
        1.1, sampling_prob=0.01, value_discretization_interval=1e-3
    )
    pessimistic = single.self_compose(1000).get_epsilon_for_delta(1e-6)
    finer = certified_epsilon([sampled_release(1.1, 0.01, 1000)], 1e-6, excess=1e-5)
    assert pessimistic * (1 - 2e-3) <= finer.value <= pessimistic


def test_broken_guarantees_add_to_the_others():
    assert certified_epsilon([guarantee_release(0.1, 1e-8, 100)], 1e-5).value == pytest.approx(4.32963671, rel=1e-8)
    assert certified_epsilon([guarantee_release(0.1, 1e-3, 100)], 1e-5).value == math.inf
    assert certified_delta([guarantee_release(0.1, 1e-3, 100)], 20).value == pytest.approx(1 - 0.999**100, rel=1e-9)


def test_a_release_stated_twice_is_one_that_runs_as_often():
    twice = certified_epsilon([laplace_release(0.3, 2), laplace_release(0.3, 3)], 1e-5)
    assert twice.value == certified_epsilon([laplace_release(0.3, 5)], 1e-5).value


def test_no_delta_is_above_one():
    broken = [guarantee_release(0.1, 0.01, 1_000_000), gaussian_release(1)]
    assert certified_profile(broken, [0.0, 9.0]).value.tolist() == [1, 1]
    assert certified_delta(broken[:1], 1e6).value == 1


def test_an_empty_question_has_an_empty_answer():
    assert certified_profile([laplace_release(1)], []).value.shape == (0,)


def test_answers_have_the_shape_of_the_question():
    bound = certified_epsilon([laplace_release(0.3, 5)], [[1e-5, 1e-3]])
    assert bound.value.shape == bound.error.shape == bound.kind.shape == (1, 2)
    assert bound.value[0, 0] > bound.value[0, 1]


def test_nothing_released_costs_nothing():
    assert certified_epsilon([guarantee_release(0.0, count=3)], 1e-9).value == 0
    assert certified_delta([guarantee_release(0.0, count=3)], 1.0).value == 0
    assert certified_delta([guarantee_release(0.2, count=3)], 0.7).value == 0


@pytest.mark.parametrize(
    ("release", "most"),
    [
        (gaussian_release(1e-3, 1_000_000), 5.1e11),
        (sampled_release(1e-3, 0.5, 1000), 2.9e8),
        (sampled_release(0.3, 0.999999, 3), 43.5),
        (sampled_release(1e4, 1e-9, 10), 1e-9),
        (laplace_release(1000, 1_000_000), 1e9),
        (guarantee_release(1000, count=1_000_000), 1e9),
    ],
)
def test_the_ends_of_the_domain_have_finite_answers(release, most):
    assert 0 <= certified_epsilon([release, NOTHING], 1e-6).value <= most * (1 + 1e-12)


def test_an_epsilon_of_more_cells_than_a_whole_number_counts_is_bounded():
    """Found by random search: the cells of so rare a loss are 1e-26 wide, and ε = 1e-6 beyond the 64th bit of them."""
    bound = certified_delta([sampled_release(0.53, 1.5e-30, 6296)], [1e-6, 1e13], 0.3)
    assert np.all((bound.value > 0) & (bound.value <= 1e-18))


def binomial_tail(most, count, chance):
    """P(Bin(count, chance) ≤ most), to 30 digits where the terms below it fall quickly."""
    with mp.workdps(40):
        term = mp.exp(
            mp.loggamma(count + 1)
            - mp.loggamma(most + 1)
            - mp.loggamma(count - most + 1)
            + most * mp.ln(chance)
            + (count - most) * mp.ln(1 - chance)
        )
        total = mp.mpf(0)
        for lies in range(most, most - 8000, -1):
            total += term
            term *= lies * (1 - chance) / ((count - lies + 1) * chance)
        return total


def test_a_million_steps_are_bounded_by_their_binomial():
    """Rounding of powers: with randomised responses on the grid, all digits can be compared."""
    epsilon, count, total = 1e-3, 1_000_000, 4.0005
    lies = math.ceil((count - total / epsilon) / 2) - 1
    with mp.workdps(40):
        lie = 1 / (1 + mp.exp(epsilon))
        exact = float(binomial_tail(lies, count, lie) - mp.exp(total) * binomial_tail(lies, count, 1 - lie))
    bound = certified_delta([guarantee_release(epsilon, count=count)], total)
    assert exact <= bound.value
    assert bound.value == pytest.approx(exact, rel=2e-6)  # what is added for rounding


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: certified_epsilon([], 1e-5), "releases must be from 1 to 400, got 0"),
        (lambda: certified_delta([NOTHING] * 401, 1), "releases must be from 1 to 400, got 401"),
        (
            lambda: certified_epsilon([zcdp_release(0.5)], 1e-5),
            "releases must have a pair of distributions to compose, which zCDP alone does not give, got 0.5-zCDP",
        ),
        (lambda: certified_epsilon([NOTHING], 0), "delta must be in [1e-300, 1), got 0"),
        (lambda: certified_delta([NOTHING], -1), "epsilon must be in [0, 1e13], got -1"),
        (lambda: certified_delta([NOTHING], 1, excess=2), "excess must be in [1e-6, 1], got 2"),
        (lambda: certified_profile([NOTHING], 1, most_cells=9), "most_cells must be in [1024, 1e6], got 9"),
    ],
)
def test_releases_that_cannot_be_composed_are_refused(call, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call()


def test_releases_are_plain_records():
    assert certified_epsilon([Release("laplace", (0.3,), 5)], 1e-5).value > 0


@pytest.mark.parametrize("delta", [1e-13, 1e-7, 1e-5, 1e-3])
def test_a_small_delta_leaves_laplace_noise_next_to_its_pure_epsilon(delta):
    exact = 0.5 + 2 * math.log1p(-delta)  # from its profile 1 − e^{(ε' − ε)/2}
    bound = certified_epsilon([laplace_release(0.5)], delta, excess=1e-4)
    assert exact <= bound.value <= exact * (1 + 1e-4)
    assert bound.value - exact <= bound.error * (1 + 1e-3) + 1e-15
