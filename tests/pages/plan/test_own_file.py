"""A file of the user's own proposes rows of the plan: read in the session, accepted one by one, and confidential."""

import json
import shlex
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

import pytest

from pages.framework.export.exhibit import read_item
from pages.framework.export.report_items import rebuild
from pages.framework.rendering import stage
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import DataFiles
from pages.plan.file_widgets import CHOICES, person_field, read_file
from pages.plan.proposals import likely_columns
from pages.plan.queries import DEFAULTS, MAX_QUERIES, new_item
from pages.plan.release_call import EACH_ROW, PlanFile, program_calls
from pages.shared import site_map
from tests.pages.conftest import ask, field, link_of, open_page, parts_of, stage_of, stored_copy, text_of

NAME, COLUMN = "clinic_of_zyzzogeton.csv", "zorblax"
ROWS = [("p-77001", "Quandary", 48613, "2031-07-19"), ("p-77001", "Mumford", 7919, "2031-07-23")]
ROWS += [(f"p-{77002 + place}", "Quandary", 10007 + place, "2031-08-02") for place in range(30)]
FILE = f"patient,ward,{COLUMN},visit\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)
SECRETS = ("zyzzogeton", COLUMN, "77001", "Quandary", "Mumford", "48613", "7919", "2031-", "10007", "Ossip", "Brunk")
TWO = "!count:20=A;sum:300,0,50=B"
BOX, PERSON = "own_plan_box", "plan_person"


REPORT = Progress(lambda message: None)


def read(data: str | bytes, person: str | None = None):
    content = data.encode() if isinstance(data, str) else data
    return read_file(DataFiles({"file": (NAME, content)}, CHOICES | {"person": person}), REPORT)


def with_file(content: str | bytes = FILE, name: str = NAME, **link: str):
    app = open_page(site_map.PLAN.script, **{"queries": TWO} | link)
    app.session_state[BOX] = True
    app.run()
    data = content.encode() if isinstance(content, str) else content
    field(app, "plan_file").upload(name, data, "text/csv").run()
    assert not app.exception
    return app


def choose_person(app, label: str):
    options = field(app, PERSON).options
    field(app, PERSON).set_value(next(place for place, option in enumerate(options) if option.startswith(label))).run()
    return app


def proposal_field(app, name: str) -> Any:
    fields = (*app.text_input, *app.selectbox, *app.text_area, *app.button)
    return next(one for one in fields if (one.key or "").startswith("proposal_") and one.key.endswith(f"_{name}"))


def choose_column(app, name: str):
    box = proposal_field(app, "column")
    box.set_value(box.options.index(name)).run()
    return app


def listed(app) -> list[str]:
    return link_of(app)["queries"].split(";")


def expect_no_secret(text: str, secrets: tuple[str, ...] = SECRETS) -> None:
    assert [secret for secret in secrets if secret.lower() in unquote(unquote(text)).lower()] == []


def test_a_file_has_its_columns_and_the_likely_ones_of_people_first():
    reading = read(FILE)
    assert reading.content == PlanFile(reading.memory["file"].columns, None, NAME)
    assert reading.content is not None
    assert not reading.content.is_row_person
    (choice,) = person_field(DataFiles(choices=CHOICES | {"person": None}, memory=reading.memory))
    assert [choice.labels.get(option, option) for option in choice.options or ()] == [
        *("Choose it first", "patient (by its name)", f"{COLUMN} (many different values)"),
        *("None: each row is one person", "ward", "visit"),
    ]
    chosen = read_file(DataFiles({"file": (NAME, b"")}, {"person": "patient"}, reading.memory), REPORT).content
    assert chosen is not None
    assert [column.name for column in chosen.columns] == ["ward", COLUMN, "visit"]
    assert read(FILE, "nobody").content == reading.content
    everybody = read(FILE, EACH_ROW).content
    assert everybody is not None
    assert everybody.is_row_person
    assert list(person_field(DataFiles(choices=CHOICES))) == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1: the file is empty"),
        (b"a,b\n1,2\n3\n", "line 3: 1 column, where line 1 has 2"),
        (b"PK\x03\x04", "line 1: the file is a zip archive or a workbook (.xlsx), not text; save the sheet as CSV"),
        (
            b"Ann,31\nBob,44\n",
            "line 1: the first row must name the columns, and column 2 holds a number or a date there",
        ),
    ],
)
def test_a_bad_file_is_one_calm_sentence_and_proposes_nothing(content: bytes, reason: str):
    app = with_file(content, "a.csv")
    assert f"a.csv can’t be read: {reason}. It proposes no rows." in text_of(app)
    assert not [button for button in app.button if (button.key or "").startswith("proposal")]
    assert listed(app) == TWO.split(";")
    field(app, "plan_file").upload("b.csv", FILE.encode(), "text/csv").run()
    assert "can’t be read" not in text_of(app)
    assert f"4 columns: patient (text), ward (text), {COLUMN} (numbers), visit (dates)." in text_of(app)


