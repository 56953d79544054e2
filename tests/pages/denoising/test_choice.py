"""Whether to denoise at all: compared with the best noise as it is, and for the user's own counts never by these."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpcore.denoise import EXTRA_VARIANCE, Knowledge, estimates
from pages.denoising.comparison import Comparison, recommendation_text, refusal_text
from pages.denoising.counts import section, text
from pages.shared.counts.table import Counts
from tests.pages.conftest import LIGHT, figure_of, topic_named
from tests.pages.denoising.test_counts import counts_result, release_of


def test_denoising_is_recommended_only_where_it_beats_the_best_noise_as_it_is():
    cases = [
        {"table": table, "epsilon": epsilon, "per_person": k}
        for table in ("mildew", "czech")
        for epsilon, k in (("0.1", "1"), ("1", "1"), ("1", "8"), ("10", "1"))
    ]
    verdicts = set[str]()
    for case in cases:
        release = release_of(**case, contribution="limited")
        assert release.recommended is not None
        place = release.repeats.keys.index(release.first_in_ranking)
        errors, spread = release.repeats.error[place], release.repeats.error_standard_error[place]
        sentence = text.release_answer_text(release)[0]
        own = release.size * release.recommended.variance
        verdicts.add(sentence.partition(" ")[0])
        if sentence.startswith("With (ε, δ)-DP, use"):
            assert errors < own, case
            ((percent, most),) = re.findall(r": (\d+)–(\d+) % less RMSE", sentence)
            assert 1 - int(percent) / 100 >= np.sqrt((errors + 2 * spread) / own) - 1e-9, case
            assert 1 - int(most) / 100 <= np.sqrt(max(errors - 2 * spread, 0) / own) + 1e-9, case
        elif release.recommended.family != "gaussian":
            assert errors + 2 * spread > 0.98 * own, case
    assert verdicts == {"With", "Do"}


def test_own_counts_are_asked_for_their_conditions_and_never_chosen_by():
    asking = topic_named("denoising").answer_text(counts_result(table="own", own="a=5;b=3;c=900"))
    assert asking[0] == "Two questions before the answer."
    result = counts_result(table="own", own="a=5;b=3;c=900", contribution="limited", per_cell="4", fixed="yes")
    assert result.release is not None
    assert result.release.sigma == pytest.approx(4 * counts_result(table="mildew").sigma, rel=1e-9)
    assert "choose by an older or public table" in topic_named("denoising").answer_text(result)[1]


def test_the_noise_as_it_is_is_the_better_of_both_guarantees_and_may_have_no_error_at_all():
    release = release_of(table="czech", per_person="6", contribution="limited")
    assert release.recommended is not None
    assert release.recommended.family == "geometric"
    assert text.release_answer_text(release)[0].startswith("Do not denoise")
    assert text.release_answer_text(release_of(table="mildew", epsilon="1e6"))[0].startswith("Do not denoise")


@pytest.mark.parametrize(
    "link", [{"signal": "blocks"}, {"table": "mildew", "per_person": "64", "contribution": "limited"}]
)
def test_the_gain_has_the_spread_of_the_same_releases(link):
    release = release_of(**link)
    comparison, key = release.comparison, release.first_in_ranking
    rng, own, errors = np.random.default_rng((release.seed, 2)), [], []
    for _ in range(release.n_repeats):
        noisy = release.count + release.sigma * rng.standard_normal(release.size)
        value = estimates(noisy, release.sigma, Knowledge(release.structure), [key])[key].value
        own.append(np.mean((noisy - release.count) ** 2))
        errors.append(np.mean((value - release.count) ** 2))
    mean, error = np.mean(errors), 2 * np.std(errors, ddof=1) / math.sqrt(release.n_repeats)
    assert comparison.rmse == pytest.approx(math.sqrt(mean))
    assert comparison.rmse + comparison.spread == pytest.approx(math.sqrt(mean + error))
    if comparison.other is not None:
        assert comparison.gain[0] == pytest.approx(1 - math.sqrt((mean + error) / comparison.other.variance))
        return
    gains = np.subtract(own, errors)
    paired = 2 * np.std(gains, ddof=1) / math.sqrt(release.n_repeats)
    by_gain = [1 - (np.mean(gains) - side * paired) / np.mean(own) for side in (1, -1)]
    by_error = [(mean + side * error) / release.sigma**2 for side in (1, -1)]
    ratios = min(by_gain[0], by_error[0]), max(by_gain[1], by_error[1])
    assert comparison.gain == pytest.approx([1 - math.sqrt(ratio) for ratio in ratios])


def test_an_estimator_that_is_not_certainly_better_is_not_recommended():
    link = {"table": "own", "own": "a=40;b=52;c=47;d=900;e=61", "contribution": "limited", "per_person": "5"}
    release = release_of(epsilon="1", delta="0.01", **link)
    gaussian = replace(release, recommended=None)
    for compared in (release, gaussian):
        low, high = compared.comparison.gain
        assert low <= high
        assert compared.comparison.pays == (low >= 0.01 and compared.first_in_ranking != "none")
        sentence = text.release_answer_text(compared)[0]
        assert sentence.startswith(
            "With (ε, δ)-DP, use" if compared.comparison.pays else "Do not denoise your 5 counts"
        )


def test_the_words_of_a_comparison_are_those_of_its_numbers():
    noise = release_of(table="mildew").recommended
    assert noise is not None
    close = Comparison("soft_sure", 1.3, 0.1, noise, 1.357, (-0.03, 0.12))
    far = Comparison("soft_sure", 2.0, 0.1, noise, 1.357, (-0.55, -0.4))
    same = Comparison("soft_sure", 0.99, 0.02, None, 1.0, (-0.012, 0.028))
    raw = Comparison("none", 4.2, 0.1, noise, 1.357, (-2.2, -2.0))
    assert [comparison.pays for comparison in (close, far, same, raw)] == [False] * 4
    assert refusal_text(close) == (
        "Do not denoise: denoised Gaussian noise ((ε, δ)-DP) has RMSE 1.3 ±0.1, not certainly below 1.36 of geometric "
        "noise (ε-DP)."
    )
    assert refusal_text(far, " these 4 counts") == (
        "Do not denoise these 4 counts: geometric noise (ε-DP) has RMSE 1.36, denoised Gaussian noise "
        "((ε, δ)-DP) 2 ±0.1."
    )
    assert refusal_text(same) == (
        "Do not denoise: soft thresholding by SURE changes the RMSE by −3 to +2 %, with (ε, δ)-DP."
    )
    assert "RMSE 1.36, Gaussian noise ((ε, δ)-DP) 4.2 ±0.1." in refusal_text(raw)
    unchanged = replace(raw, other=None, gain=(0.0, 0.0))
    assert refusal_text(unchanged).endswith("no estimator reduces its error, with (ε, δ)-DP.")
    assert recommendation_text(replace(same, gain=(0.25, 0.31)), "") == (
        "With (ε, δ)-DP, use soft thresholding by SURE: 25–31 % less RMSE."
    )
    assert "25 % less RMSE than geometric noise (ε-DP) here." in recommendation_text(
        replace(close, gain=(0.25, 0.25)), " here"
    )


@pytest.mark.parametrize("link", [{}, {"total": "public"}, {"epsilon": "0.05"}, {"epsilon": "0.05", "total": "public"}])
def test_a_choice_by_the_errors_of_own_counts_is_never_said_to_cost_no_privacy(link):
    own = {"table": "own", "own": "a=5;b=3;c=9", "contribution": "once", "fixed": "yes"}
    second = text.release_answer_text(release_of(**own, **link))[1]
    assert "choose by an older or public table" in second
    assert "no privacy" not in second
    words = len(re.sub(r"\s*=\s*", "=", second).split())
    assert words <= 30, second


def test_a_choice_by_the_verdict_is_possible_for_many_cells():
    release = release_of(table="mildew")
    frame = pd.DataFrame({"cell": [f"c{place}" for place in range(2000)], "count": np.arange(2000) % 7.0})
    large = replace(release, counts=Counts(frame, "Large (made)"))
    assert large.comparison.gain[1] - large.comparison.gain[0] < 0.1
    assert text.release_answer_text(large)[0].startswith("Do not denoise these 2,000 counts: ")


def test_the_numbers_beside_the_rows_are_of_the_ranking_and_a_better_noise_is_named():
    result = counts_result(table="mildew")
    release, exhibit = result.denoisable_release, section.errors(result, LIGHT)
    assert release is not None
    assert exhibit is not None
    figure = figure_of(exhibit)
    notes = [note["text"] for note in figure["layout"]["annotations"] if note.get("xref") == "paper"]
    wider = release.sigma * math.sqrt(1 + EXTRA_VARIANCE)
    ranked = [f"{100 * release.ranking_rmse[key] / wider:.0f} %" for key in release.rivals]
    assert notes == ["by the release", *ranked]
    assert ranked == sorted(ranked, key=lambda words: int(words[:-2]))
    assert release.comparison.rmse > release.comparison.undenoised_rmse
    assert "over 200, geometric noise has less error" in figure["layout"]["title"]["subtitle"]["text"]
    assert "has less error" not in text.ranking_text(release_of(epsilon="0.1", table="mildew"))
