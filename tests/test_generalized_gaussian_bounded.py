"""Exact scales of bounded mechanisms against brute force over the definition of pure DP in mpmath."""

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpcore import roots
from dpcore.generalized_gaussian import bounded as generalized_gaussian_bounded
from dpcore.generalized_gaussian.bounded import (
    boundary_inflated_loss,
    exact_boundary_inflated_scale,
    exact_truncated_scale,
    truncated_loss,
    truncated_scale,
)

SCALES = {exact_truncated_scale: truncated_loss, exact_boundary_inflated_scale: boundary_inflated_loss}


DIGITS = 50
pytestmark = pytest.mark.usefixtures("many_digits")


def some_problems(n, seed, least_p=1.0, most_p=100.0):
    """ε, p and Δ/W over the ranges that pages use, p = 1 and 2 and Δ = W among them."""
    rng = np.random.default_rng(seed)
    epsilon = np.where(rng.random(n) < 0.5, 10 ** rng.uniform(-6, 4, n), 10 ** rng.uniform(-1, 1, n))
    p = np.exp(rng.uniform(np.log(least_p), np.log(most_p), n))
    p = np.where(rng.random(n) < 0.2, np.clip(rng.integers(1, 5, n), least_p, most_p), p)
    share = np.where(rng.random(n) < 0.5, 10 ** rng.uniform(-6, 0, n), rng.random(n))
    share[::10] = 1
    return epsilon, p, share


# The definitions


def lower(t, p):
    """∫_0^t e^{−u^p} du."""
    return mpmath.gammainc(1 / mpf(p), 0, t**p) / p if t > 0 else mpf(0)


def upper(t, p):
    return mpmath.gammainc(1 / mpf(p), t**p) / p


def truncated_log_density(x, s, w, p):
    return -(abs(x - s) ** p) - mpmath.log(lower(s, p) + lower(w - s, p))


def bit_truth(w, p, share):
    """Return the larger of the log ratios of the two masses; that it dominates the interior is shown by brute force."""
    return mpmath.log(upper(w * (1 - share), p)) - mpmath.log(upper(w, p))


def brute_truncated(w, p, share):
    """Return the largest log ratio over s, s' and x on a grid, in doubles."""
    s, x = np.linspace(0, w, 81), np.linspace(0, w, 41)
    mass = np.array([float(lower(mpf(t), mpf(p))) for t in s])
    log_density = -(abs(x[:, None] - s) ** p) - np.log(mass + mass[::-1])
    near = abs(s[:, None] - s) <= share * w * (1 + 1e-12)
    return max(np.max(np.where(near, row[:, None] - row, 0)) for row in log_density)


def brute_bit(w, p, share):
    s, x = np.linspace(0, w, 81), np.linspace(0, w, 41)
    tail = np.array([float(mpmath.log(upper(mpf(t), mpf(p)))) for t in s])
    rows = [*-(abs(x[:, None] - s) ** p), tail, tail[::-1]]
    near = abs(s[:, None] - s) <= share * w * (1 + 1e-12)
    return max(np.max(np.where(near, row[:, None] - row, 0)) for row in rows)


def worst_truncated(w, p, share):
    """max over s of log f(0; s) − log f(0; s + d): the best of a dense grid, refined by golden-section search."""
    d = share * w
    room = w - d

    def gap(part):
        s = part * room
        return truncated_log_density(0, s, w, p) - truncated_log_density(0, s + d, w, p)

    near_0 = np.append(0, np.geomspace(1e-5, 0.5, 17))
    grid = [mpf(part) for part in near_0] + [1 - mpf(part) for part in near_0[-2::-1]]
    values = [gap(part) for part in grid]
    best = int(np.argmax(values))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    golden = (mpmath.sqrt(5) - 1) / 2
    first, second = high - golden * (high - low), low + golden * (high - low)
    left, right = gap(first), gap(second)
    for _ in range(24):
        if left > right:
            high, second, right = second, first, left
            first = high - golden * (high - low)
            left = gap(first)
        else:
            low, first, left = first, second, right
            second = low + golden * (high - low)
            right = gap(second)
    return max(*values, left, right)