def test_nothing_is_proposed_before_the_user_says_who_is_a_person():
    app = with_file()
    assert not [button for button in app.button if (button.key or "").startswith("proposal")]
    choose_person(app, "patient")
    assert list(proposal_field(app, "column").options) == ["ward", COLUMN, "visit"]


def test_rows_are_added_one_by_one_with_numbers_that_the_user_enters():
    app = choose_person(with_file(), "patient")
    proposal_field(app, "count_add").click().run()
    assert listed(app)[2:] == ["!count:5=Number%20of%20people"]
    assert "Added as query 3." in text_of(app)
    app.button(key="query_choose_1").click().run()
    assert "Added as query 3." in text_of(app)  # the list is the same
    field(app, "query_half_width_0").set_value("21").run()
    assert "Added as" not in text_of(app)
    field(app, "query_half_width_0").set_value("20").run()
    choose_column(app, COLUMN)
    assert proposal_field(app, "type").value == "number"
    assert "Each person counts with one value." in text_of(app)
    proposal_field(app, "sum_add").click().run()
    assert "Enter first: Lowest value of a person, lo; Highest value of a person, hi." in text_of(app)
    assert "Added as" not in text_of(app)
    assert len(listed(app)) == 3
    for name, entry in (("low", "0"), ("high", "500"), ("n_records", "2,000"), ("name", "Costs")):
        proposal_field(app, name).set_value(entry).run()
    assert "Enter first" not in text_of(app)  # all is there now
    proposal_field(app, "sum_add").click().run()
    proposal_field(app, "mean_add").click().run()
    assert listed(app)[3:] == ["sum:1000,0,500=Costs%3A%20sum", "!mean:5,0,500,2000=Costs%3A%20mean"]
    assert "Enter first" not in text_of(app)
    proposal_field(app, "high").set_value("lots").run()
    proposal_field(app, "sum_add").click().run()
    assert "hi must be from −1e15 to 1e15; lots was given, which is not a number." in text_of(app)
    choose_column(app, "ward")
    proposal_field(app, "categories").set_value("Ossip\nBrunk").run()
    for name, entry in (("per_person", "2"), ("per_cell", "3")):
        proposal_field(app, name).set_value(entry).run()
    proposal_field(app, "table_add").click().run()
    assert listed(app)[5] == "!table:20,2,2,3=ward%3A%20table"
    choose_column(app, "visit")
    for name, entry in (("length", "24"), ("in_periods", "6"), ("per_period", "4")):
        proposal_field(app, name).set_value(entry).run()
    proposal_field(app, "running_add").click().run()
    assert listed(app)[6] == "!running:40,24,6,4=visit%3A%20running%20totals"
    assert field(app, "query_kind").value == "running"  # an ordinary row, which is edited like any other


def test_a_column_can_be_treated_as_another_type_and_every_row_as_a_person():
    app = choose_column(choose_person(with_file(), "None: each row"), COLUMN)
    assert "Each person counts with one value." not in text_of(app)
    proposal_field(app, "type").set_value("text").run()
    proposal_field(app, "categories").set_value("1, 2, 3").run()
    proposal_field(app, "name").set_value("").run()
    proposal_field(app, "histogram_add").click().run()
    assert listed(app)[2] == "!histogram:10,3="
    proposal_field(app, "groups_add").click().run()
    assert listed(app)[3] == "!groups:60,1,1="


