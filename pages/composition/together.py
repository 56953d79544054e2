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
    """Of a list at δ by an accountant: ε together, of each line alone, without each line, and of the lines added up."""

    together: float
    alone: tuple[float, ...]
    without: tuple[float, ...]
    added: float

    @cached_property
    def saved(self) -> tuple[float, ...]:
        """What leaving out each line would save, in ε."""
        return tuple(0.0 if math.isinf(each) else max(self.together - each, 0.0) for each in self.without)


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
    return Cost(
        accounts.total(accountant, releases, delta),
        tuple(accounts.total(accountant, (each,), delta) for each in releases),
        tuple(accounts.left_out(accountant, releases, delta)),
        accounts.basic(releases, delta),
    )


@lru_cache(256)
def over_periods(releases: Releases, delta: float) -> dict[str, tuple[float, float, float]]:
    """For each period that the list can be run so often: ε exactly, by RDP, and with the ε of all days added up.

    The days are added up with an equal share of δ each.
    """
    found = {}
    for name, runs in PERIODS.items():
        if runs * max(each.count for each in releases) > MOST_RUNS:
            continue
        all_days, share = accounts.repeated(releases, runs), delta / runs * (1 - 1e-15)
        day = accounts.exact(releases, share) if share >= accounts.LEAST_DELTA else math.inf
        added = runs * day * (1 + 1e-15)
        found[name] = accounts.exact(all_days, delta), accounts.rdp(all_days, delta), added
    return found
