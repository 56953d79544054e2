"""The worker pool: jobs shared by equal requests, their limits, and workers that fail or are killed."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from typing import Any

import pytest

from pages.framework.rendering.workers import pool as pool_module
from pages.framework.rendering.workers.jobs import EXPERIMENT_LIMITS, PIECE, SHARE
from pages.framework.rendering.workers.pool import (
    Job,
    LimitExceededError,
    StoppedError,
    WorkerError,
    WorkerLostError,
)
from tests.pages.framework.pools import LITTLE, LONG, expect_ready, outcome, start
from tests.pages.framework.worker_tasks import (
    count,
    fail,
    fill,
    process,
    spin,
    spin_until,
    vanish,
    vanish_always,
    vanish_once,
)

STARTED_SERVER = """
import os, time
from pages.framework.rendering.workers.pool import ForkServer
from tests.benchmarks.servers import descendants
ForkServer("tests.pages.framework.worker_tasks").ready
print(*descendants(os.getpid()), flush=True)
time.sleep(600)
"""


def test_a_worker_is_a_process_of_its_own_that_runs_one_job_after_another(pool):
    assert outcome(pool, process) == outcome(pool, process) != os.getpid()


def test_equal_requests_at_the_same_time_share_one_job(pool):
    make, results = partial(spin, 0.1), []
    jobs = [pool.start(make, "test", results.append) for _ in range(3)]
    assert jobs[0] is jobs[1] is jobs[2]
    assert [jobs[0].outcome.result(LONG)] == results


def test_a_hundred_jobs_run_in_as_many_workers_as_the_pool_has(pool):
    jobs = [start(pool, partial(spin, 1e-6 * place)) for place in range(100)]
    assert len({job.outcome.result(LONG) for job in jobs}) == 1


def test_a_job_beyond_its_processor_time_ends_and_is_not_tried_again_soon(pool):
    make = partial(spin, 5)
    with pytest.raises(LimitExceededError, match="time"):
        outcome(pool, make)
    assert start(pool, make).outcome.done()
    assert outcome(pool, process) != os.getpid()


def test_a_job_beyond_its_memory_ends_and_its_worker_continues(pool):
    before = outcome(pool, process)
    with pytest.raises(LimitExceededError, match="memory"):
        outcome(pool, partial(fill, 500))
    assert outcome(pool, process) == before
    assert outcome(pool, partial(fill, 20)) == 20


def test_a_slow_job_does_not_delay_other_jobs(pool, monkeypatch, tmp_path):
    monkeypatch.setattr(pool_module, "SLICES", (0.02, 0.02))
    slow = start(pool, partial(spin_until, 0.05, tmp_path / "go"))
    others = [outcome(pool, partial(spin, 0.001 * place)) for place in range(3)]
    (tmp_path / "go").touch()
    assert slow.outcome.result(LONG) not in others
    assert slow.is_slow


def test_more_slow_jobs_than_workers_all_finish(pool, monkeypatch):
    monkeypatch.setattr(pool_module, "SLICES", (0.02, 0.02))
    jobs = [start(pool, partial(spin, 0.1 + 0.001 * place)) for place in range(4)]
    assert all(job.outcome.result(LONG) for job in jobs)


def test_a_job_without_clients_ends_and_a_later_request_runs_it_again(pool):
    make = partial(spin, 0.2)
    job = start(pool, make)
    job.waiting |= {"one", "another"}
    job.remove_client("one")
    assert not job.is_stopped
    job.remove_client("another")
    again = start(pool, make)
    assert again.outcome.result(LONG) != os.getpid()
    with pytest.raises(StoppedError):
        job.outcome.result(LONG)


def test_an_error_names_its_place_and_a_lost_worker_is_replaced(pool):
    with pytest.raises(WorkerError, match="nobody knows this"):
        outcome(pool, fail)
    with pytest.raises(WorkerError):
        outcome(pool, vanish)
    assert outcome(pool, process) != os.getpid()


def test_a_job_whose_worker_dies_runs_again_in_another_worker(pool, tmp_path):
    before = outcome(pool, process)
    assert outcome(pool, partial(vanish_once, tmp_path / "asked")) not in (before, os.getpid())


def test_a_job_that_kills_its_workers_kills_at_most_two(pool, tmp_path):
    with pytest.raises(WorkerError):
        outcome(pool, partial(vanish_always, tmp_path / "log"))
    assert (tmp_path / "log").read_text() == "asked\nasked\n"
    assert outcome(pool, process) != os.getpid()


def test_a_long_job_reports_its_progress_and_its_pieces(pool):
    messages = []
    job = pool.start_experiment(partial(count, 2), LITTLE, lambda kind, message: messages.append((kind, message)))
    job.outcome.result(LONG)
    assert messages == [(PIECE, 1), (SHARE, 0.5), (PIECE, 2), (SHARE, 1.0)]


def test_workers_end_with_their_fork_server_and_others_replace_them(pool):
    """It is killed before it reads a message, so that its socket says that the connection was reset."""
    work = pool.start_experiment(partial(spin, 600), EXPERIMENT_LIMITS, lambda *_: None)
    busy = number_of(work)
    idle = outcome(pool, process)
    forked_from = parent_of(idle)
    os.kill(forked_from, signal.SIGSTOP)
    pool._fork_server.end(busy)
    os.kill(forked_from, signal.SIGKILL)
    expect_gone(idle, busy, forked_from)
    with pytest.raises(WorkerLostError):
        work.outcome.result(LONG)
    end = time.monotonic() + LONG
    while pool.ready:  # a thread of it may not have ended yet
        assert time.monotonic() < end
    pool._fork_server._next_start = 0.0  # at once
    expect_ready(pool)
    assert outcome(pool, process) not in (idle, busy, os.getpid())


def test_the_fork_server_ends_when_the_server_is_killed_at_its_start():
    command = [sys.executable, "-c", STARTED_SERVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        (fork_server,) = map(int, server.stdout.readline().split())
        server.kill()
    expect_gone(fork_server)


def number_of(job: Job[Any]) -> int:
    """Return the process that runs a job."""
    end = time.monotonic() + LONG
    while job.worker is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    return job.worker.process_id


def expect_gone(*processes: int) -> None:
    """Wait until there are no such processes; one that has ended may not have been noticed yet."""
    end = time.monotonic() + LONG
    while there := [process for process in processes if is_there(process)]:
        assert time.monotonic() < end, f"{there} are still there"
        time.sleep(0.02)


def is_there(number: int) -> bool:
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def parent_of(number: int) -> int:
    with open(f"/proc/{number}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])
