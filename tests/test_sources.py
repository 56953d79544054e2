"""What docs/ says of the source texts is true: functions, pages and tests are there, and numbers come out again."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from pages.shared import contents
from tests.test_public_names import is_public

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
SOURCES = (DOCS / "sources.md").read_text(encoding="utf-8")
ROWS = [
    re.split(r"(?<!\\)\|", line)[1:-1]
    for line in SOURCES.splitlines()
    if line.startswith("| ") and not line.startswith("| in the text ")
]


def sections() -> set[str]:
    """The addresses of all sections of all pages."""
    return {
        f"/{page.path}?section={section}"
        for page in contents.PAGES
        for section in import_module(f"pages.{page.topic or 'start'}.sections").SECTIONS
    }


def named_tests(text: str) -> list[tuple[str, str]]:
    return re.findall(r"`([\w/]+\.py)::(\w+)`", text)


def is_test(path: str, name: str) -> bool:
    file = ROOT / "tests" / path
    return file.is_file() and re.search(rf"^def {name}\(", file.read_text(encoding="utf-8"), re.MULTILINE) is not None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_a_row_names_what_there_is_or_says_that_it_is_not_covered(row):
    _, says, functions, places, tests = (cell.strip() for cell in row)
    assert says
    named = re.findall(r"`([\w.]+)`", functions), re.findall(r"`(/[^`]*)`", places), named_tests(tests)
    for names, cell in zip(named, (functions, places, tests), strict=True):
        assert names or re.match(r"not (covered|shown|held): \w+", cell)
    assert [name for name in named[0] if not is_public(f"dpcore.{name}")] == []
    assert set(named[1]) <= sections()
    assert [each for each in named[2] if not is_test(*each)] == []
