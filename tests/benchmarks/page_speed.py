"""Measure the time from an edit to the redrawn page, and to open it: an older commit, this tree and a bare page.

    python -m tests.benchmarks.page_speed [--before 27aa8069] [bounds generalized tradeoff laplace accuracy ...]

In a browser, a slider of each page takes the same steps by key, in turns of a few, so that whatever else the machine
does slows all alike. The clock runs from the event of the browser to the frame after the one in which a part stands as
it will stay: the marker of the lead chart, the answer, the lead chart, and all charts in sight. The bare page has one
slider and the charts of the older one under each other. Then the handle of both pages (or the slider, where the lead
chart marks nothing) is dragged, a step every tenth of a second, at settings where nobody has been: how long
the marker takes, and the answer to that step or a later one. At last both pages are opened in turns, each at a setting
where nobody has been, with the time from the start of the navigation. The older commit must have the selectors of
`opened_at` and `dragged`, as 27aa8069 and its successors have. No time is asserted.
"""

import argparse
import time
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from pages.export.__main__ import QUIET, find_browser
from pages.framework.parameters.kinds import Quantity
from pages.shared import site_map
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON
from tests.benchmarks.servers import ROOT, Server, bare, checkout, machine, running

WARM_UP, TURN = 3, 5
PACE = 0.1  # seconds between two steps of a drag


@dataclass(frozen=True)
class Trial:
    """A page, the parameter whose slider is moved, its first step, and what else the link says."""

    page: site_map.PageEntry
    quantity: Quantity = EPSILON
    first: str = "0.1"
    more_of_link: str = ""

    def link(self, step: str) -> str:
        """Return the link of a step, without the address of the server.

        >>> TRIALS["training"].link("0.1")
        'Composition?epsilon=0.1&section=training&solve=noise'
        """
        return f"{self.page.path}?{self.quantity.key}={step}{self.more_of_link}"


_RISK = "&section=risk&risk=power&max_power=0.995"
TRIALS = {
    "bounds": Trial(site_map.GAUSSIAN_BOUNDS),
    "generalized": Trial(site_map.GENERALIZED_GAUSSIAN),
    "tradeoff": Trial(site_map.TRADEOFF, ALPHA, "0.001"),
    "risk": Trial(site_map.TRADEOFF, ALPHA, "0.001", more_of_link=f"{_RISK}&noise=gaussian"),
    "risk, DP-SGD": Trial(site_map.TRADEOFF, ALPHA, "0.001", more_of_link=f"{_RISK}&noise=dp_sgd"),
    "laplace": Trial(site_map.LAPLACE_GAUSSIAN),
    "plan": Trial(site_map.PLAN, more_of_link="&direction=total&promise=delta"),
    "accuracy": Trial(site_map.ACCURACY),
    "tables": Trial(site_map.TABLES),
    "tables, which groups": Trial(site_map.TABLES, more_of_link="&section=appear&table=size&cells=900&per_person=3"),
    "denoising": Trial(site_map.DENOISING),
    "composition": Trial(site_map.COMPOSITION, DELTA, "1e-12"),
    "training": Trial(site_map.COMPOSITION, more_of_link="&section=training&solve=noise"),
}

WATCH = Path(__file__).with_name("watch.js").read_text()
BEGIN = "() => { look.log.length = look.hands.length = 0; }"
QUIET_FOR = """(ms) => !look.running() && !look.changed
  && performance.now() - Math.max(look.hands.at(-1) ?? 0, look.log.at(-1)?.[0] ?? 0) > ms"""
TOLD = "() => ({log: look.log, hands: look.hands, now: look.now()})"


def settle(page: Page, quiet: int = 700) -> None:
    """Wait until the page no longer changes."""
    page.wait_for_function(QUIET_FOR, arg=quiet, polling=50, timeout=60_000)


def alike(left: Any, other: Any) -> bool:
    """Return whether the marks of a chart have the same positions within two pixels."""
    return len(left) == len(other) and all(
        a[0] == b[0] and abs(a[1] - b[1]) < 2 and abs(a[2] - b[2]) < 2 for a, b in zip(left, other, strict=True)
    )


