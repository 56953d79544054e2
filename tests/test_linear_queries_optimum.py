"""The numerical optimum beside bounds below every strategy, and trees that are published as they go."""

import re

import numpy as np
import pytest

from dpcore.linear_queries import STRATEGIES, WORKLOADS, error, lower_bound, workload
from dpcore.linear_queries.optimum import _nuclear_norm
from tests.linear_query_options import own_options
from tests.test_linear_queries import OWN, nodes

NAMES = [name for name in STRATEGIES if name not in ("best", "optimum")]


@pytest.mark.parametrize("name", WORKLOADS)
@pytest.mark.parametrize("n", [1, 7, 24])
def test_no_strategy_goes_below_the_bound_and_the_optimum_reaches_it(name, n):
    window = own_options(name, "", window=5)
    bound = lower_bound(name, n, **window)
    for noise in ("gaussian", "laplace"):
        for strategy in STRATEGIES:
            errors = error(name, strategy, n, noise=noise, **window)
            assert errors.largest >= bound.largest * (1 - 1e-12)
            assert errors.root_mean_square >= bound.root_mean_square * (1 - 1e-12)
    close = 1e-3 if name == "ranges" else 2e-6
    for aim in ("largest", "root_mean_square"):
        errors = error(name, "optimum", n, aim=aim, **window)
        assert getattr(errors, aim) == pytest.approx(getattr(bound, aim), rel=close)
        assert errors.is_exact


def test_the_optimum_of_own_numbers():
    own = np.vstack([OWN, np.eye(12, dtype=int)])
    errors = error(own, "optimum", 12)
    assert errors.largest <= min(error(own, name, 12).largest for name in NAMES) * (1 + 1e-6)
    assert lower_bound(own, 12).largest == pytest.approx(errors.largest, rel=1e-3)


def test_the_known_bounds_lie_below():
    """The reference's 1.312, 1.653 and 2.386 are those of a formula; 1.865669, 1.829999, 2.277308 of even weights."""
    for n, expected in ((12, 1.312), (36, 1.653), (365, 2.386)):
        known = (2 + np.log((2 * n + 1) / 3)) / np.pi
        assert known == pytest.approx(expected, abs=5e-4)
        assert lower_bound("running_totals", n).largest > known + 0.1
    for name, n, expected in (("running_totals", 36, 1.865669), ("window", 36, 1.829999), ("ranges", 64, 2.277308)):
        numbers = workload(name, n)
        even = _nuclear_norm(numbers) / np.sqrt(numbers.first.size * n)
        assert even == pytest.approx(expected, abs=5e-7)
        assert error(name, "optimum", n, aim="root_mean_square").root_mean_square > even
    even = np.sum(1 / (2 * np.sin((2 * np.arange(1, 366) - 1) * np.pi / (4 * 365 + 2)))) / 365  # the singular values
    assert lower_bound("running_totals", 365) == pytest.approx((even, even), rel=1e-7)


@pytest.mark.parametrize("name", WORKLOADS)
@pytest.mark.parametrize("n", [1, 12, 13, 40])
def test_the_nuclear_norms_are_sums_of_singular_values(name, n):
    numbers = workload(name, n, 5)
    singular_values = np.linalg.svd(numbers.matrix(), compute_uv=False)
    assert _nuclear_norm(numbers) == pytest.approx(singular_values.sum(), rel=1e-9)
    assert _nuclear_norm(numbers) < singular_values.sum()


def test_a_bound_of_numbers_that_do_not_determine_the_cells_is_that_of_even_weights():
    own = [[1, 1, 0], [1, 1, 1]]
    even = np.linalg.svd(np.array(own), compute_uv=False).sum() / np.sqrt(6)
    assert lower_bound(own, 3) == pytest.approx((even, even), rel=1e-6)
    with pytest.raises(ValueError, match=re.escape("the rank of workload of the optimum must be in [3, 3], got 2")):
        error(own, "optimum", 3)


@pytest.mark.parametrize("n", [9, 12, 13])
@pytest.mark.parametrize("branching", [2, 3, 12])
def test_a_tree_that_is_published_as_it_goes_has_complete_nodes_only(n, branching):
    """Least squares by pseudo-inverses over the nodes that end no later than the number."""
    rows = nodes(n, branching)
    last = n - rows[:, ::-1].argmax(axis=1)
    for name in (*WORKLOADS, np.vstack([OWN[:, : n - 1], np.ones((1, n - 1))]) if n == 13 else "each"):
        numbers = workload(name if isinstance(name, str) else np.pad(name, ((0, 0), (1, 0))), n, 5)
        expected = []
        for number, end in zip(numbers.matrix(), numbers.end, strict=True):
            known = rows[last <= end]
            expected.append(np.linalg.norm(number @ np.linalg.pinv(known)) * np.sqrt(rows.sum(axis=0).max()))
        own = numbers.matrix() if numbers.own is not None else name
        options = own_options(own, "tree", branching=branching, window=5)
        errors = error(own, "tree", n, publication="as_it_goes", **options)
        assert errors.each == pytest.approx(expected, rel=1e-9)
        once = error(own, "tree", n, **options)
        assert np.all(once.each <= errors.each * (1 + 1e-12))


def test_the_optimum_wins_over_three_years_of_months():
    """It has 1.940, and no strategy less; the square root has 2.205, and the normalised one 2.033."""
    assert error("running_totals", "optimum", 36).largest == pytest.approx(1.940134, abs=2e-6)
    assert error("running_totals", "optimum", 36, aim="root_mean_square").root_mean_square == pytest.approx(
        1.927089, abs=2e-6
    )


def test_bad_input_of_the_optimum_is_refused():
    for arguments, message in [
        ({"n": 65}, "n of the optimum must be in [1, 64], got 65"),
        ({"aim": "least"}, "aim must be in largest, root_mean_square, got 'least'"),
        ({"publication": "never"}, "publication must be in once, as_it_goes, got 'never'"),
        (
            {"workload": np.tile(np.eye(3), (700, 1))},
            "the number of rows of workload of the optimum must be in [1, 2080]",
        ),
    ]:
        with pytest.raises(ValueError, match=re.escape(message)):
            error(**{"workload": "each", "strategy": "optimum", "n": 3, **arguments})
