"""What users bring stays out of everything that leaves a page, unless an exhibit shows it and says so."""

import gc
import json
import re
from urllib.parse import unquote, urlencode

import pytest
from streamlit.testing.v1 import AppTest

from pages.framework.export.exhibit import ItemData, read_item
from pages.framework.export.report_items import rebuild, rebuild_from
from pages.framework.rendering import render_jobs, stage
from pages.framework.session import data_files, tab_copies
from pages.framework.session.data_files import DataFiles, pack
from pages.report.document import document
from pages.report.results import RebuiltItems, ReportResult
from pages.report.text import answer_text
from pages.shared import site_map
from pages.tradeoff import curve_kinds
from tests.pages.conftest import (
    answer_conditions,
    ask,
    charts_of,
    enter,
    field,
    open_page,
    parts_of,
    stage_of,
    stored_copy,
    unfolded,
)

NAME, FILE = "Zyzzogeton", "payroll_of_acme.csv"
COUNTS = (8623, 9277, 9851)
TABLE = "area,count\n" + "".join(f"{NAME} {place},{count}\n" for place, count in enumerate(COUNTS))
SECRETS = (NAME, "payroll")
NUMBERS = [
    re.compile(rf"(?<![\d.]){f'{count:,}'.replace(',', ',?')}(?:\.0)?(?![\d.])") for count in (*COUNTS, sum(COUNTS))
]
"""A count or the total, with or without a comma, that is no part of a longer number."""
SECTIONS = {
    site_map.TABLES: {
        "noise": {"mechanisms"},
        "table": {"cells", "cells_table"},
        "release": {"release", "noisy_table"},
        "appear": {
            "over_size",
            "groups_over_k",
            "cases_over_k",
            "groups_over_epsilon",
            "cases_over_epsilon",
            "appear_table",
        },
    },
    site_map.DENOISING: {
        "counts": {"errors", "denoised", "estimators"},
        "where": {"winners"},
        "map": set(),
    },
    site_map.PAPERS: {
        "tables": {"released", "distances", "experiment"},
        "variance": set(),
        "results&show=all": {"released"},
    },
}
"""For each section the exhibits that show the user's table, or what is computed of it without noise."""


ANSWERS = {"contribution": "once", "fixed": "yes"}


def with_table(page: site_map.PageEntry, section: str) -> AppTest:
    """Return a page with a table that was uploaded, at one of its sections."""
    first = {site_map.TABLES: "table", site_map.DENOISING: "counts", site_map.PAPERS: "tables"}[page]
    app = open_page(page.script, section=first)
    app.session_state.own_table_box = True
    app.run()
    field(app, "table_file").upload(FILE, TABLE.encode(), "text/csv").run()
    answer_conditions(app)
    return unfolded(ask(app, link=f"?section={section}"))


def expect_no_secret(text: str, where: str) -> None:
    for secret in SECRETS:
        assert secret not in unquote(text), f"{secret} is in {where}"
    for number in NUMBERS:
        assert number.search(unquote(text)) is None, f"{number.pattern} is in {where}"


def expect_only_exhibits_that_say_so(app: AppTest, confidential: set[str]) -> None:
    """Check that no other exhibit of a page with an uploaded table shows anything of this."""
    head = stage_of(app)
    expect_no_secret(head["link"] + head["view"], "the link")
    exhibits = [part for part in parts_of(app) if part["kind"] in ("chart", "table")]
    assert exhibits
    assert {part["name"] for part in exhibits if part.get("confidential")} == confidential
    for part in exhibits:
        if not part.get("confidential"):
            expect_no_secret(json.dumps(part, default=str, ensure_ascii=False), f"the picture {part['name']}")
            for kind in ("csv", "plot"):
                ask(app, **{kind: part["name"]})
                file = stage.unpack(next(body for what, body in stage_of(app)["others"] if what[0] == kind))
                expect_no_secret(file["text"], f"the {kind} file of {part['name']}")
                expect_no_secret(file["file"], f"the name of the {kind} file of {part['name']}")


