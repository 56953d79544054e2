"""Estimators side by side and their ranking: against each estimator alone, the definitions, and exact risks."""

from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np
import pytest

from dpcore.denoise import (
    ESTIMATORS,
    Estimate,
    Knowledge,
    SimulatedErrors,
    best,
    estimates,
    estimator_keys,
    graph_wavelet,
    james_stein,
    james_stein_risk,
    laplacian_smoothing,
    non_negative,
    posterior_mean,
    posterior_mean_risk,
    simulate_errors,
    soft_threshold_risk,
    sureshrink,
    trend_filtering,
    unchanged,
    universal_soft,
    universal_threshold,
    wavelet,
    with_total,
)
from dpcore.graphs import Graph, graph, grid_graph, path_graph

RING = graph(12, [(node, (node + 1) % 12) for node in range(12)])
ANYWHERE: dict[str, Callable[..., Estimate]] = {
    "none": unchanged,
    "posterior_mean": partial(posterior_mean, prior_sd=2),
    "james_stein": partial(james_stein, positive_part=False),
    "james_stein_plus": james_stein,
    "soft_universal": universal_soft,
    "soft_sure": sureshrink,
    "non_negative": non_negative,
    "with_total": partial(with_total, total=30),
}


def in_wavelets(noisy: np.ndarray, sigma: np.ndarray, rule: str, sizes: tuple[int, ...]) -> Estimate:
    estimate = wavelet(noisy.reshape(*noisy.shape[:-1], *sizes), sigma, "db4", rule, axes=len(sizes))
    return Estimate(estimate.value.reshape(noisy.shape), estimate.sure, estimate.tuning)


def on_grid(sizes: tuple[int, ...], cells: Graph) -> dict[str, Callable[..., Estimate]]:
    wavelets = {f"wavelet_{rule}": partial(in_wavelets, rule=rule, sizes=sizes) for rule in ("universal", "sure")}
    smooth = {"laplacian": partial(laplacian_smoothing, graph=cells)}
    return ANYWHERE | wavelets | smooth | {"trend_filtering": partial(trend_filtering, graph=cells)}


ON_RING = {"laplacian": laplacian_smoothing, "graph_wavelet": graph_wavelet, "trend_filtering": trend_filtering}
CASES = [
    (None, (12,), ANYWHERE),
    ("series", (20,), on_grid((20,), path_graph(20))),
    ("image", (9, 16), on_grid((9, 16), grid_graph(9, 16))),
    (RING, (12,), ANYWHERE | {key: partial(smooth, graph=RING) for key, smooth in ON_RING.items()}),
]
SERIES = Knowledge("series")
NAMES = ["nothing", "series", "image", "graph"]


def test_every_estimator_has_its_words_and_its_own_key() -> None:
    for key, words in ESTIMATORS.items():
        assert words.key == key
        assert all(getattr(words, field.name) for field in fields(words) if field.name != "tuned")
    assert len({estimator.name for estimator in ESTIMATORS.values()}) == len(ESTIMATORS)


def test_the_words_on_when_estimators_hurt_agree_with_their_risks() -> None:
    size = (7 * (2 * 2**2 + 1.5**2)) ** 0.5
    assert posterior_mean_risk(7, size, 1.5, 2) == pytest.approx(7 * 1.5**2)
    assert posterior_mean_risk(7, 1.01 * size, 1.5, 2) > 7 * 1.5**2
    assert soft_threshold_risk(100, 1.5, 4) == pytest.approx(1.5**2 + 4**2)


