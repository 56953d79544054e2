import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from mpmath import erfinv, log, mp, mpf
from scipy.stats import entropy

from dpcore import gaussian, generalized_gaussian, tables
from dpcore.tables import experiments

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CZECH = tables.czech_autoworkers()["count"].to_numpy()
PUBLISHED_PROCESSING = partial(tables.post_process, clip=CZECH.sum(), total=CZECH.sum())


def rng(seed: int = 2019) -> np.random.Generator:
    return np.random.default_rng(seed)


def scale(mechanism: str, epsilon: float, delta: float) -> float:
    (setting,) = tables.experiment_settings(epsilon, delta, [mechanism])
    return setting.scale


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 0.01), (1, 0.1), (2, 0.25)])
def test_the_scales_are_those_of_the_published_equations(epsilon, delta):
    with mp.workdps(30):
        q = mp.sqrt(2) * erfinv(1 - mpf(delta))  # −Φ⁻¹(δ/2)
        equation_17 = (mp.sqrt(q**2 + 2 * mpf(epsilon)) + q) / (2 * mpf(epsilon))
        equation_18 = mp.sqrt(2 * log(mpf("1.25") / mpf(delta))) / mpf(epsilon)
    assert scale("laplace", epsilon, delta) == pytest.approx(1 / epsilon, rel=1e-14)
    assert scale("pdp", epsilon, delta) == pytest.approx(float(mp.sqrt(2) * equation_17), rel=1e-14)
    assert scale("classical", epsilon, delta) == pytest.approx(float(mp.sqrt(2) * equation_18), rel=1e-14)
    least = scale("analytic", epsilon, delta) / 2**0.5
    assert float(gaussian.delta_from_sigma(epsilon, least)) == pytest.approx(delta, rel=1e-12)
    b = scale("generalized", epsilon, delta)  # Corollary 9: Pr(3e² + 3|e| + 1 > b³ε) = δ
    edge = (-3 + np.sqrt(9 - 12 * (1 - b**3 * epsilon))) / 6
    assert float(generalized_gaussian.tail(edge, b, 3)) == pytest.approx(delta, rel=1e-10)


def test_a_grid_has_each_mechanism_at_each_epsilon_and_delta_and_laplace_once_for_each_epsilon():
    settings = tables.experiment_settings([0.5, 1, 2], [0.01, 0.05, 0.1, 0.25])
    assert len(settings) == 3 + 4 * 12
    assert len({(setting.mechanism, setting.epsilon, setting.delta) for setting in settings}) == 51
    assert {other.delta for other in settings if other.mechanism == "laplace"} == {0}
    assert tables.experiment_settings([1, 0.5, 1], [0.1], ["pdp"]) == tables.experiment_settings([0.5, 1], 0.1, ["pdp"])
    assert {
        experiment_setting.p for experiment_setting in tables.experiment_settings(1, 0.1, ["generalized"], p=4)
    } == {4}


@pytest.mark.parametrize("smoothing", [0.5, 1e-6, 3])
def test_the_distances_are_their_definitions(smoothing):
    counts, release = np.array([3.0, 0, 12, 5]), np.array([0.0, 2.5, -4, 30])
    p, q = counts + smoothing, np.maximum(release, 0) + smoothing
    settings = tables.experiment_settings(1, 0.1, ["laplace"])
    experiment = tables.experiment(rng(), counts, settings, 3, lambda noisy: 0 * noisy + release, smoothing)
    (row,) = experiment.to_dict("records")
    assert row["l1_mean"] == pytest.approx(3 + 2.5 + 16 + 25)
    assert row["kl_original_sanitised_mean"] == pytest.approx(entropy(p, q), rel=1e-12)
    assert row["kl_sanitised_original_mean"] == pytest.approx(entropy(q, p), rel=1e-12)
    assert row["l1_sd"] == row["kl_original_sanitised_sd"] == row["kl_sanitised_original_sd"] == 0
    assert row["n_repeats"] == 3


