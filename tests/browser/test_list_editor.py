"""The editor of a list is beside the answer and the picture, and below them on a phone; it shows the list in use."""

from playwright.sync_api import Page, expect

from tests.browser.reading import answer, enter, field, follow, settle

_BOXES = """() => Object.fromEntries([[".dp-answer", "answer"], [".dp-lead .dp-plot", "picture"],
  [".st-key-releases_box", "editor"], [".dp-stage table", "table"]]
  .map(([part, name]) => [name, document.querySelector(part).getBoundingClientRect().toJSON()]))"""


def test_the_list_is_edited_beside_the_answer_and_the_picture(app: Page, server: str) -> None:
    follow(app, f"{server}/Composition?section=together")
    show = app.get_by_role("combobox", name="Show")
    for section in ("profile", "together", "accountants"):
        if section == "accountants":
            show.select_option(section)
            expect(app.locator("[data-chart=accountants]")).to_be_visible()
        else:
            app.locator(f".dp-sections [data-section={section}]").click()
            expect(app.locator(f".dp-sections [data-section={section}][aria-current]")).to_be_visible()
        settle(app)
        expect(app.get_by_role("button", name="Add", exact=True)).to_be_visible()
        boxes = app.evaluate(_BOXES)
        assert boxes["editor"]["left"] >= max(boxes["answer"]["right"], boxes["picture"]["right"]), section
        assert boxes["editor"]["top"] < boxes["picture"]["top"] < boxes["editor"]["bottom"], section
    show.select_option("groups")
    expect(app.get_by_role("button", name="Add", exact=True)).to_have_count(0)
    app.go_back()
    counts = app.locator("[class*=st-key-list_row_release] input")
    expect(counts.first).to_have_value("5")
    counts.first.fill("7")
    counts.first.press("Enter")
    app.wait_for_url("**laplace%3A0.2*7**")
    app.go_back()  # only the stage runs, until the list is another one
    expect(counts.first).to_have_value("5")
    app.set_viewport_size({"width": 390, "height": 844})
    app.wait_for_function("() => document.querySelector('.st-key-releases_box')?.getBoundingClientRect().left < 60")
    boxes = app.evaluate(_BOXES)
    assert boxes["editor"]["top"] >= boxes["picture"]["bottom"]


def test_the_editor_of_a_plan_shows_the_list_that_is_used_however_it_changed(app: Page, server: str) -> None:
    follow(app, f"{server}/Plan?queries=!count:10=People;sum:5000,0,500=Spending")
    wanted_errors = app.locator("[class*=st-key-list_row_query] input")
    expect(wanted_errors).to_have_count(2)
    before = answer(app).inner_text()
    enter(app, "Common factor on all wanted errors", "2")  # only the stage runs
    expect(answer(app)).not_to_have_text(before)
    wanted_errors.first.fill("20")
    wanted_errors.first.press("Enter")
    app.wait_for_url("**count%3A20%3DPeople**factor=2**")
    app.locator(".dp-handle[data-key='queries.1.half_width']").press("ArrowRight")
    expect(wanted_errors.last).to_have_value("6000")
    app.go_back()
    expect(wanted_errors.last).to_have_value("5000")
    app.go_back()
    expect(wanted_errors.first).to_have_value("10")
    expect(field(app, "Common factor on all wanted errors")).to_have_value("2")
    app.go_back()
    expect(answer(app)).to_have_text(before)
