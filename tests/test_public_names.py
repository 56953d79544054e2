"""The pages speak to dpcore through its public names only: the modules, and of a package what its `__all__` offers."""

import ast
import importlib
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = [ROOT / "app.py", ROOT / "start.py", *sorted((ROOT / "pages").rglob("*.py"))]


def names_used(script: str) -> list[str]:
    """Return what a script imports from dpcore, and what it reads of the modules that it imports, as dotted names."""
    if "dpcore" not in script:
        return []
    nodes, imported = list(ast.walk(ast.parse(script))), {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "dpcore":
            imported |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            own = [alias for alias in node.names if alias.name.split(".")[0] == "dpcore"]
            imported |= {alias.asname or alias.name: alias.name for alias in own}
    names = [dotted for node in nodes if isinstance(node, ast.Attribute) and (dotted := dotted_name(node))]
    parts = [(base, name.removeprefix(base)) for name in names for base in imported if name.startswith(f"{base}.")]
    return [*imported.values(), *(imported[base] + rest for base, rest in parts)]


def dotted_name(node: ast.expr) -> str:
    """Return the text of a name or of an attribute of one; nothing for what is read of a call's result and the like."""
    if isinstance(node, ast.Name):
        return node.id
    base = dotted_name(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{base}.{node.attr}" if isinstance(node, ast.Attribute) and base else ""


def is_public(dotted: str) -> bool:
    """Return whether each step of a dotted name is offered by the module before it."""
    thing: object = importlib.import_module("dpcore")
    for name in dotted.split(".")[1:]:
        if not isinstance(thing, ModuleType):
            break
        if not is_offered(thing, name):
            return False
        thing = importlib.import_module(f"{thing.__name__}.{name}") if is_module(thing, name) else getattr(thing, name)
    return True


def is_offered(module: ModuleType, name: str) -> bool:
    """Return whether a module offers a name: by its `__all__`;
    without one all but _names, and submodules that have one.
    """
    if name.startswith("_"):
        return name == "__version__"
    if is_module(module, name) and module.__name__ != "dpcore":
        return hasattr(importlib.import_module(f"{module.__name__}.{name}"), "__all__")
    return is_module(module, name) or name in getattr(module, "__all__", vars(module))


def is_module(module: ModuleType, name: str) -> bool:
    return hasattr(module, "__path__") and importlib.util.find_spec(f"{module.__name__}.{name}") is not None


def test_a_page_uses_public_names_of_dpcore_only():
    used = {path: names_used(path.read_text(encoding="utf-8")) for path in SCRIPTS}
    public = {name: is_public(name) for names in used.values() for name in names}
    assert len(public) > 300
    private = {
        str(path.relative_to(ROOT)): [name for name in names if not public[name]] for path, names in used.items()
    }
    assert {path: names for path, names in private.items() if names} == {}


@pytest.mark.parametrize(
    ("script", "public"),
    [
        ("from dpcore import gaussian\ngaussian.analytic_sigma(1, 0.1).round(3)", True),
        ("from dpcore.generalized_gaussian import optimal_shape, pdf", True),
        ("from dpcore.checks import Array", True),
        ("import dpcore.gaussian.calibration as exact\nexact.analytic_sigma", False),
        ("from dpcore.tradeoff.readings import along", True),
        ("from dpcore.composition import EpsilonBound, delta, epsilon, epsilon_by_accountant, unavailable", True),
        ("from dpcore.composition import delta_profile, epsilon_beside_profile, epsilon_of_lists, zcdp_delta", True),
        ("from dpcore.composition import is_known, ACCOUNTANTS, DELTA_ACCOUNTANTS", True),
        ("from dpcore.composition import _rules", False),
        ("from dpcore import composition\ncomposition.best_account", False),
        ("from numpy import _core", True),
        ("import dpcore\ndpcore.__version__", True),
        ("from dpcore.rounding import ULP", True),
        ("from dpcore.normal import crossing", False),
        ("import dpcore\ndpcore._sheet", False),
        ("import dpcore._sheet", False),
        ("from dpcore._sheet import CELLS", False),
        ("from dpcore import _sheet", False),
        ("from dpcore.checks import _ends", False),
        ("from dpcore import gaussian as noise\nnoise._units", False),
        ("from dpcore.gaussian import np", False),
        ("from dpcore.gaussian import distribution\ndistribution._SIGMA", False),
    ],
)
def test_a_private_name_is_recognized(script, public):
    assert all(is_public(name) for name in names_used(script)) == public
