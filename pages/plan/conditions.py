"""The conditions of a plan: the limits of its queries, and what of it must be fixed in advance."""

import re
from collections.abc import Iterable
from dataclasses import replace

from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import escape_markdown, format_nearest
from pages.plan.links import total_address
from pages.plan.queries import QueryItem
from pages.plan.query_kinds import KINDS
from pages.plan.results import PlanResult, Row
from pages.shared.conditions import ONCE, Subject, has_other_releases, release_conditions


def conditions(result: PlanResult) -> Conditions | None:
    """Return the conditions of the answer; None without a plan."""
    if result.plan is None:
        return None
    subject = replace(_subject(result), release=releases_words(result.setting.periods))
    subject = replace(subject, total_address=total_address(result)) if has_other_releases(result.values) else subject
    has_groups = any(row.item.group for row in result.planned_rows)
    known = release_conditions(result.values, subject)
    return replace(known, assumptions=(_DISJOINT,) if has_groups else ())


_DISJOINT = "the statistics of one group are about different people"


def _subject(result: PlanResult) -> Subject:
    """Return what the conditions are about: the limits of each query, and what must be fixed but unknown groups."""
    limits = _limits_text(result)
    subject = replace(_SUBJECT, limit=limits or ONCE, headline_limit=limits and _SUBJECT.limit)
    subject = replace(subject, confirmed=_ENFORCED if limits else _ONCE)
    groups = [f"“{_plain(row.name)}”" for row in result.planned_rows if KINDS[row.item.kind].has_threshold]
    names, note = " and ".join(groups), _contradiction_note(result)
    if groups and len(groups) == len(result.planned_rows):
        return replace(subject, note_from_data=f"The groups of {names} {_FROM_DATA}.")
    words = _BESIDE_GROUPS if groups else {key: getattr(subject, key) for key in _FIXED}
    if any(KINDS[row.item.kind].has_record_number and not row.item.is_hidden for row in result.planned_rows):
        words = {key: _with_numbers(text) for key, text in words.items()}
    return replace(subject, note=note, **{key: text.format(names=names) for key, text in words.items()})


def _with_numbers(words: str) -> str:
    """Return what must be fixed in advance, with the least numbers of records, which means and shares take as public.

    >>> _with_numbers("ranges and cells were fixed in advance")
    'ranges, cells and record numbers were fixed in advance'
    """
    numbered = words.replace("ranges and cells", "ranges, cells and record numbers")
    return numbered.replace("ranges or cells", "ranges, cells or record numbers")


def _limits_text(result: PlanResult) -> str:
    """Return what one person can change in each query with limits of its own; empty where everybody counts once."""
    rows = result.planned_rows
    limits = [(_plain(row.name), text) for row in rows if (text := _limit_text(row.item))]
    if len(rows) == 1:
        return f"each person counts {limits[0][1]}" if limits else ""
    names = {text: [f"“{name}”" for name, own in limits if own == text] for _, text in limits}
    listed = ", and ".join(f"in {' and '.join(own)} {text}" for text, own in names.items())
    once = "" if len(limits) == len(rows) else "once, but "
    return f"each person counts {once}{listed}" if limits else ""


def _plain(name: str) -> str:
    """Return the name of a query without what Markdown would make of it: conditions are read as text and as Markdown.

    >>> _plain("wait_minutes [x](y)")
    'wait minutes x (y)'
    """
    return " ".join(re.sub(r"[\\`*_\[\]<>&]", " ", name).split())


def _limit_text(item: QueryItem) -> str:
    """Return the limits of a row as part of a sentence; empty where a person counts once.

    >>> from pages.plan.queries import new_item
    >>> _limit_text(replace(new_item("table"), numbers=("60", "6", "1"), cap="4", cap_periods="3"))
    'in at most 6 cells, once each, at most 4 in each of 3 years, each cell of one year'
    >>> _limit_text(new_item("groups")), _limit_text(new_item("count"))
    ('in at most 3 groups, once each', '')
    >>> _limit_text(replace(new_item("sum"), cap="3"))
    'with at most 3 records'
    >>> _limit_text(replace(new_item("sum"), cap="1", cap_periods="2"))
    'with at most 1 record in each of 2 years'
    """
    if KINDS[item.kind].counts_records:
        return f"with at most {item.cap_text.replace(' per person', '')}" if item.records_per_person > 1 else ""
    places, parts = KINDS[item.kind].places, []
    if places is not None:
        k, c = item.texts.get(places.often, ""), item.texts.get(places.most, "1")
        where = f"in at most {k} {places.noun}s" if k not in ("", "1") else f"in one {places.noun}" if k else ""
        each = "once each" if c == "1" else f"at most {c} in each {places.noun}"
        parts = [] if k in ("", "1") and c == "1" else [*filter(None, [where]), each]
    parts += [f"at most {item.cap_text.replace(' per person', '')}"] if item.cap and (parts or item.cap != "1") else []
    is_of_cells = KINDS[item.kind].has_cells and not KINDS[item.kind].has_years_of_records
    parts += ["each cell of one year"] if is_of_cells and item.n_years > 1 else []
    return ", ".join(parts)


def releases_words(periods: float) -> str:
    """Return what the plan counts: the list released once, or so many times.

    >>> releases_words(1.0), releases_words(3.0)
    ('this release', 'these 3 releases')
    """
    return "this release" if periods == 1 else f"these {format_nearest(periods, 7)} releases"


def _contradiction_note(result: PlanResult) -> str:
    """Return that the same number of records is public for one mean or share, and not for another; empty if not so."""
    hidden, name = public_beside(result, (row for row in result.planned_rows if row.item.is_hidden))
    return f"⚠ n is public for “{name}”, but not for “{hidden}”: edit one." if name else ""


def public_beside(result: PlanResult, others: Iterable[Row]) -> tuple[str, str]:
    """Return one of `others` and a mean that takes the number of records of the same group as public, by their names.

    Both are empty where there is no such pair.
    """
    of_group = {row.item.group: row.name for row in reversed(tuple(others))}  # the first of each group
    for row in result.planned_rows:
        if KINDS[row.item.kind].may_hide_records and not row.item.is_hidden and row.item.group in of_group:
            return escape_markdown(of_group[row.item.group]), escape_markdown(row.name)
    return "", ""


_ENFORCED, _ONCE = "Yes: these limits are enforced", "Yes: nobody counts more than once"
_FROM_DATA = "come from the data and are published from a threshold on"
_BESIDE_GROUPS = {
    "fixed": f"the groups of {{names}} {_FROM_DATA}, and all other ranges and cells were fixed in advance",
    "headline_fixed": "all but the groups of {names} was fixed in advance",
    "from_data": "ranges or cells other than the groups of {names} come from the data",
    "risk": "ranges and cells other than the groups of {names} that come from the data reveal people",
    "some": "Some other ranges or cells come from the data",
}
_FIXED = "fixed", "from_data", "question", "risk"
_SUBJECT = Subject(
    limit="the limits per person hold",
    has_limit=True,
    unlimited="nobody limits what one person adds",
    fixed="ranges and cells were fixed in advance",
    from_data="ranges or cells come from the data",
    question="Were the ranges and cells fixed before anybody looked at the data?",
    risk="ranges and cells that come from the data reveal people",
    limit_remedy=Subject.limit_remedy.format(limit="the limits per person hold"),
    remedy="Take them from public knowledge, with those cells that nobody is in. Then:",
)
