"""What holds for all tests: what coverage is measured by."""

from pathlib import Path

import pytest

_WITHOUT_COVERAGE = tuple(Path(__file__).parent / each for each in ("browser", "pages"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure the coverage of `dpcore` by its own tests alone: tracing would double the time of the others."""
    for item in items:
        if any(item.path.is_relative_to(each) for each in _WITHOUT_COVERAGE):
            item.add_marker(pytest.mark.no_cover)
