"""Which groups appear: its numbers by dpcore, its proofs, its conditions, and settings that have no answer."""

import re

import numpy as np
import pytest

from dpcore import truncated_geometric, unknown_groups, verify
from pages.framework.layout import panels
from pages.framework.parameters.number_format import exact_text, format_up
from pages.shared.looks import COLOURS
from pages.tables import statements
from pages.tables.appearance import section
from pages.tables.appearance import text as text_module
from pages.tables.page import PAGE
from tests.pages.conftest import figure_of, found_by, html_of
from tests.pages.tables.figure_checks.appearance import way

LIGHT = COLOURS["light"]
CODES = {"table": "size", "cells": "900", "per_person": "3"}
CAPPED = {"contribution": "limited", "per_person": "3", "per_cell": "3", "per_total": "3"}
LINKS = (
    CAPPED,
    CODES | CAPPED | {"threshold_noise": "gaussian"},
    {},
    CODES,
    CODES | {"threshold_noise": "gaussian"},
    {"threshold_noise": "laplace", "epsilon": "0.4", "delta": "1e-5", "appears": "0.5", "table": "mildew"},
    {"per_cell": "3", "per_person": "4", "epsilon": "4", "delta": "0.001"},
    CODES | {"per_person": "30", "cells": "40", "cases": "1e6", "appears": "0.999"},
)


def found(link):
    result = found_by("tables", section="appear", **link)
    at = result.appearance
    return result, at, way(at.key, at.epsilon, at.delta, int(at.groups_per_person), at.c, at.probability, at.total)


def numbers(pattern, sentence):
    return [float(found.replace(",", "")) for found in re.findall(pattern, sentence)]


@pytest.mark.parametrize("link", LINKS)
def test_the_answer_has_the_numbers_of_dpcore(link):
    result, at, release = found(link)
    first, second = PAGE.answer_text(result)[:2]
    assert numbers(r"From ([\d,]+) (?:people|records) on", first) == [
        unknown_groups.least_size(release, at.probability)
    ]
    n, share = (
        float(unknown_groups.expected_groups(release, at.counts)),
        float(unknown_groups.expected_people(release, at.counts) / at.counts.sum()),
    )
    stated = numbers(r"about ([\d.,]+) of", first)
    assert stated[0] == pytest.approx(n, rel=0.05) if stated else n < 0.1
    assert f"of {np.sum(at.counts > 0):,} groups" in first
    percentage = numbers(r"with ([\d.e-]+) % of cases", first)[0]
    assert 0.9 * share <= percentage / 100 <= share * (1 + 1e-12)
    assert numbers(r"threshold ([\d.,]+\d)", second) == [pytest.approx(float(release.threshold), rel=1e-12)]


@pytest.mark.parametrize(("noise", "own"), [("gaussian", "61.5"), ("truncated_geometric", "55.5"), ("laplace", "80")])
def test_a_higher_threshold_is_taken_and_proved_and_a_lower_one_is_not(noise, own):
    link = CODES | {"threshold_noise": noise}
    at = found_by("tables", section="appear", **link).appearance
    raised = found_by("tables", section="appear", **link, threshold=own)
    release, used = raised.appearance.shown_release, np.ceil(float(own)) if noise.startswith("trunc") else float(own)
    assert float(release.threshold) == used
    assert float(release.scale) == float(at.shown_release.scale)
    kept = unknown_groups.least_size(release, 0.95)
    first, second = PAGE.answer_text(raised)[:2]
    assert numbers(r"From ([\d,]+) people on", first) == [kept]
    assert kept > at.least_size(noise)
    least = (
        f"with the least safe threshold, {format_up(at.least_threshold)}, it is from {at.least_size(noise):,.0f} on."
    )
    assert least in second
    assert all(line.startswith("✓") for line in panels.proof_lines(PAGE.claims_of(raised), verify))
    low = found_by("tables", section="appear", **link, threshold="2")
    assert low.appearance.shown_release == at.shown_release
    said = f"⚠ τ must be at least {format_up(at.least_threshold)} here; 2 was given."
    assert said in PAGE.answer_text(low)[1]


def test_the_threshold_is_a_handle_of_the_chart():
    chart = section.size_chart(found_by("tables", section="appear", threshold="60"), LIGHT)
    assert chart is not None
    figure = figure_of(chart)
    (line,) = (shape for shape in figure["layout"]["shapes"] if shape.get("name") == "threshold")
    assert line["x0"] == 60


