"""The page Plan as a user has it: its editor, its chart that is dragged, and what of a list cannot be planned."""

import pytest

from dpcore.families import FAMILIES
from dpcore.plan import MECHANISMS
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.parameter import PartlyUsableError
from pages.plan.queries import DEFAULTS, MAX_QUERIES, QUERIES
from pages.plan.query_kinds import KINDS
from tests.pages.conftest import (
    ask,
    charts_of,
    exhibits_by_name,
    field,
    figure_of,
    found_by,
    link_of,
    open_page,
    parts_of,
    stage_of,
    text_of,
)

PAGE = "pages/13_Plan.py"
TWO = "!count:20=A;sum:300,0,50=B"


def listed(app) -> list[str]:
    return link_of(app)["queries"].split(";")


def test_the_page_opens_with_its_answer_its_picture_and_its_editor():
    app = open_page(PAGE)
    assert "These 5 queries together require ε = " in text_of(app)
    assert list(charts_of(app)) == ["plan"]
    assert [part["name"] for part in parts_of(app) if part["kind"] == "table"] == ["plan_table"]
    assert field(app, "query_half_width_0").value == "10"
    app.session_state.explanation = True
    assert not app.run().exception
    assert list(charts_of(open_page(PAGE, section="factor"))) == ["factor"]


def test_queries_are_added_copied_changed_moved_and_removed():
    app = open_page(PAGE, queries=TWO)
    app.button(key="query_add").click().run()
    field(app, "query_name").set_value("Deaths; *per* year").run()
    field(app, "query_half_width_2").set_value("1,000").run()
    assert listed(app)[2] == "!count:1000=Deaths%3B%20%2Aper%2A%20year"
    field(app, "query_kind").set_value("table").run()
    field(app, "query_joint").check().run()
    field(app, "query_per_person").set_value("3").run()
    assert listed(app)[2].startswith("!table:1000,12,3,1*all=Deaths")
    app.button(key="query_copy").click().run()
    assert listed(app)[3] == listed(app)[2].replace("table", "!table")[1:] or listed(app)[3].startswith(
        "!table:1000,12,3"
    )
    app.button(key="query_up").click().run()
    assert listed(app)[2].startswith("!table")
    app.button(key="query_remove").click().run()
    app.button(key="query_remove").click().run()
    assert len(listed(app)) == 2
    assert not app.exception


def test_a_kind_that_changes_says_why_the_wanted_error_is_another_one_as_long_as_it_is():
    app = open_page(PAGE, queries="!sum:5000,0,500=Costs;count:20=B")
    field(app, "query_kind").set_value("mean").run()
    assert listed(app)[0] == "!mean:5,0,500,1000=Costs"
    note = "± was 5000 and is now 5, a value to begin with: ±5000 would leave nothing to say of a mean in its range."
    assert text_of(app).count(note) == 1
    app.button(key="query_down").click().run()
    assert note in text_of(app)  # it moves with its row
    app.button(key="query_choose_0").click().run()
    assert note not in text_of(app)
    app.button(key="query_choose_1").click().run()
    field(app, "query_half_width_1").set_value("4").run()
    assert note not in text_of(app)
    field(app, "query_kind").set_value("quantile").run()
    assert listed(app)[1] == "!quantile:4,0.5,0,500,1,30,84,1000=Costs"
    assert "± was" not in text_of(app)
    assert text_of(app).count("Wanted ±") >= 1


def test_noise_is_fixed_where_a_query_can_have_it_and_stays_no_longer_than_that():
    app = open_page(PAGE, queries=TWO)
    field(app, "query_lock").set_value("geometric_scale").run()
    field(app, "query_fixed_scale").set_value("7").run()
    assert listed(app)[0] == "!count:20@geometric_scale,7=A"
    field(app, "query_kind").set_value("sum").run()
    assert listed(app)[0] == "!sum:200,0,100=A"
    field(app, "query_lock").set_value("geometric").run()
    assert listed(app)[0] == "!sum:200,0,100=A"
    field(app, "query_group").set_value("B").run()
    field(app, "query_size").set_value("5000").run()
    assert listed(app)[0] == "!sum:200,0,100*B,size:5000=A"
    field(app, "query_size").set_value("").run()
    assert listed(app)[0] == "!sum:200,0,100*B=A"
    field(app, "query_kind").set_value("mean").run()
    field(app, "query_hidden").check().run()
    assert listed(app)[0] == "!mean:1,0,100,1000*hidden,B=A"


def test_a_row_shows_what_is_fixed_and_not_a_wanted_error_without_effect():
    app = open_page(PAGE, queries="!count:20@geometric_scale,7=A;count:5@epsilon,0.5=B;count:9=C")
    assert field(app, "query_fixed_scale_0").value == "7"
    assert field(app, "query_fixed_epsilon_1").value == "0.5"
    assert field(app, "query_half_width_2").value == "9"
    field(app, "query_fixed_epsilon_1").set_value("0.25").run()
    assert listed(app)[1] == "!count:5@epsilon,0.25=B"


