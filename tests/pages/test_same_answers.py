"""The same question has the same answer on every page: its noise, scale and half-width, the questions of each page."""

import math
import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from pages.accuracy.results import recommended_row
from pages.clipping import text
from pages.framework.layout.section import Snippet
from pages.shared import looks
from pages.shared.formulas import LITTLE
from pages.shared.other_libraries import DPCORE
from pages.start import cards
from tests.pages.conftest import found_by, topic_named

Answer = tuple[str, float, float]
"""The family of the noise, its scale, and the half-width of one number."""


def of_accuracy(link: Mapping[str, str]) -> Answer:
    result = found_by("accuracy", **link)
    mechanism = recommended_row(result.rows, result.setting).row.chosen
    return mechanism.family, mechanism.scale, float(mechanism.half_width(result.setting.significance))


def of_start(link: Mapping[str, str]) -> Answer:
    """The answer behind the tile of one number, which is a count."""
    setting = found_by("start", **link).setting
    return of_accuracy(dict(parse_qsl(urlsplit(cards.error(setting, looks.COLOURS["light"]).link).query)))


def of_tables(link: Mapping[str, str]) -> Answer:
    result = found_by("tables", table="size", error="each", **link)
    mechanism = result.recommendation.mechanism
    return mechanism.family, mechanism.scale, mechanism.half_width(result.significance)


def of_plan(link: Mapping[str, str]) -> Answer:
    result = found_by("plan", **link)
    (part,) = result.planned_queries
    return part.noise.family, part.noise.scale, part.half_width


def of_clipping(link: Mapping[str, str]) -> Answer:
    result = found_by("clipping", **link)
    plan = re.search(r"Plan\?[^)]*queries=([^&)]*)", text.links_text(result, result.bounds))
    assert plan is not None
    half_width = float(unquote(plan[1]).partition(":")[2].partition(",")[0])
    return result.setting.noise, float(result.bounds.chosen.noise_scale), half_width


PURE, APPROXIMATE = {"promise": "pure"}, {"promise": "delta"}
CASES: dict[str, list[tuple[str, dict[str, str]]]] = {
    "one count at ε = 1": [
        ("accuracy", {"query": "count"} | PURE),
        ("tables", {"cells": "1"} | PURE),
        ("plan", {"queries": "!count:5@epsilon,1=A"} | PURE),
        ("start", {}),
    ],
    "one count at ε = .1": [
        ("accuracy", {"query": "count", "epsilon": "0.1"} | PURE),
        ("tables", {"cells": "1", "epsilon": "0.1"} | PURE),
        ("plan", {"queries": "!count:5@epsilon,0.1=A"} | PURE),
        ("start", {"epsilon": "0.1"}),
    ],
    "the ε of a count within ±3": [
        ("accuracy", {"query": "count", "known": "accuracy", "accuracy": "±3"}),
        ("plan", {"queries": "!count:3=A", "direction": "errors"}),
    ],
    "one count with δ": [
        ("accuracy", {"query": "count"} | APPROXIMATE),
        ("tables", {"cells": "1"} | APPROXIMATE),
    ],
    "a histogram, one person in one cell": [
        ("accuracy", {"query": "histogram"} | PURE),
        ("tables", {"cells": "12"} | PURE),
        ("plan", {"queries": "!histogram:5,12@epsilon,1=A"} | PURE),
    ],
    "a person replaced in a histogram": [
        ("accuracy", {"query": "histogram", "neighbours": "replace"} | PURE),
        ("tables", {"cells": "12", "neighbours": "replace"} | PURE),
        ("plan", {"queries": "!histogram:5,12@epsilon,1=A", "neighbours": "replace"} | PURE),
    ],
    "four visits of a person in one count": [
        ("accuracy", {"query": "count", "contribution": "limited", "per_total": "4"} | PURE),
        ("tables", {"cells": "1", "contribution": "limited", "per_cell": "4"} | PURE),
        ("plan", {"queries": "!table:5,1,1,4@epsilon,1=A"} | PURE),
    ],
    "a person in eight of twelve cells": [
        ("tables", {"cells": "12", "contribution": "limited", "per_person": "8"} | PURE),
        ("plan", {"queries": "!table:5,12,8,1@epsilon,1=A"} | PURE),
    ],
    "at most four in all of twelve cells": [
        ("tables", {"cells": "12", "contribution": "limited", "per_person": "12", "per_cell": "4", "per_total": "4"}),
        ("plan", {"queries": "!table:5,12,12,4*cap:4@epsilon,1=A"} | PURE),
    ],
    "once, whatever the other limits say": [
        ("accuracy", {"query": "count", "contribution": "once", "per_total": "4"} | PURE),
        ("tables", {"cells": "1", "contribution": "once", "per_cell": "4", "per_person": "3"} | PURE),
    ],
    "a sum of values from 0 to 50": [
        ("accuracy", {"query": "sum", "low": "0", "high": "50"}),
        ("plan", {"queries": "!sum:300,0,50@epsilon,1=A"}),
        ("clipping", {"query": "sum", "low": "0", "bound": "50"}),
    ],
    "a sum with a fraction for a bound, one value replaced": [
        ("accuracy", {"query": "sum", "low": "-2", "high": "9.5", "neighbours": "replace", "epsilon": "0.3"}),
        ("plan", {"queries": "!sum:300,-2,9.5@epsilon,0.3=A", "neighbours": "replace"}),
        ("clipping", {"query": "sum", "low": "-2", "bound": "9.5", "neighbours": "replace", "epsilon": "0.3"}),
    ],
    "a mean of a thousand values": [
        ("accuracy", {"query": "mean", "low": "0", "high": "100", "n_records": "1000"}),
        ("plan", {"queries": "!mean:1,0,100,1000@epsilon,1=A"}),
        ("clipping", {"query": "mean", "low": "0", "bound": "100", "n_records": "1000"}),
    ],
    "one count at the default guarantee": [
        ("accuracy", {"query": "count"}),
        ("tables", {"cells": "1"}),
        ("plan", {"queries": "!count:5@epsilon,1=A"}),
    ],
}
ANSWERS = {"start": of_start, "accuracy": of_accuracy, "tables": of_tables, "plan": of_plan, "clipping": of_clipping}


