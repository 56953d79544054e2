"""Enclosures of δ of threshold releases: that they hold the definition, agree with dpcore, and prove its thresholds."""

import numpy as np
import pytest

from dpcore import verify
from dpcore.unknown_groups import RULES, delta_from_threshold, threshold
from tests.test_unknown_groups_thresholds import PMF, SETTINGS, greatest_deltas


@pytest.mark.parametrize(("name", "scale", "bound", "k", "c", "limit"), SETTINGS)
def test_an_enclosure_holds_the_delta_of_all_outcomes(name, scale, bound, k, c, limit):
    if not np.isfinite(scale) or k == 3:
        scale, k = min(scale, 50.0), min(k, 2)
    epsilons = (0.0, 0.4, 4.0)
    deltas = greatest_deltas(epsilons, limit, k, c, lambda values: PMF[name](values, scale, bound))
    for epsilon, true in zip(epsilons, deltas, strict=True):
        at_least = verify.threshold_delta(epsilon, scale, limit - 0.5, k, name, c, bound=bound)
        above = verify.threshold_delta(epsilon, scale, limit - 1, k, name, c, "above", bound)
        assert at_least == above
        assert at_least.low * (1 - 1e-5) <= true <= at_least.high * (1 + 1e-10)


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "discrete_gaussian", "geometric", "truncated_geometric"])
def test_thresholds_are_proved_and_lower_ones_refuted(noise):
    rng = np.random.default_rng(7)
    for _ in range(12):
        epsilon, delta, k, c = 10 ** rng.uniform(-0.7, 1), 10 ** rng.uniform(-9, -0.5), int(rng.integers(1, 7)), 1
        c = int(rng.integers(1, 4)) if noise in ("gaussian", "geometric") else 1
        rule = str(rng.choice(RULES))
        release = threshold(epsilon, delta, k, noise, c, rule)
        limit, bound = float(release.threshold), int(release.bound) if noise == "truncated_geometric" else None
        settings = k, noise, c, rule, bound
        proof = verify.threshold_delta(epsilon, float(release.scale), limit, *settings)
        assert verify.proved(proof, delta)
        computed = delta_from_threshold(epsilon, release.scale, limit, *settings)
        assert proof.low <= computed <= proof.high * (1 + 1e-9)
        lower = limit - (1e-6 * float(release.scale) if noise in ("gaussian", "laplace") else 1)
        if noise != "truncated_geometric" and lower > c + 1:
            assert verify.threshold_delta(epsilon, float(release.scale), lower, *settings).low > delta


def test_delta_is_enclosed_at_low_and_negative_thresholds():
    for noise, scale, bound in [("gaussian", 3.0, None), ("geometric", 3.0, None), ("discrete_gaussian", 3.0, None)]:
        for limit in (-4.0, 0.0, 1.0, 2.0):
            for epsilon in (0.0, 0.5):
                proof = verify.threshold_delta(epsilon, scale, limit, 2, noise)
                computed = delta_from_threshold(epsilon, scale, limit, 2, noise, bound=bound)
                assert proof.low <= computed <= proof.high * (1 + 1e-12)


def test_of_laplace_noise_below_the_scale_of_pure_dp_one_group_is_decided():
    for limit in (-1.0, 2.0, 30.0):
        proof = verify.threshold_delta(0.5, 1.5, limit, 1, "laplace")
        assert proof.low <= delta_from_threshold(0.5, 1.5, limit, 1, "laplace") <= proof.high * (1 + 1e-13)
    several = verify.threshold_delta(0.5, 1.5, 30.0, 2, "laplace")
    assert several.low <= delta_from_threshold(0.5, 1.5, 30.0, 2, "laplace") <= several.high == 1
    low = verify.threshold_delta(0.0, 10.0, -40.0, 2, "laplace")  # F is so small that the reverse is certain
    assert low.low <= delta_from_threshold(0.0, 10.0, -40.0, 2, "laplace") <= low.high


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"noise": "cauchy"}, "noise must be in gaussian, laplace"),
        ({"rule": "over"}, "rule must be in at_least, above"),
        ({"bound": 3}, "bound must be left out of noise gaussian, got 3"),
        ({"noise": "truncated_geometric"}, r"bound must be in \[1, 1e6\], got inf"),
        ({"noise": "discrete_gaussian", "scale": 1e4, "groups_per_person": 1000}, "the number of losses of all groups"),
    ],
)
def test_input_out_of_range_is_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        verify.threshold_delta(**{"epsilon": 1, "scale": 4, "threshold": 20, **arguments})
