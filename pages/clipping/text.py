"""The texts that both sections share: settings from public figures, links to other pages, and conditions."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dpcore import clipping
from pages.clipping.bounds.results import BoundsResult
from pages.clipping.results import ClippingResult
from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import exact_text
from pages.shared.conditions import Subject, release_conditions
from pages.shared.page_links import Link, shared_entries
from pages.shared.site_map import ACCURACY, CLIPPING, PLAN, TABLES
from pages.shared.values.parameters import SOURCE_FIELD, amount

Preset = tuple[str, Mapping[str, str], str]
"""A name, the entries of its link, and its source."""


def presets_text(result: ClippingResult, section: str, presets: Iterable[Preset]) -> str:
    """Return links that open a section with values from public figures, with the sources of these."""
    shared = {**shared_entries(result.setting), "section": section, "source": "shape"}
    items = (f"{Link(CLIPPING, name, {**shared, **entries}).markdown}: {source}" for name, entries, source in presets)
    return f"**Start from public figures.** {'. '.join(items)}."


DECIDE = (
    "**Go on:** decide U, by the line in the chart or as a number, and lo: then links to “One number” and “A table” "
    "stand here, with its sensitivity. A best bound of your own values is in no link."
)
PRESETS = (
    (
        "Household incomes",
        {"median": "51017", "p90": "146000", "unit": "dollars", "high": "1000000", "n_records": "10000"},
        "United States 2012 (Census P60-245)",
    ),
    (
        "Trip lengths",
        {"median": "1.76", "p90": "6", "unit": "miles", "high": "100", "n_records": "10000"},
        "New York yellow cabs, 2013 and 2015 (TLC trip records)",
    ),
)


def links_text(result: ClippingResult, bounds: BoundsResult) -> str:
    """Return the links that take the sensitivity of the chosen bound along.

    Of own values the links have nothing that is computed from them, and not their number.
    """
    setting = result.setting
    if setting.is_own and bounds.setting.is_sought:
        return DECIDE
    links = _links(result, bounds)
    pages = " or ".join(filter(None, (", ".join(link.markdown for link in links[:-1]), links[-1].markdown)))
    sensitivity = "the sensitivity of the sum of distances" if bounds.setting.share is not None else "its sensitivity"
    return f"**Go on with this bound**, {amount(bounds.high)}: open {pages} with {sensitivity}."


def _links(result: ClippingResult, bounds: BoundsResult) -> list[Link]:
    setting, is_counted = result.setting, bounds.setting.share is not None
    low, high = bounds.low, bounds.high
    shared = shared_entries(setting) | {"neighbours": bounds.setting.neighbours}
    ends = {"low": exact_text(low), "high": exact_text(high)}
    accuracy = shared | ends | {"unit": setting.unit, "query": setting.query, "known": "epsilon"}
    if is_counted:  # the sum of the distances to the middle, with its share of ε
        half = (high - low) / 2
        epsilon = exact_text(setting.epsilon * (1 - setting.count_share))
        sums = {"low": exact_text(-half), "high": exact_text(half), "query": "sum", "epsilon": epsilon}
        return [Link(ACCURACY, ACCURACY.name, accuracy | sums)]
    links = [Link(ACCURACY, ACCURACY.name, accuracy)]
    if not setting.is_own:
        numbers = f"{exact_text(_noise_half_width(bounds))},{exact_text(low)},{exact_text(high)}"
        numbers += f",{bounds.n_values}" if setting.query == "mean" else ""
        plan = shared | {"queries": f"!{setting.query}:{numbers}=Clipped {setting.query}"}
        links = [
            Link(ACCURACY, ACCURACY.name, accuracy | {"n_records": str(bounds.n_values)}),
            Link(PLAN, PLAN.name, plan),
        ]
    most = max(abs(low), high)
    if 1e-9 <= most <= 1e9 and setting.query == "sum" and bounds.setting.neighbours == "add_remove":
        links.append(Link(TABLES, TABLES.name, shared | {"per_person": "1", "per_cell": exact_text(most)}))
    return links


def _noise_half_width(bounds: BoundsResult) -> float:
    """Return the half-width of the noise alone, which is what Plan means: that of a value which is not cut."""
    setting = bounds.setting
    options = setting.noise, setting.neighbours, setting.delta, setting.significance
    noise = clipping.sum_error(bounds.high, bounds.low, bounds.high, setting.epsilon, *options)
    return float(noise.half_width) / bounds.unit_count


_BOUND = Subject(
    limit="each person has one value",
    unlimited="nobody limits how many values a person has",
    limit_remedy="Add up the values of a person first, or keep one of them, chosen at random. If {limit}:",
    fixed="the bound is chosen without the data",
    from_data="the bound comes from the data",
    question="Will you clip at a bound that was chosen without these data: from public figures, or privately?",
    risk="a bound that comes from the data reveals the most extreme people",
    remedy="Take it from public figures or an older release, or use the private bound below, which spends a part of ε. "
    "With such a bound:",
    can_have_limit=False,
)
_LIMIT = replace(
    _BOUND,
    limit="what a person has beyond the limit is dropped at random",
    has_limit=True,
    can_have_limit=True,
    unlimited="nobody limits how many records a person has",
    limit_remedy="Before anything is counted, limit the records of each person. If {limit}:",
    fixed="the limit is chosen without the data",
    from_data="the limit comes from the data",
    question="Will you use a limit that was chosen without these data, for example from public figures?",
    risk="a limit that is chosen from the data depends on the people who have most records",
    remedy="Choose it from public figures or an older release. With such a limit:",
)


def bound_conditions(result: ClippingResult) -> Conditions | None:
    """Return the conditions of the bounds of a sum or mean, which are asked for with the user's own values."""
    bounds = result.bounds
    if bounds is None:
        return None
    is_summed = result.values is not None and bool(result.values.person)
    subject = (
        replace(_BOUND, limit="the values of each person are added up first", has_limit=True) if is_summed else _BOUND
    )
    known = release_conditions(result.conditions, subject, data=(SOURCE_FIELD,), is_own=result.setting.is_own)
    is_public = bounds.unit_count != 1 and bounds.setting.share is None
    return replace(known, assumptions=("the number of values is public",) if is_public else ())


def limit_conditions(result: ClippingResult) -> Conditions | None:
    """Return the conditions of a limit of records per person, which are asked for with the user's own values."""
    if result.contributions is None:
        return None
    setting = result.setting
    is_weighted = setting.dropping == "weight"
    subject = (
        replace(_LIMIT, limit="a person with more records is weighted down to the limit") if is_weighted else _LIMIT
    )
    return release_conditions(result.conditions, subject, data=(SOURCE_FIELD,), is_own=setting.is_own)
