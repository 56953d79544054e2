"""The first section of a page shows question, answer, parameters and lead picture legibly on the first screen.

A page of a table and its bars, of curves, of a list in its editor, and of the editor of curves stand for the others;
`python -m tests.benchmarks.screens` looks at every section of every page.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from pages.framework.layout.page import load_page
from pages.shared import site_map
from tests.browser.layout import AT_REST, faults, violations
from tests.browser.reading import ALL_IN_SIGHT, PATHS, field, follow

PAGES = [site_map.ACCURACY, site_map.TABLES, site_map.PLAN, site_map.TRADEOFF]
PLAN_FACTOR = ("Common factor on all wanted errors", ("2", "1"))  # in place of ε, which a plan computes
SCREENS = {"phone": (390, 844), "laptop": (1280, 720)}
_ALL_TYPE = """() => [...document.querySelectorAll(".dp-stage :is(svg text, button, p, label, h1, h2, td, th, a)")]
  .filter((node) => node.textContent.trim() && node.getClientRects().length && !node.closest(".dp-hidden"))
  .map((node) => [node.textContent, parseFloat(getComputedStyle(node).fontSize)])"""
_FIELDS_BELOW_HELP = """() => {
  const help = document.querySelector(".dp-field > .dp-popover"), box = help.getBoundingClientRect();
  return [...document.querySelectorAll(".dp-controls .dp-field")].filter((field) => !field.contains(help))
    .filter((field) => {
      const {left, right, top, bottom} = field.getBoundingClientRect();
      return left < box.right - 1 && right > box.left + 1 && top < box.bottom - 1 && bottom > box.top + 1;
    }).map((field) => field.textContent);
}"""


def sections_of(page: site_map.PageEntry) -> list[str]:
    return list(load_page(page).section_by_key)


def turn_to(tab: Page, screen: str) -> None:
    """Give a tab the size and colour scheme of a screen; phones are dark."""
    (width, height), dark = SCREENS[screen], screen == "phone"
    tab.set_viewport_size({"width": width, "height": height})
    tab.emulate_media(color_scheme="dark" if dark else "light")
    expect(tab.locator(".dp-stage.dp-dark" if dark else ".dp-stage:not(.dp-dark)")).to_be_visible()
    tab.wait_for_function("width => document.querySelector('.dp-lead')?.clientWidth < width", arg=width)
    tab.evaluate(AT_REST)


@pytest.fixture(scope="module", params=PAGES, ids=lambda page: page.topic)
def opened_page(request: pytest.FixtureRequest, lasting_tab: Page, server: str) -> tuple[Page, site_map.PageEntry]:
    """Return a tab with a page of the app, shared by the tests that do not change it."""
    page: site_map.PageEntry = request.param
    lasting_tab.set_viewport_size({"width": 1280, "height": 720})
    follow(lasting_tab, f"{server}/{page.path}", PATHS[f"/{page.path}"])
    lasting_tab.mouse.move(0, 0)  # not on a widget whose tooltip Streamlit draws outside all landmarks
    return lasting_tab, page


def test_the_first_screen_has_answer_parameters_and_lead_picture_and_is_accessible(
    opened_page: tuple[Page, site_map.PageEntry],
) -> None:
    tab, page = opened_page
    for screen in SCREENS:
        turn_to(tab, screen)
        assert (screen, faults(tab, screen)) == (screen, [])
        if PAGES.index(page) % 2 == (screen == "phone"):  # each page once, in turns
            assert violations(tab) == []


def test_in_a_presentation_texts_of_charts_can_be_read_and_conditions_stand_in_one_line(
    opened_page: tuple[Page, site_map.PageEntry],
) -> None:
    tab, page = opened_page
    tab.get_by_role("button", name="Present", exact=True).click()
    expect(tab.get_by_test_id("stSidebar")).to_be_hidden()
    tab.evaluate(AT_REST)
    assert faults(tab, "presentation") == []
    if page in (site_map.ACCURACY, site_map.TABLES):
        expect_conditions_in_one_line(tab)
    if page == site_map.ACCURACY:
        expect_equal_shares_on_a_projector(tab)
    tab.get_by_role("button", name="Leave presentation").click()
    expect(tab.get_by_test_id("stSidebar")).to_be_visible()


def expect_conditions_in_one_line(tab: Page) -> None:
    """Expect what the answer takes for granted in one line on the screen."""
    conditions = tab.locator(".dp-conditions")
    expect(conditions).to_contain_text("a trusted office adds the noise")
    lines = conditions.evaluate("line => line.offsetHeight / parseFloat(getComputedStyle(line).lineHeight)")
    assert lines < 1.5
    expect(conditions).to_be_in_viewport()


def expect_equal_shares_on_a_projector(tab: Page) -> None:
    """Expect texts with the same share of the height on two screens, and large buttons on the larger one."""
    sizes: list[dict[str, float]] = []
    for width, height in ((1280, 720), (1920, 1080)):
        tab.set_viewport_size({"width": width, "height": height})
        tab.wait_for_function("width => document.querySelector('.dp-lead')?.clientWidth > 0.9 * width", arg=width)
        tab.evaluate(AT_REST)
        sizes.append({words: size / height for words, size in tab.evaluate(_ALL_TYPE)})
    assert sizes[1].keys() >= {"?", "Save…", "Share"}
    assert min(sizes[1].values()) * 1080 >= 18
    assert violations(tab) == []
    both = sizes[0].keys() & sizes[1].keys()
    assert {words: sizes[1][words] for words in both} == pytest.approx(
        {words: sizes[0][words] for words in both}, rel=0.03
    )
    tab.set_viewport_size({"width": 1280, "height": 720})


def test_escape_closes_every_popup_and_no_help_covers_the_next_field(app: Page, server: str) -> None:
    follow(app, f"{server}/Tables", 2)
    app.get_by_text("Compare the noises in numbers").click()
    popup, panel = app.locator(".dp-popover"), app.locator(".dp-answer-panel")
    openers = {
        app.get_by_role("button", name="Share", exact=True): popup,
        app.get_by_role("button", name="Save this chart").first: popup,
        app.get_by_role("button", name="Save this table"): popup,
        app.get_by_role("button", name="Verify"): panel,
        app.get_by_role("button", name="Code", exact=True): panel,
        app.locator(".dp-help").first: popup,
        app.get_by_role("button", name="Present", exact=True): app.get_by_role("button", name="Leave presentation"),
    }
    for button, opened_part in openers.items():
        button.click()
        expect(opened_part).to_be_visible()
        app.keyboard.press("Escape")
        expect(opened_part).to_be_hidden()
    app.get_by_role("button", name="Save this chart").first.click()
    expect(app.get_by_label("Format")).to_be_focused()
    app.keyboard.press("Escape")
    expect(app.get_by_label("Format")).to_have_count(0)
    for width, height in ((1280, 720), (390, 844)):
        app.set_viewport_size({"width": width, "height": height})
        app.locator(".dp-help").first.click()
        expect(popup).to_be_visible()
        assert app.evaluate(_FIELDS_BELOW_HELP) == []
        app.keyboard.press("Escape")


def test_a_setting_is_pinned_and_compared_in_words(opened_page: tuple[Page, site_map.PageEntry]) -> None:
    tab, page = opened_page
    first = tab.locator(f".dp-sections [data-section={sections_of(page)[0]}]")
    if first.is_visible():
        first.click()
    tab.get_by_role("button", name="Pin", exact=True).click()
    expect(tab.get_by_role("button", name="Unpin")).to_be_visible()
    label, entries = ("Privacy loss parameter ε", ("0.5", "1")) if page != site_map.PLAN else PLAN_FACTOR
    box = field(tab, label)
    for entry, change in zip(entries, ("→", ""), strict=True):  # at the pinned setting nothing has changed
        box.fill(entry)
        tab.keyboard.press("Enter")
        if page != site_map.PLAN:
            tab.wait_for_url(lambda url, entry=entry: f"?epsilon={entry}&" in url)
        expect(tab.locator(".st-key-answer")).to_contain_text(re.compile(f"Compared with the pin.*{change}"))
        tab.wait_for_url(lambda url: "pinned=epsilon%3D1" in url)
    tab.get_by_role("button", name="Unpin").click()
    expect(tab.locator(".st-key-answer")).not_to_contain_text("Compared with the pin")


def test_on_a_phone_the_open_section_is_seen_in_the_row_of_sections(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 390, "height": 844})
    follow(app, f"{server}/Tables?section=release", charts=1)
    app.wait_for_function(
        """() => {
          const [row, link] = [".dp-sections", ".dp-sections [aria-current]"]
            .map((part) => document.querySelector(part)?.getBoundingClientRect());
          return row && link && row.left <= link.left && link.right <= row.right + 1;
        }"""
    )


def test_on_a_phone_an_arrow_brings_the_sections_beyond_the_end_into_sight(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 390, "height": 844})
    follow(app, f"{server}/Tables", charts=2)
    earlier, further = (app.get_by_role("button", name=name) for name in ("Earlier sections", "Further sections"))
    last = app.locator(".dp-sections a").last
    expect(earlier).to_be_hidden()
    expect(last).not_to_be_in_viewport(ratio=0.9)
    further.focus()
    app.keyboard.press("Enter")
    expect(last).to_be_in_viewport(ratio=0.9)
    expect(further).to_be_hidden()
    expect(earlier).to_be_focused()
    earlier.click()
    expect(further).to_be_visible()
    app.set_viewport_size({"width": 1280, "height": 844})
    expect(further).to_be_hidden()  # the names stand in two rows where there is no room for one
    expect(earlier).to_be_hidden()


def test_on_a_laptop_no_name_of_a_section_is_cut(app: Page, server: str) -> None:
    for path, n_charts in (("Composition", 1), ("Tables", 2)):
        follow(app, f"{server}/{path}", n_charts)
        cut = """row => [...row.querySelectorAll("a")].filter((name) =>
          name.getBoundingClientRect().right > row.getBoundingClientRect().right + 1).map((name) => name.textContent)"""
        assert app.locator(".dp-sections").evaluate(cut) == [], path


def test_on_a_phone_a_table_that_is_cut_fades_at_its_end_until_that_is_in_sight(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 390, "height": 844})
    follow(app, f"{server}/Composition?section=published", charts=ALL_IN_SIGHT)
    app.get_by_text("Each guarantee in numbers").click()
    table = app.locator(".scroll").first
    expect(table).to_have_class(re.compile("dp-cut"))
    expect(table).to_have_css("mask-image", re.compile("linear-gradient"))
    table.evaluate("table => { table.scrollLeft = table.scrollWidth; }")
    expect(table).not_to_have_class(re.compile("dp-cut"))
    expect(table).to_have_css("mask-image", "none")
    follow(app, f"{server}/A_survey", charts=ALL_IN_SIGHT)
    app.get_by_text("Every method in numbers").click()
    whole = app.locator(".scroll").last
    expect(whole).to_contain_text("Randomised response")
    assert whole.evaluate("table => table.scrollWidth <= table.clientWidth + 1")
