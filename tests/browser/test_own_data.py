"""Uploaded data enter no file and no link unless the user includes them, and survive a reload."""

import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from io import BytesIO
from urllib.parse import unquote

import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.reading import ALL_IN_SIGHT, answer, answer_conditions, follow, go_to, link, settle

NAME, COUNTS = "Zyzzogeton", (486_135_729, 791_913_337)
PASTED = f"{NAME}; {COUNTS[0]}\nOther; {COUNTS[1]}"
SECRETS = (NAME, *(str(count) for count in COUNTS), *(f"{count:,}" for count in COUNTS))
BOXES = {
    "Tables?section=table": "own_table_box",
    "A_median": "own_values_box",
    "A_series?section=time": "own_series_box",
    "A_series?section=sums": "own_sums_box",
    "Trade-off_curves?section=attack": "own_attack_box",
    "Denoising?section=map": "own_places_box",
}
# Charts below the screen take the width of their place later.
LEAD_FITS = """() => [...document.querySelectorAll(".dp-lead .js-plotly-plot")]
  .every((plot) => Math.abs(plot._fullLayout?.width - plot.clientWidth) < 1)"""
# The tops of the box and of the question, the height of the lead picture, and whether the box has the focus.
PLACES = """(key) => {
  const box = document.querySelector(`.st-key-${key}`), top = (node) => node.getBoundingClientRect().top;
  const plot = document.querySelector(".dp-lead .dp-plot");
  const question = document.querySelector(".dp-question");
  return [top(box), top(question), plot ? plot.offsetHeight : 0, box.contains(document.activeElement)];
}"""
SIDES = "(node) => [node.getBoundingClientRect().left, node.getBoundingClientRect().right]"
TWO_CELLS = re.compile("2 of 2 cells|[Aa]ll 2 cells|both cells")


def wait_for_copy(page: Page) -> None:
    """Wait until the tab has stored the copy that it sends to a new session."""
    page.wait_for_function("() => Object.keys(sessionStorage).some((key) => key.startsWith('dp_own_data'))")


def paste(page: Page) -> None:
    page.get_by_text("Use your own table").click()
    page.get_by_role("textbox", name="Or paste a table").fill(PASTED)
    page.get_by_role("textbox", name="Or paste a table").press("Control+Enter")
    page.wait_for_url(re.compile("table=own"))
    answer_conditions(page)
    expect(answer(page)).to_contain_text(TWO_CELLS)


def words_in(kind: str, file: bytes) -> str:
    """Return all text in a file, with the decompressed streams of a PDF and the text chunks of a PNG."""
    raw = file.decode("utf-8", "replace") + file.decode("latin-1")
    if kind == "png":
        raw += str(Image.open(BytesIO(file)).info)
    if kind == "pdf":
        streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", file, re.DOTALL)
        raw += "".join(
            _inflated(stream).decode("latin-1") + _inflated(stream).decode("utf-16-be", "replace") for stream in streams
        )
        document = pypdfium2.PdfDocument(file)
        raw += str(document.get_metadata_dict()) + document[0].get_textpage().get_text_bounded()
        raw += bytes.fromhex("".join(re.findall(r"<([0-9A-Fa-f]{8,})>", raw)[:1]) or "").decode("utf-16-be", "replace")
    return unquote(unquote(raw))


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


def downloads(page: Page, chart: str) -> dict[str, bytes]:
    """Return the CSV of a chart and its picture in each format."""
    files = {}
    for kind in ("csv", "svg", "png", "pdf"):
        page.locator(f"[data-chart={chart}]").get_by_role("button", name="Save this chart").click()
        with page.expect_download() as saved:
            if kind == "csv":
                page.get_by_role("button", name="Numbers as CSV").click()
            else:
                page.get_by_label("Format").select_option(kind)
                page.get_by_role("button", name="Save picture").click()
        page.keyboard.press("Escape")
        files[kind] = saved.value.path().read_bytes()
    return files


@pytest.fixture(scope="module")
def tab(open_tab: Callable[..., AbstractContextManager[Page]]) -> Iterator[Page]:
    with open_tab() as tab:
        yield tab


@pytest.fixture
def page(tab: Page) -> Page:
    """Return the tab of these tests, each of which `follow`s a link in it."""
    tab.bring_to_front()
    tab.set_viewport_size({"width": 1280, "height": 900})
    return tab


