"""The sentences and texts that the sections of trade-off curves share, and the head of their CSV files."""

import math
from decimal import Decimal
from typing import Any

from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.number_format import (
    chart_text,
    format_down,
    format_input_down,
    format_up,
    percent,
    percent_down,
    percent_up,
)
from pages.shared.error_text import fraction_in_words
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.results import TradeoffResult

_MAX_SUBTITLE_NAMES = 3


def power_text(row: CurveRow) -> str:
    """Return the power at the false positive rate, rounded to the safe side."""
    return (percent_down if row.is_reached else percent_up)(row.power)


def posterior_text(row: CurveRow) -> str:
    """Return the posterior after a positive test, rounded to the safe side."""
    return (percent_down if row.is_reached else percent_up)(row.posterior)


def description(row: CurveRow) -> str:
    """Return a curve and where it is read, in a line."""
    return f"{row.display_name}, α = {format_input_down(row.alpha)}, prior {share_of(row.prior)}"


def subtitle_text(result: TradeoffResult, parameters: str) -> str:
    """Return the subtitle of a picture: the curves and the parameters.

    At most three names are listed.
    """
    names = result.display_names
    if len(names) > _MAX_SUBTITLE_NAMES:
        names = [*names[:_MAX_SUBTITLE_NAMES], f"{len(names) - _MAX_SUBTITLE_NAMES} more"]
    return f"{chart_text(', '.join(names))}; {chart_text(parameters)}"


def rate_text(alpha: float) -> str:
    """Return a false positive rate in words, a tiny one without a percentage; 1e-6 has no line break."""
    if alpha == 0 or alpha >= 1e-4:
        return f"a false positive rate of {share_of(alpha)}"
    return "a false positive rate of " + format_input_down(alpha).replace("e-", "e-\u2060")


def share_of(probability: float) -> str:
    """Return an entered probability in per cent, or rounded down: what holds at it holds at a smaller one too."""
    share = format_input_down(float(100 * Decimal(repr(probability))))
    return percent(probability, 17) if share == "100" and probability < 1 else f"{share} %"


def people_of(share: float, people: str = "people") -> str:
    """Return an entered share in numbers of people where they are short, else in per cent.

    >>> people_of(0.6), people_of(0.001, "people like you"), people_of(1 / 3)
    ('60 of 100 people', '1 of 1,000 people like you', '33.33333 % of people')
    """
    counted = fraction_in_words(share)
    if counted is None or counted[0] >= 10**4 or counted[1] > 10**9:
        return f"{share_of(share)} of {people}"
    return f"{counted[0]:,} of {counted[1]:,} {people}"


def odds_down(value: float) -> str:
    """Return the text of odds that must not be overstated.

    >>> odds_down(0.57669), odds_down(9), odds_down(float("inf"))
    ('1 to 1.735', '9 to 1', 'certain')
    """
    if math.isinf(value):
        return "certain"
    return f"{format_down(value)} to 1" if value >= 1 else f"1 to {format_up(1 / value)}"


def csv_header(result: TradeoffResult, **entries: Any) -> dict[str, str]:
    """Return the curves, the other parameters of the numbers, and the units, for the top of a CSV."""
    if result.pinned is not None:
        entries |= {"pinned": description(result.pinned.chosen_row)}
    return {
        "curves": "; ".join(result.display_names),
        "curves in the link": list_text(result.setting.curves),
        **{key: str(value) for key, value in entries.items()},
        "units": "alpha, beta, power, delta are probabilities; epsilon in nats; mu dimensionless",
    }