def test_the_answer_on_codes_by_gaussian_noise_is_that_of_the_reference():
    first, second = PAGE.answer_text(found_by("tables", section="appear", **CODES, threshold_noise="gaussian"))[:2]
    assert first.startswith("From 50 people on a group appears with 95 % probability: about 189 of 900 groups")
    noise = "Gaussian noise, σ = 7.318, threshold 37.38 (ε = 1, δ = 1e-6)"
    assert second == f"{noise}, each count within ±14.35; with truncated geometric noise it is from 48 on."


def test_recommended_stands_with_the_noise_that_is_shown_and_the_others_are_its_reason():
    link = CODES | {"per_person": "3"}
    second = PAGE.answer_text(found_by("tables", section="appear", **link))[1]
    at = found(link)[1]
    sizes = [at.least_size(key) for key in ("truncated_geometric", "gaussian", "laplace")]
    assert at.recommended == "truncated_geometric"
    assert sizes == [48, 50, 51]
    assert second.startswith("Truncated geometric noise on ")
    assert second.endswith("within ±9; recommended, since Gaussian noise needs 50 people, Laplace 51.")


@pytest.mark.parametrize("k", [1, 2, 3, 4, 6, 30])
@pytest.mark.parametrize("epsilon", [0.3, 1, 3])
def test_no_other_noise_lets_smaller_groups_appear_than_the_recommended_one(k, epsilon):
    _, at, _ = found(CODES | {"per_person": str(k), "epsilon": str(epsilon)})
    sizes = {
        key: unknown_groups.least_size(way(key, epsilon, 1e-6, k, 1, 0.95), 0.95)
        for key in ("truncated_geometric", "gaussian", "laplace")
    }
    assert sizes[at.recommended] == min(sizes.values())
    assert at.recommended == ("gaussian" if k >= 4 else "truncated_geometric")


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "truncated_geometric"])
def test_what_is_shown_is_proved_and_no_less_noise_than_needed(noise):
    rng = np.random.default_rng(53)
    for _ in range(12):
        epsilon, delta = round(10 ** rng.uniform(-1, 0.7), 2), float(f"{10 ** rng.uniform(-9, -2):.1e}")
        link = {"epsilon": str(epsilon), "delta": str(delta), "per_person": str(rng.integers(1, 12))}
        result, at, _ = found(link | {"per_cell": str(rng.integers(1, 3)), "threshold_noise": noise})
        release, k = at.shown_release, int(at.groups_per_person)
        bound = {"bound": release.bound} if noise == "truncated_geometric" else {}
        place = epsilon, release.scale, release.threshold, k, noise, at.c
        assert unknown_groups.delta_from_threshold(*place, **bound) <= delta * (1 + 1e-12)
        assert all(line.startswith("✓") for line in panels.proof_lines(PAGE.claims_of(result), verify)), link


def test_a_limit_in_all_is_in_the_noise_the_threshold_the_conditions_and_the_proof():
    for noise, words in {
        "recommended": "truncated geometric noise on −41 … 41, scale 3, threshold 42",
        "laplace": "Laplace noise, b = 3, threshold 45.67",
        "gaussian": "Gaussian noise, σ = 12.68, threshold 66.04",
    }.items():
        result = found_by("tables", section="appear", threshold_noise=noise, **CAPPED)
        second = PAGE.answer_text(result)[1]
        assert words.lower() in second.lower()
        assert text_module.subtitle(result) == "ε = 1, δ = 1e-6, k = 3, c = 3, N = 3"
        assert all(line.startswith("✓") for line in panels.proof_lines(PAGE.claims_of(result), verify))
        free = found_by("tables", section="appear", threshold_noise=noise, **CAPPED | {"per_total": "none"})
        assert (
            result.appearance.least_size(result.appearance.key) < free.appearance.least_size(free.appearance.key) / 1.5
        )
        conditions, statements = section.appearance_conditions(result), section.statements(result)
        assert conditions is not None
        assert statements is not None
        assert "at most 3 in all" in statements.experts
        assert "at most 3 in all" in " ".join(item.words for item in conditions.items)


