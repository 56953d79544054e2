"""A row that becomes one of another kind: what of it stays, and what is said where its wanted ± cannot."""

import pytest

from pages.plan.proposals import change_note, first_half_width, half_width_problem, with_kind
from pages.plan.queries import QUERIES, item_problem, new_item
from pages.plan.query_kinds import KINDS


@pytest.mark.parametrize(
    ("before", "kind", "after"),
    [
        ("sum:5000,0,500", "mean", "mean:5,0,500,1000"),  # ±5,000 is beyond the range of a mean
        ("sum:40,0,500", "mean", "mean:40,0,500,1000"),
        ("mean:3,0,500,2000", "quantile", "quantile:3,0.5,0,500,1,30,84,2000"),
        ("mean:3,0,500,2000", "sum", "sum:1000,0,500"),  # less than one person adds
        ("mean:3,0,500,20000", "quantile", "quantile:3,0.5,0,500,1,30,84,20000"),
        ("mean:3,0,500,2000000", "quantile", "quantile:3,0.5,0,500,1,30,84,2000"),  # too many people for a quantile
        ("mean:0.03,0,1,500", "proportion", "proportion:0.03,500"),
        ("mean:3,0,1e2,500", "proportion", "proportion:0.02,500"),
        ("count:30", "histogram", "histogram:30,12"),
        ("table:30,36,2,4*all,cap:7", "histogram", "histogram:30,36*all,cap:7"),
        ("count:3", "table", "table:3,12,1,1"),
        ("count:0.5", "histogram", "histogram:10,12"),
        ("count:1", "groups", "groups:60,3,1"),  # no threshold is so low
        ("count:90", "groups", "groups:90,3,1"),
        ("each:30,24,6,2", "running", "running:30,24,6,2"),
        ("each:1,24,6,2", "window", "window:40,24,6,2,12"),
        ("count:30", "own", "own:30,1,1"),
        ("largest:30,9,40", "each", "each:20,9,12,40"),
        ("each:20,36,12,1*cap:4,periods:3", "table", "table:20,36,12,1*cap:4,periods:3"),
        ("each:20,36,12,1*cap:4,periods:3", "count", "count:20*cap:4,periods:3"),
        ("each:9,36,12,1*cap:4,periods:3", "count", "count:60*cap:4,periods:3"),  # one person adds 12
        ("sum:5000,0,500*cap:3", "mean", "mean:5,0,500,1000*cap:3"),
        ("mean:30,0,500,900*cap:3,periods:2", "sum", "sum:6000,0,500*cap:3,periods:2"),
        ("table:40,60,6,1*all", "groups", "groups:40,6,1"),
        ("table:40,600,6,1", "each", "each:40,36,6,1"),
        ("count:30*A,size:90@gaussian_scale,7", "sum", "sum:30,0,100*A,size:90@gaussian_scale,7"),
        ("count:30@geometric", "sum", "sum:200,0,100"),
    ],
)
def test_a_new_kind_keeps_what_it_has_and_the_wanted_error_where_that_makes_sense(before, kind, after):
    (old,) = QUERIES.read(f"!{before}=A")
    new = with_kind(old, kind)
    assert new.link_text() == f"!{after}=A"
    assert item_problem(new) is None
    note = change_note(old, new).partition("Not kept")[0]
    is_same = old.half_width == new.half_width or new.is_fixed
    assert (note == "") == is_same
    assert is_same or note.startswith(f"± was {old.half_width} and is now {new.half_width}, a value to begin with: ")


def test_the_note_says_what_is_wrong_with_the_error_before():
    def note(text: str, kind: str) -> str:
        (old,) = QUERIES.read(f"!{text}=")
        return change_note(old, with_kind(old, kind)).partition(": ")[2].partition(" Not kept")[0]

    assert note("sum:5000,0,500", "mean") == "±5000 would leave nothing to say of a mean in its range."
    assert note("mean:3,0,500,2000", "sum") == "±3 is less than one person adds to a sum."
    assert note("mean:900,0,500,900000*cap:3", "sum") == "±900 is less than one person adds to a sum."
    assert note("count:1", "groups") == "no noise has ±1 for unknown groups."


@pytest.mark.parametrize(
    ("before", "kind", "lost"),
    [
        ("each:20,36,12,1*cap:4,periods:3", "table", ""),
        (
            "each:20,36,12,1*cap:4,periods:3",
            "count",
            "Not kept of series: each month: T = 36, k = 12, c = 1.",
        ),
        ("table:40,600,6,1", "each", "Not kept of table: m = 600 (now 36)."),
        ("count:30", "sum", ""),
    ],
)
def test_numbers_that_a_new_kind_has_not_are_named_in_one_line(before, kind, lost):
    (old,) = QUERIES.read(f"!{before}=")
    assert change_note(old, with_kind(old, kind)).endswith(lost)
    assert ("Not kept" in change_note(old, with_kind(old, kind))) == bool(lost)


@pytest.mark.parametrize("kind", KINDS)
def test_the_error_of_a_new_row_makes_sense(kind: str):
    assert half_width_problem(new_item(kind)) == ""
    assert first_half_width(new_item(kind)) == new_item(kind).half_width
    assert with_kind(new_item(kind), kind) == new_item(kind)