# Published and grid values


def test_scales_are_the_values_of_the_mathematics_reference_with_bounds_10_and_100_wide():
    p, width = np.array([1, 2, 2, 3, 4]), np.array([10, 10, 100, 10, 10])
    assert np.round(exact_truncated_scale(1, p, width), 2).tolist() == [1.61, 3.90, 13.58, 6.15, 7.43]
    assert np.round(exact_boundary_inflated_scale(1, p, width), 2).tolist() == [1.0, 4.57, 14.18, 6.88, 8.19]
    published = truncated_scale(1, p, np.ones((5, 1)), width[:, np.newaxis])
    assert np.round(published, 3).tolist() == [2.0, 6.481, 20.05, 8.715, 9.815]


@pytest.mark.parametrize("p", [1, 2, 3, 7, 100])
def test_truncated_scale_is_the_binomial_sum_of_equation_8_rounded_up(p):
    width, sensitivity = np.array([10.0, 0.3, 1000.0]), np.array([1.0, 0.3, 1e-3])
    total = mpf(0)
    for w, d in zip(width, sensitivity, strict=True):
        total += sum(mpmath.binomial(p, j) * mpf(w) ** (p - j) * mpf(d) ** j for j in range(1, p + 1))
    true = (2 / mpf(0.7) * total) ** (1 / mpf(p))
    assert 0 <= float(truncated_scale(0.7, p, sensitivity, width) / true - 1) <= 1e-14


def test_truncated_scale_takes_statistics_along_the_last_axis_and_broadcasts_the_rest():
    result = truncated_scale([[0.5], [2]], [1, 2, 3.5], [[[1, 0.1]]], 10)
    assert result.shape == (2, 3)
    assert result[1, 2] == pytest.approx(truncated_scale(2, 3.5, [1, 0.1], [10, 10]), rel=2e-14)
    assert truncated_scale(1, 2, 1, 10).shape == ()


# Exact scales


@pytest.mark.parametrize(
    ("scale_of", "brute"), [(exact_truncated_scale, brute_truncated), (exact_boundary_inflated_scale, brute_bit)]
)
def test_no_neighbours_and_no_release_on_a_grid_have_a_larger_loss_and_some_come_near_it(scale_of, brute):
    epsilon, p, share = some_problems(12, seed=1)
    share = np.ceil(share * 16) / 16  # the worst neighbours are then on the grid or between its points
    w = 1 / scale_of(epsilon, p, 1.0, share)
    with mpmath.workdps(20):
        computed_ratio = np.array([brute(*row) for row in zip(w, p, share, strict=True)]) / epsilon
    noise = 1e-13 * (1 + 1 / epsilon)
    assert np.all(computed_ratio <= 1 + noise)
    assert np.all(
        computed_ratio >= np.where((p > 1) & (p < 2) & (scale_of is exact_truncated_scale), 0.95, 1 - 1e-8 - noise)
    )


def test_truncated_scale_is_least_for_the_worst_neighbours_found_by_golden_section_search():
    problems = np.concatenate([some_problems(4, seed=2), some_problems(6, seed=3, most_p=2.0)], axis=1)
    with mpmath.workdps(32):
        for epsilon, p, share in problems.T:
            b = exact_truncated_scale(epsilon, p, 1.0, share)
            excess = 4e-12 + (1e-14 / share if 1 < p < 2 else 0)
            assert epsilon * (1 - p * excess) <= worst_truncated(1 / mpf(b), mpf(p), mpf(share)) <= epsilon
            assert worst_truncated(1 / (mpf(b) * (1 - mpf(10) ** -6)), mpf(p), mpf(share)) > epsilon


def test_bit_scale_is_least_for_the_mass_of_a_bound():
    for epsilon, p, share in np.transpose(some_problems(25, seed=4)):
        b = exact_boundary_inflated_scale(epsilon, p, 1.0, share)
        assert bit_truth(1 / mpf(b), mpf(p), mpf(share)) <= epsilon
        assert bit_truth(1 / (mpf(b) * (1 - mpf(4e-12))), mpf(p), mpf(share)) > epsilon


