"""The fixtures of the worker pool."""

from collections.abc import Iterator

import pytest

from pages.framework.rendering import render_jobs
from pages.framework.rendering.workers.pool import Workers
from tests.pages.framework.pools import LITTLE, expect_ready


@pytest.fixture(scope="package")
def pool() -> Iterator[Workers]:
    with_one = Workers(1, LITTLE)
    expect_ready(with_one)
    yield with_one
    with_one.close()


@pytest.fixture
def render_pool(pool, monkeypatch) -> Workers:
    monkeypatch.setattr(render_jobs, "WORKERS", pool)
    return pool
