import doctest

import numpy as np
import pytest

from dpcore import gaussian
from pages.framework.link import values
from pages.framework.parameters import list_parameter
from pages.framework.parameters.parameter import PartlyUsableError
from pages.tradeoff import curve_kinds, curve_list, text
from pages.tradeoff.attack import upload
from pages.tradeoff.curve_kinds import Points, linked_points
from pages.tradeoff.results import compute_result
from tests.pages.conftest import read_link
from tests.pages.tradeoff.test_exhibits import ONE_OF_EACH

LISTING = curve_list.curves_parameter({})


@pytest.mark.parametrize("module", [upload, curve_list, text, list_parameter])
def test_the_examples_of_the_docstrings_hold(module):
    failed, tried = doctest.testmod(module)
    assert (failed, tried > 0) == (0, True)


@pytest.mark.parametrize(
    ("link", "parts"),
    [
        ({"curves": "gdp:abc@blue="}, ("Curve 1", "μ must be from 0 to 1e6", "abc was given", "left out")),
        ({"curves": "approx:1@blue="}, ("Curve 1: approx needs 2 numbers; 1 was given", "left out")),
        ({"curves": "points:0.1_0.6@blue="}, ("Curve 1", "at least 2 points", "left out")),
        ({"curves": "points:0.1-0.6@blue="}, ("Curve 1", "alpha_beta~alpha_beta; 0.1-0.6 was given", "left out")),
        (
            {"curves": "points:0.5_0.9~0.6_0.2@blue="},
            ("Curve 1", "beta of", "must be from 0 to 0.5 (1 - alpha); 0.9 was given", "left out"),
        ),
        ({"curves": "points:0.1_nan~0.6_0.2@blue="}, ("Curve 1", "must be from 0 to 1; nan was given", "left out")),
        ({"curves": "points:file3@blue="}, ("Curve 1", "the link does not contain", "left out")),
        ({"curves": "here_laplace:1@blue="}, ("Curve 1: here_laplace needs no numbers; 1 was given", "left out")),
        ({"curves": "here_laplace:*2@blue="}, ("Curve 1: a curve that follows the page’s ε and δ is released once",)),
        ({"curves": "claim:0.1_0.6@blue="}, ("Curve 1", "at least 2 points", "left out")),
        ({"curves": "laplace:1*0@blue="}, ("Curve 1", "releases must be a whole number from 1", "0 was")),
        ({"curves": "sgm:0.2,0.9,1000000@blue="}, ("Curve 1", "steps must be from 1 to", "left out")),
        ({"curves": "laplace:1e5*1000@blue="}, ("Curve 1", "releases must be from 1 to", "left out")),
        (
            {"curves": "nonsense:1"},
            ("Curve 1: its kind must be one of here_approx", "nonsense:1 was given", "left out"),
        ),
        ({"curves": "gdp:1@pink="}, ("Curve 1", "colour", "pink was given", "blue is used instead")),
        ({"curves": ";".join(["gdp:1"] * 9)}, ("9 curves", "first 8")),
        ({"curves": ""}, ("curves must be entries", "nothing was given")),
        ({"alpha": "1.5"}, ("α must be from 0 to 1; 1.5 was given: write 1.5 % if that is meant.",)),
        (
            {"alpha": "nan"},
            ("α must be from 0 to 1; nan was given, which is not a number. 0.05 is used instead.",),
        ),
        (
            {"prior": "0"},
            ("prior probability must be from 1e-300 to below 1; 0 was given. 0.1 is used instead.",),
        ),
        ({"prior": "1e-301"}, ("prior probability must be from 1e-300 to below 1; 1e-301 was given.",)),
        ({"view": "3d"}, ("view must be one of power, errors, log; 3d was given.",)),
        ({"quote": "mu"}, ("quoted must be one of delta, epsilon; mu was given.",)),
        ({"confidence": "1"}, ("confidence must be from 0.5 to below 1; 1 was given.",)),
        ({"seed": "1.5"}, ("seed must be a whole number from 0 to 1e9; 1.5 was given.",)),
        ({"attack": "5_1_2_3"}, ("attack must be none, own, or at most 20 points", "5_1_2_3 was given")),
    ],
    ids=lambda value: str(value)[:40],
)
def test_an_unusable_value_of_a_link_is_named_in_one_sentence(link, parts):
    (sentence,) = read_link("tradeoff", **link)[1]
    assert [part for part in parts if part not in sentence] == []
    assert len(sentence) < 270
    if "left out" in sentence or "nothing was given" in sentence:
        assert sentence.endswith("The default curves are used instead.")


