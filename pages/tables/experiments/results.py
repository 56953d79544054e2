"""Liu's experiments at one setting: what is released how often, and what came out of it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
import pandas as pd

from dpcore import readers, tables
from dpcore.checks import Array, ends
from dpcore.tables import Setting, SvmScore
from pages.framework.parameters.kinds import Values
from pages.framework.rendering.workers.limits import Progress
from pages.tables.experiments.parameters import PAPER_EPSILONS

AT_ONCE = 3_000_000  # released numbers that are made in a tenth of a second
MOST_CELLS = 50_000  # of which a computer makes 500 releases by every setting in a minute
MOST_POINTS = 400  # of one mechanism in a picture
SPLIT_SEED = 1  # of Adult's records into those that train and those that test
PUBLISHED = tables.PAPER[0]  # all three data sets have the same ε, δ and repeats
_LEAST_EPSILON = ends(PAPER_EPSILONS.quantity.limits)[0]
ShareCallback = Callable[[float], object]


@dataclass(frozen=True)
class Asked:
    """What the results depend on: the counts as bytes, the settings, the seed, the repeats, and the processing."""

    counts: bytes
    settings: tuple[Setting, ...]
    seed: int
    n_repeats: int
    post: str

    def results(self, progress: ShareCallback | None = None) -> pd.DataFrame:
        """Means and standard deviations over the releases."""
        counts = np.frombuffer(self.counts)
        post = processing(self.post, float(counts.sum()))
        rng = np.random.default_rng(self.seed)
        return tables.experiment(counts, self.settings, rng, self.n_repeats, post, progress=progress)


@dataclass(frozen=True, eq=False)
class Adult:
    """Adult's records, those that train and those that test, and of the former the counts of the cells that occur."""

    train: pd.DataFrame
    test: pd.DataFrame
    counts: Array
    possible: float


def make_results(asked: Asked, progress: Progress) -> None:
    """Make the results, and tell them with what they depend on."""
    progress.add((asked, asked.results(progress.report)))


def train(adult: Adult, epsilon: float, delta: float, seed: int, progress: Progress) -> None:
    """Train a machine on the counts, then on one release by each mechanism, and tell each score when it is there."""
    settings = tables.experiment_settings(epsilon, delta)
    scores = tables.svm_accuracy(adult.train, adult.test, settings, np.random.default_rng(seed))
    for place, score in enumerate(scores, 1):
        progress.add(score)
        progress.report(place / (len(settings) + 1))


def brought(data: bytes, _: Progress) -> Adult | str:
    """Adult from the bytes of its file, or why they are another."""
    try:
        return adult(data)
    except ValueError as error:
        return str(error)


def adult(data: bytes) -> Adult:
    """Adult from the bytes of its file; ValueError with one sentence if they are another."""
    completers = tables.adult_completers(readers.read_adult(data))
    if len(completers) < 3:
        raise ValueError(f"{len(completers)} records have every attribute, and an experiment needs 3")
    train, test = tables.adult_split(completers, np.random.default_rng(SPLIT_SEED))
    return Adult(train, test, tables.adult_counts(train), tables.possible_cells(completers))


@dataclass(frozen=True, eq=False)
class Held:
    """What a session holds and no link: Adult, the results that were made in the background, the machines' scores."""

    adult: Adult | None = None
    asked: Asked | None = None
    results: pd.DataFrame | None = None
    scores: tuple[SvmScore, ...] = ()


NOTHING = Held()


