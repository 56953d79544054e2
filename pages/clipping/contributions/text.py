"""The sentences of the section "Contributions"."""

from dpcore.families import FAMILIES
from pages.clipping.bounds.text import ratio_text
from pages.clipping.parameters import NOISE_NAMES
from pages.clipping.results import ClippingResult, ContributionsResult
from pages.framework.parameters.number_format import (
    escape_markdown,
    exact_text,
    format_input_down,
    format_input_up,
    format_nearest,
    percent_up,
    plural,
)
from pages.shared import statements
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import and_delta, guarantee_words
from pages.shared.site_map import TABLES
from pages.shared.values.parameters import VALUES_BOX, amount_up, unit_after

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
    return statements.steps_text(
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
