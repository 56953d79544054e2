"""Whose turn it is at the workers: sessions in rotation, short requests before long ones, and half of the processors
for light users while they wait. No time is asserted: work that shall last waits for a file.
"""

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from threading import Event, Thread

import pytest

from pages.framework.rendering.workers import pool as pool_module
from pages.framework.rendering.workers.jobs import Job, Limits, Turns
from pages.framework.rendering.workers.pool import ForkServer, Workers
from tests.pages.framework.pools import UNPREPARED
from tests.pages.framework.worker_tasks import process, spin, spin_until, tell_and_wait, wait

AMPLE = Limits(60.0, 500_000_000)
LONG = 30  # seconds to wait for what should be there at once, on a busy machine


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    """The process that the workers of all tests are forked from."""
    server = ForkServer(UNPREPARED)
    expect(lambda: server.ready)
    yield server
    server.close()


@pytest.fixture
def started_workers(fork_server) -> Callable[[int], Workers]:
    """Return a function that starts a pool of a number of workers."""

    def start(n_workers: int) -> Workers:
        return Workers(n_workers, AMPLE, fork_server)

    return start


def expect(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + LONG
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def ask(pool: Workers, session: str, make):
    """Return the outcome that a session waits for."""
    return pool.start(make, "test", lambda stage: None, session).outcome


def be_known_as_light(pool: Workers, session: str) -> None:
    """Ask for one thing that takes next to nothing."""
    ask(pool, session, partial(spin, 1e-6)).result(LONG)


def test_sessions_have_their_turns_in_rotation_however_much_one_of_them_asks_for(started_workers, tmp_path):
    pool, go, order = started_workers(1), tmp_path / "go", []
    outcomes = [ask(pool, "greedy", partial(wait, 0, tmp_path / "started", go))]
    expect((tmp_path / "started").exists)
    for place in range(5):
        outcomes.append(ask(pool, "greedy", partial(spin, 1e-6 * place)))
        outcomes[-1].add_done_callback(lambda _: order.append("greedy"))
        expect(lambda place=place: pool.n_queued == place + 1)
    outcomes.append(ask(pool, "modest", process))
    outcomes[-1].add_done_callback(lambda _: order.append("modest"))
    expect(lambda: pool.n_queued == 6)
    go.touch()
    for outcome in outcomes:
        outcome.result(LONG)
    expect(lambda: len(order) == 6)
    assert order.index("modest") <= 1


def test_experiments_of_sessions_are_made_in_rotation_too(started_workers, tmp_path):
    pool, go, order = started_workers(1), tmp_path / "go", []
    makes = [("greedy", partial(wait, 0, tmp_path / "started", go))]
    makes += [("greedy", partial(spin, 1e-6 * place)) for place in range(6)] + [("modest", process)]
    outcomes = []
    for place, (session, make) in enumerate(makes):
        outcomes.append(pool.start_experiment(make, AMPLE, lambda *_: None, session).outcome)
        outcomes[-1].add_done_callback(lambda _, session=session: order.append(session))
        expect((tmp_path / "started").exists if place == 0 else lambda place=place: pool.n_queued == place)
    go.touch()
    for outcome in outcomes:
        outcome.result(LONG)
    expect(lambda: len(order) == len(makes))
    assert order.index("modest") <= 2


def test_a_light_user_is_answered_while_ten_others_ask_for_what_lasts(started_workers, tmp_path):
    pool, go = started_workers(2), tmp_path / "go"
    be_known_as_light(pool, "light")
    others = [ask(pool, f"other {place}", partial(wait, 0, tmp_path / f"{place}", go)) for place in range(10)]
    expect(lambda: any(path.name != "go" for path in tmp_path.iterdir()))
    for place in range(3):
        assert ask(pool, "light", partial(spin, 1e-5 * (place + 1))).result(LONG) != os.getpid()
    assert not any(other.done() for other in others)
    go.touch()
    for task in others:
        task.result(LONG)


def test_reading_that_tells_how_far_it_is_keeps_no_other_waiting(started_workers, monkeypatch, tmp_path):
    monkeypatch.setattr(pool_module, "SLICES", (0.02, 0.02))
    pool, go = started_workers(1), tmp_path / "go"
    reading = ask(pool, "reader", partial(tell_and_wait, 0.1, go))
    assert ask(pool, "other", process).result(LONG) != os.getpid()
    assert not reading.done()
    go.touch()
    reading.result(LONG)


def processors_of(files: list[Path]) -> set[int]:
    """Return the processors that processes may use which have left their numbers in files."""
    return set[int]().union(*(os.sched_getaffinity(int(file.read_text())) for file in files))


def is_written(file: Path) -> bool:
    return file.exists() and file.read_text() != ""


def test_heavy_work_has_half_of_the_processors_while_a_light_user_waits(started_workers, monkeypatch, tmp_path):
    monkeypatch.setattr(pool_module, "SLICES", (0.02, 0.02))
    pool, every = started_workers(2), os.sched_getaffinity(0)
    be_known_as_light(pool, "light")
    heavy = [tmp_path / name for name in ("one", "another", "experiment")]
    end_file, go = tmp_path / "done", tmp_path / "go"
    outcomes = [ask(pool, file.name, partial(wait, 0.1, file, go)) for file in heavy[:2]]
    outcomes.append(pool.start_experiment(partial(wait, 0.1, heavy[2], go), AMPLE, lambda *_: None, "third").outcome)
    expect(lambda: all(map(is_written, heavy)))
    assert processors_of(heavy) == every
    light = ask(pool, "light", partial(spin_until, 0, end_file))
    expect(lambda: len(processors_of(heavy)) <= max(len(every) // 2, 1))
    assert not light.done()
    end_file.touch()
    light.result(LONG)
    expect(lambda: processors_of(heavy) == every)
    go.touch()
    for outcome in outcomes:
        outcome.result(LONG)


def test_a_free_turn_wakes_only_the_job_that_gets_it(monkeypatch):
    n_jobs, searches, go, last = 40, [], Event(), Turns._next_job
    turns = Turns(1)
    monkeypatch.setattr(Turns, "_next_job", lambda self: searches.append(1) or last(self))

    def hold_turn(session: str) -> None:
        job = Job(process, "", session, AMPLE, lambda *_: None)
        with turns.turn_of(job):
            go.wait(LONG)

    threads = [Thread(target=hold_turn, args=(f"{place}",)) for place in range(n_jobs)]
    for thread in threads:
        thread.start()
    expect(lambda: turns.n_queued == n_jobs - 1)
    go.set()
    for thread in threads:
        thread.join(LONG)
    assert turns.n_queued == 0
    assert len(searches) <= 4 * n_jobs
