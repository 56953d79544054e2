"""docs/dpcore.md has every public function of dpcore as its docstring says it; test_examples.py runs the examples."""

import re

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


def test_dpcore_lists_its_modules_and_each_module_lists_what_it_offers():
    listed = {module.__name__.split(".")[1] for module in public_modules()}
    assert set(dpcore.__all__) == listed
    for module in public_modules():
        assert len(set(module.__all__)) == len(module.__all__)


def test_every_public_function_stands_in_one_public_module():
    homes: dict[int, list[str]] = {}
    for module in public_modules():
        for name in public_functions()[module.__name__]:
            homes.setdefault(id(getattr(module, name)), []).append(f"{module.__name__}.{name}")
    assert [names for names in homes.values() if len(names) > 1] == []
