"""The fold "More settings": its fields are reached by keyboard, by link and on a phone; it says what is changed."""

import re

from playwright.sync_api import Page, expect

from tests.browser.layout import AT_REST, faults
from tests.browser.reading import DELTA, EPSILON, PATHS, answer, enter, field, follow, settle

FOLD, MARK = ".dp-controls details", ".dp-controls .dp-changed"
P90 = "90th percentile of the values, in their unit"


def test_the_keyboard_opens_the_fold_which_says_how_many_fields_are_changed(app: Page, server: str) -> None:
    follow(app, f"{server}/Accuracy")
    summary, mark = app.locator(f"{FOLD} summary"), app.locator(MARK)
    expect(field(app, DELTA)).to_be_hidden()
    expect(mark).to_be_hidden()
    summary.focus()
    app.keyboard.press("Enter")
    app.keyboard.press("Tab")
    expect(app.locator(f"{FOLD} :focus")).to_be_visible()
    expect(field(app, DELTA)).to_be_visible()
    enter(app, DELTA, "1e-5")
    expect(answer(app).locator("xpath=..")).to_contain_text("δ = 1e-5")
    expect(mark).to_have_text("1 changed")
    expect(field(app, DELTA)).to_be_visible()  # while the user changes settings the fold stays open


def test_a_link_that_changes_a_folded_field_marks_the_fold(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    follow(app, f"{server}/Accuracy?delta=1e-5&promise=delta")  # another page: the fold is closed as at first
    expect(app.locator(MARK)).to_have_text("2 changed")
    expect(field(app, DELTA)).to_be_hidden()


def test_on_a_phone_the_fold_opens_in_the_sheet_of_fields_and_the_picture_keeps_its_height(
    app: Page, server: str
) -> None:
    app.set_viewport_size({"width": 390, "height": 844})
    follow(app, f"{server}/Accuracy?query=mean")
    summary, height = app.locator(f"{FOLD} summary"), "() => document.querySelector('.dp-lead .dp-plot').clientHeight"
    before = app.evaluate(height)
    summary.click()  # which scrolls to it: the sheet stands below the picture
    expect(field(app, DELTA)).to_be_in_viewport(ratio=1)
    enter(app, DELTA, "1e-5")
    settle(app)
    app.evaluate(AT_REST)
    assert app.evaluate(height) == before
    assert app.evaluate("document.documentElement.scrollWidth") == 390
    summary.click()
    expect(field(app, DELTA)).to_be_hidden()
    assert faults(app, "phone") == []


CUT_ROWS = """() => {
  const sheet = document.querySelector(".dp-controls"), foot = sheet.querySelector(".dp-more-settings:not([hidden])");
  const end = (foot ?? sheet).getBoundingClientRect()[foot ? "top" : "bottom"] + 1;
  return [...sheet.querySelectorAll(".dp-known-fields > *")].map((row) => row.getBoundingClientRect())
    .filter(({top, bottom}) => top < end - 3 && bottom > end + 3).length;
}"""


def test_the_sheet_of_fields_cuts_no_row_on_a_phone(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 390, "height": 844})
    for link in ("Tables", "Clipping", "Gaussian_bounds", "Composition", "A_median", "Accuracy"):
        follow(app, f"{server}/{link}", PATHS[f"/{link}"])
        app.evaluate(AT_REST)
        assert app.evaluate(CUT_ROWS) == 0, link
    follow(app, f"{server}/A_median?section=largest")
    counts = app.get_by_role("textbox", name="Counts that you expect").bounding_box()
    assert counts is not None
    assert counts["width"] > 300  # not that of a number


def test_a_text_that_cannot_be_used_is_said_once_and_a_long_number_stands_in_groups(app: Page, server: str) -> None:
    follow(app, f"{server}/Clipping?p90=146000", PATHS["/Clipping"])
    expect(field(app, P90)).to_have_value("146,000")
    enter(app, P90, "250,000")
    expect(field(app, P90)).to_have_value("250,000")
    expect(app).to_have_url(re.compile("p90=250000&"))
    enter(app, EPSILON, "-3")
    expect(app.get_by_text("-3 was given")).to_have_count(1)
    expect(app.locator("[data-key=epsilon] .dp-problem")).to_be_visible()