@pytest.mark.parametrize("scale_of", SCALES)
def test_loss_of_an_exact_scale_is_its_epsilon(scale_of):
    epsilon, p, share = some_problems(400, seed=5)
    loss = SCALES[scale_of](scale_of(epsilon, p, 1.0, share), p, 1.0, share)
    assert np.all(loss <= epsilon)
    assert np.all(loss >= epsilon * (1 - p * (4e-12 + 1e-14 / share)))


def test_losses_are_rounded_up_and_right_to_2e_12_between_the_extremes_of_their_domain():
    rng = np.random.default_rng(6)
    for _ in range(40):
        p, share = float(rng.choice([1, 2, 100, 10 ** rng.uniform(0.31, 2)])), float(10 ** rng.uniform(-8.9, 0))
        w = float(10 ** rng.uniform(-6, 6)) ** (1 / p)
        exact_share, exact_w = mpf(share), 1 / mpf(1 / w)
        first = exact_w * (1 - exact_share) if p >= 2 else mpf(0)
        second = first + exact_w * exact_share
        truth = truncated_log_density(0, first, exact_w, p) - truncated_log_density(0, second, exact_w, p)
        assert 0 <= float(truncated_loss(1 / w, p, 1.0, share) / truth - 1) <= 2e-12
        assert (
            0 <= float(boundary_inflated_loss(1 / w, p, 1.0, share) / bit_truth(exact_w, p, exact_share) - 1) <= 2e-12
        )


@pytest.mark.parametrize("loss_of", SCALES.values())
@pytest.mark.parametrize("p", [1, 1.01, 1.3, 1.7, 1.99, 2, 2.5, 8, 100])
def test_loss_falls_with_the_scale_so_the_least_scale_is_the_only_one(loss_of, p):
    scale = np.geomspace(1e-2, 1e6, 300) ** (1 / p)
    assert np.all(np.diff(loss_of(scale, p, 1.0, np.array([[1e-4], [0.03], [0.5], [1.0]]))) < 0)


def test_worst_neighbours_are_inside_for_p_between_1_and_2_and_at_an_end_otherwise():
    w, d = np.array([8185.464707069 ** (1 / 1.1)]), np.array([1e-4 * 8185.464707069 ** (1 / 1.1)])
    p, room = np.array([1.1]), w - d
    ends = [generalized_gaussian_bounded.gap(s, room - s, d, p)[0][0] for s in (np.zeros(1), room)]
    assert generalized_gaussian_bounded.truncated_ratio(w, p, d / w)[0][0] > 1.4 * max(ends)


def test_bit_scale_at_p_1_is_laplace_scale_whatever_the_width():
    epsilon, width = np.geomspace(1e-6, 1e4, 50), np.geomspace(1, 1e6, 7)[:, np.newaxis]
    ratio = exact_boundary_inflated_scale(epsilon, 1, width) * epsilon
    assert np.all((ratio >= 1) & (ratio <= 1 + 4e-12))


@pytest.mark.parametrize("scale_of", SCALES)
def test_exact_scale_is_in_query_units_and_falls_with_epsilon_and_grows_with_the_sensitivity(scale_of):
    epsilon = np.geomspace(1e-6, 1e4, 40)
    for p in (1, 1.5, 2, 5.5):
        scale = scale_of(epsilon, p, 1.0, 0.1)
        assert np.all(np.diff(scale) < 0)
        assert scale_of(epsilon, p, 1e100, 1e99) == pytest.approx(1e100 * scale, rel=1e-11)
        assert np.all(np.diff(scale_of(1.0, p, 1.0, np.linspace(0.01, 1, 50))) > 0)


