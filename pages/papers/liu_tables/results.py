"""Liu's experiments at one setting: their inputs, releases and results."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd

from dpcore import readers, tables
from dpcore.checks import Array, interval_bounds
from dpcore.tables import Setting, SvmScore
from pages.framework.parameters.parameter import Values
from pages.framework.rendering.uploaded_files import kept
from pages.framework.rendering.workers.jobs import Progress
from pages.papers.parameters import PAPER_EPSILONS

MOST_IMMEDIATE = 3_000_000  # released counts that take a tenth of a second; more are computed in the background
MOST_CELLS = 50_000  # 500 releases of so many by every setting take a minute
MOST_POINTS = 400  # cells of one mechanism in a figure
SPLIT_SEED = 1  # splits the records of Adult into training and test records
PUBLISHED = tables.PAPER[0]  # all three data sets have the same ε, δ and repeats
_LEAST_EPSILON = interval_bounds(PAPER_EPSILONS.quantity.limits)[0]
ShareCallback = Callable[[float], object]


@dataclass(frozen=True)
class ExperimentInputs:
    """The inputs of the results: the counts as bytes, the settings, the seed, the repeats, and the post-processing."""

    counts: bytes
    settings: tuple[Setting, ...]
    seed: int
    n_repeats: int
    post: str

    def results(self, progress: ShareCallback | None = None) -> pd.DataFrame:
        """Return means and standard deviations over the releases."""
        counts = np.frombuffer(self.counts)
        post = post_processing(self.post, float(counts.sum()))
        rng = np.random.default_rng(self.seed)
        return tables.experiment(rng, counts, self.settings, self.n_repeats, post, progress=progress)


@dataclass(frozen=True, eq=False)
class Adult:
    """The records of Adult for training and for testing, and the counts of the cells that occur in the former."""

    train: pd.DataFrame
    test: pd.DataFrame
    counts: Array
    n_possible_cells: float


def compute_results(experiment: ExperimentInputs, progress: Progress) -> None:
    """Compute the results, and add them to the progress with their inputs."""
    progress.add_piece((experiment, experiment.results(progress.report)))


def train_machines(adult: Adult, epsilon: float, delta: float, seed: int, progress: Progress) -> None:
    """Train a machine on the counts, then on one release by each mechanism, and add each score to the progress."""
    settings = tables.experiment_settings(epsilon, delta)
    scores = tables.svm_accuracy(np.random.default_rng(seed), adult.train, adult.test, settings)
    for place, score in enumerate(scores, 1):
        progress.add_piece(score)
        progress.report(place / (len(settings) + 1))


def adult_or_problem(data: bytes, _: Progress) -> Adult | str:
    """Return Adult from the bytes of its file, or why they are not Adult."""
    try:
        return read_adult(data)
    except ValueError as error:
        return str(error)


def read_adult(data: bytes) -> Adult:
    """Return Adult from the bytes of its file; ValueError with one sentence if they are not Adult."""
    completers = tables.adult_completers(readers.read_adult(data))
    if len(completers) < 3:
        raise ValueError(f"{len(completers)} records have every attribute, and an experiment needs 3")
    train, test = tables.adult_split(np.random.default_rng(SPLIT_SEED), completers)
    return Adult(train, test, tables.adult_counts(train), tables.possible_cells(completers))


@dataclass(frozen=True, eq=False)
class ExperimentData:
    """What the session has and no link: Adult, the results of the background task, and the scores of the machines."""

    adult: Adult | None = None
    inputs: ExperimentInputs | None = None
    results: pd.DataFrame | None = None
    scores: tuple[SvmScore, ...] = ()


NO_DATA = ExperimentData()


@dataclass(frozen=True, eq=False)
class TableExperiment:
    """A table with its name, the settings of its releases, and the (ε, δ) of the one release that is shown."""

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
    session_data: ExperimentData = NO_DATA
    n_possible_cells: float | None = None

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every mechanism at every (ε, δ) of the grid."""
        return tables.experiment_settings(self.epsilons, self.deltas)

    @cached_property
    def inputs(self) -> ExperimentInputs:
        """The inputs of the results."""
        return ExperimentInputs(self.counts.tobytes(), self.settings, self.seed, self.n_repeats, self.post)

    @property
    def n_noisy_counts(self) -> int:
        """The number of released counts."""
        return self.counts.size * len(self.settings) * self.n_repeats

    @property
    def needs_background(self) -> bool:
        """Whether the results take a background task that has not run yet."""
        return self.n_noisy_counts > MOST_IMMEDIATE and self.session_data.inputs != self.inputs

    @cached_property
    def results(self) -> pd.DataFrame | None:
        """Means and standard deviations; None until the background task has run."""
        if self.needs_background:
            return None
        is_immediate = self.n_noisy_counts <= MOST_IMMEDIATE
        return kept(ExperimentInputs.results, self.inputs) if is_immediate else self.session_data.results

    @property
    def is_exact(self) -> bool:
        """Whether every release is the table itself, so that there is nothing to compare."""
        return self.results is not None and not self.results["l1_mean"].to_numpy().any()

    @cached_property
    def order(self) -> pd.DataFrame | None:
        """The comparisons of Laplace, pDP and classical noise; None without results."""
        return None if self.results is None else tables.paper_ordering(self.results)

    @cached_property
    def releases(self) -> dict[str, Array] | None:
        """One release by each mechanism at the page's (ε, δ); None at an ε that only the analytic Gaussian has."""
        if self.epsilon < _LEAST_EPSILON:
            return None
        settings = tables.experiment_settings(self.epsilon, self.delta)
        post = post_processing(self.post, float(self.counts.sum()))
        counts_by_setting = tables.sanitised(np.random.default_rng(self.seed), self.counts, settings, post)
        return {setting.mechanism: row for setting, row in zip(settings, counts_by_setting, strict=True)}

    @cached_property
    def plotted_cells(self) -> np.ndarray:
        """The positions of the cells in the figure: all, or some spread evenly over their order by count."""
        order = np.argsort(self.counts, kind="stable")
        if order.size <= MOST_POINTS:
            return order
        return order[np.linspace(0, order.size - 1, MOST_POINTS).round().astype(int)]


