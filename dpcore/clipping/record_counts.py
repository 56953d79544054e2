"""How many records people have: counted from data, or a Zipf or a geometric distribution."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpcore.checks import RECORDS_RANGE, Array, number, scalar, scalar_integer


@dataclass(frozen=True)
class RecordCounts:
    """A distribution of records: `n_people[i]` people have `records[i]` records each, which may be an average."""

    records: Array
    n_people: Array


def zipf_records(exponent: float, most: int, n_people: int) -> RecordCounts:
    """Return the record counts of n people of whom a share ∝ j^−exponent has j records, j = 1 … most, on average.

    Parameters
    ----------
    exponent : in [0, 10].
    most : a whole number in [1, 1e5].
    n_people : a whole number in [1, 1e12].

    Examples
    --------
    >>> zipf_records(2, 3, 49).n_people.round(6).tolist()
    [36.0, 9.0, 4.0]
    """
    power, people = scalar("exponent", exponent, "[0, 10]"), scalar_integer("n_people", n_people, RECORDS_RANGE)
    records = np.arange(1.0, scalar_integer("most", most, "[1, 1e5]") + 1)
    share = records**-power
    return RecordCounts(records, people * share / share.sum())


def geometric_records(mean: float, n_people: int) -> RecordCounts:
    """Return the record counts of n people whose numbers of records are geometric, from 1 on, on average.

    A share (1 − r) r^{j−1} has j records, r = 1 − 1/mean; the last 1e-9 of the people are left out.

    Parameters
    ----------
    mean : in [1, 1000].
    n_people : a whole number in [1, 1e12].

    Examples
    --------
    >>> geometric_records(2, 16).n_people[:3].tolist()
    [8.0, 4.0, 2.0]
    """
    ratio = 1 - 1 / scalar("mean", mean, "[1, 1000]")
    people = scalar_integer("n_people", n_people, RECORDS_RANGE)
    most = int(np.ceil(np.log(1e-9) / np.log(ratio))) if ratio > 0 else 1
    records = np.arange(1.0, most + 1)
    return RecordCounts(records, people * (1 - ratio) * ratio ** (records - 1))


def as_counts(records_per_person: ArrayLike | RecordCounts) -> RecordCounts:
    """Return how many people have how many records."""
    if isinstance(records_per_person, RecordCounts):
        return records_per_person
    records = np.atleast_1d(number("records_per_person", records_per_person, "[0, 1e6]")).ravel()
    numbers, n_people = np.unique(records, return_counts=True)
    return RecordCounts(numbers, n_people.astype(np.float64))
