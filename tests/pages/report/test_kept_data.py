"""Items of a report that are made from own data come back from the tab after a reload, and from nothing else."""

import base64
import pickle
import re
import time
import zlib

import pytest
from streamlit.testing.v1 import AppTest

from pages.framework.session import data_files, tab_copies
from pages.shared import site_map
from tests.pages.conftest import ask, open_page, stage_of, stored_copy, text_of
from tests.pages.test_confidential import NAME, added_item, expect_no_secret, with_table

LOST = "data that this tab does not have"


def finished(app: AppTest) -> AppTest:
    """Return a report whose items are computed, run again until they are."""
    end = time.monotonic() + 60
    while "not computed yet" in shown(app) and time.monotonic() < end:
        time.sleep(0.1)
        app.run()
    return app


def shown(app: AppTest) -> str:
    return str([part for part in stage_of(app)["parts"] if part["kind"] == "item"])


@pytest.fixture(scope="module")
def added() -> tuple[str, list[str]]:
    """Return an item of an uploaded table, and the copy that the tab of the browser keeps of its data."""
    app = with_table(site_map.TABLES, "table")
    item = added_item(app, "cells_table")
    assert re.fullmatch(r"Tables/cells_table@[0-9a-f]{16}\?section=table&table=own&.*", item)
    assert stage_of(app)["data"]["report"]  # in the same response, so that the tab asks for it at once
    return item, list(stored_copy(app, "report"))


def test_an_item_of_an_uploaded_table_survives_a_reload_with_the_data_that_the_tab_keeps(added):
    item, copy = added
    report = finished(open_page(site_map.REPORT.script, items=item))
    assert LOST in text_of(report)
    ask(report, restore={"report": copy}, link=stage_of(report)["link"].removeprefix("/Report"))
    assert NAME in shown(finished(report))
    assert LOST not in text_of(report)
    assert "has a copy until you close this tab" in text_of(report)
    assert stage_of(report)["data"] == {"report": copy[0]}
    expect_no_secret(stage_of(report)["link"], "the link")


def test_what_is_added_after_a_reload_leaves_the_items_from_before_it(added):
    item, copy = added
    app = with_table(site_map.TABLES, "table")
    ask(app, restore={"report": copy})
    second = added_item(app, "answer")
    later = stored_copy(app, "report")
    report = open_page(site_map.REPORT.script, items=f"{item}~{second}")
    ask(report, restore={"report": later}, link=stage_of(report)["link"].removeprefix("/Report"))
    assert NAME in shown(finished(report))
    assert LOST not in text_of(report)


class Trap:
    """An object that fails the test if it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("a copy of a stranger was unpickled",)


FORGED = base64.b64encode(bytes(32) + zlib.compress(pickle.dumps(Trap()))).decode()


@pytest.mark.parametrize("packed", [FORGED, "no base64", "", base64.b64encode(b"short").decode()])
def test_a_copy_that_this_process_has_not_signed_is_not_read_and_leaves_the_tab(packed: str, added):
    item, _ = added
    report = finished(open_page(site_map.REPORT.script, items=item))
    ask(report, restore={"report": ["a" * 16, packed]})
    assert LOST in text_of(finished(report))
    assert stage_of(report)["data"] == {"report": ""}


def test_a_changed_copy_and_one_of_another_process_are_not_read(monkeypatch, added):
    _, (_, packed) = added
    raw = base64.b64decode(packed)
    changed = base64.b64encode(raw[:-1] + bytes([raw[-1] ^ 1])).decode()
    assert tab_copies._unpacked(packed)
    assert tab_copies._unpacked(changed) == {}
    monkeypatch.setattr(tab_copies, "_KEY", bytes(32))
    assert tab_copies._unpacked(packed) == {}


def test_data_that_are_too_large_for_the_tab_are_in_the_report_until_a_reload(monkeypatch):
    monkeypatch.setattr(tab_copies, "MAX_RAW", 10)
    app = with_table(site_map.TABLES, "table")
    added_item(app, "cells_table")
    assert stage_of(app)["data"]["report"] == ""
    monkeypatch.setattr(tab_copies, "MAX_RAW", 10**7)
    monkeypatch.setattr(data_files, "MAX_PACKED", 10)
    assert data_files.copy_within_limit("", tab_copies._pack_signed({}), 0) is None