def table_experiment(
    values: Values, table: pd.DataFrame | None, source: str, session_data: ExperimentData | None = None
) -> TableExperiment | None:
    """Return the experiment of the parameters, on the page's table or Adult; None without a table."""
    session_data, as_published, possible = session_data or NO_DATA, values["grid"] == "paper", None
    if values["data"] == "adult":
        if session_data.adult is None:
            return None
        counts, names, possible = session_data.adult.counts, (), session_data.adult.n_possible_cells
        n_records = len(session_data.adult.train)
        source = f"Adult ({counts.size:,} cells that occur in {n_records:,} records; split by seed {SPLIT_SEED})"
    elif table is None:
        return None
    else:
        counts, names = table["count"].to_numpy(np.float64), tuple(table["cell"])
    return TableExperiment(
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
        session_data,
        possible,
    )


def releases_frame(experiment: TableExperiment) -> pd.DataFrame:
    """Return the releases beside the original counts as a data frame, with the names of the cells if there are any."""
    names = {"cell": experiment.cells} if experiment.cells else {}
    return pd.DataFrame(names | {"count": experiment.counts} | (experiment.releases or {}))


def scores_frame(scores: tuple[SvmScore, ...]) -> pd.DataFrame:
    """Return the scores of the machines as a data frame."""
    settings = pd.DataFrame([score.setting or Setting("original", np.nan, np.nan, np.nan, 0.0) for score in scores])
    return settings.assign(
        accuracy=[score.accuracy for score in scores],
        standard_error=[score.standard_error for score in scores],
        n_cells=[score.n_cells for score in scores],
    )


def post_processing(name: str, n: float) -> Callable[[Array], Array] | None:
    """Return the function that post-processes noisy counts of the total n, or None."""
    return None if name == "none" else partial(tables.post_process, clip=n, total=n, rounded=name == "rounded")
