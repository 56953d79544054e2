import itertools
import math
import re

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr
from scipy.stats import binom

from dpcore import gaussian
from dpcore.composition import (
    exact_delta,
    exact_epsilon,
    exponential_release,
    gaussian_release,
    guarantee_release,
    laplace_release,
    sampled_release,
    zcdp_release,
)
from dpcore.composition._integral import integral_delta, integral_epsilon
from dpcore.composition._normalize import whole

PUBLISHED = [  # q, z, T, δ, exact ε of remove, of add
    (0.01, 4, 10_000, 1e-5, 0.946866800764, 0.937036),
    (0.01, 4, 40_000, 1e-5, 2.033065265045, 2.021472),
    (250 / 60_000, 1.3, 3600, 1e-5, 0.852979522270, 0.791482),
    (256 / 60_000, 1.1, 14_063, 1e-5, 2.381689726142, 2.243651),
    (1 / 938, 1, 9380, 1e-5, 0.493334327584, 0.455025),
    (0.1, 3, 512, 1e-6, 3.769683805212, 3.505378),
]
MIXED = [laplace_release(0.2, 5), gaussian_release(4, 5), guarantee_release(0.5, count=3)]
SAMPLED = sampled_release(1.1, 256 / 60_000, 14_063)


@pytest.mark.parametrize(("rate", "noise", "steps", "delta", "remove", "add"), PUBLISHED)
def test_the_published_runs_have_the_exact_epsilon_of_the_reference(rate, noise, steps, delta, remove, add):
    run = sampled_release(noise, rate, steps)
    estimate = exact_epsilon([run], delta)
    assert estimate.value == pytest.approx(remove, abs=1e-12)
    assert estimate.error < 1e-11
    assert estimate.converged
    added, _, _ = integral_epsilon(whole([run]), "add", np.array([delta]), np.zeros(1), np.array([-np.inf]))
    assert added[0] == pytest.approx(add, abs=6e-7)
    back = exact_delta([run], estimate.value)
    assert back.value == pytest.approx(delta, rel=1e-10)
    assert back.error < 1e-10 * delta


@pytest.mark.parametrize("digits", [5, 7])
@pytest.mark.parametrize("run", [SAMPLED, sampled_release(0.31, 0.002, 10_000), sampled_release(0.35, 0.001, 1000)])
def test_fewer_digits_are_right_and_their_error_is_stated(run, digits):
    epsilon = np.linspace(0, 3, 7)
    full, fewer = exact_delta([run], epsilon), exact_delta([run], epsilon, digits)
    assert np.all(abs(fewer.value - full.value) <= fewer.error + full.error)
    assert np.all(fewer.error <= 10.0 ** (1 - digits) * fewer.value)
    assert fewer.converged.all()


def test_the_mixed_list_has_the_exact_epsilon_of_the_reference_in_any_order_and_in_pieces():
    assert exact_epsilon(MIXED, 1e-6).value == pytest.approx(4.464121768347, abs=1e-12)
    pieces = [gaussian_release(4, 2), *MIXED[::2], gaussian_release(4), gaussian_release(8 / math.sqrt(2), 4)]
    assert exact_epsilon(pieces, 1e-6).value == pytest.approx(4.464121768347, abs=1e-12)


@pytest.mark.parametrize(("noise", "epsilon"), [(0.5, 5.0300733), (0.8, 0.889650), (1, 0.393459), (1.5, 0.1731262)])
def test_one_poisson_epoch_has_the_epsilon_of_the_reference(noise, epsilon):
    assert exact_epsilon([sampled_release(noise, 1 / 234, 234)], 1e-5).value == pytest.approx(epsilon, abs=6e-7)


