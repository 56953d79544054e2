"""Year-to-date totals: the ± of the first and of the last of a year, in the answer and in what is said."""

import re

from pages.series.over_time import text
from pages.series.page import PAGE
from tests.pages.conftest import found_by
from tests.pages.figure_checks import setting_of
from tests.pages.series.figure_checks.over_time import half_widths


def test_year_to_date_totals_have_the_range_of_their_errors_in_the_answer_and_in_what_is_said():
    link = {"totals": "year_to_date", "in_periods": "18", "contribution": "limited", "fixed": "yes"}
    result = found_by("series", **link)
    sizes = half_widths(setting_of("series", link), result.over_time.answer_errors.strategy)[:12]
    second = PAGE.answer_text(result)[1]
    stated = [float(size) for size in re.findall(r"±([\d.]+) in the (?:first|last)", second)]
    for shown, size in zip(stated, (sizes[0], sizes[11]), strict=True):
        assert size * (1 - 1e-12) <= shown <= size * 1.001
    texts, months, joint = (
        PAGE.statements_of(each) for each in (result, found_by("series"), found_by("series", error="all"))
    )
    assert texts is not None
    assert months is not None
    assert joint is not None
    assert re.search(r"one total since the start of a year alone is within [\d.]+ of the exact one: ", texts.public)
    assert re.search(r": [\d.]+ in the first month of a year to [\d.]+ in the last\.", texts.public)
    assert "one total since the start of a year alone is within ±" in texts.experts
    assert "in the first month" not in months.public
    assert "all 36 numbers are within" in joint.public


def test_where_the_noise_is_whole_the_error_of_whole_counts_is_whole_too():
    for noise in ("geometric", "discrete_gaussian"):
        link = {"totals": "year_to_date", "in_periods": "18", "series_noise": noise}
        sizes = found_by("series", **link).over_time.year_sizes
        assert sizes is not None
        assert all(float(text.format_up(size).replace(",", "")).is_integer() for size in sizes)
