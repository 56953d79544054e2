"""Layout problems of a screen: parts below it, small type, long labels, and violations of axe."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# The bottom of each part that must be on the screen; on a phone the controls cover what is below its top.
_PARTS = """() => {
  const box = (part) => document.querySelector(part)?.getBoundingClientRect();
  const controls = box(".dp-controls"), plot = document.querySelector(".dp-lead .dp-plot");
  const scrolls = plot?.scrollHeight > plot?.clientHeight + 1; // a list in its place
  const lead = scrolls ? box(".dp-lead .dp-plot") : box(".dp-lead .dp-plot .main-svg") ?? box(".dp-lead table");
  const bottom = innerWidth <= 640 && controls ? controls.top : innerHeight;
  const bottoms = {
    question: box(".dp-question").bottom,
    answer: box(".st-key-answer").bottom,
    controls: controls && Math.min(controls.bottom, controls.top + 100),
    lead: lead && lead.bottom + innerHeight - bottom,
  };
  return {
    wide: document.documentElement.scrollWidth - innerWidth,
    beyond: [...document.querySelectorAll(".stMain :is(.js-plotly-plot, p, button, .scroll)")]
      .filter((part) => part.getBoundingClientRect().right > innerWidth).map((part) => part.textContent),
    below: Object.keys(bottoms).filter((name) => bottoms[name] > innerHeight + 1),
    tall: box(".dp-stage").height / innerHeight,
    low: lead && lead.height < 200,
  };
}"""
# The labels of fields that need more than two lines, or are cut.
_LONG_LABELS = """() => [...document.querySelectorAll(".dp-field .dp-symbol")].filter((label) => {
  const lines = label.getBoundingClientRect().height / parseFloat(getComputedStyle(label).lineHeight);
  return lines > 2.2 || label.scrollWidth > label.clientWidth;
}).map((label) => label.textContent)"""
# The fields of parameters, in folds too, whose name for speech and screen readers is without the words in sight.
_UNSPOKEN = r"""() => [...document.querySelectorAll(".dp-field")].map((field) => {
  const plain = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();
  const seen = field.querySelector(".dp-symbol")?.cloneNode(true);
  seen?.querySelector(".dp-complement")?.remove();
  const named = field.querySelector(".dp-entry, .dp-select, [role=radiogroup]");
  const spoken = named?.getAttribute("aria-label") ?? seen?.textContent ?? "";
  return [plain(seen?.textContent ?? ""), plain(spoken)];
})"""
_TYPE = """() => [...document.querySelectorAll(".dp-chart :is(svg text, .dp-legend button, .dp-names button, h2, p)")]
  .filter((node) => node.textContent.trim() && node.getClientRects().length)
  .map((node) => [parseFloat(getComputedStyle(node).fontSize), node.textContent])"""
# Fulfilled once the charts in sight have the width of their place and nothing has moved for five frames; a test fails
# that waits for 30 s.
AT_REST = """() => new Promise((atRest, fail) => {
  const end = performance.now() + 30000;
  let before = "", calm = 0;
  const look = () => {
    const parts = [...document.querySelectorAll(".dp-stage, .dp-stage :is(p, table, text, .main-svg)")];
    const now = JSON.stringify(parts.map((part) => part.getBoundingClientRect()));
    const drawn = [...document.querySelectorAll(".js-plotly-plot")]
      .filter((plot) => plot.getBoundingClientRect().top < innerHeight)
      .every((plot) => Math.abs(plot._fullLayout?.width - plot.clientWidth) < 1);
    calm = drawn && document.fonts.status === "loaded" && now === before ? calm + 1 : 0;
    before = now;
    if (calm === 5) atRest();
    else if (performance.now() > end) fail(new Error("the page does not come to rest"));
    else requestAnimationFrame(look);
  };
  look();
})"""
LEAST_TYPE = {"phone": 0, "laptop": 13, "presentation": 18, "projector": 18}
"""The least size of a chart's texts on each screen, in pixels."""
UPLOADER_FAULT = "presentation-role-conflict"
"""The rule of axe that Streamlit's field for a file violates."""


def faults(tab: Page, screen: str) -> list[str]:
    """Return the problems of a section's first screen: parts beyond it, small type, long labels, a tall page."""
    parts = tab.evaluate(_PARTS)
    is_presented = screen in ("presentation", "projector")
    problems = [f"beyond the screen: {text}" for text in parts["beyond"]]
    problems += [f"too small, {size} px: {text}" for size, text in tab.evaluate(_TYPE) if size < LEAST_TYPE[screen]]
    if parts["wide"] > 0:
        problems.append(f"the page is {parts['wide']} px wider than the screen")
    problems += [f"below the screen: {name}" for name in parts["below"] if name == "lead" or not is_presented]
    if not is_presented:
        problems += [f"a long label: {text}" for text in tab.evaluate(_LONG_LABELS)]
        problems += ["the lead picture is less than 200 px high"] if parts["low"] else []
    if screen == "laptop" and parts["tall"] > 2.5:
        problems.append(f"the page is {parts['tall']} screens tall")
    return problems


def unspoken(tab: Page) -> tuple[int, list[str]]:
    """Return how many fields a page has, and those whose name does not contain the words in sight (WCAG 2.5.3)."""
    names = tab.evaluate(_UNSPOKEN)
    return len(names), [f"{seen} | {spoken}" for seen, spoken in names if not seen or seen not in spoken]


def run_axe(tab: Page) -> list[dict[str, Any]]:
    """Return the rules of axe that a page violates.

    A list of what satisfies the others, and the search for frames, films and sound, which no page has, take two fifths
    of its time.
    """
    assert tab.locator("iframe, frame, video, audio").count() == 0
    options = {"resultTypes": ["violations"], "iframes": False, "preload": False}
    return Axe().run(tab, options=options).response["violations"]


def violations(tab: Page) -> list[str]:
    """Return the violations of axe on a page, one text for each element and rule.

    The one of Streamlit's field for a file is not in it: such a field is there where the tab has opened it before.
    """
    nodes = [(rule["id"], node) for rule in run_axe(tab) for node in rule["nodes"]]
    own = [
        (rule, node) for rule, node in nodes if rule != UPLOADER_FAULT or "stFileUploaderDropzone" not in node["html"]
    ]
    return [f"axe, {rule}: {node['html']} {node['failureSummary']}" for rule, node in own]
