"""Experiments 5.1 and 5.2 of Balle & Wang: against definitions, theory of the mean, and simulation by hand."""

from collections.abc import Iterator
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln

from dpcore import gaussian
from dpcore.denoise import (
    MEAN_MECHANISMS,
    least_delta_removing,
    mean_draws,
    mean_errors,
    mean_estimation,
    mean_estimation_orderings,
    mean_sensitivity,
    variance_ratio,
    variance_ratios,
)


def column(frame: pd.DataFrame, name: str) -> np.ndarray:
    return frame[name].to_numpy()


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 1e-5), (0.5, 0.1), (1, 1e-8), (10, 1e-5)])
def test_the_variance_ratio_is_that_of_the_definitions(epsilon: float, delta: float) -> None:
    def excess(sigma: Any) -> Any:
        low, high = 1 / (2 * sigma) - epsilon * sigma, -1 / (2 * sigma) - epsilon * sigma
        return mpmath.ncdf(low) - mpmath.exp(epsilon) * mpmath.ncdf(high) - delta

    with mpmath.workdps(40):
        start = float(gaussian.analytic_sigma(epsilon, delta))
        least = mpmath.findroot(excess, (start * 0.99, start * 1.01))
        classical = mpmath.sqrt(2 * mpmath.log(1.25 / mpmath.mpf(delta))) / epsilon
        expected = float((classical / least) ** 2)
    assert variance_ratio(epsilon, delta) == pytest.approx(expected, rel=1e-12)


def test_the_variance_ratio_broadcasts_and_is_finite_over_its_whole_domain() -> None:
    ratio = variance_ratio([[1e-12], [1], [1e6]], [1e-300, 1e-5, 0.5, 1 - 2**-53])
    assert ratio.shape == (3, 4)
    assert np.isfinite(ratio).all()
    assert (ratio > 0).all()


def test_the_variance_saved_grows_with_delta() -> None:
    delta = np.geomspace(1e-300, 0.99, 200)
    for epsilon in (0.01, 0.5, 1):
        assert (np.diff(variance_ratio(epsilon, delta)) > 0).all()


def test_at_small_epsilon_the_classical_variance_is_larger_by_orders_of_magnitude() -> None:
    assert variance_ratio(1e-5, 1e-3) > 1e4


def test_at_epsilon_1_a_third_of_the_variance_is_removed_from_the_least_delta_on() -> None:
    delta = least_delta_removing()
    assert 1.2e-7 < delta < 1.3e-7
    assert 1 - 1 / variance_ratio(1, delta) >= 1 / 3
    assert 1 - 1 / variance_ratio(1, delta * (1 - 1e-9)) < 1 / 3


@pytest.mark.parametrize(("share", "epsilon"), [(0.5, 0.1), (0.9, 1), (0.9, 1e-12), (0.2, 0.99)])
def test_the_least_delta_is_where_the_share_is_reached(share: float, epsilon: float) -> None:
    delta = least_delta_removing(share, epsilon)
    assert 1 - 1 / variance_ratio(epsilon, delta) >= share
    assert 1 - 1 / variance_ratio(epsilon, delta * (1 - 1e-9)) < share


def test_a_share_removed_at_every_delta_has_the_least_delta_of_the_range() -> None:
    assert least_delta_removing(0.01) == 1e-300
    assert 1 - 1 / variance_ratio(1, 1e-300) > 0.01


def test_every_pair_of_epsilon_and_delta_says_whether_the_classical_noise_suffices() -> None:
    frame = variance_ratios([0.5, 1, 5, 50], [1e-5, 1e-2])
    epsilon, delta, classical, analytic, ratio, removed, status, fails_from = (column(frame, name) for name in frame)
    assert epsilon.tolist() == [0.5, 1, 5, 50] * 2
    assert delta.tolist() == [1e-5] * 4 + [1e-2] * 4
    assert (status == "proved").tolist() == [True, False, False, False] * 2
    fails = (status == "fails").tolist()
    assert fails == (gaussian.delta_from_sigma(epsilon, classical) > delta).tolist()
    assert fails == (epsilon >= fails_from).tolist() == (ratio < 1).tolist()
    np.testing.assert_allclose(ratio, (classical / analytic) ** 2)
    np.testing.assert_allclose(removed, 1 - 1 / ratio)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return mean_estimation(np.random.default_rng(1), [5, 200], [0.1, 1], 1e-4, n_records=50, n_repeats=400)


