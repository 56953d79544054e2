"""The other direction, an ± that is accepted, and a ± for all numbers at once; of a series and of ranges."""

import re

import numpy as np
import pytest

from dpcore import gaussian, linear_queries
from dpcore.accuracy import each_significance
from pages.framework.parameters.number_format import format_up
from pages.series.methods import errors_of
from pages.series.over_time import figures, section, text
from pages.series.page import PAGE
from pages.shared.statements import public_size
from tests.pages.conftest import LIGHT, found_by
from tests.pages.series.test_over_time import NUMBER, key_of, number_of, sentences


@pytest.mark.parametrize("section_key", ["time", "ranges"])
@pytest.mark.parametrize(
    "link", [{}, {"in_periods": "20", "accuracy": "35.5"}, {"neighbours": "replace", "delta": "1e-9"}]
)
def test_an_accepted_error_is_kept_with_the_least_epsilon(section_key, link):
    """To four digits; everything else is that of a link with this ε."""
    link = {"section": section_key, **link}
    result = found_by("series", known="accuracy", **link)
    epsilon, wanted = result.setting.epsilon, float(link.get("accuracy", "20"))
    size, smaller = (largest_of(found_by("series", epsilon=f"{one!r}", **link)) for one in (epsilon, epsilon * 0.998))
    assert size <= wanted < smaller
    words, second = PAGE.answer_text(result)[:2] if section_key == "time" else (PAGE.answer_text(result)[0], "")
    start = f"is within ±{link.get('accuracy', '20')} in 95 % of releases "
    assert f"{start}{'(' if section_key == 'time' else 'with '}**ε = {epsilon:g}**" in words
    if second:
        rival = number_of(re.findall(r"The wanted ± takes ε = ([\d.,]+) by noisy months\.|$", second)[0] or "0")
        other = found_by("series", epsilon=f"{rival!r}", **link).over_time if rival else None
        assert other is None or wanted * 0.998 < other.half_widths(errors_of(other.series, other.rival)).max() <= wanted
    same = found_by("series", epsilon=f"{epsilon!r}", **link)
    assert PAGE.claims_of(result) == PAGE.claims_of(same)
    assert PAGE.statements_of(result) == PAGE.statements_of(same)


def largest_of(result) -> float:
    """Return the largest ± of the open section."""
    return result.shown.half_width


def test_an_accepted_error_out_of_reach_is_said():
    words = sentences(known="accuracy", accuracy="1e-9")[0]
    assert words.startswith("No ε up to 1e6 has ±1e-9: each running total is within **±0.002828**")
    assert "(**ε = 1e-6**, δ = 1e-6, " in sentences(known="accuracy", accuracy="1e12")[0]
    pinned = sentences(known="accuracy", pinned="known=accuracy&accuracy=40")[-1]
    assert pinned == "Compared with the pin: ε = 0.3953 → ε = 0.8308."


def test_an_epsilon_above_1000_is_found_too():
    found = found_by("series", known="accuracy", accuracy="0.05")
    assert found.setting.epsilon > 1000
    smaller = found_by("series", epsilon=f"{found.setting.epsilon * 0.998!r}")
    assert found.over_time.half_width <= 0.05 < smaller.over_time.half_width


@pytest.mark.parametrize("link", [{}, {"in_periods": "20"}, {"strategy": "tree", "length": "9"}])
def test_all_numbers_are_inside_at_once_at_least_as_often_as_stated(link):
    result = found_by("series", error="all", **link)
    chosen, half_widths = result.over_time.answer_errors, result.over_time.half_widths(result.over_time.answer_errors)
    n, rng = chosen.workload.n, np.random.default_rng(5)
    errors = linear_queries.sample(rng, chosen, np.zeros(n), 1, 1e-6, 4000)
    assert np.mean((abs(errors) <= half_widths).all(axis=1)) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 4000)
    words = PAGE.answer_text(result)[0]
    stated = number_of(re.findall(NUMBER, words)[0])
    assert half_widths.max() * (1 - 1e-12) <= stated <= half_widths.max() * 1.001
    assert words.startswith(f"All {n} running totals are within **±")
    assert " in at least 95 % of releases (ε = " in words
    assert f"All numbers at once.** The errors of the {n} numbers" in PAGE.explanation_text(result)
    assert "Laplace" not in " ".join(PAGE.answer_text(result))
    assert result.over_time.limit == found_by("series", **link).over_time.limit


