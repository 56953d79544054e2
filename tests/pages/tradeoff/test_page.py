import pytest

from pages.tradeoff.attack.upload import EXAMPLE
from pages.tradeoff.code import snippets
from pages.tradeoff.curve_kinds import LABELS
from pages.tradeoff.curve_list import DEFAULTS
from tests.pages.conftest import ask, charts_of, enter, field, found_by, link_of, open_page, parts_of, stage_of, text_of

PAGE = "pages/3_Trade-off_curves.py"
THREE = "!gdp:1@blue=;approx:1,1e-6@green=;laplace:1@orange="


def used(app):
    return link_of(app)["curves"]


def edited(**link):
    """Return the page with the editor of its curves open."""
    app = open_page(PAGE, **link)
    app.session_state.curve_box = True
    return app.run()


def with_attack_fields(**link):
    app = open_page(PAGE, section="attack", **link)
    app.session_state.own_attack_box = True
    return app.run()


def test_the_page_answers_first_and_the_section_opens_with_its_picture():
    app = open_page(PAGE)
    assert "at most 7.955 %" in text_of(app)
    lead, *rest = parts_of(app)
    assert (lead["name"], lead["marks"], list(lead["picks"])) == ("curves", ["alpha"], ["alpha", ""])
    assert [part["kind"] for part in rest] == ["words", "table", "words", "words"]
    assert stage_of(app)["controls"] == ["epsilon", "delta", "alpha", "prior", "view", "show"]
    assert app.text_input == []
    app.session_state.explanation = True
    app.run()
    assert "$$" in text_of(app)


@pytest.mark.parametrize("section", ["curves", "quote", "attack"])
def test_only_the_open_section_is_sent(section):
    app = open_page(PAGE, section=section, attack="25_1000_760_1000")
    assert list(charts_of(app)) == [{"quote": "quotation"}.get(section, section)]
    assert stage_of(app)["section"] == {"quote": "curves"}.get(section, section)


def test_epsilon_moves_the_curves_of_the_list_that_follow_it():
    app = open_page(PAGE)
    before = charts_of(app)["curves"]
    enter(app, "epsilon", "2")
    after = charts_of(app)["curves"]
    assert 'Laplace at <span class="nb">ε = 2</span>' in after["subtitle"]
    assert before["figure"]["layout"]["yaxis"] == after["figure"]["layout"]["yaxis"]
    assert used(app) == DEFAULTS


def test_an_edit_of_alpha_moves_the_answer_and_the_table():
    app = enter(open_page(PAGE), "alpha", "0.2")
    assert "a false positive rate of 20 %" in text_of(app)
    assert "True positive rate at α = 0.2" in text_of(app)
    assert link_of(app)["alpha"] == "0.2"


def test_a_setting_is_pinned_with_its_curves_and_let_go():
    app = ask(open_page(PAGE, curves="gdp:1@blue="), pin=True)
    enter(app, "curves", "gdp:2@blue=")
    assert "true positive rate 25.96 % → 63.88 %" in text_of(app)
    assert "True positive rate, pinned" in text_of(app)
    assert "curves%3Dgdp" in stage_of(app)["link"]
    ask(app, pin=False)
    assert "Pinned" not in text_of(app)


def test_a_sentence_replaces_the_picture_if_no_epsilon_exists_at_delta():
    app = open_page(PAGE, curves="approx:1,1e-3@blue=", delta="1e-6", section="quote")
    assert "has no ε at δ = " in text_of(app)
    assert charts_of(app) == {}


def test_counts_of_an_attack_are_typed_and_a_bad_line_gets_its_sentence_and_is_kept():
    app = with_attack_fields()
    assert "a coin decides whether the person is included" in field(app, "attack_counts").help
    field(app, "attack_counts").input("5, 100, 60, 100\n5; 4; 1; 9").run()
    sentence = "The text can’t be read: line 2: false_positives is 5, above non_members, 4"
    assert text_of(app).count(sentence) == 2  # there and at the answer
    assert field(app, "attack_counts").value == "5, 100, 60, 100\n5; 4; 1; 9"
    field(app, "attack_counts").input("5, 100, 60, 100\n20; 100; 30; 100").run()
    assert link_of(app)["attack"] == "own"
    assert field(app, "attack_counts").value == "5, 100, 60, 100\n20, 100, 30, 100"
    assert "2 measured points" in text_of(app)
    app.button(key="attack_include").click().run()
    assert link_of(app)["attack"] == "5_100_60_100~20_100_30_100"
    assert stage_of(app)["included"].startswith("The link of this page contains data: the results of an attack.")
    app.button(key="attack_include_out").click().run()
    assert link_of(app)["attack"] == "own"
    assert "2 measured points" in text_of(app)
    assert "can’t be read" not in text_of(app)
    app.button(key="attack_away").click().run()
    assert link_of(app)["attack"] == "none"


