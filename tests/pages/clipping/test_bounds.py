"""The section "A sum or mean": its numbers, its sentences, its corrections, and own values."""

import doctest
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from dpcore import clipping, quantiles, verify
from pages.clipping import text as clipping_text
from pages.clipping.bounds import section, text
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.page import PAGE
from pages.clipping.text import presets_text
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES
from pages.framework.layout import panels
from pages.framework.link import values as values_of
from pages.framework.parameters.number_format import without_markdown
from pages.framework.session.data_files import DataFiles
from pages.shared.values.parameters import CHOICES, LinkedValues, ValuesUpload, read_upload
from tests.pages.conftest import exhibits_by_name, expect_complete, found_by, html_of, read_link

TOPIC = "clipping"
CHECK = {"median": "22026.465794806718", "p90": "79340.0", "n_records": "10000"}  # lognormal(10, 1) to four digits


def answer(**link):
    return section.SECTION.answer_text(found_by(TOPIC, **link))


def problems(**link):
    readings, _ = read_link(TOPIC, **link)
    return [reading.problem for reading in readings.values() if reading.problem]


def test_the_check_value_of_a_lognormal_distribution_stands_in_the_answer():
    first, second = answer(**CHECK, epsilon="0.1")
    assert first.startswith("Clipping at **379,000** units is best: the sum is within **±")
    start = (
        r"About 22\.\d of 10,000 lognormal values are cut; at the maximum of your range, 1,000,000, the root mean "
        r"square error"
    )
    assert re.match(start, second)
    result = found_by(TOPIC, **CHECK, epsilon="0.1")
    assert result.bounds.best.root_mean_square_error == pytest.approx(6_343_744.97, rel=1e-3)
    ratio = float(re.findall(r"([0-9.]+) times as large", second)[0])
    at_million = clipping.sum_error(clipping.lognormal(10, 1, 10_000), 0, 1e6, 0.1).root_mean_square_error
    assert ratio == pytest.approx(at_million / 6_343_744.97, rel=1e-3)


def test_values_are_in_dollars_where_they_are_the_incomes_of_the_page_or_the_user_says_so():
    assert " dollars " in answer(epsilon="0.5")[0]
    for link in ({"median": "51018"}, {"source": "own", "own": "1;2;3;4;5"}):
        assert "dollar" not in " ".join(answer(**link))
        assert " dollars" in " ".join(answer(**link, unit="dollars", bound="4"))


def test_a_unit_is_in_the_singular_after_1_and_one_value_is_not_counted():
    first, _ = answer(median="1e-5", p90="5e-5", high="1", bound="1")
    assert first.startswith("Clipping at **1** unit keeps the sum within **±2.996** units in 95 % of")
    assert answer(source="own", own="5", bound="4")[1].startswith("Your one value is cut; ")
    assert answer(source="own", own="5", bound="6")[1].startswith("Your one value is not cut; the root mean")


def test_no_share_of_a_value_is_cut_and_what_a_pin_left_unchanged_is_stated_once():
    second = answer(bound="10000000", median="70000", pinned="bound=10000000")[1]
    assert second.startswith("Practically none of 10,000 lognormal values is cut; the root mean square error is ")
    assert answer(source="own", own="5;6", bound="7")[1].startswith("None of your 2 values is cut; ")
    compared = answer(bound="10000000", epsilon="2", pinned="bound=10000000")[2]
    assert compared.endswith("clipping at 10,000,000, ±29,960,000 → ±14,980,000.")


def test_the_quantile_of_a_private_bound_has_the_digits_that_say_how_many_values_are_above_it():
    private = (result := found_by(TOPIC)).bounds.private
    shown = float(re.findall(r"([0-9.]+) % quantile", section.leak_text(result.bounds))[0]) / 100
    assert (1 - shown) * 10_000 == pytest.approx((1 - private.quantile) * 10_000, rel=0.05)
    assert f"Private: {100 * shown:.4f} % quantile" in html_of(exhibits_by_name(result, TOPIC)["choices"])
    assert doctest.testmod(section).failed == 0


