"""What the page says of published sums of the user's own: the best way, the best noise, and what is no sum."""

import re

import numpy as np
import pytest

from dpcore import linear_queries, verify
from pages.framework.layout import panels
from pages.framework.session.data_files import LINKED, DataFiles
from pages.series.own_sums import section
from pages.series.page import PAGE
from pages.series.parameters import LENGTH, LinkedSums, link_text
from pages.series.upload import read_own_sums
from pages.shared.site_map import SERIES
from tests.pages.conftest import found_by, link_of, open_page, read_link, stage_of, text_of
from tests.pages.figure_checks import setting_of
from tests.pages.series.figure_checks.own_sums import LINKS, OWN, SUMS, best_way, half_widths, noise_of, sum_errors
from tests.pages.series.test_over_time import NUMBER, number_of

NOISES = ("gaussian", "discrete_gaussian", "laplace", "geometric")


def expect_up(stated: float, exact: float) -> None:
    assert exact * (1 - 1e-12) <= stated <= exact * 1.001


@pytest.mark.parametrize("link", LINKS)
def test_the_answer_is_the_least_largest_error_on_the_safe_side(link):
    at, result = setting_of("series", link), found_by("series", **link)
    first, second = PAGE.answer_text(result)[:2]
    size = half_widths(at, best_way(at)).max()
    expect_up(number_of(re.findall(NUMBER, first)[0]), size)
    assert f"by {section.NAMES[best_way(at)]}" in first
    assert second.lower().startswith(section.noise_name(noise_of(at)).lower())
    assert ("no δ" in second) == (noise_of(at) in ("laplace", "geometric"))
    assert ("in place of noise in whole numbers" in second) == (noise_of(at) != at.sum_noise)
    if found := re.search(rf"{section.NAMES[result.own_sums.rival]}: {NUMBER}", second):
        expect_up(number_of(found[1]), half_widths(at, result.own_sums.rival).max())


@pytest.mark.parametrize("link", LINKS)
def test_each_noise_has_its_best_way(link):
    at, found = setting_of("series", link), found_by("series", **link).own_sums
    rows = found.best_of_noises.set_index("noise")
    assert len(rows) == (4 if noise_of(at) == at.sum_noise else 2)
    for noise in rows.index:
        assert rows.loc[noise, "method"] == best_way(at, noise)
        assert rows.loc[noise, "largest"] == pytest.approx(half_widths(at, best_way(at, noise), noise).max())


def test_a_better_noise_is_named_in_the_answer():
    second = PAGE.answer_text(found_by("series", **SUMS))[1]
    at = setting_of("series", SUMS)
    sizes = {noise: half_widths(at, best_way(at, noise), noise).max() for noise in NOISES}
    least = min(("discrete_gaussian", "laplace", "geometric"), key=sizes.__getitem__)
    assert section.noise_name(least) in second
    assert ("better:" in second) == (sizes[least] * 1.0005 < sizes["gaussian"])
    expect_up(number_of(re.findall(NUMBER, second)[-1]), sizes[least])


@pytest.mark.parametrize("link", LINKS)
def test_the_table_has_every_way_the_best_first(link):
    at, result = setting_of("series", link), found_by("series", **link)
    frame = result.own_sums.ways
    assert frame["largest"].is_monotonic_increasing
    for row in frame.itertuples(index=False):
        sizes = half_widths(at, str(row.method))
        assert row.largest == pytest.approx(sizes.max())
        assert row.root_mean_square == pytest.approx(np.sqrt(np.mean(sizes**2)))


@pytest.mark.parametrize("noise", NOISES)
def test_draws_are_within_the_stated_error(noise):
    """Three sums of four cells with one person in two of them, by the way of the answer."""
    link = SUMS | {"sums": "own", "own_sums": "1100;0011;1111", "in_periods": "2", "sum_noise": noise}
    found, rng = found_by("series", **link).own_sums, np.random.default_rng(4)
    delta = found.delta if "gaussian" in noise else 0.0
    known = found.answer_errors, [40, 30, 20, 10], found.epsilon, delta, 20_000
    drawn = linear_queries.sample(rng, *known)
    share = (abs(drawn - [70, 30, 100]) <= found.half_widths_of(found.method) * (1 + 1e-9)).mean(axis=0)
    assert (share >= 0.95 - 4 * np.sqrt(0.05 * 0.95 / 20_000)).all()


@pytest.mark.parametrize("link", [LINKS[0], LINKS[1], LINKS[2], *LINKS[-2:], SUMS | {"sum_noise": "discrete_gaussian"}])
def test_the_program_prints_what_the_page_shows(link, capsys):
    result = found_by("series", **link)
    snippet = section.snippets(result)[0]
    exec(compile(snippet.code, "snippet", "exec"), {})
    printed = [float(line) for line in capsys.readouterr().out.split()]
    assert printed == pytest.approx(list(snippet.page_values), rel=1e-12)


@pytest.mark.parametrize("noise", NOISES)
def test_the_program_of_own_sums_runs_and_has_none_of_them(noise, capsys):
    result = found_by("series", **OWN | {"sum_noise": noise})
    snippet = section.snippets(result)[0]
    exec(compile(snippet.code, "snippet", "exec"), {})
    assert len(capsys.readouterr().out.split()) == 2
    assert "[1, 1, 0, 0, 0]" not in snippet.code


