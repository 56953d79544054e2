"""Wavelet thresholding: against PyWavelets' own transform, an explicit matrix, and simulation."""

from typing import Any

import numpy as np
import pytest
import pywt

from dpcore.denoise import WAVELETS, sureshrink, universal_soft, wavelet
from dpcore.denoise.wavelets import _blocks, _inverse_transform, _layout, _transform

SIZES = [(2,), (3,), (64,), (100,), (101,), (8, 8), (13, 29), (7, 50), (1, 40)]


def matrix(sizes: tuple[int, ...], name: str) -> np.ndarray:
    """Return the transform's matrix, a row for each coefficient."""
    d = int(np.prod(sizes))
    return _transform(np.eye(d).reshape(d, *sizes), _layout(sizes, name)[0], name).reshape(d, d).T


@pytest.mark.parametrize("name", WAVELETS)
def test_the_transform_is_orthonormal_at_every_length_and_undone_by_the_way_back(name: str) -> None:
    for sizes in SIZES:
        rows = matrix(sizes, name)
        np.testing.assert_allclose(rows @ rows.T, np.eye(len(rows)), atol=1e-12, err_msg=str(sizes))
        values, halvings = np.random.default_rng(1).normal(size=(3, *sizes)), _layout(sizes, name)[0]
        back = _inverse_transform(_transform(values, halvings, name), halvings, name)
        np.testing.assert_allclose(back, values, atol=1e-11, err_msg=str(sizes))


@pytest.mark.parametrize("name", WAVELETS)
def test_filters_have_the_stated_length(name: str) -> None:
    halves, _ = pywt.dwt([1.0], name, "zero")  # of a lone 1, every other number of the filter
    assert 2 * len(halves) == WAVELETS[name]


@pytest.mark.parametrize("name", WAVELETS)
def test_the_details_of_a_constant_are_0_at_every_level(name: str) -> None:
    for sizes in SIZES:
        halvings, (_, *details) = _layout(sizes, name)
        coefficients = _transform(np.ones(sizes), halvings, name).ravel()
        for detail in details:
            np.testing.assert_allclose(coefficients[detail], 0, atol=1e-10, err_msg=str(sizes))


def test_of_an_odd_length_one_number_waits_at_each_odd_level() -> None:
    assert [block[0] for block in _blocks((101,), "haar")] == [101, 50, 25, 12, 6, 3, 1]
    assert len(_layout((101,), "haar")[1][0]) == 4  # those of 101, 25 and 3, and the mean


def test_the_coarse_part_of_an_odd_image_has_few_numbers() -> None:
    assert len(_layout((37, 53), "haar")[1][0]) <= 60


@pytest.mark.parametrize("name", WAVELETS)
def test_a_series_is_thresholded_as_by_pywavelets_own_functions(name: str) -> None:
    noisy, sigma = np.random.default_rng(2).normal(size=128).cumsum(), 0.7
    most = pywt.dwt_max_level(128, WAVELETS[name])
    approximation, *details = pywt.wavedec(noisy, name, "periodization", level=most)
    threshold = sigma * np.sqrt(2 * np.log(128 - len(approximation)))
    details = [pywt.threshold(detail, threshold, "soft") for detail in details]
    estimate = wavelet(noisy, sigma, name)
    np.testing.assert_allclose(
        estimate.value, pywt.waverec([approximation, *details], name, "periodization"), atol=1e-11
    )
    assert estimate.tuning == pytest.approx(threshold)


def test_an_image_is_thresholded_as_by_pywavelets_own_functions() -> None:
    noisy, sigma = np.random.default_rng(3).normal(size=(32, 32)).cumsum(axis=1), 0.7
    approximation, *details = pywt.wavedec2(noisy, "haar", "periodization")
    threshold = sigma * np.sqrt(2 * np.log(32 * 32 - 1))
    details = [tuple(pywt.threshold(part, threshold, "soft") for part in detail) for detail in details]
    estimate = wavelet(noisy, sigma, "haar", axes=2)
    np.testing.assert_allclose(
        estimate.value, pywt.waverec2([approximation, *details], "haar", "periodization"), atol=1e-11
    )


