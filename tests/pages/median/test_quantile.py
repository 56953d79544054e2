"""The page on medians: every number of its sentences, its problems, and how fast it is."""

import re

import numpy as np
import pytest

from dpcore import clipping, quantiles, selection, verify
from pages.framework.layout import panels
from pages.framework.layout.section import Field
from pages.median.page import PAGE
from pages.median.parameters import MOST_CANDIDATES, MOST_PEOPLE
from pages.median.quantile import section
from pages.median.quantile.text import accepted_text, quantile_steps_text
from pages.shared.looks import COLOURS
from pages.shared.values.parameters import ValuesUpload, linked_values
from tests.pages.conftest import figure_of, found_by, html_of, read_link
from tests.pages.figure_checks import Setting
from tests.pages.median.figure_checks import half_width, outputs, values

LIGHT = COLOURS["light"]
CHECKED = {"contribution": "once", "fixed": "yes"}
OWN = {"source": "own", "own": "1;2;2.5;3;3;4;5;8;9;50;400", "high": "500", **CHECKED}
LINKS = (
    {},
    {"n_records": "12400", "epsilon": "0.01", "high": "900"},
    {"quantile": "0.9", "epsilon": "0.1", "neighbours": "replace", "significance": "0.01"},
    {"step": "none", "epsilon": "0.5", "n_records": "12400", "low": "-3"},
    OWN,
    OWN | {"quantile": "0", "step": "none", "low": "-10"},
)


def number(text):
    """Return the number of a text as the page writes it."""
    return float(text.replace(",", "").replace("−", "-"))


def setting_of(link):
    return Setting(**{key: reading.value for key, reading in read_link("median", **link)[0].items()})


def drawn(draw, result):
    """Return an exhibit that must be there."""
    exhibit = draw(result, LIGHT)
    assert exhibit is not None
    return exhibit


def expect_up(stated, exact, digits=4):
    """Check that a stated number is the exact one, rounded up to some digits."""
    assert exact * (1 - 1e-12) <= stated <= exact * (1 + 10.0 ** (1 - digits)) * (1 + 1e-9)


@pytest.mark.parametrize("link", LINKS)
def test_the_error_of_the_answer_is_that_of_dpcore(link):
    result, setting = found_by("median", **link), setting_of(link)
    first, second = PAGE.answer_text(result)[:2]
    mechanism = "any_number" if np.isnan(setting.step) else "permute_and_flip"
    expect_up(
        number(re.findall(r"±([\d.,e−-]+)\*\*", first)[0]), float(half_width(setting, setting.epsilon, mechanism))
    )
    vars(setting)["high"] = 2 * setting.high - setting.low
    assert number(re.findall(r"hi = ([\d.,]+):", second)[0]) == setting.high
    expect_up(
        number(re.findall(r"hi = [\d.,]+: ±([\d.,e-]+);", second)[0]),
        float(half_width(setting, setting.epsilon, mechanism)),
    )
    assert second.startswith("By permute-and-flip on") == (mechanism == "permute_and_flip")
    people = len(setting.own) if setting.own else int(setting.n_records)
    assert f"{people:,} people" in first


@pytest.mark.parametrize("link", [*LINKS, {"epsilon": "0.05"}, {"quantile": "1"}, {"n_records": "1000000"}])
def test_the_cliff_is_rare_from_the_stated_epsilon_on(link):
    result, setting = found_by("median", **link), setting_of(link)
    sentence = PAGE.answer_text(result)[1]

    def cliff(epsilon):
        known = values(setting), setting.quantile, epsilon, outputs(setting)
        both = quantiles.cliff_probability(*known, setting.neighbours)
        return float(both.below + both.above)

    shares = re.findall(r"⚠? ?(?<!at most )(?<![\d.])([\d.]+) % of releases are beyond", sentence)
    if shares:
        expect_up(number(shares[0]) / 100, cliff(setting.epsilon), 3)
    if "no ε makes that rare" in sentence:
        assert cliff(1e6) > 1e-3
        return
    stated = number(re.findall(r"from (?:ε = )?([\d.e-]+)(?: or [\d,]+ people)? on", sentence)[0])
    assert cliff(stated) <= 1e-3
    assert stated == 0.001 or cliff(stated / 1.02) > 1e-3
    assert bool(shares) == (cliff(setting.epsilon) > 1e-3)


