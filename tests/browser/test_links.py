from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Page, expect

from pages.gaussian_bounds.page import VIEW
from tests.browser.reading import (
    ACCURACY,
    BOUNDS,
    CONFIDENCE,
    CONFIDENCE_SLIDER,
    DELTA,
    DELTA_SLIDER,
    EPSILON,
    EPSILON_SLIDER,
    OWN,
    PAGES,
    SENSITIVITY,
    SENSITIVITY_SLIDER,
    SHARED,
    START_OWN,
    answer,
    enter,
    expect_fields,
    expect_link,
    expect_no_error,
    field,
    follow,
    go_to,
    link,
    settle,
    visit,
)

LINKED = {"epsilon": "0.5", "delta": "1e-5", "l2_sensitivity": "2", "significance": "0.1", "picture": "png"}
LINKED |= {"present": "off"}
LINKED_OWN = {"section": "bounds", "view": "delta", "pinned": "1,1e-6,1,0.05"}
LINK = "/Gaussian_bounds?" + "&".join(f"{key}={value}" for key, value in (LINKED | LINKED_OWN).items())
FIELDS = {EPSILON: "0.5", DELTA: "1e-5", SENSITIVITY: "2", CONFIDENCE: "0.9"}
SLIDERS = {EPSILON_SLIDER: "0.5", DELTA_SLIDER: "1e-5", SENSITIVITY_SLIDER: "2", CONFIDENCE_SLIDER: "0.9"}

AGREE = """label => {
  const epsilon = new URLSearchParams(location.search).get("epsilon");
  return document.querySelector(".st-key-answer p")?.textContent.includes(`ε = ${epsilon},`)
    && document.querySelector(`input[aria-label$=": ${label}"]`)?.value === epsilon;
}"""


def expect_linked_page(page: Page) -> None:
    expect_link(page, LINKED | LINKED_OWN)
    expect(page.get_by_role("heading", level=1)).to_have_text(BOUNDS)
    expect(answer(page)).to_have_text("At ε = 0.5, δ = 1e-5, sensitivity 2, the analytic Gaussian requires σ = 14.07.")
    expect_fields(page, FIELDS, SLIDERS)
    expect(page.get_by_role("combobox", name="Show")).to_have_value("delta")
    expect(page.get_by_role("heading", name="Noise σ against δ")).to_be_visible()
    expect(page.get_by_text("Compared with the pin: σ 4.225 → 14.07")).to_be_visible()
    expect_no_error(page)


def test_a_link_shows_its_setting_and_so_do_navigation_and_a_reload(page: Page, server: str) -> None:
    visit(page, server + LINK)
    expect_linked_page(page)
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
    sidebar = page.get_by_test_id("stSidebar")
    expect(sidebar.get_by_role("link")).to_have_text([*PAGES])
    expect(sidebar.locator("nav > strong")).to_have_text("DP Trade-off Explorer")
    expect(sidebar.get_by_role("group", name="Theory").get_by_role("link")).to_have_count(6)
    go_to(page, "Start")
    expect_link(page, LINKED | START_OWN)
    expect(page.locator(".st-key-answer")).to_contain_text(
        "At ε = 0.5, at least 95 of 100 releases fall within ±6 people"
    )
    go_to(page, "Gaussian bounds")
    expect_linked_page(page)
    page.reload()
    settle(page)
    expect_linked_page(page)


def test_a_preset_of_the_start_page_and_every_edit_after_it_reach_the_fields_of_the_other_page(
    app: Page, server: str
) -> None:
    follow(app, f"{server}/Gaussian_bounds?view={VIEW.default}")  # another test may have left another picture
    follow(app, f"{server}/?epsilon=0.5&delta=1e-5&l2_sensitivity=2&significance=0.1&picture=png", charts=10)
    go_to(app, "Gaussian bounds")
    expect_link(app, LINKED | OWN)
    expect_fields(app, FIELDS, SLIDERS)
    enter(app, EPSILON, "0.7")
    expect_link(app, LINKED | OWN | {"epsilon": "0.7"})
    go_to(app, "Start")
    expect_link(app, LINKED | START_OWN | {"epsilon": "0.7"})
    expect_fields(app, {EPSILON: "0.7"}, {EPSILON_SLIDER: "0.7"})
    go_to(app, "Classroom")
    app.get_by_role("link", name="Where the classical formula breaks").click()
    expect(app.get_by_role("heading", level=1)).to_have_text(BOUNDS)
    settle(app)
    preset = LINKED | {"epsilon": "10", "delta": "1e-5", "l2_sensitivity": "1", "significance": "0.05"}
    expect_link(app, preset | OWN)
    expect(app.locator(".st-key-answer")).to_contain_text("the classical formula fails here")
    expect(field(app, EPSILON)).to_have_value("10")


