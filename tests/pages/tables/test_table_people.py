"""Raw records of people: who identifies them, how often a person occurs, and what the answer then claims."""

from urllib.parse import urlencode

import numpy as np
import pytest

from pages.shared.counts import upload
from tests.pages.conftest import ROOT, ask, enter, field, link_of, open_page, stage_of, stored_copy, text_of
from tests.pages.tables.test_table_widgets import QUESTIONS, bring, with_field, words_of

VISITS = b"patient;ward;day\nA7;1;Mon\na7;1;Tue\nA7 ;2;Wed\nB2;1;Mon\nA7;1;Thu\n"
NOT_CHECKED, ONE_ROW_EACH = "Not checked", "Each row is one person (no such column)"
UNCHECKED = "Each row is counted; nobody checked whether a person has several rows."
CONFIDENTIAL = (
    "In this file a person has up to 4 rows, in up to 2 cells, up to 3 in one cell. These numbers are confidential "
    "themselves: do not publish them, and set the limit from what you know, not from them."
)
ONE_ROW = "a row for each person in this file, if it numbers people and not rows"
EXCEEDED = "No privacy guarantee: in this file, somebody counts more often than you allow."


def records(data, *columns, person=None):
    """Return the page with raw records that are counted by columns, with the questions still open."""
    app = with_field()
    field(app, "table_file").upload("mine.csv", data, "text/csv").run()
    if not [widget for widget in app.multiselect if "table_columns" in str(widget.key)]:
        app.selectbox(key="table_kind").set_value(3).run()
    if person is not None:
        choose_person(app, person)
    field(app, "table_columns").set_value(list(columns)).run()
    assert not app.exception
    return app


def person_choices(app):
    return field(app, "table_person").options


def choose_person(app, name):
    field(app, "table_person").set_value(person_choices(app).index(name)).run()


def person_chosen(app):
    return person_choices(app)[field(app, "table_person").value]


def headline(app):
    return words_of(stage_of(app)["answer"][0])


def answer_once(app, fixed="yes"):
    return ask(app, set={"contribution": "once", "fixed": fixed})


def test_the_column_of_people_is_proposed_and_what_it_shows_is_said_to_be_confidential():
    app = records(VISITS, "ward")
    assert person_chosen(app) == "patient"
    assert field(app, "table_columns").options == ["ward", "day"]
    assert CONFIDENTIAL in text_of(app)
    assert "Entries that differ only in spaces, upper case or leading zeros are one person." in text_of(app)
    assert QUESTIONS in text_of(app)
    assert "row for each person" not in text_of(app)


def test_records_that_exceed_the_limit_get_no_claim_and_a_limit_that_holds_gets_one():
    app = answer_once(records(VISITS, "ward"))
    assert headline(app).startswith(EXCEEDED)
    assert "keep at most a fixed number of records of each person" in words_of(stage_of(app)["answer"][1])
    for k, c, holds in (("2", "2", False), ("1", "3", False), ("2", "3", True)):
        ask(app, set={"contribution": "limited", "per_person": k, "per_cell": c})
        assert headline(app).startswith(EXCEEDED) is not holds, (k, c)
    assert "±" in headline(app)
    for total, periods, holds in (("3", "1", False), ("2", "2", True), ("4", "1", True)):
        ask(app, set={"per_total": total, "n_periods": periods})
        assert headline(app).startswith(EXCEEDED) is not holds, (total, periods)


def test_denoising_makes_no_claim_either_on_records_that_exceed_the_limit():
    app = answer_once(records(VISITS, "ward"))
    app.switch_page(str(ROOT / "pages/7_Denoising.py")).run()
    ask(app, link="?section=counts&table=own&contribution=once&fixed=yes")
    assert headline(app).startswith(EXCEEDED)


def test_the_button_asks_for_the_limit_and_takes_no_number_from_the_file():
    app = records(VISITS, "ward")
    app.button(key="table_limit").click().run()
    link = link_of(app)
    assert (link["contribution"], link["per_person"], link["per_cell"]) == ("entering", "1", "1")
    assert "Enter the whole limit" in text_of(app)
    assert not [button for button in app.button if button.key == "table_limit"]


def test_without_a_column_of_people_nobody_has_checked_and_the_page_says_so():
    app = records(b"sex,region\nF,North\nM,South\nF,South\nF,North\n", "sex")
    assert (person_chosen(app), person_choices(app)) == (NOT_CHECKED, [NOT_CHECKED, "sex", "region", ONE_ROW_EACH])
    choose_person(app, ONE_ROW_EACH)
    assert field(app, "table_columns").value == ["sex"]
    assert UNCHECKED in text_of(app)
    assert "row for each person" not in text_of(app)


def test_a_column_is_not_cross_tabulated_once_it_identifies_people_and_is_again_if_it_does_not():
    app = records(VISITS, "day", person="ward")
    assert field(app, "table_columns").options == ["patient", "day"]
    choose_person(app, "day")
    assert (field(app, "table_columns").value, field(app, "table_columns").options) == ([], ["patient", "ward"])
    choose_person(app, ONE_ROW_EACH)
    assert field(app, "table_columns").options == ["patient", "ward", "day"]
    field(app, "table_kind").set_value(1).run()
    field(app, "table_kind").set_value(3).run()
    assert person_chosen(app) == "patient"


