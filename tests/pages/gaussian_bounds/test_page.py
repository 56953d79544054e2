import pytest

from pages.framework.rendering import stage
from tests.pages.conftest import ask, charts_of, enter, lead_name, link_of, open_page, parts_of, stage_of, text_of

PAGE = "pages/1_Gaussian_bounds.py"
LEAD = lead_name("gaussian_bounds")


def test_the_page_answers_first_and_the_section_opens_with_its_picture():
    app = open_page(PAGE, epsilon="0.5", delta="1e-5")
    assert "At ε = 0.5, δ = 1e-5," in text_of(app)
    lead, *rest = parts_of(app)
    assert (lead["kind"], lead["name"], lead["marks"], len(lead["alt"]) > 60) == ("chart", LEAD, ["epsilon"], True)
    assert [part["kind"] for part in rest] == ["words", "table"]
    app.session_state.explanation = True
    app.run()
    assert "Two notions" in text_of(app)


@pytest.mark.parametrize(
    ("section", "charts"),
    [("bounds", [LEAD]), ("profile", ["profile"])],
)
def test_only_the_open_section_is_sent(section, charts):
    app = open_page(PAGE, section=section)
    assert list(charts_of(app)) == charts
    assert stage_of(app)["section"] == "bounds"


def test_a_setting_is_pinned_and_let_go():
    app = ask(open_page(PAGE), pin=True)
    enter(app, "epsilon", "2")
    pinned = "epsilon=1&delta=1e-6&l2_sensitivity=1&significance=0.05"
    assert (link_of(app)["epsilon"], link_of(app)["pinned"]) == ("2", pinned)
    assert "σ 4.225 → 2.231" in text_of(app)
    ask(app, pin=False)
    assert link_of(app)["pinned"] == "none"


def test_a_text_that_is_no_number_stays_in_its_field_with_a_sentence_and_one_at_the_answer():
    app = enter(open_page(PAGE), "epsilon", "abc")
    sentence = "ε must be from 0 to 1e6; abc was given, which is not a number. 1 is used instead."
    assert stage_of(app)["entered"] == {"epsilon": ["abc", sentence]}
    assert stage_of(app)["problems"] == [sentence]
    assert "At ε = 1," in text_of(app)


def test_a_number_may_be_an_expression_which_the_link_holds_and_the_page_evaluates():
    app = enter(open_page(PAGE), "epsilon", "sqrt(3)")
    assert link_of(app)["epsilon"] == "sqrt(3)"
    assert "At ε = 1.732051," in text_of(app)
    field = stage_of(app)["fields"]["epsilon"]
    assert (field["used"], field["meant"], field["value"]) == ("sqrt(3)", "≈ 1.732050808", pytest.approx(3**0.5))


def test_an_ambiguous_number_leads_to_a_question():
    app = enter(open_page(PAGE), "epsilon", "1,732")
    assert "1,732 can be read as 1732 or as 1.732" in text_of(app)
    assert "At ε = 1," in text_of(app)


def test_a_sensitivity_whose_noise_overflows_gets_a_sentence_and_is_not_used():
    app = open_page(PAGE, epsilon="0", delta="1e-300", l2_sensitivity="1e10")
    assert "of 1e10 needs noise beyond 1e300 at this ε and δ. 1 is used instead." in text_of(app)
    assert "σ = 3.99e299" in text_of(app)
    assert link_of(app)["l2_sensitivity"] == "1"


def test_every_step_of_every_scale_is_a_value_of_its_field():
    for field in stage_of(open_page(PAGE))["fields"].values():
        steps = [float(step) for step in field.get("steps", ())]
        assert steps == sorted(set(steps))


def test_the_notice_for_a_bad_link_goes_when_a_field_is_edited():
    app = open_page(PAGE, epsilon="nan")
    assert "nan was given" in text_of(app)
    enter(app, "delta", "1e-5")
    assert "nan was given" not in text_of(app)


def test_the_browser_goes_back_to_an_older_link_by_name():
    app = enter(open_page(PAGE), "epsilon", "2")
    ask(app, link="?epsilon=0.5&delta=1e-5&section=profile")
    assert {key: link_of(app)[key] for key in ("epsilon", "delta", "section", "view")} == {
        "epsilon": "0.5",
        "delta": "1e-5",
        "section": "bounds",
        "view": "profile",
    }
    assert "At ε = 0.5, the true δ is 1e-5 with" in text_of(app)


def test_the_settings_next_to_the_current_one_are_sent_ahead_and_not_twice():
    app = ask(open_page(PAGE), prefetch=[{"epsilon": "1.1"}, {"epsilon": "abc"}, {"nonsense": "1"}], view="")
    (what, body), *_ = stage_of(app)["others"]
    assert what == ["prefetched", {"epsilon": "1.1"}]
    assert b"1.1" in body
    view = stage_of(app)["view"]
    assert "parts" not in stage_of(ask(app, view=view))


@pytest.mark.parametrize("name", [LEAD, "bounds"])
def test_the_numbers_of_an_exhibit_are_computed_on_request(name):
    app = ask(open_page(PAGE), csv=name)
    ((what, body),) = stage_of(app)["others"]
    assert what == ["csv", name]
    file = stage.unpack(body)
    assert file["file"] == f"gaussian_bounds_{name}_eps1_delta1e-6.csv"
    assert file["text"].startswith("# link: /Gaussian_bounds?epsilon=1&")


@pytest.mark.parametrize("question", [{"set": 3}, {"set": {"epsilon": 3}}, {"set": {"nonsense": "1"}}, {"csv": "x"}])
def test_a_request_that_no_page_sends_changes_nothing(question):
    app = open_page(PAGE)
    before = link_of(app)
    assert link_of(ask(app, **question)) == before


def test_a_question_of_another_kind_changes_nothing():
    app = open_page(PAGE)
    ask(app, prefetch="x", link=5, pin="yes", chart=3, qr=["x"])
    assert link_of(app)["pinned"] == "none"


def test_a_qr_code_appears_on_request_and_not_for_a_link_that_is_too_long():
    app = ask(open_page(PAGE), qr="http://127.0.0.1:8501/Gaussian_bounds?epsilon=1")
    ((what, body),) = stage_of(app)["others"]
    assert what == ["qr"]
    assert body.startswith(b"<svg")
    for text in ("x" * 2501, "ε" * 2000):
        assert stage_of(ask(app, qr=text))["others"] == []


def test_a_chart_to_save_comes_in_the_colours_of_paper_with_the_script_that_saves_it_once():
    app = ask(open_page(PAGE), chart=LEAD, script=True, font="serif")
    kinds = [what[0] for what, _ in stage_of(app)["others"]]
    assert kinds == ["script", "font", "chart"]
    assert [what for what, _ in stage_of(ask(app, font="../figure_sans"))["others"]] == []
    assert [what[0] for what, _ in stage_of(ask(app, chart=LEAD, script=False))["others"]] == ["chart"]
