"""Liu's experiments at one setting: what is released how often, and what came out of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd

from dpcore import tables
from dpcore.checks import Array, ends
from dpcore.tables import Setting
from pages.shared.parameters import Values
from pages.tables.paper_parameters import EPSILONS

AT_ONCE = 5_000_000  # released numbers that are made in a tenth of a second
MOST_POINTS = 400  # of one mechanism in a picture
_PUBLISHED = {published.data: published for published in tables.PAPER}
_LEAST_EPSILON = ends(EPSILONS.quantity.limits)[0]


@dataclass(frozen=True)
class Run:
    """The results of an experiment that was made in the background, and what it was made of."""

    key: tuple[Any, ...]
    results: pd.DataFrame


@dataclass(frozen=True, eq=False)
class Experiment:
    """A table with its name, what it is released with, and the (ε, δ) at which one release of each noise is drawn."""

    source: str
    counts: Array
    data: str
    grid: str
    epsilons: tuple[float, ...]
    deltas: tuple[float, ...]
    processing: str
    n_repeats: int
    seed: int
    epsilon: float
    delta: float
    distance: str
    run: Run | None = None

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every mechanism at every (ε, δ) of the grid."""
        return tables.experiment_settings(self.epsilons, self.deltas)

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What the results depend on."""
        return self.counts.tobytes(), self.settings, self.seed, self.n_repeats, self.processing

    @property
    def at_once(self) -> bool:
        """Whether the results are made while the page is."""
        return self.counts.size * len(self.settings) * self.n_repeats <= AT_ONCE

    @cached_property
    def results(self) -> pd.DataFrame | None:
        """Means and standard deviations; None where they are to be made in the background and are not yet."""
        if self.at_once:
            return _results(*self.key)
        return self.run.results if self.run is not None and self.run.key == self.key else None

    @cached_property
    def order(self) -> pd.DataFrame | None:
        """How Laplace, pDP and classical compare."""
        return None if self.results is None else tables.paper_ordering(self.results)

    @cached_property
    def released(self) -> dict[str, Array] | None:
        """One release by each mechanism at the page's (ε, δ); None at an ε that only the analytic Gaussian has."""
        if self.epsilon < _LEAST_EPSILON:
            return None
        settings = tables.experiment_settings(self.epsilon, self.delta)
        made = tables.sanitised(self.counts, settings, np.random.default_rng(self.seed), processed(self))
        return {setting.mechanism: row for setting, row in zip(settings, made, strict=True)}

    @cached_property
    def drawn(self) -> np.ndarray:
        """The places of the cells that a picture shows: all, or some spread evenly over their order by count."""
        order = np.argsort(self.counts, kind="stable")
        if order.size <= MOST_POINTS:
            return order
        return order[np.linspace(0, order.size - 1, MOST_POINTS).round().astype(int)]


def experiment(values: Values, source: str, counts: Array, run: Run | None = None) -> Experiment:
    """What the parameters of the section ask for, on a table."""
    published = _PUBLISHED.get(values["data"], _PUBLISHED["mildew"])
    as_published = values["grid"] == "paper"
    return Experiment(
        source,
        np.asarray(counts, np.float64),
        values["data"],
        values["grid"],
        published.epsilon if as_published else values["epsilons"],
        published.delta if as_published else values["grid_deltas"],
        "paper" if as_published else values["processing"],
        published.n_repeats if as_published else int(values["repeats"]),
        int(values["seed"]),
        values["epsilon"],
        values["delta"],
        values["distance"],
        run,
    )


def processed(asked: Experiment) -> Callable[[Array], Array] | None:
    """What is made of noisy counts."""
    return _processing(asked.processing, float(asked.counts.sum()))


def _processing(name: str, n: float) -> Callable[[Array], Array] | None:
    if name == "paper":
        return partial(tables.post_process, clip=n, total=n)
    return partial(tables.post_process, rounded=True) if name == "rounded" else None


@lru_cache(64)
def _results(counts: bytes, settings: tuple[Setting, ...], seed: int, n_repeats: int, processing: str) -> pd.DataFrame:
    return run_experiment((counts, settings, seed, n_repeats, processing))


def run_experiment(key: tuple[Any, ...], progress: Callable[[float], object] | None = None) -> pd.DataFrame:
    """Make the results of an experiment, given its key."""
    raw, settings, seed, n_repeats, processing = key
    counts = np.frombuffer(raw)
    post = _processing(processing, float(counts.sum()))
    return tables.experiment(counts, settings, np.random.default_rng(seed), n_repeats, post, progress=progress)