def test_the_csv_of_a_table_that_shows_counts_names_neither_its_file_nor_itself_in_its_header():
    app = with_table(site_map.TABLES, "table")
    ask(app, csv="cells_table")
    file = stage.unpack(next(body for what, body in stage_of(app)["others"] if what[0] == "csv"))
    csv = file["text"]
    header = [line for line in csv.splitlines() if line.startswith("#")]
    expect_no_secret("\n".join([file["file"], *header]), "the header or the name of the file")
    assert "8623" in csv


def added_item(app: AppTest, name: str, **request: object) -> str:
    """Return the item that the browser adds to its report."""
    ask(app, add=name, **request)
    return json.loads(next(body for what, body in stage_of(app)["others"] if what[0] == "reportItem"))["item"]


@pytest.mark.parametrize(("page", "section"), [(page, section) for page in SECTIONS for section in SECTIONS[page]])
def test_a_page_and_its_report_show_an_uploaded_table_only_where_they_say_so(page, section):
    app = with_table(page, section)
    expect_only_exhibits_that_say_so(app, SECTIONS[page][section])
    exhibits = [part["name"] for part in parts_of(unfolded(app)) if part["kind"] in ("chart", "table")]
    items = [added_item(app, name) for name in (*exhibits, "answer")]
    data = report_data_of(app)
    rebuilt = {
        item: rebuild_from(item, data[item.session_token]) if item.session_token else rebuild(item)
        for item in map(read_item, items)
    }
    assert {item.name for item in rebuilt if item.session_token} >= SECTIONS[page][section]
    assert len(data) <= 1  # the items share one table
    result = ReportResult("Mine", "", tuple(rebuilt), RebuiltItems(rebuilt))
    for text in (*items, result.link, "".join(answer_text(result))):
        expect_no_secret(text, "the list or the link")
    page_html = document(result, "https://dp.example.org", "2026-11-22", "")
    words = re.sub(r'<div class="shown.*?(<div class="said">|<p class="parameters">)', "", page_html, flags=re.DOTALL)
    expect_no_secret(words, "the text of the report")
    assert page_html.count("confidential") >= len(SECTIONS[page][section])


def report_data_of(app: AppTest) -> dict[str, ItemData]:
    return app.session_state["dp_session"].uploads.get("report_data", {})


def test_an_item_whose_text_is_too_long_for_the_link_of_the_report_keeps_it_in_the_session():
    own = ";".join(f"cell {place}=12" for place in range(60))
    app = open_page(site_map.TABLES.script, section="table", table="own", own=own, **ANSWERS)
    assert added_item(app, "cells").count("cell%20") == 60
    short = added_item(app, "cells", room=300)
    assert re.fullmatch(r"Tables/cells@[0-9a-f]{16}\?section=table&table=own&contribution=once&fixed=yes", short)
    assert added_item(app, "answer", room=300)[13:30] == short[12:29]  # the data are stored once
    item = read_item(short)
    assert rebuild_from(item, report_data_of(app)[item.session_token]).exhibit is not None


def test_a_report_has_room_for_some_data_and_first_drops_those_that_it_no_longer_uses(monkeypatch):
    monkeypatch.setattr(tab_copies, "MAX_BYTES", 1000)
    app = open_page(
        site_map.TABLES.script,
        section="table",
        table="own",
        own=";".join(f"cell a{place}=1" for place in range(60)),
        **ANSWERS,
    )
    first = read_item(added_item(app, "cells", room=300))
    enter(app, "own", ";".join(f"cell b{place}=1" for place in range(60)))
    ask(app, add="cells", room=300, tokens=[first.session_token])
    added = json.loads(next(body for what, body in stage_of(app)["others"] if what[0] == "reportItem"))
    assert added == {"refused": tab_copies.FULL}
    second = read_item(added_item(app, "cells", room=300, tokens=[]))
    assert [*report_data_of(app)] == [second.session_token]


