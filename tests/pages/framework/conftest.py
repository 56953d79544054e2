"""The fixtures of the worker pool."""

from collections.abc import Iterator

import pytest

from pages.framework.rendering import render_jobs
from pages.framework.rendering.workers.pool import ForkServer, Workers
from tests.pages.framework.pools import LITTLE, UNPREPARED, expect_ready


@pytest.fixture(scope="package")
def pool() -> Iterator[Workers]:
    """A pool for jobs that need no page."""
    yield from _ready(Workers(1, LITTLE, ForkServer(UNPREPARED)))


@pytest.fixture(scope="package")
def prepared_fork_server() -> Iterator[ForkServer]:
    """The process that workers with every page are forked from, which takes five seconds of processor time."""
    server = ForkServer()
    expect_ready(server)
    yield server
    server.close()


@pytest.fixture(scope="package")
def prepared_pool(prepared_fork_server: ForkServer) -> Workers:
    """A pool whose workers have every page."""
    return Workers(1, LITTLE, prepared_fork_server)


@pytest.fixture
def render_pool(prepared_pool: Workers, monkeypatch: pytest.MonkeyPatch) -> Workers:
    """The pool that renders the pages of a test."""
    monkeypatch.setattr(render_jobs, "WORKERS", prepared_pool)
    return prepared_pool


def _ready(workers: Workers) -> Iterator[Workers]:
    expect_ready(workers)
    yield workers
    workers.close()
