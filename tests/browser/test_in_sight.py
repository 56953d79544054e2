"""What a user needs next is in sight: the buttons that repair a file, and on a phone all fields of a query."""

import pytest
from playwright.sync_api import FilePayload, Page, ViewportSize, expect

from pages.shared.counts.table_notes import ALL_REPAIRS
from tests.browser import reading
from tests.browser.layout import AT_REST
from tests.browser.test_uploads import choose, uploader

PHONE: ViewportSize = {"width": 390, "height": 844}
SHARES = "Besuche 2025;;\n\nBezirk;Besuche;Anteil %\nMitte;6.172;53,8\nPankow;5.310;46,2\nQuelle: Amt;;\n"
FILE: FilePayload = {"name": "visits.csv", "mimeType": "text/csv", "buffer": SHARES.encode()}
TALLEST = "Accuracy?query=mean", "Clipping?section=sum", "Tables", "Composition?section=training"


@pytest.mark.parametrize("size", [{"width": 1280, "height": 720}, PHONE])
def test_the_buttons_that_repair_a_file_stand_in_sight_above_its_problems(page: Page, server: str, size):
    page.set_viewport_size(size)
    reading.visit(page, f"{server}/Tables?table=own", 0)
    field = page.locator("[class*=st-key-table_file] .stFileUploader")
    choose(field if field.count() else uploader(page), FILE)
    repair = page.get_by_role("button", name=ALL_REPAIRS)
    expect(repair).to_be_in_viewport()
    expect(page.get_by_role("button", name="Leave out the column “Anteil %”")).to_be_in_viewport()
    problems = page.get_by_text("can be read as 6172").bounding_box()
    button = repair.bounding_box()
    assert problems is not None
    assert button is not None
    assert button["y"] < problems["y"]
    repair.click()
    expect(page.get_by_text("Anteil % is left out")).to_be_attached()
    expect(repair).to_have_count(0)


IN_SIGHT = """() => {
  const [sheet, plot, legend] = [".dp-controls", ".dp-first .dp-plot", ".dp-first .dp-legend"]
    .map((part) => document.querySelector(part).getBoundingClientRect());
  const rows = [...document.querySelectorAll(".dp-first .ytick text")].map((row) => row.getBoundingClientRect());
  const end = innerWidth <= 640 ? sheet.top : innerHeight, seen = rows.filter((row) => row.bottom <= end);
  return {picture: Math.max(plot.bottom, legend.bottom), sheet: sheet.top, rows: seen.length};
}"""

IS_CLEAR = f"""(limit) => {{
  const {{picture, sheet}} = ({IN_SIGHT})();
  return picture <= sheet && sheet < limit;
}}"""


def test_on_a_phone_the_sheet_has_all_fields_in_sight_and_covers_no_picture_but_a_lists_end(page: Page, server: str):
    page.set_viewport_size(PHONE)  # in a tab in which nobody opened the fold of fields
    for address in TALLEST:
        reading.follow(page, f"{server}/{address}", reading.ALL_IN_SIGHT)
        heights = "(sheet) => [sheet.scrollHeight, sheet.clientHeight, innerHeight]"
        whole, shown, screen = page.locator(".dp-controls").first.evaluate(heights)
        assert whole <= shown + 1, address  # without scrolling
        assert shown <= screen / 2, address
    for address in ("Clipping", "Clipping?section=contributions", "Denoising"):
        reading.follow(page, f"{server}/{address}", reading.ALL_IN_SIGHT)
        page.wait_for_function(IS_CLEAR, arg=PHONE["height"] - 60)  # so that ε is in sight too
    reading.follow(page, f"{server}/Tables?section=table", 1)
    page.evaluate(AT_REST)
    assert page.evaluate(IN_SIGHT)["rows"] >= 10
    expect(page.locator(".dp-controls [data-key=epsilon]")).to_be_in_viewport(ratio=1)


def test_in_a_presentation_a_larger_window_has_more_rows_of_a_list(app: Page, server: str):
    rows = []
    for width, height in ((1280, 720), (1920, 1080)):
        app.set_viewport_size({"width": width, "height": height})
        reading.follow(app, f"{server}/Tables?section=table&present=on", 1)
        app.evaluate(AT_REST)
        rows.append(app.evaluate(IN_SIGHT)["rows"])
    assert rows[0] >= 12
    assert rows[1] >= 20


def test_in_a_presentation_a_list_scrolls_in_its_place_below_the_answer(app: Page, server: str):
    app.set_viewport_size({"width": 1280, "height": 720})
    reading.follow(app, f"{server}/Tables?section=table&present=on", 1)
    app.evaluate(AT_REST)
    rows, last = app.locator(".dp-lead .dp-plot"), app.locator(".dp-lead .ytick text").last
    expect(rows).to_be_in_viewport(ratio=1)
    expect(last).not_to_be_in_viewport()
    rows.focus()
    app.keyboard.press("End")
    expect(last).to_be_in_viewport()
    expect(app.locator(".dp-answer")).to_be_in_viewport(ratio=1)
    app.keyboard.press("Escape")  # leaves
    expect(rows).not_to_have_attribute("tabindex", "0")
    app.evaluate(AT_REST)
    assert rows.evaluate("(box) => box.scrollHeight - box.clientHeight") == 0