@pytest.mark.parametrize("noise", ["gaussian", "laplace", "truncated_geometric"])
def test_limits_in_all_and_by_the_year_are_proved(noise):
    rng = np.random.default_rng(57)
    for _ in range(6):
        k, c, years = (int(rng.integers(1, most)) for most in (9, 5, 4))
        link = {"per_person": str(k), "per_cell": str(c), "per_total": str(rng.integers(1, k * c + 1))}
        link |= {"n_periods": str(years), "epsilon": str(round(rng.uniform(0.3, 3), 2)), "threshold_noise": noise}
        result = found_by("tables", section="appear", contribution="limited", **link)
        assert result.appearance.total == float(link["per_total"]) * years
        assert all(line.startswith("✓") for line in panels.proof_lines(PAGE.claims_of(result), verify)), link


def test_what_takes_too_long_is_not_proved_with_the_reason():
    lines = list(panels.proof_lines(PAGE.claims_of(found({"per_person": "500"})[0]), verify))
    assert len(lines) == 1
    assert "takes too long for a person in 500 groups" in lines[0]


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ({"per_person": "20000"}, "no threshold for a person in more than 10,000 groups"),
        ({"per_cell": "1e7"}, "no threshold for a person who adds more than 1e6"),
        ({"epsilon": "0", "threshold_noise": "laplace"}, "No noise with a threshold satisfies this ε and δ"),
    ],
)
def test_a_setting_without_an_answer_says_why_and_shows_nothing(link, words):
    result = found_by("tables", section="appear", **link)
    assert words in PAGE.answer_text(result)[0]
    assert not list(section.parts(result, LIGHT))
    charts = section.size_chart, section.groups_chart, section.epsilon_chart
    assert [chart(result, LIGHT) for chart in charts] == [None, None, None]
    assert section.chances_table(result, LIGHT) is None
    assert section.statements(result) is None
    assert not list(PAGE.claims_of(result))


def test_groups_that_nearly_never_appear_are_almost_none():
    assert ": almost none of 22 groups" in PAGE.answer_text(found({"table": "mildew", "epsilon": "0.3"})[0])[0]


def test_an_own_table_that_is_missing_is_asked_for():
    result = found_by("tables", section="appear", table="own", contribution="once")
    assert "own table is missing" in PAGE.answer_text(result)[0]
    assert not list(section.parts(result, LIGHT))


@pytest.mark.parametrize("link", LINKS)
def test_the_table_has_the_probability_of_each_group(link):
    result, at, release = found(link)
    exhibit = section.chances_table(result, LIGHT)
    assert exhibit is not None
    frame = section.chances_frame(result)
    assert frame["probability"].to_numpy() == pytest.approx(
        unknown_groups.keep_probability(release, frame["count"].to_numpy()), rel=1e-9, abs=1e-12
    )
    assert html_of(exhibit).count("<tr>") == min(at.counts.size, 100) + 1


@pytest.mark.parametrize("fixed", ["unknown", "yes", "some", "no"])
def test_groups_need_not_be_fixed_in_advance_here(fixed):
    result = found_by("tables", section="appear", fixed=fixed, contribution="once")
    conditions = section.appearance_conditions(result)
    assert conditions is not None
    assert conditions.refusal is None
    assert "fixed" not in PAGE.answer_text(result)[0]
    assert [item.parameter.key for item in conditions.items] == ["contribution", "curator", "others"]
    assert "only if its noisy count reaches the threshold" in conditions.note
    assert "one person added or removed" in conditions.note


def test_people_without_a_limit_have_no_guarantee_here_either():
    conditions = section.appearance_conditions(found_by("tables", section="appear", contribution="unlimited"))
    assert conditions is not None
    assert conditions.refusal is not None


def test_where_categories_come_from_the_data_the_section_is_offered_with_the_setting():
    given = {"epsilon": "0.5", "per_person": "4", "per_total": "3", "n_periods": "2", "others": "none"}
    for setting in (given | {"fixed": "no", "table": "size", "cells": "30"}, given | {"fixed": "some"}):
        result = found_by("tables", section="table", contribution="limited", **setting)
        steps = statements.steps_text(result)
        for sentences in (" ".join(PAGE.answer_text(result)), steps):
            (address,) = re.findall(r"\]\(\./Tables\?(.*?)\)", sentences)
            there = found_by("tables", **dict(entry.split("=") for entry in address.split("&")))
            changed = {key for key, value in result.values.items() if str(there.values[key]) != str(value)}
            assert changed == {"section"}
            assert there.section == "appear"
            assert there.appearance.problem == ""
        assert steps.index("Unknown groups") < steps.index("Make sure that")
    assert "Unknown groups" not in statements.steps_text(found_by("tables", section="table", fixed="yes"))


