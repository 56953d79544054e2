import pickle
import re
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from dpcore.checks import DELTA_RANGE, DomainError, integer, number, option, refuse, scalar, scalar_integer, shape


@pytest.mark.parametrize(
    ("interval", "inside", "outside"),
    [
        ("[0, 1]", [0, -0.0, 0.5, 1], [-5e-324, 1.1, np.nan, np.inf]),
        ("(0, 1]", [5e-324, 1], [0, -1, np.nextafter(1, 2)]),
        ("[0, 1)", [0, 1 - 2**-53], [1, -5e-324]),
        ("(0, 1)", [5e-324, 1 - 2**-53], [0, 1]),
        ("(0, inf)", [5e-324, 1.7e308], [0, np.inf, -np.inf]),
        ("[1e-300, 1)", [1e-300], [np.nextafter(1e-300, 0)]),
    ],
)
def test_square_brackets_include_their_end_and_round_ones_do_not(interval, inside, outside):
    for value in inside:
        assert number("x", value, interval) == value
    for value in outside:
        with pytest.raises(ValueError, match=re.escape(f"x must be in {interval}, got ")):
            number("x", value, interval)


REFUSED = [
    (0, "0"),
    (0.0, "0"),
    (-0.0, "-0"),
    (2.5, "2.5"),
    (1e6, "1000000"),
    (1e-301, "1e-301"),
    (np.float32(2), "2"),
    (np.int64(7), "7"),
    (np.nan, "nan"),
    (np.inf, "inf"),
    ([0.5, np.nan, 3], "nan"),
    ([[0.5, 0.5], [2, 3]], "2"),
    (pd.Series([0.5, 4]), "4"),
    (2**63, "9.223372036854776e+18"),
    ("0.5", "'0.5'"),
    (b"0.5", "b'0.5'"),
    (["0.5"], "['0.5']"),
    (True, "True"),
    ([True, False], "[True, False]"),
    (0.5j, "0.5j"),
    ([[0.5], [0.5, 0.5]], "[[0.5], [0.5, 0.5]]"),
    (None, "None"),
    ([0.5, None], "[0.5, None]"),
    ({"a": 0.5}, "{'a': 0.5}"),
    (Decimal("0.5"), "Decimal('0.5')"),
    (10**59, "1" + "0" * 59),
    (10**60, "1" + "0" * 56 + "..."),
    (-(10**400), "-1" + "0" * 55 + "..."),
]


def test_refusal_names_the_argument_its_range_and_the_first_offending_value():
    for value, text in REFUSED:
        with pytest.raises(ValueError, match=re.escape(f"delta must be in [1e-300, 1), got {text}") + "$"):
            number("delta", value, "[1e-300, 1)")


def test_a_masked_entry_is_refused_and_a_masked_array_without_one_is_taken():
    masked = np.ma.array([[0.1, 0.2], [0.3, 0.4]], mask=[[False, True], [False, False]])
    for value in (masked, np.ma.masked):
        with pytest.raises(ValueError, match=r"^delta must be in \[1e-300, 1\), got masked") as refusal:
            number("delta", value, "[1e-300, 1)")
        assert "\n" not in str(refusal.value)
    assert number("delta", masked[1], "[1e-300, 1)").tolist() == [0.3, 0.4]


def test_an_integer_too_long_to_print_is_refused_by_the_standard_sentence():
    with pytest.raises(ValueError, match=re.escape("delta must be in [1e-300, 1), got ")):
        number("delta", 10**5000, "[1e-300, 1)")


def test_an_extended_precision_number_that_overflows_a_double_is_refused_as_usual():
    with pytest.raises(ValueError, match=re.escape("sigma must be in (0, inf), got inf")):
        number("sigma", np.longdouble("1e400"), "(0, inf)")


@pytest.mark.parametrize("value", [[0.2, 0.4], (0.2, 0.4), np.array([0.2, 0.4]), pd.Series([0.2, 0.4], index=[5, 2])])
def test_sequences_become_float_arrays(value):
    array = number("x", value, "[0, 1]")
    assert isinstance(array, np.ndarray)
    assert array.dtype == np.float64
    assert list(array) == [0.2, 0.4]


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float16, np.float32, np.longdouble])
def test_every_real_type_becomes_a_double(dtype):
    array = number("x", np.array([[1], [2]], dtype), "[0, 2]")
    assert array.dtype == np.float64
    assert array.tolist() == [[1], [2]]


def test_scalars_and_empty_arrays_keep_their_shape():
    assert number("x", 1, "[0, 1]").shape == ()
    assert number("x", [], "[0, 1]").shape == (0,)
    assert number("x", np.ones((2, 0, 3)), "[0, 1]").shape == (2, 0, 3)


def test_refuse_names_the_first_marked_entry_and_stretches_the_array_to_the_marks():
    with pytest.raises(ValueError, match=re.escape("x must be in ANY, got 5")):
        refuse("x", np.array([4.0, 5, 6]), np.array([False, True, True]), "ANY")
    with pytest.raises(ValueError, match=re.escape("x must be in ANY, got 4")):
        refuse("x", np.array(4.0), np.array([[False], [True]]), "ANY")
    refuse("x", np.array([4.0, 5]), np.array([False, False]), "ANY")


