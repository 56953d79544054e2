"""What dpcore.clipping refuses."""

import re
from typing import Any, cast

import numpy as np
import pytest

from dpcore.clipping import (
    NOISES,
    LimitedTable,
    best_bounds,
    best_limit,
    contribution_error,
    mean_error,
    normal,
    private_bounds,
    sum_error,
    uniform,
)

NO_DATA: Any = normal(0, 1, 5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sum_error([1], 0, 1, 0), "epsilon must be in [1e-12, 1e6], got 0"),
        (lambda: sum_error([np.nan], 0, 1, 1), "values must be in [-1e15, 1e15], got nan"),
        (lambda: sum_error([], 0, 1, 1), "the number of values must be in [1, 1e12], got 0"),
        (lambda: sum_error([1], 1, 0, 1), "high must be in (low, 1e15], got 0"),
        (
            lambda: sum_error([1], 0, 1.5, 1, "geometric"),
            "high must be in the whole numbers, as low, for noise on the whole numbers, got 1.5",
        ),
        (lambda: sum_error([1], 0, 1, 1, "staircase"), f"noise must be in {', '.join(NOISES)}, got 'staircase'"),
        (lambda: mean_error([1], 0, 1, 1, count_share=1), "count_share must be in (0, 1), got 1"),
        (
            lambda: mean_error([1], 0, 1, 1, "geometric", count_share=0.5),
            "noise must be in laplace, gaussian, truncated_laplace, got 'geometric'",
        ),
        (lambda: sum_error([1], 0, 1, 1, bias="none"), "bias must be in net, gross, got 'none'"),
        (
            lambda: private_bounds([1], 1, 1).sum_errors("geometric"),
            "noise must be in laplace, gaussian, truncated_laplace, got 'geometric'",
        ),
        (lambda: best_bounds([1], 1, low=2, high=1), "high must be in (low, inf), got 1"),
        (
            lambda: private_bounds(NO_DATA, 1, 1),
            "values must be data, got normal",
        ),
        (lambda: private_bounds([-1], 1, 1), "values must be in [0, 1e15], got -1"),
        (lambda: uniform(1, 1, 5), "high − low must be in [1e-9, 2e12], got 0"),
        (lambda: contribution_error([1], 0, 1), "limit must be in [1, 1e6], got 0"),
        (
            lambda: LimitedTable("geometric", dropping="weight"),
            "noise must be in laplace, gaussian, truncated_laplace, got 'geometric'",
        ),
        (lambda: LimitedTable("geometric", delta=0.1), "delta must be left out of noise geometric, got 0.1"),
        (lambda: LimitedTable(n_cells=0), "n_cells must be in [1, 1e15], got 0"),
        (lambda: best_limit([1], 1, cast(Any, 5)), "table must be a LimitedTable, got 5"),
        (
            lambda: best_limit([1], 1, error="dropped"),
            "error must be in total_error, cell_error, cell_half_width, all_half_width, got 'dropped'",
        ),
    ],
)
def test_values_that_cannot_be_clipped_are_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()