def test_a_pinned_setting_is_compared():
    sentences = PAGE.answer_text(found_by("tables", section="appear", pinned="epsilon=0.5&delta=1e-4"))
    release = way("truncated_geometric", 0.5, 1e-4, 1, 1, 0.95)
    least = float(unknown_groups.least_size(release, 0.95))
    assert any(f"from {least:,.0f} on" in sentence for sentence in sentences[2:])


@pytest.mark.parametrize("link", LINKS)
def test_the_statements_have_the_noise_and_nothing_of_the_table(link):
    result, at, _ = found(link)
    texts = section.statements(result)
    assert texts is not None
    assert f"{float(at.shown_release.threshold):g}" in texts.experts.replace(",", "")
    assert f"{at.n_groups}" not in texts.public
    assert "czech" not in texts.experts.lower()


@pytest.fixture
def counted():
    """Return a table of the user's own in the link, whose suppressed counts require c = 4."""
    return {"table": "own", "own": "c4;North=120;South=9", "contribution": "limited", "per_person": "2"}


def test_a_table_that_needs_more_noise_is_told_so_and_no_noise_is_advised(counted):
    result = found_by("tables", section="appear", **counted)
    assert "4" in PAGE.answer_text(result)[1]
    assert section.statements(result) is None
    assert not any("What to do" in part for part in section.parts(result, LIGHT) if isinstance(part, str))
    enough = found_by("tables", section="appear", **counted | {"per_cell": "4"})
    assert any("What to do" in part for part in section.parts(enough, LIGHT) if isinstance(part, str))


@pytest.mark.parametrize(
    ("epsilon", "k", "c"), [("1", "1", "1"), ("0.3", "1", "2"), ("0.7", "2", "1"), ("2", "1", "3")]
)
def test_the_scale_of_truncated_noise_has_few_digits_and_its_exact_delta_is_kept(epsilon, k, c):
    noise = {"threshold_noise": "truncated_geometric"}
    result = found_by("tables", section="appear", epsilon=epsilon, per_person=k, per_cell=c, **noise)
    appearance, release = result.appearance, result.appearance.shown_release
    assert len(exact_text(float(release.scale))) <= 5
    limits = appearance.groups_per_person, release.noise, appearance.c
    delta = unknown_groups.delta_from_threshold(
        appearance.epsilon, release.scale, release.threshold, *limits, bound=release.bound
    )
    assert delta <= appearance.delta
    least = unknown_groups.threshold(
        appearance.epsilon, appearance.delta, int(k), release.noise, int(c), probability=appearance.probability
    )
    assert float(release.scale) == pytest.approx(float(least.scale), rel=1e-3)
    assert float(release.threshold) == float(least.threshold)
    assert float(unknown_groups.least_size(release, 0.95)) == float(unknown_groups.least_size(least, 0.95))


def test_noise_with_an_equal_rival_is_recommended_with_a_reason_and_counts_have_a_half_width():
    result = found_by("tables", section="appear")
    second = PAGE.answer_text(result)[1]
    assert "whole and bounded; Laplace noise also needs 17 people, Gaussian 29." in second
    release = result.appearance.shown_release
    size = truncated_geometric.half_width(0.05, release.bound, release.scale)
    assert f"each count within ±{format_up(float(size))};" in second
    statements = section.statements(result)
    assert statements is not None
    assert f"95 % of releases, the noisy count of a group is within ±{format_up(float(size))}" in statements.experts
    assert f"the noisy count of a group is within {format_up(float(size))} of the exact one" in statements.public
    assert "too high" in statements.public
    parts = [part for part in section.parts(result, COLOURS["light"]) if isinstance(part, str)]
    assert any(part.startswith("**Names only**") for part in parts)


def test_a_threshold_that_is_replaced_is_drawn_where_it_is_used_and_cannot_be_dragged():
    for threshold, handles in (("1", []), ("least", ["threshold"]), ("500", ["threshold"])):
        result = found_by("tables", section="appear", threshold=threshold)
        chart = section.size_chart(result, COLOURS["light"])
        assert chart is not None
        layout = figure_of(chart)["layout"]
        (line,) = (shape for shape in layout["shapes"] if shape.get("x0") == shape.get("x1"))
        assert line["x0"] == float(result.appearance.shown_release.threshold) >= result.appearance.least_threshold
        assert [shape["name"] for shape in layout["shapes"] if "name" in shape] == handles