@pytest.mark.parametrize(("structure", "sizes", "alone"), CASES, ids=NAMES)
def test_each_estimate_is_that_of_the_estimator_alone(
    structure: Any, sizes: tuple[int, ...], alone: dict[str, Callable[..., Estimate]]
) -> None:
    noisy = 3 * np.random.default_rng(1).normal(size=(2, *sizes)).cumsum(axis=-1)
    sigma = np.array([1.0, 2.5])
    basis = "db4" if "wavelet_sure" in alone else None
    by_estimator = estimates(noisy, sigma, Knowledge(structure, prior_sd=2, total=30, basis=basis))
    assert list(by_estimator) == [key for key in ESTIMATORS if key in alone]
    assert by_estimator.keys() == alone.keys()
    for key, estimate in by_estimator.items():
        expected = alone[key](noisy.reshape(2, -1), sigma)
        np.testing.assert_allclose(estimate.value, expected.value.reshape(noisy.shape), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(estimate.sure, expected.sure, rtol=1e-9)
        np.testing.assert_allclose(estimate.tuning, expected.tuning, rtol=1e-12)


@pytest.mark.parametrize(("structure", "sizes", "alone"), CASES, ids=NAMES)
def test_the_keys_are_those_of_the_estimates(structure: Any, sizes: tuple[int, ...], alone: dict[str, object]) -> None:
    keys = estimator_keys(sizes, Knowledge(structure, prior_sd=2))
    assert keys == tuple(key for key in ESTIMATORS if key in alone)
    assert "posterior_mean" not in estimator_keys(sizes, Knowledge(structure))
    assert "trend_filtering" not in estimator_keys(sizes, Knowledge(structure), repeatable=True)


def test_only_the_estimators_asked_for_are_computed_in_the_fixed_order() -> None:
    assert list(estimates([1.0, 2, 3], 1, keys=["soft_sure", "none", "none"])) == ["none", "soft_sure"]


def test_below_three_dimensions_there_is_no_james_stein() -> None:
    for shape, structure in ((2, None), ((1, 2), "image")):
        assert not {"james_stein", "james_stein_plus"} & set(estimator_keys(shape, Knowledge(structure)))
    assert {"james_stein", "james_stein_plus"} <= set(estimator_keys((1, 3), Knowledge("image")))


def test_more_than_a_hundred_thousand_numbers_are_not_smoothed() -> None:
    assert "laplacian" in estimator_keys(100_000, SERIES)
    assert not {"laplacian", "trend_filtering"} & set(estimator_keys(100_001, SERIES))
    assert "wavelet_sure" in estimator_keys((1000, 1000), Knowledge("image"))


def test_a_release_alone_gives_estimates_of_its_shape() -> None:
    by_estimator = estimates(np.arange(6.0).reshape(2, 3), 1, Knowledge("image"))
    assert {estimate.value.shape for estimate in by_estimator.values()} == {(2, 3)}
    assert {np.shape(estimate.sure) for estimate in by_estimator.values()} == {()}


def test_of_no_releases_there_are_no_estimates() -> None:
    by_estimator = estimates(np.empty((0, 4, 3)), 1, Knowledge("image"))
    assert {estimate.value.shape for estimate in by_estimator.values()} == {(0, 4, 3)}
    assert best(by_estimator).shape == (0,)


def test_the_best_has_the_least_sure_of_each_release() -> None:
    by_estimator = {
        "a": Estimate(np.zeros((2, 1)), np.array([3.0, -1.0]), np.zeros(2)),
        "bb": Estimate(np.zeros((2, 1)), np.array([2.0, -1.0]), np.zeros(2)),
        "c": Estimate(np.zeros((2, 1)), np.array([2.5, 0.0]), np.zeros(2)),
    }
    assert best(by_estimator).tolist() == ["bb", "a"]  # of two that are equal the first


def test_the_best_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"number of estimates must be in \[1, 1000\], got 0"):
        best({})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: estimator_keys(0), "shape must be in"),
        (lambda: estimator_keys((2, 3)), r"number of axes of a release must be in \[1, 1\], got 2"),
        (lambda: estimator_keys(5, Knowledge("image")), r"number of axes of a release must be in \[2, 2\], got 1"),
        (lambda: Knowledge("table"), "structure must be in series, image, got 'table'"),
        (lambda: estimates([1.0, 2], 1, keys=["laplacian"]), "keys must be in none, soft_universal,.* got 'laplacian'"),
        (lambda: estimates([1.0, 2], 1, Knowledge("image")), "dimension must be in"),
        (lambda: estimates([1.0, 2], 1, Knowledge(RING)), "the graph's 12 nodes, got 2"),
        (lambda: estimates([1.0, 2], 0), "sigma must be in"),
        (lambda: estimates([1.0, 2], 1, Knowledge("series", basis="db3")), "wavelet must be in"),
    ],
)
def test_bad_input_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