def row(frame: pd.DataFrame, dimension: int, epsilon: float, mechanism: str) -> SimpleNamespace:
    """Return the one row of a setting and mechanism."""
    keys = (dimension, epsilon, mechanism)
    (record,) = (
        record
        for record in frame.to_dict("records")
        if (record["dimension"], record["epsilon"], record["mechanism"]) == keys
    )
    return SimpleNamespace(**{str(name): value for name, value in record.items()})


SETTINGS = [(dimension, epsilon) for dimension in (5, 200) for epsilon in (0.1, 1.0)]


@pytest.mark.parametrize(("dimension", "epsilon"), SETTINGS)
def test_noise_has_the_scale_for_one_replaced_record(frame: pd.DataFrame, dimension: int, epsilon: float) -> None:
    l2_sensitivity, l1_sensitivity = dimension**0.5 / 50, dimension / 50
    analytic = gaussian.analytic_sigma(epsilon, 1e-4, l2_sensitivity)
    for key in ("analytic", "james_stein", "james_stein_plus", "soft_universal"):
        assert row(frame, dimension, epsilon, key).scale == pytest.approx(analytic)
    classical = row(frame, dimension, epsilon, "classical")
    assert classical.scale == pytest.approx(l2_sensitivity * (2 * np.log(1.25e4)) ** 0.5 / epsilon)
    assert classical.status == ("proved" if epsilon < 1 else "within target")
    assert row(frame, dimension, epsilon, "laplace").scale == pytest.approx(l1_sensitivity / epsilon)


@pytest.mark.parametrize(("dimension", "epsilon"), SETTINGS)
def test_gaussian_errors_are_those_of_a_chi_variable(frame: pd.DataFrame, dimension: int, epsilon: float) -> None:
    chi = 2**0.5 * np.exp(gammaln((dimension + 1) / 2) - gammaln(dimension / 2))
    for key in ("classical", "analytic"):
        record = row(frame, dimension, epsilon, key)
        assert abs(record.error_mean - record.scale * chi) < 5 * record.standard_error
        assert record.error_sd == pytest.approx(record.scale * (dimension - chi**2) ** 0.5, rel=0.2)
        assert record.standard_error == pytest.approx(record.error_sd / 400**0.5)


def mean_square(record: SimpleNamespace) -> float:
    return record.error_mean**2 + record.error_sd**2


@pytest.mark.parametrize(("dimension", "epsilon"), SETTINGS)
def test_squared_errors_are_those_of_theory(frame: pd.DataFrame, dimension: int, epsilon: float) -> None:
    laplace, plain = (row(frame, dimension, epsilon, key) for key in ("laplace", "james_stein"))
    expected = 2 * dimension * laplace.scale**2
    assert mean_square(laplace) == pytest.approx(expected, rel=5 * (5 / dimension) ** 0.5 / 400**0.5)
    deviation = (1 + 1 / (12 * 50)) ** 0.5  # of a coordinate of y: that of v and of the mean of 50 uniform numbers
    noise, prior = plain.scale**2, deviation**2
    expected = (dimension * noise * prior + 2 * noise**2) / (prior + noise)  # Bayes risk
    assert mean_square(plain) == pytest.approx(expected, rel=0.25 if dimension == 5 else 0.03)


def test_the_norm_beside_the_errors_is_the_error_of_answering_zero(frame: pd.DataFrame) -> None:
    for dimension, epsilon in SETTINGS:
        norms = {row(frame, dimension, epsilon, key).norm_mean for key in MEAN_MECHANISMS}
        chi = 2**0.5 * np.exp(gammaln((dimension + 1) / 2) - gammaln(dimension / 2))
        assert len(norms) == 1
        assert norms.pop() == pytest.approx(chi * (1 + 1 / 600) ** 0.5, abs=5 * 0.7 / 400**0.5)


def test_the_centre_of_the_box_is_nearer_to_the_mean_than_any_release_at_the_papers_settings() -> None:
    dimensions = [10, 200, 2000]
    frame = mean_estimation(np.random.default_rng(1), dimensions, [0.01, 0.1, 1], 1e-4, n_repeats=20)
    centre = (column(frame, "dimension") / (12 * 500)) ** 0.5
    assert (column(frame, "error_mean") > centre).all()
    rng = np.random.default_rng(2)
    apart = [np.sum(rng.uniform(-0.5, 0.5, (500, 10)).mean(axis=0) ** 2) for _ in range(500)]
    assert np.mean(apart) == pytest.approx(10 / (12 * 500), rel=5 * (2 / 10 / 500) ** 0.5)


