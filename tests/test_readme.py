import doctest
import re
from pathlib import Path

import pytest

from dpcore import comparison
from pages.shared import attack, bounded, budget, curves, frame, generalized_gaussian, inputs, laplace_gaussian, query

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_lines_for_a_notebook_give_what_the_readme_shows():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 8
    assert failed == 0


def test_ci_runs_the_test_command_of_the_readme():
    command = next(line for line in README.splitlines() if "--cov" in line)
    assert command == (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().splitlines()[-1]


def test_the_picture_of_the_readme_is_there():
    for path in re.findall(r"!\[[^]]+\]\(([^)]+)\)", README):
        assert (ROOT / path).stat().st_size > 10_000


def test_every_page_is_in_the_navigation_and_in_the_readme():
    pages = ["app.py", *(f"pages/{path.name}" for path in sorted((ROOT / "pages").glob("[0-9]*.py")))]
    assert list(frame.PAGES) == pages
    for name in frame.PAGES.values():
        assert f"| {name} |" in README


OWN = [inputs.ALPHA, inputs.PRIOR, inputs.CONFIDENCE, inputs.SEED, curves.Curves(), attack.Counts()]
OWN += [inputs.L1_SENSITIVITY, *laplace_gaussian.OWN, *query.OWN, budget.Queries()]
OWN += [*generalized_gaussian.OWN, *bounded.OWN]


@pytest.mark.parametrize("parameter", [*inputs.SHARED, inputs.PICTURE, *OWN], ids=lambda parameter: parameter.key)
def test_the_table_of_url_keys_gives_each_parameter_with_its_default(parameter):
    row = next(line for line in README.splitlines() if line.startswith(f"| `{parameter.key}` |"))
    assert row.endswith(f"| {parameter.default} |")
    if isinstance(parameter, inputs.Quantity):
        assert f"| {parameter.allowed.removeprefix('from ')} |" in row


def test_the_table_of_url_keys_names_every_kind_of_curve():
    row = next(line for line in README.splitlines() if line.startswith("| `curves` |"))
    assert set(curves.KINDS) <= set(re.findall(r"`(\w+)`", row))


def test_the_table_of_url_keys_names_every_bound_that_can_be_chosen():
    row = next(line for line in README.splitlines() if line.startswith("| `bound` |"))
    assert re.findall(r"`(\w+)`", row) == ["bound", *(bound.key for bound in comparison.CALIBRATIONS)]