def test_a_tab_of_another_page_opens_it_with_the_shared_parameters_and_the_way_back(app: Page, server: str) -> None:
    follow(app, f"{server}/Tables?epsilon=0.7&contribution=once", 2)
    expect(app.locator(".dp-sections a")).to_have_text(
        ["My table", "A release", "Which noise", "Unknown groups", "Records per person"]
    )
    app.get_by_role("link", name="Records per person", exact=True).click()
    expect(app.get_by_role("heading", level=1)).to_have_text("How many records of one person should count?")
    app.wait_for_url(lambda url: "/Clipping?epsilon=0.7&" in url and "section=contributions" in url)
    expect(app.locator(".dp-pages [aria-current]")).to_have_text("A table")
    expect(app.locator(".dp-sections [aria-current]")).to_have_text("Records per person")
    app.get_by_role("link", name="My table", exact=True).click()
    expect(app.get_by_role("heading", level=1)).to_have_text(PAGES["A table"][0])
    app.wait_for_url(lambda url: "/Tables?epsilon=0.7&" in url and "section=table" in url)
    app.go_back()
    expect(app.locator(".dp-sections [aria-current]")).to_have_text("Records per person")


def test_sections_of_one_page_under_two_questions_have_their_own_rows(app: Page, server: str) -> None:
    follow(app, f"{server}/Composition?section=training")
    expect(app.locator(".dp-sections a")).to_have_count(0)
    go_to(app, "All releases together")
    expect(app.locator(".dp-sections a")).to_have_text(["My releases", "δ over ε"])
    app.locator(".dp-sections [data-section=profile]").click()
    expect(app.locator(".dp-sections [aria-current]")).to_have_text("δ over ε")
    expect(app.locator(".dp-pages [aria-current]")).to_have_text("All releases together")


def test_the_glossary_is_a_page_of_its_own_in_the_navigation(app: Page, server: str) -> None:
    current = app.locator(".dp-pages [aria-current]")
    follow(app, f"{server}/Gaussian_bounds")
    expect(current).to_have_text("Gaussian bounds")
    app.get_by_role("link", name="Glossary", exact=True).click()
    expect(app.get_by_role("heading", name="Noise multiplier")).to_be_visible()
    expect(current).to_have_text("Glossary")
    expect(app.locator(".dp-sections a")).to_have_count(0)
    go_to(app, "Start")
    expect(app.get_by_role("heading", name="What do you publish?")).to_be_visible()
    expect(current).to_have_text("Start")
    app.go_back()
    expect(current).to_have_text("Glossary")
    app.reload()
    expect(app.get_by_role("heading", name="Noise multiplier")).to_be_visible()
    expect(current).to_have_text("Glossary")


