"""Rows of the page Plan in which several records of a person count."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

import pytest

from dpcore import plan
from dpcore.readers import FileColumn
from pages.plan import proposals
from pages.plan.links import query_link
from pages.plan.page import PAGE
from pages.plan.proposals import first_half_width
from pages.plan.queries import new_item
from pages.plan.query_kinds import KINDS
from pages.plan.release_call import PlanFile, program_calls
from pages.plan.results import PlanResult
from pages.plan.statements import statements
from pages.shared.other_libraries import DPCORE
from pages.shared.site_map import ACCURACY
from pages.shared.values.parameters import distribution
from tests.pages.conftest import found_by
from tests.pages.plan.test_text import with_delta
from tests.programs import downloaded, namespace_of, printed

OF_RECORDS = [kind for kind in KINDS if KINDS[kind].counts_records]


def alone(kind: str, cap: str, periods: str = "") -> PlanResult:
    """Return the plan of a new query of a kind alone, with a limit on the records of a person, also in each year."""
    item = new_item(kind)
    item = replace(item, half_width=first_half_width(item), cap=cap, cap_periods=periods, name="One")
    return with_delta(queries=item.link_text(), promise="pure")


def test_the_kinds_of_records_are_those_of_one_value_for_each_person():
    assert OF_RECORDS == ["count", "sum", "mean", "proportion", "quantile"]


@pytest.mark.parametrize("kind", OF_RECORDS)
def test_a_kind_counts_as_many_records_of_a_person_as_its_row_allows_everywhere(kind):
    once, thrice = (alone(kind, cap) for cap in ("1", "3"))
    (part,) = thrice.planned_queries
    assert once.epsilon == pytest.approx(alone(kind, "").epsilon, rel=1e-12)
    assert thrice.epsilon == pytest.approx(3 * once.epsilon, rel=1e-9)
    assert "3 records per person" in part.row.item.summary
    said, first, last = statements(thrice), *(PAGE.conditions_of(result) for result in (once, thrice))
    assert said is not None
    assert first is not None
    assert last is not None
    limit = "each person counts with at most 3 records"
    assert limit in said.public
    assert limit in last.sentence
    assert "each person counts once" in first.sentence
    own = next(snippet for snippet in PAGE.snippets_of(thrice) if snippet.library == DPCORE)
    assert "records_per_person=3" in own.code
    assert printed(own) == pytest.approx(own.page_values, rel=1e-12)


@pytest.mark.parametrize("kind", ["sum", "mean", "quantile"])
def test_the_range_is_one_of_a_person_or_of_a_record_where_several_records_count(kind):
    item = new_item(kind)
    for cap, of in (("", "person"), ("3", "record")):
        labels = [quantity.label for quantity in replace(item, cap=cap).labelled_quantities]
        assert {f"Lowest value of a {of}, lo", f"Highest value of a {of}, hi"} <= set(labels)


def test_a_table_has_the_labels_of_its_kind_whatever_its_limit_is():
    assert replace(new_item("table"), cap="3").labelled_quantities == KINDS["table"].quantities


@pytest.mark.parametrize("n", [20_000, 1_000_000])
def test_a_median_of_many_values_has_the_error_of_so_many(n):
    result = with_delta(queries=f"quantile:2,0.5,0,600,1,25,55,{n}", promise="pure")
    own = plan.query(2, plan.Quantile(distribution("lognormal", 25, 55, n), 0.5, 0, 600, 1))
    assert result.epsilon == pytest.approx(float(plan.choose([own], 0.0).total.value), rel=1e-9)


@pytest.mark.parametrize("kind", [*OF_RECORDS, "histogram"])
def test_a_limit_in_each_year_costs_what_all_years_together_cost_and_is_said_everywhere(kind):
    in_all, yearly = alone(kind, "6"), alone(kind, "3", "2")
    assert yearly.epsilon == in_all.epsilon
    (part,) = yearly.planned_queries
    known = "3 records per person" if kind != "histogram" else "3 per person"
    assert f"{known} in each of 2 years" in part.row.item.summary
    said, conditions = statements(yearly), PAGE.conditions_of(yearly)
    assert said is not None
    assert conditions is not None
    records = "with at most 3 records" if kind != "histogram" else "at most 3"
    assert f"each person counts {records} in each of 2 years" in conditions.sentence
    assert f"{records} in each of 2 years" in said.public
    own = next(snippet for snippet in PAGE.snippets_of(yearly) if snippet.library == DPCORE)
    assert "n_periods=2" in own.code
    assert printed(own) == pytest.approx(own.page_values, rel=1e-12)
    (statistic,) = namespace_of(downloaded(f"/Plan?queries={part.row.item.link_text()}"))["PLAN"]["statistics"]
    limits = ("n_periods", "max_in_period", "max_in_all", "has_periods_of_rows")
    assert tuple(statistic[key] for key in limits) == (2, 3, 6, True)
    (call,) = program_calls(yearly.setting.queries, ["One"], PlanFile((), "id"), {}, {})
    assert "--period One=DATE-COLUMN" in call
    dated = PlanFile((FileColumn("seen", "date"), FileColumn("age", "number")), "id")
    assert "--period One=seen" in program_calls(yearly.setting.queries, ["One"], dated, {}, {})[0]


def test_one_record_in_each_year_is_several_and_a_table_says_that_each_cell_is_of_one():
    once = with_delta(queries="sum:9000,0,500*cap:1,periods:3=Costs;table:20,36,36,4*cap:4,periods:3=Visits")
    conditions = PAGE.conditions_of(once)
    assert conditions is not None
    assert "in “Costs” with at most 1 record in each of 3 years" in conditions.sentence
    assert "at most 4 in each of 3 years, each cell of one year" in conditions.sentence
    query = once.planned_queries[0].query
    assert query.l1 == 1500


def test_a_query_is_opened_alone_aside_and_none_whose_number_of_records_is_not_public():
    public, hidden = (with_delta(queries=f"mean:1,0,100,2000{flag}=Age") for flag in ("", "*hidden"))
    assert hidden.planned_rows[0].item.is_hidden
    assert "aside=on" in query_link(public)
    assert query_link(hidden) == ""


@pytest.mark.parametrize("kind", OF_RECORDS)
def test_one_number_opens_a_query_of_several_records_with_the_same_limit(kind):
    page = KINDS[kind].own_page
    assert page is not None
    for result in (alone(kind, "3"), alone(kind, "3", "4")):
        entries = dict(parse_qsl(urlsplit(query_link(result).partition("](")[2].rstrip(")")).query))
        found, (part,) = found_by(page.page.topic, **entries), result.planned_queries
        assert entries["per_total"] == str(part.row.item.records_per_person)
        if page.page is ACCURACY:
            facts = found.setting.facts
            assert (facts.l1, facts.l2) == pytest.approx((part.query.l1, part.query.l2))
        else:
            assert found.quantile.error == pytest.approx(part.half_width, abs=0.1)  # whose values are on the steps


@pytest.mark.parametrize(
    ("row", "limits"),
    [
        ("count:20*cap:3", (1, 3, 3)),
        ("sum:9000,0,500*cap:4", (1, 4, 4)),
        ("mean:3,0,100,2000*hidden,cap:2", (1, 2, 2)),
        ("quantile:4,0.5,0,600,1,30,84,2000*cap:3", (1, 3, 3)),
        ("histogram:20,8*cap:3", (8, 3, 3)),
        ("histogram:20,8*cap:3,periods:2", (8, 6, 6)),
        ("count:20*cap:3,periods:2", (1, 6, 6)),
        ("quantile:4,0.5,0,600,1,30,84,2000*cap:1,periods:4", (1, 4, 4)),
        ("histogram:20,8", (1, 1, 1)),
        ("count:20*cap:1", (1, 1, 1)),
    ],
)
def test_the_program_of_a_plan_takes_as_many_records_as_the_plan_is_made_for(row, limits):
    (statistic,) = namespace_of(downloaded(f"/Plan?queries={row}=One"))["PLAN"]["statistics"]
    assert tuple(statistic[key] for key in ("max_cells", "max_in_cell", "max_in_all")) == limits


def test_several_quantities_of_one_plan_have_their_own_limits_in_its_condition_and_its_call():
    result = with_delta(queries="count:20*cap:3=Visits;mean:2,0,60,900*cap:3=Age;mean:2,0,60,900=Height;count:9=People")
    conditions = PAGE.conditions_of(result)
    assert conditions is not None
    limits = "once, but in “Visits” and “Age” with at most 3 records"
    assert f"each person counts {limits}" in conditions.sentence
    names = [row.name for row in result.rows]
    (call,) = program_calls(result.setting.queries, names, PlanFile((), "id"), {}, {})
    assert "Height=mean" in call
    assert "Age=mean" not in call  # each record counts: nothing is joined


def test_pasted_limits_in_all_are_named_by_their_symbols():
    rows = "Visits\ttable\t20\t36\t36\t4\tN = 4\tP=3\nBy town;histogram;10;8;n=2;all\nAge,mean,1,0,100,2000,N=4\n"
    rows += "Own,own,1,2,1,N=4\nPeople,count,5,N=4,P=3"
    items, sentences = proposals.read_rows(rows)
    assert [item.link_text() for item in items] == [
        "table:20,36,36,4*cap:4,periods:3=Visits",
        "histogram:10,8*all,cap:2=By%20town",
        "mean:1,0,100,2000*cap:4=Age",
        "count:5*cap:4,periods:3=People",
    ]
    assert sentences == ["Row 4: own has no limit in all; N was given. It is left out."]
    for text in ("A,histogram,5,9,N=-1", "A,histogram,5,9,N=x", "A,histogram,5,9,P=3", "A,table,5,9,2,1,N=4,P=1.5"):
        items, sentences = proposals.read_rows(text)
        assert items == []
        assert sentences[0].startswith("Row 1: ")
