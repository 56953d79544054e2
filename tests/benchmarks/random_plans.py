"""200 random plans: how often the chosen plan is better than each plan of one mechanism, by how much, and the times.

The time of a plan for a known total is that for 2 to 8 queries of such plans and for 20, at ε = 1.

python -m tests.benchmarks.random_plans [number of plans]
"""

import sys
from time import process_time

import numpy as np

from dpcore.plan import Histogram, Mean, Query, Sum, Table, choose, query, scaled_to

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


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
