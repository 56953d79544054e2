"""What the list of releases costs together, what each line costs of it, and what more runs of it would cost."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from dpcore import composition
from dpcore.checks import DELTA_RANGE, Array, ends
from pages.composition.parameters import MOST_RUNS
from pages.composition.releases import Releases, repeated
from pages.composition.results import CompositionResult

PERIODS = {"once": 1, "each day of a week": 7, "each day of a month": 30, "each day of a year": 365}


ACCOUNTANT_OF = {"exact": "best", "rdp": "rdp", "zcdp": "zcdp", "basic": "basic_of_lines"}
"""The name in dpcore of each accountant of the page."""
_LEAST_DELTA = ends(DELTA_RANGE)[0]
_COARSE = 2e-3  # the excess of a certified bound that stands beside the exact value


@dataclass(frozen=True)
class Cost:
    """Of a list at δ by an accountant: ε together, of each line alone, and without each line.

    `basic` is the ε of the list by basic composition of lines.

    Where to certify the list without each of its lines would take long, `without` is by RDP, and so is what is saved.
    """

    together: float
    alone: tuple[float, ...]
    without: tuple[float, ...]
    basic: float
    by_rdp: float | None = None

    @property
    def whole(self) -> float:
        """The ε together of which something is saved: by RDP where `without` is."""
        return self.together if self.by_rdp is None else self.by_rdp

    @cached_property
    def saved(self) -> tuple[float, ...]:
        """What leaving out each line would save, in ε."""
        return tuple(0.0 if math.isinf(each) else max(self.whole - each, 0.0) for each in self.without)


def whole(result: CompositionResult) -> Releases:
    """The whole list, over all its runs."""
    return repeated(result.once, result.setting.runs)


def spent(result: CompositionResult) -> float:
    """The δ of all promises, added up."""
    return math.fsum(each.count * each.numbers[1] for each in whole(result) if each.kind == "promise")


def cost(result: CompositionResult) -> Cost:
    """What the list costs, over all its runs."""
    return cost_of(whole(result), result.setting.delta, result.setting.accountant)


def proved_bound(result: CompositionResult) -> tuple[float, float] | None:
    """A bound on ε of all runs, proved by its losses, and by how much it may exceed the truth, 0 if that is not known.

    None where only ρ of a line is known, where RDP proves as little, and where there is no ε.
    """
    releases, delta = whole(result), result.setting.delta
    bound = composition.epsilon(releases, delta, "certified", excess=_COARSE)
    if math.isinf(bound.value):
        return None
    if composition.is_known(releases):
        return float(bound.value), float(bound.error)
    return (float(bound.value), 0.0) if bound.value < composition.rdp_epsilon(releases, delta).value else None


def epsilon_of(releases: Releases, delta: float, accountant: str) -> float:
    """ε of a list at δ by an accountant of the page."""
    return float(composition.epsilon(releases, delta, ACCOUNTANT_OF[accountant]).value)


@lru_cache(256)
def cost_of(releases: Releases, delta: float, accountant: str) -> Cost:
    """What a list costs at δ by an accountant."""
    whole, basic = (epsilon_of(releases, delta, name) for name in (accountant, "basic"))
    lines = [(release,) for release in releases]
    rests = [releases[:place] + releases[place + 1 :] for place in range(len(releases))]
    if accountant != "exact":
        alone, without = ([epsilon_of(each, delta, accountant) for each in lists] for lists in (lines, rests))
        return Cost(whole, tuple(alone), tuple(without), basic)
    alone, _ = _best_or_rdp(lines, np.full(len(lines), delta))
    without, is_best = _best_or_rdp(rests, np.full(len(rests), delta))
    return Cost(whole, tuple(alone), tuple(without), basic, None if is_best else epsilon_of(releases, delta, "rdp"))


def _best_or_rdp(lists: Sequence[Releases], deltas: Array, most: int = 4) -> tuple[list[float], bool]:
    """ε of several lists, ∞ at a δ that is too small, and whether it is the best one: else it is by RDP."""
    enough = np.maximum(deltas, _LEAST_DELTA)
    best = composition.epsilon_of_lists(lists, enough, most)
    pairs = zip(lists, enough, strict=True)
    values = best.value if best else [epsilon_of(each, float(delta), "rdp") for each, delta in pairs]
    return np.where(deltas < _LEAST_DELTA, np.inf, values).tolist(), best is not None


@dataclass(frozen=True)
class Periods:
    """For each period that the list can be run so often: ε together, by RDP, and by basic composition of the days.

    The days share δ equally. `exact` is whether ε together is the exact one; it is by RDP where to certify so many
    lists would take long.
    """

    rows: dict[str, tuple[float, float, float]]
    exact: bool


@lru_cache(256)
def over_periods(releases: Releases, delta: float) -> Periods:
    """What a list costs over each period."""
    names = [name for name, runs in PERIODS.items() if runs * max(each.count for each in releases) <= MOST_RUNS]
    runs = [PERIODS[name] for name in names]
    lists = [repeated(releases, each) for each in runs]
    by_rdp = composition.rdp_epsilon(releases, delta, n_runs=runs).value.tolist()
    once, most = epsilon_of(releases, delta, "exact"), 1 if any(each.kind == "sampled" for each in releases) else 4
    together, is_best = _best_or_rdp(lists[1:], np.full(len(lists) - 1, delta), most)
    shares = delta / np.array(runs[1:]) * (1 - 1e-15)
    days, _ = _best_or_rdp([releases] * len(shares), shares, most)
    basic = [each * of_a_day * (1 + 1e-15) for each, of_a_day in zip(runs, [once, *days], strict=True)]
    rows = zip([once, *together], by_rdp, basic, strict=True)
    return Periods(dict(zip(names, rows, strict=True)), is_best and composition.is_known(releases))
