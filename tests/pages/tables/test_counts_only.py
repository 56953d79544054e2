"""Counts that come without the rows of people: how to add their noise, and what the conditions ask of their limit."""

import pandas as pd
import pytest

from pages.framework import link as links
from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import format_up, without_markdown
from pages.shared.counts.table import YOURS, Counts, Upload
from pages.tables.page import PAGE
from pages.tables.text import cells_html, short_parameters_text
from tests.pages.conftest import read_link

FRAME = pd.DataFrame({"cell": ["North", "South"], "count": [120.0, 40.0]})


def result_at(is_from_records=False, **link):
    values = links.values(read_link("tables", table="own", **link)[0])
    return PAGE.compute(values, Upload(Counts(FRAME, YOURS, is_from_records=is_from_records)))


def conditions_at(**link):
    result = result_at(**link)
    conditions = PAGE.open_section(result).conditions(result)
    assert conditions is not None
    return conditions


@pytest.mark.parametrize(
    ("mechanism", "call"),
    [
        ("geometric", "dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), 1.0"),
        ("laplace", "dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), 1.0"),
        ("analytic", "dp.m.make_gaussian(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), "),
        ("discrete_gaussian", "dp.m.make_gaussian(dp.atom_domain(T=int), dp.absolute_distance(T=float), "),
    ],
)
def test_counts_without_rows_of_people_get_their_noise_by_a_line_of_opendp(mechanism, call):
    result = result_at(section="table", mechanism=mechanism, contribution="once", fixed="yes")
    files, noise = PAGE.open_section(result).downloads(result), result.section_mechanism
    assert files is not None
    assert noise is not None
    assert call in files.text
    assert f", {float(noise.scale)!r})`" in files.text
    assert "it must have been kept when they were made" in files.text


@pytest.mark.parametrize("section", ["table", "noise", "appear"])
def test_counts_are_asked_whether_they_were_made_after_the_limit(section):
    def limited(**link):
        asked = conditions_at(section=section, **link).questions[0].fields[0]
        return "" if not isinstance(asked, Field) or asked.options is None else asked.options["entering"]

    assert limited() == "Yes, up to a limit that was enforced before these counts were made"
    assert limited(is_from_records=True) == "Yes, up to a limit that is enforced"


@pytest.mark.parametrize("section", ["table", "noise", "appear"])
def test_counts_without_a_limit_must_be_made_again_with_one(section):
    unlimited = {"section": section, "contribution": "unlimited", "fixed": "yes"}
    refusal = conditions_at(**unlimited).refusal
    assert refusal is not None
    assert "can’t be limited any more once they are made" in without_markdown(refusal[1])
    assert "and count again" in refusal[1]
    records = conditions_at(is_from_records=True, **unlimited).refusal
    assert records is not None
    assert records[1].startswith("Before anything is counted, keep at most a fixed number")


def test_the_cells_in_numbers_have_the_half_width_and_words_for_their_columns():
    result = result_at(
        section="table", contribution="limited", per_person="5", per_cell="2", per_total="5", fixed="yes"
    )
    table = cells_html(result)
    assert table.count(f">±{format_up(result.half_width)}<") == len(FRAME)
    assert "Above 0 in 95 % of releases" in table
    assert short_parameters_text(result) == "ε = 1, k = 5 cells per person, c = 2 in each, N = 5 in all"
