"""What a plan returns."""

from dataclasses import dataclass

import numpy as np

from dpcore.checks import Array
from dpcore.composition import EpsilonBound, Release
from dpcore.mechanism import Mechanism
from dpcore.plan.queries import Query


@dataclass(frozen=True)
class Plan:
    """A mechanism for each query, and what all of them cost together.

    Attributes
    ----------
    queries : as they were given, with their wanted errors.
    mechanisms : the noise of each query; `epsilon` of each is its own at the δ of the plan, 0 for ε-DP.
    releases : each query as a line of `dpcore.composition`, for its accountants.
    delta : δ of the total, 0 for a guarantee of pure ε-DP.
    total : ε of all queries together, with its kind and error.
    basic : ε of all queries together by basic composition.
    uniform : the totals of the plans in which every query that is not fixed has the same mechanism, as far as its
        answers allow: "geometric" and "discrete_gaussian" stand for Laplace and Gaussian noise where answers are not
        whole; "laplace", "gaussian", "geometric" and "discrete_gaussian", as far as δ allows.
    runner_up : the total of the best other plan that was tried, ∞ if none was.
    """

    queries: tuple[Query, ...]
    mechanisms: tuple[Mechanism, ...]
    releases: tuple[Release, ...]
    delta: float
    total: EpsilonBound
    basic: EpsilonBound
    uniform: dict[str, EpsilonBound]
    runner_up: float

    @property
    def keys(self) -> tuple[str, ...]:
        """The mechanism of each query, one of `dpcore.plan.MECHANISMS`."""
        return tuple(mechanism.family for mechanism in self.mechanisms)

    @property
    def half_widths(self) -> Array:
        """The half-width of the error that each query reaches, at its own significance, rounded up.

        Examples
        --------
        >>> from dpcore.plan import choose, query
        >>> choose([query(5), query(5, kind="sum", high=3)], 1e-6).half_widths.round(3).tolist()
        [5.0, 5.0]
        """
        noise = zip(self.queries, self.mechanisms, strict=True)
        return np.array([query.half_width_of(mechanism.half_width(query.significance)) for query, mechanism in noise])


@dataclass(frozen=True)
class ScaledPlan:
    """The one factor on all wanted errors that a total ε allows, rounded up, and the plan at it.

    `plan.queries` have the errors that were wanted; `plan.half_widths` are those that are reached.
    """

    factor: float
    plan: Plan


@dataclass(frozen=True)
class Marginal:
    """What each query costs within a plan: entries in the order of the queries, in nats.

    Attributes
    ----------
    without : ε of the others together.
    doubled : ε of all together where the error of this query may be twice as large.
    cost : the total less `without`: what leaving the query out would save, not below 0.
    """

    without: Array
    doubled: Array
    cost: Array
