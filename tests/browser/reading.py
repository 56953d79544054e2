"""Functions by which tests read and use a page of the app."""

import re
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import Error, Locator, Page, expect

from pages.framework.layout.page import load_page
from pages.framework.link import PICTURE, PRESENT, SITE_PARAMETERS
from pages.gaussian_bounds.page import VIEW
from pages.shared import site_map
from pages.shared.releases import RELEASES

EPSILON = "Privacy loss parameter ε"
DELTA = "Excess probability δ"
SENSITIVITY = "ℓ₂ sensitivity Δ₂, in query units"
CONFIDENCE = "Confidence of the error interval, 1 − significance level"
EPSILON_SLIDER = "← more private · ε · less private →"
DELTA_SLIDER = "← more private · δ · less private →"
SENSITIVITY_SLIDER = "← less noise · Δ₂ · more noise →"
CONFIDENCE_SLIDER = "← narrower · confidence · wider →"
BOUNDS = "How much Gaussian noise does each bound require, and is it proved?"
TRADEOFF = "How much can an attacker learn about one person?"
LAPLACE = "Laplace or Gaussian noise: which has the smaller error?"
ACCURACY = "How accurate is a release, and what does accuracy cost?"
GENERALIZED = "Which shape of noise has the least error?"
TABLES = "Which noise for my table, and which cells remain usable?"
DENOISING = "How much of the noise can denoising remove?"
CLIPPING = "Where should I clip values before they are added up?"
TRAINING = "Which ε does a training have, and which noise does an ε need?"
MEANING = "What does ε mean for one person?"
MEDIAN = "How far off is a private median, and what does that depend on?"
CLASSROOM = "What can I show in front of a class?"
GLOSSARY = "What do the words mean?"
PLAN = "Which noise for several queries, and what total ε?"
SURVEY = "How accurate is a survey in which each person adds the noise?"
SERIES = "How accurate are monthly totals and ranges, and which noise do they need?"
COMPOSITION = "What do many releases cost together?"
PAPERS = "Which published results can be reproduced?"
REPORT = "What goes into my report?"
START = "How much noise protects the people in what you publish?"
SHARED = {"epsilon": "1", "delta": "1e-6", "l2_sensitivity": "1", "significance": "0.05", "picture": "svg"}
SHARED |= {"present": "off"}
OWN = {"section": "bounds", "view": VIEW.default, "pinned": "none"}
CURVES = "here_approx:@green=;!here_gaussian:@blue=;here_laplace:@orange="
TRADEOFF_OWN = {"section": "curves", "curves": CURVES, "alpha": "0.05", "prior": "0.1", "view": "power"}
TRADEOFF_OWN |= {
    "show": "curves",
    "quote": "delta",
    "attack": "none",
    "confidence": "0.95",
    "seed": "1",
    "pinned": "none",
}
RISK_OWN = {"risk": "outcome", "noise": "geometric", "max_power": "0.2", "max_advantage": "0.1", "max_posterior": "0.2"}
RISK_OWN |= {"max_success": "0.92", "max_reconstruction": "0.2", "baseline": "0.05", "sampling_rate": "0.002"}
RISK_OWN |= {"steps": "10000", "releases": RELEASES.default, "per_person": "1", "cells": "1"}
RISK_OWN |= {"contribution": "unknown", "fixed": "unknown", "curator": "unknown", "others": "unknown"}
TRADEOFF_OWN |= RISK_OWN
PAGES = {
    "Start": (START, 10),
    "One number": (ACCURACY, 1),
    "A table": (TABLES, 1),
    "Several statistics": (PLAN, 1),
    "A median": (MEDIAN, 1),
    "A series": (SERIES, 1),
    "A survey": (SURVEY, 2),
    "A trained model": (TRAINING, 1),
    "What ε means": (MEANING, 2),
    "All releases together": (COMPOSITION, 1),
    "Gaussian bounds": (BOUNDS, 1),
    "Generalized Gaussian": (GENERALIZED, 1),
    "Laplace vs Gaussian": (LAPLACE, 1),
    "Trade-off curves": (TRADEOFF, 1),
    "Denoising": (DENOISING, 2),
    "Papers reproduced": (PAPERS, 1),
    "Classroom": (CLASSROOM, 0),
    "Report": (REPORT, 0),
    "Glossary": (GLOSSARY, 0),
}
"""The question of each entry of the navigation, and how many charts its first tab has."""
START_OWN = {"section": "pages", "term": "none"}
PATHS = {f"/{page.path}": PAGES[page.name][1] for page in site_map.PAGES if page.name in PAGES} | {
    "/Clipping": 1,
    "/Ask_the_class": 2,
    "/Tables": 2,
}
"""The address of each page, and how many charts it has."""
LIMIT = 60_000  # milliseconds for a page; the first one of a new server takes half of it on a busy machine
CHANGE_LIMIT = 30_000  # milliseconds for what a page that is open changes
_REST_LIMIT = 20_000  # milliseconds after which a page that does nothing won't become what is waited for
ALL_IN_SIGHT = -1
_PAUSE = 50  # milliseconds; to look at each frame makes the browser draw it

