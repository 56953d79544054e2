"""The enclosure of what one person moves in the sums of a series, beside linear_queries and beside all persons."""

import re
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from dpcore import verify
from dpcore.linear_queries import error
from dpcore.verify import Enclosure
from tests.linear_factors import factors

STRATEGIES = (
    *("per_period", "per_number", "tree", "binary_tree"),
    *("square_root", "normalized_square_root", "banded"),
)
WORKLOADS = (("running_totals", 12), ("window", 4), ("year_to_date", 5), ("each", 12), ("ranges", 12))
PERSONS: tuple[dict[str, Any], ...] = (
    {},
    {"contributions": 3},
    {"contributions": 3, "per_cell": 2.5, "total": 6.0},
    {"neighbours": "replace"},
)


def errors_of(strategy: str, n: int, workload: Any, window: int, norm: int, **persons: Any) -> Any:
    own = window if workload in ("window", "year_to_date") else None
    noise = "laplace" if norm == 1 else "gaussian"
    return error(workload, strategy, n, persons.pop("contributions", 1), window=own, noise=noise, **persons)


@pytest.mark.parametrize("norm", [1, 2])
@pytest.mark.parametrize("persons", PERSONS)
@pytest.mark.parametrize(("workload", "window"), WORKLOADS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_sensitivity_that_is_exact_is_proved_and_hardly_above_the_enclosure(
    strategy, workload, window, persons, norm
):
    is_refused = norm == 1 and "neighbours" in persons and strategy in STRATEGIES[4:]
    own = {"window": window} if workload in ("window", "year_to_date") else {}
    for n in (1, 2, 12, 30):
        stated = errors_of(strategy, n, workload, window, norm, **persons)
        if is_refused:
            with pytest.raises(ValueError, match="where a person is replaced"):
                verify.sums_change(strategy, n, norm=norm, workload=workload, **own, **persons)
            continue
        found = verify.sums_change(strategy, n, norm=norm, workload=workload, **own, **persons)
        assert found.low <= found.high
        assert found.low <= stated.sensitivity
        if stated.is_exact:
            assert verify.proved(found, stated.sensitivity)
            assert found.low >= stated.sensitivity * (1 - 1e-11)
            assert not verify.proved(found, stated.sensitivity * (1 - 1e-11))


@pytest.mark.parametrize("norm", [1, 2])
@pytest.mark.parametrize(("workload", "window"), WORKLOADS[:3])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_person_moves_the_sums_by_more_than_the_upper_end_and_some_by_the_lower(strategy, workload, window, norm):
    n, k = 7, 3
    numbers = errors_of(strategy, n, workload, window, norm)
    rows, _ = factors(numbers.workload, strategy, *numbers.options)
    moved = max(
        np.linalg.norm(rows[:, list(cells)] @ amounts, norm)
        for cells in combinations(range(n), k)
        for amounts in product([0.0, 0.5, 2.0], repeat=k)
        if sum(amounts) <= 4.5
    )
    options = {"norm": norm, "workload": workload}
    options |= {"window": window} if workload in ("window", "year_to_date") else {}
    found = verify.sums_change(strategy, n, k, per_cell=2.0, total=4.5, **options)
    assert found.low * (1 - 1e-12) <= moved <= found.high * (1 + 1e-12)


def test_whole_squares_are_exact():
    for k in (1, 4, 9, 16):
        found = verify.sums_change("per_period", 20, k)
        assert (found.low, found.high) == (k**0.5, k**0.5)
    squared = Fraction(verify.sums_change("tree", 36, 18).high) ** 2
    assert 0 <= squared - (18 + 36 + 68 + 132 + 260 + 324) < Fraction(1, 10**11)  # of nodes of 1, 2, 4, … months
    own = verify.sums_change("per_number", 4, 2, workload=("1100", "0011", "1111"))
    assert Fraction(own.high) ** 2 - 8 < Fraction(1, 10**12)


def test_the_enclosure_of_a_length_is_judged_and_written_as_one():
    found = Enclosure(2.4494, 2.4495, 192, is_probability=False)
    assert verify.sentence("‖Rx‖", found, 2.45) == "‖Rx‖ lies in [2.44, 2.45], at most 2.45: proved."
    assert verify.sentence("‖Rx‖", found, 2.44).endswith("above 2.44: refuted.")
    with pytest.raises(ValueError, match=r"delta must be in \[0, inf\), got -1"):
        verify.proved(found, -1)
    with pytest.raises(ValueError, match=r"delta must be in \[0, 1\], got 2"):
        verify.proved(Enclosure(0.1, 0.2, 128), 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "optimum"}, "strategy must be in"),
        ({"n": 0}, "n must be in [1, 1000], got 0"),
        ({"per_cell": 0}, "per_cell must be in"),
        ({"neighbours": "replace", "contributions": 2}, "where a person is replaced, must be in [1, 1], got 2"),
        ({"workload": "totals"}, "workload must be in"),
        ({"norm": 3}, "norm must be in [1, 2], got 3"),
    ],
)
def test_bad_input_is_refused(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        verify.sums_change(**{"strategy": "tree", "n": 5} | options)