@pytest.mark.parametrize(
    ("releases", "delta", "epsilon"),
    [
        ([guarantee_release(0.1, count=100)], 1e-6, 4.77456758811),
        ([guarantee_release(0.01, count=10_000)], 1e-6, 4.88551560),
        ([guarantee_release(0.1, count=1000)], 1e-6, 19.3446714480),
        ([guarantee_release(0.5, count=20)], 1e-6, 9.98679787),
        ([guarantee_release(1, count=10)], 1e-5, 9.99977063),
        ([guarantee_release(0.1, 1e-8, 100)], 1e-5, 4.32963671),
        ([guarantee_release(e / 10, count=2) for e in range(1, 6)], 1e-3, 2.76884260634),
        ([exponential_release(0.1, 50), guarantee_release(0.1, count=50)], 1e-6, 4.77456758811),
    ],
)
def test_guarantees_alone_are_summed_exactly(releases, delta, epsilon):
    estimate = exact_epsilon(releases, delta)
    assert estimate.value == pytest.approx(epsilon, abs=6e-9)
    assert estimate.converged
    assert exact_delta(releases, estimate.value).value == pytest.approx(delta, rel=1e-9)


def test_a_sum_over_guarantees_is_that_of_its_definition():
    releases = [guarantee_release(0.3, 0.01, 2), guarantee_release(0.7, count=3)]
    epsilon = np.array([0.0, 0.5, 1.4, 2.69, 2.7, 9.0])
    unbroken = 0.99**2
    expected = np.full(epsilon.shape, 1 - unbroken)
    for signs in itertools.product((-1, 1), repeat=5):
        losses = np.array(signs) * [0.3, 0.3, 0.7, 0.7, 0.7]
        chance = np.prod(1 / (1 + np.exp(-losses)))
        expected += unbroken * chance * np.maximum(-np.expm1(epsilon - losses.sum()), 0)
    estimate = exact_delta(releases, epsilon)
    assert estimate.value == pytest.approx(expected, rel=1e-13)
    assert np.all(estimate.converged)
    delta = np.array([0.02, 0.1, 0.2, 0.999])
    back = exact_epsilon(releases, delta)
    assert np.all(back.value[:-1] > 0)
    assert back.value[-1] == 0
    assert exact_delta(releases, back.value[:-1]).value == pytest.approx(delta[:-1], rel=1e-12)


@pytest.mark.parametrize("mu", [1e-4, 0.03, 1.0, 10.0, 300.0])
def test_the_contour_holds_against_the_exact_gaussian_from_1e_300_to_nearly_1(mu):
    delta = np.array([1e-300, 1e-200, 1e-50, 1e-12, 1e-5, 0.01, 0.3, 0.9, 0.999999])
    epsilon = gaussian.epsilon_from_sigma(delta, 1, mu)
    positive = epsilon > 0
    releases = [gaussian_release(1 / mu), laplace_release(1e-14)]  # which adds nothing, and goes through the contour
    estimate = exact_delta(releases, epsilon[positive])
    assert estimate.value == pytest.approx(gaussian.delta_from_sigma(epsilon, 1, mu)[positive], rel=3e-11)
    assert np.all(abs(estimate.value - gaussian.delta_from_sigma(epsilon, 1, mu)[positive]) <= 2 * estimate.error)
    back = exact_epsilon(releases, delta)
    assert np.all(abs(back.value - epsilon) <= 2 * back.error + 4e-16 * epsilon)
    assert back.value[:5] == pytest.approx(epsilon[:5], rel=1e-11)
    assert np.all(estimate.converged)
    assert np.all(back.converged)


def test_gaussians_alone_are_exact_by_their_mu():
    releases = [gaussian_release(2, 3), sampled_release(4, 1, 4)]
    estimate = exact_epsilon(releases, [1e-300, 1e-5, 0.9])
    assert estimate.value == pytest.approx(gaussian.epsilon_from_sigma([1e-300, 1e-5, 0.9], 1, 1), rel=1e-14)
    assert np.all(estimate.error < 1e-12)
    estimate = exact_delta(releases, 2.0)
    assert estimate.value == pytest.approx(gaussian.delta_from_sigma(2.0, 1, 1), rel=1e-14)
    assert estimate.error < 1e-13 * estimate.value


