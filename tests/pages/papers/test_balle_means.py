"""The section on Experiment 5.2: which mechanism is nearest to the true mean, and what of the paper came out."""

from dataclasses import replace
from functools import lru_cache

import pytest

from dpcore import denoise
from pages.framework.export.exhibit import Exhibit
from pages.papers.balle_means import results, section
from pages.papers.balle_means.results import DataSets
from pages.papers.balle_means.section import explanation_text
from pages.papers.results import PapersResult
from pages.shared import looks
from tests.pages.conftest import LIGHT, expect_complete, figure_of, found_by, html_of


@lru_cache(32)
def means_result(**link: str) -> PapersResult:
    return found_by("papers", section="means", **link)


def present(exhibit: Exhibit | None) -> Exhibit:
    """Return an exhibit that is there."""
    assert exhibit is not None
    return exhibit


def quick_draws(key: results.DataSetKey) -> denoise.MeanDraws:
    """Data sets of one record in the place of many."""
    return replace(replace(key, n_records=1).draws(), n_records=key.n_records)


def test_the_answer_names_the_nearest_by_how_much_and_how_the_orders_came_out():
    result = means_result(epsilon="0.1")
    headline, meaning = section.answer_text(result)
    rows = result.mean_experiment.rows
    share = 1 - rows["james_stein"].error_mean / rows["analytic"].error_mean
    assert headline.startswith("At d = 500, ε = 0.1 James–Stein has the least mean error, about 16.")
    assert headline.endswith(f": {int(100 * share)} % below the analytic Gaussian’s.")
    assert "James–Stein is nearer than the analytic Gaussian in" in meaning
    assert "of 56 settings, and the soft threshold is farther in 3" in meaning
    experiment = result.mean_experiment
    assert "than the classical Gaussian in 5" in section.notes_text(experiment)
    assert section.run_text(experiment).startswith("Means of 15 of 100 data sets for each d.")


def test_a_sentence_says_where_the_noise_exceeds_the_mean():
    headline, meaning = section.answer_text(means_result(epsilon="0.01", mean_dimension="2000"))
    assert "the soft threshold has the least mean error" in headline
    assert meaning.startswith("The noise hides the mean: answering 0, without any data, has the mean error 44.")
    assert "hides" not in section.answer_text(means_result())[1]


def test_a_classical_noise_that_fails_is_never_called_the_nearest():
    result = means_result(epsilon="100", mean_dimension="2000")
    experiment = result.mean_experiment
    assert experiment.rows["classical"].error_mean < experiment.rows["analytic"].error_mean
    assert section.best_row(experiment).mechanism != "classical"
    assert "✗ At this ε the classical σ is too small for its guarantee" in section.notes_text(experiment)
    assert "✗ FAILS" in html_of(present(section.mechanisms(result, LIGHT)))


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"mean_dimension": "10"}, "and the analytic Gaussian are too close to call: errors about "),
        (
            {"mean_dimension": "200"},
            "has the least mean error, about 1.26: less than 1 % below the analytic Gaussian’s.",
        ),
        (
            {"mean_dimension": "2", "means_grid": "own", "delta": "0.3", "epsilon": "0.1"},
            "no mechanism has a smaller mean error than the analytic Gaussian, about ",
        ),
    ],
)
def test_an_estimator_that_is_hardly_nearer_is_not_called_the_nearest(link: dict[str, str], sentence: str):
    assert sentence in section.answer_text(means_result(**link))[0]


def test_another_mechanism_that_is_too_close_to_the_least_error_is_named():
    experiment = means_result(mean_dimension="100", epsilon="0.02").mean_experiment
    assert "At this setting the soft threshold is too close to the least error to call." in section.notes_text(
        experiment
    )
    assert "At this setting" not in section.notes_text(means_result(epsilon="0.1").mean_experiment)


