"""The pictures of the noise of a table: over k, over ε, their handles, axes and subtitles."""

import re

import numpy as np
import pytest

from dpcore import tables
from dpcore.recommendation import LARGER, NOT_WHOLE, WEAKER
from dpcore.sensitivity import table_sensitivity
from pages.tables.mechanisms import results, section, text
from tests.pages.conftest import LIGHT, figure_of
from tests.pages.tables.answers import TWELVE, exhibits_of, line_points, picture, result_at


@pytest.mark.parametrize("error", ["each", "all"])
def test_laplace_noise_grows_like_k_gaussian_noise_like_its_root_and_they_cross_as_stated(error):
    link = TWELVE | {"cells": "100", "error": error}
    result, figure = result_at(**link), picture("noise_persons", **link)
    k, laplace = line_points(figure, "Laplace")
    _, normal = line_points(figure, "Analytic Gaussian")
    assert laplace == pytest.approx(k * laplace[0], rel=1e-6)
    assert normal == pytest.approx(np.sqrt(k) * normal[0], rel=1e-6)
    noises = {noise.key: noise for noise in result.mechanisms}
    assert laplace[k == 3] == pytest.approx(noises["laplace"].half_width(result.significance), rel=1e-6)
    first = k[np.argmax(normal < laplace)]
    assert results.narrower_range(result) == (first, 100)
    sentences = f"Analytic Gaussian noise has a smaller error than Laplace noise from k = {first:.0f} on"
    assert sentences in figure["layout"]["title"]["subtitle"]["text"]


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize("margins", ["0", "5"])
@pytest.mark.parametrize("cells", ["1", "3", "12"])
@pytest.mark.parametrize("delta", ["1e-6", "0.1"])
def test_the_gaussian_is_narrower_exactly_for_the_stated_range_of_k(neighbours, margins, cells, delta):
    link = {"table": "size", "cells": cells, "neighbours": neighbours, "margins": margins, "delta": delta}
    narrower = []
    for k in range(1, int(cells) + 1):
        sensitivity = table_sensitivity(k, 1, neighbours, int(margins), int(cells))
        calibrated = tables.mechanisms(1, float(delta), sensitivity, keys=("analytic", "laplace"))
        noises = {noise.key: noise for noise in calibrated}
        if noises["analytic"].half_width(0.05) < noises["laplace"].half_width(0.05):
            narrower.append(k)
    where = results.narrower_range(result_at(**link, error="each"))
    assert narrower == ([] if where is None else list(range(where[0], where[1] + 1)))


def test_the_last_k_is_stated_too_if_totals_make_laplace_noise_narrower_again():
    link = TWELVE | {"neighbours": "replace", "margins": "2"}
    sentences = text.narrower_text(result_at(**link))
    assert sentences == "Analytic Gaussian noise has a smaller error than Laplace noise from k = 1 to 11."
    twelve = {noise.key: noise for noise in result_at(**link | {"per_person": "12"}).mechanisms}
    at = result_at(**link).significance
    assert twelve["laplace"].half_width(at) < twelve["analytic"].half_width(at)
    assert text.narrower_text(result_at(**TWELVE | {"cells": "3"})).endswith("Gaussian noise at any k.")
    assert text.narrower_text(result_at(**TWELVE, delta="0.5")).endswith("than Laplace noise at every k.")


def in_sight(figure, values) -> np.ndarray:
    low, high = (10.0**end for end in figure["layout"]["yaxis"]["range"])
    return (values >= low * (1 - 1e-6)) & (values <= high * (1 + 1e-6))


@pytest.mark.parametrize(
    "link",
    [{}, TWELVE, {"table": "size", "cells": "1000", "per_person": "1000"}, {"delta": "0.9"}, {"delta": "1e-300"}],
)
def test_every_line_over_epsilon_is_visible_and_the_axis_is_fixed_while_epsilon_changes(link):
    figure = picture("noise_epsilon", **link)
    for trace in figure["data"]:
        y = np.asarray(trace["y"], float)
        off = figure["layout"]["title"]["subtitle"]["text"].partition("Off the axis: ")[2]
        named = f"{trace['name'].removesuffix(' (point)')} at" in off
        assert np.all(in_sight(figure, y[np.isfinite(y)])) != named, trace["name"]
    for epsilon in ("0", "0.001", "7", "100", "1e6"):
        moved = picture("noise_epsilon", **link | {"epsilon": epsilon})
        assert moved["layout"]["yaxis"] == figure["layout"]["yaxis"]


@pytest.mark.parametrize("more", [{"epsilon": "1e6"}, {"significance": "0.999", "error": "each"}, {"epsilon": "100"}])
def test_every_noise_over_k_is_visible_however_small_it_is(more):
    figure = picture("noise_persons", **TWELVE | more, mechanisms="all")
    for name in ("Laplace", "Analytic Gaussian", "pDP Gaussian"):
        assert np.any(in_sight(figure, line_points(figure, name)[1]))


def subtitle(name: str, **link: str) -> str:
    return picture(name, **link, mechanisms="all")["layout"]["title"]["subtitle"]["text"]


def test_a_subtitle_explains_the_dots_crosses_and_gaps_that_are_drawn_and_no_others():
    assert not re.search("Dotted|Red|no line|Off the axis", subtitle("noise_persons", **TWELVE, epsilon="0.5"))
    assert "Dotted: outside the theorem" in subtitle("noise_persons", **TWELVE, epsilon="2")
    assert "Red" not in subtitle("noise_persons", **TWELVE, epsilon="2")
    failing = subtitle("noise_persons", **TWELVE, epsilon="20")
    assert "Red ×: guarantee violated" in failing
    assert "Dotted" not in failing
    assert "Where Geometric has no line, its ± is 0" in subtitle("noise_epsilon")
    assert "no line" not in subtitle("noise_epsilon", per_cell="0.5")


