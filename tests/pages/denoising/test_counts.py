"""The section on the user's own counts: what is said and drawn of them, and which estimator it recommends."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from dpcore.denoise import ESTIMATORS, estimates
from pages.denoising.counts import section, text
from pages.denoising.counts.results import MOST_RANKED_COUNTS, CountsRelease
from pages.denoising.counts.section import explanation_text
from pages.denoising.page import PAGE
from pages.denoising.results import MOST_COUNTS, DenoisingResult, compute_result
from pages.framework import link
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import Row
from pages.framework.parameters.number_format import format_up
from pages.shared.counts.table import Counts, Upload
from tests.pages.conftest import (
    LIGHT,
    exhibits_by_name,
    expect_complete,
    figure_of,
    found_by,
    html_of,
    read_link,
)

MINE = {"table": "own", "own": "North=100;South=9;East=0;a<b=40"}


def counts_result(**link: str) -> DenoisingResult:
    return found_by("denoising", **({"section": "counts"} | link))


def release_of(**link: str) -> CountsRelease:
    release = counts_result(**link).release
    assert release is not None
    return release


def advice(result: DenoisingResult) -> str:
    parts = [*section.parts(result, LIGHT)]
    texts = [text_part for part in parts if isinstance(part, Row) for text_part in part.parts]
    return "\n".join(text_part for text_part in texts if isinstance(text_part, str))


def large_result(n_cells: int, **link: str) -> DenoisingResult:
    frame = pd.DataFrame({"cell": [f"c{place}" for place in range(n_cells)], "count": np.arange(n_cells) % 997.0})
    return replace(counts_result(**link), counts=Counts(frame, "Large (made)"))


def test_too_little_noise_for_suppressed_counts_is_warned_of_until_c_allows_them():
    for per_cell, trial, is_warned in (("1", "table", True), ("4", "table", False), ("1", "bumps", False)):
        result = counts_result(table="mildew", per_cell=per_cell, signal=trial)
        assert result.counts is not None
        sentences = text.answer_text(replace(result, counts=replace(result.counts, least_per_cell=4)))
        assert ("too little noise" in sentences[1] and "set c to 4" in sentences[1]) is is_warned


def test_the_answer_recommends_what_the_release_alone_ranks_first_and_the_rest_stands_below():
    result = counts_result(table="mildew")
    first, second = text.answer_text(result)
    release = result.release
    assert release is not None
    assert release.first_in_ranking == "soft_universal"
    assert release.recommended is not None
    least, denoised = np.sqrt(release.recommended.variance), release.mean_rmse("soft_universal")
    assert first == (
        f"Do not denoise these 64 counts: geometric noise (ε-DP) has RMSE {least:.3g}, denoised Gaussian "
        f"noise ((ε, δ)-DP) {denoised:.3g} ±{format_up(release.comparison.spread, 2)}."
    )
    assert second == (
        "The ranking uses the release alone (Gaussian noise, σ = 4.225), so it costs no privacy; RMSEs use the true "
        "counts, over 200 releases, ±2 standard errors."
    )
    below = advice(result)
    assert "clipping at 0 with preserved total reduces the error by about 48 % on average" in below
    assert "A choice by these true errors or by the bars, which show them, reveals data" in below


def test_the_recommendation_depends_on_the_release_alone_and_only_its_error_on_the_true_counts():
    release = release_of(table="mildew")
    other = replace(release, counts=Counts(release.counts.frame.assign(count=0.0), ""))
    other.__dict__["noisy_counts"] = release.noisy_counts
    assert release.first_in_ranking == other.first_in_ranking


@pytest.mark.parametrize(
    "link",
    [
        {"table": "mildew"},
        {"table": "mildew", "total": "public"},
        {"table": "mildew", "epsilon": "0.3"},
        {"signal": "blocks"},
        {"signal": "bumps", "epsilon": "0.1"},
        {"table": "own", "own": "One=7"},
        {"table": "own", "own": "none"},
        {"table": "own", "own": "a=5;b=3;c=900", "pinned": "epsilon=0.5"},
        {"epsilon": "0", "delta": "1e-300", "per_cell": "1e9", "per_person": "1e6"},
        {"section": "where"},
        {"section": "where", "norm": "30", "nonzero": "1"},
        {"section": "where", "dimension": "3", "norm": "0.3", "pinned": "norm=2"},
        {"section": "map"},
        {"section": "map", "trips": "50", "at_place": "7", "epsilon": "0.3"},
        {"section": "map", "places": "own"},
    ],
)
def test_an_answer_has_a_short_sentence_with_its_number_and_a_short_one_on_what_follows(link):
    first, second, *pin = PAGE.answer_text(counts_result(**link))
    first = first.partition(", if ")[0]
    words = [len(re.sub(r"\s*[=→]\s*|(?<=2) (?=ln)|(?<=ln) ", "=", sentence).split()) for sentence in (first, second)]
    assert words[0] <= 24, first
    assert words[1] <= 30, second
    assert all(sentence.startswith("Compared with the pin (") for sentence in pin)


def test_the_percentages_are_of_the_rmse_and_never_more_than_was_found():
    release = release_of(table="mildew")
    rng, error, own = np.random.default_rng((1, 2)), 0.0, 0.0
    for _ in range(release.n_repeats):
        noisy = release.count + release.sigma * rng.standard_normal(release.size)
        value = estimates(noisy, release.sigma, keys=["with_total"])["with_total"].value
        error, own = error + np.sum((value - release.count) ** 2), own + np.sum((noisy - release.count) ** 2)
    share = math.sqrt(error / own)
    assert release.rmse_shares["with_total"] == pytest.approx(share)
    assert release.rmse_cuts["with_total"] < 1 - share
    assert text.percent_cut(release, "with_total") <= 100 * (1 - share)
    assert release.mean_rmse("with_total") == pytest.approx(math.sqrt(error / release.n_repeats / 64))


def test_a_mean_over_releases_is_not_stated_for_single_releases():
    result = counts_result(table="mildew", pinned="epsilon=0.5&table=mildew")
    release = release_of(table="mildew")
    rng, fewer = np.random.default_rng((1, 2)), 0
    for _ in range(release.n_repeats):
        noisy = release.count + release.sigma * rng.standard_normal(release.size)
        value = estimates(noisy, release.sigma, keys=["with_total"])["with_total"].value
        share = math.sqrt(np.sum((value - release.count) ** 2) / np.sum((noisy - release.count) ** 2))
        fewer += 100 * (1 - share) < text.percent_cut(release, "with_total")
    assert fewer > 0.1 * release.n_repeats  # of many single releases less is taken off
    sentence = " ".join(
        (*text.answer_text(result), *text.verdict_texts(release).values(), text.true_best_text(release))
    )
    assert "≥" not in sentence
    assert "by at least" not in sentence


def test_the_answer_says_when_a_table_of_zeros_is_as_near():
    zeros = "hides the counts: a table of zeros has RMSE 2.861 ("
    assert zeros in text.answer_text(counts_result(table="mildew", epsilon="0.3"))[1]
    assert "zeros" not in text.answer_text(counts_result(table="mildew"))[1]
    assert "zeros" not in text.answer_text(counts_result(table="own", own="A=0"))[1]


def test_the_answer_and_the_advice_say_when_no_estimator_helps():
    result = counts_result(epsilon="100", table="own", own="North=100;South=90")
    assert "less error" not in text.answer_text(result)[0]
    assert "no estimator is certain to reduce the error by 1 % on average" in advice(result)


def test_an_estimator_that_hurts_is_marked_by_a_word():
    release = release_of(signal="blocks")
    sentence = text.verdict_texts(release)
    assert release.rmse_shares["soft_universal"] > 3
    assert sentence["soft_universal"].startswith("worse: 3.")
    assert sentence["wavelet_sure"] == "≈ 36 % less"
    assert sentence["james_stein_plus"] == "about the same"


def test_a_reduction_that_is_not_certain_is_not_called_small():
    n_verdicts = {"about the same": 0, "uncertain": 0}
    for seed in range(1, 8):
        release = release_of(table="own", own="A=9;B=40;C=6", seed=str(seed))
        for key, sentence in text.verdict_texts(release).items():
            if sentence in n_verdicts:
                n_verdicts[sentence] += 1
                assert (release.rmse_shares[key] > 0.99) == (sentence == "about the same")
    assert all(n_verdicts.values())


@pytest.mark.parametrize(
    "link",
    [
        {"table": "mildew", "order": "series", "estimator": "laplacian"},
        {"signal": "bumps", "estimator": "trend_filtering"},
        {"table": "own", "own": "One=7"},
        {"table": "own", "own": "One=7", "order": "series"},
        {"table": "own", "own": "One=0;Two=0;Three=0"},
        {"epsilon": "0", **MINE},
        {"epsilon": "1e6", **MINE},
        {"epsilon": "1e-12", "delta": "1e-300", "per_cell": "1e9", "per_person": "1e6", "prior_sd": "1e9", **MINE},
        {"pinned": "epsilon=0.5&table=mildew", **MINE},
    ],
)
def test_everything_is_drawn_with_words_and_numbers(link):
    exhibits = exhibits_by_name(counts_result(**link), "denoising", "dark")
    for name in ("errors", "denoised", "estimators"):
        expect_complete(exhibits[name])


def test_rows_stand_in_the_order_of_the_ranking_as_in_the_table_and_names_are_no_markup():
    exhibits = exhibits_by_name(counts_result(**MINE), "denoising")
    release = release_of(**MINE)
    names = figure_of(exhibits["errors"])["layout"]["yaxis"]["ticktext"]
    assert [name.startswith("<b>") for name in names] == [True] + [False] * (len(names) - 1)  # the recommended one
    assert [*release.rivals] == [key for key in release.ranking if key != "none"]
    assert len(names) == len(release.rivals)
    ranks = re.findall(r"</th><td>(.*?)</td>", html_of(exhibits["estimators"]))
    assert ranks == [*map(str, range(1, len(release.ranking) + 1)), "–"]
    assert [name for name in names if "SURE" in name] == ["soft, T by SURE"]
    assert "a&lt;b" in figure_of(exhibits["denoised"])["layout"]["xaxis"]["ticktext"]


def test_plain_james_stein_stands_in_the_table_only_and_without_a_rank():
    release = release_of(table="mildew")
    assert "james_stein" not in release.ranking
    rows = re.findall(
        r"<tr><th scope='row'>(.*?)</th><td>(.*?)</td>",
        html_of(exhibits_by_name(counts_result(), "denoising")["estimators"]),
    )
    ranks = dict(rows)
    assert ranks[ESTIMATORS["james_stein"].name] == "–"
    assert sorted(int(rank) for rank in ranks.values() if rank != "–") == list(range(1, len(release.ranked_keys) + 1))


def order_by_sure(release: CountsRelease) -> list[str]:
    return sorted(release.ranked_keys, key=lambda key: release.outcomes[key].sure)


def test_the_ranking_sees_the_release_alone():
    release = release_of(table="mildew")
    frame = release.counts.frame.assign(count=0.0)
    other = replace(release, counts=Counts(frame, ""))
    other.__dict__["noisy_counts"] = release.noisy_counts
    assert other.ranking == release.ranking
    assert order_by_sure(other) == order_by_sure(release)
    assert other.ranking_rmse == release.ranking_rmse


def test_the_ranking_draws_noise_of_its_own_and_not_that_of_the_release(monkeypatch):
    release, draws = release_of(table="mildew"), []

    def spy(rng, noisy, sigma, *_, keys=None, **__):
        draws.append(rng.standard_normal(noisy.size))
        return dict.fromkeys(release.ranked_keys, np.array(1.0))

    monkeypatch.setattr("dpcore.denoise.coupled_risk", spy)
    assert release.ranking_rmse
    assert (
        abs(np.corrcoef(draws[0], release.noisy_counts - release.count)[0, 1]) < 0.5
    )  # four standard errors of 64 counts


@pytest.mark.parametrize(
    ("link", "sensitivity"),
    [
        ({"per_person": "3"}, math.sqrt(3)),
        ({"per_person": "3", "per_cell": "2"}, 2 * math.sqrt(3)),
        ({"per_person": "3", "neighbours": "replace"}, math.sqrt(6)),
        ({"per_cell": "2.5", "neighbours": "replace"}, 2.5 * math.sqrt(2)),
        ({"per_person": "40", "neighbours": "replace"}, 8),  # all of the 64 cells, each by 1
        ({"signal": "blocks", "per_person": "1e6", "neighbours": "replace"}, 16),
    ],
)
def test_the_noise_covers_what_a_person_moves_in_all_cells_under_either_relation(link, sensitivity):
    def delta(sigma, epsilon=0.5):  # Balle & Wang 2018, Theorem 8
        shift, slope = sensitivity / (2 * sigma), epsilon * sigma / sensitivity
        far, near = -shift - slope, shift - slope
        return ndtr(near) - math.exp(epsilon) * ndtr(far)

    sigma = release_of(table="mildew", epsilon="0.5", delta="1e-5", **link).sigma
    assert delta(sigma) <= 1e-5 < delta(sigma * (1 - 1e-6))


def test_the_words_tell_how_good_the_ranking_was_and_that_sure_estimated_too_little():
    sentence = advice(counts_result(table="mildew"))
    assert "On 50 releases of these counts" in sentence
    numbers = re.search(r"RMSE of ([0-9.]+) % of the release’s where SURE expected ([0-9.]+) %", sentence)
    assert numbers is not None
    assert float(numbers[2]) < float(numbers[1]) < 100


def test_the_text_says_when_following_the_ranking_increases_the_error():
    release = release_of(table="own", own="a=5;b=3;c=900")
    assert release.ranking_repeats is not None
    assert release.ranking_repeats.by_coupled is not None
    assert release.ranking_repeats.by_coupled.error > release.ranking_repeats.release_error
    assert "So here the recommendation increases the error." in advice(counts_result(table="own", own="a=5;b=3;c=900"))


def test_the_draws_of_the_ranking_are_counted_once_and_its_splits_twice():
    result = counts_result(table="mildew")
    n_pairs = release_of(table="mildew").n_pairs
    assert n_pairs > 1
    assert f"over {n_pairs} draws of ω from the seed, each with its opposite" in explanation_text(result)
    assert f"coupled bootstrap, {2 * n_pairs} splits" in advice(result)


def test_a_release_of_the_counts_has_conditions_beyond_secret_noise():
    below = advice(counts_result(table="mildew"))
    _, _, condition = below.partition("In a release, draw the noise secretly")
    assert "Fix the cells and the limits on one person without looking at the data, and enforce the limits" in condition


def test_no_mark_of_the_errors_has_the_symbol_of_a_violated_guarantee():
    figure = figure_of(exhibits_by_name(counts_result(), "denoising")["errors"])
    assert [trace["marker"]["symbol"] for trace in figure["data"] if trace.get("mode") == "markers"] == ["diamond"]


def test_a_public_total_warns_unless_one_person_is_replaced():
    for neighbours, warned in (("add_remove", True), ("replace", False)):
        result = counts_result(table="mildew", total="public", neighbours=neighbours)
        assert ("The guarantee does not cover" in advice(result)) == warned
        assert ("⚠ The guarantee does not cover the public total; otherwise" in text.answer_text(result)[1]) == warned
    assert release_of(table="mildew", total="public").total == 70
    assert "treated as public" not in advice(counts_result())


def test_a_trial_series_has_its_own_number_of_cells_and_needs_no_table():
    release = release_of(signal="blocks", table="own", own="none", per_person="1000000")
    assert (release.size, release.count.min(), release.count.max(), release.is_series) == (256, 0, 100, True)
    assert release.sigma == pytest.approx(16 * release_of(signal="blocks").sigma)
    assert "256 counts of Blocks" in text.answer_text(counts_result(signal="blocks", table="own"))[0]


def test_a_sentence_with_advice_replaces_the_chart_without_a_table():
    result = counts_result(table="own", own="none")
    assert text.answer_text(result) == text.MISSING
    assert not {"errors", "denoised", "estimators"} & exhibits_by_name(result, "denoising").keys()
    assert explanation_text(result) == ""
    bad = replace(result, problem="x*y can’t be read: no.")
    assert text.answer_text(bad) == ("x\\*y can’t be read\\: no.", text.REMEDY)
    assert [*section.parts(result, LIGHT)] == []


def test_a_table_of_too_many_counts_is_refused_in_a_sentence():
    many = Counts(pd.DataFrame({"cell": "x", "count": np.ones(MOST_COUNTS + 1)}), "many.csv")
    values = link.values(read_link("denoising", section="counts", table="own")[0])
    first, second = text.answer_text(compute_result(values, Upload(many)))
    assert first == "The table has 500,001 cells, and this page denoises at most 500,000."
    assert second == text.REMEDY


def test_noise_that_no_number_holds_leaves_nothing_to_denoise():
    for delta in ("1e-300", "1e-290"):
        result = counts_result(epsilon="0", delta=delta, per_cell="1e9", per_person="1e6", pinned="epsilon=1")
        assert text.answer_text(result)[0].startswith("The noise hides every count")
        assert text.answer_text(result)[2].endswith("has nothing to denoise.")
        assert not [part for part in section.parts(result, LIGHT) if isinstance(part, Exhibit)]


def test_a_sentence_names_an_estimator_that_does_not_apply_and_the_first_is_drawn():
    result = counts_result(table="mildew", estimator="wavelet_sure")
    assert result.release is not None
    assert result.release.displayed_key == result.release.first_in_ranking
    assert text.values_subtitle(result, result.release).startswith(
        "Wavelets, chosen by SURE does not apply to these counts; shown is the estimator that ranks first."
    )
    trend = counts_result(table="mildew", estimator="trend_filtering")
    assert trend.release is not None
    assert "needs a series of at most 1,024 counts" in text.values_subtitle(trend, trend.release)


def test_a_sentence_states_the_change_since_the_pin():
    third = text.answer_text(counts_result(table="mildew", pinned="epsilon=0.5&table=mildew"))[2]
    assert third.startswith("Compared with the pin (ε = 0.5): σ 8.058 → 4.225; RMSE 2.")
    assert third.endswith("(soft thresholding at σ√(2 ln d)).")
    missing = text.answer_text(counts_result(pinned="table=own", **MINE))
    assert len(missing) == 3


def test_many_counts_are_released_fewer_times_and_the_words_say_so():
    result = large_result(MOST_RANKED_COUNTS + 1, order="series")
    assert result.release is not None
    assert (result.release.n_repeats, result.release.n_pairs, result.release.ranking_repeats) == (14, 3, None)
    assert text.answer_text(result)[1].endswith("over 14 releases, ±2 standard errors.")
    assert "For more than 20,000 counts the ranking is not tested on further releases here" in advice(result)
    assert (
        max(len(trace["x"]) for trace in figure_of(exhibits_by_name(result, "denoising")["denoised"])["data"]) == 4000
    )


def test_the_chart_of_a_large_table_has_its_largest_cells_and_says_so():
    result = large_result(1000)
    assert result.release is not None
    assert {len(trace["x"]) for trace in figure_of(exhibits_by_name(result, "denoising")["denoised"])["data"]} == {200}
    assert text.values_subtitle(result, result.release).endswith("The 200 largest of 1,000 cells.")


def test_the_explanation_has_the_users_noise_and_every_estimator_that_is_listed():
    sentence = explanation_text(counts_result(table="mildew", order="series", per_person="4"))
    assert "\\Delta_2=2" in sentence
    for key in release_of(table="mildew", order="series").rivals:
        assert f"*{ESTIMATORS[key].name}*" in sentence