def test_a_report_lists_no_cells_of_a_table_that_is_in_the_link():
    app = with_table(site_map.TABLES, "table")
    app.button(key="table_include").click().run()
    item = added_item(app, "answer")
    assert ("own table", "a table of 3 cells (in the link)") in rebuild(read_item(item)).parameters


@pytest.mark.parametrize(
    ("key", "data", "secrets"),
    [
        ("attack_counts", "17, 7919, 31, 48613\n", ("7919", "48613")),
        ("attack_file", b"member,score\n1,0.48613\n0,0.07919\n1,0.9\n", ("48613", "07919", "payroll")),
    ],
)
def test_results_of_an_attack_are_in_no_link_and_their_picture_says_that_it_shows_them(key, data, secrets):
    app = open_page(site_map.TRADEOFF.script, section="attack")
    app.session_state.own_attack_box = True
    app.run()
    if isinstance(data, bytes):
        app.file_uploader(key=key).upload(FILE, data, "text/csv").run()
    else:
        app.text_area(key=key).input(data).run()
    head = stage_of(app)
    assert charts_of(app)["attack"]["confidential"] == "This picture shows your confidential counts."
    for secret in secrets:
        assert secret not in head["link"] + head["view"]
    assert "attack=own" in head["link"]
    new = open_page(site_map.TRADEOFF.script, section="attack", attack="own")
    assert "The results of the attack are missing." in "".join(stage_of(new)["answer"])


def test_points_of_a_curve_are_in_no_link_until_they_are_included():
    app = open_page(site_map.TRADEOFF.script, curves="!points:0.1_0.6~0.5_0.1@blue=")
    assert "contains data: the points of a curve." in stage_of(app)["included"]
    ask(app, pin=True)
    ask(app, exclude=True)
    head = stage_of(app)
    assert head["included"] == ""
    assert "0.1_0.6" not in unquote(unquote(head["link"]))
    assert charts_of(app)["curves"]["confidential"] == "This shows points of your own data."
    assert "of these points" in "".join(head["answer"])


def test_places_come_back_from_the_tab_in_a_new_session():
    app = open_page(site_map.DENOISING.script, section="map")
    app.session_state.own_places_box = True
    app.run()
    rows = "lat,lon\n" + "".join(f"{45.5 + place / 1000},{-73.6 - place / 2000}\n" for place in range(60))
    field(app, "places_points").upload("homes.csv", rows.encode(), "text/csv").run()
    answer_conditions(app)
    answer = stage_of(app)["answer"]
    copy = stored_copy(app, "places")
    new = open_page(site_map.DENOISING.script, section="map", places="own", **ANSWERS)
    assert "Your own places are missing: a link never contains them." in "".join(stage_of(new)["answer"])
    ask(new, restore={"places": copy}, link=f"?section=map&places=own&{urlencode(ANSWERS)}")
    assert stage_of(new)["answer"] == answer
    assert charts_of(new)["maps"]["confidential"] == "This picture shows your confidential counts."
    assert "homes" not in stage_of(new)["link"]


def test_results_of_an_attack_and_points_come_back_from_the_tab_in_a_new_session():
    app = open_page(site_map.TRADEOFF.script, section="attack", curves="!points:0.1_0.6~0.5_0.1@blue=")
    ask(app, exclude=True)
    app.session_state.own_attack_box = True
    app.run()
    app.text_area(key="attack_counts").input("17, 7919, 31, 48613\n").run()
    copies, link = {slot: stored_copy(app, slot) for slot in ("attack", "points")}, stage_of(app)["link"]
    answer = stage_of(app)["answer"]
    new = ask(open_page(site_map.TRADEOFF.script), restore=copies, link=link[link.index("?") :])
    assert stage_of(new)["answer"] == answer
    assert stage_of(new)["notices"] == []


