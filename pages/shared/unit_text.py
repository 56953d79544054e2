"""The name of a unit after a number."""

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