def test_whole_refuses_a_fraction_and_keeps_the_limits():
    assert integer("n", [1, 2.0], "[1, 5]").tolist() == [1, 2]
    with pytest.raises(ValueError, match=re.escape("n must be in the whole numbers of [1, 5], got 2.5")):
        integer("n", [1, 2.5], "[1, 5]")
    with pytest.raises(ValueError, match=re.escape("n must be in [1, 5], got 6")):
        integer("n", 6, "[1, 5]")


def test_one_number_is_taken_and_a_list_refused_in_the_standard_sentence():
    assert scalar("mu", 2, "[0, 1e6]") == 2
    assert isinstance(scalar("mu", np.float64(2), "[0, 1e6]"), float)
    for value, text in (([1, 2], "[1, 2]"), ([], "[]"), ([1], "[1]")):
        with pytest.raises(ValueError, match=re.escape(f"mu must be one number in [0, 1e6], got {text}")):
            scalar("mu", value, "[0, 1e6]")
    with pytest.raises(ValueError, match=re.escape("mu must be in [0, 1e6], got 'x'")):
        scalar("mu", "x", "[0, 1e6]")
    with pytest.raises(ValueError, match=r"t must be in \[0, inf\), got 1000"):
        scalar("t", 10**400, "[0, inf)")  # too large for a double


def test_one_whole_number_is_an_int():
    assert isinstance(scalar_integer("n", 3.0, "[1, 9]"), int)
    with pytest.raises(ValueError, match=re.escape("n must be in the whole numbers of [1, 9], got 2.5")):
        scalar_integer("n", 2.5, "[1, 9]")
    with pytest.raises(ValueError, match=re.escape("n must be one number in [1, 9], got [3]")):
        scalar_integer("n", [3], "[1, 9]")


@pytest.mark.parametrize(
    ("size", "arguments", "expected"),
    [
        (None, (), ()),
        (None, (2, 3), (2, 3)),
        (0, (), (0,)),
        (4, (), (4,)),
        (4.0, (4,), (4,)),
        (np.int64(4), (1,), (4,)),
        ((), (), ()),
        ((5, 2, 3), (2, 1), (5, 2, 3)),
        ((0, 10**9), (), (0, 10**9)),
        ((1,) * 32, (1,), (1,) * 32),
    ],
)
def test_a_shape_is_a_tuple_of_ints(size, arguments, expected):
    result = shape("size", size, arguments)
    assert result == expected
    assert all(isinstance(entry, int) for entry in result)


NO_SIZES = [
    (-1, "-1"),
    (2.5, "2.5"),
    ("x", "'x'"),
    ([], "[]"),
    ([2, 3], "[2, 3]"),
    (True, "True"),
    ((2, -1), "(2, -1)"),
    ((2, (3,)), "(2, (3,))"),
    ((2, None), "(2, None)"),
    (10**10, "10000000000"),
    ((10**5, 10**5), "(100000, 100000)"),
    ((10**9,) * 32, "(" + "1000000000, " * 4 + "1000000"),
    ((1,) * 33, "(" + "1, " * 18),
    (10**400, "1" + "0" * 56 + "..."),
]


def test_an_invalid_size_is_refused_in_one_sentence():
    for size, text in NO_SIZES:
        sentence = f"size must be a whole number, or a tuple of at most 32 with a product, in [0, 1e9], got {text}"
        with pytest.raises(ValueError, match="^" + re.escape(sentence)):
            shape("size", size)


@pytest.mark.parametrize(("size", "arguments"), [(3, (2,)), ((2, 3), (2,)), ((), (2,)), ((5, 1), (2,)), (2, (1, 2))])
def test_a_shape_to_which_the_arguments_do_not_broadcast_is_refused(size, arguments):
    sentence = f"size must be in the shapes to which {arguments} broadcasts, got {size}"
    with pytest.raises(ValueError, match="^" + re.escape(sentence) + "$"):
        shape("size", size, arguments)


def test_an_option_is_one_of_the_texts_and_everything_else_is_refused():
    option("query", "sum", ("count", "sum"))
    for value, text in (
        ("median", "'median'"),
        (None, "None"),
        (["sum"], "['sum']"),
        (np.array(["a", "b"]), "array(["),
    ):
        with pytest.raises(ValueError, match="^" + re.escape(f"query must be in count, sum, got {text}")):
            option("query", value, ("count", "sum"))


def test_a_refusal_is_an_object_that_other_processes_can_copy():
    with pytest.raises(DomainError) as refusal:
        number("delta", [0.1, 0.0], DELTA_RANGE)
    error: DomainError = pickle.loads(pickle.dumps(refusal.value))
    assert issubclass(DomainError, ValueError)
    assert str(error) == str(refusal.value) == "delta must be in [1e-300, 1), got 0"
    assert (error.name, error.interval, error.got, error.inside) == ("delta", DELTA_RANGE, "0", "in")