@pytest.mark.parametrize("link", [{}, {"in_periods": "18", "series_noise": "geometric"}, {"totals": "year_to_date"}])
def test_the_answer_for_each_number_says_what_all_at_once_have(link):
    words, result = sentences(**link)[1], found_by("series", **link)
    joint = found_by("series", error="all", strategy=result.over_time.answer_errors.strategy, **link)
    assert number_of(re.findall(r"All 36 together: ±([\d.,]+\d)", words)[0]) == pytest.approx(
        joint.over_time.half_width, rel=1e-3
    )
    assert "by itself" not in " ".join(PAGE.answer_text(joint))
    assert ", each by itself" in figures.trial_figure(result, result.trial, LIGHT)["data"][1]["name"]
    assert ", all at once" in figures.trial_figure(joint, joint.trial, LIGHT)["data"][1]["name"]
    assert "together" not in " ".join(sentences(length="1", **link))


@pytest.mark.parametrize("length", ["4", "24", "90"])
def test_the_k_from_which_on_noisy_months_are_best_is_that_of_all_at_once(length):
    first = found_by("series", error="all", length=length).over_time.first_alone
    assert first is not None
    assert first <= found_by("series", length=length).over_time.first_alone
    for k, is_best in ((first - 1, False), (first, True)):
        found = found_by("series", error="all", length=length, in_periods=f"{k}").over_time if k else None
        assert found is None or (found.answer_errors.strategy == "per_period") == is_best


def test_a_noise_with_a_delta_that_is_better_has_a_button():
    link = {"series_noise": "geometric", "in_periods": "18"}
    assert found_by("series", **link).better_noises == ("discrete_gaussian",)
    size = found_by("series", series_noise="discrete_gaussian", in_periods="18").over_time.half_width
    stated = text.offer_text(found_by("series", **link), "discrete_gaussian")
    assert stated == f"Use discrete Gaussian noise: ±{format_up(size)}"
    assert found_by("series", series_noise="geometric", known="accuracy", in_periods="18").better_noises == ()


def test_all_ranges_are_inside_at_once():
    result = found_by("series", section="ranges", error="all", n_cells="20", known="accuracy", accuracy="60")
    found, alone = (
        result.ranges,
        found_by("series", section="ranges", n_cells="20", epsilon=f"{result.setting.epsilon}"),
    )
    ratio = gaussian.half_width(each_significance(0.05, 210), 1.0) / gaussian.half_width(0.05, 1.0)
    size = found.half_width
    assert alone.ranges.half_width < size < alone.ranges.half_width * ratio * 0.99
    assert 60 * 0.998 <= size <= 60
    errors = linear_queries.sample(
        np.random.default_rng(6), found.answer_errors, np.zeros(20), found.epsilon, 1e-6, 4000
    )
    inside = (abs(errors) <= found.half_widths(found.answer_errors)).all(axis=1).mean()
    assert inside >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / 4000)
    assert found.limit == pytest.approx(alone.ranges.limit)
    assert PAGE.answer_text(result)[0].startswith("All 210 ranges are within ±60 in at least 95 % of releases")
    assert f"all 210 ranges are within {public_size(size)} of the exact ones" in str(PAGE.statements_of(result))
    assert "The errors of the 210 numbers" in PAGE.explanation_text(result)


def test_what_is_known_has_a_field_where_there_is_room():
    keys = [key_of(item) for item in section.controls(found_by("series", known="accuracy"))]
    assert keys == ["totals", "in_periods", "length", "known", "accuracy", "error"]
    alone = [key_of(item) for item in section.controls(found_by("series", totals="each"))]
    assert alone == ["totals", "in_periods", "length", "known", "epsilon", "per_total"]
    crowded = found_by("series", known="accuracy", totals="window")
    assert "known" not in {key_of(item) for item in section.controls(crowded)}
    assert "known" in {key_of(item) for item in section.more_settings(crowded)}
