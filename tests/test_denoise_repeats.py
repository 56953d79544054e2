"""The coupled bootstrap's estimate of risk: against its definition, exact risks, and simulation where none is known."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from dpcore.denoise import (
    EXTRA_VARIANCE,
    Knowledge,
    best,
    coupled_risk,
    estimates,
    estimator_keys,
    james_stein_risk,
    posterior_mean_risk,
    simulate_errors,
    soft_threshold_risk,
    universal_threshold,
)
from dpcore.tables import czech_autoworkers

TRUTH = np.array([9.0, 0, 0, 4, 0, 0, 0, 0, 2, 0])
MORE = (1 + EXTRA_VARIANCE) ** 0.5


@pytest.mark.parametrize(("structure", "shape"), [(None, (5,)), ("series", (6,)), ("image", (4, 3))])
def test_it_is_the_error_of_what_one_part_says_about_the_other_less_its_known_share(structure, shape):
    noisy = 5 * np.random.default_rng(1).standard_normal(shape)
    basis = None if structure is None else "db4"
    knowledge = Knowledge(structure, prior_sd=3, total=20, basis=basis)
    risks = coupled_risk(np.random.default_rng(2), noisy, 2, knowledge, n_pairs=4)
    extra = 2 * np.random.default_rng(2).standard_normal((4, *shape))
    assert tuple(risks) == estimator_keys(shape, knowledge, repeatable=True)
    for key, risk in risks.items():
        rows = []
        for noise in (*extra, *-extra):
            plus, minus = noisy + EXTRA_VARIANCE**0.5 * noise, noisy - noise / EXTRA_VARIANCE**0.5
            value = estimates(plus, 2 * MORE, knowledge, list(risks))[key].value
            rows.append(np.sum((minus - value) ** 2) - np.sum(noise**2) / EXTRA_VARIANCE - 4 * noisy.size)
        assert risk == pytest.approx(np.mean(rows), abs=1e-9)


def test_it_is_unbiased_for_the_risk_at_the_larger_noise_even_where_sure_chose_the_tuning():
    sigma, size, rng = 1.5, float(np.linalg.norm(TRUTH)), np.random.default_rng(3)
    noisy = TRUTH + sigma * rng.standard_normal((20_000, 10))
    estimated_risks = coupled_risk(rng, noisy, sigma, Knowledge(prior_sd=2), n_pairs=1)
    wider = TRUTH + sigma * MORE * rng.standard_normal((20_000, 10))
    chosen = np.sum((estimates(wider, sigma * MORE, keys=["soft_sure"])["soft_sure"].value - TRUTH) ** 2, axis=1)
    threshold = universal_threshold(sigma * MORE, 10)
    risks = {
        "none": 10 * (sigma * MORE) ** 2,
        "posterior_mean": posterior_mean_risk(10, size, sigma * MORE, 2),
        "james_stein_plus": james_stein_risk(10, size, sigma * MORE),
        "soft_universal": np.sum(soft_threshold_risk(TRUTH, sigma * MORE, threshold)),
        "soft_sure": chosen.mean(),
    }
    for key, risk in risks.items():
        spread = estimated_risks[key].std(ddof=1) + (chosen.std(ddof=1) if key == "soft_sure" else 0)
        assert abs(estimated_risks[key].mean() - risk) < 4 * spread / 20_000**0.5


def test_releases_have_each_their_own_noise_and_prior():
    noisy = np.random.default_rng(4).standard_normal((2, 3, 8))
    sigma, knowledge = np.array([[1.0, 2, 3]]), Knowledge(prior_sd=np.array([[1.0], [5.0]]))
    risks = coupled_risk(np.random.default_rng(5), noisy, sigma, knowledge, ["posterior_mean"], n_pairs=2)
    extra = np.random.default_rng(5).standard_normal((2, 2, 3, 8))
    rows = []
    for noise in (*extra, *-extra):
        factor = 5.0**2 / (5.0**2 + 1.3 * 9)
        left = noisy[1, 2] - factor * (noisy[1, 2] + EXTRA_VARIANCE**0.5 * 3 * noise[1, 2])
        rows.append(np.sum(left**2) - 2 / EXTRA_VARIANCE**0.5 * np.sum(left * 3 * noise[1, 2]) - 8 * 9)
    assert risks["posterior_mean"][1, 2] == pytest.approx(np.mean(rows))


def test_a_long_release_is_drawn_pair_by_pair_to_the_same_effect():
    truth = np.zeros(100_000)
    risks = coupled_risk(np.random.default_rng(6), truth, 2, keys=["none"], n_pairs=2)
    extra = 2 * np.random.default_rng(6).standard_normal((2, 100_000))
    assert risks["none"] == pytest.approx((2 + EXTRA_VARIANCE) * np.mean(np.sum(extra**2, axis=1)) - 400_000)


def test_of_no_releases_there_are_no_risks():
    assert coupled_risk(np.random.default_rng(7), np.empty((0, 4)), 1)["none"].shape == (0,)


def test_the_best_has_the_least_risk_of_each_release():
    assert best({"a": np.array([3.0, -1.0]), "bb": np.array([2.0, -1.0])}).tolist() == ["bb", "a"]


def test_following_the_ranking_on_a_small_table_loses_less_than_following_sure():
    count = czech_autoworkers()["count"].to_numpy()
    simulation = simulate_errors(np.random.default_rng(8), count, 8.3, 200, n_pairs=10)
    assert simulation.by_coupled is not None
    assert simulation.by_coupled.error < simulation.by_sure.error < simulation.release_error
    assert simulation.by_coupled.right > simulation.by_sure.right + 0.2


def test_the_ranking_is_followed_as_by_hand():
    keys = ("none", "soft_sure", "non_negative")
    by_coupled = simulate_errors(np.random.default_rng(9), TRUTH, 1.5, 30, keys=keys, n_pairs=3).by_coupled
    rng = np.random.default_rng(9)
    noisy = TRUTH + 1.5 * rng.standard_normal((30, 10))
    risk, by_estimator = coupled_risk(rng, noisy, 1.5, keys=keys, n_pairs=3), estimates(noisy, 1.5, keys=keys)
    first = best(risk)
    error = [np.sum((by_estimator[key].value[row] - TRUTH) ** 2) for row, key in enumerate(first)]
    assert by_coupled is not None
    assert by_coupled.error == pytest.approx(np.mean(error))
    assert by_coupled.chosen.tolist() == pytest.approx([np.mean(first == key) for key in keys])
    assert by_coupled.estimated == pytest.approx(np.min(list(risk.values()), axis=0).mean())
    assert simulate_errors(rng, TRUTH, 1.5, 3, keys=keys).by_coupled is None


@pytest.mark.parametrize("sigma", [1e-50, 1e70])
@pytest.mark.parametrize("size", [0.0, 1e70])
def test_every_risk_is_finite_at_the_ends_of_the_ranges(sigma, size):
    risks = coupled_risk(np.random.default_rng(1), np.full(4, size), sigma, Knowledge("series", prior_sd=1e100))
    assert all(np.isfinite(risk) for risk in risks.values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"noisy": [1e71]}, "noisy must be in"),
        ({"noisy": 3.0}, "dimension must be in"),
        ({"sigma": 0}, r"sigma must be in \[1e-50, 1e70\], got 0"),
        ({"rng": 1}, "rng must be"),
        ({"keys": ["laplacian"]}, "keys must be in"),
        ({"n_pairs": 0}, r"n_pairs must be in \[1, 1000\], got 0"),
    ],
)
def test_bad_input_is_refused(arguments: dict[str, Any], message: str):
    call: Callable[..., object] = coupled_risk
    with pytest.raises(ValueError, match=message):
        call(**({"noisy": TRUTH, "sigma": 1, "rng": np.random.default_rng(1)} | arguments))


def test_the_draws_report_their_progress_too():
    shares: list[float] = []
    simulate_errors(np.random.default_rng(1), TRUTH, 1, 5, progress=shares.append, keys=["none"], n_pairs=2)
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize("call", [estimates, partial(coupled_risk, np.random.default_rng(1))])
@pytest.mark.parametrize(
    ("knowledge", "keys", "message"),
    [
        (Knowledge(prior_sd=2), ["none"], "prior_sd must be left out of estimators without posterior_mean, got 2"),
        (Knowledge(total=9), ["none"], "total must be left out of estimators without with_total, got 9"),
        (Knowledge(basis="haar"), None, "basis must be left out of estimators without wavelet_universal and wavelet_"),
    ],
)
def test_what_no_estimator_uses_is_refused(call: Callable[..., object], knowledge: Knowledge, keys: Any, message: str):
    with pytest.raises(ValueError, match=f"^{message}"):
        call([3.0, 1, 2], 1, knowledge, keys)


@pytest.mark.parametrize(
    "call",
    [
        partial(estimator_keys, 3),
        partial(estimates, [1.0, 2, 3], 1),
        partial(coupled_risk, np.random.default_rng(1), [1.0, 2, 3], 1),
        partial(simulate_errors, np.random.default_rng(1), [1.0, 2, 3], 1, 2),
    ],
)
def test_knowledge_is_its_record(call: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match=r"^knowledge must be a Knowledge, got 'series'$"):
        call("series")