@pytest.mark.parametrize("link", LINKS)
def test_the_steps_name_the_release_and_no_error(link):
    result, steps = found_by("median", **link), quantile_steps_text(found_by("median", **link))
    way = "exponential mechanism" if np.isnan(setting_of(link).step) else "permute-and-flip"
    assert f"by {'the ' if way.endswith('mechanism') else ''}{way} on" in steps
    assert number(re.findall(r"ε = ([\d.]+),", steps)[0]) == result.setting.epsilon
    assert not re.search(r"±[\d.]", steps)


def test_the_check_values_of_the_issue():
    """Lognormal waiting times of 12,400 people with a log-deviation of 0.8, any number of the range."""
    link = {"n_records": "12400", "p90": repr(float(30 * np.exp(0.8 * 1.2815515655446004))), "step": "none"}
    errors = [found_by("median", epsilon=epsilon, **link).quantile.error for epsilon in ("0.5", "0.1")]
    exact = quantiles.half_width(clipping.lognormal(np.log(30), 0.8, 12_400), 0.5, [0.5, 0.1], quantiles.Range(0, 600))
    assert errors == pytest.approx(exact.tolist(), rel=1e-9)
    assert errors == pytest.approx([0.037, 0.169], rel=0.25)  # those of one sample


@pytest.mark.parametrize("link", LINKS)
def test_the_table_has_the_errors_of_other_releases(link):
    result, setting = found_by("median", **link), setting_of(link)
    rows = dict(result.quantile.choices.to_dict("split")["data"])
    mechanism = "any_number" if np.isnan(setting.step) else "permute_and_flip"
    for name, factor in (("yours", 1), ("half", 0.5), ("double", 2)):
        assert rows[name] == pytest.approx(float(half_width(setting, factor * setting.epsilon, mechanism)))
    known = values(setting), setting.quantile, setting.epsilon, outputs(setting)
    both = quantiles.population_half_width(*known, setting.significance, setting.neighbours)
    if mechanism != "any_number":
        assert rows["exponential"] == float(half_width(setting, setting.epsilon, "exponential"))
        assert rows["any_number"] == pytest.approx(float(half_width(setting, setting.epsilon, "any_number")))
    assert rows["population"] == pytest.approx(float(both))
    html = html_of(drawn(section.choices, result))
    assert html.count("<tr>") == len(rows) + 1


def test_the_bars_of_the_whole_range_hold_everybody_and_every_release():
    for link in LINKS:
        whole = found_by("median", **link).quantile.whole
        assert whole["people"].sum() == pytest.approx(1)
        assert whole["releases"].sum() == pytest.approx(1)


def test_the_range_has_a_handle_and_the_cliff_is_shaded_up_to_its_epsilon():
    result = found_by("median")
    shapes = figure_of(drawn(section.release_chart, result))["layout"]["shapes"]
    assert [(shape["name"], shape["x0"]) for shape in shapes if "name" in shape] == [("high", 600)]
    shapes = figure_of(drawn(section.epsilon_chart, result))["layout"]["shapes"]
    assert next(shape["x1"] for shape in shapes if shape["type"] == "rect") == result.quantile.epsilon_without_cliff
    near = figure_of(drawn(section.near_chart, result))["layout"]["shapes"][0]
    assert (near["x0"], near["x1"]) == (
        result.quantile.truth - result.quantile.error,
        result.quantile.truth + result.quantile.error,
    )
    maximum = figure_of(drawn(section.epsilon_chart, found_by("median", quantile="1")))["layout"]["shapes"]
    assert next(shape["x1"] for shape in maximum if shape["type"] == "rect") == 10


