from urllib.parse import urlencode

from tests.pages.conftest import ask, link_of, open_page, stored_copy, text_of
from tests.pages.tables.test_table_widgets import PAGE, answered, bring, expect_nothing_drawn, included, with_field

MESSY = (
    "Table 3: Visits, 2025\n\nRegion,Men,Women,Total\nN,112,<5,114\nS,,31,31\nE,–,7,7\nTotal,112,40,152\n\nSource: A\n"
)


def test_all_problems_of_a_file_are_listed_and_one_click_repairs_them():
    app = bring(with_field(), MESSY.replace("Total,112,40,152", "Total,112,60,172").encode())
    expect_nothing_drawn(app, "mine.csv is not a table yet: 5 problems, in lines 1 to 9. The first: Line 1")
    for sentence in ("Line 4, column 3 (Women): <5 is a suppressed count.", "set c to at least 4"):
        assert sentence in text_of(app)
    app.button(key="table_repair_all").click().run()
    assert "Titles and notes are left out: line 1" in text_of(app)
    app.button(key="table_repair_totals").click().run()
    assert included(app).startswith("c4;N × Men=112;N × Women=4;S × Men=0;")
    app.button(key="table_repair_none").click().run()
    expect_nothing_drawn(app, "mine.csv is not a table yet")


def test_suppressed_counts_offer_the_contribution_limit_that_they_require():
    app = bring(with_field(), MESSY.encode())
    app.button(key="table_repair_all").click().run()
    answered(app)
    assert "✗ This is too little noise: between 0 and a suppressed count, one person can change a cell by 4" in text_of(
        app
    )
    app.button(key="table_include").click().run()
    assert "too little noise" in text_of(app)
    assert "too little noise" in text_of(open_page(PAGE, **link_of(app)))  # for whoever opens the link
    app.button(key="table_include_out").click().run()
    app.button(key="table_per_cell").click().run()
    assert (link_of(app)["per_cell"], link_of(app)["contribution"]) == ("4", "entering")
    assert "too little noise" not in text_of(app)
    assert not [button for button in app.button if button.key == "table_per_cell"]


def test_the_browser_stores_the_repairs_of_a_table_with_its_file():
    app = bring(with_field(), MESSY.encode())
    app.button(key="table_repair_all").click().run()
    answered(app)
    new = open_page(PAGE, **link_of(app))
    ask(new, restore={"table": stored_copy(app, "table")}, link="?" + urlencode(link_of(app)))
    assert "of 6 cells" in text_of(new)
