import pytest
from playwright.sync_api import Error, FilePayload, Page, expect

from tests.browser.reading import (
    CHANGE_LIMIT,
    CONFIDENCE,
    CONFIDENCE_SLIDER,
    EPSILON,
    EPSILON_SLIDER,
    OWN,
    SHARED,
    TABLES,
    answer,
    answer_conditions,
    enter,
    expect_link,
    expect_no_error,
    field,
    follow,
    go_to,
    link,
    notices,
    settle,
    slider,
    visit,
)

SENTENCE = "ε must be from 0 to 1e6; abc was given, which is not a number. 1 is used instead."
DEFAULT_ANSWER = "At ε = 1, δ = 1e-6, sensitivity 1, the analytic Gaussian requires σ = 4.225."


KEPT = "epsilon=1&delta=1e-6&l2_sensitivity=1&significance=0.05"


@pytest.fixture
def counts(page: Page, server: str) -> Page:
    visit(page, f"{server}/Tables?section=table")
    return page


@pytest.fixture
def bounds(app: Page, server: str) -> Page:
    follow(app, f"{server}/Gaussian_bounds")
    return app


def upload(page: Page, text: str) -> None:
    box = page.get_by_text("Use your own table")
    if not page.locator("input[type=file]").count():
        box.click()
    page.locator("input[type=file]").set_input_files(csv_file(text))


def csv_file(text: str) -> FilePayload:
    return FilePayload(name="mine.csv", mimeType="text/csv", buffer=text.encode())


def choose(page: Page, key: str, option: str) -> None:
    """Choose from a list; open it again if the end of a run closes it."""
    for limit in (*[3_000] * 5, CHANGE_LIMIT):
        page.locator(f".st-key-{key} input").click()
        try:
            page.get_by_role("option", name=option).click(timeout=limit)
            return page.keyboard.press("Escape")
        except Error:
            page.keyboard.press("Escape")
    raise AssertionError(f"{option} of {key} can’t be chosen.")


def test_a_file_after_raw_records_is_read_as_what_it_looks_like(counts: Page) -> None:
    own_table, columns = counts.locator(".st-key-own_table_box").last, counts.locator("[class*=st-key-table_columns]")
    people = "sex,region,age\nF,North,30\nM,South,9\nF,South,30\nF,North,30\n"
    upload(counts, people)
    choose(counts, "table_kind", "Raw records, to be counted")
    choose(counts, "table_columns", "sex")
    expect(own_table).to_contain_text("4 rows are counted by sex (2)")
    settle(counts, 0)
    upload(counts, "area,count\nNorth,100\nSouth,1\n")
    expect(own_table).to_contain_text("The file is read as a column of counts: a column is named count.")
    settle(counts, 0)
    expect(own_table).to_contain_text("The table has 2 cells, 0 empty.")
    expect(columns).to_have_count(0)
    upload(counts, people)
    expect(columns).to_be_visible()
    settle(counts, 0)
    expect(columns).not_to_contain_text("sex")  # the columns are chosen anew, too


def test_an_unusable_entry_stays_with_one_sentence_and_the_answer_stays_with_the_last_good_one(
    app: Page, server: str
) -> None:
    follow(app, f"{server}/Accuracy")  # which shows ε, even if the session last computed it there from an error
    follow(app, f"{server}/Gaussian_bounds")
    bounds = app
    enter(bounds, EPSILON, "abc")
    problem = bounds.locator("[data-key=epsilon] .dp-problem")
    expect(problem).to_have_text(SENTENCE)
    settle(bounds)
    assert notices(bounds) == [SENTENCE]
    assert (problem.bounding_box() or {})["y"] > (field(bounds, EPSILON).bounding_box() or {})["y"]
    expect(field(bounds, EPSILON)).to_have_value("abc")
    expect(answer(bounds)).to_have_text(DEFAULT_ANSWER)
    expect_link(bounds, SHARED | OWN)
    for name in ("What ε means", "Gaussian bounds"):  # both have ε
        go_to(bounds, name)
        expect(field(bounds, EPSILON)).to_have_value("abc")
        expect(problem).to_have_text(SENTENCE)
    expect(answer(bounds)).to_have_text(DEFAULT_ANSWER)
    enter(bounds, EPSILON, "2")
    expect(problem).to_be_hidden()
    expect(answer(bounds)).to_contain_text("At ε = 2,")


def test_a_typed_number_is_used_to_its_last_digit_and_a_step_of_the_slider_goes_on_from_there(bounds: Page) -> None:
    enter(bounds, EPSILON, "0.123456")
    expect_link(bounds, SHARED | OWN | {"epsilon": "0.123456"})
    expect(answer(bounds)).to_contain_text("At ε = 0.123456,")
    expect(field(bounds, EPSILON)).to_have_value("0.123456")
    expect(slider(bounds, EPSILON_SLIDER)).to_have_attribute("aria-valuetext", "0.123456")
    slider(bounds, EPSILON_SLIDER).press("ArrowRight")
    expect_link(bounds, SHARED | OWN | {"epsilon": "0.13"})
    expect(field(bounds, EPSILON)).to_have_value("0.13")
    expect(answer(bounds)).to_contain_text("At ε = 0.13,")


