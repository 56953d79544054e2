"""What `pip install .` gives: dpcore with its subpackages and its types, and the dashboard's files for its extra."""

import re
import sys
import tomllib
from pathlib import Path

import dpcore
from docs.structure import imports_of

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DEPENDENCIES = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
DASHBOARD = EXTRAS["app"]
OPTIONAL = [line for name, extra in EXTRAS.items() if name != "app" for line in extra]  # of dpcore
MODULES_OF = {
    "pywavelets": "pywt",
    "scikit-learn": "sklearn",
    "python-flint": "flint",
}  # where a distribution's module has another name


def ranges(requirements: list[str]) -> dict[str, str]:
    """Return the range of each named requirement."""
    parts = [line.partition(">=") for line in requirements]
    return {name: allowed for name, _, allowed in parts}


def imported(folder: Path) -> set[str]:
    """Return the distributions that the modules of a folder import, by the name of the module."""
    names = {name.split(".")[0] for path in folder.rglob("*.py") for name in imports_of(path)}
    return names - sys.stdlib_module_names - {"dpcore"}


def test_the_version_stands_once_and_is_read_from_dpcore():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"] == {"path": "dpcore/__init__.py"}
    source = (ROOT / "dpcore" / "__init__.py").read_text(encoding="utf-8")
    assert re.findall(r'^__version__ = "(\d+\.\d+\.\d+)"$', source, re.MULTILINE) == [dpcore.__version__]


def test_dpcore_declares_what_it_imports_and_nothing_else():
    declared = ranges([*DEPENDENCIES, *OPTIONAL])
    assert {MODULES_OF.get(name, name) for name in declared} == imported(ROOT / "dpcore")


def test_optional_packages_are_imported_inside_functions_except_in_verify():
    paths = [path for path in (ROOT / "dpcore").rglob("*.py") if path.parent != ROOT / "dpcore" / "verify"]
    top_imports = re.compile(r"^(?:from|import) .*", re.MULTILINE)
    imports = [line for path in paths for line in top_imports.findall(path.read_text(encoding="utf-8"))]
    optional = [MODULES_OF.get(name, name) for name in ranges(OPTIONAL)] + ["dpcore.verify"]
    assert imports
    assert optional
    assert [line for line in imports for name in optional if name in line] == []


def test_the_extras_are_installed_for_the_tests_in_the_same_ranges():
    files = "requirements.txt", "requirements-dev.txt"
    lines = [line for name in files for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    allowed_ranges = ranges([line for line in lines if not line.startswith("-r ")])
    for extra in EXTRAS.values():
        assert allowed_ranges | ranges(extra) == allowed_ranges


def test_the_extra_of_the_dashboard_and_the_requirements_of_a_checkout_are_the_same():
    checkout = ranges((ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())
    assert ranges([*DEPENDENCIES, *DASHBOARD]) == checkout


def test_the_command_needs_nothing_but_python_until_it_starts_the_dashboard():
    assert imported(ROOT / "dp_explorer") == set()
