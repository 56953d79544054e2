"""Sizes of generalized Gaussian noise against quadrature, and the best p against a dense search by another method."""

import re

import mpmath
import numpy as np
import pytest
from scipy.optimize import fminbound

from dpcore import gaussian, laplace_gaussian
from dpcore.generalized_gaussian import adp_scale, pdf, pdp_scale, pdp_scale_monte_carlo, sf
from dpcore.generalized_gaussian.optimal_shape import (
    ADP,
    DISJOINT,
    EXACT_PDP,
    GUARANTEES,
    MOST_P,
    SIZES,
    along,
    along_several,
    best_against,
    best_frame,
    best_map,
    best_p,
    densities,
    matched_scales,
    simulated,
    size,
)
from dpcore.mechanism import calibrated

MEASURES = ("variance", "deviation", "mean_error", "accuracy")


def level_of(measure: str, significance: float) -> float | None:
    """Return the significance of a measure that has one."""
    return significance if measure == "accuracy" else None


@pytest.mark.parametrize("p", [1.0, 1.3, 2.0, 3.7, 20.0, 64.0])
def test_sizes_are_the_moments_and_quantiles_of_the_density_and_never_below_them(p):
    scale = 2.5
    with mpmath.workdps(20):
        whole, first, second = (
            mpmath.mpf(mpmath.quad(lambda x, k=k: x**k * mpmath.exp(-(x**p)), [0, 0.5, 1, 1.5, 3, 10, 80]))
            for k in range(3)
        )
        square, mean = scale**2 * second / whole, scale * first / whole
        truths = {"scale": mpmath.mpf(scale), "deviation": mpmath.sqrt(square), "variance": square, "mean_error": mean}
        for measure, true in truths.items():
            assert 0 <= float(size(measure, scale, p)) / true - 1 < 1e-13, measure
    for significance in (1e-300, 1e-6, 0.05, 0.9):
        reach = size("accuracy", scale, p, significance)
        with mpmath.workdps(30):
            tail = mpmath.gammainc(mpmath.mpf(1) / p, (mpmath.mpf(float(reach)) / scale) ** p, regularized=True)
            assert tail <= significance
        assert 2 * sf(reach * (1 - 1e-12), scale, p) > significance


def test_sizes_of_laplace_and_gaussian_noise_are_the_textbook_ones():
    noises = laplace_gaussian.calibrate_equal(laplace_gaussian.ANALYTIC, "variance", 0.3, 0.1)
    known = [laplace_gaussian.errors(noise, 0.01) for noise in noises]
    for measure in laplace_gaussian.MEASURES:
        sizes = size(
            measure, [noises.laplace.scale, np.sqrt(2) * noises.gaussian.scale], [1, 2], level_of(measure, 0.01)
        )
        np.testing.assert_allclose(sizes, [known_size[measure] for known_size in known], rtol=1e-12)


def test_sizes_beyond_a_double_are_infinite_and_arguments_broadcast():
    assert size("variance", 1e200, 3) == np.inf
    assert np.isfinite(size("deviation", 1e200, 3))
    assert size("accuracy", [1.0, 2.0, 3.0], [[1], [2]], 0.1).shape == (2, 3)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda option: option.key)
def test_no_p_beats_the_best_p(guarantee, measure):
    rng = np.random.default_rng(5)
    epsilon, delta = 10 ** rng.uniform(-3, 2, 2), 10 ** rng.uniform(-4, -0.01, 2)
    optimum = best_p(guarantee, measure, epsilon, delta, level_of(measure, 0.03))
    for e, d, p in zip(epsilon, delta, optimum, strict=True):

        def log_size(shape, e=e, d=d):
            return np.log(size(measure, guarantee.scale(e, d, shape), shape, level_of(measure, 0.03)))

        grid = np.exp(np.linspace(0, np.log(MOST_P), 201))
        on_grid = log_size(grid)
        at = int(np.argmin(on_grid))
        ends = grid[max(at - 1, 0)], grid[min(at + 1, 200)]
        finer = float(np.asarray(fminbound(log_size, *ends, xtol=1e-6)))
        assert log_size(p) < min(log_size(finer), on_grid[at]) + 1e-9
        if 1 < p < MOST_P and 1.001 < finer < 63:
            assert p == pytest.approx(finer, rel=1e-3)


def test_the_best_p_is_laplace_for_a_small_delta_and_the_flattest_for_a_large_one():
    assert best_p(ADP, "variance", 1, 1e-6) == pytest.approx(1, abs=1e-4)
    assert best_p(ADP, "variance", 10, 0.01) == 1
    assert best_p(ADP, "variance", 0, 0.1) == MOST_P
    assert best_p(EXACT_PDP, "mean_error", 0.01, 0.02) == 1
    assert best_p(EXACT_PDP, "mean_error", 0.01, 0.2) == MOST_P