def test_a_confidence_is_entered_as_a_share_and_the_link_has_its_significance_level(bounds: Page) -> None:
    enter(bounds, CONFIDENCE, "0.9")
    expect_link(bounds, SHARED | OWN | {"significance": "0.1"})
    expect(answer(bounds).locator("xpath=..")).to_contain_text("90 % of releases")
    expect(bounds.locator("[data-key=significance] label")).to_have_text("confidence")
    enter(bounds, CONFIDENCE, "95")
    expect(bounds.locator("[data-key=significance] .dp-problem")).to_contain_text(
        "between 0 and 1, such as 0.95; 95 was"
    )
    expect(field(bounds, CONFIDENCE)).to_have_value("95")
    slider(bounds, CONFIDENCE_SLIDER).press("ArrowRight")
    expect(field(bounds, CONFIDENCE)).to_have_value("0.95")
    expect_link(bounds, SHARED | OWN)
    place = float(slider(bounds, CONFIDENCE_SLIDER).input_value())
    slider(bounds, CONFIDENCE_SLIDER).press("ArrowRight")
    expect(field(bounds, CONFIDENCE)).to_have_value("0.98")
    assert float(slider(bounds, CONFIDENCE_SLIDER).input_value()) > place  # filled from the left


def test_epsilon_zero_has_an_answer_without_the_classical_formula(bounds: Page) -> None:
    enter(bounds, EPSILON, "0")
    expect(answer(bounds)).to_contain_text("At ε = 0,")
    settle(bounds)
    expect_link(bounds, SHARED | OWN | {"epsilon": "0"})
    expect(bounds.locator(".st-key-answer")).to_contain_text("the classical formula has no answer")
    expect(bounds.get_by_role("row", name="Classical – ")).to_contain_text("not defined at ε = 0")
    expect_no_error(bounds)


def test_a_pinned_setting_adds_a_column_of_ratios_until_it_is_let_go(bounds: Page) -> None:
    ratio = bounds.get_by_role("columnheader", name="σ ÷ pinned σ")
    expect(ratio).to_have_count(0)
    bounds.get_by_role("button", name="Pin", exact=True).click()
    expect(ratio).to_be_visible()
    expect_link(bounds, SHARED | OWN | {"pinned": KEPT})
    enter(bounds, EPSILON, "2")
    expect(answer(bounds)).to_contain_text("σ = 2.231")
    settle(bounds)
    expect_link(bounds, SHARED | OWN | {"epsilon": "2", "pinned": KEPT})
    place = bounds.get_by_role("columnheader").all_inner_texts().index("σ ÷ pinned σ")
    row = bounds.get_by_role("row", name="Analytic").locator("th, td").all_inner_texts()
    assert float(row[place]) == pytest.approx(2.231 / 4.225, rel=1e-3)
    bounds.get_by_role("button", name="Unpin").click()
    expect(ratio).to_have_count(0)
    expect_link(bounds, SHARED | OWN | {"epsilon": "2"})


def test_a_bad_file_gets_its_sentence_and_a_good_one_is_drawn_across_pages_until_it_is_removed(
    counts: Page,
) -> None:
    upload(counts, "city,count\na,3\nb,x\n")
    expect(counts.locator(".st-key-problem_table")).to_be_visible()
    settle(counts, 0)
    (sentence,) = notices(counts)
    assert sentence == (
        "mine.csv can’t be read: line 3, column 2 (count): x is not a count; if it stands for a suppressed one, write "
        "the number that it is below, such as <5. Nothing is drawn in its place."
    )
    expect(answer(counts)).to_contain_text("x is not a count")
    expect_no_error(counts)
    counts.get_by_role("button", name="Remove mine.csv").click()
    expect(answer(counts)).to_contain_text("64 cells")
    settle(counts)
    assert notices(counts) == []
    upload(counts, "city,count\n" + "".join(f"c{place},{place}\n" for place in range(70)))
    of_70 = counts.locator(".st-key-own_table_box").filter(has_text="The table has 70 cells")
    expect(of_70).to_have_count(1)  # while the page is drawn anew, the box before it may still be there
    answer_conditions(counts)
    expect(answer(counts)).to_contain_text("70 cells")
    settle(counts)
    counts.get_by_role("link", name="Go to the answer for this table").click()
    expect(answer(counts)).to_be_in_viewport()
    enter(counts, EPSILON, "0.5")
    expect(answer(counts)).to_contain_text("All 70 cells are within ±14 at once")
    settle(counts)
    expect(answer(counts)).to_contain_text("70 cells")
    go_to(counts, "One number")
    counts.get_by_role("combobox", name="Statistic").select_option("histogram")
    counts.locator(".dp-words").get_by_role(
        "link", name="A table"
    ).click()  # loaded anew, the page would forget the file
    expect(counts.get_by_role("heading", level=1)).to_have_text(TABLES)
    expect(answer(counts)).to_contain_text("70 cells")
    assert (link(counts)["table"], link(counts)["own"]) == ("own", "none")
    counts.get_by_role("button", name="Back to the sample table").click()
    expect(answer(counts)).to_contain_text("64 cells")
    counts.wait_for_url(lambda url: "table=czech" in url)


def test_a_link_below_the_picture_unfolds_the_editor_of_the_list_and_goes_there(app: Page, server: str) -> None:
    app.set_viewport_size({"width": 390, "height": 844})  # where the editor stands below the picture
    follow(app, f"{server}/Composition")
    app.get_by_role("link", name="Edit the list of releases").click()
    expect(app.get_by_role("button", name="Add", exact=True)).to_be_in_viewport()
