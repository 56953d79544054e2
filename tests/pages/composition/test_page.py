import pytest

from tests.pages.conftest import charts_of, enter, field, link_of, open_page, parts_of, stage_of, text_of

PAGE = "pages/8_Composition.py"
TWO = "!gaussian:4*5=;pure:0.5="


def press(app, key):
    next(button for button in app.button if button.key == key).click()
    return app.run()


def edited(**link):
    """Return the page with the editor of its releases open."""
    app = open_page(PAGE, **link)
    app.session_state.releases_box = True
    return app.run()


def used(app):
    return link_of(app)["releases"]


def test_the_page_answers_first_and_the_section_opens_with_its_picture():
    app = open_page(PAGE)
    assert "ε = 4.465 at" in text_of(app)
    assert [part.get("name", part["kind"]) for part in parts_of(app)] == ["costs", "words", "lines", "periods", "words"]
    assert stage_of(app)["controls"] == ["runs", "epsilon", "delta", "accountant", "show"]
    app.session_state.explanation = True
    app.run()
    assert "$$" in text_of(app)


@pytest.mark.parametrize("section", ["together", "accountants", "profile", "training", "batching", "published"])
def test_only_the_open_section_is_sent_and_the_list_is_edited_where_it_counts(section):
    app = open_page(PAGE, section=section)
    assert stage_of(app)["section"] == {"accountants": "together", "batching": "training"}.get(section, section)
    assert len(charts_of(app)) == 1
    assert ("Add and edit releases" in [expander.label for expander in app.expander]) == (
        section in ("together", "accountants", "profile")
    )


def test_lines_are_added_changed_named_moved_and_removed_and_the_link_follows():
    app = edited(releases=TWO)
    press(app, "release_add")
    assert used(app) == "gaussian:4*5=;pure:0.5=;!gaussian:4="
    field(app, "release_kind").select("sampled")
    app.run()
    assert used(app).endswith(";!sampled:4,0.01=")
    field(app, "release_rate").input("1/50")
    app.run()
    field(app, "release_count_2").input("1,000")
    app.run()
    field(app, "release_name").input("Training; of=a * model")
    app.run()
    assert used(app).endswith(";!sampled:4,1/50*1000=Training%3B%20of%3Da%20%2A%20model")
    assert "Training; of=a * model" in text_of(app)
    press(app, "release_up")
    assert used(app).startswith("gaussian:4*5=;!sampled:4,1/50*1000=")
    press(app, "release_remove")
    assert used(app) == "gaussian:4*5=;!pure:0.5="


def test_a_bad_number_stays_in_its_field_and_the_answer_uses_the_last_good_number():
    app = edited(releases=TWO)
    before = stage_of(app)["answer"]
    field(app, "release_noise").input("-1")
    app.run()
    sentence = "noise multiplier must be from 1e-3 to 1e6; -1 was given. 4 is used instead."
    assert sentence in text_of(app)
    assert stage_of(app)["answer"] == before
    assert field(app, "release_noise").value == "-1"
    field(app, "release_noise").input("2")
    app.run()
    assert sentence not in text_of(app)
    assert used(app) == "!gaussian:2*5=;pure:0.5="


def test_the_numbers_of_a_kind_come_back_with_the_kind():
    app = edited(releases="!gaussian:7*5=")
    for kind in ("laplace", "gaussian"):
        field(app, "release_kind").select(kind)
        app.run()
    assert used(app) == "!gaussian:7*5="


def test_the_list_ends_at_twenty_lines():
    app = edited(releases=";".join(["pure:0.1"] * 20))
    assert next(button for button in app.button if button.key == "release_add").disabled


def test_a_line_that_cannot_be_used_is_omitted_and_the_page_works():
    app = open_page(PAGE, releases="gaussian:0;pure:0.5*3")
    assert "Line 1: noise multiplier must be from 1e-3 to 1e6; 0 was given. It is left out." in text_of(app)
    assert "ε = 1.5 without δ" in text_of(app)
    enter(app, "runs", "2")
    assert "run 2 times" in text_of(app)


def test_more_runs_than_can_be_computed_are_corrected_with_a_sentence():
    app = open_page(PAGE, releases="gaussian:1000*1000", runs="1e6")
    assert "runs must be at most 1,000, as line 1 has 1,000 releases" in text_of(app)
    assert link_of(app)["runs"] == "1000"
