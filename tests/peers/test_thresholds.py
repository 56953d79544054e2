"""Thresholds of other libraries for groups whose names come from the data, beside the exact δ; unsafe cases by name."""

import math

import opendp.prelude as dp
import pytest

from dpcore import gaussian, unknown_groups

SETTINGS = [(1.0, 1e-6, 1), (1.0, 1e-6, 3), (1.0, 1e-5, 10), (2.0, 1e-8, 5), (4.0, 1e-9, 2)]


def opendp_release(noise, scale, threshold):
    """Return OpenDP's release of a dictionary of counts, whole numbers where the threshold is one."""
    kind = type(threshold)
    counts = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T=kind)
    metric = dp.l01inf_distance if noise == "laplace" else dp.l02inf_distance
    space = dp.map_domain(dp.atom_domain(T=str), counts), metric(dp.absolute_distance(T=kind))
    return getattr(dp.m, f"make_{noise}_threshold")(*space, scale, threshold)


@pytest.fixture(autouse=True)
def _features():
    dp.enable_features("contrib")


@pytest.mark.parametrize(("epsilon", "delta", "k"), SETTINGS)
def test_opendp_states_the_exact_delta_of_laplace_noise(epsilon, delta, k):
    release = unknown_groups.threshold(epsilon, delta, k, "laplace")
    scale, threshold = float(release.scale), float(release.threshold)
    stated = opendp_release("laplace", scale, threshold).map((k, float(k), 1.0))
    exact = unknown_groups.delta_from_threshold(epsilon, scale, threshold, k, "laplace")
    assert stated == pytest.approx((epsilon, exact), rel=1e-4)


@pytest.mark.parametrize(("epsilon", "delta", "k"), SETTINGS)
def test_opendp_states_more_than_the_exact_delta_of_gaussian_noise(epsilon, delta, k):
    release = unknown_groups.threshold(epsilon, delta, k)
    measured = dp.c.make_zCDP_to_approxDP(opendp_release("gaussian", float(release.scale), float(release.threshold)))
    profile, of_threshold = measured.map((k, math.sqrt(k), 1.0))
    assert 3 * delta < profile.delta(epsilon) + of_threshold < 9 * delta


def test_opendp_releases_whole_counts_at_its_threshold():
    """It shows 5 with the threshold 5: it is "at_least", and not "above"."""
    assert opendp_release("laplace", 1e-3, 5)({"a": 5}) == {"a": 5}
    assert opendp_release("laplace", 1e-3, 6)({"a": 5}) == {}


@pytest.mark.parametrize("threshold", [10, 14, 20])
def test_opendp_states_too_small_a_delta_of_whole_counts_unsafe(threshold):
    """It states the δ of the rule "above", and releases by "at_least", whose δ is e^(1/s) times as large."""
    stated = opendp_release("laplace", 1.0, threshold).map((1, 1, 1))[1]
    true, above = (
        unknown_groups.delta_from_threshold(1, 1, threshold, noise="geometric", rule=rule)
        for rule in ("at_least", "above")
    )
    assert stated == pytest.approx(above, rel=1e-6)
    assert true / stated == pytest.approx(math.e, rel=1e-6)
    safe = opendp_release("laplace", 1.0, threshold - 1).map((1, 1, 1))[1]
    assert safe == pytest.approx(true, rel=1e-6)


# The thresholds of SmartNoise SQL at commit 20a8484e, of opendp/smartnoise-sdk: laplace.py and gaussian.py.


def smartnoise_laplace(epsilon, delta, k):
    return k / epsilon, k * (1 - math.log(2 * delta / k) / epsilon)


def smartnoise_gaussian(epsilon, delta, k):
    spread = math.sqrt(math.log(1 / delta)) + math.sqrt(math.log(1 / delta) + epsilon)
    sigma = math.sqrt(k) * spread / (math.sqrt(2) * epsilon)
    return sigma, 1 + sigma * math.sqrt(2 * math.log(k / math.sqrt(2 * math.pi * delta)))


@pytest.mark.parametrize(("epsilon", "delta", "k"), SETTINGS)
def test_smartnoise_laplace_is_safe_and_k_minus_1_larger_than_needed(epsilon, delta, k):
    scale, threshold = smartnoise_laplace(epsilon, delta, k)
    least = float(unknown_groups.threshold(epsilon, delta, k, "laplace").threshold)
    assert threshold - least == pytest.approx(k - 1, abs=1e-4 * k / epsilon)
    if k > 1:
        assert unknown_groups.delta_from_threshold(epsilon, scale, threshold, k, "laplace") < delta


@pytest.mark.parametrize(("epsilon", "delta", "k"), SETTINGS)
def test_smartnoise_gaussian_has_the_root_of_delta_in_place_of_delta_unsafe(epsilon, delta, k):
    """With the σ of its formula; with the least σ, where that makes its τ small enough."""
    scale, threshold = smartnoise_gaussian(epsilon, delta, k)
    needed = float(unknown_groups.threshold(epsilon, delta, k).threshold)
    reached = float(unknown_groups.delta_from_threshold(epsilon, scale, threshold, k))
    least = unknown_groups.delta_from_threshold(epsilon, gaussian.analytic_sigma(epsilon, delta, k**0.5), threshold, k)
    assert (least > 2 * delta) == (threshold < needed)
    print(f"ε = {epsilon}, δ = {delta}, k = {k}: τ = {threshold:.4f}, needed {needed:.4f}; its δ = {reached:.3g}")
    assert math.sqrt(delta) / 10 < reached < math.sqrt(delta)