@pytest.mark.parametrize(
    ("link", "sentence", "used"),
    [
        ({"low": "5", "high": "5"}, "hi must be above lo, 5; 5 was given. 15 is used instead.", {"high": 15}),
        ({"low": "700"}, "hi must be above lo, 700; 600 was given. 2100 is used instead.", {"high": 2100}),
        ({"step": "0.01"}, f"step must divide the range into 1 to {MOST_CANDIDATES:,} parts;", {}),
        ({"step": "601"}, "none is used instead.", {}),
        (
            {"epsilon": "0"},
            "ε must be from 1e-6 to 1000 for a quantile; 0 was given. 1 is used",
            {"epsilon": 1},
        ),
        ({"p90": "3"}, "90th percentile must be 1.02 to 500 times the median", {"p90": 90}),
        ({"n_records": "0"}, "must be a whole number from 1 to 1e6", {"n_records": 200}),
        ({"quantile": "nan"}, "q must be from 0 to 1", {"quantile": 0.5}),
    ],
)
def test_what_does_not_go_together_is_named_and_replaced(link, sentence, used):
    readings, unread = read_link("median", **link)
    problems = " ".join([*unread, *(reading.problem for reading in readings.values() if reading.problem)])
    assert sentence in problems
    assert {key: readings[key].value for key in used} == used
    first = PAGE.answer_text(found_by("median", **link))[0]
    assert "±" in first or "is outside the range" in first


@pytest.mark.parametrize(
    "entries",
    [
        {"own": "7"},
        {"own": "7;7;7;7"},
        {"own": "-5;1000;20;20", "low": "0", "high": "30"},
        {"own": "1e15;-1e15;3", "high": "10"},
        {"own": "0.1;0.2;0.3;0.3", "high": "1", "step": "0.1"},
        {"own": "3;4", "epsilon": "1e-6"},
        {"own": "3;4", "epsilon": "1000", "significance": "1e-300"},
    ],
)
def test_hostile_values_of_the_user_have_an_answer(entries):
    for step in ({}, {"step": "none"}):
        for quantile in ("0", "0.5", "1"):
            link = {"source": "own", "quantile": quantile, **CHECKED, **entries, **step}
            result = found_by("median", **link)
            first = PAGE.answer_text(result)[0]
            assert ("±" in first) != ("is outside the range of what can be released" in first)
            for draw in section.SECTION.exhibits:
                exhibit = draw(result, LIGHT)
                assert (exhibit is None) == bool(result.problem_text)
                assert exhibit is None or exhibit.confidential


def test_decimal_steps_meet_decimal_values():
    """0.3 is on the steps of 0.1, although 3 × 0.1 is not 0.3."""
    result = found_by("median", source="own", own="0.1;0.3;0.3;0.3;0.7", high="1", step="0.1", epsilon="20", **CHECKED)
    assert result.quantile.error == 0


def test_a_quantile_outside_the_range_and_too_many_values_are_no_answer():
    result = found_by("median", high="20")
    assert "The median, 30, is outside the range of what can be released, 0 to 20" in PAGE.answer_text(result)[0]
    assert PAGE.sections[0].snippets(result) == ()
    assert PAGE.sections[0].conditions(result) is None
    upload = ValuesUpload(linked_values(np.ones(MOST_PEOPLE + 1)))
    readings = {key: reading.value for key, reading in read_link("median", source="own")[0].items()}
    assert f"at most {MOST_PEOPLE:,} values" in PAGE.answer_text(PAGE.compute(readings, upload))[0]
    missing = PAGE.compute(readings)
    assert "Your own values are missing" in PAGE.answer_text(missing)[0]
    refused = PAGE.compute(readings, ValuesUpload(None, "The pasted text can’t be read."))
    assert "The pasted text can’t be read." in PAGE.answer_text(refused)[0]
    assert [list(PAGE.sections[0].parts(one, LIGHT)) for one in (missing, refused)] == [[], []]


def test_own_values_are_in_no_program_header_or_subtitle():
    link = {"source": "own", "own": "31.25;47.75;99.125", **CHECKED}
    result = found_by("median", **link)
    codes = " ".join(snippet.code for snippet in section.SECTION.snippets(result))
    for draw in section.SECTION.exhibits:
        exhibit = drawn(draw, result)
        assert not {"31.25", "47.75", "99.125"} & set(map(str, exhibit.header.values()))
        assert "n_records" not in exhibit.header
    assert not re.search("31.25|47.75|99.125", codes)


