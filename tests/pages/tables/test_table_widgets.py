import re
from html import unescape
from urllib.parse import urlencode

from pages.framework.layout import page_run
from pages.shared.counts import upload
from tests.pages.conftest import (
    ROOT,
    answer_conditions,
    ask,
    charts_of,
    enter,
    field,
    link_of,
    open_page,
    parts_of,
    stage_of,
    stored_copy,
    text_of,
)

PAGE = "pages/6_Tables.py"
MINE = b"area,count\nNorth,100\nSouth,1\n"
LARGE = b"area,count\n" + b"".join(b"A%d,%d\n" % (i, i) for i in range(70))
PEOPLE = b"sex,region,age\nF,North,30\nM,South,9\nF,South,30\nF,North,30\n"
QUESTIONS = "Two questions before the answer."
ANSWERS = "contribution=once&fixed=yes"
NOTHING = "Your own table is missing: the link does not contain it."
MENDING = "Correct it or bring another one, or choose a sample table."


def with_field(**link):
    app = open_page(PAGE, section="table", **link)
    app.session_state.own_table_box = True
    return app.run()


def bring(app, data, name="mine.csv"):
    field(app, "table_file").upload(name, data, "text/csv").run()
    assert not app.exception
    return answered(app)


def answered(app):
    """Answer the questions of a new table, where it has some."""
    return answer_conditions(app) if QUESTIONS in text_of(app) else app


def words_of(markup):
    return unescape(re.sub(r"<[^>]*>", "", markup)).strip()


def included(app):
    """Return the table as the link has it once it is included; it is taken out again."""
    app.button(key="table_include").click().run()
    text = link_of(app)["own"]
    app.button(key="table_include_out").click().run()
    assert link_of(app)["own"] == "none"
    return text


def links_of_every_run(monkeypatch, name="link"):
    links, answer = [], page_run.build_response

    def recorded_response(state, request):
        links.append(getattr(state, name))
        return answer(state, request)

    monkeypatch.setattr(page_run, "build_response", recorded_response)
    return links


def expect_nothing_drawn(app, reason):
    assert charts_of(app) == {}
    assert [part for part in parts_of(app) if part["kind"] == "table"] == []
    first, second = map(words_of, stage_of(app)["answer"])
    assert first.startswith(reason)
    assert second == MENDING
    for other in ("Czech", "smoke", "North"):
        assert other not in "".join(str(part) for part in parts_of(app)), other
    assert link_of(app)["own"] == "none"


def test_a_table_stays_out_of_the_link_until_it_is_included_and_is_drawn_under_its_names():
    app = bring(with_field(), MINE)
    assert (link_of(app)["table"], link_of(app)["own"], stage_of(app)["included"]) == ("own", "none", "")
    assert "of 2 cells" in text_of(app)
    assert "held" in stage_of(app)["view"]
    assert "This tab stores it, also through a reload, until you close the tab." in text_of(app)
    chart = charts_of(app)["cells"]
    assert chart["confidential"] == "This picture shows your confidential counts."
    app.button(key="table_include").click().run()
    assert link_of(app)["own"] == "North=100;South=1"
    assert "contains data: a table of 2 cells." in stage_of(app)["included"]
    again = open_page(PAGE, **link_of(app))
    assert "contains data: a table of 2 cells." in stage_of(again)["included"]
    assert "of 2 cells" in text_of(again)


def test_one_click_takes_a_table_out_of_the_link_that_brought_it_and_it_stays_on_the_page():
    app = open_page(PAGE, section="table", table="own", contribution="once", fixed="yes", own="North=100;South=1")
    ask(app, exclude=True)
    assert (link_of(app)["own"], stage_of(app)["included"]) == ("none", "")
    app = enter(app, "section", "table")
    assert "of 2 cells" in text_of(app)
    assert not app.button(key="table_include").disabled
    app.button(key="table_include").click().run()
    assert link_of(app)["own"] == "North=100;South=1"


def test_another_table_is_not_in_the_link_because_the_one_before_was_included():
    app = bring(with_field(), MINE)
    app.button(key="table_include").click().run()
    bring(app, b"area,count\nEast,7\nWest,8\n")
    assert link_of(app)["own"] == "none"
    assert not app.button(key="table_include").disabled