def times(record: dict[str, Any], before: dict[str, Any]) -> dict[str, float]:
    """Return for each part that a key press changed the time in ms until it reached its final state."""
    last, start = record["now"], record["hands"][0]
    count = len(last["charts"])
    views = [(at - start, view) for at, view in record["log"] if len(view["charts"]) == count]

    def first(is_final: Any) -> float:
        return next((at for at, view in views if is_final(view)), np.nan) if not is_final(before) else np.nan

    def chart_time(place: int) -> float:
        curves, marks = last["charts"][place]
        return first(lambda view: view["charts"][place][0] == curves and alike(view["charts"][place][1], marks))

    charts = [chart_time(place) for place in range(count)]
    return {
        "marker": first(lambda view: alike(view["charts"][0][1], last["charts"][0][1])),
        "answer": first(lambda view: view["answer"] == last["answer"]),
        "lead chart": charts[0],
        "in sight": np.nan if np.isnan(charts).all() else float(np.nanmax(charts)),
    }


def press(page: Page, key: str) -> dict[str, float]:
    """Press a key and return the time that each part of the page took."""
    before = page.evaluate("look.now()")
    page.evaluate(BEGIN)
    page.keyboard.press(key)
    settle(page)
    return times(page.evaluate(TOLD), before)


def opened_at(browser: Browser, address: str, slider: str) -> Page:
    """Return a tab with drawn charts and the focus on a slider."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.add_init_script(WATCH)
    page.goto(address)
    page.locator(".main-svg").first.wait_for(timeout=60_000)
    page.locator(slider).get_by_role("slider").focus()
    settle(page)
    return page


def dragged(page: Page, trial: Trial, steps: list[str]) -> dict[str, list[float]]:
    """Drag over steps, repeat them by key to identify the answers, and return the ms of each step of the drag."""
    handle = page.locator(f".dp-lead .dp-handle[data-key={trial.quantity.key}]")
    slider = page.locator(f".dp-controls [data-key={trial.quantity.key}]").get_by_role("slider")
    marked = handle.count() > 0
    places = [place_of(handle if marked else slider, trial, step, marked) for step in steps]
    page.evaluate(BEGIN)
    page.mouse.move(*places[0])
    page.mouse.down()
    for x, y in places[1:]:
        start = time.perf_counter()
        page.mouse.move(x, y)
        page.wait_for_timeout(max(0.0, 1000 * (PACE - time.perf_counter() + start)))
    settle(page, 1200)
    record = page.evaluate(TOLD)
    page.mouse.up()
    slider.focus()
    answers = {}
    for place in range(len(steps) - 1, -1, -1):
        answers[page.evaluate("look.now().answer")] = place
        press(page, "ArrowLeft")
    hands = record["hands"][-len(places) + 1 :]
    measured: dict[str, list[float]] = {"marker": [], "answer": []}
    responses = [(at, view["charts"][0][1], answers.get(view["answer"], -1)) for at, view in record["log"]]
    for place, hand in enumerate(hands, start=1):
        measured["answer"].append(
            next((at - hand for at, _, answered in responses if at > hand and answered >= place), np.nan)
        )
        if marked:
            past = next((marks for at, marks, _ in reversed(responses) if at < hand), None)
            measured["marker"].append(
                next((at - hand for at, marks, _ in responses if at > hand and marks != past), np.nan)
            )
    return measured


def place_of(part: Locator, trial: Trial, step: str, marked: bool) -> tuple[float, float]:
    """Return the position of a step on the screen: on the axis of the lead chart or on the slider."""
    if marked:
        where = """(node, value) => {
          const plot = node.closest("[data-chart]").querySelector(".js-plotly-plot"), {xaxis} = plot._fullLayout;
          const box = node.getBoundingClientRect();
          return [plot.getBoundingClientRect().left + xaxis._offset + xaxis.d2p(value), box.top + box.height / 2];
        }"""
        return tuple(part.evaluate(where, float(step)))
    box = part.bounding_box()
    assert box is not None
    share = trial.quantity.scale.index(step) / (len(trial.quantity.scale) - 1)
    return box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2


def opening_time(browser: Browser, address: str) -> dict[str, float]:
    """Return the ms from the start of the navigation until the answer and the charts in sight stand as they stay."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.add_init_script(WATCH)
    page.goto(address)
    page.locator(".main-svg").first.wait_for(timeout=60_000)
    settle(page)
    record = page.evaluate(TOLD)
    page.close()
    last = record["now"]
    return {
        part: next((at for at, view in record["log"] if view[key] == last[key]), np.nan)
        for part, key in (("answer", "answer"), ("in sight", "charts"))
    }


