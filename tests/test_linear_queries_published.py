"""Errors of strategies beside the numbers in papers, and in the tests of other libraries."""

import numpy as np
import pytest

from dpcore.linear_queries import error, lower_bound
from tests.linear_factors import factors


def test_errors_beside_those_that_others_published():
    """The weights, optimum and errors in the tests of Denisov et al.'s code and of JAX Privacy.

    `google-research/federated` at 5c7525b: `dp_matrix_factorization/solvers_test.py` (Honaker's estimates of four
    totals as they go, and of two at the end) and `fixed_point_library_test.py` (the multipliers v of three totals,
    whose sum is the total squared error of the optimum). `google-deepmind/jax_privacy` at 3740a65:
    `tests/matrix_factorization/dense_test.py`, the squared errors of two totals, by a tree at
    the end and by the square root.
    """
    going = [
        [1, 0, 0, 0, 0, 0, 0],
        [0.33333333, 0.33333333, 0.66666667, 0, 0, 0, 0],
        [0.33333333, 0.33333333, 0.66666667, 1, 0, 0, 0],
        [0.14285714, 0.14285714, 0.28571429, 0.14285714, 0.14285714, 0.28571429, 0.57142857],
    ]
    for weights, publication in ((going, "as_it_goes"), ([[2 / 3, -1 / 3, 1 / 3], [1 / 3, 1 / 3, 2 / 3]], "once")):
        errors = error("running_totals", "tree", len(weights), publication=publication)
        depth = np.log2(2 * len(weights))  # how many nodes have a period
        assert errors.each == pytest.approx(np.linalg.norm(weights, axis=1) * np.sqrt(depth), rel=1e-8)
        found = factors(errors.workload, "tree", *errors.options)[1]
        assert np.sort(found, axis=1) == pytest.approx(np.sort(weights, axis=1), abs=1e-8)
    two, root = error("running_totals", "tree", 2), error("running_totals", "square_root", 2)
    assert (two.each / two.sensitivity) ** 2 == pytest.approx([2 / 3, 2 / 3])
    assert (root.each / root.sensitivity) ** 2 == pytest.approx([1, 1.25])
    multipliers = 2.651861, 1.257355, 0.698646
    optimum = error("running_totals", "optimum", 3, aim="root_mean_square")
    assert optimum.root_mean_square == pytest.approx(np.sqrt(sum(multipliers) / 3), rel=1e-6)


def test_trees_beside_the_variances_that_tensorflow_privacy_published():
    """`tensorflow/privacy` at 2396098: `tree_aggregation_test.py`, in units of the variance of one node.

    Its plain tree has how many nodes are added up to each total; its efficient one ([H15]), with totals as they go, the
    variance of the last total, and the sum of the weights of its nodes.
    """
    for n, variances in ((4, [1, 1, 2, 1]), (7, [1, 1, 2, 1, 2, 2, 3]), (8, [1, 1, 2, 1, 2, 2, 3, 1])):
        plain = error("running_totals", "binary_tree", n)
        assert (plain.each / plain.sensitivity) ** 2 == pytest.approx(variances, rel=1e-12)
    for n, n_nodes in ((16, 1), (17, 2), (18, 2), (19, 3), (20, 2), (21, 3)):
        plain = error("running_totals", "binary_tree", n)
        assert (plain.each[-1] / plain.sensitivity) ** 2 == pytest.approx(n_nodes, rel=1e-12)
    for n, variance in ((4, 4 / 7), (7, 4 / 7 + 2 / 3 + 1), (8, 8 / 15)):
        tree = error("running_totals", "tree", n, publication="as_it_goes")
        assert (tree.each[-1] / tree.sensitivity) ** 2 == pytest.approx(variance, rel=1e-12)
    sums = {
        1: 1,
        2: 4 / 3,
        3: 4 / 3 + 1,
        4: 12 / 7,
        5: 12 / 7 + 1,
        6: 12 / 7 + 4 / 3,
        7: 12 / 7 + 4 / 3 + 1,
        8: 32 / 15,
    }
    for n, total in sums.items():
        tree = error("running_totals", "tree", n, publication="as_it_goes")
        assert factors(tree.workload, "tree", *tree.options)[1][-1].sum() == pytest.approx(total, rel=1e-12)


def test_the_largest_error_of_the_square_root_is_a_constant_of_landau():
    """The factors of [FHU23] have the largest error Σ binom(2j, j)²/16^j, and 1 + ln(n)/π is Mathias's (1993) bound.

    OEIS A277233 and A056982 have the first constants as fractions; D. Zhao (2009, quoted by Popa, General Mathematics
    2010, and in OEIS) has both bounds, which are 3/(128π n³) apart: within 2e-10 of each other for 365 periods.
    """
    for n, landau in enumerate([1, 5 / 4, 89 / 64, 381 / 256, 25609 / 16384], start=1):
        assert error("running_totals", "square_root", n).largest == pytest.approx(landau, rel=1e-14)
    for n in (12, 36, 365, 1000):
        least = (np.log(n) + np.euler_gamma + np.log(16) - 1 / (4 * n) + 5 / (192 * n**2)) / np.pi
        largest = error("running_totals", "square_root", n).largest
        assert least * (1 - 1e-13) <= largest <= (least + 3 / (128 * np.pi * n**3)) * (1 + 1e-12)
        assert error("running_totals", "normalized_square_root", n).largest < 1 + np.log(n) / np.pi < largest


def test_the_normalised_square_root_tends_to_its_published_limits():
    """[HKU25], abstract: largest and r.m.s. are .846 and .748 + ln(n)/π + o(1), and no strategy is below .701.

    Their distance falls as 1/ln n: the line through those of 365 and 1,000 periods ends within .01 of the limits.
    """
    n = np.array([36, 365, 1000])
    known = [error("running_totals", "normalized_square_root", int(one)) for one in n]
    for aim, limit in (("largest", 0.846), ("root_mean_square", 0.748)):
        excess = np.array([getattr(errors, aim) for errors in known]) - np.log(n) / np.pi
        assert (np.diff(excess) < 0).all()
        assert (excess > limit).all()
        slope = (excess[1] - excess[2]) / (1 / np.log(n[1]) - 1 / np.log(n[2]))
        assert excess[2] - slope / np.log(n[2]) == pytest.approx(limit, abs=0.01)
    bounds = [lower_bound("running_totals", int(one)) for one in n]
    assert all(min(bound) > 0.701 + np.log(one) / np.pi for bound, one in zip(bounds, n, strict=True))
    assert bounds[-1].largest == pytest.approx(0.701 + np.log(1000) / np.pi, abs=3e-3)
