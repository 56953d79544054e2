"""On a map: what one person can change, what may be published, and whether to denoise at all."""

import numpy as np
import pytest

from pages.denoising.map import section, text
from pages.denoising.map.parameters import AT_PLACE, TRIPS
from pages.framework.layout.section import Fields
from tests.pages.conftest import LIGHT
from tests.pages.denoising.test_map import COUNTS, EDGES, NODES, POINTS, map_result, own_source, release_of


def test_a_person_who_counts_once_moves_one_count_by_one_whatever_the_limits_in_the_link():
    link = {"trips": "7", "at_place": "2", "contribution": "once"}
    release = release_of(**link)
    assert (release.sensitivity, release.setting.trips, release.setting.at_place) == (1, 1, 1)
    assert release.sigma == pytest.approx(release_of(trips="1").sigma)
    assert "(at most 1 car-day per person)" in text.release_answer_text(release)[1]
    conditions = text.conditions(map_result(**link))
    assert conditions is not None
    assert conditions.items[0].words == "at most 1 car-day per person is kept"
    assert conditions.items[0].state == "confirmed"
    for contribution in ("unknown", "limited", "unlimited"):
        assert release_of(**(link | {"contribution": contribution})).sensitivity == pytest.approx(np.sqrt(13))


def test_the_limits_of_a_person_are_asked_for_unless_each_counts_once():
    for contribution, is_asked in (("once", False), ("limited", True), ("unknown", True)):
        result = map_result(contribution=contribution)
        rows = [part for part in section.parts(result, LIGHT) if isinstance(part, Fields)]
        fields = [*section.controls(result), *(field for row in rows for field in row.fields)]
        assert [limit in fields for limit in (TRIPS, AT_PLACE)] == [is_asked, is_asked]


def test_points_of_people_who_count_once_are_limited_to_one_before_counting():
    release = release_of(own_source(points=POINTS, person="driver"), places="own", contribution="once")
    assert release.count.sum() == 4
    assert "has beyond 1 point was left out before counting" in text.meaning_text(release)


def test_what_may_be_published_depends_on_what_was_fixed_and_enforced():
    roads = own_source(nodes=NODES, edges=EDGES, counts=COUNTS)
    for release, places_fixed in ((release_of(), "the box, the grid"), (release_of(roads, places="own"), "the roads")):
        _, _, publishable = text.meaning_text(release).partition("**What you may publish**")
        condition = publishable.partition("is the release and everything")[0]
        assert f"if {places_fixed} and the limits on one person were fixed without looking at the data" in condition
        assert "and the limits are enforced" in condition