@pytest.mark.parametrize("question", CASES)
def test_every_page_gives_the_same_answer(question):
    (_, first), *others = [(topic, ANSWERS[topic](link)) for topic, link in CASES[question]]
    for topic, answer in others:
        assert answer[0] == first[0], topic
        assert answer[1:] == pytest.approx(first[1:], rel=1e-9), topic


def test_the_program_of_each_page_prints_its_answer():
    for topic, link in CASES["one count at ε = 1"][:2]:
        snippets: tuple[Snippet, ...] = topic_named(topic).snippets_of(found_by(topic, **link | {"table": "size"}))
        (own,) = (snippet for snippet in snippets if snippet.library == DPCORE)
        assert any(math.isclose(value, ANSWERS[topic](link)[2]) for value in own.page_values), topic


def test_the_start_page_and_denoising_name_the_noise_that_accuracy_and_tables_recommend():
    _, first = topic_named("start").answer_text(found_by("start"))
    assert first == topic_named("accuracy").answer_text(found_by("accuracy"))[0]
    assert "geometric noise" in first
    release = found_by("denoising", section="counts").release
    table = found_by("tables", table="mildew").recommendation.mechanism
    assert (release.recommended.family, release.recommended.scale) == (table.family, table.scale)
    assert release.undenoised_rmse == pytest.approx(math.sqrt(table.variance))


@pytest.mark.parametrize(
    ("topic", "link"),
    [
        ("tables", {"section": "noise"}),
        ("tables", {"section": "table"}),
        ("tables", {"section": "release"}),
        ("accuracy", {"query": "count"}),
        ("plan", {"queries": "!count:5@laplace=People", "direction": "total"}),
    ],
)
def test_every_page_says_that_an_epsilon_above_10_guarantees_little_and_not_below(topic, link):
    for epsilon, is_large in ((10, False), (10.01, True), (100, True)):
        page, result = topic_named(topic), found_by(topic, epsilon=str(epsilon), **link)
        assert (LITTLE in " ".join(page.answer_text(result))) is is_large, epsilon