TRUTH = np.array([9.0, 0, 0, 4, 0, 0, 0, 0, 2, 0])


def test_repeats_are_summed_up_as_by_hand() -> None:
    simulation = simulate_errors(
        np.random.default_rng(2), TRUTH, 1.5, 40, SERIES, keys=["none", "soft_sure", "laplacian"]
    )
    rng, rows = np.random.default_rng(2), []
    for _ in range(40):
        noisy = TRUTH + 1.5 * rng.standard_normal(10)
        by_estimator = estimates(noisy, 1.5, SERIES, keys=simulation.keys)
        error = {key: float(np.sum((estimate.value - TRUTH) ** 2)) for key, estimate in by_estimator.items()}
        sure = {key: float(estimate.sure) for key, estimate in by_estimator.items()}
        rows.append((error, sure, min(sure, key=sure.__getitem__), min(error, key=error.__getitem__)))
    picked = np.array([error[first] for error, _, first, _ in rows])
    own = np.array([error["none"] for error, *_ in rows])
    for place, key in enumerate(simulation.keys):
        error, sure = (np.array([row[part][key] for row in rows]) for part in (0, 1))
        assert simulation.error[place] == pytest.approx(error.mean())
        assert simulation.error_standard_error[place] == pytest.approx(error.std(ddof=1) / 40**0.5)
        assert simulation.sure[place] == pytest.approx(sure.mean())
        assert simulation.optimism[place] == pytest.approx(np.mean(error - sure))
        assert simulation.optimism_standard_error[place] == pytest.approx(np.std(error - sure, ddof=1) / 40**0.5)
        assert simulation.gain[place] == pytest.approx(np.mean(own - error), abs=1e-12)
        assert simulation.gain_standard_error[place] == pytest.approx(np.std(own - error, ddof=1) / 40**0.5)
        assert simulation.by_sure.chosen[place] == pytest.approx(np.mean([row[2] == key for row in rows]))
        assert simulation.truly_best[place] == pytest.approx(np.mean([row[3] == key for row in rows]))
    assert simulation.release_error == pytest.approx(own.mean())
    assert simulation.by_sure.right == pytest.approx(np.mean([row[2] == row[3] for row in rows]))
    assert simulation.by_sure.better == pytest.approx(np.mean(picked < own))
    assert simulation.by_sure.worse == pytest.approx(np.mean(picked > own))
    assert simulation.by_sure.error == pytest.approx(picked.mean())
    assert simulation.by_sure.error_standard_error == pytest.approx(picked.std(ddof=1) / 40**0.5)
    assert simulation.by_sure.gain == pytest.approx(np.mean(own - picked))
    assert simulation.by_sure.gain_standard_error == pytest.approx(np.std(own - picked, ddof=1) / 40**0.5)
    assert simulation.by_sure.estimated == pytest.approx(np.mean([row[1][row[2]] for row in rows]))
    assert simulation.least == pytest.approx(np.mean([row[0][row[3]] for row in rows]))
    assert simulation.n_repeats == 40
    assert 0 < simulation.by_sure.right < 1
    assert simulation.by_sure.worse > 0


def by_key(simulation: SimulatedErrors, key: str) -> tuple[float, float]:
    place = simulation.keys.index(key)
    return float(simulation.error[place]), float(simulation.error_standard_error[place])


def test_mean_errors_are_the_exact_risks_and_sure_is_unbiased_but_where_it_chose() -> None:
    sigma, size = 1.5, float(np.linalg.norm(TRUTH))
    simulation = simulate_errors(np.random.default_rng(3), TRUTH, sigma, 20_000, Knowledge("series", prior_sd=2))
    threshold = universal_threshold(sigma, 10)
    risks = {
        "none": 10 * sigma**2,
        "posterior_mean": posterior_mean_risk(10, size, sigma, 2),
        "james_stein": james_stein_risk(10, size, sigma, positive_part=False),
        "james_stein_plus": james_stein_risk(10, size, sigma),
        "soft_universal": np.sum(soft_threshold_risk(TRUTH, sigma, threshold)),
    }
    for key, risk in risks.items():
        error, standard_error = by_key(simulation, key)
        assert abs(error - risk) < 5 * standard_error
    for key, optimism, error in zip(
        simulation.keys, simulation.optimism, simulation.optimism_standard_error, strict=True
    ):
        assert (optimism > 5 * error) == ESTIMATORS[key].tuned
        assert optimism > -5 * error


