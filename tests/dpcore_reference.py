"""Write docs/dpcore.md, the reference of dpcore's public functions, from their docstrings.

python -m tests.dpcore_reference
"""

import ast
import builtins
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import dpcore

PAGE = Path(__file__).parents[1] / "docs" / "dpcore.md"
COMMAND = "python -m tests.dpcore_reference"
TITLE = f"""# Reference of dpcore

Every public function, with an example that the tests run. ε is in nats; σ, scales and sensitivities are in the unit of
the query. The docstring of a function has its domain, its accuracy and its source: `help(gaussian.analytic_sigma)`.
This page is written from the docstrings by `{COMMAND}`.

What is computed follows from the name of a function. Its arguments come in one order: the point of a density or a curve
(`x`, `alpha`), the privacy target (`epsilon`, `delta`) or the error target (`significance`), the noise (`sigma`, or
`scale` and then `p`), the sensitivity, options. What draws at random takes `rng` first; what reads a list of releases,
a curve, a mechanism or a calibration takes that first. Sensitivities are 1.0 unless stated. Where pure ε-DP has an
answer, `delta` is 0.0 unless stated.
"""
_IMPORT = re.compile(r"from (dpcore[\w.]*) import ([\w, ]+)")
_NUMPY = {"np": "import numpy as np", "pd": "import pandas as pd"}


@cache
def public_modules() -> list[ModuleType]:
    """Return the modules that dpcore lists, each followed by the modules in it that list what they offer."""
    names = [f"dpcore.{name}" for name in dpcore.__all__]
    inner = [info.name for info in pkgutil.walk_packages(dpcore.__path__, "dpcore.") if "._" not in info.name]
    modules = [importlib.import_module(name) for name in sorted({*names, *inner})]
    return [module for module in modules if module.__name__ in names or hasattr(module, "__all__")]


@cache
def public_functions() -> dict[str, list[str]]:
    """Return the names of the functions that each public module lists."""
    return {
        module.__name__: [name for name in module.__all__ if inspect.isfunction(getattr(module, name))]
        for module in public_modules()
    }


def section(module: ModuleType) -> str:
    """Return the section of a module: what it is for, its classes, and its functions with an example each."""
    functions = public_functions()[module.__name__]
    summary = (module.__doc__ or "").split("\n\n")[0]
    classes = [name for name in module.__all__ if inspect.isclass(getattr(module, name))]
    lines = [f"## {module.__name__}", summary]
    lines += [f"`{name}`: {_summary(getattr(module, name))}" for name in classes]
    return "\n\n".join([*lines, *(_entry(module, name) for name in functions)])


def _entry(module: ModuleType, name: str) -> str:
    function = getattr(module, name)
    example = _example(function)
    own = [line[4:] for line in example.splitlines() if _IMPORT.fullmatch(line[4:])]
    rest = [line for line in example.splitlines() if line[4:] not in own]
    imports = _merged([*_imports(module, function, example), *own])
    code = "\n".join([*(f">>> {line}" for line in imports), *rest])
    return f"### `{name}({_arguments(function)})`\n\n{_summary(function)}\n\n```python\n{code}\n```"


def _merged(imports: list[str]) -> list[str]:
    """Return import lines in which each module of dpcore stands once."""
    names: dict[str, set[str]] = {}
    for line in imports:
        if match := _IMPORT.fullmatch(line):
            names.setdefault(match[1], set()).update(match[2].split(", "))
    others = [line for line in imports if not _IMPORT.fullmatch(line)]
    return others + [f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names)]


def _arguments(function: Callable[..., object]) -> str:
    """Return the arguments of a function without their types."""
    parts, keyword_only = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            parts, keyword_only = [*parts, "*"], True
        star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
        default = parameter.default
        text = default.__name__ if callable(default) else repr(default)
        parts.append(star + parameter.name + ("" if default is parameter.empty else f"={text}"))
    return ", ".join(parts)


def _summary(thing: object) -> str:
    return inspect.cleandoc(inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")


def _example(function: object) -> str:
    """Return the first example of a docstring, without what refuses an argument."""
    text = (inspect.getdoc(function) or "").split("Examples\n--------\n")[1]
    return re.split(r"\n\n(?!>>>)|\n>>> [^\n]*\nTraceback", text)[0].strip()


def _imports(module: ModuleType, function: object, example: str) -> list[str]:
    """Return the imports that an example needs beyond its own."""
    code = "\n".join(line[4:] for line in example.splitlines() if line.startswith((">>>", "...")))
    tree = ast.parse(code)
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    bound |= {alias.asname or alias.name for node in imports for alias in node.names}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - bound - set(dir(builtins))
    values = vars(inspect.getmodule(function))
    names_by_home: dict[str, list[str]] = {}
    for name in sorted(names - set(_NUMPY)):
        names_by_home.setdefault(_home(module, name, values[name]), []).append(name)
    own = [f"from {home} import {', '.join(listed)}" for home, listed in sorted(names_by_home.items())]
    return [_NUMPY[name] for name in sorted(names & set(_NUMPY))] + own


def _home(module: ModuleType, name: str, value: object) -> str:
    """Return the public module from which a name is imported, its own if that has it."""
    if isinstance(value, ModuleType):
        return value.__name__.rpartition(".")[0]
    for candidate in [module, *public_modules()]:
        if name in candidate.__all__ and getattr(candidate, name) is value:
            return candidate.__name__
    raise LookupError(f"the example of {module.__name__} uses {name}, which no public module lists")


def reference() -> str:
    """Return the whole page."""
    return "\n\n".join([TITLE.strip(), *map(section, public_modules())]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
