"""docs/dpcore.md has every public function of dpcore as its docstring says it; test_examples.py runs the examples."""

import importlib
import pkgutil
import re
from collections import Counter

import dpcore
from tests.dpcore_reference import COMMAND, PAGE, public_functions, public_modules, reference

TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = {part.split("\n")[0]: part for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]}


def test_the_reference_has_every_public_function():
    missing = [
        f"{module}.{name}"
        for module, names in public_functions().items()
        for name in names
        if f"### `{name}(" not in SECTIONS.get(module, "")
    ]
    assert not missing, f"docs/dpcore.md lacks {missing}: write it anew by `{COMMAND}`"


def test_the_reference_is_what_the_docstrings_say():
    assert reference() == TEXT, f"docs/dpcore.md is not up to date: write it anew by `{COMMAND}`"


def test_dpcore_lists_its_modules_and_each_lists_what_it_offers():
    modules = {info.name for info in pkgutil.iter_modules(dpcore.__path__) if not info.name.startswith("_")}
    unlisted = sorted(modules.symmetric_difference(dpcore.__all__))
    assert not unlisted, f"{unlisted}: list each module in __all__ of dpcore/__init__.py, or give it a name with _"
    silent = [name for name in dpcore.__all__ if not hasattr(importlib.import_module(f"dpcore.{name}"), "__all__")]
    assert not silent, f"{silent}: list what a module offers in its __all__"


def test_what_a_module_lists_is_there_once():
    for module in public_modules():
        twice = sorted(name for name, n in Counter(module.__all__).items() if n > 1)
        missing = [name for name in module.__all__ if not hasattr(module, name)]
        assert not twice + missing, f"__all__ of {module.__name__} lists {twice} twice, and {missing} is not there"


def test_every_public_function_stands_in_one_public_module():
    homes: dict[int, list[str]] = {}
    for module in public_modules():
        for name in public_functions()[module.__name__]:
            homes.setdefault(id(getattr(module, name)), []).append(f"{module.__name__}.{name}")
    wrong = [names for names in homes.values() if len(names) > 1]
    assert not wrong, f"{wrong}: list each function in one public module, and import it from there"
