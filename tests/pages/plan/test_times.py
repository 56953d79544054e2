"""A list that is released several times: what ε counts, and what one of the times has alone."""

import pytest

from pages.framework.layout.section import Field
from pages.framework.parameters.number_format import format_up
from pages.plan.page import PAGE
from pages.plan.parameters import PERIODS, controls
from pages.shared.shared_parameters import EPSILON
from tests.pages.conftest import found_by

QUERIES = {"queries": "!count:9=A;sum:60,0,3=B", "promise": "pure"}


@pytest.mark.parametrize("direction", ["total", "errors"])
def test_the_answer_says_that_epsilon_is_of_all_times_and_what_one_has(direction):
    result = found_by("plan", **QUERIES, direction=direction, epsilon="5", periods="5")
    once = float(result.plan.once.value)
    assert once == pytest.approx(result.epsilon / 5, rel=1e-9)
    said = f"ε is of all 5 times together, at most {format_up(once)} each time"
    assert said in PAGE.answer_text(result)[1]
    single = found_by("plan", **QUERIES, direction=direction, epsilon="5")
    assert "times together" not in " ".join(PAGE.answer_text(single))


def test_the_fields_of_the_times_and_of_epsilon_say_so_too():
    fields = controls(found_by("plan", **QUERIES, direction="total"))
    (epsilon,) = (field for field in fields if isinstance(field, Field) and field.parameter is EPSILON)
    assert "all times together" in epsilon.help
    assert "all times together" in PERIODS.help.replace("all \n", "all ")
