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
time unchanged, a moment later; on both pages the first counts.) No time is asserted.
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
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import streamlit as st
from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

from pages.export.browser import find_browser
from pages.shared.common import EPSILON
from pages.shared.export import Figure
from pages.shared.parameters import Quantity
from pages.tradeoff.parameters import ALPHA

Chart = tuple[Figure, dict[str, Any]]  # a figure and the arguments with which the page draws it
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
scale, first, charts = prepared()
step = st.sidebar.select_slider("step", scale, first, key="step")
drawn = charts[step]
"""
BARE_BOUNDS = """
lead, *four, last = drawn
st.plotly_chart(lead[0], **lead[1])
for column, two in zip(st.columns(2), (four[:2], four[2:])):
    with column:
        for figure, how in two:
            st.plotly_chart(figure, **how)
st.plotly_chart(last[0], **last[1])
"""
BARE_TRADEOFF = """
lead, quotation = drawn
with st.columns([3, 2])[0]:
    st.plotly_chart(lead[0], **lead[1])
st.plotly_chart(quotation[0], **quotation[1])
"""
BARE_GENERALIZED = """
st.plotly_chart(drawn[0][0], **drawn[0][1])
for column, (figure, how) in zip(st.columns(3), drawn[1:4]):
    with column:
        st.plotly_chart(figure, **how)
left, right = st.columns([3, 2])
with left:
    st.plotly_chart(drawn[4][0], **drawn[4][1])
with right:
    for figure, how in drawn[5:7]:
        st.plotly_chart(figure, **how)
for two in zip(drawn[7::2], drawn[8::2]):
    for column, (figure, how) in zip(st.columns(2), two):
        with column:
            st.plotly_chart(figure, **how)
"""
BARE_ACCURACY = """
lead, budget = drawn
st.plotly_chart(lead[0], **lead[1])
with st.columns([2, 3])[1]:
    st.plotly_chart(budget[0], **budget[1])
"""
BARE_PAIRS = """
for two in zip(drawn[::2], drawn[1::2]):
    for column, (figure, how) in zip(st.columns(2), two):
        with column:
            st.plotly_chart(figure, **how)
"""


@dataclass(frozen=True)
class Trial:
    """A page, the quantity whose slider is moved, where its steps begin, the chart that counts, the bare page."""

    script: str
    path: str
    quantity: Quantity
    first: str
    lead: str
    bare: str


TRIALS = {  # from the first ε the steps cross ε = 1 and 8.4, where traces come and go
    "bounds": Trial("pages/1_Gaussian_bounds.py", "Gaussian_bounds", EPSILON, "0.1", "ratio", BARE + BARE_BOUNDS),
    "tradeoff": Trial(
        "pages/3_Trade-off_curves.py", "Trade-off_curves", ALPHA, "0.001", "curves", BARE + BARE_TRADEOFF
    ),
    "laplace": Trial(
        "pages/4_Laplace_vs_Gaussian.py", "Laplace_vs_Gaussian", EPSILON, "0.1", "tails", BARE + BARE_PAIRS
    ),
    "generalized": Trial(
        "pages/2_Generalized_Gaussian.py",
        "Generalized_Gaussian",
        EPSILON,
        "0.1",
        "densities",
        BARE + BARE_GENERALIZED,
    ),
    "accuracy": Trial("pages/5_Accuracy.py", "Accuracy", EPSILON, "0.1", "accuracy", BARE + BARE_ACCURACY),
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


def charts_of_the_page(trial: Trial, steps: list[str]) -> tuple[dict[str, list[Chart]], list[float]]:
    """What the real page hands to Streamlit at each step, and how many ms each run of the page takes."""
    charts: dict[str, list[Chart]] = {}
    times: list[float] = []
    drawn: list[bytes] = []
    draw = st.plotly_chart

    def record(figure: Figure, **how: Any) -> Any:
        plain = {key: "rerun" if callable(value) else value for key, value in how.items()}
        drawn.append(pickle.dumps((figure, plain)))
        return draw(figure, **how)

    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page(str(ROOT / trial.script)).run()
    with patch.object(st, "plotly_chart", record):
        for step in steps:
            drawn.clear()
            start = time.perf_counter()
            app.select_slider(key=f"{trial.quantity.key}_step").set_value(step).run()
            times.append(1000 * (time.perf_counter() - start))
            if app.exception:
                raise RuntimeError(app.exception[0].message)
            charts[step] = [pickle.loads(chart) for chart in drawn]
    return charts, times


def words(figure: Figure) -> str:
    """The text of a chart's title and annotations as the browser shows it, without spaces."""
    layout = figure["layout"]
    written = "".join([layout["title"]["text"], *(note["text"] for note in layout["annotations"])])
    return re.sub(r"\s", "", html.unescape(re.sub(r"<[^>]*>", "", written)))


