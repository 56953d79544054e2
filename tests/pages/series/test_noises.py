"""A series over time and ranges with the other noises: numbers beside dpcore, words, claims, programs, refusals."""

import re

import numpy as np
import pandas as pd
import pytest

from dpcore import linear_queries, verify
from pages.framework.layout import panels
from pages.framework.layout.section import Fields, Row
from pages.framework.parameters.kinds import Pin
from pages.series.over_time import section as over_time_section
from pages.series.over_time import text
from pages.series.over_time.section import own_series_text
from pages.series.page import PAGE
from pages.series.parameters import PARAMETERS, noise_corrections
from pages.series.ranges import section as ranges_section
from pages.shared.looks import COLOURS
from tests.pages.conftest import found_by, read_link
from tests.pages.figure_checks import setting_of
from tests.pages.series.figure_checks import over_time, ranges

NOISES = {"laplace": "Laplace", "geometric": "Geometric", "discrete_gaussian": "Discrete Gaussian"}
SECTIONS = ({"length": "14", "in_periods": "2"}, {"section": "ranges", "n_cells": "10", "in_periods": "2"})
NUMBER = r"±(\d[\d,]*(?:\.\d+)?)"


def stated_in(words: str) -> float:
    return float(re.findall(NUMBER, words)[0].replace(",", ""))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("link", [{}, {"error": "all"}, {"neighbours": "replace", "per_cell": "2", "per_total": "3"}])
def test_the_answer_has_the_least_largest_error_and_names_the_noise(noise, link):
    link = SECTIONS[0] | link | {"series_noise": noise}
    words, at = PAGE.answer_text(found_by("series", **link))[0], setting_of("series", link)
    sizes = [over_time.half_widths(at, method).max() for method in over_time.methods(at)]
    assert min(sizes) * (1 - 1e-12) <= stated_in(words) <= min(sizes) * 1.001 + 1e-9
    assert f" with {NOISES[noise][0].lower() if noise != 'laplace' else 'L'}{NOISES[noise][1:]} noise" in words
    link = SECTIONS[1] | link | {"series_noise": noise, "error": "each"}
    words, at = PAGE.answer_text(found_by("series", **link))[0], setting_of("series", link)
    least = ranges.half_widths(at, ranges.best(at)).max()
    assert least * (1 - 1e-12) <= stated_in(words) <= least * 1.001 + 1e-9


def test_a_link_without_a_noise_has_gaussian_noise_and_the_noise_of_own_sums_changes_nothing():
    for link in SECTIONS:
        known, other = found_by("series", **link), found_by("series", **link, sum_noise="laplace")
        assert known.setting.series_noise == "gaussian"
        assert PAGE.answer_text(known) == PAGE.answer_text(other)
        assert " noise" not in PAGE.answer_text(known)[0]


@pytest.mark.parametrize("noise", NOISES)
def test_trials_are_in_their_band_at_least_as_often_as_stated(noise):
    for link in ({}, {"error": "all"}):
        inside, found = [], found_by("series", length="9", series_noise=noise, **link)
        pd.testing.assert_frame_equal(found.trial, found.over_time.trial(found.counts, int(found.setting.seed)))
        for seed in range(150):
            frame = found.over_time.trial(found.counts, seed)
            inside.append((frame["low"] <= frame["truth"]) & (frame["truth"] <= frame["high"]))
        share = np.mean(inside) if not link else np.mean([rows.all() for rows in inside])
        assert share >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / 150)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("link", [{}, {"error": "all"}, {"known": "accuracy", "accuracy": "41.5", "error": "all"}])
def test_the_program_of_dpcore_prints_the_answer(noise, link, capsys):
    for section, module in zip(SECTIONS, (over_time_section, ranges_section), strict=True):
        result = found_by("series", **section, **link, series_noise=noise)
        snippet = module.snippets(result)[0]
        exec(compile(snippet.code, "snippet", "exec"), {})
        printed = [float(line) for line in capsys.readouterr().out.split()]
        assert printed == pytest.approx(list(snippet.page_values), rel=1e-12)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("link", [{}, {"per_cell": "4", "per_total": "7"}, {"per_cell": "9"}, {"epsilon": "0.2"}])