@pytest.mark.parametrize("along", ["dimension", "epsilon"])
def test_pictures_and_table_have_words_and_numbers(along: str):
    result = means_result(means_against=along, pinned="epsilon=0.1&delta=1e-3")
    for exhibit in section.SECTION.exhibits:
        expect_complete(present(exhibit(result, looks.COLOURS["dark"])))
    assert section.answer_text(result)[2].startswith("Compared with the pin (ε = 0.1): error of the analytic Gaussian ")
    picture = figure_of(present(section.errors(result, looks.COLOURS["dark"])))
    handle = "mean_dimension" if along == "dimension" else "epsilon"
    assert [shape["name"] for shape in picture["layout"]["shapes"] if "name" in shape] == [handle]


def test_below_three_numbers_there_is_no_james_stein_and_above_the_sweep_any_d_works():
    assert "james_stein" not in means_result(mean_dimension="2").mean_experiment.rows
    assert 777 in means_result(mean_dimension="777").mean_experiment.along_dimension["dimension"].to_numpy()
    for dimension in ("2", "777"):
        assert section.errors(means_result(mean_dimension=dimension), LIGHT) is not None
        assert section.ratios(means_result(mean_dimension=dimension), LIGHT) is not None


def test_at_epsilon_0_one_sentence_stands_in_place_of_pictures():
    result = means_result(epsilon="0")
    assert section.answer_text(result) == section.NO_ANSWER
    assert [exhibit(result, LIGHT) for exhibit in section.SECTION.exhibits] == [None, None, None]
    assert section.answer_text(means_result(pinned="epsilon=0"))[2].endswith("ε 0 → 1; one of them has no answer.")


def test_means_that_take_long_are_computed_on_request_and_then_complete():
    link = {"means_grid": "own", "mean_records": "5000", "mean_repeats": "150"}
    result = means_result(**link)
    experiment = result.mean_experiment
    assert experiment.n_repeats == 0
    assert "Press “Run the experiment” below." in section.answer_text(result)[1]
    assert section.answer_text(means_result(**link, pinned="epsilon=0.1"))[0] == "This experiment has not been run yet."
    other = [replace(key, seed=2) for key in experiment.data_set_keys(150)]
    assert replace(result, data_sets=DataSets({key: quick_draws(key) for key in other})).mean_experiment.n_repeats == 0
    complete = replace(result, data_sets=DataSets({key: quick_draws(key) for key in experiment.data_set_keys(150)}))
    assert complete.mean_experiment.is_complete
    assert section.run_text(complete.mean_experiment) == "Means of 150 data sets for each d."


def test_the_csv_of_the_table_has_every_setting_once():
    numbers = present(section.mechanisms(means_result(epsilon="0.3", mean_dimension="20"), LIGHT)).numbers
    assert callable(numbers)
    frame = numbers()
    settings = frame[["dimension", "epsilon", "mechanism"]]
    assert not settings.duplicated().any()
    assert len(frame) == (8 * 7 + 8) * 6
    assert {"error_mean", "error_sd", "standard_error", "norm_mean"} <= set(frame.columns)


def test_orders_of_magnitude_are_put_down_to_noise_that_buries_the_mean_only_where_it_does():
    own = {"means_grid": "own", "mean_records": "1500", "delta": "0.1"}
    assert "This holds only where the noise hides the mean. At d = 2,000, ε = 0.01" in section.notes_text(
        means_result().mean_experiment
    )
    assert "hides the mean, which these settings do not have." in section.notes_text(
        means_result(**own).mean_experiment
    )


def test_a_sentence_names_the_source_of_numbers_that_the_paper_lost():
    sentence = explanation_text(means_result(mean_dimension="200", means_grid="own", mean_records="7"))
    assert "n = 500, δ = 1e-4 and 100 data sets for each point\nare the published paper’s" in sentence


def test_the_notes_say_what_the_box_reveals_and_that_the_threshold_is_no_nearer_than_0():
    sentence = section.notes_text(means_result(mean_dimension="200").mean_experiment)
    assert "√(d/(12n)) = 0.183 at d = 200" in sentence
    assert "Neighbours differ by one replaced record; n is public." in sentence
    assert "√(1 + 2 ln d) = 3.41 times" in sentence
    assert r"\Delta_2=\frac{\sqrt d}n=0.02829" in explanation_text(means_result(mean_dimension="200"))