@pytest.fixture(scope="module")
def pasted(tab: Page, server: str) -> Page:
    """Return the tab with a pasted table, which its last test takes away."""
    tab.bring_to_front()
    follow(tab, f"{server}/Tables?section=table")
    paste(tab)
    return tab


def test_a_pasted_table_is_in_no_file_without_counts_and_in_a_link_only_from_a_choice_on(pasted: Page) -> None:
    page = pasted
    page.bring_to_front()
    page.locator(".dp-sections [data-section=noise]").click()
    settle(page, 2)
    chart_name = page.locator("[data-chart]").first.get_attribute("data-chart") or ""
    for kind, file in downloads(page, chart_name).items():
        file_words = words_in(kind, file)
        assert "Tables" in file_words or kind == "csv", kind  # the link is where it is looked for
        assert "table=own" in file_words, kind
        assert [secret for secret in SECRETS if secret in file_words] == [], kind
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for name in ("Copy citation", "Copy link"):
        page.get_by_role("button", name="Share", exact=True).click()
        page.get_by_role("button", name=name).click()
        expect(page.locator(".dp-done").first).to_contain_text("copied")
        copied = unquote(page.evaluate("navigator.clipboard.readText()"))
        assert "table=own" in copied
        assert [secret for secret in SECRETS if secret in copied] == []
        page.keyboard.press("Escape")
    page.locator(".dp-sections [data-section=table]").click()
    page.locator("[data-chart=cells]").get_by_role("button", name="Save this chart").click()
    expect(page.get_by_text("This picture shows your confidential counts.")).to_be_visible()
    page.keyboard.press("Escape")
    include_and_take_out(page)


def test_a_table_lasts_as_long_as_its_tab_through_pages_and_a_reload_and_is_in_no_other_tab(
    pasted: Page, app: Page
) -> None:  # and while the server is lost: test_lost_server.py
    page = pasted
    page.bring_to_front()
    go_to(page, "Denoising")
    go_to(page, "A table")
    expect(answer(page)).to_contain_text(TWO_CELLS)
    wait_for_copy(page)
    page.evaluate("sessionStorage.setItem('dp_own_data_points', '{')")  # a broken copy does not cost the others
    page.reload()
    expect(answer(page)).to_contain_text(TWO_CELLS)
    assert page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('dp_'))") == ["dp_own_data_table"]
    assert not any(secret in unquote(page.url) for secret in SECRETS)
    app.bring_to_front()
    app.goto(page.url)
    expect(answer(app)).to_have_text("Your own table is missing: the link does not contain it.")
    expect(app.locator(".dp-answer").get_by_role("button", name="Add to report")).to_be_hidden()  # nothing is there
    page.bring_to_front()
    page.get_by_role("button", name="Back to the sample table").click()
    page.wait_for_url(re.compile("table=czech"))
    page.wait_for_function("() => !Object.keys(sessionStorage).some((key) => key.startsWith('dp_own'))")


def include_and_take_out(page: Page) -> None:
    """Include a table in the link by a choice, and take it out by one click."""
    page.get_by_role("button", name="Include my data in the link", exact=True).click()
    page.wait_for_url(re.compile("own=Zyzzogeton"))
    notice = page.locator(".dp-notices")
    expect(notice).to_contain_text("The link of this page contains data: a table of 2 cells.")
    notice.get_by_role("button", name="Take my data out of the link").click()
    page.wait_for_url(re.compile("own=none"))
    expect(notice).to_be_hidden()
    expect(answer(page)).to_contain_text(TWO_CELLS)
    assert link(page)["table"] == "own"


def test_an_item_of_a_report_from_own_data_survives_a_reload_and_is_in_its_files(page: Page, server: str) -> None:
    follow(page, f"{server}/Tables?section=table")
    paste(page)
    settle(page)
    page.locator(".dp-exhibit-tools").first.get_by_role("button", name="Add to report").click()
    expect(page.locator(".dp-report-notice")).to_contain_text("as item 1 until you close this tab.")
    page.wait_for_function("() => sessionStorage.getItem('dp_own_data_report')")
    page.get_by_role("link", name="Open report (1)").click()
    expect(page.locator(".dp-item .dp-plot")).to_be_visible()
    expect(page.get_by_text("has a copy until you close this tab")).to_be_visible()
    page.reload()
    expect(page.locator(".dp-item .dp-plot")).to_be_visible()
    expect(page.locator(".dp-item")).to_contain_text(NAME)
    expect(page.get_by_text("has a copy until you close this tab")).to_be_visible()
    assert not any(secret in unquote(page.url) for secret in SECRETS)
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="PDF", exact=True).click()
    words = words_in("pdf", download.value.path().read_bytes())
    assert "This picture shows your confidential counts." in " ".join(words.split())
    assert NAME in words