def test_the_displayed_noise_is_proved(noise, link):
    for section in SECTIONS:
        result = found_by("series", **section, **link, series_noise=noise)
        first, second = panels.proof_lines(PAGE.claims_of(result), verify)
        assert first.startswith("✓")
        part = result.ranges if "section" in section else result.over_time
        is_long = noise == "discrete_gaussian" and round(part.answer_errors.sensitivity**2) > 30
        assert ("by zCDP" in first) == is_long
        assert second.startswith("✓ The largest change of the sums by one person")


@pytest.mark.parametrize(("noise", "name"), NOISES.items())
def test_the_statements_and_the_steps_name_the_noise_and_its_guarantee(noise, name):
    for section in SECTIONS:
        result = found_by("series", **section, series_noise=noise)
        stated = PAGE.statements_of(result)
        assert stated is not None
        assert f"{name} noise, " in stated.experts
        assert ("pure ε-DP" in stated.experts) == (noise != "discrete_gaussian")
        assert "Gaussian" not in stated.experts or noise == "discrete_gaussian"
        assert name.lower() in PAGE.explanation_text(result).lower()


def test_a_year_of_its_own_adds_up_without_a_delta_and_by_zcdp_of_whole_noise():
    assert "have ε = 3 over 3 years without a δ" in text.year_text(found_by("series", series_noise="laplace"))
    found = text.year_text(found_by("series", series_noise="discrete_gaussian"))
    exact = text.year_text(found_by("series"))
    bound, least = (float(re.findall(r"ε = ([\d.]+) over", words)[0]) for words in (found, exact))
    assert least < bound < 1.2 * least
    assert "would have at most ε" in found


def test_which_noise_is_better_is_said_both_ways():
    gaussian, laplace = (
        PAGE.answer_text(found_by("series", length="365", period="day", series_noise=noise))
        for noise in ("gaussian", "laplace")
    )
    assert f"with δ = 1e-6, Gaussian noise has less for each: ±{stated_in(gaussian[0]):.4g} by " in laplace[1]
    words = PAGE.answer_text(found_by("series", length="36", series_noise="discrete_gaussian"))[1]
    better = "geometric noise (whole numbers), ±16, per month, without δ."
    assert re.fullmatch(rf"All 36 together: ±[\d.]+; better for each: {re.escape(better)}", words)
    found = PAGE.answer_text(
        found_by("series", section="ranges", n_cells="60", in_periods="20", series_noise="laplace")
    )
    assert "with δ = 1e-6, Gaussian noise has ±" in found[1]


@pytest.mark.parametrize("link", [{}, {"length": "12", "in_periods": "3", "totals": "each"}])
def test_a_button_switches_to_a_better_noise_and_states_its_error(link):
    result = found_by("series", **link)
    buttons = offers_of(result)
    assert [button.text for button in buttons] == ["laplace", "geometric"]
    for button in buttons:
        assert button.parameter.key == "series_noise"
        other = found_by("series", **link, **{button.parameter.key: button.text})
        assert stated_in(PAGE.answer_text(other)[0]) <= stated_in(button.name)
        assert offers_of(other) == []
    assert offers_of(found_by("series", length="366")) == []


def offers_of(result):
    """Return the buttons that a series has beside each other."""
    rows = [part for part in over_time_section.SECTION.parts(result, COLOURS["light"]) if type(part) is Row]
    return [part.done for row in rows for part in row.parts if isinstance(part, Fields) and part.done]


def test_a_person_in_more_periods_than_there_are_is_in_all_of_them():
    reading = read_link("series", length="12", in_periods="13")[0]["in_periods"]
    assert (reading.entry, reading.used) == ("13", "12")
    assert reading.problem == "k = 13 is more than T = 12: k = 12 is used."
    assert not read_link("series", length="12", in_periods="12")[0]["in_periods"].problem
    assert not read_link("series", length="12", in_periods="13", section="ranges")[0]["in_periods"].problem
    assert not read_link("series", length="12", in_periods="13", contribution="once")[0]["in_periods"].problem
    confirmed = {"contribution": "limited", "fixed": "yes", "curator": "office", "others": "none"}
    words = PAGE.conditions_text(found_by("series", length="36", in_periods="40", **confirmed))
    assert words.startswith("You confirmed: each person is in at most 36 months of the whole series")


