"""What a column of a file can become in the plan: the kinds, the numbers that are asked for, and the row."""

import re
from dataclasses import replace

import pytest

from dpcore.readers import COLUMN_TYPES
from pages.plan.proposals import NUMBER_OF_PEOPLE, TYPES, categories, proposals, proposed_row
from pages.plan.queries import NAME_LENGTH, QUERIES, QueryItem
from tests.pages.conftest import found_by

ENTRIES = {
    "low": "0",
    "high": "5,000",
    "n_records": "20000",
    "quantile": "0.5",
    "step": "50",
    "median": "300",
    "p90": "900",
    "per_person": "4",
    "per_cell": "2",
    "groups_per_person": "3",
    "per_group": "1",
    "length": "36",
    "in_periods": "12",
    "per_period": "1",
}
LISTED = "North\nSouth\nEast"
ROWS = {
    ("number", True): ["sum:10000,0,5000", "mean:50,0,5000,20000", "quantile:50,0.5,0,5000,50,300,900,20000"],
    ("text", True): ["histogram:10,3", "groups:60,1,1"],
    ("date", True): ["each:20,36,1,1", "running:40,36,1,1"],
    ("text", False): ["table:20,3,4,2", "groups:60,3,1"],
    ("date", False): ["each:20,36,12,1", "running:40,36,12,1"],
}


def row(kind: str, **entries: str) -> QueryItem:
    known = {proposal.kind: proposal for column_type in TYPES for proposal in proposals(column_type, False)}
    return proposed_row(known[kind], ENTRIES | entries, LISTED, "cost")


def test_every_type_of_a_column_can_become_something():
    assert set(TYPES) == set(COLUMN_TYPES)
    assert all(proposals(column_type, is_person) for column_type in TYPES for is_person in (True, False))


@pytest.mark.parametrize(("column_type", "is_row_person"), ROWS)
def test_a_row_has_the_numbers_that_are_entered_and_ones_where_a_person_has_one_row(
    column_type: str, is_row_person: bool
):
    rows = [proposed_row(one, ENTRIES, LISTED, "") for one in proposals(column_type, is_row_person)]
    assert [row.link_text() for row in rows] == [f"{text}=" for text in ROWS[column_type, is_row_person]]
    listed = ";".join(f"{'!' * (not place)}{row.link_text()}" for place, row in enumerate(rows))
    result = found_by("plan", queries=listed, promise="delta", delta="1e-6")
    assert [planned.reason for planned in result.rows] == ["" for _ in rows]


def test_a_median_of_more_people_than_it_may_have_is_planned_for_the_most():
    median = next(one for one in proposals("number", True) if one.kind == "quantile")
    row = proposed_row(median, {**ENTRIES, "n_records": "2000000"}, LISTED, "")
    assert row.link_text() == "quantile:50,0.5,0,5000,50,300,900,1000000="


def test_limits_are_asked_for_where_a_person_can_have_rows_and_all_is_empty_before():
    for column_type in TYPES:
        once, often = (proposals(column_type, is_person) for is_person in (True, False))
        assert [one.phrase for one in once] == [one.phrase for one in often]
        for first, second in zip(once, often, strict=True):
            limits = {quantity.key for quantity in second.quantities} - {quantity.key for quantity in first.quantities}
            assert limits <= {"per_person", "per_cell", "groups_per_person", "per_group", "in_periods", "per_period"}
            assert bool(limits) == (column_type != "number")
            missing = re.escape("; ".join(quantity.label for quantity in second.quantities))
            with pytest.raises(ValueError, match=f"^Enter first: {missing}"):
                proposed_row(second, {}, "", "x")


def test_a_row_is_named_after_the_column_and_what_is_published_as_far_as_there_is_room():
    assert row("sum").name == "cost: sum"
    assert row("quantile").name == "cost: median"
    assert row("quantile", quantile="0.9").name == "cost: quantile 0.9"
    (total, *_) = proposals("number", False)
    long = proposed_row(total, ENTRIES, "", "a" * 99).name
    assert (len(long), long[-6:]) == (NAME_LENGTH, "a: sum")
    people = proposed_row(NUMBER_OF_PEOPLE, {}, "", "Number of people")
    assert people.link_text() == "count:5=Number%20of%20people"


@pytest.mark.parametrize("name", ["a;b=c*d@e!f", "=1+1", "<b>x</b>", "a\nb\x00", "名前", "'; drop"])
def test_a_hostile_name_is_one_row_of_the_link(name: str):
    (total, *_) = proposals("number", True)
    item = proposed_row(total, ENTRIES, "", name)
    (again,) = QUERIES.read(f"!{item.link_text()}")
    assert replace(again, chosen=False) == item


@pytest.mark.parametrize(
    ("kind", "entries", "listed", "sentence"),
    [
        ("sum", {"low": " "}, "", "Enter first: Lowest value of a person, lo. Take it from public knowledge, not"),
        (
            "sum",
            {"low": "", "high": ""},
            "",
            "Enter first: Lowest value of a person, lo; Highest value of a person, hi.",
        ),
        ("table", {}, "\n ,", "Enter first: Public list of categories."),
        ("sum", {"high": "much"}, "", "hi must be from −1e15 to 1e15; much was given, which is not a number."),
        ("sum", {"high": "-3"}, "", "high must be above low and at most 1e15; -3 was given."),
        ("mean", {"n_records": "0.5"}, "", "n must be a whole number from 1"),
        ("quantile", {"step": "0.001"}, "", "step must be from 5 to 1e13; 0.001 was given."),
        ("each", {"length": "1000"}, "", "T must be a whole number from 1 to 120; 1000 was given."),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_a_sentence(kind, entries, listed, sentence):
    known = {one.kind: one for column_type in TYPES for one in proposals(column_type, False)}
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}"):
        proposed_row(known[kind], ENTRIES | entries, listed, "x")


def test_a_list_of_categories_has_each_once_on_lines_or_between_commas():
    assert categories("North\n\nSouth, inner\nNorth") == ("North", "South, inner")
    assert categories("a;b, c,") == ("a", "b", "c")
    assert categories(" \n") == ()
