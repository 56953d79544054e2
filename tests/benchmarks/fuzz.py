"""Send hostile links, files and sessions to the pages; report failures, warnings, slow cases and large memory use.

    python -m tests.benchmarks.fuzz [--links 1000] [--beside 0] [--files 0] [--sessions 0] [--seed 1] [page ...]
    python -m tests.benchmarks.fuzz --hard [WORD]

The pages are named by their folders, such as composition, and start; all of them if none is named. Links, files and
sessions are those of `tests.hostile`, so many of each page or kind of file, and --beside so many links at which the
proofs and the code of the page are asked for, and the files of a report; those of a block of 500 depend on the seed,
the page and the block alone. With --hard the links of `hard_links` are opened instead, those whose names have the word,
each with nothing kept from the ones before. A block has a process of its own, and a new one after a run that does not
end. A line per finding tells what was sent, cut down to what brings it about; the slowest are listed at the end. Linux
only. Exits with 1 if anything failed.
"""

import argparse
import faulthandler
import json
import multiprocessing
import re
import resource
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from streamlit.logger import set_log_level

from pages.framework.layout.page import load_page
from pages.framework.site import PageEntry
from pages.shared import site_map
from tests.benchmarks.hard_links import hard_links
from tests.hostile import runs
from tests.hostile.links import links
from tests.hostile.sessions import sessions, wrong
from tests.hostile.takers import TAKERS

ROOT = Path(__file__).resolve().parents[2]
BLOCK = 500
SLOW, MUCH = 2.0, 200  # seconds of processor time, MB of growth
LISTED, SLOWEST = 0.5, 10  # seconds from which a run may be listed at the end, and how many are
LONGEST = 120  # seconds after which a run is given up, with its process
MOST_MEMORY = 8 << 30  # bytes that a process may take, so that a run that wants more fails alone
MOST_STEPS = 15  # of a session
FOLDERS = {page.topic or "start": page for page in site_map.PAGES}


@dataclass(frozen=True)
class Subject:
    """A kind of input: how it is generated, how often it is sent, and how it is checked."""

    name: str
    n: int
    strategy: SearchStrategy[Any] | None
    wrong: Callable[[Any], list[str]]


def link_wrong(page: PageEntry, link: Any) -> list[str]:
    """Return the problems of a page at a link."""
    return runs.wrong(load_page(page), link)


def beside_wrong(page: PageEntry, link: Any) -> list[str]:
    """Return the problems of the outputs that a page computes on request: proofs, code and report files."""
    return runs.wrong_beside(load_page(page), link)


def file_wrong(kind: str, brought: Any) -> list[str]:
    """Return the problems of a page that reads a file."""
    return list(TAKERS[kind][1](brought))


def subjects(options: argparse.Namespace) -> Iterator[Subject]:
    """Return all kinds of input that the arguments select."""
    if options.hard is not None:
        composition = FOLDERS["composition"]
        n = sum(options.hard in name for name, _ in hard_links())
        yield Subject("hard links", n, None, partial(link_wrong, composition))
        return
    for folder in options.page or FOLDERS:
        page = FOLDERS[folder]
        yield Subject(f"links of {folder}", options.links, links(page), partial(link_wrong, page))
        yield Subject(f"what is beside {folder}", options.beside, links(page), partial(beside_wrong, page))
        yield Subject(f"sessions of {folder}", options.sessions, sessions(page, MOST_STEPS), partial(wrong, page))
    for kind, (strategy, _) in TAKERS.items():
        yield Subject(f"files of {kind}", options.files, strategy, partial(file_wrong, kind))


def cases(subject: Subject, options: argparse.Namespace, block: int) -> list[Any]:
    """Return the inputs of a block."""
    if subject.strategy is None:
        named = [{key: [entry] for key, entry in link.items()} for name, link in hard_links() if options.hard in name]
        return named[BLOCK * block :][:BLOCK]
    inputs: list[Any] = []

    def keep(case: Any) -> None:
        inputs.append(case)

    quick = [HealthCheck.too_slow, HealthCheck.data_too_large]
    n = min(BLOCK, subject.n - BLOCK * block)
    draw = settings(max_examples=n, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=quick)
    seed(f"{subject.name} {options.seed} {block}")(draw(given(subject.strategy)(keep)))()
    return inputs


def memory(of: str) -> float:
    """Return the memory of this process in MB: current (VmRSS), or peak since the last call (VmHWM)."""
    status = Path("/proc/self/status").read_text()
    Path("/proc/self/clear_refs").write_text("5")
    return int(re.findall(rf"{of}:\s+(\d+) kB", status)[0]) / 1024


