"""The section on how many records of one person to keep; statements have the limit as entered, and no data."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore.families import FAMILIES
from dpcore.mechanism import NoiseDistribution
from pages.clipping import code
from pages.clipping.bounds.exhibits import LEAD_HEIGHT, error_lines, ring
from pages.clipping.contributions import text
from pages.clipping.parameters import (
    DROPPING,
    EXPONENT,
    LIMIT,
    LIMIT_ERROR,
    MEAN_RECORDS,
    MOST_RECORDS,
    NOISE,
    PEOPLE,
    SPREAD,
)
from pages.clipping.results import ClippingResult, ContributionsResult
from pages.clipping.text import limit_conditions, presets_text
from pages.framework.chart.theme import decades, hairline, hover_head, layout, line, log_axis, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.offers import Statements
from pages.framework.layout.section import Field, Fold, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import chart_text, format_input_up, percent_up, plural, without_markdown
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.table import CELLS
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE
from pages.shared.statements import Release, off_by, release_statements
from pages.shared.values.parameters import N_RECORDS, SOURCE_FIELD, amount, amount_up

_COMPOSED = "composed over the cells of one person, each step rounded up"


def statements(result: ClippingResult) -> Statements | None:
    """Return the statements at the best limit or, for the user's own data, at the limit that the user enters."""
    limits, setting = result.contributions, result.setting
    if limits is None:
        return None
    limit, error = limits.stated
    cells, family = int(setting.cells), FAMILIES[setting.noise]
    limited = f"Of each person at most {plural(limit, 'record counts', 'records count')}, chosen at random"
    if setting.dropping == "weight":
        limited = f"Each person counts as at most {plural(limit, 'record')}, by equal weights of the records"
    counts = "the one count before it is" if cells == 1 else f"each of the {cells:,} counts before they are"
    scale, is_apart = float(error.noise_scale), limits.is_apart(limit)
    composed = is_apart and limit > 1 and not family.pure and setting.noise != "gaussian"
    release = Release(
        noise=f"{limited}. Random noise is added to {counts} published",
        error=_error(setting.noise, scale, setting.significance),
        mechanism=f"{family.words} noise, scale {amount_up(scale)}, drawn anew for each cell; one person changes "
        f"{plural(limit, 'cell') if is_apart else 'one cell'} by {1 if is_apart else f'{limit:,}'} at most",
        proof=f"{family.calibration.theorem}{f', {_COMPOSED}' if composed else ''}",
        epsilon=format_input_up(setting.epsilon),
        delta="" if setting.noise_delta is None else format_input_up(setting.noise_delta),
    )
    return release_statements(release, limit_conditions(result))


def _error(family: str, scale: float, significance: float) -> tuple[str, str]:
    """Return the error of the noise alone, which does not depend on the data; none for truncated noise."""
    if FAMILIES[family].truncated:
        return "", ""
    half_width, exact = NoiseDistribution(family, (scale,), scale).half_width(significance), "the count of what is kept"
    return off_by("any one published count", half_width, significance, exact=exact, is_at_least=True)


_NAMES = {"best": "Least error", "yours": "Your limit", "most": "No record dropped"}
_ERROR_NAMES = {
    "cell_error": "error of one cell (records)",
    "total_error": "error of the total (records)",
    "all_half_width": "± of all cells at once (records)",
}
_COLUMNS = {
    "dropped": ("Records dropped", amount),
    "dropped_share": ("Share dropped", percent_up),
    "noise_scale": ("Noise scale", amount_up),
    "cell_error": ("Error of one cell", amount_up),
    "total_error": ("Error of the total", amount_up),
    "cell_half_width": ("± of one cell", amount_up),
    "all_half_width": ("± of all cells", amount_up),
}  # of the table: the names of the errors, their heads, and their forms


def limits_frame(result: ContributionsResult) -> pd.DataFrame:
    """Return the limits that one may choose, and the errors at each."""
    frame = {"choice": list(result.choices), "limit": list(result.choices.values())}
    return pd.DataFrame(frame | {name: getattr(result.choice_errors, name) for name in _COLUMNS})


def table_html(result: ContributionsResult) -> str:
    """Return the limits as an accessible HTML table."""
    heads = ["Limit", "Records per person r", *(head for head, _ in _COLUMNS.values())]
    rows = [
        [_NAMES[row["choice"]], f"{row['limit']:,}", *(form(row[name]) for name, (_, form) in _COLUMNS.items())]
        for row in limits_frame(result).to_dict("records")
    ]
    return number_format.table_html("Contribution limits and what each costs", "readings", heads, rows)


