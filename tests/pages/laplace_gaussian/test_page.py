import pytest

from tests.pages.conftest import ask, charts_of, enter, link_of, open_page, parts_of, stage_of, text_of

PAGE = "pages/4_Laplace_vs_Gaussian.py"


def test_the_page_answers_first_and_the_section_opens_with_its_picture():
    app = open_page(PAGE, k="9")
    assert "For 9 counts at" in text_of(app)
    lead, *rest = parts_of(app)
    assert (lead["name"], len(lead["alt"]) > 60) == ("tails", True)
    assert [part["kind"] for part in rest] == ["fields", "words", "table", "words", "words", "words"]
    app.session_state.explanation = True
    app.run()
    assert "Crossover and frontier" in text_of(app)


@pytest.mark.parametrize(
    ("link", "charts"),
    [
        ({"section": "reach", "view": "tails"}, ["tails"]),
        ({"section": "reach"}, ["tails"]),
        ({"version": "0.9.0", "section": "reach"}, ["draws"]),  # a citation leaves out the default of its time
        ({"section": "reach", "view": "draws"}, ["draws"]),
        ({"section": "wins"}, ["map", "statistics"]),
        ({"section": "wins", "case": "histogram"}, ["map"]),
        ({"section": "density"}, ["draws"]),
        ({"section": "reach", "view": "density", "function": "pdf"}, ["draws"]),
        ({"section": "density", "function": "cdf"}, ["density"]),
    ],
)
def test_only_the_open_section_is_sent(link, charts):
    assert list(charts_of(open_page(PAGE, **link))) == charts


@pytest.mark.parametrize("section", ["reach", "wins", "density"])
def test_at_epsilon_0_the_page_keeps_its_map(section):
    app = open_page(PAGE, epsilon="0", section=section)
    assert "has no answer" in text_of(app)
    assert list(charts_of(app)) == (["map"] if section == "wins" else [])
    app.session_state.explanation = True
    assert not app.run().exception


def test_fields_are_those_of_the_query_and_of_what_is_held_equal():
    app = open_page(PAGE, case="own", hold="tail", l1_sensitivity="0.5")
    assert stage_of(app)["controls"] == ["epsilon", "delta", "l1_sensitivity", "l2_sensitivity", "t", "view"]
    assert stage_of(app)["entered"]["l1_sensitivity"][0] == "0.5"
    assert link_of(app)["l1_sensitivity"] == "1"
    assert stage_of(open_page(PAGE))["controls"] == ["epsilon", "delta", "k", "view"]


def test_a_setting_is_pinned_and_let_go():
    app = ask(open_page(PAGE, k="2"), pin=True)
    enter(app, "epsilon", "2")
    assert "Compared with the pin (each of 2" in text_of(app)
    assert "k=2" in link_of(app)["pinned"]
    ask(app, pin=False)
    assert link_of(app)["pinned"] == "none"


def test_a_click_on_the_map_sets_both():
    app = open_page(PAGE, section="wins")
    assert list(charts_of(app)["map"]["picks"]) == ["epsilon", "delta"]
    ask(app, set={"epsilon": "0.1", "delta": "0.2"})
    assert "At ε = 0.1, δ = 0.2" in text_of(app)
