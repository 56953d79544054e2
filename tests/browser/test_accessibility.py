from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.layout import AT_REST, UPLOADER_FAULT, run_axe, violations
from tests.browser.reading import PAGES, field, follow, visit


def expect_accessible(page: Page) -> None:
    assert violations(page) == []


# The start page is tested with its cards, and the others with their first screens.
def test_the_classroom_is_accessible_on_a_phone(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 390, "height": 844})
    app.emulate_media(color_scheme="dark")
    follow(app, f"{server}/?section=class", 0)
    expect(app.locator(".dp-stage.dp-dark")).to_be_visible()
    app.evaluate(AT_REST)
    expect_accessible(app)


def test_the_notice_of_a_bad_link_a_pinned_setting_and_the_opened_explanation_are_accessible(
    app: Page, server: str
) -> None:
    follow(app, f"{server}/Gaussian_bounds?epsilon=abc&foo=bar&pinned=1,1e-5,2,0.1")
    expect(app.locator(".st-key-link_notice")).to_be_visible()
    expect(app.get_by_role("columnheader", name="pinned")).to_be_visible()
    app.get_by_text("How this is computed").click()
    expect(app.get_by_text("Two notions of δ.")).to_be_visible()
    expect(app.locator(".katex").first).to_be_visible()
    expect_accessible(app)


def test_the_open_sidebar_is_accessible_on_a_phone(new_page: Callable[..., Page], server: str) -> None:
    page = new_page(390, "dark")
    visit(page, f"{server}/Gaussian_bounds")
    button = page.get_by_role("button", name="Expand sidebar")
    for scrolled, opacity in ((400, "0"), (0, "1")):  # no button lies on what is read
        page.locator(".stMain").evaluate("(node, top) => node.scrollTo(0, top)", scrolled)
        expect(button).to_have_css("opacity", opacity)
    button.click()
    expect(page.get_by_test_id("stSidebar").get_by_role("link", name="Start")).to_be_in_viewport()
    expect_accessible(page)
    page.get_by_test_id("stSidebar").get_by_role("link", name="A survey").click()
    expect(page.get_by_role("heading", name=PAGES["A survey"][0])).to_be_visible()
    expect(button).to_be_in_viewport()  # as the navigation, which lay over the page, is closed


def test_the_field_for_ones_own_table_has_only_the_fault_that_streamlit_gives_it(app: Page, server: str) -> None:
    app.emulate_media(color_scheme="dark")
    follow(app, f"{server}/Tables?section=table")
    expect(app.locator(".dp-stage.dp-dark")).to_be_visible()
    app.get_by_role("link", name="Use my own table").first.click()  # which unfolds the box and goes there
    expect(app.get_by_test_id("stFileUploader")).to_be_visible()
    (fault,) = run_axe(app)
    assert (fault["id"], fault["impact"], len(fault["nodes"])) == (UPLOADER_FAULT, "minor", 1)
    assert 'data-testid="stFileUploaderDropzone"' in fault["nodes"][0]["html"]


def test_an_attack_a_refused_number_and_the_explanation_of_a_curve_are_accessible(app: Page, server: str) -> None:
    follow(app, f"{server}/Trade-off_curves?section=attack&curves=gdp:1&attack=3_1000_300_1000&foo=bar")
    app.get_by_text("Choose, add and edit curves").click()
    field(app, "μ · Gaussian DP parameter").fill("-1")
    field(app, "μ · Gaussian DP parameter").press("Enter")
    expect(app.locator(".st-key-problem_curve_mu")).to_be_visible()
    app.get_by_text("How this is computed").click()
    expect(app.locator(".katex").first).to_be_visible()
    expect_accessible(app)
