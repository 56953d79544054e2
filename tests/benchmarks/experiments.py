"""Print the tables of means and standard deviations of [Liu19] §4 at the paper's settings, with their cost.

python -m tests.benchmarks.experiments [FOLDER with mildew.csv, czech.csv and adult.csv.gz] [--svm]
"""

import argparse
import resource
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from dpcore import gaussian, generalized_gaussian, laplace, readers, tables
from dpcore.checks import Array

SEED = 2019
EXTRA = "analytic"  # what [Liu19] leaves out
ROUNDS = 7


def counts_of(data: str, folder: Path) -> Array:
    """Return the counts of a data set of [Liu19]."""
    if data == "adult":
        return tables.adult_counts(adult(folder)[0])
    return pd.read_csv(folder / f"{data}.csv")["count"].to_numpy(np.float64)


def adult(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    completers = tables.adult_completers(readers.read_adult((folder / "adult.csv.gz").read_bytes()))
    return tables.adult_split(np.random.default_rng(SEED), completers)


def settings_of(published: tables.PublishedExperiment) -> tuple[tables.Setting, ...]:
    return tables.experiment_settings(published.epsilon, published.delta, [*published.mechanisms, EXTRA])


def run(counts: Array, settings: tuple[tables.Setting, ...], n_repeats: int) -> pd.DataFrame:
    processing = partial(tables.post_process, clip=counts.sum(), total=counts.sum())
    return tables.experiment(np.random.default_rng(SEED), counts, settings, n_repeats, processing)


def draw(settings: tuple[tables.Setting, ...], size: tuple[int, int]) -> None:
    """Return independent noise for every setting, drawn by the sampler of its family."""
    rng = np.random.default_rng(SEED)
    for setting in settings:
        if setting.p == 1:
            laplace.sample(rng, setting.scale, size)
        elif setting.p == 2:
            gaussian.sample(rng, setting.scale / 2**0.5, size)
        else:
            generalized_gaussian.sample(rng, setting.scale, setting.p, size)


def seconds(work: Callable[[], object], rounds: int) -> float:
    return min(timeit.repeat(work, number=1, repeat=rounds))


def show(published: tables.PublishedExperiment, folder: Path) -> None:
    counts, settings = counts_of(published.data, folder), settings_of(published)
    print(
        f"\n{published.data}: n = {counts.sum():.0f}, {counts.size} cells, {published.n_repeats} repeats, seed {SEED}"
    )
    results = run(counts, settings, published.n_repeats)
    print(results.drop(columns=["p", "n_repeats"]).round(4).to_string(index=False))
    print(f"largest memory so far {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    order = tables.paper_ordering(results)
    print(order["verdict"].value_counts().to_string())
    print(order[order["verdict"] != "as published"].round(4).to_string(index=False))
    rounds = ROUNDS if counts.size < 1000 else 1
    total = seconds(lambda: run(counts, settings, published.n_repeats), rounds)
    every = seconds(lambda: draw(settings, (published.n_repeats, counts.size)), rounds)
    kinds = tuple({setting.p: setting for setting in settings}.values())
    once = seconds(lambda: draw(kinds, (published.n_repeats, counts.size)), rounds)
    print(
        f"{len(settings)} settings in {total:.3f} s: {total / every:.2f} × drawing the noise of every setting,", end=" "
    )
    print(f"{total / once:.1f} × drawing the {len(kinds)} standard noises that it does draw")


def show_svm(folder: Path) -> None:
    """Print Fig. 12 at ε = 0.5 and δ = 0.01, where the noise is largest, beside the original."""
    train, test = adult(folder)
    settings = tables.experiment_settings(0.5, 0.01, [*tables.PAPER[2].mechanisms, EXTRA])
    for score in tables.svm_accuracy(np.random.default_rng(SEED), train, test, settings):
        name = score.setting.mechanism if score.setting else "original"
        print(f"{name}: {score.accuracy:.2%} ± {score.standard_error:.2%} from {score.n_cells} cells", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--svm", action="store_true", help="train Fig. 12's machines too, which takes minutes")
    options = parser.parse_args()
    for table in tables.PAPER:
        show(table, options.folder)
    if options.svm:
        show_svm(options.folder)