def test_published_scale_is_never_below_the_exact_truncated_one():
    epsilon, p, share = some_problems(2000, seed=7)
    epsilon[::7], p[::7], share[::7] = 1e-6, 1 + 1e-12, 1e-9  # there it is exact
    published = truncated_scale(epsilon, p, share[:, np.newaxis], 1.0)
    assert np.all(published * (1 + 1e-15) >= exact_truncated_scale(epsilon, p, 1.0, share))


@pytest.mark.parametrize("scale_of", SCALES)
def test_scales_stay_safe_and_near_when_the_root_finder_is_cut_short(scale_of, monkeypatch):
    epsilon, p, share = some_problems(300, seed=8, least_p=2.0)
    monkeypatch.setattr(roots, "MOST_STEPS", 1)
    rough = scale_of(epsilon, p, 1.0, share)
    assert np.all(SCALES[scale_of](rough, p, 1.0, share) <= epsilon)
    monkeypatch.setattr(roots, "MOST_STEPS", 8)
    close = scale_of(epsilon, p, 1.0, share)
    monkeypatch.undo()
    assert np.any(rough > 1.01 * scale_of(epsilon, p, 1.0, share))
    assert close == pytest.approx(scale_of(epsilon, p, 1.0, share), rel=1e-9)


def test_bit_scale_is_above_the_truncated_one_for_p_2_in_common_problems_and_below_it_at_p_1():
    epsilon, width = np.geomspace(0.1, 5, 20), np.array([[2], [10], [1000]])
    assert np.all(exact_boundary_inflated_scale(epsilon, 2, width) > exact_truncated_scale(epsilon, 2, width))
    assert np.all(exact_boundary_inflated_scale(epsilon, 1, width) < exact_truncated_scale(epsilon, 1, width))


@pytest.mark.parametrize("scale_of", SCALES)
def test_exact_scales_and_losses_are_finite_without_warnings_at_the_ends_of_their_domain(scale_of):
    epsilon, p, share = np.meshgrid([1e-30, 1e-6, 1, 1e4, 1e6], [1, 1 + 1e-12, 1.5, 2, 30, 100], [1e-9, 1e-6, 0.5, 1])
    for width in (1e-100, 1.0, 1e100):
        scale = scale_of(epsilon, p, width, share * width)
        assert np.all(np.isfinite(scale) & (scale > 0))
        assert np.all(np.isfinite(truncated_scale(epsilon, p, (share * width)[..., np.newaxis], width)))
    loss = SCALES[scale_of](np.array([1e-150, 1.0, 1e150]), p[..., np.newaxis], 1.0, share[..., np.newaxis])
    assert np.all(loss > 0)
    assert SCALES[scale_of](1e-150, 100, 1.0) == np.inf


def test_wide_bounds_with_a_sensitivity_near_1e_9_of_them_and_p_just_below_2_stay_safe():
    # Found by random search: all slopes agree to the last bit, so the search lands anywhere.
    p, share, w = 1.9999999969374842, 2.3844626131906144e-08, 5.402505085593269e-05
    s = np.linspace(0, 1, 2001) * w * (1 - share)
    gap = generalized_gaussian_bounded.gap(s, w * (1 - share) - s, np.full_like(s, share * w), np.full_like(s, p))[0]
    assert truncated_loss(1 / w, p, 1.0, share) >= np.max(gap)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: exact_truncated_scale(0, 2, 10), r"epsilon must be in \[1e-30, 1e6\], got 0"),
        (lambda: exact_boundary_inflated_scale(1, 0.5, 10), r"p must be in \[1, 100\], got 0.5"),
        (lambda: exact_boundary_inflated_scale(1, 2, np.inf), r"width must be in \[1e-100, 1e100\], got inf"),
        (lambda: truncated_loss(1, 2, 10, [1, 11]), r"sensitivity must be in \[1e-08, 10\] at this width, got 11"),
        (lambda: boundary_inflated_loss(np.nan, 2, 10), r"scale must be in \[1e-150, 1e150\], got nan"),
        (
            lambda: truncated_scale(1, 2, [1, 1e-9], 10),
            r"l1_sensitivities must be in \[1e-08, 10\] at this width, got 1e-09",
        ),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        call()
