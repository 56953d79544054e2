"""A report that shows exact counts says so on its first page, and beside the buttons of its files."""

from io import BytesIO
from zipfile import ZipFile

import pytest

from pages.report import document
from pages.report import page as section
from pages.shared import site_map
from tests.pages.conftest import LIGHT
from tests.pages.report.test_report import ADDRESS, DAY, LIST, report

OWN_CELLS = "Tables/cells?section=table&table=own&own=North%3D12%3BSouth%3D3&contribution=once&fixed=yes"
ASKING = OWN_CELLS.replace("&contribution=once&fixed=yes", "").replace("/cells?", "/answer?")
EXACT = "This report shows what no noise protects."


@pytest.mark.parametrize(
    ("items", "verb"),
    [
        (OWN_CELLS, "Item 1 is"),
        (f"{LIST}~{OWN_CELLS}~{OWN_CELLS.replace('/cells?', '/answer?')}", "Items 4 and 5 are"),
        ("Clipping/values?source=own&own=12%3B15%3B30&contribution=once&fixed=yes", "Item 1 is"),
        ("Clipping/answer?source=own&own=12%3B15%3B30&contribution=once&fixed=yes", "Item 1 is"),
        (f"{site_map.TRADEOFF.path}/attack?section=attack&attack=5_100_60_100", "Item 1 is"),
    ],
)
def test_a_report_with_exact_counts_says_so_first_and_beside_its_files(items, verb):
    content = report(items)
    sentence = f"{EXACT} {verb} computed from own data without noise: whoever gets the report can read these numbers."
    page = document.document(content, ADDRESS, DAY, "")
    assert page.count(sentence) == 1
    assert page.index(sentence) < page.index('class="contents"') < page.index('id="item-1"')
    with ZipFile(BytesIO(section.archive(content, ADDRESS, DAY))) as archive:
        assert sentence in archive.read("report.txt").decode().split("\n\n")[1]
    assert [part for part in list(section.parts(content, LIGHT))[:3] if part == f"**{sentence}**"]


@pytest.mark.parametrize(
    "items", [LIST, "Tables/cells?section=table", f"Tables/cells@{'0' * 16}?table=own", "Clipping/values", "", ASKING]
)
def test_a_report_without_own_data_says_nothing_of_exact_counts(items):
    content = report(items)
    assert EXACT not in document.document(content, ADDRESS, DAY, "")
    assert not any(EXACT in str(part) for part in section.parts(content, LIGHT))
