"""What nobody has typed on the page on medians, and what its lead picture shows."""

import re

import numpy as np
import pytest

from pages.framework.export.exhibit import Exhibit
from pages.framework.link import with_older_defaults
from pages.median.page import PAGE
from pages.median.quantile import section
from tests.pages.conftest import found_by, read_link
from tests.pages.median.test_quantile import LIGHT, OWN, number


@pytest.mark.parametrize(
    ("link", "percentile", "step"),
    [
        ({}, 84, 1),
        ({"median": "40000", "high": "200000"}, 112_000, None),
        ({"median": "2", "high": "3000"}, 5.6, 1),
        ({"median": "0.5", "high": "1"}, 1.4, None),
        ({"median": "-10", "shape": "normal", "low": "-100"}, 8, 1),
        ({"median": "40000", "high": "200000", "p90": "90000", "step": "100"}, 90_000, 100),
    ],
)
def test_what_nobody_has_typed_follows_the_median_and_the_range_without_a_word(link, percentile, step):
    readings, unread = read_link("median", **link)
    assert [*unread, *(reading.problem for reading in readings.values() if reading.problem)] == []
    assert readings["p90"].value == percentile
    assert np.isnan(readings["step"].value) if step is None else readings["step"].value == step
    first = PAGE.answer_text(found_by("median", **link))[0]
    figures = re.search(r", if values are like these \(median ([\d.,−e]+), 90th percentile ([\d.,]+)\), each", first)
    assert figures is not None
    assert [number(text) for text in figures.groups()] == [readings["median"].value, percentile]
    again, _ = read_link("median", **{key: reading.used for key, reading in readings.items()})
    assert {key: reading.used for key, reading in again.items()} == {k: r.used for k, r in readings.items()}


def test_a_citation_of_an_earlier_version_keeps_its_percentile_step_and_unit():
    old = with_older_defaults({"median": ["60"], "high": ["900"], "version": ["2.0"]}, PAGE.parameters)
    readings, _ = read_link("median", **{key: entry for key, (entry,) in old.items() if key != "version"})
    assert (readings["p90"].used, readings["step"].used, readings["unit"].used) == ("84", "1", "days")


@pytest.mark.parametrize("several", [{}, {"section": "several"}])
@pytest.mark.parametrize("own", [{}, OWN])
def test_a_unit_is_named_only_where_somebody_entered_one(several, own):
    for unit in ("", "minutes"):
        result = found_by("median", **own, **several, unit=unit, pinned="epsilon=0.5")
        charts = [part for part in PAGE.open_section(result).parts(result, LIGHT) if isinstance(part, Exhibit)]
        layouts = [part.picture["layout"] for part in charts if isinstance(part.picture, dict)]
        titles = [layout[axis]["title"]["text"] for layout in layouts for axis in ("xaxis", "yaxis")]
        words = " ".join((*PAGE.answer_text(result), *titles))
        assert ("** minute" in words, "(minutes)" in words) == (bool(unit), bool(unit))
        assert not re.search(r"  | of of |\(\)| [.,;:]|days", words)


@pytest.mark.parametrize("link", [{}, {"median": "40000", "high": "200000", "n_records": "10000"}, OWN])
def test_the_lead_picture_shows_the_error_its_bars_are_no_wider_than_it_or_than_a_step(link):
    result = found_by("median", **link)
    lead = next(iter(section.SECTION.parts(result, LIGHT)))
    assert getattr(lead, "name", "") == "near"
    near, release = result.quantile.near, result.setting.quantile_release
    widest = float((near["to"] - near["from"]).max())
    assert widest <= max(result.quantile.error, 1.0001 * (release.step or 0))


@pytest.mark.parametrize("end", ["low", "high"])
def test_a_range_at_the_end_of_all_numbers_has_an_answer(end):
    assert "±" in PAGE.answer_text(found_by("median", **{end: "1e15"}))[0]
