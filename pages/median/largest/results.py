"""The largest of several counts: how probably the right one is published, over its lead and over ε."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore import selection
from dpcore.checks import Array
from pages.framework.chart.theme import decades, round_axis_end

_N_LEADS, _N_FEW_LEADS = 81, 13  # the second where several are chosen, which takes longer
_MOST_LEADS, _MOST_FEW_LEADS = 30, 10  # up to which each whole number is drawn
_PER_DECADE = 8
_N_HALVINGS = 30
_LEAST_LEAD = 10.0  # the end of the axis of leads


@dataclass(frozen=True)
class LargestResult:
    """The largest m of several counts, each chosen privately; a person is added or removed where it is `monotone`."""

    epsilon: float
    counts: tuple[float, ...]
    n_chosen: int
    wanted: float
    mechanism: str
    monotone: bool

    @cached_property
    def ordered(self) -> Array:
        """The counts, the largest first."""
        return np.sort(self.counts)[::-1]

    @property
    def lead(self) -> float:
        """By how much the last one that should be chosen exceeds the next."""
        return float(self.ordered[self.n_chosen - 1] - self.ordered[self.n_chosen])

    def probability(self, scores: Array, epsilon: float | Array, mechanism: str = "") -> Array:
        """Return the probability that the right ones are published, for lists of scores or several ε."""
        chosen = mechanism or self.mechanism
        if self.n_chosen == 1:
            return selection.winner_probability(scores, epsilon, 1.0, chosen, self.monotone)
        rows = np.broadcast_to(scores, (np.size(epsilon), scores.shape[-1])) if scores.ndim == 1 else scores
        losses = np.broadcast_to(epsilon, len(rows))
        options = 1.0, chosen, self.monotone
        found = [
            selection.top_probability(row, self.n_chosen, loss, *options)
            for row, loss in zip(rows, losses.tolist(), strict=True)
        ]
        return np.array(found)

    @cached_property
    def right(self) -> float:
        """The probability that the right ones are published."""
        return float(np.ravel(self.probability(self.ordered, self.epsilon))[0])

    @cached_property
    def expected_gap(self) -> float:
        """By how much the first one that is chosen is below the largest, on average."""
        own = self.epsilon / self.n_chosen
        return float(selection.expected_gap(self.ordered, own, 1.0, self.mechanism, self.monotone))

    @cached_property
    def least_epsilon(self) -> float | None:
        """The ε that is enough for the wanted probability; None where none is, as the chart over ε has it."""
        frame = self.over_epsilon
        enough = frame[self.mechanism].to_numpy() >= self.wanted
        if self.n_chosen == 1:
            try:
                return selection.least_epsilon(self.ordered, self.wanted, 1.0, self.mechanism, self.monotone)
            except ValueError:
                return None
        if not enough[-1]:
            return None
        if enough.all():
            return float(frame["epsilon"].iloc[0])
        last = int(np.flatnonzero(~enough)[-1])
        too_small, high = frame["epsilon"].to_numpy()[[last, last + 1]]
        for _ in range(_N_HALVINGS):
            middle = float(np.sqrt(too_small * high))
            is_enough = float(self.probability(self.ordered, middle)[0]) >= self.wanted
            too_small, high = (too_small, middle) if is_enough else (middle, high)
        return float(high)

    @cached_property
    def over_lead(self) -> pd.DataFrame:
        """The probability over the lead of the right ones, which all move with it, by mechanism."""
        last = round_axis_end(max(_LEAST_LEAD, 2 * self.lead))
        n, most = (_N_LEADS, _MOST_LEADS) if self.n_chosen == 1 else (_N_FEW_LEADS, _MOST_FEW_LEADS)
        leads = np.unique(np.rint([*np.arange(1, min(most, last) + 1), *np.linspace(1, last, n)]))
        moved = np.arange(self.ordered.size) < self.n_chosen
        rows = self.ordered + np.multiply.outer(leads - self.lead, moved)
        frame = {name: self.probability(rows, self.epsilon, name) for name in selection.MECHANISMS}
        return pd.DataFrame({"lead": leads} | frame)

    @cached_property
    def over_epsilon(self) -> pd.DataFrame:
        """The probability over ε, by mechanism."""
        first, last = decades(-2, 1, self.epsilon)
        losses = np.logspace(first, last, _PER_DECADE * (last - first) + 1)
        frame = {name: self.probability(self.ordered, losses, name) for name in selection.MECHANISMS}
        return pd.DataFrame({"epsilon": losses} | frame)

    @cached_property
    def chances(self) -> pd.DataFrame:
        """The probability of each count to be the first that is chosen, by mechanism."""
        own = self.epsilon / self.n_chosen
        sensitivity = 0.5 if self.monotone else 1.0
        noisy = self.ordered, own, 1.0, self.monotone
        frame = {
            "count": self.ordered,
            "permute_and_flip": selection.permute_and_flip(self.ordered, own, sensitivity),
            "exponential": selection.exponential(*noisy),
            "report_noisy_max": selection.report_noisy_max(*noisy),
        }
        return pd.DataFrame(frame)
