"""Published guarantees beside a release of every year: its ε and δ add up, and so do those of a period in one year."""

import re
from math import isnan, log10

import pytest

from dpcore import composition
from pages.composition.published import results, text
from pages.composition.published.deployments_data import DEPLOYMENTS, PROTECTED
from pages.composition.published.section import SECTION, guarantees_chart
from pages.composition.published.text import answer_text
from pages.framework.parameters.number_format import format_up
from pages.shared.looks import COLOURS
from tests.pages.composition.section_checks import expect_complete_exhibits
from tests.pages.conftest import figure_of, found_by, read_link


def yearly(**link):
    return found_by("composition", section="published", released="yearly", **link)


@pytest.mark.parametrize(("epsilon", "years", "total"), [("1", "10", 10), ("0.1", "3", 0.3), ("2.5", "1", 2.5)])
def test_the_epsilon_of_every_year_is_added_and_compared_with_those_released_once(epsilon, years, total):
    result = yearly(epsilon=epsilon, years=years)
    assert results.total_epsilon(result) == total  # of decimal numbers: no last bit of 3 · 0.1
    headline, meaning = answer_text(result)
    said = f"{years} years" if years != "1" else "1 year"
    printed = [row.printed_epsilon for row in DEPLOYMENTS if row.protects == PROTECTED[0] and not row.prints_rho]
    place = "below" if total < min(printed) else "within"
    assert headline.startswith(
        f"ε = {total:g} in {said}, {epsilon} in each, is {place} those published for a person’s record (once: "
    )
    assert "and the same people are in the data every year" in meaning
    layout = figure_of(guarantees_chart(result, COLOURS["light"]))["layout"]
    lines = {(float(epsilon), "epsilon", f"ε = {epsilon} in each year"), (total, "", f"ε = {total:g} in {said}")}
    lines = lines if total != float(epsilon) else {(total, "epsilon", f"ε = {total:g} in {said}")}
    labels = {round(10 ** note["x"], 6): note["text"] for note in layout["annotations"] if note["text"][:4] == "ε = "}
    drawn = [(shape["x0"], shape.get("name", "")) for shape in layout["shapes"]]
    assert sorted(drawn) == sorted((value, handle) for value, handle, _ in lines)
    assert labels == {value: words for value, _, words in lines}
    public = text.statements(result).public
    assert f"is {epsilon}: " in public
    assert f"With one release about the same people every year it adds up to {total:g} in {said}." in public
    assert f"of all releases of a year together: each year after {said} adds its own." in public
    assert f"This is {place} those" in public


def test_guarantees_of_a_period_are_compared_in_one_year_with_one_yearly_release():
    result = yearly(epsilon="30", years="10")
    said = text.comparison_text(result)
    for protected in PROTECTED:
        rows = [row for row in DEPLOYMENTS if row.protects == protected]
        in_a_year = sorted(year[0] for year in map(results.composed_year, rows) if year is not None)
        found = re.findall(rf"(\w+) those for {protected} \(in one year: ([\d.,]+) to ([\d.,]+)\)", said)
        assert len(found) == bool(in_a_year)
        for place, *ends in found:
            assert ends == [format_up(in_a_year[0]), format_up(in_a_year[-1])]
            assert place == ("below" if in_a_year[0] > 30 else "within")
    total, one = said.split(" ε = 30 in one year is ")  # each ε beside those with which it is compared
    assert total.startswith("**ε = 300 in 10 years by what is protected.**")
    assert "one year" not in total
    assert "once" not in one
    assert "Their periods of a year add up by basic composition, those of Wikimedia views by zCDP." in one
    assert "1.672" not in said
    assert "Windows telemetry is left out: its devices repeat their noisy responses." in said


@pytest.mark.parametrize("link", [{}, {"at_delta": "page", "delta": "1e-4", "years": "40"}])
def test_the_picture_marks_the_epsilon_of_one_year_that_the_sentences_compare(link):
    result = yearly(**link)
    figure = figure_of(guarantees_chart(result, COLOURS["light"]))
    (marks,) = [trace for trace in figure["data"] if trace["name"] == "in one year"]
    drawn = dict(zip(marks["y"], marks["x"], strict=True))
    said = re.findall(
        r"those for ([\w ,’]+) \(in one year: ([\d.,]+)(?: to ([\d.,]+))?\)", text.comparison_text(result)
    )
    assert len(said) == 2
    for protected, low, high in said:
        places = [place for place, row in enumerate(DEPLOYMENTS) if row.protects == protected]
        values = [float(drawn[place]) for place in places if not isnan(drawn[place])]
        assert [format_up(min(values)), format_up(max(values))] == [low, high or low]
    low, high = figure["layout"]["xaxis"]["range"]
    assert all(low < log10(value) < high for value in drawn.values() if not isnan(value))
    once = figure_of(guarantees_chart(found_by("composition", section="published"), COLOURS["light"]))
    assert "in one year" not in {trace["name"] for trace in once["data"]}


