"""What a guarantee becomes for a group, for disjoint parts, and for shuffled local reports."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import composition, gaussian
from dpcore.checks import Array
from dpcore.rounding import round_up
from pages.composition.results import CompositionResult
from pages.framework.rendering.uploaded_files import kept
from pages.shared.status_lines import refined

MOST_EPSILON = 1e3
"""The largest ε of one person that dpcore turns into that of a group."""
RENYI_ORDER = 8
"""The order at which the Rényi divergence of the group is stated."""
_LEAST_AXIS, _N_GROUPS, _N_REPORTS = 10, 40, 25
_MOST_DECADE = 6


@dataclass(frozen=True)
class GroupsResult:
    """The guarantee of one person, the size of the group, the shuffled reports, and the guarantees that follow."""

    epsilon: float
    delta: float
    size: int
    local_epsilon: float
    reports: int

    @cached_property
    def sigma(self) -> float:
        """σ of Gaussian noise for the guarantee, at sensitivity 1."""
        return float(gaussian.analytic_sigma(self.epsilon, self.delta))

    @property
    def mu(self) -> float:
        """μ of one person under that noise, rounded up."""
        return float(round_up(np.array(1 / self.sigma), 2))

    @property
    def rho(self) -> float:
        """ρ of one person under that noise, rounded up."""
        return float(round_up(np.array(self.mu**2 / 2), 4))

    @property
    def pure(self) -> float:
        """Return gε, rounded up."""
        return float(self.pure_at(np.array(self.size)))

    def pure_at(self, size: Array) -> Array:
        """Return gε for sizes of groups, rounded up."""
        return round_up(size * self.epsilon, 2)

    @property
    def group_delta(self) -> float:
        """δ of the group at gε, where no more than (ε, δ) is known of the mechanism."""
        return float(composition.group_delta(self.epsilon, self.delta, self.size))

    @property
    def gaussian(self) -> float:
        """ε of the group at δ under that Gaussian noise."""
        return float(self.gaussian_at(np.array(self.size)))

    def gaussian_at(self, size: Array) -> Array:
        """Return ε of groups at δ under that Gaussian noise, which moves the release g times as far."""
        return np.asarray(gaussian.epsilon_from_sigma(self.delta, self.sigma, size))

    def profile_at(self, size: Array) -> Array:
        """Return ε of groups at δ of any mechanism that has the privacy profile of that noise."""

        def profile(epsilon: Array) -> Array:
            return np.asarray(gaussian.delta_from_sigma(epsilon, self.sigma))

        return np.asarray(composition.group_epsilon(self.delta, size, profile))

    def parallel(self, neighbours: str) -> float:
        """Return ε of two releases of ε on disjoint people."""
        return float(composition.parallel_epsilon([self.epsilon] * 2, neighbours))

    def parallel_delta(self, neighbours: str) -> float:
        """Return δ of two releases with δ on disjoint people."""
        return float(composition.parallel_delta([self.delta] * 2, neighbours))

    @property
    def renyi(self) -> tuple[int, float, float]:
        """The order of one person under that noise, its Rényi divergence, and that of the group at `RENYI_ORDER`."""
        order = RENYI_ORDER * 2 ** (self.size - 1).bit_length()
        divergence = round_up(np.array(order * self.rho), 2)
        return order, float(divergence), float(composition.group_rdp(order, divergence, self.size)[1])

    @property
    def sizes(self) -> Array:
        """The sizes of groups that the chart shows."""
        return np.unique(np.rint(np.linspace(1, max(self.size, _LEAST_AXIS), _N_GROUPS)))

    @property
    def shuffled(self) -> tuple[float, float, float]:
        """ε of the shuffled reports at δ: by both published bounds, and numerically."""
        return kept(shuffled_epsilons, self.delta, self.local_epsilon, (self.reports,))[0]

    @property
    def over_reports(self) -> pd.DataFrame:
        """ε at δ over the number of shuffled reports, by both published bounds and numerically."""
        return kept(shuffled_frame, self.delta, self.local_epsilon)


def shuffled_frame(delta: float, local_epsilon: float) -> pd.DataFrame:
    """Return a row for each of so many numbers of reports that straight lines between them are near the curves."""
    rows: dict[float, tuple[float, float, float]] = {}

    def values_at(reports: Array) -> Array:
        values = shuffled_epsilons(delta, local_epsilon, tuple(reports.tolist()))
        rows.update(zip(reports.tolist(), values, strict=True))
        return np.array(values).T

    refined(np.unique(np.rint(np.geomspace(10, 10**_MOST_DECADE, _N_REPORTS))), values_at, is_whole=True)
    table = [(reports, *values) for reports, values in sorted(rows.items())]
    return pd.DataFrame(table, columns=["reports", "clones_2021", "clones_2023", "numerical"])


def shuffled_epsilons(
    delta: float, local_epsilon: float, reports: tuple[float, ...]
) -> tuple[tuple[float, float, float], ...]:
    """Return ε of so many shuffled reports by both published bounds and numerically."""
    functions = composition.clones_epsilon_2021, composition.clones_epsilon_2023, composition.shuffled_epsilon
    columns = [np.asarray(function(delta, local_epsilon, np.array(reports))).tolist() for function in functions]
    return tuple(zip(*columns, strict=True))


def groups_at(result: CompositionResult) -> GroupsResult | None:
    """Return the guarantees at the setting of a page; None where its ε is beyond what is computed."""
    setting = result.setting
    if setting.epsilon > MOST_EPSILON:
        return None
    group = int(result.values["group"]), result.values["local_epsilon"], int(result.values["reports"])
    return GroupsResult(setting.epsilon, setting.delta, *group)
