"""Helpers for tests of the worker pool."""

import time

from pages.framework.rendering.workers.jobs import Limits
from pages.framework.rendering.workers.pool import ForkServer, Workers

UNPREPARED = "tests.pages.framework.worker_tasks"
LITTLE = Limits(0.3, 60_000_000)
LONG = 30  # seconds to wait for what should be there at once, on a busy machine


def expect_ready(pool: Workers | ForkServer) -> None:
    end = time.monotonic() + LONG
    while not pool.ready:
        assert time.monotonic() < end, "workers do not get ready"
        time.sleep(0.05)


def start(pool: Workers, make):
    return pool.start(make, "test", lambda outcome: None)


def outcome(pool: Workers, make):
    return start(pool, make).outcome.result(LONG)
