"""Every public function of dpcore shows in its docstring how it is called, and what it shows is what it gives."""

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from types import ModuleType

import pytest

import dpcore


@cache
def every_module() -> list[ModuleType]:
    """Return every module of dpcore that has no private name:
    a function of a package is defined in one of its modules.
    """
    names = [info.name for info in pkgutil.walk_packages(dpcore.__path__, "dpcore.")]
    return [importlib.import_module(name) for name in names if "._" not in name]


def modules() -> list[ModuleType]:
    """Return every public module of dpcore: within a package those that say in `__all__` what they offer."""
    return [module for module in every_module() if module.__name__.count(".") == 1 or hasattr(module, "__all__")]


def public_functions(module: ModuleType) -> dict[str, Callable[..., object]]:
    """Return the functions that a module or package offers by `__all__`, else those that it defines."""
    if hasattr(module, "__all__"):
        offered = {name: getattr(module, name) for name in module.__all__}
        return {name: value for name, value in offered.items() if inspect.isfunction(value)}
    defined = inspect.getmembers(module, inspect.isfunction)
    return {name: value for name, value in defined if value.__module__ == module.__name__ and name[0] != "_"}


FUNCTIONS = {
    f"{function.__module__}.{function.__name__}": function
    for module in modules()
    for function in public_functions(module).values()
}


def test_every_public_function_has_an_example():
    heading = "\n    Examples\n    --------\n    >>> "
    assert [name for name, function in FUNCTIONS.items() if heading not in (function.__doc__ or "")] == []


def test_there_are_public_functions_in_modules_and_packages():
    assert {"dpcore.recommendation.recommend", "dpcore.gaussian.calibration.analytic_sigma"} <= set(FUNCTIONS)


@pytest.mark.parametrize("part", dpcore.__all__)
def test_the_examples_give_what_they_show(part):
    modules = [module for module in every_module() if module.__name__.split(".")[1] == part]
    assert [module.__name__ for module in modules if doctest.testmod(module, raise_on_error=False).failed] == []