@pytest.mark.parametrize("noise", NOISES)
def test_the_displayed_noise_is_proved(noise):
    for link in (SUMS, SUMS | {"in_periods": "3"}, SUMS | {"per_cell": "2.5", "per_total": "4"}):
        result = found_by("series", **link | {"sum_noise": noise})
        first, second = panels.proof_lines(section.claims(result), verify)
        assert first.startswith("✓")
        assert second.startswith("✓ The largest change") or "floating-point arithmetic" in second


def test_the_statements_name_the_noise_and_the_guarantee():
    stated = section.statements(found_by("series", **SUMS | {"sum_noise": "laplace", "in_periods": "3"}))
    assert stated is not None
    assert "Laplace noise, b = " in stated.experts
    assert "pure ε-DP" in stated.experts
    assert section.statements(found_by("series", **SUMS | {"sums": "own"})) is None


def test_missing_sums_have_a_sentence_and_no_exhibits():
    result = found_by("series", **SUMS | {"sums": "own"})
    assert PAGE.answer_text(result)[0] == section.MISSING
    assert [exhibit(result, {}) for exhibit in section.SECTION.exhibits] == [None, None, None]
    assert section.snippets(result) == ()
    assert list(section.claims(result)) == []
    assert list(section.parts(result, {})) == []


def test_a_series_that_is_too_long_has_a_sentence_and_the_field_for_its_length():
    result = found_by("series", **SUMS | {"sums": "series", "length": "101"})
    assert PAGE.answer_text(result) == (
        "With this choice of noises a series has at most 100 periods, not 101.",
        section.SHORTER,
    )
    assert LENGTH in section.controls(result)
    assert LENGTH in section.controls(found_by("series", **SUMS | {"sums": "series"}))
    assert LENGTH not in section.controls(found_by("series", **SUMS))


def test_sums_of_a_file_and_of_a_link_are_read():
    data = b"sum,Jan,Feb,Mar\nwinter,1,1,0\nquarter,1,1,1\n"
    reading = read_own_sums(DataFiles({"file": ("a.csv", data)}))
    assert (reading.link_text, reading.notes) == ("110;111", ("2 sums of 3 cells.",))
    assert reading.content.sums is not None
    assert reading.content.sums.names == ("winter", "quarter")
    linked = read_own_sums(DataFiles({LINKED: ("", b"110;111")}))
    assert linked.content.sums is not None
    assert linked.content.sums.matrix.tolist() == [[1, 1, 0], [1, 1, 1]]
    assert linked.content.sums.names == ("sum 1", "sum 2")
    large = read_own_sums(DataFiles({"file": ("a.csv", b"\n".join([b",".join([b"1"] * 50)] * 50))}))
    assert (large.link_text, bool(large.unlinkable)) == ("", True)
    with pytest.raises(ValueError, match="at most 100 sums of 100 cells, and there are 101 of 2"):
        read_own_sums(DataFiles({"file": ("a.csv", b"1,1\n" * 101)}))


@pytest.mark.parametrize("entry", ["", "12", "10;1", "00;11", "1" * 101, ";".join("1" * 101), "1 0", "¹"])
def test_a_link_with_other_than_sums_is_named(entry):
    readings, problems = read_link("series", section="sums", own_sums=entry)
    assert readings["own_sums"].value is None
    assert "own sums" in " ".join(problems)


def test_a_link_text_is_read_again():
    marks = np.array([[1.0, 0, 1], [0, 1, 1]])
    assert LinkedSums("a", "a").read(link_text(marks)) == ((1.0, 0.0, 1.0), (0.0, 1.0, 1.0))


def test_pasted_sums_are_drawn_and_stay_out_of_the_link():
    app = open_page(SERIES.script, section="sums")
    app.session_state.own_sums_box = True
    app.run()
    app.text_area(key="sums_pasted").set_value("Zyzzogeton,1,1,0\nquarter,1,1,1\n").run()
    assert (link_of(app)["sums"], link_of(app)["own_sums"]) == ("own", "none")
    assert "Zyzzogeton" not in stage_of(app)["link"]
    assert "2 sums of 3 cells." in text_of(app)
    app.button(key="sums_include").click().run()
    assert link_of(app)["own_sums"] == "110;111"
    app.button(key="sums_away").click().run()
    assert (link_of(app)["sums"], link_of(app)["own_sums"]) == ("year", "none")


def test_sums_that_cannot_be_read_are_answered_by_a_sentence():
    app = open_page(SERIES.script, section="sums")
    app.session_state.own_sums_box = True
    app.run()
    app.text_area(key="sums_pasted").set_value("1,2\n").run()
    assert "can’t be read" in text_of(app)


def test_the_steps_name_the_noise_and_the_sensitivity_is_that_of_the_sums():
    for noise in NOISES:
        link = SUMS | {"sum_noise": noise, "in_periods": "2"}
        at, result = setting_of("series", link), found_by("series", **link)
        words = section.sums_steps_text(result)
        assert section.noise_name(noise) in words
        stated = number_of(re.findall(r"[σbs] = ([\d.]+)", words)[0])
        expect_up(stated, result.own_sums.noise_scale)
        assert result.own_sums.answer_errors.sensitivity == sum_errors(at, best_way(at)).sensitivity
