"""200 random plans: how often the chosen plan is better than each plan of one mechanism, by how much, and the times.

The time of a plan for a known total is that for 2 to 8 queries of such plans and for 20, at ε = 1.

With `--oracle` it runs the two tests of random plans of all kinds instead: no total below what neighbouring
data cost, and errors within ± as often as is said.

python -m tests.benchmarks.random_plans [number of plans] [--oracle]
"""

import argparse
from collections.abc import Callable
from time import process_time

import numpy as np

from dpcore.plan import Histogram, Mean, Query, Sum, Table, choose, query, scaled_to
from tests.test_plan_random import (
    test_the_errors_of_a_random_plan_are_within_what_is_stated_as_often_as_is_said as errors_are_within,
)
from tests.test_plan_random import (
    test_the_total_of_a_random_plan_is_never_below_what_neighbouring_data_cost as total_is_never_below,
)

DELTA = 1e-6


def random_query(rng: np.random.Generator) -> Query:
    """Return a count, sum, mean, histogram or table with a wanted error."""
    kind = str(rng.choice(["count", "sum", "mean", "histogram", "table"]))
    size = float(np.round(np.exp(rng.uniform(np.log(2), np.log(60)))))
    if kind == "sum":
        high = float(rng.integers(1, 100))
        return query(size * high, Sum(high=high))
    if kind == "mean":
        return query(size / 50, Mean(high=100, n_records=int(rng.integers(500, 5000))))
    if kind == "count":
        return query(size)
    cells, k = int(rng.integers(5, 60)), int(rng.integers(1, 5))
    is_joint = bool(rng.integers(2))
    return query(size, Table(cells, k, is_joint=is_joint) if kind == "table" else Histogram(cells, is_joint=is_joint))


def main(n_plans: int) -> None:
    """Print, for each plan of one mechanism, the shares and sizes of the gains of the chosen plan."""
    rng, gains, seconds = np.random.default_rng(33), {}, []
    for _ in range(n_plans):
        queries = [random_query(rng) for _ in range(rng.integers(2, 9))]
        start = process_time()
        plan = choose(queries, DELTA)
        seconds.append(process_time() - start)
        for key, bound in {
            **plan.uniform,
            "least of them": min(plan.uniform.values(), key=lambda bound: bound.value),
        }.items():
            gains.setdefault(key, []).append(float(bound.value) / float(plan.total.value) - 1)
    for key, ratios in gains.items():
        better = np.mean(np.array(ratios) > 1e-3)
        print(
            f"{key:18} better in {better:4.0%}, median +{np.median(ratios):.1%}, most +{max(ratios):.0%},"
            f" least {min(ratios):+.2%}, {len(ratios)} plans"
        )
    print(f"processor time: median {np.median(seconds):.3f} s, most {max(seconds):.3f} s")
    for least, most in ((2, 8), (20, 20)):
        times = [_scaling_time(rng, int(rng.integers(least, most + 1))) for _ in range(max(n_plans // 10, 1))]
        print(f"for a known total, {least} to {most} queries: median {np.median(times):.3f} s, most {max(times):.3f} s")


def _scaling_time(rng: np.random.Generator, n_queries: int) -> float:
    queries, start = [random_query(rng) for _ in range(n_queries)], process_time()
    scaled_to(queries, 1.0, DELTA)
    return process_time() - start


def try_oracle(n_plans: int) -> None:
    """Print how many plans fail each test of the tree, and how long they take."""
    start = process_time()
    for test in (total_is_never_below, errors_are_within):
        failed = [number for number in range(n_plans) if _fails(test, number)]
        print(f"{test.__name__}: {len(failed)} of {n_plans} plans fail {failed or ''}")
    print(f"processor time: {process_time() - start:.0f} s")


def _fails(test: Callable[[int], None], number: int) -> bool:
    """Return whether a test of a plan fails."""
    try:
        test(number)
    except AssertionError:
        return True
    return False


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plans", type=int, nargs="?", default=200)
    parser.add_argument("--oracle", action="store_true", help="the two tests of random plans of all kinds")
    options = parser.parse_args()
    (try_oracle if options.oracle else main)(options.plans)
