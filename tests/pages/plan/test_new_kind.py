"""The recipe of docs/recipes.md: a toy kind of query is on the page Plan, with its sentences, programs and link."""

import pytest

from dpcore import plan
from pages.plan.query_kinds import KINDS, LABELS
from tests.pages.conftest import exhibits_by_name, html_of
from tests.pages.plan import test_kinds
from tests.pages.plan.new_kind import KIND, Difference
from tests.pages.plan.test_text import with_delta


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(KINDS, "difference", KIND)
    monkeypatch.setitem(LABELS, "difference", KIND.label)
    monkeypatch.setattr(plan, "Difference", Difference, raising=False)


def test_a_new_kind_is_planned_and_shown_with_its_numbers():
    result = with_delta(queries="!difference:10,2=Gap;count:5=People", neighbours="replace")
    gap, people = result.planned_queries
    assert (gap.query.l1, people.query.l1) == (3, 1)
    assert gap.half_width <= 10 * (1 + 1e-9)
    assert gap.row.item.summary == "Difference of two groups · one group less 2 times another"
    assert ">Gap<" in html_of(exhibits_by_name(result, "plan")["plan_table"])


@pytest.mark.parametrize(
    "hold",
    [
        test_kinds.test_the_link_of_a_kind_opens_a_page_that_takes_all_of_it_and_has_the_same_sensitivity,
        test_kinds.test_what_is_said_of_a_kind_follows_from_the_arguments_of_its_record,
        test_kinds.test_the_error_of_a_kind_is_held_against_what_one_person_moves_or_the_range_of_the_answer,
        test_kinds.test_the_programs_of_a_kind_make_what_the_page_says,
    ],
)
def test_what_holds_of_each_kind_holds_of_a_new_one(hold):
    hold("difference")