def test_the_numbers_of_a_file_say_at_which_confidence_its_half_widths_hold():
    exhibits = exhibits_by_name(found_by(TOPIC, significance="0.01"), TOPIC)
    assert {exhibit.header["significance"] for exhibit in exhibits.values()} == {"0.01"}


def test_the_half_width_of_the_answer_holds_in_simulated_releases():
    link = {"source": "own", "own": "1;2;2.5;3;3;4;5;8;9;50;400", "epsilon": "0.5"}
    result = found_by(TOPIC, **link)
    stated = float(re.findall(r"\*\*±([0-9.,]+)\*\*", answer(**link)[0])[0].replace(",", ""))
    values, high = np.array([1, 2, 2.5, 3, 3, 4, 5, 8, 9, 50, 400]), result.bounds.best_high
    rng, n = np.random.default_rng(1), 40_000
    errors = np.abs(np.minimum(values, high).sum() + rng.laplace(0, high / 0.5, n) - values.sum())
    assert np.mean(errors > stated) <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / n)


def test_the_rule_of_thumb_is_a_whole_number_for_noise_on_the_whole_numbers():
    result = found_by(TOPIC, source="own", own="3.24", noise="geometric")
    assert result.bounds.thumb_high == 1  # at ε = 1 the one value may lie above any bound
    assert "<table>" in html_of(exhibits_by_name(result, TOPIC)["choices"])


def test_no_bound_of_the_curve_has_a_smaller_error_than_the_answer_but_for_its_rounding():
    for noise in clipping.NOISES:
        bounds = found_by(TOPIC, noise=noise, median="20", p90="70", high="400").bounds
        assert bounds.curve["error"].min() >= float(bounds.setting.size(bounds.best)) * (1 - 1e-4)


@pytest.mark.parametrize("noise", clipping.NOISES)
def test_the_displayed_noise_satisfies_the_guarantee_at_the_displayed_bound(noise):
    result = found_by(TOPIC, noise=noise, median="20", p90="70", high="400", epsilon="0.7")
    lines = list(panels.proof_lines(section.SECTION.claims(result), verify))
    assert [line[0] for line in lines] == ["✓", "–"]
    stated = section.SECTION.statements(result)
    assert stated
    assert f"above {result.bounds.best_high:g} count as {result.bounds.best_high:g}." in stated.public


def test_a_bound_that_is_computed_from_own_values_is_said_to_reveal_something_about_them():
    own = {"source": "own", "own": "1;2;5;9;40"}
    for link in (own, own | {"low": "best", "bound": "20"}):
        assert answer(**link)[1] == text.OWN_BOUND
    assert text.OWN_BOUND not in answer(**own, bound="20") + answer()


