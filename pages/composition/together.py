"""What the list of releases costs together, what each line costs of it, and what more runs of it would cost."""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pages.composition import accounts
from pages.composition.accounts import Releases
from pages.composition.found import Found
from pages.composition.parameters import MOST_RUNS

PERIODS = {"once": 1, "each day of a week": 7, "each day of a month": 30, "each day of a year": 365}


@dataclass(frozen=True)
class Cost:
    """Of a list at δ by an accountant: ε together, of each line alone, without each line, and of the lines added up.

    Where to certify the list without each of its lines would take long, `without` is by RDP, and so is what is saved.
    """

    together: float
    alone: tuple[float, ...]
    without: tuple[float, ...]
    added: float
    by_rdp: float | None = None

    @property
    def whole(self) -> float:
        """The ε together of which something is saved: by RDP where `without` is."""
        return self.together if self.by_rdp is None else self.by_rdp

    @cached_property
    def saved(self) -> tuple[float, ...]:
        """What leaving out each line would save, in ε."""
        return tuple(0.0 if math.isinf(each) else max(self.whole - each, 0.0) for each in self.without)


def whole(found: Found) -> Releases:
    """The whole list, over all its runs."""
    return accounts.repeated(found.once, found.setting.runs)


def spent(found: Found) -> float:
    """The δ of all promises, added up."""
    return math.fsum(each.count * each.numbers[1] for each in whole(found) if each.kind == "promise")


def cost(found: Found) -> Cost:
    """What the list costs, over all its runs."""
    return cost_of(whole(found), found.setting.delta, found.setting.accountant)


def proved_bound(found: Found) -> tuple[float, float] | None:
    """A bound on ε of all runs, proved by its losses, and by how much it may exceed the truth, 0 if that is not known.

    None where only ρ of a line is known, where RDP proves less, and where there is no ε.
    """
    if not accounts.has_losses(found.once):
        return None
    releases, delta = whole(found), found.setting.delta
    bound, excess = accounts.certified(releases, delta)
    if math.isinf(bound):
        return None
    if accounts.is_known(releases):
        return bound, excess
    return (bound, 0.0) if bound < accounts.rdp(releases, delta) else None


@lru_cache(256)
def cost_of(releases: Releases, delta: float, accountant: str) -> Cost:
    """What a list costs at δ by an accountant."""
    whole, added = accounts.total(accountant, releases, delta), accounts.basic(releases, delta)
    rests = [releases[:place] + releases[place + 1 :] for place in range(len(releases))]
    if accountant != "exact":
        alone = [accounts.total(accountant, (each,), delta) for each in releases]
        without = [accounts.total(accountant, rest, delta) if rest else 0.0 for rest in rests]
        return Cost(whole, tuple(alone), tuple(without), added)
    alone, without = accounts.of_lines(releases, delta), accounts.several([(rest, delta) for rest in rests])
    if without is not None:
        return Cost(whole, tuple(alone), tuple(without), added)
    by_rdp = [accounts.rdp(rest, delta) for rest in rests]
    return Cost(whole, tuple(alone), tuple(by_rdp), added, accounts.rdp(releases, delta))


@dataclass(frozen=True)
class Periods:
    """For each period that the list can be run so often: ε together, by RDP, and with the ε of all days added up.

    The days are added up with an equal share of δ each. `exact` is whether ε together is the exact one; it is by RDP
    where to certify so many lists would take long.
    """

    rows: dict[str, tuple[float, float, float]]
    exact: bool


@lru_cache(256)
def over_periods(releases: Releases, delta: float) -> Periods:
    """What a list costs over each period."""
    names = [name for name, runs in PERIODS.items() if runs * max(each.count for each in releases) <= MOST_RUNS]
    runs = [PERIODS[name] for name in names]
    lists, shares = [accounts.repeated(releases, each) for each in runs], [delta / each * (1 - 1e-15) for each in runs]
    by_rdp = [accounts.rdp(each, delta) for each in lists]
    once, most = accounts.exact(releases, delta), 1 if any(each.kind == "sampled" for each in releases) else 4
    exact = accounts.several([(each, delta) for each in lists[1:]], most)
    day = accounts.several([(releases, each) for each in shares[1:]], most)
    day = [once, *(day or [accounts.rdp(releases, each) for each in shares[1:]])]
    added = [each * of_a_day * (1 + 1e-15) for each, of_a_day in zip(runs, day, strict=True)]
    rows = zip([once, *(exact or by_rdp[1:])], by_rdp, added, strict=True)
    return Periods(dict(zip(names, rows, strict=True)), exact is not None and accounts.is_known(releases))