def test_losses_in_separate_clusters_are_not_treated_as_smooth():
    noise, rate, steps, epsilon = 0.0376, 0.473, 33, 3164.9
    sampled = np.arange(1, steps + 1)  # the loss of each is normal, of the others ln(1 − q) but for e^−88
    heap = (steps - sampled) * math.log1p(-rate) + sampled * (math.log(rate) + 0.5 / noise**2)
    spread = np.sqrt(sampled) / noise
    over = (heap - epsilon) / spread
    gain = ndtr(over) - np.exp(epsilon - heap + spread**2 / 2 + log_ndtr(over - spread))
    expected = binom.pmf(sampled, steps, rate) @ gain
    run = [sampled_release(noise, rate, steps)]
    estimate = exact_delta(run, epsilon)
    assert estimate.converged
    assert estimate.value == pytest.approx(expected, rel=1e-10)
    assert exact_epsilon(run, expected).value == pytest.approx(epsilon, rel=1e-10)


def test_next_to_the_sum_of_all_epsilon_a_sum_over_guarantees_says_what_rounding_may_hide():
    releases = [guarantee_release(0.7084905653847796, count=12)]
    estimate = exact_delta(releases, 8.501886784617355)
    assert abs(estimate.value - 3.638255657802963e-18) <= estimate.error


def gaussian_delta(epsilon: np.ndarray) -> np.ndarray:
    """δ at any real ε, for μ = 1."""
    return ndtr(0.5 - epsilon) - np.exp(epsilon + log_ndtr(-0.5 - epsilon))


def test_a_sampled_step_beside_a_gaussian_is_the_mean_over_its_noise():
    noise, rate, epsilon = 0.7, 0.3, 1.7
    u = np.linspace(-10, 11, 20_001)
    without, with_ = (np.exp(-(((u - shift) / noise) ** 2) / 2) / noise / math.sqrt(2 * math.pi) for shift in (0, 1))
    loss = np.log1p(rate * np.expm1((2 * u - 1) / (2 * noise**2)))
    remove = np.sum(((1 - rate) * without + rate * with_) * gaussian_delta(epsilon - loss)) * (u[1] - u[0])
    add = np.sum(without * gaussian_delta(epsilon + loss)) * (u[1] - u[0])
    together = whole([sampled_release(noise, rate), gaussian_release(1)])
    for direction, expected in (("remove", remove), ("add", add)):
        value, error = integral_delta(together, direction, np.array([epsilon]), np.zeros(1))
        assert value[0] == pytest.approx(expected, rel=1e-11)
        assert error[0] < 1e-11 * expected


def test_laplace_noise_beside_a_gaussian_is_the_mean_over_its_loss():
    epsilon = 1.3
    nodes, weights = np.polynomial.legendre.leggauss(40)
    x = (nodes + 1) / 2  # between the two centres, where the loss is 1 − 2x
    between = np.sum(weights / 4 * np.exp(-x) * gaussian_delta(epsilon - 1 + 2 * x))
    atoms = gaussian_delta(np.array([epsilon - 1, epsilon + 1])) @ [0.5, 0.5 * math.exp(-1)]
    estimate = exact_delta([laplace_release(1), gaussian_release(1)], epsilon)
    assert estimate.value == pytest.approx(between + atoms, rel=1e-11)
    assert estimate.converged


def test_epsilon_grows_with_steps_and_rate_and_falls_with_noise():
    def epsilon(noise: float, rate: float, steps: int) -> float:
        return float(exact_epsilon([sampled_release(noise, rate, steps)], 1e-6).value)

    steps = [epsilon(1, 0.01, n) for n in range(1000, 1100, 9)]
    rates = [epsilon(1, rate, 1000) for rate in np.linspace(0.01, 0.012, 12)]
    noises = [epsilon(noise, 0.01, 1000) for noise in np.linspace(1.2, 1, 12)]
    for values in (steps, rates, noises):
        assert np.all(np.diff(values) > 0)


