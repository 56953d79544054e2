"""SIGKILL of the workers, of the process that workers are forked from, and of the server, during a request and an
experiment. Users get an answer or a calm sentence, and no process outlives the server.

The server is a real one, and people without browsers speak to it.
"""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from pages.framework.rendering import stage
from pages.framework.rendering.render_jobs import SENTENCES
from tests.benchmarks.hard_links import LISTS
from tests.benchmarks.load import EXPERIMENTS, RUN
from tests.benchmarks.servers import ROOT, Server, descendants, running
from tests.benchmarks.sessions import Person, Run, buttons_of, message_of, visiting
from tests.event_loops import run_apart

LONG = 60  # seconds to wait for what should be there soon, on a busy machine
LOST = "has ended without a result"
BOUNDS, COMPOSITION = "Gaussian_bounds", "Composition"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server whose workers are there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("DP_WORKERS", raising=False)
        with running(ROOT) as server:
            run_apart(_make_ready(server))
            yield server


async def _make_ready(server: Server) -> None:
    end = time.monotonic() + LONG
    async with visiting(server.address, BOUNDS, "epsilon=1") as person:
        for delta in map("1.{:03}e-5".format, range(1000)):
            if server.workers:
                return
            assert time.monotonic() < end, "no workers"
            await person.answered({"set": {"delta": delta}, "held": False})
            await asyncio.sleep(0.5)


def answer_of(run: Run) -> str:
    """Return the first sentence of the answer that a run sends to the browser."""
    bodies = stage.unpack(message_of(run))["bodies"]
    return next((stage.unpack(content.tobytes())["answer"][0] for kind, _, content in bodies if kind == "stage"), "")


def kill(server: Server, kind: str) -> None:
    """Kill all workers, the process that they are forked from, or the server."""
    forked_from, *workers = descendants(server.process)
    for process in {"workers": workers, "fork server": [forked_from], "server": [server.process]}[kind]:
        os.kill(process, signal.SIGKILL)


async def begin(server: Server, person: Person, moment: str, n_workers: int = 1) -> None:
    """Have the server begin an experiment, if that is the moment, and wait until so many workers compute."""
    if moment == "experiment":
        await person.press(RUN)
    end = time.monotonic() + LONG
    while n_running(server) < n_workers:
        assert time.monotonic() < end, "nothing is made"
        await asyncio.sleep(0.02)


def state_of(process: int) -> str:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def n_running(server: Server) -> int:
    """Return the number of workers that compute, or wait for a processor to compute."""
    return sum(state_of(process) == "R" for process in descendants(server.process)[1:])


def heavy_link(delta: str) -> str:
    return urlencode({"releases": LISTS["20 trainings"], "delta": delta})


def experiment_link() -> tuple[str, str]:
    return EXPERIMENTS["experiment on tables"]


@pytest.mark.parametrize("kind", ["workers", "fork server"])
def test_whoever_waits_or_asks_at_a_kill_gets_an_answer_or_one_sentence(server, kind):
    """One person asks just after it, one waits for an answer, and one for an experiment, which begins again or ends."""

    async def attack() -> tuple[Run, Run, bool]:
        quick = visiting(server.address, BOUNDS, f"epsilon=1&delta=1.{len(kind)}e-6")  # where nobody has been
        slow = visiting(server.address, COMPOSITION, heavy_link("1e-6"))
        async with quick as asking, slow as waiting, visiting(server.address, *experiment_link()) as patient:
            await asking.answered({})
            await begin(server, patient, "experiment")
            request = asyncio.create_task(waiting.answered({"set": {"delta": f"1.{len(kind)}e-7"}, "held": False}))
            await begin(server, waiting, "request", 2)
            kill(server, kind)
            run = await asking.answered({"set": {"epsilon": "2.2"}, "held": False})
            assert not asking.refused
            await expect_experiment(server, patient, kind)
            return run, await request, waiting.refused

    requests, waited, is_refused = run_apart(attack())
    assert "ε" in answer_of(requests)
    answer = answer_of(waited)
    assert any(sentence in answer for sentence, _ in SENTENCES.values()) if is_refused else answer
    run_apart(_make_ready(server))


async def expect_experiment(server: Server, person: Person, kind: str) -> None:
    """Wait until an experiment is said to be lost, or, if only workers were killed, until it is being made again.

    It is then stopped, as nobody would wait for its end. A quick machine may have made it again before: then the button
    that begins it is gone, which it is not after an experiment without a result.
    """
    end = time.monotonic() + LONG
    while LOST not in (deltas := str((run := await person.run()).deltas)):
        buttons = buttons_of(run)
        if kind == "workers" and n_running(server) and "Stop" in buttons:
            person.buttons = buttons
            await person.press("Stop")
            return
        if kind == "workers" and not {RUN, "Stop"} & set(buttons):
            return
        assert time.monotonic() < end, deltas[-2000:]
        await asyncio.sleep(0.1)


def test_nothing_outlives_a_killed_server(server):
    """It is killed while one worker computes an answer and another one an experiment."""

    async def attack() -> list[int]:
        slow = visiting(server.address, COMPOSITION, heavy_link("1.3e-6"))
        async with slow as waiting, visiting(server.address, *experiment_link()) as patient:
            await begin(server, patient, "experiment")
            request = asyncio.create_task(waiting.answered({"set": {"delta": "1.1e-6"}, "held": False}))
            await begin(server, waiting, "request", 2)
            others = descendants(server.process)
            kill(server, "server")
            request.cancel()
            return others

    others = run_apart(attack())
    assert len(others) >= 3
    end = time.monotonic() + LONG
    while there := [other for other in others if state_of(other) not in "ZX"]:
        assert time.monotonic() < end, f"{there} are still there"
        time.sleep(0.02)