def test_a_noise_that_the_axis_has_no_place_for_is_named_with_its_reach():
    sentences = subtitle("noise_persons", **TWELVE, significance="0.999", error="each")
    assert sentences.endswith("Off the axis: Discrete Gaussian at 0; Truncated geometric at 0")


def test_the_handles_set_k_and_epsilon():
    for name, key in (("noise_persons", "per_person"), ("noise_epsilon", "epsilon")):
        assert [shape["name"] for shape in picture(name)["layout"]["shapes"] if "name" in shape] == [key]


def test_the_picture_is_over_what_the_user_chose():
    for against, name in (("per_person", "noise_persons"), ("epsilon", "noise_epsilon")):
        result = section.half_widths(result_at(against=against), LIGHT)
        assert result is not None
        assert result.name == name


def test_a_pinned_setting_is_drawn_grey_and_compared_in_words():
    link = "epsilon=0.5&delta=1e-6&l2_sensitivity=1&significance=0.05&table=size&cells=12&per_person=3"
    result = result_at(**TWELVE, pinned=link)
    for name in ("noise_persons", "noise_epsilon"):
        assert any(trace["name"] == "pinned" for trace in figure_of(exhibits_of(result)[name])["data"])
    assert text.comparison_text(result) == ("Compared with the pin (ε = 0.5): ±33 → ±16 for all 12 cells; same noise.")
    assert "has no noise" in text.comparison_text(result_at(epsilon="0", pinned=link))


RANKED = (
    {},
    {"per_person": "8"},
    {"per_person": "8", "promise": "delta", "mechanisms": "all"},
    {"per_person": "40", "mechanisms": "all", "epsilon": "5"},
    {"promise": "delta", "mechanisms": "all", "per_cell": "0.5"},
    {"promise": "delta", "epsilon": "20", "mechanisms": "all"},
    {"per_person": "64", "delta": "1e-300"},
)


@pytest.mark.parametrize("link", RANKED)
def test_the_first_picture_begins_with_the_noise_of_the_sentence_and_greys_what_cannot_be_used(link):
    result, figure = result_at(**link), picture("noise_ranked", **link)
    best = result.recommendation
    assert best is not None
    rows = sorted(figure["data"], key=lambda trace: trace["y"][0])
    assert [trace["y"][0] for trace in rows] == [*range(len(rows))]
    assert rows[0]["name"] == best.mechanism.name
    notes = [(note["text"], note["y"]) for note in figure["layout"]["annotations"]]
    whole = ": whole numbers" * (best.reason == "whole")  # which may have a little more error than the next row
    assert (f"<b>{best.mechanism.name}</b> · use this{whole}", 0) in notes
    half_width = next(words for words, row in notes if row == 0 and words.startswith("±"))
    assert half_width in text.answer_text(result)[0]
    why = {other.mechanism.name: other.reason for other in best.passed_over}
    usable = {name for name, reason in why.items() if reason in (LARGER, NOT_WHOLE, WEAKER)}
    sizes = []
    for row, trace in enumerate(rows[1:], 1):
        name = trace["name"]
        (head,) = [words for words, place in notes if place == row and not words.startswith("±")]
        assert (trace["marker"]["color"] == LIGHT["quiet"]) == (name not in usable), name
        assert (head == name) == (name in usable), head
        sizes.append((name not in usable, float(trace["x"][0])))
        if name in usable and why[name] == LARGER:
            assert float(trace["x"][0]) > best.error * (1 - 1e-6)
    assert sizes == sorted(sizes)
    assert len(rows) <= 4 or link["mechanisms"] == "all"


def test_the_words_beside_a_grey_noise_are_the_reason_of_the_recommendation():
    words = {
        row["noise"]: row["obstacle"]
        for row in exhibits_of(result_at(mechanisms="all", per_person="8"))["noise_ranked"].table.to_dict("records")
    }
    assert {words["Geometric"], words["Laplace"]} == {""}
    assert {words["Analytic Gaussian"], words["Classical Gaussian"]} == {"needs δ > 0"}
    with_delta = {
        noise.mechanism.key: noise.obstacle
        for epsilon in ("2", "20")
        for noise in results.ranked_noises(result_at(promise="delta", mechanisms="all", epsilon=epsilon))
        if noise.obstacle
    }
    assert with_delta["classical"] == "guarantee violated"
    assert with_delta["generalized_gaussian"] == "no safe sampler"
    unproved = {
        noise.mechanism.key: noise.obstacle
        for noise in results.ranked_noises(result_at(promise="delta", mechanisms="all", epsilon="2"))
    }
    assert unproved["classical"] == "outside its theorem"


def test_without_a_noise_for_the_guarantee_the_picture_recommends_none():
    figure = picture("noise_ranked", epsilon="0")
    assert result_at(epsilon="0").recommendation is None
    assert figure["layout"]["title"]["text"] == "Error of each noise"
    assert {trace["marker"]["color"] for trace in figure["data"]} == {LIGHT["quiet"]}
    assert "use this" not in repr(figure["layout"])


def test_the_pin_stands_in_the_rows_of_its_noises():
    link = "epsilon=0.5&table=size&cells=12&per_person=3"
    figure = picture("noise_ranked", **TWELVE, pinned=link)
    pinned = next(trace for trace in figure["data"] if trace["name"] == "pinned")
    assert len(pinned["x"]) == len(figure["data"]) - 1
    assert "grey points: the pin" in figure["layout"]["title"]["subtitle"]["text"]
