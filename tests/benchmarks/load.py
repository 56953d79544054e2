"""Measure the waiting times, processor time and memory of a hundred simultaneous users, and the effect of slow links.

    python -m tests.benchmarks.load answers [--people 100] [--seconds 20] [--ahead] [page ...]
    python -m tests.benchmarks.load memory [--people 50 100 200] [page ...]
    python -m tests.benchmarks.load drift [--people 4] [--moves 1800] [page ...]
    python -m tests.benchmarks.load beside [word]

People without browsers open the pages of SETTINGS on a server of this tree and move ε, or the quantity of MOVED, each
every two seconds.

`answers`: they move among the same steps (together), or each at a δ of one's own, where nobody has been (apart); in
turns with that, as many move on a page that answers each step by a message of the same bytes and computes nothing. A
time runs from sending a move to the message that the script has ended and the answer is there; everybody's first move
is not counted. With `--ahead` they ask, as browsers do after a move, for the steps beside the new one, which takes the
server's time though nobody waits for it.
`memory`: what the server's process, and all of its processes, hold with more and more sessions, each of which has moved
ten times.
`drift`: the same while a few people make an hour's worth of moves each, as fast as they can, at each tenth.
`beside`: how much longer one waits who moves ε on Gaussian bounds every tenth of a second while another one opens links
that ask for much (those of `hard_links` whose names have the word), and what these answer; and while what takes
minutes is made in the background.

Linux only; no time is asserted.
"""

import argparse
import asyncio
import random
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from itertools import cycle
from typing import Any
from urllib.parse import urlencode

import numpy as np

from pages.clipping.parameters import BOUND, LIMIT
from pages.framework.parameters.kinds import Quantity
from pages.plan.parameters import FACTOR
from pages.series.parameters import LENGTH
from pages.shared.shared_parameters import EPSILON
from pages.tradeoff.noise_from_risk.parameters import LIMITS
from tests.benchmarks.hard_links import hard_links
from tests.benchmarks.servers import ROOT, Server, bare_stage, machine, running
from tests.benchmarks.sessions import Person, Run, message_of, visiting

EVERY = 2.0  # seconds between two moves of a person
DELTA = "1e-6"
SETTINGS = {  # a page and what else is in its link
    "bounds": ("Gaussian_bounds", ""),
    "generalized": ("Generalized_Gaussian", ""),
    "generalized, best p": ("Generalized_Gaussian", "section=best"),
    "tradeoff": ("Trade-off_curves", ""),
    "tradeoff, noise from risk": ("Trade-off_curves", "section=risk&risk=power&noise=gaussian&alpha=0.0005"),
    "tradeoff, noise from risk, DP-SGD": ("Trade-off_curves", "section=risk&risk=power&alpha=0.0005&noise=dp_sgd"),
    "laplace": ("Laplace_vs_Gaussian", ""),
    "accuracy": ("Accuracy", ""),
    "tables": ("Tables", ""),
    "tables, which groups": ("Tables", "section=appear&table=size&cells=900&per_person=3"),
    "a median": ("A_median", ""),
    "a median, several": ("A_median", "section=several"),
    "a series": ("A_series", ""),
    "a series, T = 365": ("A_series", "length=365&period=day"),
    "a series, T": ("A_series", ""),
    "a series, ranges": ("A_series", "section=ranges"),
    "papers, tables": ("Papers_reproduced", "section=tables"),
    "denoising": ("Denoising", ""),
    "denoising, the map": ("Denoising", "section=map"),
    "papers, means": ("Papers_reproduced", "section=means"),
    "plan": ("Plan", ""),
    "plan, known total": ("Plan", "direction=total"),
    "clipping": ("Clipping", ""),
    "clipping, Gaussian noise": ("Clipping", "noise=gaussian"),
    "clipping, the bound": ("Clipping", ""),
    "clipping, the limit": ("Clipping", "section=contributions"),
    "composition": ("Composition", ""),
    "composition, accountants": ("Composition", "section=accountants"),
    "composition, DP-SGD": ("Composition", "section=training&solve=noise"),
}
MOVED = {name: LIMITS["power"] for name in SETTINGS if name.startswith("tradeoff, noise from risk")}
MOVED |= {"a series, T": LENGTH, "plan": FACTOR, "clipping, the bound": BOUND, "clipping, the limit": LIMIT}

RUN = "Run the experiment"  # the button by which they begin
EXPERIMENTS = {  # what is made in the background when somebody asks for it
    "experiment on means": ("Papers_reproduced", "section=means&means_grid=own&mean_records=5000&mean_repeats=200"),
    "experiment on tables": (
        "Papers_reproduced",
        "section=tables&grid=own&repeats=5000&paper_epsilons=0.1,0.2,0.3,0.5,1,2",
    ),
}
OF_AN_EXPERIMENT = 8.0  # seconds that are looked at