def test_at_most_six_fields_are_beside_the_answer():
    for link in LINKS:
        keys = [
            (item.parameter if isinstance(item, Field) else item).key
            for item in section.controls(found_by("median", **link))
        ]
        assert len(keys) <= 6
        assert {"high", "epsilon", "unit"} <= set(keys)
        assert {"quantile", "source", "accuracy"} <= {*keys, *_more_keys(link)}
        assert ({"median", "p90"} <= set(keys)) == ("source" not in link)


def _more_keys(link):
    fields = section.more_settings(found_by("median", **link))
    return [(item.parameter if isinstance(item, Field) else item).key for item in fields]


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"step": "none", "high": "90"},
        OWN | {"step": "none"},
        {"quantile": "0.9", "neighbours": "replace"},
        {"quantile": "1/3", "epsilon": "0.3", "n_records": "2000"},
        OWN,
    ],
)
def test_a_release_on_steps_is_proved(link):
    lines = list(panels.proof_lines(PAGE.claims_of(found_by("median", **link)), verify))
    assert len(lines) == (1 if "neighbours" in link else 2)
    assert all(line.startswith("✓") for line in lines)


def test_half_of_the_noise_is_not_proved_and_what_is_not_proved_says_why():
    (claim, _) = PAGE.claims_of(found_by("median"))
    enclosure = verify.choice_delta(**{**claim.arguments, "noise_epsilon": 2})
    assert enclosure.low > 0
    (claim, _) = PAGE.claims_of(found_by("median", step="none"))
    assert verify.choice_delta(**{**claim.arguments, "noise_epsilon": 2}).low > 0
    for link in ({"step": "none", "n_records": "10001"}, {"step": "0.5"}):
        (line,) = panels.proof_lines(PAGE.claims_of(found_by("median", **link)), verify)
        assert "cannot be verified here" in line
    assert list(PAGE.claims_of(found_by("median", high="20"))) == []


@pytest.mark.parametrize("link", [{"step": "none", "quantile": "0.9", "epsilon": "0.3"}, OWN | {"step": "none"}])
def test_the_intervals_that_are_proved_have_the_probabilities_of_the_release(link):
    quantile = found_by("median", **link).quantile
    edges, changes, sensitivity = quantile.neighbouring_intervals()
    release = quantile.release
    ends = release.low, release.high
    known = release.quantile, release.epsilon, quantiles.Range(*ends), release.neighbours
    pairs = [(scores, people) for (scores, _), people in zip(changes.values(), [quantile.ordered], strict=False)]
    pairs += [(other, [*quantile.ordered, end]) for (_, other), end in zip(changes.values(), ends, strict=True)]
    for scores, people in pairs:
        weights = np.diff(edges) * np.exp(release.epsilon * np.array(scores, float) / (2 * float(sensitivity)))
        exact = quantiles.released_distribution(people, *known)
        assert edges == exact.points.tolist()
        assert weights / weights.sum() == pytest.approx(exact.probabilities, rel=1e-9)


def test_the_scores_that_are_proved_are_those_of_the_release():
    for link in ({}, {"quantile": "0.9", "epsilon": "0.05"}):
        quantile = found_by("median", **link).quantile
        scores, _, sensitivity = next(iter(quantile.neighbouring_scores().values()))
        chances = selection.permute_and_flip(
            [float(score) for score in scores], quantile.release.epsilon, float(sensitivity)
        )
        assert chances == pytest.approx(quantile.distribution.probabilities, rel=1e-9)
        added = np.sort(np.append(quantile.ordered, quantile.release.low))
        other = next(iter(quantile.neighbouring_scores().values()))[1]
        grid, aim = quantile.release.candidates, quantile.release.quantile * added.size
        sides = (np.searchsorted(added, grid, side) for side in ("left", "right"))
        below, at_or_below = sides
        exact = -np.maximum(np.maximum(below - aim, aim - at_or_below), 0)
        assert [float(score) for score in other] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("link", [{}, {"epsilon": "0.1", "quantile": "0.9", "accuracy": "6", "step": "2"}])