def test_the_browser_stores_the_column_of_people_or_its_numbers_without_the_file(monkeypatch):
    def restored(app):
        new = open_page("pages/6_Tables.py", **link_of(app))
        ask(new, restore={"table": stored_copy(app, "table")}, link="?" + urlencode(link_of(app)))
        return new

    new = restored(answer_once(records(VISITS, "day", person="ward")))
    assert headline(new).startswith(EXCEEDED)
    new.session_state.own_table_box = True
    assert person_chosen(new.run()) == "ward"
    monkeypatch.setattr(upload, "_MOST_RAW", 10)
    assert headline(restored(answer_once(records(VISITS, "ward")))).startswith(EXCEEDED)


def test_the_same_people_as_records_and_as_a_table_from_a_group_by_end_in_the_same_headline():
    rng = np.random.default_rng(7)
    codes = np.sort(np.concatenate([np.arange(900), rng.integers(0, 900, 2100)]))
    numbers, counts = np.unique(codes, return_counts=True)
    raw = "patient;code\n" + "".join(f"P{place:04d};C{code:03d}\n" for place, code in enumerate(codes))
    table = "code;patients\n" + "".join(f"C{code:03d};{n}\n" for code, n in zip(numbers, counts, strict=True))
    by_records = records(raw.encode(), "code")
    by_table = with_field()
    field(by_table, "table_file").upload("mine.csv", table.encode(), "text/csv").run()
    assert headline(by_records) == headline(by_table) == QUESTIONS
    assert "They are those that occur in your records." in str(stage_of(by_records))
    assert "They are those that occur in your records." not in str(stage_of(by_table))
    for fixed in ("no", "some", "yes"):
        answers = [words_of(" ".join(stage_of(answer_once(app, fixed))["answer"])) for app in (by_records, by_table)]
        assert answers[0] == answers[1], fixed
        assert ("No privacy guarantee: the list of categories comes from the data" in answers[0]) is (fixed != "yes")


INPUTS = {
    "leading zeros": (b"Kundennr;plan\n007;A\n7;A\n010;B\n", "plan", "Kundennr", "up to 2 rows"),
    "mixed case": (b"Pseudonym,arm\nab9,x\nAB9,x\ncd1,y\n", "arm", "Pseudonym", "up to 2 rows"),
    "blanks": (b"member,sex\nm1,F\n,F\nm2,M\nNA,M\n", "sex", "member", "2 rows have no entry in member"),
    "spaces": (b"user id\tpage\nu 1\ta\nu1 \ta\n u1\tb\n", "page", "user id", "up to 3 rows, in up to 2 cells"),
    "two columns": (b"nr;Versicherten-ID;kanton\n1;v1;BE\n2;v1;BE\n3;v2;ZH\n", "kanton", "Versicherten-ID", "2 rows"),
    "no column": (b"sex;age\nF;30\nM;31\nF;30\nF;32\n", "sex", NOT_CHECKED, UNCHECKED),
    "dates": (
        ("day;ward\n" + "".join(f"2024-0{1 + i // 28}-{1 + i % 28:02d};w{i % 2}\n" for i in range(56))).encode(),
        *("ward", NOT_CHECKED, UNCHECKED),
    ),
    "row numbers": (b"id,sex\n1,F\n2,M\n3,F\n", "sex", "id", ONE_ROW),
    "hashes": (
        ("ref2;town\n" + "".join(f"f{i // 2:03x}{'' if i % 2 else ' '};T{i % 3}\n" for i in range(60))).encode(),
        *("town", NOT_CHECKED, "Many different values: ref2. If such a column identifies people, choose it."),
    ),
    "floats": (b"patient_id,sex\n12.0,F\n13.0,F\n12,F\n,M\n", "sex", "patient_id", "up to 2 rows"),
    "nobody": (b"patient,sex\n,F\n-,M\n", "sex", NOT_CHECKED, UNCHECKED),
    "one person": (b"patient;sex\nA;F\nA;F\n", "sex", "patient", "up to 2 rows, in up to 1 cell, up to 2 in one cell"),
}


@pytest.mark.parametrize("name", INPUTS)
def test_files_such_as_people_bring_are_read_and_nothing_is_claimed_that_nobody_checked(name):
    data, column, person, sentence = INPUTS[name]
    app = records(data, column)
    assert person_chosen(app) == person
    assert sentence in text_of(app)
    assert ("row for each person" in text_of(app)) is (sentence == ONE_ROW)


def test_a_new_file_is_asked_for_its_own_column_of_people():
    app = records(VISITS, "day", person=ONE_ROW_EACH)
    bring(app, b"customer;town\n1;A\n1;B\n2;A\n")
    assert person_chosen(app) == "customer"
    app = enter(app, "epsilon", "0.5")
    assert person_chosen(app) == "customer"
