import doctest
import re
from pathlib import Path

import pytest

from pages.framework.layout.page import load_page
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.kinds import Choice, Parameter, Quantity
from pages.shared import site_map
from pages.tradeoff.curve_kinds import KINDS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_lines_for_a_notebook_give_what_the_readme_shows():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 8
    assert failed == 0


def test_ci_runs_the_test_command_of_the_readme():
    (command,) = (block for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) if "--cov" in block)
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").endswith(f"\n\n{command}")


def test_ci_runs_the_programs_of_the_pages_as_the_readme_says():
    commands = [line for line in README.splitlines() if ".venv-peers/" in line]
    assert len(commands) == 2
    assert "\n".join(commands) in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_picture_of_the_readme_is_there():
    for path in re.findall(r"!\[[^]]+\]\(([^)]+)\)", README):
        assert (ROOT / path).stat().st_size > 10_000


def test_every_page_is_in_the_navigation_and_in_the_readme():
    scripts = ["app.py", *(f"pages/{path.name}" for path in sorted((ROOT / "pages").glob("[0-9]*.py")))]
    assert [page.script for page in site_map.PAGES] == scripts
    for page in site_map.PAGES:
        assert f"| {page.name} |" in README


def every_parameter() -> list[tuple[str, Parameter]]:
    """The parameters of all pages, each once, with the name of a page that has it."""
    found = {(parameter.key, parameter.default): ("", parameter) for parameter in COMMON_PARAMETERS}
    for page in site_map.PAGES:
        for parameter in load_page(page).own_parameters:
            found.setdefault((parameter.key, parameter.default), (page.name, parameter))
    return list(found.values())


@pytest.mark.parametrize(("page", "parameter"), every_parameter(), ids=lambda each: getattr(each, "key", each))
def test_the_table_of_url_keys_gives_each_parameter_with_its_default_and_its_options(page, parameter):
    rows = [line for line in README.splitlines() if line.startswith(f"| `{parameter.key}` |")]
    (row,) = [line for line in rows if len(rows) == 1 or f"| {page}:" in line]
    assert row.endswith(f"| {parameter.default} |")
    if isinstance(parameter, Quantity):
        assert f"| {parameter.allowed.removeprefix('from ')} |" in row
    if isinstance(parameter, Choice):
        assert re.findall(r"`(\w+)`", row) == [parameter.key, *parameter.options]


def test_the_table_of_url_keys_names_every_kind_of_curve():
    row = next(line for line in README.splitlines() if line.startswith("| `curves` |"))
    assert set(KINDS) <= set(re.findall(r"`(\w+)`", row))