def test_the_stated_people_and_the_stated_epsilon_are_enough_and_less_is_not(link):
    setting = setting_of(link)
    result = found_by("median", **link)
    second, third = PAGE.answer_text(result)[1], accepted_text(result)
    n, loss = re.findall(r"([\d,]+) people, or ε = ([\d.e-]*\d)", third)[0]

    def error(people, epsilon):
        sample = setting_of(link | {"n_records": str(people)})
        return float(
            quantiles.half_width(
                values(sample),
                setting.quantile,
                epsilon,
                outputs(setting),
                setting.significance,
                setting.neighbours,
            )
        )

    assert error(int(n.replace(",", "")), setting.epsilon) <= setting.accuracy
    assert error(int(n.replace(",", "")) - 1, setting.epsilon) > setting.accuracy
    assert error(200, float(loss)) <= setting.accuracy < error(200, float(loss) * 0.99)
    (people,) = re.findall(r" or ([\d,]+) people on", second)
    enough = int(people.replace(",", ""))
    for count, is_rare in ((enough, True), (enough - 1, False)):
        sample = values(setting_of(link | {"n_records": str(count)}))
        cliff = quantiles.cliff_probability(sample, setting.quantile, setting.epsilon, outputs(setting))
        assert (cliff.below + cliff.above <= 1e-3) == is_rare


@pytest.mark.parametrize("link", [{}, {"epsilon": "0.1", "quantile": "0.9", "accuracy": "6"}])
def test_any_number_of_the_range_has_the_people_that_are_enough_too(link):
    link = link | {"step": "none"}
    setting, result = setting_of(link), found_by("median", **link)
    second, third = PAGE.answer_text(result)[1], accepted_text(result)
    enough = int(re.findall(r"([\d,]+) people, or ε = ", third)[0].replace(",", ""))
    without_cliff = int(re.findall(r" or ([\d,]+) people on", second)[0].replace(",", ""))
    for less in (0, 1):
        sample = values(setting_of(link | {"n_records": str(enough - less)}))
        known = sample, setting.quantile, setting.epsilon, outputs(setting)
        assert (float(quantiles.half_width(*known)) > setting.accuracy) == bool(less)
        sample = values(setting_of(link | {"n_records": str(without_cliff - less)}))
        cliff = quantiles.cliff_probability(sample, *known[1:])
        assert (cliff.below + cliff.above > 1e-3) == bool(less)


def test_a_noisy_binary_search_is_drawn_and_listed_on_steps_alone():
    result = found_by("median")
    rows, frame = dict(result.quantile.choices.to_dict("split")["data"]), result.quantile.over_epsilon
    assert rows["binary_search"] > 2 * rows["yours"]
    off_cliff = frame[frame["epsilon"] > result.quantile.epsilon_without_cliff]
    assert (off_cliff["binary_search"] >= off_cliff["permute_and_flip"]).all()
    continuous = found_by("median", step="none").quantile
    assert "binary_search" not in {*continuous.over_epsilon, *continuous.choices["choice"]}


def test_what_no_epsilon_and_no_number_of_people_reaches_is_said():
    third = accepted_text(found_by("median", epsilon="1e-5"))
    assert "1,000,000 people are too few; ε = " in third
    own = {"source": "own", "own": "1;2;3;30;31;90", "contribution": "once", "fixed": "yes"}
    assert re.search(r"^\*\*For ±14\*\*: ε = [\d.]+\.$", accepted_text(found_by("median", **own, accuracy="14")))
    assert accepted_text(found_by("median", **own)) == "**For ±1**: no ε is enough."


@pytest.mark.parametrize("section", ["quantile", "several", "largest"])
def test_a_pinned_setting_is_compared_where_it_has_an_answer(section):
    answer = PAGE.answer_text(found_by("median", section=section, pinned="epsilon=0.2"))
    alone = PAGE.answer_text(found_by("median", section=section, epsilon="0.2"))
    old = re.findall(r"±[\d.,]+(?=\*\*)|[\d.]+ %", alone[0])[0]
    assert answer[-1].startswith(f"Compared with the pin: {old}")
    missing = PAGE.answer_text(found_by("median", section=section, pinned="source=own"))
    assert ("Compared" in missing[-1]) == (section == "largest")
    outside = PAGE.answer_text(found_by("median", section=section, pinned="high=20"))
    assert ("Compared" in outside[-1]) == (section == "largest")
