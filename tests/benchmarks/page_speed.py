"""Key press to painted chart: a page beside a bare page with the same charts, measured in one run.

    .venv/bin/python -m tests.benchmarks.page_speed bounds
    .venv/bin/python -m tests.benchmarks.page_speed generalized
    .venv/bin/python -m tests.benchmarks.page_speed tradeoff
    .venv/bin/python -m tests.benchmarks.page_speed laplace
    .venv/bin/python -m tests.benchmarks.page_speed accuracy

The bare page has one slider and the very figures that the real page draws, made beforehand, with the same settings of
chart and server: what it takes is Streamlit's and the browser's. Both take the same steps of the slider, in turns of a
few, so that whatever else the machine does slows both. A time runs from the keydown event to the frame after the one
in which the new text stands in the chart, on the browser's clock. (Streamlit draws a new chart twice over, the second
time unchanged, a moment later; on both pages the first counts.) Beside it stands the processor time of each server
over a move, on Linux. No time is asserted.
"""

import argparse
import html
import pickle
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle, islice, pairwise
from os import sysconf
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from pages.export import exhibits_of
from pages.export.browser import QUIET, find_browser
from pages.shared import contents, theme
from pages.shared.common import EPSILON
from pages.shared.export import Figure
from pages.shared.parameters import Quantity
from pages.tradeoff.parameters import ALPHA

Charts = dict[str, dict[str, Any]]  # the arguments with which the page draws each chart, by its name
Column = tuple[int | str, ...]  # its width, and the names of the charts in it
ROOT = Path(__file__).resolve().parents[2]
WARM_UP, TURN = 5, 5
SETTLE = 200  # ms between moves

BARE = """
import pickle
from pathlib import Path

import streamlit as st


@st.cache_resource
def prepared():
    return pickle.loads(Path(__file__).with_name("charts.pickle").read_bytes())


st.set_page_config(layout="wide")
scale, first, rows, charts = prepared()
step = st.sidebar.select_slider("step", scale, first, key="step")
for row in rows:
    for column, (_, *names) in zip(st.columns([width for width, *_ in row]), row):
        with column:
            for name in names:
                st.plotly_chart(**charts[step][name])
"""


@dataclass(frozen=True)
class Trial:
    """A page, the quantity whose slider is moved, where its steps begin, and the rows of charts as they stand.

    The first chart is the one that counts.
    """

    page: contents.Page
    quantity: Quantity
    first: str
    rows: tuple[tuple[Column, ...], ...]

    @property
    def names(self) -> list[str]:
        """The names of the charts."""
        return [str(name) for row in self.rows for _, *names in row for name in names]


TRIALS = {  # from the first ε the steps cross ε = 1 and 8.4, where traces come and go
    "bounds": Trial(
        contents.GAUSSIAN_BOUNDS,
        EPSILON,
        "0.1",
        (
            ((1, "ratio"),),
            ((1, "profile", "sigma_delta"), (1, "sigma_epsilon", "pdp_share")),
            ((1, "counts"),),
        ),
    ),
    "generalized": Trial(
        contents.GENERALIZED_GAUSSIAN,
        EPSILON,
        "0.1",
        (
            ((1, "densities"),),
            ((1, "size_p"), (1, "size_epsilon"), (1, "size_delta")),
            ((3, "best_map"), (2, "best_p", "saving")),
            ((1, "bounded_errors"), (1, "bounded_densities")),
            ((1, "bounded_shapes"), (1, "bounded_widths")),
        ),
    ),
    "tradeoff": Trial(contents.TRADEOFF, ALPHA, "0.001", (((3, "curves"), (2,)), ((1, "quotation"),))),
    "laplace": Trial(
        contents.LAPLACE_GAUSSIAN,
        EPSILON,
        "0.1",
        (
            ((1, "tails"), (1, "draws")),
            ((1, "statistics"), (1, "winners")),
            ((1, "ratio"), (1, "cost")),
            ((1, "density"), (1, "distribution")),
        ),
    ),
    "accuracy": Trial(contents.ACCURACY, EPSILON, "0.1", (((1, "accuracy"),), ((2,), (3, "budget")))),
}

