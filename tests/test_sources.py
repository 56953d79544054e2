"""What docs/ says of the source texts is true: functions, pages and tests are there, and numbers come out again."""

import doctest
import re
from pathlib import Path

import pytest

from pages.framework.layout.page import load_page
from pages.shared import site_map
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
    """Return the addresses of all sections of all pages, and of the pictures of merged ones."""
    return {f"/{page.path}?section={section}" for page in site_map.PAGES for section in load_page(page).keys_of_links}


def named_tests(text: str) -> list[tuple[str, str]]:
    return re.findall(r"`([\w/]+\.py)::(\w+)`", text)


def is_test(path: str, name: str) -> bool:
    file = ROOT / "tests" / path
    return file.is_file() and re.search(rf"^def {name}\(", file.read_text(encoding="utf-8"), re.MULTILINE) is not None


def test_a_row_names_what_there_is_or_says_that_it_is_not_covered():
    all_sections = sections()
    for row in ROWS:
        source, says, functions, places, tests = (cell.strip() for cell in row)
        assert says, source
        named = re.findall(r"`([\w.]+)`", functions), re.findall(r"`(/[^`]*)`", places), named_tests(tests)
        for names, cell in zip(named, (functions, places, tests), strict=True):
            assert names or re.match(r"not (covered|shown|held): \w+", cell), source
        assert [name for name in named[0] if not is_public(f"dpcore.{name}")] == []
        assert set(named[1]) <= all_sections, source
        assert [test_name for test_name in named[2] if not is_test(*test_name)] == []


NUMBERED = {
    "Gaussian Mechanism Accuracy": ["Definition 1", "Theorem 1"],
    "Geometric Mechanism Accuracy": ["Definition 1", "Theorem 1"],
    "Balle and Wang": [
        *("Theorem 1", "Theorem 2", "Lemma 3", "Theorem 4", "Theorem 5", "Lemma 6", "Lemma 7", "Theorem 8"),
        *("Theorem 9", "Theorem 10", "Theorem 11", "Theorem 12", "Algorithm 1", "Fig. 1", "Fig. 2"),
        *("§5.1", "§5.2", "§5.3", *(f"({k})" for k in range(1, 9))),
    ],
    "Liu": [
        *("Definition 1", "Lemma 2", "Claim 3", "Claim 4", "Definition 5", "Proposition 6", "Definition 7"),
        *("Proposition 8", "Corollary 9", "Lemma 10", "Proposition 11", "Proposition 12", "Fig. 1", "Fig. 2"),
        *(
            "Fig. 3",
            "Fig. 4",
            "Fig. 5",
            "Figs. 6, 8 and 10",
            "Figs. 7, 9 and 11",
            "Fig. 12",
            "mildew",
            "Czech",
            "Adult",
        ),
        *(f"({k})" for k in (*range(1, 11), *range(12, 19))),
    ],
}


@pytest.mark.parametrize("text", NUMBERED)
def test_every_numbered_result_of_a_text_has_its_row(text):
    (part,) = re.findall(rf"^## {text}.*?(?=^## |\Z)", SOURCES, re.DOTALL | re.MULTILINE)
    named = " ".join(line.split("|")[1] for line in part.splitlines() if line.startswith("| "))
    assert [number for number in NUMBERED[text] if not re.search(rf"{re.escape(number)}(?!\d)", named)] == []


CORRECTIONS = (DOCS / "corrections.md").read_text(encoding="utf-8")


def test_the_numbers_of_every_correction_come_out_again():
    failed, tried = doctest.testfile(str(DOCS / "corrections.md"), module_relative=False)
    assert tried >= 30
    assert failed == 0


def test_every_correction_has_a_case_in_numbers_or_a_test_on_data_that_do_not_ship():
    for correction in re.split(r"^### ", CORRECTIONS, flags=re.MULTILINE)[1:]:
        names = named_tests(correction)
        assert ">>>" in correction or names, correction
        assert [name for name in names if not is_test(*name)] == []


def test_the_readme_leads_to_both():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "(docs/sources.md)" in readme
    assert "(docs/corrections.md)" in readme


def test_dong_roth_and_su_are_cited_by_the_numbering_of_the_journal_alone():
    """The preprint numbers by section (Theorem 3.5), the journal throughout (Theorem 1, Corollary 1)."""
    files = [*(ROOT / "dpcore").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), *DOCS.glob("*.md"), ROOT / "README.md"]
    by_section = re.compile(
        r"(\[DRS22\]|Dong, Roth & Su)[^.;()\]]{0,12}(Thm|Theorem|Cor|Corollary|Prop|Proposition)\.? \d+\.\d"
    )
    for path in files:
        text = re.sub(r'"\s*\n\s*f?"', "", path.read_text(encoding="utf-8"))
        assert not by_section.search(text), path
    assert "whose numbering is used" in (ROOT / "README.md").read_text(encoding="utf-8")