def test_a_limit_in_all_is_entered_and_goes_with_its_periods_or_counts_records():
    app = open_page(PAGE, queries="!table:20,36,36,4=Visits")
    field(app, "query_cap").set_value("4").run()
    assert listed(app)[0] == "!table:20,36,36,4*cap:4=Visits"
    field(app, "query_n_periods").set_value("3").run()
    assert listed(app)[0] == "!table:20,36,36,4*cap:4,periods:3=Visits"
    field(app, "query_n_periods").set_value("2.5").run()
    assert "Query 1: P must be" in text_of(app)
    field(app, "query_n_periods").set_value("3").run()
    field(app, "query_cap").set_value("-4").run()
    assert "Query 1: N must be" in text_of(app)
    field(app, "query_cap").set_value("").run()
    assert listed(app)[0] == "!table:20,36,36,4=Visits"
    field(app, "query_kind").set_value("histogram").run()
    field(app, "query_cap").set_value("2").run()
    assert listed(app)[0] == "!histogram:20,36*cap:2=Visits"
    field(app, "query_kind").set_value("count").run()
    assert listed(app)[0] == "!count:20*cap:2=Visits"
    field(app, "query_cap").set_value("2.5").run()
    assert "Query 1: N must be a whole number" in text_of(app)
    field(app, "query_cap").set_value("3").run()
    assert listed(app)[0] == "!count:20*cap:3=Visits"
    field(app, "query_n_periods").set_value("2").run()
    assert listed(app)[0] == "!count:20*cap:3,periods:2=Visits"
    field(app, "query_kind").set_value("own").run()
    assert listed(app)[0] == "!own:20,1,1=Visits"
    assert not [widget for widget in app.text_input if widget.key == "query_cap"]
    assert not app.exception


def test_a_bad_number_stays_in_its_field_and_its_sentence_names_the_row():
    app = open_page(PAGE, queries=TWO)
    app.button(key="query_choose_1").click().run()
    field(app, "query_high").set_value("-5").run()
    sentence = "Query 2: high must be above low and at most 1e15; -5 was given. 50 is used instead."
    assert text_of(app).count(sentence) == 2  # at the field and at the answer
    assert listed(app)[1] == "!sum:300,0,50=B"
    field(app, "query_low").set_value("-9").run()
    assert sentence not in text_of(app)
    assert listed(app)[1] == "!sum:300,-9,-5=B"
    field(app, "query_size").set_value("many").run()
    assert "Query 2: size must be" in text_of(app)


def test_a_row_without_possible_noise_is_left_out_of_the_total_with_its_reason():
    app = open_page(PAGE, queries=f"{TWO};sum:1e-9,0,1e6=Tiny", promise="pure")
    assert "2 of 3 queries together require ε" in text_of(app)
    assert "Left out of the total: Tiny (no noise that can be accounted for has this error)." in text_of(app)
    app.button(key="query_choose_2").click().run()
    assert "Query 3 is left out of the total: no noise that can be accounted for has this error." in text_of(app)
    fixed = open_page(PAGE, queries=f"{TWO};count:5@gaussian=C;count:5*A=D", promise="pure", neighbours="replace")
    assert "C (its noise is fixed as Gaussian, which does not satisfy pure ε-DP)" in text_of(fixed)
    assert (
        "D (neighbouring data sets of a group must be “add or remove one person”; “replace one person” was given)"
        in text_of(fixed)
    )
    alone = open_page(PAGE, queries="sum:1e-9,0,1e6=Tiny")
    assert "There is no plan: no query of the list can be planned." in text_of(alone)
    assert charts_of(alone) == {}


def test_a_bar_that_is_dragged_changes_its_wanted_error_alone():
    app = open_page(PAGE, queries=TWO)
    field = stage_of(app)["fields"]["queries.1.half_width"]
    assert (field["used"], field["value"], "300" in field["steps"]) == ("300", 300.0, True)
    assert field["label"].startswith("Query 2: Wanted error")
    ask(app, set={"queries.1.half_width": "500"})
    assert link_of(app)["queries"] == "!count:20=A;sum:500,0,50=B"
    for key, entry in (("queries.1.high", "0"), ("queries.7.half_width", "5"), ("queries.x.half_width", "5")):
        ask(app, set={key: entry})
        assert link_of(app)["queries"] == "!count:20=A;sum:500,0,50=B"
    assert stage_of(ask(app, set={"queries.0.median": "5"}))["problems"] == []
    assert stage_of(ask(app, prefetch=[{"queries.0.half_width": "5"}]))["others"] == []


