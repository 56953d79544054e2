"""Links from a plan: its releases as a list in Composition, a query of it on its own page, and lists to begin with."""

import math
from urllib.parse import quote

from dpcore.checks import interval_bounds
from dpcore.composition import Release
from dpcore.plan import PURE_MECHANISMS
from pages.framework.link import ASIDE
from pages.framework.parameters.number_format import escape_markdown, exact_text
from pages.plan.quantities import CAP
from pages.plan.queries import QueryItem
from pages.plan.query_kinds import KINDS
from pages.plan.results import PlannedQuery, PlanResult, PlanSetting
from pages.shared.conditions import CATEGORIES, CONTRIBUTION, CURATOR
from pages.shared.counts.table import N_PERIODS, PER_CELL, PER_PERSON, PER_TOTAL
from pages.shared.page_links import Link, shared_entries
from pages.shared.releases import KINDS as LINE_KINDS
from pages.shared.releases import MAX_COUNT, SIGMA_RANGE, STEPS, STEPS_RANGE
from pages.shared.site_map import COMPOSITION, PLAN

_MOST_RUNS, _MOST_STEPS, _MOST_NOISE, _MOST_LOSS = MAX_COUNT, interval_bounds(STEPS_RANGE)[1], 1e6, 1e3  # of a line
_MOST_CELLS = 10**6  # of one person in Tables; with a limit in all more make no difference
_LEAST_SIGMA = interval_bounds(SIGMA_RANGE)[0]
_GROUPS_NOTE = " (where one person counts as being in every query of a group, so that the total is larger)"
PRESETS = {
    "clinic": {
        "promise": "delta",
        "queries": "!histogram:20,23=Patients by district;mean:1,0,100,2000=Mean age in years;"
        "quantile:2,0.5,0,600,1,30,84,2000=Median waiting time in minutes;sum:40000,0,5000=Total costs in €;"
        "each:20,36,12,4*cap:4,periods:3=Monthly visits;groups:100,12,1=Diagnosis codes",
    },
    "census": {
        "direction": "total",
        "epsilon": "2",
        "queries": "!count:20=Total;table:60,36,1,1*all=Age by sex;histogram:40,16*all=Regions",
    },
    "survey": {
        "queries": "!mean:0.5,0,10,3000=Satisfaction;mean:2,0,80,3000=Hours worked;mean:60,0,5000,3000=Income;"
        "proportion:0.02,3000=Share with children"
    },
    "monthly numbers": {
        "periods": "12",
        "queries": "!count:40=New customers;histogram:60,8=By region;sum:4000,0,500=Sales",
    },
}
"""The settings of the lists to begin with, by their names."""


def preset_links(setting: PlanSetting) -> list[str]:
    """Return the links to the lists to begin with, in Markdown."""
    start = {"direction": "errors", "periods": "1", "factor": "1"}
    return [Link(PLAN, name, shared_entries(setting) | start | entries).markdown for name, entries in PRESETS.items()]


def composition_link(result: PlanResult) -> str:
    """Return the link to the releases as a list in Composition; empty where a line is outside its limits."""
    link, groups = _list_link(result), result.plan and any(query.group for query in result.plan.queries)
    return "" if link is None else f"{link.markdown}{_GROUPS_NOTE if groups else ''}"


def total_address(result: PlanResult) -> str:
    """Return the address of the releases as a list in Composition, or of its sample where it takes no such list."""
    return (_list_link(result) or Link(COMPOSITION, COMPOSITION.name, {})).address


def _list_link(result: PlanResult) -> Link | None:
    lines = _lines(result)
    if result.plan is None or None in lines:
        return None
    thresholds = result.plan.lines[len(result.plan.releases) :]
    lines += [f"approx:0,{exact_text(line.numbers[1])}*{line.count}=Threshold" for line in thresholds]
    entries = shared_entries(result.setting) | {"section": "together", "releases": f"!{';'.join(map(str, lines))}"}
    entries |= {"delta": exact_text(result.setting.delta)}
    entries |= {"accountant": "basic" if result.setting.plan_delta == 0 else "exact"}
    return Link(COMPOSITION, f"open the releases as a list in {COMPOSITION.name}", entries)


def unlisted_text(result: PlanResult) -> str:
    """Return why Composition has no such list; empty where it has."""
    lines = _lines(result)
    return _limit_text(result.planned_queries[lines.index(None)]) if None in lines else ""


def _lines(result: PlanResult) -> list[str | None]:
    """Return the lines of the list in Composition, None for one that it cannot have."""
    releases = () if result.plan is None else result.plan.releases
    return [_line(part, release) for part, release in zip(result.planned_queries, releases, strict=True)]


