import re

import pytest

from tests.pages.conftest import ROOT, ask, charts_of, enter, link_of, opened, parts_of, stage_of, text_of

PAGE = "pages/5_Accuracy.py"
HEAVY = "weight (weight) must be from 1e-6 to 1e6; heavy was given, which is not a number. 2 is used instead."


def editing(**link):
    """The budget with the fields that change it."""
    app = opened(PAGE, section="budget", **link)
    app.session_state.budget_box = True
    return app.run()


def budget_row(app, name):
    html = next(part["html"] for part in parts_of(app) if part.get("name") == "budget_table")
    row = re.search(rf"<tr><th scope='row'>{re.escape(name)}</th>(.*?)</tr>", html)
    assert row is not None
    return [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", row[1])]


def used(app):
    return link_of(app)["budget"]


def test_the_page_answers_first_and_the_section_opens_with_its_picture():
    app = opened(PAGE, query="mean", known="accuracy")
    assert "within ±1 units" in text_of(app)
    lead, *rest = parts_of(app)
    assert (lead["kind"], lead["name"], len(lead["alt"]) > 60) == ("chart", "accuracy", True)
    assert [part["kind"] for part in rest] == ["words", "fields", "fields", "words", "words", "table", "words"]
    app.session_state.explanation = True
    app.run()
    assert not app.exception
    assert "$$" in text_of(app)
    assert "Geometric noise" in text_of(app)


@pytest.mark.parametrize(("section", "charts"), [("accuracy", ["accuracy"]), ("records", ["records"])])
def test_only_the_open_section_is_sent(section, charts):
    app = opened(PAGE, section=section, query="proportion")
    assert list(charts_of(app)) == charts
    assert stage_of(app)["section"] == section


def test_a_section_without_anything_to_show_gives_way_to_the_first():
    app = enter(opened(PAGE, section="records", query="mean"), "query", "count")
    assert (stage_of(app)["section"], link_of(app)["section"]) == ("accuracy", "accuracy")
    assert stage_of(app)["problems"] == []


def test_a_link_holds_every_parameter_of_the_page():
    keys = {"epsilon", "delta", "l2_sensitivity", "significance", "picture", "known", "accuracy", "unit", "query"}
    keys |= {"neighbours", "low", "high", "n_records", "l1_sensitivity", "budget"}
    assert keys | {"section", "shown", "mechanisms", "promise", "pinned"} <= set(link_of(opened(PAGE)))


def test_a_suggested_error_follows_the_query_until_one_is_typed():
    app = enter(opened(PAGE, known="accuracy"), "query", "proportion")
    assert link_of(app)["accuracy"] == "±0.01"
    assert stage_of(app)["fields"]["accuracy"]["meant"] == ""
    enter(app, "accuracy", "0.05")
    enter(app, "query", "mean")
    assert link_of(app)["accuracy"] == "0.05"


def test_an_old_link_with_an_error_keeps_it_for_any_query():
    app = opened(PAGE, query="proportion", known="accuracy", accuracy="3")
    assert link_of(app)["accuracy"] == "3"
    assert "within ±3 in" in text_of(app)


def test_bounds_that_are_no_range_stay_in_their_fields_with_a_sentence_there_and_at_the_answer():
    app = opened(PAGE, query="sum", low="-250.5", high="-300")
    said = "lo must be below hi: lo = −250.5 and hi = −300 were"
    assert [said in problem for _, problem in stage_of(app)["entered"].values()] == [True, True]
    assert len(stage_of(app)["problems"]) == 1
    assert (link_of(app)["low"], link_of(app)["high"]) == ("0", "100")
    enter(app, "high", "-200")
    assert "must be below" not in text_of(app)
    assert "Δ₁ = Δ₂ = 250.5 units" in text_of(app)


def test_switching_what_is_known_and_the_query_keeps_what_was_typed():
    app = opened(PAGE)
    for key, entry in (("known", "accuracy"), ("accuracy", "0.25"), ("query", "mean"), ("n_records", "5000")):
        enter(app, key, entry)
    link = link_of(enter(app, "known", "epsilon"))
    assert (link["known"], link["query"], link["n_records"], link["accuracy"]) == ("epsilon", "mean", "5000", "0.25")


def test_a_setting_is_pinned_with_its_query_and_let_go():
    app = ask(opened(PAGE, query="mean"), pin=True)
    enter(app, "epsilon", "2")
    assert "±0.2996 units → " in text_of(app)
    assert "query=mean" in link_of(app)["pinned"]
    ask(app, pin=False)
    assert link_of(app)["pinned"] == "none"


def test_the_editor_of_the_budget_stands_in_its_section_alone():
    assert not {field.key for field in opened(PAGE).text_input}
    assert "budget_name" in {field.key for field in editing().text_input}


def test_queries_are_added_named_changed_locked_and_removed():
    app = editing()
    app.button(key="budget_add").click().run()
    app.text_input(key="budget_name").set_value("Deaths; *per* year").run()
    app.text_input(key="budget_query_sensitivity").set_value("4").run()
    app.text_input(key="budget_weight").set_value("4").run()
    assert used(app).endswith(";!4,4=Deaths%3B%20%2Aper%2A%20year")
    assert budget_row(app, "Deaths; *per* year")[:2] == ["4", "0.5"]
    app.checkbox(key="budget_lock").check().run()
    assert app.text_input(key="budget_locked").value == "0.5"
    app.text_input(key="budget_locked").set_value("0.8").run()
    assert budget_row(app, "Deaths; *per* year")[1] == "0.8 locked"
    assert budget_row(app, "People")[1] == "0.1"
    app.checkbox(key="budget_lock").uncheck().run()
    assert app.text_input(key="budget_weight").value == "4"
    app.button(key="budget_remove").click().run()
    assert "Deaths" not in used(app)
    assert not app.exception


def test_another_query_is_chosen_and_edited():
    app = editing()
    app.radio[0].set_value(1).run()
    assert app.text_input(key="budget_name").value == "Sum of ages"
    app.text_input(key="budget_name").set_value("").run()
    assert budget_row(app, "Query 2")[0] == "100"
    app.text_input(key="budget_query_sensitivity").set_value("1,000").run()
    assert used(app) == "1,2=People;!1000,1=;1,1=Histogram%20of%20regions"


def test_a_bad_entry_of_the_budget_stays_with_its_query_and_the_answer_names_it():
    app = editing()
    app.text_input(key="budget_weight").set_value("heavy").run()
    assert text_of(app).count(HEAVY) == 2  # there and at the answer
    assert budget_row(app, "People")[1] == "0.5"
    app.radio[0].set_value(2).run()
    assert text_of(app).count(HEAVY) == 1
    app.text_input(key="budget_query_sensitivity").set_value("-1").run()
    app.radio[0].set_value(0).run()
    assert app.text_input(key="budget_weight").value == "heavy"
    app.text_input(key="budget_weight").set_value("3").run()
    assert "heavy" not in text_of(app)
    app.button(key="budget_remove").click().run()
    app.radio[0].set_value(1).run()
    assert app.text_input(key="budget_query_sensitivity").value == "-1"
    assert "Δ (query_sensitivity) must be from 1e-100 to 1e100; -1 was given. 1 is used instead." in text_of(app)


def test_a_text_for_a_weight_that_a_lock_replaces_waits_no_longer():
    app = editing()
    app.text_input(key="budget_weight").set_value("heavy").run()
    app.checkbox(key="budget_lock").check().run()
    assert "heavy" not in text_of(app)
    assert used(app).startswith("!1,2,0.5=People;")


def test_locks_beyond_the_budget_get_a_calm_sentence_and_no_table():
    app = editing(budget="!1,1,0.9=A;1,1,0.3=B;1,1=C")
    assert "ε = 1.2 together" in text_of(app)
    assert charts_of(app) == {}
    app.text_input(key="budget_locked").set_value("0.7").run()
    assert budget_row(app, "B")[1] == "0.3 locked"
    app.radio[0].set_value(2).run()
    app.checkbox(key="budget_lock").check().run()
    assert app.text_input(key="budget_locked").value == "0.1"


def test_a_budget_has_one_query_to_eight():
    for entries, key in ((1, "budget_remove"), (8, "budget_add")):
        app = editing(budget=";".join(["1,1"] * entries))
        assert {button.key for button in app.button if button.disabled} == {key}


def test_a_bad_entry_of_the_budget_is_seen_again_when_the_page_is_opened_again():
    app = editing()
    app.text_input(key="budget_weight").set_value("heavy").run()
    app.switch_page(str(ROOT / "pages/1_Gaussian_bounds.py")).run()
    app.switch_page(str(ROOT / PAGE)).run()
    assert app.text_input(key="budget_weight").value == "heavy"
    assert HEAVY in text_of(app)


def test_editing_the_budget_takes_the_notice_for_a_bad_link_away():
    app = editing(epsilon="nan")
    assert "nan was given" in text_of(app)
    app.text_input(key="budget_weight").set_value("5").run()
    assert "nan was given" not in text_of(app)