def test_an_invented_example_is_one_click_away():
    app = open_page(PAGE, section="attack")
    assert list(charts_of(app)) == ["attack_example"]  # drawn lightly, beside what results would be held against
    assert "pale: an invented example until you enter results" in str(charts_of(app)["attack_example"])
    app.button(key="attack_example").click().run()
    assert list(charts_of(app)) == ["attack"]
    assert "It does not prove privacy" in text_of(app)


def test_an_attack_may_be_a_file_and_a_bad_one_gets_its_sentence():
    app = with_attack_fields(curves="gdp:1@blue=")
    rows = [*(f"1,{10 + place}" for place in range(200)), *(f"0,{place / 200}" for place in range(200))]
    field(app, "attack_file").upload("mine.csv", "\n".join(["member,score", *rows]).encode()).run()
    assert "of your results; all bounds hold at once" in text_of(app)
    assert "The claim μ = 1 is contradicted" in text_of(app)
    assert "seed" in stage_of(app)["controls"]
    field(app, "attack_file").upload("bad.csv", b"member,score\n1,x\n").run()
    assert "bad.csv can’t be read: line 2: the score is x" in text_of(app)
    assert "The last good results are used instead." in text_of(app)
    assert "points of your results" in text_of(app)
    assert link_of(app)["attack"] == "own"
    assert "mine.csv" not in "".join(str(part) for part in parts_of(app))


def test_the_example_stays_in_use_when_a_bad_file_is_brought_and_taken_away():
    app = with_attack_fields(attack=EXAMPLE)
    field(app, "attack_file").upload("bad.csv", b"member,score\n1,x\n").run()
    assert "The last good results are used instead." in text_of(app)
    assert link_of(app)["attack"] == EXAMPLE
    app.button(key="attack_file_remove").click().run()
    assert "can’t be read" not in text_of(app)
    assert link_of(app)["attack"] == EXAMPLE
    field(app, "attack_counts").input("false_positives,non_members,false_negatives,members").run()
    assert "The text can’t be read: there are no counts." in text_of(app)
    assert link_of(app)["attack"] == EXAMPLE


def test_pasted_points_count_as_measured_until_the_user_calls_them_guaranteed():
    app = edited(curves="!gdp:1@blue=")
    field(app, "curve_kind").select("points").run()
    assert field(app, "curve_meaning").value == "points"
    assert "at most" not in stage_of(app)["answer"][0]
    field(app, "curve_meaning").set_value("claim").run()
    assert used(app).startswith("!claim:0.01_0.95~")
    assert field(app, "curve_kind").value == "points"
    field(app, "curve_points").input("0.05 0.93\n0.5 0.43").run()
    assert used(app).startswith("!claim:file")
    app.button(key="points_include").click().run()
    assert used(app) == "!claim:0.05_0.93~0.5_0.43@blue="
    assert "the points of a curve" in stage_of(app)["included"]


def test_a_field_that_a_browser_has_to_make_anew_begins_with_what_the_curve_has():
    app = edited(curves="!laplace:0.37*2@rose=Counts")
    for _ in range(2):
        texts = {"curve_theta": "0.37", "curve_releases": "2", "curve_name": "Counts"}
        assert {key: app.text_input(key).proto.default for key in texts} == texts
        for key, option in (("curve_kind", LABELS["laplace"]), ("curve_colour", "rose")):
            choice = app.selectbox(key)
            assert choice.options[choice.proto.default] == option
        assert [*app.warning, *app.exception] == []
        app.run()


def test_a_curve_that_follows_the_page_has_no_numbers_of_its_own():
    app = edited(curves="!gdp:1*3@blue=")
    field(app, "curve_kind").select("here_laplace").run()
    assert used(app) == "!here_laplace:@blue="
    assert "Laplace at ε = 1" in text_of(app)
    assert [widget.key for widget in app.text_input] == ["curve_name"]
    field(app, "curve_kind").select("gdp").run()
    assert used(app) == "!gdp:1@blue="


