import pytest

from tests.pages.conftest import ask, charts_of, enter, link_of, open_page, parts_of, stage_of, text_of, unfolded

PAGE = "pages/5_Accuracy.py"


def test_the_page_answers_first_and_the_section_opens_with_its_picture():
    app = unfolded(open_page(PAGE, query="mean", known="accuracy"))
    assert "within ±1 " in text_of(app)
    lead, *rest = parts_of(app)
    assert (lead["kind"], lead["name"], len(lead["alt"]) > 60) == ("chart", "accuracy", True)
    expected = ["words", "words", "words", "table", "words", "words", "words", "downloads", "words", "call"]
    assert [part["kind"] for part in rest] == expected
    app.session_state.explanation = True
    app.run()
    assert not app.exception
    assert "$$" in text_of(app)
    assert "Geometric noise" in text_of(app)


@pytest.mark.parametrize(("section", "charts"), [("accuracy", ["accuracy"]), ("records", ["records"])])
def test_only_the_open_section_is_sent(section, charts):
    app = open_page(PAGE, section=section, query="proportion")
    assert list(charts_of(app)) == charts
    assert stage_of(app)["section"] == section


def test_a_section_without_anything_to_show_gives_way_to_the_first():
    app = enter(open_page(PAGE, section="records", query="mean"), "query", "count")
    assert (stage_of(app)["section"], link_of(app)["section"]) == ("accuracy", "accuracy")
    assert stage_of(app)["problems"] == []


def test_a_link_holds_every_parameter_of_the_page():
    keys = {"epsilon", "delta", "l2_sensitivity", "significance", "picture", "known", "accuracy", "unit", "query"}
    keys |= {"neighbours", "low", "high", "n_records", "l1_sensitivity"}
    assert keys | {"section", "shown", "mechanisms", "promise", "pinned"} <= set(link_of(open_page(PAGE)))


def test_a_suggested_error_follows_the_query_until_one_is_typed():
    app = enter(open_page(PAGE, known="accuracy"), "query", "proportion")
    assert link_of(app)["accuracy"] == "±0.01"
    assert stage_of(app)["fields"]["accuracy"]["meant"] == ""
    enter(app, "accuracy", "0.05")
    enter(app, "query", "mean")
    assert link_of(app)["accuracy"] == "0.05"


def test_an_old_link_with_an_error_keeps_it_for_any_query():
    app = open_page(PAGE, query="proportion", known="accuracy", accuracy="3")
    assert link_of(app)["accuracy"] == "3"
    assert "within ±3 in" in text_of(app)


def test_bounds_that_are_no_range_stay_in_their_fields_with_a_sentence_there_and_at_the_answer():
    app = open_page(PAGE, query="sum", low="-250.5", high="-300")
    start = "lo must be below hi: lo = −250.5 and hi = −300 were"
    assert [start in problem for _, problem in stage_of(app)["entered"].values()] == [True, True]
    assert len(stage_of(app)["problems"]) == 1
    assert (link_of(app)["low"], link_of(app)["high"]) == ("0", "100")
    enter(app, "high", "-200")
    assert "must be below" not in text_of(app)
    assert "Δ₁ = Δ₂ = 250.5" in text_of(app)


def test_switching_what_is_known_and_the_query_keeps_what_was_typed():
    app = open_page(PAGE)
    for key, entry in (("known", "accuracy"), ("accuracy", "0.25"), ("query", "mean"), ("n_records", "5000")):
        enter(app, key, entry)
    link = link_of(enter(app, "known", "epsilon"))
    assert (link["known"], link["query"], link["n_records"], link["accuracy"]) == ("epsilon", "mean", "5000", "0.25")


def test_a_setting_is_pinned_with_its_query_and_let_go():
    app = ask(open_page(PAGE, query="mean"), pin=True)
    enter(app, "epsilon", "2")
    assert "±0.2996 → " in text_of(app)
    assert "query=mean" in link_of(app)["pinned"]
    ask(app, pin=False)
    assert link_of(app)["pinned"] == "none"