def test_the_best_p_depends_nearly_on_delta_over_epsilon_alone():
    shapes = best_p(ADP, "variance", [1e-4, 1e-3, 1e-2], [1e-5, 1e-4, 1e-3])
    np.testing.assert_allclose(shapes, 1.69, rtol=0.01)


def test_the_best_p_has_the_shape_of_its_arguments_and_refuses_what_the_scales_refuse():
    assert best_p(ADP, "variance", np.ones((2, 1)), [0.1, 0.2, 0.3]).shape == (2, 3)
    assert np.ndim(best_p(ADP, "variance", 1, 0.1)) == 0
    with pytest.raises(ValueError, match=re.escape("epsilon must be in [1e-12, 1e6], got 0")):
        best_p(DISJOINT, "variance", 0, 0.1)
    with pytest.raises(ValueError, match=re.escape("delta must be in [1e-300, 1), got 1")):
        best_p(ADP, "variance", 1, 1.0)


def test_the_best_frame_compares_with_the_noise_of_p_1_and_p_2():
    frame = best_frame(ADP, "variance", [[0.05], [20.0]], [0.01, 1e-6])
    assert frame["epsilon"].tolist() == [0.05, 0.05, 20, 20]
    assert frame["delta"].tolist() == [0.01, 1e-6, 0.01, 1e-6]
    first = frame.iloc[0]
    own = size("variance", adp_scale(0.05, 0.01, first["p"]), first["p"])
    assert first["of_laplace"] == pytest.approx(own / (2 * adp_scale(0.05, 0.01, 1) ** 2), rel=1e-12)
    assert first["of_gaussian"] == pytest.approx(own / gaussian.analytic_sigma(0.05, 0.01) ** 2, rel=1e-12)
    assert frame["of_laplace"].iloc[2:].tolist() == pytest.approx([1, 1], rel=2e-13)
    assert np.all(frame[["of_laplace", "of_gaussian"]] <= 1 + 2e-13)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_best_p_against_another_saves_what_their_sizes_say(measure):
    level = level_of(measure, 0.02)
    best = best_against(ADP, measure, 0.1, 0.03, 8.0, level)
    least, size_at_p = (size(measure, adp_scale(0.1, 0.03, p), p, level) for p in (best.p, 8.0))
    assert best.saved == pytest.approx(1 - least / size_at_p, rel=1e-9)
    assert best_against(ADP, measure, 0.1, 0.03, best.p, level).saved == pytest.approx(0, abs=1e-11)
    assert best.saved_of_laplace == pytest.approx(best_against(ADP, measure, 0.1, 0.03, 1.0, level).saved, rel=1e-6)


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda option: option.key)
def test_the_curves_hold_the_scale_and_every_size_at_each_setting(guarantee):
    frame = along(guarantee, 0.5, 1e-3, [1, 2, 5], 4.0, 0.1)
    assert list(frame) == ["epsilon", "delta", "p", *SIZES]
    np.testing.assert_allclose(frame["scale"], guarantee.scale(0.5, 1e-3, [1, 2, 5], 4.0), rtol=1e-13)
    for measure in SIZES:
        np.testing.assert_allclose(
            frame[measure], size(measure, frame["scale"], frame["p"], level_of(measure, 0.1)), rtol=2e-13
        )


def test_the_curves_of_several_statistics_have_the_scale_of_proposition_8():
    frame = along_several(1, [0.01, 0.05], 3, (1, 0.1, 0.05), 0.05)
    np.testing.assert_allclose(frame["scale"], pdp_scale(1, [0.01, 0.05], 3, (1, 0.1, 0.05)), rtol=1e-6)
    np.testing.assert_allclose(frame["deviation"], size("deviation", frame["scale"], 3), rtol=2e-13)


def test_a_simulated_point_has_a_standard_error_for_every_size():
    row = simulated(np.random.default_rng(1), 1, 0.05, 2, (1, 0.1, 0.05), 10_000, 0.1).iloc[0]
    estimate = pdp_scale_monte_carlo(np.random.default_rng(1), 1, 0.05, 2, (1, 0.1, 0.05), 10_000)
    assert row["scale"] == pytest.approx(estimate.scale, rel=1e-12)
    assert row["scale_error"] == pytest.approx(estimate.standard_error, rel=1e-12)
    assert row["deviation_error"] / row["deviation"] == pytest.approx(row["scale_error"] / row["scale"], rel=1e-12)
    assert abs(row["scale"] - float(pdp_scale(1, 0.05, 2, (1, 0.1, 0.05)))) < 4 * row["scale_error"]


