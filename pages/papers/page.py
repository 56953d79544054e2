"""The page of the papers whose figures and experiments are reproduced: a gallery, and each result from its picture."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pages.framework.export.exhibit import Colours, Figure
from pages.framework.layout.page import Page, merged_section, picture_choice
from pages.framework.layout.section import Card, Cards, Part, Section
from pages.papers.balle_means import section as balle_means
from pages.papers.balle_variance import section as balle_variance
from pages.papers.liu_exponential import section as liu_exponential
from pages.papers.liu_pdp import section as liu_pdp
from pages.papers.liu_tables import section as liu_tables
from pages.papers.liu_tails import section as liu_tails
from pages.papers.parameters import PARAMETERS, correct
from pages.papers.results import PapersResult, compute_result
from pages.shared.page_links import Link, shared_entries
from pages.shared.site_map import PAPERS

RESULTS = tuple(
    module.SECTION for module in (balle_variance, balle_means, liu_pdp, liu_tails, liu_tables, liu_exponential)
)
_HEIGHT = 170  # px
_LONGEST_TITLE = 24  # letters of a vertical axis of this height
_LEAST_STEP = 0.12  # between two marks of this axis, as a share of it
_KEPT = "xaxis", "yaxis", "xaxis2", "yaxis2", "barmode", "title", "font", "paper_bgcolor", "plot_bgcolor"


def cards(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the gallery: the lead picture of each result, small, with its answer."""
    yield Cards([card for section in RESULTS if (card := _card(section, result, colours)) is not None])


def _card(section: Section[PapersResult], result: PapersResult, colours: Colours) -> Card | None:
    """Return the lead picture of a result as a card that opens it; None where it has none at this setting."""
    picture = section.exhibits[0](result, colours)
    if picture is None or isinstance(picture.picture, str):
        return None
    entries = shared_entries(result.setting) | {"section": "results", SHOW.key: section.key}
    small = replace(picture, picture=_small_figure(picture.picture))
    return Card(section.name, Link(PAPERS, section.name, entries).address, section.answer_text(result)[0], small)


def _small_figure(figure: Figure) -> Figure:
    """Return a picture for a few centimetres: without labels, handles and the names of its curves."""
    layout: dict[str, Any] = {key: value for key, value in figure["layout"].items() if key in _KEPT}
    layout |= {"height": _HEIGHT, "hovermode": False, "showlegend": False, "annotations": [], "shapes": []}
    layout |= {"margin": {"l": 54, "r": 14, "t": 12, "b": 2}, "yaxis": _short_axis(layout["yaxis"])}
    return {"data": [trace | {"hoverinfo": "skip"} for trace in figure["data"]], "layout": layout}


def _short_axis(axis: dict[str, Any]) -> dict[str, Any]:
    """Return a vertical axis without a title that is longer than it, and without marks that would touch."""
    title = axis["title"] if len(axis["title"]["text"]) <= _LONGEST_TITLE else {"text": ""}
    if "tickvals" not in axis:
        return axis | {"title": title}
    low, high = axis["range"]
    is_log, free = axis.get("type") == "log", -math.inf
    marks: list[tuple[float, str]] = []
    for value, text in zip(axis["tickvals"], axis.get("ticktext", axis["tickvals"]), strict=True):
        place = ((math.log10(value) if is_log else value) - low) / (high - low)
        if place >= free:
            marks.append((value, text))
            free = place + _LEAST_STEP
    return axis | {"title": title, "tickvals": [value for value, _ in marks], "ticktext": [text for _, text in marks]}


def gallery_answer(result: PapersResult) -> tuple[str, ...]:
    """Return what the gallery shows, and how a result is opened."""
    setting = result.setting.guarantee_text
    first = f"Six results of Balle & Wang 2018 and Liu 2019, computed again at {setting}."
    return first, "Click a picture to open its result, with its settings, its numbers and what is wrong in the paper."


GALLERY = Section[PapersResult](
    key="all", name="All six", controls=lambda _: (), parts=cards, answer_text=gallery_answer
)
SHOW = picture_choice("show", {section.key: section.name for section in (GALLERY, *RESULTS)}, older_default="variance")

PAGE = Page(
    PAPERS,
    (SHOW, *PARAMETERS),
    compute_result,
    sections=(
        replace(
            merged_section("Results", SHOW, (GALLERY, *RESULTS), lambda result: result.values["show"], key="results"),
            former={section.key: {SHOW.key: section.key} for section in RESULTS},
        ),
    ),
    correct=correct,
)
