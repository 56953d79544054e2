import re
from typing import Any

import numpy as np
import pytest
from mpmath import gammainc, mp, mpf

from dpcore import gaussian, generalized_gaussian, laplace, tables
from dpcore.tables import release


def rng() -> np.random.Generator:
    return np.random.default_rng(20261122)


def laplace_draw(scale: float):
    return lambda source, size: laplace.sample(source, scale, size)


def test_post_processing_clips_then_scales_then_rounds():
    noisy = np.array([[-3.0, 4.0, 12.0], [1.2, 1.2, 1.2]])
    clipped = tables.post_process(noisy, clip=10)
    assert clipped.tolist() == [[0, 4, 10], [1.2, 1.2, 1.2]]
    np.testing.assert_allclose(tables.post_process(noisy, clip=10, total=7), [[0, 2, 5], [7 / 3] * 3], rtol=1e-15)
    assert tables.post_process(noisy, clip=10, total=7, rounded=True).tolist() == [[0, 2, 5], [2, 2, 2]]


def test_post_processing_without_options_gives_the_noisy_counts():
    assert tables.post_process([-1.25, 3]).tolist() == [-1.25, 3]


def test_each_release_may_have_a_limit_and_a_total_of_its_own():
    noisy = np.full((2, 3, 4), 6.0)
    processed = tables.post_process(noisy, clip=[5, 6, 7], total=[[8], [12]])
    np.testing.assert_allclose(processed.sum(axis=-1), [[8] * 3, [12] * 3], rtol=1e-15)
    assert tables.post_process(noisy, clip=[1, 2, 9])[0, :, 0].tolist() == [1, 2, 6]


def test_a_release_of_which_clipping_leaves_nothing_is_spread_evenly():
    assert tables.post_process([[-1.0, -2.0], [1.0, -2.0]], clip=9, total=5).tolist() == [[2.5, 2.5], [5, 0]]


