"""The editor of the list of releases is beside the answer and the picture, and below them on a phone."""

from playwright.sync_api import Page, expect

from tests.browser.reading import follow, settle

_BOXES = """() => Object.fromEntries([[".dp-answer", "answer"], [".dp-lead .dp-plot", "picture"],
  [".st-key-releases_box", "editor"], [".dp-stage table", "table"]]
  .map(([part, name]) => [name, document.querySelector(part).getBoundingClientRect().toJSON()]))"""


def test_the_list_is_edited_beside_the_answer_and_the_picture(app: Page, server: str) -> None:
    follow(app, f"{server}/Composition?section=together")
    for section in ("together", "accountants", "profile"):
        app.locator(f".dp-sections [data-section={section}]").click()
        expect(app.locator(f".dp-sections [data-section={section}][aria-current]")).to_be_visible()
        settle(app)
        expect(app.get_by_role("button", name="Add", exact=True)).to_be_visible()
        boxes = app.evaluate(_BOXES)
        assert boxes["editor"]["left"] >= max(boxes["answer"]["right"], boxes["picture"]["right"]), section
        assert boxes["editor"]["top"] < boxes["picture"]["top"] < boxes["editor"]["bottom"], section
    app.set_viewport_size({"width": 390, "height": 844})
    app.wait_for_function("() => document.querySelector('.st-key-releases_box').getBoundingClientRect().left < 60")
    boxes = app.evaluate(_BOXES)
    assert boxes["editor"]["top"] >= boxes["picture"]["bottom"]