def test_a_session_restores_a_table_and_its_choices_from_the_copy_in_the_browser():
    app = bring(with_field(), PEOPLE)
    answered(app.multiselect(key="table_columns").set_value(["sex", "region"]).run())
    copy = stored_copy(app, "table")
    link = link_of(app)
    new = open_page(PAGE, **link)
    assert NOTHING in text_of(new)
    ask(new, restore={"table": copy}, link="?" + urlencode(link))
    assert "of 4 cells" in text_of(new)
    assert stage_of(new)["data"] == {"table": copy[0]}
    new.session_state.own_table_box = True
    assert new.run().multiselect(key="table_columns").value == ["sex", "region"]


def test_a_table_of_a_large_file_is_kept_by_the_tab_without_the_file(monkeypatch):
    monkeypatch.setattr(upload, "_MOST_RAW", 10)
    app = bring(with_field(), LARGE)
    new = ask(
        open_page(PAGE, section="table"),
        restore={"table": stored_copy(app, "table")},
        link=f"?table=own&section=table&{ANSWERS}",
    )
    assert "of 70 cells" in text_of(new)


def test_a_damaged_copy_from_the_browser_is_no_table_and_no_error():
    good = stored_copy(bring(with_field(), MINE), "table")
    for copy in ["a", good[1][:-9]], ["a", "!"], [good[0], 3], "x", ["a" * 40, good[1]], ["a", "x" * 4_000_000]:
        app = ask(
            open_page(PAGE, section="table"),
            restore={"table": copy, "other": good},
            link=f"?table=own&section=table&{ANSWERS}",
        )
        assert NOTHING in text_of(app)


def test_a_large_table_stays_in_the_session_and_a_sentence_says_so():
    app = bring(with_field(), LARGE)
    assert (link_of(app)["table"], link_of(app)["own"]) == ("own", "none")
    assert "of 70 cells" in text_of(app)
    assert charts_of(app)["cells"]["subtitle"].startswith("Your table")
    choice = app.button(key="table_include")
    assert choice.disabled
    assert "a link holds tables of at most 64 cells, and this one has 70." in choice.help
    assert "held" in stage_of(app)["view"]
    assert NOTHING in text_of(open_page(PAGE, **link_of(app)))


def test_pasted_text_is_read_and_a_sentence_names_the_columns():
    app = with_field()
    app.text_area(key="table_pasted").input("area\tmen\twomen\nNorth\t12\t1,203\nSouth\t3\t0\n").run()
    assert "Line 2, column 3 (women): 1,203 can be read as 1203 or as 1.203; write 1203 or 1.203." in text_of(app)
    app.button(key="table_repair_thousands").click().run()
    assert included(app) == "North × men=12;North × women=1203;South × men=3;South × women=0"
    for sentence in ("columns are separated by tabs", "read as a cross-table", "1,203 is 1203", "4 cells, 1 empty"):
        assert sentence in text_of(app)


def test_another_kind_can_be_chosen_and_records_are_cross_tabulated_by_the_chosen_columns():
    app = bring(with_field(), PEOPLE)
    expect_nothing_drawn(app, "mine.csv has raw records: choose the columns to cross-tabulate.")
    assert app.multiselect(key="table_columns").options == ["sex", "region", "age"]
    app.multiselect(key="table_columns").set_value(["sex", "region"]).run()
    cells = "sex F, region North=2;sex F, region South=1;sex M, region North=0;sex M, region South=1"
    assert included(app) == cells
    assert app.multiselect(key="table_columns").value == ["sex", "region"]
    app.selectbox(key="table_kind").set_value(1).run()
    assert "mine.csv can’t be read: line 2, column 3 (age)" not in text_of(app)
    assert included(app).startswith("sex F, region North=30;")


def test_columns_that_make_too_many_cells_get_a_sentence_and_others_can_be_chosen():
    data = b"id,name,sex\n" + b"".join(b"%d,x%d,F\n" % (i, i) for i in range(1100))
    app = bring(with_field(), data)
    app.selectbox(key="table_kind").set_value(3).run()
    field(app, "table_person").set_value(len(field(app, "table_person").options) - 1).run()
    app.multiselect(key="table_columns").set_value(["id", "name"]).run()
    assert "more than 1,000,000 cells (id 1,024 × name 1,024). Nothing is drawn in its place." in text_of(app)
    expect_nothing_drawn(app, "mine.csv can’t be read: line 1")
    app.multiselect(key="table_columns").set_value(["sex"]).run()
    assert included(app) == "F=1100"


