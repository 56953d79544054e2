"""Every public function of dpcore shows in its docstring how it is called, and what it shows is what it gives."""

import dataclasses
import doctest
import importlib
import inspect
import pkgutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from types import ModuleType

import numpy as np
import pytest

import dpcore
from dpcore import composition


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
    """Return the functions that a module or package offers by its `__all__`."""
    offered = {name: getattr(module, name) for name in module.__all__}
    return {name: value for name, value in offered.items() if inspect.isfunction(value)}


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


def test_every_public_module_lists_what_it_offers():
    assert {"families", "laplace", "plan"} <= {*dpcore.__all__}
    silent = [module.__name__ for module in modules() if not hasattr(module, "__all__")]
    assert not silent, f"{silent}: list what a module offers in its __all__"


def test_what_a_module_lists_is_there_once():
    for module in modules():
        twice = sorted(name for name, n in Counter(module.__all__).items() if n > 1)
        missing = [name for name in module.__all__ if not hasattr(module, name)]
        assert not twice + missing, f"__all__ of {module.__name__} lists {twice} twice, and {missing} is not there"


def test_every_public_function_stands_in_one_public_module():
    homes: dict[int, list[str]] = {}
    for module in modules():
        for name, function in public_functions(module).items():
            homes.setdefault(id(function), []).append(f"{module.__name__}.{name}")
    wrong = [names for names in homes.values() if len(names) > 1]
    assert not wrong, f"{wrong}: list each function in one public module, and import it from there"


RECORDS = {
    value
    for module in modules()
    for value in vars(module).values()
    if inspect.isclass(value) and dataclasses.is_dataclass(value) and value.__module__.startswith("dpcore.")
}


@pytest.fixture
def numpy_scalars(monkeypatch) -> list[str]:
    """Return a list to which the fields are added of each record made meanwhile that hold a scalar of NumPy."""
    names = []

    def watched(init):
        def look(record, *arguments, **options):
            init(record, *arguments, **options)
            parts = {part.name: getattr(record, part.name) for part in dataclasses.fields(record)}
            names.extend(f"{type(record).__name__}.{name}" for name, part in parts.items() if is_numpy_scalar(part))

        return look

    for record in RECORDS:
        monkeypatch.setattr(record, "__init__", watched(record.__init__))
    return names


def is_numpy_scalar(value: object) -> bool:
    return isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0)


@pytest.mark.parametrize("part", dpcore.__all__)
def test_the_examples_give_what_they_show_in_records_without_scalars_of_numpy(part, numpy_scalars):
    modules = [module for module in every_module() if module.__name__.split(".")[1] == part]
    assert [module.__name__ for module in modules if doctest.testmod(module, raise_on_error=False).failed] == []
    assert numpy_scalars == []


def test_a_record_of_single_numbers_holds_numbers_of_python(numpy_scalars):
    assert len(RECORDS) > 60
    bound = composition.epsilon([composition.gaussian_release(1)], 1e-6)
    assert [type(part) for part in vars(bound).values()] == [float, str, str, float]
    assert composition.epsilon([composition.gaussian_release(1)], [1e-6]).value.shape == (1,)
    composition.EpsilonEstimate(np.ones(()), np.zeros(()), np.ones((), bool))
    assert numpy_scalars == []
