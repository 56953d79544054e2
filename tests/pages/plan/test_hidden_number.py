"""Means on Plan whose number of records is not public: which two numbers get noise, and where the page says so."""

import numpy as np
import pytest

from dpcore import laplace, plan
from pages.framework.parameters.number_format import format_up
from pages.plan.figures import plan_table_html, scale_text
from pages.plan.page import PAGE
from pages.plan.text import csv_header, meaning_text, steps_text
from tests.pages.conftest import found_by

LIST = "count:10=Clients;mean:50,-1000,5000,3000*hidden=Income;proportion:0.03,3000*hidden=Share"
TOTAL = {"direction": "total", "epsilon": "1"}
PUBLIC = "takes its number of records as public"


def test_a_mean_of_a_hidden_number_names_both_numbers_with_noise_and_the_scale_of_each():
    result = found_by("plan", queries=LIST, **TOTAL)
    clients, income, share = result.planned_queries
    statements = PAGE.statements_of(result)
    assert statements is not None
    for part, half, distance in ((income, 3000.0, "(value − 2000)"), (share, 0.5, "(value − 0.5)")):
        # A person adds 1 to the number and at most half the width to the sum of distances from the middle.
        b = part.noise.scale
        assert part.query.l1 == 2
        words = f"b = {format_up(b)} on the number of records, b = {format_up(b * half)} on the sum of {distance}"
        assert scale_text(part) == words
        for text in (plan_table_html(result), statements.paper, statements.experts):
            assert words in text
        of_sum, of_number = np.random.default_rng(1).laplace(scale=b, size=(2, 200_000))
        for mean in (1.0, -1.0, 0.0):  # in half the range from its middle
            missed = np.mean(half * abs((3000 * mean + of_sum) / (3000 + of_number) - mean) > part.half_width)
            assert missed <= 0.05 + 4 * (0.05 * 0.95 / 200_000) ** 0.5
            assert missed >= 0.05 - 4 * (0.05 * 0.95 / 200_000) ** 0.5 or not mean
    assert scale_text(clients) == f"{clients.noise.symbol} = {format_up(clients.noise.scale)}"
    assert "gets none itself" in steps_text(result)
    assert "made of two numbers with noise" in meaning_text(result)
    assert any("÷ (half its width)" in text for text in csv_header(result).values())


def test_a_count_that_a_mean_publishes_too_is_named_with_the_error_there_and_what_it_adds():
    result = found_by("plan", queries=LIST, **TOTAL)
    clients, *means = result.planned_queries
    mean = min(means, key=lambda part: part.noise.scale)
    size = format_up(float(laplace.half_width(0.05, mean.noise.scale)))
    words = f"“{mean.row.name}” publishes its number of records too, within ±{size}: if everybody has a value, leave"
    assert f"{words} out “Clients”, which adds about ε = {clients.share}." in steps_text(result)
    assert float(plan.choose([part.query for part in means], 0).total.value) < result.epsilon
    for other in ("count:10*cap:3=Clients", "count:10*A=Clients", "count:10*times:2=Clients", "sum:10,0,1=Clients"):
        assert "publishes its number" not in steps_text(
            found_by("plan", queries=LIST.replace("count:10=Clients", other))
        )


def test_a_plan_of_public_numbers_says_nothing_of_two_numbers_with_noise():
    result = found_by("plan", queries=LIST.replace("*hidden", ""), **TOTAL)
    assert "gets none itself" not in steps_text(result)
    assert "two numbers" not in meaning_text(result)
    assert all("number of records" not in scale_text(part) for part in result.planned_queries)


def test_a_mean_of_a_public_number_beside_a_noisy_count_of_it_asks_whether_it_is_public():
    for queries, is_asked in (
        ("count:10=Clients;mean:50,0,6000,3000=Income", True),
        ("mean:50,0,6000,3000*A=Income;count:10*A=Clients", True),
        ("mean:50,0,6000,3000*A=Income;count:10*B=Clients", False),
        ("count:10=Clients;mean:50,0,6000,3000*hidden=Income", False),
        ("sum:50,0,60=Visits;mean:50,0,6000,3000=Income", False),
    ):
        steps = steps_text(found_by("plan", queries=queries))
        assert (PUBLIC in steps) == is_asked, queries
        assert ("“Clients” gets noise, but “Income”" in steps) == is_asked


@pytest.mark.parametrize(
    ("queries", "is_warned"),
    [
        ("count:5=Clients;!mean:60,0,6000,3000=Income;proportion:0.02,3000*hidden=Share", True),
        ("proportion:0.02,3000*hidden,A=Share;groups:60,3,1=Codes;mean:60,0,6000,3000*A=Income", True),
        ("proportion:0.02,3000*hidden,A=Share;mean:60,0,6000,3000*B=Income", False),
        ("count:5=Clients;mean:60,0,6000,3000*hidden=Income;proportion:0.02,3000*hidden=Share", False),
        ("count:5=Clients;mean:60,0,6000,3000=Income;proportion:0.02,3000=Share", False),
    ],
)
def test_a_number_public_for_one_mean_and_not_for_a_share_of_its_group_is_warned_of(queries: str, is_warned: bool):
    answer = " ".join(PAGE.answer_text(found_by("plan", queries=queries, promise="delta", **TOTAL)))
    warning = "⚠ n is public for “Income”, but not for “Share”: edit one."
    assert (warning in answer) == is_warned
    assert ("⚠" in answer) == is_warned
    assert ("all but the groups of “Codes”" in answer) == ("Codes" in queries)


def test_verify_has_a_line_on_each_error_and_a_reason_where_none_is_proved():
    result = found_by("plan", queries=f"{LIST};largest:15,23,1=Busiest", **TOTAL)
    assert isinstance(result.plan, plan.Plan)
    found = {claim.subject: claim for claim in PAGE.claims_of(result)}
    assert len(found) == 1 + len(result.planned_queries)
    for name in ("Income", "Share", "Busiest"):
        claim = found[f"The error of {name}"]
        assert claim.function is None
        assert claim.reason