def test_a_list_of_curves_survives_being_written_and_read():
    assert list_parameter.list_text(LISTING.read(ONE_OF_EACH)) == ONE_OF_EACH
    with pytest.raises(PartlyUsableError) as error:
        LISTING.read("gdp:1@blue=;nonsense:1")
    assert error.value.entry == "!gdp:1@blue="
    assert LISTING.read(error.value.entry)[0].kind == "gdp"


def test_a_curve_that_follows_the_page_survives_being_written_and_read():
    items = LISTING.read(curve_list.DEFAULTS)
    assert list_parameter.list_text(items) == curve_list.DEFAULTS
    assert [item.follows_page for item in items] == [True] * 3
    assert [curve_list.item_at(item, 2, 1e-3).kind for item in items] == ["approx", "sigma", "laplace"]
    guaranteed, bell, laplaces = (curve_kinds.curve_of(curve_list.item_at(item, 2, 1e-3).recipe) for item in items)
    assert bell.mu == pytest.approx(1 / gaussian.analytic_sigma(2, 1e-3), rel=1e-12)
    assert float(guaranteed.power(np.asarray(0.1))) == pytest.approx(0.1 * np.exp(2) + 1e-3)
    assert float(laplaces.power(np.asarray(0.01))) == pytest.approx(0.01 * np.exp(2))


@pytest.mark.parametrize("epsilon", [0, 1e-12, 1 / 3, 1e6])
@pytest.mark.parametrize("delta", [1e-300, 1 / 3, 0.999])
def test_a_curve_that_follows_the_page_does_so_everywhere(epsilon, delta):
    for item in LISTING.read(curve_list.DEFAULTS):
        power = float(curve_kinds.curve_of(curve_list.item_at(item, epsilon, delta).recipe).power(np.asarray(0.5)))
        assert 0.5 <= power <= 1


def test_a_curve_of_a_link_that_cannot_be_made_is_left_out_and_never_shown_with_other_numbers():
    with pytest.raises(PartlyUsableError) as error:
        LISTING.read("gdp:1@blue=;sgm:0.2,0.9,1000000@teal=Ours;laplace:1e5*1000@rose=Theirs;gdp:x@grey=Mine")
    assert error.value.entry == "!gdp:1@blue="
    starts = ("Curve 2: steps must be from 1 to", "Curve 3: releases must be from 1 to", "Curve 4: μ must be")
    assert [problem.startswith(start) for problem, start in zip(error.value.problems, starts, strict=True)] == [
        True
    ] * 3


def test_numbers_are_read_as_people_write_them():
    items = LISTING.read("gdp:1/2*2·2;sigma:√3,2^2")
    assert [item.values for item in items] == [(0.5,), (3**0.5, 4.0)]
    assert items[0].recipe.releases == 4


def test_a_typed_number_with_a_sign_of_the_list_is_held_as_its_value():
    (item,) = LISTING.read("geometric:1,5")
    changed = curve_list.with_entries(item, {"theta": "2*√3", "sensitivity": "1,000", "releases": "1,000"})
    assert list_parameter.list_text([changed]) == "!geometric:3.4641016151377544,1000*1000@blue="
    assert LISTING.read(changed.link_text())[0] == changed


def test_points_of_a_file_are_those_that_the_session_holds():
    alpha, beta = linked_points("0.1_0.6~0.5_0.1").alpha, linked_points("0.1_0.6~0.5_0.1").beta
    (item,) = curve_list.curves_parameter({"file1": Points(alpha, beta)}).read("points:file1@blue=")
    assert item.link_text() == "!points:file1@blue="
    (linked,) = LISTING.read("points:0.1_0.6~0.5_0.1")
    assert curve_kinds.curve_of(item.recipe)(0.1) == pytest.approx(curve_kinds.curve_of(linked.recipe)(0.1))