def error_curve(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the error over the limit, with its bias and noise, the least, and the user's limit."""
    limits = result.contributions
    if limits is None:
        return None
    curve, errors = limits.curve, limits.curve["error"].to_numpy()
    first, last = decades(99, -99, float(errors.min()), float(errors.max()))
    y = log_axis(_ERROR_NAMES[result.setting.limit_error], first - 1, min(last, first + 3))
    figure = _figure(limits, "Error over the limit", text.noise_words(result), y, colours)
    shade = colours[FAMILIES[result.setting.noise].calibration.key]
    pinned = None if result.pinned is None else result.pinned.contributions
    traces = [] if pinned is None else [pinned_curve(pinned.curve["limit"], pinned.curve["error"], colours)]
    traces += error_lines(curve, "limit", "bias: what is dropped", shade, colours)
    traces.append(ring(limits.best_limit, limits.chosen_error(limits.best), "least error", shade))
    alternative = without_markdown(" ".join(text.answer_sentences(result, limits)))
    about = _header(result), ("limit", ""), result.setting.confidential
    return Exhibit("limit_error", {"data": traces, "layout": figure}, alternative, curve, *about)


def dropped_share(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the share of the records that each limit drops, with that of the best limit."""
    limits = result.contributions
    if limits is None:
        return None
    y = {"range": [0, 1.03], "tickformat": ".0%", "title": {"text": "share of the records"}}
    figure = _figure(limits, "Records that the limit drops", text.people_words(result), y, colours)
    share = line(limits.curve["limit"], limits.curve["dropped_share"], "dropped", colours["quiet"], "solid")
    share |= {"fill": "tozeroy", "fillcolor": colours["floor"], "hovertemplate": "%{y:.2~%}"}
    shade = colours[FAMILIES[result.setting.noise].calibration.key]
    best = ring(limits.best_limit, limits.best.dropped_share, "least error", shade)
    about = _header(result), ("limit", ""), result.setting.confidential
    picture = {"data": [share, best], "layout": figure}
    return Exhibit("dropped", picture, text.dropped_text(limits), limits.curve, *about)


def _figure(limits: ContributionsResult, title: str, subtitle: str, y: dict[str, Any], colours: Colours) -> Figure:
    """Return the layout of a chart over the limit, with a handle at the user's limit."""
    last = float(limits.curve["limit"].iloc[-1])
    x = log_axis("limit r of records per person", 0, decades(0, 1, last)[1]) | hover_head("r")
    x |= {"range": [-0.03, np.log10(last) + 0.03]}
    figure = layout(colours, title, chart_text(subtitle), x, y) | {"height": LEAD_HEIGHT}
    hairline(figure, colours, limits.limit, f"r = {limits.limit:,}", "limit")
    return figure


def choices(result: ClippingResult, _: Colours) -> Exhibit | None:
    """Return the table of the limits that one may choose."""
    limits = result.contributions
    if limits is None:
        return None
    about = _header(result), ("", ""), result.setting.confidential
    return Exhibit("limits", table_html(limits), text.table_text(limits), partial(limits_frame, limits), *about)


def _header(result: ClippingResult) -> dict[str, str]:
    setting = result.setting
    keys = ["epsilon", "delta", "significance", "noise", "cells", "limit", "spread", "dropping", "limit_error"]
    if not setting.is_own:
        keys += ["people", "n_records", *text.SHAPE_KEYS[setting.people]]
    entries = setting.texts(*keys)
    return entries | {"units": "limits, errors and biases in records; shares of all records; epsilon in nats"}


_N_PEOPLE = Field(
    N_RECORDS,
    "n · number of people",
    "How many people have records. It need not be exact: the best limit changes slowly with it.",
)


def controls(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the records of a person, the user's limit, the number of cells and ε."""
    if result.has_no_values:
        return (SOURCE_FIELD,)
    people = {"geometric": (MEAN_RECORDS, _N_PEOPLE), "zipf": (EXPONENT, MOST_RECORDS)}[result.setting.people]
    return SOURCE_FIELD, *(() if result.setting.is_own else people), LIMIT, CELLS, EPSILON


def more_settings(result: ClippingResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the shape of the records, the noise, and what is dropped how."""
    setting = result.setting
    if result.has_no_values:
        return ()
    n_people = (_N_PEOPLE,) if setting.people == "zipf" else ()
    people = () if setting.is_own else (Field(PEOPLE, "Records"), *n_people)
    whole = " (whole counts: at random only)" if FAMILIES[setting.noise].whole else ""
    fields = (LIMIT_ERROR, "Error to minimise"), (SPREAD, "Records of a person"), (DROPPING, f"What is dropped{whole}")
    delta = () if FAMILIES[setting.noise].pure else (DELTA,)
    choices = (Field(parameter, label) for parameter, label in fields)
    return *people, Field(NOISE, "Noise"), *delta, *choices, SIGNIFICANCE


def parts(result: ClippingResult, colours: Colours) -> Iterator[Part]:
    """Yield the error over the limit, the warning, the choices, the share that is dropped, and what follows."""
    limits = result.contributions
    yield error_curve(result, colours)
    if limits is None:
        return
    yield text.LEAK
    yield text.steps_text(result, limits)
    yield Fold(lambda: (choices(result, colours),), "Compare the limits in numbers")
    yield Fold(lambda: (dropped_share(result, colours),), "What each limit drops")
    sampler = WHOLE_SAMPLER if FAMILIES[result.setting.noise].whole else SAMPLER
    yield Fold((sampler,), "How to draw the noise")
    yield text.links_text(result, limits)
    yield presets_text(result, "contributions", text.PRESETS)


SECTION = Section[ClippingResult](
    key="contributions",
    name="Records per person",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda result: text.EXPLANATION,
    conditions=limit_conditions,
    subject="records",
    exhibits=(error_curve, dropped_share, choices),
    claims=code.limit_claims,
    snippets=code.limit_snippets,
    statements=statements,
    downloads=lambda result: code.limit_downloads(result, statements),
    has_statements=lambda result: result.contributions is not None,
)