def measure(trial: Trial, browser: Browser, servers: dict[str, Server], moves: int) -> None:
    """Print the times of moves by key on all pages, and those of drags and openings on the older page and this one."""
    key, steps = trial.quantity.key, trial.quantity.scale
    pages = {
        name: opened_at(browser, f"{servers[name].address}/{trial.link(trial.first)}", f".dp-controls [data-key={key}]")
        for name in ("before", "after")
    }
    pages["bare"] = opened_at(browser, servers["bare"].address, ".st-key-step")
    measured: dict[str, list[dict[str, float]]] = defaultdict(list)
    for turn in range(0, WARM_UP + moves, TURN):
        for name, page in pages.items():
            page.bring_to_front()
            measured[name] += [press(page, "ArrowRight") for _ in range(min(TURN, WARM_UP + moves - turn))]
    for part in ("marker", "answer", "lead chart", "in sight"):
        report(part, {name: [timing[part] for timing in timings[WARM_UP:]] for name, timings in measured.items()})
    pages.pop("bare").close()
    at = steps.index(trial.first) + WARM_UP + moves
    drags: dict[str, dict[str, list[float]]] = {}
    for name, page in pages.items():
        page.bring_to_front()
        drags[name] = dragged(page, trial, list(steps[at : at + moves]))
        page.close()
    for part in ("marker", "answer"):
        report(f"{part}, dragged", {name: timings[part] for name, timings in drags.items()})
    openings: dict[str, list[dict[str, float]]] = defaultdict(list)
    for step in steps[: moves // 2]:
        for name in ("before", "after"):
            openings[name].append(opening_time(browser, f"{servers[name].address}/{trial.link(step)}"))
    for part in ("answer", "in sight"):
        report(f"{part}, opened", {name: [each[part] for each in all_times] for name, all_times in openings.items()})


def report(part: str, measured: dict[str, list[float]]) -> None:
    """Print the times of one part and the ratio of new to old; a part that no move changed has none."""
    known = {name: [time_in_ms for time_in_ms in times if not np.isnan(time_in_ms)] for name, times in measured.items()}
    line = f"{part:18}"
    for name in ("before", "after", "bare"):
        middle, late = np.percentile(known.get(name) or [np.nan], (50, 95))
        line += " " * 17 if np.isnan(middle) else f"{middle:10.0f} /{late:5.0f}"
    if known.get("before") and known.get("after"):
        line += f"{np.median(known['after']) / np.median(known['before']):8.2f}"
    print(line, flush=True)


def main(names: list[str], before: str, moves: int) -> None:
    with ExitStack() as stack:
        tree: Path = stack.enter_context(checkout(before))
        servers = {name: stack.enter_context(running(folder)) for name, folder in (("before", tree), ("after", ROOT))}
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))
        stack.callback(browser.close)
        print(f"before = {before}; {machine()}")
        for name in names:
            trial = TRIALS[name]
            scale, key = trial.quantity.scale, trial.quantity.key
            at = scale.index(trial.first)
            steps = scale[at : at + WARM_UP + moves + 1]
            with bare(tree, {step: trial.link(step) for step in steps}) as folder, running(folder) as plain:
                print(f"\n{trial.page.name}: {moves} steps of {key}")
                print(f"{'ms, p50 / p95':18}{'before':>17}{'after':>17}{'bare':>17}")
                measure(trial, browser, {**servers, "bare": plain}, moves)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="27aa8069", metavar="COMMIT", help="the commit to compare with")
    parser.add_argument("--moves", type=int, default=20, help="timed steps of each page (default 20)")
    parser.add_argument("page", nargs="*", choices=[*TRIALS, []], help="pages to measure, all if none is named")
    options = parser.parse_args()
    main(options.page or list(TRIALS), options.before, options.moves)