@pytest.mark.parametrize(
    ("link", "key", "used"),
    [
        ({"series_noise": "laplace", "length": "366"}, "series_noise", "gaussian"),
        ({"series_noise": "geometric", "section": "ranges", "n_cells": "65"}, "series_noise", "gaussian"),
        ({"series_noise": "geometric", "per_cell": "0.5"}, "series_noise", "laplace"),
        ({"series_noise": "discrete_gaussian", "per_cell": "1.5"}, "series_noise", "gaussian"),
        ({"series_noise": "geometric", "strategy": "square_root"}, "strategy", "best"),
        ({"series_noise": "laplace", "error": "all", "significance": "1e-5"}, "significance", 1e-4),
    ],
)
def test_what_a_noise_cannot_do_is_replaced_with_a_sentence(link, key, used):
    readings, _ = read_link("series", **link)
    assert readings[key].value == used
    assert readings[key].problem.endswith(".")
    others = {"section": "sums"} if "section" not in link else {"section": "time"}
    if key != "significance":
        assert not read_link("series", **link | others)[0][key].problem
    assert found_by("series", **link).over_time.half_width > 0


def test_a_pinned_noise_that_cannot_be_is_no_pin():
    pin = next(parameter for parameter in PARAMETERS if isinstance(parameter, Pin))
    assert pin.correct is noise_corrections
    assert found_by("series", pinned="series_noise=geometric&per_cell=0.5").pinned is None


def test_whole_noise_of_the_users_own_fractions_is_a_sentence_and_no_trial():
    own = {"series": "own", "own": "12;15.5;20", "length": "3", "series_noise": "geometric"}
    result = found_by("series", **own)
    assert result.trial is None
    assert own_series_text(result).startswith("Geometric noise needs whole numbers, and your series has others")
    assert found_by("series", **own | {"own": "12;15;20"}).trial is not None


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(
    "link",
    [
        {"length": "365", "in_periods": "365"},
        {"length": "1", "window": "1000", "totals": "window"},
        {"epsilon": "1e6", "delta": "1e-300", "significance": "1e-6", "length": "5"},
        {"epsilon": "1e-12", "delta": "1e-300", "per_cell": "1e9", "length": "4"},
        {"section": "ranges", "n_cells": "1", "error": "all"},
        {"section": "ranges", "n_cells": "64", "epsilon": "1e-6", "error": "all", "significance": "1e-4"},
    ],
)
def test_the_ends_of_what_is_allowed_have_finite_answers(noise, link):
    result = found_by("series", **link, series_noise=noise)
    if result.section == "ranges":
        assert np.isfinite(result.ranges.lengths.to_numpy()).all()
        return
    assert np.isfinite(result.over_time.frame.to_numpy()).all()
    assert np.isfinite(result.over_time.over_persons.to_numpy()).all()
    assert "±" in PAGE.answer_text(result)[0]
    assert (result.trial is None) == (link.get("epsilon") == "1e-12" and noise != "laplace")


def test_where_a_simulation_would_take_too_long_all_at_once_is_by_the_union_bound():
    months = linear_queries.error("running_totals", "per_period", 6, noise="laplace")
    link = {"length": "6", "error": "all", "series_noise": "laplace", "strategy": "per_period"}
    assert "simulated releases" in PAGE.explanation_text(found_by("series", **link))
    result = found_by("series", **link, significance="0.001")
    expected = linear_queries.half_widths(months, 1, 0, 0.001 / 6)
    assert result.over_time.half_widths(result.over_time.answer_errors) == pytest.approx(expected, rel=1e-12)
    assert "union bound" in PAGE.explanation_text(result)