def test_each_level_has_the_threshold_of_donoho_and_johnstones_hybrid() -> None:
    noisy, sigma = np.random.default_rng(4).normal(size=256) + np.repeat([0, 40, -10, 5], 64), 1.0
    noisy[:32] += 6 * np.tile([1, -1], 16)  # so that the finest level is dense
    approximation, *details = pywt.wavedec(noisy, "haar", "periodization")
    thresholds, found_sparse = [], []
    for level in details:
        n = len(level)
        sparse = np.mean(level**2 - sigma**2) / sigma**2 <= np.log2(n) ** 1.5 / np.sqrt(n)
        found_sparse.append(sparse)
        thresholds.append(sigma * np.sqrt(2 * np.log(n)) if sparse else float(sureshrink(level, sigma).tuning))
    details = [
        pywt.threshold(*detail, "soft") if detail[1] else detail[0] for detail in zip(details, thresholds, strict=True)
    ]
    estimate = wavelet(noisy, sigma, rule="sure")
    np.testing.assert_allclose(
        estimate.value, pywt.waverec([approximation, *details], "haar", "periodization"), atol=1e-11
    )
    assert np.isnan(estimate.tuning)
    assert any(found_sparse)
    assert not all(found_sparse)


@pytest.mark.parametrize(("excess", "left"), [(-1e-9, 0.0), (1e-9, 1.0)])
def test_a_level_is_dense_above_donoho_and_johnstones_mean_square_and_not_below(excess: float, left: float) -> None:
    size = np.sqrt(1 + 7**1.5 / 128**0.5 + excess)  # of all 128 details of the finest level; there are no others
    noisy = size * np.tile([1, -1], 128) / 2**0.5
    np.testing.assert_allclose(wavelet(noisy, 1, rule="sure").value, left * noisy, atol=1e-12)


def test_sure_is_the_sum_over_levels_of_the_thresholds_own_whatever_sigma_is() -> None:
    rng = np.random.default_rng(10)
    for sigma in rng.uniform(0.1, 10, 100):
        noisy = sigma * 4 * rng.normal(size=64)
        approximation, *details = pywt.wavedec(noisy, "haar", "periodization")
        expected = len(approximation) * sigma**2
        for level in details:
            dense = np.mean(level**2) > sigma**2 * (1 + np.log2(len(level)) ** 1.5 / len(level) ** 0.5)
            expected += float((sureshrink if dense else universal_soft)(level, sigma).sure)
        assert wavelet(noisy, sigma, rule="sure").sure == pytest.approx(expected, rel=1e-9)


CASES = [((100,), 1, "haar"), ((100,), 1, "db4"), ((37, 53), 2, "haar"), ((37, 53), 2, "sym8")]


def truth_of(sizes: tuple[int, ...]) -> np.ndarray:
    place = np.indices(sizes).sum(axis=0)
    return np.where(place < sum(sizes) / 3, 6.0, 0.0) + np.sin(place / 9)


@pytest.mark.parametrize(("sizes", "axes", "name"), CASES)
def test_sure_is_unbiased_within_five_standard_errors_at_lengths_that_are_no_power_of_two(
    sizes: tuple[int, ...], axes: int, name: str
) -> None:
    truth, rng = truth_of(sizes), np.random.default_rng(5)
    n_repeats = 4000 if axes == 1 else 400
    estimate = wavelet(truth + 1.5 * rng.standard_normal((n_repeats, *sizes)), 1.5, name, axes=axes)
    error = np.sum((estimate.value - truth) ** 2, axis=tuple(range(-axes, 0)))
    bias = error - estimate.sure
    assert abs(bias.mean()) < 5 * bias.std() / n_repeats**0.5
    assert bias.std() / n_repeats**0.5 < 0.01 * truth.size * 1.5**2  # which resolves a percent of the release's error


@pytest.mark.parametrize("rule", ["universal", "sure"])
@pytest.mark.parametrize(("sizes", "axes", "name"), [*CASES[:2], ((11, 14), 2, "haar"), ((9, 33), 2, "db4")])
def test_sure_is_steins_formula_with_the_divergence_by_differences(
    sizes: tuple[int, ...], axes: int, name: str, rule: str
) -> None:
    sigma, noisy = 1.5, truth_of(sizes) + 1.5 * np.random.default_rng(6).standard_normal(sizes)
    estimate = wavelet(noisy, sigma, name, rule, axes)
    units = np.eye(noisy.size).reshape(-1, *sizes)
    moved = (wavelet(noisy + 1e-6 * units, sigma, name, rule, axes).value - estimate.value) / 1e-6
    divergence = np.sum(moved * units)
    stein = np.sum((estimate.value - noisy) ** 2) - noisy.size * sigma**2 + 2 * sigma**2 * divergence
    assert estimate.sure == pytest.approx(stein, abs=1e-4)


