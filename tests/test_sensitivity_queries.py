"""The sensitivity of a count, sum, mean, proportion or histogram."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpcore.sensitivity import (
    NEIGHBOURS,
    query_sensitivity,
)
from tests.test_sensitivity import differences


def assert_just_above(bound, true):
    assert Fraction(float(bound)) >= true
    assert Fraction(float(bound)) <= true * (1 + Fraction(5, 10**16))


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 5.0), (-7.0, 3.0), (2.0, 9.0), (-9.5, -0.1), (0.1, 0.7)])
def test_the_sensitivity_of_a_sum_or_mean_holds_for_many_ranges_and_numbers_of_records(neighbours, low, high):
    rng = np.random.default_rng(3)
    values = [Fraction(low), Fraction(high), *(Fraction(x) for x in rng.uniform(low, high, 2))]
    for n in (1, 2, 3):
        for query in ("sum", "mean"):
            empty = Fraction(0 if query == "sum" else low)

            def answer(data, query=query, empty=empty):
                return [sum(data, Fraction(0)) / (len(data) if query == "mean" else 1) if data else empty]

            moved = differences(answer, values, n, neighbours)
            sensitivity = query_sensitivity(query, neighbours, low, high, n if query == "mean" else None)
            assert_just_above(sensitivity.l1, max(abs(move[0]) for move in moved))
            assert sensitivity.l2 == sensitivity.l1
            assert sensitivity.single


def test_a_count_and_a_histogram_are_whole_and_only_a_replaced_record_moves_two_cells():
    for query, neighbours in product(("count", "histogram"), NEIGHBOURS):
        sensitivity = query_sensitivity(query, neighbours)
        assert sensitivity.whole
        assert sensitivity.single == ((query, neighbours) != ("histogram", "replace"))
        assert np.shape(sensitivity.l1) == np.shape(sensitivity.l2) == np.shape(sensitivity.single) == ()


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
def test_a_proportion_is_a_mean_on_0_to_1(neighbours):
    n = np.array([1, 3, 1000, 10**12])
    sensitivity = query_sensitivity("proportion", neighbours, n_records=n)
    mean = query_sensitivity("mean", neighbours, 0, 1, n)
    assert np.array_equal(sensitivity.l1, mean.l1)
    assert not sensitivity.whole.any()


def test_the_difference_of_two_bounds_is_rounded_up_and_exact_where_it_can_be():
    rng = np.random.default_rng(4)
    low = rng.choice([-1, 1], 5000) * 10 ** rng.uniform(-20, 15, 5000)
    high = low + 10 ** rng.uniform(-20, 14.9, 5000)
    usable = (high > low) & (high - low >= 1e-30) & (high <= 1e15)
    widths = query_sensitivity("sum", "replace", low[usable], high[usable]).l1
    for lo, hi, width in zip(low[usable], high[usable], widths, strict=True):
        true = Fraction(hi) - Fraction(lo)
        assert_just_above(width, true)
        assert Fraction(float(width)) == true or Fraction(np.nextafter(width, 0)) < true
    assert query_sensitivity("sum", "replace", -3, 7).l1 == 10
    assert query_sensitivity("sum", "replace", -1e-30, 1e15).l1 > 1e15


def test_only_a_sum_with_whole_bounds_of_whole_numbered_reach_has_whole_answers():
    low, high = np.array([-3, 0, 0.5, 0, -1e15]), np.array([7, 7.5, 2, 1e15, 1e15])
    assert list(query_sensitivity("sum", "add_remove", low, high).whole) == [True, False, False, True, True]
    assert list(query_sensitivity("sum", "replace", low, high).whole) == [True, False, False, True, False]


def test_queries_broadcast_and_scalars_give_scalars():
    sensitivity = query_sensitivity("mean", "replace", [[0], [-1]], 1, [1, 10, 100])
    assert sensitivity.l1.shape == sensitivity.whole.shape == (2, 3)
    assert (
        np.shape(query_sensitivity("sum", "replace", 0, 1).l1)
        == np.shape(query_sensitivity("count", "replace").l1)
        == ()
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("median", "replace"), "query must be in count, sum, mean, proportion, histogram, got 'median'"),
        (("count", "both"), "neighbours must be in add_remove, replace, got 'both'"),
        (("sum", "replace", 2, 1), r"high must be in \(low, 1e15\], got 1"),
        (("mean", "replace", 2, 2), r"high must be in \(low, 1e15\], got 2"),
        (("sum", "replace", 0, 1e-31), r"high − low must be in \[1e-30, 2e15\], got 1e-31"),
        (("sum", "replace", -2e15, 1), r"low must be in \[-1e15, 1e15\], got -2000000000000000"),
        (("sum", "replace", 0, np.inf), r"high must be in \[-1e15, 1e15\], got inf"),
        (("mean", "replace", 0, 1, 0), r"n_records must be in \[1, 1e12\], got 0"),
        (("proportion", "replace", None, None, 1.5), r"n_records must be in the whole numbers of \[1, 1e12\], got 1.5"),
        (("count", "replace", 3), "low must be left out of query count, got 3"),
        (("proportion", "replace", None, 7), "high must be left out of query proportion, got 7"),
        (("sum", "replace", 0, 7, 12), "n_records must be left out of query sum, got 12"),
        (("histogram", "replace", None, None, 12), "n_records must be left out of query histogram, got 12"),
    ],
)
def test_a_bad_query_is_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        query_sensitivity(*arguments)


@pytest.mark.parametrize("query", [["count"], np.array(["count", "sum"]), None, 1])
def test_an_argument_that_is_not_a_text_is_not_a_query(query):
    with pytest.raises(ValueError, match=r"^query must be in count, sum, mean, proportion, histogram, got "):
        query_sensitivity(query, "replace")


def people_of(values, most):
    """Return every person of up to so many records: the sums, over nothing but the values that matter."""
    return [records for size in range(most + 1) for records in product(values, repeat=size)]


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-2.0, 5.0), (2.0, 9.0), (-9.5, -0.5)])
@pytest.mark.parametrize("most", [2, 3])
def test_the_sensitivity_for_people_of_several_records_is_that_of_the_definition(neighbours, low, high, most):
    values = [Fraction(low), Fraction(high)]
    people = people_of(values, most)
    sums = [sum(person, Fraction(0)) for person in people]
    counts = [len(person) for person in people]
    others = sums if neighbours == "replace" else [Fraction(0)]
    most_of_sum = max(abs(own - other) for own in sums for other in others)
    assert_just_above(query_sensitivity("sum", neighbours, low, high, None, most).l1, most_of_sum)
    assert query_sensitivity("count", neighbours, records_per_person=most).l1 == max(counts)
    n = 3  # records of the other people, at least; with a person replaced the number of all records is public
    means = []
    for base in product(values, repeat=n):
        for person in people:
            joint = Fraction(sum(base) + sum(person)) / (n + len(person))
            if neighbours == "add_remove":
                means.append(abs(joint - Fraction(sum(base)) / n))
            else:
                same = [other for other in people if len(other) == len(person)]
                means += [abs(joint - Fraction(sum(base) + sum(other)) / (n + len(other))) for other in same]
    bound = Fraction(float(query_sensitivity("mean", neighbours, low, high, n, most).l1))
    assert max(means) <= bound
    assert bound <= Fraction(most) * (values[1] - values[0]) / n * (1 + Fraction(1, 10**15))


def test_several_records_of_a_person_keep_what_is_exact_and_are_refused_for_a_histogram():
    assert query_sensitivity("sum", "add_remove", 0, 7, None, [1, 5]).l1.tolist() == [7, 35]
    assert query_sensitivity("sum", "add_remove", 0, 7, None, 5).whole
    assert not query_sensitivity("sum", "add_remove", 0, 1e9, None, 1e9).whole
    assert query_sensitivity("sum", "replace", 0, 0.1, None, 3).l1 >= 0.3
    with pytest.raises(ValueError, match=r"records_per_person of a histogram must be in \[1, 1\], got 2"):
        query_sensitivity("histogram", records_per_person=2)
    with pytest.raises(ValueError, match=r"records_per_person must be in \[1, 1e9\], got 0"):
        query_sensitivity("count", records_per_person=0)
