"""Amounts in the unit of the user, such as money: without powers of ten up to 15 digits; the name of the unit."""

import math

from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent

_MOST = 1e15
_MOST_PLACES = 9  # of a percentage


def amount(value: float, digits: int = 4) -> str:
    """Return the text of an amount, rounded to the nearest.

    >>> amount(2_804_454.7), amount(-0.25), amount(3e16)
    ('2,804,000', '−0.25', '3e16')
    """
    return _expanded(format_nearest(value, digits))


def amount_up(value: float, digits: int = 4) -> str:
    """Return the text of an amount that must not be understated.

    >>> amount_up(2_804_454.7), amount_up(12.34567)
    ('2,805,000', '12.35')
    """
    return _expanded(format_up(value, digits))


def entered_amount(value: float) -> str:
    """Return the text of an amount that the user entered.

    >>> entered_amount(1e6), entered_amount(0.125)
    ('1,000,000', '0.125')
    """
    return f"{value:,.0f}" if 1e6 <= value < _MOST else format_input_up(value)


def quantile_name(quantile: float) -> str:
    """Return the name of a quantile, with two digits of the smaller share that is above or below it.

    >>> quantile_name(0.75), quantile_name(1 - 1.28e-4), quantile_name(0.0), quantile_name(1.0), quantile_name(0.5)
    ('75 % quantile', '99.987 % quantile', 'minimum', 'maximum', 'median')
    >>> quantile_name(0.005), quantile_name(0.9), quantile_name(1e-20)
    ('0.50 % quantile', '90 % quantile', '1e-18 % quantile')
    """
    names = {0: "minimum", 0.5: "median", 1: "maximum"}
    if quantile in names:
        return names[quantile]
    smaller = float(f"{100 * min(quantile, 1 - quantile):.6g}")
    places = max(1 - math.floor(math.log10(smaller)), 0)
    if places > _MOST_PLACES:
        return f"{percent(quantile)} quantile"
    return f"{100 * quantile:.{places}f} % quantile"


def _expanded(text: str) -> str:
    exponent = text.partition("e")[2]
    if not exponent or int(exponent) < 0 or abs(value := float(text.replace("−", "-"))) >= _MOST:
        return text
    return f"{value:,.0f}".replace("-", "−")


_SINGULAR = {
    "people": "person",
    "units": "unit",
    "dollars": "dollar",
    "euros": "euro",
    "pounds": "pound",
    "miles": "mile",
    "kilometres": "kilometre",
    "years": "year",
    "months": "month",
    "days": "day",
    "hours": "hour",
    "minutes": "minute",
    "records": "record",
    "visits": "visit",
    "trips": "trip",
    "points": "point",
}


def unit_after(number: str, unit: str) -> str:
    """Return a unit as it stands after a number: in the singular after 1, where that is known.

    >>> unit_after("1", "people"), unit_after("1", "ms"), unit_after("2", "people")
    ('person', 'ms', 'people')
    """
    return _SINGULAR.get(unit, unit) if number == "1" else unit
