"""The structure of the code base: which part may import which, and examples in docstrings that hold."""

import ast
import doctest
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [path for path in sorted((ROOT / "pages").rglob("*.py")) if path.parent.name != "pages"]


def imports_of(path: Path) -> Iterator[str]:
    """Yield the names of the modules that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_framework_knows_nothing_of_differential_privacy():
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sorted((ROOT / "pages/framework").rglob("*.py"))
        for module in imports_of(path)
        if module.split(".")[0] == "dpcore" or (module.startswith("pages.") and module.split(".")[1] != "framework")
    ]
    assert not wrong, f"{wrong}: take it from the record of the site (pages/framework/site.py) instead"


def test_dpcore_imports_no_page():
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in sorted((ROOT / "dpcore").rglob("*.py"))
        for module in imports_of(path)
        if module.split(".")[0] in ("pages", "streamlit", "plotly")
    ]
    assert not wrong, f"{wrong}: what a page needs is computed in dpcore and shown in pages"


def module_name(path: Path) -> str:
    """Return the name by which a module of the pages is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


WITH_EXAMPLES = [path for path in PAGES if ">>>" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=module_name)
def test_the_examples_of_the_docstrings_hold(path):
    failed, tried = doctest.testmod(import_module(module_name(path)))
    assert (failed, tried > 0) == (0, True)
