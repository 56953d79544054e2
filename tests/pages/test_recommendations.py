"""The same question has the same answer on every page that recommends a mechanism."""

import pytest

from pages.accuracy.results import recommended_row as accuracy_recommends
from pages.framework.layout import markup
from pages.laplace_gaussian.recommendation_text import recommendations as comparison_recommends
from pages.shared.formulas import THEORY
from tests.pages.conftest import found_by, open_page, stage_of, topic_named

Answer = tuple[str, float]
SIZES = {"l1_sensitivity": "9.5", "l2_sensitivity": "9.5"}
QUESTIONS = {  # the links of Accuracy, Tables and Laplace vs Gaussian; None where a page does not ask this
    "one count": (
        {"query": "count"},
        {"table": "size", "cells": "1"},
        {"case": "counts", "k": "1"},
    ),
    "a histogram": (
        {"query": "histogram"},
        {"table": "size", "cells": "30"},
        {"case": "histogram"},
    ),
    "a histogram, a person replaced": (
        {"query": "histogram", "neighbours": "replace"},
        {"table": "size", "cells": "30", "neighbours": "replace"},
        None,
    ),
    "a sum of whole values up to 10": (
        {"query": "sum", "high": "10"},
        {"table": "size", "cells": "1", "per_cell": "10"},
        None,
    ),
    "one number that is not whole": (
        {"query": "own", **SIZES},
        {"table": "size", "cells": "1", "per_cell": "9.5"},
        {"case": "own", **SIZES},
    ),
    "nine counts of one person": (
        None,
        {"table": "size", "cells": "9", "per_person": "9"},
        {"case": "counts", "k": "9"},
    ),
    "fifty counts of one person": (
        None,
        {"table": "size", "cells": "50", "per_person": "50"},
        {"case": "counts", "k": "50"},
    ),
}


def on_accuracy(link: dict[str, str]) -> Answer:
    result = found_by("accuracy", **link)
    row = accuracy_recommends(result.rows, result.setting, are_values_whole=True).row
    return row.mechanism.key, row.half_width


def on_tables(link: dict[str, str]) -> Answer:
    recommendation = found_by("tables", error="each", **link).recommendation
    return recommendation.mechanism.key, recommendation.error


def on_comparison(link: dict[str, str]) -> Answer:
    result = found_by("laplace_gaussian", **link)
    pure, loose = comparison_recommends(result.setting, result.candidates, "accuracy")
    recommendation = pure if link["promise"] == "pure" else loose
    return recommendation.mechanism.key, recommendation.error


@pytest.mark.parametrize(
    ("epsilon", "delta", "guarantee"),
    [
        *((epsilon, "1e-6", guarantee) for epsilon in ("0.05", "1", "5") for guarantee in ("pure", "delta")),
        ("1", "0.05", "delta"),
    ],
)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_question_has_the_same_answer_on_every_page(question, epsilon, delta, guarantee):
    shared = {"epsilon": epsilon, "delta": delta, "promise": guarantee, "significance": "0.05"}
    pages = zip((on_accuracy, on_tables, on_comparison), QUESTIONS[question], strict=True)
    answers = [page(link | shared) for page, link in pages if link is not None]
    assert len(answers) >= 2
    for key, half_width in answers[1:]:
        assert key == answers[0][0]
        assert half_width == pytest.approx(answers[0][1], rel=1e-12)


def test_a_count_at_epsilon_1_and_sensitivity_10_at_epsilon_5_have_the_known_answers():
    at_one = {"epsilon": "1", "promise": "pure"}
    for page, link in zip((on_accuracy, on_tables, on_comparison), QUESTIONS["one count"], strict=True):
        assert page((link or {}) | at_one) == ("geometric", 3)
    ten = {"epsilon": "5", "promise": "pure", "l1_sensitivity": "10", "l2_sensitivity": "10"}
    for page, link in ((on_accuracy, {"query": "own"}), (on_comparison, {"case": "own"})):
        key, half_width = page(link | ten)
        assert (key, half_width) == ("laplace", pytest.approx(5.9915, abs=1e-4))  # and not staircase noise, ±1.438
    whole = QUESTIONS["a sum of whole values up to 10"]
    assert on_accuracy(whole[0] | ten) == on_tables(whole[1] | ten) == ("geometric", 6)


@pytest.mark.parametrize("topic", ["gaussian_bounds", "generalized_gaussian", "laplace_gaussian"])
def test_a_page_that_compares_noise_in_theory_says_so_and_leads_to_those_that_recommend(topic):
    page = topic_named(topic)
    for section in page.keys_of_links:
        app = open_page(page.entry.script, section=section)
        assert stage_of(app)["answer"][-1] == markup.html(THEORY)
    assert "](./Accuracy)" in THEORY
    assert "](./Tables)" in THEORY