def test_the_statements_have_of_own_values_only_bounds_that_the_user_entered():
    own = {"source": "own", "low": "0", "high": "100", "contribution": "once", "fixed": "yes"}
    for link in (own, own | {"low": "best", "bound": "20"}):
        assert section.SECTION.statements(found_by(TOPIC, own="1;2;5;9;40", **link)) is None
    for query in ("sum", "mean", "counted_mean"):
        stated, others = (
            section.SECTION.statements(found_by(TOPIC, **own, query=query, own=values, bound="20"))
            for values in ("1;2;5;9;40", "3;30;31")
        )
        assert stated == others
        assert stated
        assert "values above 20 count as 20" in stated.public
    stated = section.SECTION.statements(found_by(TOPIC, **own, own="1;2;5;9;40", bound="20"))
    assert stated
    assert "b = 20, Δ = 20" in stated.experts
    assert "is within 60 units of the exact sum of the values so limited" in stated.public
    of_distribution = section.SECTION.statements(found_by(TOPIC))
    assert of_distribution
    assert "(assumed: lognormal, median 51,017" in of_distribution.paper


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"p90": "50000"},
            "90th percentile must be 1.02 to 500 times the median, 51,017; 50,000 was given. 153100 is used instead.",
        ),
        (
            {"low": "5", "high": "2"},
            "lo must be below hi, 2; 5 was given. 0 is used instead.",
        ),
        (
            {"low": "5", "bound": "2"},
            "U must be above lo, 5; 2 was given. best is used instead.",
        ),
        (
            {"shape": "normal", "median": "-5", "p90": "-5"},
            "90th percentile must exceed the median, −5, by 5e-6 to 1e12; −5 was given. 0 is used instead.",
        ),
        (
            {"low": "best", "noise": "discrete_gaussian"},
            "lo must be a number for discrete Gaussian noise; best was given. 0 is used instead.",
        ),
        (
            {"query": "counted_mean", "noise": "geometric"},
            "noise must be continuous for a mean whose n is counted; Geometric was given. Laplace is used instead.",
        ),
        (
            {"error": "half_width", "low": "best"},
            "error to minimise must be Root mean square or Mean absolute for discrete Gaussian noise and where "
            "lo is sought; Half-width (±) was given. Root mean square is used instead.",
        ),
        (
            {"noise": "geometric", "high": "10.5"},
            "hi must be whole for noise on the whole numbers; 10.5 was given. 11 is used instead.",
        ),
        (
            {"epsilon": "0"},
            "ε must be from 1e-9 to 1000 where values are clipped; 0 was given. 1 is used instead.",
        ),
    ],
)
def test_values_that_cannot_be_clipped_are_replaced_with_one_sentence(link, sentence):
    assert problems(**link) == [sentence]


def test_the_page_requests_own_values_and_refuses_values_below_the_lower_bound():
    assert answer(source="own") == text.MISSING
    (problem, way_out) = answer(source="own", own="1;2", low="5")
    assert problem.startswith("No value is above 0 and above the lower bound")
    assert way_out == text.MISSING[1]
    assert exhibits_by_name(found_by(TOPIC, source="own"), TOPIC) == {}


def test_values_of_the_session_are_summed_for_each_person_and_marked_as_confidential():
    file = "trips.csv", b"rider;miles\nAnn;2\nBob;5\nAnn;3\nCid;40\n"
    upload = read_upload(DataFiles({"file": file}, CHOICES | {"person": "rider"})).content
    link = values_of(read_link(TOPIC, source="own")[0])
    result = PAGE.compute(link, upload)
    assert isinstance(result.known, np.ndarray)
    assert result.known.tolist() == [5, 5, 40]
    exhibits = exhibits_by_name(result, TOPIC)
    assert {exhibit.confidential for exhibit in exhibits.values()} == {CONFIDENTIAL_FIGURES}
    for exhibit in exhibits.values():
        expect_complete(exhibit)
    assert all("40.0" not in snippet.code for snippet in PAGE.snippets_of(result))
    assert result.bounds is not None
    assert clipping_text.links_text(result, result.bounds) == clipping_text.DECIDE
    decided = PAGE.compute(values_of(read_link(TOPIC, source="own", bound="30")[0]), upload)
    assert decided.bounds is not None
    linked = clipping_text.links_text(decided, decided.bounds)
    assert "high=30&" in linked
    assert "n_records" not in linked
    assert "./Plan" not in linked
    refused = PAGE.compute(link, ValuesUpload(None, "<b>.csv can’t be read."))
    assert without_markdown(section.SECTION.answer_text(refused)[0]) == "<b>.csv can’t be read."


def test_a_link_takes_few_values_and_names_them_as_data():
    parameter = LinkedValues()
    _, (sentence,) = read_link(TOPIC, own="1;x")
    assert sentence == (
        "own values must be none, or 1 to 100 numbers from −1e15 to 1e15, as 12;15.5;30; 1;x was given. none is "
        "used instead."
    )
    assert parameter.data_in("12;15") == "2 values"
    for entry in ("1_0", "nan", "1e16", "", "1;;2", "٣"):
        assert read_link(TOPIC, own=entry)[1] != []
    with pytest.raises(ValueError, match="at most 100 numbers"):
        parameter.read(";".join(["1"] * 101))