expect.set_options(timeout=CHANGE_LIMIT)

# "" as long as the page may still become settled, "settled" once it is, and what is missing if it never will.
_SETTLED = """([charts, call, restLimit]) => {
  const app = document.querySelector("[data-testid=stApp]"), stage = document.querySelector(".dp-stage");
  const boxes = [...document.querySelectorAll(".dp-plot")];
  const plots = boxes.map(box => box.querySelector(".js-plotly-plot"));
  const isDrawn = plot => plot?._fullLayout?.xaxis?.range && plot.querySelector(".xtick, .point");
  const isFree = app?.dataset.testScriptState === "notRunning" && stage && !stage.hasAttribute("aria-busy");
  const isComplete = isFree && stage.querySelector(".st-key-answer p") && !stage.inert
    && document.querySelector("[data-stale=true], [data-testid=stSkeleton]") === null;
  const inSight = charts < 0 ? plots.filter((_, place) => boxes[place].checkVisibility()) : plots;
  if (isComplete && (charts < 0 || plots.length === charts) && inSight.every(isDrawn)) return "settled";
  const isWaiting = isFree && globalThis.rest?.call === call;
  if (!isWaiting) globalThis.rest = {call, since: performance.now()};
  if (performance.now() - globalThis.rest.since < restLimit) return "";
  const answer = stage.querySelector(".st-key-answer")?.innerText;
  return `${plots.filter(isDrawn).length} of ${plots.length} charts are drawn, where ${charts} are awaited; the page `
    + `is ${isComplete ? "complete" : "incomplete"}; its answer is: ${answer}`;
}"""
_FREE = """() => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
  && document.querySelector(".dp-stage")?.hasAttribute("aria-busy") === false"""
