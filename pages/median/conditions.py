"""The conditions of the answers on quantiles."""

from pages.framework.layout.section import Conditions
from pages.median.results import MedianResult
from pages.shared.conditions import Subject, release_conditions
from pages.shared.values.parameters import SOURCE_FIELD

_RANGE = Subject(
    limit="each person has one value",
    unlimited="nobody limits how many values a person has",
    limit_remedy="Add up the values of a person first, or keep one of them, chosen at random. If {limit}:",
    fixed="the range is chosen without the data",
    from_data="the range comes from the data",
    question="Were the lowest and the highest value, and the step, chosen without these data?",
    risk="a range that comes from the data reveals the most extreme people",
    remedy="Take it from public knowledge: 0 to 120 for ages, or an older release. With such a range:",
    can_have_limit=False,
)


def range_conditions(result: MedianResult) -> Conditions | None:
    """Return the conditions of one quantile; None without an answer."""
    return None if result.problem_text else conditions_of_range(result)


def conditions_of_range(result: MedianResult) -> Conditions:
    """Return the conditions of quantiles within a range, which are asked for with the user's own values."""
    return release_conditions(result.conditions, _RANGE, data=(SOURCE_FIELD,), is_own=result.setting.is_own)