def test_the_warning_names_the_alternatives_and_the_cost_of_a_private_bound():
    result = found_by(TOPIC)
    stated = section.leak_text(result.bounds)
    assert all(words in stated for words in ("leak", "public knowledge", "older release", "private quantile"))
    ratio = float(re.findall(r"([0-9.]+) times that at the best public bound", stated)[0])
    assert 1 < ratio < 3
    gaussian = section.leak_text(found_by(TOPIC, noise="gaussian", query="mean").bounds)
    assert 1 < float(re.findall(r"([0-9.]+) times that", gaussian)[0]) < 3
    assert "cost the page shows for values from lo = 0 on" in section.leak_text(
        found_by(TOPIC, noise="geometric").bounds
    )


def test_the_private_bound_of_many_values_costs_what_the_values_themselves_do():
    rng = np.random.default_rng(3)
    values = np.sort(rng.lognormal(3, 1, 3000))
    setting = found_by(TOPIC, high="5000", epsilon="0.5").setting.bounds
    private = BoundsResult(setting, values).private
    assert private is not None
    exact = clipping.private_bounds(values, 0.5, 5000, private.quantile)
    error = np.interp(private.share, exact.share, exact.sum_errors()[0])
    assert private.error == pytest.approx(error, rel=0.1)


def test_a_private_bound_is_charged_for_what_even_the_maximum_of_the_range_cuts():
    """It cost 0.4 times the error of the best public bound, as no representative was beyond the range."""
    bounds = found_by(TOPIC, epsilon="100").bounds
    assert bounds.private.error > 0.95 * bounds.known.cut_above(bounds.setting.high)


def sensitivity_on(topic, link):
    """Return the sensitivity with which a page answers a link, after a look at whether it knows each parameter."""
    readings, problems = read_link(topic, **link)
    assert (set(link) - set(readings), problems) == (set(), [])
    assert [reading.problem for reading in readings.values() if reading.problem] == []
    result = found_by(topic, **link)
    if topic == "tables":
        return float(result.sensitivity.l1)
    return result.setting.facts.l1 if topic == "accuracy" else result.rows[0].query.l1


@pytest.mark.parametrize(
    ("link", "pages"),
    [
        ({}, ["Accuracy", "Plan", "Tables"]),
        ({"noise": "gaussian", "bound": "123456.7"}, ["Accuracy", "Plan", "Tables"]),
        ({"neighbours": "replace", "low": "-10"}, ["Accuracy", "Plan"]),
        ({"query": "mean"}, ["Accuracy", "Plan"]),
        ({"query": "counted_mean"}, ["Accuracy"]),
    ],
)
def test_every_page_to_which_a_link_leads_answers_with_the_sensitivity_of_the_chosen_bound(link, pages):
    result = found_by(TOPIC, **link)
    targets = re.findall(r"\]\(\./(\w+)\?([^)]*)\)", clipping_text.links_text(result, result.bounds))
    assert [page for page, _ in targets] == pages
    times_n = result.bounds.n_values if link.get("query") == "counted_mean" else 1  # there the sum itself is released
    for page, query in targets:
        expected = float(result.bounds.chosen.sensitivity) * times_n
        assert sensitivity_on(page.lower(), dict(parse_qsl(query))) == pytest.approx(expected, rel=1e-12)


def test_the_link_to_plan_wants_the_noise_of_the_chosen_bound_without_its_bias():
    result = found_by(TOPIC)
    query = re.findall(r"\./Plan\?([^)]*)\)", clipping_text.links_text(result, result.bounds))[0]
    row = found_by("plan", **dict(parse_qsl(query))).rows[0]
    assert row.query.half_width == pytest.approx(-867_000 * np.log(0.05), rel=1e-12)


def test_the_settings_from_public_figures_name_their_sources():
    presets = presets_text(found_by(TOPIC), "sum", clipping_text.PRESETS)
    assert presets.count("](./Clipping?") == 2
    assert "Census" in presets