def test_rows_of_a_spreadsheet_replace_the_list_or_follow_it():
    app = open_page(PAGE, queries=TWO)
    app.session_state.query_paste_box = True
    app.run()
    rows = "name\tkind\t±\nMean age\tmean\t1\t0\t100\t2000\nBy region\thistogram\t10\t8\tall\nOdd\tmedian\t3"
    app.text_area(key="queries_pasted").set_value(rows).run()
    assert f"Row 4: its kind must be one of {', '.join(KINDS)}; " in text_of(app)
    app.button(key="query_paste_add").click().run()
    assert listed(app) == [
        "count:20=A",
        "sum:300,0,50=B",
        "!mean:1,0,100,2000=Mean%20age",
        "histogram:10,8*all=By%20region",
    ]
    app.button(key="query_paste_replace").click().run()
    assert listed(app) == ["!mean:1,0,100,2000=Mean%20age", "histogram:10,8*all=By%20region"]
    assert app.text_area(key="queries_pasted").value == rows


def test_a_list_has_one_query_to_thirty():
    assert {button.key for button in open_page(PAGE, queries="count:5").button if button.disabled} == {
        *("query_up", "query_down", "query_remove"),
    }
    full = open_page(PAGE, queries=";".join(["count:50"] * MAX_QUERIES), promise="pure")
    assert {"query_add", "query_copy"} <= {button.key for button in full.button if button.disabled}


def test_the_list_of_the_link_is_read_and_written_as_it_was():
    everything = f"{DEFAULTS};mean:1,0,10,50*hidden,A=a;own:5,3,2*size:100@gaussian_scale,4=b;count:3@epsilon,0.1=c"
    items = QUERIES.read(everything)
    assert QUERIES.read(list_text(items)) == items


OF_FRACTIONS = " or ".join(FAMILIES[key].words for key in MECHANISMS if not FAMILIES[key].whole)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("count:0", "Query 1: ± must be from 1e-100 to 1e100; 0 was given."),
        ("mean:1,0,10", "Query 1: mean (±, lo, hi, n) needs 4 numbers; 3 were given."),
        ("median:1", f"Query 1: its kind must be one of {', '.join(KINDS)}; "),
        (
            "count:5*all",
            "Query 1: after * it may have all, hidden, A to D, size, cap, periods or times; all was given.",
        ),
        ("count:5@staircase", "Query 1: its noise must be one of laplace,"),
        ("count:5@epsilon", "Query 1: epsilon needs 1 number; 0 were given."),
        ("sum:5,0,9@geometric", f"Query 1: the noise must be {OF_FRACTIONS}; geometric was given."),
        ("own:5,1,3", "Query 1: Δ₂ must be from 1e-100 to Δ₁; 3 was given."),
        (
            "own:5,1,1*cap:3",
            "Query 1: after * it may have all, hidden, A to D, size, cap, periods or times; cap:3 was given.",
        ),
        (
            "largest:15,5,1*periods:3",
            "Query 1: after * it may have all, hidden, A to D, size, cap, periods or times; periods:3 was given.",
        ),
        ("count:5*cap:2.5", "Query 1: N must be a whole number from 1 to 1e9; 2.5 was given."),
        ("groups:60,3,1*cap:2.5", "Query 1: N must be a whole number from 1 to 1e9; 2.5 was given."),
        ("groups:60,3,1*periods:3", "Query 1: P needs N, the most that one person adds in each of the 3 years."),
        ("histogram:5,9*periods:3", "Query 1: P needs N, the most that one person adds in each of the 3 years."),
        ("count:5*periods:3", "Query 1: P needs N, the most that one person adds in each of the 3 years."),
        ("running:5,36,9,1*periods:3", "Query 1: P needs N, the most that one person adds in each of the 3 years."),
        ("count:5*cap:1e9,periods:3", "Query 1: N in all years must be from 1 to 1e9; 3000000000 was given."),
        ("table:5,9,2,1*cap:0", "Query 1: N must be from 1e-6 to 1e9; 0 was given."),
        (";".join(["count:5"] * 31), "The link lists 31 queries; only the first 30 are read."),
    ],
)
def test_a_row_that_cannot_be_read_is_left_out_with_a_sentence(link, sentence):
    with pytest.raises(PartlyUsableError) as mended:
        QUERIES.read(link)
    assert mended.value.problems[0].startswith(sentence)


def test_a_number_that_is_typed_in_a_row_chooses_it_and_a_dragged_bar_replaces_a_bad_one():
    app = open_page(PAGE, queries=TWO)
    field(app, "query_half_width_1").set_value("400").run()
    assert listed(app)[1] == "!sum:400,0,50=B"
    field(app, "query_half_width_1").set_value("-4").run()
    assert "Query 2: ± must be" in text_of(app)
    ask(app, set={"queries.1.half_width": "500"})
    assert "must be" not in text_of(app)
    assert field(app, "query_half_width_1").value == "500"


def test_the_budget_is_a_handle_where_the_total_is_known():
    marks = [
        part["marks"] for part in parts_of(open_page(PAGE, queries=TWO, direction="total")) if part["kind"] == "chart"
    ]
    assert "epsilon" in marks[0]


def test_a_plan_for_which_delta_alone_is_enough_is_drawn():
    result = found_by("plan", queries="!sum:600,0,8=A", delta="0.1", promise="delta")
    assert result.epsilon == 0
    figure = figure_of(exhibits_by_name(result, "plan")["plan"])
    assert figure["layout"]["xaxis2"]["range"] == [0, 1]
