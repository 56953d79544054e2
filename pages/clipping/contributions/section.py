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
from pages.clipping.bounds.text import ratio_text
from pages.clipping.parameters import (
    DROPPING,
    EXPONENT,
    LIMIT,
    LIMIT_ERROR,
    MEAN_RECORDS,
    MOST_RECORDS,
    NOISE,
    NOISE_NAMES,
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
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    exact_text,
    format_input_down,
    format_input_up,
    format_nearest,
    percent_up,
    plural,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.shared import statements as shared_statements
from pages.shared.counts.table import CELLS
from pages.shared.formulas import SAMPLER, WHOLE_SAMPLER
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE, and_delta, guarantee_words
from pages.shared.site_map import TABLES
from pages.shared.statements import Release, off_by, release_statements
from pages.shared.values.parameters import N_RECORDS, SOURCE_FIELD, VALUES_BOX, amount, amount_up, unit_after

MISSING = (
    "Your own numbers of records are missing: the link does not contain them.",
    f"[Upload or paste your data](#{VALUES_BOX}), or choose a distribution.",
)
SHAPE_KEYS = {"geometric": ("mean_records",), "zipf": ("exponent", "most_records")}
_ERRORS = {
    "cell_error": "an error of **{}** {} in one cell",
    "total_error": "an error of **{}** {} in the total",
    "all_half_width": "**±{}** {} in all cells at once",
}
LEAK = (
    "**⚠ A limit taken from confidential data leaks:** the largest number of records, and the best limit for your own "
    "data, reveal something about them. Decide it from **public knowledge** (a month has 31 days), from an **older "
    "release**, or from a **private release** of the numbers of records, which costs a part of ε. Enforce the limit "
    "before you count: noise for r records does not protect a person who has more."
)
PRESETS = (
    (
        "Doctor visits",
        {"people": "geometric", "mean_records": "5.4", "n_records": "10000", "limit": "50", "cells": "12"},
        "United States 2010, 5.4 visits to medical providers a year for each person aged 18 to 64 with at least one "
        "(U.S. Census Bureau, Health Status, Health Insurance, and Medical Services Utilization: 2010)",
    ),
)
EXPLANATION = r"""
A limit of r records for one person drops $\sum(n_i-r)_+$ of the records, which is the **bias** of the total, and
requires noise for what r records change.

- In **different cells**, a person changes r cells by 1 each: $\Delta_1=r$, $\Delta_2=\sqrt r$. If all may be in **one
  cell**, $\Delta=r$; this is also used if r exceeds the number of cells.
- **At random**, each of the $n_i>r$ records of a person stays with probability $r/n_i$, which adds a variance of
  $n_i\frac{r}{n_i}\left(1-\frac{r}{n_i}\right)$. **By weight**, each counts $r/n_i$: no variance, but counts are not
  whole.
- **One cell**: the root mean square error with the average bias of the cells. **The total**: that of the sum of all
  cells. **All cells at once**: the half-width that holds for all cells together in the stated share of releases. In
  every ± the number of dropped records of a cell is normal about its average.
- The numbers of records are **geometric** from 1 on, with the share $(1-q)\,q^{j-1}$ of people with j records,
  $q=1-1/\mathrm{mean}$; or a share $\propto j^{-\mathrm{exponent}}$ has j records, up to the most (Zipf). Of a
  distribution all numbers are averages.

Limits up to the most records of a person are compared: all, or 400 in geometric steps and then all between the
neighbours of the best (compare Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019, ICML). The noise scale and the errors
are rounded up. The biases of the cells are taken as equal: if the records are concentrated in a few cells, the biases
there are larger.
"""


def answer_text(result: ClippingResult) -> tuple[str, ...]:
    """Return the best limit, its error, what is dropped, and the error at the user's limit; or what is missing."""
    limits = result.contributions
    if limits is None:
        problem = result.problem or result.records_problem
        return (escape_markdown(problem), MISSING[1]) if problem else MISSING
    sentences = answer_sentences(result, limits)
    pinned = None if result.pinned is None else result.pinned.contributions
    if result.pinned is None or pinned is None:
        return sentences
    error = _least_error_words(pinned)
    words = escape_markdown(f"{noise_words(result.pinned)}, {people_words(result.pinned)}")
    return *sentences, f"Pinned: r = {pinned.best_limit:,} leaves {error}, {words}."


def answer_sentences(result: ClippingResult, limits: ContributionsResult) -> tuple[str, ...]:
    """Return the two sentences of the answer."""
    limit = f"**{limits.best_limit:,}** {'record' if limits.best_limit == 1 else 'records'}"
    guarantee = guarantee_words(result.setting.epsilon, result.setting.noise_delta)
    first = f"Keeping {limit} per person leaves {_least_error_words(limits)}{guarantee}."
    share_dropped = float(limits.best.dropped_share)
    dropped = f"{percent_up(share_dropped)} of the records" if share_dropped else "no record"
    second = f"{_assumed_words(result)}, it drops {dropped}"
    if result.setting.is_own:
        second = (
            "⚠ This limit comes from your own data and reveals something about them: keep to one chosen without them"
        )
    return first, f"{second}; at your limit of {limits.limit:,} the error is {ratio_text(limits.ratio)}."


def _least_error_words(limits: ContributionsResult) -> str:
    size = amount_up(float(limits.chosen_error(limits.best)))
    return _ERRORS[limits.setting.limit_error].format(size, unit_after(size, "records"))


def _assumed_words(result: ClippingResult) -> str:
    """Return the distribution of the numbers of records in plain words, as a condition."""
    if result.setting.people == "geometric":
        mean = format_input_down(result.setting.mean_records)
        return f"If people have {mean} {unit_after(mean, 'records')} on average"
    return "If a few people have many records"


def noise_words(result: ClippingResult) -> str:
    """Return the noise, the guarantee and the table in words."""
    setting = result.setting
    guarantee = f"ε = {format_input_up(setting.epsilon)}{and_delta(setting.noise_delta)}"
    return f"{NOISE_NAMES[setting.noise]} noise, {guarantee}, {plural(int(setting.cells), 'cell')}"


def people_words(result: ClippingResult) -> str:
    """Return the people and their numbers of records in words; of the user's own nothing but their name."""
    setting = result.setting
    if setting.is_own:
        return "own data"
    people = f"{int(setting.n_records):,} people"
    if setting.people == "geometric":
        return f"{people}, geometric numbers of records, mean {format_input_down(setting.mean_records)}"
    exponent = format_input_down(setting.exponent)
    return f"{people}, Zipf numbers of records, exponent {exponent}, at most {int(setting.most_records):,}"


def dropped_text(limits: ContributionsResult) -> str:
    """Return what the chart of the dropped records shows."""
    best, yours = (percent_up(float(error.dropped_share)) for error in (limits.best, limits.yours))
    return (
        f"Share of the records that each limit drops: {best} at the best limit of {limits.best_limit:,}, {yours} at "
        f"your limit of {limits.limit:,}."
    )


def table_text(limits: ContributionsResult) -> str:
    """Return what the table of limits shows."""
    return (
        f"The best limit, {limits.best_limit:,}, your limit and the one that drops nothing, {limits.most:,}, with what "
        "each drops, its noise and its errors."
    )


def steps_text(result: ClippingResult, limits: ContributionsResult) -> str:
    """Return what to do in three steps, with the best limit or, of the user's own data, the one that is entered."""
    setting, (limit, error) = result.setting, limits.stated
    limit_step = f"Keep at most {plural(limit, 'record')} of each person, chosen at random"
    if setting.dropping == "weight":
        limit_step = f"Let each person count as at most {plural(limit, 'record')}, by equal weights of the records"
    return shared_statements.steps_text(
        f"{limit_step}, before anything is counted.",
        f"**Add {FAMILIES[setting.noise].words} noise of scale {amount_up(float(error.noise_scale))}** to every cell, "
        "the empty ones too.",
        f"Publish all cells with the limit, ε = {format_input_up(setting.epsilon)}{and_delta(setting.noise_delta)} and "
        "the conditions.",
    )


def links_text(result: ClippingResult, limits: ContributionsResult) -> str:
    """Return the link that takes the limit to Tables: the best one, or the user's for own data."""
    setting, (limit, _) = result.setting, limits.stated
    k, c = map(float, limits.person_at(limit))
    person = {"per_person": exact_text(k), "per_cell": exact_text(c)}
    table = {"table": "size", "cells": exact_text(setting.cells)} | person
    link = Link(TABLES, TABLES.name, shared_entries(setting) | table)
    note = " The best limit of your own data is in no link: enter there the limit that you decide." * setting.is_own
    name = "your limit" if setting.is_own else "this limit"
    values = f"k = {format_nearest(k)} and c = {format_nearest(c)}"
    return f"**Go on with {name}**, {format_nearest(limit)}: open {link.markdown} with {values}.{note}"


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
    figure = _figure(limits, "Error over the limit", noise_words(result), y, colours)
    shade = colours[FAMILIES[result.setting.noise].calibration.key]
    pinned = None if result.pinned is None else result.pinned.contributions
    traces = [] if pinned is None else [pinned_curve(pinned.curve["limit"], pinned.curve["error"], colours)]
    traces += error_lines(curve, "limit", "bias: what is dropped", shade, colours)
    traces.append(ring(limits.best_limit, limits.chosen_error(limits.best), "least error", shade))
    alternative = without_markdown(" ".join(answer_sentences(result, limits)))
    about = _header(result), ("limit", ""), result.setting.confidential
    return Exhibit("limit_error", {"data": traces, "layout": figure}, alternative, curve, *about)


def dropped_share(result: ClippingResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the share of the records that each limit drops, with that of the best limit."""
    limits = result.contributions
    if limits is None:
        return None
    y = {"range": [0, 1.03], "tickformat": ".0%", "title": {"text": "share of the records"}}
    figure = _figure(limits, "Records that the limit drops", people_words(result), y, colours)
    share = line(limits.curve["limit"], limits.curve["dropped_share"], "dropped", colours["quiet"], "solid")
    share |= {"fill": "tozeroy", "fillcolor": colours["floor"], "hovertemplate": "%{y:.2~%}"}
    shade = colours[FAMILIES[result.setting.noise].calibration.key]
    best = ring(limits.best_limit, limits.best.dropped_share, "least error", shade)
    about = _header(result), ("limit", ""), result.setting.confidential
    picture = {"data": [share, best], "layout": figure}
    return Exhibit("dropped", picture, dropped_text(limits), limits.curve, *about)


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
    return Exhibit("limits", table_html(limits), table_text(limits), partial(limits_frame, limits), *about)


def _header(result: ClippingResult) -> dict[str, str]:
    setting = result.setting
    keys = ["epsilon", "delta", "significance", "noise", "cells", "limit", "spread", "dropping", "limit_error"]
    if not setting.is_own:
        keys += ["people", "n_records", *SHAPE_KEYS[setting.people]]
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
    yield LEAK
    yield steps_text(result, limits)
    yield Fold(lambda: (choices(result, colours),), "Compare the limits in numbers")
    yield Fold(lambda: (dropped_share(result, colours),), "What each limit drops")
    sampler = WHOLE_SAMPLER if FAMILIES[result.setting.noise].whole else SAMPLER
    yield Fold((sampler,), "How to draw the noise")
    yield links_text(result, limits)
    yield presets_text(result, "contributions", PRESETS)


SECTION = Section[ClippingResult](
    key="contributions",
    name="Records per person",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda result: EXPLANATION,
    conditions=limit_conditions,
    subject="records",
    exhibits=(error_curve, dropped_share, choices),
    claims=code.limit_claims,
    snippets=code.limit_snippets,
    statements=statements,
    downloads=lambda result: code.limit_downloads(result, statements),
    has_statements=lambda result: result.contributions is not None,
)
