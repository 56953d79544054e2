"""A report is collected from two pages, reordered, saved, opened without a server, and printed."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote
from zipfile import ZipFile

import docx
import pypdfium2
import pytest
from playwright.sync_api import Browser, Page, expect

from pages.export.__main__ import DRAWN, main, open_file, print_to, report_of
from pages.framework.export import exhibit_files
from pages.report.document import document
from tests.browser.layout import violations
from tests.browser.reading import expect_no_error, follow, go_to, link, settle, visit
from tests.pages.conftest import item_of, lead_name, title_of

LEAD = lead_name("gaussian_bounds")
LEAD_TITLE, COSTS = title_of("gaussian_bounds", LEAD), title_of("composition", "costs")
BOUNDS = item_of("gaussian_bounds", LEAD, epsilon="10", delta="1e-5")
ANSWER = "Tables/answer?epsilon=10&delta=1e-5&section=table"
EVIL = "<img src=https://x.example/a onerror=alert(1)></script><script>document.title='run'</script>"
CHARTS = (  # a line chart, a map, maps beside each other, bars, a table that is wide, another that is long
    f"{BOUNDS}~Generalized_Gaussian/best_map?section=best~Denoising/maps?section=map~Composition/costs~"
    "Composition/promises?section=published~Tables/cells_table?section=table"
)
_CUT = """() => {
  const column = document.querySelector("main > header").getBoundingClientRect();
  const inside = (box) => box.left >= column.left - 1 && box.right <= column.right + 1;
  const words = [...document.querySelectorAll(".chart .main-svg text, math *")];
  return words.filter(each => !inside(each.getBoundingClientRect())).map(each => each.textContent.slice(0, 80));
}"""

# What the sentence on what was added covers.
_COVERED = """() => {
  const box = document.querySelector(".dp-report-notice").getBoundingClientRect();
  const overlaps = ({left, right, top, bottom}) => left < box.right - 1 && right > box.left + 1
    && top < box.bottom - 1 && bottom > box.top + 1;
  return [...document.querySelectorAll(".dp-legend, .dp-plot, .dp-answer p, .dp-rest p, .dp-exhibit-tools button")]
    .filter((part) => !part.closest(".dp-report-notice") && part.getClientRects().length)
    .filter((part) => overlaps(part.getBoundingClientRect()))
    .map((part) => part.className || part.textContent);
}"""
_REVERSED = """(() => {  // the first two calls change places; one that stays alone is let through after a while
  const drawn = (globalThis.dpStage = Promise.withResolvers()), resolve = drawn.resolve;
  let first;
  drawn.resolve = (draw) => resolve((component) => {
    if (first === undefined) {
      first = component;
      return void setTimeout(() => first && draw(first), 3000);
    }
    draw(component);
    if (first) draw(first);
    first = null;
  });
})()"""


def address(server: str, items: str, title: str = "", notes: str = "") -> str:
    return f"{server}/Report?title={quote(title)}&notes={quote(notes)}&items={quote(items, safe='')}"


def add_exhibit(tab: Page) -> None:
    tab.locator(".dp-exhibit-tools").first.get_by_role("button", name="Add to report").click()


def add_answer(tab: Page) -> None:
    tab.locator(".dp-answer").get_by_role("button", name="Add to report").click()


def expect_items(tab: Page, *items: str) -> None:
    tab.wait_for_function("items => new URLSearchParams(location.search).get('items') === items", arg="~".join(items))


def test_a_report_is_gathered_from_two_pages_put_in_order_and_kept_in_its_link(
    new_page: Callable[..., Page], server: str
) -> None:
    tab = new_page()
    visit(tab, f"{server}/Gaussian_bounds?epsilon=10&delta=1e-5")
    add_exhibit(tab)
    notice = tab.locator(".dp-report-notice")
    expect(notice).to_contain_text("Added to the report as item 1.")
    assert tab.evaluate(_COVERED) == []
    expect(tab.get_by_role("link", name="Open report (1)")).to_be_visible()
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.clock.install()
    tab.clock.fast_forward("10:00")
    expect(notice).to_contain_text("Added to the report as item 1.")  # it stays until it is read
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)
    add_exhibit(tab)
    expect(notice).to_contain_text("The report contains this item already.")
    assert tab.evaluate(_COVERED) == []
    tab.set_viewport_size({"width": 1280, "height": 900})
    go_to(tab, "A table")
    add_answer(tab)
    tab.get_by_role("link", name="Open report (2)").click()
    expect(tab.locator(".dp-item")).to_have_count(2)
    settle(tab)
    assert link(tab)["items"] == f"{BOUNDS}~{ANSWER}"
    tab.get_by_role("button", name="Move item 2 up").focus()
    tab.keyboard.press("Enter")
    expect_items(tab, ANSWER, BOUNDS)
    expect(tab.get_by_role("button", name="Move item 1 down")).to_be_focused()
    tab.get_by_role("textbox", name="Note on item 2").fill("See ~ the <b>red</b> part")
    tab.get_by_role("textbox", name="Title of the report").fill("What we guarantee")
    tab.keyboard.press("Enter")
    expect(tab.locator(".st-key-answer p").first).to_have_text("What we guarantee: 2 items from 2 pages.")
    settle(tab)
    assert violations(tab) == []
    again = new_page()  # another tab, which opens the navigation's own link
    visit(again, f"{server}/?section=class", 0)
    again.get_by_test_id("stSidebar").get_by_role("link", name="Report").click()
    expect(again.get_by_role("heading", level=2).nth(1)).to_have_text(f"2. {LEAD_TITLE}")
    assert link(again)["items"] == link(tab)["items"]
    expect(again.get_by_text("This is your report")).to_be_visible()
    again.get_by_role("button", name="Remove item 1").click()
    expect(again.locator(".dp-item")).to_have_count(1)
    tab.bring_to_front()
    expect(tab.locator(".dp-item")).to_have_count(1)  # one report in all tabs
    expect(tab.get_by_role("textbox", name="Note on item 1")).to_have_value("See ~ the <b>red</b> part")
    again.bring_to_front()
    again.go_back()
    expect(again.locator(".dp-item")).to_have_count(2)
    again.get_by_role("button", name="Remove all items").click()
    expect(again.locator(".dp-item")).to_have_count(0)
    again.get_by_role("button", name="Undo").click()
    expect(again.locator(".dp-item")).to_have_count(2)
    for opened_tab in (tab, again):
        expect_no_error(opened_tab)


def test_a_report_from_a_link_is_shown_and_replaces_ones_own_only_on_request(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    add_exhibit(app)
    expect(app.get_by_role("link", name="Open report (1)")).to_be_visible()
    visit(app, address(server, f"Tables/answer~{BOUNDS}", "Theirs"))
    expect(app.get_by_text("This report comes from a link. Your own report (1 item) is not changed.")).to_be_visible()
    app.get_by_role("button", name="Remove item 2").click()
    expect(app.locator(".dp-item")).to_have_count(1)
    app.get_by_role("button", name="Open my report").click()
    expect_items(app, item_of("gaussian_bounds", LEAD))
    expect(app.get_by_text("This is your report")).to_be_visible()
    app.go_back()  # in the same tab the report of another person is still no edit of one's own
    expect(app.get_by_role("button", name="Replace my report (1 item) by this one")).to_be_visible()
    app.go_forward()
    expect_items(app, item_of("gaussian_bounds", LEAD))
    expect(app.get_by_text("This is your report")).to_be_visible()
    follow(app, address(server, "Tables/answer", "Theirs"), 0)
    app.get_by_role("button", name="Replace my report (1 item) by this one").click()
    expect(app.get_by_text("This is your report")).to_be_visible()
    visit(app, f"{server}/Report", 0)
    expect_items(app, "Tables/answer")


def test_a_report_is_shown_where_streamlit_delivers_its_first_two_runs_in_the_wrong_order(
    page: Page, server: str
) -> None:
    with page.context.new_page() as tab:
        tab.add_init_script(_REVERSED)
        visit(tab, address(server, f"{ANSWER}~{BOUNDS}"))
        expect(tab.get_by_text("This item is not computed yet.")).to_have_count(0)


def test_the_file_of_a_report_opens_without_a_network_is_live_and_runs_no_strangers_words(
    page: Page, browser: Browser, server: str, tmp_path: Path
) -> None:
    visit(page, address(server, f"{BOUNDS}#{quote(EVIL)}~Tables/answer", EVIL, EVIL))
    address_field = page.get_by_role("textbox", name="Address for citations and reports")
    expect(address_field).to_have_value(server)
    address_field.fill("javascript:alert(1)")
    address_field.press("Enter")
    expect(page.get_by_text("The address must be like https://example.org/dp.")).to_be_visible()
    address_field.fill("https://dp.example.org/app/")
    address_field.press("Enter")
    expect(address_field).to_have_value("https://dp.example.org/app")
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML file").click()
    download.value.save_as(tmp_path / "report.html")
    with page.expect_download() as download:
        page.get_by_role("button", name="Numbers as CSV, zipped").click()
    download.value.save_as(tmp_path / "report.zip")
    assert ZipFile(tmp_path / "report.zip").namelist() == ["report.txt", f"01_Gaussian_bounds_{LEAD}.csv"]
    for button, name in (("PDF", "report.pdf"), ("Word file", "report.docx")):  # one click each, and no dialog
        with page.expect_download() as download:
            page.get_by_role("button", name=button, exact=True).click()
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as paper:
        words = "".join(sheet.get_textpage().get_text_range() for sheet in paper)
    assert "".join(EVIL.split()) in "".join(words.split())
    assert "privacy loss parameter ε (nats)" in words  # of the picture, whose words can be found
    opened = docx.Document(str(tmp_path / "report.docx"))
    assert opened.paragraphs[0].text == EVIL
    assert [shape.width.mm for shape in opened.inline_shapes] == [pytest.approx(180)]
    urls: list[str] = []
    messages: list[str] = []
    with browser.new_context(offline=True) as alone:
        tab = alone.new_page()
        tab.on("request", lambda request: urls.append(request.url))
        tab.on("console", lambda message: messages.append(message.text))
        tab.on("dialog", lambda dialog: messages.append(dialog.message))
        open_file(tab, tmp_path / "report.html")
        expect(tab.get_by_role("heading", level=1)).to_have_text(EVIL)
        expect(tab.locator(".note")).to_have_text(EVIL)
        assert tab.title() == EVIL
        target = tab.get_by_role("link", name="Open in the Explorer").first.get_attribute("href")
        assert target is not None
        assert target.startswith("https://dp.example.org/app/Gaussian_bounds?epsilon=10&")
        tab.locator(".chart .nsewdrag").first.hover()
        expect(tab.locator(".chart .hoverlayer .legend text").first).to_be_visible()
    assert (urls, messages) == ([(tmp_path / "report.html").as_uri()], [])


@pytest.fixture(scope="module")
def report_page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return an offline tab with the file of a report that has every kind of chart and wide and long tables."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    items, where, problems = report_of(address("https://dp.example.org/app", CHARTS, "Printed"))
    assert (problems, where) == ([], "https://dp.example.org/app")
    path.write_text(document(items, where, "2026-11-22", exhibit_files.plotly_script()), encoding="utf-8")
    with browser.new_context(offline=True) as context:
        tab = context.new_page()
        open_file(tab, path)
        yield tab


def test_nothing_in_the_file_is_wider_than_the_screen_or_outside_its_column(report_page: Page) -> None:
    assert report_page.evaluate(_CUT) == []
    assert report_page.evaluate("document.documentElement.scrollWidth") <= 1280
    report_page.set_viewport_size({"width": 390, "height": 800})
    report_page.reload()
    report_page.locator(DRAWN).wait_for(state="attached")
    assert report_page.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_paper_no_chart_and_no_table_is_cut(report_page: Page, tmp_path: Path) -> None:
    print_to(report_page, tmp_path / "report.pdf", "A4")
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as printed:
        pages = [printed[place] for place in range(len(printed))]
        words = [page.get_textpage().get_text_range() for page in pages]
        size = pages[0].get_size()
        cut = [beyond for page in pages for beyond in beyond_margins(page)]
    assert size == pytest.approx((595.3, 841.9), abs=1)
    assert cut == []
    for name in (
        LEAD_TITLE,
        "Car sharing in Montréal",
        "privacy loss parameter ε (nats)",
    ):
        assert name in "\n".join(words)
    for ends in (
        (f"1. {LEAD_TITLE[:13]}", "Lower bound"),
        ("3. Car sharing", "200 or more"),
        (f"4. {COSTS[:14]}", "ε (nats)"),
    ):
        assert any(all(end in sheet for end in ends) for sheet in words), ends  # a chart stands on one sheet
    for place, sheet in enumerate(words, 1):
        assert f"{place} of {len(words)}" in sheet  # the foot of each sheet


def test_the_command_makes_the_file_the_pdf_and_the_numbers_of_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report_link = address("", f"{BOUNDS}~Tables/nope~Tables/cells_table?section=table", "Mine")
    with ThreadPoolExecutor(1) as alone:  # a thread has one browser of Playwright at a time
        returned = alone.submit(main, [report_link, str(tmp_path), "--paper", "Letter"]).result()
    done = capsys.readouterr()
    assert (returned, done.err) == (1, "Item 2: Its page has nothing named nope at this setting.\n")
    assert done.out.split() == [str(tmp_path / f"report.{kind}") for kind in ("html", "pdf", "zip")]
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as printed:
        assert printed.get_metadata_dict()["Title"] == "Mine"
        assert len(printed) <= 6  # with a table of 64 rows and what to do
        assert tuple(round(side) for side in printed[0].get_size()) == (612, 792)
        assert next(entry.get_title() for entry in printed.get_toc()) == "Mine"


def beyond_margins(page: pypdfium2.PdfPage) -> list[str]:
    """Return the words of a printed page that extend into its margins of 15 mm."""
    inside, width, text = 15 / 25.4 * 72 - 2, page.get_width(), page.get_textpage()
    boxes = [text.get_rect(place) for place in range(text.count_rects())]
    return [text.get_text_bounded(*box) for box in boxes if box[0] < inside or box[2] > width - inside]