def test_the_threshold_gives_zero_if_the_noise_exceeds_the_mean() -> None:
    record = row(
        mean_estimation(np.random.default_rng(1), 1000, 0.001, 1e-4, n_repeats=5), 1000, 0.001, "soft_universal"
    )
    assert record.error_mean == pytest.approx(record.norm_mean, rel=0.01)


def test_an_experiment_done_by_hand_agrees_for_the_threshold(frame: pd.DataFrame) -> None:
    rng, errors = np.random.default_rng(2), []
    sigma = float(gaussian.analytic_sigma(0.1, 1e-4, 200**0.5 / 50))
    for _ in range(300):
        records = rng.standard_normal(200) + rng.uniform(-0.5, 0.5, (50, 200))
        noisy = records.mean(axis=0) + sigma * rng.standard_normal(200)
        value = np.sign(noisy) * np.maximum(abs(noisy) - sigma * (2 * np.log(200)) ** 0.5, 0)
        errors.append(np.linalg.norm(value - records.mean(axis=0)))
    record = row(frame, 200, 0.1, "soft_universal")
    assert abs(np.mean(errors) - record.error_mean) < 5 * np.hypot(record.standard_error, np.std(errors) / 300**0.5)


def test_gains_are_over_the_analytic_gaussian_on_the_same_data(frame: pd.DataFrame) -> None:
    for dimension, epsilon in SETTINGS:
        rows = {key: row(frame, dimension, epsilon, key) for key in MEAN_MECHANISMS}
        analytic, classical = rows["analytic"], rows["classical"]
        for frame_row in rows.values():
            assert frame_row.gain_mean == pytest.approx(analytic.error_mean - frame_row.error_mean, abs=1e-12)
        assert analytic.gain_standard_error == 0
        excess = classical.scale / analytic.scale - 1  # the same normal draws times another σ
        assert classical.gain_standard_error == pytest.approx(excess * analytic.standard_error)


def test_rows_come_by_dimension_then_mechanism_then_epsilon(frame: pd.DataFrame) -> None:
    expected = [(d, key, e) for d in (5, 200) for key in MEAN_MECHANISMS for e in (0.1, 1.0)]
    names = ("dimension", "mechanism", "epsilon")
    assert list(zip(*(column(frame, name).tolist() for name in names), strict=True)) == expected
    assert set(column(frame, "n_repeats")) == {400}


def test_the_results_of_a_dimension_do_not_depend_on_the_other_dimensions(frame: pd.DataFrame) -> None:
    alone = mean_estimation(np.random.default_rng(1), 200, 1, 1e-4, n_records=50, n_repeats=400)
    for key in MEAN_MECHANISMS:
        expected = row(frame, 200, 1, key).error_mean
        assert row(alone, 200, 1, key).error_mean == pytest.approx(expected)


def test_james_stein_is_left_out_below_three_dimensions() -> None:
    frame = mean_estimation(np.random.default_rng(1), [1, 2, 3], 1, 1e-4, n_repeats=2)
    kinds = {d: column(frame, "mechanism")[column(frame, "dimension") == d].tolist() for d in (1, 2, 3)}
    assert kinds[3] == list(MEAN_MECHANISMS)
    assert kinds[1] == kinds[2] == [key for key in MEAN_MECHANISMS if "james_stein" not in key]


def test_data_sets_larger_than_a_chunk_are_drawn_in_parts() -> None:
    frame = mean_estimation(np.random.default_rng(1), 30, 1e6, 1e-4, n_records=40_000, n_repeats=2)
    assert (column(frame, "error_mean") > 0).all()


