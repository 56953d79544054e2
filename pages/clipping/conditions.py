"""The conditions of the answers on clipping: for a bound of values, and for a limit of records per person."""

from dataclasses import replace

from pages.clipping.results import ClippingResult
from pages.framework.layout.section import Conditions
from pages.shared.conditions import Subject, release_conditions
from pages.shared.values.parameters import SOURCE_FIELD

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
    if result.bounds is None:
        return None
    is_summed = result.values is not None and bool(result.values.person)
    subject = (
        replace(_BOUND, limit="the values of each person are added up first", has_limit=True) if is_summed else _BOUND
    )
    return release_conditions(result.conditions, subject, data=(SOURCE_FIELD,), is_own=result.setting.is_own)


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