def test_all_sessions_together_hold_copies_up_to_a_limit_and_a_session_that_ends_makes_room(monkeypatch):
    monkeypatch.setattr(data_files, "MAX_IN_ALL", 1000)
    gc.collect()
    first = data_files.copy_within_limit("a", "x" * 100, 600)
    assert first is not None
    assert data_files.copy_within_limit("b", "x" * 401, 0) is None
    assert data_files.copy_within_limit("b", "x" * 100, 401) is None
    assert data_files.copy_within_limit("b", "x" * 400, 0) is not None
    del first
    gc.collect()
    assert data_files.copy_within_limit("c", "x" * 1000, 0) is not None
    assert data_files.copy_within_limit("d", "x" * 3_000_001, 0) is None


def test_a_table_too_large_for_a_copy_is_drawn_and_the_page_says_the_tab_does_not_keep_it(monkeypatch):
    monkeypatch.setattr(data_files, "MAX_IN_ALL", 0)
    app = with_table(site_map.TABLES, "table")
    assert stage_of(app)["data"] == {"table": ""}
    assert "after a reload, upload it again" in "".join(str(element.value) for element in app.text)


def test_a_copy_for_which_the_server_has_no_room_stays_in_the_tab(monkeypatch):
    copy = stored_copy(with_table(site_map.TABLES, "table"), "table")
    new = open_page(site_map.TABLES.script, section="table", table="own", **ANSWERS)
    take = tab_copies.copy_within_limit
    monkeypatch.setattr(tab_copies, "copy_within_limit", lambda *_: None)
    ask(new, restore={"table": copy}, link=f"?section=table&table=own&{urlencode(ANSWERS)}")
    assert "Your own table is missing" in "".join(stage_of(new)["answer"])
    assert "table" not in stage_of(new)["data"]
    monkeypatch.setattr(tab_copies, "copy_within_limit", take)
    ask(new, restore={"table": copy}, link=f"?section=table&table=own&{urlencode(ANSWERS)}")
    assert "of 3 cells" in "".join(stage_of(new)["answer"])


def test_counts_that_are_typed_after_a_file_stay_when_the_file_is_removed():
    app = open_page(site_map.TRADEOFF.script, section="attack")
    app.session_state.own_attack_box = True
    app.run()
    field(app, "attack_file").upload(FILE, b"member,score\n1,0.5\n0,0.1\n1,0.9\n", "text/csv").run()
    app.text_area(key="attack_counts").input("17, 7919, 31, 48613\n").run()
    assert app.file_uploader[0].value is None
    app.button(key="attack_away").click().run()
    assert "attack=none" in stage_of(app)["link"]


def test_the_link_of_a_report_with_data_says_so_and_one_click_removes_the_items_that_hold_them():
    table, curve = "own=North%3D8623%3BSouth%3D9277", "curves=%21points%3A0.1_0.6%7E0.5_0.1%40blue%3D"
    bad, plain = "own=North%3Dx8623", "Gaussian_bounds/answer?epsilon=0.7"
    items = (
        f"Tables/answer?table=own&{table}~{plain}~Trade-off_curves/answer?{curve}~Tables/cells?{bad}~Tables/cells?own=x"
    )
    app = open_page(site_map.REPORT.script, items=items)
    included = stage_of(app)["included"]
    assert (
        "data: a table of 2 cells and the points of a curve and a text that can’t be read, in items that are"
        in included
    )
    ask(app, exclude=True)
    head = stage_of(app)
    assert head["included"] == ""
    assert "8623" not in head["link"]
    assert unquote(head["link"]).endswith(f"items={plain}&appendix=with")