# A rerun rebuilds a chart's node, so it may be missing at any moment.
WORDS = r"""
window.words = (name) =>
  [...document.querySelectorAll(`.st-key-${name} :is(.gtitle, .annotation-text)`)]
    .map((node) => node.textContent).join("").replace(/\s/g, "");
"""
# Promises the time of each awaited chart.
WATCH = """
(awaited) => {
  window.painted = new Promise((resolve, reject) => {
    document.addEventListener("keydown", () => {
      const start = performance.now();
      const drawn = new Set(), times = {};
      const look = () => {
        const elapsed = performance.now() - start;
        for (const [name, text] of Object.entries(awaited)) {
          if (name in times) continue;
          if (drawn.has(name)) times[name] = elapsed;
          else if (words(name) === text) drawn.add(name);
        }
        const missing = Object.keys(awaited).filter((name) => !(name in times));
        if (missing.length === 0) resolve(times);
        else if (elapsed > 20000) reject(new Error(`not drawn: ${missing.map((name) => [name, words(name)])}`));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, {capture: true, once: true});
  });
  window.painted.catch(() => {});
}
"""


def charts_of_the_page(trial: Trial, steps: list[str]) -> tuple[dict[str, Charts], list[float]]:
    """What the real page draws at each step, and how many ms it takes to make that, without a page."""
    charts: dict[str, Charts] = {}
    times: list[float] = []
    for step in steps:
        start = time.perf_counter()
        exhibits, _, problems = exhibits_of(f"/{trial.page.path}?{trial.quantity.key}={step}")
        times.append(1000 * (time.perf_counter() - start))
        if problems:
            raise RuntimeError(problems[0])
        charts[step] = {
            each.name: {
                "figure_or_data": each.picture,
                "theme": None,
                "key": each.name,
                "config": theme.toolbar("svg", each.name),
                "alt": each.alternative,
                "on_select": "rerun" if each.name == "curves" else "ignore",  # whose points can be clicked
                "selection_mode": "points",
            }
            for each in exhibits
            if isinstance(each.picture, dict)
        }
        if charts[step].keys() != set(trial.names):
            raise RuntimeError(f"the page draws {list(charts[step])}, the bare page {trial.names}")
    return charts, times


def words(figure: Figure) -> str:
    """The text of a chart's title and annotations as the browser shows it, without spaces."""
    layout = figure["layout"]
    written = "".join([layout["title"]["text"], *(note["text"] for note in layout["annotations"])])
    return re.sub(r"\s", "", html.unescape(re.sub(r"<[^>]*>", "", written)))


def awaited(before: Charts, after: Charts) -> dict[str, str]:
    """The charts that a step redraws, with the words by which each is known."""
    changed = {}
    for name, new in after.items():
        if pickle.dumps(before[name]) != pickle.dumps(new):
            changed[name] = words(new["figure_or_data"])
            if words(before[name]["figure_or_data"]) == changed[name]:
                raise RuntimeError(f"the words of {name} do not tell its state before a move from that after it")
    return changed


