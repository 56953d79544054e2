"""Amounts in the unit of the user, such as money: without powers of ten, where they have at most 15 digits."""

from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up

_MOST = 1e15


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


def _expanded(text: str) -> str:
    exponent = text.partition("e")[2]
    if not exponent or int(exponent) < 0 or abs(value := float(text.replace("−", "-"))) >= _MOST:
        return text
    return f"{value:,.0f}".replace("-", "−")
