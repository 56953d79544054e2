"""The least ε of published numbers beside the half-widths that it has, and which strategy is the best at one ε."""

import numpy as np
import pytest

from dpcore import discrete_gaussian
from dpcore.discrete_gaussian import epsilon_from_sigma, epsilon_of_least_sigma, sigma_from_delta
from dpcore.linear_queries import (
    NOISES,
    STRATEGIES,
    best_errors,
    error,
    half_widths,
    largest_half_width,
    least_epsilon,
    lower_half_widths,
)


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_the_least_epsilon_reaches_the_wanted_half_width(noise):
    delta = 1e-6 if noise == "gaussian" else 0
    ranges = error("ranges", "tree", 8, noise=noise)
    epsilon = least_epsilon(ranges, 12.5, delta, 0.01)
    assert half_widths(ranges, epsilon, delta, 0.01).max() == pytest.approx(12.5, rel=1e-9)
    assert half_widths(ranges, epsilon * (1 + 1e-9), delta, 0.01).max() <= 12.5
    with pytest.raises(ValueError, match="half_width must be in"):
        least_epsilon(ranges, 1e-50, delta)


@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
@pytest.mark.parametrize("strategy", ["per_period", "per_number", "binary_tree", "tree"])
def test_the_least_epsilon_of_whole_noise_reaches_the_wanted_half_width(noise, strategy):
    """The half-widths are whole but for a tree, so that the one that is reached may be smaller than the wanted one."""
    delta = 1e-6 if noise == "discrete_gaussian" else 0
    months = error("running_totals", strategy, 9, noise=noise)
    epsilon = least_epsilon(months, 12.5, delta)
    assert half_widths(months, epsilon, delta).max() <= 12.5 < half_widths(months, epsilon * (1 - 1e-8), delta).max()


@pytest.mark.parametrize(
    ("strategy", "contributions", "wanted", "alpha"),
    [
        ("per_period", 1, 1e5, 1e-6),
        ("per_period", 1, 1.5e6, 0.05),
        ("per_period", 3, 1.0, 0.05),
        ("tree", 40, 20.0, 1e-6),
        ("per_period", 1, 1e-9, 0.9),
        ("per_period", 1, 1e4, 1e-9),
        ("binary_tree", 1, 1.0, 0.05),
    ],
)
@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
def test_the_least_epsilon_is_enough_whatever_the_tails_digits_and_waves(strategy, contributions, wanted, alpha, noise):
    """A tail of 1e-6 is known to some digits alone; and noise below a scale of 1 has waves, beyond which σ must be."""
    months = error("running_totals", strategy, 12, contributions, noise=noise)
    epsilon = least_epsilon(months, wanted, 1e-6, alpha)
    assert largest_half_width(months, epsilon, 1e-6, alpha) <= wanted
    assert largest_half_width(months, epsilon * (1 - 1e-6), 1e-6, alpha) > wanted


@pytest.mark.parametrize(
    ("noise", "strategy", "n", "contributions", "wanted", "alpha"),
    [
        ("discrete_gaussian", "per_period", 4, 1, 7.86976145758068, 1.5606585522041216e-09),
        ("discrete_gaussian", "per_period", 4, 4, 50.43975848395347, 4.440190795702738e-08),
        ("discrete_gaussian", "binary_tree", 10, 5, 1.2520603940894786, 3.2584075478455494e-07),
        ("geometric", "per_period", 9, 7, 651.9059828138833, 5.18758849288983e-08),
        ("geometric", "per_period", 12, 12, 32.62840478723229, 1.1524172486918051e-06),
        ("geometric", "tree", 4, 2, 1.7104549310051802, 1.6807843423796906e-09),
    ],
)
def test_the_least_epsilon_is_enough_where_the_first_one_found_is_not(noise, strategy, n, contributions, wanted, alpha):
    """The last digits of tails so small waver: of these settings most need a second scale."""
    totals = error("running_totals", strategy, n, contributions, noise=noise)
    epsilon = least_epsilon(totals, wanted, 1e-6, alpha)
    assert largest_half_width(totals, epsilon, 1e-6, alpha) <= wanted
    assert largest_half_width(totals, epsilon * (1 - 1e-3), 1e-6, alpha) > wanted