def fails(subject: Subject, case: Any) -> list[str]:
    """Return the problems of a run, its exception with the line that raised it, and its warnings."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            problems = subject.wrong(case)
        except Exception as error:  # whatever it is, it is what is looked for
            places = [place for place in traceback.extract_tb(error.__traceback__) if str(ROOT) in place.filename]
            problems = [f"{type(error).__name__}: {error} at {Path(places[-1].filename).name}:{places[-1].lineno}"]
    own = {
        f"warns: {warning.message} at {Path(warning.filename).name}"
        for warning in warned
        if str(ROOT) in warning.filename
    }
    return problems + sorted(own)


def cut_down(subject: Subject, case: Any) -> Any:
    """Remove each part of a link or session that the failure does not need."""
    for smaller in parts_left(case):
        if fails(subject, smaller):
            return cut_down(subject, smaller)
    return case


def parts_left(case: Any) -> Iterator[Any]:
    """Yield the input without one of its parts."""
    if isinstance(case, dict):
        yield from ({key: part for key, part in case.items() if key != left} for left in case)
    if isinstance(case, list):
        yield from (case[:place] + case[place + 1 :] for place in range(len(case)))


def forget() -> None:
    """Clear the caches of the project's functions."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("dpcore", "pages"):
            for member in vars(module).values():
                if callable(clear := getattr(member, "cache_clear", None)):
                    clear()


def try_case(subject: Subject, case: Any, name: str, slowest: str) -> int:
    """Run one input; print its problems, store its time, and return the number of failures."""
    before, started = memory("VmRSS"), time.process_time()
    problems = fails(subject, case)
    seconds, grown = time.process_time() - started, memory("VmHWM") - before
    if seconds > LISTED:
        with open(slowest, "a", encoding="utf-8") as log:
            log.write(json.dumps([seconds, grown, name, repr(case)[:2000]]) + "\n")
    if seconds > SLOW or grown > MUCH:
        print(f"{name}: takes {seconds:.1f} s of processor time and {grown:.0f} MB\n    {case!r:.2000}", flush=True)
    if problems:
        print(f"{name}: {'; '.join(problems):.1000}\n    {cut_down(subject, case)!r:.2000}", flush=True)
    return bool(problems)


def try_block(
    options: argparse.Namespace, place: int, block: int, n_finished: "Synchronized[int]", slowest: str
) -> None:
    """Run the inputs of a block from the first that has not run; exit with 1 if one fails."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    set_log_level("ERROR")  # Streamlit warns at every run that it has no server
    subject, failed = list(subjects(options))[place], 0
    sent = cases(subject, options, block)
    while n_finished.value < len(sent):
        at = n_finished.value
        n_finished.value += 1
        if options.hard is not None:
            forget()
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        failed += try_case(subject, sent[at], f"{subject.name} {BLOCK * block + at}", slowest)
        faulthandler.cancel_dump_traceback_later()
    n_finished.value = BLOCK
    sys.exit(1 if failed else 0)


def try_subject(options: argparse.Namespace, place: int, subject: Subject, slowest: str) -> bool:
    """Run all inputs of a subject, each block in a separate process; return whether all passed."""
    context, is_clean = multiprocessing.get_context("spawn"), True
    for block in range(-(-subject.n // BLOCK)):
        n_finished = context.Value("i", 0)
        while n_finished.value < BLOCK:
            before = n_finished.value
            process = context.Process(target=try_block, args=(options, place, block, n_finished, slowest))
            process.start()
            process.join()
            is_clean = is_clean and process.exitcode == 0
            if n_finished.value == before:
                sys.exit(f"{subject.name}: nothing can be tried")
            if process.exitcode and n_finished.value < BLOCK:
                stopped = cases(subject, options, block)[n_finished.value - 1]
                print(
                    f"{subject.name}: the process ended with {process.exitcode} at\n    {stopped!r:.2000}", flush=True
                )
    return is_clean


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", choices=[*FOLDERS, []], help="pages to try, all if none is named")
    for what, n in (("links", 1000), ("beside", 0), ("files", 0), ("sessions", 0), ("seed", 1)):
        parser.add_argument(f"--{what}", type=int, default=n)
    parser.add_argument("--hard", nargs="?", const="", metavar="WORD", help="links of Composition that ask for much")
    options, is_clean = parser.parse_args(), True
    with NamedTemporaryFile("r", encoding="utf-8") as slowest:
        for place, subject in enumerate(subjects(options)):
            if subject.n:
                is_clean = try_subject(options, place, subject, slowest.name) and is_clean
                print(f"{subject.name}: {subject.n} tried", flush=True)
        entries = sorted((json.loads(line) for line in slowest), reverse=True)[:SLOWEST]
    for seconds, grown, name, case in entries:
        print(f"{seconds:.1f} s, {grown:.0f} MB: {name}\n    {case}")
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