def test_the_box_of_own_data_is_above_the_question_while_it_is_open_and_has_the_focus(
    new_page: Callable[..., Page], server: str
) -> None:
    page = new_page()  # in which no box has been opened
    widths = [1280, 390]
    for address, key in BOXES.items():
        if "map" in address:  # it has no ticks, for which `settle` waits
            page.goto(f"{server}/{address}")
            expect(page.locator(f".st-key-{key} summary")).to_be_visible()
            page.wait_for_function("() => document.querySelector('.dp-answer-text')?.textContent")
        else:
            follow(page, f"{server}/{address}", ALL_IN_SIGHT)
        for width in widths:
            page.set_viewport_size({"width": width, "height": 844})
            page.wait_for_function(LEAD_FITS)
            page.wait_for_timeout(500)
            expect_box_above(page, key, width)
        widths.reverse()  # the next page begins with the width of this one


def expect_box_above(page: Page, key: str, width: int) -> None:
    """Open a box of own data and close it."""
    summary = page.locator(f".st-key-{key} summary").first
    top, question, height, _ = page.evaluate(PLACES, key)
    assert top > question, key  # who needs no own data finds the page as it is without the box
    summary.click()
    box = page.locator(f".st-key-above_stage .st-key-{key}")
    entry = box.locator("textarea, .stFileUploader section button").first
    expect(entry).to_be_focused()
    expect(entry).to_be_in_viewport()
    top, question, open_height, is_focused = page.evaluate(PLACES, key)
    assert top < question, key
    assert is_focused
    assert open_height == pytest.approx(height, rel=0.1), key  # a map takes its height after its width
    assert page.evaluate("document.documentElement.scrollWidth") <= width, key
    summary.click()
    expect(page.locator(".st-key-above_stage")).to_have_count(0)
    seen = page.locator(f".dp-stage a[href='#{key}'], .st-key-{key} summary").filter(visible=True).first
    expect(seen).to_be_focused()


def test_the_answer_comes_before_the_pasted_values_and_fields_stay_in_their_column(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    follow(page, f"{server}/A_median")
    page.get_by_text("Use your own values").first.click()
    entry = page.locator(".st-key-above_stage textarea")
    entry.fill("\n".join(map(str, range(3, 90))))
    entry.press("Control+Enter")
    expect(page.locator(".st-key-above_stage")).to_have_count(0)
    box = page.locator(".st-key-own_values_box")
    expect(box).to_contain_text("87 people with a number in column 1.")
    answer_conditions(page)
    expect(answer(page)).to_contain_text("your 87 people")
    expect(answer(page)).to_be_in_viewport()
    top, question, _, _ = page.evaluate(PLACES, "own_values_box")
    assert top > question
    settle(page)
    fields = page.locator(".dp-controls")
    column = fields.evaluate(SIDES)
    highest = page.get_by_role("textbox", name="Highest value hi")
    highest.fill("4")
    highest.press("Enter")
    expect(answer(page)).to_contain_text("is outside the range")
    assert fields.evaluate(SIDES) == column


def test_a_cell_of_own_data_is_found_by_its_name_which_no_link_gets(page: Page, server: str) -> None:
    follow(page, f"{server}/Tables?section=table")
    page.get_by_text("Use your own table").click()
    box = page.get_by_role("textbox", name="Or paste a table")
    box.fill("\n".join([f"Other {place}; {place}" for place in range(60)] + [f"{NAME}; 1"]))
    box.press("Control+Enter")
    page.wait_for_url(re.compile("table=own"))
    answer_conditions(page)
    page.get_by_label("Find a cell").fill(NAME.lower())
    page.locator(".dp-matches").get_by_role("button", name=NAME).click()
    expect(page.locator(".dp-lead .ytick text").first).to_have_text(NAME)
    settle(page)
    assert NAME.lower() not in unquote(page.url).lower()
    assert re.search(r"first_cell=5[89]\b|first_cell=60\b", page.url)
