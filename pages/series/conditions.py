"""The conditions of the answers on a series: how often one person counts in all of it, and what was fixed."""

from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import format_input_down
from pages.series.parameters import IN_PERIODS, SERIES_FIELD
from pages.series.results import SeriesResult, SeriesSetting
from pages.shared.conditions import ONCE, Subject, release_conditions
from pages.shared.counts.parameters import PER_CELL, PER_TOTAL


def limit_text(setting: SeriesSetting) -> str:
    """Return what one person may add to the whole series, as a condition."""
    series = setting.series
    most = format_input_down(series.per_cell)
    in_all = "" if series.total is None else f", at most {format_input_down(series.total)} in all"
    if series.contributions == 1 and series.per_cell == 1:
        return f"{ONCE} in the whole series"
    where = f"each person is in at most {setting.periods(series.contributions)} of the whole series"
    return f"{where}{'' if series.per_cell == 1 else f' and adds at most {most} to each'}{in_all}"


def series_conditions(result: SeriesResult) -> Conditions:
    """Return the conditions of the answer."""
    setting = result.setting
    series = setting.series
    subject = Subject(
        limit=limit_text(setting),
        has_limit=series.contributions > 1 or series.per_cell != 1 or series.total is not None,
        unlimited="nobody limits in how many periods a person counts",
        limit_remedy="Before anything is counted, keep at most a fixed number of periods of each person, chosen at "
        "random. If {limit}:",
        fixed="the periods and the method were fixed in advance",
        from_data="the periods or the method were chosen from the data",
        question="Were the periods and the method fixed before anybody looked at the data?",
        risk="periods or a method that are chosen by looking at the data reveal something about people",
        remedy="Decide both before the first number is published. Then:",
        is_fixed_in_headline=False,
    )
    return release_conditions(
        result.conditions,
        subject,
        limits=(IN_PERIODS, PER_CELL, PER_TOTAL),
        data=(SERIES_FIELD,),
        is_own=result.own_counts is not None,
    )