@pytest.mark.parametrize(
    "releases",
    [
        [sampled_release(1.1, 256 / 60_000)],
        [sampled_release(0.6, 1e-3, 3)],
        MIXED,
        [sampled_release(3, 0.2), gaussian_release(30)],
        [laplace_release(0.01), gaussian_release(40, 2)],
        [gaussian_release(70)],
        [guarantee_release(0.01)],
        [guarantee_release(0.02, 1e-9), guarantee_release(0.01, count=3), guarantee_release(0.0, 1e-10)],
        [guarantee_release(0.02, 1e-9), gaussian_release(50)],
    ],
)
def test_many_numbers_of_runs_at_once_have_the_epsilon_of_each(releases):
    runs, delta = np.array([[1, 2, 7, 50], [300, 2000, 2000, 9000]]), np.array([1e-5, 1e-7])[:, None]
    together = exact_epsilon(releases, delta, runs)
    assert together.value.shape == together.error.shape == together.converged.shape == (2, 4)
    for place in np.ndindex(runs.shape):
        repeated = [release.times(release.count * int(runs[place])) for release in releases]
        alone = exact_epsilon(repeated, delta[place[0], 0])
        assert together.converged[place] or not alone.converged
        assert together.value[place] == pytest.approx(float(alone.value), rel=1e-9 if alone.converged else 0.1)


def test_more_numbers_of_runs_than_are_computed_at_once_have_their_epsilon():
    together = exact_epsilon([SAMPLED], 1e-6, np.arange(1, 40))
    assert together.converged.all()
    assert np.all(np.diff(together.value) > 0)
    assert together.value[-1] == pytest.approx(float(exact_epsilon([SAMPLED], 1e-6, 39).value), rel=1e-10)


def test_a_profile_is_that_of_its_points_and_falls():
    epsilon = np.linspace(0, 6, 60).reshape(3, 20)
    profile = exact_delta([SAMPLED], epsilon)
    assert profile.value.shape == profile.error.shape == profile.converged.shape == (3, 20)
    assert np.all(profile.converged)
    assert np.all(np.diff(profile.value.ravel()) < 0)
    assert exact_delta([SAMPLED], epsilon[1, 3]).value == pytest.approx(profile.value[1, 3], rel=1e-10)
    assert exact_epsilon([SAMPLED], profile.value).value == pytest.approx(epsilon, abs=1e-9)


def test_epsilon_is_0_where_delta_is_free_and_infinite_where_guarantees_break_more_often():
    releases = [guarantee_release(0.1, 1e-6, 10), gaussian_release(10)]
    estimate = exact_epsilon(releases, [1e-300, 5e-6, 2e-5, 0.9])
    assert np.isinf(estimate.value).tolist() == [True, True, False, False]
    assert estimate.value[-1] == 0
    assert np.all(estimate.converged)
    assert exact_delta(releases, estimate.value[2]).value == pytest.approx(2e-5, rel=1e-9)


def test_releases_that_lose_nothing_cost_nothing_but_their_delta():
    nothing = [guarantee_release(0, 0.25), exponential_release(0)]
    assert exact_delta(nothing, 0).value == pytest.approx(0.25)
    assert exact_epsilon(nothing, [0.2, 0.3]).value.tolist() == [math.inf, 0]


def test_no_loss_is_beyond_the_sum_of_pure_guarantees():
    pure = [laplace_release(0.5, 3), guarantee_release(0.25)]
    estimate = exact_delta(pure, [1.75, 3.0])
    assert estimate.value.tolist() == [0, 0]
    assert estimate.converged.all()