def test_the_address_holds_every_parameter_and_agrees_with_the_answer_after_going_back(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    expect_link(app, SHARED | OWN)
    enter(app, EPSILON, "2")
    expect_link(app, SHARED | OWN | {"epsilon": "2"})
    expect(answer(app)).to_contain_text("ε = 2,")
    app.go_back()
    app.wait_for_function(AGREE, arg=EPSILON)


EPSILONS = ("1", "1.1", "1.2", "1.3")  # one step of the slider after the other
# Streamlit may be drawing the navigation anew.
_MOVE_AND_LEAVE = """async ([wait, away]) => {
  const moved = document.querySelector(".dp-controls input[type=range]");
  const leave = () => document.querySelector(`.dp-pages a[href*="/${away}?"]`);
  moved.value = +moved.value + 1;
  for (const kind of ["input", "change"]) moved.dispatchEvent(new Event(kind, {bubbles: true}));
  await new Promise((resolve) => setTimeout(resolve, wait));
  if (away === "back") history.back();
  else {
    for (const end = performance.now() + 30000; !leave() && performance.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 20));
    leave().click();
  }
}"""


def test_a_page_that_is_left_right_after_an_edit_is_one_step_back_and_the_edit_goes_along(
    app: Page, server: str
) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    for place, wait in enumerate((0, 50, 120)):  # while the edit is asked for, or settings beside it are
        edited = EPSILONS[place + 1]
        app.evaluate(_MOVE_AND_LEAVE, [wait, "Accuracy"])
        expect(app.get_by_role("heading", level=1)).to_have_text(ACCURACY)
        settle(app)
        assert link(app)["epsilon"] == edited
        app.go_back()
        expect(app.get_by_role("heading", level=1)).to_have_text(BOUNDS)
        settle(app)
        assert link(app)["epsilon"] in EPSILONS[place : place + 2]  # left before the edit was a step of its own
        enter(app, EPSILON, edited)
        expect(answer(app)).to_contain_text(f"At ε = {edited},")
        expect_no_error(app)
    app.evaluate(_MOVE_AND_LEAVE, [0, "back"])
    app.wait_for_function(AGREE, arg=EPSILON)
    expect_no_error(app)


def test_what_streamlit_loses_of_a_page_comes_back(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds?epsilon=3")
    app.wait_for_function("() => performance.now() > 3000", polling=100)
    with app.expect_navigation():
        app.evaluate("document.getElementById('root').replaceChildren()")
    settle(app)
    expect(answer(app)).to_contain_text("At ε = 3,")


def test_the_charts_of_a_page_that_was_left_are_let_go(app: Page, server: str) -> None:
    follow(app, f"{server}/Gaussian_bounds")
    app.evaluate("""() => {
      const purge = Plotly.purge;
      globalThis.purged = 0;
      Plotly.purge = (plot) => (purged++, purge(plot));
    }""")
    go_to(app, "One number")
    go_to(app, "Gaussian bounds")
    assert app.evaluate("purged") in (1, 2)  # the last may still be on its way out


OWN_LINK = "/Accuracy?epsilon=0.5&known=accuracy&accuracy=7&unit=US+dollars"


def test_a_pages_own_parameters_come_by_link_and_survive_a_reload(app: Page, server: str) -> None:
    follow(app, server + OWN_LINK)
    words = "An error within ±7 US dollars in 95 of 100 releases requires ε = "
    assert dict(parse_qsl(urlsplit(OWN_LINK).query)).items() <= link(app).items()
    expect(answer(app)).to_contain_text(words)
    link_values = link(app)
    app.reload()
    settle(app)
    assert link(app) == link_values
    expect(answer(app)).to_contain_text(words)
    go_to(app, "Start")
    expect_link(app, START_OWN | {key: link_values[key] for key in SHARED})


def test_a_link_to_a_section_that_moved_opens_it_and_back_leads_to_the_page_before(app: Page, server: str) -> None:
    follow(app, f"{server}/Accuracy")
    app.goto(f"{server}/Denoising?section=variance&variance_against=delta")
    app.wait_for_url("**/Papers_reproduced?**")
    settle(app)
    assert {"show": "variance", "variance_against": "delta"}.items() <= link(app).items()
    app.go_back()
    app.wait_for_url("**/Accuracy?**")
    expect_no_error(app)


def test_a_number_that_comes_with_the_user_from_another_page_says_so_until_it_is_changed(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/A_median?epsilon=1", 1)
    notes = page.locator(".dp-controls .dp-meant:visible")
    expect(notes).to_have_count(0)
    enter(page, EPSILON, "0.5")
    expect(answer(page)).to_contain_text("(ε = 0.5,")
    page.get_by_test_id("stSidebar").get_by_role("link", name="A series", exact=True).click()
    expect(notes).to_have_text(["as on “A median”"])
    expect(answer(page)).to_contain_text("(ε = 0.5, δ = 1e-6")
    enter(page, EPSILON, "0.7")
    expect(notes).to_have_count(0)
    for name in ("Report", "A series"):  # a report is no page with settings
        page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True).click()
        page.wait_for_url(f"**/{name.replace(' ', '_')}?**")
    expect(answer(page)).to_contain_text("(ε = 0.7, δ = 1e-6")
    expect(notes).to_have_count(0)
    notice = page.locator(".dp-changes")
    expect(notice).to_be_hidden()
    page.get_by_test_id("stSidebar").get_by_role("link", name="A median", exact=True).click()
    expect(notice).to_have_text("Changed on “A series”, and so here: ε from 0.5 to 0.7.")
    enter(page, EPSILON, "0.5")
    expect(notice).to_be_hidden()


def test_a_query_of_a_plan_that_is_shown_alone_leaves_the_plan_its_total(page: Page, server: str) -> None:
    follow(page, f"{server}/Plan?direction=total&epsilon=5&queries=!mean:1,0,100,2000=Age;count:9=All", 1)
    page.get_by_role("link", name="open Age alone in One number").click()
    page.wait_for_url("**/Accuracy?**")
    expect(page.locator(".dp-changes")).to_have_text("One part, shown alone: what you change here stays here.")
    assert link(page)["epsilon"] != "5"
    expect(page.locator(".dp-conditions")).to_contain_text("there are at least 2,000 records")
    page.get_by_test_id("stSidebar").get_by_role("link", name="Several statistics", exact=True).click()
    page.wait_for_url("**/Plan?**")
    expect(answer(page)).to_contain_text("With ε = 5 ")
    expect(page.locator(".dp-changes")).to_be_hidden()
    assert (link(page)["epsilon"], "aside" in link(page)) == ("5", False)


def test_the_section_of_a_page_that_has_one_is_no_mistake_in_a_link(app: Page, server: str) -> None:
    follow(app, f"{server}/A_survey?section=shares", 2)
    expect(app.locator(".st-key-link_notice")).to_be_hidden()