def awaited(before: list[Chart], after: list[Chart]) -> dict[str, str]:
    """The charts that a step redraws, with the words by which each is known."""
    changed = {}
    for old, new in zip(before, after, strict=True):
        if pickle.dumps(old) != pickle.dumps(new):
            name = new[1]["key"]
            changed[name] = words(new[0])
            if words(old[0]) == changed[name]:
                raise RuntimeError(f"the words of {name} do not tell its state before a move from that after it")
    return changed


@contextmanager
def server(folder: Path, port: int) -> Iterator[str]:
    """Run Streamlit on a folder's app.py and give its address."""
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
        yield address
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


def measure(trial: Trial, moves: int, port: int) -> None:
    scale, start = list(trial.quantity.scale), trial.quantity.scale.index(trial.first)
    last = len(scale) - 1
    there_and_back = [*range(start, last), *range(last, 0, -1), *range(start)]
    path = list(islice(cycle(there_and_back), WARM_UP + moves + 1))
    charts, runs = charts_of_the_page(trial, [scale[place] for place in dict.fromkeys(path)])
    steps = [
        ("ArrowRight" if new > old else "ArrowLeft", awaited(charts[scale[old]], charts[scale[new]]))
        for old, new in pairwise(path)
    ]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        bare = Path(folder)
        shutil.copytree(ROOT / ".streamlit", bare / ".streamlit")
        (bare / "app.py").write_text(trial.bare)
        (bare / "charts.pickle").write_bytes(pickle.dumps((scale, trial.first, charts)))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=["--no-sandbox"])
        stack.callback(browser.close)
        addresses = {
            "real": stack.enter_context(server(ROOT, port)) + f"/{trial.path}?{trial.quantity.key}={trial.first}",
            "bare": stack.enter_context(server(bare, port and port + 1)),
        }
        pages: dict[str, Page] = {}
        for name, address in addresses.items():
            pages[name] = page = browser.new_page(viewport={"width": 1400, "height": 1000})
            page.add_init_script(WORDS)
            page.goto(address)
            for figure, how in charts[trial.first]:
                page.wait_for_function("([name, text]) => words(name) === text", arg=[how["key"], words(figure)])
            key = f"{trial.quantity.key}_step" if name == "real" else "step"
            page.locator(f".st-key-{key}").get_by_role("slider").focus()
        taken: dict[str, list[dict[str, float]]] = {name: [] for name in pages}
        for turn in range(0, len(steps), TURN):
            for name, page in pages.items():
                page.bring_to_front()
                taken[name] += [move(page, *step) for step in steps[turn : turn + TURN]]
    report(trial.lead, {name: times[WARM_UP:] for name, times in taken.items()}, runs[WARM_UP:])


def report(lead: str, taken: dict[str, list[dict[str, float]]], runs: list[float]) -> None:
    redrawn = sorted({name for times in taken["real"] for name in times})
    print(f"{len(taken['real'])} moves; charts that a move redraws: {', '.join(redrawn)}")
    print("key press to painted, ms    p50 real   bare  ratio   p95 real   bare  ratio")
    for label, pick in (("lead chart", lambda times: times[lead]), ("all charts", lambda times: max(times.values()))):
        line = f"{label:26}"
        for quantile, width in ((50, 9), (95, 10)):
            real, bare = (np.percentile([pick(times) for times in taken[name]], quantile) for name in ("real", "bare"))
            line += f" {real:{width}.0f} {bare:6.0f} {real / bare:6.2f}"
        print(line)
    middle, late = np.percentile(runs, (50, 95))
    print(f"One run of the real page's script under AppTest, without a browser: p50 {middle:.0f} ms, p95 {late:.0f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=45, help="timed moves on each page (default 45)")
    parser.add_argument("--port", type=int, default=0, help="port of the real page; the bare one takes the next")
    parser.add_argument("page", choices=TRIALS)
    arguments = parser.parse_args()
    measure(TRIALS[arguments.page], arguments.moves, arguments.port)
