"""Check every section on every kind of screen: violations of axe, content wider than the screen, overlaps.

Run `python -m tests.benchmarks.screens [FOLDER] [--only TEXT]`, which takes about 15 minutes. With a folder it saves a
screenshot of each. It ends with 1 if there is a finding. The tests look at the first section of four pages.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, sync_playwright
from playwright.sync_api import TimeoutError as NotSeenError

from pages.export.__main__ import QUIET, find_browser
from pages.framework.layout.page import load_page
from pages.shared.site_map import PAGES, REPORT
from tests.browser.conftest import free_port, running_server
from tests.browser.layout import AT_REST, faults, violations

SCREENS = {"laptop": (1280, 720), "phone": (390, 844), "presentation": (1280, 720), "projector": (1920, 1080)}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_READY = ".dp-stage:not([aria-busy]) .st-key-answer p"
_LAID_OUT = """() => {
  const findings = [], visible = (node) => node.getClientRects().length > 0;
  const inside = (node) => !node.closest(".scroll, .dp-sections, .dp-controls, .dp-hidden");
  for (const node of document.querySelectorAll(".dp-stage :is(p, td, th, label, button, a, h1, h2)")) {
    const {left, right} = node.getBoundingClientRect();
    const isCut = right > innerWidth + 1 || left < -1;
    if (isCut && visible(node) && inside(node)) findings.push(`cut: ${node.textContent}`);
  }
  for (const plot of document.querySelectorAll(".dp-plot")) {
    const texts = [...plot.querySelectorAll("text")].filter((node) => node.textContent.trim() && visible(node));
    const boxes = texts.map((node) => [node.textContent, node.getBoundingClientRect()]);
    for (const [place, [name, box]] of boxes.entries()) {
      for (const [other, {left, right, top, bottom}] of boxes.slice(place + 1)) {
        const across = Math.min(right, box.right) - Math.max(left, box.left);
        const down = Math.min(bottom, box.bottom) - Math.max(top, box.top);
        const isUnreadable = across > 2 && down > 0.45 * Math.min(box.height, bottom - top);
        if (isUnreadable) findings.push(`overlap: ${name} | ${other}`);
      }
    }
  }
  const opener = document.querySelector("[data-testid=stExpandSidebarButton]");
  const title = document.createRange();
  title.selectNodeContents(document.querySelector(".dp-question"));
  const left = title.getBoundingClientRect().left;
  if (opener?.getBoundingClientRect().right > left) findings.push("a button lies on the title");
  for (const label of document.querySelectorAll(".dp-field .dp-symbol")) {
    if (label.scrollWidth > label.clientWidth) findings.push(`a label is cut: ${label.textContent}`);
  }
  const answer = document.querySelector(".st-key-answer")?.getBoundingClientRect();
  if (!answer || answer.bottom > innerHeight) findings.push("the answer is not on the first screen");
  return findings;
}"""


def links() -> Iterator[tuple[str, str]]:
    """Yield the name and the link of each section; the report has two items."""
    for entry in PAGES:
        for key in load_page(entry).keys_of_links:
            query = "items=Tables/answer~Tables/mechanisms" if entry == REPORT else f"section={key}"
            yield f"{entry.path or 'Start'}.{key}", f"/{entry.path}?{query}"


def findings(tab: Page, screen: str) -> list[str]:
    """Return the problems of the open page."""
    return [*tab.evaluate(_LAID_OUT), *faults(tab, screen), *violations(tab)]


def check(server: str, folder: Path | None, only: str) -> tuple[int, int]:
    """Print the findings of every section on every screen; return the numbers of checked screens and of findings."""
    looks = total = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=list(QUIET))
        for (screen, (width, height)), scheme in product(SCREENS.items(), SCHEMES):
            tab = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            for name, link in links():
                if only not in name:
                    continue
                look_at(tab, f"{server}{link}{'&present=on' if screen in ('presentation', 'projector') else ''}")
                if folder:
                    tab.screenshot(path=folder / f"{name}.{screen}.{scheme}.png")
                looks += 1
                for finding in findings(tab, screen):
                    total += 1
                    print(f"{name}, {screen}, {scheme}: {finding}", flush=True)
            tab.close()
        browser.close()
    return looks, total


def look_at(tab: Page, address: str) -> None:
    """Open a page, and wait until its charts are drawn and nothing moves."""
    tab.goto(address)
    tab.locator(_READY).first.wait_for()
    with suppress(NotSeenError):  # a section without a chart
        tab.locator(".dp-plot .main-svg").first.wait_for(timeout=3_000)
    tab.evaluate(AT_REST)


def main() -> int:
    """Return 1 if there is a finding."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="for the screenshots")
    parser.add_argument("--only", default="", help="a part of the names, such as Tables.")
    options = parser.parse_args()
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as log, running_server(Path(log) / "log.txt", free_port()) as server:
        looks, total = check(server, options.folder, options.only)
    print(f"{looks} screens, {total} findings")
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