def test_delta_adds_up_too_and_all_guarantees_are_at_that_of_all_years():
    result = yearly(at_delta="page", delta="1e-7", years="30")
    assert results.total_delta(result) == 3e-6
    assert answer_text(result)[0].startswith("ε = 30 in 30 years at δ = 3e-6, 1 in each, is above those proved for ")
    rows = results.restatements_at(result)
    assert {row.delta for row in rows} == {3e-6}
    once = [row.proved for row in rows if row.deployment.protects == PROTECTED[0]]
    ends = f"(once: {format_up(min(once))} to {format_up(max(once))})"
    assert ends in answer_text(result)[0]
    assert "at a delta of 1 in 333,333" in text.statements(result).public


def test_a_year_at_another_delta_has_its_own_conversion_and_none_below_its_own_delta():
    rows = {row.name: row for row in DEPLOYMENTS}
    views, vaccine = rows["Wikimedia views"], rows["Google vaccine"]
    at = results.composed_year(views, 1e-3)
    assert at is not None
    assert at == (pytest.approx(float(composition.epsilon_from_rho(1e-3, 365 * 0.015, conversion="tight"))), 1e-3)
    assert results.composed_year(vaccine, 364e-5) is None
    assert results.composed_year(vaccine, 0.1) == results.composed_year(vaccine)
    assert results.composed_year(rows["Census 2020, persons"], 0.1) is None


def test_so_many_years_that_delta_reaches_one_are_corrected_in_one_sentence():
    link = {"section": "published", "released": "yearly", "at_delta": "page", "delta": "0.01", "years": "100"}
    readings, _ = read_link("composition", **link)
    assert readings["years"].problem == (
        "years must be at most 99, as δ of all years must be below 1; 100 were given. 99 are used instead."
    )
    assert readings["years"].value == 99
    for unused in ({"section": "profile"}, {"released": "once"}, {"years": "99"}):
        assert not any(reading.problem for reading in read_link("composition", **link | unused)[0].values())


@pytest.mark.parametrize(
    "link", [{}, {"at_delta": "page", "delta": "0.5", "years": "1"}, {"epsilon": "0", "years": "7"}]
)
def test_the_pictures_and_sentences_are_complete_for_a_yearly_release(link):
    result = yearly(pinned="epsilon=0.5&delta=1e-9", **link)
    expect_complete_exhibits(SECTION, result, "dark")
    assert "nan" not in " ".join(answer_text(result))


def test_the_same_noise_has_a_smaller_epsilon_at_a_larger_delta_and_the_page_says_so():
    said = text.comparison_text(found_by("composition", section="published", delta="1e-6"))
    own, other = (
        float(number) for number in re.findall(r"has ([\d.]+) at its own δ = 1e-10, and ([\d.]+) at δ", said)[0]
    )
    (row,) = [row for row in DEPLOYMENTS if row.name == "Census DHC, persons"]
    for stated, delta in ((own, 1e-10), (other, 1e-6)):
        proved = float(composition.epsilon_from_rho(delta, row.releases[0].numbers[0], conversion="tight"))
        assert proved <= stated <= proved * 1.001
    assert not isnan(own)
    assert other < own


@pytest.mark.parametrize("released", ["once", "yearly"])
@pytest.mark.parametrize("at_delta", ["own", "page"])
def test_who_decides_reads_the_source_and_the_neighbours_of_each_guarantee_for_a_person(released, at_delta):
    stated = text.statements(found_by("composition", section="published", released=released, at_delta=at_delta))
    rows = [row for row in DEPLOYMENTS if row.protects == PROTECTED[0] and not (at_delta == "own" and row.prints_rho)]
    for words in (stated.paper, stated.experts):
        assert words.count("(neighbours: ") == len(rows) > 2
        assert all(f"(neighbours: {row.adjacency}; {row.source})" in words for row in rows)
