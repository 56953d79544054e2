"""On a map: what one person can change, what may be published, and whether to denoise at all."""

import math
import re

import numpy as np
import pytest

from pages.denoising.comparison import ESTIMATOR_PHRASES
from pages.denoising.map import section, text
from pages.denoising.map.section import maps_figure
from pages.denoising.parameters import AT_PLACE, TRIPS
from pages.framework.layout.section import Fields
from pages.framework.parameters.number_format import format_nearest, format_up
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


def test_a_map_is_not_denoised_where_laplace_noise_as_it_is_has_the_smaller_error():
    first, second = text.answer_text(map_result())
    release = release_of()
    squares = (release.estimates[release.best_by_sure].value - release.count).ravel() ** 2
    spread = math.sqrt(squares.mean() + 2 * squares.std(ddof=1) / math.sqrt(squares.size)) - math.sqrt(squares.mean())
    assert first == (
        f"Do not denoise: Laplace noise (ε-DP) has RMSE {5 * math.sqrt(2):.3g}, denoised Gaussian noise "
        f"((ε, δ)-DP) {format_nearest(math.sqrt(squares.mean()), 3)} ±{format_up(spread, 2)} in one release."
    )
    assert second == (
        "Each of 576 cells has noise of σ = 21.13 (at most 5 car-days per person); SURE uses the release alone and "
        "costs no privacy."
    )


CASES = [
    {"epsilon": epsilon, "grid": grid, **limits}
    for epsilon in ("0.05", "1", "8")
    for grid in ("2", "24")
    for limits in ({}, {"at_place": "1", "trips": "100"}, {"contribution": "once"})
]


@pytest.mark.parametrize("link", CASES)
def test_sentence_and_picture_of_a_map_follow_from_the_same_comparison(link):
    release = release_of(**link)
    comparison, sentence = release.comparison, text.release_answer_text(release)[0]
    l1, epsilon = release.setting.trips, release.setting.epsilon
    left = min(math.sqrt(2) * l1 / epsilon, release.sigma)  # Laplace noise has b = Δ₁/ε, and Δ₁ = L
    assert comparison.undenoised_rmse == pytest.approx(left)
    assert (comparison.other is None) == (left == release.sigma)
    assert sentence.startswith("With (ε, δ)-DP, use" if comparison.pays else "Do not denoise: ")
    panels = " ".join(note["text"] for note in maps_figure(release, LIGHT)["layout"]["annotations"])
    assert f"RMSE {format_nearest(release.rmse['none'])}" in panels
    subtitle = text.subtitle(release)
    if comparison.other is None:
        assert "as it is" not in subtitle
    else:
        assert f"Laplace noise as it is: {format_nearest(left, 3)}" in subtitle
        assert (comparison.rmse + comparison.spread < 0.99 * left * (1 + 1e-9)) == comparison.pays
    if comparison.pays:
        assert ESTIMATOR_PHRASES[release.best_by_sure] in sentence
        low, high = map(int, re.findall(r"(\d+)–(\d+) % less RMSE", sentence)[0])
        assert (
            low / 100
            <= comparison.gain[0] + 1e-9
            < 1 - release.rmse[release.best_by_sure] / (release.rmse["none"] if comparison.other is None else left)
        )
        assert high / 100 >= comparison.gain[1] - 1e-9


def test_few_places_never_recommend_what_is_not_better_on_average():
    for epsilon in ("1", "10"):
        link = {"grid": "2", "epsilon": epsilon, "at_place": "1", "trips": "100"}
        releases = [release_of(seed=str(seed), **link) for seed in range(1, 31)]
        ratio = np.mean([r.comparison.rmse**2 for r in releases]) / np.mean([r.rmse["none"] ** 2 for r in releases])
        assert ratio > 0.95
        assert sum(release.comparison.pays for release in releases) <= 1


def test_one_place_has_no_spread_and_is_not_denoised():
    source = own_source(nodes=b"id,lat,lon\na,40.7,-74\n", edges=b"u,v\na,a\n", counts=b"node,n\na,7\n")
    release = release_of(source, places="own")
    assert release.count.size == 1
    assert not release.comparison.pays
    assert "±" not in text.release_answer_text(release)[0]
    assert text.release_answer_text(release)[0].startswith("Do not denoise: Laplace noise (ε-DP)")
    alike = [release_of(source, places="own", at_place="1", trips="100", seed=str(seed)) for seed in range(1, 9)]
    reasons = {text.release_answer_text(release)[0] for release in alike}
    assert reasons == {
        "Do not denoise: judged by the release alone, no estimator reduces its error, with (ε, δ)-DP.",
        "Do not denoise: one number does not show whether denoising reduces its error, with (ε, δ)-DP.",
    }


def test_a_choice_by_the_errors_of_own_places_is_not_said_to_cost_no_privacy():
    second = text.answer_text(map_result(own_source(points=POINTS), places="own"))[1]
    assert second.endswith("the RMSEs reveal your true counts: choose by older or public places.")
    assert len(re.sub(r"\s*=\s*", "=", second).split()) <= 30