UNREADABLE = (
    (b"", "line 1: the file is empty"),
    (b"animal\ncat\ndog\n", "line 2: the one column holds text"),
    (b"a,b\nNorth,3\ny,-1\n", "line 3, column 2 (b): -1 is negative"),
    (b"a,b\nNorth,3\ny,2.5\n", "line 3, column 2 (b): 2.5 is not a whole number"),
    (b"a,b\nNorth,3\ny,nan\n", "line 3, column 2 (b): nan is not a count"),
    (b"a,b\nNorth,=SUM(A1:A3)\ny,3\n", "line 2, column 2 (b): =SUM(A1:A3) is a formula"),
    (b"a,b\nNorth,3\ny,3,4\n", "line 3: 3 columns, where line 1 has 2"),
    (b'a,b\nNorth,3\n"y,4\n', "line 3: a quote that opens in this row is never closed"),
    (",".join(map(str, range(5000))).encode(), "line 1: 5,000 columns, more than 1,000"),
    ("a,n\nNorth,3\n".encode("utf-16-le"), "line 1: a zero byte"),
    (b"PK\x03\x04\x14\0\0", "line 1: the file is a zip archive or a workbook"),
    (b"a,b\nNorth,3\n\xff,4\n", "line 3: byte 0xff is not UTF-8 text"),
    (b"a,1\n" * 13_200_000, "the file has 50.4 MB, more than 40 MB"),
)


def test_what_cannot_be_read_gets_one_sentence_and_nothing_is_drawn_for_it():
    app = with_field(own="North=100;South=1", table="own")
    for data, reason in UNREADABLE:
        bring(app, data, "bad.csv")
        sentences = [element.value for element in app.text if "can’t be read" in element.value]
        assert len(sentences) == 1, reason
        assert sentences[0].startswith(f"bad.csv can’t be read: {reason}")
        assert sentences[0].endswith(". Nothing is drawn in its place.")
        assert "Traceback" not in text_of(app)
        expect_nothing_drawn(app, sentences[0])


def test_one_can_go_back_to_the_shipped_table_and_removing_the_file_does_too():
    for leave in (
        lambda app: app.button(key="table_away").click(),
        lambda app: app.button(key="table_file_remove").click(),
    ):
        app = bring(with_field(), LARGE)
        leave(app).run()
        assert (link_of(app)["table"], link_of(app)["own"]) == ("czech", "none")
        assert "of 64 cells" in text_of(app)
        assert "held" not in stage_of(app)["view"]


def test_the_page_on_denoising_goes_back_to_its_own_default_table():
    for leave in (
        lambda app: app.button(key="table_away").click(),
        lambda app: app.button(key="table_file_remove").click(),
    ):
        app = open_page("pages/7_Denoising.py", section="counts")
        app.session_state.own_table_box = True
        bring(app.run(), LARGE)
        leave(app).run()
        assert (link_of(app)["table"], link_of(app)["own"]) == ("mildew", "none")


def test_a_good_table_after_a_bad_one_takes_its_place():
    app = bring(bring(with_field(), b""), MINE)
    assert "can’t be read" not in text_of(app)
    assert "of 2 cells" in text_of(app)


def test_a_table_that_came_with_the_link_can_be_left():
    app = open_page(
        PAGE, section="table", table="own", contribution="once", fixed="yes", own="North=100;South=1;West=2"
    )
    assert "of 3 cells" in text_of(app)
    app.button(key="table_away").click().run()
    assert (link_of(app)["table"], link_of(app)["own"]) == ("czech", "none")


def test_going_back_to_a_link_with_a_table_and_forward_again_loses_no_file():
    app = bring(with_field(), LARGE)
    ask(app, link=f"?section=table&table=own&{ANSWERS}&own=North%3D100%3BSouth%3D1")
    assert "of 2 cells" in text_of(app)
    app.run()
    assert "This tab stores it" not in text_of(app)
    assert "The session also has the table that you uploaded last" in text_of(app)
    ask(app, link=f"?section=table&table=own&{ANSWERS}&own=none")
    assert "of 70 cells" in text_of(app)


def test_a_table_that_is_taken_out_of_the_link_replaces_the_one_of_the_session():
    app = bring(with_field(), LARGE)
    ask(app, link=f"?section=table&table=own&{ANSWERS}&own=North%3D100%3BSouth%3D1")
    ask(app, exclude=True)
    assert "of 2 cells" in text_of(app)
    assert link_of(app)["own"] == "none"
    assert "This tab stores it" in text_of(app.run())


