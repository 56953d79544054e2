"""What a browser still sends of a field that the page has changed or removed: it is not an edit."""

import pytest

from tests.pages.conftest import ask, field, link_of, open_page

CURVES, PLAN, COMPOSITION = "pages/3_Trade-off_curves.py", "pages/13_Plan.py", "pages/8_Composition.py"
LISTS = {
    CURVES: ("curves", "gdp:1@blue=;!laplace:0.5@orange=Own", "!gdp:2@blue=;gdp:3@orange="),
    PLAN: ("queries", "count:20=A;!sum:300,0,50=B", "!count:30=C;count:40=D"),
    COMPOSITION: ("releases", "gaussian:4*5=;!pure:0.5=Own", "!gaussian:3*2=;gaussian:6*1="),
}


def page_with_list(page, name, entry):
    app = open_page(page, **{name: entry})
    if page == CURVES:
        app.session_state["curve_box"] = True
        app.run()
    return app


@pytest.mark.parametrize("page", LISTS)
def test_after_a_link_the_old_values_of_all_fields_change_nothing(page):
    name, old, new_list = LISTS[page]
    app = page_with_list(page, name, old)
    states = app._tree.get_widget_states()
    ask(app, link=f"?{name}={new_list}")
    assert link_of(app)[name] == new_list
    app._run(states)
    assert not app.exception
    assert link_of(app)[name] == new_list


@pytest.mark.parametrize(
    ("page", "kind", "prefix"), [(CURVES, "laplace", "curve"), (PLAN, "sum", "query"), (COMPOSITION, "pure", "release")]
)
def test_the_fields_of_an_entry_chosen_before_change_nothing_and_an_edit_counts(page, kind, prefix):
    name, old, _ = LISTS[page]
    app = page_with_list(page, name, old)
    states = app._tree.get_widget_states()
    first, second = old.replace("!", "").split(";")
    ask(app, set={name: f"!{first};{second}"})
    app._run(states)
    assert link_of(app)[name] == f"!{first};{second}"
    field(app, f"{prefix}_kind").set_value(kind).run()  # the very value that the field had before
    assert link_of(app)[name].startswith(f"!{kind}:")


def test_a_field_that_the_page_no_longer_has_changes_nothing():
    app = page_with_list(CURVES, "curves", "!laplace:0.5@blue=")
    field(app, "curve_theta").set_value("0.7")
    states = app._tree.get_widget_states()
    ask(app, link="?curves=!gdp:2@blue=")
    app._run(states)
    assert not app.exception
    assert link_of(app)["curves"] == "!gdp:2@blue="


def test_an_entry_that_is_written_otherwise_stays_in_its_field_where_the_cursor_is():
    app = page_with_list(PLAN, "queries", "!count:20=A")
    key = field(app, "query_size").key
    field(app, "query_size").set_value(" 5000 ").run()
    assert field(app, "query_size").key == key
    assert field(app, "query_size").value == "5000"