def test_the_table_has_a_row_for_each_bound_and_the_pinned_answer_is_stated():
    result = found_by(TOPIC, pinned="epsilon=0.1")
    table = html_of(exhibits_by_name(result, TOPIC)["choices"])
    assert [table.count(name) for name in ("Least error", "Rule of thumb", "Maximum of your", "Private")] == [1] * 4
    comparison = answer(pinned="epsilon=0.1")[-1]
    assert comparison.startswith("Compared with the pin")
    assert "clipping at 509,000 → 867,000, ±" in comparison


def test_a_bound_of_the_user_is_compared_with_the_least_error():
    first, second = answer(bound="250000")
    assert first.startswith("Clipping at **250,000** dollars keeps the sum within **±")
    best, yours = (clipping.sum_error(found_by(TOPIC).known, 0, high, 1.0) for high in (867_000, 250_000))
    ratio = float(
        re.findall(r"the root mean square error is ([0-9.]+) times the least, which is at 867,000", second)[0]
    )
    assert ratio == pytest.approx(float(yours.root_mean_square_error / best.root_mean_square_error), rel=1e-3)
    assert "; no bound has a smaller error." in answer(bound="867000")[1]
    assert "% above the least" in answer(bound="900000")[1]
    linked = clipping_text.links_text(found_by(TOPIC, bound="250000"), found_by(TOPIC, bound="250000").bounds)
    assert "high=250000" in linked
    assert "Your bound" in html_of(exhibits_by_name(found_by(TOPIC, bound="250000"), TOPIC)["choices"])


def test_both_bounds_are_sought_where_values_are_negative():
    link = {"shape": "normal", "median": "5", "p90": "20", "high": "100"}
    bounds = found_by(TOPIC, **link, low="best").bounds
    best = clipping.best_bounds(clipping.normal(5, 15 / 1.2815515655446004, 10_000), 1.0)
    assert (bounds.low, bounds.high) == pytest.approx((best.low, best.high), rel=6e-3)
    assert answer(**link, low="best")[0].startswith("Clipping to **[−43.4, 43.4]** units")
    assert text.below_text(bounds) == ""
    assert "values are below lo = 0 and raised to it" in text.below_text(found_by(TOPIC, **link).bounds)
    own = found_by(TOPIC, source="own", own="-5;1;2;3;400", low="best")
    assert own.bounds.low == -5
    assert clipping_text.links_text(own, own.bounds) == clipping_text.DECIDE
    assert all("400" not in snippet.code and "-5" not in snippet.code for snippet in section.SECTION.snippets(own))


def test_a_bound_that_is_not_above_the_lower_bound_which_is_sought_is_a_sentence():
    """It was a traceback."""
    link = {"low": "best", "neighbours": "replace", "epsilon": "0.036", "n_records": "90", "error": "mean_absolute"}
    first = answer(**link, bound="8")[0]
    assert re.match("U, 8, is not above the best lower bound, [0-9,]+", first)
    assert found_by(TOPIC, **link, bound="1000000").bounds.chosen.high == 1e6


def test_the_bounds_over_epsilon_are_computed_once_for_all_that_they_do_not_depend_on():
    first, second = (
        found_by(TOPIC, epsilon=epsilon, delta=delta).bounds for epsilon, delta in (("1", "1e-6"), ("2", "1e-5"))
    )
    assert first.over_epsilon is second.over_epsilon
    other = found_by(TOPIC, noise="gaussian", delta="1e-5").bounds
    assert other.over_epsilon is not found_by(TOPIC, noise="gaussian").bounds.over_epsilon


def test_the_medians_of_equal_values_are_those_that_the_page_states():
    rng, equal = np.random.default_rng(1), np.full(1_000_000, 5.0)
    release = 0.5, 1.0, quantiles.Range(0, 10), "replace"
    medians = [quantiles.sample(rng, equal, *release) for _ in range(3)]
    stated = "{:.2f}, {:.2f} and {:.2f}".format(*medians)
    assert stated in section.EQUAL_VALUES
    spread = equal + rng.uniform(-0.5, 0.5, equal.size)
    assert abs(quantiles.sample(rng, spread, *release) - 5) < 0.01