def test_following_the_ranking_gains_less_than_it_estimates_and_than_the_truth_would_allow() -> None:
    simulation = simulate_errors(np.random.default_rng(4), TRUTH, 1.5, 4000)
    assert simulation.by_sure.estimated < simulation.by_sure.error - 0.5
    assert simulation.least < simulation.by_sure.error < simulation.release_error
    assert simulation.by_sure.gain == pytest.approx(simulation.release_error - simulation.by_sure.error)
    assert simulation.by_sure.chosen.sum() == pytest.approx(1)
    assert simulation.truly_best.sum() >= 1
    assert simulation.by_sure.better + simulation.by_sure.worse <= 1
    assert simulation.by_sure.right == pytest.approx(0.5, abs=0.25)


def test_equal_noises_are_both_the_best() -> None:
    simulation = simulate_errors(
        np.random.default_rng(5), np.full(8, 100.0), 1, 50, keys=["james_stein", "james_stein_plus"]
    )
    assert simulation.truly_best.tolist() == [1, 1]  # the factor is never below 0 so far from it
    assert simulation.by_sure.right == 1


def test_the_release_itself_is_neither_better_nor_worse() -> None:
    simulation = simulate_errors(np.random.default_rng(6), TRUTH, 1, 50, keys=["none"])
    assert (simulation.by_sure.better, simulation.by_sure.worse, simulation.by_sure.right) == (0, 0, 1)
    assert simulation.gain.tolist() == [0]


def test_trend_filtering_is_repeated_on_request_only() -> None:
    rng = np.random.default_rng(7)
    assert simulate_errors(rng, TRUTH, 1, 2, SERIES).keys == estimator_keys(10, SERIES, repeatable=True)
    assert simulate_errors(rng, TRUTH, 1, 2, SERIES, keys=["trend_filtering"]).keys == ("trend_filtering",)


def test_chunks_leave_the_releases_as_they_are() -> None:
    truth = np.zeros(70_000)  # of which one chunk holds a single release
    simulation = simulate_errors(np.random.default_rng(8), truth, 2, 3, keys=["none"])
    noise = 2 * np.random.default_rng(8).standard_normal((3, 70_000))
    assert simulation.release_error == pytest.approx(np.mean(np.sum(noise**2, axis=1)))


def test_an_image_is_repeated_as_its_cells_in_both_directions() -> None:
    truth = np.add.outer(np.arange(8.0), np.repeat([0, 30], 4))
    knowledge = Knowledge("image", total=float(truth.sum()), basis="haar")
    simulation = simulate_errors(np.random.default_rng(9), truth, 3, 100, knowledge)
    assert by_key(simulation, "wavelet_sure")[0] < 0.8 * by_key(simulation, "none")[0]
    assert by_key(simulation, "laplacian")[0] < 0.9 * by_key(simulation, "none")[0]