_FOLLOW = """address => {
  History.prototype.pushState.call(history, {}, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
_TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
_CHARTS = """() => [...document.querySelectorAll(".js-plotly-plot")].map(plot => ({
  name: plot.closest("[data-chart]").dataset.chart,
  title: plot.closest("[data-chart]").querySelector(".dp-title").textContent,
  axes: [[...plot._fullLayout.xaxis.range], [...plot._fullLayout.yaxis.range]],
  marks: plot.querySelectorAll(".scatterlayer .js-line, .scatterlayer .point, .hm, .contourlayer path").length,
  alternative: plot.closest("[role=figure]")?.getAttribute("aria-label") ?? "",
}))"""


_calls = count()


def settle(page: Page, charts: int = 1) -> None:
    """Wait until the run has ended and a number of charts is painted, including those below the screen.

    `charts` of `ALL_IN_SIGHT` are as many as the page shows at its setting.

    A page that is at rest without being so fails at once, rather than after the time that a busy one may take.
    """
    arguments = [charts, next(_calls), _REST_LIMIT]
    state = page.wait_for_function(_SETTLED, arg=arguments, timeout=LIMIT, polling=_PAUSE).json_value()
    assert state == "settled", f"{page.url} is at rest: {state}"


def visit(page: Page, address: str, charts: int = 1) -> None:
    page.goto(address)
    settle(page, charts)


def follow(page: Page, address: str, charts: int = 1) -> None:
    """Go to a link inside the open tab, as a link of the app does; a parameter that it leaves out has its default."""
    target = urlsplit(address)
    if not page.url.startswith(f"{target.scheme}://{target.netloc}/"):
        return visit(page, address, charts)
    (entry,) = (page for page in site_map.PAGES if page.path == target.path.strip("/"))
    own = () if "demo=" in target.query else load_page(entry).own_parameters  # which a step of a demonstration has
    defaults = {
        parameter.key: parameter.default for parameter in (*(SITE_PARAMETERS if own else (PICTURE, PRESENT)), *own)
    }
    page.wait_for_function(_FREE, timeout=LIMIT, polling=_PAUSE)  # what is under way would come too late
    query = urlencode(defaults | dict(parse_qsl(target.query, keep_blank_values=True)))
    page.evaluate(_FOLLOW, target._replace(query=query).geturl())
    settle(page, charts)
    page.evaluate(
        _TWO_FRAMES
    )  # in which Streamlit's own fields take over what the run has set, before a test edits them
    return None


def go_to(page: Page, name: str) -> None:
    """Use the navigation at the side."""
    page.get_by_test_id("stSidebar").get_by_role("link", name=name, exact=True).click()
    heading, charts = PAGES[name]
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    settle(page, charts)


def answer(page: Page) -> Locator:
    return page.locator(".st-key-answer p").first


def answer_conditions(page: Page) -> None:
    """Answer the questions before the first answer on own data: once at most, in a list that was fixed."""
    page.get_by_text("No, once at most", exact=True).click()
    page.get_by_text("Yes: fixed before anybody looked at the data", exact=True).click()


def field(page: Page, label: str) -> Locator:
    """Return the field with a label, which may follow its words in sight: "δ · risk: Excess probability δ"."""
    return page.get_by_role("textbox", name=re.compile(f"(^|: ){re.escape(label)}$"))


def slider(page: Page, label: str) -> Locator:
    return page.get_by_role("slider", name=label)


def enter(page: Page, label: str, entry: str) -> None:
    field(page, label).fill(entry)
    field(page, label).press("Enter")


def choose(page: Page, label: str, option: str) -> None:
    """Choose from a list of Streamlit's; open it again if the end of a run closes it."""
    for limit in (*[3_000] * 5, CHANGE_LIMIT):
        page.get_by_label(label).click()
        try:
            return page.get_by_role("option", name=option).click(timeout=limit)
        except Error:
            page.keyboard.press("Escape")
    raise AssertionError(f"{option} of {label} can't be chosen.")


def link(page: Page) -> dict[str, str]:
    """Return the parameters in the address bar."""
    return dict(parse_qsl(urlsplit(page.url).query, keep_blank_values=True))


def expect_link(page: Page, parameters: dict[str, str]) -> None:
    """Wait until the address bar contains exactly these parameters."""
    page.wait_for_url(lambda url: dict(parse_qsl(urlsplit(url).query, keep_blank_values=True)) == parameters)


def charts(page: Page) -> list[dict[str, Any]]:
    """Return the name, title, axis ranges, numbers of lines and points, and texts of every chart."""
    return page.evaluate(_CHARTS)


def expect_fields(page: Page, fields: dict[str, str], sliders: dict[str, str]) -> None:
    """Wait until the fields and sliders with these labels show these values."""
    for label, entry in fields.items():
        expect(field(page, label)).to_have_value(entry)
    for label, step in sliders.items():
        expect(slider(page, label)).to_have_attribute("aria-valuetext", step)


def notices(page: Page) -> list[str]:
    """Return the sentences about unusable links and entries."""
    elements = page.locator(".st-key-link_notice p, .dp-problem, [class*=st-key-problem_] [data-testid=stText]")
    return [sentence for sentence in elements.all_inner_texts() if sentence]


def expect_no_error(page: Page) -> None:
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_text("Traceback")).to_have_count(0)