def test_a_file_with_one_column_proposes_the_number_of_people_and_a_full_list_takes_no_row():
    app = choose_person(with_file("patient\nA\nB\n"), "patient")
    assert [button.label for button in app.button if (button.key or "").startswith("proposal")] == [
        "Add the number of people"
    ]
    full = choose_person(with_file(queries=";".join(["count:50"] * MAX_QUERIES), promise="pure"), "patient")
    assert proposal_field(full, "count_add").disabled


def test_the_link_the_stage_the_report_and_the_files_have_nothing_of_the_file():
    app = choose_column(choose_person(with_file(), "patient"), COLUMN)
    for name, entry in (("low", "0"), ("high", "500"), ("name", "Costs")):
        proposal_field(app, name).set_value(entry).run()
    proposal_field(app, "sum_add").click().run()
    head = stage_of(app)
    expect_no_secret(json.dumps({key: value for key, value in head.items() if key != "others"}, default=str))
    exhibits = [part["name"] for part in parts_of(app) if part["kind"] in ("chart", "table")]
    assert exhibits == ["plan", "plan_table"]
    for name in exhibits:
        ask(app, csv=name)
        file = stage.unpack(next(body for what, body in stage_of(app)["others"] if what[0] == "csv"))
        expect_no_secret(f"{file['file']}\n{file['text']}")
    for panel in ("code", "say"):
        ask(app, panel=panel)
        expect_no_secret(next(body for what, body in stage_of(app)["others"] if what[0] == "panel").decode())
    for name in (*exhibits, "answer"):
        ask(app, add=name)
        item = json.loads(next(body for what, body in stage_of(app)["others"] if what[0] == "reportItem"))["item"]
        expect_no_secret(item)
        expect_no_secret(repr(rebuild(read_item(item)).parameters))


def test_nothing_of_a_file_is_logged(capfd):
    choose_person(with_file(), "patient")
    with_file(f"{FILE}{SECRETS[2]},{SECRETS[3]}\n")
    expect_no_secret("".join(capfd.readouterr()))


def test_the_name_of_a_column_enters_the_link_with_its_row_alone_and_the_page_says_so():
    app = choose_column(choose_person(with_file(), "patient"), COLUMN)
    expect_no_secret(stage_of(app)["link"])
    assert "stands in the link: its name and the numbers that you enter for it" in text_of(app)
    assert proposal_field(app, "name").value == COLUMN
    for name, entry in (("low", "0"), ("high", "500")):
        proposal_field(app, name).set_value(entry).run()
    expect_no_secret(stage_of(app)["link"])
    proposal_field(app, "sum_add").click().run()
    assert listed(app)[2] == f"!sum:1000,0,500={COLUMN}%3A%20sum"
    expect_no_secret(stage_of(app)["link"], tuple(secret for secret in SECRETS if secret != COLUMN))


def test_a_first_row_from_a_file_takes_the_place_of_the_examples():
    app = choose_person(with_file(queries=DEFAULTS), "patient")
    proposal_field(app, "count_add").click().run()
    assert listed(app) == ["!count:5=Number%20of%20people"]
    assert "Added as query 1, in place of the examples." in text_of(app)


def test_unknown_groups_say_that_they_require_delta_and_offer_it():
    app = choose_column(choose_person(with_file(promise="pure"), "patient"), "ward")
    for name, entry in (("groups_per_person", "2"), ("per_group", "1")):
        proposal_field(app, name).set_value(entry).run()
    proposal_field(app, "groups_add").click().run()
    assert "Added as query 3." in text_of(app)
    assert "It is left out of the total: its threshold requires δ." in text_of(app)
    assert "Query 3 is left out of the total" in text_of(app)
    for key in ("query_delta", "groups_delta"):
        assert next(button for button in app.button if (button.key or "").endswith(key)).label == "Choose (ε, δ)-DP"
    proposal_field(app, "groups_delta").click().run()
    assert link_of(app)["promise"] == "delta"
    assert "left out of the total" not in text_of(app)
    assert not [button for button in app.button if button.label == "Choose (ε, δ)-DP"]
    with_file(queries="!count:20@gaussian=A", promise="pure").button(key="query_delta").click().run()