@pytest.mark.parametrize("topic", ["papers", "denoising", "tradeoff"])
def test_code_that_lists_data_of_the_users_own_says_so_and_other_code_does_not(topic: str):
    for own in (False, True):
        if topic in ("papers", "denoising"):
            app = with_table(*((site_map.PAPERS, "tables") if topic == "papers" else (site_map.DENOISING, "counts")))
            if not own:
                app.button(key="table_away").click().run()
        elif own:
            app = open_page(site_map.TRADEOFF.script, curves="!points:0.8623_0.09277~0.1_0.6@blue=")
            ask(app, exclude=True)
        else:
            app = open_page(site_map.TRADEOFF.script)
        ask(app, panel="code")
        html = next(body for what, body in stage_of(app)["others"] if what[0] == "panel").decode()
        assert ("8623" in html) == own
        assert ("This code contains your confidential data." in html) == own


def test_a_small_copy_that_unpacks_to_millions_of_points_takes_no_time_of_the_server(monkeypatch):
    def refuse(*_):
        raise ValueError("that would take this server too long")

    monkeypatch.setattr(render_jobs, "read_file", refuse)
    texts = {
        "attack": {"counts": ("", b"1 2 3 4\n" * 100_000)},
        "points": {"file1": ("", b"~".join([b"0.1_0.2"] * 100_000))},
    }
    packed = {slot: ["name", pack(DataFiles(files))] for slot, files in texts.items()}
    assert all(len(text) < 3000 for _, text in packed.values())
    app = open_page(site_map.TRADEOFF.script, section="attack", attack="own")
    monkeypatch.setattr("dpcore.readers.read_attack", lambda *_: pytest.fail("the copy was read"))
    ask(app, restore=packed, link="?section=attack&attack=own")
    assert "The results of the attack are missing." in "".join(stage_of(app)["answer"])


def test_points_that_only_a_session_has_are_in_no_cache_of_the_process():
    app = open_page(site_map.TRADEOFF.script, curves="!points:0.2_0.6~0.5_0.2@blue=")
    curve_kinds.linked_points.cache_clear()
    app.session_state.curve_box = True
    app.run()
    before = curve_kinds.linked_points.cache_info().currsize
    app.text_area(key="curve_points").input("0.8623, 0.09277\n0.1, 0.6").run()
    assert "curves=%21points%3Afile" in stage_of(app)["link"]
    assert curve_kinds.linked_points.cache_info().currsize <= max(before, 1)


@pytest.mark.parametrize("is_stored", [True, False])
def test_every_page_says_alike_how_long_it_has_own_data(monkeypatch, is_stored):
    if not is_stored:
        monkeypatch.setattr(data_files, "MAX_IN_ALL", 0)
    where = "also through a reload, until you close the tab" if is_stored else "after a reload, upload"
    table = with_table(site_map.TABLES, "table")
    attack = open_page(site_map.TRADEOFF.script, section="attack")
    attack.session_state.own_attack_box = True
    attack.run().text_area(key="attack_counts").input("17, 7919, 31, 48613\n").run()
    curve = open_page(site_map.TRADEOFF.script, curves="!points:0.1_0.6~0.5_0.1@blue=")
    curve.session_state.curve_box = True
    ask(curve, exclude=True).run()
    values = open_page(site_map.CLIPPING.script)
    values.session_state.own_values_box = True
    values.run().text_area(key="values_pasted").input("12\n15\n").run()
    places = open_page(site_map.DENOISING.script, section="map")
    places.session_state.own_places_box = True
    field(places.run(), "places_points").upload(FILE, b"lat,lon\n45.5,-73.6\n45.6,-73.5\n", "text/csv").run()
    plan = open_page(site_map.PLAN.script)
    plan.session_state.own_plan_box = True
    field(plan.run(), "plan_file").upload(FILE, b"patient,cost\nA,1\nB,2\n", "text/csv").run()
    subjects = ("The table is", "The results are", "The values are", "The places are", "The points are", "The file is")
    for app, subject in zip((table, attack, values, places, curve, plan), subjects, strict=True):
        words = " ".join(str(element.value) for element in app.text)
        assert f"{subject} not in the link" in words
        assert where in words