def test_two_numbers_that_only_work_together_are_read_together():
    app = edited(curves="sigma:1,1@blue=")
    field(app, "curve_sensitivity").input("1e9").run()
    assert "sigma must be" in text_of(app)
    assert used(app) == "!sigma:1,1@blue="
    field(app, "curve_sigma").input("1e9").run()
    assert used(app) == "!sigma:1e9,1e9@blue="
    assert "sigma must be" not in text_of(app)


def test_a_refused_number_of_one_kind_does_not_stand_in_the_field_of_another():
    app = edited(curves="geometric:1,5@blue=")
    field(app, "curve_sensitivity").input("1.5").run()
    assert "Δ must be a whole number from 1 to 10000; 1.5 was given. 5 is used instead." in text_of(app)
    field(app, "curve_kind").select("sigma").run()
    assert field(app, "curve_sensitivity").value == "1"
    assert "whole number" not in text_of(app)
    field(app, "curve_kind").select("geometric").run()
    assert field(app, "curve_sensitivity").value == "1.5"


def test_the_numbers_of_a_kind_come_back_with_the_kind():
    app = edited(curves="laplace:0.37@blue=")
    for kind in ("gdp", "points", "sgm"):
        field(app, "curve_kind").select(kind).run()
        assert not app.exception
        assert used(app).startswith(f"!{kind}:")
    field(app, "curve_kind").select("laplace").run()
    assert used(app) == "!laplace:0.37@blue="


def test_curves_are_added_moved_and_removed():
    app = edited(curves=THREE)
    app.button(key="curve_add").click().run()
    assert used(app).endswith(";laplace:1@orange=;!gdp:1@purple=")
    app.button(key="curve_up").click().run()
    assert used(app).endswith(";!gdp:1@purple=;laplace:1@orange=")
    field(app, "curve_mu").input("2*√3").run()
    assert "!gdp:3.4641016151377544@purple=" in used(app)
    field(app, "curve_name").input("Ours  [x](y)").run()
    assert "!gdp:3.4641016151377544@purple=Ours%20%5Bx%5D%28y%29" in used(app)
    app.button(key="curve_remove").click().run()
    assert used(app) == "gdp:1@blue=;approx:1,1e-6@green=;!laplace:1@orange="


def test_a_change_that_the_list_cannot_afford_is_refused_with_its_sentence():
    dear = "gdp:1@blue=;" + ";".join(f"laplace:{place}e-6*1000000@teal=" for place in (1, 2))
    app = edited(curves=f"{dear};!laplace:1e-5@rose=")
    field(app, "curve_releases").input("1e6").run()
    assert "1 is used instead." in text_of(app)
    assert used(app).endswith("!laplace:1e-5@rose=")


def test_pasted_points_become_a_curve_and_many_of_a_file_stay_in_the_session():
    app = edited(curves="points:0.1_0.6~0.5_0.1@blue=")
    field(app, "curve_points").input("0.1, 0.95\n0.5, 0.1").run()
    assert "above 1 − alpha = 0.9" in text_of(app)
    assert used(app) == "!points:0.1_0.6~0.5_0.1@blue="
    field(app, "curve_points").input("0.05 0.93\n0.5 0.43").run()
    assert used(app).startswith("!points:file")
    assert field(app, "curve_points").value == "0.05, 0.93\n0.5, 0.43"
    app.session_state.point_file_box = True
    app.run()
    rows = "".join(f"{place / 400},{(1 - place / 400) ** 3}\n" for place in range(401))
    app.file_uploader(key="point_file").upload("curve.csv", f"alpha,beta\n{rows}".encode()).run()
    assert used(app).startswith("!points:file")
    assert app.button(key="points_include").disabled
    enter(app, "alpha", "0.3")
    assert "(Points)" in text_of(app)


def test_a_curve_that_cannot_be_used_is_left_out_and_the_page_works():
    app = edited(curves="gdp:1@blue=;gdp:x@grey=Mine", prior="1e-301")
    assert used(app) == "!gdp:1@blue="
    words = text_of(app)
    assert "Curve 2: μ must be from 0 to 1e6; x was given, which is not a number. It is left out." in words
    assert "prior probability must be from 1e-300 to below 1; 1e-301 was given. 0.1 is used instead." in words
    assert "Mine" not in words
    assert "true positive rate is at most" in words


@pytest.mark.parametrize("curve", ["gdp:0", "laplace:0", "geometric:0,3"])
def test_a_curve_that_reveals_nothing_has_no_program_with_infinite_noise(curve):
    programs = snippets(found_by("tradeoff", curves=f"!{curve}"))
    assert [bool(snippet.code) for snippet in programs] == [True, *[False] * (len(programs) - 1)]
