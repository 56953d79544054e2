"""Open random extreme links of the pages, and report every run that fails, warns, is slow or takes much memory.

    python -m tests.benchmarks.try_links [-n 50] [-s 1] [page ...]
    python -m tests.benchmarks.try_links --hard [WORD]

The pages are start, bounds, generalized, tradeoff, laplace, accuracy, tables, denoising and composition; all of them if
none is named. Each of n links gives some of the page's parameters a random text: ends of the range and the floats
beside them, numbers within it, and texts that are no numbers at all. Link i of a page depends on the seed, the page and
i alone. With --hard the links of `hard_links` are opened instead, those whose names have the word, each with nothing
kept from the ones before. A page has a process of its own, and a new one after a run that does not end. A line per
finding tells the page, i, what happened and the link, which for an exception is cut down to the parameters that bring
it about. Linux only. Exits with 1 if a run failed.
"""

import argparse
import multiprocessing
import os
import re
import resource
import sys
import time
import warnings
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from urllib.parse import urlencode

from streamlit import config
from streamlit.testing.v1 import AppTest

from tests.benchmarks.extreme_links import OWN, Link, random_link
from tests.benchmarks.hard_links import hard_links

ROOT = Path(__file__).resolve().parents[2]
SLOW, MUCH = 2.0, 200  # seconds of processor time, MB of growth
LONGEST = 120  # seconds after which a run is given up
GIVEN_UP = 3  # with which a process ends after a run that does not
MOST_MEMORY = 8 << 30  # bytes that a process may take, so that a run that wants more fails alone


def memory(of: str) -> float:
    """MB that this process holds (VmRSS), or held at most since it was last asked for that (VmHWM)."""
    status = Path("/proc/self/status").read_text()
    Path("/proc/self/clear_refs").write_text("5")
    return int(re.findall(rf"{of}:\s+(\d+) kB", status)[0]) / 1024


def failure(page: str, link: Link) -> str | None:
    """Open a page by a link; return the exception in which it ends, with its place, or None."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST)
    if page != "start":
        app.switch_page(str(ROOT / OWN[page][0].script))
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    if not app.exception:
        return None
    first = app.exception[0]
    places = re.findall(r'File "([^"]*)", line (\d+)', "".join(first.stack_trace))
    own = [f"{Path(file).name}:{line}" for file, line in places if str(ROOT) in file]
    return f"{first.message} at {own[-1] if own else 'no line of ours'}"


def cut_down(page: str, link: Link) -> Link:
    """Leave out each parameter without which the page fails too."""
    for key in link:
        rest = {other: value for other, value in link.items() if other != key}
        if failure(page, rest):
            return cut_down(page, rest)
    return link


def findings(page: str, link: Link) -> list[tuple[str, Link]]:
    """What is wrong with one run, and the link that shows it."""
    before, started = memory("VmRSS"), time.process_time()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        failed = failure(page, link)
    seconds, grown = time.process_time() - started, memory("VmHWM") - before
    found = [(f"fails: {failed}", cut_down(page, link))] if failed else []
    said = {f"warns: {each.message} at {Path(each.filename).name}:{each.lineno}" for each in warned}
    found += [(sentence, link) for sentence in sorted(said)]
    if seconds > SLOW or grown > MUCH:
        found.append((f"takes {seconds:.1f} s of processor time and {grown:.0f} MB", link))
    return found


def forget() -> None:
    """Empty what functions of ours have kept."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("dpcore", "pages"):
            for each in vars(module).values():
                if callable(clear := getattr(each, "cache_clear", None)):
                    clear()


def links_of(page: str, asked: argparse.Namespace) -> list[tuple[str, Link]]:
    """The links to open, each with its name."""
    if asked.hard is None:
        return [(str(place), random_link(page, asked.seed, place)) for place in range(asked.n)]
    return [(name, dict(link)) for name, link in hard_links() if asked.hard in name]


def try_page(page: str, asked: argparse.Namespace, done: "Synchronized[int]", n_failed: "Synchronized[int]") -> None:
    """Try the links of a page from the first that is not done."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    config.get_options_for_section("client")  # reads the app's own options, which hide what went wrong
    config.set_option("client.showErrorDetails", "full")
    failure(page, {})  # loads and caches what every run needs
    links = links_of(page, asked)
    while done.value < len(links):
        place, link = links[done.value]
        done.value += 1
        if asked.hard is not None:
            forget()
        try:
            found = findings(page, link)
        except (
            RuntimeError
        ) as stopped:  # Streamlit gives up; its thread runs on, so that this process is of no more use
            print(f"{page} {place}: {stopped}\n    ?{urlencode(link, doseq=True)}", flush=True)
            n_failed.value += 1
            os._exit(GIVEN_UP)
        for sentence, shown in found:
            print(f"{page} {place}: {sentence}\n    ?{urlencode(shown, doseq=True)}", flush=True)
            n_failed.value += sentence.startswith("fails")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="*", choices=[*OWN, []], help="pages to try, all if none is named")
    parser.add_argument("-n", type=int, default=50, help="links of each page")
    parser.add_argument("-s", "--seed", type=int, default=1)
    parser.add_argument("--hard", nargs="?", const="", metavar="WORD", help="links of Composition that ask for much")
    asked = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    n_failed = context.Value("i", 0)
    pages = list(OWN) if asked.hard is None else ["composition"]
    for page in asked.page or pages:
        done, links = context.Value("i", 0), links_of(page, asked)
        while done.value < len(links):
            process = context.Process(target=try_page, args=(page, asked, done, n_failed))
            before = done.value
            process.start()
            process.join()
            if done.value == before:
                sys.exit(f"{page}: the page does not open")
            if process.exitcode not in (0, GIVEN_UP):
                print(f"{page} {links[done.value - 1][0]}: the process ended with {process.exitcode}", flush=True)
                n_failed.value += 1
        print(f"{page}: {len(links)} links tried", flush=True)
    return 1 if n_failed.value else 0


if __name__ == "__main__":
    sys.exit(main())