@asynccontextmanager
async def visitors(server: Server, page: str, links: list[str], quantity: Quantity) -> AsyncIterator[list[Person]]:
    """People who have opened a page by one link each."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(visiting(server.address, page, link, quantity)) for link in links]


def walk(place: int, quantity: Quantity) -> Iterator[str]:
    """Yield the steps that a user takes: one up or down at a time."""
    chance, last = random.Random(place), len(quantity.scale) - 1
    at = chance.randint(0, last)
    while True:
        at = min(max(at + chance.choice((-1, 1)), 0), last)
        yield quantity.scale[at]


async def crowd(people: list[Person], seconds: float, ahead: bool = False) -> list[Run]:
    """Return what moves take while all move, each every two seconds."""
    runs, end = [], time.perf_counter() + seconds

    async def move_often(place: int, person: Person) -> None:
        await asyncio.sleep(EVERY * place / len(people))
        for step in walk(place, person.quantity):
            if (start := time.perf_counter()) > end:
                return
            runs.append(await person.move(step, ahead))
            await asyncio.sleep(start + EVERY - time.perf_counter())

    await asyncio.gather(*(move_often(place, person) for place, person in enumerate(people)))
    return runs


async def messages(server: Server, page: str, more: str, quantity: Quantity) -> dict[str, bytes]:
    """Return what the stage is told at each step."""
    async with visiting(server.address, page, f"delta={DELTA}&{more}", quantity) as person:
        return {step: message_of(await person.move(step)) for step in quantity.scale}


async def warm(server: Server, page: str, more: str, quantity: Quantity) -> None:
    """Move where nobody will be until the workers of a new server are there."""
    async with visiting(server.address, page, f"delta=1e-5&{more}", quantity) as person:
        for step in quantity.scale:
            if server.workers:
                return
            await person.move(step)
            await asyncio.sleep(0.5)


def print_turn(name: str, server: Server, runs: list[Run], before: tuple[float, float]) -> float:
    """Print the times of moves and return their 95th percentile in ms."""
    middle, late, last = np.percentile([1000 * run.seconds for run in runs], (50, 95, 100))
    own, every = server.processor_time - before[0], server.processor_time_of_all - before[1]
    kilobytes = np.mean([run.bytes for run in runs]) / 1000
    costs = f"{own / len(runs):7.1f} {every / len(runs):7.1f} {kilobytes:9.1f} {len(runs):7}"
    print(f"  {name:12} {middle:7.0f} {late:7.0f} {last:7.0f} {costs}", flush=True)
    return float(late)


async def answers(name: str, n: int, seconds: float, ahead: bool) -> None:
    """Print how long people wait, on a page and on a bare one."""
    (page, more), quantity = SETTINGS[name], MOVED.get(name, EPSILON)
    with ExitStack() as stack:
        with running(ROOT) as server:
            known = await messages(server, page, more, quantity)
        ours = stack.enter_context(running(ROOT))
        await warm(ours, page, more, quantity)
        bare = stack.enter_context(running(stack.enter_context(bare_stage(known))))
        same = [f"delta={DELTA}&{more}"] * n
        apart = [f"delta={1.01**place * 1e-6:.5g}&{more}" for place in range(n)]
        turns = [("bare", bare, same), ("together", ours, same), ("bare", bare, same), ("apart", ours, apart)]
        late = []
        for kind, server, links in turns:
            async with visitors(server, page, links, quantity) as people:
                await crowd(people, EVERY)
                before = server.processor_time, server.processor_time_of_all
                runs = await crowd(people, seconds, ahead and server is ours)
                late.append(print_turn(kind, server, runs, before))
        print(f"  p95 / bare: together {late[1] / late[0]:.2f}, apart {late[3] / late[2]:.2f}", flush=True)


async def memory(name: str, sizes: list[int]) -> None:
    """Print what a server holds with more and more sessions."""
    (page, more), quantity = SETTINGS[name], MOVED.get(name, EPSILON)
    with running(ROOT) as server:
        async with AsyncExitStack() as stack:
            people: list[Person] = []
            link = f"delta={DELTA}&{more}"
            async with visiting(server.address, page, link, quantity) as first:  # what all share is there then
                for step in quantity.scale:
                    await first.move(step)
            known = [(0, server.memory)]
            for n in sizes:
                new = [
                    await stack.enter_async_context(visiting(server.address, page, link, quantity))
                    for _ in range(n - len(people))
                ]
                people += new
                for place, person in enumerate(new):
                    for step, _ in zip(walk(place, quantity), range(10), strict=False):
                        await person.move(step)
                known.append((n, server.memory))
            sessions, memory_sizes = np.transpose(known)
            growth = np.polyfit(sessions, memory_sizes, 1)[0]
            amounts = ", ".join(f"{n}: {megabytes:.0f}" for n, megabytes in known)
            print(
                f"  MB by sessions: {amounts}; {growth:.2f} a session; all processes {server.memory_of_all:.0f}",
                flush=True,
            )


async def drift(name: str, n: int, moves: int) -> None:
    """Print what a server holds while a few people make many moves."""
    (page, more), quantity = SETTINGS[name], MOVED.get(name, EPSILON)
    with running(ROOT) as server:
        links = [f"delta={1.01**place * 1e-6:.5g}&{more}" for place in range(n)]
        async with visitors(server, page, links, quantity) as people:
            walks, start = [walk(place, quantity) for place in range(n)], time.perf_counter()
            for _ in range(10):
                await asyncio.gather(*(_some(*walker, moves // 10) for walker in zip(people, walks, strict=True)))
                print(f"  {server.memory:.0f} ({server.memory_of_all:.0f})", end="", flush=True)
            print(f" MB, of all processes in brackets; {time.perf_counter() - start:.0f} s", flush=True)


async def _some(person: Person, steps: Iterator[str], moves: int) -> None:
    for step, _ in zip(steps, range(moves), strict=False):
        await person.move(step)


async def beside(word: str) -> None:
    """Print how long a move takes alone, and beside links that ask for much."""
    with running(ROOT) as server:
        await warm(server, "Gaussian_bounds", "", EPSILON)
        async with visiting(server.address, "Gaussian_bounds", "epsilon=1") as person:
            steps = cycle(EPSILON.scale)
            for step in EPSILON.scale:
                await person.move(step)
            await _beside("alone", person, steps, asyncio.create_task(asyncio.sleep(5)))
            for name, link in hard_links():
                if word in name:
                    await _beside(name, person, steps, asyncio.create_task(_open_link(server, urlencode(link))))
            for name, (page, query) in EXPERIMENTS.items():
                if word in name:
                    await _beside(name, person, steps, asyncio.create_task(_run_experiment(server, page, query)))


async def _open_link(server: Server, query: str) -> str:
    start = time.perf_counter()
    async with visiting(server.address, "Composition", query) as person:
        await person.answered({})
        return f"{time.perf_counter() - start:5.1f} s{', refused' if person.refused else ''}"


async def _run_experiment(server: Server, page: str, query: str) -> None:
    """Begin an experiment, and wait a while."""
    async with visiting(server.address, page, query) as person:
        await person.press(RUN)
        await asyncio.sleep(OF_AN_EXPERIMENT)


async def _beside(name: str, person: Person, steps: Iterator[str], other: "asyncio.Task[Any]") -> None:
    times = []
    while not other.done():
        times.append(1000 * (await person.move(next(steps))).seconds)
        await asyncio.sleep(0.1)
    middle, late, last = np.percentile(times, (50, 95, 100))
    print(f"  {middle:5.0f} {late:5.0f} {last:5.0f} ms  {name}: {other.result() or ''}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["answers", "memory", "drift", "beside"])
    parser.add_argument("name", nargs="*", help="settings of SETTINGS, all if none is named; or the word of links")
    parser.add_argument("--people", type=int, nargs="+", help="people who move at once")
    parser.add_argument("--seconds", type=float, default=20, help="for how long people move")
    parser.add_argument("--ahead", action="store_true", help="ask for the steps beside each, as browsers do")
    parser.add_argument("--moves", type=int, default=1800, help="moves of each person")
    arguments = parser.parse_intermixed_args()  # names may follow options
    print(machine(), flush=True)
    if arguments.what == "beside":
        return asyncio.run(beside(" ".join(arguments.name)))
    if arguments.what == "answers":
        print(f"  {'ms':12} {'p50':>7} {'p95':>7} {'most':>7} {'server':>7} {'all':>7} {'kB/move':>9} {'moves':>7}")
    for name in arguments.name or SETTINGS:
        print(name, flush=True)
        if arguments.what == "answers":
            asyncio.run(answers(name, (arguments.people or [100])[0], arguments.seconds, arguments.ahead))
        elif arguments.what == "memory":
            asyncio.run(memory(name, arguments.people or [50, 100, 200]))
        else:
            asyncio.run(drift(name, (arguments.people or [4])[0], arguments.moves))
    return None


if __name__ == "__main__":
    main()
