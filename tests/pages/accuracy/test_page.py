import re

from tests.pages.conftest import ROOT, opened, text_of

PAGE = "pages/5_Accuracy.py"
HEAVY = "weight (weight) must be from 1e-6 to 1e6; heavy was given. 2 is used instead."


def editing(**link):
    """The page with the fields of the budget."""
    app = opened(PAGE, **link)
    app.session_state.budget_box = True
    return app.run()


def budget_row(app, name):
    html = next(html.proto.body for html in app.get("html") if "aria-label='The budget'" in html.proto.body)
    row = re.search(rf"<tr><th scope='row'>{re.escape(name)}</th>(.*?)</tr>", html)
    assert row is not None
    return re.findall(r"<td>(.*?)</td>", row[1])


def used(app):
    return app.query_params["budget"]


def test_the_page_answers_first_and_draws_every_exhibit_with_words_and_numbers():
    app = opened(PAGE, query="mean", known="accuracy")
    assert app.markdown[0].value.startswith("To have 95 of 100 releases within ±3 people of the truth you need ε = ")
    assert [len(chart.proto.alt) > 60 for chart in app.get("plotly_chart")] == [True] * 3
    assert len(app.get("download_button")) == 5
    assert "takes n = 100 records" in text_of(app)
    app.session_state.explanation = True
    app.run()
    assert not app.exception
    assert "$$" in text_of(app)


def test_a_link_holds_every_parameter_of_the_page():
    keys = {"epsilon", "delta", "l2_sensitivity", "significance", "picture", "known", "accuracy", "unit", "query"}
    keys |= {"neighbours", "low", "high", "n_records", "l1_sensitivity", "budget"}
    assert set(opened(PAGE).query_params) == keys


def test_fields_are_those_of_the_query():
    app = opened(PAGE, query="proportion")
    assert {field.key for field in app.text_input} >= {"n_records_text", "accuracy_text"}
    assert not {field.key for field in app.text_input} & {"unit_text", "low_text", "l1_sensitivity_text"}
    app.selectbox(key="query_option").set_value("own").run()
    assert "l1_sensitivity_text" in {field.key for field in app.text_input}
    assert "**No sample size**" in text_of(app)


def test_bounds_that_are_no_range_stay_in_their_fields_with_a_sentence_there_and_one_at_the_answer():
    app = opened(PAGE, query="sum", low="-250.5", high="-300")
    said = [text.value for text in app.text if "lo must be below hi: lo = −250.5 and hi = −300 were" in text.value]
    assert len(said) == 3
    assert (app.query_params["low"], app.query_params["high"]) == ("0", "100")
    assert app.text_input(key="high_text").value == "-300"
    app.text_input(key="high_text").set_value("-200").run()
    assert "must be below" not in text_of(app)
    assert "**Δ₁ = Δ₂ = 250.5 people**" in text_of(app)


def test_switching_what_is_known_and_the_query_keeps_what_was_typed():
    app = opened(PAGE)
    app.segmented_control(key="known_option").set_value("accuracy").run()
    app.text_input(key="accuracy_text").set_value("0.25").run()
    app.selectbox(key="query_option").set_value("mean").run()
    app.text_input(key="n_records_text").set_value("5000").run()
    app.segmented_control(key="known_option").set_value("epsilon").run()
    assert not app.exception
    assert app.text_input(key="accuracy_text").value == "0.25"
    link = app.query_params
    assert (link["known"], link["query"], link["n_records"], link["accuracy"]) == ("epsilon", "mean", "5000", "0.25")


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


def test_a_bad_entry_of_the_budget_stays_with_its_query_and_is_said_at_the_answer_while_the_rest_works():
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
    assert "The locked queries ask for ε = 1.2 together, and the budget is ε = 1." in text_of(app)
    assert len(app.get("plotly_chart")) == 1
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