def test_sure_is_optimistic_where_each_level_chose_its_threshold_by_it() -> None:
    truth = np.tile([4.0, -4, 0, 0], 64)
    noisy = truth + np.random.default_rng(8).standard_normal((2000, 256))
    estimate = wavelet(noisy, 1, rule="sure")
    optimism = np.sum((estimate.value - truth) ** 2, axis=1) - estimate.sure
    assert optimism.mean() > 3 * optimism.std() / 2000**0.5


@pytest.mark.parametrize("rule", ["universal", "sure"])
@pytest.mark.parametrize(("sizes", "axes"), [((21,), 1), ((9, 13), 2)])
def test_every_release_is_denoised_as_if_alone_with_its_own_noise(sizes: tuple[int, ...], axes: int, rule: str) -> None:
    noisy = 3 * np.random.default_rng(9).normal(size=(2, 3, *sizes)).cumsum(axis=-1)
    sigma = np.array([[1.0], [4.0]])
    together = wavelet(noisy, sigma, rule=rule, axes=axes)
    assert together.sure.shape == together.tuning.shape == (2, 3)
    for row, column in np.ndindex(2, 3):
        alone = wavelet(noisy[row, column], sigma[row, 0], rule=rule, axes=axes)
        np.testing.assert_allclose(together.value[row, column], alone.value, rtol=1e-12)
        np.testing.assert_allclose(together.sure[row, column], alone.sure, rtol=1e-12)
        np.testing.assert_allclose(together.tuning[row, column], alone.tuning, rtol=1e-12)


@pytest.mark.parametrize("rule", ["universal", "sure"])
def test_of_no_releases_there_are_no_estimates(rule: str) -> None:
    estimate = wavelet(np.empty((0, 8)), 1, rule=rule)
    assert (estimate.value.shape, estimate.sure.shape, estimate.tuning.shape) == ((0, 8), (0,), (0,))


@pytest.mark.parametrize("rule", ["universal", "sure"])
def test_the_release_given_is_not_changed(rule: str) -> None:
    noisy = np.arange(12.0)
    wavelet(noisy, 5, rule=rule)
    assert noisy.tolist() == list(range(12))


@pytest.mark.parametrize("rule", ["universal", "sure"])
def test_a_series_too_short_for_the_filter_stays_as_released(rule: str) -> None:
    estimate = wavelet([3.0, 1, 4], 2, "db4", rule)
    assert estimate.value.tolist() == [3, 1, 4]
    assert estimate.sure == pytest.approx(3 * 2**2)
    assert np.isnan(estimate.tuning)


@pytest.mark.parametrize("rule", ["universal", "sure"])
def test_of_two_numbers_nothing_is_thresholded(rule: str) -> None:
    estimate = wavelet([3.0, 1.0], 2, rule=rule)  # one detail: T = σ√(2 ln 1) = 0
    np.testing.assert_allclose(estimate.value, [3, 1])
    assert estimate.sure == pytest.approx(2 * 2**2)


def test_pure_noise_becomes_its_mean() -> None:
    noisy = np.tile([1.0, -1.0, 2.0, -2.0], 8)
    np.testing.assert_allclose(wavelet(noisy, 3).value, 0, atol=1e-12)


@pytest.mark.parametrize("rule", ["universal", "sure"])
@pytest.mark.parametrize("sigma", [1e-50, 1.0, 1e100])
@pytest.mark.parametrize("size", [0.0, 1e-60, 1e100])
def test_the_ends_of_the_domain_have_finite_answers(size: float, sigma: float, rule: str) -> None:
    estimate = wavelet(size * np.tile([1.0, 1, -1, 1, 0.5], 20), sigma, rule=rule)
    assert np.isfinite(estimate.value).all()
    assert np.isfinite(estimate.sure)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"wavelet": "db3"}, "wavelet must be in haar, db4, sym8, got 'db3'"),
        ({"rule": "hard"}, "rule must be in universal, sure, got 'hard'"),
        ({"axes": 3}, r"axes must be in \[1, 2\], got 3"),
        ({"axes": 2}, "dimension must be in"),
        ({"noisy": [np.nan, 1]}, "noisy must be in"),
        ({"sigma": 0}, "sigma must be in"),
        ({"sigma": [1, 2]}, "sigma must be one number or an array"),
    ],
)
def test_bad_input_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wavelet(**({"noisy": [1.0, 2, 3], "sigma": 1} | arguments))
