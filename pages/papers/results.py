"""The result of the page at one setting."""

from dataclasses import dataclass
from functools import cached_property

from pages.framework.parameters.parameter import Values
from pages.papers.balle_means.results import DataSets, MeanExperiment, mean_experiment
from pages.papers.liu_exponential.results import ExponentialResult
from pages.papers.liu_tables.results import ExperimentData, TableExperiment, table_experiment
from pages.papers.liu_tails.results import TailsResult, TailsSetting
from pages.shared.bounded.parameters import BoundedSetting
from pages.shared.counts.table import Counts, Upload, table_of
from pages.shared.shared_parameters import SharedSetting, read_setting


@dataclass(frozen=True)
class PapersResult:
    """The result at one setting, each part computed once; `pinned` is that of the pinned setting.

    `problem` is the sentence why the user's own table cannot be used. `experiment_data` and `data_sets` are what the
    session has of the experiments on tables and on means.
    """

    values: Values
    table: Counts | None
    pinned: "PapersResult | None" = None
    problem: str = ""
    experiment_data: ExperimentData | None = None
    data_sets: DataSets | None = None

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.values["section"]

    @cached_property
    def setting(self) -> SharedSetting:
        """The shared parameters."""
        return read_setting(SharedSetting, self.values)

    @cached_property
    def bounded_setting(self) -> BoundedSetting:
        """The parameters of noise within bounds."""
        return read_setting(BoundedSetting, self.values)

    @cached_property
    def exponential(self) -> ExponentialResult | None:
        """The scales of the exponential mechanism; None where ε is too small for it."""
        return ExponentialResult(self.bounded_setting) if self.bounded_setting.has_bounded_answer else None

    @cached_property
    def tails(self) -> TailsResult:
        """The tails of Laplace and Gaussian noise."""
        return TailsResult(read_setting(TailsSetting, self.values))

    @property
    def answered_pinned_tails(self) -> TailsResult | None:
        """The tails of the pinned setting, if Laplace noise has an answer there."""
        return self.pinned.tails if self.pinned is not None and self.pinned.tails.has_answer else None

    @cached_property
    def table_experiment(self) -> TableExperiment | None:
        """Liu's experiment on the table or on Adult; None without one."""
        frame, source = (None, "") if self.table is None else (self.table.frame, self.table.source)
        return table_experiment(self.values, frame, source, self.experiment_data)

    @cached_property
    def mean_experiment(self) -> MeanExperiment:
        """Balle and Wang's experiment on means."""
        return mean_experiment(self.values, self.data_sets)


def compute_result(
    values: Values,
    upload: Upload | None = None,
    experiment_data: ExperimentData | None = None,
    data_sets: DataSets | None = None,
) -> PapersResult:
    """Return the result of the page's parameters, with what the session has."""
    session = upload, experiment_data, data_sets
    pinned = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None}, *session)
    table = table_of(values["table"], values.get("own"), upload)
    problem = "" if upload is None or table is not None else upload.problem
    return PapersResult(values, table, pinned, problem, experiment_data, data_sets)