def test_matched_noises_share_what_they_should():
    others = np.array([1.0, 2.0, 3.0, 10.0])
    own = float(adp_scale(1, 1e-3, 3, 2.0))
    assert matched_scales("scale", ADP, 1, 1e-3, 3, others, 2.0) == pytest.approx([own] * 4, rel=1e-13)
    same = matched_scales("variance", ADP, 1, 1e-3, 3, others, 2.0)
    np.testing.assert_allclose(size("variance", same, others), size("variance", own, 3), rtol=1e-12)


def test_the_papers_figure_1_has_variance_1_at_the_scales_it_prints():
    assert matched_scales("variance", ADP, 1, 1e-3, 2, [2.0]) == pytest.approx(adp_scale(1, 1e-3, 2))
    peaks = densities(0, np.sqrt(2), [1.0, 2.0])[:, 0]
    np.testing.assert_allclose(peaks, [1 / (2 * np.sqrt(2)), 1 / np.sqrt(2 * np.pi)], rtol=1e-13)


def test_densities_are_those_of_the_distribution_and_finite_for_the_largest_scales():
    x, scale, p = np.linspace(-4, 4, 5), np.array([2.0, 1.0]), np.array([1.5, 3])
    np.testing.assert_allclose(densities(x, scale, p), pdf(x, scale[:, None], p[:, None]), rtol=1e-13)
    assert np.all(np.isfinite(densities(1e307, [1e307], [3.0])))


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda option: option.key)
def test_the_noise_of_one_setting_is_the_row_of_the_curves(guarantee):
    row = along(guarantee, 0.5, 1e-3, 2.5, 4.0, 0.1).iloc[0]
    mechanism = calibrated(guarantee, 0.5, 1e-3, 2.5, 4.0)
    sizes = mechanism.scale, mechanism.deviation, mechanism.mean_absolute_error, mechanism.half_width(0.1)
    assert dict(zip(SIZES, sizes, strict=True)) == pytest.approx({measure: row[measure] for measure in SIZES})


@pytest.mark.parametrize(
    ("call", "arguments", "sentence"),
    [
        (along, (ADP, 1, 0.1, 2, 1, [0.1, 0.2]), "significance must be one number in [1e-300, 1), got [0.1, 0.2]"),
        (best_p, (ADP, "variance", "x", 0.1), "epsilon must be in [0, 1e6], got 'x'"),
        (best_against, (ADP, "variance", 1, 0.1, [1, 2]), "p must be one number in [1, 100], got [1, 2]"),
        (size, ("median", 1, 2), "measure must be in scale, deviation, variance, mean_error, accuracy, got 'median'"),
        (
            matched_scales,
            ("shape", ADP, 1, 0.1, 2, [1, 2]),
            "match must be in scale, variance, got 'shape'",
        ),
        (densities, (np.inf, 1, 2), "x must be in (-inf, inf), got inf"),
        (densities, (1, 0, 2), "scale must be in (0, inf), got 0"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, arguments, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        call(*arguments)


@pytest.mark.parametrize(
    ("guarantee", "measure"),
    [
        *((ADP, measure) for measure in ("variance", "mean_error", "accuracy")),
        (EXACT_PDP, "variance"),
        (DISJOINT, "accuracy"),
    ],
    ids=lambda value: getattr(value, "key", value),
)
def test_the_map_of_the_best_p_is_that_of_the_search_at_places_of_it_drawn_at_random(guarantee, measure):
    grid = np.logspace(-3, 1, 81), np.logspace(-12, np.log10(0.5), 119)
    frame = best_map(guarantee, measure, *grid)
    assert frame["epsilon"].iloc[[0, 118, -1]].tolist() == pytest.approx([1e-3, 1e-3, 10])
    assert frame["delta"].iloc[[0, 118, -1]].tolist() == pytest.approx([1e-12, 0.5, 0.5])
    places = frame.iloc[np.random.default_rng(1).integers(0, len(frame), 200)]
    exact = best_frame(guarantee, measure, places["epsilon"], places["delta"])
    off = np.abs(places["p"].to_numpy() / exact["p"].to_numpy() - 1)
    if guarantee is ADP:
        assert np.median(off) < 1e-3
        assert np.quantile(off, 0.98) < 0.03
        assert off.max() < 0.1
        assert (places["of_laplace"].to_numpy() / exact["of_laplace"].to_numpy()).max() < 1 + 1e-3
    else:
        assert off.max() < 1e-9


def test_a_small_map_is_the_frame_itself():
    grid = [0.01, 1.0], [1e-6, 0.001, 0.1]
    frame = best_frame(ADP, "variance", np.array(grid[0])[:, None], grid[1])
    assert best_map(ADP, "variance", *grid).equals(frame)