def test_the_call_of_the_program_has_the_columns_of_the_file_and_is_in_no_link():
    app = choose_column(choose_person(with_file(), "patient"), COLUMN)
    for name, entry in (("low", "0"), ("high", "500"), ("name", "Costs")):
        proposal_field(app, name).set_value(entry).run()
    proposal_field(app, "sum_add").click().run()
    assert not app.code
    app.toggle(key="plan_call").set_value(True).run()
    words = shlex.split(app.code[0].value)
    assert words[:5] == ["python", "release.py", NAME, "--person", "patient"]
    assert "--leave-out-bad-rows" not in words
    assert f"Costs: sum={COLUMN}" in words
    expect_no_secret(stage_of(app)["link"])


def test_the_rows_the_people_and_the_unusable_entries_are_said_in_the_tab_alone():
    app = with_file(FILE + "p-1,Quandary,n/a,2031-07-19\np-1,,EUR 8,2031-07-19\n")
    assert "34 rows. Entries that can’t be used: 1 of ward, 2 of zorblax." in text_of(app)
    choose_person(app, "patient")
    assert "34 rows, 32 people. Entries that can’t be used: 1 of ward, 2 of zorblax." in text_of(app)
    app.toggle(key="plan_call").set_value(True).run()
    assert "--leave-out-bad-rows" in shlex.split(app.code[0].value)
    expect_no_secret(stage_of(app)["link"], ("34 rows", "32 people", *SECRETS))


def test_the_call_joins_values_and_has_columns_that_are_guessed_by_name_and_type():
    items = [new_item(kind) for kind in ("mean", "quantile", "sum", "each", "histogram", "groups")]
    names = ["Mean age", "Median waiting time", "Total costs", "Monthly visits", "By district", "Diagnosis codes"]
    types = {"age": "number", "waiting_minutes": "number", "costs": "number", "visit_date": "date"}
    types |= {"district": "text", "diagnosis": "text"}
    likely = likely_columns(items, names, types)
    assert list(likely.values()) == ["age", "waiting_minutes", "costs", "visit_date", "district", "diagnosis"]
    assert likely_columns(items[:1], ["Mean weight"], types) == {}
    file = PlanFile((), "id", "my visits.csv", has_unusable=True)
    words = shlex.split(program_calls(items, names, file, likely, {})[0])
    assert words[2] == "my visits.csv"
    joined = [after for word, after in pairwise(words) if word == "--join"]
    assert joined == ["Mean age=mean", "Median waiting time=mean"]
    assert "Monthly visits=FIRST-MONTH" in words
    assert "'Monthly visits=2024-01'" in program_calls(items, names, PlanFile((), "id"), likely, {}, "2024-01")[0]
    assert "--join" not in program_calls(items, names, PlanFile((), EACH_ROW), likely, {})[0]


@pytest.mark.parametrize(
    ("name", "columns", "column"),
    [
        ("Mean age in years", ("year", "age"), "age"),  # the word itself, not its plural
        ("Mean age per year", ("year", "age"), "age"),  # the earlier word
        ("Mean age", ("age_group_code", "age"), "age"),
        ("Mean total costs", ("total", "cost"), "cost"),  # a statistic is no column
        ("Mean age", ("age_first", "age_last"), None),
        ("Mean weight", ("age", "year"), None),
    ],
)
def test_a_column_is_guessed_by_the_best_word_and_left_open_where_two_are_as_good(name, columns, column):
    item = new_item("mean")
    for order in (columns, columns[::-1]):
        likely = likely_columns([item], [name], dict.fromkeys(order, "number"))
        assert likely.get(name) == column
        call = program_calls([item], [name], PlanFile((), EACH_ROW), likely, {})[0]
        assert f"{name}={column or 'COLUMN'}" in shlex.split(call)


def test_a_file_comes_back_from_the_tab_in_a_new_session_and_is_forgotten_on_request():
    app = choose_person(with_file(), "patient")
    copy = stored_copy(app, "plan")
    assert "The file is not in the link" in text_of(app)
    new = open_page(site_map.PLAN.script, queries=TWO)
    new.session_state[BOX] = True
    ask(new, restore={"plan": copy}, link=f"?queries={TWO}")
    new.run()
    assert list(proposal_field(new, "column").options) == ["ward", COLUMN, "visit"]
    new.button(key="plan_away").click().run()
    assert not [button for button in new.button if (button.key or "").startswith("proposal")]
    assert stage_of(new)["data"] == {"plan": ""}


