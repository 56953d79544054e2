"""The release of one quantile: its distribution, its error at every ε and other bounds, and its cliff."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpcore import quantiles
from dpcore.checks import BOUND_RANGE, Array, interval_bounds
from dpcore.clipping import Distribution
from dpcore.rounding import round_down, round_up
from pages.framework.chart.theme import decades, round_axis_end
from pages.framework.parameters.number_format import plural

T = TypeVar("T")
RARE = 1e-3
"""A release beyond all values that is rarer than this is no longer a cliff."""
LEAST_SHOWN = 1e-3
"""The ε at which the chart of the error begins, and the search for that without a cliff ends."""
_LEAST_SOUGHT = 1e-4  # ε
_N_BARS, _N_NEAR = 60, 3
_MANY = 100_000  # values, of which a curve over ε has fewer points
_PER_DECADE, _FEW_PER_DECADE = 10, 2
_MOST_PLACES = 12


@dataclass(frozen=True)
class QuantileRelease:
    """A quantile that is released: on steps from `low` on, or where `step` is None as any number of the range.

    A person has up to `n_own` values, and ε is that of a person.
    """

    epsilon: float
    quantile: float
    low: float
    high: float
    step: float | None
    neighbours: str
    n_own: int = 1

    @property
    def epsilon_of_one(self) -> float:
        """The ε with which one value for each person has the same release: ε ÷ N, rounded down."""
        return self.epsilon if self.n_own == 1 else round_down(self.epsilon / self.n_own, 2)

    def epsilon_of_all(self, epsilon_of_one: float | None) -> float | None:
        """Return the ε of a release whose `epsilon_of_one` is known, rounded up; None stays."""
        return epsilon_of_one if epsilon_of_one is None or self.n_own == 1 else round_up(epsilon_of_one * self.n_own)

    def counted(self, n: int) -> str:
        """Return a number of people, or of values where a person may have several."""
        return plural(n, "person", "people") if self.n_own == 1 else plural(n, "value")

    @property
    def noun(self) -> str:
        """What is counted: people, or their values where one may have several."""
        return "people" if self.n_own == 1 else "values"

    @property
    def wide(self) -> "QuantileRelease":
        """The release with a range that is twice as wide, as far as values go."""
        return replace(self, high=min(2 * self.high - self.low, interval_bounds(BOUND_RANGE)[1]))

    @cached_property
    def candidates(self) -> Array:
        """The values that can be released, where these are steps: decimal numbers as users have them; else none."""
        if self.step is None:
            return np.empty(0)
        n_steps = int(np.floor((self.high - self.low) / self.step * (1 + 1e-12)))
        return self._decimal(self.low + self.step * np.arange(n_steps + 1))

    def recorded(self, values: Array) -> Array:
        """Return values as they are recorded in these steps, or as they are where there are none."""
        if self.step is None:
            return values
        return self._decimal(self.low + self.step * np.rint((values - self.low) / self.step))

    @property
    def outputs(self) -> quantiles.Range | quantiles.Grid:
        """What can be released, as dpcore has it."""
        return quantiles.Range(self.low, self.high) if self.step is None else quantiles.Grid(self.candidates)

    @property
    def decimals(self) -> int:
        """How many decimals the values on the steps have."""
        places = [-int(Decimal(repr(number)).normalize().as_tuple().exponent) for number in (self.low, self.step or 0)]
        return min(max(*places, 0), _MOST_PLACES)

    def _decimal(self, values: ArrayLike) -> Array:
        return np.asarray(np.round(np.asarray(values), self.decimals), np.float64)


def _or_none(function: Callable[..., T], *arguments: Any) -> T | None:
    """Return what a function computes; None where there is no such number."""
    try:
        return function(*arguments)
    except ValueError:
        return None


@dataclass(frozen=True)
class QuantileResult:
    """The release of one quantile of some values, which are sorted; `people` are public figures, if it is of these."""

    release: QuantileRelease
    significance: float
    ordered: Array
    people: Distribution | None = None

    @property
    def n_values(self) -> int:
        """How many values there are."""
        return self.ordered.size

    @cached_property
    def truth(self) -> float:
        """The quantile of the values."""
        return float(np.quantile(self.ordered, self.release.quantile))

    def half_width(self, release: QuantileRelease, epsilon: float | Array | None = None, mechanism: str = "") -> Array:
        """Return the ± of a release at its ε or at others, by its mechanism or by another one on the steps."""
        losses = release.epsilon_of_one if epsilon is None else np.asarray(epsilon) / release.n_own
        outputs = quantiles.Grid(release.candidates, mechanism) if mechanism else release.outputs
        known = self.ordered, release.quantile, losses, outputs
        return quantiles.half_width(*known, self.significance, release.neighbours)

    @cached_property
    def error(self) -> float:
        """The ± of the release."""
        return float(self.half_width(self.release))

    @cached_property
    def wide_error(self) -> float:
        """The ± with a range that is twice as wide."""
        return float(self.half_width(self.release.wide))

    @cached_property
    def population_error(self) -> float:
        """The ± about the quantile of a population of which the people are a random sample."""
        return float(quantiles.population_half_width(*self._known, self.significance, self.release.neighbours))

    @property
    def _known(self) -> tuple[Array, float, float, quantiles.Range | quantiles.Grid]:
        """The values, q, the ε of one value and what can be released."""
        return self.ordered, self.release.quantile, self.release.epsilon_of_one, self.release.outputs

    @cached_property
    def cliff(self) -> float:
        """The probability of a release beyond all values."""
        both = quantiles.cliff_probability(*self._known, self.release.neighbours)
        return min(float(both.below + both.above), 1.0)

    @cached_property
    def epsilon_without_cliff(self) -> float | None:
        """The ε from which on a release beyond all values is rare, not below `LEAST_SHOWN`; None where it never is."""
        release, least = self.release, LEAST_SHOWN / self.release.n_own
        known = self.ordered, release.quantile, release.outputs, RARE, release.neighbours, least
        found = _or_none(quantiles.epsilon_without_cliff, *known)
        return LEAST_SHOWN if found == least else release.epsilon_of_all(found)

    def enough_epsilon(self, error: float) -> float | None:
        """Return the ε from which on the ± is at most an error; None where it never is."""
        release = self.release
        known = self.ordered, release.quantile, error, release.outputs, self.significance, release.neighbours
        return release.epsilon_of_all(_or_none(quantiles.least_epsilon, *known))

    def enough_people(self, error: float) -> int | None:
        """Return from how many people of the same public figures on the ± is at most an error; None if never."""
        if self.people is None:
            return None
        release = self.release
        known = self.people, release.quantile, error, release.epsilon_of_one, release.outputs
        return _or_none(quantiles.least_records, *known, self.significance, release.neighbours)

    @cached_property
    def people_without_cliff(self) -> int | None:
        """From how many people of the same public figures on a release beyond all values is rare; None if never.

        It is sought of any numbers only where that takes no second: not for hundreds of thousands of people.
        """
        release = self.release
        if self.people is None or (release.step is None and release.epsilon_of_one < _LEAST_SOUGHT):
            return None
        known = self.people, release.quantile, release.epsilon_of_one, release.outputs, RARE, release.neighbours
        return _or_none(quantiles.records_without_cliff, *known)

    @cached_property
    def distribution(self) -> quantiles.ReleasedDistribution:
        """The distribution of the release."""
        return quantiles.released_distribution(*self._known, self.release.neighbours)

    def neighbouring_scores(self) -> dict[str, tuple[list[Decimal], list[Decimal], Decimal]]:
        """Return, by what one person changes, the scores of the candidates before and after it, and their sensitivity.

        The scores are those of the decimal number that q is.
        """
        release = self.release
        share = Decimal(repr(float(release.quantile)))
        below, at_or_below = (np.searchsorted(self.ordered, release.candidates, side) for side in ("left", "right"))
        n, n_own, steps = self.n_values, release.n_own, np.arange(below.size)
        low, high = n_own * (steps > 0), np.zeros(below.size, int)  # how many are below, of those at the lowest value
        at_low, at_high = np.full(below.size, n_own), n_own * (steps == steps[-1])

        def scores(added_below: NDArray[np.int_], added_at: NDArray[np.int_], added: int) -> list[Decimal]:
            aim = share * (n + added)
            pairs = zip((below + added_below).tolist(), (at_or_below + added_at).tolist(), strict=True)
            return [-max(Decimal(0), first - aim, aim - last) for first, last in pairs]

        if release.neighbours == "replace":
            change = "where the lowest value becomes the highest"
            return {change: (scores(low, at_low, n_own), scores(high, at_high, n_own), Decimal(n_own))}
        sensitivity, own = n_own * max(share, 1 - share), scores(high, high, 0)
        return {
            "with one more person at the lowest value": (own, scores(low, at_low, n_own), sensitivity),
            "with one more person at the highest value": (own, scores(high, at_high, n_own), sensitivity),
        }

    def neighbouring_intervals(self) -> tuple[list[float], dict[str, tuple[list[Decimal], list[Decimal]]], Decimal]:
        """Return the intervals between the values, in which the density is constant: their edges, and their scores.

        The scores are those before and after one person changes, by what changes, and last is their sensitivity.
        """
        release = self.release
        inside = np.clip(self.ordered, release.low, release.high)
        edges = np.unique(np.concatenate([[release.low], inside, [release.high]]))
        n_below = np.searchsorted(inside, edges[:-1], "right").tolist()
        share, n, n_own = Decimal(repr(float(release.quantile))), self.n_values, release.n_own

        def scores(added_below: int, added: int) -> list[Decimal]:
            return [-abs(below + added_below - share * (n + added)) for below in n_below]

        if release.neighbours == "replace":
            moved = {"where the lowest value becomes the highest": (scores(n_own, n_own), scores(0, n_own))}
            return edges.tolist(), moved, Decimal(n_own)
        own, ends = scores(0, 0), {"lowest": scores(n_own, n_own), "highest": scores(0, n_own)}
        changes = {f"with one more person at the {end} value": (own, other) for end, other in ends.items()}
        return edges.tolist(), changes, n_own * max(share, 1 - share)

    def _below(self, edges: Array) -> Array:
        """Return the probability of a release below edges, which are between the steps where there are some."""
        places, chance = self.distribution
        below = np.append(0, np.cumsum(chance))
        if self.release.step is None:
            return np.interp(edges, places, below)
        return below[np.searchsorted(places, edges)]

    def bars(self, first: float, last: float) -> pd.DataFrame:
        """Return the share of the values and of the releases in bins between two places, values at the nearest end.

        With steps, each bin has as many of them, and begins between two.
        """
        release = self.release
        if release.step is None:
            edges = np.linspace(first, last, _N_BARS + 1)
        else:
            start, stop = (np.rint((end - release.low) / release.step) for end in (first, last))
            size = np.ceil((stop - start + 1) / _N_BARS)
            edges = release.low + release.step * (np.arange(start, stop + size + 1, size) - 0.5)
        inside = np.clip(self.ordered, release.low, release.high)
        n_below = np.searchsorted(inside, edges)
        if release.step is None and last >= release.high:
            n_below[-1] = self.n_values
        frame = {"from": edges[:-1], "to": edges[1:], "middle": (edges[:-1] + edges[1:]) / 2}
        frame |= {"people": np.diff(n_below) / self.n_values, "releases": np.diff(self._below(edges))}
        return pd.DataFrame(frame)

    @cached_property
    def whole(self) -> pd.DataFrame:
        """The bins of the whole range."""
        return self.bars(self.release.low, self.release.high)

    @cached_property
    def near(self) -> pd.DataFrame:
        """The bins about the true quantile, at least some ± to either side: ends that seldom move."""
        release = self.release
        room = round_axis_end(_N_NEAR * max(self.error, release.step or 0))
        return self.bars(max(self.truth - room, release.low), min(self.truth + room, release.high))

    @cached_property
    def over_epsilon(self) -> pd.DataFrame:
        """The ± over ε: of the release, of other ways on the same steps, and of any number of the range."""
        release = self.release
        first, last = decades(round(np.log10(LEAST_SHOWN)), 1, release.epsilon)
        per_decade = _PER_DECADE if self.n_values <= _MANY else _FEW_PER_DECADE
        losses = np.logspace(first, last, per_decade * (last - first) + 1)
        frame = {"epsilon": losses}
        if release.step is not None:
            frame["permute_and_flip"] = self.half_width(release, losses)
            frame["exponential"] = self.half_width(release, losses, "exponential")
            frame["binary_search"] = self.half_width(release, losses, "binary_search")
        frame["any_number"] = self.half_width(replace(release, step=None), losses)
        return pd.DataFrame(frame)

    @cached_property
    def choices(self) -> pd.DataFrame:
        """What else the release could be, and the ± of each."""
        own = self.release
        half, double = (replace(own, epsilon=own.epsilon * factor) for factor in (0.5, 2))
        rows = {"yours": self.error, "wide": self.wide_error}
        rows |= {"half": float(self.half_width(half)), "double": float(self.half_width(double))}
        if own.step is not None:
            rows["exponential"] = float(self.half_width(own, mechanism="exponential"))
            rows["binary_search"] = float(self.half_width(own, mechanism="binary_search"))
            rows["any_number"] = float(self.half_width(replace(own, step=None)))
        rows["population"] = self.population_error
        return pd.DataFrame({"choice": list(rows), "half_width": list(rows.values())})