def test_rounding_goes_to_the_nearest_even_number_and_leaves_no_minus_zero():
    rounded = tables.post_process([-0.4, 0.5, 1.5, -2.6], rounded=True)
    assert rounded.tolist() == [0, 0, 2, -3]
    assert not np.signbit(rounded[0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"noisy": [1.0], "total": 3}, "clip must be given where a total is, got None beside 3"),
        ({"noisy": [1.0], "clip": -1}, "clip must be in [0, 1e15], got -1"),
        ({"noisy": [1.0], "clip": 2, "total": np.nan}, "total must be in [0, 1e15], got nan"),
        ({"noisy": [np.inf]}, "noisy must be in (-inf, inf), got inf"),
        ({"noisy": 1.0}, "number of axes of noisy must be in [1, 32], got 0"),
    ],
)
def test_post_processing_refuses_what_it_cannot_do(arguments, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        tables.post_process(**arguments)


@pytest.mark.parametrize("p", [1, 2, 3, 1.5, 100])
@pytest.mark.parametrize("count", [0, 0.5, 3, 20])
def test_the_lift_of_clipping_is_the_mean_of_what_falls_below_zero(p, count):
    with mp.workdps(20):
        b, norm = mpf("2.5"), 2 * mpf("2.5") * mp.gamma(1 + mpf(1) / mpf(p))
        pieces = sorted({mpf(count), *(b * place for place in (0.9, 1, 1.1, 3, 12, 40, 120) if b * place > count)})
        expected: Any = mp.quad(lambda x: (x - count) * mp.exp(-((x / b) ** p)) / norm, pieces)
    assert float(tables.clipping_lift(count, 2.5, p)) == pytest.approx(float(expected), abs=3e-14)


def test_the_lift_has_the_closed_forms_of_laplace_and_gaussian_noise():
    count, sigma = np.array([0.0, 1, 2, 5, 9]), 1.7
    np.testing.assert_allclose(tables.clipping_lift(count, 3, 1), 1.5 * np.exp(-count / 3), rtol=1e-12)
    normal = sigma**2 * gaussian.pdf(count, sigma) - count * gaussian.cdf(-count, sigma)
    np.testing.assert_allclose(tables.clipping_lift(count, sigma * 2**0.5, 2), normal, atol=1e-14)


def test_a_cell_far_above_its_noise_is_not_lifted():
    assert tables.clipping_lift([1e15, 1e6], p=[1, 100], scale=[1e-100, 3]).tolist() == [0, 0]


def test_the_simulated_lift_is_that_of_the_closed_form():
    lift = tables.simulated_clipping_lift(rng(), [[0, 1], [4, 30]], laplace_draw(3), n_draws=400_000)
    np.testing.assert_allclose(lift, tables.clipping_lift([[0, 1], [4, 30]], 3, 1), atol=4 * 3 * 2**0.5 / 632)
    assert float(tables.simulated_clipping_lift(rng(), 2, lambda _, size: np.full(size, -5.0), 10)) == 3
    assert float(tables.simulated_clipping_lift(rng(), 5, lambda _, size: np.full(size, -5.0), 10)) == 0


def in_order_by_definition(counts, released):
    """Of each cell, whether all cells of smaller counts are below it and all of larger counts above."""
    pairs = [(counts[:, None] > counts) & (released[:, None] <= released)]
    pairs.append((counts[:, None] < counts) & (released[:, None] >= released))
    return ~np.any(pairs[0] | pairs[1], axis=1)


def test_a_cell_keeps_its_order_when_no_other_passes_it():
    source = rng()
    for n_cells in (1, 2, 5, 12):
        counts = source.integers(0, 6, n_cells).astype(float)
        noise = np.round(source.normal(0, 1.2, (40, n_cells)))  # whole numbers, so that some releases are tied
        expected = np.mean([in_order_by_definition(counts, counts + row) for row in noise], axis=0)
        rows = iter(noise)
        simulation = tables.simulate_releases(
            source, counts, lambda _, size, rows=rows: np.array([next(rows) for _ in range(size[0])]), 1, 40
        )
        np.testing.assert_allclose(simulation.order, expected, rtol=1e-15)


def test_the_sign_and_the_significance_survive_as_often_as_the_noise_implies():
    counts = np.array([0.0, 1, 4, 9])
    sigma, threshold = 4.224679, 6.949
    simulation = tables.simulate_releases(
        rng(), counts, lambda source, size: gaussian.sample(source, sigma, size), threshold, n_repeats=20_000
    )
    detected = gaussian.cdf(counts - threshold, sigma)
    detected[0] = 1 - detected[0]
    np.testing.assert_allclose(simulation.sign, gaussian.cdf(counts, sigma), atol=0.015)
    np.testing.assert_allclose(simulation.significance, detected, atol=0.015)
    assert simulation.n_repeats == 20_000


def test_two_cells_keep_their_order_as_often_as_the_difference_of_their_noises_says():
    gap, scale = 3.0, 2.0
    expected = 1 - (2 + gap / scale) / 4 * np.exp(-gap / scale)  # the tail of the sum of two Laplace variables
    simulation = tables.simulate_releases(rng(), [10, 13], laplace_draw(scale), 0, n_repeats=40_000)
    np.testing.assert_allclose(simulation.order, [expected, expected], atol=0.01)


def test_the_sign_of_a_count_is_examined_after_post_processing():
    simulation = tables.simulate_releases(
        rng(), [0, 5], laplace_draw(1), 0, post=lambda noisy: np.where(noisy > 3, 5.0, 0.0)
    )
    assert simulation.sign[0] > 0.9
    unprocessed = tables.simulate_releases(rng(), [0, 5], laplace_draw(1), 0)
    assert unprocessed.sign[0] < 0.6


def test_releases_in_several_chunks_are_those_of_one_and_progress_ends_at_all(monkeypatch):
    counts, shares = np.arange(7.0), []
    whole = tables.simulate_releases(rng(), counts, laplace_draw(2), 2, n_repeats=50)
    monkeypatch.setattr(release, "_CHUNK", 21)
    pieces = tables.simulate_releases(rng(), counts, laplace_draw(2), 2, n_repeats=50, progress=shares.append)
    np.testing.assert_array_equal(pieces.order, whole.order)
    np.testing.assert_array_equal(pieces.significance, whole.significance)
    assert shares == sorted(shares)
    assert (len(shares), shares[-1]) == (17, 1)


def test_a_table_of_more_cells_than_a_chunk_is_released_one_release_at_a_time():
    sizes = []

    def draw(source, size):
        sizes.append(size)
        return generalized_gaussian.sample(source, 1.0, 2, size)

    n_cells = release._CHUNK + 1
    tables.simulate_releases(rng(), np.zeros(n_cells), draw, 1, n_repeats=2)
    assert sizes == [(1, n_cells)] * 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"counts": [[1]]}, "number of axes of counts must be in [1, 1], got 2"),
        ({"counts": []}, "number of cells must be in [1, 10000000], got 0"),
        ({"counts": [-1]}, "counts must be in [0, 1e15], got -1"),
        ({"threshold": -1}, "threshold must be in [0, 1e200], got -1"),
        ({"n_repeats": 0}, "n_repeats must be in [1, 100000], got 0"),
        ({"rng": 3}, "rng must be a numpy.random.Generator, got 3"),
    ],
)
def test_tables_that_cannot_be_released_are_refused(arguments, sentence):
    usable = {"counts": [1, 2], "draw": laplace_draw(1), "rng": rng(), "threshold": 1}
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        tables.simulate_releases(**usable | arguments)


def test_the_lift_of_clipping_is_right_where_a_power_of_count_by_scale_underflows():
    count, p, scale = 0.0219, 82.5, 189.0
    with mp.workdps(30):
        beyond = [gammainc(n / mpf(p), (mpf(count) / scale) ** p) / mp.gamma(1 / mpf(p)) for n in (1, 2)]
        true = float((scale * beyond[1] - count * beyond[0]) / 2)
    assert release.clipping_lift(count, scale, p) == pytest.approx(true, abs=1e-14 * scale)