def test_a_public_list_and_the_columns_of_rows_are_kept_with_the_file_and_forgotten_with_it():
    app = choose_column(choose_person(with_file(), "patient"), "ward")
    proposal_field(app, "categories").set_value("Ossip\nBrunk").run()
    for name, entry in (("per_person", "2"), ("per_cell", "3"), ("name", "Wards")):
        proposal_field(app, name).set_value(entry).run()
    proposal_field(app, "table_add").click().run()
    assert not app.session_state["dp_session"].data_left  # no worker has computed from the list
    choose_column(choose_column(app, COLUMN), "ward")
    assert proposal_field(app, "categories").value == "Ossip\nBrunk"  # also where the field was gone in between
    link = {key: text for key, text in link_of(app).items() if key == "queries"}
    expect_no_secret(stage_of(app)["link"])
    new = open_page(site_map.PLAN.script, **link)
    new.session_state[BOX] = True
    ask(new, restore={"plan": stored_copy(app, "plan")}, link=f"?queries={link['queries']}")
    choose_column(new.run(), "ward")
    assert proposal_field(new, "categories").value == "Ossip\nBrunk"
    new.toggle(key="plan_call").set_value(True).run()
    words = shlex.split(new.code[0].value)
    assert "Wards: table=ward" in words
    assert "Wards: table=list-3.csv" in words
    assert not any("LIST.csv" in word for word in words)
    (saved,) = new.get("download_button")
    assert saved.proto.label == "Save list-3.csv"
    new.button(key="plan_away").click().run()
    new.file_uploader(key="plan_file").upload(NAME, FILE.encode(), "text/csv").run()
    choose_column(choose_person(new, "patient"), "ward")
    assert proposal_field(new, "categories").value == ""


def test_public_numbers_that_are_not_added_and_the_first_month_come_back_with_the_file():
    series = "!each:20,36,12,1=Monthly"
    app = choose_column(choose_person(with_file(queries=series), "patient"), COLUMN)
    for name, entry in (("low", "17"), ("high", "512")):
        proposal_field(app, name).set_value(entry).run()
    app.toggle(key="plan_call").set_value(True).run()
    assert "Monthly=FIRST-MONTH" in shlex.split(app.code[0].value)
    field(app, "plan_first_month").set_value("January").run()
    assert "The first month must be one such as 2026-01; January was given." in text_of(app)
    field(app, "plan_first_month").set_value("2024-01").run()
    assert "Monthly=2024-01" in shlex.split(app.code[0].value)
    assert "FIRST-MONTH" not in app.code[0].value
    expect_no_secret(stage_of(app)["link"], ("512", "2024-01", *SECRETS))
    new = open_page(site_map.PLAN.script, queries=series)
    new.session_state[BOX] = True
    ask(new, restore={"plan": stored_copy(app, "plan")}, link=f"?queries={series}")
    choose_column(new.run(), COLUMN)
    assert [proposal_field(new, name).value for name in ("low", "high")] == ["17", "512"]
    new.toggle(key="plan_call").set_value(True).run()
    assert field(new, "plan_first_month").value == "2024-01"
    new.button(key="plan_away").click().run()
    new.file_uploader(key="plan_file").upload(NAME, FILE.encode(), "text/csv").run()
    choose_column(choose_person(new, "patient"), COLUMN)
    assert proposal_field(new, "low").value == ""


def test_another_file_asks_again_who_is_a_person_and_has_fields_of_its_own():
    app = choose_column(choose_person(with_file(), "patient"), COLUMN)
    proposal_field(app, "low").set_value("3").run()
    field(app, "plan_file").upload("b.csv", b"member,age\nA,3\nB,4\n", "text/csv").run()
    assert not [button for button in app.button if (button.key or "").startswith("proposal")]
    choose_person(app, "member")
    assert proposal_field(app, "low").value == ""