@contextmanager
def server(folder: Path, port: int) -> Iterator[tuple[str, int]]:
    """Run Streamlit on a folder's app.py and give its address and its process."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", f"--server.port={port}"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(300):
            time.sleep(0.1)
            if process.poll() is not None:
                raise RuntimeError(f"the server of {folder} stopped at its start; is port {port} taken?")
            try:
                urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
                break
            except OSError:
                continue
        else:
            raise RuntimeError(f"the server of {folder} did not start")
        yield address, process.pid
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def move(page: Page, key: str, expected: dict[str, str]) -> dict[str, float]:
    """Press a key on the slider and return when each awaited chart was painted, in ms."""
    page.evaluate(WATCH, expected)
    page.keyboard.press(key)
    times = page.evaluate("window.painted")
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_timeout(SETTLE)
    return times


def processor_time(process: int) -> float:
    """How many ms of processor a process has taken, NaN where the system does not say so as Linux does."""
    file = Path(f"/proc/{process}/stat")
    if not file.exists():
        return np.nan
    user, system = file.read_text().rpartition(")")[2].split()[11:13]
    return 1000 * (int(user) + int(system)) / sysconf("SC_CLK_TCK")


def steps_of(trial: Trial, moves: int) -> list[str]:
    """The steps of the slider, one further each time, there and back."""
    scale, start = trial.quantity.scale, trial.quantity.scale.index(trial.first)
    last = len(scale) - 1
    there_and_back = [*range(start, last), *range(last, 0, -1), *range(start)]
    return [scale[place] for place in islice(cycle(there_and_back), moves + 1)]


def measure(trial: Trial, moves: int, port: int) -> None:
    steps = steps_of(trial, WARM_UP + moves)
    charts, made = charts_of_the_page(trial, list(dict.fromkeys(steps)))
    place = trial.quantity.scale.index
    presses = [
        ("ArrowRight" if place(new) > place(old) else "ArrowLeft", awaited(charts[old], charts[new]))
        for old, new in pairwise(steps)
    ]
    taken: dict[str, list[dict[str, float]]] = {"real": [], "bare": []}
    used: dict[str, list[float]] = {"real": [], "bare": []}
    with both_pages(trial, charts, port) as opened:
        for turn in range(0, len(presses), TURN):
            for name, (page, process) in opened.items():
                page.bring_to_front()
                for press in presses[turn : turn + TURN]:
                    before = processor_time(process)
                    taken[name].append(move(page, *press))
                    used[name].append(processor_time(process) - before)
    lead, redrawn = trial.names[0], dict.fromkeys(chart for times in taken["real"] for chart in times)
    print(f"{moves} moves; charts that a move redraws: {', '.join(redrawn)}")
    print(f"{'ms':26} p50 real   bare  ratio   p95 real   bare  ratio")
    report("press to painted, lead", {name: [each[lead] for each in times] for name, times in taken.items()})
    report("press to painted, all", {name: [max(each.values()) for each in times] for name, times in taken.items()})
    report("processor of the server", used)
    middle, late = np.percentile(made[WARM_UP:], (50, 95))
    print(f"Making what the page shows, without a page: p50 {middle:.0f} ms, p95 {late:.0f} ms")


@contextmanager
def both_pages(trial: Trial, charts: dict[str, Charts], port: int) -> Iterator[dict[str, tuple[Page, int]]]:
    """The real page and the bare one with the focus on the slider, and the process of the server of each."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        bare = Path(folder)
        shutil.copytree(ROOT / ".streamlit", bare / ".streamlit")
        (bare / "app.py").write_text(BARE)
        (bare / "charts.pickle").write_bytes(pickle.dumps((trial.quantity.scale, trial.first, trial.rows, charts)))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))
        stack.callback(browser.close)
        real_address, real_process = stack.enter_context(server(ROOT, port))
        bare_address, bare_process = stack.enter_context(server(bare, port and port + 1))
        key, first = trial.quantity.key, charts[trial.first]
        yield {
            "real": (
                opened_at(browser, f"{real_address}/{trial.page.path}?{key}={trial.first}", f"{key}_step", first),
                real_process,
            ),
            "bare": (opened_at(browser, bare_address, "step", first), bare_process),
        }


def opened_at(browser: Browser, address: str, slider: str, charts: Charts) -> Page:
    """A tab in which these charts are painted, with the focus on a slider."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.add_init_script(WORDS)
    page.goto(address)
    for name, how in charts.items():
        page.wait_for_function("([name, text]) => words(name) === text", arg=[name, words(how["figure_or_data"])])
    page.locator(f".st-key-{slider}").get_by_role("slider").focus()
    return page


def report(label: str, taken: dict[str, list[float]]) -> None:
    line = f"{label:26}"
    for quantile, width in ((50, 9), (95, 10)):
        real, bare = (np.percentile(taken[name][WARM_UP:], quantile) for name in ("real", "bare"))
        line += f" {real:{width}.0f} {bare:6.0f} {real / bare:6.2f}"
    print(line)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=45, help="timed moves on each page (default 45)")
    parser.add_argument("--port", type=int, default=0, help="port of the real page; the bare one takes the next")
    parser.add_argument("page", choices=TRIALS)
    arguments = parser.parse_args()
    measure(TRIALS[arguments.page], arguments.moves, arguments.port)