@pytest.mark.parametrize(
    "releases",
    [
        [laplace_release(0.5, 3)],
        [laplace_release(0.1, 3), guarantee_release(0.07, count=2)],
        [guarantee_release(0.01 + n / 1000, count=200) for n in range(4)],
    ],
)
def test_few_losses_with_atoms_are_marked_as_not_converged(releases):
    delta = exact_delta(releases, 0.05)
    assert not delta.converged
    assert np.isfinite(delta.value)
    epsilon = exact_epsilon(releases, 1e-3)
    assert not epsilon.converged
    assert not np.isnan(epsilon.value)
    assert not np.isnan(epsilon.error)


def test_no_loss_of_adding_a_person_is_beyond_that_of_runs_without():
    together = whole([sampled_release(0.001, 0.5, 3)])
    value, error, _ = integral_epsilon(together, "add", np.array([1e-100]), np.zeros(1), np.array([-np.inf]))
    assert value[0] <= 3 * math.log(2) * (1 + 1e-15)
    assert value[0] + error[0] >= 3 * math.log(2) - 1e-99


@pytest.mark.parametrize(("epsilon", "count"), [(0.024104, 100), (0.007505, 1000)])
def test_many_laplace_releases_are_next_to_the_reference_and_say_how_far_they_may_be_off(epsilon, count):
    estimate = exact_epsilon([laplace_release(epsilon, count)], 1e-6)
    assert not estimate.converged
    assert estimate.error < 1e-4
    assert estimate.value == pytest.approx(1, abs=1e-4)


def test_laplace_releases_with_a_large_epsilon_converge():
    estimate = exact_epsilon([laplace_release(1, 100)], 1e-6)
    assert estimate.converged
    assert estimate.error < 1e-10


@pytest.mark.parametrize(
    ("releases", "message"),
    [
        ([], "releases must be at least one, got none"),
        (
            [gaussian_release(1), zcdp_release(0.5)],
            "releases must be of kinds whose losses are known, got zCDP of ρ = 0.5",
        ),
    ],
)
def test_a_list_without_losses_is_refused(releases, message):
    for function in (exact_delta, exact_epsilon):
        with pytest.raises(ValueError, match=re.escape(message)):
            function(releases, 0.5)


def test_epsilon_and_delta_out_of_their_domains_are_refused():
    with pytest.raises(ValueError, match="epsilon must be in"):
        exact_delta(MIXED, -1)
    with pytest.raises(ValueError, match=r"digits must be in \[5, 10\], got 4"):
        exact_delta(MIXED, 1, 4)
    with pytest.raises(ValueError, match="delta must be in"):
        exact_epsilon(MIXED, 0)


def test_epsilon_is_infinite_without_a_warning_if_guarantees_use_all_of_delta():
    broken = [guarantee_release(0.1, 1e-3), laplace_release(0.3), gaussian_release(2)]
    assert np.isinf(exact_epsilon([guarantee_release(0.1, 0.9, 1_000_000), laplace_release(1)], 0.5).value)
    assert np.isinf(exact_epsilon(broken, 1e-6).value)
    assert np.isinf(exact_epsilon(broken, [1e-6, 1e-4]).value).all()


def test_beyond_all_losses_of_guarantees_delta_is_0_at_any_epsilon():
    assert (exact_delta([guarantee_release(0.5, count=3)], [1.5, 1e3, 1e6]).value == 0).all()


def test_an_estimate_of_delta_is_never_above_1():
    """Found by random search: the sum over all losses of guarantees was 1 + 4 · 2⁻⁵²."""
    releases = [
        guarantee_release(7.743223343746945, 1.702875492179331e-31, 78),
        guarantee_release(0.0005131483087126975, count=19),
    ]
    assert exact_delta(releases, 0.000837138323300755).value <= 1


@pytest.mark.parametrize(
    "releases", [[SAMPLED], [laplace_release(0.5)], [gaussian_release(1)], [sampled_release(1, 0.1)]]
)
def test_no_epsilon_or_delta_gives_no_estimate(releases):
    assert exact_delta(releases, []).value.shape == exact_epsilon(releases, []).value.shape == (0,)
    assert exact_delta(releases, np.zeros((0, 3))).converged.shape == (0, 3)