def test_the_standard_deviation_is_that_of_a_sample():
    settings = tables.experiment_settings(1, 0.1, ["laplace"])
    experiment = tables.experiment(
        rng(), [5, 5], settings, 3, lambda noisy: np.array([[5, 5], [5, 6], [7, 7]]) + 0 * noisy
    )
    assert experiment["l1_mean"].tolist() == [pytest.approx(5 / 3)]
    assert experiment["l1_sd"].tolist() == [pytest.approx(np.std([0, 1, 4], ddof=1))]


def test_a_release_of_the_counts_themselves_is_at_no_distance():
    settings = tables.experiment_settings(1, 0.1)
    experiment = tables.experiment(rng(), CZECH, settings, 2, lambda noisy: 0 * noisy + CZECH)
    means = experiment[[f"{measure}_mean" for measure in tables.MEASURES]].to_numpy()
    assert means.min() >= 0
    assert means.max() < 1e-14


def test_without_processing_the_mean_distance_is_the_mean_absolute_error_of_every_cell():
    settings = tables.experiment_settings([0.5, 2], 0.05)
    experiment = tables.experiment(rng(), CZECH, settings, 2000)
    p, b = experiment["p"].to_numpy(), experiment["scale"].to_numpy()
    mean = generalized_gaussian.mean_absolute_error(b, p)
    deviation = np.sqrt(64 * (generalized_gaussian.variance(b, p) - mean**2))
    np.testing.assert_allclose(experiment["l1_mean"] / (64 * mean), 1, atol=0.012)
    np.testing.assert_allclose(experiment["l1_sd"] / deviation, 1, atol=0.1)


def test_settings_of_one_shape_share_their_standard_draws_and_other_settings_change_nothing():
    together = tables.experiment(rng(), CZECH, tables.experiment_settings([0.5, 1], 0.1))
    ratio = (together["l1_mean"] / together["scale"]).to_numpy()[together["p"] == 2]
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-12)
    alone = tables.experiment(rng(), CZECH, tables.experiment_settings([1], 0.1, ["generalized"]))
    same = together[(together["mechanism"] == "generalized") & (together["epsilon"] == 1)]
    np.testing.assert_allclose(alone["l1_mean"], same["l1_mean"], rtol=1e-14)


def test_one_release_by_each_setting_has_noise_of_its_scale():
    settings = tables.experiment_settings([0.5, 2], 0.1)
    counts = np.full(20_000, 50.0)
    released = tables.sanitised(rng(), counts, settings)
    errors = [generalized_gaussian.mean_absolute_error(setting.scale, setting.p) for setting in settings]
    np.testing.assert_allclose(abs(released - counts).mean(axis=1) / errors, 1, atol=0.03)
    whole = tables.sanitised(rng(), counts, settings, partial(tables.post_process, rounded=True))
    np.testing.assert_array_equal(whole, np.rint(released))


def test_an_experiment_in_many_chunks_tells_its_progress_and_ends_where_progress_raises(monkeypatch):
    settings, shares = tables.experiment_settings(1, 0.1, ["laplace", "pdp"]), []
    at_once = tables.experiment(rng(), CZECH, settings, 10)
    monkeypatch.setattr(experiments, "_CHUNK", 200)
    in_pieces = tables.experiment(rng(), CZECH, settings, 10, progress=shares.append)
    np.testing.assert_allclose(in_pieces["l1_sd"], at_once["l1_sd"], rtol=1e-12)
    np.testing.assert_allclose(shares, [0.3, 0.6, 0.9, 1])

    def stop(share):
        raise InterruptedError(share)

    with pytest.raises(InterruptedError, match=r"^0.3$"):
        tables.experiment(rng(), CZECH, settings, 10, progress=stop)


def test_on_the_czech_table_the_published_order_holds_and_the_analytic_gaussian_is_nearest():
    published = tables.PAPER[1]
    settings = tables.experiment_settings(published.epsilon, published.delta)
    experiment = tables.experiment(rng(), CZECH, settings, published.n_repeats, PUBLISHED_PROCESSING)
    order = tables.paper_ordering(experiment)
    assert len(order) == 12 * 2 * 3
    assert set(order.loc[order["measure"] == "l1", "verdict"]) == {"as published"}
    by_mechanism = experiment.set_index(["epsilon", "delta"])
    analytic, pdp, classical = (
        by_mechanism.loc[by_mechanism["mechanism"] == name, "l1_mean"] for name in ("analytic", "pdp", "classical")
    )
    assert (analytic < pdp).all()
    assert (pdp < classical).all()