def _limit_text(part: PlannedQuery) -> str:
    """Return which limit of a line of Composition a query exceeds."""
    name = escape_markdown(part.row.name)
    if part.query.largest > _MOST_STEPS and part.query.whole:
        reason = f"one person may move a number of {name} by more than {_MOST_STEPS:g}"
    else:
        reason = f"the noise of {name} is outside its limits"
    return f"{COMPOSITION.name} takes no such list: {reason}."


def _line(part: PlannedQuery, release: Release) -> str | None:
    """Return a release as a line of Composition with the same losses; None where it has no such line."""
    first, steps, kind = release.numbers[0], part.query.largest, release.kind
    if kind == "guarantee" and part.noise.family == "geometric" and part.query.n_moved:
        kind = "geometric"  # that moves by one step
    name = {"guarantee": "pure", "discrete_gaussian": "discrete"}.get(kind, kind)
    has_steps = any(quantity.key == STEPS.key for quantity in LINE_KINDS[name].quantities)
    least = _LEAST_SIGMA if kind == "discrete_gaussian" else 1e-9
    most = _MOST_NOISE if kind == "gaussian" else _MOST_LOSS
    if release.count > _MOST_RUNS or not least <= first <= most or (has_steps and steps > _MOST_STEPS):
        return None
    numbers = exact_text(first) + (f",{exact_text(steps)}" if has_steps else "")
    count = "" if release.count == 1 else f"*{release.count}"
    return f"{name}:{numbers}{count}={quote(part.row.name, safe='')}"


def query_link(result: PlanResult) -> str:
    """Return the link to the chosen query on the page that answers it alone, whose ε does not become that of the plan.

    It is empty where the query is left out, and where its number of records is not public, which no page has alone.
    """
    chosen = result.rows[result.chosen_position]
    item, kind, own = chosen.item, KINDS[chosen.item.kind], KINDS[chosen.item.kind].own_page
    places = {part.row.name: place for place, part in enumerate(result.planned_queries)}
    place = places.get(chosen.name)
    if place is None or result.plan is None or own is None or item.is_hidden:
        return ""
    entries = shared_entries(result.setting) | {"epsilon": exact_text(result.plan.mechanism(place).epsilon)}
    entries |= {"neighbours": result.setting.neighbours, ASIDE.key: "on"} | own.entries
    entries |= {key: text for key, text in zip(own.keys, item.numbers, strict=True) if key}
    if own.has_guarantee:
        is_pure = result.planned_queries[place].noise.family in PURE_MECHANISMS
        entries |= {"promise": "pure" if is_pure else "delta"}
    if item.records_per_person > 1:
        entries |= {PER_TOTAL.key: f"{item.records_per_person}", CONTRIBUTION.key: "limited"}
    if kind.published:
        entries |= {PER_TOTAL.key: _most_in_series(item)}
    if kind.has_threshold:
        entries |= _limits(item)
    if kind.has_cells:
        entries |= _limits(item) | {"error": "all" if item.has_joint_error() else "each"}
        entries |= {CONTRIBUTION.key: _contribution(item, result.values[CONTRIBUTION.key])}
        entries |= {parameter.key: result.values[parameter.key] for parameter in (CATEGORIES, CURATOR)}
    name = escape_markdown(chosen.name)
    return Link(own.page, f"open {name} alone in {own.page.name}", entries).markdown


def _most_in_series(item: QueryItem) -> str:
    """Return the most that one person adds to a whole series, as a text: A series has no limit for each year."""
    return f"{max(math.ceil(CAP.read(item.cap) * item.n_years), 1)}" if item.cap else PER_TOTAL.default


def _limits(item: QueryItem) -> dict[str, str]:
    """Return the limits of one person in a histogram or a table; in a histogram only the limit in all, if any."""
    places = KINDS[item.kind].places
    if places is not None:
        cells, most = item.texts.get(places.often, "1"), item.texts.get(places.most, "1")
        in_all, years = item.cap or PER_TOTAL.default, item.cap_periods or N_PERIODS.default
    else:
        cells, most = (str(min(item.n_cells, _MOST_CELLS)) if item.cap else PER_PERSON.default), PER_CELL.default
        in_all, years = PER_TOTAL.default, N_PERIODS.default
        if item.cap:
            most = in_all = item.cap if item.n_years == 1 else exact_text(item.most_in_number)
    return {PER_PERSON.key: cells, PER_CELL.key: most, PER_TOTAL.key: in_all, N_PERIODS.key: years}


def _contribution(item: QueryItem, contribution: str) -> str:
    """Return the condition on one person: where it was confirmed, "once" if the query allows no more than that."""
    limits = _limits(item)
    is_once = all(limits[parameter.key] == parameter.default for parameter in (PER_PERSON, PER_CELL, PER_TOTAL))
    is_confirmed = contribution in ("once", "limited")
    return ("once" if is_once else "limited") if is_confirmed else contribution