def test_progress_ends_at_one_and_what_it_raises_ends_the_experiment() -> None:
    shares: list[float] = []
    mean_estimation(np.random.default_rng(1), [40, 2000], 1, 1e-4, n_repeats=5, progress=shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 2
    assert shares[-1] == pytest.approx(1)

    def cancelled(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        mean_estimation(np.random.default_rng(1), 10, 1, 1e-4, progress=cancelled)


def test_drawn_data_sets_met_with_an_epsilon_and_delta_give_the_experiment_itself() -> None:
    seed = int(np.random.default_rng(1).integers(2**63))
    for dimension in (2, 60):  # of 60 numbers the data sets come in parts
        draws = mean_draws(np.random.default_rng([seed, dimension]), dimension, n_records=900, n_repeats=12)
        errors = mean_errors(draws, [0.1, 2], 1e-6)
        expected = mean_estimation(np.random.default_rng(1), dimension, [0.1, 2], 1e-6, 900, n_repeats=12)
        pd.testing.assert_frame_equal(errors, expected)


def test_drawing_data_sets_tells_the_share_done_and_can_be_ended() -> None:
    shares: list[float] = []
    mean_draws(np.random.default_rng(1), 2000, n_repeats=4, progress=shares.append)
    assert shares == [0.25, 0.5, 0.75, 1.0]

    def cancelled(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        mean_draws(np.random.default_rng(1), 10, progress=cancelled)


def test_more_data_sets_than_memory_may_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="dimension times n_repeats must be in"):
        mean_draws(np.random.default_rng(1), 10_000, n_repeats=1001)


def test_the_papers_orderings_come_out_at_its_dimension_and_small_epsilon() -> None:
    frame = mean_estimation(np.random.default_rng(3), 1000, 0.02, 1e-4, n_repeats=20)
    orderings = mean_estimation_orderings(frame)
    others = column(orderings, "farther") != "soft_universal"
    assert set(column(orderings, "verdict")[others]) == {"as published"}
    assert len(orderings) == 11


def results() -> Iterator[dict[str, Any]]:
    means = {"classical": 9.0, "analytic": 6.0, "james_stein": 4.0, "james_stein_plus": 3.9, "soft_universal": 5.8}
    for key, mean in (means | {"laplace": 5.28}).items():
        gain = {"gain_mean": 6.0 - mean, "gain_standard_error": 0.08}
        yield {"dimension": 9, "epsilon": 1.0, "mechanism": key, "error_mean": mean, "standard_error": 0.2, **gain}


def test_orderings_are_judged_by_two_standard_errors_of_the_difference() -> None:
    orderings = mean_estimation_orderings(pd.DataFrame(results())).set_index(["nearer", "farther"])
    assert orderings.loc[("soft_universal", "laplace"), "verdict"] == "too close"  # −0.52 ± 0.28
    assert orderings.loc[("soft_universal", "analytic"), "verdict"] == "as published"  # 0.2 ± 0.08 on the same data
    assert orderings.loc[("james_stein", "soft_universal"), "verdict"] == "as published"
    assert orderings.loc[("james_stein", "classical"), "difference"] == pytest.approx(5)
    assert orderings.loc[("james_stein", "classical"), "standard_error"] == pytest.approx(0.2 * 2**0.5)
    worse = pd.DataFrame(results()).replace({"error_mean": {5.8: 7.0}, "gain_mean": {6.0 - 5.8: -1.0}})
    orderings = mean_estimation_orderings(worse).set_index(["nearer", "farther"])
    assert orderings.loc[("soft_universal", "analytic"), "verdict"] == "reversed"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dimension": 0}, "dimension must be in"),
        ({"dimension": 2.5}, "dimension must be in the whole numbers"),
        ({"dimension": []}, "number of dimensions must be in"),
        ({"epsilon": 0}, "epsilon must be in"),
        ({"epsilon": np.ones(1001)}, "number of epsilons must be in"),
        ({"rng": 1}, "rng must be a"),
        ({"n_records": 0}, "n_records must be in"),
        ({"delta": 0}, "delta must be in"),
        ({"n_repeats": 1}, "n_repeats must be in"),
    ],
)
def test_bad_settings_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        mean_estimation(**({"dimension": 5, "epsilon": 1, "delta": 1e-4, "rng": np.random.default_rng(1)} | arguments))


@pytest.mark.parametrize(("share", "epsilon"), [(0, 1), (0.95, 1), (0.5, 2)])
def test_shares_and_epsilons_without_a_least_delta_are_refused(share: float, epsilon: float) -> None:
    with pytest.raises(ValueError, match="must be in"):
        least_delta_removing(share, epsilon)


@given(st.integers(1, 2000), st.integers(1, 5000))
def test_the_sensitivity_of_a_mean_is_that_of_each_number_and_never_below(dimension, n_records):
    sensitivity = mean_sensitivity(dimension, n_records)
    assert dimension / n_records * (1 - 1e-16) <= float(sensitivity.l1) <= dimension / n_records * (1 + 1e-14)
    assert float(sensitivity.l2) == pytest.approx(dimension**0.5 / n_records, rel=1e-14)
    assert Fraction(float(sensitivity.l2)) ** 2 >= Fraction(dimension, n_records**2)
    assert Fraction(float(sensitivity.l1)) >= Fraction(dimension, n_records)