def test_another_page_brings_no_table_back_that_was_removed_replaced_or_taken_out_of_the_link():
    for leave in (
        lambda app: app.button(key="table_away").click().run(),
        lambda app: bring(app, LARGE),
        lambda app: ask(app, exclude=True),
    ):
        app = bring(with_field(), MINE)
        app.button(key="table_include").click().run()
        app.switch_page(str(ROOT / "pages/7_Denoising.py")).run()
        ask(app, link="?section=counts&table=own&own=North%3D100%3BSouth%3D1")
        app.session_state.own_table_box = True
        leave(app.run())
        app.switch_page(str(ROOT / PAGE)).run()
        assert not app.exception
        assert link_of(app)["own"] == "none"
        assert "is missing" not in text_of(app)


def removals(app):
    """Return the labels of the buttons that remove a file."""
    return [button.label for button in app.button if (button.key or "").endswith("_remove")]


def test_a_file_stands_in_its_box_until_it_is_used_no_more():
    app = bring(with_field(), LARGE)
    assert removals(app) == ["Remove mine.csv"]
    app.text_area(key="table_pasted").input("North; 12\nSouth; 3").run()
    assert QUESTIONS in text_of(app)
    answered(app)
    assert removals(app) == []
    assert "of 2 cells" in text_of(app)
    app = bring(with_field(), LARGE, "a [long](http://z.example) *name* of a file with sixty characters.csv")
    assert removals(app)[0].startswith(r"Remove a \[long\]")
    assert removals(app)[0].endswith("…")
    app.button(key="table_away").click().run()
    assert removals(app) == []


def test_an_upload_field_that_has_lost_its_file_removes_nothing():
    app = with_field()
    field(app, "table_file").upload("mine.csv", LARGE, "text/csv").run()
    field(app, "table_file").set_value(None).run()  # as a browser sends that has drawn the field anew
    assert "of 70 cells" in text_of(answered(app))


def test_another_setting_keeps_the_file():
    app = enter(bring(with_field(), LARGE), "epsilon", "0.5")
    assert "of 70 cells" in text_of(app)
    assert app.selectbox(key="table_kind").value == 0


def test_a_new_table_is_one_step_in_the_history_and_nothing_of_it_is_in_any_link(monkeypatch):
    links, app = links_of_every_run(monkeypatch), with_field()
    app.text_area(key="table_pasted").input("North; 48613\nSouth; 3").run()
    assert len(dict.fromkeys(links)) == 2
    assert not any("48613" in link or "North" in link for link in links)


def test_a_file_is_read_as_another_kind_in_one_step(monkeypatch):
    app = bring(with_field(), PEOPLE)
    before, views = link_of(app), links_of_every_run(monkeypatch, "view")
    app.selectbox(key="table_kind").set_value(1).run()
    assert link_of(app) == before
    assert len(set(views)) == 2


def test_the_answer_has_the_names_of_a_file_unchanged():
    app = bring(with_field(), b"a,count\nx,*3*[y](http://z.example)<b>\n", "__my_*file*.csv")
    expect_nothing_drawn(
        app, "__my_*file*.csv can’t be read: line 2, column 2 (count): *3*[y](http://z.example)<b> is no"
    )


def test_the_fields_say_where_the_data_stay_and_an_empty_paste_changes_nothing():
    app = with_field()
    app.text_area(key="table_pasted").input("  \n").run()
    assert link_of(app)["table"] == "czech"
    for entry in (app.file_uploader(key="table_file"), app.text_area(key="table_pasted")):
        assert "The link does not contain them." in entry.help


def test_a_file_is_still_there_after_a_look_at_another_page():
    app = bring(with_field(), LARGE)
    app.switch_page(str(ROOT / "pages/1_Gaussian_bounds.py")).run()
    app.switch_page(str(ROOT / PAGE)).run()
    assert not app.exception
    assert "of 70 cells" in text_of(app)


def test_choosing_an_own_table_without_having_one_opens_its_fields():
    app = open_page(PAGE, section="table")
    assert not app.file_uploader
    app = enter(app, "table", "own")
    assert app.file_uploader(key="table_file").value is None
    assert NOTHING in text_of(app)
