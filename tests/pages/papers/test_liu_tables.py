"""Liu's experiments: what is asked, what came out, and the words on it."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpcore import tables
from pages.framework import link as links
from pages.papers.liu_tables import figures, section, text
from pages.papers.liu_tables import results as paper
from pages.papers.liu_tables.results import Adult, ExperimentData
from pages.papers.results import compute_result
from tests.pages.conftest import LIGHT, exhibits_by_name, expect_complete, figure_of, html_of, read_link
from tests.pages.figure_checks import POSITIONS, Chart, Setting, Trace, from_0, linear
from tests.pages.trace_checks import check_exhibit

LINK = {"section": "tables", "table": "mildew"}
OWN = {"section": "tables", "table": "own", "own": "North=100;South=9;East=0", "grid": "own"}


def result_at(experiment_data: ExperimentData | None = None, /, **link: str) -> Any:
    return compute_result(links.values(read_link("papers", **(LINK | link))[0]), None, experiment_data)


def experiment(**link: str) -> Any:
    return result_at(**link).table_experiment


def adult(n: int = 60) -> Adult:
    """Records of whom those above 40 earn more, half of them in cells of their own."""
    ages = np.arange(n) % 40 + 21
    words = {name: ["x"] * n for name in ("workclass", "education", "marital_status", "occupation", "relationship")}
    words |= {name: ["y"] * n for name in ("race", "sex", "native_country")}
    numbers = {name: [1] * n for name in ("education_num", "capital_gain", "capital_loss", "hours_per_week")}
    records = pd.DataFrame({"age": ages} | numbers | words | {"income": np.where(ages > 40, ">50K", "<=50K")})
    return Adult(records, records, tables.adult_counts(records), 40.0)


def test_the_experiments_are_drawn_with_words_and_numbers():
    exhibits = exhibits_by_name(result_at(), "papers", "dark")
    for name in ("released", "distances", "experiment"):
        expect_complete(exhibits[name])
    assert len(figure_of(exhibits["released"])["data"]) == 5
    assert html_of(exhibits["experiment"]).count("<tr>") == 52


def test_reproducing_the_paper_takes_its_settings_whatever_else_the_link_says():
    link = {"paper_epsilons": "3", "paper_deltas": "0.3", "repeats": "7", "post": "none"}
    inputs, own = experiment(**link), experiment(grid="own", **link)
    published = tables.PAPER[0]
    assert (inputs.epsilons, inputs.deltas) == (published.epsilon, published.delta)
    assert (inputs.n_repeats, inputs.post) == (500, "paper")
    assert (own.epsilons, own.deltas, own.n_repeats, own.post) == ((3.0,), (0.3,), 7, "none")
    assert len({(paper_row.epsilon, paper_row.delta, paper_row.n_repeats) for paper_row in tables.PAPER}) == 1


def test_the_results_are_those_of_dpcore_with_the_seed_of_the_link():
    inputs = experiment(seed="5")
    counts = tables.mildew()["count"].to_numpy()
    settings = tables.experiment_settings([0.5, 1, 2], [0.01, 0.05, 0.1, 0.25])
    direct = tables.experiment(
        np.random.default_rng(5), counts, settings, 500, lambda noisy: tables.post_process(noisy, 70, 70)
    )
    pd.testing.assert_frame_equal(inputs.results, direct)
    other = experiment(seed="6").results
    assert (other["l1_mean"] != direct["l1_mean"]).all()


@pytest.mark.parametrize(
    ("post", "whole", "lowest"), [("paper", False, 0), ("rounded", True, 0), ("none", False, -1e9)]
)
def test_releases_are_processed_by_the_chosen_option(post, whole, lowest):
    exhibits = experiment(grid="own", post=post).releases
    every = np.stack(list(exhibits.values()))
    assert every.min() >= lowest
    assert (every.min() < 0) == (post == "none")
    assert (np.rint(every) == every).all() == whole
    if post == "paper":
        np.testing.assert_allclose(every.sum(axis=1), 70)


def test_the_picture_shows_counts_and_releases_in_the_order_of_the_table():
    result = result_at(**OWN)
    picture = figure_of(exhibits_by_name(result, "papers")["released"])
    (laplace, *_) = picture["data"]
    exhibits = result.table_experiment.releases
    assert laplace["text"] == ["East", "South", "North"]
    assert laplace["customdata"].tolist() == [0, 9, 100]
    np.testing.assert_allclose(laplace["y"], exhibits["laplace"][[2, 1, 0]], rtol=1e-6)
    identity = picture["layout"]["shapes"][0]
    assert (identity["x0"], identity["x1"]) == (identity["y0"], identity["y1"]) == (0, 100)


def test_the_chart_of_many_cells_draws_some_and_says_so():
    counts = np.arange(1000.0)
    inputs = paper.TableExperiment("T", (), counts, (1.0,), (0.1,), "none", 2, 1, 1.0, 0.1, "l1")
    assert inputs.plotted_cells.size == paper.MOST_POINTS
    assert {0, 999} <= set(inputs.plotted_cells.tolist())
    assert "400 of the cells are shown" in text.releases_subtitle(inputs)
    assert "shown" not in text.releases_subtitle(experiment())


def test_every_mean_and_deviation_stands_at_its_epsilon_and_delta():
    result = result_at(distance="kl_sanitised_original")
    results = result.table_experiment.results
    traces = {trace["name"]: trace for trace in figure_of(exhibits_by_name(result, "papers")["distances"])["data"]}
    pdp = results[results["mechanism"] == "pdp"]
    trace = traces["pDP Gaussian"]
    is_finite = np.isfinite(trace["y"])
    assert is_finite.tolist() == [True] * 4 + [False] + [True] * 4 + [False] + [True] * 4
    np.testing.assert_allclose(trace["y"][is_finite], pdp["kl_sanitised_original_mean"], rtol=1e-6)
    np.testing.assert_allclose(trace["error_y"]["array"][is_finite], pdp["kl_sanitised_original_sd"], rtol=1e-6)
    laplace = traces["Laplace"]["y"]
    assert len(set(laplace[:4].tolist())) == 1


def test_the_table_says_of_the_classical_gaussian_where_it_is_unproved_or_fails():
    html = html_of(
        exhibits_by_name(
            result_at(grid="own", paper_epsilons="0.5, 1, 20", paper_deltas="1e-5", repeats="2"), "papers"
        )["experiment"]
    )
    rows = re.findall(r"<th scope='row'>classical Gaussian</th><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>", html)
    assert rows == [
        ("(ε, δ)-DP", "0.5"),
        ("(ε, δ)-DP: ! sufficient at this ε, but unproved", "1"),
        ("(ε, δ)-DP: ✗ FAILS", "20"),
    ]


def test_the_answer_counts_what_came_out_and_names_what_the_paper_leaves_out():
    headline, meaning = text.answer_text(experiment(table="czech", seed="1"))
    assert re.fullmatch(r"Liu’s order of the mechanisms holds in (all 72|(\d+) of 72) comparisons.*\.", headline)
    assert meaning.endswith(" has a smaller ℓ₁ distance than both Gaussians in all 12 settings.")


def test_the_text_alternative_of_the_distances_has_one_full_stop_after_each_sentence():
    inputs = experiment(table="mildew", grid="own", repeats="2", paper_epsilons="1", paper_deltas="0.25", seed="3")
    sentences = text.distances_alternative_text(inputs)
    assert sentences.endswith(".")
    assert ".." not in sentences


def results_with(analytic: float) -> pd.DataFrame:
    settings = tables.experiment_settings(1, 0.1)
    mean = {"laplace": 10.0, "pdp": 20.0, "classical": 30.0, "generalized": 25.0, "analytic": analytic}
    return pd.DataFrame(settings).assign(l1_mean=[mean[setting.mechanism] for setting in settings])


def test_the_analytic_gaussian_is_called_nearer_only_where_it_is():
    sentences = text.analytic_text(results_with(15))
    assert "in the one setting (25 % below the pDP Gaussian’s), and below Laplace’s in no setting." in sentences
    assert "and below Laplace’s in the one setting." in text.analytic_text(results_with(9))
    assert "in no setting (5 % above the pDP Gaussian’s)" in text.analytic_text(results_with(21))
    rows = [results_with(mean).assign(delta=delta) for mean, delta in ((15, 0.1), (19, 0.2), (21, 0.3))]
    three = pd.concat(rows).assign(delta=lambda all_of: all_of["delta"].mask(all_of["mechanism"] == "laplace", 0))
    sentences = text.analytic_text(three)
    assert "in 2 of 3 settings (from 25 % below to 5 % above the pDP Gaussian’s)" in sentences
    assert "in both settings (5 % to 25 % below the pDP Gaussian’s)" in text.analytic_text(three.query("delta < 0.3"))
    without = three.assign(l1_mean=three["l1_mean"].where(three["delta"] < 0.3, 0))
    assert "below to 5 % below" not in text.analytic_text(without)
    assert "(5 % to 25 % below the pDP Gaussian’s where that is above 0)" in text.analytic_text(without)
    assert "not comparable with the pDP Gaussian’s, which is 0" in text.analytic_text(three.assign(l1_mean=0.0))


def test_the_generalized_gaussian_is_compared_with_the_pdp_gaussian():
    assert text.generalized_text(results_with(15)).endswith(
        "Here its mean ℓ₁ distance is 25 % above the pDP Gaussian’s."
    )
    rows = [results_with(15), results_with(15).assign(delta=0.2, l1_mean=[10.0, 20, 30, 18, 15])]
    assert "from 10 % below to 25 % above the pDP Gaussian’s" in text.generalized_text(pd.concat(rows))


def test_comparisons_that_did_not_come_out_are_named():
    inputs = experiment(table="mildew", grid="own", repeats="2", paper_epsilons="1", paper_deltas="0.25", seed="3")
    sentences = text.order_text(inputs)
    others = inputs.order[inputs.order["verdict"] != "as published"]
    assert len(others) > 0
    assert sentences.count("pDP Gaussian") == len(others)
    assert sentences.startswith("Too close to call: ")
    assert "as published" not in sentences


def test_comparisons_that_came_out_the_other_way_round_are_named_apart():
    inputs = experiment(table="czech", grid="own", paper_epsilons="20", paper_deltas="0.01")
    sentences = text.order_text(inputs)
    assert "Reversed: pDP Gaussian and classical Gaussian at ε = 20, δ = 0.01 in ℓ₁ distance" in sentences


@pytest.mark.parametrize(
    ("own", "why"),
    [("A=7", "It has one cell, so"), ("A=0;B=0", "All its counts are 0, so"), ("A=0", "It has one cell")],
)
@pytest.mark.parametrize("post", ["paper", "rounded"])
def test_a_table_that_scaling_always_gives_back_has_one_sentence_and_no_comparison(own, why, post):
    result = result_at(table="own", own=own, grid="own", post=post)
    headline, meaning = section.answer_text(result)
    assert headline == "Scaled to n, this table is always released exactly."
    assert meaning.startswith(why)
    exhibits = exhibits_by_name(result, "papers")
    assert "released" in exhibits
    assert not {"distances", "experiment"} & set(exhibits)
    assert not re.search("setting|Too close", "".join(texts(result)))


def test_noise_that_changes_no_count_gets_a_sentence_and_no_comparison():
    result = result_at(**OWN, post="rounded", paper_epsilons="1e6", repeats="5")
    assert section.answer_text(result)[0] == "Every release of the experiment is the table itself."
    assert "distances" not in exhibits_by_name(result, "papers")
    rounded_result = result_at(**OWN, post="rounded", paper_epsilons="1", repeats="5")
    assert section.answer_text(rounded_result)[0].startswith("Liu’s order of the mechanisms holds in ")


def test_distances_of_0_are_left_off_the_log_axis_and_a_sentence_says_so():
    result = result_at(**OWN, post="rounded", paper_epsilons="1, 1e6", repeats="20")
    exhibit = exhibits_by_name(result, "papers")["distances"]
    axis = figure_of(exhibit)["layout"]["yaxis"]
    assert axis["range"][0] > -2
    assert "a log axis cannot show a distance of 0" in text.distances_subtitle(result.table_experiment)
    assert "log axis" not in text.distances_subtitle(experiment())


def test_the_axis_is_linear_if_every_distance_is_0():
    link = {"table": "own", "own": "A=7", "grid": "own", "post": "none", "distance": "kl_original_sanitised"}
    axis = figure_of(exhibits_by_name(result_at(**link), "papers")["distances"])["layout"]["yaxis"]
    assert axis["range"] == [-0.05, 1]
    assert axis.get("type") != "log"


def texts(result: Any) -> list[str]:
    """Return the words between the exhibits of the section."""
    return [part for part in section.parts(result, dict.fromkeys(_COLOURS, "#000")) if isinstance(part, str)]


@pytest.mark.parametrize(
    ("post", "sentences"), [("paper", ", before scaling"), ("rounded", ", before scaling"), ("none", "")]
)
def test_the_guarantee_is_of_the_noise_where_scaling_voids_it(post, sentences):
    result = result_at(grid="own", post=post)
    html = html_of(exhibits_by_name(result, "papers")["experiment"])
    assert f">Guarantee{sentences}</th>" in html
    assert f"**The guarantees of the mechanisms differ{sentences}.**" in text.warnings_text(result.table_experiment)


def test_the_notes_say_that_the_classical_gaussian_fails_only_where_the_table_does():
    fails = "Where the table below says ✗, the classical σ violates it."
    assert fails in text.warnings_text(experiment(grid="own", paper_epsilons="20", paper_deltas="1e-5"))
    assert fails not in text.warnings_text(experiment())


def test_the_picture_of_one_release_says_that_it_is_at_the_page_s_own_setting():
    sentences = text.releases_subtitle(experiment())
    assert sentences.startswith("One release at ε = 1, δ = 1e-6 (not a setting of the paper); ")
    among = text.releases_subtitle(experiment(epsilon="2", delta="0.05"))
    assert among.startswith("One release at ε = 2, δ = 0.05; ")


@pytest.mark.parametrize(("counts", "aside"), [("A=16;B=16", 0.192), ("A=1000;B=16", 0.2)])
def test_a_sentence_states_the_horizontal_offset_of_points_of_equal_counts(counts, aside):
    picture = figure_of(exhibits_by_name(result_at(table="own", own=counts), "papers")["released"])
    assert picture["layout"]["xaxis"]["title"]["text"] == f"original count (points shifted by up to {aside})"
    off = max(abs(trace["x"] - trace["customdata"]).max() for trace in picture["data"])
    assert off == pytest.approx(aside, rel=1e-3)


def test_an_experiment_without_data_says_where_to_upload_them():
    assert section.answer_text(result_at(data="adult")) == text.NO_ADULT
    assert section.answer_text(result_at(table="own")) == text.NO_TABLE
    assert section.answer_text(result_at(table="own", pinned="epsilon=2")) == text.NO_TABLE


def test_scaling_to_the_true_total_is_warned_of_and_none_is_not():
    assert "the total alone distinguishes the two tables" in text.warnings_text(experiment())
    assert "total" not in text.warnings_text(experiment(grid="own", post="none"))
    assert "Empty cells" not in text.warnings_text(experiment())


def test_too_little_noise_for_suppressed_counts_is_warned_of():
    for least, is_warned in ((4, True), (1, False)):
        result = result_at()
        assert result.table is not None
        result = replace(result, table=replace(result.table, least_per_cell=least))
        texts = [part for part in section.parts(result, LIGHT) if isinstance(part, str)]
        assert any("one person can change a cell by 4" in part for part in texts) is is_warned


def test_the_answer_gives_advice_instead_of_an_experiment_without_counts():
    for link in ({"table": "own"}, {"data": "adult"}):
        result = result_at(**link)
        assert result.table_experiment is None
        exhibits = exhibits_by_name(result, "papers")
        assert not {"released", "distances", "experiment", "svm"} & set(exhibits)


def test_the_page_draws_all_but_the_release_at_an_epsilon_of_0():
    exhibits = exhibits_by_name(result_at(epsilon="0"), "papers")
    assert "released" not in exhibits
    assert "distances" in exhibits


def test_an_experiment_that_takes_long_waits_for_results_of_the_same_settings():
    experiment_data = ExperimentData(adult())
    link = {"data": "adult", "grid": "own", "repeats": "5000", "paper_epsilons": "0.1,0.2,0.5,1,2,4"}
    waiting = result_at(experiment_data, **link).table_experiment
    assert waiting is not None
    assert waiting.results is None
    assert waiting.order is None
    assert "Press “Run the experiment”" in text.answer_text(waiting)[1]
    shares = []
    data = ExperimentData(experiment_data.adult, waiting.inputs, waiting.inputs.results(shares.append))
    assert shares[-1] == 1
    assert result_at(data, **link).table_experiment.order is not None
    assert result_at(data, **link, seed="9").table_experiment.results is None


def test_a_table_of_too_many_cells_gets_a_sentence():
    inputs = paper.TableExperiment("T", (), np.ones(60_000), (1.0,), (0.1,), "none", 500, 1, 1.0, 0.1, "l1")
    assert text.pending_text(inputs) == "The table has 60,000 cells; the experiments take at most 50,000."


def test_adult_is_released_without_its_empty_cells_and_a_sentence_says_so():
    result = result_at(ExperimentData(adult()), data="adult")
    inputs = result.table_experiment
    assert inputs.counts.tolist() == [2] * 20 + [1] * 20
    assert "Adult (40 cells that occur in 60 records; split by seed 1)" in text.releases_subtitle(inputs)
    assert "Of about 40 combinations" in text.warnings_text(inputs)
    expect_complete(exhibits_by_name(result, "papers")["released"])


def test_adult_is_read_and_split_from_its_file():
    line = "39, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K"
    lines = [line.replace("39", str(age)) for age in range(30, 60)]
    read = paper.read_adult("\n".join(lines).encode())
    assert (len(read.train), len(read.test), read.counts.size, read.n_possible_cells) == (20, 10, 20, 30)
    with pytest.raises(ValueError, match=r"^1 records have every attribute, and an experiment needs 3$"):
        paper.read_adult(line.encode())


def test_the_scores_of_machines_are_drawn_beside_the_original_s():
    records = adult(200)
    settings = tables.experiment_settings(5, 0.1, ["laplace", "analytic"])
    scores = tuple(tables.svm_accuracy(np.random.default_rng(1), records.train, records.test, settings))
    result = result_at(ExperimentData(records, scores=scores), data="adult")
    exhibit = exhibits_by_name(result, "papers")["svm"]
    expect_complete(exhibit)
    points = Trace(
        lambda _, place: [scores[int(position)].accuracy for position in place],
        "accuracy",
        value="x",
        by_place=True,
        positions=from_0,
        error=lambda _, place: [scores[int(column)].standard_error for column in place],
        error_column="standard_error",
    )
    chart = Chart(linear("share of correct predictions"), POSITIONS, {"unnamed": points})
    check_exhibit(exhibit, chart, Setting())
    picture = figure_of(exhibit)
    assert picture["layout"]["yaxis"]["ticktext"] == ["original counts", "Laplace", "analytic Gaussian"]
    assert "ε = 5, δ = 0.1" in picture["layout"]["title"]["subtitle"]["text"]
    assert "percentage points" in exhibit.alternative
    first = ExperimentData(records, scores=scores[:1])
    assert "percentage points" not in exhibits_by_name(result_at(first, data="adult"), "papers")["svm"].alternative


def test_the_axis_of_distances_holds_every_mean_and_most_of_its_deviation():
    results = experiment().results
    for measure in tables.MEASURES:
        axis = figures.distances_figure(results, measure, "", dict.fromkeys(_COLOURS, "#000"))["layout"]["yaxis"]
        low, high = axis["range"]
        assert 10**low < results[f"{measure}_mean"].min()
        assert (results[f"{measure}_mean"] + results[f"{measure}_sd"]).max() < 10**high


_COLOURS = ("laplace", "pdp", "classical", "purple", "analytic", "text", "quiet", "paper")
