"""What lets others compute with dpcore in many threads, processes and machines: it pickles, and threads don't meet."""

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import ismodule
from pathlib import Path
from pkgutil import walk_packages
from threading import Barrier
from types import GenericAlias
from typing import Any

import numpy as np
import pytest

import dpcore
from dpcore import (
    accuracy,
    calibrations,
    composition,
    denoise,
    discrete_gaussian,
    gaussian,
    generalized_gaussian,
    geometric,
    graphs,
    laplace,
    laplace_gaussian,
    staircase,
    tables,
    tradeoff,
    verify,
)
from dpcore.sensitivity import table_sensitivity

ROOT = Path(__file__).resolve().parents[1]
RECIPE = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "dask.md").read_text(encoding="utf-8"), re.DOTALL)
THREADS = 4


def shared(*values: float) -> np.ndarray:
    array = np.array(values)
    array.flags.writeable = False  # an array that many threads read
    return array


EPSILON, DELTA = shared(0.03, 0.7, 2.1, 9.0)[:, None], shared(1e-11, 3e-7, 0.02)
RELEASES = [
    composition.laplace_release(0.23, 5),
    composition.gaussian_release(4.1, 5),
    composition.guarantee_release(0.4),
]
NOISY = shared(*np.random.default_rng(1).normal(np.repeat([0.0, 9.0, 3.0, 0.0], 16), 2.0))
RING = graphs.graph(64, [(node, (node + step) % 64) for node in range(64) for step in (1, 9)])

# Each is asked at settings that no other test has, so that nothing of it is remembered yet.
COMPUTED: dict[str, Callable[[], Any]] = {
    "Gaussian": lambda: (gaussian.analytic_sigma(EPSILON, DELTA), gaussian.delta_from_sigma(EPSILON, 1 / EPSILON)),
    "Laplace": lambda: laplace.delta_from_scale(EPSILON, DELTA * 10),
    "geometric": lambda: geometric.tail(np.arange(40), 1 / EPSILON),
    "staircase": lambda: staircase.tail(shared(0.1, 3.3), 1.3, 0.41, 1.0),
    "discrete Gaussian": lambda: discrete_gaussian.sigma_from_delta(0.83, 3.1e-6, np.sqrt(7), 7),
    "generalized Gaussian": lambda: generalized_gaussian.adp_scale(EPSILON, DELTA, 2.7),
    "several statistics": lambda: generalized_gaussian.pdp_scale(0.91, 0.043, 3, shared(1.0, 0.3)),
    "accuracy": lambda: accuracy.half_width(calibrations.GEOMETRIC, EPSILON, 0.043),
    "crossover": lambda: laplace_gaussian.crossover(laplace_gaussian.ANALYTIC, "variance", epsilon=0.77, delta=3e-6),
    "trade-off": lambda: tradeoff.laplace_curve(theta=0.77).power(shared(1e-5, 0.07, 0.8)),
    "DP-SGD": lambda: tradeoff.subsampled_gaussian_curve(1.3, 0.013, 700).power(shared(0.013, 0.31)),
    "many guarantees": lambda: composition.optimal_epsilon(1.3e-6, epsilon=0.13, n_releases=37),
    "exact composition": lambda: composition.exact_epsilon(RELEASES, delta=1.3e-6),
    "certified composition": lambda: composition.certified_epsilon(RELEASES, delta=1.3e-6),
    "Rényi": lambda: composition.rdp_epsilon(RELEASES, delta=1.3e-6),
    "table": lambda: [
        mechanism.half_width(0.043) for mechanism in tables.mechanisms(0.83, 1.3e-6, table_sensitivity(3, 12))
    ],
    "estimates": lambda: denoise.estimates(NOISY, 2.0),
    "smoothing": lambda: denoise.laplacian_smoothing(NOISY, 2.0, RING),
    "trend filtering": lambda: denoise.trend_filtering(NOISY, 2.0, RING),
    "proof": lambda: [verify.discrete_gaussian_delta(significance, 701.0) for significance in (0.0013, 0.0071, 0.013)],
}


def same(first: Any, other: Any) -> bool:
    """Return whether two answers of one function are the same in all their parts."""
    if is_dataclass(first):
        return type(first) is type(other) and all(
            same(getattr(first, f.name), getattr(other, f.name)) for f in fields(first)
        )
    if isinstance(first, dict):
        return first.keys() == other.keys() and all(same(first[key], other[key]) for key in first)
    if isinstance(first, list | tuple):
        return len(first) == len(other) and all(map(same, first, other))
    return bool(np.array_equal(first, other, equal_nan=isinstance(first, float | np.floating)))


@pytest.mark.parametrize("computed", COMPUTED.values(), ids=COMPUTED)
def test_threads_that_ask_for_the_same_at_once_get_what_one_thread_gets(computed: Callable[[], Any]):
    together = Barrier(THREADS)

    def ask(_: int) -> Any:
        together.wait()
        return computed()

    with ThreadPoolExecutor(THREADS) as threads:
        answers = list(threads.map(ask, range(THREADS)))
    alone = computed()
    assert all(same(answer, alone) for answer in answers)
    assert same(pickle.loads(pickle.dumps(alone)), alone)


def test_whatever_dpcore_offers_by_name_can_be_sent_to_another_process():
    modules = [import_module(module.name) for module in walk_packages(dpcore.__path__, "dpcore.")]
    named = [getattr(module, name) for module in modules for name in getattr(module, "__all__", ())]
    offered = [
        named_object
        for named_object in named
        if callable(named_object) and not ismodule(named_object) and not isinstance(named_object, GenericAlias)
    ]
    assert len(offered) > 300
    assert [
        named_object for named_object in offered if pickle.loads(pickle.dumps(named_object)) is not named_object
    ] == []


def test_the_recipe_for_dask_computes_on_processes_of_its_own_what_numpy_computes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    sweep, reading = RECIPE
    for whole, part in (("1_000, 1_000, 100", "12, 30, 8"), ("n_workers=2", "n_workers=1")):
        assert whole in sweep
        sweep = sweep.replace(whole, part)
    (tmp_path / "sweep.py").write_text(sweep, encoding="utf-8")
    command, environment = [sys.executable, "sweep.py"], os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")
    epsilon, delta, p = np.geomspace(0.01, 10, 12), np.geomspace(1e-12, 1e-2, 30), np.linspace(1, 5, 8)
    scale = generalized_gaussian.adp_scale(epsilon[:, None, None], delta[:, None], p)
    blocks = [np.load(tmp_path / "scales" / f"{place}.npy") for place in range(12)]
    np.testing.assert_allclose(np.concatenate(blocks), scale, rtol=1e-13)

    monkeypatch.chdir(tmp_path)
    exec(reading, {})
    variance = generalized_gaussian.variance(scale, p)
    best = np.searchsorted(p, np.load("best.npy"))
    chosen = np.take_along_axis(variance, best[..., None], axis=2)[..., 0]
    np.testing.assert_allclose(chosen, variance.min(axis=2), rtol=1e-12)
