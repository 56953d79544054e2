"""A file proposes rows of a plan in a browser, which buttons accept; nothing else of the file leaves the tab."""

import re
from urllib.parse import unquote

from playwright.sync_api import Error, FilePayload, Locator, Page, Request, expect

from tests.browser.reading import CHANGE_LIMIT, follow, settle

COLUMN = "zorblax"
ROWS = "".join(f"p-77{place:03},Quandary,{48613 + place}\n" for place in range(40))
FILE: FilePayload = {
    "name": "clinic_of_zyzzogeton.csv",
    "mimeType": "text/csv",
    "buffer": f"patient,ward,{COLUMN}\n{ROWS}".encode(),
}
SECRETS = ("zyzzogeton", "Quandary", "77003", "48613", "Ossip", "patient")
BOX = ".st-key-own_plan_box"


def expect_no_secret(page: Page, *more: str) -> None:
    address = unquote(unquote(page.url))
    assert [secret for secret in (*SECRETS, *more) if secret in address] == []


def choose(box: Locator, label: str, option: str) -> None:
    """Choose from a list of Streamlit's; open it again if the end of a run closes it."""
    for limit in (*[3_000] * 5, CHANGE_LIMIT):
        box.get_by_role("combobox", name=re.compile(f"{label}$")).click(timeout=CHANGE_LIMIT)
        try:
            return box.page.get_by_role("option", name=option, exact=True).click(timeout=limit)
        except Error:
            box.page.keyboard.press("Escape")
    raise AssertionError(f"{option} of {label} can’t be chosen.")


def test_a_file_proposes_rows_that_are_accepted_one_by_one(app: Page, server: str) -> None:
    sent: list[str] = []

    def hear(request: Request) -> None:
        sent.append(unquote(request.url))

    app.on("request", hear)
    follow(app, f"{server}/Plan?queries=!count:20=A;sum:300,0,50=B")
    box = app.locator(BOX)

    def fill(label: str, entry: str) -> None:
        box.get_by_role("textbox", name=label, exact=True).fill(entry)

    def add(what: str, row: str) -> None:
        box.get_by_role("button", name=f"Add {what}").click()
        app.wait_for_url(re.compile(row))

    box.locator("summary").first.click()
    box.locator("input[type=file]").set_input_files(FILE)
    expect(box.get_by_text("3 columns: patient (text)")).to_be_visible()
    assert app.locator(f".st-key-above_stage {BOX}").count() == 1  # in the column of the stage, beside the list
    widths = [app.locator(part).bounding_box() for part in (BOX, ".st-key-beside_stage")]
    form, editor = (rectangle["width"] if rectangle else 0 for rectangle in widths)
    assert form > 2 * editor > 0
    choose(box, "Column that names the person", "patient (by its name)")
    add("the number of people", "count%3A5%3DNumber")
    choose(box, "Column", COLUMN)
    expect(box.get_by_role("textbox", name="Lowest value of a person, lo", exact=True)).to_have_value("")
    box.get_by_role("button", name="Add the sum").click()
    expect(box.get_by_text("Enter first: Lowest value of a person, lo")).to_be_visible()
    expect_no_secret(app, COLUMN)
    fill("Name in the link", "Costs")
    fill("Lowest value of a person, lo", "0")
    fill("Highest value of a person, hi", "500")
    add("the sum", "sum%3A1000%2C0%2C500%3DCosts")  # which takes the number that was typed last
    choose(box, "Column", "ward")
    fill("Public list of categories", "Ossip\nBrunk")
    fill("Cells that one person can be in, k", "1")
    fill("Most that one person adds to one cell, c", "2")
    fill("Name in the link", "Wards")
    add("the table", "table%3A20%2C2%2C1%2C2%3DWards")
    settle(app)
    expect_no_secret(app, COLUMN)
    app.wait_for_function("() => sessionStorage.getItem('dp_own_data_plan')")
    app.reload()
    settle(app)
    box.locator("summary").first.click()
    expect(box.get_by_text("3 columns: patient (text)")).to_be_visible()
    choose(box, "Column", "ward")
    expect(box.get_by_role("textbox", name="Public list of categories")).to_have_value("Ossip\nBrunk")
    expect_no_secret(app, COLUMN)
    box.get_by_text("Show the call of the program").click()
    with app.expect_download() as download:
        box.get_by_role("button", name="Save list-5.csv").click()
    assert download.value.path().read_text(encoding="utf-8") == "ward\nOssip\nBrunk\n"
    app.get_by_role("button", name="Remove my file").click()
    expect(box.get_by_role("button", name="Add the number of people")).to_have_count(0)
    app.wait_for_function("() => !sessionStorage.getItem('dp_own_data_plan')")
    app.remove_listener("request", hear)
    assert [address for address in sent for secret in SECRETS if secret in address] == []
