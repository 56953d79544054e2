"""What holds for all tests: what coverage is measured by, how many threads compute, and what is compiled once."""

import os
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest
from coverage import Coverage
from xdist.scheduler import LoadFileScheduling

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the workers share the processor already
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each worker and each server would compile all modules anew
os.environ["DP_WORKERS"] = "0"  # pages are made where a test can look into them; a test of the workers has its own

_BROWSER = Path(__file__).parent / "browser"
_WITHOUT_COVERAGE = _BROWSER, Path(__file__).parent / "pages"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Measure the import of `dpcore`, and not that of the tests, whose collection tracing would make twice as long."""
    measured = Coverage.current()
    if measured is None:
        return (yield)
    package = import_module("dpcore")
    for module in walk_packages(package.__path__, "dpcore."):
        import_module(module.name)
    measured.stop()
    try:
        return (yield)
    finally:
        measured.start()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure the coverage of `dpcore` by its own tests alone: tracing would double the time of the others.

    For the same reason a slow test is marked `no_cover` where other tests run all that it runs of `dpcore`.
    """
    for item in items:
        if any(item.path.is_relative_to(each) for each in _WITHOUT_COVERAGE):
            item.add_marker(pytest.mark.no_cover)


class _ByFile(LoadFileScheduling):
    """The tests of a file run in one process; those of the browser all in one: two take longer than one after the other
    on two cores, where each also has a server of its own.
    """

    def _split_scope(self, nodeid: str) -> str:
        return _BROWSER.name if nodeid.startswith("tests/browser/") else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    return _ByFile(config, log)