def test_a_list_takes_at_most_about_two_compositions_of_a_million_releases():
    with pytest.raises(PartlyUsableError) as error:
        LISTING.read(";".join(f"laplace:{place}e-6*1000000" for place in range(1, 9)))
    assert error.value.entry.count("*") == 2
    assert [problem.split(":")[0] for problem in error.value.problems] == [f"Curve {place}" for place in range(3, 9)]
    assert "this list would take too long to compute" in error.value.problems[0]
    closed = ";".join(f"{kind}*1000000" for kind in ("gdp:1e-6", "pure:1e-6", "approx:1e-6,1e-12", "zcdp:1e-6"))
    assert len(LISTING.read(f"{closed};{closed}")) == 8
    assert len(LISTING.read(";".join(["sgm:1,0.01,1000@blue="] * 8))) == 8


def test_a_curve_that_cannot_be_made_counts_to_what_a_list_may_ask():
    with pytest.raises(PartlyUsableError) as error:
        LISTING.read("laplace:1e3*1000000;laplace:2e3*1000000;laplace:1e-6*1000000;gdp:1")
    assert error.value.entry == "!gdp:1@purple="
    assert ["too long" in problem for problem in error.value.problems] == [False, False, True]


def test_the_cost_of_a_curve_grows_with_its_releases_unless_it_has_a_closed_form():
    listed = "!laplace:1e-6*1000000;sgm:1,0.01,900;sgm:1,1e-6,900*100;gdp:1*1000;sgm:1,0.01,1;laplace:1"
    assert [curve_kinds.computing_cost(item.recipe) for item in LISTING.read(listed)] == [1200, 230, 650, 0, 0, 0]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("5, 100, 60, 100\n5; 4; 1; 9", "line 2: false_positives is 5, above non_members, 4"),
        ("5 100 60", "line 1: four numbers are needed, and 3 were given"),
        ("\n".join(["5 100 60 100"] * 21), "at most 20 lines fit a link, and there are 21"),
        ("5 100 60 x", "line 1: members is x, not a whole number"),
    ],
)
def test_typed_counts_that_cannot_be_read_are_named_with_their_line(typed, sentence):
    with pytest.raises(ValueError, match="line") as error:
        upload.counts_of_lines(typed)
    assert sentence in str(error.value)


def test_counts_may_be_apart_by_spaces_and_under_a_header():
    for header in (
        "false_positives, non_members, false_negatives, members",
        "false_alarms, non_members, misses, members",
    ):
        assert upload.counts_of_lines(f"{header}\n5 100 60 100") == "5_100_60_100"
    assert upload.typed_lines("5_100_60_100~20_100_30_100") == "5, 100, 60, 100\n20, 100, 30, 100"
    assert upload.counts_of_lines(upload.typed_lines(upload.EXAMPLE)) == upload.EXAMPLE


def test_the_link_says_whether_the_attack_is_that_of_the_session_or_stands_in_the_link():
    attack = upload.attack_of_counts("5_100_60_100")
    of_session = compute_result(values(read_link("tradeoff", attack="own")[0]), attack)
    assert of_session.attack is attack
    assert "1 measured point of your results" in text.source_text(attack)
    linked = compute_result(values(read_link("tradeoff", attack="25_1000_760_1000")[0]), attack)
    assert linked.attack is not None
    assert linked.attack.measurements.false_positives.tolist() == [25]
    without = compute_result(values(read_link("tradeoff", attack="own")[0]))
    assert (without.attack, without.lacks_attack) == (None, True)
    assert text.outcome_text(without) == " ".join(text.MISSING)


def test_a_report_names_the_curves_in_words_and_tells_no_points_of_the_user():
    listed = "!sigma:1,2*3@blue=My%20noise;here_laplace:@orange=;gdp:1@green=;points:0.1_0.5~0.3_0.4@rose="
    words = curve_list.curves_parameter({}).in_words(listed)
    assert words == "My noise: Gaussian σ = 1, Δ = 2, 3 ×; Laplace noise at this page’s ε; μ = 1; Points"
