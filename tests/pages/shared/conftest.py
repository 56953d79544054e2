"""The programs of releases without OpenDP and Polars, which this environment lacks: nothing here draws noise."""

import sys
from types import SimpleNamespace

import pytest


@pytest.fixture(autouse=True)
def _with_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a program find the libraries, for which it looks first: all that these tests see stops before their use."""
    monkeypatch.setitem(sys.modules, "opendp.prelude", SimpleNamespace(enable_features=lambda *_: None))
    monkeypatch.setitem(sys.modules, "polars", SimpleNamespace())