def test_on_the_mildew_table_the_published_order_of_distances_holds_but_for_one_close_pair():
    published = tables.PAPER[0]
    settings = tables.experiment_settings(published.epsilon, published.delta)
    counts = tables.mildew()["count"].to_numpy()
    order = tables.paper_ordering(tables.experiment(rng(), counts, settings, published.n_repeats, PUBLISHED_PROCESSING))
    verdicts = order.loc[order["measure"] == "l1", "verdict"]
    assert "reversed" not in set(verdicts)
    assert (verdicts == "as published").sum() >= 23


def results(l1: dict[str, float], sd: float) -> pd.DataFrame:
    """Results at (1, 0.1) whose measures all have these means, and one standard deviation."""
    settings = tables.experiment_settings(1, 0.1, list(l1))
    columns = {f"{measure}_mean": [l1[setting.mechanism] for setting in settings] for measure in tables.MEASURES}
    columns |= {f"{measure}_sd": [sd] * len(settings) for measure in tables.MEASURES}
    return pd.DataFrame(settings).assign(n_repeats=200, **columns)


def test_an_order_is_as_published_reversed_or_too_close_by_two_standard_errors():
    ordering = tables.paper_ordering(results({"laplace": 10.0, "pdp": 9.0, "classical": 9.3}, sd=2.0))
    np.testing.assert_allclose(ordering["standard_error"], 0.2)
    np.testing.assert_allclose(ordering["difference"], [-1, 0.3] * 3)
    assert ordering["verdict"].tolist() == ["reversed", "too close"] * 3
    assert ordering[["nearer", "farther"]].drop_duplicates().to_numpy().tolist() == [
        ["laplace", "pdp"],
        ["pdp", "classical"],
    ]
    ordering = tables.paper_ordering(results({"laplace": 8.5, "pdp": 9.0, "classical": 9.5}, sd=2.0))
    assert set(ordering["verdict"]) == {"as published"}


def test_an_order_needs_all_three_mechanisms():
    sentence = "results must have laplace, pdp and classical at every setting, got none of ('classical', 1.0, 0.1)"
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        tables.paper_ordering(results({"laplace": 1.0, "pdp": 2.0}, sd=1.0))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"counts": [-1]}, "counts must be in [0, 1e15], got -1"),
        ({"settings": []}, "number of settings must be in [1, 10000], got 0"),
        ({"rng": 1}, "rng must be a numpy.random.Generator, got 1"),
        ({"n_repeats": 1}, "n_repeats must be in [2, 100000], got 1"),
        ({"smoothing": 0}, "smoothing must be in [1e-6, 1e6], got 0"),
    ],
)
def test_an_experiment_that_cannot_be_run_is_refused(arguments, sentence):
    usable = {"counts": [1, 2], "settings": tables.experiment_settings(1, 0.1), "rng": rng()}
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        tables.experiment(**usable | arguments)


def test_an_unknown_mechanism_is_refused():
    sentence = "mechanism must be in laplace, pdp, classical, generalized, analytic, got 'staircase'"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        tables.experiment_settings(1, 0.1, ["staircase"])


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data sets are not beside this clone")
@pytest.mark.parametrize("published", tables.PAPER[:2], ids=lambda published: published.data)
def test_the_published_sizes_are_those_of_the_data_sets(published):
    counts = pd.read_csv(DATA / f"{published.data}.csv")["count"]
    assert (len(counts), sum(counts)) == (published.n_cells, published.n_records)


def test_settings_refuse_a_delta_and_a_shape_that_no_mechanism_of_them_takes():
    with pytest.raises(ValueError, match=r"delta must be in \[1e-300, 1\), got 5"):
        tables.experiment_settings(1, 5, ["laplace"])
    with pytest.raises(ValueError, match=r"p must be in \[1, 100\], got nan"):
        tables.experiment_settings(1, 0.1, ["generalized"], p=float("nan"))
    with pytest.raises(ValueError, match="number of values of epsilon must be in"):
        tables.experiment_settings([], 0.1)
