"""Own data whose comma or point may mean two things: every page asks, keeps the data, and answers after the choice."""

import pytest

from pages.framework.session.data_files import DataFiles, pack
from pages.shared import site_map
from tests.pages.conftest import (
    ask,
    field,
    link_of,
    open_page,
    stage_of,
    text_of,
)

VALUES = "income\n1,200\n2,500\n800\n"
SCORES = b"member;score\n" + b"1;1.200\n0;900\n" * 100
NODES, EDGES = b"id,lat,lon\na,45.5,-73.6\nb,45.6,-73.5\n", b"u,v\na,b\n"


def page_with_box(page, box, **link):
    app = open_page(page.script, **link)
    app.session_state[box] = True
    return app.run()


def copy_of(app, slot):
    ask(app, dataCopies=[slot])
    what, body = next((what, body) for what, body in stage_of(app)["others"] if what[0] == "dataCopy")
    return [what[1]["token"], body.decode()]


def buttons(app):
    return {button.key: button.label.replace("\\", "") for button in app.button if "_decimal_" in button.key}


def test_values_are_asked_for_and_read_as_chosen_and_the_choice_can_be_changed():
    app = page_with_box(site_map.CLIPPING, "own_values_box")
    app.text_area(key="values_pasted").set_value(VALUES).run()
    question = "The pasted text is not read yet: 1,200 in line 2, column 1 (income) can be 1200 or 1.2."
    assert question in text_of(app)
    assert question in "".join(stage_of(app)["answer"])
    assert buttons(app) == {
        "values_decimal_point": "1,200 means 1200: the comma separates thousands",
        "values_decimal_comma": "1,200 means 1.2: the comma is the decimal mark",
    }
    app.button(key="values_decimal_point").click().run()
    assert "The decimal mark is a point, as you chose: 1,200 is 1200." in text_of(app)
    assert [*buttons(app)] == ["values_decimal_comma"]
    app.button(key="values_include").click().run()
    assert link_of(app)["own"] == "1200;2500;800"
    app.button(key="values_include_out").click().run()
    copy = copy_of(app, "values")
    app.button(key="values_decimal_comma").click().run()
    app.button(key="values_include").click().run()
    assert link_of(app)["own"] == "1.2;2.5;800"
    new = ask(open_page(site_map.CLIPPING.script, source="own"), restore={"values": copy}, link="?source=own")
    new.session_state.own_values_box = True
    assert "The decimal mark is a point, as you chose" in text_of(new.run())


def test_a_file_of_scores_is_asked_for_and_read_as_chosen():
    app = page_with_box(site_map.TRADEOFF, "own_attack_box", section="attack")
    field(app, "attack_file").upload("scores.csv", SCORES, "text/csv").run()
    assert "scores.csv is not read yet: 1.200 in line 2 can be 1200 or 1.2. Choose which one it means." in text_of(app)
    assert link_of(app)["attack"] == "none"
    app.button(key="attack_decimal_comma").click().run()
    assert link_of(app)["attack"] == "own"
    assert "is not read yet" not in text_of(app)
    copy, answer = copy_of(app, "attack"), stage_of(app)["answer"]
    app.button(key="attack_decimal_point").click().run()
    assert stage_of(app)["answer"] != answer
    new = open_page(site_map.TRADEOFF.script, section="attack", attack="own")
    ask(new, restore={"attack": copy}, link="?section=attack&attack=own")
    assert stage_of(new)["answer"] == answer
    assert [*buttons(new.run())] == ["attack_decimal_point"]


def test_typed_counts_are_asked_for_and_those_of_a_link_mean_what_they_always_did():
    app = page_with_box(site_map.TRADEOFF, "own_attack_box", section="attack")
    app.text_area(key="attack_counts").input("5 1.000 60 1.000").run()
    assert "The text is not read yet: 1.000 in line 1 can be 1000 or 1." in text_of(app)
    assert "No results are used instead." in text_of(app)
    assert "The results are not in the link" not in text_of(app)
    assert "attack_example" in [button.key for button in app.button]
    assert app.text_area[0].value == "5 1.000 60 1.000"
    app.button(key="attack_decimal_comma").click().run()
    assert app.text_area[0].value == "5, 1000, 60, 1000"
    assert buttons(app) == {}
    app.text_area[0].input("5 1.000 60 1.000").run()
    app.button(key="attack_decimal_point").click().run()
    assert "false_positives is 5, above non_members, 1" in text_of(app)
    app.text_area[0].input("5 100.0 60 100").run()
    assert app.text_area[0].value == "5, 100, 60, 100"
    linked = open_page(site_map.TRADEOFF.script, section="attack", attack="5_100.000_60_100")
    assert stage_of(linked)["notices"] == []
    assert link_of(linked)["attack"] == "5_100.000_60_100"


@pytest.mark.parametrize(
    ("files", "column"),
    [
        ({"nodes": NODES, "edges": EDGES, "counts": b"id;n\na;1.200\nb;800\n"}, None),
        ({"points": b"lat;lon;w\n45,5;-73,6;1.200\n45,6;-73,5;800\n"}, "w"),
    ],
)
def test_counts_and_weights_of_places_are_asked_for_and_read_as_chosen(files, column):
    app = page_with_box(site_map.DENOISING, "own_places_box", section="map")
    for kind, data in files.items():
        field(app, f"places_{kind}").upload(f"{kind}.csv", data, "text/csv").run()
    if column:
        app.selectbox(key="places_weight").set_value(column).run()
    assert "csv is not read yet: 1.200 in line 2, column" in "".join(stage_of(app)["answer"])
    app.button(key="places_decimal_comma").click().run()
    assert "The decimal mark is a comma, as you chose: 1.200 is 1200." in text_of(app)
    copy = copy_of(app, "places")
    new = open_page(site_map.DENOISING.script, section="map", places="own")
    ask(new, restore={"places": copy}, link="?section=map&places=own")
    assert "is not read yet" not in "".join(stage_of(new)["answer"])
    app.button(key="places_decimal_point").click().run()
    assert "The decimal mark is a point, as you chose: 1.200 is 1.2." in text_of(app)


@pytest.mark.parametrize("mark", [",", "."])
def test_a_table_is_asked_for_and_read_when_the_repair_is_chosen(mark):
    app = page_with_box(site_map.TABLES, "own_table_box", section="table")
    app.text_area(key="table_pasted").input(f"North; 1{mark}203\nSouth; 12\n").run()
    assert f"1{mark}203 can be read as 1203 or as 1.203" in text_of(app)
    assert "Nothing is drawn in its place" in "".join(stage_of(app)["answer"])
    app.button(key="table_repair_thousands").click().run()
    assert "Nothing is drawn" not in "".join(stage_of(app)["answer"])
    assert f"1{mark}203 is 1203" in text_of(app)


@pytest.mark.parametrize(
    "choices", [{"decimal": ";", "column": "x"}, {"decimal": [","]}, {"decimal": None, "person": 3}]
)
def test_choices_of_a_copy_that_the_page_has_not_written_are_no_error(choices):
    copy = pack(DataFiles({"file": ("mine.csv", b"income\n7.5\n2\n")}, choices))
    app = open_page(site_map.CLIPPING.script, source="own")
    ask(app, restore={"values": ["name", copy]}, link="?source=own")
    is_text = isinstance(choices["decimal"], str)
    assert ("mine.csv can’t be read" in "".join(stage_of(app)["answer"])) is is_text
