"""SIGKILL of a worker, of the process that workers are forked from, and of the server: at idle, during a request and
during an experiment. Users get an answer or a calm sentence, and no process outlives the server.

The servers are real ones, and people without browsers speak to them.
"""

import asyncio
import os
import signal
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlencode

import pytest

from pages.framework.rendering import packing
from pages.framework.rendering.render_jobs import SENTENCES
from tests.benchmarks.hard_links import LISTS
from tests.benchmarks.load import EXPERIMENTS, RUN
from tests.benchmarks.servers import ROOT, Server, descendants, running
from tests.benchmarks.sessions import Person, Run, message_of, visiting

T = TypeVar("T")
LONG = 60  # seconds to wait for what should be there soon, on a busy machine
MOMENTS = "idle", "request", "experiment"
LOST = "has ended without a result"
BOUNDS, COMPOSITION = "Gaussian_bounds", "Composition"


def in_a_loop(asked: Coroutine[Any, Any, T]) -> T:
    """What people do, in an event loop and a thread of its own: the browser's tests may leave a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asked).result()


@contextmanager
def ready_server() -> Iterator[Server]:
    """A server whose workers are there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DP_WORKERS", raising=False)
        with running(ROOT) as server:
            in_a_loop(_make_ready(server))
            yield server


async def _make_ready(server: Server) -> None:
    end = time.monotonic() + LONG
    async with visiting(server.address, BOUNDS, "epsilon=1") as person:
        for delta in map("1.{:03}e-5".format, range(1000)):
            if server.workers:
                return
            assert time.monotonic() < end, "no workers"
            await person.answered({"set": {"delta": delta}, "held": False})
            await asyncio.sleep(0.2)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with ready_server() as ready:
        yield ready


def answer_of(run: Run) -> str:
    """The first sentence of the answer that a run sends to the browser."""
    bodies = packing.unpack(message_of(run))["bodies"]
    return next((packing.unpack(content.tobytes())["answer"][0] for kind, _, content in bodies if kind == "stage"), "")


def kill(server: Server, kind: str) -> None:
    """Kill all workers, the process that they are forked from, or the server."""
    forked_from, *workers = descendants(server.process)
    for process in {"workers": workers, "fork server": [forked_from], "server": [server.process]}[kind]:
        os.kill(process, signal.SIGKILL)


async def begin(server: Server, person: Person, moment: str) -> None:
    """Have the server do what it does at a moment, and wait until a process is at it."""
    if moment == "experiment":
        await person.press(RUN)
    if moment != "idle":
        end = time.monotonic() + LONG
        while not any(map(is_running, descendants(server.process)[1:])):
            assert time.monotonic() < end, "nothing is made"
            await asyncio.sleep(0.02)


def state_of(process: int) -> str:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def is_running(process: int) -> bool:
    return state_of(process) == "R"


def heavy_link(delta: str) -> str:
    return urlencode({"releases": LISTS["20 sparse trainings"], "delta": delta})


def experiment_link() -> tuple[str, str]:
    return EXPERIMENTS["experiment on tables"]


@pytest.mark.parametrize("kind", ["workers", "fork server"])
def test_who_asks_just_after_a_kill_is_answered(server, kind):
    async def attack() -> Run:
        query = f"epsilon=1&delta=1.{len(kind)}e-6"  # where nobody has been
        async with visiting(server.address, BOUNDS, query) as person:
            await person.answered({})
            kill(server, kind)
            run = await person.answered({"set": {"epsilon": "2.2"}, "held": False})
            assert not person.refused
            return run

    assert "ε" in answer_of(in_a_loop(attack()))
    in_a_loop(_make_ready(server))


@pytest.mark.parametrize("kind", ["workers", "fork server"])
def test_who_waits_at_a_kill_gets_an_answer_or_one_sentence(server, kind):
    async def attack() -> tuple[Run, bool]:
        async with visiting(server.address, COMPOSITION, heavy_link("1e-6")) as person:
            asked = asyncio.create_task(person.answered({"set": {"delta": f"1.{len(kind)}e-7"}, "held": False}))
            await begin(server, person, "request")
            kill(server, kind)
            return await asked, person.refused

    run, is_refused = in_a_loop(attack())
    said = answer_of(run)
    assert any(sentence in said for sentence, _ in SENTENCES.values()) if is_refused else said
    in_a_loop(_make_ready(server))


@pytest.mark.parametrize("kind", ["workers", "fork server"])
def test_an_experiment_at_a_kill_is_begun_again_or_ends_with_one_sentence(server, kind):
    async def attack() -> None:
        async with visiting(server.address, *experiment_link()) as person:
            await begin(server, person, "experiment")
            kill(server, kind)
            end = time.monotonic() + LONG
            while LOST not in (drawn := str((await person.run()).deltas)):
                if kind == "workers" and any(map(is_running, descendants(server.process)[1:])):
                    return
                assert time.monotonic() < end, drawn[-2000:]
                await asyncio.sleep(0.1)

    in_a_loop(attack())
    in_a_loop(_make_ready(server))


@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_outlives_a_killed_server(moment):
    async def attack(server: Server) -> list[int]:
        page, query = experiment_link() if moment == "experiment" else (COMPOSITION, heavy_link("1e-6"))
        async with visiting(server.address, page, query) as person:
            waiting: asyncio.Task[Any] | None = None
            if moment == "request":
                waiting = asyncio.create_task(person.answered({"set": {"delta": "1.1e-6"}, "held": False}))
            await begin(server, person, moment)
            others = descendants(server.process)
            kill(server, "server")
            if waiting is not None:
                waiting.cancel()
            return others

    with ready_server() as server:
        others = in_a_loop(attack(server))
        assert len(others) >= 2
        end = time.monotonic() + LONG
        while there := [each for each in others if state_of(each) not in "ZX"]:
            assert time.monotonic() < end, f"{there} are still there"
            time.sleep(0.02)