@dataclass(frozen=True, eq=False)
class Experiment:
    """A table with its name, what it is released with, and the (ε, δ) at which one release of each noise is drawn."""

    source: str
    cells: tuple[str, ...]
    counts: Array
    epsilons: tuple[float, ...]
    deltas: tuple[float, ...]
    post: str
    n_repeats: int
    seed: int
    epsilon: float
    delta: float
    distance: str
    held: Held = NOTHING
    possible: float | None = None

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every mechanism at every (ε, δ) of the grid."""
        return _settings(self.epsilons, self.deltas)

    @cached_property
    def asked(self) -> Asked:
        """What the results depend on."""
        return Asked(self.counts.tobytes(), self.settings, self.seed, self.n_repeats, self.post)

    @property
    def size(self) -> int:
        """How many numbers are released."""
        return self.counts.size * len(self.settings) * self.n_repeats

    @property
    def waiting(self) -> bool:
        """Whether the results are to be made in the background and are not yet."""
        return self.size > AT_ONCE and self.held.asked != self.asked

    @cached_property
    def results(self) -> pd.DataFrame | None:
        """Means and standard deviations; None where they are waited for."""
        if self.waiting:
            return None
        return _results(self.asked) if self.size <= AT_ONCE else self.held.results

    @property
    def exact(self) -> bool:
        """Whether every release is the table itself, so that there is nothing to compare."""
        return self.results is not None and not self.results["l1_mean"].to_numpy().any()

    @cached_property
    def order(self) -> pd.DataFrame | None:
        """How Laplace, pDP and classical compare."""
        if self.results is None:
            return None
        return _order(self.asked) if self.size <= AT_ONCE else tables.paper_ordering(self.results)

    @cached_property
    def released(self) -> dict[str, Array] | None:
        """One release by each mechanism at the page's (ε, δ); None at an ε that only the analytic Gaussian has."""
        if self.epsilon < _LEAST_EPSILON:
            return None
        settings = tables.experiment_settings(self.epsilon, self.delta)
        post = processing(self.post, float(self.counts.sum()))
        made = tables.sanitised(self.counts, settings, np.random.default_rng(self.seed), post)
        return {setting.mechanism: row for setting, row in zip(settings, made, strict=True)}

    @cached_property
    def drawn(self) -> np.ndarray:
        """The places of the cells that a picture shows: all, or some spread evenly over their order by count."""
        order = np.argsort(self.counts, kind="stable")
        if order.size <= MOST_POINTS:
            return order
        return order[np.linspace(0, order.size - 1, MOST_POINTS).round().astype(int)]


def experiment(values: Values, table: pd.DataFrame | None, source: str, held: Held | None = None) -> Experiment | None:
    """What the parameters of the section ask for, on the page's table or Adult; None without a table."""
    held, as_published, possible = held or NOTHING, values["grid"] == "paper", None
    if values["data"] == "adult":
        if held.adult is None:
            return None
        counts, names, possible = held.adult.counts, (), held.adult.possible
        source = (
            f"Adult ({counts.size:,} cells that occur in {len(held.adult.train):,} records; split by seed {SPLIT_SEED})"
        )
    elif table is None:
        return None
    else:
        counts, names = table["count"].to_numpy(np.float64), tuple(table["cell"])
    return Experiment(
        source,
        names,
        counts,
        PUBLISHED.epsilon if as_published else values["paper_epsilons"],
        PUBLISHED.delta if as_published else values["paper_deltas"],
        "paper" if as_published else values["post"],
        PUBLISHED.n_repeats if as_published else int(values["repeats"]),
        int(values["seed"]),
        values["epsilon"],
        values["delta"],
        values["distance"],
        held,
        possible,
    )


def released_numbers(asked: Experiment) -> pd.DataFrame:
    """The release of each mechanism beside the original counts, with the names of the cells where they have some."""
    names = {"cell": asked.cells} if asked.cells else {}
    return pd.DataFrame(names | {"count": asked.counts} | (asked.released or {}))


def score_numbers(scores: tuple[SvmScore, ...]) -> pd.DataFrame:
    """The scores of machines, a row for each."""
    settings = pd.DataFrame([score.setting or Setting("original", np.nan, np.nan, np.nan, 0.0) for score in scores])
    return settings.assign(
        accuracy=[score.accuracy for score in scores],
        standard_error=[score.standard_error for score in scores],
        n_cells=[score.n_cells for score in scores],
    )


def processing(name: str, n: float) -> Callable[[Array], Array] | None:
    """What is made of noisy counts of the total n."""
    return None if name == "none" else partial(tables.post_process, clip=n, total=n, rounded=name == "rounded")


@lru_cache(64)
def _settings(epsilons: tuple[float, ...], deltas: tuple[float, ...]) -> tuple[Setting, ...]:
    return tables.experiment_settings(epsilons, deltas)


@lru_cache(64)
def _results(asked: Asked) -> pd.DataFrame:
    return asked.results()


@lru_cache(64)
def _order(asked: Asked) -> pd.DataFrame:
    return tables.paper_ordering(_results(asked))
