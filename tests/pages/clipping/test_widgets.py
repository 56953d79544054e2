"""The fields for own values in a session: pasted and uploaded, in the link only on request, and removed."""

import json

from pages.shared.site_map import CLIPPING
from pages.shared.values.parameters import MOST_LINKED
from tests.pages.conftest import (
    answer_conditions,
    ask,
    field,
    link_of,
    open_page,
    parts_of,
    stage_of,
    text_of,
    unfolded,
)

SECRET = "12000\n250000\n31000\n48123.5\n"
QUESTIONS = "Two questions before the answer."
NUMBERS = ("250000", "48123", "31000")


def with_values(text=SECRET, **link):
    app = open_page(CLIPPING.script, **link)
    app.session_state.own_values_box = True
    app.run()
    app.text_area(key="values_pasted").set_value(text).run()
    return answer_conditions(app) if QUESTIONS in text_of(app) else app


def test_pasted_values_are_drawn_and_stay_out_of_the_link_and_of_what_is_no_exhibit_of_them():
    app = unfolded(with_values(high="300000"))
    head = stage_of(app)
    assert link_of(app)["source"] == "own"
    assert link_of(app)["own"] == "none"
    for number in NUMBERS:
        assert number not in head["link"] + head["view"]
        for part in parts_of(app):
            links = [word for word in str(part.get("html", "")).split('"') if word.startswith("./")]
            assert not any(number in link for link in links)
    exhibits = [part for part in parts_of(app) if part["kind"] in ("chart", "table")]
    assert len(exhibits) == 5
    assert all(part["confidential"] for part in exhibits)
    assert "4 people with a number in column 1." in text_of(app)
    assert "of your " in text_of(app)


def test_an_item_of_a_report_has_own_values_only_in_the_session():
    app = with_values()
    ask(app, add="error_curve")
    item = json.loads(next(body for what, body in stage_of(app)["others"] if what[0] == "reportItem"))["item"]
    assert "@" in item
    assert not any(number in item for number in NUMBERS)


def test_values_are_included_in_the_link_taken_out_again_and_removed():
    app = with_values()
    app.button(key="values_include").click().run()
    assert link_of(app)["own"] == "12000;250000;31000;48123.5"
    app.button(key="values_include_out").click().run()
    assert link_of(app)["own"] == "none"
    assert "of your " in text_of(app)
    app.button(key="values_away").click().run()
    assert link_of(app)["source"] == "shape"
    assert "lognormal values are cut" in text_of(app)


def test_values_of_a_link_stay_in_the_session_where_they_are_taken_out():
    app = open_page(CLIPPING.script, source="own", own="1;2;40", contribution="once", fixed="yes")
    app.button(key="values_include_out").click().run()
    assert link_of(app)["own"] == "none"
    assert "of your " in text_of(app)


def test_a_file_offers_its_columns_and_too_many_values_fit_no_link():
    app = open_page(CLIPPING.script)
    app.session_state.own_values_box = True
    app.run()
    rows = "".join(f"p{place % 150},{place}\n" for place in range(300))
    field(app, "values_file").upload("trips.csv", f"who,n\n{rows}".encode(), "text/csv").run()
    assert "300 people with a number in column n." in text_of(app)
    app.selectbox(key="values_person").set_value(1).run()
    assert "150 people, named by column who, with the sum of column n unless several rows count." in text_of(app)
    assert app.button(key="values_include").disabled
    assert MOST_LINKED == 100


def test_a_text_that_cannot_be_read_is_refused_in_a_sentence_and_the_page_says_what_to_do():
    app = with_values("a\nb\n")
    assert "The pasted text can’t be read: no column holds numbers." in text_of(app)
    assert "Upload or paste your values" in text_of(app)


def test_a_tab_sends_back_its_copy_after_a_reload():
    app = with_values()
    ask(app, dataCopies=["values"])
    what, body = next((what, body) for what, body in stage_of(app)["others"] if what[0] == "dataCopy")
    new = open_page(CLIPPING.script, source="own")
    assert "Your own values are missing" in text_of(new)
    ask(new, restore={"values": [what[1]["token"], body.decode()]}, link="?source=own&contribution=once&fixed=yes")
    assert "of your " in text_of(new)