def test_the_least_epsilon_is_found_where_the_first_bound_of_it_is_too_small(monkeypatch):
    months = error("running_totals", "per_period", 36, 2, noise="discrete_gaussian")
    known = least_epsilon(months, 3.0, 1e-6)
    monkeypatch.setattr(
        discrete_gaussian, "epsilon_of_least_sigma", lambda *setting: 0.9 * epsilon_of_least_sigma(*setting)
    )
    assert least_epsilon(months, 3.0, 1e-6) == pytest.approx(known, rel=1e-3)
    assert largest_half_width(months, least_epsilon(months, 3.0, 1e-6), 1e-6) <= 3.0


@pytest.mark.parametrize("publication", ["once", "as_it_goes"])
@pytest.mark.parametrize("wanted", [0.4, 20.0])
@pytest.mark.parametrize("noise", ["discrete_gaussian", "geometric"])
def test_the_least_epsilon_of_a_tree_is_that_of_its_widest_number(noise, wanted, publication):
    """The search follows one number at a time, from the one that is widest at a first guess."""
    totals = error("running_totals", "tree", 70, noise=noise, publication=publication)
    epsilon = least_epsilon(totals, wanted, 1e-6)
    assert half_widths(totals, epsilon, 1e-6).max() <= wanted
    assert half_widths(totals, epsilon * (1 - 1e-6), 1e-6).max() > wanted


def test_the_least_epsilon_may_be_the_largest_that_is_sought():
    months = error("running_totals", "per_period", 12, noise="laplace")
    epsilon = least_epsilon(months, largest_half_width(months, 1e6))
    assert epsilon == pytest.approx(1e6)
    assert epsilon <= 1e6


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("name", ["each", "running_totals", "window"])
def test_the_best_errors_have_the_least_half_width(noise, name):
    delta = 1e-6 if "gaussian" in noise else 0
    names = STRATEGIES[:4] if noise in ("discrete_gaussian", "geometric") else STRATEGIES[:7]
    for epsilon, contributions in ((0.3, 1), (0.3, 9), (8.0, 1)):
        every = [error(name, strategy, 20, contributions, noise=noise) for strategy in names]
        sizes = [largest_half_width(errors, epsilon, delta, 0.01) for errors in every]
        first = next(place for place, size in enumerate(sizes) if size <= min(sizes) * (1 + 1e-8))
        assert best_errors(every, epsilon, delta, 0.01) is every[first]


@pytest.mark.parametrize("squared", [1, 2, 9, 10])
@pytest.mark.parametrize("sigma", [0.35, 0.5, 0.8, 2.4])
def test_the_epsilon_of_a_least_sigma_is_that_from_which_on_wider_noise_is_enough(squared, sigma):
    """At σ = 0.35 and a move of 1 the ε of that σ alone, 12.2, is far too small: wider noise needs 15.6."""
    epsilon = epsilon_of_least_sigma(1e-6, sigma, squared**0.5)
    least = sigma_from_delta([epsilon * (1 + 1e-9), epsilon * (1 - 1e-3)], 1e-6, squared**0.5)
    assert least[0] <= sigma < least[1]


def test_the_epsilon_of_a_least_sigma_is_that_of_the_sigma_where_there_are_no_waves():
    assert epsilon_of_least_sigma(1e-6, 40.0, 2.0) == epsilon_from_sigma(1e-6, 40.0, 2.0)


@pytest.mark.parametrize("noise", NOISES)
def test_the_half_width_of_the_number_with_the_largest_variance_is_nearly_the_largest(noise):
    delta = 1e-6 if noise in ("gaussian", "discrete_gaussian") else 0
    every = [error("window", name, 40, window=6, noise=noise) for name in ("per_period", "tree", "binary_tree")]
    sizes = np.array([largest_half_width(errors, 0.7, delta, 0.01) for errors in every])
    found = lower_half_widths(every, 0.7, delta, 0.01)
    assert (found <= sizes * (1 + 1e-9)).all()
    assert found == pytest.approx(sizes, rel=0.02)


def test_the_sensitivity_of_other_persons_is_that_of_their_own_errors_at_each_call():
    months, others = error("running_totals", "tree", 9), error("running_totals", "tree", 9, 4)
    assert [months.sensitivity_of(4) for _ in range(2)] == pytest.approx([others.sensitivity] * 2, rel=1e-12)
    assert list(months.sizes) == [4]