def test_progress_ends_at_one_and_what_it_raises_ends_the_repeats() -> None:
    shares: list[float] = []
    simulate_errors(
        np.random.default_rng(10), np.zeros(50_000), 1, 5, progress=shares.append, keys=["none", "soft_universal"]
    )
    assert shares == sorted(shares)
    assert len(shares) == 6
    assert shares[-1] == pytest.approx(1)

    def cancelled(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        simulate_errors(np.random.default_rng(1), TRUTH, 1, progress=cancelled)


@pytest.mark.parametrize(("size", "sigma"), [(1e70, 1e70), (1e70, 1e-50), (0, 1e-50), (1e-60, 1e70)])
def test_the_ends_of_the_domain_have_finite_answers(size: float, sigma: float) -> None:
    simulation = simulate_errors(
        np.random.default_rng(1), size * np.tile([1.0, -1, 1, 0], 3), sigma, 5, Knowledge(RING, prior_sd=1e70)
    )
    assert np.isfinite(
        [simulation.by_sure.error, simulation.by_sure.estimated, simulation.least, simulation.release_error]
    ).all()
    assert np.isfinite([simulation.error, simulation.sure, simulation.optimism, simulation.gain]).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rng": 3}, "rng must be a"),
        ({"truth": [1e71, 0]}, "truth must be in"),
        ({"truth": []}, "shape must be in"),
        ({"truth": [[1.0]]}, "number of axes of a release must be in"),
        ({"truth": [[1.0]], "keys": ["none"]}, "number of axes of a release must be in"),
        ({"sigma": 0}, "sigma must be in"),
        ({"sigma": [1, 2]}, "sigma must be one number in"),
        ({"n_repeats": 1}, "n_repeats must be in"),
        ({"keys": []}, "number of keys must be in"),
        ({"keys": ["wavelet_sure"]}, "keys must be in none,"),
    ],
)
def test_bad_repeats_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate_errors(**({"truth": TRUTH, "sigma": 1, "rng": np.random.default_rng(1)} | arguments))


@pytest.mark.parametrize(
    ("estimator", "least", "most"),
    [
        (partial(laplacian_smoothing, graph=path_graph(100)), 1, 3),
        (partial(laplacian_smoothing, graph=grid_graph(10, 10)), 1, 3),
        (partial(graph_wavelet, graph=graph(100, grid_graph(10, 10).edges), rule="sure"), 6, 11),
        (partial(wavelet, rule="sure"), 1, 7),
    ],
)
def test_sure_is_optimistic_by_the_stated_amount_at_its_own_tuning(estimator, least, most):
    rng = np.random.default_rng(3)
    wave, peaks = 3 * np.sin(2 * np.pi * np.arange(100) / 100), np.where(rng.random(100) < 0.05, 8.0, 0)
    for truth in (np.zeros(100), wave, np.repeat([0.0, 4, 1, 6], 25), peaks):
        estimate = estimator(truth + rng.standard_normal((1000, 100)), 1)
        excess = np.sum((estimate.value - truth) ** 2, axis=-1) - estimate.sure
        error = excess.std() / 1000**0.5
        assert least - 4 * error < excess.mean() < most + 4 * error


def test_the_reduction_of_the_rmse_is_the_smaller_of_both_bounds_two_standard_errors_up():
    truth, sigma = np.array([30.0, *np.zeros(31)]), 2.0
    runs = simulate_errors(np.random.default_rng(5), truth, sigma, 100, keys=["none", "soft_universal", "non_negative"])
    expected = truth.size * sigma**2
    by_gain = 1 - (runs.gain - 2 * runs.gain_standard_error) / runs.release_error
    by_error = (runs.error + 2 * runs.error_standard_error) / expected
    reductions = runs.rmse_reductions(expected)
    assert reductions == pytest.approx([1 - np.sqrt(min(pair)) for pair in zip(by_gain, by_error, strict=True)])
    assert (reductions < 1 - np.sqrt(runs.error / runs.release_error) + 1e-12)[1:].all()
    assert reductions[0] == pytest.approx(0, abs=1e-12)  # the release itself has no gain, with certainty


def test_the_largest_reduction_of_the_rmse_is_the_other_end_of_the_interval():
    truth, sigma = np.array([30.0, *np.zeros(31)]), 2.0
    runs = simulate_errors(np.random.default_rng(5), truth, sigma, 100, keys=["none", "soft_universal", "non_negative"])
    expected = truth.size * sigma**2
    by_gain = 1 - (runs.gain + 2 * runs.gain_standard_error) / runs.release_error
    by_error = (runs.error - 2 * runs.error_standard_error) / expected
    most = runs.rmse_reductions(expected, most=True)
    assert most == pytest.approx([1 - np.sqrt(max(pair)) for pair in zip(by_gain, by_error, strict=True)])
    assert (runs.rmse_reductions(expected) <= most + 1e-12).all()
    two = simulate_errors(np.random.default_rng(0), np.zeros(1), 1, 2, keys=["non_negative"])
    assert two.rmse_reductions(1.0, most=True) <= 1  # the mean less two standard errors is below 0, and no error is
