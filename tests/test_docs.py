"""The documents are true: the README's lines, the commands, the pictures and the parameters of links.

`tests/site` follows their links.
"""

import doctest
import re
from pathlib import Path

import pytest

from docs import build
from docs.structure import structure
from pages.framework.parameters.kinds import Choice
from pages.shared import site_map
from pages.tradeoff.curve_kinds import KINDS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = list(build.pages_with_parameters())
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_lines_for_a_notebook_give_what_the_readme_shows():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 8
    assert failed == 0


@pytest.mark.parametrize(("name", "most"), [("README.md", 200), ("docs/architecture.md", 140)])
def test_what_is_read_first_is_short(name, most):
    n_lines = len((ROOT / name).read_text(encoding="utf-8").splitlines())
    assert n_lines <= most, f"{name} has {n_lines} lines: move what is not needed at first into another file of docs/"


def test_ci_runs_the_test_command_of_the_readme():
    (command,) = (block for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) if "--cov" in block)
    assert CI.endswith(f"\n\n{command}")


def test_ci_runs_the_programs_of_the_pages_as_the_documents_say():
    text = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    commands = [line for line in text.splitlines() if ".venv-peers/" in line]
    assert len(commands) == 2
    assert "\n".join(commands) in CI


def test_ci_tests_the_site_of_the_documents():
    assert "\n.venv/bin/python -m pytest tests/site\n" in CI


@pytest.mark.parametrize("name", build.PICTURES)
def test_every_picture_of_the_documents_is_there_and_shown(name):
    assert (ROOT / "docs" / f"{name}.png").stat().st_size > 10_000
    assert any(f"{name}.png" in document.read_text(encoding="utf-8") for document in DOCUMENTS)


def test_every_page_is_in_the_navigation_and_in_the_readme():
    scripts = ["start.py", *(f"pages/{path.name}" for path in (ROOT / "pages").glob("[0-9]*.py"))]
    assert sorted(page.script for page in site_map.PAGES) == sorted(scripts)
    for page in site_map.PAGES:
        assert f"| {page.name} |" in README


def test_the_table_of_parameters_is_that_of_the_program():
    text = build.LINKS.read_text(encoding="utf-8")
    assert text == build.links(text), "run `.venv/bin/python -m docs.build links`"


def test_the_diagrams_the_list_of_sections_and_the_quotations_are_those_of_the_program():
    texts = [document.read_text(encoding="utf-8") for document in build.STRUCTURE]
    assert "\n".join(texts).count("<!-- made by docs.build: ") == 13
    assert texts == [structure(text) for text in texts], "run `.venv/bin/python -m docs.build structure`"


@pytest.mark.parametrize(("page", "parameters"), PAGES, ids=[page for page, _ in PAGES])
def test_the_table_of_parameters_says_what_each_means_and_may_be(page, parameters):
    text = build.LINKS.read_text(encoding="utf-8").split(f"\n## {page}\n")[1].split("\n## ")[0]
    for parameter in parameters:
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{parameter.key}` |")]
        assert len(row.split(" | ")[1]) > 3, f"write in docs/links.md what {parameter.key} of {page} means"
        assert row.endswith(f"| {parameter.default} |".replace("|  |", "| |")), parameter.key
        if isinstance(parameter, Choice):
            assert all(f"`{option}`" in row for option in parameter.options), parameter.key


def test_the_table_of_parameters_names_every_kind_of_curve():
    text = build.LINKS.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| `curves` |"))
    assert set(KINDS) <= set(re.findall(r"\w+", row))
